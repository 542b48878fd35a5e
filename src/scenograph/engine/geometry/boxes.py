"""Points and axis-parallel boxes, px, y growing downwards."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from functools import partial
from operator import add
from typing import Any, NamedTuple, Protocol, TypeVar, cast

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


# Page arithmetic: margins, and the slack of a declared canvas around its content. px.
#
# Rules R-PAGE-1, R-PAGE-2, R-PAGE-3.


class Sized(Protocol):
    """Anything with a width and a height, px."""

    @property
    def width(self) -> float: ...

    @property
    def height(self) -> float: ...


MARGIN = 40.0
TIGHT_ASPECT = 2.5
TIGHT_SLACK = 0.3
TIGHT_CAP = 1.4
NEAR_SHAPE = 1.25  # how far a page may be off a wished shape, as a factor


def is_missed(page: Sized, wish: float) -> bool:
    """Whether a page is off a wished width / height by more than NEAR_SHAPE; `page` has an extent."""
    got = page.width / page.height
    return max(got / wish, wish / got) > NEAR_SHAPE


def is_loose(declared_height: float, content: Box) -> bool:
    """Whether content is a flat strip (aspect above 2.5) on a page with more than 30 % slack below and above."""
    if content.height <= 0 or content.width / content.height <= TIGHT_ASPECT:
        return False
    return (declared_height - content.height) / declared_height > TIGHT_SLACK


def tightened_height(declared_height: float, content: Box) -> float:
    """The height of a loose page: 1.4 times the content's height, and at least enough for the content's margin."""
    return min(declared_height, max(content.height * TIGHT_CAP, content.bottom + MARGIN))


def _start_on_page(declared: float | None, length: float) -> float:
    """The begin of content along one side of the page: centred if the content fits with half the margin on both sides,
    else at the margin."""
    if declared is None or length + MARGIN > declared:
        return MARGIN
    return (declared - length) / 2


def corner_on_page(width: float | None, height: float | None, content: Box) -> Point:
    """The upper left corner of content placed by the engine alone: centred on the declared page, after tightening a
    loose page, or at the margin."""
    if height is not None and is_loose(height, content):
        height = tightened_height(height, Box(0.0, MARGIN, content.width, content.height))
    return Point(_start_on_page(width, content.width), _start_on_page(height, content.height))
