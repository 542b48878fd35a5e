"""READERS: the foreign formats that can be read, and the front door of this room.

A format is one folder and one row. `recognizes` tells from the text alone whether a source is of the format; rows are
asked in order when the caller names none.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple

from scenograph.diagnostics import Diagnostic
from scenograph.reading import mermaid, sql
from scenograph.reading.losses import Losses, Place, Unreadable
from scenograph.reading.source import Source
from scenograph.scene.json_values import JsonObject, listed

MAX_SOURCE_BYTES = 1 << 20


class Import(NamedTuple):
    """A document, what was lost on the way, and whether every part of the source was understood."""

    document: JsonObject
    diagnostics: tuple[Diagnostic, ...]
    whole: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """One row of READERS. `read` raises Unreadable when it understands nothing, TooLarge when it is too much."""

    name: str
    doc: str
    media_types: tuple[str, ...]
    suffixes: tuple[str, ...]
    dialects: tuple[str, ...] = ()
    recognizes: Callable[[str], bool]
    read: Callable[[Source, Losses], JsonObject]


_ROWS = (
    Reader(
        name="mermaid",
        doc="Mermaid: flowchart, swimlane, sequence, entity-relationship, state and class diagrams.",
        media_types=("text/vnd.mermaid",),
        suffixes=(".mmd", ".mermaid"),
        recognizes=mermaid.recognizes,
        read=mermaid.read,
    ),
    Reader(
        name="sql",
        doc="SQL that defines tables.",
        media_types=("application/sql",),
        suffixes=(".sql", ".ddl"),
        dialects=tuple(sql.DIALECTS),
        recognizes=sql.recognizes,
        read=sql.read,
    ),
)
READERS: Mapping[str, Reader] = MappingProxyType({row.name: row for row in _ROWS})


def read_source(source: Source, form: str | None = None) -> Import:
    """The document that a source says, read as `form`, or as what it is recognized as. Unreadable, TooLarge."""
    reader = READERS[form] if form is not None else recognized(source.text)
    losses = Losses()
    document = reader.read(source, losses)
    return Import(document, losses.rows(), losses.whole)


def recognized(text: str) -> Reader:
    """The reader for a text. Unreadable when it is of no known format."""
    found = next((row for row in _ROWS if row.recognizes(text)), None)
    if found is None:
        raise Unreadable(Place(1, 1), f"a source of one of: {listed(list(READERS))}")
    return found
