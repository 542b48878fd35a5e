"""Places on one axis: variables with limits and wishes, pairs that want a distance.

In: for each variable least, most and wish; pairs (before, after, gap) that follow one order. Out: positions within the
limits, as near to the wishes as the gaps allow, spread evenly about them. Gaps that find no room shrink, only those,
and so that the one that shrinks most keeps as large a share as it can.
"""

from __future__ import annotations

from typing import Final

ROUNDS: Final = 60  # in which gaps are shortened
LEAST_ROUNDS: Final = 8  # where many pairs hang together
PAIR_VISITS: Final = 16_000  # for all rounds: where there are more pairs, the gaps that are still too long go sooner
EPSILON: Final = 1e-6  # px; a smaller excess is rounding
INFINITE: Final = float("inf")


class Pair:
    """`before` lies at least `gap` px below `after`. `is_short`: the gap has been shortened; `round`: the last one in
    which a chain with this pair was."""

    __slots__ = ("after", "before", "gap", "is_short", "round")

    def __init__(self, before: int, after: int, gap: float) -> None:
        self.before = before
        self.after = after
        self.gap = gap
        self.is_short = False
        self.round = -1


class Separation:
    """Variables in an order that every pair follows (`before` < `after`)."""

    def __init__(self, least: list[float], most: list[float], wish: list[float], pairs: list[Pair]) -> None:
        self.least = least
        self.most = most
        self.wish = wish
        self.pairs = pairs
        self._into: list[list[Pair]] = [[] for _ in least]
        self._out_of: list[list[Pair]] = [[] for _ in least]
        for pair in pairs:
            self._into[pair.after].append(pair)
            self._out_of[pair.before].append(pair)

    def solve(self) -> list[float]:
        """Positions of all variables. The mean of packing from below and packing from above: both keep every gap, so
        their mean does."""
        low, high = self._shrink_to_fit()
        up: list[float] = []
        for number, wish in enumerate(self.wish):
            floor = max(wish, low[number])
            for pair in self._into[number]:
                floor = max(floor, up[pair.before] + pair.gap)
            up.append(min(high[number], floor))
        down = [0.0] * len(up)
        for number in range(len(up) - 1, -1, -1):
            ceiling = min(self.wish[number], high[number])
            for pair in self._out_of[number]:
                ceiling = min(ceiling, down[pair.after] - pair.gap)
            down[number] = max(low[number], ceiling)
        return [(up[number] + down[number]) / 2 for number in range(len(up))]

    def _shrink_to_fit(self) -> tuple[list[float], list[float]]:
        """Lower and upper bounds that agree, after the gaps of every chain that is too long have been shortened, the
        chains with the least room first."""
        for turn in range(max(LEAST_ROUNDS, min(ROUNDS, PAIR_VISITS // (len(self.pairs) + 1)))):
            low, low_by = self._bounds_from_below()
            high, high_by = self._bounds_from_above()
            pushed = [number for number in range(len(low)) if low[number] - high[number] > EPSILON]
            if not pushed:
                return low, high
            chains = [_Chain(_pushing(one, low_by, high_by), low[one] - high[one]) for one in pushed]
            for _, number in sorted([(chain.share, number) for number, chain in enumerate(chains)]):
                chains[number].shorten(turn)
        for pair in self.pairs:
            pair.gap = -INFINITE
        return list(self.least), list(self.most)

    def _bounds_from_below(self) -> tuple[list[float], list[Pair | None]]:
        low = list(self.least)
        by: list[Pair | None] = [None] * len(low)
        for number, pairs in enumerate(self._into):
            for pair in pairs:
                floor = low[pair.before] + pair.gap
                if floor > low[number]:
                    low[number], by[number] = floor, pair
        return low, by

    def _bounds_from_above(self) -> tuple[list[float], list[Pair | None]]:
        high = list(self.most)
        by: list[Pair | None] = [None] * len(high)
        for number in range(len(high) - 1, -1, -1):
            for pair in self._out_of[number]:
                ceiling = high[pair.after] - pair.gap
                if ceiling < high[number]:
                    high[number], by[number] = ceiling, pair
        return high, by


class _Chain:
    """The pairs that push a variable beyond its limits by `excess`; `share` of their gaps has room. Those that have
    been shortened already keep what they have where the others can give enough."""

    def __init__(self, pairs: list[Pair], excess: float) -> None:
        self._pairs = pairs
        self._long = [pair for pair in pairs if not pair.is_short]
        self._total = _length(self._long)
        if self._total <= excess:
            self._long = pairs
            self._total = _length(pairs)
        self.share = (self._total - excess - EPSILON) / self._total if self._total > excess else 0.0

    def shorten(self, turn: int) -> None:
        """Let the gaps have their share, unless another chain of this round shares one of them."""
        if any(pair.round == turn for pair in self._pairs):
            return
        for pair in self._pairs:
            pair.round = turn
        for pair in self._long:
            pair.is_short = True
            pair.gap = pair.gap * self.share if self._total > 0.0 else -INFINITE


def _length(pairs: list[Pair]) -> float:
    total = 0.0
    for pair in pairs:
        total += pair.gap
    return total


def _pushing(number: int, low_by: list[Pair | None], high_by: list[Pair | None]) -> list[Pair]:
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
