"""Routes that leave a symbol behind the label below it: straight on from the outline, past the text, with a gap in the
drawing.

In: a connection with an outside label at an end. Out: a path through the label when cheaper than the detour. Only an
end without a marker passes: a marker would stand in the text. Rule R-LABEL-5.
"""

from __future__ import annotations

from collections.abc import Sequence

from scenograph.engine.costs import AWAY, BEHIND_LABEL
from scenograph.engine.geometry.boxes import Box, Point
from scenograph.engine.geometry.paths import manhattan
from scenograph.engine.route.courses.anchors import Anchor
from scenograph.engine.route.courses.pathfinder import Pathfinder, RoutePath
from scenograph.engine.route.courses.terrain import LEVELS
from scenograph.engine.route.problem import Connection

TIP_ROOM = 6.0  # between a marker and the text
PAST_LABEL = LEVELS[0].writing or 0.0


def best_path(connection: Connection, pathfinder: Pathfinder) -> RoutePath:
    """The straight path behind the end labels if possible, else the cheaper of the detour and the path behind them."""
    behind = _behind(connection, pathfinder)
    if behind is not None and len(behind.points) == 2:
        return behind
    around = pathfinder.path(connection)
    return behind if behind is not None and behind.cost < around.cost else around


def seen(points: tuple[Point, ...], labels: tuple[Box | None, Box | None]) -> tuple[Point, ...]:
    """The visible part of a route: the points without the parts behind end labels."""
    first, last = past_label(points[0], points[1], labels[0]), past_label(points[-1], points[-2], labels[1])
    return (first, *points[1:-1], last)


def past_label(end: Point, following: Point, label: Box | None) -> Point:
    """The visible end of a route: below the label that hides the end, else the end itself."""
    if label is None or end.x != following.x or not label.x <= end.x <= label.right:
        return end
    return Point(end.x, label.bottom) if end.y <= label.y and label.bottom < following.y else end


def _behind(connection: Connection, pathfinder: Pathfinder) -> RoutePath | None:
    """The cheapest simple path past the end labels."""
    labels, tips = connection.own_labels, connection.tips
    starts = _beyond(connection.starts, labels[0], tips[0])
    finishes = _beyond(connection.finishes, labels[1], tips[1])
    if not (starts or finishes):
        return None
    moved = connection._replace(starts=starts or connection.starts, finishes=finishes or connection.finishes)
    found = pathfinder.simple(moved)
    if found is None or manhattan(found.points[0], found.points[1]) < max(tips) + TIP_ROOM:
        return None
    start, finish = _back(found.start, connection.starts), _back(found.finish, connection.finishes)
    points = (Point(start.x, start.y), *found.points[1:-1], Point(finish.x, finish.y))
    passed = (bool(starts) + bool(finishes)) * BEHIND_LABEL
    return RoutePath(points, start, finish, found.cost + passed)


def _beyond(anchors: Sequence[Anchor], label: Box | None, tip: float) -> tuple[Anchor, ...]:
    """The anchors on the label's side, moved past the label; empty when the edge need not or cannot pass."""
    if label is None or tip > 0.0:
        return ()
    below = [anchor for anchor in anchors if anchor.dy > 0 and anchor.penalty < AWAY and label.y >= anchor.y]
    found = [anchor for anchor in below if label.x - PAST_LABEL < anchor.x < label.right + PAST_LABEL]
    return tuple(anchor._replace(y=label.bottom + PAST_LABEL) for anchor in found)


def _back(moved: Anchor, anchors: Sequence[Anchor]) -> Anchor:
    """The original anchor of one moved past the label, at the moved coordinate along the side."""
    own = next(anchor for anchor in anchors if anchor.side == moved.side)
    return moved._replace(x=own.x, y=moved.y) if own.dx else moved._replace(y=own.y)
