"""Edges from an element to itself: a small loop round one of its corners, where there is room.

In: a connection with one element at both ends. Out: a path of five points from one side to the next.
"""

from __future__ import annotations

from scenograph.engine.geometry.boxes import Box, Point
from scenograph.engine.geometry.segments import length
from scenograph.engine.geometry.spatial_index import Bounds
from scenograph.engine.route.anchors import box_anchor
from scenograph.engine.route.connection import Connection
from scenograph.engine.route.simple import Path, is_clear
from scenograph.engine.route.terrain import BARE, LEVELS, Level, Terrain

REACHES = (24.0, 16.0, 10.0)
REACH_STEP = 12.0  # each further loop round the same corner lies this much farther out
INSET = 16.0
CORNERS = (("right", "top"), ("right", "bottom"), ("left", "top"), ("left", "bottom"))
TRIES = ((REACHES[0], LEVELS[0]), *((reach, level) for reach in REACHES for level in (LEVELS[2], BARE)))


def corner_loop(connection: Connection, terrain: Terrain) -> Path:
    """The loop round the first free corner, smaller where there is little room; the edges of one element take the
    corners in turn."""
    box, rank = connection.source_box, connection.rank
    corners = [CORNERS[(rank + turn) % len(CORNERS)] for turn in range(len(CORNERS))]
    farther = REACH_STEP * (rank // len(CORNERS))
    for reach, level in TRIES:
        for corner in corners:
            loop = _loop(box, corner, reach + farther)
            if _is_free(loop, connection, terrain, level):
                return loop
    return _loop(box, corners[0], REACHES[-1] + farther)


def _loop(box: Box, corner: tuple[str, str], reach: float) -> Path:
    start, finish = box_anchor(box, corner[0]), box_anchor(box, corner[1])
    start = start.at(start.y + finish.dy * max(0.0, box.height / 2 - min(INSET, box.height / 4)))
    finish = finish.at(finish.x + start.dx * max(0.0, box.width / 2 - min(INSET, box.width / 4)))
    x, y = start.x + start.dx * reach, finish.y + finish.dy * reach
    points = (Point(start.x, start.y), Point(x, start.y), Point(x, y), Point(finish.x, y), Point(finish.x, finish.y))
    return Path(points, start, finish, length(points))


def _is_free(loop: Path, connection: Connection, terrain: Terrain, level: Level) -> bool:
    xs, ys = [point.x for point in loop.points], [point.y for point in loop.points]
    obstacles = terrain.around(Bounds(min(xs), min(ys), max(xs), max(ys)), connection.exempt, level)
    return is_clear(loop.points, obstacles)
