"""Places on one axis, as near to the wished places as separation constraints allow. px.

In: wished places with weights, and separation constraints "low at least `gap` before high". Out: the feasible places
with the least weighted sum of squared moves: quadratic programming by blocks of variables held together by tight
constraints, merged at a violated constraint and split at a constraint with a negative multiplier (T. Dwyer, K.
Marriott, P. Stuckey: Fast node overlap removal, Graph Drawing 2005, and its correction of 2006). Of contradictory
constraints the later are given up. Steps are bounded by counts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

NEARLY: Final = 1e-7  # px; a smaller lack is rounding
STEPS_EACH: Final = 8  # merges and splits for each separation
FREE: Final = 0  # a separation kept with room to spare
TIGHT: Final = 1  # a separation that holds two blocks together
GIVEN_UP: Final = 2  # a separation on a circle of separations, which cannot all hold


class Separation(NamedTuple):
    """`low` stands at least `gap` before `high`; both are numbers of variables."""

    low: int
    high: int
    gap: float


def separated(wishes: Sequence[float], weights: Sequence[float], separations: Sequence[Separation]) -> list[float]:
    """The places nearest to the wishes; heavy variables move less."""
    blocks = _Blocks(wishes, weights, separations)
    blocks.satisfy()
    while blocks.split():
        blocks.satisfy()
    return [blocks.place(variable) for variable in range(len(wishes))]


class _Blocks:
    """Variables in blocks. `offset` is a variable's distance from its block's reference place `at`; the tight
    separations of a block make a tree."""

    def __init__(self, wishes: Sequence[float], weights: Sequence[float], separations: Sequence[Separation]) -> None:
        count = len(wishes)
        self.wishes, self.weights, self.separations = wishes, weights, separations
        self.state = [FREE] * len(separations)
        self.block, self.offset = list(range(count)), [0.0] * count
        self.at, self.members = list(map(float, wishes)), [[variable] for variable in range(count)]
        self.touching: list[list[int]] = [[] for _ in range(count)]
        for number, (low, high, _) in enumerate(separations):
            self.touching[low].append(number)
            self.touching[high].append(number)
        self.steps = STEPS_EACH * len(separations)

    def place(self, variable: int) -> float:
        """The present place of a variable."""
        return self.at[self.block[variable]] + self.offset[variable]

    def satisfy(self) -> None:
        """Merge and split blocks until every separation holds, except separations given up."""
        while (worst := self._most_violated()) is not None:
            self.steps -= 1
            low, high, _ = self.separations[worst]
            if self.block[low] == self.block[high] and not self._parted(low, high):
                self.state[worst] = GIVEN_UP
            else:
                self._merge(worst)

    def split(self) -> bool:
        """Split every block at the separation with the most negative multiplier, if any. Returns whether a block was
        split."""
        done = False
        for members in [self.members[block] for block in dict.fromkeys(self.block)]:
            pulls = self._pulls(members[0]) if len(members) > 1 and self.steps > 0 else {}
            most = min(pulls, key=pulls.__getitem__, default=None)
            if most is not None and pulls[most] < -NEARLY:
                self.steps -= 1
                self._cut(most)
                done = True
        return done

    def _slack(self, number: int) -> float:
        low, high, gap = self.separations[number]
        return self.place(high) - self.place(low) - gap

    def _most_violated(self) -> int | None:
        if self.steps <= 0:
            return None
        loose = (number for number, state in enumerate(self.state) if state == FREE)
        slack, worst = min(((self._slack(number), number) for number in loose), default=(0.0, 0))
        return worst if slack < -NEARLY else None

    def _merge(self, number: int) -> None:
        """Make a violated separation between two blocks tight."""
        low, high, gap = self.separations[number]
        first, second = self.block[low], self.block[high]
        shift = self.offset[low] + gap - self.offset[high]
        if len(self.members[first]) < len(self.members[second]):
            first, second, shift = second, first, -shift
        for variable in self.members[second]:
            self.block[variable] = first
            self.offset[variable] += shift
        self.members[first] += self.members[second]
        self.members[second] = []
        self.state[number] = TIGHT
        self._settle(first)

    def _settle(self, block: int) -> None:
        """Move a block to the weighted mean of its members' wishes."""
        members = self.members[block]
        mass = moment = 0.0
        for one in members:
            mass += self.weights[one]
            moment += self.weights[one] * (self.wishes[one] - self.offset[one])
        self.at[block] = moment / mass

    def _parted(self, low: int, high: int) -> bool:
        """Cut the block of two variables on the path between them, at the separation with the least multiplier that
        lets `high` move on. Returns whether one exists."""
        pulls = self._pulls(low)
        way = self._way(low, high)
        loose = [number for number, forward in way if forward]
        if not loose:
            return False
        self._cut(min(loose, key=pulls.__getitem__))
        return True

    def _cut(self, number: int) -> None:
        """Remove a tight separation from the tree of its block, splitting the block in two."""
        low, high, _ = self.separations[number]
        self.state[number] = FREE
        old = self.block[low]
        far = [variable for variable, _ in self._tree(high)]
        near = [variable for variable, _ in self._tree(low)]
        fresh = next(block for block, members in enumerate(self.members) if not members)
        self.members[old], self.members[fresh] = near, far
        for variable in far:
            self.block[variable] = fresh
        self._settle(old)
        self._settle(fresh)

    def _tree(self, root: int) -> Iterator[tuple[int, int | None]]:
        """The variables joined to `root` by tight separations, each with the separation towards `root`."""
        reached: dict[int, int | None] = {root: None}
        queue = [root]
        for variable in queue:
            yield variable, reached[variable]
            for number in self.touching[variable]:
                low, high, _ = self.separations[number]
                other = high if variable == low else low
                if self.state[number] == TIGHT and other not in reached:
                    reached[other] = number
                    queue.append(other)

    def _pulls(self, root: int) -> dict[int, float]:
        """The Lagrange multiplier of every tight separation in the block of `root`: negative if both sides would rather
        part."""
        rows = list(self._tree(root))
        pull = {one: self.weights[one] * (self.place(one) - self.wishes[one]) for one, _ in rows}
        found: dict[int, float] = {}
        for variable, number in reversed(rows):
            if number is None:
                continue
            low, high, _ = self.separations[number]
            found[number] = pull[variable] if variable == high else -pull[variable]
            pull[low if variable == high else high] += pull[variable]
        return found

    def _way(self, start: int, goal: int) -> list[tuple[int, bool]]:
        """The tight separations on the way between two variables of a block; whether each is passed from low to
        high."""
        reached = dict(self._tree(start))
        way: list[tuple[int, bool]] = []
        at = goal
        while (number := reached[at]) is not None:
            low, high, _ = self.separations[number]
            way.append((number, at == high))
            at = low if at == high else high
        return way[::-1]
