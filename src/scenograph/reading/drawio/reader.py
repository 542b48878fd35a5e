"""The way into this room: the text of a draw.io file to a document."""

from __future__ import annotations

import re
import zlib
from base64 import b64decode
from binascii import Error
from collections.abc import Sequence
from urllib.parse import unquote_to_bytes

from scenograph.reading.drawio.cells import background_of, read_cells
from scenograph.reading.drawio.document import PageFacts, chart_document, chart_of, document_of, tell_boxes
from scenograph.reading.markup import Tag, parsed
from scenograph.reading.source import Losses, Place, Source, Unreadable, shown
from scenograph.scene.json_values import JsonObject, is_object
from scenograph.scene.strict_json import StrictJsonError, parse

# The pages of a draw.io file. A compressed page is base64 of raw deflate of percent-encoded XML; the inflated size is
# bounded before parsing.


LARGEST_PAGE = 4 << 20  # bytes after inflating
_MODEL = "mxGraphModel"
_MOST_LISTED = 10
_PIECE = 1 << 16  # bytes
_RAW = -15  # zlib's wbits for raw deflate without a header


def _chosen_page(root: Tag, number: int, losses: Losses) -> tuple[Tag, str, Place | None]:
    """The model of a page, counted from 1, its name, and its place if compressed; the other pages are losses. Raises
    Unreadable for a missing page."""
    if root.name == _MODEL and number == 1:
        return root, "", None
    diagrams = list(root.all("diagram"))
    if root.name != _MODEL and (root.name != "mxfile" or not diagrams):
        raise Unreadable(root.place, "<mxfile> with a <diagram>, or <mxGraphModel>")
    if number > max(len(diagrams), 1):
        raise Unreadable(root.place, f"a page {number}: {_listed(diagrams)}")
    for at, other in enumerate(diagrams, 1):
        if at != number:
            losses.formless(other.place, f"the page {at}, {_name(other)}, is left out; `page` {at} reads it")
    page = diagrams[number - 1]
    model = page.first(_MODEL)
    return (model, page.get("name"), None) if model is not None else (_inflated(page), page.get("name"), page.place)


def _name(page: Tag) -> str:
    return shown(page.get("name") or page.get("id"))


def _listed(pages: Sequence[Tag]) -> str:
    """The pages of a file in words, the first of many."""
    names = ", ".join(f"{at} {_name(page)}" for at, page in enumerate(pages[:_MOST_LISTED], 1))
    return f"the file has {len(pages)}, {names}" if pages else "the file has one"


def _inflated(page: Tag) -> Tag:
    try:
        packed = b64decode(page.text, validate=True)
        unpacking = zlib.decompressobj(_RAW)
        data = unpacking.decompress(packed, LARGEST_PAGE)
    except (Error, ValueError, zlib.error) as wrong:
        raise Unreadable(page.place, "a page as XML or compressed") from wrong
    if unpacking.unconsumed_tail:
        raise Unreadable(page.place, f"a page of at most {LARGEST_PAGE} bytes")
    try:
        return parsed(_unquoted(data))
    except UnicodeDecodeError as wrong:
        raise Unreadable(page.place, "a page as UTF-8") from wrong
    except Unreadable as wrong:
        raise Unreadable(page.place, f"{wrong.expected} in the compressed page") from wrong


def _unquoted(data: bytes) -> str:
    """Percent-encoded bytes as text, piece by piece: all at once would cost fifty times their size."""
    parts: list[bytes] = []
    at = 0
    while at < len(data):
        end = at + _PIECE
        escape = data.rfind(b"%", end - 2, end)
        end = escape if escape > at else end
        parts.append(unquote_to_bytes(data[at:end]))
        at = end
    return b"".join(parts).decode("utf-8")


_HEAD = re.compile(r"<(?:mxfile|mxGraphModel)[\s>]")
_SEARCHED = 4_000  # characters
_OWN_HOST = "scenograph"  # the mark of this service's exports


def recognizes(text: str) -> bool:
    """Whether a text is XML that begins as a draw.io file."""
    head = text[:_SEARCHED]
    return head.lstrip("\ufeff \t\r\n").startswith("<") and _HEAD.search(head) is not None


def read(source: Source, losses: Losses) -> JsonObject:
    """The document of a page. Raises Unreadable for a missing or empty page."""
    root = parsed(source.text)
    number = source.page or 1
    model, name, place = _chosen_page(root, number, losses)
    sheet = PageFacts(name, background_of(model), is_own=root.get("host") == _OWN_HOST)
    cells = read_cells(model, place, _variables(root, name, number), losses)
    chart = None if sheet.is_own else chart_of(cells)
    if chart is None:
        tell_boxes(cells, losses)
        document = document_of(cells, source, losses, sheet)
    else:
        document = chart_document(chart, source, losses, name)
    if not document["elements"]:
        raise Unreadable(place or root.place, "a page with a shape on it")
    return document


def _variables(file: Tag, page: str, number: int) -> dict[str, str]:
    """The variables of a file, and draw.io's own variables of every page."""
    try:
        written = parse(file.get("vars", "{}").encode())
    except StrictJsonError:
        written = None
    own = {name: value for name, value in written.items() if isinstance(value, str)} if is_object(written) else {}
    count = sum(1 for _ in file.all("diagram")) or 1
    return own | {"page": page, "pagenumber": str(number), "pagecount": str(count)}
