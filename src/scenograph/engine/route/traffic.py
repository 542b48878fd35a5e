"""The routes of other edges: who crosses whom, and what a search has to pay for crossing them.

In: the straight runs of routes already drawn. Out: counts of crossings; and for every line of a visibility graph the
sum of the tolls from its beginning to each of its places, so that the toll of a move is one subtraction.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

from scenograph.engine.geometry.boxes import Point
from scenograph.engine.geometry.spatial_index import Bounds, SpatialIndex
from scenograph.engine.route.connection import Fan
from scenograph.engine.route.ordering import preference, twists
from scenograph.engine.route.runs import SAME, Run, runs_of
from scenograph.engine.route.visibility import VisibilityGraph

CROSSING_PENALTY = 60.0
MOST_NEAR, LEAST_NEAR = 400, 40  # no run minds more others than this: the more routes, the fewer
LOOKS = 120_000  # at others, when every route is counted once


class Line(NamedTuple):
    """A straight run of a route: its coordinate across, and its span along."""

    at: float
    low: float
    high: float


class Traffic(NamedTuple):
    """The runs of other routes in a region."""

    upright: Sequence[Line]
    level: Sequence[Line]


NO_TRAFFIC = Traffic((), ())
Sums = list[list[float]]
Tolls = tuple[Sums, Sums]


def tolls_of(graph: VisibilityGraph, traffic: Traffic) -> Tolls:
    """Running sums of the tolls along every row and every column; an empty list where nothing is crossed."""
    return _sums(graph.xs, graph.ys, traffic.upright), _sums(graph.ys, graph.xs, traffic.level)


def _sums(along: list[float], lines: list[float], crossed: Sequence[Line]) -> Sums:
    steps: Sums = [[] for _ in lines]
    for at, low, high in crossed:
        place = bisect_left(along, at)
        if place == len(along):
            continue
        # A run that lies on a vertex is crossed by going through it, not by turning there: half a toll on each side.
        is_on_vertex = along[place] == at
        for line in range(bisect_right(lines, low), bisect_left(lines, high)):
            row = steps[line]
            if not row:
                row.extend([0.0] * (len(along) + 1))
            row[place] += CROSSING_PENALTY / 2 if is_on_vertex else CROSSING_PENALTY
            row[place + 1] += CROSSING_PENALTY / 2 if is_on_vertex else 0.0
    return [list(accumulate(row)) if row else row for row in steps]


class TrafficMap:
    """The runs of all orthogonal routes of a scene, numbered; routes come and go."""

    def __init__(self, fans: Sequence[Fan | None]) -> None:
        self._fans = fans
        self._most_near = max(LEAST_NEAR, min(MOST_NEAR, LOOKS // max(1, len(fans))))
        self._index = SpatialIndex()
        self._runs: list[tuple[Run, int]] = []  # with the coordinate across: 0 upright, 1 level
        self._routes: dict[int, tuple[Point, ...]] = {}
        self._alive: list[bool] = []
        self._numbers: dict[int, list[int]] = {}

    def put(self, route: int, points: tuple[Point, ...]) -> None:
        """Draw a route, in place of what it was before."""
        for number in self._numbers.get(route, ()):
            self._alive[number] = False
        self._routes[route] = points
        self._numbers[route] = []
        for across in (0, 1):
            for run in runs_of(route, points, across):
                self._numbers[route].append(self._index.add(_bounds(run, across)))
                self._runs.append((run, across))
                self._alive.append(True)

    def crossings(self, route: int, points: tuple[Point, ...]) -> int:
        """How many other routes those points would cross for `route`, those included that share a corridor and leave
        it on the wrong sides."""
        count = 0
        beside: dict[Fan, list[int]] = {}
        crossed: dict[tuple[Fan | int, float, float], None] = {}  # the edges of a fan are one line where they coincide
        for across in (0, 1):
            for run in runs_of(route, points, across):
                for number in self._index.near(*_bounds(run, across))[: self._most_near]:
                    other, other_across = self._runs[number]
                    if not self._alive[number] or self._are_one(other.draft, route):
                        continue
                    fan = self._fans[other.draft]
                    if other_across != across:
                        if other.low < run.position < other.high and run.low < other.position < run.high:
                            crossed[(fan or other.draft, other.position, run.position)] = None
                    elif _are_together(run, other):
                        ways = points, self._routes[other.draft]
                        count += twists(run, other, ways, across)
                        if fan is not None:
                            beside.setdefault(fan, []).append(preference(run, other, ways, across))
        return count + len(crossed) + sum(_split(sides) for sides in beside.values())

    def around(self, region: Bounds, route: int) -> Traffic:
        """The runs of all others in a region."""
        upright: list[Line] = []
        level: list[Line] = []
        for number in self._index.near(*region):
            run, across = self._runs[number]
            if self._alive[number] and not self._are_one(run.draft, route):
                (level if across else upright).append(Line(run.position, run.low, run.high))
        return Traffic(upright, level)

    def _are_one(self, route: int, other: int) -> bool:
        """Whether two routes may lie on each other: they are the same, or of one fan."""
        return route == other or (self._fans[route] is not None and self._fans[route] == self._fans[other])


def _are_together(run: Run, other: Run) -> bool:
    """Whether two runs of one axis share a stretch of one line."""
    return abs(other.position - run.position) <= SAME and min(run.high, other.high) > max(run.low, other.low)


def _split(sides: Sequence[int]) -> int:
    """The edges of a fan stay on one line: who belongs to the left of some and to the right of others crosses one of
    the two parts."""
    return min(sum(side < 0 for side in sides), sum(side > 0 for side in sides))


def _bounds(run: Run, across: int) -> Bounds:
    if across:
        return Bounds(run.low, run.position, run.high, run.position)
    return Bounds(run.position, run.low, run.position, run.high)
