"""Distances between points drawn towards wished distances, pair by pair: stochastic gradient descent of the stress."""

from __future__ import annotations

from math import fsum, sqrt
from typing import Final

from scenograph.engine.kernels.straight_lines import XY, hits

WishedDistance = tuple[int, int, float]  # two points, and their wished distance


def relax(pairs: list[WishedDistance], xs: list[float], ys: list[float], steps: list[float]) -> None:
    """Move the points: all pairs once per step, alternately forward and backward. A pair moves by the step divided by
    its squared distance, at most to the wished distance."""
    order = pairs
    for step in steps:
        for first, second, distance in order:
            dx, dy = xs[first] - xs[second], ys[first] - ys[second]
            length = sqrt(dx * dx + dy * dy)
            if length == 0.0:
                length = 1e-9
            share = min(1.0, step / (distance * distance)) * (length - distance) / (2 * length)
            xs[first] -= share * dx
            xs[second] += share * dx
            ys[first] -= share * dy
            ys[second] += share * dy
        order = order[::-1]


# Boxes moved one by one to places with fewer crossings of their lines, and distances nearer to the wishes. px. In:
# boxes, lines between boxes, wished distances of all pairs. The candidates of a box are places round its own, round the
# mean of its neighbours, and in a straight line with these; the cheapest wins. The most expensive boxes come first, and
# steps are counted. Moving one vertex after another follows Radermacher, Reichard, Rutter and Wagner, "Geometric
# Heuristics for Rectilinear Crossing Minimization", 2019; the cost follows Davidson and Harel, "Drawing Graphs Nicely
# Using Simulated Annealing", 1996.


Solid = tuple[float, float, float, float]  # a box: its middle, half its width, half its height

BESIDE: Final = 8.0  # px; a line this near to a box touches the box
REACH: Final = 3.0  # mean lengths that a box may go in the first round
NARROWER: Final = 0.7  # times the reach, in each further round
FAR_OFF: Final = 1e200  # more than any cost
LESS: Final = 1e-6  # px; a smaller gain is rounding, and so is a smaller overlap
PUSHED: Final = 3.0  # px of cost for each px of overlap, or that a label lacks
SQUARE: Final = 1.0  # px; a line aside by less is straight
LOOKS: Final = 4  # at all pairs of lines
NEIGHBOURS: Final = 6  # of a box, tried as places beside
HALF: Final = 0.7071067811865476  # the sine of 45 degrees
WAYS: Final[list[XY]] = [
    (1.0, 0.0),
    (HALF, HALF),
    (0.0, 1.0),
    (-HALF, HALF),
    (-1.0, 0.0),
    (-HALF, -HALF),
    (0.0, -1.0),
    (HALF, -HALF),
]


class Weights:
    """The prices of a crossing or a box hit, of a bent edge, and of a distance off by its whole length; each times
    `length`, the mean length of an edge."""

    def __init__(self, length: float, crossing: float, bent: float, stretch: float) -> None:
        self.length = length
        self.crossing = crossing * length
        self.bent = bent * length
        self.stretch = stretch * length


class Uncrossing:
    """The boxes and edges of one component. An edge is two boxes and the room for its label between boxes beside each
    other. Boxes keep `gap`: at any price if `strict`, else each missing px costs."""

    def __init__(
        self,
        boxes: list[Solid],
        links: list[tuple[int, int, float]],
        distances: list[list[float]],
        gap: float,
        strict: bool,  # noqa: FBT001 - a keyword costs a compiled call a dictionary
    ) -> None:
        self.xs = [x for x, _, _, _ in boxes]
        self.ys = [y for _, y, _, _ in boxes]
        self._wide = [wide for _, _, wide, _ in boxes]
        self._high = [high for _, _, _, high in boxes]
        self._links = links
        self._distances = distances
        self._gap = gap - LESS
        self._strict = strict
        self._at: list[list[tuple[int, float]]] = [[] for _ in boxes]
        for first, second, room in links:
            self._at[first].append((second, room))
            self._at[second].append((first, room))
        self._weights = Weights(1.0, 0.0, 0.0, 0.0)
        self._left = 0

    def improve(self, weights: Weights, rounds: int, most_steps: int) -> None:
        """Move boxes until nothing gains; `xs` and `ys` hold the middles. A component with more edges than the steps
        allow to examine a few times stays unchanged."""
        self._weights = weights
        self._left = most_steps
        reach = REACH * weights.length
        if most_steps < LOOKS * len(self._links) * (len(self._links) + len(self.xs)):
            return
        for _ in range(rounds):
            costs = [self._cost(one, self.xs[one], self.ys[one], FAR_OFF) for one in range(len(self.xs))]
            moved = False
            for _, one in sorted([(-cost, one) for one, cost in enumerate(costs)]):
                if not (self._strict and self._is_settled(one)) and self._moved(one, reach):
                    moved = True
                if self._left < 0:
                    return
            if not moved:
                return
            reach *= NARROWER

    def _is_settled(self, one: int) -> bool:
        """Whether all lines of a box are straight, and meet nothing."""
        x, y = self.xs[one], self.ys[one]
        for other, _ in self._at[one]:
            if abs(x - self.xs[other]) > SQUARE and abs(y - self.ys[other]) > SQUARE:
                return False
            if self._met(one, other, x, y):
                return False
        return self._struck(one, x, y) == 0

    def _moved(self, one: int, reach: float) -> bool:
        """Whether a box has found a better place."""
        least = self._cost(one, self.xs[one], self.ys[one], FAR_OFF)
        best_x, best_y, found = 0.0, 0.0, False
        places = self._straight_beside(one) if self._strict else []
        places += self._round_about(one, reach)
        for x, y in places:
            if self._left < 0:
                break
            cost = self._cost(one, x, y, least - LESS)
            if cost < least - LESS:
                least, best_x, best_y, found = cost, x, y, True
        if found:
            self.xs[one], self.ys[one] = best_x, best_y
        return found

    def _mean(self, one: int) -> XY:
        """The mean of the neighbours of a box."""
        joined = self._at[one]
        x = fsum([self.xs[other] for other, _ in joined]) / len(joined)
        return x, fsum([self.ys[other] for other, _ in joined]) / len(joined)

    def _straight_beside(self, one: int) -> list[XY]:
        """Places with a straight edge to a neighbour, or to two."""
        x, y = self.xs[one], self.ys[one]
        mean_x, mean_y = self._mean(one)
        places = [(mean_x, y), (x, mean_y)]
        joined = [(self.xs[other], self.ys[other]) for other, _ in self._at[one]]
        for at, (beside_x, beside_y) in enumerate(joined):
            places.append((beside_x, y))
            places.append((x, beside_y))
            for other_x, other_y in joined[at + 1 : at + NEIGHBOURS]:
                places.append((beside_x, other_y))
                places.append((other_x, beside_y))
        for beside_x, beside_y in joined[:NEIGHBOURS]:
            for lengths in (1.0, 1.5, 2.5):
                away = lengths * self._weights.length
                places.append((beside_x + away, beside_y))
                places.append((beside_x - away, beside_y))
                places.append((beside_x, beside_y + away))
                places.append((beside_x, beside_y - away))
        return places

    def _round_about(self, one: int, reach: float) -> list[XY]:
        """Places round a box, near and far, round the mean of its neighbours, and round some neighbours."""
        x, y, length = self.xs[one], self.ys[one], self._weights.length
        mean_x, mean_y = self._mean(one)
        rings = [
            (x, y, reach),
            (x, y, reach / 3),
            (mean_x, mean_y, length),
            (mean_x, mean_y, 2 * length),
            (mean_x, mean_y, 3 * length),
        ]
        for other, _ in self._at[one][: NEIGHBOURS // 2]:
            rings.append((self.xs[other], self.ys[other], length))
        places = [(mean_x, mean_y)]
        for middle_x, middle_y, away in rings:
            for dx, dy in WAYS:
                places.append((middle_x + away * dx, middle_y + away * dy))
        return places

    def _cost(self, one: int, x: float, y: float, limit: float) -> float:
        """The cost of a box at (x, y); may stop at `limit`."""
        cost = self._distance_cost(one, x, y)
        if cost >= limit:
            return cost
        for other, room in self._at[one]:
            dx, dy = abs(x - self.xs[other]), abs(y - self.ys[other])
            if dx > SQUARE and dy > SQUARE:
                cost += self._weights.bent
            if room and dy < self._high[one] + self._high[other]:
                short = self._wide[one] + self._wide[other] + room - dx
                if short > 0:
                    cost += PUSHED * short
        for other, _ in self._at[one]:
            if cost >= limit:
                return cost
            cost += self._weights.crossing * self._met(one, other, x, y)
        if cost >= limit:
            return cost
        return cost + self._weights.crossing * self._struck(one, x, y)

    def _distance_cost(self, one: int, x: float, y: float) -> float:
        xs, ys, wide, high = self.xs, self.ys, self._wide, self._high
        wide_here, high_here = wide[one] + self._gap, high[one] + self._gap
        stretch, cost = self._weights.stretch, 0.0
        self._left -= len(xs)
        for other, wish in enumerate(self._distances[one]):
            if other == one:
                continue
            dx, dy = abs(x - xs[other]), abs(y - ys[other])
            off = (sqrt(dx * dx + dy * dy) - wish) / wish
            cost += stretch * off * off
            across = wide_here + wide[other] - dx
            if across > 0.0:
                along = high_here + high[other] - dy
                if along > 0.0:
                    if self._strict:
                        return FAR_OFF
                    cost += PUSHED * (across if across < along else along)
        return cost

    def _met(self, one: int, other: int, x: float, y: float) -> int:
        """How many lines and boxes a line from (x, y) to a box meets."""
        xs, ys = self.xs, self.ys
        ox, oy = xs[other], ys[other]
        left, right = (x, ox) if x < ox else (ox, x)
        top, bottom = (y, oy) if y < oy else (oy, y)
        dx, dy = ox - x, oy - y
        found = 0
        self._left -= len(self._links) + len(xs)
        for first, second, _ in self._links:
            x1, x2 = xs[first], xs[second]
            if (x1 <= left and x2 <= left) or (x1 >= right and x2 >= right):
                continue
            y1, y2 = ys[first], ys[second]
            if (y1 <= top and y2 <= top) or (y1 >= bottom and y2 >= bottom):
                continue
            if first in (one, other) or second in (one, other):
                continue
            if (dx * (y1 - y) - dy * (x1 - x)) * (dx * (y2 - y) - dy * (x2 - x)) < 0:
                ex, ey = x2 - x1, y2 - y1
                if (ex * (y - y1) - ey * (x - x1)) * (ex * (oy - y1) - ey * (ox - x1)) < 0:
                    found += 1
        for box, middle in enumerate(xs):
            wide, high = self._wide[box] + BESIDE, self._high[box] + BESIDE
            if middle + wide <= left or middle - wide >= right or box in (one, other):
                continue
            if hits((x, y, ox, oy), (middle - wide, ys[box] - high, 2 * wide, 2 * high)):
                found += 1
        return found

    def _struck(self, one: int, x: float, y: float) -> int:
        """The number of foreign edges through a box at (x, y)."""
        xs, ys = self.xs, self.ys
        wide, high = self._wide[one] + BESIDE, self._high[one] + BESIDE
        box = (x - wide, y - high, 2 * wide, 2 * high)
        left, right, found = x - wide, x + wide, 0
        self._left -= len(self._links)
        for first, second, _ in self._links:
            x1, x2 = xs[first], xs[second]
            if (x1 <= left and x2 <= left) or (x1 >= right and x2 >= right) or one in (first, second):
                continue
            if hits((x1, ys[first], x2, ys[second]), box):
                found += 1
        return found
