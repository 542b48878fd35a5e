"""The frames beside whose borders running costs a search, and round which it has ways: a line beside a border looks
like a part of it. (R-ROUTE-12)
"""

from __future__ import annotations

from collections.abc import Sequence

from scenograph.engine.geometry.boxes import Box
from scenograph.engine.geometry.spatial_index import Bounds


def frames_between(frames: Sequence[Bounds], source: Box, target: Box) -> list[Bounds]:
    """The frames that hold one end and not the other: those that a line leaves or enters."""
    return [frame for frame in frames if _holds(frame, source) != _holds(frame, target)]


def _holds(frame: Bounds, box: Box) -> bool:
    left, top, right, bottom = frame
    x, y, width, height = box
    return left <= x and top <= y and right >= x + width and bottom >= y + height
