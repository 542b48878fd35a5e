"""All that a family may say. A difference between diagram families is a value or a function in one of these rows;
no stage asks which family it is drawing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple, TypeVar

from scenograph.diagnostics import Report
from scenograph.engine.colors import WHITE
from scenograph.engine.drawing import Item
from scenograph.engine.geometry.boxes import Box, Point
from scenograph.engine.geometry.paths import Path
from scenograph.engine.tables import FinishedStyle, Placement, Routes, Size, Sizes
from scenograph.engine.text.blocks import TextBlock
from scenograph.late_dataclasses import dataclass, field
from scenograph.scene.model import Color, Edge, Frame, Node, Scene

BOX_SHAPES = frozenset({"rect", "roundedRect"})
"""The outlines that may hold what a node type draws inside: rows, compartments, a window."""

FOLDED_TYPE = "folded"
"""The node type of a folded frame; no document names it."""

Glyph = Callable[[Box], tuple["GlyphStroke", ...]]
GlyphBox = Callable[[Box], Box]


@dataclass(frozen=True, slots=True, kw_only=True)
class GlyphStroke:
    """One path of a glyph, painted in the node's stroke colour: filled with it, or stroked `width` px wide."""

    path: Path
    filled: bool = False
    width: float = 2.0
    dash: tuple[float, ...] = ()


CheckHeight = Callable[[float, float], None]
"""Says TEXT_OVERFLOW when the first height (needed, px) exceeds the second (there)."""

LayAnew = Callable[[Edge | Node, Size, float], TextBlock | None]
"""The label of an element of that size in lines of so many px."""

FitTexts = Callable[[Scene, Sizes, LayAnew], Sizes]
"""The sizes with labels laid again for the places that they will have."""

MeasureNode = Callable[[Node, FinishedStyle, CheckHeight], Size]
RouteRest = Callable[[Scene], Routes]
"""Routes the edges of a scene as in any family."""
RouteScene = Callable[[Scene, Placement, RouteRest], Routes]
FindLines = Callable[[Scene, Placement], Mapping[str, tuple[Point, ...]]]
"""The corners of edges by id."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacingTools:
    """What the stage lends a family that places its scenes itself: `arrange` places a scene as in any family, absolute
    positions kept; `parts` are the part boxes (labels, icons, titles) of boxes that have their place."""

    arrange: Callable[[Scene], Mapping[str, Box]]
    parts: Callable[[Scene, Mapping[str, Box]], Mapping[str, Mapping[str, Box]]]


NodeMarks = Callable[[Node, Box], tuple[GlyphStroke, ...]]
"""What is drawn into a node by more than its type."""
FrameMarks = Callable[[Frame, Box], tuple[GlyphStroke, ...]]

KindOf = Callable[[Node], "NodeKind"]
Resolve = Callable[[Scene, Report, KindOf], Scene]
"""A step of resolving that holds in any scene, whatever its family, wherever it finds its material."""

PlaceScene = Callable[[Scene, Sizes, PlacingTools], Placement]


class NodeFace(NamedTuple):
    """What the paint of one node may look at: its box on sharp lines, its part boxes and its texts by part; `page` is
    the colour that covers what lies behind."""

    node: Node
    box: Box
    size: Size
    parts: Mapping[str, Box]
    style: FinishedStyle
    page: Color = WHITE


PaintNode = Callable[[NodeFace], Iterator[Item]]


@dataclass(frozen=True, slots=True, kw_only=True)
class FrameFace:
    """The same of one frame."""

    frame: Frame
    box: Box
    size: Size
    parts: Mapping[str, Box]
    style: FinishedStyle
    page: Color = WHITE


@dataclass(frozen=True, slots=True, kw_only=True)
class FrameKind:
    """A container type that has more to say than its title: `measure` gives the texts in it by part, `paint` what is
    painted over its border, its title included (None: the title alone), `marks` what is drawn beside it. One that
    `rises` is painted over containers that do not; one without a `border` leaves even that to `paint`."""

    name: str
    measure: Callable[[Frame, FinishedStyle], Mapping[str, TextBlock]] | None = None
    paint: Callable[[FrameFace], Iterator[Item]] | None = None
    marks: FrameMarks | None = None
    rises: bool = False
    border: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeKind:
    """A node type: what it looks like when its author says nothing else.

    `fixed_size` is its size when the author gives none, whatever the label (which then stands below, or where it
    `label_moves` on a side by which no line leaves); `min_size` the least it is otherwise; `padding` what stays free
    beside and above the label (None: the measure stage's own). `tone` names a pair of theme colours; `dash`,
    `stroke_width` and `filled_with_stroke` change the line. `glyph_box` is where
    a glyph inside the box stands: a label in a given size gives way to it, and keeps off a second border
    `border_room` px deep. `wrap_width` is
    where the label wraps (None: the measure stage's own), smaller for shapes that grow fast with their content.
    `measure` and `paint` stand for the stages' own: a card, an entity with rows, a lifeline with tail and foot; they
    hold for the nodes of which `has_own_face` says so (None: for all in the type's own shape); the others have their
    label inside. One that `grows` becomes as high as its label needs once it is placed, so that nothing overflows.
    `symbol` is drawn above a label inside, as an icon would be, in a square. One that `rises` is painted over nodes
    that do not. `marks` draws what a single node has beside the glyph of its type. The plain lines of those that
    `belong` to one element share a trunk there. `corner_radius` stands for
    the theme's own. A `bar` lies across the flow, which its `fixed_size` takes to run down the page, and is long enough
    for its lines.
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
    """An edge type: its line and its arrowheads (keys of MARKERS). One that stands `aside` says nothing of who stands
    above whom: a layout does not follow it. One that leads `upward` puts its target above (before) its source. The
    plain lines of one that `gathers` share a trunk at their target. One that runs `across` leads from band to band: its
    lines leave and enter across the main way of the picture. What has only lines that run `beside` the flow is no step
    of it and stands beside one."""

    name: str
    dash: tuple[float, ...] = ()
    start_marker: str = "none"
    end_marker: str = "none"
    aside: bool = False
    upward: bool = False
    gathers: bool = False
    across: bool = False
    beside: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """A diagram family: its vocabularies and its defaults. `cast_kinds` are node kinds that no document
    names: recasting gives them. `joins_fans`: the edges that leave one element without a label share a trunk instead of
    lying side by side. `merges_fan_in`: edges that bring one label to one target share a
    trunk there. `label_wrap` is where edge labels wrap, px (None: the measure stage's own); `fit` lays labels again
    whose places it can tell from all sizes. `recast` and `rewrite` are
    steps of resolving, before and after defaults are written; the steps `resolving` hold in scenes of any family.
    `place` and `route` stand for the whole stages: a family
    whose notation says where everything is; `stem`
    is what its nodes stand on, painted before them. `reading_direction` finds the direction of a layered layout from
    the scene where its author names none; without it `default_direction` holds for scenes without a layout strategy.
    `upward` finds the edges that lead from below to above where their type alone does not say it: they guide a layout
    the other way round; `level` those between equals, which do not guide it. `lines` prescribes
    the ways of some edges, from outline to outline: they hold where they are clear. `flush_ranks`: nodes in one rank of
    a tree share the edge at which lines reach them. `main_path`: a layered layout keeps the longest path on one line
    (True), never does (False), or leaves that to the algorithm (None). `folded_type` is the type of the box that stands
    for a folded frame."""

    name: str
    node_kinds: Mapping[str, NodeKind]
    edge_kinds: Mapping[str, EdgeKind]
    cast_kinds: Mapping[str, NodeKind] = field(default_factory=dict[str, NodeKind])
    default_direction: str = "TB"
    reading_direction: Callable[[Scene], str] | None = None
    upward: Callable[[Scene], frozenset[str]] | None = None
    level: Callable[[Scene], frozenset[str]] | None = None
    joins_fans: bool = False
    flush_ranks: bool = False
    main_path: bool | None = None
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
    """Node and edge types that belong to no family: any scene may use them."""

    node_kinds: Mapping[str, NodeKind]
    edge_kinds: Mapping[str, EdgeKind]
    resolving: tuple[Resolve, ...] = ()


def may_hold_a_face(node: Node) -> bool:
    """Whether a node's outline may hold what its type draws inside; in another outline it is a plain box."""
    return node.shape is None or node.shape in BOX_SHAPES


def by_name(*kinds: Kind) -> Mapping[str, Kind]:
    """Node or edge kinds as a family keeps them."""
    return {kind.name: kind for kind in kinds}


def decision(name: str) -> NodeKind:
    """A diamond sized so that its label fits inside; it wraps early, being twice as wide and high as its text."""
    return NodeKind(name=name, shape="diamond", min_size=(100.0, 64.0), padding=(6.0, 4.0), wrap_width=104.0)
