"""The straight stretches of right-angled routes.

In: drafts. Out: for one axis every run with its span and the sides to which its route goes on. A run moves across its
own direction; its neighbours in the route grow or shrink. px.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from scenograph.engine.geometry.boxes import Point
from scenograph.engine.route.courses.draft import Draft

SAME = 1e-6  # px; a smaller difference is rounding


@dataclass(slots=True)
class Run:
    """A stretch of a route. `position` is its coordinate across, `low` to `high` its span along.

    It may lie from `least` to `most`, best at `wish`. `turn_low` and `turn_high` say to which side the route goes on at
    the ends of the span: -1, 1, or 0 where the edge ends; `reach_low` and `reach_high` how far it goes there, across.
    An `anchored` run ends at an element; `backward` runs are walked from high to low.
    """

    draft: int
    index: int
    position: float
    low: float
    high: float
    turn_low: int
    turn_high: int
    reach_low: float
    reach_high: float
    backward: bool
    anchored: bool
    least: float
    most: float
    wish: float


def runs_along(drafts: Sequence[Draft], across: int, numbers: Iterable[int] | None = None) -> list[Run]:
    """Every run whose coordinate `across` (0: x, upright runs; 1: y, level runs) is the same all along it; of the
    drafts of these `numbers`, or of all."""
    asked = range(len(drafts)) if numbers is None else numbers
    return [
        run
        for number in asked
        if drafts[number].start is not None
        for run in runs_of(number, drafts[number].points, across)
    ]


def runs_of(number: int, points: tuple[Point, ...], across: int) -> list[Run]:
    """The runs of one route."""
    along = 1 - across
    return [
        _run(number, points, index, across)
        for index, (a, b) in enumerate(pairwise(points))
        if abs(a[across] - b[across]) <= SAME < abs(a[along] - b[along])
    ]


def _run(number: int, points: tuple[Point, ...], index: int, across: int) -> Run:
    a, b = points[index], points[index + 1]
    last = len(points) - 2
    position = a[across]
    before = points[index - 1][across] if index else position
    after = points[index + 2][across] if index < last else position
    low, high = a[1 - across], b[1 - across]
    backward = low > high
    if backward:
        low, high, before, after = high, low, after, before
    return Run(
        number,
        index,
        position,
        low,
        high,
        (before > position) - (before < position),
        (after > position) - (after < position),
        before,
        after,
        backward,
        index in (0, last),
        position,
        position,
        position,
    )
