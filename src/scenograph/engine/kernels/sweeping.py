"""Boxes along one axis, moved apart in one sweep forward and one backward. px."""

from __future__ import annotations

STRIP = 120.0  # px; the breadth of the bands in which boxes are looked for
TOUCH = 1e-6  # px; boxes that share less only touch


def swept(
    middles: list[float], halves: list[float], low: list[float], high: list[float], *, only_overlaps: bool
) -> list[float]:
    """How far each box moves along the axis: the mean of a sweep forward and one backward. A box has a middle and half
    a length with half the gap, and reaches across the axis from `low` to `high`. `only_overlaps`: they push each other
    only where they overlap, and along the axis no more than across it."""
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
    """For each box those before it that it would meet if it moved along the axis."""
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
