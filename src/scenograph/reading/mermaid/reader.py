"""READ_BY_KEYWORD: which reader a Mermaid diagram gets, by the keyword it begins with."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType

from scenograph.reading.losses import Losses, Place, Unreadable
from scenograph.reading.mermaid import classes, entities, states
from scenograph.reading.mermaid.diagram import Diagram
from scenograph.reading.mermaid.flowchart import read_flowchart, read_swimlanes
from scenograph.reading.mermaid.preparation import Prepared, prepared
from scenograph.reading.mermaid.sequence import read_sequence
from scenograph.reading.source import Cursor, Source
from scenograph.scene.json_values import JsonObject, listed

_KEYWORD = re.compile(r"[ \t\n;]*([A-Za-z][\w-]*)")


KindReader = Callable[[Diagram, Losses], JsonObject]

READ_BY_KEYWORD: Mapping[str, KindReader] = MappingProxyType(
    {
        "flowchart": read_flowchart,
        "flowchart-elk": read_flowchart,
        "graph": read_flowchart,
        "swimlane": read_swimlanes,
        "swimlane-beta": read_swimlanes,
        "sequenceDiagram": read_sequence,
        "erDiagram": entities.read,
        "stateDiagram": states.read,
        "stateDiagram-v2": states.read,
        "classDiagram": classes.read,
        "classDiagram-v2": classes.read,
    }
)

UNREAD = frozenset(
    {
        "architecture-beta",
        "block",
        "block-beta",
        "C4Component",
        "C4Container",
        "C4Context",
        "C4Deployment",
        "C4Dynamic",
        "gantt",
        "gitGraph",
        "info",
        "journey",
        "kanban",
        "mindmap",
        "packet",
        "packet-beta",
        "pie",
        "quadrantChart",
        "radar-beta",
        "requirementDiagram",
        "sankey",
        "sankey-beta",
        "timeline",
        "treemap",
        "treemap-beta",
        "xychart",
        "xychart-beta",
        "zenuml",
    }
)
"""Keywords of the diagrams of Mermaid that are no scenes: a source of one is told which are read."""


def recognizes(text: str) -> bool:
    """Whether a text begins as a Mermaid diagram, of a kind that can be read or not."""
    keyword = _keyword(prepared(text))[0]
    return keyword in READ_BY_KEYWORD or keyword in UNREAD


def read(source: Source, losses: Losses) -> JsonObject:
    """The document of a Mermaid diagram. Unreadable when its kind is not known, or nothing of it is understood."""
    diagram = prepared(source.text)
    keyword, end = _keyword(diagram)
    kind = READ_BY_KEYWORD.get(keyword)
    cursor = Cursor(diagram.text)
    if kind is None:
        cursor.skip(" \t\n;")
        raise Unreadable(cursor.place(), f"one of: {listed(list(READ_BY_KEYWORD))}")
    cursor.at = end
    document = kind(Diagram(cursor, diagram.title, source), losses)
    if not document["elements"] and not losses.whole:
        raise Unreadable(losses.first or Place(1, 1), f"a statement of a {keyword}")
    return document


def _keyword(diagram: Prepared) -> tuple[str, int]:
    found = _KEYWORD.match(diagram.text)
    return (found[1], found.end()) if found else ("", 0)
