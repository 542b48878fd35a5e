"""The orthogonal visibility graph of a region: lines through the corners of grown obstacles and through the stubs.

In: obstacles already grown, and the points where routes begin and end. Out: a graph whose vertices are the crossings of
those lines, each line drawn only as far as its corner sees (after Wybrow, Marriott and Stuckey, "Orthogonal Connector
Routing", 2009). A line is drawn when it is first asked for, because a search comes to a small part of most graphs. px.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from scenograph.engine.kernels.runs import Run

Sides = tuple[float, float, float, float]  # left, top, right, bottom
Spot = tuple[float, float]
Line = tuple[float, float, float]  # a straight run: its coordinate across, and its span along


class Gap:
    """A stretch of a line that no obstacle covers, from place to place; vertices lie on what a corner sees."""

    __slots__ = ("first", "is_seen", "last")

    def __init__(self, first: int, last: int) -> None:
        self.first = first
        self.last = last
        self.is_seen = False


class _Box:
    """The numbers of the lines on which the sides of a box lie, `near` and `far`, and of the places between which it
    reaches along them; whether it `blocks` the lines that run through it."""

    __slots__ = ("blocks", "far", "high", "low", "near")

    def __init__(self, lines: tuple[int, int], places: tuple[int, int], blocks: bool) -> None:  # noqa: FBT001
        self.near, self.far = lines
        self.low, self.high = places
        self.blocks = blocks and self.low < self.high


class Sights:
    """The parallel lines of a graph and what is seen along each. Boxes are given by the numbers of lines and places on
    which their sides lie; -1 and the number of lines stand for sides outside the region. The first `solid` of them
    block the lines that run through them."""

    def __init__(self, lines: int, places: int, sides: list[list[int]], solid: int) -> None:
        near, far, low, high = sides
        self._last = last = places - 1
        self._gaps: list[list[Gap] | None] = [None] * lines
        self._ending: list[list[_Box]] = [[]] * lines  # the boxes that have a side on each line that was asked for
        self._boxes: list[_Box] = []  # by their first place
        for box in sorted(range(len(low)), key=low.__getitem__):
            reach = max(low[box], 0), min(high[box], last)
            self._boxes.append(_Box((near[box], far[box]), reach, box < solid))

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
                return gap.is_seen if gap.first <= place else _is_seen(self._ending[line], place, place)
        return False

    def _stretches(self, line: int) -> list[Gap]:
        """The stretches of a line, in order."""
        found: list[Gap] = []
        ending: list[_Box] = []
        first = 0
        for box in self._boxes:
            if box.near <= line <= box.far:
                if line in (box.near, box.far):
                    ending.append(box)
                elif box.blocks:
                    if box.low >= first:
                        found.append(Gap(first, box.low))
                    first = max(first, box.high)
        found.append(Gap(first, self._last))
        for gap in found:
            gap.is_seen = _is_seen(ending, gap.first, gap.last)
        self._gaps[line], self._ending[line] = found, ending
        return found


def _is_seen(ending: list[_Box], first: int, last: int) -> bool:
    """Whether a box with a side on the line reaches to a stretch."""
    for box in ending:
        if box.low <= last and box.high >= first:
            break
    else:
        return False
    return True


class VisibilityGraph:
    """Place (i, j) is (xs[i], ys[j]); it is a vertex where its row and its column are both seen there."""

    def __init__(self, region: Sides, obstacles: Sequence[Sides], ends: Sequence[Spot]) -> None:
        left, top, right, bottom = region
        lefts, tops, rights, bottoms = _sides(obstacles, ends)
        self.xs, first, last = _lines(lefts, rights, left, right)
        self.ys, upper, lower = _lines(tops, bottoms, top, bottom)
        self.rows = Sights(len(self.ys), len(self.xs), [upper, lower, first, last], len(obstacles))
        self.columns = Sights(len(self.xs), len(self.ys), [first, last, upper, lower], len(obstacles))


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


def _lines(lows: list[float], highs: list[float], low: float, high: float) -> tuple[list[float], list[int], list[int]]:
    """Every coordinate between two others once, in order; for each of the `lows` and of the `highs` the number of its
    line, -1 and the number of lines for those outside."""
    lines: list[float] = []
    sides = lows + highs
    numbers = [-1] * len(sides)
    for side in sorted(range(len(sides)), key=sides.__getitem__):
        at = sides[side]
        if low <= at <= high:
            if not lines or lines[-1] != at:
                lines.append(at)
            numbers[side] = len(lines) - 1
    first = len(lows)
    return lines, numbers[:first], [number if number >= 0 else len(lines) for number in numbers[first:]]


class _Border:
    """What running beside a line costs: the stretch along it, the lines less than so far from it, the price of a px."""

    __slots__ = ("high", "last", "least", "low", "price")

    def __init__(self, run: Line, reach: float, price: float) -> None:
        at, self.low, self.high = run
        self.least, self.last = at - reach, at + reach
        self.price = price


class Tolls:
    """What a path pays on the parallel lines of a graph for crossing runs, `toll` each, and for running beside
    borders."""

    def __init__(self, along: list[float], lines: list[float], crossed: list[Run], toll: float) -> None:
        self._along, self._lines, self._toll = along, lines, toll
        places = [bisect_left(along, run.position) for run in crossed]
        first = [0] * (len(along) + 2)
        for place in places:
            first[place + 1] += 1
        total = 0
        for place, count in enumerate(first):
            total += count
            first[place] = total
        self._first = first  # for each place the first run there or after the place before it
        self._runs = list(crossed)
        free = first.copy()
        for number, place in enumerate(places):
            self._runs[free[place]] = crossed[number]
            free[place] += 1
        self._borders: list[_Border] = []

    def follow(self, run: Line, reach: float, price: float) -> None:
        """Let every line that lies less than `reach` beside a run cost so much for each px of it."""
        self._borders.append(_Border(run, reach, price))

    def between(self, line: int, first: int, last: int) -> float:
        """What is paid on a line between two places; of a run on either of them half is paid there, half beyond."""
        at, low, high = self._lines[line], self._along[first], self._along[last]
        halves = 0
        for number in range(self._first[first], self._first[last + 1]):
            run = self._runs[number]
            if run.low < at < run.high:
                if low < run.position < high:
                    halves += 2
                elif run.position in (low, high):
                    halves += 1
        paid = halves * self._toll / 2
        for border in self._borders:
            if border.least < at < border.last:
                beside = min(high, border.high) - max(low, border.low)
                if beside > 0.0:
                    paid += beside * border.price
        return paid
