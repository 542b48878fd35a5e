"""Structurizr: `workspace` parses the DSL and the JSON, and holds the workspace; `reader` recognizes a source, chooses
the elements of a view and builds the scene."""

from scenograph.reading.structurizr.reader import read, recognizes

__all__ = ["read", "recognizes"]
