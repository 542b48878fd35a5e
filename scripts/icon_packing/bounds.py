"""Tight boxes round paths."""

from __future__ import annotations

import math

from scenograph.engine.geometry.boxes import Box, Point
from scenograph.engine.geometry.paths import Close, Cubic, Path, Quadratic


def bounds(path: Path) -> Box:
    """The smallest box round a path without its stroke; ValueError on an empty one."""
    xs: list[float] = []
    ys: list[float] = []
    at = Point(0.0, 0.0)
    for segment in path:
        if isinstance(segment, Close):
            continue
        xs.append(segment.to.x)
        ys.append(segment.to.y)
        controls = _controls(at, segment.to, segment)
        if controls is not None:
            xs += _turning_values(*(p.x for p in controls))
            ys += _turning_values(*(p.y for p in controls))
        at = segment.to
    if not xs:
        raise ValueError("an empty path has no box")
    return Box(min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))


def _controls(start: Point, end: Point, segment: object) -> tuple[Point, Point, Point, Point] | None:
    match segment:
        case Cubic(one, two, _):
            return (start, one, two, end)
        case Quadratic(control, _):
            one = Point(start.x + 2 / 3 * (control.x - start.x), start.y + 2 / 3 * (control.y - start.y))
            two = Point(end.x + 2 / 3 * (control.x - end.x), end.y + 2 / 3 * (control.y - end.y))
            return (start, one, two, end)
        case _:
            return None


def _turning_values(p0: float, p1: float, p2: float, p3: float) -> list[float]:
    """The values of one coordinate of a cubic where it turns."""
    a, b, c = p3 - 3 * p2 + 3 * p1 - p0, 2 * (p2 - 2 * p1 + p0), p1 - p0
    if abs(a) < 1e-12:
        roots = [-c / b] if abs(b) > 1e-12 else []
    elif (inside := b * b - 4 * a * c) < 0:
        roots = []
    else:
        roots = [(-b + sign * math.sqrt(inside)) / (2 * a) for sign in (-1, 1)]
    return [_at(t, p0, p1, p2, p3) for t in roots if 0 < t < 1]


def _at(t: float, p0: float, p1: float, p2: float, p3: float) -> float:
    u = 1 - t
    return u * u * u * p0 + 3 * u * u * t * p1 + 3 * u * t * t * p2 + t * t * t * p3
