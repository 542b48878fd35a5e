"""An icon: painted paths in a view box, ready to be scaled into place.

Icons are converted from SVG when packed (`scripts/pack_icons.py`); only typed paths and paints survive: no style text,
no ids, no references, nothing executable or loadable.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Literal

from scenograph.engine.colors import READABLE_CONTRAST, SEEN_CONTRAST, contrast, is_dark, over, toward
from scenograph.engine.drawing import Cap, FillRule, LinearGradient, Paint, PathItem, RadialGradient
from scenograph.engine.geometry.boxes import Box, Point
from scenograph.engine.geometry.paths import Close, Cubic, Line, Move, Path, Quadratic, Segment
from scenograph.late_dataclasses import dataclass
from scenograph.scene.model import Color

LOST_CONTRAST = 2.0
"""Below this contrast to its ground a brand's icon of one colour is drawn in the colour of the text: black on a dark
theme. Up to SEEN_CONTRAST its own colour is moved toward the text's; on a dark ground up to READABLE_CONTRAST, as the
ratio flatters dark colours."""
IconPaint = Paint | Literal["current"]
"""`current` is the node's choice: its text or stroke colour."""


@dataclass(frozen=True, slots=True, kw_only=True)
class IconLayer:
    """A painted path, in icon units. None is not painted. Opacity is folded into the paints."""

    path: Path
    fill: IconPaint | None = None
    stroke: IconPaint | None = None
    stroke_width: float = 0.0
    cap: Cap = "butt"
    round_joins: bool = False
    fill_rule: FillRule = "nonzero"


@dataclass(frozen=True, slots=True, kw_only=True)
class Icon:
    """A registered icon: canonical key, category, and layers from back to front. `recolorable`: the owner permits other
    colours; never true for the cloud providers' own drawings."""

    key: str
    category: str
    view_box: Box
    layers: tuple[IconLayer, ...]
    recolorable: bool = False

    def fitted(self, box: Box) -> Box:
        """The part of `box` (px) filled by the icon: original proportions, as large as possible, centred."""
        scale = min(box.width / self.view_box.width, box.height / self.view_box.height)
        width, height = self.view_box.width * scale, self.view_box.height * scale
        return Box(box.center.x - width / 2, box.center.y - height / 2, width, height)

    def items(self, box: Box, current: Color, ground: Color | None = None) -> tuple[PathItem, ...]:
        """The icon drawn into `box` (px) at the place of `fitted`; `current` paints layers without a colour. A
        recolorable icon that is hard to see on the opaque `ground` has other colours."""
        room = self.fitted(box)
        scale = room.width / self.view_box.width
        placing = _Placing(scale, room.x - self.view_box.x * scale, room.y - self.view_box.y * scale, current)
        items = tuple(placing.item(layer) for layer in self.layers)
        return items if ground is None or not self.recolorable else _seen_on(items, ground, current)


def _seen_on(items: tuple[PathItem, ...], ground: Color, ink: Color) -> tuple[PathItem, ...]:
    """The items if any is seen on the ground, else in colours that are."""
    best = max((_contrast(paint, ground) for item in items for paint in (item.fill, item.stroke)), default=0.0)
    least = READABLE_CONTRAST if is_dark(ground) else SEEN_CONTRAST
    if best >= least:
        return items
    if best < LOST_CONTRAST:
        return tuple(_painted(item, lambda _: ink) for item in items)
    opaque = over(ink, ground)
    return tuple(_painted(item, lambda own: toward(own, opaque, (ground,), least)) for item in items)


def _contrast(paint: Paint | None, ground: Color) -> float:
    """The contrast of a paint to an opaque ground; a gradient is seen, no paint is not."""
    if paint is None:
        return 0.0
    return contrast(over(paint, ground), ground) if isinstance(paint, Color) else math.inf


def _painted(item: PathItem, color: Callable[[Color], Color]) -> PathItem:
    fill, stroke = (color(paint) if isinstance(paint, Color) else paint for paint in (item.fill, item.stroke))
    return item._replace(fill=fill, stroke=stroke)


def moved(segment: Segment, point: Callable[[Point], Point]) -> Segment:
    """The segment with every point mapped by `point`: correct for affine maps."""
    match segment:
        case Move(to):
            return Move(point(to))
        case Line(to):
            return Line(point(to))
        case Quadratic(control, to):
            return Quadratic(point(control), point(to))
        case Cubic(control1, control2, to):
            return Cubic(point(control1), point(control2), point(to))
        case Close():
            return segment


@dataclass(frozen=True, slots=True)
class _Placing:
    """An even scale, then a shift; and the node's colour."""

    scale: float
    dx: float
    dy: float
    current: Color

    def item(self, layer: IconLayer) -> PathItem:
        return PathItem(
            path=tuple([moved(segment, self.point) for segment in layer.path]),
            fill=self.paint(layer.fill),
            stroke=self.paint(layer.stroke),
            stroke_width=layer.stroke_width * self.scale,
            cap=layer.cap,
            round_joins=layer.round_joins,
            fill_rule=layer.fill_rule,
        )

    def point(self, p: Point) -> Point:
        return Point(p.x * self.scale + self.dx, p.y * self.scale + self.dy)

    def vector(self, v: Point) -> Point:
        return Point(v.x * self.scale, v.y * self.scale)

    def paint(self, paint: IconPaint | None) -> Paint | None:
        match paint:
            case "current":
                return self.current
            case LinearGradient(start, end, stops):
                return LinearGradient(self.point(start), self.point(end), stops)
            case RadialGradient(center, across, down, stops):
                return RadialGradient(self.point(center), self.vector(across), self.vector(down), stops)
            case _:
                return paint
