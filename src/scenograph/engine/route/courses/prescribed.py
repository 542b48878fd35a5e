"""Prescribed ways: where a notation says how its lines run, and the way is clear, they run so.

In: connections, the corners that the notation prescribes by the number of the line. Out: a draft for each of those
lines whose way is clear; others find their own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from scenograph.engine.geometry.boxes import Box, Point
from scenograph.engine.kernels.obstacles import is_clear
from scenograph.engine.route.courses.clearance import bounds_of_points
from scenograph.engine.route.courses.draft import Draft
from scenograph.engine.route.courses.terrain import LEVELS, Terrain
from scenograph.engine.route.ports.anchors import Anchor, pinned_anchor
from scenograph.engine.route.problem import Connection, Course

CLOSE = LEVELS[2]
KEPT_LINES = 2048  # of the latest pictures, of which it is known where they end


def prescribed_paths(
    connections: Sequence[Connection], corners: Mapping[int, tuple[Point, ...]], terrain: Terrain
) -> dict[int, Draft]:
    """The drafts of the edges that run as prescribed, by their number."""
    found: dict[int, Draft] = {}
    for number, connection in enumerate(connections):
        points = corners.get(connection.number, ())
        if len(points) > 1 and _has_way(connection, points, terrain):
            start, finish = _ends(points, connection.source_box, connection.target_box)
            found[number] = Draft(connection, points, "orthogonal", start, finish, is_set=True)
    return found


def former_paths(connections: Sequence[Connection], former: Mapping[int, Course]) -> dict[int, Draft]:
    """The drafts of the lines that run as they did before, by their number."""
    found: dict[int, Draft] = {}
    for number, course in former.items():
        connection, points = connections[number], course.points
        if course.router != "orthogonal":
            found[number] = Draft(connection, points, course.router, is_set=True)
            continue
        start, finish = _ends(points, connection.source_box, connection.target_box)
        found[number] = Draft(connection, points, course.router, start, finish, is_set=True)
    return found


@lru_cache(maxsize=KEPT_LINES)
def _ends(points: tuple[Point, ...], source: Box, target: Box) -> tuple[Anchor, Anchor]:
    """The places where a line begins and ends."""
    return _anchor(source, points[0], points[1]), _anchor(target, points[-1], points[-2])


def _has_way(connection: Connection, points: tuple[Point, ...], terrain: Terrain) -> bool:
    return is_clear(points, terrain.around(bounds_of_points(points), connection.exempt, CLOSE))


def _anchor(box: Box, end: Point, following: Point) -> Anchor:
    """The place on the side that faces the next corner."""
    if end.x == following.x:
        side, along = ("bottom" if following.y > end.y else "top"), end.x
    else:
        side, along = ("right" if following.x > end.x else "left"), end.y
    return pinned_anchor(box, side, along, 0.0)
