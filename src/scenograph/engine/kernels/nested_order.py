"""Hierarchical crossing reduction: the order within the ranks of nested layered graphs, by sweeps over all containers
at once, as ELK's layer sweep does (Spönemann et al., 2014), and by sifting (Matuszewski et al., 1999).

A slot is an item of a rank, a dummy node, or the port where an edge passes a border; a row is what stands side by side.
The rows of a container are the ports of its upper border, its ranks from above, the ports of its lower border; an edge
joins slots of two rows that follow each other, or a port of an item of such a row. Plain numbers in and out.
"""

from __future__ import annotations

from bisect import bisect_right, insort

MAX_SHIFT = 24  # places of a row that a slot is sifted over, on each side
STRIDE, SHIFT = 7, 3  # by which further starts shuffle the rows
FEW_SWEEPS, ROUNDS = 2, 5  # of each start: sweeps alone, then at most so many sweeps with sifting
LAST_ROUNDS = 6  # of sifting, in the best order
HOPELESS = 1.2  # a start whose rows are sifted once and cross so much more than the best is given up

Rows = list[list[int]]


class NestedOrder:
    """Rows whose order changes. `content`: by slot the container that it is, or -1; `levels`: by container its rows;
    container 0 holds all others. `ups` and `downs`: by slot those that edges join it to, above and below. Rows from
    number `settled` on keep their order. After a
    search `steps` says how many slots and pairs of slots it looked at."""

    def __init__(
        self, rows: Rows, content: list[int], levels: Rows, ups: Rows, downs: Rows, *, settled: int | None = None
    ) -> None:
        self.rows = rows
        self._settled = len(rows) if settled is None else settled
        self.steps = 0
        self._most_steps = 0
        self._content = content
        self._levels = levels
        self._ups = ups
        self._downs = downs
        self._holder = [-1] * len(levels)
        for slot, container in enumerate(content):
            if container >= 0:
                self._holder[container] = slot
        self._border_of = [-1] * len(rows)
        for container, level in enumerate(levels):
            self._border_of[level[0]] = self._border_of[level[-1]] = container
        self._start = [0.0] * len(content)  # a row reaches from 0 to 1; a slot has a share of it,
        self._share = [0.0] * len(content)
        self._place = [0.0] * len(content)  # and stands in the middle of that
        self._number_all()

    def search(self, starts: int, most_steps: int) -> int:
        """Leave the rows in the best order found from so many starts, or until that many steps are spent; how many
        edges cross in it."""
        self._most_steps = most_steps
        first = [list(row) for row in self.rows]
        best, least = first, self.crossings()
        for start in range(starts):
            if not least or self.steps >= most_steps:
                break
            self._begin(first, start)
            found = self._descend(least, downwards=start % 2 == 0)
            if found < least:
                best, least = [list(row) for row in self.rows], found
        self._take(best)
        self.sift(LAST_ROUNDS)
        return self.crossings()

    def _descend(self, least: int, *, downwards: bool) -> int:
        """Sweep, then sift as well, while fewer edges cross and there is hope of less than `least`; how many do."""
        for turn in range(FEW_SWEEPS):
            self.sweep(0, downwards=downwards == (turn % 2 == 0))
        best, own = [list(row) for row in self.rows], self.crossings()
        for turn in range(ROUNDS):
            if self.steps >= self._most_steps:
                break
            self.sweep(0, downwards=downwards == (turn % 2 == 0))
            self.sift(1)
            found = self.crossings()
            is_better = found < own
            if is_better:
                best, own = [list(row) for row in self.rows], found
            if own > HOPELESS * least + 2 or (turn > 0 and not is_better):
                break
        self._take(best)
        return own

    def crossings(self) -> int:
        """How many pairs of edges cross."""
        return sum(self._crossings_of(level) for level in self._levels)

    def sweep(self, container: int, *, downwards: bool) -> None:
        """Sort each row of a container, and of those in it, by the barycentres of what its slots are joined to in the
        row before."""
        level = self._levels[container]
        for number in level[1:] if downwards else level[-2::-1]:
            row = self.rows[number]
            self.steps += len(row)
            if len(row) > 1:
                wishes = [self._wish(slot, below=not downwards) for slot in row]
                self._sort(number, wishes)
            if number in (level[0], level[-1]):
                continue
            for slot in self.rows[number]:
                inner = self._content[slot]
                if inner >= 0:
                    self._sort_ports(inner, downwards=downwards)
                    self.sweep(inner, downwards=downwards)

    def sift(self, rounds: int) -> None:
        """Move slots to the place of their row where they cross least, while that helps."""
        for _ in range(rounds):
            better = False
            for number in range(self._settled):
                if self.steps >= self._most_steps:
                    return
                if len(self.rows[number]) > 1 and self._sift_row(number):
                    better = True
            if not better:
                break

    def _begin(self, first: Rows, start: int) -> None:
        """The rows as they came, then mirrored, then shuffled in ever other ways."""
        rows: Rows = []
        way = 1 if start % 4 < 2 else -1
        for row in first[: self._settled]:
            size = len(row)
            stride = way * STRIDE if start >= 4 and size % STRIDE else way
            shift = SHIFT * start if start >= 4 else 0
            rows.append([row[(at * stride + shift) % size] for at in range(size)])
        self._take(rows + first[self._settled :])

    def _take(self, rows: Rows) -> None:
        self.rows = [list(row) for row in rows]
        self._number_all()

    def _number_all(self) -> None:
        for level in self._levels:
            for number in level[1:-1]:
                self._number(number)
        self._number(self._levels[0][0])
        self._number(self._levels[0][-1])

    def _number(self, number: int) -> None:
        """Give the slots of a row their places, and the ports of the containers among them."""
        row = self.rows[number]
        container = self._border_of[number]
        start, whole = 0.0, 1.0
        if container >= 0 and self._holder[container] >= 0:
            start, whole = self._start[self._holder[container]], self._share[self._holder[container]]
        share = whole / max(1, len(row))
        for at, slot in enumerate(row):
            self._start[slot] = start + at * share
            self._share[slot] = share
            self._place[slot] = start + (at + 0.5) * share
            inner = self._content[slot]
            if inner >= 0:
                self._number(self._levels[inner][0])
                self._number(self._levels[inner][-1])

    def _sort_ports(self, container: int, *, downwards: bool) -> None:
        number = self._levels[container][0 if downwards else -1]
        far = self._ups if downwards else self._downs
        row = self.rows[number]
        if len(row) > 1:
            self._sort(number, [self._place[far[port][0]] for port in row])

    def _sort(self, number: int, wishes: list[float]) -> None:
        """Sort a row by what its slots wish; those that wish the same keep their order."""
        if number >= self._settled:
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
        self._number(number)

    def _wish(self, slot: int, *, below: bool) -> float:
        """The barycentre of what a slot is joined to; its own place where that is nothing."""
        ends = self._ends(slot, below=below)
        return sum(ends) / len(ends) if ends else self._place[slot]

    def _ends(self, slot: int, *, below: bool) -> list[float]:
        """The places of what a slot, or what is in it, is joined to."""
        place = self._place
        far = self._downs if below else self._ups
        inner = self._content[slot]
        if inner < 0:
            return [place[end] for end in far[slot]]
        ports = self.rows[self._levels[inner][-1 if below else 0]]
        return [place[end] for port in ports for end in far[port]]

    def _crossings_of(self, level: list[int]) -> int:
        count = 0
        place = self._place
        for number in level[:-1]:
            seen: list[float] = []  # the lower ends of all edges from the left, sorted
            for slot in self.rows[number]:
                inner = self._content[slot]
                if inner < 0:
                    count += _cross(seen, [place[end] for end in self._downs[slot]])
                else:
                    for port in self.rows[self._levels[inner][-1]]:
                        count += _cross(seen, [place[end] for end in self._downs[port]])
        return count

    def _sift_row(self, number: int) -> bool:
        """Sift the slots of a row; whether any moved."""
        row = self.rows[number]
        ups = [self._ends(slot, below=False) for slot in row]
        downs = [self._ends(slot, below=True) for slot in row]
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
            self._number(number)
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


def _cross(seen: list[float], ends: list[float]) -> int:
    """How many of the edges to `seen` those of one slot to `ends` cross; these are seen from now on."""
    count = 0
    for end in ends:
        count += len(seen) - bisect_right(seen, end)
    for end in ends:
        insort(seen, end)
    return count
