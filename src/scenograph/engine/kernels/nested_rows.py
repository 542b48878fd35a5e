"""The rows of nested layered graphs, and how many edges cross in their order.

A slot is an item of a rank, a dummy node, or the port where an edge passes a border; a row is what stands side by side.
The rows of a container are the ports of its upper border, its ranks from above, the ports of its lower border; an edge
joins slots of two rows that follow each other, or a port of an item of such a row. Plain numbers in and out.
"""

from __future__ import annotations

from bisect import bisect_right, insort

Rows = list[list[int]]


class NestedRows:
    """Rows whose order changes. `content`: by slot the container that it is, or -1; `levels`: by container its rows;
    container 0 holds all others. `ups` and `downs`: by slot those that edges join it to, above and below. Rows from
    number `settled` on keep their order. `row_of`, `turn`, `place`: by slot its row, its turn in that, and where it
    stands in the width of everything, from 0 to 1. `above` and `below`: by slot what edges join it to, or its ports
    where it is a container. `steps` says how many slots, and pairs of them, were looked at."""

    def __init__(
        self, rows: Rows, content: list[int], levels: Rows, ups: Rows, downs: Rows, *, settled: int | None = None
    ) -> None:
        self.rows = rows
        self.steps: int = 0
        self.settled = len(rows) if settled is None else settled
        self.content = content
        self.levels = levels
        self.ups = ups
        self.downs = downs
        self.holder = [-1] * len(levels)
        for slot, container in enumerate(content):
            if container >= 0:
                self.holder[container] = slot
        self.border_of = [-1] * len(rows)
        for container, level in enumerate(levels):
            self.border_of[level[0]] = self.border_of[level[-1]] = container
        self.row_of = [0] * len(content)
        for number, row in enumerate(rows):
            for slot in row:
                self.row_of[slot] = number
        self.above: Rows = []
        self.below: Rows = []
        for slot, container in enumerate(content):
            is_plain = container < 0
            self.above.append(
                ups[slot] if is_plain else [up for port in rows[levels[container][0]] for up in ups[port]]
            )
            self.below.append(
                downs[slot] if is_plain else [down for port in rows[levels[container][-1]] for down in downs[port]]
            )
        self.turn = [0] * len(content)
        self.place = [0.0] * len(content)
        self.start = [0.0] * len(rows)  # where a row begins in the width of everything,
        self.share = [0.0] * len(rows)  # and how much of that each of its slots has
        self.number_all()

    def take(self, rows: Rows) -> None:
        self.rows = [list(row) for row in rows]
        self.number_all()

    def number_all(self) -> None:
        for level in self.levels:
            for number in level[1:-1]:
                self.number(number)
        self.number(self.levels[0][0])
        self.number(self.levels[0][-1])

    def number(self, number: int) -> None:
        """Give the slots of a row their places, and the ports of the containers among them."""
        container = self.border_of[number]
        start, whole = 0.0, 1.0
        if container >= 0 and self.holder[container] >= 0:
            holder = self.holder[container]
            whole = self.share[self.row_of[holder]]
            start = self.place[holder] - whole / 2
        size = len(self.rows[number])
        self.start[number] = start
        self.share[number] = whole / max(1, size)
        self.number_some(number, 0, size)

    def number_some(self, number: int, first: int, end: int) -> None:
        """The same for the slots from turn `first` to before `end`, where no others have moved."""
        row = self.rows[number]
        start, share = self.start[number], self.share[number]
        for at in range(first, end):
            slot = row[at]
            self.turn[slot] = at
            self.place[slot] = start + (at + 0.5) * share
            inner = self.content[slot]
            if inner >= 0:
                self.number(self.levels[inner][0])
                self.number(self.levels[inner][-1])

    def ends(self, slot: int, *, below: bool) -> list[float]:
        """The places of what a slot, or what is in it, is joined to."""
        place = self.place
        return [place[end] for end in (self.below if below else self.above)[slot]]

    def crossings(self) -> int:
        """How many pairs of edges cross."""
        return sum(self._crossings_of(level) for level in self.levels)

    def _crossings_of(self, level: list[int]) -> int:
        count = 0
        place = self.place
        for number in level[:-1]:
            seen: list[float] = []  # the lower ends of all edges from the left, sorted
            for slot in self.rows[number]:
                inner = self.content[slot]
                if inner < 0:
                    count += _cross(seen, [place[end] for end in self.downs[slot]])
                else:
                    for port in self.rows[self.levels[inner][-1]]:
                        count += _cross(seen, [place[end] for end in self.downs[port]])
        return count


def _cross(seen: list[float], ends: list[float]) -> int:
    """How many of the edges to `seen` those of one slot to `ends` cross; these are seen from now on."""
    count = 0
    for end in ends:
        count += len(seen) - bisect_right(seen, end)
    for end in ends:
        insort(seen, end)
    return count
