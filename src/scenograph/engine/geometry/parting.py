"""Thousands of overlapping boxes apart in one sweep each way. px.

Along one axis every box keeps its rank: what stands before another stays before it. One sweep pushes all boxes no
farther forward than they must go, one backward; both leave no overlap among the pairs looked at, and so does their
mean, because wishes of the form "at least so far behind" hold for a mean of two answers (a convex set). The way through
boxes sorted along an axis is that of force-scan (Misue, Eades, Lai and Sugiyama, "Layout Adjustment and the Mental
Map", 1995).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from scenograph.engine.geometry.boxes import Box, union

STRIP = 120.0
TOUCH = 1e-6
ROUNDS = 3


class _Lines(NamedTuple):
    """Boxes as seen along an axis: their middles and half lengths with half the gap, and from where to where they
    reach across it."""

    middles: list[float]
    halves: list[float]
    low: list[float]
    high: list[float]


def parted(boxes: Sequence[Box], gap: float) -> tuple[Box, ...]:
    """The boxes moved so that each two are `gap` apart: overlapping pairs give way where they overlap less, a few times
    over; what is then still too near moves along the axis that takes less room."""
    moved = list(boxes)
    for _ in range(ROUNDS):
        for side in (0, 1):
            moved = _swept(moved, gap, side, only_overlaps=True)
    return tuple(min((_swept(moved, gap, side, only_overlaps=False) for side in (1, 0)), key=_room))


def _room(boxes: Sequence[Box]) -> float:
    around = union(boxes)
    return 0.0 if around is None else around.width * around.height


def _swept(boxes: Sequence[Box], gap: float, side: int, *, only_overlaps: bool) -> list[Box]:
    """The boxes moved along an axis (0: x, 1: y)."""
    lines = _lines(boxes, gap, side)
    order = sorted(range(len(boxes)), key=lambda number: (lines.middles[number], number))
    before = _pairs(lines, order, only_overlaps=only_overlaps)
    forward, backward = list(lines.middles), list(lines.middles)
    for after in order:
        for first in before[after]:
            forward[after] = max(forward[after], forward[first] + lines.halves[first] + lines.halves[after])
    for after in reversed(order):
        for first in before[after]:
            backward[first] = min(backward[first], backward[after] - lines.halves[first] - lines.halves[after])
    shifts = [(f + b) / 2 - m for f, b, m in zip(forward, backward, lines.middles, strict=True)]
    return [box.moved(0.0, by) if side else box.moved(by, 0.0) for box, by in zip(boxes, shifts, strict=True)]


def _lines(boxes: Sequence[Box], gap: float, side: int) -> _Lines:
    across = 1 - side
    return _Lines(
        [box[side] + box[side + 2] / 2 for box in boxes],
        [(box[side + 2] + gap) / 2 for box in boxes],
        [box[across] - gap / 2 + TOUCH for box in boxes],
        [box[across] + box[across + 2] + gap / 2 - TOUCH for box in boxes],
    )


def _pairs(lines: _Lines, order: Sequence[int], *, only_overlaps: bool) -> list[list[int]]:
    """For each box those before it that it must stay behind: all it would meet if it moved along the axis, or only
    those on which it lies more deeply across the axis than along it."""
    strips: dict[int, list[int]] = {}
    before: list[list[int]] = [[] for _ in order]
    low, high = lines.low, lines.high
    for after in order:
        found: dict[int, None] = {}
        for strip in range(int(low[after] // STRIP), int(high[after] // STRIP) + 1):
            row = strips.setdefault(strip, [])
            for first in row:
                if low[first] < high[after] and low[after] < high[first]:
                    found[first] = None
            row.append(after)
        before[after] = [first for first in found if not only_overlaps or _lies_across(lines, first, after)]
    return before


def _lies_across(lines: _Lines, first: int, after: int) -> bool:
    """Whether two boxes overlap, and along the axis no more than across it."""
    along = lines.halves[first] + lines.halves[after] - (lines.middles[after] - lines.middles[first])
    across = min(lines.high[first], lines.high[after]) - max(lines.low[first], lines.low[after])
    return TOUCH < along <= across
