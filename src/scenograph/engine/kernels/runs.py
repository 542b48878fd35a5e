"""The straight stretches of right-angled lines.

In: lines as they lie. Out: for one axis every run with its span and the sides to which its line goes on. A run moves
across its own direction; its neighbours in the line grow or shrink. px.
"""

from __future__ import annotations

from typing import Final

SAME: Final = 1e-6  # px; a smaller difference is rounding
SEPARATION: Final = 20.0  # px; between parallel lines

Place = tuple[float, float]
Corners = tuple[Place, ...]
Sides = tuple[float, float, float, float]  # of a box: left, top, right, bottom
Mark = tuple[int, int, int]  # an element, a side of it, and the row whose end is meant there


class Run:
    """A stretch of a route. `position` is its coordinate across, `low` to `high` its span along.

    It may lie from `least` to `most`, best at `wish`. `turn_low` and `turn_high` say to which side the route goes on at
    the ends of the span: -1, 1, or 0 where the edge ends; `reach_low` and `reach_high` how far it goes there, across.
    An `anchored` run ends at an element; `backward` runs are walked from high to low.
    """

    __slots__ = (
        "anchored",
        "backward",
        "draft",
        "high",
        "index",
        "least",
        "low",
        "most",
        "position",
        "reach_high",
        "reach_low",
        "turn_high",
        "turn_low",
        "wish",
    )

    def __init__(self, draft: int, index: int, position: float, span: Place, reach: Place) -> None:
        """`span` and `reach`: where the run begins and ends along, and how far the route goes on there across, both as
        the route is walked."""
        low, high = span
        before, after = reach
        self.draft = draft
        self.index = index
        self.position = position
        self.least = position
        self.most = position
        self.wish = position
        self.anchored = False
        self.backward = low > high
        if low > high:
            low, high, before, after = high, low, after, before
        self.low = low
        self.high = high
        self.turn_low = _turn(before, position)
        self.turn_high = _turn(after, position)
        self.reach_low = before
        self.reach_high = after


class End:
    """Where a line ends: from `low` to `high` it may move along its side; `tip` is the length of its marker, `box` the
    element there."""

    __slots__ = ("box", "high", "low", "mark", "tip")

    def __init__(self, mark: Mark, low: float, high: float, tip: float, box: Sides) -> None:
        self.mark = mark
        self.low = low
        self.high = high
        self.tip = tip
        self.box = box


class Line:
    """A line as its runs must know it: what it may touch (`exempt`), the number of its `fan` (-1: none), how many
    `twins` join the same two elements, the width and height of its label. One that `is_set` does not move."""

    __slots__ = ("exempt", "fan", "finish", "is_fresh", "is_set", "label", "points", "start", "twins")

    def __init__(self, points: Corners, start: End, finish: End, exempt: frozenset[int], fan: int) -> None:
        self.points = points
        self.start = start
        self.finish = finish
        self.exempt = exempt
        self.fan = fan
        self.is_set = False
        self.is_fresh = True  # not as it lay when its runs were moved before
        self.twins = 1
        self.label: Place = (0.0, 0.0)


def runs_along(lines: list[Line], across: int) -> list[Run]:
    """The runs of all lines, numbered by place, on one axis."""
    found: list[Run] = []
    for number, line in enumerate(lines):
        _add_runs(found, number, line.points, across)
    return found


def runs_of(number: int, points: Corners, across: int) -> list[Run]:
    """The runs of one route whose coordinate `across` (0: x, upright runs; 1: y, level runs) is the same all along."""
    found: list[Run] = []
    _add_runs(found, number, points, across)
    return found


def _add_runs(found: list[Run], number: int, points: Corners, across: int) -> None:
    last = len(points) - 2
    for index in range(last + 1):
        a, b = points[index], points[index + 1]
        if across:
            at, begin, other, end = a[1], a[0], b[1], b[0]
        else:
            at, begin, other, end = a[0], a[1], b[0], b[1]
        if abs(at - other) > SAME or abs(begin - end) <= SAME:
            continue
        before = level(points[index - 1], across) if index > 0 else at
        after = level(points[index + 2], across) if index < last else at
        run = Run(number, index, at, (begin, end), (before, after))
        run.anchored = index in (0, last)
        found.append(run)


def runs_of_routes(routes: list[tuple[int, Corners]], across: int) -> list[Run]:
    """The runs of numbered routes."""
    found: list[Run] = []
    for number, points in routes:
        _add_runs(found, number, points, across)
    return found


def level(place: Place, across: int) -> float:
    """The coordinate of a place on an axis."""
    return place[1] if across else place[0]


def _turn(reach: float, position: float) -> int:
    return 1 if reach > position else -1 if reach < position else 0
