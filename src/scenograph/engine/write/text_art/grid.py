"""A grid of letters in which boxes and lines are drawn with Unicode box-drawing characters.

Lines are kept as the directions in which they leave a cell, so that lines that meet or cross join. A wide letter (UAX
#11) takes two cells; what combines with a letter shares its cell.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from types import MappingProxyType
from unicodedata import category, east_asian_width

UP, RIGHT, DOWN, LEFT = 1, 2, 4, 8
_LINES = " ╵╶└╷│┌├╴┘─┴┐┤┬┼"  # by the sum of directions
_HEADS: Mapping[tuple[int, int], str] = MappingProxyType({(1, 0): "▶", (-1, 0): "◀", (0, 1): "▼", (0, -1): "▲"})
ELLIPSIS = "…"
_OPEN = (None, " ")
_JOINERS = "\u200c\u200d"

Cell = tuple[int, int]


class Grid:
    """Cells by column and row; what is beside the grid is not drawn."""

    def __init__(self, columns: int, rows: int) -> None:
        self.columns, self.rows = columns, rows
        self._lines = [[0] * columns for _ in range(rows)]
        self._borders = [[0] * columns for _ in range(rows)]
        self._letters: list[list[str | None]] = [[None] * columns for _ in range(rows)]
        self._corners: set[Cell] = set()

    def box(self, left: int, top: int, right: int, bottom: int, *, cleared: bool) -> None:
        """A rectangle by its corner cells; `cleared` takes away what was inside it, and the lines under its border,
        which joins with those of its neighbours."""
        if cleared:
            for row in range(max(top, 0), min(bottom + 1, self.rows)):
                for column in range(max(left, 0), min(right + 1, self.columns)):
                    self._lines[row][column] = 0
                    if top < row < bottom and left < column < right:
                        self._borders[row][column] = 0
        corners = ((left, top), (right, top), (right, bottom), (left, bottom))
        for start, end in pairwise((*corners, corners[0])):
            self.line(start, end)
        self._corners.update(corners)

    def line(self, start: Cell, end: Cell, *, is_border: bool = True) -> None:
        """A level or upright line from cell to cell. One that is no border leaves corners of boxes as they are."""
        (x, y), (to_x, to_y) = start, end
        dx, dy = (to_x > x) - (to_x < x), (to_y > y) - (to_y < y)
        forward = {(1, 0): RIGHT, (-1, 0): LEFT, (0, 1): DOWN, (0, -1): UP}.get((dx, dy), 0)
        back = {RIGHT: LEFT, LEFT: RIGHT, DOWN: UP, UP: DOWN}.get(forward, 0)
        while forward and (x, y) != (to_x, to_y):
            self._join(x, y, forward, is_border=is_border)
            x, y = x + dx, y + dy
            self._join(x, y, back, is_border=is_border)

    def way(self, start: Cell, end: Cell, *, upright: bool) -> None:
        """A line from cell to cell in level and upright pieces; it begins and ends `upright` or level."""
        (x, y), (to_x, to_y) = start, end
        middle = (x + to_x) // 2, (y + to_y) // 2
        bends = ((x, middle[1]), (to_x, middle[1])) if upright else ((middle[0], y), (middle[0], to_y))
        for one, other in pairwise((start, *bends, end)):
            self.line(one, other, is_border=False)

    def head(self, at: Cell, dx: float, dy: float) -> None:
        """An arrowhead that points along (dx, dy)."""
        step = ((dx > 0) - (dx < 0), 0) if abs(dx) >= abs(dy) else (0, (dy > 0) - (dy < 0))
        self.put(at[0], at[1], _HEADS.get(step, "●"))

    def put(self, column: int, row: int, text: str) -> None:
        """Letters from a cell on; over what was there."""
        last: int | None = None
        for letter in text:
            width = _width(letter)
            if not width:
                if last is not None:
                    self._letters[row][last] = (self._letters[row][last] or "") + letter
                continue
            last = None
            if 0 <= row < self.rows and column >= 0 and column + width <= self.columns:
                self._letters[row][column] = letter
                last = column
                if width > 1:
                    self._letters[row][column + 1] = ""
            column += width

    def is_free(self, column: int, row: int, text: str) -> bool:
        """Whether a text can stand there without covering letters."""
        cells = range(max(column, 0), min(column + width_of(text), self.columns))
        return 0 <= row < self.rows and all(self._letters[row][cell] in _OPEN for cell in cells)

    def text(self) -> str:
        """The rows without blanks at their ends, and without empty rows at the end."""
        rows = ["".join(self._cell(column, row) for column in range(self.columns)).rstrip() for row in range(self.rows)]
        while rows and not rows[-1]:
            rows.pop()
        return "\n".join(rows) + "\n"

    def _cell(self, column: int, row: int) -> str:
        letter = self._letters[row][column]
        return _LINES[self._borders[row][column] | self._lines[row][column]] if letter is None else letter

    def _join(self, column: int, row: int, direction: int, *, is_border: bool) -> None:
        if 0 <= column < self.columns and 0 <= row < self.rows:
            if is_border:
                self._borders[row][column] |= direction
            elif (column, row) not in self._corners:
                self._lines[row][column] |= direction


def letters_of(text: str) -> str:
    """The text without what would move a cursor: a blank for each letter that cannot be printed, nothing for one that
    is not seen."""
    shown = (letter if letter.isprintable() or letter in _JOINERS else _unprintable(letter) for letter in text)
    return "".join(shown)


def width_of(text: str) -> int:
    """How many cells a text takes."""
    return sum(map(_width, text))


def cut(text: str, cells: int) -> str:
    """The text, or as much of it as fits before an ellipsis."""
    if width_of(text) <= cells:
        return text
    kept = ""
    for letter in text:
        if width_of(kept + letter) > cells - 1:
            break
        kept += letter
    return kept + ELLIPSIS if cells > 0 else ""


def _width(letter: str) -> int:
    if letter in _JOINERS or category(letter) in ("Mn", "Me"):
        return 0
    return 2 if east_asian_width(letter) in "WF" else 1


def _unprintable(letter: str) -> str:
    return "" if category(letter) == "Cf" else " "
