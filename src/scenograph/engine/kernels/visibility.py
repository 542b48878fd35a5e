"""The orthogonal visibility graph of a region: lines through the corners of grown obstacles and through the stubs.

In: obstacles already grown, and the points where routes begin and end. Out: a graph whose vertices are the crossings of
those lines, each line drawn only as far as its corner sees (after Wybrow, Marriott and Stuckey, "Orthogonal Connector
Routing", 2009). A line is drawn when it is first asked for, because a search comes to a small part of most graphs. px.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import accumulate

Sides = tuple[float, float, float, float]  # left, top, right, bottom
Spot = tuple[float, float]
Line = tuple[float, float, float]  # a straight run: its coordinate across, and its span along


class Gap:
    """A stretch of a line that no obstacle covers, from place to place; vertices lie on what a corner sees."""

    def __init__(self, first: int, last: int, is_seen: bool) -> None:  # noqa: FBT001
        self.first = first
        self.last = last
        self.is_seen = is_seen


class Sights:
    """The parallel lines of a graph and what is seen along each. Boxes are given by the numbers of lines and places on
    which their sides lie; -1 and the number of lines stand for sides outside the region. The first `solid` of them
    block the lines that run through them."""

    def __init__(self, lines: int, places: int, sides: list[list[int]], solid: int) -> None:
        near, far, low, high = sides
        self._last = places - 1
        self._low = [max(place, 0) for place in low]
        self._high = [min(place, places - 1) for place in high]
        self._gaps: list[list[Gap] | None] = [None] * lines
        self._blocking: list[list[tuple[int, int]]] = [[] for _ in range(lines)]  # what boxes cover of each line
        self._ending: list[list[int]] = [[] for _ in range(lines)]  # the boxes that have a side on each line
        for box in range(len(near)):
            first, last = near[box], far[box]
            if 0 <= first < lines:
                self._ending[first].append(box)
            if last != first and 0 <= last < lines:
                self._ending[last].append(box)
            if box < solid and self._low[box] < self._high[box]:
                span = self._low[box], self._high[box]
                for line in range(first + 1, last):
                    self._blocking[line].append(span)

    def gap(self, line: int, place: int) -> Gap | None:
        """The stretch of a line on which a place lies; None inside a box."""
        for gap in self._gaps[line] or self._stretches(line):
            if place <= gap.last:
                return gap if gap.first <= place else None
        return None

    def sees(self, line: int, place: int) -> bool:
        """Whether a corner on the line sees the place."""
        for gap in self._gaps[line] or self._stretches(line):
            if place <= gap.last:
                return gap.is_seen if gap.first <= place else self._is_seen(line, place, place)
        return False

    def _stretches(self, line: int) -> list[Gap]:
        """The stretches of a line, in order."""
        found: list[Gap] = []
        self._gaps[line] = found
        first = 0
        blocking = self._blocking[line]
        blocking.sort()
        for low, high in blocking:
            if low >= first:
                found.append(Gap(first, low, self._is_seen(line, first, low)))
            first = max(first, high)
        found.append(Gap(first, self._last, self._is_seen(line, first, self._last)))
        return found

    def _is_seen(self, line: int, first: int, last: int) -> bool:
        """Whether a box with a side on the line reaches to a stretch."""
        low, high = self._low, self._high
        for box in self._ending[line]:
            if low[box] <= last and high[box] >= first:
                break
        else:
            return False
        return True


class VisibilityGraph:
    """Place (i, j) is (xs[i], ys[j]); it is a vertex where its row and its column are both seen there."""

    def __init__(self, region: Sides, obstacles: Sequence[Sides], ends: Sequence[Spot]) -> None:
        left, top, right, bottom = region
        lefts, tops, rights, bottoms = _sides(obstacles, ends)
        self.xs = _lines(lefts, rights, left, right)
        self.ys = _lines(tops, bottoms, top, bottom)
        width, height = len(self.xs), len(self.ys)
        column_of = {x: i for i, x in enumerate(self.xs)}
        row_of = {y: j for j, y in enumerate(self.ys)}
        across = [column_of.get(x, -1) for x in lefts], [column_of.get(x, width) for x in rights]
        down = [row_of.get(y, -1) for y in tops], [row_of.get(y, height) for y in bottoms]
        self.rows = Sights(height, width, [*down, *across], len(obstacles))
        self.columns = Sights(width, height, [*across, *down], len(obstacles))


def _sides(
    obstacles: Sequence[Sides], ends: Sequence[Spot]
) -> tuple[list[float], list[float], list[float], list[float]]:
    """The sides of all obstacles, and the points as boxes without a size."""
    lefts: list[float] = []
    tops: list[float] = []
    rights: list[float] = []
    bottoms: list[float] = []
    for left, top, right, bottom in obstacles:
        lefts.append(left)
        tops.append(top)
        rights.append(right)
        bottoms.append(bottom)
    for x, y in ends:
        lefts.append(x)
        tops.append(y)
        rights.append(x)
        bottoms.append(y)
    return lefts, tops, rights, bottoms


def _lines(lows: list[float], highs: list[float], low: float, high: float) -> list[float]:
    """Every coordinate between two others once, in order."""
    found = {value for value in lows if low <= value <= high}
    found.update([value for value in highs if low <= value <= high])
    return sorted(found)


class Tolls:
    """What a path pays for crossing runs and for running beside borders: for each line the sum of the tolls from its
    beginning to each of its places, so that the toll of a move is one subtraction. Worked out when first asked for."""

    def __init__(self, along: list[float], lines: list[float], crossed: Sequence[Line], toll: float) -> None:
        self._along, self._lines, self._toll = along, lines, toll
        # By line the places of the runs that cross it; of one on a vertex half is paid there and half at the next.
        self._between: list[list[int]] = [[] for _ in lines]
        self._halves: list[list[int]] = [[] for _ in lines]
        for at, low, high in crossed:
            place = bisect_left(along, at)
            if place < len(along):
                crossing = self._halves if along[place] == at else self._between
                for line in range(bisect_right(lines, low), bisect_left(lines, high)):
                    crossing[line].append(place)
        self._beside: list[tuple[int, int, list[int], list[float]]] = []  # first line, last, places, what each costs
        self._sums: list[list[float] | None] = [None] * len(lines)

    def follow(self, run: Line, reach: float, price: float) -> None:
        """Let every line that lies less than `reach` beside a run cost so much for each px of it."""
        at, low, high = run
        along = self._along
        places: list[int] = []
        costs: list[float] = []
        for place in range(max(1, bisect_right(along, low)), min(len(along) - 1, bisect_left(along, high)) + 1):
            beside = min(along[place], high) - max(along[place - 1], low)
            if beside > 0.0:
                places.append(place)
                costs.append(beside * price)
        if places:
            first, last = bisect_right(self._lines, at - reach), bisect_left(self._lines, at + reach)
            self._beside.append((first, last, places, costs))

    def sums(self, line: int) -> list[float]:
        """The running sums of a line; empty where nothing is paid."""
        found = self._sums[line]
        if found is None:
            row = self._paid(line)
            found = self._sums[line] = list(accumulate(row)) if row else row
        return found

    def _paid(self, line: int) -> list[float]:
        """What is paid at each place of a line. Tolls are whole numbers: their sums have no rounding."""
        toll, half = self._toll, self._toll / 2
        row: list[float] = []
        if self._between[line] or self._halves[line]:
            row = [0.0] * (len(self._along) + 1)
            for place in self._between[line]:
                row[place] = row[place] + toll
            for place in self._halves[line]:
                row[place] = row[place] + half
                row[place + 1] = row[place + 1] + half
        for first, last, places, costs in self._beside:
            if first <= line < last:
                if not row:
                    row = [0.0] * (len(self._along) + 1)
                for step, place in enumerate(places):
                    row[place] = row[place] + costs[step]
        return row
