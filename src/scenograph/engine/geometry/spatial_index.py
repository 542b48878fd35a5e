"""Spatial index: bounds in a uniform grid (`kernels.cell_grid`) for region queries. px."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from scenograph.engine.geometry.boxes import Box, maker
from scenograph.engine.kernels.cell_grid import BoxSides, CellGrid
from scenograph.engine.kernels.straight_lines import XY, hull

CELL = 160.0
EVERY = 1 << 60  # more than anything holds


class Bounds(NamedTuple):
    """A box by its four sides: the form for comparisons in routing."""

    left: float
    top: float
    right: float
    bottom: float


_bounds = maker(Bounds)


def bounds_of_points(points: Sequence[XY]) -> Bounds:
    """The smallest bounds round all points."""
    return _bounds(hull(tuple(points)))


def bounds_of(box: Box) -> Bounds:
    """The bounds of a box."""
    x, y, width, height = box
    return _bounds((x, y, x + width, y + height))


def widened(bounds: Bounds, by: float) -> Bounds:
    """The bounds grown by `by` px on every side."""
    left, top, right, bottom = bounds
    return _bounds((left - by, top - by, right + by, bottom + by))


class SpatialIndex:
    """Bounds numbered in order of addition."""

    __slots__ = ("bounds", "grid")

    def __init__(self, bounds: Iterable[Bounds] = (), cell: float = CELL) -> None:
        self.bounds = list(bounds)
        self.grid = CellGrid(cell)
        sides: list[BoxSides] = list(self.bounds)
        self.grid.add_all(sides)

    @property
    def looks(self) -> int:
        """The number of bounds examined by all queries."""
        return self.grid.looks

    def add(self, bounds: Bounds) -> int:
        """Add `bounds` and return their number."""
        self.bounds.append(bounds)
        return self.grid.add(*bounds)

    def near(self, left: float, top: float, right: float, bottom: float, *, most: int = EVERY) -> list[int]:
        """The numbers of all bounds in touch with the region, at most the first `most`."""
        return self.grid.near(left, top, right, bottom, most)
