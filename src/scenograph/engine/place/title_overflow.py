"""Titles that do not fit into their frames, once these have their boxes. (R-FRAME-3)

In: scene and placement. Out: a remark for each visible frame whose title leaves it, or comes to its bottom in several
lines. Heights are told as of nodes: along an upright header the text runs up, so its length is its height; a title
wider than its frame counts with the lines that it would have there. px.
"""

from __future__ import annotations

from math import ceil

from scenograph.diagnostics import Report
from scenograph.engine.geometry.boxes import Box
from scenograph.engine.place.frames import TITLE_GAP, UPRIGHT
from scenograph.engine.tables import Placement, Sizes
from scenograph.engine.text.overflow import report_overflow
from scenograph.scene.model import Frame, Scene

_SLACK = 0.5  # a part of a line that is not seen


def report_titles(scene: Scene, sizes: Sizes, placement: Placement, report: Report) -> None:
    """Report TEXT_OVERFLOW of frames' titles, in document order."""
    for element in scene.elements:
        if not isinstance(element, Frame) or not element.visible:
            continue
        title, label = placement.part(element.id, "title"), sizes[element.id].label
        if title is not None and label is not None:
            several = len(label.lines) > 1
            required, available = _heights(element, title, placement, several=several)
            report_overflow(report, element.id, required, available)


def _heights(frame: Frame, title: Box, placement: Placement, *, several: bool) -> tuple[float, float]:
    """The height that a title needs, and the one there is."""
    header, box = placement.part(frame.id, "header"), placement.boxes[frame.id]
    if header is not None:
        if frame.lane_direction != UPRIGHT:
            return title.height, header.height
        return title.height * _lines(title.width, header.width), header.height
    lines = _lines(title.width, box.right - max(title.x, box.x))
    if lines > 1:
        return title.height * lines, title.height  # it stands out at the side, and no room was kept for more lines
    gap = TITLE_GAP if several else 0.0  # the further lines would stand on the content
    return title.height, box.bottom - title.y - gap


def _lines(width: float, room: float) -> int:
    """How many times a text of that width fills a line of a room, at least once."""
    return max(1, ceil((width - _SLACK) / max(room, 1.0)))
