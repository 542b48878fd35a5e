"""Hierarchical crossing reduction: the order within the ranks of nested layered graphs, by sweeps over all containers
at once, as ELK's layer sweep does (Spönemann et al., 2014), and by sifting (Matuszewski et al., 1999).
Dummy nodes of one edge are also moved together (`chain_routes`). Plain numbers in and out.
"""

from __future__ import annotations

from scenograph.engine.kernels.chain_routes import ChainRoutes
from scenograph.engine.kernels.nested_rows import NestedRows, Rows

MAX_SHIFT = 24  # places of a row that a slot is sifted over, on each side
STRIDE, SHIFT = 7, 3  # by which further starts shuffle the rows
FEW_SWEEPS, ROUNDS = 2, 5  # of each start: sweeps alone, then at most so many sweeps with sifting
LAST_ROUNDS = 6  # of rerouting and sifting, in the best order
NONE_YET = 1 << 40  # crossings, while no order is found
HOPELESS = 1.2  # a start whose rows are sifted once and cross so much more than the best is given up


class NestedOrder(NestedRows):
    """Rows that are brought into an order in which few edges cross."""

    def search(self, starts: list[int], most_steps: int) -> int:
        """Leave the rows in the best order found from these starts, or until that many steps are spent, and as many
        again on the best order; how many edges cross in it. The order of the rows as they came counts among those
        found where start 0, which begins with it, is one of these."""
        routes = ChainRoutes(self)
        first = [list(row) for row in self.rows]
        best, least = first, self.crossings() if 0 in starts else NONE_YET
        for start in starts:
            if not least or self.steps >= most_steps:
                break
            self._begin(first, start)
            found = self._descend(least, start, routes, most_steps)
            if found < least:
                best, least = [list(row) for row in self.rows], found
        self.take(best)
        most_steps += self.steps
        for _ in range(LAST_ROUNDS):
            is_rerouted, is_sifted = routes.reroute(most_steps), self.sift(most_steps)
            if not (is_rerouted or is_sifted):
                break
        return self.crossings()

    def _descend(self, least: int, start: int, routes: ChainRoutes, most_steps: int) -> int:
        """Sweep, then sift as well, while fewer edges cross and there is hope of less than `least`; how many do."""
        for turn in range(FEW_SWEEPS):
            self.sweep(0, downwards=(start + turn) % 2 == 0)
        best, own = [list(row) for row in self.rows], self.crossings()
        for turn in range(ROUNDS):
            if self.steps >= most_steps:
                break
            self.sweep(0, downwards=(start + turn) % 2 == 0)
            self.sift(most_steps)
            found = self.crossings()
            is_better = found < own
            if is_better:
                best, own = [list(row) for row in self.rows], found
            if own > HOPELESS * least + 2 or (turn > 0 and not is_better):
                break
        self.take(best)
        if own <= HOPELESS * least + 2 and routes.reroute(most_steps):
            own = self.crossings()
        return own

    def sweep(self, container: int, *, downwards: bool) -> None:
        """Sort each row of a container, and of those in it, by the barycentres of what its slots are joined to in the
        row before."""
        level = self.levels[container]
        for number in level[1:] if downwards else level[-2::-1]:
            row = self.rows[number]
            self.steps += len(row)
            if len(row) > 1:
                wishes = [self._wish(slot, below=not downwards) for slot in row]
                self._sort(number, wishes)
            if number in (level[0], level[-1]):
                continue
            for slot in self.rows[number]:
                inner = self.content[slot]
                if inner >= 0:
                    self._sort_ports(inner, downwards=downwards)
                    self.sweep(inner, downwards=downwards)

    def sift(self, most_steps: int) -> bool:
        """Move slots to the place of their row where they cross least; whether any moved."""
        moved = False
        for number in range(self.settled):
            if self.steps >= most_steps:
                break
            if len(self.rows[number]) > 1 and self._sift_row(number):
                moved = True
        return moved

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

    def _wish(self, slot: int, *, below: bool) -> float:
        """The barycentre of what a slot is joined to; its own place where that is nothing."""
        ends = self.ends(slot, below=below)
        total = 0.0
        for end in ends:
            total += end
        return total / len(ends) if ends else self.place[slot]

    def _sift_row(self, number: int) -> bool:
        """Sift the slots of a row; whether any moved."""
        row = self.rows[number]
        ups = [self.ends(slot, below=False) for slot in row]
        downs = [self.ends(slot, below=True) for slot in row]
        size = len(row)
        steps = 0
        moved = False
        for slot in list(row):
            at = row.index(slot)
            up, down = ups[at], downs[at]
            best, least = at, 0
            for way in (-1, 1):
                change = 0
                for shift in range(1, MAX_SHIFT + 1):
                    to = at + way * shift
                    if to < 0 or to >= size:
                        break
                    other_up, other_down = ups[to], downs[to]
                    steps += 1 + len(up) * len(other_up) + len(down) * len(other_down)
                    change += way * (_leaning(up, other_up) + _leaning(down, other_down))
                    if change < least:
                        best, least = to, change
            if best != at:
                for table in (ups, downs):
                    table.insert(best, table.pop(at))
                row.insert(best, row.pop(at))
                moved = True
        self.steps += steps
        if moved:
            self.number(number)
        return moved


def _leaning(left: list[float], right: list[float]) -> int:
    """How many more pairs of edges cross when those to `left` begin right of those to `right`, instead of left of
    them."""
    more = 0
    for end in left:
        for other in right:
            if end < other:
                more += 1
            elif other < end:
                more -= 1
    return more
