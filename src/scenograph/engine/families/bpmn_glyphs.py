"""The symbols inside events, gateways and tasks, on the 100-unit grid over the shape. (BPMN 2.0, chapter 13)"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

from scenograph.engine.families.faces import UNITS, Grid, corner_grid, grid_over, person
from scenograph.engine.families.family import Glyph, GlyphStroke
from scenograph.engine.geometry.boxes import Box
from scenograph.engine.geometry.paths import Move, elliptic_arc, point_on_ellipse, rounded_rectangle
from scenograph.late_dataclasses import replace

_TASK_ICON = 15.0  # px
_TASK_ICON_INSET = 6.0
_LEAST_TICKED = 28.0  # px
_RING_GAP = 0.085  # between the rings of an event, as a share of its size
_COLLAPSED = 14.0  # side of the plus box of a collapsed subprocess, px
_BETWEEN = 3.0  # marks of an activity, px
_ABOVE_BORDER = 3.0  # stands a mark without a box of its own, px
_DOUBLE = 4.0  # between the borders of a transaction, px
INNER_BORDER_ROOM = _DOUBLE + 1.0  # px, with half of the line
_GATE_RING = 0.24  # round the ring in a gateway, as a share of its size
_LOOP_START, _LOOP_END = 2.2, 7.6  # radians, clockwise from the right


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
    """A clock face with two hands, and with twelve ticks if large enough to tell apart."""
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
    """A letter in transit: filled, the flap a gap."""
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


_BOLT = ((28, 76), (40, 30), (58, 54), (72, 24), (61, 71), (43, 48))
_CHEVRON = ((50, 24), (73, 76), (50, 53), (27, 76))
_CROSS = (
    (37, 26),
    (50, 39),
    (63, 26),
    (74, 37),
    (61, 50),
    (74, 63),
    (63, 74),
    (50, 61),
    (37, 74),
    (26, 63),
    (39, 50),
    (26, 37),
)
_ARROW = ((24, 41), (54, 41), (54, 29), (78, 50), (54, 71), (54, 59), (24, 59))
_PENTAGON = ((50, 24), (75, 42), (65, 72), (35, 72), (25, 42))
_PLUS = (
    (43, 24),
    (57, 24),
    (57, 43),
    (76, 43),
    (76, 57),
    (57, 57),
    (57, 76),
    (43, 76),
    (43, 57),
    (24, 57),
    (24, 43),
    (43, 43),
)
_REWIND = (((50, 30), (50, 70), (22, 50)), ((77, 30), (77, 70), (50, 50)))
_TRIANGLE = ((50, 24), (76, 67), (24, 67))
_THIN = 5.0  # units


def _figure(*polygons: tuple[tuple[float, float], ...]) -> tuple[Glyph, Glyph]:
    """A symbol in outline, for catching events, and filled, for throwing events."""

    def outlined(box: Box) -> tuple[GlyphStroke, ...]:
        return tuple(grid_over(box).outline(*corners, width=_THIN) for corners in polygons)

    def filled(box: Box) -> tuple[GlyphStroke, ...]:
        return tuple(grid_over(box).solid(*corners) for corners in polygons)

    return outlined, filled


def _sheet(box: Box) -> tuple[GlyphStroke, ...]:
    """A sheet of conditions."""
    grid = grid_over(box)
    rows = (grid.line((37, y), (63, y), width=4.5) for y in (35, 45, 55, 65))
    return (grid.outline((30, 26), (70, 26), (70, 74), (30, 74), width=4.5), *rows)


def nothing(_box: Box) -> tuple[GlyphStroke, ...]:
    """No symbol."""
    return ()


EVENT_GLYPHS: Mapping[str, tuple[Glyph, Glyph]] = {
    "": (nothing, nothing),
    "message": (envelope, sealed_envelope),
    "timer": (clock, clock),
    "conditional": (_sheet, _sheet),
    "link": _figure(_ARROW),
    "signal": (signal, _figure(_TRIANGLE)[1]),
    "error": _figure(_BOLT),
    "escalation": _figure(_CHEVRON),
    "cancel": _figure(_CROSS),
    "compensation": _figure(*_REWIND),
    "terminate": (core, core),
    "multiple": _figure(_PENTAGON),
    "parallelMultiple": _figure(_PLUS),
}
"""The symbol of each event definition, caught and thrown. (BPMN 2.0, table 10.93)"""


def double_ringed(glyph: Glyph, dash: tuple[float, ...] = ()) -> Glyph:
    """The same symbol a little smaller inside a second ring: an event within the flow."""

    def paint(box: Box) -> tuple[GlyphStroke, ...]:
        inner = box.grown(-_RING_GAP * min(box.width, box.height))
        ring = grid_over(box).ring(50, 50, 50 - 100 * _RING_GAP, width=4)
        return (replace(ring, dash=dash), *glyph(inner))

    return paint


def event_based(box: Box) -> tuple[GlyphStroke, ...]:
    """An intermediate event of many kinds inside a gateway."""
    return double_ringed(EVENT_GLYPHS["multiple"][0])(_inner_ring(box)) + _ring_round(_inner_ring(box))


def complex_gateway(box: Box) -> tuple[GlyphStroke, ...]:
    """An asterisk."""
    grid = grid_over(box)
    return (
        *parallel(box),
        grid.line((34, 34), (66, 66), width=7),
        grid.line((66, 34), (34, 66), width=7),
    )


def _inner_ring(box: Box) -> Box:
    return box.grown(-_GATE_RING * min(box.width, box.height))


def _ring_round(box: Box) -> tuple[GlyphStroke, ...]:
    return (grid_over(box).ring(50, 50, 50, width=4),)


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


def sent_icon(box: Box) -> tuple[GlyphStroke, ...]:
    """A small letter in transit, in the corner."""
    return sealed_envelope(_corner_symbol(box))


def received_icon(box: Box) -> tuple[GlyphStroke, ...]:
    """A small letter in the corner."""
    return envelope(_corner_symbol(box))


def hand_icon(box: Box) -> tuple[GlyphStroke, ...]:
    """A small hand in the corner: the thumb, and four fingers in a column."""
    grid = _task_corner(box)
    palm = ((40, 22), (14, 40), (8, 52), (8, 84), (20, 92), (66, 92))
    fingers = (grid.line((44, y), (reach, y), width=8) for y, reach in ((42, 92), (59, 96), (75, 92)))
    return (grid.line(*palm, width=8), grid.line((40, 22), (46, 30), (34, 44), width=8), *fingers)


def script_icon(box: Box) -> tuple[GlyphStroke, ...]:
    """A small written sheet in the corner, with waved sides."""
    grid = _task_corner(box)
    sheet = ((34, 8), (92, 8), (76, 28), (70, 48), (84, 68), (68, 92), (10, 92), (24, 70), (30, 52), (18, 30))
    lines = (grid.line((left, y), (left + 34, y), width=7) for left, y in ((32, 27), (37, 48), (34, 70)))
    return (grid.outline(*sheet, width=8), *lines)


def rule_icon(box: Box) -> tuple[GlyphStroke, ...]:
    """A small table in the corner, with a filled head."""
    grid = _task_corner(box)
    return (
        grid.outline((6, 14), (94, 14), (94, 86), (6, 86), width=8),
        grid.solid((6, 14), (94, 14), (94, 36), (6, 36)),
        grid.line((6, 60), (94, 60), width=7),
        grid.line((36, 36), (36, 86), width=7),
    )


def inner_border(box: Box) -> tuple[GlyphStroke, ...]:
    """The second border of a transaction."""
    inset = min(_DOUBLE, box.width / 6, box.height / 6)
    return (GlyphStroke(path=rounded_rectangle(box.grown(-inset), _DOUBLE), width=1.25),)


def markers(names: Iterable[str], box: Box, *, collapsed: bool = False) -> tuple[GlyphStroke, ...]:
    """The marks of an activity in a row at the bottom middle, the plus of a collapsed activity last."""
    row: list[Glyph] = [MARKERS[name] for name in dict.fromkeys(names) if name in MARKERS]
    side = min(_COLLAPSED, box.width / (len(row) + 2), box.height / 4)
    count = len(row) + collapsed
    left = box.center.x - (count * side + max(0, count - 1) * _BETWEEN) / 2
    found: list[GlyphStroke] = []
    for number, glyph in enumerate(row):
        found += glyph(Box(left + number * (side + _BETWEEN), box.bottom - side - _ABOVE_BORDER, side, side))
    if collapsed:
        found += _plus(Box(left + len(row) * (side + _BETWEEN), box.bottom - side, side, side))
    return tuple(found)


def markers_place(box: Box) -> Box:
    """The box of two marks of an activity, at the bottom middle."""
    side = min(_COLLAPSED, box.width / 4, box.height / 4)
    return Box(box.center.x - side, box.bottom - side - _ABOVE_BORDER, 2 * side, side)


def _loop(box: Box) -> tuple[GlyphStroke, ...]:
    """A looped arrow."""
    grid = grid_over(box)
    ring = grid.box(12, 12, 76, 76)
    arc = (Move(point_on_ellipse(ring, _LOOP_START)), *elliptic_arc(ring, _LOOP_START, _LOOP_END))
    return (grid.stroke(arc, 10), grid.line((14, 94), (36, 86), (28, 62), width=10))


def _bars(box: Box) -> tuple[GlyphStroke, ...]:
    """Three upright bars."""
    grid = grid_over(box)
    return tuple(grid.line((x, 12), (x, 88), width=14) for x in (24, 50, 76))


def _rows(box: Box) -> tuple[GlyphStroke, ...]:
    """Three lying bars."""
    grid = grid_over(box)
    return tuple(grid.line((12, y), (88, y), width=14) for y in (24, 50, 76))


def _tilde(box: Box) -> tuple[GlyphStroke, ...]:
    """A wave."""
    grid = grid_over(box)
    return (grid.line((10, 62), (22, 44), (36, 40), (50, 50), (64, 60), (78, 56), (90, 38), width=12),)


def _backwards(box: Box) -> tuple[GlyphStroke, ...]:
    """Two triangles to the left."""
    grid = grid_over(box)
    return (
        grid.outline((48, 20), (48, 80), (8, 50), width=8),
        grid.outline((90, 20), (90, 80), (50, 50), width=8),
    )


MARKERS: Mapping[str, Glyph] = {
    "loop": _loop,
    "parallel": _bars,
    "sequential": _rows,
    "adHoc": _tilde,
    "compensation": _backwards,
}
"""The marks of activities by their names."""


def _corner_symbol(box: Box) -> Box:
    """A box for event symbols, which fill the middle half: the half lies over the corner of a task."""
    corner = task_corner(box)
    return corner.grown(corner.width / 2)


def plus_box(box: Box) -> tuple[GlyphStroke, ...]:
    """The mark of a collapsed subprocess, at the middle of the bottom."""
    return _plus(plus_place(box))


def _plus(frame: Box) -> tuple[GlyphStroke, ...]:
    grid = grid_over(frame)
    return (
        GlyphStroke(path=rounded_rectangle(frame, 1), width=1.25),
        grid.line((50, 22), (50, 78), width=9),
        grid.line((22, 50), (78, 50), width=9),
    )


def plus_place(box: Box) -> Box:
    """The box of the plus of a collapsed subprocess."""
    side = min(_COLLAPSED, box.width / 4, box.height / 4)
    return Box(box.center.x - side / 2, box.bottom - side, side, side)


def task_corner(box: Box) -> Box:
    """The box of a task's type icon."""
    return _task_corner(box).box(0, 0, 100, 100)


def _task_corner(box: Box) -> Grid:
    return corner_grid(box, min(_TASK_ICON, box.width / 4, box.height / 3), _TASK_ICON_INSET)


def _tick(grid: Grid, hour: int) -> GlyphStroke:
    x, y = math.sin(hour * math.pi / 6), -math.cos(hour * math.pi / 6)
    return grid.line((50 + 29 * x, 50 + 29 * y), (50 + 34 * x, 50 + 34 * y), width=3)


def _tooth(grid: Grid, angle: float) -> GlyphStroke:
    x, y = math.cos(angle), math.sin(angle)
    return grid.line((50 + 33 * x, 50 + 33 * y), (50 + 46 * x, 50 + 46 * y), width=13)
