"""ROUTERS: the draft of each authored router before nudging.

In: a connection and the routing tools of the scene. Out: a draft, with the router really used. Rule R-ROUTE-1.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, partial
from heapq import heappop, heappush
from itertools import pairwise
from math import dist, hypot

from scenograph.engine.effort import Effort
from scenograph.engine.geometry.boxes import Box, Point
from scenograph.engine.geometry.paths import (
    Chain,
    crosses,
    length,
    line_contact,
    manhattan,
    quadratic,
    straight_contact,
)
from scenograph.engine.geometry.spatial_index import Bounds, bounds_of_points
from scenograph.engine.kernels.simple_paths import is_clear
from scenograph.engine.route.courses.anchors import Anchor, box_anchor, pinned_anchor
from scenograph.engine.route.courses.pathfinder import Pathfinder, RoutePath, best_path
from scenograph.engine.route.courses.terrain import BARE, LEVELS, TOUCHING, Level, RouteDraft, Terrain, enters
from scenograph.engine.route.problem import Connection, Course, Fan
from scenograph.late_dataclasses import dataclass, field

# The shortest way of straight pieces at any angle round what stands between two points. In: two points and what
# asks for the obstacles of a region. Out: the points of the way, or None where there is none within the bounds. A
# visibility graph (Lozano-Pérez and Wesley 1979) over the obstacles that a way has met so far: most lines meet few
# of a scene's boxes. Rule R-ROUTE-6.


ROUNDS = 12  # each goes round what the last way met
MOST_OBSTACLES = 40  # boxes; the search looks at every pair of their corners
INSIDE = 0.01  # px; the depth of a path inside its own corner

Obstacles = Callable[[Bounds], Sequence[Bounds]]


def way_round(start: Point, finish: Point, obstacles: Obstacles, effort: Effort) -> tuple[Point, ...] | None:
    """The points of the path, both ends included; None also when the effort is spent."""
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
    """The shortest path over the corners of the boxes (A*); among equals the first found. A step is checked for walls
    only when taken from the queue: most steps never are."""
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


# Loops: a small loop round a corner of the element, or beside the joined rows. In: a connection with one element at
# both ends. Out: a path of five points from one side to the next, or of four from row to row on one side.


REACHES = (24.0, 16.0, 10.0)  # px of a loop beyond its box; the first free reach wins
REACH_STEP = 12.0  # px; how much farther out each further loop round the same corner lies
INSET = 16.0  # px; from the corner of the box to the loop's ends
CORNERS = (("right", "top"), ("right", "bottom"), ("left", "top"), ("left", "bottom"))
_ROW_SIDES = ("right", "left")
ROW_APART = 6.0  # each end of a loop from a row to itself lies so far from the row's middle
TRIES = ((REACHES[0], LEVELS[0]), *((reach, level) for reach in REACHES for level in (LEVELS[2], BARE)))


def _loop_of(connection: Connection, tools: Tools) -> RoutePath:
    """A loop beside the rows when both ends stand on a row, else round a corner; of a pointed shape from one vertex to
    the next."""
    on_rows = all(_is_row(anchors) for anchors in (connection.starts, connection.finishes))
    inset = None if connection.source in tools.pointed else INSET
    return _row_loop(connection, tools.terrain) if on_rows else _corner_loop(connection, tools.terrain, inset)


def _row_loop(connection: Connection, terrain: Terrain) -> RoutePath:
    """A loop from row to row on the first side with room; the edges of one element alternate between both sides."""
    place = connection.parallel
    sides = [_ROW_SIDES[(place + turn) % len(_ROW_SIDES)] for turn in range(len(_ROW_SIDES))]
    farther = REACH_STEP * (place // len(_ROW_SIDES))
    for reach, level in TRIES:
        for side in sides:
            loop = _beside(connection, side, reach + farther)
            if _is_free(loop, connection, terrain, level):
                return loop
    return _beside(connection, sides[0], REACHES[-1] + farther)


def _corner_loop(connection: Connection, terrain: Terrain, inset: float | None) -> RoutePath:
    """A loop round the first free corner, smaller where room is scarce; the edges of one element take the corners in
    turn. An end on a row leaves at the height of the row, other ends `inset` px from the corner, or in the middle of
    the side."""
    place = connection.parallel
    corners = [CORNERS[(place + turn) % len(CORNERS)] for turn in range(len(CORNERS))]
    farther = REACH_STEP * (place // len(CORNERS))
    for reach, level in TRIES:
        for corner in corners:
            loop = _loop(connection, corner, reach + farther, inset)
            if _is_free(loop, connection, terrain, level):
                return loop
    return _loop(connection, corners[0], REACHES[-1] + farther, inset)


def _is_row(anchors: tuple[Anchor, ...]) -> bool:
    """Whether an end stands on a row: it has exactly two sides to choose from."""
    return len(anchors) == len(_ROW_SIDES)


def _beside(connection: Connection, side: str, reach: float) -> RoutePath:
    start = next(anchor for anchor in connection.starts if anchor.side == side)
    finish = next(anchor for anchor in connection.finishes if anchor.side == side)
    if start.y == finish.y:
        apart = min(ROW_APART, start.room_high - start.y)
        start, finish = start.at(start.y - apart), finish.at(finish.y + apart)
    x = start.x + start.dx * reach
    points = (Point(start.x, start.y), Point(x, start.y), Point(x, finish.y), Point(finish.x, finish.y))
    return RoutePath(points, start, finish, length(points))


def _loop(connection: Connection, corner: tuple[str, str], reach: float, inset: float | None) -> RoutePath:
    box = connection.source_box
    start, finish = box_anchor(box, corner[0]), box_anchor(box, corner[1])
    side = corner[0]  # a loop from a row leaves at the row's height
    rows = [anchors for anchors in (connection.starts, connection.finishes) if _is_row(anchors)]
    row = next((anchor for anchors in rows for anchor in anchors if anchor.side == side), None)
    if inset is None:
        start, finish = start.fixed(), finish.fixed()
    else:
        start = row or start.at(start.y + finish.dy * max(0.0, box.height / 2 - min(inset, box.height / 4)))
        finish = finish.at(finish.x + start.dx * max(0.0, box.width / 2 - min(inset, box.width / 4)))
    x, y = start.x + start.dx * reach, finish.y + finish.dy * reach
    points = (Point(start.x, start.y), Point(x, start.y), Point(x, y), Point(finish.x, y), Point(finish.x, finish.y))
    if row is not None and _is_row(connection.finishes):
        return RoutePath(points[::-1], finish, start, length(points))
    return RoutePath(points, start, finish, length(points))


def _is_free(loop: RoutePath, connection: Connection, terrain: Terrain, level: Level) -> bool:
    xs, ys = [point.x for point in loop.points], [point.y for point in loop.points]
    obstacles = terrain.around(Bounds(min(xs), min(ys), max(xs), max(ys)), connection.exempt, level)
    return is_clear(loop.points, obstacles)


# From the side of a box onto the outline of its shape. In: an element by its number. Out: points on its outline.
# Elements without an outline of their own are rectangles.


@dataclass(frozen=True, slots=True)
class Outlines:
    """Finds places on the outlines of placed elements."""

    boxes: Sequence[Box]
    chains: Sequence[Chain | None]

    def at_side(self, element: int, anchor: Anchor, at: Point) -> Point:
        """The contact of a segment with the outline: straight in at the side of `anchor`, through `at`."""
        coordinate = at.x if anchor.dx == 0 else at.y
        return straight_contact(self._chain(element), self.boxes[element], anchor.side, coordinate)

    def toward(self, element: int, outside: Point, inside: Point) -> Point:
        """The contact of the segment from `outside` to `inside` with the outline."""
        return line_contact(self._chain(element), self.boxes[element], outside, inside)

    def _chain(self, element: int) -> Chain:
        chain, box = self.chains[element], self.boxes[element]
        return chain if chain is not None else _rectangle_chain(box.width, box.height)


def _rectangle_chain(width: float, height: float) -> Chain:
    """The outline of a plain box."""
    return Chain((0.0, width, width, 0.0, 0.0), (0.0, 0.0, height, height, 0.0), 0.0)


CURVE_OFFSET = 0.3  # of the straight distance
_CURVE_OFFSETS = (CURVE_OFFSET, 0.15, -CURVE_OFFSET, -0.15, 0.45, -0.45)
PARALLEL_GAP = 12.0  # px between parallel straight lines
LABELLED_PARALLEL_GAP = 24.0  # px; between parallel edges of the same two nodes, at least one labelled
PARALLEL_BEND = 0.2  # difference in offset between parallel curves
TOUCH = 1.0  # px; boxes this near touch
ROUND_ABOUT = (LEVELS[0], LEVELS[2], TOUCHING)
FAR = 1e5  # px beyond any box that overlaps another


@dataclass(slots=True)
class Tools:
    """The tools of a router. `pointed`: the elements with one vertex per side. `direct` lists the edges drawn straight
    through obstacles because the effort for going round was spent."""

    terrain: Terrain
    outlines: Outlines
    pathfinder: Pathfinder
    going_round: Effort
    pointed: frozenset[int] = frozenset()
    direct: list[int] = field(default_factory=list[int])


Router = Callable[[Connection, Tools], RouteDraft]


def orthogonal(connection: Connection, tools: Tools) -> RouteDraft:
    """Orthogonal segments; a loop round a corner for an edge from an element to itself."""
    if connection.is_loop and len(connection.starts) > 1 and len(connection.finishes) > 1:
        path = _loop_of(connection, tools)
    else:
        path = best_path(connection, tools.pathfinder)
    if connection.is_loop and len(path.points) < 3:
        path = _loop_of(connection, tools)
    return RouteDraft(connection, path.points, "orthogonal", path.start, path.finish)


def straight(connection: Connection, tools: Tools) -> RouteDraft:
    """The direct segment between the centres (or ports), cut at the outlines; parallel edges lie side by side."""
    if _overlap(connection.source_box, connection.target_box):
        return _joined(connection, tools) or _squared(connection, tools, "straight")
    a, b = _references(connection)
    gap = LABELLED_PARALLEL_GAP if connection.label[0] > 0.0 else PARALLEL_GAP
    aside = _aside(a, b, _parallel_place(connection) * gap)
    a, b = Point(a.x + aside.x, a.y + aside.y), Point(b.x + aside.x, b.y + aside.y)
    ends = _leave(connection, tools.outlines, b, a), _enter(connection, tools.outlines, a, b)
    return RouteDraft(connection, ends, "straight")


def polyline(connection: Connection, tools: Tools) -> RouteDraft:
    """Straight segments through the waypoints; without waypoints the direct segment, or the shortest path round the
    obstacles."""
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
    return RouteDraft(connection, (start, *between, finish), "polyline")


def _way_round(connection: Connection, tools: Tools) -> tuple[Point, ...]:
    """The bends of the path round obstacles, with the greatest possible clearance; empty without a path."""
    for level in ROUND_ABOUT:
        around = partial(tools.terrain.around, exempt=connection.exempt, level=level)
        way = way_round(*_references(connection), around, tools.going_round)
        if way is not None:
            return way[1:-1]
    if tools.going_round.is_spent:
        tools.direct.append(connection.number)
    return ()


def curved(connection: Connection, tools: Tools) -> RouteDraft:
    """One quadratic curve, bent to the same hand for every edge unless only another bend keeps clear of strangers."""
    if _overlap(connection.source_box, connection.target_box):
        return _squared(connection, tools, "curved")
    place = _parallel_place(connection)
    offsets = (CURVE_OFFSET + place * PARALLEL_BEND,) if connection.parallels > 1 else _CURVE_OFFSETS
    curves = [_curve_of(connection, tools.outlines, offset) for offset in offsets]
    clear = (points for points in curves if not enters(quadratic(*points), connection.exempt, tools.terrain))
    return RouteDraft(connection, next(clear, curves[0]), "curved")


def _curve_of(connection: Connection, outlines: Outlines, offset: float) -> tuple[Point, Point, Point]:
    """Start, control point and end; the control point lies `offset` times the distance to the left of the line."""
    a, b = _references(connection)
    aside = _aside(a, b, offset * hypot(b.x - a.x, b.y - a.y))
    control = Point((a.x + b.x) / 2 + aside.x, (a.y + b.y) / 2 + aside.y)
    return _leave(connection, outlines, control, a), control, _enter(connection, outlines, control, b)


def _squared(connection: Connection, tools: Tools, wanted: str) -> RouteDraft:
    """An orthogonal route between a box and a covering box. A segment between the centres would be invisible."""
    drawn = orthogonal(connection, tools)
    drawn.router = wanted if wanted == "straight" and len(drawn.points) == 2 else drawn.router
    return drawn


def _joined(connection: Connection, tools: Tools) -> RouteDraft | None:
    """The direct segment between overlapping boxes: between outlines that stand apart, or a short tick across outlines
    that cross. None when an end holds the other, and when a tick would turn an arrowhead round or put a label on the
    ends."""
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
        RouteDraft(connection, (start, finish), "straight")
        if ahead or not (any(connection.tips) or connection.label[0])
        else None
    )


def _references(connection: Connection) -> tuple[Point, Point]:
    """The end points of a direct segment: centres, or the places named by the author."""
    source, target = connection.source_box.center, connection.target_box.center
    a, b = _named(connection.starts, target), _named(connection.finishes, source)
    return (Point(a.x, a.y) if a else source), (Point(b.x, b.y) if b else target)


def _named(anchors: tuple[Anchor, ...], other: Point) -> Anchor | None:
    """The anchor nearest to the opposite end, if the author left a choice of at most two."""
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
    `by` comes from their place among the parallel edges."""
    distance = hypot(b.x - a.x, b.y - a.y)
    if distance == 0.0:
        return Point(0.0, 0.0)
    return Point((b.y - a.y) / distance * by, -(b.x - a.x) / distance * by)


def _parallel_place(connection: Connection) -> float:
    """The place of an edge among the edges of its two elements, symmetric about 0; 0 for a single edge. Parallels
    of opposite direction count from the opposite side."""
    place = connection.parallel - (connection.parallels - 1) / 2
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


# The curve that replaces a needlessly long right-angle path. Rule R-ROUTE-5: at least 1.5 times the manhattan
# distance and at least four corners, and a router that the author has not pinned to orthogonal or straight. The
# curve is kept only where it enters nothing: a box that the right-angle path went round is not crossed for the sake
# of a shorter line. It may come nearer to a box than right-angle paths do, which is then remarked: the rule asks
# for the shorter line.


LONG_WAY = 1.5  # times the manhattan distance; a longer detour becomes a curve (R-ROUTE-5)
MANY_CORNERS = 4  # corners; fewer are easily read (R-ROUTE-5)
_PINNED = frozenset({"orthogonal", "straight"})


def soften(draft: RouteDraft, tools: Tools) -> None:
    """Replace a long detour by one curve when the rule asks for a curve and the curve is clear."""
    connection, points = draft.connection, draft.points
    if draft.start is None or connection.router in _PINNED or connection.is_loop:
        return
    direct = manhattan(points[0], points[-1])
    if len(points) - 2 < MANY_CORNERS or length(points) < LONG_WAY * direct:
        return
    if connection.source_box.overlaps(connection.target_box):
        return
    curve = _curve_of(connection, tools.outlines, CURVE_OFFSET)
    pieces = quadratic(*curve)
    if enters(pieces, connection.exempt, tools.terrain) or _runs_through_ends(pieces, connection):
        return
    draft.points, draft.router = curve, "curved"
    draft.start = draft.finish = None


def _runs_through_ends(points: Sequence[Point], connection: Connection) -> bool:
    """Whether a curve lies inside the box of one of its ends, but for the parts next to outlines: its sides face away
    from the far end."""
    inner = points[len(points) // 8 : -(len(points) // 8)]
    return any(
        box.x < point.x < box.right and box.y < point.y < box.bottom
        for box in (connection.source_box, connection.target_box)
        for point in inner
    )


# Prescribed routes: routes given by the notation, if clear. In: connections, the corners prescribed by the notation, by
# the number of the line. Out: a draft for each prescribed route without an obstacle; all remaining lines are routed
# freely.


CLOSE = LEVELS[2]
KEPT_LINES = 2048  # routes of the latest pictures, with their known ends


def prescribed_paths(
    connections: Sequence[Connection], corners: Mapping[int, tuple[Point, ...]], terrain: Terrain
) -> dict[int, RouteDraft]:
    """The drafts of the edges with a clear prescribed course, by number; of a whole fan all or none."""
    found: dict[int, RouteDraft] = {}
    torn: set[Fan] = set()
    for number, connection in enumerate(connections):
        points = corners.get(connection.number, ())
        if len(points) > 1 and _has_way(connection, points, terrain):
            start, finish = _ends(points, connection.source_box, connection.target_box)
            found[number] = RouteDraft(connection, points, "orthogonal", start, finish, is_set=True)
        elif points and connection.fan is not None and connection.fan.whole:
            torn.add(connection.fan)
    return {number: draft for number, draft in found.items() if draft.connection.fan not in torn}


def former_paths(connections: Sequence[Connection], former: Mapping[int, Course]) -> dict[int, RouteDraft]:
    """The drafts of the edges that keep their former course, by number."""
    found: dict[int, RouteDraft] = {}
    for number, course in former.items():
        connection, points = connections[number], course.points
        if course.router != "orthogonal":
            found[number] = RouteDraft(connection, points, course.router, is_set=True)
            continue
        start, finish = _ends(points, connection.source_box, connection.target_box)
        found[number] = RouteDraft(connection, points, course.router, start, finish, is_set=True)
    return found


@lru_cache(maxsize=KEPT_LINES)
def _ends(points: tuple[Point, ...], source: Box, target: Box) -> tuple[Anchor, Anchor]:
    """The anchors at the first and last point of a route."""
    return _anchor(source, points[0], points[1]), _anchor(target, points[-1], points[-2])


def _has_way(connection: Connection, points: tuple[Point, ...], terrain: Terrain) -> bool:
    return is_clear(points, terrain.around(bounds_of_points(points), connection.exempt, CLOSE))


def _anchor(box: Box, end: Point, following: Point) -> Anchor:
    """The anchor on the side towards the next corner."""
    if end.x == following.x:
        side, along = ("bottom" if following.y > end.y else "top"), end.x
    else:
        side, along = ("right" if following.x > end.x else "left"), end.y
    return pinned_anchor(box, side, along, 0.0)
