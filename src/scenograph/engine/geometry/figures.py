"""Common figures as paths, closed and clockwise on the screen. px, y grows downwards."""

from __future__ import annotations

import math
from collections.abc import Iterable

from scenograph.engine.geometry.boxes import Box, Point
from scenograph.engine.geometry.paths import Close, Cubic, Line, Move, Path, Segment
from scenograph.engine.geometry.tuples import maker

QUARTER_ARC = 0.5522847498307936
"""Reach of a cubic's control points for a quarter of a unit circle; it is off by at most 0.03 % of the radius."""

_FULL_TURN = 2 * math.pi
_CLOSE = Close()
_at, _line, _cubic = maker(Point), maker(Line), maker(Cubic)  # a scene has hundreds of rounded boxes


def rectangle(box: Box) -> Path:
    """The four sides of a box."""
    left, top, width, height = box
    right, bottom = left + width, top + height
    return polygon((Point(left, top), Point(right, top), Point(right, bottom), Point(left, bottom)))


def rounded_rectangle(box: Box, radius: float) -> Path:
    """A box with quarter circles at its corners; `radius` is cut to half of the shorter side."""
    left, top, width, height = box
    r = min(radius, width / 2, height / 2)
    if r <= 0:
        return rectangle(box)
    right, bottom = left + width, top + height
    k = r * (1 - QUARTER_ARC)
    return (
        Move(_at((left + r, top))),
        _line((_at((right - r, top)),)),
        _cubic((_at((right - k, top)), _at((right, top + k)), _at((right, top + r)))),
        _line((_at((right, bottom - r)),)),
        _cubic((_at((right, bottom - k)), _at((right - k, bottom)), _at((right - r, bottom)))),
        _line((_at((left + r, bottom)),)),
        _cubic((_at((left + k, bottom)), _at((left, bottom - k)), _at((left, bottom - r)))),
        _line((_at((left, top + r)),)),
        _cubic((_at((left, top + k)), _at((left + k, top)), _at((left + r, top)))),
        _CLOSE,
    )


def ellipse(box: Box) -> Path:
    """The ellipse that touches the four sides of a box."""
    start = Point(box.x, box.center.y)
    return (Move(start), *elliptic_arc(box, math.pi, math.pi + _FULL_TURN), Close())


def circle(center: Point, radius: float) -> Path:
    """A circle."""
    return ellipse(Box(center.x - radius, center.y - radius, 2 * radius, 2 * radius))


def elliptic_arc(box: Box, start: float, end: float) -> tuple[Cubic, ...]:
    """The part of a box's ellipse between two angles (radians, 0 at the right, growing clockwise on the screen), as
    cubics of at most a quarter turn. The pen stands at the start already."""
    pieces = max(1, math.ceil(abs(end - start) / (math.pi / 2) - 1e-9))
    step = (end - start) / pieces
    return tuple(_short_arc(box, start + i * step, step) for i in range(pieces))


def point_on_ellipse(box: Box, angle: float) -> Point:
    """The point of a box's ellipse at an angle (as in `elliptic_arc`)."""
    x, y, width, height = box
    return Point(x + width / 2 + width / 2 * math.cos(angle), y + height / 2 + height / 2 * math.sin(angle))


def polygon(corners: Iterable[Point]) -> Path:
    """A closed polygon."""
    return (*polyline(corners), Close())


def polyline(points: Iterable[Point]) -> Path:
    """An open chain of straight segments; nothing when there are no points."""
    first, *rest = points
    segments: list[Segment] = [Move(first)]
    segments.extend(Line(point) for point in rest)
    return tuple(segments)


def segment(start: Point, end: Point) -> Path:
    """One straight line."""
    return (Move(start), Line(end))


def _short_arc(box: Box, start: float, sweep: float) -> Cubic:
    k = 4 / 3 * math.tan(sweep / 4)
    a, b = point_on_ellipse(box, start), point_on_ellipse(box, start + sweep)
    rx, ry = box.width / 2 * k, box.height / 2 * k
    end = start + sweep
    return Cubic(
        Point(a.x - rx * math.sin(start), a.y + ry * math.cos(start)),
        Point(b.x + rx * math.sin(end), b.y - ry * math.cos(end)),
        b,
    )
