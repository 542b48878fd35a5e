"""Brackets: out of one side, along, and back into the same side of the other end.

In: a connection, its anchors and the obstacles. Out: the shortest clear bracket, or None. Where something bars the
straight way between two ends that stand in line, a bracket with its two bends reads better than a line that winds round
the obstacle and comes back.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from scenograph.engine.geometry.boxes import Point
from scenograph.engine.geometry.segments import length
from scenograph.engine.geometry.spatial_index import Bounds
from scenograph.engine.kernels.obstacles import is_clear
from scenograph.engine.route.costs import BEND, WINDING
from scenograph.engine.route.courses.simple import Path
from scenograph.engine.route.ports.anchors import Anchor

WINDS = 3  # bends from which on a path is held against a bracket
FARTHEST = 80.0  # from the outer end


def unwound(
    path: Path, ends: tuple[Sequence[Anchor], Sequence[Anchor]], obstacles: Sequence[Bounds], stub: float
) -> Path:
    """The path itself, or a bracket between the same ends where that costs less than winding."""
    drawn = length(path.points) + BEND * (len(path.points) - 2)
    found = min(_brackets(ends, obstacles, stub), key=lambda bracket: bracket.cost, default=path)
    return found if found is not path and found.cost < drawn + WINDING else path


def _brackets(
    ends: tuple[Sequence[Anchor], Sequence[Anchor]], obstacles: Sequence[Bounds], stub: float
) -> Iterator[Path]:
    """The nearest clear bracket on every side."""
    starts, finishes = ends
    for start in starts:
        for finish in finishes:
            if (start.dx, start.dy) == (finish.dx, finish.dy):
                bracket = _nearest(start, finish, obstacles, stub)
                if bracket is not None:
                    yield bracket


def _nearest(start: Anchor, finish: Anchor, obstacles: Sequence[Bounds], stub: float) -> Path | None:
    across, sign = (0, start.dx) if start.dx else (1, start.dy)
    begin = max(start.x * sign, finish.x * sign) if start.dx else max(start.y * sign, finish.y * sign)
    begin += stub
    edges = (box[across + 2] if sign > 0 else -box[across] for box in obstacles)
    for out in sorted({begin, *(edge for edge in edges if begin < edge < begin + FARTHEST)}):
        points = _drawn(start, finish, out * sign)
        if is_clear(points, obstacles):
            return Path(points, start, finish, length(points) + 2 * BEND)
    return None


def _drawn(start: Anchor, finish: Anchor, out: float) -> tuple[Point, ...]:
    a, b = Point(start.x, start.y), Point(finish.x, finish.y)
    if start.dx:
        return a, Point(out, a.y), Point(out, b.y), b
    return a, Point(a.x, out), Point(b.x, out), b
