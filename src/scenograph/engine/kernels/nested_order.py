"""Hierarchical crossing reduction: the order within the ranks of nested layered graphs, by sweeps over all containers
at once, as ELK's layer sweep does (Spönemann et al., 2014), and by sifting with kicks (`sifting`).
Dummy nodes of one edge are also moved together (`chain_routes`). Plain numbers in and out.
"""

from __future__ import annotations

from scenograph.engine.kernels.chain_routes import ChainRoutes
from scenograph.engine.kernels.nested_rows import Rows
from scenograph.engine.kernels.sifting import Sifting

STRIDE, SHIFT = 7, 3  # by which further starts shuffle the rows
SWEEPS = 4  # of each start, before its rows are sifted
START_STEPS = 40_000  # no further start is tried once so many are spent
KICKS_EACH, MORE_KICKS = 3, 200  # so many kicks for every slot, and more
TIDYING = 2  # rounds after kicks; more change next to nothing
LAST_ROUNDS = 6  # of rerouting and sifting
NONE_YET = 1 << 40  # crossings, while no order is found


class NestedOrder(Sifting):
    """Rows that are brought into an order in which few edges cross."""

    def search(self, starts: list[int], most_steps: int) -> int:
        """Leave the rows in the best order found: begun with that of these starts in which fewest edges cross once its
        rows are swept and sifted, until about so many steps are spent; how many edges cross in it. The order of the
        rows as they came counts as well where start 0, which begins with it, is one of these."""
        self.most_steps = most_steps
        self.take(self._best_start(starts))
        if self.crossings():
            routes = ChainRoutes(self)
            self._improve(routes)
            self.kick(KICKS_EACH * len(self.content) + MORE_KICKS)
            self._improve(routes)
            for _ in range(TIDYING):
                self.tidy()
        return self.crossings()

    def _best_start(self, starts: list[int]) -> Rows:
        """The rows as the best of the starts leaves them."""
        first = [list(row) for row in self.rows]
        best, least = first, self.crossings() if 0 in starts else NONE_YET
        for start in starts:
            if not least or self.steps >= START_STEPS:
                break
            self._begin(first, start)
            for turn in range(SWEEPS):
                self.sweep(0, downwards=(start + turn) % 2 == 0)
            self.sift()
            found = self.crossings()
            if found < least:
                best, least = [list(row) for row in self.rows], found
        return best

    def _improve(self, routes: ChainRoutes) -> None:
        """Reroute and sift while that moves anything."""
        for _ in range(LAST_ROUNDS):
            if not (routes.reroute(self.most_steps) and self.sift()):
                break

    def sweep(self, container: int, *, downwards: bool) -> None:
        """Sort each row of a container, and of those in it, by the barycentres of what its slots are joined to in the
        row before."""
        level = self.levels[container]
        for number in level[1:] if downwards else level[-2::-1]:
            row = self.rows[number]
            self.steps += len(row)
            if len(row) > 1:
                wishes = [self._wish_beside(slot, below=not downwards) for slot in row]
                self._sort(number, wishes)
            if number in (level[0], level[-1]):
                continue
            for slot in self.rows[number]:
                inner = self.content[slot]
                if inner >= 0:
                    self._sort_ports(inner, downwards=downwards)
                    self.sweep(inner, downwards=downwards)

    def _begin(self, first: Rows, start: int) -> None:
        """The rows as they came, then mirrored, then shuffled in ever other ways."""
        rows: Rows = []
        way = 1 if start % 4 < 2 else -1
        for row in first[: self.settled]:
            size = len(row)
            stride = way * STRIDE if start >= 4 and size % STRIDE else way
            shift = SHIFT * start if start >= 4 else 0
            rows.append([row[(at * stride + shift) % size] for at in range(size)])
        self.take(rows + first[self.settled :])

    def _sort_ports(self, container: int, *, downwards: bool) -> None:
        number = self.levels[container][0 if downwards else -1]
        far = self.ups if downwards else self.downs
        row = self.rows[number]
        if len(row) > 1:
            self._sort(number, [self.place[far[port][0]] for port in row])

    def _sort(self, number: int, wishes: list[float]) -> None:
        """Sort a row by what its slots wish; those that wish the same keep their order."""
        if number >= self.settled:
            return
        last = wishes[0]
        for wish in wishes:
            if wish < last:
                break
            last = wish
        else:
            return
        row = self.rows[number]
        turns = sorted([(wish, at) for at, wish in enumerate(wishes)])
        self.rows[number] = [row[at] for _, at in turns]
        self.number(number)

    def _wish_beside(self, slot: int, *, below: bool) -> float:
        """The barycentre of what a slot is joined to; its own place where that is nothing."""
        ends = self.ends(slot, below=below)
        total = 0.0
        for end in ends:
            total += end
        return total / len(ends) if ends else self.place[slot]
