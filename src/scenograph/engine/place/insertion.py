"""Elements inserted into a layout: each joins its container where there is room; what grows pushes no more than what
stands in its way.

In: the boxes of the base layout, the units of a container, newcomers among them. Out: the same units in their places.
Promise: an element of the base layout moves only for the growth of a container beside or before it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scenograph.engine.geometry.boxes import Box, Outset, union
from scenograph.engine.place.insertion_sites import End, Pull, Site, StraightLine, corner_for, line_between
from scenograph.engine.place.inventory import ROOT, Inventory
from scenograph.engine.place.making_room import Gaps, moves
from scenograph.engine.place.orientation import TURNS, Turn, turned_back, turned_box, turned_outset
from scenograph.engine.place.subgraph import LayoutSettings
from scenograph.engine.place.units import Unit

OUTSIDE = 0.3  # how much an end in another container counts
ENDLESS = Outset(1e9, 1e9, 1e9, 1e9)


@dataclass(frozen=True, slots=True)
class BaseLayout:
    """The layout that elements are inserted into: its `boxes` as they were composed, and `now` where everything stands
    by now, newcomers too. `sources` and `targets` are the far ends of every element's ties, `room` is what is free
    round each container."""

    inventory: Inventory
    settings: LayoutSettings
    boxes: Mapping[str, Box]
    now: dict[str, Box]
    sources: Mapping[str, Sequence[str]]
    targets: Mapping[str, Sequence[str]]
    room: Mapping[str, Outset]

    @property
    def turn(self) -> Turn:
        """How its flow differs from top to bottom."""
        return TURNS.get(self.settings.direction, TURNS["TB"])

    def ends(self, unit: Unit, far: Mapping[str, Sequence[str]], container: str) -> list[End]:
        """What stands already at the far ends of a unit's ties, turned to flow downwards; what stands in the same
        container counts most."""
        found = [end for member in unit.boxes for end in far.get(member, ()) if end not in unit.boxes]
        return [
            End(turned_box(self.now[end], self.turn), 1.0 if container in self.inventory.ancestors(end) else OUTSIDE)
            for end in found
            if end in self.now
        ]


def base_layout(inventory: Inventory, settings: LayoutSettings, boxes: Mapping[str, Box]) -> BaseLayout:
    """The base layout `boxes`, which everything else in the inventory may join."""
    sources: dict[str, list[str]] = {}
    targets: dict[str, list[str]] = {}
    for tie in inventory.ties:
        if tie.source != tie.target:
            sources.setdefault(tie.target, []).append(tie.source)
            targets.setdefault(tie.source, []).append(tie.target)
    room = _rooms(inventory, boxes, settings.node_spacing)
    return BaseLayout(inventory, settings, boxes, dict(boxes), sources, targets, room)


def _rooms(inventory: Inventory, boxes: Mapping[str, Box], gap: float) -> dict[str, Outset]:
    """How far each container of the base layout can grow to each side before something is in its way."""
    rooms = {ROOT: ENDLESS}
    for container in reversed(inventory.containers):
        children = [child for child in inventory.children[container] if child in boxes]
        content = union(boxes[child] for child in children)
        for child in children:
            if child in inventory.children and content is not None:
                others = [boxes[other] for other in children if other != child]
                rooms[child] = _room(boxes[child], others, content.with_outset(rooms[container]), gap)
    return rooms


def _room(box: Box, others: Sequence[Box], around: Box, gap: float) -> Outset:
    top, right, bottom, left = around.y, around.right, around.bottom, around.x
    for other in others:
        if other.x < box.right and box.x < other.right:
            if other.y >= box.bottom:
                bottom = min(bottom, other.y - gap)
            else:
                top = max(top, other.bottom + gap)
        if other.y < box.bottom and box.y < other.bottom:
            if other.x >= box.right:
                right = min(right, other.x - gap)
            else:
                left = max(left, other.right + gap)
    room = (box.y - top, right - box.right, bottom - box.bottom, box.x - left)
    return Outset(*(max(0.0, side) for side in room))


def inserted(ground: BaseLayout, container: str, units: Sequence[Unit]) -> list[Unit]:
    """The units of a container where they belong: the established ones, pushed apart where they have grown; then the
    newcomers, those first that are tied to what stands."""
    standing = _pushed_apart(ground, [unit for unit in units if unit.id in ground.boxes])
    coming = [unit for unit in units if unit.id not in ground.boxes]
    for unit in standing:
        ground.now.update(unit.boxes)
    while coming:
        unit = next((one for one in coming if _is_tied(ground, one, container)), coming[0])
        coming.remove(unit)
        standing.append(_joined(ground, container, standing, unit))
        ground.now.update(standing[-1].boxes)
    return standing


def _pushed_apart(ground: BaseLayout, units: Sequence[Unit]) -> list[Unit]:
    turn = ground.turn
    before = [turned_box(ground.boxes[unit.id].with_outset(unit.outset), turn) for unit in units]
    grown = [turned_box(unit.whole, turn) for unit in units]
    gaps = Gaps(ground.settings.node_spacing, ground.settings.rank_spacing)
    shifts = moves(before, grown, gaps)
    moved = [turned_back(box.moved(*shift), turn) for box, shift in zip(grown, shifts, strict=True)]
    return [
        unit.moved(corner.x - unit.whole.x, corner.y - unit.whole.y) for unit, corner in zip(units, moved, strict=True)
    ]


def _is_tied(ground: BaseLayout, unit: Unit, container: str) -> bool:
    return bool(ground.ends(unit, ground.sources, container) or ground.ends(unit, ground.targets, container))


def _joined(ground: BaseLayout, container: str, standing: Sequence[Unit], unit: Unit) -> Unit:
    turn, spacing = ground.turn, ground.settings
    boxes = [turned_box(one.whole, turn) for one in standing]
    whole = turned_box(unit.whole, turn)
    room = turned_outset(ground.room.get(container, ENDLESS), turn)
    site = Site(boxes, union(boxes) or whole, room, _lines(ground), spacing.node_spacing, spacing.rank_spacing)
    pull = Pull(ground.ends(unit, ground.sources, container), ground.ends(unit, ground.targets, container))
    at = corner_for(whole.width, whole.height, pull, site)
    corner = turned_back(Box(at.x, at.y, whole.width, whole.height), turn)
    return unit.moved(round(corner.x - unit.whole.x), round(corner.y - unit.whole.y))


def _lines(ground: BaseLayout) -> list[StraightLine]:
    """A straight foretaste of every tie between what stands."""
    turned = {element_id: turned_box(box, ground.turn) for element_id, box in ground.now.items()}
    return [
        line_between(turned[tie.source], turned[tie.target])
        for tie in ground.inventory.ties
        if tie.source in turned and tie.target in turned and tie.source != tie.target
    ]
