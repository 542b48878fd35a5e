"""How a route meets what is really drawn: its segments on sharp lines, its ends on the rims of the outlines. px.

Outlines are moved to sharp lines and have a width; without this an arrow would end half a pixel inside its box or
poke through its border. A node that is nothing but its icon and its label has no border to be seen: lines go on to what
is.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from scenograph.engine.geometry.boxes import Box, Point, union
from scenograph.engine.geometry.crisp import crisp, offset_of
from scenograph.engine.geometry.tuples import maker
from scenograph.engine.kernels.clipping import PARALLEL, sharpened
from scenograph.engine.route.finishing.lines import direction
from scenograph.engine.tables import NO_PARTS, Placement, Styles
from scenograph.late_dataclasses import dataclass

_point = maker(Point)
_SHORTEST = 3.0  # an end segment shorter than this is left alone

CONTENT_GAP = 4.0
"""Between the end of a line and an icon or a label that stands without a box, px."""


def on_sharp_lines(points: Sequence[Point], stroke_width: float) -> tuple[Point, ...]:
    """The polyline with its horizontal and vertical segments where they are sharp; slanted ones follow."""
    return tuple(map(_point, sharpened(tuple(points), offset_of(stroke_width))))


@dataclass(frozen=True, slots=True)
class Rims:
    """What lines end at: placed elements with the strokes that are drawn round them."""

    styles: Styles
    placement: Placement

    def at(self, element_id: str, end: Point, before: Point, *, marked: bool) -> Point:
        """Where an edge that comes from `before` ends at an element: on the middle of its drawn outline, or, when a
        marker stands there, on the outline's outer rim."""
        box, length = self.placement.boxes.get(element_id), math.dist(end, before)
        if box is None or length < _SHORTEST:
            return end
        width = self.styles.seen_width(element_id)
        (x, y), (left, top, across, down) = end, box
        way_x, way_y = (x - before.x) / length, (y - before.y) / length
        content = _bare_content(self, element_id) if width == 0.0 else ()
        if content:
            return _at_content(content, box, _outside(content, end, before), Point(way_x, way_y))
        dx = _shift(x, left, left + across, width) if abs(way_x) > PARALLEL else 0.0
        dy = _shift(y, top, top + down, width) if abs(way_y) > PARALLEL else 0.0
        back = width / 2 if marked else 0.0
        return Point(x + dx - back * way_x, y + dy - back * way_y)


def _bare_content(rims: Rims, element_id: str) -> tuple[Box, ...]:
    """Icon and label of an element without a stroke that has no box to be seen; nothing of others."""
    parts, style = rims.placement.parts.get(element_id, NO_PARTS), rims.styles.of.get(element_id)
    if "icon" not in parts or rims.placement.is_table(element_id) or style is None or style.fill.alpha > 0:
        return ()
    return tuple(parts[name].grown(CONTENT_GAP) for name in ("icon", "label") if name in parts)


def _outside(content: Sequence[Box], end: Point, before: Point) -> Point:
    """An end that lies on an icon or a label which stands out of its box, drawn back to where that begins."""
    back, at = direction(end, before), end
    for part in (*content, *content):  # drawn back from a label it may lie on the icon above
        if part.x < at.x < part.right and part.y < at.y < part.bottom:
            away = _exit(part, at, back)
            at = Point(at.x + away * back.x, at.y + away * back.y)
    return at if math.dist(at, end) < math.dist(end, before) else end


def _exit(box: Box, start: Point, way: Point) -> float:
    """How many px from `start` inside a box along the unit vector `way` lies its border."""
    sides = ((start.x, way.x, box.x, box.right), (start.y, way.y, box.y, box.bottom))
    return min(((high if step > 0 else low) - at) / step for at, step, low, high in sides if abs(step) >= PARALLEL)


def _at_content(content: Sequence[Box], box: Box, end: Point, arriving: Point) -> Point:
    """Where a line that goes on from `end` meets what is seen in an unseen box: the first part it hits, else the level
    of both; where it was, when it would leave the box first."""
    whole = union(content)
    shares = [share for part in content if (share := _entry(part, end, arriving)) is not None]
    if not shares and whole is not None and (share := _entry(whole, end, arriving)) is not None:
        shares = [share]
    ahead = min(shares, default=0.0)
    return Point(end.x + ahead * arriving.x, end.y + ahead * arriving.y) if ahead < box.width + box.height else end


def _entry(box: Box, start: Point, way: Point) -> float | None:
    """How many px from `start` along the unit vector `way` lies the border of `box`; 0 inside it, None for a miss."""
    first, last = 0.0, math.inf
    for at, step, low, high in ((start.x, way.x, box.x, box.right), (start.y, way.y, box.y, box.bottom)):
        if abs(step) < PARALLEL:
            if not low <= at <= high:
                return None
            continue
        near, far = sorted(((low - at) / step, (high - at) / step))
        first, last = max(first, near), min(last, far)
    return first if first <= last else None


def _shift(coordinate: float, low: float, high: float, width: float) -> float:
    """How far the nearer side of an outline was moved to be sharp."""
    side = low if coordinate - low < high - coordinate else high
    return crisp(side, width) - side
