"""Laid-out text as a value: lines of runs with their widths.

A run is a stretch of one line in one font face; the writers draw each run at its own x, which keeps widths identical
everywhere.
"""

from __future__ import annotations

from typing import NamedTuple

from scenograph.late_dataclasses import dataclass


class Font(NamedTuple):
    """A font request: `family` is a key of the embedded families (sans, mono, hand); size in px."""

    family: str
    size: float
    weight: int = 400
    italic: bool = False


class FontRun(NamedTuple):
    """A stretch of text in one face and one direction, in reading order. `x` is the offset of its left end within the
    line; `tone` names a paint (`text`, or `muted` for the quieter parts of a label). `spaced`: undrawn white space, at
    a break or a gap, follows the run."""

    text: str
    font: Font
    x: float
    width: float
    tone: str = "text"
    right_to_left: bool = False
    spaced: bool = False


class TextLine(NamedTuple):
    """A line: placed runs in reading order, and the total width, px."""

    runs: tuple[FontRun, ...]
    width: float


@dataclass(frozen=True, slots=True)
class TextBlock:
    """Wrapped text. Line i's baseline lies at `ascent + i * line_height` below the block's top."""

    lines: tuple[TextLine, ...]
    width: float
    height: float
    line_height: float
    ascent: float
