"""Traffic: the routes of other edges, their crossings, and their price for a search.

In: the straight segments of the routes drawn so far. Out: counts of crossings, and the segments in a region.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from scenograph.engine.geometry.boxes import Point
from scenograph.engine.geometry.paths import quadratic
from scenograph.engine.geometry.spatial_index import CELL, Bounds
from scenograph.engine.kernels.runs import NOBODY, Polyline, Run, RunMap
from scenograph.engine.route.courses.anchors import Anchor
from scenograph.engine.route.problem import Connection, Fan
from scenograph.late_dataclasses import dataclass

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
        """The number of foreign routes that `points` would cross, including routes that share a channel and leave it on
        the wrong sides."""
        return self._runs.crossings(route, points)

    def around(self, region: Bounds, route: int) -> Traffic:
        """The segments of all foreign routes in a region."""
        return Traffic(*self._runs.around(region, route))
