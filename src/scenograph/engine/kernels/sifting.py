"""Slots moved within their rows one at a time, to where their edges cross least (sifting, Matuszewski et al., 1999),
and kicked off these places, so that others can move as well (iterated local search, Lourenço et al., 2003).

Only what may gain is looked at: a slot that moves wakes those that edges join it to. All changes are counted as they
are made, never all crossings anew. Plain numbers in and out.
"""

from __future__ import annotations

from scenograph.engine.kernels.nested_rows import NestedRows, Rows

MAX_SHIFT = 24  # places of a row that a slot is sifted over, on each side
CLIMB = 2  # crossings; a way over places that cost more than the best so far is not followed on
MAX_KICK = 8  # places at the most that a slot is kicked over
TOO_MUCH = 12  # more crossings by a kick than settling takes out again
FACTOR, ADDEND, LIMIT = 1103515245, 12345, 1 << 31  # of the sequence of numbers that says which slot is kicked, where
LOW_BITS = 8  # of these numbers repeat soon
ASIDE = 0.5  # of a slot's share in its row; by less neighbours may stand against what they are joined to
ENDLESS = 1 << 60  # steps


class Sifting(NestedRows):
    """Rows whose slots are moved, while no more than `most_steps` are spent."""

    def __init__(
        self, rows: Rows, content: list[int], levels: Rows, ups: Rows, downs: Rows, *, settled: int | None = None
    ) -> None:
        super().__init__(rows, content, levels, ups, downs, settled=settled)
        self.most_steps: int = ENDLESS
        self._number: int = 1
        self._waiting: list[int] = []
        self._is_waiting = [False] * len(content)
        self._moves: list[tuple[int, int]] = []  # the slots that moved, and from which turn

    def sift(self) -> bool:
        """Move slots until none crosses less at another place; whether any moved."""
        for row in self.rows[: self.settled]:
            for slot in row if len(row) > 1 else []:
                self._wake(slot)
        self._moves = []
        self._settle()
        return len(self._moves) > 0

    def kick(self, times: int) -> None:
        """Kick one slot after another, so often at the most; no more edges cross then than before."""
        slots = [slot for row in self.rows[: self.settled] if len(row) > 1 for slot in row]
        for _ in range(times if slots else 0):
            if self.steps >= self.most_steps:
                break
            slot = slots[self._any(len(slots))]
            to = self._kicked(slot)
            change = self._change(slot, to)
            if change > TOO_MUCH:
                continue
            self._moves = []
            self._move(slot, to)
            change += self._settle()
            if change > 0:
                for moved, was in reversed(self._moves):
                    self._put(moved, was)

    def tidy(self) -> None:
        """Let neighbours that cross as much in either order stand as what edges join them to does."""
        for number in range(self.settled):
            row = self.rows[number]
            wishes = [self._wish(slot) for slot in row]
            for last in range(1, len(row)):
                at = last
                while (
                    at > 0
                    and wishes[at] < wishes[at - 1] - ASIDE * self.share[number]
                    and not self._change(row[at], at - 1)
                ):
                    wishes[at - 1], wishes[at] = wishes[at], wishes[at - 1]
                    self._put(row[at], at - 1)
                    at -= 1

    def _wish(self, slot: int) -> float:
        """The middle of what a slot is joined to; its own place where that is nothing."""
        total, count = 0.0, len(self.above[slot]) + len(self.below[slot])
        for end in self.above[slot]:
            total += self.place[end]
        for end in self.below[slot]:
            total += self.place[end]
        return total / count if count else self.place[slot]

    def _kicked(self, slot: int) -> int:
        """Another turn in the row of a slot."""
        at, last = self.turn[slot], len(self.rows[self.row_of[slot]]) - 1
        far = 1 + self._any(MAX_KICK)
        if self._any(2):
            return min(last, at + far) if at < last else last - 1
        return max(0, at - far) if at else 1

    def _any(self, limit: int) -> int:
        """The next number of the sequence below a limit."""
        self._number = (self._number * FACTOR + ADDEND) % LIMIT
        return (self._number >> LOW_BITS) % limit

    def _wake(self, slot: int) -> None:
        if not self._is_waiting[slot] and self.row_of[slot] < self.settled:
            self._is_waiting[slot] = True
            self._waiting.append(slot)

    def _move(self, slot: int, to: int) -> None:
        """Move a slot, and wake what may gain by that."""
        self._moves.append((slot, self.turn[slot]))
        self._put(slot, to)
        for end in self.above[slot]:
            self._wake(end)
        for end in self.below[slot]:
            self._wake(end)

    def _put(self, slot: int, to: int) -> None:
        number, at = self.row_of[slot], self.turn[slot]
        row = self.rows[number]
        del row[at]
        row.insert(to, slot)
        if at < to:
            self.number_some(number, at, to + 1)
        else:
            self.number_some(number, to, at + 1)

    def _settle(self) -> int:
        """Move what waits to its best place, and what wakes then; how many more edges cross."""
        total = 0
        for slot in self._waiting:
            self._is_waiting[slot] = False
            if self.steps < self.most_steps:
                to, change = self._best(slot)
                if change < 0:
                    total += change
                    self._move(slot, to)
        self._waiting = []
        return total

    def _best(self, slot: int) -> tuple[int, int]:
        """The turn in its row where the edges of a slot cross least, and how many more cross there."""
        row, at = self.rows[self.row_of[slot]], self.turn[slot]
        ups, downs = self.ends(slot, below=False), self.ends(slot, below=True)
        best, least = at, 0
        change = 0
        for to in range(at - 1, max(-1, at - MAX_SHIFT - 1), -1):
            change -= self._leaning(ups, downs, row[to])
            if change < least:
                best, least = to, change
            elif change > least + CLIMB:
                break
        change = 0
        for to in range(at + 1, min(len(row), at + MAX_SHIFT + 1)):
            change += self._leaning(ups, downs, row[to])
            if change < least:
                best, least = to, change
            elif change > least + CLIMB:
                break
        return best, least

    def _change(self, slot: int, to: int) -> int:
        """How many more edges cross with a slot at that turn of its row."""
        row, at = self.rows[self.row_of[slot]], self.turn[slot]
        ups, downs = self.ends(slot, below=False), self.ends(slot, below=True)
        change = 0
        for other in range(to, at):
            change -= self._leaning(ups, downs, row[other])
        for other in range(at + 1, to + 1):
            change += self._leaning(ups, downs, row[other])
        return change

    def _leaning(self, ups: list[float], downs: list[float], right: int) -> int:
        """How many more pairs of edges cross when those to `ups` and `downs` begin right of those of the slot `right`,
        instead of left of them."""
        place = self.place
        more = 0
        above, below = self.above[right], self.below[right]
        for end in ups:
            for one in above:
                other = place[one]
                if end < other:
                    more += 1
                elif other < end:
                    more -= 1
        for end in downs:
            for one in below:
                other = place[one]
                if end < other:
                    more += 1
                elif other < end:
                    more -= 1
        self.steps += 1 + len(ups) * len(above) + len(downs) * len(below)
        return more
