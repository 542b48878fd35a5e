"""Cleaning orthogonal polylines: no repeated points, no points on a line, no way back on itself.

In: corners. Out: the fewest corners that draw the same line, without spikes.
"""

from __future__ import annotations

from collections.abc import Sequence

from scenograph.engine.geometry.boxes import Point

SAME = 1e-6  # px; a smaller difference is rounding


def straightened(points: Sequence[Point]) -> tuple[Point, ...]:
    """The same line with the fewest points; a spike (out and back on one line) is cut off. A line of which nothing
    would be left stays as it is."""
    kept: list[Point] = []
    for point in points:
        kept.append(point)
        while len(kept) > 1 and _shrinks(kept):
            pass
    return tuple(kept) if len(kept) > 1 and (len(kept) > 2 or kept[0] != kept[1]) else tuple(points)


def _shrinks(kept: list[Point]) -> bool:
    """Drop one needless point near the end of the list, if there is one."""
    a, b = kept[-2], kept[-1]
    if abs(a[0] - b[0]) <= SAME and abs(a[1] - b[1]) <= SAME:
        del kept[-1]
        return True
    if len(kept) < 3:
        return False
    before = kept[-3]
    upright = abs(before[0] - a[0]) <= SAME and abs(a[0] - b[0]) <= SAME
    level = abs(before[1] - a[1]) <= SAME and abs(a[1] - b[1]) <= SAME
    if upright or level:
        del kept[-2]
        return True
    return False
