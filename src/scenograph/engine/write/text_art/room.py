"""Room for letters: from px to cells, so that order is kept and everything finds the cells that it needs.

In: boxes with the cells that their texts take, and strokes. Out: a column for each x and a row for each y. Distances
are those of the picture as far as they leave room; where a text needs more, all that it covers is drawn out; where the
page would be too wide, distances shrink and texts do not. Promises: columns and rows never fall; what the picture keeps
apart shares no cell wherever the page allows it. (R-OUT-10, R-OUT-12)
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, pairwise
from typing import NamedTuple

from scenograph.engine.geometry.boxes import Box, Point

SAME = 0.75  # px; nearer places share a cell
NEAR = 2.0  # px; nearer strokes are one
ROUNDS = 24  # of looking for what shares a cell; each parts what the one before brought together
HALVINGS = 8  # in search of the scale
EXACT = 1e-6  # cells

Cell = tuple[int, int]


class Solid(NamedTuple):
    """A box that keeps its cells for itself. `least` are the columns and rows from its first to its last side; `rim`:
    its far sides take a cell of their own, as borders do; `is_within`: it may stand in another one."""

    box: Box
    least: Cell = (0, 0)
    rim: int = 1
    is_within: bool = False


class Stroke(NamedTuple):
    """A level or upright line from a to b, whose it is, and whether it is the side of a box."""

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
    """The cells along one axis: `pitch` px each where nothing needs more."""

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
        """At least `cells` from one place to a later one; whether that is new and can be. Not `surely`: only where the
        page is wide enough."""
        low, high = self._indices[before], self._indices[after]
        known = (self._needs if surely else self._wishes)[high]
        if low >= high or known.get(low, 0) >= cells:
            return False
        known[low] = cells
        return True

    def knows(self, value: float) -> bool:
        """Whether a place is one of those that cells were asked for."""
        return value in self._indices

    @property
    def size(self) -> int:
        """How many cells there are."""
        return self._cells[-1] + 1 if self._cells else 1

    def at(self, value: float) -> int:
        """The cell of a known place, or of one between them."""
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
        """Choose the cells, `most` at most in all: with the distances of the picture, with smaller ones where these do
        not fit, and without wishes where those do not. False: the needs alone are too many."""
        strains = self._strains() if self._values else ()
        for wishes in (True, False):
            if not self._chosen(0.0, strains, most, wishes=wishes):
                continue
            low, high = 0.0, 1.0
            if not self._chosen(high, strains, most, wishes=wishes):
                for _ in range(HALVINGS):
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
        """The cells from each place to the next: the densest that anything over both needs."""
        values = self._values
        dense = [1 / self.pitch] * len(values)
        needs = [
            (cells / (values[high] - values[low]), low, high)
            for high, row in enumerate(self._needs)
            for low, cells in row.items()
        ]
        free = list(range(len(values) + 1))  # from each interval the next one that no denser need has taken
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


class Room:
    """Columns and rows for solids and strokes."""

    def __init__(self, solids: Sequence[Solid], strokes: Sequence[Stroke], pitch: tuple[float, float]) -> None:
        self._solids, self._strokes = solids, strokes
        boxes = [*(solid.box for solid in solids), *(stroke.box for stroke in strokes)]
        self.columns = Axis(chain.from_iterable((box.x, box.right) for box in boxes), pitch[0])
        self.rows = Axis(chain.from_iterable((box.y, box.bottom) for box in boxes), pitch[1])
        for solid in solids:
            box, (columns, rows) = solid.box, solid.least
            self.columns.keep(box.x, box.right, columns)
            self.rows.keep(box.y, box.bottom, rows)

    def fit(self, columns: int, rows: int, rounds: int = ROUNDS) -> bool:
        """Choose columns and rows. False where all the texts do not fit beside each other."""
        for _ in range(rounds):
            if not self.columns.fit(columns):
                return False
            if not self.rows.fit(rows):
                self.rows.squeeze(rows)
                return True
            if not self._parted():
                break
        return self.columns.fit(columns)

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
        """Ask for room between all that shares a cell now without doing so in the picture; whether anything is new."""
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
        """The same for strokes among each other, and with what owns a cell."""
        runs: dict[tuple[bool, int, int], Stroke] = {}
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

    def _part_strokes(self, one: Stroke, other: Stroke, *, upright: bool) -> bool:
        first, second = sorted((one.box, other.box), key=lambda box: box.x if upright else box.y)
        axis, low, high = (self.columns, first.x, second.x) if upright else (self.rows, first.y, second.y)
        return high - low > NEAR and axis.keep(low, high, 1, surely=one.is_border or other.is_border)
