"""Sequence diagrams: participants, events in order, placement, drawing."""
