"""The cost of a placement: crossings of straight lines between the boxes, then their length.

A cheap estimate of routing, by which the better of two placements is chosen.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import fsum
from typing import NamedTuple

from scenograph.engine.geometry.boxes import Box
from scenograph.engine.geometry.directions import SIDEWAYS
from scenograph.engine.kernels.straight_lines import Line, crossing_pairs
from scenograph.engine.place.inventory import Inventory

MAX_JUDGED_TIES = 320  # edges; counting crossings of more takes too long


class LayoutCost(NamedTuple):
    """Fewer crossings are better; among equals, shorter lines."""

    crossings: int
    length: float


def layout_cost(inventory: Inventory, boxes: Mapping[str, Box], direction: str) -> LayoutCost:
    """The cost of all ties between different elements."""
    lines = sorted(_lines(inventory, boxes, upright=direction not in SIDEWAYS))
    length = fsum(right - left + max(start, end) - min(start, end) for left, start, right, end in lines)
    return LayoutCost(crossing_pairs(lines), round(length, 1))


def _lines(inventory: Inventory, boxes: Mapping[str, Box], *, upright: bool) -> Iterator[Line]:
    """The straight line of each edge, from its left to its right end: from side to side along the flow, from middle to
    middle for boxes beside each other."""
    for tie in inventory.ties:
        first, second = boxes[tie.source], boxes[tie.target]
        if tie.source == tie.target:
            continue
        (x1, y1), (x2, y2) = first.center, second.center
        if upright and (second.y >= first.bottom or first.y >= second.bottom):
            y1, y2 = (first.bottom, second.y) if second.y >= first.bottom else (first.y, second.bottom)
        if not upright and (second.x >= first.right or first.x >= second.right):
            x1, x2 = (first.right, second.x) if second.x >= first.right else (first.x, second.right)
        if (x1, y1) > (x2, y2):
            x1, y1, x2, y2 = x2, y2, x1, y1
        yield x1, y1, x2, y2
