"""A grid of letters in which boxes and lines are drawn with Unicode box-drawing characters.

Lines are kept as the directions in which they leave a cell, so that lines that meet or cross join. A wide letter (UAX
#11) takes two cells.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from unicodedata import combining, east_asian_width

UP, RIGHT, DOWN, LEFT = 1, 2, 4, 8
_LINES = " ╵╶└╷│┌├╴┘─┴┐┤┬┼"  # by the sum of directions
_HEADS: Mapping[tuple[int, int], str] = MappingProxyType({(1, 0): "▶", (-1, 0): "◀", (0, 1): "▼", (0, -1): "▲"})
ELLIPSIS = "…"


class Grid:
    """Cells by column and row; what is beside the grid is not drawn."""

    def __init__(self, columns: int, rows: int) -> None:
        self.columns, self.rows = columns, rows
        self._lines = [[0] * columns for _ in range(rows)]
        self._letters: list[list[str | None]] = [[None] * columns for _ in range(rows)]

    def box(self, left: int, top: int, right: int, bottom: int, *, cleared: bool) -> None:
        """A rectangle by its corner cells; `cleared` takes away what was inside and under it."""
        if cleared:
            for row in range(max(top, 0), min(bottom + 1, self.rows)):
                for column in range(max(left, 0), min(right + 1, self.columns)):
                    self._lines[row][column] = 0
                    self._letters[row][column] = None
        for start, end in (
            ((left, top), (right, top)),
            ((left, bottom), (right, bottom)),
            ((left, top), (left, bottom)),
            ((right, top), (right, bottom)),
        ):
            self.line(start, end)

    def line(self, start: tuple[int, int], end: tuple[int, int]) -> None:
        """A straight line from cell to cell; one that is neither level nor upright turns once."""
        (x, y), (to_x, to_y) = start, end
        if x != to_x and y != to_y:
            self.line(start, (to_x, y))
            self.line((to_x, y), end)
            return
        dx, dy = (to_x > x) - (to_x < x), (to_y > y) - (to_y < y)
        forward = {(1, 0): RIGHT, (-1, 0): LEFT, (0, 1): DOWN, (0, -1): UP}.get((dx, dy), 0)
        back = {RIGHT: LEFT, LEFT: RIGHT, DOWN: UP, UP: DOWN}.get(forward, 0)
        while (x, y) != (to_x, to_y):
            self._join(x, y, forward)
            x, y = x + dx, y + dy
            self._join(x, y, back)

    def head(self, at: tuple[int, int], dx: float, dy: float) -> None:
        """An arrowhead that points along (dx, dy)."""
        step = ((dx > 0) - (dx < 0), 0) if abs(dx) >= abs(dy) else (0, (dy > 0) - (dy < 0))
        self.put(at[0], at[1], _HEADS.get(step, "●"))

    def put(self, column: int, row: int, text: str) -> None:
        """Letters from a cell on; over what was there."""
        for letter in text:
            if combining(letter):
                continue
            width = width_of(letter)
            if 0 <= row < self.rows and column >= 0 and column + width <= self.columns:
                self._letters[row][column] = letter
                if width > 1:
                    self._letters[row][column + 1] = ""
            column += width

    def text(self) -> str:
        """The rows without blanks at their ends, and without empty rows at the end."""
        rows = ["".join(self._cell(column, row) for column in range(self.columns)).rstrip() for row in range(self.rows)]
        while rows and not rows[-1]:
            rows.pop()
        return "\n".join(rows) + "\n"

    def _cell(self, column: int, row: int) -> str:
        letter = self._letters[row][column]
        return _LINES[self._lines[row][column]] if letter is None else letter

    def _join(self, column: int, row: int, direction: int) -> None:
        if 0 <= column < self.columns and 0 <= row < self.rows:
            self._lines[row][column] |= direction


def width_of(text: str) -> int:
    """How many cells a text takes."""
    return sum(0 if combining(letter) else 2 if east_asian_width(letter) in "WF" else 1 for letter in text)


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
