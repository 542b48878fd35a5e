"""The symbols inside events, gateways and tasks, on the 100-unit grid over the shape. (BPMN 2.0, chapter 13)"""

from __future__ import annotations

import math

from scenograph.engine.families.family import Glyph, GlyphStroke
from scenograph.engine.families.figures import person
from scenograph.engine.families.grid import UNITS, Grid, corner_grid, grid_over
from scenograph.engine.geometry.boxes import Box
from scenograph.engine.geometry.figures import rounded_rectangle

_TASK_ICON = 15.0  # px
_TASK_ICON_INSET = 6.0
_LEAST_TICKED = 28.0  # px
_RING_GAP = 0.085  # between the rings of an event, as a share of its size
_COLLAPSED = 14.0  # side of the plus box of a collapsed subprocess, px


def exclusive(box: Box) -> tuple[GlyphStroke, ...]:
    """An x."""
    grid = grid_over(box)
    return (
        grid.line((35, 35), (65, 65), width=7),
        grid.line((65, 35), (35, 65), width=7),
    )


def parallel(box: Box) -> tuple[GlyphStroke, ...]:
    """A +."""
    grid = grid_over(box)
    return (
        grid.line((50, 27), (50, 73), width=7),
        grid.line((27, 50), (73, 50), width=7),
    )


def inclusive(box: Box) -> tuple[GlyphStroke, ...]:
    """A circle."""
    return (grid_over(box).ring(50, 50, 22, width=6),)


def clock(box: Box) -> tuple[GlyphStroke, ...]:
    """A clock face with two hands, and with twelve ticks where these can be told apart."""
    grid = grid_over(box)
    ticks = (_tick(grid, hour) for hour in range(12)) if grid.unit * UNITS >= _LEAST_TICKED else ()
    hands = grid.line((50, 26), (50, 50), (66, 57), width=5)
    return (grid.ring(50, 50, 34, width=3.5), *ticks, hands)


def zigzag(box: Box) -> tuple[GlyphStroke, ...]:
    """The error flash."""
    return (grid_over(box).line((26, 72), (41, 36), (58, 64), (75, 28), width=7),)


def envelope(box: Box) -> tuple[GlyphStroke, ...]:
    """A letter."""
    grid = grid_over(box)
    return (
        grid.outline((25, 34), (75, 34), (75, 66), (25, 66), width=4.5),
        grid.line((25, 35), (50, 54), (75, 35), width=4.5),
    )


def sealed_envelope(box: Box) -> tuple[GlyphStroke, ...]:
    """A letter on its way: filled, its flap a gap."""
    grid = grid_over(box)
    return (
        grid.solid((27, 31), (73, 31), (50, 48)),
        grid.solid((24, 36), (50, 55), (76, 36), (76, 68), (24, 68)),
    )


def core(box: Box) -> tuple[GlyphStroke, ...]:
    """A filled disc inside the ring."""
    return (grid_over(box).disc(50, 50, 29),)


def signal(box: Box) -> tuple[GlyphStroke, ...]:
    """A triangle."""
    return (grid_over(box).outline((50, 24), (76, 67), (24, 67), width=5),)


def double_ringed(glyph: Glyph) -> Glyph:
    """The same symbol a little smaller inside a second ring: an event within the flow."""

    def paint(box: Box) -> tuple[GlyphStroke, ...]:
        inner = box.grown(-_RING_GAP * min(box.width, box.height))
        return (grid_over(box).ring(50, 50, 50 - 100 * _RING_GAP, width=4), *glyph(inner))

    return paint


def user_icon(box: Box) -> tuple[GlyphStroke, ...]:
    """A small person in the corner."""
    grid = _task_corner(box)
    small = person(grid.box(0, 0, 100, 100))
    return tuple(GlyphStroke(path=stroke.path, width=8 * grid.unit) for stroke in small)


def gear_icon(box: Box) -> tuple[GlyphStroke, ...]:
    """A small cog wheel in the corner."""
    grid = _task_corner(box)
    teeth = (_tooth(grid, i * math.pi / 4) for i in range(8))
    return (grid.ring(50, 50, 29, width=8), grid.ring(50, 50, 10, width=8), *teeth)


def plus_box(box: Box) -> tuple[GlyphStroke, ...]:
    """The mark of a collapsed subprocess, at the middle of the bottom."""
    frame = plus_place(box)
    grid = grid_over(frame)
    return (
        GlyphStroke(path=rounded_rectangle(frame, 1), width=1.25),
        grid.line((50, 22), (50, 78), width=9),
        grid.line((22, 50), (78, 50), width=9),
    )


def plus_place(box: Box) -> Box:
    """Where the mark of a collapsed subprocess stands."""
    side = min(_COLLAPSED, box.width / 4, box.height / 4)
    return Box(box.center.x - side / 2, box.bottom - side, side, side)


def task_corner(box: Box) -> Box:
    """Where the icon of a task's type stands."""
    return _task_corner(box).box(0, 0, 100, 100)


def _task_corner(box: Box) -> Grid:
    return corner_grid(box, min(_TASK_ICON, box.width / 4, box.height / 3), _TASK_ICON_INSET)


def _tick(grid: Grid, hour: int) -> GlyphStroke:
    x, y = math.sin(hour * math.pi / 6), -math.cos(hour * math.pi / 6)
    return grid.line((50 + 29 * x, 50 + 29 * y), (50 + 34 * x, 50 + 34 * y), width=3)


def _tooth(grid: Grid, angle: float) -> GlyphStroke:
    x, y = math.cos(angle), math.sin(angle)
    return grid.line((50 + 33 * x, 50 + 33 * y), (50 + 46 * x, 50 + 46 * y), width=13)
