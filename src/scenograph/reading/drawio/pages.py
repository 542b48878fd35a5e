"""The pages of a draw.io file. A compressed page is base64 of raw deflate of percent-encoded XML; what it inflates to
is bounded before anything is parsed."""

from __future__ import annotations

import zlib
from base64 import b64decode
from binascii import Error
from urllib.parse import unquote

from scenograph.reading.losses import Losses, Place, Unreadable
from scenograph.reading.markup import Tag, parsed
from scenograph.reading.source import shown

LARGEST_PAGE = 8 << 20  # bytes after inflating
_MODEL = "mxGraphModel"
_RAW = -15  # zlib's word for deflate without a header


def first_page(root: Tag, losses: Losses) -> tuple[Tag, str, Place | None]:
    """The model of the first page, its name, and where it stands if it was compressed; further pages are losses."""
    if root.name == _MODEL:
        return root, "", None
    diagrams = list(root.all("diagram"))
    if root.name != "mxfile" or not diagrams:
        raise Unreadable(root.place, "<mxfile> with a <diagram>, or <mxGraphModel>")
    for further in diagrams[1:]:
        losses.formless(further.place, f"the page {shown(further.get('name') or further.get('id'))} is left out")
    page = diagrams[0]
    model = page.first(_MODEL)
    return (model, page.get("name"), None) if model is not None else (_inflated(page), page.get("name"), page.place)


def _inflated(page: Tag) -> Tag:
    try:
        packed = b64decode(page.text, validate=True)
        unpacking = zlib.decompressobj(_RAW)
        data = unpacking.decompress(packed, LARGEST_PAGE)
        text = unquote(data.decode("utf-8"), errors="strict")
    except (Error, ValueError, zlib.error) as wrong:
        raise Unreadable(page.place, "a page as XML or compressed") from wrong
    if unpacking.unconsumed_tail:
        raise Unreadable(page.place, f"a page of at most {LARGEST_PAGE} bytes")
    try:
        return parsed(text)
    except Unreadable as wrong:
        raise Unreadable(page.place, f"{wrong.expected} in the compressed page") from wrong
