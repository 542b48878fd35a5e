"""The rows of diagram families: node types, edge types, frames and family-wide settings.

A difference between diagram families is a value or a function in one of these rows; no stage asks for the family.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple, TypeVar

from scenograph.diagnostics import Report
from scenograph.engine.colors import WHITE
from scenograph.engine.drawing import DrawnItem
from scenograph.engine.geometry.boxes import Box, Point
from scenograph.engine.geometry.directions import DOWNWARDS, RIGHTWARDS
from scenograph.engine.geometry.paths import Path
from scenograph.engine.tables import FinishedStyle, Placement, Routes, Size, Sizes
from scenograph.engine.text.blocks import TextBlock
from scenograph.late_dataclasses import dataclass, field
from scenograph.scene.model import Color, Edge, Element, Frame, Node, Scene

# CONTAINER_TYPES: layout role, passability and border of each container type. No stage names a type.


@dataclass(frozen=True, slots=True, kw_only=True)
class ContainerType:
    """A container type. `tiled`: lanes fill the container side by side, with the title in a header; `divisible`: tiled
    when lanes are present, though placed like any element (`Frame.divided`); `tile`: a lane; `headed`: title in a
    header above the content; `passable`: foreign routes pass through. The border has a `dash` and may be `rounded`;
    `grounded`: the container has a ground, deeper with depth; `hued`: outermost containers differ in hue."""

    tiled: bool = False
    divisible: bool = False
    tile: bool = False
    headed: bool = False
    passable: bool = False
    dash: tuple[float, ...] = ()
    rounded: bool = False
    grounded: bool = True
    hued: bool = False


DASHED_BORDER = (6.0, 4.0)
DOTTED_BORDER = (2.0, 4.0)
_BOUNDARY_DASH = (10.0, 4.0, 2.0, 4.0)

DIVIDED_STATE, FIRST_REGION, REGION = "divided state", "first region", "region"
"""Container types of a resolved state with regions; not part of any document."""

CONTAINER_TYPES: Mapping[str, ContainerType] = MappingProxyType(
    {
        "generic": ContainerType(dash=DASHED_BORDER, rounded=True, hued=True),
        "pool": ContainerType(tiled=True, grounded=False),
        "lane": ContainerType(tile=True, divisible=True, passable=True, grounded=False),
        "subprocess": ContainerType(rounded=True, divisible=True),
        "eventSubprocess": ContainerType(rounded=True, divisible=True, dash=DOTTED_BORDER),
        "transaction": ContainerType(rounded=True, divisible=True),
        "partition": ContainerType(passable=True, dash=DASHED_BORDER),
        "package": ContainerType(hued=True),
        "boundary": ContainerType(dash=_BOUNDARY_DASH, rounded=True, hued=True),
        "fragment": ContainerType(grounded=False),
        "state": ContainerType(headed=True, rounded=True),
        DIVIDED_STATE: ContainerType(tiled=True, headed=True, rounded=True),
        FIRST_REGION: ContainerType(tile=True, grounded=False),
        REGION: ContainerType(tile=True, grounded=False),
    }
)
_ORDINARY = CONTAINER_TYPES["generic"]


def is_tiled(element: Element | None) -> bool:
    """Whether lanes tile the element: a pool, or a container divided by lanes."""
    return _type_of(element).tiled or is_divided(element)


def is_divided(element: Element | None) -> bool:
    """Whether lanes tile the element though no pool."""
    return isinstance(element, Frame) and element.divided


def is_tile(element: Element | None) -> bool:
    """Whether the element is a lane, at any place."""
    return _type_of(element).tile


def is_headed(element: Element | None) -> bool:
    """Whether the title stands in a header above the content."""
    return _type_of(element).headed


def is_divisible(element: Element | None) -> bool:
    """Whether lanes, if present, tile the element."""
    return _type_of(element).divisible


def is_region(element: Element | None) -> bool:
    """Whether the element is a region made by dividing a state; no document has such a frame."""
    return isinstance(element, Frame) and element.container_type in {FIRST_REGION, REGION}


def is_passable(element: Element | None) -> bool:
    """Whether foreign routes pass through: lanes are stripes of a divided container."""
    return _type_of(element).passable


def container_type(frame: Frame) -> ContainerType:
    """The row of a frame's type; the row of `generic` for an unknown type."""
    return CONTAINER_TYPES.get(frame.container_type or "", _ORDINARY)


def _type_of(element: Element | None) -> ContainerType:
    return container_type(element) if isinstance(element, Frame) else _ORDINARY


BOX_SHAPES = frozenset({"rect", "roundedRect"})
"""Outlines able to hold the inner parts of a node type: rows, compartments, a window."""

FOLDED_TYPE = "folded"
"""The node type of a folded frame; no document names it."""

Glyph = Callable[[Box], tuple["GlyphStroke", ...]]
GlyphBox = Callable[[Box], Box]


@dataclass(frozen=True, slots=True, kw_only=True)
class GlyphStroke:
    """One path of a glyph, in the node's stroke colour: filled, or stroked `width` px wide."""

    path: Path
    filled: bool = False
    width: float = 2.0
    dash: tuple[float, ...] = ()


CheckHeight = Callable[[float, float], None]
"""Says TEXT_OVERFLOW when the first height (needed, px) exceeds the second (there)."""

LayAnew = Callable[[Edge | Node, Size, float], TextBlock | None]
"""The label of an element of a given size, in lines of a given width in px."""

Former = Mapping[str, Box]
"""The boxes of elements in the picture before an edit, by id."""
NOWHERE: Former = MappingProxyType({})

FitTexts = Callable[[Scene, Sizes, LayAnew, Former], Sizes]
"""The sizes, with labels laid again for their final places."""

MeasureNode = Callable[[Node, FinishedStyle, CheckHeight], Size]
RouteRest = Callable[[Scene], Routes]
"""Routes the edges of a scene as in any family."""
RouteScene = Callable[[Scene, Placement, RouteRest], Routes]
FindLines = Callable[[Scene, Placement, Sizes], Mapping[str, tuple[Point, ...]]]
"""The corners of edges by id."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacingTools:
    """Tools of the placing stage for a family with its own placement: `arrange` places a scene as in any family, with
    absolute positions kept, from former boxes; `parts` are the part boxes (labels, icons, titles) of placed boxes;
    `former` are the boxes of the picture before."""

    arrange: Callable[[Scene, Former], Mapping[str, Box]]
    parts: Callable[[Scene, Mapping[str, Box]], Mapping[str, Mapping[str, Box]]]
    former: Former


NodeMarks = Callable[[Node, Box], tuple[GlyphStroke, ...]]
"""Additional marks drawn into a node, beyond its type's."""
FrameMarks = Callable[[Frame, Box], tuple[GlyphStroke, ...]]

KindOf = Callable[[Node], "NodeKind"]
Resolve = Callable[[Scene, Report, KindOf], Scene]
"""A step of resolving for scenes of every family, wherever its material occurs."""

PlaceScene = Callable[[Scene, Sizes, PlacingTools], Placement]


class NodeFace(NamedTuple):
    """The input of a node's painter: box on sharp coordinates, part boxes, and texts by part; `page` is the opaque
    colour of the page."""

    node: Node
    box: Box
    size: Size
    parts: Mapping[str, Box]
    style: FinishedStyle
    page: Color = WHITE


PaintNode = Callable[[NodeFace], Iterator[DrawnItem]]


@dataclass(frozen=True, slots=True, kw_only=True)
class FrameFace:
    """The input of a frame's painter. `written` gives the items of a text in its part, readable on its ground."""

    frame: Frame
    box: Box
    size: Size
    parts: Mapping[str, Box]
    style: FinishedStyle
    page: Color
    written: Callable[[str, TextBlock], Iterator[DrawnItem]]


@dataclass(frozen=True, slots=True, kw_only=True)
class FrameKind:
    """A container type with more than a title: `measure` gives the inner texts by part, `paint` draws over the border,
    title included (None: the title alone), `marks` adds glyphs. A kind that `rises` is painted over other containers;
    without `border`, `paint` draws the border too."""

    name: str
    measure: Callable[[Frame, FinishedStyle], Mapping[str, TextBlock]] | None = None
    paint: Callable[[FrameFace], Iterator[DrawnItem]] | None = None
    marks: FrameMarks | None = None
    rises: bool = False
    border: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeKind:
    """A node type: the default look of its nodes.

    `fixed_size` is the default size, whatever the label (placed below, or with `label_moves` on a side without routes);
    `min_size` the least size otherwise; `padding` the free room beside and above the label (None: the measure stage's
    default). `tone` names a pair of theme colours; `dash`, `stroke_width` and `filled_with_stroke` change the stroke.
    `glyph_box` is the place of a glyph inside the box: a label in a given size gives way to the glyph, and keeps off a
    second border `border_room` px deep. `wrap_width` is the width at which the label wraps (None: the measure stage's
    default), smaller for shapes that grow fast with their content.

    `measure` and `paint` replace the stages' own: a card, an entity with rows, a lifeline with tail and foot; they
    apply to nodes accepted by `has_own_face` (None: to all nodes in the type's own shape), other nodes have their label
    inside. A kind that `grows` becomes as high as its label needs once placed, to avoid overflow. `symbol` is drawn
    above an inside label, like an icon, in a square. A kind that `rises` is painted over other nodes. `marks` adds
    glyphs of a single node. Plain edges of nodes that `belong` to one element share a trunk. `corner_radius` replaces
    the theme's radius. A `bar` lies across the flow, with `fixed_size` given for a flow down the page, and is long
    enough for its edges.
    """

    name: str
    shape: str = "roundedRect"
    label_below: bool = False
    label_moves: bool = False
    fixed_size: tuple[float, float] | None = None
    min_size: tuple[float, float] = (96.0, 48.0)
    padding: tuple[float, float] | None = None
    border_room: float = 0.0
    wrap_width: float | None = None
    tone: str = "node"
    stroke_width: float | None = None
    dash: tuple[float, ...] = ()
    filled_with_stroke: bool = False
    glyph: Glyph | None = None
    glyph_box: GlyphBox | None = None
    marks: NodeMarks | None = None
    symbol: Glyph | None = None
    measure: MeasureNode | None = None
    paint: PaintNode | None = None
    has_own_face: Callable[[Node], bool] | None = None
    grows: bool = False
    rises: bool = False
    belongs: bool = False
    corner_radius: float | None = None
    bar: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class EdgeKind:
    """An edge type: stroke and arrowheads (keys of MARKERS).

    An edge `aside` does not order its ends: layouts ignore it. An `upward` edge puts its target above (before) its
    source. Plain edges of a type that `gathers` share a trunk at their target. An edge `across` leads from band to
    band: its route leaves and enters across the main direction of the picture. A node with only edges `beside` the flow
    is no step of the flow, and stands beside one. `head_tells`: an open head would be another kind. An edge that is not
    `mergeable` shares no trunk: a cable is no message.
    """

    name: str
    dash: tuple[float, ...] = ()
    start_marker: str = "none"
    end_marker: str = "none"
    aside: bool = False
    upward: bool = False
    gathers: bool = False
    across: bool = False
    beside: bool = False
    head_tells: bool = False
    mergeable: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """A diagram family: vocabularies and defaults. `cast_kinds` are node kinds assigned by recasting, never by a
    document; their name is the authored type, a space, and a role. `joins_fans`: unlabelled edges from one element
    share a trunk instead of lying side by side. `merges_fan_in`: edges with equal label and target share a trunk at the
    target. `label_wrap` is the wrap width of edge labels, px (None: the measure stage's default); `fit` lays labels
    again whose places are known from all sizes. `recast` and `rewrite` are steps of resolving, before and after
    defaults are written; the steps `resolving` apply in scenes of any family. `place` and `route` replace whole stages,
    for a notation with prescribed places; `stem` is painted before each node. `reading_direction` finds the direction
    of a layered layout without an authored direction (None: downwards). `upward` finds the edges that lead from below
    to above though their type does not tell: they guide a layout reversed; `level` finds edges between peers, which do
    not guide the layout. `lines` prescribes the courses of some edges, from outline to outline, followed while clear.
    `flush_ranks`: nodes in one rank of a tree are aligned at the side of the arriving routes. `main_path`: a layered
    layout keeps the longest path straight (True), never (False), or as the algorithm chooses (None). `has_clusters`:
    what is joined stands near each other in large scenes, whatever the direction. `turns`: a flow without an authored
    direction may run another way for the shape of the page. `folded_type` is the node type of a folded frame."""

    name: str
    node_kinds: Mapping[str, NodeKind]
    edge_kinds: Mapping[str, EdgeKind]
    cast_kinds: Mapping[str, NodeKind] = field(default_factory=dict[str, NodeKind])
    reading_direction: Callable[[Scene], str] | None = None
    upward: Callable[[Scene], frozenset[str]] | None = None
    level: Callable[[Scene], frozenset[str]] | None = None
    joins_fans: bool = False
    flush_ranks: bool = False
    main_path: bool | None = None
    has_clusters: bool = False
    turns: bool = True
    lines: FindLines | None = None
    folded_type: str = FOLDED_TYPE
    merges_fan_in: bool = True
    label_wrap: float | None = None
    fit: FitTexts | None = None
    recast: Callable[[Scene], Scene] | None = None
    rewrite: Callable[[Scene], Scene] | None = None
    resolving: tuple[Resolve, ...] = ()
    place: PlaceScene | None = None
    route: RouteScene | None = None
    stem: PaintNode | None = None


Kind = TypeVar("Kind", NodeKind, EdgeKind)


@dataclass(frozen=True, slots=True, kw_only=True)
class Notation:
    """Node and edge types outside any family: usable in every scene."""

    node_kinds: Mapping[str, NodeKind]
    edge_kinds: Mapping[str, EdgeKind]
    resolving: tuple[Resolve, ...] = ()


UNTYPED = "untyped"
"""The role of a node without a type of its own, which was cast by its shape."""


def may_hold_a_face(node: Node) -> bool:
    """Whether the outline may hold the face of the node's type; in another outline the node is a plain box."""
    return node.shape is None or node.shape in BOX_SHAPES


def by_name(*kinds: Kind) -> Mapping[str, Kind]:
    """Node or edge kinds keyed by name."""
    return {kind.name: kind for kind in kinds}


def decision(name: str) -> NodeKind:
    """A diamond sized to hold its label; the label wraps early, as the diamond is twice as wide and high as its
    text."""
    return NodeKind(
        name=name, shape="diamond", tone="decision", min_size=(100.0, 64.0), padding=(6.0, 4.0), wrap_width=104.0
    )


# The default reading direction of a flow: sideways, as users expect, unless too long to be legible on a page.

MOST_STEPS = 7
"""A flow whose shortest ways take more steps runs down the page."""

_DECISION = "workflow.decision"


def process_direction(scene: Scene) -> str:
    """The direction of a process: sideways as in BPMN; flowcharts, recognized by decisions with inner questions, run
    downwards."""
    if any(isinstance(row, Node) and row.node_type == _DECISION for row in scene.elements):
        return DOWNWARDS
    return flow_direction(scene)


def flow_direction(scene: Scene) -> str:
    """Sideways for short flows; a layout strategy without a direction means downwards (R-PLACE-4)."""
    return RIGHTWARDS if scene.layout_strategy is None and steps(scene) <= MOST_STEPS else DOWNWARDS


def steps(scene: Scene) -> int:
    """The greatest number of steps to an element from a start of the flow."""
    return max(depths(scene, scene.edges).values(), default=0)


def depths(scene: Scene, edges: Sequence[Edge]) -> Mapping[str, int]:
    """The least number of edges from a start to each element."""
    ahead: dict[str, list[str]] = {row.id: [] for row in scene.elements if not isinstance(row, Edge)}
    entered: set[str] = set()
    for edge in edges:
        if edge.source.element_id != edge.target.element_id:
            ahead.setdefault(edge.source.element_id, []).append(edge.target.element_id)
            entered.add(edge.target.element_id)
    starts = [element_id for element_id in ahead if element_id not in entered] or list(ahead)[:1]
    return _distances(starts, ahead)


def _distances(starts: list[str], ahead: Mapping[str, list[str]]) -> dict[str, int]:
    found = dict.fromkeys(starts, 0)
    waiting = list(starts)
    for element_id in waiting:
        for other in ahead.get(element_id, ()):
            if other not in found:
                found[other] = found[element_id] + 1
                waiting.append(other)
    return found
