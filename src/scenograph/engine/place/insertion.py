"""Elements inserted into a layout: each joins its container where there is room.

In: the boxes of the base layout, the units that stand in a container, and the newcomers. Out: all of them in their
places. Promise: what stands there does not move.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from scenograph.engine.geometry.boxes import Box, Outset, union
from scenograph.engine.kernels.straight_lines import Line, line_between
from scenograph.engine.place.insertion_sites import End, Pull, Site, corners_for
from scenograph.engine.place.inventory import ROOT, Inventory
from scenograph.engine.place.orientation import Turn, turned_back, turned_box, turned_outset
from scenograph.engine.place.subgraph import LayoutSettings
from scenograph.engine.place.units import Unit, moved_to
from scenograph.late_dataclasses import dataclass

OUTSIDE = 0.3  # how much an end in another container counts
ENDLESS = Outset(1e9, 1e9, 1e9, 1e9)
NOWHERE: Mapping[str, Box] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class BaseLayout:
    """The layout that elements are inserted into: its `boxes` as they were composed, and `now` where everything stands
    by now, newcomers too. `given`: where newcomers go that do not choose for themselves."""

    inventory: Inventory
    settings: LayoutSettings
    boxes: Mapping[str, Box]
    now: dict[str, Box]
    given: Mapping[str, Box]

    def ends(self, unit: Unit, far: Mapping[str, Sequence[str]], container: str, turn: Turn) -> list[End]:
        """What stands already at the far ends of a unit's ties, turned to flow downwards; what stands in the same
        container counts most."""
        found = [end for member in unit.boxes for end in far.get(member, ()) if end not in unit.boxes]
        return [
            End(turned_box(self.now[end], turn), 1.0 if container in self.inventory.ancestors(end) else OUTSIDE)
            for end in found
            if end in self.now
        ]

    def room(self, container: str) -> Outset:
        """How far a container of the base layout can grow to each side before something is in its way."""
        box = self.boxes.get(container)
        if container == ROOT or box is None:
            return ENDLESS
        home = self.inventory.parent[container]
        content = {one: self.boxes[one] for one in self.inventory.children[home] if one in self.boxes}
        around = (union(content.values()) or box).with_outset(self.room(home))
        return _room(
            box, [other for one, other in content.items() if one != container], around, self.settings.node_spacing
        )


def base_layout(
    inventory: Inventory, settings: LayoutSettings, boxes: Mapping[str, Box], given: Mapping[str, Box] = NOWHERE
) -> BaseLayout:
    """The base layout `boxes`, which everything else in the inventory may join."""
    return BaseLayout(inventory, settings, boxes, dict(boxes), given)


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


@dataclass(frozen=True, slots=True)
class Flow:
    """How content flows in a container: turned so, with so much room between ranks and beside each other. `area` is
    where it stands without growing, None where that is said by what stands there."""

    turn: Turn
    rank_gap: float
    node_gap: float
    area: Box | None = None


def with_newcomers(
    ground: BaseLayout, container: str, flow: Flow, standing: Sequence[Unit], coming: Sequence[Unit]
) -> list[Unit]:
    """What stands in a container, and in free places between and beside it the newcomers, those first that are tied to
    what stands."""
    there, waiting = list(standing), list(coming)
    while waiting:
        unit = next((one for one in waiting if _is_tied(ground, one)), waiting[0])
        waiting.remove(unit)
        place = ground.given.get(unit.id)
        joined = free_places(ground, flow, container, there, unit)[0] if place is None else moved_to(unit, place)
        there.append(joined)
        ground.now.update(there[-1].boxes)
    return there


def _is_tied(ground: BaseLayout, unit: Unit) -> bool:
    far = (
        end
        for ends in (ground.inventory.sources, ground.inventory.targets)
        for member in unit.boxes
        for end in ends.get(member, ())
    )
    return any(end in ground.now and end not in unit.boxes for end in far)


def free_places(
    ground: BaseLayout, flow: Flow, container: str, standing: Sequence[Unit], unit: Unit, *, most: int = 1
) -> list[Unit]:
    """A newcomer in each of the best places of its container, at most so many, the best first."""
    turn = flow.turn
    boxes = [turned_box(one.whole, turn) for one in standing]
    own = turned_box(unit.whole, turn)
    whole = _evenly_roomed(turned_box(unit.core, turn), own)
    bounds = union([*boxes, *([] if flow.area is None else [turned_box(flow.area, turn)])]) or whole
    room = turned_outset(ground.room(container), turn)
    spare = own.x - whole.x, whole.right - own.right
    site = Site(boxes, bounds, room, _lines(ground, turn), flow.node_gap, flow.rank_gap, spare)
    ends = (ground.ends(unit, far, container, turn) for far in (ground.inventory.sources, ground.inventory.targets))
    here, found = turned_back(whole, turn), list[Unit]()
    for at in corners_for(whole.width, whole.height, Pull(*ends), site, most):
        there = turned_back(Box(at.x, at.y, whole.width, whole.height), turn)
        found.append(unit.moved(round(there.x - here.x), round(there.y - here.y)))
    return found


def _evenly_roomed(core: Box, whole: Box) -> Box:
    """A unit with as much room on both sides across the flow, so that its own middle, not that of a label beside it,
    stands in line with others."""
    aside = max(core.x - whole.x, whole.right - core.right)
    return Box(core.x - aside, whole.y, core.width + 2 * aside, whole.height)


def _lines(ground: BaseLayout, turn: Turn) -> list[Line]:
    """A straight foretaste of every tie between what stands."""
    turned = {element_id: turned_box(box, turn) for element_id, box in ground.now.items()}
    return [
        line_between(turned[tie.source], turned[tie.target])
        for tie in ground.inventory.ties
        if tie.source in turned and tie.target in turned and tie.source != tie.target
    ]
