"""The tables that travel through the pipeline: what each stage gives to the next (ARCHITECTURE.md, "The flow").

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
from scenograph.scene.model import Color, Scene

TOP_LEFT = Point(0.0, 0.0)
NO_PARTS: Mapping[str, Box] = MappingProxyType({})
NO_TEXTS: Mapping[str, TextBlock] = MappingProxyType({})
FROM, TO = "from", "to"  # the names of the texts at the ends of an edge


@dataclass(frozen=True, slots=True, kw_only=True)
class FinishedStyle:
    """A style with nothing unset. A colour with alpha 0 is not painted."""

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Styles:
    """Finished style of every element, and the page's own paint."""

    theme: str
    background: Color
    of: Mapping[str, FinishedStyle]
    borders: Mapping[str, float] = field(default_factory=dict[str, float])
    """The widths of the borders that a visual diff gives, px."""

    def seen_width(self, element_id: str) -> float:
        """The width of the stroke that is seen round an element, px; 0 for one without a colour or without a style."""
        given, style = self.borders.get(element_id), self.of.get(element_id)
        if given is not None:
            return given
        return style.stroke_width if style is not None and style.stroke.alpha > 0 else 0.0


class Size(NamedTuple):
    """The natural size of an element before it is placed.

    `outset` is room outside the box that belongs to the element (a label below it); layouts keep it free.
    `label` is the wrapped label or title; for an edge `width` and `height` are the label's. `icon` is the side of the
    square that a node's icon takes above its label, 0 without one. `parts` are boxes in a node that its own kind
    measured, from its top left corner; `texts` the wrapped texts that stand in them, by the part's name. An edge has in
    `texts` the labels of its ends, FROM and TO.
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
    """Where everything but the edges is. `parts[id]` names boxes that belong to an element: `label` (the text block),
    `icon`, `header` and `title` (frames), `column:<name>` (the row of a table), `foot`."""

    boxes: Mapping[str, Box]
    parts: Mapping[str, Mapping[str, Box]] = field(default_factory=dict[str, Mapping[str, Box]])

    def part(self, element_id: str, name: str) -> Box | None:
        """A named part box of an element, or None."""
        return self.parts.get(element_id, NO_PARTS).get(name)

    def is_table(self, element_id: str) -> bool:
        """Whether an element shows rows for its columns."""
        return element_id in self._tables

    @cached_property
    def _tables(self) -> frozenset[str]:
        return frozenset(
            element_id for element_id, parts in self.parts.items() if any(name.startswith("column:") for name in parts)
        )


class Tip(NamedTuple):
    """Where an end of a line touches its outline, and the unit vector in which it arrives; (0, 0) for no direction."""

    at: Point
    direction: Point


class Jump(NamedTuple):
    """What a line does where it crosses another: an `arc` over it, or a `gap` beneath it; the middle of that, the unit
    vector in which the line runs there, and how far it reaches to both sides, px."""

    kind: str
    at: Point
    direction: Point
    half: float


class Route(NamedTuple):
    """The line of one edge as it is drawn, from the outline of its source to the outline of its target.

    `points` are corners; for the router `curved` they are start, control point, end of one quadratic curve.
    `label` is the box of the label's text block, None when there is no label or it is suppressed. `line` is what the
    pen draws: it stops before its markers, turns with round corners and leaves gaps for texts; `tips` are where the
    markers stand; `jumps` are in the line already. `end_labels` are the boxes of the texts beside its two ends.
    """

    points: tuple[Point, ...]
    router: str
    label: Box | None = None
    line: Path = ()
    tips: tuple[Tip, Tip] | None = None
    jumps: tuple[Jump, ...] = ()
    end_labels: tuple[Box | None, Box | None] = (None, None)


Routes = Mapping[str, Route]


class LineCost(NamedTuple):
    """What all lines cost, px, the elements at the ends of those that cross others, and how often these do."""

    px: float
    crossed: frozenset[str]
    crossings: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class CanvasBox:
    """The final page: its size and the scene point at its top left corner."""

    width: float
    height: float
    origin: Point = TOP_LEFT


@dataclass(frozen=True, slots=True, kw_only=True)
class LaidOutScene:
    """Everything the drawing needs, and nothing else. In a visual diff the scene holds what was removed as well, and
    `changes` says of each element whether it was added, removed, modified or is unchanged; the styles heed that.
    `is_cropped`: the page shows a part only."""

    scene: Scene
    styles: Styles
    sizes: Sizes
    placement: Placement
    routes: Routes
    canvas: CanvasBox
    changes: Mapping[str, str] | None = None
    is_cropped: bool = False
