"""ROUTERS: what each authored router draws before routes are spread.

In: a connection and the tools of the scene. Out: a draft; its router is the one really used. Rule R-ROUTE-1.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from math import hypot

from scenograph.engine.effort import Effort
from scenograph.engine.geometry.boxes import Box, Point
from scenograph.engine.geometry.segments import quadratic
from scenograph.engine.route.courses.any_angle import way_round
from scenograph.engine.route.courses.beneath import best_path
from scenograph.engine.route.courses.clearance import TOUCHING, enters
from scenograph.engine.route.courses.draft import Draft
from scenograph.engine.route.courses.loops import loop_of
from scenograph.engine.route.courses.outlines import Outlines
from scenograph.engine.route.courses.pathfinder import Pathfinder
from scenograph.engine.route.courses.terrain import LEVELS, Terrain
from scenograph.engine.route.ports.anchors import Anchor
from scenograph.engine.route.problem import Connection
from scenograph.late_dataclasses import dataclass, field

CURVE_OFFSET = 0.3  # of the straight distance
CURVE_OFFSETS = (CURVE_OFFSET, 0.15, -CURVE_OFFSET, -0.15, 0.45, -0.45)
TWIN_GAP = 12.0  # px between parallel straight lines
LABELLED_TWIN_GAP = 24.0  # px; between lines of the same two nodes, where one has a label
TWIN_BEND = 0.2  # difference in offset between parallel curves
TOUCH = 1.0  # px; boxes so near touch
ROUND_ABOUT = (LEVELS[0], LEVELS[2], TOUCHING)
FAR = 1e5  # px beyond any box that overlaps another


@dataclass(frozen=True, slots=True)
class Tools:
    """What routers work with. `direct` are the lines that run straight through what stands in their way because the
    effort for going round it was spent."""

    terrain: Terrain
    outlines: Outlines
    pathfinder: Pathfinder
    going_round: Effort
    direct: list[int] = field(default_factory=list[int])


Router = Callable[[Connection, Tools], Draft]


def orthogonal(connection: Connection, tools: Tools) -> Draft:
    """Right-angle segments; a loop round a corner when the edge returns to its element."""
    if connection.is_loop and len(connection.starts) > 1 and len(connection.finishes) > 1:
        path = loop_of(connection, tools.terrain)
    else:
        path = best_path(connection, tools.pathfinder)
    if connection.is_loop and len(path.points) < 3:
        path = loop_of(connection, tools.terrain)
    return Draft(connection, path.points, "orthogonal", path.start, path.finish)


def straight(connection: Connection, tools: Tools) -> Draft:
    """The direct line between the centres (or ports), cut at the outlines; parallel ones lie side by side."""
    if _overlap(connection.source_box, connection.target_box):
        return _joined(connection, tools) or _squared(connection, tools, "straight")
    a, b = _references(connection)
    gap = LABELLED_TWIN_GAP if connection.label[0] > 0.0 else TWIN_GAP
    aside = _aside(a, b, _twin_place(connection) * gap)
    a, b = Point(a.x + aside.x, a.y + aside.y), Point(b.x + aside.x, b.y + aside.y)
    ends = _leave(connection, tools.outlines, b, a), _enter(connection, tools.outlines, a, b)
    return Draft(connection, ends, "straight")


def polyline(connection: Connection, tools: Tools) -> Draft:
    """Straight pieces through the waypoints; without any the direct line, or the shortest way round what it enters."""
    between = connection.waypoints
    if not between:
        drawn = straight(connection, tools)
        drawn.router = "polyline" if drawn.router == "straight" else drawn.router
        if drawn.router != "polyline" or not enters(drawn.points, connection.exempt, tools.terrain):
            return drawn
        between = _way_round(connection, tools)
        if not between:
            return drawn
    a, b = _references(connection)
    start = _leave(connection, tools.outlines, between[0], a)
    finish = _enter(connection, tools.outlines, between[-1], b)
    return Draft(connection, (start, *between, finish), "polyline")


def _way_round(connection: Connection, tools: Tools) -> tuple[Point, ...]:
    """Where a line from reference to reference turns, with as much distance to strangers as there is; empty without a
    way."""
    for level in ROUND_ABOUT:
        around = partial(tools.terrain.around, exempt=connection.exempt, level=level)
        way = way_round(*_references(connection), around, tools.going_round)
        if way is not None:
            return way[1:-1]
    if tools.going_round.is_spent:
        tools.direct.append(connection.number)
    return ()


def curved(connection: Connection, tools: Tools) -> Draft:
    """One quadratic curve, bent to the same hand for every edge unless only another bend keeps clear of strangers."""
    if _overlap(connection.source_box, connection.target_box):
        return _squared(connection, tools, "curved")
    place = _twin_place(connection)
    offsets = (CURVE_OFFSET + place * TWIN_BEND,) if connection.twins > 1 else CURVE_OFFSETS
    curves = [curve_of(connection, tools.outlines, offset) for offset in offsets]
    clear = (points for points in curves if not enters(quadratic(*points), connection.exempt, tools.terrain))
    return Draft(connection, next(clear, curves[0]), "curved")


def curve_of(connection: Connection, outlines: Outlines, offset: float) -> tuple[Point, Point, Point]:
    """Start, control point and end; the control point lies `offset` times the distance to the left of the line."""
    a, b = _references(connection)
    aside = _aside(a, b, offset * hypot(b.x - a.x, b.y - a.y))
    control = Point((a.x + b.x) / 2 + aside.x, (a.y + b.y) / 2 + aside.y)
    return _leave(connection, outlines, control, a), control, _enter(connection, outlines, control, b)


def _squared(connection: Connection, tools: Tools, wanted: str) -> Draft:
    """For ends that cover each other no line between the centres can be seen: go round at right angles."""
    drawn = orthogonal(connection, tools)
    drawn.router = wanted if wanted == "straight" and len(drawn.points) == 2 else drawn.router
    return drawn


def _joined(connection: Connection, tools: Tools) -> Draft | None:
    """The direct line for ends whose boxes overlap, when it says something: between outlines that stand apart, and as a
    short tick across outlines that cross. None where one end holds the other, and where a tick would turn an arrowhead
    round or put a label on its ends."""
    a, b = connection.source_box.center, connection.target_box.center
    distance = hypot(b.x - a.x, b.y - a.y)
    nested = connection.source_box.contains(connection.target_box) or connection.target_box.contains(
        connection.source_box
    )
    if nested or distance < TOUCH or not connection.leaves_open():
        return None
    far_x, far_y = (b.x - a.x) / distance * FAR, (b.y - a.y) / distance * FAR
    start = tools.outlines.toward(connection.source, Point(a.x + far_x, a.y + far_y), a)
    finish = tools.outlines.toward(connection.target, Point(b.x - far_x, b.y - far_y), b)
    ahead = (finish.x - start.x) * far_x + (finish.y - start.y) * far_y > 0.0
    return (
        Draft(connection, (start, finish), "straight")
        if ahead or not (any(connection.tips) or connection.label[0])
        else None
    )


def _references(connection: Connection) -> tuple[Point, Point]:
    """The points that a direct line joins: centres, or the places that the author named."""
    source, target = connection.source_box.center, connection.target_box.center
    a, b = _named(connection.starts, target), _named(connection.finishes, source)
    return (Point(a.x, a.y) if a else source), (Point(b.x, b.y) if b else target)


def _named(anchors: tuple[Anchor, ...], other: Point) -> Anchor | None:
    """The anchor nearest to the other end, when the author left no more than a choice of two."""
    if len(anchors) > 2:
        return None
    return min(anchors, key=lambda anchor: hypot(anchor.x - other.x, anchor.y - other.y))


def _leave(connection: Connection, outlines: Outlines, outside: Point, inside: Point) -> Point:
    anchor = _named(connection.starts, connection.target_box.center)
    if anchor is not None:
        return outlines.at_side(connection.source, anchor, _held(inside, anchor))
    return outlines.toward(connection.source, outside, inside)


def _enter(connection: Connection, outlines: Outlines, outside: Point, inside: Point) -> Point:
    anchor = _named(connection.finishes, connection.source_box.center)
    if anchor is not None:
        return outlines.at_side(connection.target, anchor, _held(inside, anchor))
    return outlines.toward(connection.target, outside, inside)


def _held(point: Point, anchor: Anchor) -> Point:
    """The point within the room of a named place: parallel lines lie no farther apart than a row is high."""
    along = min(anchor.room_high, max(anchor.room_low, point.x if anchor.dx == 0 else point.y))
    return Point(along, point.y) if anchor.dx == 0 else Point(point.x, along)


def _aside(a: Point, b: Point, by: float) -> Point:
    """A step of `by` px to the left of the way from a to b; "left" for both ways between two elements is the same when
    `by` comes from their place among the twins."""
    distance = hypot(b.x - a.x, b.y - a.y)
    if distance == 0.0:
        return Point(0.0, 0.0)
    return Point((b.y - a.y) / distance * by, -(b.x - a.x) / distance * by)


def _twin_place(connection: Connection) -> float:
    """0 for an only edge; else its place among the edges of the same two elements, symmetric about 0. Twins that run
    the other way count from the other side."""
    place = connection.rank - (connection.twins - 1) / 2
    return place if connection.source <= connection.target else -place


def _overlap(a: Box, b: Box) -> bool:
    return a == b or a.grown(TOUCH).overlaps(b)


ROUTERS: Mapping[str, Router] = {
    "straight": straight,
    "orthogonal": orthogonal,
    "curved": curved,
    "polyline": polyline,
}
DEFAULT_ROUTER = "orthogonal"
