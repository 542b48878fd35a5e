"""The way into this room: the text of a draw.io file to a document."""

from __future__ import annotations

import re

from scenograph.reading.drawio.cells import background_of, read_cells
from scenograph.reading.drawio.document import Sheet, document_of
from scenograph.reading.drawio.pages import chosen_page
from scenograph.reading.losses import Losses, Unreadable
from scenograph.reading.markup import parsed
from scenograph.reading.source import Source
from scenograph.scene.json_values import JsonObject

_HEAD = re.compile(r"<(?:mxfile|mxGraphModel)[\s>]")
_SEARCHED = 4_000  # characters
OWN_HOST = "scenograph"  # how an export of ours is marked


def recognizes(text: str) -> bool:
    """Whether a text is XML that begins as a draw.io file."""
    head = text[:_SEARCHED]
    return head.lstrip("\ufeff \t\r\n").startswith("<") and _HEAD.search(head) is not None


def read(source: Source, losses: Losses) -> JsonObject:
    """The document of a page. Unreadable when there is none of its number, or nothing is on it."""
    root = parsed(source.text)
    model, name, place = chosen_page(root, source.page or 1, losses)
    sheet = Sheet(name, background_of(model), is_own=root.get("host") == OWN_HOST)
    document = document_of(read_cells(model, place), source, losses, sheet)
    if not document["elements"]:
        raise Unreadable(place or root.place, "a page with a shape on it")
    return document
