"""draw.io files: `pages` opens them (compressed or not), `cells` reads an mxGraph model, `document` makes the scene."""

from scenograph.reading.drawio.reader import read, recognizes

__all__ = ["read", "recognizes"]
