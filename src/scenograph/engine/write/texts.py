"""Drawn text for programs with their own text layout: lines read back from runs, and the box of turned text. px."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

from scenograph.engine.drawing import TextItem, TextRun
from scenograph.engine.geometry.boxes import Box

# Drawn text read back as lines, for programs that set text themselves. px.


_SAME_LINE = 1.0
_GAP = 2.0  # between runs of a line: a wider one is a space


def lines_of(runs: Sequence[TextRun]) -> list[list[TextRun]]:
    """The runs grouped by line."""
    lines: list[list[TextRun]] = []
    for run in runs:
        if lines and abs(lines[-1][0].at.y - run.at.y) < _SAME_LINE:
            lines[-1].append(run)
        else:
            lines.append([run])
    return lines


def joined(line: Sequence[TextRun]) -> str:
    """The words of a line, with a space in each gap."""
    words = line[0].text
    for before, run in pairwise(line):
        right_to_left = before.right_to_left and run.right_to_left
        left, right = (run, before) if right_to_left else (before, run)
        words += (" " if right.at.x - left.at.x - left.width > _GAP else "") + run.text
    return words


# The place of rotated text in programs that rotate an element about its own middle. px.


def before_turning(box: Box, item: TextItem) -> Box:
    """The upright box that, turned about its own middle, covers the place of `box` turned about the item's pivot."""
    angle, pivot, center = math.radians(item.turn), item.pivot, box.center
    dx, dy = center.x - pivot.x, center.y - pivot.y
    x = pivot.x + dx * math.cos(angle) - dy * math.sin(angle)
    y = pivot.y + dx * math.sin(angle) + dy * math.cos(angle)
    return box.moved(x - center.x, y - center.y)
