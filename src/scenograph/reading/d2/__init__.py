"""D2: `grammar` parses a text, `evaluation` carries out its statements, `looks` reads shapes and styles, `drawing` and
`sequence` build the scene, `reader` recognizes a source."""

from scenograph.reading.d2.reader import read, recognizes

__all__ = ["read", "recognizes"]
