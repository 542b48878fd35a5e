"""A uniform grid over boxes: "what touches this region?" in about constant time. px.

Answers come in a fixed order that depends only on what was added, never on hashing.
"""

from __future__ import annotations

WIDE_CELLS = 64  # a box over more cells is kept in a coarser grid
COARSER = 8.0  # how much larger its cells are

Sides = tuple[float, float, float, float]  # left, top, right, bottom
Corner = tuple[int, int]  # the column and the row of the first cell of a box
Entry = tuple[float, float, float, float, int]  # the four sides of a box, and its number


class CellGrid:
    """Boxes numbered in the order in which they were added, by square cells of one size."""

    def __init__(self, cell: float) -> None:
        self._cell = cell
        self._columns: dict[int, dict[int, list[Entry]]] = {}  # the cells by column, then by row
        self._filled = 0  # how many cells hold something
        self._count = 0
        self.looks = 0  # at boxes, in all questions so far
        self._entries: list[Entry] = []  # of all boxes but the wide ones
        self._corners: list[Corner] = []  # of all boxes, by number
        self._wide: CellGrid | None = None
        self._wide_numbers: list[int] = []  # by their number in the coarser grid

    def add(self, x0: float, y0: float, x1: float, y1: float) -> int:
        """Keep a box, given by its sides, and answer its number."""
        number, cell = self._count, self._cell
        self._count += 1
        left, right = int(x0 // cell), int(x1 // cell)
        top, bottom = int(y0 // cell), int(y1 // cell)
        self._corners.append((left, top))
        if (right - left + 1) * (bottom - top + 1) > WIDE_CELLS:
            if self._wide is None:
                self._wide = CellGrid(cell * COARSER)
            self._wide.add(x0, y0, x1, y1)
            self._wide_numbers.append(number)
            return number
        entry: Entry = (x0, y0, x1, y1, number)
        self._entries.append(entry)
        for column in range(left, right + 1):
            cells = self._columns.setdefault(column, {})
            for row in range(top, bottom + 1):
                if row in cells:
                    cells[row].append(entry)
                else:
                    cells[row] = [entry]
                    self._filled += 1
        return number

    def add_all(self, boxes: list[Sides]) -> None:
        """Keep boxes, given by their sides, in this order."""
        for x0, y0, x1, y1 in boxes:
            self.add(x0, y0, x1, y1)

    def near(self, left: float, top: float, right: float, bottom: float, most: int) -> list[int]:
        """The numbers of all boxes that touch the region, or the first `most` of them: the wide ones first."""
        cell = self._cell
        first, last = int(left // cell), int(right // cell)
        upper, lower = int(top // cell), int(bottom // cell)
        region: Sides = (left, top, right, bottom)
        found: list[int] = []
        if self._wide is not None:
            looked = self._wide.looks
            found = [self._wide_numbers[number] for number in self._wide.near(left, top, right, bottom, most)]
            self.looks += self._wide.looks - looked
        if (last - first + 1) * (lower - upper + 1) > max(1, self._filled):
            self.looks += len(self._entries)
            _touching(found, self._entries, region, most)
            return found
        for column in range(first, last + 1):
            if len(found) >= most:
                break
            cells = self._columns.get(column)
            if cells is not None:
                self._look_down(found, cells, region, (upper, lower), (column, first), most=most)
        return found

    def _look_down(
        self,
        found: list[int],
        cells: dict[int, list[Entry]],
        region: Sides,
        rows: tuple[int, int],
        columns: tuple[int, int],
        *,
        most: int,
    ) -> None:
        """Add the numbers of what touches the region in the cells of a column, but for what lies in a cell that was
        looked at before: `rows` are the first and the last, `columns` this one and the first."""
        left, top, right, bottom = region
        upper, lower = rows
        column, first = columns
        corners = self._corners
        for row in range(upper, lower + 1):
            entries = cells.get(row)
            if entries is None:
                continue
            self.looks += len(entries)
            for x0, y0, x1, y1, number in entries:
                if x0 <= right and x1 >= left and y0 <= bottom and y1 >= top:
                    own_column, own_row = corners[number]
                    if column in (first, own_column) and row in (upper, own_row):
                        found.append(number)
                        if len(found) >= most:
                            return


def _touching(found: list[int], entries: list[Entry], region: Sides, most: int) -> None:
    """Add the numbers of the entries that touch the region, until there are `most`."""
    left, top, right, bottom = region
    for x0, y0, x1, y1, number in entries:
        if len(found) >= most:
            return
        if x0 <= right and x1 >= left and y0 <= bottom and y1 >= top:
            found.append(number)
