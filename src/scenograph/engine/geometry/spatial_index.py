"""A uniform grid over boxes: "what touches this region?" in about constant time. px.

Answers come in a fixed order that depends only on what was added, never on hashing.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain, product
from typing import NamedTuple

CELL = 160.0
WIDE_CELLS = 64  # a box over more cells is kept aside and looked at in every query


class Bounds(NamedTuple):
    """A box by its four sides: the form in which routing compares boxes."""

    left: float
    top: float
    right: float
    bottom: float


class SpatialIndex:
    """Bounds numbered in the order in which they were added."""

    __slots__ = ("_cell", "_cells", "_wide", "bounds")

    def __init__(self, bounds: Iterable[Bounds] = (), cell: float = CELL) -> None:
        self.bounds: list[Bounds] = []
        self._cell = cell
        self._cells: dict[tuple[int, int], list[int]] = {}
        self._wide: list[int] = []
        for one in bounds:
            self.add(one)

    def add(self, bounds: Bounds) -> int:
        """Keep `bounds` and answer its number."""
        number, cell, cells = len(self.bounds), self._cell, self._cells
        self.bounds.append(bounds)
        left, right = int(bounds[0] // cell), int(bounds[2] // cell)
        top, bottom = int(bounds[1] // cell), int(bounds[3] // cell)
        if (right - left + 1) * (bottom - top + 1) > WIDE_CELLS:
            self._wide.append(number)
            return number
        for column in range(left, right + 1):
            for row in range(top, bottom + 1):
                cells.setdefault((column, row), []).append(number)
        return number

    def near(self, left: float, top: float, right: float, bottom: float) -> list[int]:
        """The numbers of all bounds that touch the region."""
        cell, cells, bounds = self._cell, self._cells, self.bounds
        columns = range(int(left // cell), int(right // cell) + 1)
        rows = range(int(top // cell), int(bottom // cell) + 1)
        if len(columns) * len(rows) > len(cells):
            candidates: Iterable[int] = range(len(bounds))
        elif len(columns) == 1 and len(rows) == 1:
            candidates = [*self._wide, *cells.get((columns[0], rows[0]), ())]
        else:
            shelves = [cells[place] for place in product(columns, rows) if place in cells]
            candidates = dict.fromkeys(chain(self._wide, *shelves))
        found: list[int] = []
        for number in candidates:
            box = bounds[number]
            if box[0] <= right and box[2] >= left and box[1] <= bottom and box[3] >= top:
                found.append(number)
        return found
