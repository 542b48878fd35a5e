"""_EFFECTS and _STRATEGY_READERS: members that only some elements or algorithms read (R-VALID-18).

A member that nothing reads is a wish that the picture does not meet. Each row names the member, its readers, and the
way to the effect; one remark tells all elements of a row.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import chain
from typing import NamedTuple

from scenograph.diagnostics import NO_EFFECT
from scenograph.scene.description.elements import STYLE
from scenograph.scene.description.fields import Problem
from scenograph.scene.document_index import DocumentIndex, IndexEntry, ends_of
from scenograph.scene.json_values import JsonObject, is_object, listed, member, object_at, pointer, shown
from scenograph.scene.limits import Limits
from scenograph.scene.vocabulary import (
    ACTIVITIES,
    ACTIVITY_FRAMES,
    AWAITED_EVENTS,
    BARRED_TYPES,
    CARD_TYPES,
    CLASS_TYPES,
    CORNERED_TYPES,
    ENTITY_TYPES,
    FIGURES,
    FRAGMENT_TYPE,
    GENERIC_NODE_TYPES,
    NODE_TYPES,
    NOTE_TYPES,
    OUTLINED_FIGURES,
    POOL_TYPE,
    STATE_TYPE,
    UNDIRECTED_FRAMES,
    is_in_turn,
)

TOLD = 20  # ids in a remark


class _Element(NamedTuple):
    """The members and the type of an element; `in_turn`: its scene is a sequence; `is_end`: an edge ends here."""

    members: JsonObject
    type: str
    in_turn: bool
    is_end: bool


def _by_directed_frames(element: _Element) -> bool:
    return not element.in_turn and element.type not in UNDIRECTED_FRAMES


def _by_polylines(element: _Element) -> bool:
    return not element.in_turn and element.members.get("router") == "polyline"


def _by_heads(element: _Element) -> bool:
    return member(element.members, "extensions", "headHeight") is not None


def _is_said(value: object) -> bool:
    return value is not None


def _is_false(value: object) -> bool:
    return value is False


class Effect(NamedTuple):
    """A row: a member of the given kinds, its readers as a test and in words. `says` is false for the values that ask
    for nothing."""

    kinds: tuple[str, ...]
    path: tuple[str, ...]
    is_read: Callable[[_Element], bool]
    readers: str
    way: str = ""
    says: Callable[[object], bool] = _is_said


def _by(*types: str) -> Callable[[_Element], bool]:
    return lambda element: element.type in types


def _not_by(*types: str) -> Callable[[_Element], bool]:
    return lambda element: element.type not in types


def _by_painted_groups(element: _Element) -> bool:
    return element.members.get("style") is not None


def _by_none(_element: _Element) -> bool:
    return False


def _by_columns(element: _Element) -> bool:
    """Lines at any node take their crow's foot from its columns."""
    return element.type in ENTITY_TYPES or element.is_end


def _by_fragments(element: _Element) -> bool:
    return element.in_turn and element.type == FRAGMENT_TYPE


def _by_titles(element: _Element) -> bool:
    return element.type not in {POOL_TYPE, STATE_TYPE} and not _by_fragments(element)


def _by_bands(element: _Element) -> bool:
    return element.type != POOL_TYPE and not _by_fragments(element)


def _by_messages(element: _Element) -> bool:
    return element.in_turn


def _by_notes(element: _Element) -> bool:
    return element.in_turn and element.type in NOTE_TYPES


def _by_other_edges(element: _Element) -> bool:
    return not element.in_turn


def _by_relative_layouts(element: _Element) -> bool:
    return member(element.members, "layout", "mode") == "relative"


_CORNERLESS_SHAPES = (
    *("ellipse", "diamond", "cylinder", "pill", "hexagon", "parallelogram", "cloud", "textBox", "box3d", "tube"),
)
_KNOWN_TYPES = frozenset({*GENERIC_NODE_TYPES, *chain.from_iterable(NODE_TYPES.values())})


def _by_corners(element: _Element) -> bool:
    """Free text is drawn as a box with corners."""
    shape = element.members.get("shape")
    if shape is not None:
        return shape not in _CORNERLESS_SHAPES
    return element.type in CORNERED_TYPES or element.type not in _KNOWN_TYPES


def _by_outlines(element: _Element) -> bool:
    shape = element.members.get("shape")
    return element.type not in FIGURES if shape is None else shape != "textBox"


def _by_drawn_lines(element: _Element) -> bool:
    return element.members.get("shape") is not None or element.type not in {*FIGURES} - {*OUTLINED_FIGURES}


_PLACED = ("node", "frame", "text", "image")
_ALL_STYLES = frozenset(STYLE.members)
_EDGE_STYLES = frozenset({"forceLabel", "lineJumps", "labelBackground"})
_STYLES_READ: Mapping[str, frozenset[str]] = {
    "node": _ALL_STYLES - _EDGE_STYLES,
    "edge": _ALL_STYLES - {"fill", "cornerRadius", "accentColor"},
    "frame": _ALL_STYLES - _EDGE_STYLES,
    "text": _ALL_STYLES - _EDGE_STYLES - {"cornerRadius", "accentColor"},
    "image": frozenset({"opacity"}),
    "guide": frozenset({"stroke", "strokeWidth", "dash", "opacity"}),
}
_COLOR_OF_A_LINE = "Set style.stroke for the colour of the line."
_STYLE_WAYS = {
    ("edge", "fill"): _COLOR_OF_A_LINE,
    ("edge", "accentColor"): _COLOR_OF_A_LINE,
    ("node", "labelBackground"): "Set style.fill.",
    ("frame", "labelBackground"): "Set style.fill.",
}
_OF_CLASSES = "nodes of type uml.class, uml.interface or uml.enum"
_OF_NOTES = "notes of a sequence diagram"
_OF_FRAGMENTS = "fragments of a sequence diagram"
_OF_MESSAGES = "messages of a sequence diagram"
_OF_OTHER_EDGES = "edges of other families than sequence"
_OF_ACCENTS = "cards of an organization chart and heads of frames"
_OF_RELATIVE = "a layout of mode relative"
_SET_RELATIVE = 'Set layout.mode to "relative".'
_MESSAGES_MEET = "Messages meet their lifelines in document order."

_EFFECTS: tuple[Effect, ...] = (
    Effect(
        ("node",),
        ("extensions", "columns"),
        _by_columns,
        "nodes of type er.entity or er.weakEntity",
    ),
    Effect(("node",), ("extensions", "attributes"), _by(*CLASS_TYPES), _OF_CLASSES),
    Effect(("node",), ("extensions", "methods"), _by(*CLASS_TYPES), _OF_CLASSES),
    Effect(("node",), ("extensions", "values"), _by(*CLASS_TYPES), _OF_CLASSES),
    Effect(("node",), ("extensions", "over"), _by_notes, _OF_NOTES),
    Effect(("node",), ("extensions", "side"), _by_notes, _OF_NOTES),
    Effect(
        ("node",),
        ("extensions", "interrupting"),
        _by(*AWAITED_EVENTS),
        "start and catching events of workflow",
        says=_is_false,
    ),
    Effect(("node",), ("extensions", "markers"), _by(*ACTIVITIES), "activities of workflow", says=bool),
    Effect(("frame",), ("extensions", "markers"), _by(*ACTIVITY_FRAMES), "activities of workflow", says=bool),
    Effect(("frame",), ("extensions", "operator"), _by_fragments, _OF_FRAGMENTS),
    Effect(("frame",), ("extensions", "operands"), _by_fragments, _OF_FRAGMENTS),
    Effect(("frame",), ("extensions", "regions"), _by(STATE_TYPE), "frames of containerType state"),
    *(
        Effect(
            ("frame",),
            ("extensions", name),
            _by_directed_frames,
            "other frames than pools, lanes and fragments, outside sequence diagrams",
        )
        for name in ("direction", "gridColumns")
    ),
    Effect(
        ("frame",),
        ("extensions", "titleInset"),
        _by_titles,
        "other frames than pools, states and fragments",
    ),
    Effect(
        ("frame",),
        ("extensions", "headHeight"),
        _by_bands,
        "other frames than pools and fragments",
    ),
    Effect(
        ("frame",),
        ("laneDirection",),
        _by(POOL_TYPE),
        "frames of containerType pool",
        'Set containerType to "pool" and its lanes as children.',
    ),
    Effect(("edge",), ("extensions", "activates"), _by_messages, _OF_MESSAGES, says=bool),
    Effect(("edge",), ("extensions", "deactivates"), _by_messages, _OF_MESSAGES, says=bool),
    Effect(("edge",), ("router",), _by_other_edges, _OF_OTHER_EDGES, "Messages run straight."),
    Effect(("edge",), ("from", "port"), _by_other_edges, _OF_OTHER_EDGES, _MESSAGES_MEET),
    Effect(("edge",), ("to", "port"), _by_other_edges, _OF_OTHER_EDGES, _MESSAGES_MEET),
    Effect(
        ("edge",),
        ("waypoints",),
        _by_polylines,
        "edges with the router polyline",
        'Set router to "polyline".',
        says=bool,
    ),
    Effect(("group",), ("label",), _by_painted_groups, "groups with a style", "Set style, or make the group a frame."),
    Effect(
        ("node",),
        ("style", "accentColor"),
        _by(*CARD_TYPES),
        _OF_ACCENTS,
        "Set style.fill or style.stroke.",
    ),
    Effect(
        ("frame",),
        ("style", "accentColor"),
        _by_heads,
        _OF_ACCENTS,
        "Set extensions.headHeight: the accent fills the head.",
    ),
    Effect(("node",), ("style", "cornerRadius"), _by_corners, "shapes with corners", says=bool),
    Effect(("node",), ("style", "dash"), _by_outlines, "shapes with an outline", says=bool),
    Effect(("node",), ("style", "strokeWidth"), _by_drawn_lines, "shapes with an outline"),
    Effect(
        ("node",),
        ("style", "textColor"),
        _not_by(*BARRED_TYPES),
        "other nodes than uiflow.modal",
        "Its title has the colour that reads best on its bar, and style.stroke colours the bar.",
    ),
    *(
        Effect(
            (kind,),
            ("style", name),
            _by_none,
            listed([f"{reader}s" for reader, styles in _STYLES_READ.items() if name in styles]),
            _STYLE_WAYS.get((kind, name), ""),
            says=bool,
        )
        for kind, read in _STYLES_READ.items()
        for name in STYLE.members
        if name not in read
    ),
    *(
        Effect(_PLACED, ("layout", name), _by_relative_layouts, _OF_RELATIVE, _SET_RELATIVE)
        for name in ("target", "relation", "gap", "align")
    ),
)
_BY_KIND = {
    kind: tuple(row for row in _EFFECTS if kind in row.kinds)
    for kind in sorted({k for row in _EFFECTS for k in row.kinds})
}

_DEFAULT_ALGORITHM = "hierarchical"
_STRATEGY_READERS: Mapping[str, tuple[str, ...]] = {
    "algorithm": ("hierarchical", "flow", "grid", "forceDirected"),
    "direction": ("hierarchical", "flow"),
    "nodeSpacing": ("hierarchical", "flow", "grid", "forceDirected"),
    "rankSpacing": ("hierarchical", "flow", "forceDirected"),
    "columns": ("grid",),
    "seed": ("forceDirected",),
}
"""The algorithms that read a member of the layout strategy; a sequence reads none of these members."""


def members_have_effect(index: DocumentIndex, _limits: Limits) -> Iterator[Problem]:
    """Tell the unread members: once a row, at the first element."""
    in_turn = is_in_turn(index.document)
    ends = frozenset(end for edge in index.of_kind("edge") for _, _, end in ends_of(edge.members))
    unread: dict[Effect, list[IndexEntry]] = {}
    for entry in index.entries:
        element: _Element | None = None
        for row in _BY_KIND.get(entry.kind, ()):
            if not _says(row, entry.members):
                continue
            element = element or _element(index, entry, in_turn=in_turn, ends=ends)
            if not row.is_read(element):
                unread.setdefault(row, []).append(entry)
    for row, entries in unread.items():
        ids = [entry.id for entry in entries]
        others = f" and {len(ids) - 1} more" if len(ids) > 1 else ""
        holes = {"of": shown(ids[0]) + others, "readers": row.readers, "way": f" {row.way}" if row.way else ""}
        yield Problem(entries[0].at(*row.path), NO_EFFECT, holes, {"elementIds": ids[:TOLD], "count": len(ids)})


def _says(row: Effect, members: JsonObject) -> bool:
    said: object = members
    for step in row.path:
        said = said.get(step) if is_object(said) else None
    return said is not None and row.says(said)


_TYPED = {"node": "nodeType", "edge": "edgeType", "frame": "containerType"}


def _element(index: DocumentIndex, entry: IndexEntry, *, in_turn: bool, ends: frozenset[str]) -> _Element:
    """The element with the defaults of its kind."""
    members: JsonObject = {**object_at(index.document, "defaults", entry.kind), **entry.members}
    said = members.get(_TYPED.get(entry.kind, ""))
    return _Element(members, said if isinstance(said, str) else "", in_turn, entry.id in ends)


def strategies_have_effect(index: DocumentIndex, _limits: Limits) -> Iterator[Problem]:
    """Tell the members of the layout strategy unread by the algorithm."""
    strategy = object_at(index.document, "layoutStrategy")
    algorithm = strategy.get("algorithm", _DEFAULT_ALGORITHM)
    in_turn = is_in_turn(index.document)
    if algorithm not in _STRATEGY_READERS["algorithm"]:
        return
    for name, readers in _STRATEGY_READERS.items():
        if strategy.get(name) is None or (not in_turn and algorithm in readers):
            continue
        holes = {
            "of": f"the algorithm {shown(algorithm)}",
            "readers": f"the algorithm {' or '.join(readers)}",
            "way": "",
        }
        if in_turn:
            way = " Lifelines and messages stand in document order."
            holes = {"of": "a sequence diagram", "readers": "other families", "way": way}
        yield Problem(pointer("layoutStrategy", name), NO_EFFECT, holes)
