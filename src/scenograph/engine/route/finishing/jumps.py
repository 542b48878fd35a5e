"""Line jumps: what is drawn where two lines cross. px.

In: finished lines in paint order, each with what it asks for. Out: at every crossing the upper line decides: `none`
draws both through; with `arc` it hops over the lower one; with `gap` the lower one is interrupted beneath it. A jump
needs a straight stretch: where a corner or an end is too near, both lines are drawn through.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import dist
from typing import NamedTuple

from scenograph.engine.geometry.boxes import Box, Point
from scenograph.engine.geometry.paths import Close, Cubic, Line, Path, Segment
from scenograph.engine.geometry.spatial_index import Bounds, SpatialIndex
from scenograph.engine.route.finishing.lines import outside
from scenograph.engine.tables import Jump

ARC, GAP = "arc", "gap"
RADIUS = 5.0  # of a hop
HALF_GAP = 4.0  # beside the stroke of the upper line
KEPT = 1.0  # of the straight stretch on both sides of a jump
_HOP = 4 / 3  # the height of a cubic's control points over the height of its curve
_PARALLEL = 1e-9  # of the cross product; such lines have no crossing


class Crosser(NamedTuple):
    """One line in paint order: its corners, the width of its stroke and the jumps that it asks for."""

    points: Sequence[Point]
    width: float
    asks: str


class _Stretch(NamedTuple):
    owner: int
    a: Point
    b: Point


def jumps_of(lines: Sequence[Crosser]) -> list[tuple[Jump, ...]]:
    """The jumps of every line."""
    found: list[list[Jump]] = [[] for _ in lines]
    for upper, lower, at in _crossings(lines):
        asks = lines[upper.owner].asks
        jumper, half = (upper, RADIUS) if asks == ARC else (lower, HALF_GAP + lines[upper.owner].width / 2)
        if min(dist(jumper.a, at), dist(jumper.b, at)) >= half + KEPT:
            found[jumper.owner].append(Jump(asks, at, _direction(jumper), half))
    return [tuple(_merged(row)) for row in found]


def jumping(path: Path, jumps: Sequence[Jump]) -> Path:
    """The path with its jumps."""
    for jump in jumps:
        if jump.kind == GAP:
            x, y, half = *jump.at, jump.half
            path = outside(path, Box(x - half, y - half, 2 * half, 2 * half))
        else:
            path = tuple(_hopped(path, jump))
    return path


def _crossings(lines: Sequence[Crosser]) -> Iterator[tuple[_Stretch, _Stretch, Point]]:
    """Where an upper line that asks for jumps crosses a lower one."""
    below, stretches = SpatialIndex(), list[_Stretch]()
    for number, line in enumerate(lines):
        own = [_Stretch(number, a, b) for a, b in pairwise(line.points) if a != b]
        for stretch in own if line.asks in (ARC, GAP) else ():
            for other in below.near(*_bounds(stretch)):
                at = _crossing(stretch, stretches[other])
                if at is not None:
                    yield stretch, stretches[other], at
        for stretch in own:
            below.add(_bounds(stretch))
            stretches.append(stretch)


def _crossing(one: _Stretch, other: _Stretch) -> Point | None:
    """The place where two stretches cross, not where one only touches the other."""
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = one.a, one.b, other.a, other.b
    across = (bx - ax) * (dy - cy) - (by - ay) * (dx - cx)
    if abs(across) < _PARALLEL:
        return None
    share = ((cx - ax) * (dy - cy) - (cy - ay) * (dx - cx)) / across
    other_share = ((cx - ax) * (by - ay) - (cy - ay) * (bx - ax)) / across
    if not (0.0 < share < 1.0 and 0.0 < other_share < 1.0):
        return None
    return Point(ax + share * (bx - ax), ay + share * (by - ay))


def _bounds(stretch: _Stretch) -> Bounds:
    (ax, ay), (bx, by) = stretch.a, stretch.b
    return Bounds(min(ax, bx), min(ay, by), max(ax, bx), max(ay, by))


def _direction(stretch: _Stretch) -> Point:
    length = dist(stretch.a, stretch.b)
    return Point((stretch.b.x - stretch.a.x) / length, (stretch.b.y - stretch.a.y) / length)


def _merged(jumps: Sequence[Jump]) -> Iterator[Jump]:
    """Hops over lines that lie close beside each other become one."""
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
    way = _direction(_Stretch(0, a, b))
    enter = Point(jump.at.x - way.x * jump.half, jump.at.y - way.y * jump.half)
    leave = Point(jump.at.x + way.x * jump.half, jump.at.y + way.y * jump.half)
    up = hop_side(way)
    dx, dy = up.x * RADIUS * _HOP, up.y * RADIUS * _HOP
    yield Line(enter)
    yield Cubic(Point(enter.x + dx, enter.y + dy), Point(leave.x + dx, leave.y + dy), leave)
    yield Line(b)


def hop_side(way: Point) -> Point:
    """The side to which a line hops: up, an upright one to the right."""
    side = Point(way.y, -way.x)
    is_upright = abs(way.y) > abs(way.x)
    return Point(-side.x, -side.y) if (side.x < 0 if is_upright else side.y > 0) else side
