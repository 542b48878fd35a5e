"""Excalidraw: `shapes` reads the elements of a file, `reader` recognizes a file and builds the scene."""

from scenograph.reading.excalidraw.reader import read, recognizes

__all__ = ["read", "recognizes"]
