"""Running beside the border of a frame: what it costs a search, and the lines on which it need not.

In: the bounds of frames and a visibility graph. Out: the corners of the ways round a border at full clearance; tolls
for running beside it. A line beside a border looks like a part of it. Rule R-ROUTE-12.
"""

from __future__ import annotations

from collections.abc import Sequence

from scenograph.engine.geometry.boxes import Box, Point
from scenograph.engine.geometry.spatial_index import Bounds
from scenograph.engine.kernels.visibility import Tolls
from scenograph.engine.route.costs import BESIDE_BORDER
from scenograph.engine.route.courses.terrain import CLEARANCE

TOO_NEAR = CLEARANCE - 1.0


def frames_between(frames: Sequence[Bounds], source: Box, target: Box) -> list[Bounds]:
    """The frames that hold one end and not the other: those that a line leaves or enters."""
    return [frame for frame in frames if _holds(frame, source) != _holds(frame, target)]


def ways_round(frames: Sequence[Bounds]) -> list[Point]:
    """The corners of the ways round frames, outside their borders."""
    return [
        Point(x, y)
        for left, top, right, bottom in frames
        for x in (left - CLEARANCE, right + CLEARANCE)
        for y in (top - CLEARANCE, bottom + CLEARANCE)
    ]


def pay_beside(tolls: Tolls, borders: Sequence[Bounds], axis: int) -> None:
    """Add to the tolls of a graph's lines what it costs to run beside borders (`axis` 0: its rows, 1: its columns)."""
    for frame in borders:
        for at in (frame[1 - axis], frame[3 - axis]):
            tolls.follow((at, frame[axis], frame[axis + 2]), TOO_NEAR, BESIDE_BORDER)


def _holds(frame: Bounds, box: Box) -> bool:
    left, top, right, bottom = frame
    x, y, width, height = box
    return left <= x and top <= y and right >= x + width and bottom >= y + height
