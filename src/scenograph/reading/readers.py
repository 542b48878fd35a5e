"""READERS: how each foreign format is read, and the front door of this room.

A format is one module, or a folder of some, one row here and one in `wire/source_formats.py`. `recognizes` tells from
the text alone whether a source is of the format; rows are asked in order when the caller names none.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from scenograph.reading import (
    bpmn,
    compose,
    d2,
    dbml,
    drawio,
    excalidraw,
    graphviz,
    kubernetes,
    mermaid,
    openapi,
    plantuml,
    structurizr,
    terraform,
)
from scenograph.reading.likenesses import likeness
from scenograph.reading.source import Import, Losses, Place, Source, Unreadable, shown
from scenograph.reading.sql import dialects
from scenograph.scene.json_values import JsonObject, listed
from scenograph.wire.source_formats import SOURCE_FORMATS

_SHALLOW = "a source whose parts hold or follow each other in fewer levels"


class Reader(NamedTuple):
    """A row of READERS. `read` raises Unreadable if no part is understood, TooLarge beyond the limit."""

    recognizes: Callable[[str], bool]
    read: Callable[[Source, Losses], JsonObject]


def _read_sql(source: Source, losses: Losses) -> JsonObject:
    """Import on use: the patterns and rows of SQL take long to build, to be spared by other formats."""
    from scenograph.reading.sql.reader import read  # noqa: PLC0415

    return read(source, losses)


READERS: Mapping[str, Reader] = MappingProxyType(
    {
        "structurizr": Reader(structurizr.recognizes, structurizr.read),
        "graphviz": Reader(graphviz.recognizes, graphviz.read),
        "openapi": Reader(openapi.recognizes, openapi.read),
        "mermaid": Reader(mermaid.recognizes, mermaid.read),
        "plantuml": Reader(plantuml.recognizes, plantuml.read),
        "bpmn": Reader(bpmn.recognizes, bpmn.read),
        "drawio": Reader(drawio.recognizes, drawio.read),
        "excalidraw": Reader(excalidraw.recognizes, excalidraw.read),
        "compose": Reader(compose.recognizes, compose.read),
        "kubernetes": Reader(kubernetes.recognizes, kubernetes.read),
        "terraform": Reader(terraform.recognizes, terraform.read),
        "dbml": Reader(dbml.recognizes, dbml.read),
        "d2": Reader(d2.recognizes, d2.read),
        "sql": Reader(dialects.recognizes, _read_sql),
    }
)


def read_source(source: Source, form: str | None = None) -> Import:
    """The document of a source, read as `form`, or as its recognized format. Raises Unreadable, TooLarge."""
    known = form or recognized(source.text)
    losses = Losses()
    if source.page is not None and not SOURCE_FORMATS[known].has_pages:
        losses.formless(Place(1), f"page {source.page} is not chosen, because a source of the format {known} has none")
    if source.dialect is not None and not SOURCE_FORMATS[known].dialects:
        what = f"the dialect {shown(source.dialect)} is not used, because a source of the format {known} has none"
        losses.formless(Place(1), what)
    if source.view is not None and not SOURCE_FORMATS[known].has_views:
        what = f"the view {shown(source.view)} is not chosen, because a source of the format {known} has none"
        losses.formless(Place(1), what)
    try:
        document = READERS[known].read(source, losses)
    except RecursionError:
        raise Unreadable(losses.first or Place(1, 1), _SHALLOW) from None
    except Unreadable as refused:
        hint, meant = (refused.hint, "") if refused.hint else _hint(source.text, known)
        raise type(refused)(refused.place, refused.expected, hint, meant) from refused
    return Import(document, known, losses.rows(), losses.whole)


def recognized(text: str) -> str:
    """The format of a text. Raises Unreadable for an unknown format."""
    found = _recognized(text)
    if found is None:
        raise Unreadable(Place(1, 1), f"a source of one of: {listed(list(SOURCE_FORMATS))}", likeness(text))
    return found


def _recognized(text: str) -> str | None:
    try:
        return next((name for name, reader in READERS.items() if reader.recognizes(text)), None)
    except RecursionError:
        raise Unreadable(Place(1, 1), _SHALLOW) from None


def _hint(text: str, form: str) -> tuple[str, str]:
    """A sentence on the apparent format of a text requested as another format, and the name of the format."""
    other = _recognized(text)
    if other is None:
        return likeness(text), ""
    return ("", "") if other == form else (f"It looks like {other}. Import it with the format {other}.", other)
