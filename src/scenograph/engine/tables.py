"""The tables of the pipeline: the results that each stage passes to the next (ARCHITECTURE.md, "The flow").

Keys are element ids. All values are frozen, px, y growing downwards.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from types import MappingProxyType
from typing import NamedTuple

from scenograph.engine.geometry.boxes import NO_OUTSET, Box, Outset, Point
from scenograph.engine.geometry.paths import Path
from scenograph.engine.text.blocks import Font, TextBlock
from scenograph.late_dataclasses import dataclass, field
from scenograph.scene.model import Color, PageSize, Scene

_TOP_LEFT = Point(0.0, 0.0)
NO_PARTS: Mapping[str, Box] = MappingProxyType({})
NO_TEXTS: Mapping[str, TextBlock] = MappingProxyType({})
FROM, TO = "from", "to"  # the names of the texts at the ends of an edge


@dataclass(frozen=True, slots=True, kw_only=True)
class FinishedStyle:
    """A style with nothing unset. A colour with alpha 0 is not painted. `hatched`: lines by hand over the fill;
    `letters_chosen`: the author chose the size of the font."""

    fill: Color
    stroke: Color
    stroke_width: float
    corner_radius: float
    font: Font
    text_color: Color
    muted_color: Color
    accent_color: Color
    dash: tuple[float, ...]
    opacity: float
    label_background: Color
    force_label: bool = False
    line_jumps: str = "none"
    hatched: bool = False
    letters_chosen: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Styles:
    """Finished style of every element, and the page's own paint."""

    theme: str
    background: Color
    of: Mapping[str, FinishedStyle]
    borders: Mapping[str, float] = field(default_factory=dict[str, float])
    """The widths of the borders that a visual diff gives, px."""
    faint: tuple[str, ...] = ()
    """The elements with an authored colour that is hard to see, in the order of the document."""

    def seen_width(self, element_id: str) -> float:
        """The width of the visible stroke round an element, px; 0 without a colour or a style."""
        given, style = self.borders.get(element_id), self.of.get(element_id)
        if given is not None:
            return given
        return style.stroke_width if style is not None and style.stroke.alpha > 0 else 0.0


class Size(NamedTuple):
    """The natural size of an element before placement.

    `outset` is room outside the box that belongs to the element (a label below); layouts keep the outset free. `label`
    is the wrapped label or title; for an edge `width` and `height` are the label's. `icon` is the side of a node's icon
    above the label, 0 without an icon. `parts` are boxes in a node measured by its own kind, relative to its top left
    corner; `texts` the wrapped texts in these boxes, by part name. The `texts` of an edge are its end labels, FROM and
    TO.
    """

    width: float
    height: float
    label: TextBlock | None = None
    outset: Outset = NO_OUTSET
    icon: float = 0.0
    parts: Mapping[str, Box] = NO_PARTS
    texts: Mapping[str, TextBlock] = NO_TEXTS


Sizes = Mapping[str, Size]


@dataclass(frozen=True, kw_only=True)
class Placement:
    """The places of all elements except edges. `parts[id]` names boxes of an element: `label` (the text block), `icon`,
    `header` and `title` (frames), `column:<name>` (the row of a table), `foot`."""

    boxes: Mapping[str, Box]
    parts: Mapping[str, Mapping[str, Box]] = field(default_factory=dict[str, Mapping[str, Box]])
    shaped_by: str = field(default="content", compare=False)
    """Why the page has no shape nearer to a wish: `family`, `placed`, `crossings` or `content`."""

    def part(self, element_id: str, name: str) -> Box | None:
        """A named part box of an element, or None."""
        return self.parts.get(element_id, NO_PARTS).get(name)

    def is_table(self, element_id: str) -> bool:
        """Whether an element shows its columns as rows."""
        return element_id in self._tables

    @cached_property
    def _tables(self) -> frozenset[str]:
        return frozenset(
            element_id for element_id, parts in self.parts.items() if any(name.startswith("column:") for name in parts)
        )


class Tip(NamedTuple):
    """The contact of a route's end with its outline, and the unit vector of arrival; (0, 0) for no direction."""

    at: Point
    direction: Point


class Jump(NamedTuple):
    """A line jump at a crossing: an `arc` over the crossed route, or a `gap` beneath. Holds its middle, the unit vector
    of the route, and the reach to both sides, px."""

    kind: str
    at: Point
    direction: Point
    half: float


class DrawnRoute(NamedTuple):
    """The route of an edge as drawn, from the source's outline to the target's outline.

    `points` are corners; for the router `curved` start, control point and end of one quadratic curve. `label` is the
    box of the label's text block, None without a label or for a suppressed label. `line` is the pen path: stopped
    before markers, with round corners and gaps for texts; `tips` are the places of the markers; `jumps` are included in
    `line`. `end_labels` are the boxes of the texts at both ends. `lack`: the lengths along x and y that the label lacks
    on the line, px, infinite where the label says something false.
    """

    points: tuple[Point, ...]
    router: str
    label: Box | None = None
    line: Path = ()
    tips: tuple[Tip, Tip] | None = None
    jumps: tuple[Jump, ...] = ()
    end_labels: tuple[Box | None, Box | None] = (None, None)
    lack: Point | None = None


Routes = Mapping[str, DrawnRoute]


class CrampedLine(NamedTuple):
    """An edge without room for its label: both ends, the lengths along x and y that the label lacks, px, and the
    directions in which the line leaves source and target."""

    source: str
    target: str
    lack: Point
    leaves: Point
    enters: Point

    @property
    def ends(self) -> tuple[str, str]:
        """Source and target."""
        return self.source, self.target


class LineCost(NamedTuple):
    """The total cost of all routes, px, the elements at the ends of crossing edges, the number of crossings, and the
    edges without room for their labels; the box round all that is drawn, once known."""

    px: float
    crossed: frozenset[str]
    crossings: int = 0
    cramped: tuple[CrampedLine, ...] = ()
    content: Box | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CanvasBox:
    """The final page: its size, and the scene point at the top left corner."""

    width: float
    height: float
    origin: Point = _TOP_LEFT


@dataclass(frozen=True, slots=True, kw_only=True)
class LaidOutScene:
    """The input of drawing, complete. In a visual diff the scene includes removed elements, and `changes` tells of each
    element whether added, removed, modified or unchanged; the styles take the changes into account. `is_cropped`: the
    page shows only a part. `paper`: the size of the picture, where the caller gave one."""

    scene: Scene
    styles: Styles
    sizes: Sizes
    placement: Placement
    routes: Routes
    canvas: CanvasBox
    changes: Mapping[str, str] | None = None
    is_cropped: bool = False
    paper: PageSize | None = None
