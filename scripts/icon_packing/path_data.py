"""SVG path data (SVG 2, section 9.3) to the five commands of the engine; arcs become cubics."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import NamedTuple

from scenograph.engine.geometry.boxes import Point
from scenograph.engine.geometry.paths import Close, Cubic, Line, Move, Path, Quadratic, Segment

_COMMAND = re.compile(r"\s*([MmLlHhVvCcSsQqTtAaZz])|[\s,]*")
_NUMBER = re.compile(r"[\s,]*([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)")
_FLAG = re.compile(r"[\s,]*([01])")
_ARITY = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "S": 4, "Q": 4, "T": 2, "A": 7, "Z": 0}
_ARC_FLAGS = (3, 4)
_TINY = 1e-9


class Arc(NamedTuple):
    """An elliptical arc to a point: radii, rotation in degrees, the two flags."""

    rx: float
    ry: float
    rotation: float
    large: bool
    sweep: bool
    to: Point


class _Pen:
    """Where the path stands, and the last control point for the smooth commands."""

    def __init__(self) -> None:
        self.segments: list[Segment] = []
        self.at = Point(0.0, 0.0)
        self.start = self.at
        self.cubic: Point | None = None
        self.quadratic: Point | None = None

    def add(self, segment: Segment, to: Point) -> None:
        # Drawing on after a close starts a new subpath where the last one began.
        if not isinstance(segment, Move) and (not self.segments or isinstance(self.segments[-1], Close)):
            self.segments.append(Move(self.at))
        self.segments.append(segment)
        self.cubic = segment.control2 if isinstance(segment, Cubic) else None
        self.quadratic = segment.control if isinstance(segment, Quadratic) else None
        self.at = to

    def mirrored(self, control: Point | None) -> Point:
        """The control point that continues a curve smoothly."""
        return self.at if control is None else Point(2 * self.at.x - control.x, 2 * self.at.y - control.y)


def _move(pen: _Pen, n: list[float], o: Point) -> None:
    to = Point(o.x + n[0], o.y + n[1])
    pen.add(Move(to), to)
    pen.start = to


def _line(pen: _Pen, n: list[float], o: Point) -> None:
    to = Point(o.x + n[0], o.y + n[1])
    pen.add(Line(to), to)


def _horizontal(pen: _Pen, n: list[float], o: Point) -> None:
    to = Point(o.x + n[0], pen.at.y)
    pen.add(Line(to), to)


def _vertical(pen: _Pen, n: list[float], o: Point) -> None:
    to = Point(pen.at.x, o.y + n[0])
    pen.add(Line(to), to)


def _cubic(pen: _Pen, n: list[float], o: Point) -> None:
    one, two, to = (Point(o.x + n[i], o.y + n[i + 1]) for i in (0, 2, 4))
    pen.add(Cubic(one, two, to), to)


def _smooth_cubic(pen: _Pen, n: list[float], o: Point) -> None:
    two, to = (Point(o.x + n[i], o.y + n[i + 1]) for i in (0, 2))
    pen.add(Cubic(pen.mirrored(pen.cubic), two, to), to)


def _quadratic(pen: _Pen, n: list[float], o: Point) -> None:
    one, to = (Point(o.x + n[i], o.y + n[i + 1]) for i in (0, 2))
    pen.add(Quadratic(one, to), to)


def _smooth_quadratic(pen: _Pen, n: list[float], o: Point) -> None:
    to = Point(o.x + n[0], o.y + n[1])
    pen.add(Quadratic(pen.mirrored(pen.quadratic), to), to)


def _arc(pen: _Pen, n: list[float], o: Point) -> None:
    arc = Arc(n[0], n[1], n[2], bool(n[3]), bool(n[4]), Point(o.x + n[5], o.y + n[6]))
    for segment in arc_segments(pen.at, arc):
        pen.add(segment, segment.to)
    # An arc hands no control point on, though it is drawn as cubics.
    pen.cubic = None


def _close(pen: _Pen, _n: list[float], _o: Point) -> None:
    if pen.segments and not isinstance(pen.segments[-1], Close):
        pen.add(Close(), pen.start)


_DRAW: dict[str, Callable[[_Pen, list[float], Point], None]] = {
    "M": _move,
    "L": _line,
    "H": _horizontal,
    "V": _vertical,
    "C": _cubic,
    "S": _smooth_cubic,
    "Q": _quadratic,
    "T": _smooth_quadratic,
    "A": _arc,
    "Z": _close,
}
_ORIGIN = Point(0.0, 0.0)


def read_path_data(data: str) -> Path:
    """The path that a `d` attribute describes, absolute; ValueError on a broken one."""
    pen, place = _Pen(), 0
    letter = ""
    while place < len(data):
        match = _COMMAND.match(data, place)
        if match is not None and match[1]:
            letter, place = match[1], match.end()
        elif match is not None and match.end() == len(data):
            break
        elif letter.upper() in ("", "Z"):
            raise ValueError(f"path data without a command: {data[place : place + 20]!r}")
        numbers, place = _arguments(data, place, letter.upper())
        _DRAW[letter.upper()](pen, numbers, pen.at if letter.islower() else _ORIGIN)
        # Further coordinate pairs of a move are lines.
        letter = {"M": "L", "m": "l"}.get(letter, letter)
    return tuple(pen.segments)


def _arguments(data: str, place: int, letter: str) -> tuple[list[float], int]:
    numbers: list[float] = []
    for index in range(_ARITY[letter]):
        pattern = _FLAG if letter == "A" and index in _ARC_FLAGS else _NUMBER
        match = pattern.match(data, place)
        if match is None:
            raise ValueError(f"broken path data: {data[place : place + 20]!r}")
        numbers.append(float(match[1]))
        place = match.end()
    return numbers, place


def arc_segments(start: Point, arc: Arc) -> list[Cubic | Line]:
    """Cubics along an arc, each a quarter turn at most (SVG 2, appendix B.2; error below 3e-4 of the radius)."""
    rx, ry = abs(arc.rx), abs(arc.ry)
    if start == arc.to:
        return []
    if min(rx, ry, math.dist(start, arc.to)) < _TINY:
        return [Line(arc.to)]
    cos, sin = math.cos(math.radians(arc.rotation)), math.sin(math.radians(arc.rotation))
    half = Point((start.x - arc.to.x) / 2, (start.y - arc.to.y) / 2)
    x, y = cos * half.x + sin * half.y, -sin * half.x + cos * half.y
    grow = math.sqrt(max(1.0, (x / rx) ** 2 + (y / ry) ** 2))
    rx, ry = rx * grow, ry * grow
    reach = (rx * y) ** 2 + (ry * x) ** 2
    factor = math.sqrt(max(0.0, ((rx * ry) ** 2 - reach) / reach)) * (-1 if arc.large == arc.sweep else 1)
    center = Point(factor * rx * y / ry, -factor * ry * x / rx)
    begin = math.atan2((y - center.y) / ry, (x - center.x) / rx)
    turn = (math.atan2((-y - center.y) / ry, (-x - center.x) / rx) - begin) % (2 * math.pi)
    if not arc.sweep and turn > 0:
        turn -= 2 * math.pi
    middle = Point((start.x + arc.to.x) / 2, (start.y + arc.to.y) / 2)

    def placed(u: float, v: float) -> Point:
        u, v = center.x + rx * u, center.y + ry * v
        return Point(middle.x + cos * u - sin * v, middle.y + sin * u + cos * v)

    return _quarters(begin, turn, placed, arc.to)


def _quarters(begin: float, turn: float, placed: Callable[[float, float], Point], end: Point) -> list[Cubic | Line]:
    count = max(1, math.ceil(abs(turn) / (math.pi / 2) - 1e-9))
    step = turn / count
    pull = 4 / 3 * math.tan(step / 4)
    segments: list[Cubic | Line] = []
    for index in range(count):
        a, b = begin + index * step, begin + (index + 1) * step
        one = placed(math.cos(a) - pull * math.sin(a), math.sin(a) + pull * math.cos(a))
        two = placed(math.cos(b) + pull * math.sin(b), math.sin(b) - pull * math.cos(b))
        to = end if index == count - 1 else placed(math.cos(b), math.sin(b))
        segments.append(Cubic(one, two, to))
    return segments
