"""What the lines of a picture cost together, to compare two placements by it."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

from scenograph.engine.geometry.segments import length
from scenograph.engine.kernels.straight_lines import Line, crossings
from scenograph.engine.route.costs import BEND, CROSSING
from scenograph.engine.tables import LineCost, Routes

UNAVOIDED = 2  # times what a search pays for a crossing: one that is left was worth more than a detour


def line_cost(routes: Routes, ends: Mapping[str, tuple[str, str]]) -> LineCost:
    """The cost of all routed lines, and the `ends` of those that cross; where lines only touch or share a way they do
    not. A crossing costs more than the detour that a line takes to avoid it: that was spared already."""
    px, drawn, crossed = 0.0, dict[str, list[Line]](), set[str]()
    for one, route in routes.items():
        line = [(a.x, a.y, b.x, b.y) for a, b in pairwise(route.points)]
        px += length(route.points) + BEND * (len(line) - 1)
        for other, pieces in drawn.items():
            found = sum(crossings(piece, pieces) for piece in line)
            px += UNAVOIDED * CROSSING * found
            crossed |= {*ends[one], *ends[other]} if found else set()
        drawn[one] = line
    return LineCost(px, frozenset(crossed))
