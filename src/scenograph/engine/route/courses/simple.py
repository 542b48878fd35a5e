"""Straight, L and step paths: the cheapest clear one wins before any search runs.

In: the anchors of both ends and the obstacles near them. Out: a path of two to four points, or None when each of them
crosses an obstacle. Rules R-ROUTE-2, R-ROUTE-4.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import NamedTuple

from scenograph.engine.geometry.boxes import Point
from scenograph.engine.geometry.spatial_index import Bounds
from scenograph.engine.kernels.simple_paths import Found, clear_path, plain_paths, straight_at
from scenograph.engine.route.costs import BEND, BESIDE_MIDDLES, GOOD_SIDES
from scenograph.engine.route.courses.terrain import Level, Terrain
from scenograph.engine.route.ports.anchors import Anchor
from scenograph.engine.route.problem import Connection

PRICES = BEND, BESIDE_MIDDLES, GOOD_SIDES
MOST_OFFERS, MOST_LOOKS = 8, 500  # where no path is clear, only the cheapest compete, fewer where they cross much


class Path(NamedTuple):
    """An orthogonal path from anchor to anchor and its cost: length, bends and the choice of sides."""

    points: tuple[Point, ...]
    start: Anchor
    finish: Anchor
    cost: float


def cheapest_clear(
    connection: Connection, terrain: Terrain, ground: tuple[Level, frozenset[int]], stub: float
) -> Path | None:
    """The best of the straight, L and step paths that crosses nothing at a level but what is exempt, and has room for
    the markers before its corners."""
    level, exempt = ground
    ports, boxes = (connection.starts, connection.finishes), (connection.source_box, connection.target_box)
    found = clear_path(ports, boxes, (terrain.field(level), exempt), (stub, connection.tips), PRICES)
    return None if found is None else _path(found, *ports)


def least_bad(
    starts: Sequence[Anchor],
    finishes: Sequence[Anchor],
    obstacles: Callable[[Bounds], Sequence[Bounds]],
    stub: float,
) -> Path | None:
    """The simple path that crosses the fewest obstacles, the cheapest among equals; `obstacles` answers those that
    reach into a region."""
    best: tuple[int, float, Found] | None = None
    looks = 0
    for found in plain_paths((starts, finishes), stub, PRICES, MOST_OFFERS):
        cost, points = found[0], found[5]
        # The legs of an orthogonal path
        legs = [Bounds(min(ax, bx), min(ay, by), max(ax, bx), max(ay, by)) for (ax, ay), (bx, by) in pairwise(points)]
        crossed = len({box for leg in legs for box in obstacles(leg)})
        looks += crossed
        if best is None or (crossed, cost) < best[:2]:
            best = crossed, cost, found
        if best[0] == 0 or looks > MOST_LOOKS:
            break
    return _path(best[2], starts, finishes) if best else None


def in_line(start: Anchor, finish: Anchor) -> tuple[Anchor, ...]:
    """Both anchors moved onto one straight line; none when their sides do not face each other or nothing fits."""
    along = straight_at(start, finish)
    return () if along is None else (start.at(along), finish.at(along))


def _path(found: Found, starts: Sequence[Anchor], finishes: Sequence[Anchor]) -> Path:
    cost, first, last, along, other, points = found
    start, finish = starts[first], finishes[last]
    if along != start.along:
        start = start.at(along)
    if other != finish.along:
        finish = finish.at(other)
    return Path(tuple([Point(x, y) for x, y in points]), start, finish, cost)
