"""draw.io files: `reader` opens a page (compressed or not), `cells` reads an mxGraph model, `document` builds the
scene."""

from scenograph.reading.drawio.reader import read, recognizes

__all__ = ["read", "recognizes"]
