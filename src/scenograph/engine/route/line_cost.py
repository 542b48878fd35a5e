"""What the lines of a picture cost together, to compare two placements by it."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

from scenograph.engine.geometry.segments import length
from scenograph.engine.kernels.straight_lines import crossings_of
from scenograph.engine.route.costs import BEND, CROSSING
from scenograph.engine.tables import LineCost, Routes

UNAVOIDED = 2  # times what a search pays for a crossing: one that is left was worth more than a detour


def line_cost(routes: Routes, ends: Mapping[str, tuple[str, str]]) -> LineCost:
    """The cost of all routed lines, and the `ends` of those that cross; where lines only touch or share a way they do
    not. A crossing costs more than the detour that a line takes to avoid it: that was spared already."""
    lines = [[(a.x, a.y, b.x, b.y) for a, b in pairwise(route.points)] for route in routes.values()]
    px, crossings, crossed, names = 0.0, 0, set[str](), list(routes)
    for route in routes.values():
        px += length(route.points) + BEND * (len(route.points) - 2)
    for one, other, count in crossings_of(lines):
        crossings += count
        crossed |= {*ends[names[one]], *ends[names[other]]}
    return LineCost(px + UNAVOIDED * CROSSING * crossings, frozenset(crossed), crossings)
