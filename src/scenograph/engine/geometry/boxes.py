"""Points and axis-parallel boxes, px, y growing downwards."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from functools import partial
from operator import add
from typing import Any, NamedTuple, TypeVar, cast

# Named tuples from their members in a row: in half the time that calling the class takes, for loops that make many.


T = TypeVar("T", bound=tuple[Any, ...])


def maker(kind: type[T]) -> Callable[[tuple[object, ...]], T]:
    """A fast maker of a named tuple from all its members in order; their number is not checked."""
    make = tuple.__new__  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
    return cast("Callable[[tuple[object, ...]], T]", partial(make, kind))


class Point(NamedTuple):
    """A place on the canvas, px."""

    x: float
    y: float


def between(a: Point, b: Point, share: float) -> Point:
    """The point at `share` of the way from `a` to `b`: 0 is `a`, 1 is `b`."""
    return Point(a.x + (b.x - a.x) * share, a.y + (b.y - a.y) * share)


class Outset(NamedTuple):
    """Room kept around a box, px."""

    top: float = 0.0
    right: float = 0.0
    bottom: float = 0.0
    left: float = 0.0

    @property
    def transposed(self) -> Outset:
        """The same with x and y exchanged."""
        return Outset(self.left, self.bottom, self.right, self.top)


NO_OUTSET = Outset()


class Box(NamedTuple):
    """An axis-parallel rectangle by the top left corner, px."""

    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        """The x of the right side."""
        return self.x + self.width

    @property
    def bottom(self) -> float:
        """The y of the bottom side."""
        return self.y + self.height

    @property
    def center(self) -> Point:
        """The middle."""
        x, y, width, height = self
        return _point((x + width / 2, y + height / 2))

    @property
    def transposed(self) -> Box:
        """The same with x and y exchanged."""
        return Box(self.y, self.x, self.height, self.width)

    def moved(self, dx: float, dy: float) -> Box:
        """The same box elsewhere."""
        x, y, width, height = self
        return _box((x + dx, y + dy, width, height))

    def grown(self, by: float) -> Box:
        """The box with `by` px more on every side."""
        x, y, width, height = self
        return _box((x - by, y - by, width + 2 * by, height + 2 * by))

    def with_outset(self, outset: Outset) -> Box:
        """The box with `outset` added."""
        if outset == NO_OUTSET:
            return self
        x, y, width, height = self
        top, right, bottom, left = outset
        return _box((x - left, y - top, width + left + right, height + top + bottom))

    def contains(self, other: Box) -> bool:
        """Whether `other` lies wholly inside (borders may touch)."""
        x, y, width, height = self
        left, top, across, down = other
        return x <= left and y <= top and x + width >= left + across and y + height >= top + down

    def overlaps(self, other: Box) -> bool:
        """Whether the interiors share a point."""
        x, y, width, height = self
        left, top, across, down = other
        return x < left + across and left < x + width and y < top + down and top < y + height


_point, _box = maker(Point), maker(Box)


def union(boxes: Iterable[Box]) -> Box | None:
    """The smallest box around all boxes; None without boxes."""
    rows = tuple(boxes)
    if not rows:
        return None
    lefts, tops, widths, heights = zip(*rows, strict=True)
    left, top = min(lefts), min(tops)
    return Box(left, top, max(map(add, lefts, widths)) - left, max(map(add, tops, heights)) - top)


TEXT_MARGIN_X, TEXT_MARGIN_Y = 3.0, 1.0


def text_ground(text: Box) -> Box:
    """The ground of a text: kept free of routes, or covered if routes run behind."""
    return Box(
        text.x - TEXT_MARGIN_X,
        text.y - TEXT_MARGIN_Y,
        text.width + 2 * TEXT_MARGIN_X,
        text.height + 2 * TEXT_MARGIN_Y,
    )


# Natural sizes are multiples of 4 px, to align neighbours.


GRID = 4.0
_ROUNDING = 1e-6  # what a sum of widths may be over a multiple


def on_grid(length: float) -> float:
    """The least multiple of `GRID` not below a length, px."""
    return math.ceil(length / GRID - _ROUNDING) * GRID
