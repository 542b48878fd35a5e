"""Packing: rows that fill a page, a free place near a wish, overlaps pushed apart. px.

Every function is deterministic and keeps the given order wherever the order is free.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate, islice
from math import fsum, hypot, inf, log
from typing import NamedTuple

from scenograph.engine.geometry.boxes import Box, Point, union
from scenograph.engine.geometry.spatial_index import Bounds, SpatialIndex
from scenograph.engine.kernels.near_boxes import TOUCH, swept

# Thousands of overlapping boxes moved apart in one sweep each way. px. Along one axis every box keeps its rank among
# all boxes. One sweep pushes all boxes forward by the least distance, one backward; neither leaves an overlap among the
# given pairs, and nor does the mean, because wishes of the form "at least this far behind" hold for a mean of two
# solutions (a convex set). The path through boxes sorted along an axis is the path of force-scan (Misue, Eades, Lai and
# Sugiyama, "Layout Adjustment and the Mental Map", 1995).


ROUNDS = 3


def parted(boxes: Sequence[Box], gap: float) -> tuple[Box, ...]:
    """The boxes moved to be pairwise `gap` apart: overlapping pairs give way along the axis of less overlap, a few
    times; the rest move along the axis that takes less room."""
    moved = list(boxes)
    for _ in range(ROUNDS):
        for side in (0, 1):
            moved = _swept(moved, gap, side, only_overlaps=True)
    return tuple(min((_swept(moved, gap, side, only_overlaps=False) for side in (1, 0)), key=_room))


def _room(boxes: Sequence[Box]) -> float:
    around = union(boxes)
    return 0.0 if around is None else around.width * around.height


def _swept(boxes: Sequence[Box], gap: float, side: int, *, only_overlaps: bool) -> list[Box]:
    """The boxes moved along an axis (0: x, 1: y)."""
    across = 1 - side
    shifts = swept(
        [box[side] + box[side + 2] / 2 for box in boxes],
        [(box[side + 2] + gap) / 2 for box in boxes],
        [box[across] - gap / 2 + TOUCH for box in boxes],
        [box[across] + box[across + 2] + gap / 2 - TOUCH for box in boxes],
        only_overlaps=only_overlaps,
    )
    return [box.moved(0.0, by) if side else box.moved(by, 0.0) for box, by in zip(boxes, shifts, strict=True)]


_WASTE = 1.0  # price of a page twice as large beside that of one twice as wide
_MAX_ROW_WIDTHS = 60
PUSHES, PUSHES_OF_MANY = 120, 3
MANY_BOXES = 300
FAR = 600.0
_WAYS = ((1, 0), (0, 1), (-1, 0), (0, -1))


class _Rows(NamedTuple):
    """Boxes set in rows: their top left corners, and the extent of the page."""

    corners: tuple[Point, ...]
    width: float
    height: float


def shelves(
    sizes: Sequence[tuple[float, float]], gap: float, aspect: float, *, stacked: bool = True
) -> tuple[Point, ...]:
    """Top left corners of boxes set in rows, in order, with an overall shape near `aspect` (width / height).

    The row width is chosen among the widths of neighbouring boxes (next-fit shelf packing); the waste of a ragged page
    counts as well as its shape. `stacked`: low boxes beside a high one stand below each other.
    """
    if not sizes:
        return ()
    best: tuple[Point, ...] = ()
    least = inf
    for limit in _row_widths([width for width, _ in sizes], gap):
        corners, width, height = _in_rows(sizes, gap, limit, stacked=stacked)
        cost = abs(log(max(width, 1.0) / max(height, 1.0) / aspect)) + _WASTE * log(max(width * height, 1.0))
        if cost < least - TOUCH:
            best, least = corners, cost
    return best


def _row_widths(widths: Sequence[float], gap: float) -> list[float]:
    """The widths of neighbours that may be a row, the widest first: of few boxes all, of many those of the first."""
    starts = range(len(widths)) if len(widths) <= _MAX_ROW_WIDTHS else range(1)
    sums = {total + at * gap for start in starts for at, total in enumerate(accumulate(widths[start:]))}
    rows = sorted((total for total in sums if total >= max(widths) - TOUCH), reverse=True)
    return rows[:: max(1, -(-len(rows) // _MAX_ROW_WIDTHS))]


def _in_rows(sizes: Sequence[tuple[float, float]], gap: float, limit: float, *, stacked: bool) -> _Rows:
    """The boxes in rows up to `limit` wide."""
    corners: list[Point] = []
    width = y = 0.0
    while len(corners) < len(sizes):
        row = _row(sizes, len(corners), gap, limit, stacked=stacked)
        corners += (Point(x, y + down) for x, down in row.corners)
        width, y = max(width, row.width), y + row.height + gap
    return _Rows(tuple(corners), width, y - gap)


def _row(sizes: Sequence[tuple[float, float]], start: int, gap: float, limit: float, *, stacked: bool) -> _Rows:
    """A row from a box on, up to `limit` wide, its columns as high as its highest box."""
    high = sizes[start][1] if stacked else 0.0
    while True:
        row = _columns(sizes, start, gap, limit, high)
        if not stacked or row.height <= high + TOUCH:
            return row
        high = row.height


def _columns(sizes: Sequence[tuple[float, float]], start: int, gap: float, limit: float, high: float) -> _Rows:
    """The boxes of a row in columns up to `high`; a higher box is a column of its own."""
    corners: list[Point] = []
    x = right = bottom = low = 0.0  # of the present column: its sides, its lower end; the lower end of the row
    for width, height in islice(sizes, start, None):
        is_below = bottom + gap + height <= high + TOUCH and x + width <= limit + TOUCH
        begin = x if is_below or not corners else right + gap
        if corners and begin + width > limit + TOUCH:
            break
        corners.append(Point(begin, bottom + gap if is_below and corners else 0.0))
        right = max(right, begin + width)
        x, bottom = begin, corners[-1].y + height
        low = max(low, bottom)
    return _Rows(tuple(corners), right, low)


class Occupied:
    """Occupied boxes, with queries for free room."""

    def __init__(self, boxes: Iterable[Box] = ()) -> None:
        self._boxes: list[Box] = []
        self._index = SpatialIndex()
        self._blocker: Box | None = None
        for box in boxes:
            self.add(box)

    def add(self, box: Box) -> None:
        """Take the room of `box`."""
        self._boxes.append(box)
        self._index.add(Bounds(box.x, box.y, box.right, box.bottom))

    def is_free(self, box: Box, gap: float) -> bool:
        """Whether nothing lies within `gap` of `box` (exactly `gap` away is free)."""
        room = box.grown(gap - TOUCH) if gap > 0 else box.grown(-TOUCH)
        if self._blocker is not None and self._blocker.overlaps(room):
            return False
        for number in self._index.near(room.x, room.y, room.right, room.bottom):
            if self._boxes[number].overlaps(room):
                self._blocker = self._boxes[number]  # neighbouring places are mostly blocked by the same box
                return False
        return True

    def free_spot(self, wish: Box, gap: float, within: Box | None = None, reach: float = inf) -> Box | None:
        """The free place nearest to `wish`, at least `gap` from every occupied box and at most `reach` away.

        Candidates are the wish itself, every place that touches an occupied box (grown by `gap`) and the corners of
        `within`; the surroundings are searched in growing squares. None without a place, possible only through `within`
        and `reach`.
        """
        first = wish if within is None else _pulled_inside(wish, within)
        if (within is None or within.grown(TOUCH).contains(first)) and self.is_free(first, gap):
            return first
        square = 2 * (max(wish.width, wish.height) + gap)
        while True:
            seen = [self._boxes[number] for number in self._index.near(*_square(wish, square))]
            spot = self._nearest(wish, gap, _touching(seen, wish, gap), within)
            everything = len(seen) == len(self._boxes)
            if spot is not None and (everything or _away(spot, wish) <= square):
                return spot if _away(spot, wish) <= reach else None
            if everything or square > reach:
                return None
            square *= 2

    def beside(self, wish: Box, gap: float) -> Box:
        """The nearest free place straight right of, below, left of or above `wish`; cheap among thousands of boxes."""
        best, least = wish, inf
        for way in _WAYS:
            place = self._slid(wish, gap, way, least)
            if place is not None:
                best, least = place, _away(place, wish)
        return best

    def _slid(self, wish: Box, gap: float, way: tuple[int, int], reach: float) -> Box | None:
        """The first free place in a direction, None when not nearer than `reach`."""
        (dx, dy), box = way, wish
        while not self.is_free(box, gap) and self._blocker is not None:
            over = self._blocker
            if dx:
                box = box._replace(x=over.right + gap if dx > 0 else over.x - gap - box.width)
            else:
                box = box._replace(y=over.bottom + gap if dy > 0 else over.y - gap - box.height)
            if _away(box, wish) >= reach:
                return None
        return box

    def outside(self, wish: Box, gap: float) -> Box:
        """The nearest place outside all occupied boxes."""
        around = union(self._boxes)
        if around is None:
            return wish
        hull = around.grown(gap)
        places = [
            wish._replace(x=hull.x - wish.width),
            wish._replace(x=hull.right),
            wish._replace(y=hull.y - wish.height),
            wish._replace(y=hull.bottom),
        ]
        return min(places, key=lambda place: _away(place, wish))

    def _nearest(self, wish: Box, gap: float, places: list[Box], within: Box | None) -> Box | None:
        if within is not None:
            places = [_pulled_inside(place, within) for place in places]
            places += [_pulled_inside(wish.moved(dx, dy), within) for dx in (-inf, inf) for dy in (-inf, inf)]
            places = [place for place in places if within.grown(TOUCH).contains(place)]
        places.sort(key=lambda place: _away(place, wish))
        return next((place for place in places if self.is_free(place, gap)), None)


def _square(box: Box, reach: float) -> tuple[float, float, float, float]:
    return box.x - reach, box.y - reach, box.right + reach, box.bottom + reach


def _away(place: Box, wish: Box) -> float:
    return hypot(place.x - wish.x, place.y - wish.y)


def _touching(boxes: Iterable[Box], wish: Box, gap: float) -> list[Box]:
    """Places of the wish's size that touch a box grown by `gap`: slid towards the wish, or aligned."""
    places: list[Box] = []
    for box in boxes:
        xs = (box.x - gap - wish.width, box.right + gap)
        ys = (box.y - gap - wish.height, box.bottom + gap)
        slid_x = min(max(wish.x, xs[0]), xs[1])
        slid_y = min(max(wish.y, ys[0]), ys[1])
        rows = (slid_y, box.center.y - wish.height / 2, *ys)
        columns = (slid_x, box.center.x - wish.width / 2)
        places += [Box(x, y, wish.width, wish.height) for x in xs for y in rows]
        places += [Box(x, y, wish.width, wish.height) for y in ys for x in columns]
    return places


def _pulled_inside(box: Box, area: Box) -> Box:
    x = min(max(box.x, area.x), max(area.x, area.right - box.width))
    y = min(max(box.y, area.y), max(area.y, area.bottom - box.height))
    return Box(x, y, box.width, box.height)


def pushed_apart(boxes: Sequence[Box], gap: float) -> tuple[Box, ...]:
    """The boxes moved as little as possible to be pairwise `gap` apart.

    Overlapping pairs are pushed along the axis of less overlap. Of a few boxes, any still in the way after PUSHES
    rounds takes the nearest free spot, the innermost first; many boxes are parted all at once after a few rounds.
    """
    moved, many = list(boxes), len(boxes) > MANY_BOXES
    for _ in range(PUSHES_OF_MANY if many else PUSHES):
        if not _push_once(moved, gap):
            return tuple(moved)
    return parted(moved, gap) if many else _set_down(moved, gap)


def _push_once(boxes: list[Box], gap: float) -> bool:
    index = SpatialIndex(Bounds(box.x, box.y, box.right, box.bottom) for box in boxes)
    shifts = [(0.0, 0.0)] * len(boxes)
    pushed = False
    for first, box in enumerate(boxes):
        for second in sorted(index.near(box.x - gap, box.y - gap, box.right + gap, box.bottom + gap)):
            if second <= first:
                continue
            dx, dy = _push(box, boxes[second], gap)
            if dx or dy:
                pushed = True
                shifts[first] = (shifts[first][0] - dx / 2, shifts[first][1] - dy / 2)
                shifts[second] = (shifts[second][0] + dx / 2, shifts[second][1] + dy / 2)
    for number, (dx, dy) in enumerate(shifts):
        boxes[number] = boxes[number].moved(dx, dy)
    return pushed


def _push(first: Box, second: Box, gap: float) -> tuple[float, float]:
    """The shift of `second` away from `first` along one axis; equal centres go right or down."""
    across = (first.width + second.width) / 2 + gap - abs(second.center.x - first.center.x)
    along = (first.height + second.height) / 2 + gap - abs(second.center.y - first.center.y)
    if across <= TOUCH or along <= TOUCH:
        return 0.0, 0.0
    if across <= along:
        return (across if second.center.x >= first.center.x else -across), 0.0
    return 0.0, (along if second.center.y >= first.center.y else -along)


def _set_down(boxes: list[Box], gap: float) -> tuple[Box, ...]:
    x = fsum(box.center.x for box in boxes) / len(boxes)
    y = fsum(box.center.y for box in boxes) / len(boxes)
    order = sorted(range(len(boxes)), key=lambda i: (hypot(boxes[i].center.x - x, boxes[i].center.y - y), i))
    occupied = Occupied()
    for number in order:
        spot = occupied.free_spot(boxes[number], gap, None, FAR)
        boxes[number] = spot or occupied.outside(boxes[number], gap)
        occupied.add(boxes[number])
    return tuple(boxes)


def lined_up(boxes: Sequence[Box], tolerance: float, gap: float) -> tuple[Box, ...]:
    """The boxes with nearly aligned middles set on common lines, rows first, then columns.

    A box stays in place if the move would bring it nearer than `gap` to another.
    """
    moved = list(boxes)
    for side in (1, 0):
        order = sorted(range(len(moved)), key=lambda number: (moved[number].center[side], number))
        group: list[int] = []
        for number in order:
            if group and moved[number].center[side] - moved[group[0]].center[side] > tolerance:
                _set_on_line(moved, group, side, gap)
                group = []
            group.append(number)
        _set_on_line(moved, group, side, gap)
    return tuple(moved)


def _set_on_line(boxes: list[Box], group: Sequence[int], side: int, gap: float) -> None:
    if len(group) < 2:
        return
    line = fsum(boxes[number].center[side] for number in group) / len(group)
    for number in group:
        shift = line - boxes[number].center[side]
        there = boxes[number].moved(shift, 0.0) if side == 0 else boxes[number].moved(0.0, shift)
        room = there.grown(gap - TOUCH)
        if not any(other.overlaps(room) for index, other in enumerate(boxes) if index != number):
            boxes[number] = there
