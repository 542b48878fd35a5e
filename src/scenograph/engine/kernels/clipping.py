"""Straight segments against boxes. px."""

from __future__ import annotations

from math import floor
from typing import Final

from scenograph.engine.kernels.cell_grid import Sides

Place = tuple[float, float]
PARALLEL: Final = 0.01  # px; a piece that leaves its axis by less is level or upright
TOLERANCE: Final = 0.01  # px; what layout arithmetic leaves must not decide between two pixels
DECIMALS: Final = 2  # of px in a result (R-ROUTE-17)
LEAST_PART: Final = 1e-12  # of a segment; less of it inside a box is a touch


def hull(points: tuple[Place, ...]) -> Sides:
    """The sides of the smallest box round points."""
    left, top = points[0]
    right, bottom = left, top
    for x, y in points:
        left, right = min(left, x), max(right, x)
        top, bottom = min(top, y), max(bottom, y)
    return left, top, right, bottom


def sharpened(points: tuple[Place, ...], offset: float) -> tuple[Place, ...]:
    """A polyline with its level and upright pieces where they are sharp: `offset` px (0 or a half) beyond a whole one.
    Slanted pieces follow."""
    xs, ys = [x for x, _ in points], [y for _, y in points]
    for number in range(len(points) - 1):
        (ax, ay), (bx, by) = points[number], points[number + 1]
        dx, dy = abs(ax - bx), abs(ay - by)
        if dx < PARALLEL < dy:
            xs[number] = xs[number + 1] = sharp(ax, offset)
        elif dy < PARALLEL < dx:
            ys[number] = ys[number + 1] = sharp(ay, offset)
    return tuple([(x, ys[number]) for number, x in enumerate(xs)])


def sharp(coordinate: float, offset: float) -> float:
    """The nearest coordinate so far beyond a whole one."""
    return floor(coordinate + (0.5 - offset) + TOLERANCE) + offset


def rounded(points: tuple[Place, ...]) -> tuple[Place, ...]:
    """The same points with at most `DECIMALS`."""
    return tuple([(_rounded(x), _rounded(y)) for x, y in points])


def _rounded(coordinate: float) -> float:
    """Most coordinates lie on half pixels, which need no rounding."""
    doubled = 2.0 * coordinate
    return coordinate if floor(doubled) == doubled else round(coordinate, DECIMALS)


def clip(a: Place, b: Place, box: Sides) -> Place:
    """The part of the segment a-b inside the closed box as two parameters from 0 to 1, the second less than the first
    where there is none (Liang and Barsky, 1984)."""
    ax, ay = a
    bx, by = b
    left, top, right, bottom = box
    return _clip_axis(ay, by - ay, top, bottom, _clip_axis(ax, bx - ax, left, right, (0.0, 1.0)))


def _clip_axis(at: float, step: float, low: float, high: float, part: Place) -> Place:
    """The part of a segment that lies between two coordinates as well."""
    if step == 0.0:
        return part if low <= at <= high else (1.0, 0.0)
    first, last = (at - low) / -step, (high - at) / step
    if step < 0.0:
        first, last = last, first
    return max(part[0], first), min(part[1], last)


def crosses(a: Place, b: Place, box: Sides) -> bool:
    """Whether a segment shares a point with the interior of a box."""
    ax, ay = a
    bx, by = b
    left, top, right, bottom = box
    if min(ax, bx) >= right or max(ax, bx) <= left or min(ay, by) >= bottom or max(ay, by) <= top:
        return False
    if ax == bx or ay == by:
        return True
    first, last = clip(a, b, box)
    if last - first <= LEAST_PART:
        return False
    middle = (first + last) / 2
    return left < ax + (bx - ax) * middle < right and top < ay + (by - ay) * middle < bottom
