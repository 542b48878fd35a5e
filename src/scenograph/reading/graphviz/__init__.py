"""DOT of Graphviz: `grammar` parses, `labels` and `looks` read labels, shapes and colours, `reader` recognizes a source
and builds the scene."""

from scenograph.reading.graphviz.reader import read, recognizes

__all__ = ["read", "recognizes"]
