"""How much a document may hold (R-LIMIT-1). A `Limits` value is handed to whoever checks.

Counts and lengths beyond a limit are LIMIT_EXCEEDED, numbers beyond one are OUT_OF_RANGE.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple, Protocol, cast

from scenograph.late_dataclasses import dataclass, field, fields
from scenograph.scene.json_values import member
from scenograph.wire.names import MESSAGE_LENGTH, OPERATIONS, TITLE_LENGTH


class IconRegistry(Protocol):
    """The registered icon keys. The icons themselves belong to the engine, a layer above."""

    def knows(self, key: str) -> bool:
        """Whether a node with this key is drawn with an icon."""
        ...

    def nearest(self, key: str) -> tuple[str, ...]:
        """At most three probably meant keys, the likeliest first."""
        ...

    def product(self, word: str) -> str | None:
        """The key of a product's icon by a word for the product, or None."""
        ...


_MOST_TIMES = 10  # a limit may be raised to this multiple of its default


class LimitRow(NamedTuple):
    """A limit for operators and readers. `most` is the highest permitted setting."""

    name: str
    default: int
    doc: str
    most: int


def _limit(default: int, doc: str, most: int | None = None) -> int:
    return cast("Any", field(default=default, metadata={"doc": doc, "most": most or _MOST_TIMES * default}))


def _lowered_only(default: int, doc: str) -> int:
    """A limit that can only be lowered: the engine's numbers and memory, or the document's form, depend on it."""
    return _limit(default, doc, most=default)


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The table: a row for each limit, with default and meaning."""

    elements: int = _limit(5_000, "elements in a document")
    constraints: int = _limit(1_000, "constraints in a document")
    ports: int = _limit(200, "ports of an element")
    columns: int = _limit(1_000, "columns of an entity")
    legend_entries: int = _limit(100, "entries of a legend")
    operations: int = _limit(OPERATIONS, "operations in a batch")
    diagnostics: int = _limit(200, "diagnostics in one validation answer")
    id_length: int = _lowered_only(256, "characters in an element, port, style, asset or constraint id")
    batch_values: int = _limit(1_000_000, "JSON values that the operations of a batch rewrite")
    label_length: int = _limit(2_000, "characters in a label or a text content")
    text_length: int = _limit(400_000, "characters in the labels and text contents of a document together")
    brief_length: int = _limit(2_000, "characters in a brief")
    title_length: int = _limit(TITLE_LENGTH, "characters in a title, a name or another short text")
    message_length: int = _limit(MESSAGE_LENGTH, "characters in a revision message")
    dash_items: int = _limit(16, "numbers in a dash pattern")
    nesting: int = _lowered_only(64, "frames and groups inside one another")
    coordinate: int = _lowered_only(1_000_000, "px from the origin, either way")
    size: int = _lowered_only(100_000, "px of width, height, gap, padding or radius")
    stroke_width: int = _lowered_only(100, "px of a stroke")
    font_size: int = _lowered_only(512, "px of a font")
    image_bytes: int = _limit(512 * 1024, "bytes of a raster image, decoded from base64")
    image_pixels: int = _lowered_only(16_000_000, "pixels of a raster image")
    # Not a number, yet a limit of documents; without a registry icon keys are not checked.
    icons: IconRegistry | None = None

    @classmethod
    def rows(cls) -> tuple[LimitRow, ...]:
        """Every limit, for the reference and the settings."""
        return tuple(
            LimitRow(row.name, cast("int", row.default), row.metadata["doc"], row.metadata["most"])
            for row in fields(cls)
            if row.metadata
        )


LIMITS = Limits()

# The size of a document in words: for callers who wait for its picture, or are refused one.

MANY = 50  # edges at an element; from here on the element is named
_SHOWN_ID = 80  # characters


def size_told(document: Mapping[str, Any]) -> str:
    """The numbers of elements and edges of a valid document, and the element with the most edges if many."""
    elements: list[Mapping[str, Any]] = document.get("elements") or []
    ends = [frozenset(_ends(element)) for element in elements if element.get("kind") == "edge"]
    told = f"{_number(len(elements) - len(ends), 'element')} and {_number(len(ends), 'line')}"
    busiest = Counter(end for pair in ends for end in pair).most_common(1)
    if not busiest or busiest[0][1] < MANY:
        return told
    name, lines = busiest[0]
    return f"{told}, {lines} of which meet at {name[:_SHOWN_ID]!r}"


def _number(count: int, of: str) -> str:
    return f"{count} {of}" if count == 1 else f"{count} {of}s"


def _ends(edge: Mapping[str, Any]) -> Iterator[str]:
    for side in ("from", "to"):
        end = member(edge, side, "elementId")
        if isinstance(end, str):
            yield end
