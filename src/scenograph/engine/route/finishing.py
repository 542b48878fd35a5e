"""End labels: roles and multiplicities beside the route, near the outline at its end. px.

In: the scene, its sizes and placement, and finished routes. Out: the same routes with a box for every end label. A
label stands on the side of its route, and as near to the end, as the free room allows. (UML 2.5.1, 11.5.4)
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from math import dist, hypot
from typing import NamedTuple

from scenograph.engine.geometry.boxes import Box, Point, between, maker, text_ground, union
from scenograph.engine.geometry.paths import (
    Close,
    Cubic,
    Line,
    Move,
    Path,
    Quadratic,
    Segment,
    clipped,
    crisp,
    crosses,
    flatten,
    offset_of,
    quadratic,
)
from scenograph.engine.geometry.spatial_index import Bounds, SpatialIndex, bounds_of
from scenograph.engine.kernels.cell_grid import BoxSides
from scenograph.engine.kernels.straight_lines import PARALLEL, PlacedLine, crossed_places, rounded, sharpened
from scenograph.engine.markers import MARKERS, REFERENCE_STROKE, Marker, marker_named
from scenograph.engine.tables import (
    FROM,
    NO_PARTS,
    TO,
    DrawnRoute,
    FinishedStyle,
    Jump,
    Placement,
    Routes,
    Size,
    Sizes,
    Styles,
    Tip,
)
from scenograph.late_dataclasses import dataclass
from scenograph.scene.memo import MadeOf
from scenograph.scene.model import Edge, Scene

# A line with a gap for its label: readable on any ground, without painting over anything. px.


_TOUCH = 1e-9  # a share of a segment that only touches the box


def outside(path: Path, box: Box) -> Path:
    """The parts of an open path outside `box`. The rest of a curve that reaches into the box becomes chords."""
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
    """Whether the hull of a segment's points meets the bounds; a curve stays within its hull."""
    left, top, right, bottom = bounds
    if isinstance(segment, Line):
        (ax, ay), (bx, by) = start, segment.to
        apart = (ax > right and bx > right) or (ax < left and bx < left)
        return not (apart or (ay > bottom and by > bottom) or (ay < top and by < top))
    xs, ys = zip(start, *segment, strict=True)
    return min(xs) <= right and max(xs) >= left and min(ys) <= bottom and max(ys) >= top


def _pieces_outside(start: Point, segment: Segment, bounds: Bounds) -> list[tuple[Point, Point]]:
    """The straight pieces of a segment outside the bounds."""
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


# The line of an edge: from a route to a path that stops before its markers and turns with round corners. px.


CORNER_RADIUS = 6.0  # px; of the corners of an orthogonal line
_SAME = 0.01  # points closer than this are equal
_STRAIGHT = 1e-6  # the sine of a bend that is none
_CURVE_STEPS = 40  # halvings of a Bezier parameter
_KEPT_SHARE = 0.2  # of a line shorter than its markers


class Insets(NamedTuple):
    """The lengths, px, cut off a path at start and end."""

    start: float = 0.0
    end: float = 0.0

    def within(self, length: float) -> Insets:
        """The insets, scaled down when the path would vanish."""
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
    """The polyline, shortened by `insets`, with corners of at most `radius` px: less on short segments."""
    if len(points) < 2:
        return ()
    fitting = insets.within(math.fsum(map(math.dist, points, points[1:])))
    cut = _without_start(_without_start(points, fitting.start)[::-1], fitting.end)[::-1]
    spans = list(map(math.dist, cut, cut[1:]))
    segments: list[Segment] = [Move(cut[0])]
    pen, last = cut[0], len(cut) - 2
    for i, corner in enumerate(cut[1:-1]):
        # An end segment gives room to one corner, an inner segment to two.
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
    """A quadratic curve (start, control, end), shortened by `insets`; each tip points along the chord covered by its
    marker."""
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
    """A polyline without the first `length` px (less than the whole)."""
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
    """The parameter of the curve point at a straight distance of `distance` px from the start."""
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


# The meeting of a route with the drawn outlines: its segments on sharp lines, its ends on the rims. px. Outlines are
# moved to sharp lines and have a width; without this step an arrow would end half a pixel inside its box or poke
# through its border. A node of only icon and label has no visible border: lines go on to the visible parts.


_point = maker(Point)
_SHORTEST = 3.0  # an end segment shorter than this is left alone

CONTENT_GAP = 4.0
"""Between the end of a line and an icon or a label that stands without a box, px."""


def _on_sharp_lines(points: Sequence[Point], stroke_width: float) -> tuple[Point, ...]:
    """The polyline with its horizontal and vertical segments on sharp coordinates; slanted segments follow."""
    return tuple(map(_point, sharpened(tuple(points), offset_of(stroke_width))))


@dataclass(frozen=True, slots=True)
class _Rims:
    """The rims of placed elements: outlines with the strokes drawn round them."""

    styles: Styles
    placement: Placement

    def at(self, element_id: str, end: Point, before: Point, *, marked: bool) -> Point:
        """The end of an edge that comes from `before`: on the middle of the element's drawn outline, or on the outer
        rim under a marker."""
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


def _bare_content(rims: _Rims, element_id: str) -> tuple[Box, ...]:
    """Icon and label of an element drawn without box and stroke; empty for other elements."""
    parts, style = rims.placement.parts.get(element_id, NO_PARTS), rims.styles.of.get(element_id)
    if "icon" not in parts or rims.placement.is_table(element_id) or style is None or style.fill.alpha > 0:
        return ()
    return tuple(parts[name].grown(CONTENT_GAP) for name in ("icon", "label") if name in parts)


def _outside(content: Sequence[Box], end: Point, before: Point) -> Point:
    """An end on an icon or label that sticks out of its box, drawn back to the border of the part."""
    back, at = direction(end, before), end
    for part in (*content, *content):  # drawn back from a label it may lie on the icon above
        if part.x < at.x < part.right and part.y < at.y < part.bottom:
            away = _exit(part, at, back)
            at = Point(at.x + away * back.x, at.y + away * back.y)
    return at if math.dist(at, end) < math.dist(end, before) else end


def _exit(box: Box, start: Point, way: Point) -> float:
    """The distance in px from `start`, inside a box, along the unit vector `way` to the border."""
    sides = ((start.x, way.x, box.x, box.right), (start.y, way.y, box.y, box.bottom))
    return min(((high if step > 0 else low) - at) / step for at, step, low, high in sides if abs(step) >= PARALLEL)


def _at_content(content: Sequence[Box], box: Box, end: Point, arriving: Point) -> Point:
    """The contact of a route that continues from `end` with the content of an invisible box: the first part hit, else
    the level of both; `end` itself when the box would be left first."""
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


# Line jumps at crossings. px. In: finished lines in paint order, each with its wished jump. Out: at every crossing the
# upper line decides: `none` draws both through; with `arc` the upper line hops over the lower; with `gap` the lower
# line is interrupted. A jump needs a straight stretch: too near to a corner or an end, both lines are drawn through.


ARC, GAP = "arc", "gap"
RADIUS = 5.0  # of a hop
HALF_GAP = 4.0  # beside the stroke of the upper line
KEPT = 1.0  # of the straight stretch on both sides of a jump
_HOP = 4 / 3  # the height of a cubic's control points over the height of its curve
_PARALLEL = 1e-9  # of the cross product; such lines have no crossing


class _Crosser(NamedTuple):
    """One route in paint order: corners, stroke width and requested jump."""

    points: Sequence[Point]
    width: float
    asks: str


class _LineStretch(NamedTuple):
    owner: int
    a: Point
    b: Point


def _jumps_of(lines: Sequence[_Crosser]) -> list[tuple[Jump, ...]]:
    """The jumps of every line."""
    found: list[list[Jump]] = [[] for _ in lines]
    for upper, lower, at in _crossings(lines):
        asks = lines[upper.owner].asks
        jumper, half = (upper, RADIUS) if asks == ARC else (lower, HALF_GAP + lines[upper.owner].width / 2)
        if min(dist(jumper.a, at), dist(jumper.b, at)) >= half + KEPT:
            found[jumper.owner].append(Jump(asks, at, _direction(jumper), half))
    return [tuple(_merged(row)) for row in found]


def jumping(path: Path, jumps: Sequence[Jump]) -> Path:
    """The path with hops and gaps inserted."""
    for jump in jumps:
        if jump.kind == GAP:
            x, y, half = *jump.at, jump.half
            path = outside(path, Box(x - half, y - half, 2 * half, 2 * half))
        else:
            path = tuple(_hopped(path, jump))
    return path


def _crossings(lines: Sequence[_Crosser]) -> Iterator[tuple[_LineStretch, _LineStretch, Point]]:
    """The crossings of an upper route with jumps and a lower route."""
    below, stretches = SpatialIndex(), list[_LineStretch]()
    for number, line in enumerate(lines):
        own = [_LineStretch(number, a, b) for a, b in pairwise(line.points) if a != b]
        for stretch in own if line.asks in (ARC, GAP) else ():
            for other in below.near(*_bounds(stretch)):
                at = _crossing(stretch, stretches[other])
                if at is not None:
                    yield stretch, stretches[other], at
        for stretch in own:
            below.add(_bounds(stretch))
            stretches.append(stretch)


def _crossing(one: _LineStretch, other: _LineStretch) -> Point | None:
    """The crossing of two segments; None for a mere touch."""
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = one.a, one.b, other.a, other.b
    across = (bx - ax) * (dy - cy) - (by - ay) * (dx - cx)
    if abs(across) < _PARALLEL:
        return None
    share = ((cx - ax) * (dy - cy) - (cy - ay) * (dx - cx)) / across
    other_share = ((cx - ax) * (by - ay) - (cy - ay) * (bx - ax)) / across
    if not (0.0 < share < 1.0 and 0.0 < other_share < 1.0):
        return None
    return Point(ax + share * (bx - ax), ay + share * (by - ay))


def _bounds(stretch: _LineStretch) -> Bounds:
    (ax, ay), (bx, by) = stretch.a, stretch.b
    return Bounds(min(ax, bx), min(ay, by), max(ax, bx), max(ay, by))


def _direction(stretch: _LineStretch) -> Point:
    length = dist(stretch.a, stretch.b)
    return Point((stretch.b.x - stretch.a.x) / length, (stretch.b.y - stretch.a.y) / length)


def _merged(jumps: Sequence[Jump]) -> Iterator[Jump]:
    """The jumps, with hops over close parallel routes merged."""
    waiting: Jump | None = None
    for jump in sorted(jumps, key=lambda one: (one.kind, one.direction, _along(one.at, one.direction))):
        if waiting is None or not _meets(waiting, jump):
            if waiting is not None:
                yield waiting
            waiting = jump
            continue
        reach = dist(waiting.at, jump.at)
        begin, end = -waiting.half, max(waiting.half, reach + jump.half)
        middle = (begin + end) / 2
        at = Point(waiting.at.x + middle * jump.direction.x, waiting.at.y + middle * jump.direction.y)
        waiting = waiting._replace(at=at, half=(end - begin) / 2)
    if waiting is not None:
        yield waiting


def _meets(one: Jump, other: Jump) -> bool:
    apart = dist(one.at, other.at)
    in_line = abs((other.at.x - one.at.x) * one.direction.y - (other.at.y - one.at.y) * one.direction.x) < KEPT
    return (
        one.kind == other.kind == ARC
        and one.direction == other.direction
        and in_line
        and (apart < one.half + other.half + KEPT)
    )


def _along(point: Point, direction: Point) -> float:
    return point.x * direction.x + point.y * direction.y


def _hopped(path: Path, jump: Jump) -> Iterator[Segment]:
    pen = Point(0.0, 0.0)
    for segment in path:
        if isinstance(segment, Line) and _holds(pen, segment.to, jump):
            yield from _hop(pen, segment.to, jump)
        else:
            yield segment
        if not isinstance(segment, Close):
            pen = segment.to


def _holds(a: Point, b: Point, jump: Jump) -> bool:
    """Whether a straight piece has room for the hop."""
    length = dist(a, b)
    begin, end = sorted((_along(a, jump.direction), _along(b, jump.direction)))
    at = _along(jump.at, jump.direction)
    off = abs((jump.at.x - a.x) * jump.direction.y - (jump.at.y - a.y) * jump.direction.x)
    is_parallel = abs((b.x - a.x) * jump.direction.y - (b.y - a.y) * jump.direction.x) < KEPT
    return length > 0 and is_parallel and off < KEPT and begin <= at - jump.half and at + jump.half <= end


def _hop(a: Point, b: Point, jump: Jump) -> Iterator[Segment]:
    way = _direction(_LineStretch(0, a, b))
    enter = Point(jump.at.x - way.x * jump.half, jump.at.y - way.y * jump.half)
    leave = Point(jump.at.x + way.x * jump.half, jump.at.y + way.y * jump.half)
    up = _hop_side(way)
    dx, dy = up.x * RADIUS * _HOP, up.y * RADIUS * _HOP
    yield Line(enter)
    yield Cubic(Point(enter.x + dx, enter.y + dy), Point(leave.x + dx, leave.y + dy), leave)
    yield Line(b)


def _hop_side(way: Point) -> Point:
    """The side of a hop: up, or right for an upright segment."""
    side = Point(way.y, -way.x)
    is_upright = abs(way.y) > abs(way.x)
    return Point(-side.x, -side.y) if (side.x < 0 if is_upright else side.y > 0) else side


# The last step of routing: every line as the pen draws it. In: routes from outline to outline, with styles and
# placement. Out: the same routes with their corners on sharp lines and their ends on the rims that are really
# drawn; the path of the pen, which stops before markers, turns with round corners, and leaves gaps for texts; and
# the tips where markers stand. Nothing about a line is decided after this. px.


CURVED = "curved"
NONE = "none"
_TITLE_RIM = 1.0  # px; a line within it only touches a title
CACHED_LINES = 2048  # pen lines of the latest pictures: most lines of a scene stay as they were from edit to edit
ROUNDED: Mapping[str, float] = {"orthogonal": CORNER_RADIUS}
"""The radius of corners by router; all remaining routers turn sharply."""


def finish_lines(
    scene: Scene, styles: Styles, placement: Placement, routes: Routes, former: Collection[str] = ()
) -> Routes:
    """The finished form of every route; `former` routes end on rims already."""
    edges = {element.id: element for element in scene.edges}
    containers = [element.id for element in scene.containers]
    titles = [title for name in containers if (title := placement.part(name, "title")) is not None]
    rims = _Rims(styles, placement)
    attached = {
        name: route if name in former else _attached(edges[name], route, rims) for name, route in routes.items()
    }
    crossed = _titles_crossed(titles, attached.values())
    finisher = _Finisher(rims, edges, crossed, SpatialIndex([bounds_of(title) for title in crossed]))
    counts = Counter(route.points[-1] for route in attached.values() if route.points)
    meeting = frozenset(point for point, count in counts.items() if count > 1)
    jumps = _jumps(attached, edges, styles)
    return {name: finisher.drawn(name, route, meeting, jumps.get(name, ())) for name, route in attached.items()}


def _jumps(routes: Routes, edges: Mapping[str, Edge], styles: Styles) -> dict[str, tuple[Jump, ...]]:
    """The jumps of every route, by id: later elements and higher z-indexes are drawn over earlier ones."""
    order = {name: place for place, name in enumerate(edges)}
    asks = {name: style.line_jumps for name in routes if (style := styles.of.get(name)) is not None}
    if all(asked == NONE for asked in asks.values()):
        return {}
    names = sorted(asks, key=lambda name: (edges[name].z_index, order[name]))
    lines = [
        _Crosser(() if routes[name].router == CURVED else routes[name].points, styles.of[name].stroke_width, asks[name])
        for name in names
    ]
    return dict(zip(names, _jumps_of(lines), strict=True))


def _titles_crossed(titles: Sequence[Box], routes: Iterable[DrawnRoute]) -> list[Box]:
    """The titles under routes without a way past."""
    inner: list[BoxSides] = [*map(_inner, titles)]
    owners = [*range(len(inner))]
    lines: list[PlacedLine] = [(len(inner), _drawn(route)) for route in routes if route.points]
    crossed = crossed_places(inner, owners, lines)
    return [title for title, is_crossed in zip(titles, crossed, strict=True) if is_crossed]


def _inner(title: Box) -> Bounds:
    """A title without its rim."""
    return bounds_of(title.grown(-_TITLE_RIM))


def _rounded_box(box: Box) -> Box:
    corner, size = rounded((box[:2], box[2:]))
    return Box(*corner, *size)


def _attached(edge: Edge, route: DrawnRoute, rims: _Rims) -> DrawnRoute:
    """The route with corners on sharp coordinates and ends on rims, rounded to the stored precision: a scene redrawn
    from its stored places is identical to the last digit."""
    style = rims.styles.of.get(edge.id)
    points, label = route.points, route.label
    if len(points) > 1 and style is not None:
        if route.router != CURVED:
            points = _on_sharp_lines(points, style.stroke_width)
        marked_start, marked_end = [marker.length > 0 for marker in _markers(edge)]
        start = rims.at(edge.source.element_id, points[0], points[1], marked=marked_start)
        end = rims.at(edge.target.element_id, points[-1], points[-2], marked=marked_end)
        points = start, *points[1:-1], end
    return DrawnRoute(
        points=tuple(map(_point, rounded(points))),
        router=route.router,
        label=None if label is None else _rounded_box(label),
        lack=route.lack,
    )


@dataclass(frozen=True, slots=True)
class _Finisher:
    """The rims and edges of a scene, and the titles of its containers under routes."""

    rims: _Rims
    edges: Mapping[str, Edge]
    titles: Sequence[Box]
    near: SpatialIndex

    def drawn(self, name: str, route: DrawnRoute, meeting: frozenset[Point], jumps: tuple[Jump, ...]) -> DrawnRoute:
        """The route with its pen path, jumps and tips. An unchanged route, with all its inputs, comes from the
        cache."""
        edge, style = self.edges[name], self.rims.styles.of.get(name)
        if not route.points or style is None:
            return route
        boxes, part = self.rims.placement.boxes, self.rims.placement.part
        ends = tuple([(boxes.get(end), part(end, "label")) for end in edge.ends])
        meets, titles = route.points[-1] in meeting, self._crossed(route) if self.titles else ()
        line = _PenLine(edge, style, route.router, route.label, ends, meets=meets, jumps=jumps, titles=titles)
        found = _FINISHED.get(route.points, line) or _FINISHED.put(route.points, line, _finished(route, line))
        return found._replace(lack=route.lack) if route.lack else found

    def _crossed(self, route: DrawnRoute) -> tuple[Box, ...]:
        """The titles under a route."""
        found: dict[int, None] = {}
        for a, b in pairwise(_drawn(route)):
            near = self.near.near(*_around(a, b))
            found.update((number, None) for number in near if crosses(a, b, _inner(self.titles[number])))
        return tuple([self.titles[number] for number in sorted(found)])


class _PenLine(NamedTuple):
    """All inputs of a pen path besides the corners: box and label of both ends, whether other routes share the last
    point, and the crossed titles."""

    edge: Edge
    style: FinishedStyle
    router: str
    label: Box | None
    ends: tuple[tuple[Box | None, Box | None], ...]
    meets: bool
    jumps: tuple[Jump, ...]
    titles: tuple[Box, ...]


def _finished(route: DrawnRoute, line: _PenLine) -> DrawnRoute:
    start, end = _markers(line.edge)
    insets = Insets(start.inset_at(line.style.stroke_width), end.inset_at(line.style.stroke_width))
    # Dashes begin at the meeting point of lines: on the shared part all gaps coincide.
    is_backward = bool(line.style.dash) and line.meets
    points = route.points[::-1] if is_backward else route.points
    given = Insets(insets.end, insets.start) if is_backward else insets
    path, ends = _pen_line(points, route.router, given, _gaps(line, route.points))
    return DrawnRoute(
        points=route.points,
        router=route.router,
        label=route.label,
        line=jumping(path, line.jumps),
        tips=(ends[1], ends[0]) if is_backward else ends,
        jumps=line.jumps,
    )


def _gaps(line: _PenLine, points: Sequence[Point]) -> tuple[Box, ...]:
    """The gaps of a route: behind its own label (a requested label plate covers the whole route), behind the titles of
    frames, and behind the labels below its ends, where the gap begins below the text."""
    found = [text_ground(title) for title in line.titles]
    if line.label is not None and line.style.label_background.alpha <= 0:
        found.append(text_ground(line.label))
    for (box, label), end, inwards in zip(line.ends, (points[0], points[-1]), (points[1], points[-2]), strict=True):
        if box is not None and label is not None and label.y >= box.y + box.height:
            ground = text_ground(label)
            below = ground.bottom - label.bottom
            # A round outline lies above the bottom of its box beside the middle.
            top = min(end.y, box.bottom) if inwards.x == end.x and inwards.y > end.y else box.bottom
            found.append(Box(ground.x, top, ground.width, ground.bottom + below - top))
    return tuple(found)


def _markers(edge: Edge) -> tuple[Marker, Marker]:
    return marker_named(edge.start_arrow), marker_named(edge.end_arrow)


@lru_cache(maxsize=CACHED_LINES)
def _pen_line(
    points: tuple[Point, ...], router: str, insets: Insets, gaps: tuple[Box, ...]
) -> tuple[Path, tuple[Tip, Tip]]:
    """The pen path without the gaps, and the tips of both ends; cached for the latest routes."""
    if router == CURVED and len(points) == 3:
        path, *ends = curve_path(points, insets)
    else:
        corners = tidy(points)
        path, ends = polyline_path(corners, insets, ROUNDED.get(router, 0.0)), tips(corners)
    for gap in gaps:
        path = outside(path, gap)
    return path, (ends[0], ends[1])


_FINISHED: MadeOf[DrawnRoute] = MadeOf(CACHED_LINES)


# Labels at the ends of edges: roles and multiplicities beside the line, near the outline at its end. px. In: the scene,
# its sizes and placement, and finished routes. Out: the same routes with a box for every end label. An end label stands
# on its side of the line, as near to the end as elements already placed allow. (UML 2.5.1, 11.5.4)


_BESIDE = 5.0  # between the line and the text
_CLEAR_OF_MARKER = 7.0  # half of the widest marker
_ALONG = (5.0, 12.0, 22.0, 36.0, 54.0)  # from the outline to the text
_COVERS, _COVERS_LINE, _COVERS_BORDER = 1000.0, 60.0, 25.0  # price of each box or label covered, of a line, of a border
_SECOND_SIDE = 1.0  # price of the less usual side
_CURVED = "curved"


class _Arrival(NamedTuple):
    """An end of a route: the point on the outline, the unit vector back along the route, the size of the end label, and
    the length of the marker."""

    at: Point
    away: Point
    size: Size
    marker: float


def with_end_labels(scene: Scene, sizes: Sizes, placement: Placement, routes: Routes) -> Routes:
    """The routes with the places of their end labels, in the order of the document."""
    edges = [edge for edge in scene.edges if edge.id in routes and _texts(sizes, edge)]
    if not edges:
        return routes
    desk, found = _EndLabelDesk(scene, placement, routes), dict(routes)
    for edge in edges:
        route, size = routes[edge.id], sizes[edge.id]
        boxes = tuple(desk.place(end) if end is not None else None for end in _ends(edge, route, size))
        found[edge.id] = route._replace(end_labels=(boxes[0], boxes[1]))
    return found


def _texts(sizes: Sizes, edge: Edge) -> bool:
    return edge.id in sizes and bool(sizes[edge.id].texts)


def _ends(edge: Edge, route: DrawnRoute, size: Size) -> Iterator[_Arrival | None]:
    points = _drawn(route)
    rows = ((FROM, points, edge.start_arrow), (TO, points[::-1], edge.end_arrow))
    for name, chain, arrow in rows:
        block = size.texts.get(name)
        ahead = next((point for point in chain if point != chain[0]), None) if chain else None
        if block is None or ahead is None:
            yield None
            continue
        span = hypot(ahead.x - chain[0].x, ahead.y - chain[0].y)
        away = Point((ahead.x - chain[0].x) / span, (ahead.y - chain[0].y) / span)
        marker = MARKERS[arrow or "none"].length_at(REFERENCE_STROKE) if (arrow or "none") in MARKERS else 0.0
        yield _Arrival(chain[0], away, Size(width=block.width, height=block.height), marker)


def _drawn(route: DrawnRoute) -> tuple[Point, ...]:
    points = route.points
    return tuple(quadratic(points[0], points[1], points[2])) if route.router == _CURVED and len(points) == 3 else points


class _EndLabelDesk:
    """The boxes, texts and routes already on the page."""

    def __init__(self, scene: Scene, placement: Placement, routes: Routes) -> None:
        containers = {element.id for element in scene.containers}
        self.taken = SpatialIndex(_solid(placement, routes, containers))
        self.borders = SpatialIndex(bounds_of(box) for name, box in placement.boxes.items() if name in containers)
        self.chords = [chord for route in routes.values() for chord in pairwise(_drawn(route))]
        self.lines = SpatialIndex(_around(*chord) for chord in self.chords)

    def place(self, end: _Arrival) -> Box:
        """The cheapest place for a label, kept free from now on."""
        best = min(_spots(end), key=lambda spot: spot[1] + self._price(spot[0]))[0]
        self.taken.add(bounds_of(best))
        return best

    def _price(self, box: Box) -> float:
        mine = bounds_of(box.grown(1.0))
        price = _COVERS * len(self.taken.near(*mine))
        for number in self.lines.near(*mine):
            price += _COVERS_LINE * crosses(*self.chords[number], mine)
        for number in self.borders.near(*mine):
            around = self.borders.bounds[number]
            inside = around.left <= mine.left and around.top <= mine.top
            price += 0.0 if inside and around.right >= mine.right and around.bottom >= mine.bottom else _COVERS_BORDER
        return price


def _solid(placement: Placement, routes: Routes, containers: set[str]) -> Iterator[Bounds]:
    for name, box in placement.boxes.items():
        if name not in containers:
            yield bounds_of(box)
        for part, inner in placement.parts.get(name, {}).items():
            if name in containers or part == "label":
                yield bounds_of(inner)
    for route in routes.values():
        if route.label is not None:
            yield bounds_of(route.label)


def _around(a: Point, b: Point) -> Bounds:
    return Bounds(min(a.x, b.x), min(a.y, b.y), max(a.x, b.x), max(a.y, b.y))


def _spots(end: _Arrival) -> Iterator[tuple[Box, float]]:
    """The candidate boxes, each with a base price: along the route on both sides, right or above first."""
    width, height = end.size.width, end.size.height
    across = Point(-end.away.y, end.away.x)
    if across.x < 0 or (across.x == 0 and across.y > 0):
        across = Point(-across.x, -across.y)
    reach = (abs(across.x) * width + abs(across.y) * height) / 2
    depth = (abs(end.away.x) * width + abs(end.away.y) * height) / 2
    for along in _ALONG:
        beside = reach + (_CLEAR_OF_MARKER if along < end.marker else _BESIDE)
        for price, side in ((0.0, beside), (_SECOND_SIDE, -beside)):
            x = end.at.x + end.away.x * (along + depth) + across.x * side
            y = end.at.y + end.away.y * (along + depth) + across.y * side
            yield Box(x - width / 2, y - height / 2, width, height), price + along / 2
