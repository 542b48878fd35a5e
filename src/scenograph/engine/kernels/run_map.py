"""The runs of all routes of a scene: which of them a route crosses, and which lie in a region. px.

Routes that may lie on each other have one owner: a route of its own, or the fan that they belong to. Answers come in
the order in which runs were drawn, cell by cell.
"""

from __future__ import annotations

from typing import Final

from scenograph.engine.kernels.cell_grid import CellGrid
from scenograph.engine.kernels.run_order import preference, twists
from scenograph.engine.kernels.runs import SAME, Corners, Run, Sides, runs_of

NOBODY: Final = -1  # the owner of what is no longer drawn, the fan of a route that has none
IN_VAIN: Final = 32  # looks at what turns out to lie elsewhere count as one


class _Stretch:
    """A drawn run (`across` 0: upright, 1: level) and the owner of its route."""

    __slots__ = ("across", "owner", "run")

    def __init__(self, owner: int, across: int, run: Run) -> None:
        self.owner = owner
        self.across = across
        self.run = run


class RunMap:
    """The runs of numbered routes, which come and go. `owners` and `fans` say by route to whom it belongs. No run minds
    more than about `most` others; `looks` says at how many all questions so far had to look."""

    def __init__(self, owners: list[int], fans: list[int], cell: float, most: int) -> None:
        self._owners, self._fans = owners, fans
        self._grid = CellGrid(cell)
        self._most = most
        self._stretches: list[_Stretch] = []
        self._routes: dict[int, Corners] = {}
        self._drawn: dict[int, list[_Stretch]] = {}
        self.looks = 0

    def assign(self, route: int, owner: int, fan: int) -> None:
        """Let a route belong to another fan."""
        self._owners[route], self._fans[route] = owner, fan
        self.put(route, self._routes[route])

    def put(self, route: int, points: Corners) -> None:
        """Draw a route, in place of what it was before."""
        for stretch in self._drawn.get(route, []):
            stretch.owner = NOBODY
        drawn = self._stretches_of(route, points)
        for stretch in drawn:
            left, top, right, bottom = _bounds(stretch)
            self._grid.add(left, top, right, bottom)
            self._stretches.append(stretch)
        self._routes[route], self._drawn[route] = points, drawn

    def put_all(self, routes: list[tuple[int, Corners]]) -> None:
        """Draw numbered routes, one after the other."""
        for route, points in routes:
            self.put(route, points)

    def crossings_of(self, routes: list[int], looks: int) -> list[int]:
        """How many others each of these routes crosses as it is drawn, until `looks` are spent: that many routes were
        counted."""
        found: list[int] = []
        last = self.looks + looks
        for route in routes:
            if self.looks >= last:
                break
            found.append(self.crossings(route, self._routes[route]))
        return found

    def crossings(self, route: int, points: Corners) -> int:
        """How many others those points would cross for `route`, those included that share a corridor and leave it on
        the wrong sides."""
        count = 0
        beside: dict[int, tuple[int, int]] = {}  # by fan, to how many of its lines this one lies on the low, high side
        crossed: set[tuple[int, float, float]] = set()  # the lines of a fan are one line where they coincide
        is_drawn = points is self._routes.get(route)
        for mine in self._drawn[route] if is_drawn else self._stretches_of(route, points):
            run, across = mine.run, mine.across
            for other in self._near(mine):
                theirs = other.run
                if other.owner in (mine.owner, NOBODY):
                    continue
                if other.across != across:
                    if theirs.low < run.position < theirs.high and run.low < theirs.position < run.high:
                        crossed.add((other.owner, theirs.position, run.position))
                elif abs(theirs.position - run.position) <= SAME and run.high > theirs.low and theirs.high > run.low:
                    way, fan = self._routes[theirs.draft], self._fans[theirs.draft]
                    if twists(run, theirs, points, way, across):
                        count += 1
                    if fan != NOBODY:
                        side = preference(run, theirs, points, way, across)
                        low, high = beside.get(fan, (0, 0))
                        beside[fan] = (low + (1 if side < 0 else 0), high + (1 if side > 0 else 0))
        # Who belongs to the left of some lines of a fan and to the right of others crosses one of the two parts.
        for low, high in beside.values():
            count += min(low, high)
        return count + len(crossed)

    def around(self, region: Sides, route: int) -> tuple[list[Run], list[Run]]:
        """The upright and the level runs of all others in a region."""
        left, top, right, bottom = region
        own = self._owners[route]
        upright: list[Run] = []
        level: list[Run] = []
        for number in self._grid.near(left, top, right, bottom, len(self._stretches)):
            stretch = self._stretches[number]
            if stretch.owner not in (own, NOBODY):
                (level if stretch.across else upright).append(stretch.run)
        return upright, level

    def _stretches_of(self, route: int, points: Corners) -> list[_Stretch]:
        owner = self._owners[route]
        found = [_Stretch(owner, 0, run) for run in runs_of(route, points, 0)]
        found.extend([_Stretch(owner, 1, run) for run in runs_of(route, points, 1)])
        return found

    def _near(self, stretch: _Stretch) -> list[_Stretch]:
        """What is drawn near a stretch, up to a number."""
        looked = self._grid.looks
        left, top, right, bottom = _bounds(stretch)
        near = self._grid.near(left, top, right, bottom, self._most)
        self.looks += 1 + len(near) + (self._grid.looks - looked) // IN_VAIN
        return [self._stretches[number] for number in near]


def _bounds(stretch: _Stretch) -> Sides:
    run = stretch.run
    if stretch.across:
        return run.low, run.position, run.high, run.position
    return run.position, run.low, run.position, run.high
