"""What touches a region? Bounds in a uniform grid (`kernels.cell_grid`). px."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from scenograph.engine.geometry.boxes import Box
from scenograph.engine.kernels.cell_grid import CellGrid, Sides

CELL = 160.0
EVERY = 1 << 60  # more than anything holds


class Bounds(NamedTuple):
    """A box by its four sides: the form in which routing compares boxes."""

    left: float
    top: float
    right: float
    bottom: float


def bounds_of(box: Box) -> Bounds:
    """A box by its sides."""
    x, y, width, height = box
    return Bounds(x, y, x + width, y + height)


def widened(bounds: Bounds, by: float) -> Bounds:
    """Bounds with so much more on every side."""
    left, top, right, bottom = bounds
    return Bounds(left - by, top - by, right + by, bottom + by)


class SpatialIndex:
    """Bounds numbered in the order in which they were added."""

    __slots__ = ("bounds", "grid")

    def __init__(self, bounds: Iterable[Bounds] = (), cell: float = CELL) -> None:
        self.bounds = list(bounds)
        self.grid = CellGrid(cell)
        sides: list[Sides] = list(self.bounds)
        self.grid.add_all(sides)

    @property
    def looks(self) -> int:
        """At how many bounds all questions so far had to look."""
        return self.grid.looks

    def add(self, bounds: Bounds) -> int:
        """Keep `bounds` and answer its number."""
        self.bounds.append(bounds)
        return self.grid.add(*bounds)

    def near(self, left: float, top: float, right: float, bottom: float, *, most: int = EVERY) -> list[int]:
        """The numbers of all bounds that touch the region, or the first `most` of them."""
        return self.grid.near(left, top, right, bottom, most)
