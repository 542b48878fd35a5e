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
    which it was taken."""

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
            shares = self._shares((low, low_by), (high, high_by), pushed)
            walk = _Walk(low_by, high_by, turn)
            for _, number in sorted(zip(shares, pushed, strict=True)):
                pairs = walk.take(number)
                if pairs is not None:
                    _shorten(pairs, low[number] - high[number])
        for pair in self.pairs:
            pair.gap = -INFINITE
        return list(self.least), list(self.most)

    def _shares(
        self,
        from_below: tuple[list[float], list[Pair | None]],
        from_above: tuple[list[float], list[Pair | None]],
        pushed: list[int],
    ) -> list[float]:
        """For each of these variables which share the gaps keep that push it, once its excess is gone. Summed up along
        the chains: one chain after the other takes the square of their length."""
        (low, low_by), (high, high_by) = from_below, from_above
        count = len(low)
        long_below, all_below = [0.0] * count, [0.0] * count
        for number, pair in enumerate(low_by):
            if pair is not None:
                all_below[number] = all_below[pair.before] + pair.gap
                long_below[number] = long_below[pair.before] + (0.0 if pair.is_short else pair.gap)
        long_above, all_above = [0.0] * count, [0.0] * count
        for number in range(count - 1, -1, -1):
            pair = high_by[number]
            if pair is not None:
                all_above[number] = all_above[pair.after] + pair.gap
                long_above[number] = long_above[pair.after] + (0.0 if pair.is_short else pair.gap)
        shares: list[float] = []
        for number in pushed:
            excess = low[number] - high[number]
            long = long_below[number] + long_above[number]
            shares.append(_share(long if long > excess else all_below[number] + all_above[number], excess))
        return shares

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


def _share(total: float, excess: float) -> float:
    """What is left of gaps that sum up to `total`, by themselves."""
    return (total - excess - EPSILON) / total if total > excess else 0.0


def _shorten(pairs: list[Pair], excess: float) -> None:
    """Let all gaps have the same share of what they have. Those that have been shortened already keep it where the
    others can give enough."""
    wide = [pair for pair in pairs if not pair.is_short]
    total = _length(wide)
    if total <= excess:
        wide = pairs
        total = _length(pairs)
    share = _share(total, excess)
    for pair in wide:
        pair.is_short = True
        pair.gap = pair.gap * share if total > 0.0 else -INFINITE


def _length(pairs: list[Pair]) -> float:
    total = 0.0
    for pair in pairs:
        total += pair.gap
    return total


class _Walk:
    """Takes the chains of one round, each pair once. Where a chain met a taken pair is noted for all that lead there:
    of a thousand chains that share their end only the first walks to it."""

    def __init__(self, low_by: list[Pair | None], high_by: list[Pair | None], turn: int) -> None:
        self._low_by = low_by
        self._high_by = high_by
        self._turn = turn
        self._taken_below = [False] * len(low_by)
        self._taken_above = [False] * len(low_by)

    def take(self, number: int) -> list[Pair] | None:
        """The pairs that push `number` from below and from above; None where one of them was taken before."""
        below: list[Pair] = []
        above: list[Pair] = []
        down, up = self._low_by[number], self._high_by[number]
        while down is not None or up is not None:  # by turns: it ends after twice the shorter way to a taken pair
            if down is not None:
                if self._taken_below[down.before] or down.round == self._turn:
                    for pair in (*below, down):
                        self._taken_below[pair.after] = True
                    return None
                below.append(down)
                down = self._low_by[down.before]
            if up is not None:
                if self._taken_above[up.after] or up.round == self._turn:
                    for pair in (*above, up):
                        self._taken_above[pair.before] = True
                    return None
                above.append(up)
                up = self._high_by[up.after]
        pairs = below + above
        for pair in pairs:
            pair.round = self._turn
        return pairs
