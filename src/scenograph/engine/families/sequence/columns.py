"""Where the lifelines stand side by side. px. (R-SEQ-5)

In: the heads' sizes, what has to fit between lifelines, the canvas. Out: the middle of every head, from the left.
Promise: the spacing of a neighbouring pair is the largest of the equal share of the declared canvas, a gutter past the
heads, the room a message to itself needs, and what labels, notes and boxes need.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

GUTTER = 16.0
FREE_GAP = 48.0
"""Between two heads when no canvas is there to share."""


class Separation(NamedTuple):
    """A separation constraint: from the middle of lifeline `left` to that of lifeline `right` there must be at least
    `width` px; `somewhere`: between two neighbours among them."""

    left: int
    right: int
    width: float
    somewhere: bool = False


def share_of(canvas_width: float | None, count: int) -> float | None:
    """The equal share of a declared canvas."""
    return canvas_width / count if canvas_width is not None and count else None


def spacings(widths: Sequence[float], share: float | None, separations: Iterable[Separation]) -> list[float]:
    """The distance of the middles of each neighbouring pair, whole px. What spans several pairs widens all of them
    alike, as far as they are too narrow together; what must fit between one of several pairs widens the widest."""
    gap = FREE_GAP if share is None else GUTTER
    pairs = [(a + b) / 2 + gap for a, b in pairwise(widths)]
    found = [math.ceil(max(pair, share or 0.0)) for pair in pairs]
    for separation in sorted(
        set(separations),
        key=lambda separation: (
            separation.somewhere,
            separation.right - separation.left,
            separation.left,
            separation.width,
        ),
    ):
        between = range(separation.left, separation.right)
        if separation.somewhere:
            widest = max(between, key=lambda pair: found[pair])
            found[widest] = max(found[widest], math.ceil(separation.width))
            continue
        missing = separation.width - math.fsum(found[pair] for pair in between)
        if missing > 0 and between:
            more = math.ceil(missing / len(between))
            for pair in between:
                found[pair] += more
    return [float(spacing) for spacing in found]


class Head(NamedTuple):
    """A lifeline's head on its way to its place: its width, and the x of its left side where its author gave one."""

    id: str
    width: float
    x: float | None = None


def stand(heads: Sequence[Head], separations: Iterable[Separation], share: float | None) -> dict[str, float]:
    """The left side of every head; the first free one stands at 0 when nobody has a place."""
    spaced = spacings([head.width for head in heads], share, separations)
    if all(head.x is None for head in heads):
        middle = 0.0
        found: dict[str, float] = {}
        for head, spacing in zip(heads, [*spaced, 0.0], strict=False):
            found[head.id] = middle - head.width / 2
            middle += spacing
        return found
    return _among_given(heads, spaced)


def _among_given(heads: Sequence[Head], spaced: Sequence[float]) -> dict[str, float]:
    """Heads without a place stand right of the one before them, or of whatever stands there already."""
    found = {head.id: head.x for head in heads if head.x is not None}
    taken = [(head.x, head.x + head.width) for head in heads if head.x is not None]
    for turn, head in enumerate(heads):
        if head.x is not None:
            continue
        x = min(left for left, _ in taken)
        if turn:
            before = heads[turn - 1]
            x = found[before.id] + before.width / 2 + spaced[turn - 1] - head.width / 2
        x = math.floor(x)
        while hit := [right for left, right in taken if left < x + head.width + GUTTER and x < right + GUTTER]:
            x = math.ceil(max(hit) + FREE_GAP)
        found[head.id] = float(x)
        taken.append((x, x + head.width))
    return found
