"""A uniform grid over boxes: "what touches this region?" in about constant time. px.

Answers come in a fixed order that depends only on what was added, never on hashing.
"""

from __future__ import annotations

from collections.abc import Iterable
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

    __slots__ = ("_cell", "_cells", "_stamp", "_stamps", "_wide", "bounds")

    def __init__(self, bounds: Iterable[Bounds] = (), cell: float = CELL) -> None:
        self.bounds: list[Bounds] = []
        self._cell = cell
        self._cells: dict[tuple[int, int], list[int]] = {}
        self._wide: list[int] = []
        self._stamps: list[int] = []
        self._stamp = 0
        for one in bounds:
            self.add(one)

    def add(self, bounds: Bounds) -> int:
        """Keep `bounds` and answer its number."""
        number = len(self.bounds)
        self.bounds.append(bounds)
        self._stamps.append(0)
        left, top, right, bottom = self._span(bounds)
        if (right - left + 1) * (bottom - top + 1) > WIDE_CELLS:
            self._wide.append(number)
            return number
        for column in range(left, right + 1):
            for row in range(top, bottom + 1):
                self._cells.setdefault((column, row), []).append(number)
        return number

    def near(self, left: float, top: float, right: float, bottom: float) -> list[int]:
        """The numbers of all bounds that touch the region."""
        bounds = self.bounds
        found: list[int] = []
        for number in self._candidates(Bounds(left, top, right, bottom)):
            one = bounds[number]
            if one[0] <= right and one[2] >= left and one[1] <= bottom and one[3] >= top:
                found.append(number)
        return found

    def _candidates(self, region: Bounds) -> Iterable[int]:
        left, top, right, bottom = self._span(region)
        cells = self._cells
        if (right - left + 1) * (bottom - top + 1) > len(cells):
            return range(len(self.bounds))
        if left == right and top == bottom:
            return [*self._wide, *cells.get((left, top), ())]
        self._stamp += 1
        stamp, stamps, found = self._stamp, self._stamps, list(self._wide)
        for column in range(left, right + 1):
            for row in range(top, bottom + 1):
                for number in cells.get((column, row), ()):
                    if stamps[number] != stamp:
                        stamps[number] = stamp
                        found.append(number)
        return found

    def _span(self, bounds: Bounds) -> tuple[int, int, int, int]:
        cell = self._cell
        return int(bounds[0] // cell), int(bounds[1] // cell), int(bounds[2] // cell), int(bounds[3] // cell)
