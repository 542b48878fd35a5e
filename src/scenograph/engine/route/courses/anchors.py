"""Anchors: the places on the sides of a box at which a route may leave or enter, each with its penalty.

In: the boxes of both ends. Out: anchors on the sides of the box; the step onto the outline of the shape follows in
`finishing`. Rules R-ROUTE-2, R-ROUTE-10.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import NamedTuple

from scenograph.engine.costs import BESIDE_MIDDLES, LAST_RESORT
from scenograph.engine.geometry.boxes import Box, maker
from scenograph.engine.geometry.directions import OUTWARDS, extent_along
from scenograph.engine.geometry.spatial_index import Bounds
from scenograph.engine.kernels.runs import SEPARATION

CORNER_MARGIN = 8.0  # the distance kept from a side's corners by a freely moving anchor
CROWDED_MARGIN = 6.0  # px from a corner to one of several anchors: four are 12 px apart on a side of 48 px
OFF_CORNER = 0.01  # an anchor on the far end's line only avoids the very corner
LEAST_ROOM = 16.0  # to both sides of the middle of a small icon
ROUNDING = 1.0  # px; a line may come to lie so much beside its place, and must not miss the icon then


class Anchor(NamedTuple):
    """A place on a side of a box. The edge leaves in the direction (dx, dy). From `reach_low` to `reach_high` the
    anchor moves to the coordinate of an arriving edge; from `low` to `high` it may slide by itself, to meet the far end
    in its middle or to pass an obstacle; from `room_low` to `room_high` it may give way to edges of the same side.
    `penalty`: the price of the side, in px of length."""

    side: str
    x: float
    y: float
    dx: int
    dy: int
    low: float
    high: float
    room_low: float
    room_high: float
    reach_low: float
    reach_high: float
    penalty: float = 0.0

    @property
    def along(self) -> float:
        """The coordinate along the side."""
        return self.x if self.dx == 0 else self.y

    def at(self, along: float) -> Anchor:
        """The same side at another coordinate."""
        if self.dx == 0:
            return self._replace(x=along)
        return self._replace(y=along)

    def fixed(self) -> Anchor:
        """The same place without reach for straight segments; free to give way to its neighbours on the side."""
        at = self.along
        return self._replace(low=at, high=at, reach_low=at, reach_high=at)


anchor_of = maker(Anchor)  # four for each end of a line


def within_content(anchors: Sequence[Anchor], icon: Box, label: Box | None) -> tuple[Anchor, ...]:
    """The anchors of an element without a visible box, along its visible parts: the top side is as wide as the icon,
    the bottom side as wide as the label; left and right are as high as the icon, to keep routes from ending beside the
    text."""
    seen = {"bottom": label if label is not None and label.y >= icon.bottom else icon}
    return tuple(_within(anchor, seen.get(anchor.side, icon)) for anchor in anchors)


def _within(anchor: Anchor, part: Box) -> Anchor:
    low, high = (part.x, part.right) if anchor.dx == 0 else (part.y, part.bottom)
    if anchor.room_low == anchor.room_high:
        return anchor
    margin = min(CORNER_MARGIN, (high - low) / 4)
    reach = max(low + OFF_CORNER, anchor.reach_low), min(high - OFF_CORNER, anchor.reach_high)
    whole = max(low + ROUNDING, anchor.room_low), min(high - ROUNDING, anchor.room_high)
    low, high = max(low + margin, anchor.low), min(high - margin, anchor.high)
    if low > high:
        return anchor
    anchor = anchor._replace(reach_low=reach[0], reach_high=reach[1])
    middle = min(high, max(low, (part.center.x if anchor.dx == 0 else part.center.y)))
    if anchor.dx:
        return anchor.at(middle)._replace(low=low, high=high, room_low=whole[0], room_high=whole[1])
    room = max(anchor.room_low, min(low, middle - LEAST_ROOM)), min(anchor.room_high, max(high, middle + LEAST_ROOM))
    return anchor.at(middle)._replace(low=low, high=high, room_low=room[0], room_high=room[1])


def slid(anchors: Sequence[Anchor], obstacles: Sequence[Bounds], stub: float) -> tuple[Anchor, ...]:
    """For each anchor the places along its side with a clear straight run of `stub` px: the place nearest to the middle
    in each gap between obstacles."""
    return tuple(place for anchor in anchors for place in _gaps(anchor, obstacles, stub))


def _gaps(anchor: Anchor, obstacles: Sequence[Bounds], stub: float) -> list[Anchor]:
    along, out = (0, 1) if anchor.dx == 0 else (1, 0)
    base = anchor.y if anchor.dx == 0 else anchor.x
    near, far = sorted((base, base + (anchor.dx + anchor.dy) * stub))
    blocked = sorted((box[along], box[along + 2]) for box in obstacles if box[out] < far and box[out + 2] > near)
    found: list[Anchor] = []
    begin = anchor.low
    for low, high in [*blocked, (anchor.high, inf)]:
        end = min(low, anchor.high)
        if begin <= end:
            place = min(end, max(begin, anchor.along))
            aside = BESIDE_MIDDLES if place != anchor.along else 0.0
            price = min(anchor.penalty + aside, LAST_RESORT)
            found.append(anchor.at(place)._replace(penalty=price))
        begin = max(begin, high)
    return found


def places_on(box: Box, side: str) -> int:
    """How many lines have room side by side on a side."""
    low, high = extent_along(box, side)
    return 1 + int(max(0.0, high - low - 2 * CORNER_MARGIN) / SEPARATION)


def box_anchor(box: Box, side: str) -> Anchor:
    """The middle of a side, free to slide along the side."""
    low, high = extent_along(box, side)
    return _anchor(box, side, (low + high) / 2, _spans(low, high))


def box_anchors(box: Box) -> tuple[Anchor, ...]:
    """The middles of all sides, in the order of `SIDES`."""
    left, top, width, height = box
    right, bottom = left + width, top + height
    level, upright = _spans(left, right), _spans(top, bottom)
    x, y = (left + right) / 2, (top + bottom) / 2
    return (
        anchor_of(("top", x, top, 0, -1, *level, 0.0)),
        anchor_of(("right", right, y, 1, 0, *upright, 0.0)),
        anchor_of(("bottom", x, bottom, 0, 1, *level, 0.0)),
        anchor_of(("left", left, y, -1, 0, *upright, 0.0)),
    )


def _spans(low: float, high: float) -> tuple[float, float, float, float, float, float]:
    """The spans of an anchor in the middle of a side: to slide, to give way, and to meet an arriving route."""
    quarter = (high - low) / 4
    margin, kept, inside = min(CORNER_MARGIN, quarter), min(CROWDED_MARGIN, quarter), min(OFF_CORNER, quarter)
    return low + margin, high - margin, low + kept, high - kept, low + inside, high - inside


def pinned_anchor(box: Box, side: str, along: float, room: float) -> Anchor:
    """A place that moves at most `room` px, and only to give way."""
    return _anchor(box, side, along, (along, along, along - room, along + room, along, along))


def _anchor(box: Box, side: str, along: float, spans: tuple[float, float, float, float, float, float]) -> Anchor:
    """An anchor by its place and its spans: to slide, to give way, and to meet an arriving route."""
    dx, dy = OUTWARDS[side]
    x = along if dx == 0 else (box.x + box.width if dx > 0 else box.x)
    y = along if dy == 0 else (box.y + box.height if dy > 0 else box.y)
    return Anchor(side, x, y, dx, dy, *spans)
