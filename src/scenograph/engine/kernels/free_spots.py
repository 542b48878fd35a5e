"""Free places for a rectangle on given heights, each with its cost. px."""

from __future__ import annotations

from math import sqrt
from typing import Final

from scenograph.engine.kernels.straight_lines import Rectangle, drop

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
