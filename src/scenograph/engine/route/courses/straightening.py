"""Steps that can be straight lines: where both sides overlap, and one of them is shared anyway.

In: drafts. Out: the same drafts, steps between facing sides drawn straight where the sides lie opposite each other, an
end shares its side with others, so that the lines are spread along it, and the line crosses no more than before. An
edge alone on both sides keeps the anchors of R-ROUTE-2. Rule R-ROUTE-10.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from scenograph.engine.geometry.boxes import Point
from scenograph.engine.kernels.obstacles import is_clear
from scenograph.engine.route.courses.clearance import bounds_of_points
from scenograph.engine.route.courses.draft import Draft
from scenograph.engine.route.courses.terrain import LEVELS, Terrain
from scenograph.engine.route.courses.traffic import TrafficMap
from scenograph.engine.route.ports.anchors import Anchor

STEP = 4  # points
OFF_CORNERS = 4.0  # beyond what every anchor keeps from the corners of its side

Side = tuple[int, str]


def straighten(drafts: Sequence[Draft], numbers: Sequence[int], traffic: TrafficMap, terrain: Terrain) -> None:
    """Draw the steps among the drafts `numbers` straight where that is no worse."""
    shared = Counter(side for draft in drafts for side in _sides(draft))
    for number in numbers:
        draft = drafts[number]
        ends = _opposite(draft) if draft.connection.fan is None else None
        if ends is None or not any(shared[side] > 1 for side in _sides(draft)):
            continue
        points = Point(ends[0].x, ends[0].y), Point(ends[1].x, ends[1].y)
        near = terrain.around(bounds_of_points(points), draft.connection.exempt, LEVELS[0])
        if is_clear(points, near) and traffic.crossings(number, points) <= traffic.crossings(number, draft.points):
            draft.points, draft.start, draft.finish = points, *ends
            traffic.put(number, points)


def _sides(draft: Draft) -> Iterator[Side]:
    for element, anchor in ((draft.connection.source, draft.start), (draft.connection.target, draft.finish)):
        if anchor is not None:
            yield element, anchor.side


def _opposite(draft: Draft) -> tuple[Anchor, Anchor] | None:
    """The ends of a step moved to the middle of what their sides have in common; None where that is too little."""
    start, finish = draft.start, draft.finish
    if len(draft.points) != STEP or start is None or finish is None or (start.dx, start.dy) != (-finish.dx, -finish.dy):
        return None
    if start.low >= start.high or finish.low >= finish.high:
        return None
    low, high = max(start.low, finish.low) + OFF_CORNERS, min(start.high, finish.high) - OFF_CORNERS
    return (start.at((low + high) / 2), finish.at((low + high) / 2)) if low <= high else None
