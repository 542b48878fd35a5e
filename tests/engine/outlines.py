"""Whether a point lies inside an outline."""

from __future__ import annotations

from itertools import pairwise

from scenograph.engine.geometry.boxes import Point


def holds(outline: tuple[Point, ...], point: Point) -> bool:
    """The even-odd rule."""
    crossed = [
        a.x + (point.y - a.y) / (b.y - a.y) * (b.x - a.x) > point.x
        for a, b in pairwise(outline)
        if (a.y > point.y) != (b.y > point.y)
    ]
    return sum(crossed) % 2 == 1
