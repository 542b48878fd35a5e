"""MARKERS: the markers at the ends of edges, as geometry. px.

A marker is painted at its tip, the contact of the edge with the outline, along the unit vector of the arriving edge;
hence correct at any angle. Its size grows with the stroke. The route itself stops `inset` px before the tip: no marker
needs to hide anything beneath, and none is filled with a background.

(R-PAINT-3, R-ER-3; BPMN 2.0; crow's foot notation)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from scenograph.engine.geometry.boxes import Point
from scenograph.engine.geometry.paths import Path, circle, polygon, polyline, segment
from scenograph.late_dataclasses import dataclass

REFERENCE_STROKE = 1.5
"""The stroke width of the marker lengths below, px."""

_NOWHERE = (0.0, 0.0)
_THINNEST = 1.0  # strokes of a marker, px
_FIXED_PART = 3.0  # of a marker's size grows not with the stroke: a line twice as bold gets a head a third larger


class MarkerPath(NamedTuple):
    """A path in the edge's stroke colour: filled, or stroked `width` px wide without dashes."""

    path: Path
    filled: bool
    width: float = 0.0


class Pen(NamedTuple):
    """A frame at a tip: `at(back, aside)` is `back` px before the tip and `aside` px to the right of the way, both
    scaled; `width` is the stroke's width."""

    tip: Point
    direction: Point
    scale: float
    width: float

    def at(self, back: float, aside: float = 0.0) -> Point:
        """A point of the marker."""
        (x, y), (along, down), scale, _ = self
        b, a = back * scale, aside * scale
        return Point(x - b * along - a * down, y - b * down + a * along)

    def stroke(self, *points: Point) -> MarkerPath:
        """An open chain."""
        return MarkerPath(polyline(points), filled=False, width=self.width)

    def ring(self, back: float, radius: float) -> MarkerPath:
        """An open circle centred `back` px before the tip."""
        return MarkerPath(circle(self.at(back), radius * self.scale), filled=False, width=self.width)


PaintMarker = Callable[[Pen], tuple[MarkerPath, ...]]


@dataclass(frozen=True, slots=True)
class Marker:
    """A row of MARKERS. `length` is the reach back from the tip, `inset` the distance before the tip at which the route
    stops; both at the reference stroke (see `length_at`, `inset_at`)."""

    name: str
    length: float
    inset: float
    _paint: PaintMarker

    def length_at(self, stroke_width: float) -> float:
        """The length at a stroke width, px."""
        return self.length * _scale(stroke_width)

    def inset_at(self, stroke_width: float) -> float:
        """The inset at a stroke width, px."""
        return self.inset * _scale(stroke_width)

    def paint(self, tip: Point, direction: Point, stroke_width: float) -> tuple[MarkerPath, ...]:
        """The paths of the marker; `direction` is the unit vector of the edge arriving at `tip`."""
        if self._paint is _nothing or direction == _NOWHERE:
            return ()
        return self._paint(Pen(tip, direction, _scale(stroke_width), max(stroke_width, _THINNEST)))


def _scale(stroke_width: float) -> float:
    return (_FIXED_PART + max(stroke_width, 0.0)) / (_FIXED_PART + REFERENCE_STROKE)


def _nothing(_pen: Pen) -> tuple[MarkerPath, ...]:
    return ()


def _triangle(pen: Pen) -> tuple[MarkerPath, ...]:
    return (MarkerPath(polygon((pen.at(0), pen.at(10, -4.25), pen.at(10, 4.25))), filled=True),)


def _open_triangle(pen: Pen) -> tuple[MarkerPath, ...]:
    corners = (pen.at(0.75), pen.at(10.5, -4.75), pen.at(10.5, 4.75))
    return (MarkerPath(polygon(corners), filled=False, width=pen.width),)


def _arrow(pen: Pen) -> tuple[MarkerPath, ...]:
    return (pen.stroke(pen.at(9, -4.75), pen.at(0.75), pen.at(9, 4.75)),)


def _diamond(pen: Pen) -> tuple[MarkerPath, ...]:
    return (MarkerPath(polygon((pen.at(0), pen.at(7, -4.25), pen.at(14, 0), pen.at(7, 4.25))), filled=True),)


def _circle(pen: Pen) -> tuple[MarkerPath, ...]:
    return (MarkerPath(circle(pen.at(4), 4 * pen.scale), filled=True),)


def _open_circle(pen: Pen) -> tuple[MarkerPath, ...]:
    return (pen.ring(4.75, 4),)


def _bar(pen: Pen) -> tuple[MarkerPath, ...]:
    return (_crossbar(pen, 5),)


def _cross(pen: Pen) -> tuple[MarkerPath, ...]:
    return (pen.stroke(pen.at(1, -5), pen.at(11, 5)), pen.stroke(pen.at(1, 5), pen.at(11, -5)))


def _slash(pen: Pen) -> tuple[MarkerPath, ...]:
    return (pen.stroke(pen.at(7, -5), pen.at(14, 5)),)


def _open_diamond(pen: Pen) -> tuple[MarkerPath, ...]:
    corners = (pen.at(0.75), pen.at(7.75, -4.5), pen.at(14.75), pen.at(7.75, 4.5))
    return (MarkerPath(polygon(corners), filled=False, width=pen.width),)


def _crossbar(pen: Pen, back: float) -> MarkerPath:
    return pen.stroke(pen.at(back, -5.5), pen.at(back, 5.5))


def _fork(pen: Pen) -> MarkerPath:
    return pen.stroke(pen.at(0, -6), pen.at(11), pen.at(0, 6))


def _shaft(pen: Pen, back: float) -> MarkerPath:
    """The part of the route removed by the inset: never dashed inside a crow's foot."""
    return MarkerPath(segment(pen.at(0), pen.at(back)), filled=False, width=pen.width)


def _one(pen: Pen) -> tuple[MarkerPath, ...]:
    return (_shaft(pen, 10), _crossbar(pen, 10))


def _many(pen: Pen) -> tuple[MarkerPath, ...]:
    return (_shaft(pen, 11), _fork(pen))


def _zero_or_one(pen: Pen) -> tuple[MarkerPath, ...]:
    return (_shaft(pen, 10), _crossbar(pen, 6), pen.ring(14, 4))


def _zero_or_many(pen: Pen) -> tuple[MarkerPath, ...]:
    return (_shaft(pen, 11), _fork(pen), pen.ring(15, 4))


def _one_or_many(pen: Pen) -> tuple[MarkerPath, ...]:
    return (_shaft(pen, 14), _fork(pen), _crossbar(pen, 14))


MARKERS: Mapping[str, Marker] = {
    # the author's choices (R-PAINT-3)
    "none": Marker("none", 0, 0, _nothing),
    "triangle": Marker("triangle", 10, 9, _triangle),
    "diamond": Marker("diamond", 14, 13, _diamond),
    "circle": Marker("circle", 8, 4, _circle),
    "bar": Marker("bar", 6, 0, _bar),
    # only for edge types
    "openTriangle": Marker("openTriangle", 11.25, 10.5, _open_triangle),
    "openCircle": Marker("openCircle", 9.5, 8.75, _open_circle),
    "arrow": Marker("arrow", 9.75, 0.75, _arrow),
    "cross": Marker("cross", 11, 6, _cross),
    "openDiamond": Marker("openDiamond", 15.5, 14.75, _open_diamond),
    "slash": Marker("slash", 14, 0, _slash),
    # crow's feet
    "one": Marker("one", 11, 10, _one),
    "many": Marker("many", 11, 10.5, _many),
    "zeroOrOne": Marker("zeroOrOne", 18.75, 18, _zero_or_one),
    "zeroOrMany": Marker("zeroOrMany", 19.75, 19, _zero_or_many),
    "oneOrMany": Marker("oneOrMany", 15, 14, _one_or_many),
}


CARDINALITY_MARKERS: Mapping[str, str] = {
    "one": "one",
    "many": "many",
    "zero-or-one": "zeroOrOne",
    "zero-or-many": "zeroOrMany",
    "one-or-many": "oneOrMany",
}
"""The crow's foot of each cardinality (keys of `MARKERS`)."""


def marker_named(name: str | None) -> Marker:
    """The marker by name; no marker for None and for unknown names."""
    return MARKERS.get(name or "none", MARKERS["none"])
