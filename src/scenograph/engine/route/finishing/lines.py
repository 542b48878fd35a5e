"""The line of an edge: from a route to a path that stops before its markers and turns with round corners. px."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from scenograph.engine.geometry.boxes import Box, Point, between, maker, union
from scenograph.engine.geometry.paths import Close, Line, Move, Path, Quadratic, Segment, crisp, flatten, offset_of
from scenograph.engine.geometry.segments import clipped
from scenograph.engine.geometry.spatial_index import Bounds, bounds_of
from scenograph.engine.kernels.straight_lines import PARALLEL, sharpened
from scenograph.engine.tables import NO_PARTS, Placement, Styles, Tip
from scenograph.late_dataclasses import dataclass

# A line with a gap where its label stands: readable on any ground, and nothing beneath is painted over. px.


_TOUCH = 1e-9  # a share of a segment that only touches the box


def outside(path: Path, box: Box) -> Path:
    """The parts of an open path that lie outside `box`. Of curves that reach into it the rest becomes chords."""
    bounds = bounds_of(box)
    segments: list[Segment] = []
    at, pen = Point(0.0, 0.0), None
    for segment in path:
        if isinstance(segment, Close):
            continue
        start, at = at, segment.to
        if isinstance(segment, Move):
            continue
        if not _may_reach(start, segment, bounds):
            if start != pen:
                segments.append(Move(start))
            segments.append(segment)
            pen = at
            continue
        for begin, end in _pieces_outside(start, segment, bounds):
            if begin != pen:
                segments.append(Move(begin))
            segments.append(Line(end))
            pen = end
    return tuple(segments)


def _may_reach(start: Point, segment: Segment, bounds: Bounds) -> bool:
    """Whether the box round the points of a segment meets the bounds; a curve stays in that box."""
    left, top, right, bottom = bounds
    if isinstance(segment, Line):
        (ax, ay), (bx, by) = start, segment.to
        apart = (ax > right and bx > right) or (ax < left and bx < left)
        return not (apart or (ay > bottom and by > bottom) or (ay < top and by < top))
    xs, ys = zip(start, *segment, strict=True)
    return min(xs) <= right and max(xs) >= left and min(ys) <= bottom and max(ys) >= top


def _pieces_outside(start: Point, segment: Segment, bounds: Bounds) -> list[tuple[Point, Point]]:
    """The straight pieces of a segment that lie outside."""
    if isinstance(segment, Line):
        return _line_outside(start, segment.to, bounds)
    chords = pairwise(flatten((Move(start), segment))[0])
    return [piece for a, b in chords for piece in _line_outside(a, b, bounds)]


def _line_outside(a: Point, b: Point, bounds: Bounds) -> list[tuple[Point, Point]]:
    inside = clipped(a, b, bounds)
    if inside is None or inside[1] - inside[0] < _TOUCH:
        return [(a, b)]
    enter, leave = inside
    pieces: list[tuple[Point, Point]] = []
    if enter > 0:
        pieces.append((a, between(a, b, enter)))
    if leave < 1:
        pieces.append((between(a, b, leave), b))
    return pieces


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


# How a route meets what is really drawn: its segments on sharp lines, its ends on the rims of the outlines. px.
# Outlines are moved to sharp lines and have a width; without this an arrow would end half a pixel inside its box or
# poke through its border. A node that is nothing but its icon and its label has no border to be seen: lines go on
# to what is.


_point = maker(Point)
_SHORTEST = 3.0  # an end segment shorter than this is left alone

CONTENT_GAP = 4.0
"""Between the end of a line and an icon or a label that stands without a box, px."""


def on_sharp_lines(points: Sequence[Point], stroke_width: float) -> tuple[Point, ...]:
    """The polyline with its horizontal and vertical segments where they are sharp; slanted ones follow."""
    return tuple(map(_point, sharpened(tuple(points), offset_of(stroke_width))))


@dataclass(frozen=True, slots=True)
class Rims:
    """What lines end at: placed elements with the strokes that are drawn round them."""

    styles: Styles
    placement: Placement

    def at(self, element_id: str, end: Point, before: Point, *, marked: bool) -> Point:
        """Where an edge that comes from `before` ends at an element: on the middle of its drawn outline, or, when a
        marker stands there, on the outline's outer rim."""
        box, length = self.placement.boxes.get(element_id), math.dist(end, before)
        if box is None or length < _SHORTEST:
            return end
        width = self.styles.seen_width(element_id)
        (x, y), (left, top, across, down) = end, box
        way_x, way_y = (x - before.x) / length, (y - before.y) / length
        content = _bare_content(self, element_id) if width == 0.0 else ()
        if content:
            return _at_content(content, box, _outside(content, end, before), Point(way_x, way_y))
        dx = _shift(x, left, left + across, width) if abs(way_x) > PARALLEL else 0.0
        dy = _shift(y, top, top + down, width) if abs(way_y) > PARALLEL else 0.0
        back = width / 2 if marked else 0.0
        return Point(x + dx - back * way_x, y + dy - back * way_y)


def _bare_content(rims: Rims, element_id: str) -> tuple[Box, ...]:
    """Icon and label of an element without a stroke that has no box to be seen; nothing of others."""
    parts, style = rims.placement.parts.get(element_id, NO_PARTS), rims.styles.of.get(element_id)
    if "icon" not in parts or rims.placement.is_table(element_id) or style is None or style.fill.alpha > 0:
        return ()
    return tuple(parts[name].grown(CONTENT_GAP) for name in ("icon", "label") if name in parts)


def _outside(content: Sequence[Box], end: Point, before: Point) -> Point:
    """An end that lies on an icon or a label which stands out of its box, drawn back to where that begins."""
    back, at = direction(end, before), end
    for part in (*content, *content):  # drawn back from a label it may lie on the icon above
        if part.x < at.x < part.right and part.y < at.y < part.bottom:
            away = _exit(part, at, back)
            at = Point(at.x + away * back.x, at.y + away * back.y)
    return at if math.dist(at, end) < math.dist(end, before) else end


def _exit(box: Box, start: Point, way: Point) -> float:
    """How many px from `start` inside a box along the unit vector `way` lies its border."""
    sides = ((start.x, way.x, box.x, box.right), (start.y, way.y, box.y, box.bottom))
    return min(((high if step > 0 else low) - at) / step for at, step, low, high in sides if abs(step) >= PARALLEL)


def _at_content(content: Sequence[Box], box: Box, end: Point, arriving: Point) -> Point:
    """Where a line that goes on from `end` meets what is seen in an unseen box: the first part it hits, else the level
    of both; where it was, when it would leave the box first."""
    whole = union(content)
    shares = [share for part in content if (share := _entry(part, end, arriving)) is not None]
    if not shares and whole is not None and (share := _entry(whole, end, arriving)) is not None:
        shares = [share]
    ahead = min(shares, default=0.0)
    return Point(end.x + ahead * arriving.x, end.y + ahead * arriving.y) if ahead < box.width + box.height else end


def _entry(box: Box, start: Point, way: Point) -> float | None:
    """How many px from `start` along the unit vector `way` lies the border of `box`; 0 inside it, None for a miss."""
    first, last = 0.0, math.inf
    for at, step, low, high in ((start.x, way.x, box.x, box.right), (start.y, way.y, box.y, box.bottom)):
        if abs(step) < PARALLEL:
            if not low <= at <= high:
                return None
            continue
        near, far = sorted(((low - at) / step, (high - at) / step))
        first, last = max(first, near), min(last, far)
    return first if first <= last else None


def _shift(coordinate: float, low: float, high: float, width: float) -> float:
    """How far the nearer side of an outline was moved to be sharp."""
    side = low if coordinate - low < high - coordinate else high
    return crisp(side, width) - side
