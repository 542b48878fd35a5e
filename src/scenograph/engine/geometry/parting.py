"""Thousands of overlapping boxes apart in one sweep each way. px.

Along one axis every box keeps its rank: what stands before another stays before it. One sweep pushes all boxes no
farther forward than they must go, one backward; both leave no overlap among the pairs looked at, and so does their
mean, because wishes of the form "at least so far behind" hold for a mean of two answers (a convex set). The way through
boxes sorted along an axis is that of force-scan (Misue, Eades, Lai and Sugiyama, "Layout Adjustment and the Mental
Map", 1995).
"""

from __future__ import annotations

from collections.abc import Sequence

from scenograph.engine.geometry.boxes import Box, union
from scenograph.engine.kernels.sweeping import TOUCH, swept

ROUNDS = 3


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
    across = 1 - side
    shifts = swept(
        [box[side] + box[side + 2] / 2 for box in boxes],
        [(box[side + 2] + gap) / 2 for box in boxes],
        [box[across] - gap / 2 + TOUCH for box in boxes],
        [box[across] + box[across + 2] + gap / 2 - TOUCH for box in boxes],
        only_overlaps=only_overlaps,
    )
    return [box.moved(0.0, by) if side else box.moved(by, 0.0) for box, by in zip(boxes, shifts, strict=True)]
