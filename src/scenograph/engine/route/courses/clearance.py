"""How near routes come to what is not theirs.

In: a drawn polyline and the terrain. Out: whether it enters a stranger, and the report of edges that come within 16 px
of a third-party node. Rule R-ROUTE-3.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from math import ceil

from scenograph.diagnostics import EDGE_OBSTACLE_GRAZED, Report
from scenograph.engine.geometry.boxes import Point
from scenograph.engine.geometry.segments import crosses, distance
from scenograph.engine.geometry.spatial_index import Bounds
from scenograph.engine.kernels.clipping import hull
from scenograph.engine.kernels.obstacles import nearing
from scenograph.engine.route.courses.terrain import CLEARANCE, Level, Terrain

TOLERANCE = 0.01  # px; a smaller lack is rounding
PART = 240.0  # px of the shorter side of a region in which obstacles are looked for
TOUCHING = Level(2.0, 2.0, 0.0, 0.0, 0.0)


def enters(points: Sequence[Point], exempt: frozenset[int], terrain: Terrain) -> bool:
    """Whether the polyline runs through anything that is not its own."""
    return any(
        crosses(a, b, box)
        for part in _parts(points)
        for box in terrain.around(bounds_of_points(part), exempt, TOUCHING)
        for a, b in pairwise(part)
    )


def _parts(points: Sequence[Point]) -> Iterator[Sequence[Point]]:
    """The polyline in parts whose bounds hold little but what lies near them: a long slope is cut."""
    part: list[Point] = [points[0]]
    for a, b in pairwise(points):
        pieces = ceil(min(abs(b[0] - a[0]), abs(b[1] - a[1])) / PART)
        for piece in range(1, pieces):
            share = piece / pieces
            at = Point(a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share)
            yield [*part, at]
            part = [at]
        left, top, right, bottom = bounds_of_points([*part, b])
        if len(part) > 1 and min(right - left, bottom - top) > PART:
            yield part
            part = [part[-1]]
        part.append(b)
    yield part


def grazes(points: Sequence[Point], exempt: frozenset[int], terrain: Terrain) -> bool:
    """Whether the polyline comes within the clearance of a node that is not its own."""
    gap = CLEARANCE - TOLERANCE
    for piece, number in nearing(tuple(points), terrain.index.grid, terrain.nodes, exempt, gap):
        (ax, ay), (bx, by) = a, b = points[piece : piece + 2]
        if ax == bx or ay == by or distance(a, b, terrain.obstacles[number].bounds) < gap:
            return True
    return False


def touches(points: Sequence[Point], boxes: Sequence[Bounds], gap: float) -> bool:
    """Whether the polyline comes nearer than the gap to one of the boxes."""
    for a, b in pairwise(points):
        low_x, high_x = (a[0], b[0]) if a[0] <= b[0] else (b[0], a[0])
        low_y, high_y = (a[1], b[1]) if a[1] <= b[1] else (b[1], a[1])
        for box in boxes:
            if max(box[0] - high_x, low_x - box[2], box[1] - high_y, low_y - box[3]) >= gap:
                continue
            if low_x == high_x or low_y == high_y or distance(a, b, box) < max(gap, TOLERANCE):
                return True
    return False


def report_grazed(edge_ids: Iterable[str], report: Report) -> None:
    """One remark for all edges that found no clear way."""
    grazed = sorted(edge_ids)
    if not grazed:
        return
    report.add(
        EDGE_OBSTACLE_GRAZED,
        path="/elements",
        data={"grazedEdgeIds": grazed, "clearance": int(CLEARANCE)},
        count=len(grazed),
        clearance=int(CLEARANCE),
    )


def bounds_of_points(points: Sequence[Point]) -> Bounds:
    """The smallest bounds round all points."""
    return Bounds(*hull(tuple(points)))
