"""Class diagrams: classes, interfaces and enumerations in compartments, and the lines between them (UML 2.5)."""
