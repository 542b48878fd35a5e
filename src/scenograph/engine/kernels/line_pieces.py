"""Places across the flow of what stands in ranks in a settled order, so that lines are short and run straight.

The dummy nodes of a line move as one, some rows at a time, where their line crosses no other there. Those pieces, and
what stands in no line, are then set where all lines together are shortest (`least_length`). Plain numbers in and out;
px.
"""

from __future__ import annotations

from scenograph.engine.kernels.least_length import LeastLength

PIECE = 4  # rows at most that the dummy nodes of a line pass straight; longer pieces make wide pages
ROUNDS = 10  # of moving and cutting; more gain next to nothing
MOST_STEPS = 200_000  # of them together


class LinePieces:
    """Slots in rows. `steps`: by row how far each of its slots is at least from the first one. Edge number n joins the
    slot `uppers[n]` to `lowers[n]` in the next row."""

    def __init__(
        self, rows: list[list[int]], steps: list[list[float]], uppers: list[int], lowers: list[int], dummies: list[bool]
    ) -> None:
        self._rows = rows
        self._steps = steps
        self._uppers = uppers
        self._lowers = lowers
        self._count: int = 0
        self._piece = [-1] * len(dummies)  # by slot
        self._divide(dummies)
        self._low: list[int] = []  # by separation: its pieces,
        self._high: list[int] = []
        self._gap: list[float] = []  # how far they are apart at least
        self._after: list[list[int]] = [[] for _ in range(self._count)]  # by piece the separations that begin with it
        self._separate()

    def fit(self, wishes: list[float], asides: list[float], weights: list[float]) -> list[float]:
        """The places of all slots, with short edges; near `wishes` where these do not care. An edge runs straight where
        its lower slot is `asides` to the right of the upper one."""
        lengths = LeastLength(self._near(wishes))
        for number, low in enumerate(self._low):
            lengths.separate(low, self._high[number], self._gap[number])
        for edge, upper in enumerate(self._uppers):
            first, second = self._piece[upper], self._piece[self._lowers[edge]]
            if first != second:
                lengths.join(first, second, asides[edge], weights[edge])
        lengths.shorten(ROUNDS, MOST_STEPS)
        return [lengths.places[piece] for piece in self._piece]

    def _divide(self, dummies: list[bool]) -> None:
        """Number the pieces from above."""
        onwards = self._straight_edges(dummies)
        for row in self._rows:
            for slot in row:
                if self._piece[slot] < 0:
                    part = slot
                    for _ in range(PIECE):
                        self._piece[part] = self._count
                        part = onwards[part]
                        if part < 0:
                            break
                    self._count += 1

    def _straight_edges(self, dummies: list[bool]) -> list[int]:
        """By slot the dummy node below to which it is joined, if it is one too and the edges of no two cross; else -1.
        So what stands left of another piece in one row does in all."""
        turn = [0] * len(dummies)
        for row in self._rows:
            for at, slot in enumerate(row):
                turn[slot] = at
        onwards = [-1] * len(dummies)
        for edge, upper in enumerate(self._uppers):
            if dummies[upper] and dummies[self._lowers[edge]]:
                onwards[upper] = self._lowers[edge]
        for row in self._rows:
            last = -1
            for slot in row:
                if onwards[slot] >= 0:
                    if turn[onwards[slot]] < last:
                        onwards[slot] = -1
                    else:
                        last = turn[onwards[slot]]
        return onwards

    def _separate(self) -> None:
        """Find what stands beside each other, and how far apart."""
        known: dict[int, int] = {}
        for number, row in enumerate(self._rows):
            at = self._steps[number]
            for turn in range(len(row) - 1):
                low, high = self._piece[row[turn]], self._piece[row[turn + 1]]
                gap = at[turn + 1] - at[turn]
                one = known.get(low * self._count + high, -1)
                if one < 0:
                    known[low * self._count + high] = len(self._low)
                    self._after[low].append(len(self._low))
                    self._low.append(low)
                    self._high.append(high)
                    self._gap.append(gap)
                elif self._gap[one] < gap:
                    self._gap[one] = gap

    def _near(self, wishes: list[float]) -> list[float]:
        """Places that keep all separations, near what the slots of each piece wish: the middle between those that give
        way to the right and those that do to the left."""
        total = [0.0] * self._count
        size = [0] * self._count
        for slot, piece in enumerate(self._piece):
            total[piece] += wishes[slot]
            size[piece] += 1
        rights = [total[piece] / size[piece] for piece in range(self._count)]
        lefts = list(rights)
        order = self._from_the_left()
        for piece in order:
            for number in self._after[piece]:
                rights[self._high[number]] = max(rights[self._high[number]], rights[piece] + self._gap[number])
        for piece in reversed(order):
            for number in self._after[piece]:
                lefts[piece] = min(lefts[piece], lefts[self._high[number]] - self._gap[number])
        return [(lefts[piece] + rights[piece]) / 2 for piece in range(self._count)]

    def _from_the_left(self) -> list[int]:
        """All pieces, each after those left of it."""
        waiting = [0] * self._count
        for high in self._high:
            waiting[high] += 1
        order = [piece for piece in range(self._count) if not waiting[piece]]
        for piece in order:
            for number in self._after[piece]:
                high = self._high[number]
                waiting[high] -= 1
                if not waiting[high]:
                    order.append(high)
        return order
