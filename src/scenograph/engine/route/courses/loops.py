"""Edges from an element to itself: a small loop round one of its corners, or beside the rows that it joins.

In: a connection with one element at both ends. Out: a path of five points from one side to the next, or of four from
row to row on one side.
"""

from __future__ import annotations

from scenograph.engine.geometry.boxes import Point
from scenograph.engine.geometry.segments import length
from scenograph.engine.geometry.spatial_index import Bounds
from scenograph.engine.kernels.obstacles import is_clear
from scenograph.engine.route.courses.simple import Path
from scenograph.engine.route.courses.terrain import BARE, LEVELS, Level, Terrain
from scenograph.engine.route.ports.anchors import Anchor, box_anchor
from scenograph.engine.route.problem import Connection

REACHES = (24.0, 16.0, 10.0)  # px; of a loop beyond its box, the first that is free
REACH_STEP = 12.0  # each further loop round the same corner lies this much farther out
INSET = 16.0  # px; from the corner of the box to the loop's ends
CORNERS = (("right", "top"), ("right", "bottom"), ("left", "top"), ("left", "bottom"))
ROW_SIDES = ("right", "left")
ROW_APART = 6.0  # each end of a loop from a row to itself lies so far from the row's middle
TRIES = ((REACHES[0], LEVELS[0]), *((reach, level) for reach in REACHES for level in (LEVELS[2], BARE)))


def loop_of(connection: Connection, terrain: Terrain) -> Path:
    """Beside the rows when both ends stand on one, else round a corner."""
    on_rows = all(_is_row(anchors) for anchors in (connection.starts, connection.finishes))
    return row_loop(connection, terrain) if on_rows else corner_loop(connection, terrain)


def row_loop(connection: Connection, terrain: Terrain) -> Path:
    """From row to row on the first side with room; the edges of one element take both sides in turn."""
    rank = connection.rank
    sides = [ROW_SIDES[(rank + turn) % len(ROW_SIDES)] for turn in range(len(ROW_SIDES))]
    farther = REACH_STEP * (rank // len(ROW_SIDES))
    for reach, level in TRIES:
        for side in sides:
            loop = _beside(connection, side, reach + farther)
            if _is_free(loop, connection, terrain, level):
                return loop
    return _beside(connection, sides[0], REACHES[-1] + farther)


def corner_loop(connection: Connection, terrain: Terrain) -> Path:
    """The loop round the first free corner, smaller where there is little room; the edges of one element take the
    corners in turn. An end that stands on a row leaves from there."""
    rank = connection.rank
    corners = [CORNERS[(rank + turn) % len(CORNERS)] for turn in range(len(CORNERS))]
    farther = REACH_STEP * (rank // len(CORNERS))
    for reach, level in TRIES:
        for corner in corners:
            loop = _loop(connection, corner, reach + farther)
            if _is_free(loop, connection, terrain, level):
                return loop
    return _loop(connection, corners[0], REACHES[-1] + farther)


def _is_row(anchors: tuple[Anchor, ...]) -> bool:
    """Whether an end stands on a row: it has two sides to choose from."""
    return len(anchors) == len(ROW_SIDES)


def _beside(connection: Connection, side: str, reach: float) -> Path:
    start = next(anchor for anchor in connection.starts if anchor.side == side)
    finish = next(anchor for anchor in connection.finishes if anchor.side == side)
    if start.y == finish.y:
        apart = min(ROW_APART, start.room_high - start.y)
        start, finish = start.at(start.y - apart), finish.at(finish.y + apart)
    x = start.x + start.dx * reach
    points = (Point(start.x, start.y), Point(x, start.y), Point(x, finish.y), Point(finish.x, finish.y))
    return Path(points, start, finish, length(points))


def _loop(connection: Connection, corner: tuple[str, str], reach: float) -> Path:
    box = connection.source_box
    start, finish = box_anchor(box, corner[0]), box_anchor(box, corner[1])
    side = corner[0]  # where an end is a row, the loop leaves at its height
    rows = [anchors for anchors in (connection.starts, connection.finishes) if _is_row(anchors)]
    row = next((anchor for anchors in rows for anchor in anchors if anchor.side == side), None)
    start = row or start.at(start.y + finish.dy * max(0.0, box.height / 2 - min(INSET, box.height / 4)))
    finish = finish.at(finish.x + start.dx * max(0.0, box.width / 2 - min(INSET, box.width / 4)))
    x, y = start.x + start.dx * reach, finish.y + finish.dy * reach
    points = (Point(start.x, start.y), Point(x, start.y), Point(x, y), Point(finish.x, y), Point(finish.x, finish.y))
    if row is not None and _is_row(connection.finishes):
        return Path(points[::-1], finish, start, length(points))
    return Path(points, start, finish, length(points))


def _is_free(loop: Path, connection: Connection, terrain: Terrain, level: Level) -> bool:
    xs, ys = [point.x for point in loop.points], [point.y for point in loop.points]
    obstacles = terrain.around(Bounds(min(xs), min(ys), max(xs), max(ys)), connection.exempt, level)
    return is_clear(loop.points, obstacles)
