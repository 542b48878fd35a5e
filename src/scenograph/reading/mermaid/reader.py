"""READ_BY_KEYWORD: which reader a Mermaid diagram gets, by the keyword it begins with."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from itertools import islice
from types import MappingProxyType

from scenograph.reading.losses import Losses, Place, Unreadable
from scenograph.reading.mermaid import classes, entities, states
from scenograph.reading.mermaid.diagram import Diagram
from scenograph.reading.mermaid.flowchart import read_flowchart, read_swimlanes
from scenograph.reading.mermaid.labels import formless_parts
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

UNREAD: Mapping[str, str] = MappingProxyType(
    {
        **dict.fromkeys(("C4Component", "C4Container", "C4Context", "C4Deployment", "C4Dynamic"), "a C4 diagram"),
        **dict.fromkeys(("architecture", "architecture-beta"), "an architecture diagram"),
        **dict.fromkeys(("block", "block-beta"), "a block diagram"),
        **dict.fromkeys(("eventmodeling", "eventmodeling-beta"), "an event model"),
        "gantt": "a Gantt chart",
        "gitGraph": "a Git graph",
        "info": "an info diagram",
        **dict.fromkeys(("ishikawa", "ishikawa-beta"), "a fishbone diagram"),
        "journey": "a user journey",
        "kanban": "a Kanban board",
        "mindmap": "a mind map",
        **dict.fromkeys(("packet", "packet-beta"), "a packet diagram"),
        "pie": "a pie chart",
        "quadrantChart": "a quadrant chart",
        **dict.fromkeys(("radar", "radar-beta"), "a radar chart"),
        **dict.fromkeys(("requirement", "requirementDiagram"), "a requirement diagram"),
        **dict.fromkeys(("sankey", "sankey-beta"), "a Sankey diagram"),
        "timeline": "a timeline",
        **dict.fromkeys(("treemap", "treemap-beta"), "a treemap"),
        **dict.fromkeys(("treeView", "treeView-beta"), "a tree view"),
        **dict.fromkeys(("venn", "venn-beta"), "a Venn diagram"),
        **dict.fromkeys(("wardley", "wardley-beta"), "a Wardley map"),
        **dict.fromkeys(("xychart", "xychart-beta"), "an XY chart"),
        "zenuml": "a ZenUML diagram",
    }
)
"""Keywords of the diagrams of Mermaid that are not read, and their names."""
_MOST_TOLD = 50  # parts of labels without a form


def recognizes(text: str) -> bool:
    """Whether a text begins as a Mermaid diagram, of a kind that can be read or not, or is a page that holds one."""
    keyword = _keyword(_chosen(prepared(text)))[0]
    return keyword in READ_BY_KEYWORD or keyword in UNREAD


def read(source: Source, losses: Losses) -> JsonObject:
    """The document of a Mermaid diagram. Unreadable when its kind is not known, or nothing of it is understood."""
    diagrams = prepared(source.text)
    diagram = _chosen(diagrams)
    keyword, end = _keyword(diagram)
    kind = READ_BY_KEYWORD.get(keyword)
    cursor = Cursor(diagram.text)
    if kind is None:
        cursor.skip(" \t\n;")
        raise Unreadable(cursor.place(), f"one of: {listed(list(READ_BY_KEYWORD))}", _hint(keyword, diagram.text))
    for other in diagrams:
        if other is not diagram:
            losses.formless(Place(other.line), "another diagram of the same page")
    for at, what in islice(formless_parts(diagram.text), _MOST_TOLD):
        losses.formless(cursor.place(at), what)
    cursor.at = end
    document = kind(Diagram(cursor, diagram.title, source), losses)
    if not document["elements"] and not losses.whole:
        raise Unreadable(losses.first or Place(1, 1), f"a statement of a {keyword}")
    return document


def _chosen(diagrams: Sequence[Prepared]) -> Prepared:
    """The first diagram of a page that can be read; the first of all where none can."""
    return next((row for row in diagrams if _keyword(row)[0] in READ_BY_KEYWORD), diagrams[0])


def _hint(keyword: str, text: str) -> str:
    """What a diagram looks like that is not read, and what to do."""
    if keyword in UNREAD:
        return (
            f"It looks like {UNREAD[keyword]} of Mermaid, which has no form in a scene. "
            "Write it as a flowchart, or draw it with Mermaid itself."
        )
    near = next((word for word in READ_BY_KEYWORD if word.lower() == keyword.lower()), None)
    if near is None and keyword:
        near = next(iter(get_close_matches(keyword, READ_BY_KEYWORD, 1, 0.8)), None)
    if near is not None:
        return f"It looks like Mermaid. Its first word is {near}, not {keyword}."
    return ""


def _keyword(diagram: Prepared) -> tuple[str, int]:
    found = _KEYWORD.match(diagram.text)
    return (found[1], found.end()) if found else ("", 0)
