"""Cleaning orthogonal polylines: no repeated points, no points on a line, no way back on itself.

In: corners. Out: the fewest corners that draw the same line, without spikes.
"""

from __future__ import annotations

from collections.abc import Sequence

from scenograph.engine.geometry.boxes import Point
from scenograph.engine.kernels.corners import needed_corners


def straightened(points: Sequence[Point]) -> tuple[Point, ...]:
    """The same line with the fewest points; a spike (out and back on one line) is cut off. A line of which nothing
    would be left stays as it is."""
    corners = tuple(points)
    kept = needed_corners(corners)
    return corners if len(kept) == len(corners) else tuple([corners[number] for number in kept])
