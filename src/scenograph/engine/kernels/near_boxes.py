"""Pairs of boxes too near to each other. px."""

from __future__ import annotations

from math import sqrt
from typing import Final

from scenograph.engine.kernels.straight_lines import Rectangle, drop

BoxPair = tuple[int, int]


def pairs_nearer(boxes: list[Rectangle], moving: list[bool], across: float, along: float, most: int) -> list[BoxPair]:
    """The pairs of boxes, by number in order, less than `across` apart horizontally and less than `along` vertically,
    with at least one moving box; at most `most`. A negative gap allows overlap."""
    lefts = sorted([(box[0], number) for number, box in enumerate(boxes)])
    found: list[BoxPair] = []
    open_: list[int] = []  # the boxes that reach far enough to the right, as far as they were looked at
    for left, number in lefts:
        _, top, width, height = boxes[number]
        right, bottom, moves = left + width, top + height, moving[number]
        still: list[int] = []
        for other in open_:
            x, y, wide, high = boxes[other]
            if left - (x + wide) >= across:
                continue
            still.append(other)
            if x - right >= across or top - (y + high) >= along or y - bottom >= along:
                continue
            if moves or moving[other]:
                found.append((other, number) if other < number else (number, other))
                if len(found) >= most:
                    return sorted(found)
        still.append(number)
        open_ = still
    return sorted(found)


# Pairs of boxes with sight of each other along an axis. px.


# The start and end of a box on the axis, then on the cross axis.
AxisSpan = tuple[float, float, float, float]


def in_sight(spans: list[AxisSpan]) -> list[tuple[int, int]]:
    """The pairs of spans with sight of each other: the first before the second, with nothing wholly in between, sorted
    by the first's begin."""
    ordered = sorted([(span[0], number) for number, span in enumerate(spans)])
    found: list[tuple[int, int]] = []
    for place, (_, low) in enumerate(ordered):
        end, open_spans = spans[low][1], [(spans[low][2], spans[low][3])]
        for later in range(place + 1, len(ordered)):
            high = ordered[later][1]
            start, _, left, right = spans[high]
            if start < end:
                continue
            rest = _hidden(open_spans, left, right)
            if rest == open_spans:
                continue
            found.append((low, high))
            open_spans = rest
            if not open_spans:
                break
    return found


def _hidden(spans: list[tuple[float, float]], left: float, right: float) -> list[tuple[float, float]]:
    """The parts of spans not hidden by another span."""
    rest: list[tuple[float, float]] = []
    for lower, upper in spans:
        if left >= upper or lower >= right:
            rest.append((lower, upper))
            continue
        if lower < left:
            rest.append((lower, left))
        if right < upper:
            rest.append((right, upper))
    return rest


# Boxes along one axis, moved apart in a forward and a backward sweep. px.


STRIP: Final = 120.0  # px; the breadth of the bands in which boxes are looked for
TOUCH: Final = 1e-6  # px; boxes with a smaller overlap only touch


def swept(
    middles: list[float], halves: list[float], low: list[float], high: list[float], *, only_overlaps: bool
) -> list[float]:
    """The shift of each box along the axis: the mean of a forward and a backward sweep. A box is given by its middle,
    half its length including half the gap, and its extent across from `low` to `high`. `only_overlaps`: boxes push each
    other only if they overlap, and no less across than along."""
    order = sorted(range(len(middles)), key=lambda number: (middles[number], number))
    before = _before(order, low, high)
    if only_overlaps:
        for after, row in enumerate(before):
            near = [halves[first] + halves[after] - (middles[after] - middles[first]) for first in row]
            across = [min(high[first], high[after]) - max(low[first], low[after]) for first in row]
            before[after] = [first for place, first in enumerate(row) if TOUCH < near[place] <= across[place]]
    forward, backward = middles[:], middles[:]
    for after in order:
        for first in before[after]:
            forward[after] = max(forward[after], forward[first] + halves[first] + halves[after])
    for after in reversed(order):
        for first in before[after]:
            backward[first] = min(backward[first], backward[after] - halves[first] - halves[after])
    return [(forward[number] + backward[number]) / 2 - middle for number, middle in enumerate(middles)]


def _before(order: list[int], low: list[float], high: list[float]) -> list[list[int]]:
    """For each box the earlier boxes it would meet on a shift along the axis."""
    strips: dict[int, list[int]] = {}
    before: list[list[int]] = [[] for _ in order]
    for after in order:
        found: dict[int, None] = {}
        for strip in range(int(low[after] // STRIP), int(high[after] // STRIP) + 1):
            row = strips.setdefault(strip, [])
            for first in row:
                if low[first] < high[after] and low[after] < high[first]:
                    found[first] = None
            row.append(after)
        before[after] = list(found)
    return before


# Free places for a rectangle on given heights, each with its cost. px.

ENDLESS: Final = float("inf")

# The left side and the top of a place.
FreeSpot = tuple[float, float]
# The shadow of a rectangle: top, bottom, left, right.
Shadow = tuple[float, float, float, float]
WeightedBox = tuple[Rectangle, float]
# A bend of a line; a line beside a rank; a line against the flow; a place before all neighbours; a height of its own; a
# px of growth in free room; growth beyond free room; a px of this growth.
SpotPrices = tuple[float, float, float, float, float, float, float, float]


def free_spots(
    width: float, height: float, tops: list[float], wishes: list[float], shadows: list[Shadow]
) -> list[FreeSpot]:
    """The free places on every height: at most two nearest to the first wish, followed by the further wished left sides
    that are free."""
    found: list[FreeSpot] = []
    for top in tops:
        gaps = _gaps(width, top, top + height, shadows)
        for x in _nearest(wishes[0], gaps):
            found.append((x, top))
        for x in wishes[1:]:
            for low, high in gaps:
                if low <= x <= high:
                    found.append((x, top))
                    break
    return found


def _gaps(width: float, top: float, bottom: float, shadows: list[Shadow]) -> list[tuple[float, float]]:
    """The least and the greatest left side in every gap of sufficient width, from left to right."""
    blocked: list[tuple[float, float]] = []
    for above, below, left, right in shadows:
        if above < bottom and top < below:
            blocked.append((left, right))
    blocked.sort()
    blocked.append((ENDLESS, ENDLESS))
    found: list[tuple[float, float]] = []
    free_from = -ENDLESS
    for start, end in blocked:
        if start - free_from >= width:
            found.append((free_from, start - width))
        free_from = max(free_from, end)
    return found


def _nearest(wish: float, gaps: list[tuple[float, float]]) -> list[float]:
    """The two left sides nearest to a wish, in different gaps."""
    near: list[tuple[float, int, float]] = []
    for number, (low, high) in enumerate(gaps):
        x = min(max(wish, low), high)
        near.append((abs(x - wish), number, x))
    near.sort()
    return [x for _, _, x in near[:2]]


class SpotCriteria:
    """The terms of a place's cost: the `bounds` of all boxes and the free `room` beyond (top, right, bottom, left), the
    middles of occupied `heights`, the boxes at the opposite `ends` of edges, above and below, each with its weight, and
    the prices."""

    def __init__(
        self,
        bounds: Rectangle,
        room: tuple[float, float, float, float],
        heights: set[float],
        ends: tuple[list[WeightedBox], list[WeightedBox]],
        prices: SpotPrices,
    ) -> None:
        self._bounds = bounds
        self._room = room
        self._heights = heights
        self._above, self._below = ends
        self._prices = prices
        weight = 0.0
        for _, one in self._above:
            weight += one
        for _, one in self._below:
            weight += one
        self._many = sqrt(max(1.0, weight))

    def cost(self, place: Rectangle) -> float:
        """The cost of a place: its edges, its growth beyond the bounds, and standing off every occupied height."""
        x, y, width, height = place
        off_line = 0.0 if y + height / 2 in self._heights else self._prices[4]
        return self._lines(place) / self._many + self._growth(x, y, x + width, y + height) + off_line

    def _lines(self, place: Rectangle) -> float:
        bend, beside, against = self._prices[0], self._prices[1], self._prices[2]
        cost = 0.0
        for box, weight in self._above:
            cost += drop(box, place, bend, beside, against) * weight
        for box, weight in self._below:
            cost += drop(place, box, bend, beside, against) * weight
        return cost

    def _growth(self, left: float, top: float, right: float, bottom: float) -> float:
        x, y, width, height = self._bounds
        first = self._prices[3] if right < x else 0.0
        return (
            first
            + self._beyond(y - top, self._room[0])
            + self._beyond(right - (x + width), self._room[1])
            + self._beyond(bottom - (y + height), self._room[2])
            + self._beyond(x - left, self._room[3])
        )

    def _beyond(self, more: float, free: float) -> float:
        if more <= 0:
            return 0.0
        return self._prices[5] * more if more <= free else self._prices[6] + self._prices[7] * (more - free)
