"""Diagrams of PlantUML: sequence, class, component, use case, state and activity diagrams."""

from scenograph.reading.plantuml.reader import read, recognizes

__all__ = ["read", "recognizes"]
