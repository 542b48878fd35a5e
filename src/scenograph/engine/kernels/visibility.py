"""The orthogonal visibility graph of a region: lines through the corners of grown obstacles and through the stubs.

In: obstacles already grown, and the points where routes begin and end. Out: a graph whose vertices are the crossings of
those lines, each line drawn only as far as its corner sees (after Wybrow, Marriott and Stuckey, "Orthogonal Connector
Routing", 2009; kept as tables of bytes instead of lists of neighbours, so that building it stays cheap). px.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

Sides = tuple[float, float, float, float]  # left, top, right, bottom
Spot = tuple[float, float]
Line = tuple[float, float, float]  # a straight run: its coordinate across, and its span along
Table = bytearray
SET = b"\x01"
VERTEX, BLOCKED = 1, 2  # bits of a place


class VisibilityGraph(NamedTuple):
    """Place (i, j) is (xs[i], ys[j]). Byte `j * len(xs) + i` of `rows`: whether (i, j) is a VERTEX, and whether the
    stretch from (i, j) to (i + 1, j) is BLOCKED. `columns` say the same with i and j exchanged."""

    xs: list[float]
    ys: list[float]
    rows: bytes
    columns: bytes


def visibility_graph(region: Sides, obstacles: Sequence[Sides], ends: Sequence[Spot]) -> VisibilityGraph:
    """The graph inside `region`."""
    corners = [*obstacles, *[(x, y, x, y) for x, y in ends]]
    xs = _lines([box[0] for box in corners] + [box[2] for box in corners], region[0], region[2])
    ys = _lines([box[1] for box in corners] + [box[3] for box in corners], region[1], region[3])
    width, height = len(xs), len(ys)
    column_of, row_of = {x: i for i, x in enumerate(xs)}, {y: j for j, y in enumerate(ys)}
    # The sides of every box as numbers of lines; -1 and the number of lines stand for sides outside the region.
    spans = [
        (column_of.get(left, -1), row_of.get(top, -1), column_of.get(right, width), row_of.get(bottom, height))
        for left, top, right, bottom in corners
    ]
    rows = [(top, bottom, left, right) for left, top, right, bottom in spans]
    columns = [(left, right, top, bottom) for left, top, right, bottom in spans]
    blocked_rows = _blocked(rows[: len(obstacles)], width, height)
    blocked_columns = _blocked(columns[: len(obstacles)], height, width)
    seen_rows = _seen(blocked_rows, width, height, rows)
    seen_columns = _seen(blocked_columns, height, width, columns)
    vertex_rows = _both(seen_rows, _turned(seen_columns, height))
    vertex_columns = _turned(vertex_rows, width)
    return VisibilityGraph(xs, ys, _joined(vertex_rows, blocked_rows), _joined(vertex_columns, blocked_columns))


def _lines(coordinates: list[float], low: float, high: float) -> list[float]:
    return sorted({value for value in coordinates if low <= value <= high})


def _blocked(spans: list[tuple[int, int, int, int]], places: int, lines: int) -> Table:
    """What the boxes cover of each line; a span is the first and last line of a box, then its first and last place."""
    blocked = bytearray(places * lines)
    ones = SET * places
    for near, far, low, high in spans:
        first, last = max(low, 0), min(high, places - 1)
        if first < last:
            stretch = ones[: last - first]
            for start in range((near + 1) * places + first, far * places + first, places):
                blocked[start : start + last - first] = stretch
    return blocked


def _seen(blocked: Table, places: int, lines: int, spans: list[tuple[int, int, int, int]]) -> Table:
    """For each line the places that the corners on it see along it: from the side of a box both ways until something
    covers the line."""
    seen = bytearray(places * lines)
    ones = SET * places
    for near, far, low, high in spans:
        for line in (near,) if near == far else (near, far):
            if 0 <= line < lines:
                start = line * places
                end = start + places - 1
                first = blocked.rfind(SET, start, start + max(low, 0)) + 1 or start
                last = blocked.find(SET, min(start + high, end), end)
                if last < 0:
                    last = end
                seen[first : last + 1] = ones[: last + 1 - first]
    return seen


def _turned(table: Table, places: int) -> Table:
    """A table with lines and places exchanged."""
    return bytearray().join([table[place::places] for place in range(places)])


def _both(one: Table, other: Table) -> Table:
    """The bytes set in two tables."""
    both = int.from_bytes(one, "little") & int.from_bytes(other, "little")
    return bytearray(both.to_bytes(len(one), "little"))


def _joined(vertices: Table, blocked: Table) -> bytes:
    """Both bits of every place."""
    bits = int.from_bytes(vertices, "little") | int.from_bytes(blocked, "little") << 1
    return bits.to_bytes(len(vertices), "little")


class Tolls:
    """What a path pays for crossing runs: for each line the sum of the tolls from its beginning to each of its places,
    so that the toll of a move is one subtraction."""

    def __init__(self, along: list[float], lines: list[float], crossed: Sequence[Line], toll: float) -> None:
        self._places = len(along)
        self._rows: list[list[float] | None] = [None] * len(lines)  # what is paid at each place; None: nothing
        self._sums: dict[int, list[float]] = {}
        changes: list[list[tuple[int, bool, float]]] = [[] for _ in range(len(lines) + 1)]
        for at, low, high in crossed:
            place = bisect_left(along, at)
            first, last = bisect_right(lines, low), bisect_left(lines, high)
            if place < self._places and first < last:
                changes[first].append((place, along[place] == at, toll))
                changes[last].append((place, along[place] == at, -toll))
        self._sweep(changes)

    def _sweep(self, changes: list[list[tuple[int, bool, float]]]) -> None:
        """The rows of all lines, each made from the one before by the runs that begin and end there. Tolls are whole
        numbers, so adding and taking away again leaves nothing behind."""
        row = [0.0] * (self._places + 1)
        crossed = 0
        for line in range(len(self._rows)):
            for place, is_vertex, toll in changes[line]:
                crossed += 1 if toll > 0.0 else -1
                if is_vertex:
                    # A run on a vertex is crossed by going through it, not by turning there: half on each side.
                    row[place] += toll / 2
                    row[place + 1] += toll / 2
                else:
                    row[place] += toll
            if crossed:
                self._rows[line] = row.copy()

    def follow(self, along: list[float], lines: list[float], run: Line, reach: float, price: float) -> None:
        """Let every line that lies less than `reach` beside a run cost so much for each px of it."""
        at, low, high = run
        steps: list[tuple[int, float]] = []
        for place in range(max(1, bisect_right(along, low)), min(self._places - 1, bisect_left(along, high)) + 1):
            beside = min(along[place], high) - max(along[place - 1], low)
            if beside > 0.0:
                steps.append((place, beside * price))
        if not steps:
            return
        for line in range(bisect_right(lines, at - reach), bisect_left(lines, at + reach)):
            row = self._rows[line]
            if row is None:
                row = self._rows[line] = [0.0] * (self._places + 1)
            for place, cost in steps:
                row[place] += cost

    def sums(self, line: int) -> list[float]:
        """The running sums of a line; empty where nothing is crossed."""
        row = self._rows[line]
        if row is None:
            return []
        found = self._sums.get(line)
        if found is None:
            found = self._sums[line] = list(accumulate(row))
        return found
