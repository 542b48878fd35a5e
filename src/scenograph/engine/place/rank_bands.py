"""Small boxes in a rank of tall ones: drawn to the edge of the rank where their links are. Flow from top to bottom."""

from __future__ import annotations

from collections.abc import Mapping

from scenograph.engine.geometry.boxes import Point
from scenograph.engine.place.subgraph import Corners, Subgraph, whole_box

SLACK = 64.0  # a rank this much taller than a box, or more, lets it move; below, middles stay on one line


def drawn_to_neighbours(subgraph: Subgraph, corners: Corners, ranks: Mapping[str, int]) -> Corners:
    """The corners with each small box at the upper edge of its rank, or the lower when links only lead down."""
    bands = _bands(subgraph, corners, ranks)
    has_upper = {
        end
        for link in subgraph.links
        for end, other in ((link.source, link.target), (link.target, link.source))
        if ranks[other] < ranks[end]
    }
    linked = {end for link in subgraph.links for end in (link.source, link.target)}
    moved = dict(corners)
    for item in subgraph.items:
        top, bottom = bands[ranks[item.id]]
        if item.id in linked and bottom - top - item.whole_height >= SLACK:
            y = top + item.outset.top if item.id in has_upper else bottom - item.outset.bottom - item.height
            moved[item.id] = Point(corners[item.id].x, y)
    return moved


def _bands(subgraph: Subgraph, corners: Corners, ranks: Mapping[str, int]) -> Mapping[int, tuple[float, float]]:
    bands: dict[int, tuple[float, float]] = {}
    for item in subgraph.items:
        box = whole_box(item, corners[item.id])
        top, bottom = bands.get(ranks[item.id], (box.y, box.bottom))
        bands[ranks[item.id]] = (min(top, box.y), max(bottom, box.bottom))
    return bands
