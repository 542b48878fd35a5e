"""The orthogonal visibility graph of a region: lines through the corners of grown obstacles and through the stubs.

In: obstacles already grown, and the points where routes begin and end. Out: a graph whose vertices are the crossings of
those lines, each line drawn only as far as its corner sees (after Wybrow, Marriott and Stuckey, "Orthogonal Connector
Routing", 2009; kept as rows of bits instead of lists of neighbours, so that building it stays cheap).
"""

from __future__ import annotations

from bisect import bisect_left
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
    spans = _spans(corners, xs, ys)
    blocked_rows, blocked_columns = [0] * len(ys), [0] * len(xs)
    for left, top, right, bottom in spans[: len(obstacles)]:
        across = (1 << min(right, len(xs) - 1)) - (1 << max(left, 0))
        for j in range(top + 1, bottom):
            blocked_rows[j] |= across
        down = (1 << min(bottom, len(ys) - 1)) - (1 << max(top, 0))
        for i in range(left + 1, right):
            blocked_columns[i] |= down
    seen_rows = _seen_lines(blocked_rows, len(xs), ((top, bottom, left, right) for left, top, right, bottom in spans))
    seen_columns = _seen_lines(
        blocked_columns, len(ys), ((left, right, top, bottom) for left, top, right, bottom in spans)
    )
    vertex_rows, vertex_columns = _crossings(seen_rows, seen_columns)
    return VisibilityGraph(xs, ys, blocked_rows, blocked_columns, vertex_rows, vertex_columns)


def _lines(coordinates: Iterable[float], low: float, high: float) -> list[float]:
    return sorted({value for value in coordinates if low <= value <= high})


def _spans(corners: Sequence[Bounds], xs: list[float], ys: list[float]) -> list[tuple[int, int, int, int]]:
    """The sides of every box as numbers of lines; -1 and the number of lines stand for sides outside the region."""
    column, row = {x: i for i, x in enumerate(xs)}, {y: j for j, y in enumerate(ys)}
    beyond_right, beyond_bottom = len(xs), len(ys)
    return [
        (column.get(left, -1), row.get(top, -1), column.get(right, beyond_right), row.get(bottom, beyond_bottom))
        for left, top, right, bottom in corners
    ]


def _seen_lines(blocked: Rows, places: int, sides: Iterable[tuple[int, int, int, int]]) -> Rows:
    """For each line the places that the corners on it see along it: from the side of a box both ways until something
    covers the line."""
    seen = [0] * len(blocked)
    for near, far, low, high in sides:
        below, last = (1 << max(low, 0)) - 1, min(high, places - 1)
        for line in (near,) if near == far else (near, far):
            if 0 <= line < len(blocked):
                mask = blocked[line]
                after = mask >> last
                reach = last + (after & -after).bit_length() - 1 if after else places - 1
                seen[line] |= (2 << reach) - (1 << (mask & below).bit_length())
    return seen


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
