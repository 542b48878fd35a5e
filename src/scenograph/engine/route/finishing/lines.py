"""The line of an edge: from a route to a path that stops before its markers and turns with round corners. px."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from scenograph.engine.geometry.boxes import Point, between
from scenograph.engine.geometry.paths import Line, Move, Path, Quadratic, Segment
from scenograph.engine.tables import Tip

CORNER_RADIUS = 6.0  # px; of the corners of an orthogonal line
_SAME = 0.01  # points closer than this are one point
_STRAIGHT = 1e-6  # the sine of a bend that is none
_CURVE_STEPS = 40  # halvings of a Bezier parameter
_KEPT_SHARE = 0.2  # of a line that is shorter than its markers


class Insets(NamedTuple):
    """How much shorter a line is drawn at its start and at its end."""

    start: float = 0.0
    end: float = 0.0

    def within(self, length: float) -> Insets:
        """The insets, scaled down where they would leave nothing of a line."""
        total, room = self.start + self.end, length * (1 - _KEPT_SHARE)
        return self if total <= room or not total else Insets(self.start * room / total, self.end * room / total)


def tidy(points: Sequence[Point]) -> tuple[Point, ...]:
    """The same polyline without repeated points and without corners that do not turn."""
    kept: list[Point] = []
    for point in points:
        if kept and math.dist(kept[-1], point) < _SAME:
            continue
        if len(kept) > 1 and _goes_on(kept[-2], kept[-1], point):
            kept.pop()
        kept.append(point)
    return tuple(kept)


def tips(points: Sequence[Point]) -> tuple[Tip, Tip]:
    """Both ends of a polyline."""
    if len(points) < 2:
        return Tip(points[0], Point(0.0, 0.0)), Tip(points[0], Point(0.0, 0.0))
    return Tip(points[0], direction(points[1], points[0])), Tip(points[-1], direction(points[-2], points[-1]))


def direction(start: Point, end: Point) -> Point:
    """The unit vector from `start` to `end`."""
    length = math.dist(start, end)
    return Point((end.x - start.x) / length, (end.y - start.y) / length) if length else Point(0.0, 0.0)


def polyline_path(points: Sequence[Point], insets: Insets, radius: float) -> Path:
    """The polyline, shortened by `insets`, with corners of at most `radius`: less where a segment is short."""
    if len(points) < 2:
        return ()
    fitting = insets.within(math.fsum(map(math.dist, points, points[1:])))
    cut = _without_start(_without_start(points, fitting.start)[::-1], fitting.end)[::-1]
    spans = list(map(math.dist, cut, cut[1:]))
    segments: list[Segment] = [Move(cut[0])]
    pen, last = cut[0], len(cut) - 2
    for i, corner in enumerate(cut[1:-1]):
        # An end segment has one corner to give room to, an inner one two.
        room_before = spans[i] if i == 0 else spans[i] / 2
        room_after = spans[i + 1] if i + 1 == last else spans[i + 1] / 2
        r = min(radius, room_before, room_after)
        begin = corner if r < _SAME else between(corner, cut[i], r / spans[i])
        if math.dist(pen, begin) >= _SAME:
            segments.append(Line(begin))
            pen = begin
        if r >= _SAME:
            pen = between(corner, cut[i + 2], r / spans[i + 1])
            segments.append(Quadratic(corner, pen))
    if math.dist(pen, cut[-1]) >= _SAME:
        segments.append(Line(cut[-1]))
    return tuple(segments)


def curve_path(curve: Sequence[Point], insets: Insets) -> tuple[Path, Tip, Tip]:
    """A quadratic curve (start, control, end), shortened by `insets`; its tips point along the chord that a marker of
    that length covers."""
    start, control, end = curve
    fitting = insets.within(math.dist(start, control) + math.dist(control, end))
    first = _parameter_at(curve, fitting.start)
    last = 1 - _parameter_at((end, control, start), fitting.end)
    a, b = _on_curve(curve, first), _on_curve(curve, last)
    # The control point of the part from `first` to `last` (blossom of the curve).
    middle = between(between(start, control, first), between(control, end, first), last)
    return (
        (Move(a), Quadratic(middle, b)),
        Tip(start, direction(a if first else control, start)),
        Tip(end, direction(b if last < 1 else control, end)),
    )


def _goes_on(a: Point, b: Point, c: Point) -> bool:
    if (a.x == b.x and b.y == c.y) or (a.y == b.y and b.x == c.x):
        return False  # a right angle, as most corners are
    one, two = direction(a, b), direction(b, c)
    turn, ahead = one.x * two.y - one.y * two.x, one.x * two.x + one.y * two.y
    return abs(turn) < _STRAIGHT and ahead > 0


def _without_start(points: Sequence[Point], length: float) -> tuple[Point, ...]:
    """A polyline without its first `length` px, which are less than the whole."""
    if length == 0.0 and points[0] != points[1]:
        return tuple(points)
    left = length
    for i, (a, b) in enumerate(pairwise(points)):
        step = math.dist(a, b)
        if left < step:
            return (_towards(a, b, left), *points[i + 1 :])
        left -= step
    return tuple(points[-2:])


def _parameter_at(curve: Sequence[Point], distance: float) -> float:
    """The parameter at which the curve has gone `distance` px (as the crow flies) from its start."""
    if distance <= 0:
        return 0.0
    low, high = 0.0, 1.0
    for _ in range(_CURVE_STEPS):
        middle = (low + high) / 2
        if math.dist(curve[0], _on_curve(curve, middle)) < distance:
            low = middle
        else:
            high = middle
    return low


def _on_curve(curve: Sequence[Point], t: float) -> Point:
    start, control, end = curve
    return between(between(start, control, t), between(control, end, t), t)


def _towards(start: Point, end: Point, distance: float) -> Point:
    length = math.dist(start, end)
    return between(start, end, distance / length) if length else start
