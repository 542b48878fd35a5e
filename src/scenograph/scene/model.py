"""The typed view of a scene document (R-DOC-2, R-ELEMENT-1).

Every value is frozen. Lengths are px, y grows downwards, colours are parsed. A member the author left out is None or
the documented default; the view never travels back into the stored JSON.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from scenograph.late_dataclasses import dataclass, field
from scenograph.scene.memo import Memo

EMPTY: Mapping[str, Any] = MappingProxyType({})


def _empty() -> Mapping[str, Any]:
    return EMPTY


class Color(NamedTuple):
    """An sRGB colour: channels 0 to 255, alpha 0 to 1. `none` and `transparent` have alpha 0."""

    red: float
    green: float
    blue: float
    alpha: float = 1.0


class Waypoint(NamedTuple):
    """A point an edge must pass, px."""

    x: float
    y: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """A style as authored: None falls through to the next level of the cascade."""

    fill: Color | None = None
    stroke: Color | None = None
    stroke_width: float | None = None
    corner_radius: float | None = None
    font_family: str | None = None
    font_size: float | None = None
    font_weight: int | None = None
    text_color: Color | None = None
    dash: tuple[float, ...] | None = None
    opacity: float | None = None
    label_background: Color | None = None
    accent_color: Color | None = None
    force_label: bool | None = None
    line_jumps: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """The wished position of an element. `mode` is absolute, relative or auto; sizes apply in every mode."""

    mode: str = "auto"
    x: float | None = None
    y: float | None = None
    width: float | None = None
    height: float | None = None
    target: str | None = None
    relation: str | None = None
    gap: float | None = None
    align: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Port:
    """A named anchor on a side of a node or a frame: `side` top, right, bottom or left; `offset` 0 to 1 along it."""

    id: str
    side: str = "right"
    offset: float = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Attachment:
    """The border position of an attached node: the host's `side`, and the node's middle at `offset` 0 to 1 from the
    left or top end. None leaves the choice to the engine."""

    element_id: str
    side: str | None = None
    offset: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A column of an entity (`extensions.columns`)."""

    name: str
    type: str | None = None
    pk: bool = False
    fk: bool = False
    unique: bool = False
    nullable: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """An end of an edge."""

    element_id: str
    port: str | None = None
    column: str | None = None
    cardinality: str | None = None
    label: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """The target of a click: an http, https or mailto address, and a title."""

    href: str
    title: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Element:
    """The members of every kind. `style` is inline, `style_id` names an entry of the document's `styles`. `memo` holds
    results computed from this very element; copies start without a memo (`kept`)."""

    id: str
    kind: str
    name: str | None = None
    style: Style | None = None
    style_id: str | None = None
    z_index: float = 0.0
    visible: bool = True
    locked: bool = False
    extensions: Mapping[str, Any] = field(default_factory=_empty)
    metadata: Mapping[str, Any] = field(default_factory=_empty)
    memo: Memo | None = field(default=None, init=False, repr=False, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Linked(Element):
    """The members of clickable kinds."""

    link: Link | None = None
    tooltip: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Node(Linked):
    """A box with a label. `shape` None means the node type's own."""

    node_type: str | None = None
    shape: str | None = None
    label: str | None = None
    icon: str | None = None
    layout: Layout = Layout()
    ports: tuple[Port, ...] = ()
    attached_to: Attachment | None = None
    columns: tuple[Column, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Edge(Linked):
    """An edge between two elements. `source` is the document's `from`, `target` its `to`."""

    source: Endpoint
    target: Endpoint
    edge_type: str | None = None
    router: str | None = None
    label: str | None = None
    start_arrow: str | None = None
    end_arrow: str | None = None
    waypoints: tuple[Waypoint, ...] = ()
    ends: tuple[str, str] = field(init=False, repr=False, compare=False)
    """The ids of the source and target elements."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "ends", (self.source.element_id, self.target.element_id))


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame(Linked):
    """A visible container. `divided`: filled with lanes like a pool, of any type; set by resolving."""

    title: str | None = None
    icon: str | None = None
    children: tuple[str, ...] = ()
    title_inset: float | None = None
    head_height: float | None = None
    container_type: str | None = None
    lane_direction: str | None = None
    layout: Layout = Layout()
    ports: tuple[Port, ...] = ()
    divided: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Group(Element):
    """A container, drawn only if styled."""

    children: tuple[str, ...] = ()
    label: str | None = None
    layout: Layout = Layout()


@dataclass(frozen=True, slots=True, kw_only=True)
class Text(Linked):
    """Free text. `align` is start, center or end."""

    content: str = ""
    layout: Layout = Layout()
    align: str = "start"


@dataclass(frozen=True, slots=True, kw_only=True)
class Image(Element):
    """A raster picture: from `assets` (`asset_id`) or a data URI (`href`). `fit` is contain, cover or stretch."""

    asset_id: str | None = None
    href: str | None = None
    layout: Layout = Layout()
    fit: str = "contain"
    alt: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Guide(Element):
    """A thin dashed line across the canvas at `position` px."""

    orientation: str = "horizontal"
    position: float = 0.0


Container = Frame | Group
Boxed = Node | Frame | Group | Text | Image
"""The elements with a box."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asset:
    """A raster kept in the document, base64."""

    mime_type: str
    data: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Constraint:
    """A wish about positions (R-CON-1). `parameters` holds the type's members besides elements."""

    id: str
    type: str
    elements: tuple[str, ...] = ()
    parameters: Mapping[str, Any] = field(default_factory=_empty)


@dataclass(frozen=True, slots=True, kw_only=True)
class Canvas:
    """The declared canvas; an omitted dimension is computed from the content."""

    width: float | None = None
    height: float | None = None
    background: Color | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LayoutStrategy:
    """The placement of elements without a position. None: the algorithm's own default."""

    algorithm: str = "hierarchical"
    direction: str | None = None
    node_spacing: float | None = None
    rank_spacing: float | None = None
    columns: int | None = None
    seed: int | None = None
    aspect_ratio: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PageSize:
    """The size of a page that a picture fills, px."""

    width: float
    height: float

    @property
    def aspect(self) -> float:
        """Width / height."""
        return self.width / self.height


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """The shown part of a scene: ids, `depth` in edges, `aspect_ratio` as width / height, the `page` to fill. Empty and
    None: no wish."""

    collapse: tuple[str, ...] = ()
    focus: tuple[str, ...] = ()
    depth: int = 1
    crop: tuple[str, ...] = ()
    aspect_ratio: float | None = None
    page: PageSize | None = None

    @property
    def shape(self) -> float | None:
        """The wished width / height: of the page, else as asked; None without a wish."""
        return self.aspect_ratio if self.page is None else self.page.aspect


def words_of(element: Element) -> str | None:
    """The shown words of an element: label, title or content."""
    match element:
        case Node() | Group() | Edge():
            return element.label
        case Frame():
            return element.title
        case Text():
            return element.content
        case _:
            return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Palette:
    """Scene-wide colours; the cascade's second level."""

    background: Color | None = None
    foreground: Color | None = None
    node_fill: Color | None = None
    node_stroke: Color | None = None
    edge_stroke: Color | None = None
    container_fill: Color | None = None
    container_stroke: Color | None = None
    accent_primary: Color | None = None
    accent_secondary: Color | None = None
    muted_foreground: Color | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LegendEntry:
    """A row of a legend: its words, and the look they explain: of a type, a style, an icon, or several together."""

    label: str
    node_type: str | None = None
    edge_type: str | None = None
    icon: str | None = None
    style: Style | None = None
    style_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Legend:
    """What a picture says about its own looks, at a `corner`; `entries` None: taken from the scene."""

    entries: tuple[LegendEntry, ...] | None = None
    title: str | None = None
    corner: str = "bottomLeft"


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """A whole document. `layout_strategy` None means none was declared; `aspect_ratio` is the wished width / height of
    the page, by the strategy or a view. `hidden` are elements left out of `elements`, because they are not seen.
    `show_title`: the title is drawn above the content."""

    id: str = ""
    title: str | None = None
    canvas: Canvas = Canvas()
    diagram_family: str | None = None
    layout_strategy: LayoutStrategy | None = None
    palette: Palette = Palette()
    styles: Mapping[str, Style] = field(default_factory=_empty)
    assets: Mapping[str, Asset] = field(default_factory=_empty)
    constraints: tuple[Constraint, ...] = ()
    elements: tuple[Element, ...] = ()
    hidden: tuple[Element, ...] = ()
    show_lifeline_feet: bool = True
    show_title: bool = False
    legend: Legend | None = None
    aspect_ratio: float | None = None
    _kinds: dict[object, tuple[Any, ...]] = field(
        default_factory=dict[object, "tuple[Any, ...]"], init=False, compare=False, repr=False
    )

    @property
    def edges(self) -> tuple[Edge, ...]:
        """The edges, in document order."""
        return self._of_kind(Edge)

    @property
    def nodes(self) -> tuple[Node, ...]:
        """The nodes, in document order."""
        return self._of_kind(Node)

    @property
    def frames(self) -> tuple[Frame, ...]:
        """The frames, in document order."""
        return self._of_kind(Frame)

    @property
    def containers(self) -> tuple[Container, ...]:
        """The frames and groups, in document order."""
        return self._of_kind((Frame, Group))

    def _of_kind(self, kind: type[Element] | tuple[type[Element], ...]) -> tuple[Any, ...]:
        """The elements of a kind. Found once: the stages walk through them dozens of times."""
        found = self._kinds.get(kind)
        if found is None:
            found = self._kinds[kind] = tuple([one for one in self.elements if isinstance(one, kind)])
        return found
