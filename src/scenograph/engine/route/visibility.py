"""The orthogonal visibility graph of a region: lines through the corners of grown obstacles and through the stubs.

In: obstacles already grown, and the points where routes begin and end. Out: a graph whose vertices are the crossings of
those lines, each line drawn only as far as its corner sees (after Wybrow, Marriott and Stuckey, "Orthogonal Connector
Routing", 2009; kept as rows of bits instead of lists of neighbours, so that building it stays cheap).
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from scenograph.engine.geometry.boxes import Point
from scenograph.engine.geometry.spatial_index import Bounds

Rows = list[int]


class VisibilityGraph(NamedTuple):
    """Place (i, j) is (xs[i], ys[j]). Bit i of `blocked_rows[j]`: the stretch from (i, j) to (i + 1, j) is covered;
    bit i of `vertex_rows[j]`: (i, j) is a vertex. The column tables say the same with i and j exchanged."""

    xs: list[float]
    ys: list[float]
    blocked_rows: Rows
    blocked_columns: Rows
    vertex_rows: Rows
    vertex_columns: Rows

    def place(self, point: Point) -> tuple[int, int]:
        """The place of a point on two of the lines."""
        return bisect_left(self.xs, point[0]), bisect_left(self.ys, point[1])


def visibility_graph(region: Bounds, obstacles: Sequence[Bounds], ends: Iterable[Point]) -> VisibilityGraph:
    """The graph inside `region`."""
    corners = [*obstacles, *(Bounds(x, y, x, y) for x, y in ends)]
    xs = _lines((x for box in corners for x in (box[0], box[2])), region[0], region[2])
    ys = _lines((y for box in corners for y in (box[1], box[3])), region[1], region[3])
    blocked_rows, blocked_columns = [0] * len(ys), [0] * len(xs)
    for left, top, right, bottom in obstacles:
        _block(blocked_rows, _inside(ys, top, bottom), _covered(xs, left, right))
        _block(blocked_columns, _inside(xs, left, right), _covered(ys, top, bottom))
    seen_rows, seen_columns = [0] * len(ys), [0] * len(xs)
    for left, top, right, bottom in corners:
        across, down = _between(xs, left, right), _between(ys, top, bottom)
        for j in _at(ys, top, bottom):
            seen_rows[j] |= _seen(blocked_rows[j], across, len(xs))
        for i in _at(xs, left, right):
            seen_columns[i] |= _seen(blocked_columns[i], down, len(ys))
    vertex_rows, vertex_columns = _crossings(seen_rows, seen_columns)
    return VisibilityGraph(xs, ys, blocked_rows, blocked_columns, vertex_rows, vertex_columns)


def _lines(coordinates: Iterable[float], low: float, high: float) -> list[float]:
    return sorted({value for value in coordinates if low <= value <= high})


def _inside(lines: list[float], low: float, high: float) -> range:
    """The lines strictly between low and high."""
    return range(bisect_right(lines, low), bisect_left(lines, high))


def _covered(lines: list[float], low: float, high: float) -> int:
    """The stretches between neighbouring lines that share more than a point with low to high, as bits."""
    first, last = max(0, bisect_right(lines, low) - 1), bisect_left(lines, high)
    return (1 << last) - (1 << first) if last > first else 0


def _block(masks: Rows, lines: range, stretches: int) -> None:
    for line in lines:
        masks[line] |= stretches


def _at(lines: list[float], low: float, high: float) -> list[int]:
    """The lines at exactly low and high; those outside the region are left out."""
    found: list[int] = []
    for value in (low,) if low == high else (low, high):
        place = bisect_left(lines, value)
        if place < len(lines) and lines[place] == value:
            found.append(place)
    return found


def _between(lines: list[float], low: float, high: float) -> tuple[int, int]:
    last = len(lines) - 1
    return min(last, bisect_left(lines, low)), max(0, bisect_right(lines, high) - 1)


def _seen(blocked: int, side: tuple[int, int], count: int) -> int:
    """How far a line reaches beyond both ends of its side before something covers it, as bits of its places."""
    before = blocked & ((1 << side[0]) - 1)
    after = blocked >> side[1]
    first = before.bit_length()
    last = side[1] + ((after & -after).bit_length() - 1 if after else count - 1 - side[1])
    return (1 << (last + 1)) - (1 << first)


def _crossings(seen_rows: Rows, seen_columns: Rows) -> tuple[Rows, Rows]:
    """Where a row that is seen meets a column that is seen."""
    vertex_rows, vertex_columns = [0] * len(seen_rows), [0] * len(seen_columns)
    for i, column in enumerate(seen_columns):
        bit = 1 << i
        left = column
        while left:
            low = left & -left
            j = low.bit_length() - 1
            left ^= low
            if seen_rows[j] & bit:
                vertex_rows[j] |= bit
                vertex_columns[i] |= low
    return vertex_rows, vertex_columns
