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
from scenograph.engine.kernels.simple_paths import open_ports
from scenograph.engine.kernels.way_search import find_way
from scenograph.engine.route.costs import ALONG_CHANNEL, AWAY, BEND, BESIDE_BORDER, CROSSING
from scenograph.engine.route.courses.simple import Path
from scenograph.engine.route.courses.terrain import CLEARANCE
from scenograph.engine.route.courses.tidy import straightened
from scenograph.engine.route.courses.traffic import NO_TRAFFIC, Traffic
from scenograph.engine.route.ports.anchors import Anchor
from scenograph.engine.route.problem import Channel

MAX_EXPANSIONS = 5000  # vertices in a search (R-ROUTE-4)
PRICES = BEND, CROSSING, BESIDE_BORDER, CLEARANCE, ALONG_CHANNEL


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
    found, spent = find_way(starts, finishes, ground, effort.left, PRICES)
    effort.spend(spent)
    if found is None:
        return None
    first, last, trail, cost = found
    start, finish = starts[first], finishes[last]
    corners = [Point(start.x, start.y), *[Point(x, y) for x, y in trail], Point(finish.x, finish.y)]
    return Path(straightened(corners), start, finish, cost)


def open_anchors(anchors: Sequence[Anchor], obstacles: Sequence[Bounds], stub: float) -> list[Anchor]:
    """Those whose straight run meets no obstacle."""
    found = [anchors[number] for number in open_ports(anchors, obstacles, stub)]
    near = [anchor for anchor in found if anchor.penalty < AWAY]
    return near if len(near) > 1 else found
