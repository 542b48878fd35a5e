"""A uniform grid over boxes, for region queries in about constant time. px.

Results come in a fixed order, determined by the order of additions, never by hashing.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import Final

WIDE_CELLS: Final = 64  # a box over more cells is kept in a coarser grid
COARSER: Final = 8.0  # the size of wide cells, relative to normal cells
EVERY: Final = 1 << 60  # asked for: more boxes than anything holds

BoxSides = tuple[float, float, float, float]  # left, top, right, bottom


class _Entry:
    """A box by its sides and number, with the column and the row of its first cell."""

    __slots__ = ("bottom", "column", "left", "number", "right", "row", "top")

    def __init__(self, sides: BoxSides, number: int, column: int, row: int) -> None:
        self.left, self.top, self.right, self.bottom = sides
        self.number = number
        self.column = column
        self.row = row


class _Column:
    """The filled cells of a column, from top to bottom: rows and contents."""

    __slots__ = ("cells", "rows")

    def __init__(self) -> None:
        self.rows: list[int] = []
        self.cells: list[list[_Entry]] = []


class CellGrid:
    """Boxes numbered in order of addition, stored in square cells of one size."""

    def __init__(self, cell: float) -> None:
        self._cell = cell
        self._columns: dict[int, _Column] = {}
        self._filled = 0  # how many cells hold something
        self._count = 0
        self.looks = 0  # at boxes, in all queries so far
        self._entries: list[_Entry] = []  # of all boxes except wide boxes
        self._wide: CellGrid | None = None
        self._wide_numbers: list[int] = []  # by their number in the coarser grid

    def add(self, x0: float, y0: float, x1: float, y1: float) -> int:
        """Add a box, given by its sides. Returns the box's number."""
        number, cell = self._count, self._cell
        self._count += 1
        left, right = int(x0 // cell), int(x1 // cell)
        top, bottom = int(y0 // cell), int(y1 // cell)
        if (right - left + 1) * (bottom - top + 1) > WIDE_CELLS:
            if self._wide is None:
                self._wide = CellGrid(cell * COARSER)
            self._wide.add(x0, y0, x1, y1)
            self._wide_numbers.append(number)
            return number
        entry = _Entry((x0, y0, x1, y1), number, left, top)
        self._entries.append(entry)
        for at in range(left, right + 1):
            column = self._columns.get(at)
            if column is None:
                column = self._columns[at] = _Column()
            self._fill(column, entry, top, bottom)
        return number

    def _fill(self, column: _Column, entry: _Entry, top: int, bottom: int) -> None:
        """Put an entry into the cells of a column from row `top` to row `bottom`."""
        rows, cells = column.rows, column.cells
        place = bisect_left(rows, top)
        for row in range(top, bottom + 1):
            if place < len(rows) and rows[place] == row:
                cells[place].append(entry)
            else:
                rows.insert(place, row)
                cells.insert(place, [entry])
                self._filled += 1
            place += 1

    def add_all(self, boxes: list[BoxSides]) -> None:
        """Keep boxes, given by their sides, in this order."""
        for x0, y0, x1, y1 in boxes:
            self.add(x0, y0, x1, y1)

    def near(self, left: float, top: float, right: float, bottom: float, most: int) -> list[int]:
        """The numbers of all boxes that touch the region, or the first `most`, wide boxes first."""
        cell = self._cell
        first, last = int(left // cell), int(right // cell)
        upper, lower = int(top // cell), int(bottom // cell)
        region: BoxSides = (left, top, right, bottom)
        found: list[int] = []
        if self._wide is not None:
            looked = self._wide.looks
            found = [self._wide_numbers[number] for number in self._wide.near(left, top, right, bottom, most)]
            self.looks += self._wide.looks - looked
        if (last - first + 1) * (lower - upper + 1) > max(1, self._filled):
            self.looks += len(self._entries)
            _touching(found, self._entries, region, most)
            return found
        for at in range(first, last + 1):
            if len(found) >= most:
                break
            column = self._columns.get(at)
            if column is not None:
                self._look_down(found, column, region, (upper, lower), (at, first), most=most)
        return found

    def _look_down(
        self,
        found: list[int],
        column: _Column,
        region: BoxSides,
        rows: tuple[int, int],
        columns: tuple[int, int],
        *,
        most: int,
    ) -> None:
        """Add the numbers of the boxes that touch the region in the cells of a column, except boxes found in an earlier
        cell. `rows` are the first and last row, `columns` the current and first column."""
        left, top, right, bottom = region
        upper, lower = rows
        here, first = columns
        for place in range(bisect_left(column.rows, upper), len(column.rows)):
            row = column.rows[place]
            if row > lower:
                break
            entries = column.cells[place]
            self.looks += len(entries)
            for entry in entries:
                if entry.left <= right and entry.right >= left and entry.top <= bottom and entry.bottom >= top:
                    if here not in (first, entry.column) or row not in (upper, entry.row):
                        continue
                    found.append(entry.number)
                    if len(found) >= most:
                        return


def _touching(found: list[int], entries: list[_Entry], region: BoxSides, most: int) -> None:
    """Add the numbers of the entries that touch the region, up to `most`."""
    left, top, right, bottom = region
    for entry in entries:
        if len(found) >= most:
            return
        if entry.left <= right and entry.right >= left and entry.top <= bottom and entry.bottom >= top:
            found.append(entry.number)
