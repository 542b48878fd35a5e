"""Text as outlines: glyphs, positions and paths of a run. In font units, y upwards.

A rasterizer fills these paths without fonts, with every letter at its measured place, several times faster than with
variable font files. HarfBuzz shapes exactly as for measuring.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from scenograph.engine.geometry.boxes import Box, Point
from scenograph.engine.geometry.paths import Close, Cubic, Line, Move, Path, Quadratic, Segment, rectangle
from scenograph.engine.text.blocks import Font
from scenograph.engine.text.shaping import ALL_FAMILIES, Stretch, advances, face_of, shaped, shaping_font, stretches

_FACES = {face.name: face for family in ALL_FAMILIES.values() for face in family.faces}
_CACHED_RUNS = 8192
_CACHED_OUTLINES = 8192
_MISSING_HEIGHT, _MISSING_INSET, _MISSING_STROKE = 0.7, 0.08, 0.05  # the box for a letter without a glyph, in em


class Glyph(NamedTuple):
    """An outline of a face (by its name) at a weight. `number` is the glyph index in the face."""

    face: str
    weight: int
    number: int


class GlyphRun(NamedTuple):
    """Glyphs at their places on the baseline, and boxes for letters missing from all faces; `scale` converts font units
    to px."""

    scale: float
    glyphs: tuple[tuple[Glyph, Point], ...]
    missing: tuple[Path, ...] = ()


@lru_cache(maxsize=_CACHED_RUNS)
def glyph_run(text: str, font: Font, *, right_to_left: bool = False) -> GlyphRun:
    """The glyphs of a run, placed from the left end."""
    face = face_of(font)
    upem = shaping_font(face, font.weight).face.upem
    glyphs: list[tuple[Glyph, Point]] = []
    missing: list[Path] = []
    pen = 0.0
    for stretch in _in_one_direction(text, font, right_to_left=right_to_left):
        pen = _set_glyphs(stretch, pen, glyphs) if stretch.known else _set_boxes(stretch, pen, upem, missing)
    return GlyphRun(font.size / upem, tuple(glyphs), tuple(missing))


@lru_cache(maxsize=_CACHED_OUTLINES)
def glyph_path(glyph: Glyph) -> Path:
    """The outline of a glyph; empty for a space."""
    pen = _OutlinePen()
    shaping_font(_FACES[glyph.face], glyph.weight).draw_glyph_with_pen(glyph.number, pen)
    return tuple(pen.segments)


def _in_one_direction(text: str, font: Font, *, right_to_left: bool) -> list[Stretch]:
    """The stretches of a run from left to right. A run has one direction already, hence only faces can differ."""
    level = int(right_to_left)
    parts = [part._replace(level=level) for part in stretches(text, font)]
    return parts[::-1] if right_to_left else parts


def _set_glyphs(stretch: Stretch, pen: float, glyphs: list[tuple[Glyph, Point]]) -> float:
    face = face_of(stretch.font)
    for info, position in zip(*shaped(stretch), strict=True):
        glyph = Glyph(face.name, stretch.font.weight, info.codepoint)
        if glyph_path(glyph):
            glyphs.append((glyph, Point(pen + position.x_offset, position.y_offset)))
        pen += position.x_advance
    return pen


def _set_boxes(stretch: Stretch, pen: float, upem: int, missing: list[Path]) -> float:
    """Append one box per cluster, with the measured width."""
    for advance in advances(stretch):
        width = advance * upem / stretch.font.size
        if width > 0:
            inset = min(_MISSING_INSET * upem, width / 3)
            outer = Box(pen + inset, 0.0, width - 2 * inset, _MISSING_HEIGHT * upem)
            # The four sides of a box the other way round: a hole under the nonzero rule
            box = outer.grown(-_MISSING_STROKE * upem)
            corners = (Point(box.x, box.bottom), Point(box.right, box.bottom), Point(box.right, box.y))
            reversed_rectangle = (Move(Point(box.x, box.y)), *(Line(corner) for corner in corners), Close())
            missing.append((*rectangle(outer), *reversed_rectangle))
        pen += width
    return pen


class _OutlinePen:
    """Collects segments; HarfBuzz calls the methods by name."""

    def __init__(self) -> None:
        self.segments: list[Segment] = []

    def moveTo(self, to: tuple[float, float]) -> None:  # noqa: N802
        self.segments.append(Move(Point(*to)))

    def lineTo(self, to: tuple[float, float]) -> None:  # noqa: N802
        self.segments.append(Line(Point(*to)))

    def qCurveTo(self, control: tuple[float, float], to: tuple[float, float]) -> None:  # noqa: N802
        self.segments.append(Quadratic(Point(*control), Point(*to)))

    def curveTo(self, first: tuple[float, float], second: tuple[float, float], to: tuple[float, float]) -> None:  # noqa: N802
        self.segments.append(Cubic(Point(*first), Point(*second), Point(*to)))

    def closePath(self) -> None:  # noqa: N802
        self.segments.append(Close())

    def endPath(self) -> None:  # noqa: N802
        """Nothing to do: outlines are always closed."""
