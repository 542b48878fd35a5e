"""The routes of other edges: who crosses whom, and what a search has to pay for crossing them.

In: the straight runs of routes already drawn. Out: counts of crossings, and the runs in a region.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from scenograph.engine.geometry.boxes import Point
from scenograph.engine.geometry.spatial_index import Bounds, SpatialIndex
from scenograph.engine.kernels.run_order import preference, twists
from scenograph.engine.kernels.runs import SAME, Run, runs_of
from scenograph.engine.route.problem import Fan

MOST_NEAR, LEAST_NEAR = 400, 40  # no run minds more others than this: the more routes, the fewer
IN_VAIN = 32  # looks at what turns out to lie elsewhere count as one
LOOKS = 120_000  # at others, when every route is counted once


class Line(NamedTuple):
    """A straight run of a route: its coordinate across, and its span along."""

    at: float
    low: float
    high: float


class _Stretch(NamedTuple):
    """A drawn run: the number of the line that it belongs to, and the coordinate across (0 upright, 1 level)."""

    owner: int
    across: int
    line: Line
    run: Run


class Traffic(NamedTuple):
    """The runs of other routes in a region."""

    upright: Sequence[Line]
    level: Sequence[Line]


NO_TRAFFIC = Traffic((), ())


class TrafficMap:
    """The runs of all orthogonal routes of a scene, numbered; routes come and go."""

    def __init__(self, fans: Sequence[Fan | None]) -> None:
        self.looks = 0  # at runs of others, so far
        numbers: dict[Fan | None, int] = {}
        for fan in fans:
            numbers.setdefault(fan, len(fans) + len(numbers))
        self._fans = list(fans)
        self._numbers_of_fans = numbers
        # Routes that may lie on each other are one line: a route's own number, or one that its whole fan shares.
        self._lines = [route if fan is None else numbers[fan] for route, fan in enumerate(fans)]
        self._most_near = max(LEAST_NEAR, min(MOST_NEAR, LOOKS // max(1, len(fans))))
        self._index = SpatialIndex()
        self._stretches: list[_Stretch | None] = []  # None: it is no longer drawn
        self._routes: dict[int, tuple[Point, ...]] = {}
        self._numbers: dict[int, list[int]] = {}

    def assign(self, route: int, fan: Fan | None) -> None:
        """Let a route belong to another fan, or to none."""
        self._fans[route] = fan
        self._lines[route] = route if fan is None else self._numbers_of_fans[fan]
        self.put(route, self._routes[route])

    def put(self, route: int, points: tuple[Point, ...]) -> None:
        """Draw a route, in place of what it was before."""
        for number in self._numbers.get(route, ()):
            self._stretches[number] = None
        self._routes[route] = points
        self._numbers[route] = []
        for stretch in self._stretches_of(route, points):
            self._numbers[route].append(self._index.add(_bounds(stretch)))
            self._stretches.append(stretch)

    def _stretches_of(self, route: int, points: tuple[Point, ...]) -> list[_Stretch]:
        line = self._lines[route]
        return [
            _Stretch(line, across, Line(run.position, run.low, run.high), run)
            for across in (0, 1)
            for run in runs_of(route, points, across)
        ]

    def _drawn(self, route: int) -> list[_Stretch]:
        """The stretches of a route as it is."""
        found = (self._stretches[number] for number in self._numbers[route])
        return [stretch for stretch in found if stretch is not None]

    def crossings(self, route: int, points: tuple[Point, ...]) -> int:
        """How many other routes those points would cross for `route`, those included that share a corridor and leave
        it on the wrong sides."""
        count = 0
        beside: dict[Fan, list[int]] = {}
        crossed: dict[tuple[int, float, float], None] = {}  # the edges of a fan are one line where they coincide
        is_drawn = points is self._routes.get(route)
        for mine in self._drawn(route) if is_drawn else self._stretches_of(route, points):
            own, across, (at, low, high), run = mine
            for other in self._beside(mine):
                line, other_across, (other_at, other_low, other_high), other_run = other
                if line == own:
                    continue
                if other_across != across:
                    if other_low < at < other_high and low < other_at < high:
                        crossed[line, other_at, at] = None
                elif abs(other_at - at) <= SAME and min(high, other_high) > max(low, other_low):
                    theirs = self._routes[other_run.draft]
                    count += twists(run, other_run, points, theirs, across)
                    fan = self._fans[other_run.draft]
                    if fan is not None:
                        beside.setdefault(fan, []).append(preference(run, other_run, points, theirs, across))
        return count + len(crossed) + sum(_split(sides) for sides in beside.values())

    def around(self, region: Bounds, route: int) -> Traffic:
        """The runs of all others in a region."""
        own = self._lines[route]
        near = (self._stretches[number] for number in self._index.near(*region))
        others = [stretch for stretch in near if stretch is not None and stretch[0] != own]
        return Traffic([other[2] for other in others if not other[1]], [other[2] for other in others if other[1]])

    def _beside(self, stretch: _Stretch) -> Iterator[_Stretch]:
        """What is drawn near a stretch, up to a number."""
        looked = self._index.looks
        near = self._index.near(*_bounds(stretch), most=self._most_near)
        self.looks += 1 + len(near) + (self._index.looks - looked) // IN_VAIN
        for number in near:
            other = self._stretches[number]
            if other is not None:
                yield other


def _split(sides: Sequence[int]) -> int:
    """The edges of a fan stay on one line: who belongs to the left of some and to the right of others crosses one of
    the two parts."""
    return min(sum(side < 0 for side in sides), sum(side > 0 for side in sides))


def _bounds(stretch: _Stretch) -> Bounds:
    at, low, high = stretch.line
    return Bounds(low, at, high, at) if stretch.across else Bounds(at, low, at, high)
