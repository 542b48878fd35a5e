"""Mermaid, by its published grammars: one module or folder a kind of diagram, one row in READ_BY_KEYWORD."""

from scenograph.reading.mermaid.reader import read, recognizes

__all__ = ["read", "recognizes"]
