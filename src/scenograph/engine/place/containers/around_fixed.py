"""Fixed and floating content: fixed elements stay, floating elements go into free space near their neighbours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import fsum, isfinite

from scenograph.engine.geometry.boxes import Box, Point, union
from scenograph.engine.geometry.packing import Occupied
from scenograph.engine.place.inventory import Unit
from scenograph.engine.place.subgraph import Arrange, LayoutSettings, Subgraph, connected, extent, whole_box
from scenograph.late_dataclasses import dataclass, replace

GAPS = (1.0, 1 / 3, 1 / 6)  # shares of node spacing tried in turn where an area is crowded
NARROW = 1 / 2  # of the spacing; kept to fixed boxes where the whole spacing is not free
NEAR = 480.0  # a place farther from the wish than this is no better than one outside
AHEAD: Mapping[str, Point] = {
    "TB": Point(0.0, 1.0),
    "BT": Point(0.0, -1.0),
    "LR": Point(1.0, 0.0),
    "RL": Point(-1.0, 0.0),
}


@dataclass(frozen=True, slots=True)
class FreeSpace:
    """The room for floating content: taken boxes, and the area to stay inside (None: anywhere)."""

    taken: Sequence[Box]
    area: Box | None
    page: Box | None


def place_around_fixed(
    subgraph: Subgraph, anchors: Mapping[str, Unit], space: FreeSpace, arrange: Arrange
) -> dict[str, Point]:
    """The corners of the level's floating items; `anchors` are the fixed units by id. Items linked among themselves
    keep the arrangement of the algorithm and move as a block."""
    occupied = Occupied(space.taken)
    floating = tuple(item for item in subgraph.items if item.id not in anchors)
    inner = tuple(link for link in subgraph.links if link.source not in anchors and link.target not in anchors)
    parts = connected(replace(subgraph, items=floating, links=inner))
    held = {
        end
        for link in subgraph.links
        for end, other in ((link.source, link.target), (link.target, link.source))
        if other in anchors and end not in anchors
    }
    linked = [part for part in parts if any(item.id in held for item in part.items)]
    loose = [part for part in parts if not any(item.id in held for item in part.items)]
    corners: dict[str, Point] = {}
    for part in [*linked, *_joined(loose, space)]:
        own = arrange(part)
        box = extent(part.items, own)
        spot = _spot(occupied, _wish(subgraph, part, box, anchors, space), space, subgraph.settings.node_spacing)
        for item in part.items:
            corners[item.id] = Point(own[item.id].x + spot.x - box.x, own[item.id].y + spot.y - box.y)
            occupied.add(whole_box(item, corners[item.id]))
    return corners


def _joined(parts: Sequence[Subgraph], space: FreeSpace) -> Sequence[Subgraph]:
    """Parts without a link to an anchor, merged into one part; in a given area each finds its own gap."""
    if not parts or space.area is not None:
        return parts
    items = tuple(item for part in parts for item in part.items)
    links = tuple(link for part in parts for link in part.links)
    return [replace(parts[0], items=items, links=links)]


def _spot(occupied: Occupied, wish: Box, space: FreeSpace, spacing: float) -> Box:
    """A free spot: in the area, with ever smaller gaps; without an area near the wish, if possible on the page; else
    beyond everything placed."""
    for share in GAPS if space.area is not None else ():
        found = occupied.free_spot(wish, spacing * share, space.area)
        if found is not None:
            return found
    near = occupied.free_spot(wish, spacing, None, NEAR)
    if near is None:
        outskirts = occupied.outside(wish, spacing)
        return occupied.free_spot(wish, spacing * NARROW, None, NEAR) or outskirts
    if space.page is None or space.page.contains(near):
        return near
    return occupied.free_spot(wish, spacing, space.page, NEAR) or near


def _wish(subgraph: Subgraph, part: Subgraph, box: Box, anchors: Mapping[str, Unit], space: FreeSpace) -> Box:
    """The wished box of a part: after its predecessors, before its successors, centred between both; without either
    beside everything placed."""
    members = {item.id for item in part.items}
    before = [anchors[link.source].core for link in subgraph.links if link.target in members and link.source in anchors]
    after = [anchors[link.target].core for link in subgraph.links if link.source in members and link.target in anchors]
    if not before and not after:
        return _beside(box, [unit.whole for unit in anchors.values()], space, subgraph.settings)
    return _linked(box, before, after, subgraph.settings)


def _linked(box: Box, before: Sequence[Box], after: Sequence[Box], settings: LayoutSettings) -> Box:
    near = [*before, *after]
    x = fsum(one.center.x for one in near) / len(near)
    y = fsum(one.center.y for one in near) / len(near)
    ahead = AHEAD.get(settings.direction, AHEAD["TB"])
    if before and after:
        return Box(x - box.width / 2, y - box.height / 2, box.width, box.height)
    sense = 1.0 if before else -1.0
    reach = union(near) or box
    away_x = (reach.width + box.width) / 2 + settings.rank_spacing
    away_y = (reach.height + box.height) / 2 + settings.rank_spacing
    x = reach.center.x + sense * ahead.x * away_x if ahead.x else x
    y = reach.center.y + sense * ahead.y * away_y if ahead.y else y
    return Box(x - box.width / 2, y - box.height / 2, box.width, box.height)


def _beside(box: Box, standing: Sequence[Box], space: FreeSpace, settings: LayoutSettings) -> Box:
    """The box right of or below everything placed, depending on the page's proportions."""
    around = union(standing)
    if around is None:
        area = space.area or Box(0.0, 0.0, 0.0, 0.0)
        return Box(area.x, area.y, box.width, box.height)
    if around.width < settings.aspect * around.height:
        return Box(around.right + settings.node_spacing, around.y, box.width, box.height)
    return Box(around.x, around.bottom + settings.node_spacing, box.width, box.height)


def in_area(subgraph: Subgraph, area: Box, attempts: Sequence[Arrange]) -> dict[str, Point] | None:
    """The corners of content alone in a given area: the first attempt that fits, in the area's middle (at the start
    along an endless side). None when no attempt fits."""
    for arrange in attempts:
        corners = arrange(subgraph)
        box = extent(subgraph.items, corners)
        if box.width <= area.width and box.height <= area.height:
            dx = area.x - box.x + ((area.width - box.width) / 2 if isfinite(area.width) else 0.0)
            dy = area.y - box.y + ((area.height - box.height) / 2 if isfinite(area.height) else 0.0)
            return {item_id: Point(corner.x + dx, corner.y + dy) for item_id, corner in corners.items()}
    return None
