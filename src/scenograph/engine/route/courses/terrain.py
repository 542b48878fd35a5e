"""Terrain and traffic: one list of obstacles for the whole scene, queried by region, and the routes of other edges."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from math import ceil, inf
from typing import NamedTuple

from scenograph.diagnostics import EDGE_OBSTACLE_GRAZED, Report
from scenograph.engine.costs import CLEARANCE
from scenograph.engine.geometry.boxes import Point
from scenograph.engine.geometry.paths import crosses, distance, quadratic
from scenograph.engine.geometry.spatial_index import CELL, Bounds, SpatialIndex, bounds_of_points, widened
from scenograph.engine.kernels.runs import NOBODY, Polyline, Run, RunMap
from scenograph.engine.kernels.simple_paths import Grown, ObstacleField, each_nearing, nearing
from scenograph.engine.route.courses.anchors import Anchor
from scenograph.engine.route.problem import FRAME, NODE, Connection, Fan, Obstacle, RoutingProblem
from scenograph.late_dataclasses import dataclass, field

# The terrain: one list of obstacles for the whole scene, queried by region.
#
# In: a routing problem. Out: bounds of nodes, texts, images, foreign frames, titles and outside labels, grown by the
# clearance of a level. Rules R-ROUTE-3, R-ROUTE-4.

CORNER_GROWTH = 8.0  # px; the least that a search takes at corners (R-ROUTE-4)


class Level(NamedTuple):
    """How far routes keep from each kind of obstacle, px; None lets them pass. `stub` is the straight run at an end."""

    node: float | None
    plaque: float | None
    frame: float | None
    writing: float | None
    stub: float


LEVELS = (
    Level(CLEARANCE, 8.0, 12.0, 5.0, 16.0),
    Level(CLEARANCE, 6.0, 4.0, 3.0, 12.0),
    Level(CORNER_GROWTH, 6.0, 4.0, 3.0, 10.0),
    Level(CLEARANCE, 8.0, None, 3.0, 16.0),
    Level(CORNER_GROWTH, 4.0, None, 2.0, 8.0),
    Level(2.0, 2.0, None, None, 4.0),
)
BARE = Level(0.0, 0.0, None, None, 4.0)
NOWHERE = Bounds(inf, inf, -inf, -inf)  # what a level lets pass reaches into no region


@dataclass(slots=True)
class Terrain:
    """All obstacles, and the boxes of all containers with a visible border, lanes included."""

    obstacles: tuple[Obstacle, ...]
    index: SpatialIndex
    frames: SpatialIndex = field(default_factory=SpatialIndex)
    _grown: dict[Level, tuple[list[Bounds], ObstacleField]] = field(
        default_factory=dict[Level, "tuple[list[Bounds], ObstacleField]"], init=False, compare=False, repr=False
    )
    _nodes: list[Grown] = field(default_factory=list[Grown], init=False, compare=False, repr=False)

    @property
    def nodes(self) -> list[Grown]:
        """All obstacles in the kernel's format, ungrown; anything but a node lies nowhere. Computed once."""
        if not self._nodes:
            rows = ((bounds if kind == NODE else NOWHERE, owner) for bounds, kind, owner in self.obstacles)
            self._nodes.extend(Grown(bounds, owner, ()) for bounds, owner in rows)
        return self._nodes

    def around(self, region: Bounds, exempt: frozenset[int], level: Level) -> list[Bounds]:
        """The grown bounds of every obstacle in `region`, except obstacles owned by `exempt`."""
        boxes, field = self._grown_at(level)
        return [boxes[number] for number in field.reaching(region, exempt)]

    def field(self, level: Level) -> ObstacleField:
        """All obstacles grown for a level, for kernels with region queries of their own."""
        return self._grown_at(level)[1]

    def _grown_at(self, level: Level) -> tuple[list[Bounds], ObstacleField]:
        """All obstacles grown for a level, as bounds and in the kernel's format. Computed once."""
        found = self._grown.get(level)
        if found is None:
            boxes = [_grown(obstacle.bounds, level[obstacle.kind]) for obstacle in self.obstacles]
            frames = self._frames_before(boxes)
            grown = [
                Grown(box, obstacle.owner, frames.get(number, ()))
                for number, (box, obstacle) in enumerate(zip(boxes, self.obstacles, strict=True))
            ]
            found = self._grown[level] = boxes, ObstacleField(self.index.grid, grown, CLEARANCE)
        return found

    def _frames_before(self, boxes: Sequence[Bounds]) -> dict[int, tuple[int, ...]]:
        """For every grown box, the owners of the frames that cover the box. Of two equal frames, the earlier covers the
        later."""
        found: dict[int, tuple[int, ...]] = {}
        for number, (box, obstacle) in enumerate(zip(boxes, self.obstacles, strict=True)):
            if obstacle.kind != FRAME or box is NOWHERE:
                continue
            for other in self.index.near(*box):
                covered = boxes[other]
                contains = (
                    box[0] <= covered[0] and box[1] <= covered[1] and box[2] >= covered[2] and box[3] >= covered[3]
                )
                if contains and (covered != box or other > number):
                    found[other] = (*found.get(other, ()), obstacle.owner)
        return found


def survey(problem: RoutingProblem) -> Terrain:
    """The terrain of a problem."""
    index = SpatialIndex(obstacle.bounds for obstacle in problem.obstacles)
    return Terrain(problem.obstacles, index, SpatialIndex(problem.borders))


def _grown(bounds: Bounds, by: float | None) -> Bounds:
    return NOWHERE if by is None else widened(bounds, by)


# How near routes come to what is not theirs. In: a drawn polyline and the terrain. Out: whether it enters a
# stranger, and the report of edges that come within 16 px of a third-party node. Rule R-ROUTE-3.


TOLERANCE = 0.01  # px; a smaller lack is rounding
PART = 240.0  # px of the shorter side of a region in which obstacles are looked for
TOUCHING = Level(2.0, 2.0, 0.0, 0.0, 0.0)


def enters(points: Sequence[Point], exempt: frozenset[int], terrain: Terrain) -> bool:
    """Whether the polyline enters a stranger."""
    return any(
        crosses(a, b, box)
        for part in _parts(points)
        for box in terrain.around(bounds_of_points(part), exempt, TOUCHING)
        for a, b in pairwise(part)
    )


def _parts(points: Sequence[Point]) -> Iterator[Sequence[Point]]:
    """The polyline in parts with tight bounds: a long slope is cut."""
    part: list[Point] = [points[0]]
    for a, b in pairwise(points):
        pieces = ceil(min(abs(b[0] - a[0]), abs(b[1] - a[1])) / PART)
        for piece in range(1, pieces):
            share = piece / pieces
            at = Point(a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share)
            yield [*part, at]
            part = [at]
        left, top, right, bottom = bounds_of_points([*part, b])
        if len(part) > 1 and min(right - left, bottom - top) > PART:
            yield part
            part = [part[-1]]
        part.append(b)
    yield part


def grazes(points: Sequence[Point], exempt: frozenset[int], terrain: Terrain) -> bool:
    """Whether the polyline comes within the clearance of a foreign node."""
    gap = CLEARANCE - TOLERANCE
    pairs = nearing(tuple(points), terrain.index.grid, terrain.nodes, exempt, gap)
    return _is_nearer(points, pairs, terrain, gap)


def _is_nearer(points: Sequence[Point], pairs: Sequence[tuple[int, int]], terrain: Terrain, gap: float) -> bool:
    """Whether a segment comes nearer than the gap to an obstacle."""
    for piece, number in pairs:
        (ax, ay), (bx, by) = a, b = points[piece : piece + 2]
        if ax == bx or ay == by or distance(a, b, terrain.obstacles[number].bounds) < gap:
            return True
    return False


def which_graze(lines: Sequence[tuple[Point, ...]], exempt: Sequence[frozenset[int]], terrain: Terrain) -> list[bool]:
    """For each polyline, whether the clearance of a foreign node is broken (`grazes`)."""
    gap, found = CLEARANCE - TOLERANCE, list[bool]()
    near = each_nearing([*lines], terrain.index.grid, terrain.nodes, [*exempt], gap)
    for points, pairs in zip(lines, near, strict=True):
        found.append(bool(pairs) and _is_nearer(points, pairs, terrain, gap))
    return found


def touches(points: Sequence[Point], boxes: Sequence[Bounds], gap: float) -> bool:
    """Whether the polyline comes nearer than the gap to one of the boxes."""
    for a, b in pairwise(points):
        low_x, high_x = (a[0], b[0]) if a[0] <= b[0] else (b[0], a[0])
        low_y, high_y = (a[1], b[1]) if a[1] <= b[1] else (b[1], a[1])
        for box in boxes:
            if max(box[0] - high_x, low_x - box[2], box[1] - high_y, low_y - box[3]) >= gap:
                continue
            if low_x == high_x or low_y == high_y or distance(a, b, box) < max(gap, TOLERANCE):
                return True
    return False


def report_grazed(edge_ids: Iterable[str], report: Report) -> None:
    """Report all edges without a clear route in one diagnostic."""
    grazed = sorted(edge_ids)
    if not grazed:
        return
    report.add(
        EDGE_OBSTACLE_GRAZED,
        path="/elements",
        data={"grazedEdgeIds": grazed, "clearance": int(CLEARANCE)},
        count=len(grazed),
        clearance=int(CLEARANCE),
    )


# A route in progress: its corners still on the sides of the boxes, its anchors still known.


@dataclass(slots=True)
class RouteDraft:
    """The corners of one edge. `start` and `finish` are the anchors of an orthogonal route, None for other routers:
    their ends lie on the outlines already.

    `is_set`: the notation prescribes the course, and other routes give way. `alone`: the connection without its trunk,
    kept while the edge may leave the trunk. `crowd`: the trunk that the edge shares or stays out of. `speaks`: the edge
    shows its label for the whole trunk.
    """

    connection: Connection
    points: tuple[Point, ...]
    router: str
    start: Anchor | None = None
    finish: Anchor | None = None
    is_set: bool = False
    alone: Connection | None = None
    crowd: Fan | None = None
    speaks: bool = False

    def drawn(self, chords: int) -> tuple[Point, ...]:
        """The route as straight segments; a curve becomes `chords` of them."""
        if self.router == "curved":
            return quadratic(self.points[0], self.points[1], self.points[2], chords)
        return self.points


# Traffic: the routes of other edges, their crossings, and their price for a search.
#
# In: the straight segments of the routes drawn so far. Out: counts of crossings, and the segments in a region.


MOST_NEAR, LEAST_NEAR = 400, 40  # no run minds more others than this: the more routes, the fewer
LOOKS = 120_000  # at others, when every route is counted once


class Traffic(NamedTuple):
    """The segments of foreign routes in a region."""

    upright: list[Run]
    level: list[Run]


NO_TRAFFIC = Traffic([], [])


class TrafficMap:
    """The runs of all orthogonal routes of a scene, numbered; routes come and go."""

    def __init__(self, fans: Sequence[Fan | None]) -> None:
        self._numbers: dict[Fan | None, int] = {None: NOBODY}
        self._routes = len(fans)
        for fan in fans:
            self._numbers.setdefault(fan, self._routes + len(self._numbers))
        numbers = [self._numbers[fan] for fan in fans]
        owners = [route if fan == NOBODY else fan for route, fan in enumerate(numbers)]
        self._runs = RunMap(owners, numbers, CELL, max(LEAST_NEAR, min(MOST_NEAR, LOOKS // max(1, len(fans)))))

    @property
    def looks(self) -> int:
        """The number of foreign segments examined by all queries."""
        return self._runs.looks

    def assign(self, route: int, fan: Fan | None) -> None:
        """Let a route belong to another fan, or to none."""
        number = self._numbers.setdefault(fan, self._routes + len(self._numbers))
        self._runs.assign(route, route if fan is None else number, number)

    def put(self, route: int, points: tuple[Point, ...]) -> None:
        """Draw a route, replacing its former course."""
        self._runs.put(route, points)

    def put_all(self, routes: list[tuple[int, Polyline]]) -> None:
        """Draw numbered routes, one after another."""
        self._runs.put_all(routes)

    def crossings_of(self, routes: list[int], looks: int) -> list[int]:
        """The crossings of the first of these routes as drawn: as many routes as `looks` covers."""
        return self._runs.crossings_of(routes, looks)

    def crossings(self, route: int, points: tuple[Point, ...]) -> int:
        """The number of foreign routes crossed by `points`, including routes leaving a shared channel on the wrong
        sides."""
        return self._runs.crossings(route, points)

    def around(self, region: Bounds, route: int) -> Traffic:
        """The segments of all foreign routes in a region."""
        return Traffic(*self._runs.around(region, route))
