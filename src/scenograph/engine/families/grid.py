"""A drawing grid for glyphs: 100 x 100 units over the square in the middle of a box."""

from __future__ import annotations

from typing import NamedTuple

from scenograph.engine.families.family import GlyphStroke
from scenograph.engine.geometry.boxes import Box, Point
from scenograph.engine.geometry.figures import circle, polygon, polyline
from scenograph.engine.geometry.paths import Path

UNITS = 100.0


class Grid(NamedTuple):
    """The square's top left corner and the px of one unit."""

    left: float
    top: float
    unit: float

    def at(self, x: float, y: float) -> Point:
        """A point by its units."""
        return Point(self.left + x * self.unit, self.top + y * self.unit)

    def box(self, x: float, y: float, width: float, height: float) -> Box:
        """A box by its units."""
        return Box(*self.at(x, y), width * self.unit, height * self.unit)

    def line(self, *points: tuple[float, float], width: float) -> GlyphStroke:
        """An open chain, `width` units wide."""
        return self.stroke(polyline(self.at(*point) for point in points), width)

    def outline(self, *points: tuple[float, float], width: float) -> GlyphStroke:
        """A closed polygon, stroked."""
        return self.stroke(polygon(self.at(*point) for point in points), width)

    def solid(self, *points: tuple[float, float]) -> GlyphStroke:
        """A closed polygon, filled."""
        return GlyphStroke(path=polygon(self.at(*point) for point in points), filled=True)

    def ring(self, x: float, y: float, radius: float, width: float) -> GlyphStroke:
        """A circle, stroked."""
        return self.stroke(circle(self.at(x, y), radius * self.unit), width)

    def disc(self, x: float, y: float, radius: float) -> GlyphStroke:
        """A circle, filled."""
        return GlyphStroke(path=circle(self.at(x, y), radius * self.unit), filled=True)

    def stroke(self, path: Path, width: float) -> GlyphStroke:
        """A path, stroked `width` units wide."""
        return GlyphStroke(path=path, width=width * self.unit)


def grid_over(box: Box) -> Grid:
    """The grid over the largest square in the middle of `box`."""
    side = min(box.width, box.height)
    return Grid(box.center.x - side / 2, box.center.y - side / 2, side / UNITS)


def corner_grid(box: Box, side: float, inset: float) -> Grid:
    """A grid of `side` px at the top left corner of `box`."""
    return Grid(box.x + inset, box.y + inset, side / UNITS)
