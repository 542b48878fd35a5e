"""DBML: `grammar` parses a text, `model` holds the schema, `reader` recognizes a source and builds the scene."""

from scenograph.reading.dbml.reader import read, recognizes

__all__ = ["read", "recognizes"]
