"""A crowd: runs of several routes that hang together because they lie near each other.

In: the runs with their limits and the pairs that are near. Out: an order that adds no crossings and a place for each
run, a line's distance from its neighbours. The only edge of a side keeps its anchor where there is another way.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from heapq import heapify, heappop, heappush

from scenograph.engine.geometry.boxes import Point
from scenograph.engine.route.corridors import SAME, Run
from scenograph.engine.route.draft import Draft
from scenograph.engine.route.ordering import preference
from scenograph.engine.route.separation import Pair, Separation

SEPARATION = 12.0
LEAST_SEPARATION = 8.0
KEPT_LEG = 8.0


class Crowd:
    """One cluster of near runs on one axis (`across` 0: upright runs, apart in x; 1: level runs, apart in y)."""

    def __init__(self, runs: list[Run], pairs: Sequence[tuple[int, int]], drafts: Sequence[Draft], across: int) -> None:
        self.runs = runs
        self.pairs = pairs
        self.across = across
        self._routes = [drafts[run.draft].points for run in runs]
        self._wanted = [preference(runs[a], runs[b], self._route_pair(a, b), across) for a, b in pairs]
        self._steady = _steady(runs, drafts)

    def is_calm(self) -> bool:
        """Whether everyone has room and stands on the right side already."""
        for (a, b), wanted in zip(self.pairs, self._wanted, strict=True):
            gap = self.runs[b].position - self.runs[a].position
            if abs(gap) < SEPARATION - SAME or wanted * gap > 0.0:
                return False
        return True

    def places(self) -> list[tuple[Run, float]]:
        """The runs with their new positions."""
        order = self._order()
        rank = {number: place for place, number in enumerate(order)}
        spans = [tuple(sorted((rank[a], rank[b]))) for a, b in self.pairs]
        legs = [tuple(sorted((rank[a], rank[b]))) for a, b in self._legs()]
        positions, tightest = self._solve(order, spans, legs, steady=True)
        if tightest < LEAST_SEPARATION and any(self._steady):
            looser, widest = self._solve(order, spans, legs, steady=False)
            if widest > tightest + SAME:
                positions = looser
        return [(self.runs[number], position) for number, position in zip(order, positions, strict=True)]

    def _solve(
        self, order: list[int], spans: list[tuple[int, ...]], legs: list[tuple[int, ...]], *, steady: bool
    ) -> tuple[list[float], float]:
        """Positions in `order`, and the smallest distance between two routes that came out."""
        pairs = [Pair(before, after, SEPARATION) for before, after in spans]
        runs = [self.runs[number] for number in order]
        kept = [
            Pair(before, after, min(KEPT_LEG, runs[after].position - runs[before].position))
            for before, after in legs
            if runs[after].position > runs[before].position
        ]
        held = [steady and self._steady[number] for number in order]
        separation = Separation(
            [run.position if hold else run.least for run, hold in zip(runs, held, strict=True)],
            [run.position if hold else run.most for run, hold in zip(runs, held, strict=True)],
            [run.position for run in runs],
            pairs + kept,
        )
        positions = separation.solve()
        return positions, min(positions[after] - positions[before] for before, after in spans)

    def _order(self) -> list[int]:
        """All runs from the low side to the high side: as the pairs want it, by position where they do not care."""
        after: list[list[int]] = [[] for _ in self.runs]
        waits = [0] * len(self.runs)
        for (a, b), wanted in zip(self.pairs, self._wanted, strict=True):
            first, second = (a, b) if self._comes_first(a, b, wanted) else (b, a)
            after[first].append(second)
            waits[second] += 1
        keys = [(run.position, run.draft, run.index, number) for number, run in enumerate(self.runs)]
        ready = [key for key in keys if waits[key[-1]] == 0]
        heapify(ready)
        order: list[int] = []
        done = [False] * len(self.runs)
        while len(order) < len(self.runs):
            if not ready:  # a circle of wishes: the run that the fewest wait for breaks it
                open_keys = [key for key in keys if not done[key[-1]]]
                heappush(ready, min(open_keys, key=lambda key: (waits[key[-1]], key)))
            number = heappop(ready)[-1]
            if done[number]:
                continue
            done[number] = True
            order.append(number)
            for other in after[number]:
                waits[other] -= 1
                if waits[other] == 0 and not done[other]:
                    heappush(ready, keys[other])
        return order

    def _comes_first(self, a: int, b: int, wanted: int) -> bool:
        one, other = self.runs[a], self.runs[b]
        now = other.position - one.position
        if wanted < 0 and one.least <= other.most:
            return True
        if wanted > 0 and other.least <= one.most:
            return False
        if abs(now) > SAME:
            return now > 0.0
        return self._ends(a) <= self._ends(b)

    def _ends(self, number: int) -> tuple[float, int, int]:
        points, run = self._routes[number], self.runs[number]
        return points[0][self.across] + points[-1][self.across], run.draft, run.index

    def _legs(self) -> list[tuple[int, int]]:
        """Runs of one route that a single leg joins: they keep their order."""
        numbers = {(run.draft, run.index): number for number, run in enumerate(self.runs)}
        return [
            (number, numbers[draft, index + 2])
            for (draft, index), number in numbers.items()
            if (draft, index + 2) in numbers
        ]

    def _route_pair(self, a: int, b: int) -> tuple[tuple[Point, ...], tuple[Point, ...]]:
        return self._routes[a], self._routes[b]


def _steady(runs: Sequence[Run], drafts: Sequence[Draft]) -> list[bool]:
    """The runs that keep the anchor of the specification: those that end alone on a side, and the only straight line
    among the edges of a side."""
    sides = [_sides(run, drafts[run.draft]) for run in runs]
    taken = Counter(side for own in sides for side in own)
    straight = Counter(side for own in sides if len(own) == 2 for side in own)
    return [
        bool(own) and all(taken[side] == 1 or (len(own) == 2 and straight[side] == 1) for side in own) for own in sides
    ]


def _sides(run: Run, draft: Draft) -> list[tuple[str, str]]:
    """The element sides at which a run ends."""
    if draft.start is None or draft.finish is None:
        return []
    found: list[tuple[str, str]] = []
    if run.index == 0:
        found.append((draft.connection.source.id, draft.start.side))
    if run.index + 2 == len(draft.points):
        found.append((draft.connection.target.id, draft.finish.side))
    return found
