"""Straight segments and polylines against each other and against boxes, px."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import fsum, hypot

from scenograph.engine.geometry.boxes import Point
from scenograph.engine.geometry.spatial_index import Bounds
from scenograph.engine.kernels import straight_lines as clipping

CURVE_STEPS = 24


def length(points: Sequence[Point]) -> float:
    """The length of a polyline."""
    return fsum(hypot(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(points))


def manhattan(a: Point, b: Point) -> float:
    """The distance along the axes."""
    return abs(a[0] - b[0]) + abs(a[1] - b[1])


def clipped(a: Point, b: Point, box: Bounds) -> tuple[float, float] | None:
    """The part of the segment a-b inside the closed box as parameters 0 to 1, or None (Liang and Barsky, 1984)."""
    part = clipping.clip(a, b, box)
    return part if part[0] <= part[1] else None


def crosses(a: Point, b: Point, box: Bounds) -> bool:
    """Whether the segment shares a point with the interior of the box."""
    return clipping.crosses(a, b, box)


def point_distance(x: float, y: float, box: Bounds) -> float:
    """From a point to the nearest point of the box; 0 inside."""
    return hypot(max(box[0] - x, 0.0, x - box[2]), max(box[1] - y, 0.0, y - box[3]))


def distance(a: Point, b: Point, box: Bounds) -> float:
    """From the segment to the nearest point of the box; 0 when they touch."""
    if clipped(a, b, box) is not None:
        return 0.0
    ends = min(point_distance(a[0], a[1], box), point_distance(b[0], b[1], box))
    corners = ((box.left, box.top), (box.right, box.top), (box.right, box.bottom), (box.left, box.bottom))
    return min(ends, *(_to_segment(Point(*corner), a, b) for corner in corners))


def _to_segment(point: Point, a: Point, b: Point) -> float:
    dx, dy = b[0] - a[0], b[1] - a[1]
    square = dx * dx + dy * dy
    if square == 0.0:
        return hypot(point[0] - a[0], point[1] - a[1])
    part = min(1.0, max(0.0, ((point[0] - a[0]) * dx + (point[1] - a[1]) * dy) / square))
    return hypot(point[0] - a[0] - part * dx, point[1] - a[1] - part * dy)


def quadratic(start: Point, control: Point, end: Point, steps: int = CURVE_STEPS) -> tuple[Point, ...]:
    """A quadratic Bezier curve as `steps` chords."""
    points: list[Point] = []
    for step in range(steps + 1):
        t = step / steps
        u = 1.0 - t
        points.append(
            Point(
                u * u * start[0] + 2 * u * t * control[0] + t * t * end[0],
                u * u * start[1] + 2 * u * t * control[1] + t * t * end[1],
            )
        )
    return tuple(points)
