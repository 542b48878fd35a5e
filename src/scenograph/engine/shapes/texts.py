"""Wrapped text into placed runs. px.

Baselines stand on whole pixels, so that the stems of equal labels are equally sharp; across the reading direction the
block is centred, and its metrics already put the capitals in the middle of a line.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from types import MappingProxyType

from scenograph.engine.drawing import TextItem, TextRun
from scenograph.engine.geometry.boxes import Box, Point
from scenograph.engine.tables import FinishedStyle
from scenograph.engine.text.blocks import Run, TextBlock, TextLine
from scenograph.scene.model import Color

ALIGNMENTS: Mapping[str, float] = MappingProxyType({"start": 0.0, "center": 0.5, "end": 1.0})
"""Which share of a line's free room stands before it."""

UPWARDS = -90.0


def text_item(block: TextBlock, box: Box, style: FinishedStyle, align: str = "center") -> TextItem:
    """The lines of `block` in `box`, each aligned by itself, the whole centred from top to bottom."""
    share = ALIGNMENTS.get(align, 0.5)
    first = box.y + (box.height - block.height) / 2 + block.ascent
    runs: list[TextRun] = []
    for number, line in enumerate(block.lines):
        left = box.x + (box.width - line.width) * share
        baseline = math.floor(first + number * block.line_height + 0.5)
        for run in line.runs:
            color = style.muted_color if run.tone == "muted" else style.text_color
            runs.append(_placed(run, left, baseline, color))
    return TextItem(tuple(runs))


def placed_runs(line: TextLine, at: Point, color: Color) -> Iterator[TextRun]:
    """A line of one colour with its left end on the baseline at `at`."""
    return (_placed(run, at.x, at.y, color) for run in line.runs)


def _placed(run: Run, x: float, y: float, color: Color) -> TextRun:
    """A run of a line that begins at `x` on a baseline at `y`."""
    text, font, offset, width, _, right_to_left, spaced = run
    return TextRun(text, Point(x + offset, y), width, font, color, right_to_left, spaced)


def upward_text_item(block: TextBlock, box: Box, style: FinishedStyle) -> TextItem:
    """The lines of `block` read from the bottom of `box` to its top, centred in it."""
    x, y = math.floor(box.center.x + 0.5), math.floor(box.center.y + 0.5)
    lying = Box(x - box.height / 2, y - box.width / 2, box.height, box.width)
    flat = text_item(block, lying, style)
    return TextItem(runs=flat.runs, turn=UPWARDS, pivot=Point(x, y))
