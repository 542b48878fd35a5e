"""Places on one axis: variables with limits and wishes, pairs that want a distance.

In: for each variable least, most and wish; pairs (before, after, gap) that follow one order. Out: positions within the
limits, as near to the wishes as the gaps allow, spread evenly about them. Gaps that find no room shrink, only those,
and so that the one that shrinks most keeps as large a share as it can.
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
    """`before` lies at least `gap` px below `after`. `is_short`: the gap has been shortened."""

    before: int
    after: int
    gap: float
    is_short: bool = False


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
        """Lower and upper bounds that agree, after the gaps of every chain that is too long have been shortened, the
        chains with the least room first."""
        for _ in range(self._rounds()):
            low, low_by = self._bounds_from_below()
            high, high_by = self._bounds_from_above()
            pushed = [number for number in range(len(low)) if low[number] - high[number] > EPSILON]
            if not pushed:
                return low, high
            chains = [_Chain(one, _pushing(one, low_by, high_by), low[one] - high[one]) for one in pushed]
            chains.sort(key=lambda chain: (chain.share, chain.number))
            touched = set[int]()
            for chain in chains:
                if touched.isdisjoint(map(id, chain.pairs)):
                    touched.update(map(id, chain.pairs))
                    chain.shorten()
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


class _Chain:
    """The pairs that push variable `number` beyond its limits by `excess`; `share` of their gaps has room. Those that
    have been shortened already keep what they have where the others can give enough."""

    def __init__(self, number: int, pairs: list[Pair], excess: float) -> None:
        self.number = number
        self.pairs = pairs
        self._long = [pair for pair in pairs if not pair.is_short]
        self._total = sum(pair.gap for pair in self._long)
        if self._total <= excess:
            self._long = pairs
            self._total = sum(pair.gap for pair in pairs)
        self.share = (self._total - excess - EPSILON) / self._total if self._total > excess else 0.0

    def shorten(self) -> None:
        """Let the gaps have their share."""
        for pair in self._long:
            pair.is_short = True
            pair.gap = pair.gap * self.share if self._total > 0.0 else -inf


def _pushing(number: int, low_by: Sequence[Pair | None], high_by: Sequence[Pair | None]) -> list[Pair]:
    """The pairs that push `number` from below and from above."""
    pairs: list[Pair] = []
    pair = low_by[number]
    while pair is not None:
        pairs.append(pair)
        pair = low_by[pair.before]
    pair = high_by[number]
    while pair is not None:
        pairs.append(pair)
        pair = high_by[pair.after]
    return pairs
