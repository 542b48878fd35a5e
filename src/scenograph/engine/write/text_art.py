"""A laid-out scene as text: boxes and lines of Unicode box-drawing characters, at most 200 columns.

In: a laid-out scene and its paint. Out: lines of text, with elements in the order of the picture, on a grid of COLUMN x
ROW px cells unless text needs more. Promises: every text of the picture appears, with whole words if the columns allow;
lines end at boxes and leave corners alone. Labels too long for the page are cut and reported as a loss. (R-OUT-10,
R-OUT-12)
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain, pairwise
from types import MappingProxyType
from typing import NamedTuple
from unicodedata import category, east_asian_width

from scenograph.engine.drawing import Drawing, DrawnGroup, PathItem, TextItem, TextRun
from scenograph.engine.geometry.boxes import Box, Point
from scenograph.engine.geometry.paths import Line, Move
from scenograph.engine.tables import LaidOutScene
from scenograph.engine.write.foreign import joined, lines_of
from scenograph.engine.write.writer import ExportLosses
from scenograph.scene.model import Edge, Frame, Group, Guide, Image, Linked, Node

# A grid of letters with boxes and lines in Unicode box-drawing characters. Lines are kept as their directions out of a
# cell, so that lines join wherever they meet or cross. A wide letter (UAX #11) takes two cells; combining characters
# share their letter's cell.


UP, RIGHT, DOWN, LEFT = 1, 2, 4, 8
_LINES = " ╵╶└╷│┌├╴┘─┴┐┤┬┼"  # by the sum of directions
_HEADS: Mapping[tuple[int, int], str] = MappingProxyType({(1, 0): "▶", (-1, 0): "◀", (0, 1): "▼", (0, -1): "▲"})
_HOLLOW: Mapping[tuple[int, int], str] = MappingProxyType({(1, 0): "▷", (-1, 0): "◁", (0, 1): "▽", (0, -1): "△"})
# Markers without a direction. A cardinality is written as in patterns: * for none or more, + for one or more.
_SIGNS: Mapping[str, str] = MappingProxyType(
    {
        "diamond": "◆",
        "openDiamond": "◇",
        "circle": "●",
        "openCircle": "○",
        "bar": "┃",
        "cross": "╳",
        "slash": "╱",
        "one": "1",
        "many": "n",
        "oneOrMany": "+",
        "zeroOrOne": "?",
        "zeroOrMany": "*",
    }
)
_ELLIPSIS = "…"
_OPEN = (None, " ")
_JOINERS = "\u200c\u200d"

Cell = tuple[int, int]


class CharacterGrid:
    """Cells by column and row; anything outside the grid is dropped."""

    def __init__(self, columns: int, rows: int) -> None:
        self.columns, self.rows = columns, rows
        self._lines = [[0] * columns for _ in range(rows)]
        self._borders = [[0] * columns for _ in range(rows)]
        self._letters: list[list[str | None]] = [[None] * columns for _ in range(rows)]
        self._corners: set[Cell] = set()

    def box(self, left: int, top: int, right: int, bottom: int, *, cleared: bool) -> None:
        """Draw a rectangle by its corner cells. `cleared` empties the inside and removes routes under the border; the
        border joins its neighbours."""
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
        """Draw a level or upright segment from cell to cell. Unless a border, the segment leaves corners of boxes
        unchanged."""
        (x, y), (to_x, to_y) = start, end
        dx, dy = (to_x > x) - (to_x < x), (to_y > y) - (to_y < y)
        forward = {(1, 0): RIGHT, (-1, 0): LEFT, (0, 1): DOWN, (0, -1): UP}.get((dx, dy), 0)
        back = {RIGHT: LEFT, LEFT: RIGHT, DOWN: UP, UP: DOWN}.get(forward, 0)
        while forward and (x, y) != (to_x, to_y):
            self._join(x, y, forward, is_border=is_border)
            x, y = x + dx, y + dy
            self._join(x, y, back, is_border=is_border)

    def way(self, start: Cell, end: Cell, *, upright: bool) -> None:
        """Draw a route from cell to cell in level and upright segments, beginning and ending `upright` or level."""
        (x, y), (to_x, to_y) = start, end
        middle = (x + to_x) // 2, (y + to_y) // 2
        bends = ((x, middle[1]), (to_x, middle[1])) if upright else ((middle[0], y), (middle[0], to_y))
        for one, other in pairwise((start, *bends, end)):
            self.line(one, other, is_border=False)

    def head(self, at: Cell, dx: float, dy: float, marker: str) -> None:
        """Draw the sign of a marker; an arrowhead points along (dx, dy)."""
        step = ((dx > 0) - (dx < 0), 0) if abs(dx) >= abs(dy) else (0, (dy > 0) - (dy < 0))
        heads = _HOLLOW if marker == "openTriangle" else _HEADS
        self.put(at[0], at[1], _SIGNS.get(marker) or heads.get(step, "●"))

    def put(self, column: int, row: int, text: str) -> None:
        """Put letters from a cell on, over the former content."""
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
        """Whether a text fits at a cell without covering letters."""
        cells = range(max(column, 0), min(column + width_of(text), self.columns))
        return 0 <= row < self.rows and all(self._letters[row][cell] in _OPEN for cell in cells)

    def text(self, most: int) -> str:
        """The rows without blanks at their ends, and without empty rows at the end. What is wider than `most` columns
        goes on below, behind a row of dots."""
        rows = [[self._cell(column, row) for column in range(self.columns)] for row in range(self.rows)]
        cuts = [0, *self._cuts(rows, most), self.columns]
        bands = (_joined([row[low:high] for row in rows]) for low, high in pairwise(cuts))
        return f"{_GOES_ON * most}\n".join(bands)

    def _cuts(self, rows: Sequence[Sequence[str]], most: int) -> Iterator[int]:
        """The columns before which the page is cut: through as few letters as can be, then through as few lines."""
        start = 0
        while self.columns - start > most:
            places = range(start + most, start + most // 2, -1)
            start = min(places, key=lambda column: sum(_price_of_cut(*row[column - 1 : column + 1]) for row in rows))
            yield start

    def _cell(self, column: int, row: int) -> str:
        letter = self._letters[row][column]
        return _LINES[self._borders[row][column] | self._lines[row][column]] if letter is None else letter

    def _join(self, column: int, row: int, direction: int, *, is_border: bool) -> None:
        if 0 <= column < self.columns and 0 <= row < self.rows:
            if is_border:
                self._borders[row][column] |= direction
            elif (column, row) not in self._corners:
                self._lines[row][column] |= direction


def _joined(rows: Sequence[Sequence[str]]) -> str:
    found = ["".join(row).rstrip() for row in rows]
    while found and not found[-1]:
        found.pop()
    return "\n".join(found) + "\n"


def _price_of_cut(before: str, after: str) -> int:
    """The price of cutting a row between two cells; the second cell of a wide letter is empty."""
    if not after:
        return _CUT_LETTER
    lines = _LINES.find(before), _LINES.find(after)
    if max(lines) < 0:
        return _CUT_WORD
    if min(lines) < 0:
        return int(max(lines) > 0)
    return int(lines[0] & RIGHT > 0 and lines[1] & LEFT > 0)


_GOES_ON = "┈"
_CUT_WORD, _CUT_LETTER = 100, 10_000


def letters_of(text: str) -> str:
    """The text without control effects on a cursor: a blank for each unprintable letter, nothing for an invisible
    letter."""
    shown = (letter if letter.isprintable() or letter in _JOINERS else _unprintable(letter) for letter in text)
    return "".join(shown)


def width_of(text: str) -> int:
    """How many cells a text takes."""
    return sum(map(_width, text))


def cut(text: str, cells: int) -> str:
    """The text, or the longest beginning that fits before an ellipsis."""
    if width_of(text) <= cells:
        return text
    kept = ""
    for letter in text:
        if width_of(kept + letter) > cells - 1:
            break
        kept += letter
    return kept + _ELLIPSIS if cells > 0 else ""


def _width(letter: str) -> int:
    if letter in _JOINERS or category(letter) in ("Mn", "Me"):
        return 0
    return 2 if east_asian_width(letter) in "WF" else 1


def _unprintable(letter: str) -> str:
    return "" if category(letter) == "Cf" else " "


# The texts of a drawing as words, for new line breaks. In: the runs placed by `draw`. Out: their words with their
# places in the picture, px. A word broken in the picture is whole again, as far as its script separates words by
# spaces.


ASCENT, DESCENT = 0.8, 0.25  # of a font's size: how far letters reach over and under their baseline
_UNSPACED = ((0x0E00, 0x0EFF), (0x1000, 0x109F), (0x1780, 0x17FF), (0x2E80, 0xDFFF), (0xF900, 0xFAFF), (0xFF00, 0xFFEF))
"""The scripts that part words by no spaces: any break of theirs may stay."""

Word = tuple[str, ...]


class WrappedWords(NamedTuple):
    """A text: its words line by line as drawn, each in the pieces made by wrapping, and its box."""

    lines: tuple[tuple[Word, ...], ...]
    box: Box
    is_turned: bool = False

    @property
    def whole(self) -> list[str]:
        """The whole words in order."""
        return ["".join(word) for line in self.lines for word in line]

    def wrapped(self, most: int, *, whole_words: bool) -> tuple[str, ...]:
        """The drawn lines, wrapped further at `most` cells; with `whole_words` no word is broken."""
        if whole_words:
            most = max([most, *map(width_of, self.whole)])
        return tuple(line for words in self.lines for line in _wrapped(words, max(most, 1)))


def words_of(item: TextItem) -> WrappedWords | None:
    """The words of a text; None without visible letters."""
    groups: list[list[Word]] = []
    lines, is_open = lines_of(item.runs), False
    for line in lines:
        words: list[Word] = [(word,) for word in letters_of(joined(line)).split()]
        if is_open and words and groups:
            first, *words = words
            groups[-1][-1] = (*groups[-1][-1], *first)
            groups[-1].extend(words)
        elif words:
            groups.append(words)
        is_open = bool(words or is_open) and _goes_on(line, lines)
    if not groups:
        return None
    return WrappedWords(tuple(map(tuple, groups)), _box(item), is_turned=item.turn != 0)


def _goes_on(line: Sequence[TextRun], lines: Sequence[Sequence[TextRun]]) -> bool:
    """Whether a line breaks off within a word."""
    last = line[-1]
    return line is not lines[-1] and not last.spaced and bool(last.text) and not _is_unspaced(last.text[-1])


def _is_unspaced(letter: str) -> bool:
    return any(first <= ord(letter) <= last for first, last in _UNSPACED)


def _wrapped(words: Sequence[Word], most: int) -> Iterator[str]:
    line = ""
    for word in words:
        for number, piece in enumerate(_fitting(word, most)):
            longer = f"{line} {piece}" if line else piece
            if not number and width_of(longer) <= most:
                line = longer
                continue
            if line:
                yield line
            line = piece
    yield line


def _fitting(word: Word, most: int) -> Iterator[str]:
    """A word, or the longest fitting joins of its pieces."""
    if width_of("".join(word)) <= most:
        yield "".join(word)
        return
    kept = ""
    for piece in word:
        if kept and width_of(kept + piece) > most:
            yield kept
            kept = ""
        kept += piece
    yield kept


def _box(item: TextItem) -> Box:
    """The bounds of the letters after turning, px."""
    runs = item.runs
    left, right = min(run.at.x for run in runs), max(run.at.x + run.width for run in runs)
    top = min(run.at.y - ASCENT * run.font.size for run in runs)
    bottom = max(run.at.y + DESCENT * run.font.size for run in runs)
    if not item.turn:
        return Box(left, top, right - left, bottom - top)
    cosine, sine, pivot = math.cos(math.radians(item.turn)), math.sin(math.radians(item.turn)), item.pivot
    corners = [
        Point(
            pivot.x + (x - pivot.x) * cosine - (y - pivot.y) * sine,
            pivot.y + (x - pivot.x) * sine + (y - pivot.y) * cosine,
        )
        for x in (left, right)
        for y in (top, bottom)
    ]
    xs, ys = [corner.x for corner in corners], [corner.y for corner in corners]
    return Box(min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))


# Room for letters: from px to cells, with order kept and enough cells for everything. In: boxes with the cells of their
# texts, and strokes. Out: a column for each x and a row for each y. Distances follow the picture where there is room; a
# text that needs more stretches everything beside; on a page too narrow, distances shrink and texts do not. Promises:
# columns and rows never fall; elements apart in the picture share no cell wherever the page allows this. (R-OUT-10,
# R-OUT-12)


SAME = 0.75  # px; nearer places share a cell
NEAR = 2.0  # px; nearer strokes coincide
ROUNDS = 24  # of searching for shared cells; each separates strokes joined in the round before
_HALVINGS = 8  # in search of the scale
EXACT = 1e-6  # cells


class Solid(NamedTuple):
    """A box with cells of its own. `least`: the columns and rows from its first to its last side; `rim`: the cells
    taken by its far sides, as borders do; `is_within`: the box may stand inside another."""

    box: Box
    least: Cell = (0, 0)
    rim: int = 1
    is_within: bool = False


class _Stroke(NamedTuple):
    """A level or upright segment from a to b, its owner, and whether it is a side of a box."""

    owner: str
    a: Point
    b: Point
    is_border: bool = False

    @property
    def box(self) -> Box:
        """The line as a box without an extent across."""
        (x, y), (to_x, to_y) = self.a, self.b
        return Box(min(x, to_x), min(y, to_y), abs(to_x - x), abs(to_y - y))


class Axis:
    """The cells along one axis: `pitch` px each unless a need asks for more."""

    def __init__(self, values: Iterable[float], pitch: float) -> None:
        self._values: list[float] = []
        self._indices: dict[float, int] = {}
        for value in sorted(set(values)):
            if not self._values or value - self._values[-1] > SAME:
                self._values.append(value)
            self._indices[value] = len(self._values) - 1
        self._needs: list[dict[int, int]] = [{} for _ in self._values]
        self._wishes: list[dict[int, int]] = [{} for _ in self._values]
        self.pitch = pitch
        self._cells: list[int] = [0] * len(self._values)

    def keep(self, before: float, after: float, cells: int, *, surely: bool = True) -> bool:
        """Require at least `cells` from one place to a later place. Returns whether the requirement is new and
        possible. Unless `surely`, the requirement is a wish, met if the page is wide enough."""
        low, high = self._indices[before], self._indices[after]
        known = (self._needs if surely else self._wishes)[high]
        if low >= high or known.get(low, 0) >= cells:
            return False
        known[low] = cells
        return True

    def knows(self, value: float) -> bool:
        """Whether a place is one of the axis's values."""
        return value in self._indices

    @property
    def size(self) -> int:
        """The number of cells."""
        return self._cells[-1] + 1 if self._cells else 1

    def at(self, value: float) -> int:
        """The cell of a known place, or of a place in between."""
        index = self._indices.get(value)
        if index is not None:
            return self._cells[index]
        after = bisect_right(self._values, value)
        if not 0 < after < len(self._values):
            return self._cells[0 if not after else -1]
        first, last = self._values[after - 1], self._values[after]
        low, high = self._cells[after - 1], self._cells[after]
        return low + int((value - first) / (last - first) * (high - low))

    def fit(self, most: int) -> bool:
        """Choose the cells, at most `most`: with the distances of the picture, else with smaller distances, else
        without wishes. False when the needs alone exceed `most`."""
        strains = self._strains() if self._values else ()
        for wishes in (True, False):
            if not self._chosen(0.0, strains, most, wishes=wishes):
                continue
            low, high = 0.0, 1.0
            if not self._chosen(high, strains, most, wishes=wishes):
                for _ in range(_HALVINGS):
                    middle = (low + high) / 2
                    low, high = (middle, high) if self._chosen(middle, strains, most, wishes=wishes) else (low, middle)
                self._chosen(low, strains, most, wishes=wishes)
            return True
        return False

    def squeeze(self, most: int) -> None:
        """Choose the cells by the picture's distances alone, `most` in all."""
        first, last = (self._values[0], self._values[-1]) if self._values else (0.0, 0.0)
        pitch = max(self.pitch, (last - first) / max(most - 1, 1))
        self._cells = [int((value - first) / pitch) for value in self._values]

    def _chosen(self, share: float, strains: Sequence[float], most: int, *, wishes: bool) -> bool:
        places: list[float] = []
        for index, strain in enumerate(strains):
            place = places[-1] + share * strain if places else 0.0
            for low, cells in self._needs[index].items():
                place = max(place, places[low] + cells)
            if wishes:
                for low, cells in self._wishes[index].items():
                    place = max(place, places[low] + cells)
            places.append(place)
        cells = [math.floor(place + EXACT) for place in places]
        if cells and cells[-1] >= most:
            return False
        self._cells = cells
        return True

    def _strains(self) -> list[float]:
        """The cells from each place to the next: the highest density required by any need across both."""
        values = self._values
        dense = [1 / self.pitch] * len(values)
        needs = [
            (cells / (values[high] - values[low]), low, high)
            for high, row in enumerate(self._needs)
            for low, cells in row.items()
        ]
        free = list(range(len(values) + 1))  # from each interval the next free interval, by density
        for density, low, high in sorted(needs, reverse=True):
            if density * self.pitch <= 1:
                break
            at = _next(free, low + 1)
            while at <= high:
                dense[at] = density
                free[at] = at + 1
                at = _next(free, at)
        return [0.0, *((after - before) * dense[index + 1] for index, (before, after) in enumerate(pairwise(values)))]


def _next(free: list[int], at: int) -> int:
    while free[at] != at:
        free[at] = at = free[free[at]]
    return at


class _PageRoom:
    """Columns and rows for solids and strokes, and for the `ends` of slanted segments."""

    def __init__(
        self, solids: Sequence[Solid], strokes: Sequence[_Stroke], ends: Sequence[Point], pitch: tuple[float, float]
    ) -> None:
        self._solids, self._strokes = solids, strokes
        boxes = [*(solid.box for solid in solids), *(stroke.box for stroke in strokes)]
        boxes += [Box(end.x, end.y, 0, 0) for end in ends]
        self.columns = Axis(chain.from_iterable((box.x, box.right) for box in boxes), pitch[0])
        self.rows = Axis(chain.from_iterable((box.y, box.bottom) for box in boxes), pitch[1])
        for solid in solids:
            box, (columns, rows) = solid.box, solid.least
            self.columns.keep(box.x, box.right, columns)
            self.rows.keep(box.y, box.bottom, rows)

    def fit(self, columns: int, rows: int, rounds: int = ROUNDS) -> bool:
        """Choose columns and rows. False when the texts do not all fit side by side."""
        for _ in range(rounds):
            if not self.columns.fit(columns):
                return False
            if not self.rows.fit(rows):
                self.rows.squeeze(rows)
                return True
            if not self._parted():
                break
        return self.columns.fit(columns)

    def knows(self, box: Box) -> bool:
        """Whether all sides of a box are places of the page."""
        sides = (self.columns, box.x), (self.columns, box.right), (self.rows, box.y), (self.rows, box.bottom)
        return all(axis.knows(side) for axis, side in sides)

    def squeeze(self, columns: int, rows: int) -> None:
        """Choose columns by the picture's distances alone, whatever shares a cell then."""
        self.columns.squeeze(columns)
        if not self.rows.fit(rows):
            self.rows.squeeze(rows)

    @property
    def size(self) -> Cell:
        """Columns and rows of the page."""
        return self.columns.size, self.rows.size

    def span(self, box: Box) -> tuple[int, int, int, int]:
        """The first and last columns and rows of a box's sides."""
        return self.columns.at(box.x), self.rows.at(box.y), self.columns.at(box.right), self.rows.at(box.bottom)

    def _parted(self) -> bool:
        """Require room between solids that share a cell now but not in the picture. Returns whether a requirement is
        new."""
        owners: tuple[dict[Cell, int], dict[Cell, int]] = {}, {}
        clashes: set[tuple[int, int]] = set()
        for number, solid in sorted(enumerate(self._solids), key=lambda row: row[1].is_within):
            for cell in self._cells(solid):
                clashes.add((owners[solid.is_within].setdefault(cell, number), number))
                clashes.add((owners[0].get(cell, number), number))
        is_new = False
        for first, second in sorted(clashes):
            is_new |= first != second and self._part(self._solids[first], self._solids[second])
        return self._parted_strokes(owners) or is_new

    def _parted_strokes(self, owners: Sequence[Mapping[Cell, int]]) -> bool:
        """Require room between strokes that share a cell, and between strokes and solids. Returns whether a requirement
        is new."""
        runs: dict[tuple[bool, int, int], _Stroke] = {}
        is_new = False
        for stroke in self._strokes:
            left, top, right, bottom = self.span(stroke.box)
            upright, hits = stroke.a.x == stroke.b.x, set[int]()
            for cell in [(x, y) for x in range(left, right + 1) for y in range(top, bottom + 1)]:
                hits.update(known[cell] for known in owners if cell in known)
                other = runs.setdefault((upright, *cell), stroke)
                if other.owner != stroke.owner:
                    is_new |= self._part_strokes(other, stroke, upright=upright)
            for owner in sorted(hits):
                is_new |= self._part(Solid(stroke.box), self._solids[owner])
        return is_new

    def _cells(self, solid: Solid) -> Iterator[Cell]:
        left, top, right, bottom = self.span(solid.box)
        # Two texts in a row are told apart by a blank.
        for row in range(top, bottom + solid.rim):
            for column in range(left, right + 1):
                yield column, row

    def _part(self, one: Solid, other: Solid) -> bool:
        gaps = (
            max(other.box.x - one.box.right, one.box.x - other.box.right) / self.columns.pitch,
            max(other.box.y - one.box.bottom, one.box.y - other.box.bottom) / self.rows.pitch,
        )
        axes = ((self.columns, 0, 1), (self.rows, 1, 0))
        for axis, which, text in sorted(axes, key=lambda row: -gaps[row[1]]):
            if gaps[which] <= 0:
                return False
            first, second = (one, other) if one.box[which] <= other.box[which] else (other, one)
            if axis.keep(first.box[which] + first.box[which + 2], second.box[which], max(first.rim, text)):
                return True
        return False

    def _part_strokes(self, one: _Stroke, other: _Stroke, *, upright: bool) -> bool:
        first, second = sorted((one.box, other.box), key=lambda box: box.x if upright else box.y)
        axis, low, high = (self.columns, first.x, second.x) if upright else (self.rows, first.y, second.y)
        return high - low > NEAR and axis.keep(low, high, 1, surely=one.is_border or other.is_border)


# A laid-out scene as text: boxes and lines of Unicode box-drawing characters, at most 200 columns. In: a laid-out
# scene and its paint. Out: lines of text in which elements stand in the order of the picture, on a grid whose cells
# are COLUMN x ROW px where no text needs more. Promises: every text of the picture is there, its words whole where
# the columns allow it; lines end at boxes and leave their corners alone. Labels that do not fit are cut and told as
# a loss. (R-OUT-10, R-OUT-12)


COLUMN, ROW = 8.0, 17.0
MOST_COLUMNS = 200
MOST_ROWS = 2_000
_CUT, _LEFT_OUT = "the ends of labels that do not fit, or all of them", "pictures and guides"
_BAND_WIDTH = 24  # columns of a line of text on a page that is cut into several
_BOXES = frozenset({None, "rect", "roundedRect", "pill", "textBox"})
_WIDTHS = (200, 80, 48, 32, 24, 16, 12, 8, 5, 3)  # columns for a line of text, tried in turn
_BANDS = (2, 3, 4, 6, 9, 13, 20)  # pages one below another, MOST_ROWS in total
_TRIES = (
    *((whole_words, 1, width) for whole_words in (True, False) for width in _WIDTHS),
    *((True, bands, _BAND_WIDTH) for bands in _BANDS),
)
"""Whether words stay whole, into how many pages the picture is cut, the columns of a line of text: the best first."""
_TITLE_INDENT = 2  # columns from a frame's corner to the blank before its title
_STEPS = (0, 1, -1, 2, -2, 3, -3)  # rows that a text gives way to another
_AT_TAIL = 12.0  # px; a line this near to a lifeline ends there
_AT_BORDER = 6.0  # px; a line this near to a box ends there
_NEAR = 1.0  # px
_LEAST = 2  # points of a line
_LEVEL = 4.0  # px; texts of a box with middles this near to each other stand in a row
_SHORT = 4.0  # px; a shorter piece of a line needs no cell
_TITLES = ("title", "header", "operator")  # the parts of a frame with texts in its upper border


class _Label(NamedTuple):
    """A text, its owner, and the box around it; `is_title`: the text stands in the upper border of the box. `level`:
    top and bottom shared with the texts beside, px."""

    owner: str
    words: WrappedWords
    holder: Box | None = None
    is_title: bool = False
    level: tuple[float, float] | None = None

    @property
    def box(self) -> Box:
        """The room of the text, px."""
        box = self.words.box
        if self.level is not None:
            box = Box(box.x, self.level[0], box.width, self.level[1] - self.level[0])
        if not self.is_title or self.holder is None:
            return box
        return Box(box.x, self.holder.y, box.width, max(box.bottom - self.holder.y, box.height))


class _Course(NamedTuple):
    """A route: its corners, and the marker at each end, "" for none."""

    owner: str
    points: tuple[Point, ...]
    markers: tuple[str, str]

    @property
    def heads(self) -> tuple[bool, bool]:
        """The presence of a head at each end."""
        return bool(self.markers[0]), bool(self.markers[1])


def write_text(laid_out: LaidOutScene, drawing: Drawing, losses: ExportLosses) -> str:
    """The lines of the picture."""
    material = _Material(laid_out, drawing)
    page = _fitted(material)
    page.draw()
    crowded = [label.owner for label in material.labels if not page.write(label)]
    losses.add_hidden(laid_out.scene)
    losses.add_rows(((_CUT, crowded), *_lost(laid_out)))
    if page.grid.columns > MOST_COLUMNS:
        losses.add(f"a page in one piece: it goes on below each row of {_GOES_ON}")
    if any(group.role == "legend" and group.kind != "diff" for group in drawing.groups):
        losses.add("the samples of the legend")
    return page.grid.text(MOST_COLUMNS)


def _lost(laid_out: LaidOutScene) -> Iterator[tuple[str, list[str]]]:
    """The wishes without a sign in a text, with their elements."""
    rows, styles = laid_out.scene.elements, laid_out.styles.of
    yield _LEFT_OUT, [one.id for one in rows if isinstance(one, Image | Guide)]
    yield "icons", [one.id for one in rows if isinstance(one, Node | Frame) and one.icon]
    yield "shapes (they are boxes)", [one.id for one in rows if isinstance(one, Node) and one.shape not in _BOXES]
    yield "links", [one.id for one in rows if isinstance(one, Linked) and one.link is not None]
    yield "tooltips", [one.id for one in rows if isinstance(one, Linked) and one.tooltip]
    yield "styles", [one.id for one in rows if one.style is not None or one.style_id is not None]
    yield (
        "dashes of lines",
        [one.id for one in rows if isinstance(one, Edge) and one.id in styles and styles[one.id].dash],
    )


def _fitted(material: _Material) -> _TextPage:
    """The page with the widest lines of text that fit. Words are broken only if no page with whole words fits, and no
    more than in the picture; as a last resort the page is cut into several."""
    for whole_words, bands, width in _TRIES:
        lines = [label.words.wrapped(width, whole_words=whole_words) for label in material.labels]
        room = material.room(lines)
        if room.fit(bands * MOST_COLUMNS, MOST_ROWS // bands):
            return _TextPage(material, room, lines)
    lines = [label.words.wrapped(_WIDTHS[-1], whole_words=True) for label in material.labels]
    room = material.room(lines)
    room.squeeze(MOST_COLUMNS, MOST_ROWS)
    return _TextPage(material, room, lines)


class _Material:
    """The visible content of the picture, px; clipped to the page."""

    def __init__(self, laid_out: LaidOutScene, drawing: Drawing) -> None:
        self._laid_out, self._drawing = laid_out, drawing
        self._of = {element.id: element for element in laid_out.scene.elements}
        groups = [group for group in drawing.groups if group.role == "element"]
        painted = [group for group in groups if any(isinstance(item, PathItem) for item in group.items)]
        self._boxed = {group.id: group for group in painted if isinstance(self._of.get(group.id), Node | Frame | Group)}

    @cached_property
    def nodes(self) -> list[Box]:
        """The boxes of nodes, and of lifelines at their feet."""
        placement = self._laid_out.placement
        found = [(placement.boxes[key], placement.part(key, "foot")) for key in self._ids(Node)]
        return self._shown(box for row in found for box in row if box is not None)

    @cached_property
    def containers(self) -> list[Box]:
        """The boxes of visible frames and groups."""
        return self._shown(self._laid_out.placement.boxes[key] for key in self._ids(Frame, Group))

    @cached_property
    def rules(self) -> list[Box]:
        """Lines through a whole container."""
        return self._shown(box for key in self._ids(Frame, Group) for box in self._rules_of(key))

    @cached_property
    def tails(self) -> list[Box]:
        """The tails of lifelines."""
        return self._shown(box for key in self._ids(Node) if (box := self._tail(key)) is not None)

    @cached_property
    def inner_rules(self) -> list[Box]:
        """Lines between the compartments of nodes, and under the head of a table."""
        placement, found = self._laid_out.placement, list[Box]()
        for key in self._ids(Node):
            box = placement.boxes[key]
            for name, part in placement.parts.get(key, {}).items():
                if name == "header" and box.y < part.bottom < box.bottom:
                    found.append(Box(box.x, part.bottom, box.width, 0.0))
                elif name.startswith("rule:"):
                    found.append(Box(box.x, part.y, box.width, 0.0))
        return self._shown(found)

    @cached_property
    def courses(self) -> list[_Course]:
        """The routes of edges, their ends extended to the borders of the boxes."""
        found: list[_Course] = []
        for element in self._laid_out.scene.elements:
            route = self._laid_out.routes.get(element.id)
            if route is None or not isinstance(element, Edge) or len(route.points) < _LEAST:
                continue
            points = list(route.points if route.router != "curved" else (route.points[0], route.points[-1]))
            points[0] = self._at_border(element.source.element_id, points[0], points[1])
            points[-1] = self._at_border(element.target.element_id, points[-1], points[-2])
            ends = ["" if arrow in (None, "none") else arrow for arrow in (element.start_arrow, element.end_arrow)]
            found.append(_Course(element.id, tuple(points), (ends[0], ends[1])))
        return found

    @cached_property
    def labels(self) -> list[_Label]:
        """All texts. Texts beside each other in a box, such as the key and the name of a column, share their level."""
        found = list(self._labels())
        beside: dict[tuple[str, Box | None], list[_Label]] = {}
        for label in found:
            beside.setdefault((label.owner, label.holder), []).append(label)
        return [_levelled(label, beside[label.owner, label.holder]) for label in found]

    def room(self, lines: Sequence[Sequence[str]]) -> _PageRoom:
        """Columns and rows for the whole content; `lines` are the wrapped lines of each label."""
        solids = [Solid(box, (2, 2)) for box in self.nodes]
        solids += [Solid(rule, is_within=True) for rule in self.inner_rules]
        for label, texts in zip(self.labels, lines, strict=True):
            columns = max(map(width_of, texts)) + 2 * label.is_title
            solids.append(Solid(label.box, (columns, len(texts)), rim=0, is_within=True))
        strokes = [_Stroke(f"{number}", *side, is_border=True) for number, side in self._borders()]
        for course in self.courses:
            strokes += [_Stroke(course.owner, a, b) for a, b in pairwise(course.points) if a.x == b.x or a.y == b.y]
        slanted = [
            course.points[at]
            for course in self.courses
            for at, (a, b) in ((0, course.points[:2]), (-1, course.points[-2:]))
            if a.x != b.x and a.y != b.y
        ]
        room = _PageRoom(solids, strokes, slanted, (COLUMN, ROW))
        for label, texts in zip(self.labels, lines, strict=True):
            _keep_inside(room, label, texts)
        for course in self.courses:
            _keep_heads_apart(room, course)
        return room

    def _borders(self) -> Iterator[tuple[int, tuple[Point, Point]]]:
        for number, (left, top, width, height) in enumerate([*self.containers, *self.rules, *self.tails]):
            corners = [Point(left, top), Point(left + width, top), Point(left + width, top + height)]
            corners += [Point(left, top + height), corners[0]]
            for a, b in pairwise(corners):
                yield number, (a, b)

    def _ids(self, *kinds: type) -> list[str]:
        boxes = self._laid_out.placement.boxes
        return [key for key in self._boxed if key in boxes and isinstance(self._of[key], kinds)]

    def _shown(self, boxes: Iterable[Box]) -> list[Box]:
        page = self._drawing.page
        return [_within(box, page) for box in boxes if page.grown(_NEAR).overlaps(box.grown(_NEAR))]

    def _tail(self, key: str) -> Box | None:
        part = self._laid_out.placement.part(key, "tail")
        return None if part is None else Box(part.center.x, part.y, 0.0, part.height)

    def _rules_of(self, key: str) -> Iterator[Box]:
        """The straight lines of a container from side to side."""
        box = self._laid_out.placement.boxes[key]
        for item in self._boxed[key].items:
            match item:
                case PathItem(path=(Move(to=a), Line(to=b))):
                    is_level = abs(a.y - b.y) < _NEAR and abs(a.x - b.x) >= box.width - 2 * _NEAR
                    if is_level and box.y + _NEAR < a.y < box.bottom - _NEAR:
                        yield Box(box.x, a.y, box.width, 0.0)
                    is_upright = abs(a.x - b.x) < _NEAR and abs(a.y - b.y) >= box.height - 2 * _NEAR
                    if is_upright and box.x + _NEAR < a.x < box.right - _NEAR:
                        yield Box(a.x, box.y, 0.0, box.height)
                case _:
                    pass

    def _at_border(self, key: str, tip: Point, back: Point) -> Point:
        """The end of a route, moved to the side of the element's box, or to the tail of a lifeline."""
        tail, box = self._tail(key), self._laid_out.placement.boxes.get(key)
        if tail is not None and abs(tip.x - tail.x) < _AT_TAIL and tail.y <= tip.y <= tail.bottom:
            return Point(tail.x, tip.y)
        if box is None or not box.grown(_AT_BORDER).contains(Box(*tip, 0.0, 0.0)):
            return tip
        dx, dy = tip.x - back.x, tip.y - back.y
        if abs(dx) >= abs(dy):
            return Point(box.x if dx > 0 else box.right, tip.y) if dx else tip
        return Point(tip.x, box.y if dy > 0 else box.bottom)

    def _labels(self) -> Iterator[_Label]:
        page = self._drawing.page
        for group in self._drawing.groups:
            for item in group.items:
                words = words_of(item) if isinstance(item, TextItem) else None
                if words is not None and page.overlaps(words.box):
                    yield self._label(group, words)

    def _label(self, group: DrawnGroup, words: WrappedWords) -> _Label:
        """A text with the lowest box of its element around the text's middle."""
        if group.role != "element" or group.id not in self._boxed:
            return _Label(group.id, words)
        placement, middle = self._laid_out.placement, Box(*words.box.center, 0.0, 0.0)
        parts = placement.parts.get(group.id, {})
        is_frame = isinstance(self._of[group.id], Frame | Group)
        names = ("header", "foot") if not is_frame else ()
        boxes = [placement.boxes[group.id], *(parts[name] for name in names if name in parts)]
        holder = min((box for box in boxes if box.contains(middle)), key=lambda box: box.height, default=None)
        titles = (parts[name] for name in _TITLES if name in parts)
        is_title = is_frame and not words.is_turned and any(part.contains(middle) for part in titles)
        shown = None if holder is None else _within(holder, self._drawing.page)
        return _Label(group.id, words, shown, is_title and holder is not None)


def _levelled(label: _Label, others: Sequence[_Label]) -> _Label:
    """The label at the common level of the texts beside; a text alone, or of several lines, stays."""
    middle, width = label.words.box.center.y, len(label.words.lines)
    row = [one.words.box for one in others if abs(one.words.box.center.y - middle) <= _LEVEL]
    if label.is_title or len(row) == 1 or width > 1:
        return label
    return label._replace(level=(min(box.y for box in row), max(box.bottom for box in row)))


def _within(box: Box, page: Box) -> Box:
    left, top = min(max(box.x, page.x), page.right), min(max(box.y, page.y), page.bottom)
    return Box(left, top, max(min(box.right, page.right) - left, 0.0), max(min(box.bottom, page.bottom) - top, 0.0))


def _keep_inside(room: _PageRoom, label: _Label, texts: Sequence[str]) -> None:
    """Reserve room for a text inside its holder, off the border."""
    box, holder = label.box, label.holder
    if holder is None or not room.knows(holder):
        return
    indent = _TITLE_INDENT if label.is_title else 1
    room.columns.keep(holder.x, holder.right, max(map(width_of, texts)) + 1 + (indent + 1) * label.is_title)
    room.columns.keep(holder.x, box.x, indent)
    room.columns.keep(box.right, holder.right, int(label.is_title))
    if not label.is_title:
        room.rows.keep(holder.y, holder.bottom, len(texts) + 1)
        room.rows.keep(holder.y, box.y, 1)


def _keep_heads_apart(room: _PageRoom, course: _Course) -> None:
    """A head, or a cell of the line, between the border and the first bend."""
    points = course.points
    if len(points) == _LEAST:
        _keep(room, *points, 1 + sum(course.heads))
        return
    _keep(room, points[0], points[1], 1 + course.heads[0])
    _keep(room, points[-1], points[-2], 1 + course.heads[1])


def _keep(room: _PageRoom, a: Point, b: Point, cells: int) -> None:
    axis, ends = (room.columns, (a.x, b.x)) if abs(a.x - b.x) >= abs(a.y - b.y) else (room.rows, (a.y, b.y))
    low, high = sorted(ends)
    if axis.knows(low) and axis.knows(high) and high - low >= _SHORT:
        axis.keep(low, high, cells)
        axis.keep(low, high, cells + 1, surely=False)


class _TextPage:
    """The grid being filled."""

    def __init__(self, material: _Material, room: _PageRoom, lines: Sequence[Sequence[str]]) -> None:
        self._material, self._room = material, room
        self._lines = dict(zip(map(id, material.labels), lines, strict=True))
        columns, rows = room.size
        self.grid = CharacterGrid(columns, rows + max(_STEPS))

    def draw(self) -> None:
        """Boxes and lines, from the back to the front."""
        material = self._material
        for box in material.containers:
            self._box(box, cleared=False)
        for rule in material.rules:
            self._rule(rule)
        for tail in material.tails:
            self._rule(tail, is_border=False)
        for course in material.courses:
            self._line(course)
        for box in material.nodes:
            self._box(box, cleared=True)
        for rule in material.inner_rules:
            self._rule(rule)
        for course in material.courses:
            self._heads(course)

    def _box(self, box: Box, *, cleared: bool) -> None:
        """A box of at least three cells across and down."""
        left, top, right, bottom = self._room.span(box)
        self.grid.box(left, top, max(right, left + 1), max(bottom, top + 1), cleared=cleared)

    def _rule(self, rule: Box, *, is_border: bool = True) -> None:
        """A level or upright line."""
        left, top, right, bottom = self._room.span(rule)
        self.grid.line((left, top), (right, bottom), is_border=is_border)

    def _line(self, course: _Course) -> None:
        """The course of an edge."""
        for a, b in pairwise(course.points):
            self.grid.way(self._at(a), self._at(b), upright=abs(a.y - b.y) > abs(a.x - b.x))

    def _heads(self, course: _Course) -> None:
        """The heads of an edge, each in the cell before its border."""
        points = course.points
        for marker, tip, back in ((course.markers[0], *points[:2]), (course.markers[1], points[-1], points[-2])):
            if marker:
                dx, dy = tip.x - back.x, tip.y - back.y
                column, row = self._at(tip)
                if abs(dx) >= abs(dy):
                    column -= (dx > 0) - (dx < 0)
                else:
                    row -= (dy > 0) - (dy < 0)
                self.grid.head((column, row), dx, dy, marker)

    def write(self, label: _Label) -> bool:
        """Write a text into its room. Returns whether the whole text is written."""
        lines = self._lines[id(label)]
        left, top, right, bottom = self._room.span(label.box)
        low, high, high_row, last = 0, self.grid.columns, -1, self.grid.rows
        if label.holder is not None:
            low, high_row, high, last = self._room.span(label.holder)
            low += 1
        first = top + (bottom - top - len(lines)) // 2
        if label.is_title:
            first = top
        elif label.holder is not None and abs(label.box.center.y - label.holder.center.y) <= 2 * _NEAR:
            first = (high_row + last + 1 - len(lines)) // 2
        texts = [cut(line, high - low) for line in lines]
        rows = range(first, first + len(lines))
        if label.is_title:
            texts = [f" {text} " for text in texts]
        columns = [self._column(label, width_of(text), (left, right), (low, high)) for text in texts]
        for step in _STEPS if not label.is_title else (0,):
            moved = [row + step for row in rows]
            is_inside = label.holder is None or (high_row < moved[0] and moved[-1] < last)
            if is_inside and all(map(self.grid.is_free, columns, moved, texts)):
                rows = range(first + step, first + step + len(lines))
                break
        if not all(map(self.grid.is_free, columns, rows, texts)):
            return False
        for column, row, text in zip(columns, rows, texts, strict=True):
            self.grid.put(column, row, text)
        return rows.stop <= last and "".join("".join(texts).split()) == "".join(label.words.whole)

    @staticmethod
    def _column(label: _Label, width: int, place: Cell, bounds: Cell) -> int:
        """The first column of a line of text: at the left in a title, else by the text's place in the box."""
        (left, right), (low, high) = place, bounds
        box, holder = label.words.box, label.holder
        if label.is_title:
            column = left
        elif holder is None:
            column = left + (right - left - width) // 2
        elif abs(box.center.x - holder.center.x) <= 2 * _NEAR:
            column = low + (high - low - width) // 2
        else:
            column = left if box.center.x < holder.center.x else right - width
        return max(min(column, high - width), low, 0)

    def _at(self, point: Point) -> Cell:
        return self._room.columns.at(point.x), self._room.rows.at(point.y)
