"""The cost of a placement: crossings of straight lines between the boxes, then their length.

A cheap estimate of routing, by which the better of two placements is chosen.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import fsum
from typing import NamedTuple

from scenograph.engine.geometry.boxes import Box
from scenograph.engine.place.inventory import Inventory

MAX_JUDGED_TIES = 320  # edges; counting crossings of more takes too long


class LayoutCost(NamedTuple):
    """Fewer crossings are better; among equals, shorter lines."""

    crossings: int
    length: float


class _TieLine(NamedTuple):
    """A straight line from its left to its right end, with its lowest and highest y."""

    left: float
    start: float
    right: float
    end: float
    top: float
    bottom: float


def layout_cost(inventory: Inventory, boxes: Mapping[str, Box], direction: str) -> LayoutCost:
    """The cost of all ties between different elements."""
    lines = sorted(_lines(inventory, boxes, upright=direction in ("TB", "BT")))
    crossings = 0
    for number, line in enumerate(lines):
        for other in lines[number + 1 :]:
            if other.left >= line.right:
                break
            if other.top < line.bottom and line.top < other.bottom and _cross(line, other):
                crossings += 1
    length = fsum(line.right - line.left + line.bottom - line.top for line in lines)
    return LayoutCost(crossings, round(length, 1))


def _lines(inventory: Inventory, boxes: Mapping[str, Box], *, upright: bool) -> Iterator[_TieLine]:
    """The straight line of each edge, from side to side along the flow; from middle to middle for boxes beside each
    other."""
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
        yield _TieLine(x1, y1, x2, y2, min(y1, y2), max(y1, y2))


def _cross(first: _TieLine, second: _TieLine) -> bool:
    return _divides(first, second) and _divides(second, first)


def _divides(line: _TieLine, other: _TieLine) -> bool:
    """Whether the ends of `other` lie on different sides of `line`."""
    dx, dy = line.right - line.left, line.end - line.start
    start = dx * (other.start - line.start) - dy * (other.left - line.left)
    end = dx * (other.end - line.start) - dy * (other.right - line.left)
    return start * end < 0
