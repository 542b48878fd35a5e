"""The stretch of a line that it shares with no other line of its fan: only there a label tells whose it is.

In: the corners of a line and of those that meet it in one point. Out: the corners, with the place where it joins the
first of them among these, and the segments before it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from scenograph.engine.geometry.boxes import Point
from scenograph.engine.geometry.segments import manhattan

_NEAR = 0.5  # lines so close are one
_LEAST = 1.0  # a shorter stretch is none

Line = Sequence[Point]
Segments = tuple[int, int]
"""The first segment, and the one after the last."""


def with_own_stretch(line: Line, fellows: Sequence[Line]) -> tuple[tuple[Point, ...], Segments | None]:
    """The line and its own segments; None when it is alone, or shared from end to end."""
    meets_at_end = any(manhattan(line[-1], fellow[-1]) < _NEAR for fellow in fellows)
    way = tuple(line) if meets_at_end else tuple(reversed(line))
    joint = min(_shared(way, fellows), default=None)
    if joint is None or joint < _LEAST:
        return tuple(line), None
    corners, own = _cut(way, joint)
    if meets_at_end:
        return corners, (0, own)
    return tuple(reversed(corners)), (len(corners) - 1 - own, len(corners) - 1)


def _shared(way: Line, fellows: Sequence[Line]) -> Iterator[float]:
    """How far along the way others run on it."""
    passed = 0.0
    for a, b in pairwise(way):
        for fellow in fellows:
            yield from (passed + begin for c, d in pairwise(fellow) if (begin := _overlap(a, b, c, d)) is not None)
        passed += manhattan(a, b)


def _overlap(a: Point, b: Point, c: Point, d: Point) -> float | None:
    """How far from `a` the segment c-d begins to lie on a-b; both run along one axis."""
    for along, across in ((0, 1), (1, 0)):
        if max(abs(p[across] - a[across]) for p in (b, c, d)) < _NEAR:
            low, high = (
                max(min(a[along], b[along]), min(c[along], d[along])),
                min(max(a[along], b[along]), max(c[along], d[along])),
            )
            if high - low > _NEAR:
                return min(abs(low - a[along]), abs(high - a[along]))
    return None


def _cut(way: Line, joint: float) -> tuple[tuple[Point, ...], int]:
    """The way with a corner where it has run for `joint` px, and the number of that corner."""
    corners, left = [way[0]], joint
    for place, (a, b) in enumerate(pairwise(way), start=1):
        span = manhattan(a, b)
        if left <= span:
            share = left / span
            at = Point(a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share)
            rest = way[place:] if manhattan(at, b) >= _NEAR else way[place + 1 :]
            return (*corners, at, *rest) if rest else tuple(way), len(corners)
        corners.append(b)
        left -= span
    return tuple(way), len(way) - 1
