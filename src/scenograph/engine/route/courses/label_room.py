"""Gaps that are too narrow for the label of the line that crosses them.

In: a draft. Out: the gap, px, where a straight line between two boxes leaves its label no room, on the line or beside
it; None elsewhere. Rule R-LABEL-7.
"""

from __future__ import annotations

from math import fsum

from scenograph.engine.geometry.boxes import Box
from scenograph.engine.geometry.spatial_index import Bounds
from scenograph.engine.route.courses.draft import Draft

STRAIGHT = 2  # points
NEAR = 12.0  # px; a label that stands farther off seems to belong to nobody


def cramped(draft: Draft) -> Bounds | None:
    """The gap between the two ends of a straight level line that is too narrow for the label."""
    connection = draft.connection
    width, height = connection.label
    if width == 0.0 or len(draft.points) != STRAIGHT or draft.start is None or draft.start.dx == 0:
        return None
    (ax, y), (bx, _) = sorted(draft.points)
    if bx - ax >= width + fsum(connection.tips):
        return None
    left, top = (ax + bx - width) / 2, y - NEAR - height
    ends = connection.source_box, connection.target_box
    for box in (Box(left, top, width, height), Box(left, y + NEAR, width, height)):
        if not any(box.overlaps(end) for end in ends):
            return None
    low, high = max(end.y for end in ends), min(end.bottom for end in ends)
    return Bounds(ax, low, bx, high)
