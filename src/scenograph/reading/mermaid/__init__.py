"""Mermaid, by its published grammars: a module or folder for each kind of diagram, a row in READ_BY_KEYWORD."""

from scenograph.reading.mermaid.reader import read, recognizes

__all__ = ["read", "recognizes"]
