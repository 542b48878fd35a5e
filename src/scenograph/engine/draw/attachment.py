"""How a route meets what is really drawn: its segments on sharp lines, its ends on the rims of the outlines. px.

Outlines are moved to sharp lines and have a width; without this an arrow would end half a pixel inside its box or
poke through its border.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from scenograph.engine.draw.crisp import crisp
from scenograph.engine.draw.lines import direction
from scenograph.engine.draw.sheet import Sheet
from scenograph.engine.geometry.boxes import Point

_PARALLEL = 0.01  # a segment that leaves its axis by less is horizontal or vertical
_SHORTEST = 3.0  # an end segment shorter than this is left alone


def on_sharp_lines(points: Sequence[Point], stroke_width: float) -> tuple[Point, ...]:
    """The polyline with its horizontal and vertical segments where they are sharp; slanted ones follow."""
    xs, ys = [point.x for point in points], [point.y for point in points]
    for i in range(len(points) - 1):
        a, b = points[i], points[i + 1]
        if abs(a.x - b.x) < _PARALLEL < abs(a.y - b.y):
            xs[i] = xs[i + 1] = crisp(a.x, stroke_width)
        elif abs(a.y - b.y) < _PARALLEL < abs(a.x - b.x):
            ys[i] = ys[i + 1] = crisp(a.y, stroke_width)
    return tuple(map(Point, xs, ys))


def at_rim(sheet: Sheet, element_id: str, end: Point, before: Point, *, marked: bool) -> Point:
    """Where an edge that comes from `before` ends at an element: on the middle of its drawn outline, or, when a marker
    stands there, on the outline's outer rim."""
    box = sheet.box(element_id)
    if box is None or math.dist(end, before) < _SHORTEST:
        return end
    width = sheet.stroke_width(element_id)
    arriving = direction(before, end)
    dx = _shift(end.x, box.x, box.right, width) if abs(arriving.x) > _PARALLEL else 0.0
    dy = _shift(end.y, box.y, box.bottom, width) if abs(arriving.y) > _PARALLEL else 0.0
    back = width / 2 if marked else 0.0
    return Point(end.x + dx - back * arriving.x, end.y + dy - back * arriving.y)


def _shift(coordinate: float, low: float, high: float, width: float) -> float:
    """How far the nearer side of an outline was moved to be sharp."""
    side = low if coordinate - low < high - coordinate else high
    return crisp(side, width) - side
