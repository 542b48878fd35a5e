"""The curve that replaces a needlessly long right-angle path.

Rule R-ROUTE-5: at least 1.5 times the manhattan distance and at least four corners, and a router
that the author has not pinned to orthogonal or straight. The curve is kept only where it enters nothing: a box that the
right-angle path went round is not crossed for the sake of a shorter line. It may come nearer to a box than right-angle
paths do, which is then remarked: the rule asks for the shorter line.
"""

from __future__ import annotations

from scenograph.engine.geometry.segments import length, manhattan, quadratic
from scenograph.engine.route.courses.clearance import enters
from scenograph.engine.route.courses.draft import Draft
from scenograph.engine.route.courses.routers import CURVE_OFFSET, Tools, curve_of

LONG_WAY = 1.5  # times the manhattan distance; a longer detour becomes a curve (R-ROUTE-5)
MANY_CORNERS = 4  # corners; fewer are easily read (R-ROUTE-5)
PINNED = frozenset({"orthogonal", "straight"})


def soften(draft: Draft, tools: Tools) -> None:
    """Turn a long way round into one curve where the rule asks for it and the way is free."""
    connection, points = draft.connection, draft.points
    if draft.start is None or connection.router in PINNED or connection.is_loop:
        return
    direct = manhattan(points[0], points[-1])
    if len(points) - 2 < MANY_CORNERS or length(points) < LONG_WAY * direct:
        return
    if connection.source_box.overlaps(connection.target_box):
        return
    curve = curve_of(connection, tools.outlines, CURVE_OFFSET)
    if enters(quadratic(*curve), connection.exempt, tools.terrain):
        return
    draft.points, draft.router = curve, "curved"
    draft.start = draft.finish = None
