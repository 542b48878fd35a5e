"""Boxes that have grown, given room: the others are moved no more than they must. Flow from top to bottom. px.

In: boxes that stood apart, and the same boxes after some have grown, in the same coordinates. Out: how far each moves.
Promises: none overlap; gaps shrink by a quarter of the spacing at the most; boxes that stood on one line still do;
where nothing has grown, nothing moves.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from scenograph.engine.geometry.boxes import Box, Point

KEPT = 0.75  # of the spacing is kept between boxes where one needs the room


class Gaps(NamedTuple):
    """The usual room across the flow and along it."""

    across: float
    along: float


def moves(before: Sequence[Box], grown: Sequence[Box], gaps: Gaps) -> list[Point]:
    """How far each grown box moves."""
    if list(before) == list(grown):
        return [Point(0.0, 0.0)] * len(before)
    down = _downwards(before, grown, gaps.along * KEPT)
    lowered = [box.moved(0.0, dy) for box, dy in zip(grown, down, strict=True)]
    aside = _aside(before, lowered, gaps.across * KEPT)
    return [Point(dx, dy) for dx, dy in zip(aside, down, strict=True)]


def _downwards(before: Sequence[Box], grown: Sequence[Box], gap: float) -> list[float]:
    """What is above another box pushes everything from that box's line on."""
    lines = sorted({box.y for box in before})
    pushed = dict.fromkeys(lines, 0.0)
    above = _columns(before)
    reached = 0.0
    for line in lines:
        for lower in (number for number, box in enumerate(before) if box.y == line):
            for upper in above[lower]:
                least = min(gap, before[lower].y - before[upper].bottom)
                missing = grown[upper].bottom + least - grown[lower].y
                reached = max(reached, pushed[before[upper].y] + missing)
        pushed[line] = reached
    return [pushed[box.y] for box in before]


def _columns(before: Sequence[Box]) -> list[list[int]]:
    """For each box those above it."""
    return [
        [upper for upper, other in enumerate(before) if other.bottom <= box.y and not _apart(other, box)]
        for box in before
    ]


def _apart(first: Box, second: Box) -> bool:
    return first.right <= second.x or second.right <= first.x


def _aside(before: Sequence[Box], grown: Sequence[Box], gap: float) -> list[float]:
    """What grew to the right pushes to the right, what grew to the left to the left."""
    aside = [0.0] * len(before)
    pairs = list(_neighbours(before, grown, gap))
    for left, right, least in sorted(pairs, key=lambda pair: before[pair[1]].x):
        aside[right] = max(aside[right], aside[left] + grown[left].right + least - before[right].x)
    for left, right, least in sorted(pairs, key=lambda pair: -before[pair[0]].right):
        aside[left] = min(aside[left], aside[right] + grown[right].x - least - grown[left].right)
    return aside


def _neighbours(before: Sequence[Box], grown: Sequence[Box], gap: float) -> Iterator[tuple[int, int, float]]:
    """Pairs, one left of the other, that share a height; and the gap they must keep."""
    for left, first in enumerate(before):
        for right, second in enumerate(before):
            if left != right and first.right <= second.x and first.x < second.x:
                one, other = grown[left], grown[right]
                if one.y < other.bottom + gap and other.y < one.bottom + gap:
                    yield left, right, min(gap, second.x - first.right)
