"""Entity-relationship diagrams: tables with their columns, and what edges make of column names and flags."""
