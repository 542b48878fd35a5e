"""Places on one axis: variables with limits and wishes, pairs that want a distance.

In: for each variable least, most and wish; pairs (before, after, gap) that follow one order. Out: positions within the
limits, as near to the wishes as the gaps allow, spread evenly about them. Gaps that find no room shrink, only those.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import inf

ROUNDS, LEAST_ROUNDS = 60, 8  # in which gaps are shortened
PAIR_VISITS = 16_000  # for all rounds: where more pairs hang together, the gaps that are still too long go sooner
EPSILON = 1e-6  # px; a smaller excess is rounding


@dataclass(slots=True)
class Pair:
    """`before` lies at least `gap` px below `after`."""

    before: int
    after: int
    gap: float


@dataclass(slots=True)
class Separation:
    """Variables in an order that every pair follows (`before` < `after`)."""

    least: list[float]
    most: list[float]
    wish: list[float]
    pairs: list[Pair]
    _into: list[list[Pair]] = field(default_factory=list[list[Pair]])
    _out_of: list[list[Pair]] = field(default_factory=list[list[Pair]])

    def __post_init__(self) -> None:
        self._into = [[] for _ in self.least]
        self._out_of = [[] for _ in self.least]
        for pair in self.pairs:
            self._into[pair.after].append(pair)
            self._out_of[pair.before].append(pair)

    def solve(self) -> list[float]:
        """Positions of all variables. The mean of packing from below and packing from above: both keep every gap, so
        their mean does."""
        low, high = self._shrink_to_fit()
        up: list[float] = []
        for number, wish in enumerate(self.wish):
            floor = max((up[pair.before] + pair.gap for pair in self._into[number]), default=-inf)
            up.append(min(high[number], max(wish, low[number], floor)))
        down = [0.0] * len(up)
        for number in range(len(up) - 1, -1, -1):
            ceiling = min((down[pair.after] - pair.gap for pair in self._out_of[number]), default=inf)
            down[number] = max(low[number], min(self.wish[number], high[number], ceiling))
        return [(a + b) / 2 for a, b in zip(up, down, strict=True)]

    def _shrink_to_fit(self) -> tuple[list[float], list[float]]:
        """Lower and upper bounds that agree, after the gaps of every chain that is too long have been shortened."""
        for _ in range(self._rounds()):
            low, low_by = self._bounds_from_below()
            high, high_by = self._bounds_from_above()
            touched = set[int]()
            for number in range(len(low)):
                excess = low[number] - high[number]
                if excess > EPSILON:
                    self._shorten(number, excess, (low_by, high_by), touched)
            if not touched:
                return low, high
        for pair in self.pairs:
            pair.gap = -inf
        return list(self.least), list(self.most)

    def _rounds(self) -> int:
        return max(LEAST_ROUNDS, min(ROUNDS, PAIR_VISITS // (len(self.pairs) + 1)))

    def _bounds_from_below(self) -> tuple[list[float], list[Pair | None]]:
        low, by = list(self.least), list[Pair | None]([None] * len(self.least))
        for number, pairs in enumerate(self._into):
            for pair in pairs:
                floor = low[pair.before] + pair.gap
                if floor > low[number]:
                    low[number], by[number] = floor, pair
        return low, by

    def _bounds_from_above(self) -> tuple[list[float], list[Pair | None]]:
        high, by = list(self.most), list[Pair | None]([None] * len(self.most))
        for number in range(len(high) - 1, -1, -1):
            for pair in self._out_of[number]:
                ceiling = high[pair.after] - pair.gap
                if ceiling < high[number]:
                    high[number], by[number] = ceiling, pair
        return high, by

    def _shorten(
        self, number: int, excess: float, by: tuple[Sequence[Pair | None], Sequence[Pair | None]], touched: set[int]
    ) -> None:
        """Shorten the gaps of the chain that meets at `number` by `excess` in all, in proportion."""
        chain = _untouched_chain(number, by, touched)
        if chain is None:
            return
        total = sum(pair.gap for pair in chain)
        factor = (total - excess - EPSILON) / total if total > excess else 0.0
        for pair in chain:
            touched.add(id(pair))
            pair.gap = pair.gap * factor if total > 0.0 else -inf


def _untouched_chain(
    number: int, by: tuple[Sequence[Pair | None], Sequence[Pair | None]], touched: set[int]
) -> list[Pair] | None:
    """The pairs that push `number` from below and from above; None when one of them was shortened in this round."""
    chain: list[Pair] = []
    pair = by[0][number]
    while pair is not None:
        if id(pair) in touched:
            return None
        chain.append(pair)
        pair = by[0][pair.before]
    pair = by[1][number]
    while pair is not None:
        if id(pair) in touched:
            return None
        chain.append(pair)
        pair = by[1][pair.after]
    return chain
