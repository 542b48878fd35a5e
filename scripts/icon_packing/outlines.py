"""SVG's basic shapes (SVG 2, section 10) as paths: one row of OUTLINES for each element that draws."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from icon_packing.path_data import Arc, arc_segments, read_path_data
from scenograph.engine.geometry.boxes import Point
from scenograph.engine.geometry.paths import Close, Line, Move, Path, Segment

_LENGTH = re.compile(r"\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)\s*(?:px)?\s*")
_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")

Attributes = Mapping[str, str]


def length(text: str | None, default: float = 0.0) -> float:
    """A number of user units; ValueError for any other unit."""
    if text is None:
        return default
    match = _LENGTH.fullmatch(text)
    if match is None:
        raise ValueError(f"unreadable length {text!r}")
    return float(match[1])


def _rect(of: Attributes) -> Path:
    x, y, w, h = (length(of.get(name)) for name in ("x", "y", "width", "height"))
    if w <= 0 or h <= 0:
        return ()
    rx, ry = length(of.get("rx", of.get("ry"))), length(of.get("ry", of.get("rx")))
    rx, ry = min(rx, w / 2), min(ry, h / 2)
    if rx <= 0 or ry <= 0:
        corners = (Point(x, y), Point(x + w, y), Point(x + w, y + h), Point(x, y + h))
        return _polygon_of(corners)
    sides = (
        (Point(x + rx, y), Point(x + w - rx, y), Point(x + w, y + ry)),
        (Point(x + w, y + ry), Point(x + w, y + h - ry), Point(x + w - rx, y + h)),
        (Point(x + w - rx, y + h), Point(x + rx, y + h), Point(x, y + h - ry)),
        (Point(x, y + h - ry), Point(x, y + ry), Point(x + rx, y)),
    )
    path: list[Segment] = [Move(sides[0][0])]
    for start, corner, end in sides:
        if start != corner:
            path.append(Line(corner))
        path += arc_segments(corner, Arc(rx, ry, 0.0, large=False, sweep=True, to=end))
    return (*path, Close())


def _ellipse_of(cx: float, cy: float, rx: float, ry: float) -> Path:
    if rx <= 0 or ry <= 0:
        return ()
    stations = (Point(cx + rx, cy), Point(cx, cy + ry), Point(cx - rx, cy), Point(cx, cy - ry))
    path: list[Segment] = [Move(stations[0])]
    for start, end in zip(stations, (*stations[1:], stations[0]), strict=True):
        path += arc_segments(start, Arc(rx, ry, 0.0, large=False, sweep=True, to=end))
    return (*path, Close())


def _circle(of: Attributes) -> Path:
    radius = length(of.get("r"))
    return _ellipse_of(length(of.get("cx")), length(of.get("cy")), radius, radius)


def _ellipse(of: Attributes) -> Path:
    return _ellipse_of(*(length(of.get(name)) for name in ("cx", "cy", "rx", "ry")))


def _line(of: Attributes) -> Path:
    x1, y1, x2, y2 = (length(of.get(name)) for name in ("x1", "y1", "x2", "y2"))
    return (Move(Point(x1, y1)), Line(Point(x2, y2)))


def _points(of: Attributes) -> tuple[Point, ...]:
    numbers = [float(n) for n in _NUMBER.findall(of.get("points", ""))]
    return tuple(Point(x, y) for x, y in zip(numbers[::2], numbers[1::2], strict=False))


def _polygon_of(corners: tuple[Point, ...]) -> Path:
    if not corners:
        return ()
    return (Move(corners[0]), *(Line(corner) for corner in corners[1:]), Close())


def _polygon(of: Attributes) -> Path:
    return _polygon_of(_points(of))


def _polyline(of: Attributes) -> Path:
    return _polygon(of)[:-1]


def _path(of: Attributes) -> Path:
    return read_path_data(of.get("d", ""))


OUTLINES: Mapping[str, Callable[[Attributes], Path]] = {
    "path": _path,
    "rect": _rect,
    "circle": _circle,
    "ellipse": _ellipse,
    "line": _line,
    "polyline": _polyline,
    "polygon": _polygon,
}
