"""Places across the flow of what stands in ranks in a settled order, near what edges join it to.

Each row is fitted to the rows beside it in weighted least squares that keep its order and gaps, by isotonic regression
(pool adjacent violators), in sweeps down and up. Plain numbers in and out; px.
"""

from __future__ import annotations

FREE = 0.01  # the weight of what nothing is joined to


class RowFit:
    """Slots in rows. `steps`: by row how far each of its slots is at least from the first one. Afterwards `places` has
    the place of every slot."""

    def __init__(self, rows: list[list[int]], steps: list[list[float]]) -> None:
        count = sum([len(row) for row in rows])
        self.places = [0.0] * count
        self._rows = rows
        self._steps = steps
        self._near: list[list[int]] = [[] for _ in range(count)]  # what edges join each slot to, those above first,
        self._aside: list[list[float]] = [[] for _ in range(count)]  # how far beside that it would stand,
        self._weight: list[list[float]] = [[] for _ in range(count)]
        self._above = [0] * count  # and how many are above
        for number, row in enumerate(rows):
            at = steps[number]
            for turn, slot in enumerate(row):
                self.places[slot] = at[turn] - at[-1] / 2

    def join(self, uppers: list[int], lowers: list[int], asides: list[float], weights: list[float]) -> None:
        """Add the edges, once: number n joins the slot `uppers[n]` to `lowers[n]` in the next row. It runs straight
        where the lower one is `asides[n]` to the right of the upper one."""
        for edge, lower in enumerate(lowers):
            self._near[lower].append(uppers[edge])
            self._aside[lower].append(asides[edge])
            self._weight[lower].append(weights[edge])
            self._above[lower] += 1
        for edge, upper in enumerate(uppers):
            self._near[upper].append(lowers[edge])
            self._aside[upper].append(-asides[edge])
            self._weight[upper].append(weights[edge])

    def fit(self, sweeps: int, last: int) -> list[float]:
        """The places after sweeps in turn from above and from below, in the `last` ones from both at once."""
        for sweep in range(sweeps):
            downwards = sweep % 2 == 0
            is_last = sweep >= sweeps - last
            for number in range(len(self._rows)) if downwards else range(len(self._rows) - 1, -1, -1):
                self._fit(number, above=downwards or is_last, below=is_last or not downwards)
        return self.places

    def _fit(self, number: int, *, above: bool, below: bool) -> None:
        """Move a row as near as it can be to what it is joined to (pool adjacent violators)."""
        row, at, places = self._rows[number], self._steps[number], self.places
        means: list[float] = []
        masses: list[float] = []
        counts: list[int] = []
        for turn, slot in enumerate(row):
            near, aside, weight = self._near[slot], self._aside[slot], self._weight[slot]
            total, mass, size = 0.0, 0.0, 1
            for edge in range(0 if above else self._above[slot], len(near) if below else self._above[slot]):
                total += weight[edge] * (places[near[edge]] + aside[edge])
                mass += weight[edge]
            mean = (total / mass if mass > 0.0 else places[slot]) - at[turn]
            if mass == 0.0:
                mass = FREE
            while means and means[-1] > mean:
                other = masses.pop()
                mean = (mean * mass + means.pop() * other) / (mass + other)
                mass += other
                size += counts.pop()
            means.append(mean)
            masses.append(mass)
            counts.append(size)
        turn = 0
        for block, mean in enumerate(means):
            for _ in range(counts[block]):
                places[row[turn]] = mean + at[turn]
                turn += 1
