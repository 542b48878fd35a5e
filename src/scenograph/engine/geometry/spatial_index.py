"""A uniform grid over boxes: "what touches this region?" in about constant time. px.

Answers come in a fixed order that depends only on what was added, never on hashing.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from scenograph.engine.geometry.boxes import Box

CELL = 160.0
EVERY = 1 << 60  # more than anything holds
WIDE_CELLS = 64  # a box over more cells is kept aside and looked at in every query


class Bounds(NamedTuple):
    """A box by its four sides: the form in which routing compares boxes."""

    left: float
    top: float
    right: float
    bottom: float


def bounds_of(box: Box) -> Bounds:
    """A box by its sides."""
    return Bounds(box.x, box.y, box.x + box.width, box.y + box.height)


Entry = tuple[float, float, float, float, int]  # the four sides of a box, and its number


class SpatialIndex:
    """Bounds numbered in the order in which they were added."""

    __slots__ = ("_cell", "_columns", "_entries", "_filled", "_wide", "bounds")

    def __init__(self, bounds: Iterable[Bounds] = (), cell: float = CELL) -> None:
        self.bounds: list[Bounds] = []
        self._cell = cell
        self._columns: dict[int, dict[int, list[Entry]]] = {}  # the cells by column, then by row
        self._filled = 0  # how many cells hold something
        self._entries: list[Entry] = []
        self._wide: list[Entry] = []
        for one in bounds:
            self.add(one)

    def add(self, bounds: Bounds) -> int:
        """Keep `bounds` and answer its number."""
        number, cell, columns = len(self.bounds), self._cell, self._columns
        self.bounds.append(bounds)
        x0, y0, x1, y1 = bounds
        entry = x0, y0, x1, y1, number
        self._entries.append(entry)
        left, right = int(x0 // cell), int(x1 // cell)
        top, bottom = int(y0 // cell), int(y1 // cell)
        if (right - left + 1) * (bottom - top + 1) > WIDE_CELLS:
            self._wide.append(entry)
            return number
        for column in range(left, right + 1):
            cells = columns.setdefault(column, {})
            for row in range(top, bottom + 1):
                if row in cells:
                    cells[row].append(entry)
                else:
                    cells[row] = [entry]
                    self._filled += 1
        return number

    def near(self, left: float, top: float, right: float, bottom: float, *, most: int = EVERY) -> list[int]:
        """The numbers of all bounds that touch the region, or the first `most` of them."""
        cell, columns = self._cell, self._columns
        first, last = int(left // cell), int(right // cell)
        upper, lower = int(top // cell), int(bottom // cell)
        is_vast = (last - first + 1) * (lower - upper + 1) > max(1, self._filled)
        found = _touching(self._entries if is_vast else self._wide, (left, top, right, bottom), most)
        rows = range(upper, lower + 1)
        for column in () if is_vast else range(first, last + 1):
            cells = columns.get(column)
            if cells is None:
                continue
            for row in rows:
                if row in cells:
                    for x0, y0, x1, y1, number in cells[row]:
                        if x0 <= right and x1 >= left and y0 <= bottom and y1 >= top:
                            found[number] = None
                    if len(found) >= most:
                        return list(found)[:most]
        return list(found)[:most]


def _touching(entries: list[Entry], region: tuple[float, float, float, float], most: int) -> dict[int, None]:
    """The numbers of the entries that touch the region, or of the first `most` of them, in a fixed order."""
    left, top, right, bottom = region
    found: dict[int, None] = {}
    for x0, y0, x1, y1, number in entries:
        if x0 <= right and x1 >= left and y0 <= bottom and y1 >= top:
            found[number] = None
            if len(found) == most:
                break
    return found
