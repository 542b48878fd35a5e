"""Trunks: the edges of one fan on one line, where a parent's children hang below it one under the other.

In: connections that may share a trunk. Out: for each child of such a stack the path down the trunk and straight into
the side of the child. All other fans meet by themselves: runs of one fan that come near each other are joined when
routes are spread.
"""

from __future__ import annotations

from collections.abc import Sequence

from scenograph.engine.geometry.boxes import Box, Point
from scenograph.engine.route.anchors import Anchor, box_anchor
from scenograph.engine.route.clearance import bounds_of_points
from scenograph.engine.route.connection import Connection, Fan
from scenograph.engine.route.draft import Draft
from scenograph.engine.route.flow import HORIZONTAL
from scenograph.engine.route.simple import is_clear
from scenograph.engine.route.terrain import LEVELS, Terrain

HANG = 20.0  # from the trunk to the children
STACK = 2  # so many children make a stack
IN_LINE = 1.0

SIDES = {False: ("bottom", "top", "left"), True: ("right", "left", "top")}  # by: do layers run sideways?


def hanging_paths(connections: Sequence[Connection], terrain: Terrain) -> dict[int, Draft]:
    """The drafts of all edges that hang on a trunk, by their number."""
    stacks: dict[tuple[Fan, bool, int], list[int]] = {}
    for number, connection in enumerate(connections):
        fan = connection.fan
        if fan is not None and not fan.gathers and connection.edge.router in {None, "orthogonal"}:
            ahead = _is_ahead(connection)
            if ahead is not None:
                edge = _begin(connection.target_box, connection) // IN_LINE
                stacks.setdefault((fan, ahead, int(edge)), []).append(number)
    found: dict[int, Draft] = {}
    for numbers in stacks.values():
        drafts = [_hung(connections[number], terrain) for number in numbers] if len(numbers) >= STACK else []
        found.update((number, draft) for number, draft in zip(numbers, drafts, strict=False) if draft is not None)
    return found


def _sideways(connection: Connection) -> bool:
    return connection.axis == HORIZONTAL


def _is_ahead(connection: Connection) -> bool | None:
    """Whether the child lies beyond the far side of its parent (True), before the near one (False), or beside it."""
    source, target = connection.source_box, connection.target_box
    if _sideways(connection):
        return True if target.x >= source.right else (False if target.right <= source.x else None)
    return True if target.y >= source.bottom else (False if target.bottom <= source.y else None)


def _begin(box: Box, connection: Connection) -> float:
    return box.y if _sideways(connection) else box.x


def _hung(connection: Connection, terrain: Terrain) -> Draft | None:
    """Straight out of the parent at the trunk, one turn, into the child; None when the way is not free."""
    far, near, entry = SIDES[_sideways(connection)]
    trunk = _begin(connection.target_box, connection) - HANG
    start = box_anchor(connection.source_box, far if _is_ahead(connection) else near)
    if not start.low <= trunk <= start.high or not connection.leaves_open():
        return None
    start = _fixed(start.at(trunk))
    finish = _fixed(box_anchor(connection.target_box, entry))
    corner = Point(start.x, finish.y) if start.dx == 0 else Point(finish.x, start.y)
    points = (Point(start.x, start.y), corner, Point(finish.x, finish.y))
    if not is_clear(points, terrain.around(bounds_of_points(points), connection.exempt, LEVELS[0])):
        return None
    return Draft(connection, points, "orthogonal", start, finish)


def _fixed(anchor: Anchor) -> Anchor:
    along = anchor.along
    return anchor._replace(low=along, high=along, room_low=along, room_high=along)
