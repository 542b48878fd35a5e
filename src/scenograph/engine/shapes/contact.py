"""Where an edge meets the outline of a shape. px.

Exact for straight sides; elsewhere within 0.05 px of the drawn outline, which is flattened once a size. Nothing here
fails: when a line misses the outline, the nearest place on it is given.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise

from scenograph.engine.geometry.boxes import Box, Point
from scenograph.engine.geometry.flatten import flatten
from scenograph.engine.shapes.shape import Shape

_CACHED_OUTLINES = 2048
_STRAIGHT_SIDED = frozenset({"rect", "roundedRect", "textBox", "iconBox"})
_EPSILON = 1e-9

Chain = tuple[Point, ...]


def outline_contact(shape: Shape, box: Box, radius: float, outside: Point, inside: Point) -> Point:
    """Where the line from `outside` toward `inside` first meets the outline of `shape` drawn in `box`.

    When the segment does not reach it, the whole line is tried, beginning at `outside`; at last the nearest side.
    """
    start = Point(outside.x - box.x, outside.y - box.y)
    way = Point(inside.x - outside.x, inside.y - outside.y)
    shares = sorted(_crossings(_outline(shape, box.width, box.height, radius), start, way))
    if not shares:
        return _nearest(shape, box, radius, outside)
    share = _first_met(shares)
    return Point(outside.x + share * way.x, outside.y + share * way.y)


def side_contact(shape: Shape, box: Box, radius: float, side: str, coordinate: float) -> Point:
    """Where a line that comes straight in from `side` (top, right, bottom, left) meets the outline; `coordinate` is its
    x for top and bottom, its y for left and right, held within the box."""
    upright = side in ("top", "bottom")
    low, high = (box.x, box.right) if upright else (box.y, box.bottom)
    at = min(max(coordinate, low), high)
    depth = 0.0 if _is_on_straight_side(shape, radius, at - low, high - at) else _depth(shape, box, radius, side, at)
    if side == "top":
        return Point(at, box.y + depth)
    if side == "bottom":
        return Point(at, box.bottom - depth)
    return Point(box.x + depth, at) if side == "left" else Point(box.right - depth, at)


def _first_met(shares: list[float]) -> float:
    """The first crossing between start and end; else the last one behind the start (which then lies within the shape),
    else the first one beyond the end."""
    behind = [share for share in shares if share < -_EPSILON]
    ahead = shares[len(behind) :]
    if ahead and (ahead[0] <= 1 + _EPSILON or not behind):
        return ahead[0]
    return behind[-1]


def _is_on_straight_side(shape: Shape, radius: float, before: float, after: float) -> bool:
    return shape.name in _STRAIGHT_SIDED and min(before, after) >= radius


def _depth(shape: Shape, box: Box, radius: float, side: str, at: float) -> float:
    """How far inside the box's side the outline lies at a coordinate of that side."""
    chain = _outline(shape, box.width, box.height, radius)
    if side in ("top", "bottom"):
        levels = _levels(chain, at - box.x)
        extent = box.height
    else:
        levels = _levels(tuple(Point(y, x) for x, y in chain), at - box.y)
        extent = box.width
    return min(levels) if side in ("top", "left") else extent - max(levels)


def _levels(chain: Chain, coordinate: float) -> list[float]:
    """The y of a chain at an x, which is first held within the chain's own reach."""
    at = min(max(coordinate, min(p.x for p in chain)), max(p.x for p in chain))
    levels: list[float] = []
    for (a, level_a), (b, level_b) in pairwise(chain):
        low, high = (a, b) if a <= b else (b, a)
        if not low - _EPSILON <= at <= high + _EPSILON:
            continue
        if high - low < _EPSILON:
            levels += (level_a, level_b)
        else:
            levels.append(level_a + (at - a) / (b - a) * (level_b - level_a))
    return levels


def _crossings(chain: Chain, start: Point, way: Point) -> Iterator[float]:
    """The shares of `way` after which a line from `start` crosses the chain."""
    for p, q in pairwise(chain):
        ex, ey = q.x - p.x, q.y - p.y
        turn = way.x * ey - way.y * ex
        if abs(turn) < _EPSILON:
            continue
        fx, fy = p.x - start.x, p.y - start.y
        along = (fx * way.y - fy * way.x) / turn
        if -_EPSILON <= along <= 1 + _EPSILON:
            yield (fx * ey - fy * ex) / turn


def _nearest(shape: Shape, box: Box, radius: float, point: Point) -> Point:
    chain = _outline(shape, box.width, box.height, radius)
    place = Point(point.x - box.x, point.y - box.y)
    feet = [_foot(p, q, place) for p, q in pairwise(chain)] or [Point(0.0, 0.0)]
    nearest = min(feet, key=lambda foot: math.dist(foot, place))
    return Point(nearest.x + box.x, nearest.y + box.y)


def _foot(p: Point, q: Point, place: Point) -> Point:
    """The point of a segment nearest to `place`."""
    ex, ey = q.x - p.x, q.y - p.y
    length = ex * ex + ey * ey
    share = ((place.x - p.x) * ex + (place.y - p.y) * ey) / length if length else 0.0
    share = min(max(share, 0.0), 1.0)
    return Point(p.x + share * ex, p.y + share * ey)


@lru_cache(maxsize=_CACHED_OUTLINES)
def _outline(shape: Shape, width: float, height: float, radius: float) -> Chain:
    """The outline as a closed chain, the box's corner at the origin."""
    return flatten(shape.outline(Box(0.0, 0.0, width, height), radius))[0]
