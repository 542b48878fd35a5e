"""Curves to straight segments, within a tolerance. px."""

from __future__ import annotations

import math

from scenograph.engine.geometry.boxes import Point
from scenograph.engine.geometry.paths import Close, Cubic, Line, Move, Path, Quadratic

DEFAULT_TOLERANCE = 0.04


def flatten(path: Path, tolerance: float = DEFAULT_TOLERANCE) -> tuple[tuple[Point, ...], ...]:
    """Every subpath as a chain of points that stays within `tolerance` px of the path; a closed one ends where it
    began."""
    subpaths: list[list[Point]] = []
    for segment in path:
        if isinstance(segment, Move):
            subpaths.append([segment.to])
            continue
        if not subpaths:
            continue
        points = subpaths[-1]
        if isinstance(segment, Close):
            points.append(points[0])
        elif isinstance(segment, Line):
            points.append(segment.to)
        elif isinstance(segment, Cubic):
            points.extend(_cubic_points(points[-1], segment, tolerance))
        else:
            points.extend(_quadratic_points(points[-1], segment, tolerance))
    return tuple(tuple(points) for points in subpaths)


def _cubic_points(start: Point, curve: Cubic, tolerance: float) -> list[Point]:
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = start, curve.control1, curve.control2, curve.to
    bend = max(math.hypot(ax - 2 * bx + cx, ay - 2 * by + cy), math.hypot(bx - 2 * cx + dx, by - 2 * cy + dy))
    steps = max(1, math.ceil(math.sqrt(0.75 * bend / tolerance)))
    points: list[Point] = []
    for i in range(1, steps):
        t = i / steps
        u = 1 - t
        p, q, r, s = u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t
        points.append(Point(p * ax + q * bx + r * cx + s * dx, p * ay + q * by + r * cy + s * dy))
    return [*points, curve.to]


def _quadratic_points(start: Point, curve: Quadratic, tolerance: float) -> list[Point]:
    (ax, ay), (bx, by), (cx, cy) = start, curve.control, curve.to
    bend = math.hypot(ax - 2 * bx + cx, ay - 2 * by + cy)
    steps = max(1, math.ceil(math.sqrt(0.25 * bend / tolerance)))
    points: list[Point] = []
    for i in range(1, steps):
        t = i / steps
        u = 1 - t
        points.append(Point(u * u * ax + 2 * u * t * bx + t * t * cx, u * u * ay + 2 * u * t * by + t * t * cy))
    return [*points, curve.to]
