"""Edge label placement: on the longest free segment of the unshared part of the route. px."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from scenograph.diagnostics import EDGE_LABEL_CRAMPED, Report
from scenograph.engine.effort import Effort
from scenograph.engine.geometry.boxes import Box, Point
from scenograph.engine.geometry.paths import distance, manhattan, quadratic
from scenograph.engine.geometry.spatial_index import Bounds, SpatialIndex, bounds_of, bounds_of_points, widened
from scenograph.engine.kernels.cell_grid import BoxSides
from scenograph.engine.kernels.label_desk import BoxGrid, LabelDesk
from scenograph.engine.kernels.label_spots import CORNER_ROOM, TIP_ROOM, Labelled, freedom
from scenograph.engine.kernels.straight_lines import APART, crossed_places, far_places, is_crossed, overlap
from scenograph.engine.route.courses.pathfinder import seen
from scenograph.engine.route.courses.terrain import RouteDraft, Terrain
from scenograph.engine.route.problem import FRAME, NOBODY, Connection, Course, Fan

# The part of a line shared with no line of its fan: only there a label belongs clearly to the line. In: the corners of
# a line and of the lines meeting in its end point. Out: the corners, including the first joining point, and the
# segments before this point.


_NEAR = 0.5  # lines closer than this coincide
_LEAST = 1.0  # a shorter stretch is none

RoutePoints = Sequence[Point]
Segments = tuple[int, int]
"""The first segment, and the last plus one."""


class Fellows:
    """The lines of a fan, with an index of their segments: a hub has a thousand."""

    def __init__(self, lines: Sequence[RoutePoints]) -> None:
        self._ends = SpatialIndex(bounds_of_points((line[-1],)) for line in lines)
        self._pieces = [(number, c, d) for number, line in enumerate(lines) for c, d in pairwise(line)]
        self._index = SpatialIndex(bounds_of_points((c, d)) for _, c, d in self._pieces)

    def meet_at_end(self, line: RoutePoints, but: int) -> bool:
        """Whether another line than number `but` ends where `line` does."""
        left, top, right, bottom = bounds_of_points((line[-1],))
        near = self._ends.near(left - _NEAR, top - _NEAR, right + _NEAR, bottom + _NEAR)
        return any(number != but for number in near)

    def joint(self, way: RoutePoints, but: int) -> float | None:
        """The distance along `way`, px, of the first joint with another line than number `but`."""
        passed = 0.0
        for a, b in pairwise(way):
            left, top, right, bottom = bounds_of_points((a, b))
            near = self._index.near(left - _NEAR, top - _NEAR, right + _NEAR, bottom + _NEAR)
            others = (piece for piece in map(self._pieces.__getitem__, near) if piece[0] != but)
            begins = [begin for _, c, d in others if (begin := overlap(a, b, c, d)) != APART]
            if begins:
                return passed + min(begins)
            passed += manhattan(a, b)
        return None


def with_own_stretch(
    line: RoutePoints, fellows: Fellows, but: int = NOBODY
) -> tuple[tuple[Point, ...], Segments | None]:
    """The polyline and its unshared segments; None when the route is alone, or shared from end to end. `but`: the
    number of the line itself among its fellows."""
    meets_at_end = fellows.meet_at_end(line, but)
    way = tuple(line) if meets_at_end else tuple(reversed(line))
    joint = fellows.joint(way, but)
    if joint is None or joint < _LEAST:
        return tuple(line), None
    corners, own = _cut(way, joint)
    if meets_at_end:
        return corners, (0, own)
    return tuple(reversed(corners)), (len(corners) - 1 - own, len(corners) - 1)


def _cut(way: RoutePoints, joint: float) -> tuple[tuple[Point, ...], int]:
    """The polyline with a corner added after `joint` px, and the number of the corner."""
    corners, left = [way[0]], joint
    for place, (a, b) in enumerate(pairwise(way), start=1):
        span = manhattan(a, b)
        if left <= span:
            share = left / span
            at = Point(a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share)
            rest = way[place:] if manhattan(at, b) >= _NEAR else way[place + 1 :]
            return (*corners, at, *rest) if rest else tuple(way), len(corners)
        corners.append(b)
        left -= span
    return tuple(way), len(way) - 1


# The inputs of label placement for each route. In: finished drafts. Out: a `Labelled` for each edge: its line as
# straight pieces, the size of its label, and, for a label that speaks for a whole trunk, the line cut at the last
# joining point; for joined lines with labels of their own, each line's unshared part.


SEEN_TRUNK = 8.0  # px; of a trunk, seen before its label in a layout with room for it, beyond the least
CHORDS = 7  # a curve is as good as so many straight pieces when its label is placed


def labelled(drafts: Sequence[RouteDraft]) -> list[Labelled]:
    """The drafts as rows for the placing of labels, in the same order."""
    trunks, fans = _trunks(drafts), _fans(drafts)
    return [_row(draft, trunks, fans) for draft in drafts]


def _row(draft: RouteDraft, trunks: dict[Fan, Point], fans: Mapping[Fan | None, _FanLines]) -> Labelled:
    connection = draft.connection
    fan, points = connection.fan, seen(draft.drawn(CHORDS), connection.own_labels)
    own = None
    if fan in fans and connection.label[0] and not draft.speaks:
        lines = fans[fan]
        points, own = with_own_stretch(points, lines.fellows, lines.place.get(connection.number, NOBODY))
    speaks = draft.speaks and draft.start is not None
    joint = trunks.get(fan) if speaks and fan is not None else None
    shows = speaks and (joint is None or _trunk_lack(connection, joint, points[-1]) <= 0.0)
    if shows and joint is not None and joint != points[-2]:
        points = (*points[:-1], joint, points[-1])
    return Labelled(
        connection.number,
        points,
        *connection.label,
        is_curve=draft.router == "curved",
        tips=connection.tips,
        end_texts=connection.end_texts,
        trunk=fan.number if fan is not None and fan.gathers else None,
        speaks=speaks,
        shows=shows,
        own=own,
        is_outcome=connection.is_outcome,
    )


class _FanLines(NamedTuple):
    """The lines of a fan, and the place of each among them by the number of its edge."""

    fellows: Fellows
    place: Mapping[int, int]


def _fans(drafts: Sequence[RouteDraft]) -> Mapping[Fan | None, _FanLines]:
    """The lines of every fan."""
    found: dict[Fan | None, list[RouteDraft]] = {}
    for draft in drafts:
        if draft.connection.fan is not None and draft.start is not None:
            found.setdefault(draft.connection.fan, []).append(draft)
    return {
        fan: _FanLines(
            Fellows([one.points for one in lines]), {one.connection.number: at for at, one in enumerate(lines)}
        )
        for fan, lines in found.items()
    }


def short_trunks(drafts: Sequence[RouteDraft]) -> dict[int, Point]:
    """The lengths along x and y that trunks lack for their one label, px, by the number of the edge that speaks: twice
    as much, since a layout gives half of it on the side of the target."""
    trunks, found = _trunks(drafts), dict[int, Point]()
    for draft in drafts:
        connection = draft.connection
        joint = None if connection.fan is None else trunks.get(connection.fan)
        if not draft.speaks or joint is None or not connection.label[0]:
            continue
        end = draft.points[-1]
        lack = _trunk_lack(connection, joint, end)
        if lack > 0.0:
            more = 2 * (lack + SEEN_TRUNK)
            found[connection.number] = (
                Point(more, 0.0) if abs(joint.x - end.x) > abs(joint.y - end.y) else Point(0.0, more)
            )
    return found


def _trunk_lack(connection: Connection, joint: Point, end: Point) -> float:
    """The length, px, by which a trunk is too short for its label beside the marker; negative with room to spare."""
    needed = connection.label[0] if abs(joint.x - end.x) > abs(joint.y - end.y) else connection.label[1]
    return needed + connection.tips[1] + TIP_ROOM + CORNER_ROOM - manhattan(joint, end)


def _trunks(drafts: Sequence[RouteDraft]) -> dict[Fan, Point]:
    """The point at which the last edge joins a trunk, for every trunk."""
    found: dict[Fan, Point] = {}
    for draft in drafts:
        fan = draft.connection.fan
        if fan is None or not fan.gathers or draft.start is None or len(draft.points) < 3:
            continue
        corner, end = draft.points[-2], draft.points[-1]
        if fan not in found or manhattan(corner, end) < manhattan(found[fan], end):
            found[fan] = corner
    return found


# Where edge labels stand: on the longest free segment of their edge. In: the routes, the sizes of the labels, the
# terrain. Out: a box for every label, found in `kernels.label_desk`. Rules R-LABEL-1, R-LABEL-2.


NOTHING: Mapping[int, Box] = {}
ROUNDS = 3  # of making room: a label that moved for another one may need room itself


def place_labels(
    edges: Sequence[Labelled], terrain: Terrain, effort: Effort, held: Mapping[int, Box] = NOTHING
) -> tuple[dict[int, Box], Mapping[int, Point]]:
    """A box for every label, by edge number, and the lengths that labels lack on their lines, px, infinite for
    labels that say something false. Labels in `held` stay; the rest are placed in
    order of increasing freedom, and a label without a free place may move a neighbour."""
    waiting = [number for number, edge in enumerate(edges) if edge.width > 0.0 and len(edge.points) > 1]
    waiting = [number for number in waiting if number not in held]
    if not waiting:
        return {edges[number].number: box for number, box in held.items()}, {}
    desk = _desk(edges, terrain, effort)
    for number, box in held.items():
        desk.hold(number, *box.center)
    waiting.sort(key=lambda number: (freedom(edges[number]), number))
    for number in waiting:
        desk.place(number)
    for _ in range(ROUNDS):
        moved = [desk.make_room(number) for number in waiting]
        if not any(moved):
            break
    lacks = {edges[number].number: Point(*lack) for number in waiting if any(lack := desk.lack(number))}
    effort.left = desk.left
    found = {
        edges[number].number: Box(*desk.corner(number), edges[number].width, edges[number].height)
        for number in sorted(waiting)
    }
    return found | {edges[number].number: box for number, box in held.items()}, lacks


def _desk(edges: Sequence[Labelled], terrain: Terrain, effort: Effort) -> LabelDesk:
    """All lines and obstacles; a label may well stand inside a frame."""
    obstacles: list[BoxSides] = list(terrain.index.bounds)
    borders: list[BoxSides] = list(terrain.frames.bounds)
    are_solid = [obstacle.kind != FRAME for obstacle in terrain.obstacles]
    frames = BoxGrid(borders, terrain.frames.grid)
    return LabelDesk(list(edges), BoxGrid(obstacles, terrain.index.grid), are_solid, frames, effort.left)


# Labels that say something false in the finished picture, whoever placed them: the router, an earlier picture. In: the
# courses and their connections. Out: the numbers of the edges. Rule R-LABEL-2.


OWN_REACH = 12.0  # px; a label farther off its line belongs to nobody
TOUCH = 1.0  # px; a line so little within a label is rounding

_RoutePiece = tuple[Point, Point]


def misplaced(courses: Sequence[Course], lines: Sequence[Connection]) -> list[int]:
    """The edges whose label covers a line of another edge, or stands more than 12 px off its own line."""
    drawn = [_drawn(course) for course in courses]
    places = {number: bounds_of(course.label) for number, course in enumerate(courses) if course.label is not None}
    inner = [widened(bounds, -TOUCH) for bounds in places.values()]
    crossed = crossed_places([*inner], list(places), list(enumerate(drawn)))
    far = far_places([*places.values()], [drawn[number] for number in places], OWN_REACH)
    doubtful = [number for number, *doubts in zip(places, crossed, far, strict=True) if any(doubts)]
    return _off_trunks(doubtful, places, drawn, lines) if doubtful else []


def _off_trunks(
    doubtful: Sequence[int], places: Mapping[int, Bounds], drawn: Sequence[RoutePoints], lines: Sequence[Connection]
) -> list[int]:
    """The edges with a label on a foreign line or far off the own line. The lines of a trunk are own lines of all edges
    of the trunk."""
    owners: dict[_RoutePiece, _Owners] = {}
    rooms = SpatialIndex([widened(places[number], OWN_REACH) for number in doubtful])
    for number, points in enumerate(drawn):
        for piece in pairwise(points) if rooms.near(*bounds_of_points(points), most=1) else ():
            owners.setdefault(piece, _Owners(set(), set())).add(number, lines[number].fan)
    pieces = list(owners)
    index = SpatialIndex(bounds_of_points(piece) for piece in pieces)
    found: list[int] = []
    for number in doubtful:
        bounds, fan = places[number], lines[number].fan
        own, foreign = list[_RoutePiece](), list[_RoutePiece]()
        for place in index.near(*widened(bounds, OWN_REACH)):
            (own if owners[pieces[place]].hold(number, fan) else foreign).append(pieces[place])
        is_off = all(distance(*piece, bounds) > OWN_REACH + TOUCH for piece in own)
        if is_off or is_crossed(widened(bounds, -TOUCH), [*foreign], [*own]):
            found.append(number)
    return found


class _Owners(NamedTuple):
    """The edges with a piece in common, and their fans: parallel edges lie on each other by the thousand."""

    edges: set[int]
    fans: set[Fan]

    def add(self, number: int, fan: Fan | None) -> None:
        self.edges.add(number)
        if fan is not None:
            self.fans.add(fan)

    def hold(self, number: int, fan: Fan | None) -> bool:
        """Whether a piece is of an edge or of its trunk."""
        return number in self.edges or fan in self.fans


def _drawn(course: Course) -> tuple[Point, ...]:
    points = course.points
    is_curve = course.router == "curved" and len(points) == 3
    return quadratic(points[0], points[1], points[2], CHORDS) if is_curve else points


def report_misplaced(edge_ids: Iterable[str], report: Report) -> None:
    """Report all labels without a free place in one diagnostic."""
    names = sorted(edge_ids)
    if names:
        report.add(EDGE_LABEL_CRAMPED, path="/elements", data={"edgeIds": names}, count=len(names))
