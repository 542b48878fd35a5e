"""Glyphs that several families share: people, folded corners, double borders. (Glyph: see `family.py`.)"""

from __future__ import annotations

import math
from typing import NamedTuple

from scenograph.engine.families.family import GlyphStroke
from scenograph.engine.geometry.boxes import Box, Point
from scenograph.engine.geometry.paths import Line, Move, Path, circle, elliptic_arc, polygon, polyline, rectangle

# A drawing grid for glyphs: 100 x 100 units over the square in the middle of a box.


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


FOLD = 12.0  # side of a folded corner, px
DOUBLE_BORDER_INSET = 4.0  # R-ER-2
_LINE = 1.5


def person(box: Box) -> tuple[GlyphStroke, ...]:
    """Head and shoulders."""
    grid = grid_over(box)
    shoulders = grid.box(16, 52, 68, 80)
    bust = (
        Move(grid.at(16, 92)),
        *elliptic_arc(shoulders, math.pi, 2 * math.pi),
        Line(grid.at(16, 92)),
    )
    return (grid.ring(50, 26, 18, width=4.5), grid.stroke(bust, 4.5))


def stick_figure(box: Box) -> tuple[GlyphStroke, ...]:
    """A person as use cases and sequences draw one."""
    grid = grid_over(box)
    return (
        grid.ring(50, 16, 13, width=4.5),
        grid.line((50, 29), (50, 64), width=4.5),
        grid.line((24, 42), (76, 42), width=4.5),
        grid.line((28, 97), (50, 64), (72, 97), width=4.5),
    )


def folded_corner(box: Box) -> tuple[GlyphStroke, ...]:
    """The flap of a sheet's top right corner."""
    fold = min(FOLD, box.width / 3, box.height / 3)
    flap = (
        Point(box.right - fold, box.y),
        Point(box.right - fold, box.y + fold),
        Point(box.right, box.y + fold),
    )
    return (GlyphStroke(path=polyline(flap), width=_LINE),)


def double_border(box: Box) -> tuple[GlyphStroke, ...]:
    """A second rectangle inside the first."""
    inset = min(DOUBLE_BORDER_INSET, box.width / 4, box.height / 4)
    return (GlyphStroke(path=rectangle(box.grown(-inset)), width=_LINE),)


def component_tabs(box: Box) -> tuple[GlyphStroke, ...]:
    """The two plugs at the left side of a component (UML)."""
    width, height = min(12.0, box.width / 6), min(7.0, box.height / 6)
    levels = (box.y + box.height * 0.3 - height / 2, box.y + box.height * 0.7 - height / 2)
    return tuple(
        GlyphStroke(path=rectangle(Box(box.x - width / 2, level, width, height)), width=_LINE) for level in levels
    )


def left_bracket(box: Box) -> tuple[GlyphStroke, ...]:
    """The bracket of a text annotation."""
    reach = min(10.0, box.width / 4)
    bracket = (
        Point(box.x + reach, box.y),
        Point(box.x, box.y),
        Point(box.x, box.bottom),
        Point(box.x + reach, box.bottom),
    )
    return (GlyphStroke(path=polyline(bracket), width=_LINE),)
