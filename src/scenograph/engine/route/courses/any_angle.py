"""The shortest way of straight pieces at any angle round what stands between two points.

In: two points and what asks for the obstacles of a region. Out: the points of the way, or None where there is none
within the bounds. A visibility graph (Lozano-Pérez and Wesley 1979) over the obstacles that a way has met so far:
most lines meet few of a scene's boxes. Rule R-ROUTE-6.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from heapq import heappop, heappush
from itertools import pairwise
from math import dist

from scenograph.engine.effort import Effort
from scenograph.engine.geometry.boxes import Point
from scenograph.engine.geometry.segments import crosses
from scenograph.engine.geometry.spatial_index import Bounds

ROUNDS = 12  # each goes round what the last way met
MOST_OBSTACLES = 40  # boxes; the search looks at every pair of their corners
INSIDE = 0.01  # px by which a way may touch a corner that it turns at

Obstacles = Callable[[Bounds], Sequence[Bounds]]


def way_round(start: Point, finish: Point, obstacles: Obstacles, effort: Effort) -> tuple[Point, ...] | None:
    """Start, corners and finish; None too where the effort does not reach."""
    met: dict[Bounds, None] = {}
    for _ in range(ROUNDS):
        way = _shortest(start, finish, tuple(met), effort)
        if way is None:
            return None
        new = [box for a, b in pairwise(way) for box in _between(a, b, obstacles) if box not in met]
        if not new:
            return way
        met.update(dict.fromkeys(new))
        if len(met) > MOST_OBSTACLES:
            return None
    return None


def _between(a: Point, b: Point, obstacles: Obstacles) -> list[Bounds]:
    region = Bounds(min(a.x, b.x), min(a.y, b.y), max(a.x, b.x), max(a.y, b.y))
    return [box for box in obstacles(region) if crosses(a, b, _shrunk(box))]


def _shrunk(box: Bounds) -> Bounds:
    left, top, right, bottom = box
    return Bounds(left + INSIDE, top + INSIDE, right - INSIDE, bottom - INSIDE)


def _shortest(start: Point, finish: Point, boxes: Sequence[Bounds], effort: Effort) -> tuple[Point, ...] | None:
    """The shortest way over the corners of the boxes (A*); of equal ones the first found. Whether a step is free is
    looked at when its turn comes: most steps never have one."""
    walls = [_shrunk(box) for box in boxes]
    corners = [Point(x, y) for left, top, right, bottom in boxes for x in (left, right) for y in (top, bottom)]
    points = [start, finish, *corners]
    left = [dist(point, finish) for point in points]
    waiting: list[tuple[float, bool, int, int, float]] = [(left[0], False, 0, 0, 0.0)]
    reached: dict[int, int] = {}
    while waiting and not effort.is_spent:
        _, is_goal, here, before, length = heappop(waiting)
        if here in reached:
            continue
        effort.spend(1 + len(walls))
        if any(crosses(points[before], points[here], wall) for wall in walls):
            continue
        reached[here] = before
        if is_goal:
            return _traced(points, reached)
        for there, point in enumerate(points):
            if there not in reached:
                gone = length + dist(points[here], point)
                heappush(waiting, (gone + left[there], there == 1, there, here, gone))
    return None


def _traced(points: Sequence[Point], reached: dict[int, int]) -> tuple[Point, ...]:
    way = [1]
    while way[-1] != 0:
        way.append(reached[way[-1]])
    return tuple(points[number] for number in reversed(way))
