"""The search for an orthogonal path through a visibility graph.

A* over the visibility graph (`kernels.orthogonal_search`): cost is length plus 20 px a bend plus the choice of sides.
At most 5,000 expansions. Rule R-ROUTE-4.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import NamedTuple

from scenograph.engine.effort import Effort
from scenograph.engine.geometry.boxes import Point
from scenograph.engine.geometry.spatial_index import Bounds
from scenograph.engine.kernels.obstacles import is_clear
from scenograph.engine.kernels.orthogonal_search import SIDEWAYS, UPRIGHT, End, OrthogonalSearch
from scenograph.engine.kernels.visibility import Tolls, VisibilityGraph
from scenograph.engine.route.costs import ALONG_CHANNEL, AWAY, BEND, CROSSING
from scenograph.engine.route.courses.beside_borders import pay_beside, ways_round
from scenograph.engine.route.courses.simple import Path
from scenograph.engine.route.courses.tidy import straightened
from scenograph.engine.route.courses.traffic import NO_TRAFFIC, Traffic
from scenograph.engine.route.ports.anchors import Anchor
from scenograph.engine.route.problem import Channel

MAX_EXPANSIONS = 5000  # vertices in a search (R-ROUTE-4)
EXACT_EXPANSIONS = 2500  # what is left of the cap goes to a hasty search that runs at the goal
HASTE = 2.0  # times the distance left, in the second search: fewer vertices, a longer way
OVERHEAD, OBSTACLE_OVERHEAD, PAIR_OVERHEAD = (
    30,
    3,
    0.02,
)  # building the graph, in expansions: an obstacle, a pair of them
TRAFFIC_SHARE = 2  # an expansion for so many runs of other routes


class Ground(NamedTuple):
    """Where a search may go: a region, its grown obstacles, and the straight run every end keeps."""

    region: Bounds
    obstacles: Sequence[Bounds]
    stub: float
    traffic: Traffic = NO_TRAFFIC
    limit: float = inf  # a path that costs this much is of no use
    cap: int = MAX_EXPANSIONS
    borders: Sequence[Bounds] = ()  # of frames: running beside them costs, there are ways round them
    narrow: Sequence[Channel] = ()  # running along them costs, crossing them does not


def search(starts: Sequence[Anchor], finishes: Sequence[Anchor], ground: Ground, effort: Effort) -> Path | None:
    """The cheapest path that crosses no obstacle; when that takes too long, a good one; None when none is found."""
    if not starts or not finishes:
        return None
    sources, targets = ([_end(anchor, ground.stub) for anchor in anchors] for anchors in (starts, finishes))
    ends = [(x, y) for x, y, _, _ in (*sources, *targets)]
    points = [*ends, *ways_round(ground.borders), *_corners(ground.narrow)]
    graph = VisibilityGraph(ground.region, ground.obstacles, points)
    upright, level = ground.traffic
    tolls = Tolls(graph.xs, graph.ys, upright, CROSSING), Tolls(graph.ys, graph.xs, level, CROSSING)
    pay_beside(tolls[0], ground.borders, 0)
    pay_beside(tolls[1], ground.borders, 1)
    for bounds, axis in ground.narrow:
        near, far = bounds[1 - axis], bounds[3 - axis]
        tolls[axis].follow(((near + far) / 2, bounds[axis], bounds[axis + 2]), (far - near) / 2, ALONG_CHANNEL)
    hunt = OrthogonalSearch(graph, targets, tolls, BEND, ground.limit)
    for haste, cap in ((1.0, EXACT_EXPANSIONS), (HASTE, ground.cap - EXACT_EXPANSIONS)):
        found = hunt.run(sources, min(cap, ground.cap, effort.left), haste)
        obstacles = len(ground.obstacles)
        overhead = (
            OVERHEAD
            + OBSTACLE_OVERHEAD * (obstacles + len(ground.borders))
            + int(PAIR_OVERHEAD * obstacles * obstacles)
        )
        effort.spend(hunt.expansions + overhead + sum(map(len, ground.traffic)) // TRAFFIC_SHARE)
        if found is not None:
            first, last, trail, cost = found
            return _path(starts[first], finishes[last], trail, cost + ground.stub + finishes[last].penalty)
        if hunt.is_exhausted or ground.cap <= EXACT_EXPANSIONS:
            return None
    return None


def _corners(narrow: Sequence[Channel]) -> list[Point]:
    return [Point(x, y) for (left, top, right, bottom), _ in narrow for x in (left, right) for y in (top, bottom)]


def _path(first: Anchor, last: Anchor, trail: Sequence[tuple[float, float]], cost: float) -> Path:
    corners = [Point(first.x, first.y), *(Point(x, y) for x, y in trail), Point(last.x, last.y)]
    return Path(straightened(corners), first, last, cost)


def _end(anchor: Anchor, stub: float) -> End:
    """Where the straight run of an anchor meets the graph, and what it and the side cost."""
    x, y = _stub_end(anchor, stub)
    return x, y, SIDEWAYS if anchor.dx else UPRIGHT, stub + anchor.penalty


def open_anchors(anchors: Sequence[Anchor], obstacles: Sequence[Bounds], stub: float) -> list[Anchor]:
    """Those whose straight run meets no obstacle."""
    found = [anchor for anchor in anchors if is_clear(((anchor.x, anchor.y), _stub_end(anchor, stub)), obstacles)]
    near = [anchor for anchor in found if anchor.penalty < AWAY]
    return near if len(near) > 1 else found


def _stub_end(anchor: Anchor, stub: float) -> Point:
    return Point(anchor.x + anchor.dx * stub, anchor.y + anchor.dy * stub)
