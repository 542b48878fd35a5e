"""Elements inserted into a layout: each joins its container in free room.

In: the boxes of the base layout, the units of a container, and the newcomers. Out: all units in their places. Promise:
units of the base layout do not move.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import fsum
from types import MappingProxyType
from typing import NamedTuple

from scenograph.engine.costs import (
    INSERTED_AGAINST,
    INSERTED_BEND,
    INSERTED_BESIDE,
    INSERTED_CROSSING,
    INSERTED_GROWTH,
    INSERTED_THROUGH,
    OFF_LINE,
    OUT_OF_TURN,
    OUTGROWN,
    OUTGROWTH,
)
from scenograph.engine.geometry.boxes import Box, Outset, Point, union
from scenograph.engine.geometry.directions import Turn, turned_back, turned_box, turned_outset
from scenograph.engine.kernels.free_spots import Shadow, SpotCriteria, SpotPrices, WeightedBox, free_spots
from scenograph.engine.kernels.straight_lines import (
    Rectangle,
    StraightLine,
    boxes_hit,
    crossings,
    line_between,
    lines_through,
)
from scenograph.engine.place.inventory import ROOT, Inventory, Unit, moved_to
from scenograph.engine.place.subgraph import LayoutSettings
from scenograph.late_dataclasses import dataclass

# The place of an element inserted into a layout, found without moving anything. Flow from top to bottom. px. In: the
# newcomer's size, its neighbours, the ground. Out: its top left corner. Promises: no overlap, node spacing to all
# neighbours; of the free places the one with the shortest downward edges, the fewest crossings, and the least growth
# beyond the settled content.


STRAIGHT_TO = 4  # neighbours tried to stand in line with
TRIED = 8  # places judged in full, of those that look cheapest
MAX_LINES = 400  # lines; in a larger picture crossings are not counted
ROW_GAP = 0.5  # of the rank spacing; kept to the rows above and below
PRICES: SpotPrices = (
    INSERTED_BEND,
    INSERTED_BESIDE,
    INSERTED_AGAINST,
    OUT_OF_TURN,
    OFF_LINE,
    INSERTED_GROWTH,
    OUTGROWN,
    OUTGROWTH,
)


@dataclass(frozen=True, slots=True)
class Site:
    """The surroundings of a newcomer: placed boxes with outsets, the bounds of the settled content, the free room
    beyond, and straight approximations of the edges. `spare`: the parts of the newcomer's room, left and right, that
    only keep its middle in line."""

    boxes: Sequence[Box]
    bounds: Box
    room: Outset
    lines: list[StraightLine]
    node_gap: float
    rank_gap: float
    spare: tuple[float, float] = (0.0, 0.0)


class LinkedBox(NamedTuple):
    """A box at the far end of a newcomer's edge, and its weight."""

    box: Box
    weight: float = 1.0


class Pull(NamedTuple):
    """The neighbours of a newcomer: `sources` before, `targets` after the newcomer."""

    sources: Sequence[LinkedBox]
    targets: Sequence[LinkedBox]

    @property
    def ends(self) -> list[LinkedBox]:
        """Sources and targets."""
        return [*self.sources, *self.targets]


def corner_for(width: float, height: float, pull: Pull, site: Site) -> Point:
    """The corner of the best place."""
    return corners_for(width, height, pull, site, 1)[0]


def corners_for(width: float, height: float, pull: Pull, site: Site, most: int) -> list[Point]:
    """The corners of the best places, best first, mutually disjoint, at most `most`."""
    spots = free_spots(width, height, _tops(height, pull, site), _wishes(width, pull, site), _shadows(site))
    places = [Box(x, top, width, height) for x, top in spots]
    ground = _ground(pull, site)
    costs = {place: ground.cost(place) for place in dict.fromkeys(places)}  # several wishes may coincide
    rough = sorted((costs[place], place) for place in places)
    if len(site.lines) <= MAX_LINES:
        ends = {end.box for end in pull.ends}
        strangers: list[Rectangle] = [box for box in site.boxes if box not in ends]
        judged = {place: cost for cost, place in rough[: TRIED * most]}
        rough = [(cost + _tangle(place, pull, strangers, site.lines), place) for place, cost in judged.items()]
    return [Point(best.x, best.y) for best in _apart(sorted(rough), most)]


def _apart(rows: Sequence[tuple[float, Box]], most: int) -> list[Box]:
    """The first mutually disjoint places, at most `most`."""
    found: list[Box] = []
    for _, place in rows:
        if len(found) == most:
            break
        if not any(place.overlaps(other) for other in found):
            found.append(place)
    return found


def _wishes(width: float, pull: Pull, site: Site) -> list[float]:
    """The wished left sides of a newcomer: centred on the mean of its neighbours, in a straight line with the first
    few, beside these, and up to the bounds; without a neighbour, after the newest box."""
    ends = pull.ends
    if not ends:
        return [site.boxes[-1].right + site.node_gap if site.boxes else site.bounds.x]
    middle = fsum(end.box.center.x * end.weight for end in ends) / fsum(end.weight for end in ends)
    wishes = [middle - width / 2, *(end.box.center.x - width / 2 for end in ends[:STRAIGHT_TO])]
    aside = width + site.node_gap
    wishes += [wishes[0] - aside, wishes[0] + aside]
    return [*wishes, min(max(wishes[0], site.bounds.x), site.bounds.right - width)]


def _tops(height: float, pull: Pull, site: Site) -> list[float]:
    """The candidate tops of a newcomer: aligned with placed boxes and with its neighbours, possibly deeper inside; new
    lines above and below everything; one rank after its sources or before its targets."""
    tops = {box.center.y - height / 2: None for box in (*site.boxes, *(end.box for end in pull.ends))}
    tops |= {box.bottom + site.rank_gap: None for box, _ in pull.sources}
    tops |= {box.y - site.rank_gap - height: None for box, _ in pull.targets}
    tops[site.bounds.bottom + site.rank_gap] = None
    tops[site.bounds.y - site.rank_gap - height] = None
    return list(tops)


def _shadows(site: Site) -> list[Shadow]:
    """Top, bottom, left and right of every box with its gap, as plain numbers for fast comparison."""
    gap, (left, right) = site.rank_gap * ROW_GAP, (site.node_gap - spare for spare in site.spare)
    return [(y - gap, y + height + gap, x - right, x + width + left) for x, y, width, height in site.boxes]


def _ground(pull: Pull, site: Site) -> SpotCriteria:
    """The cost function of places: length, bends and direction of edges, growth beyond the bounds, and alignment."""
    heights = {box.center.y for box in site.boxes}
    above: list[WeightedBox] = [(end.box, end.weight) for end in pull.sources]
    below: list[WeightedBox] = [(end.box, end.weight) for end in pull.targets]
    return SpotCriteria(site.bounds, site.room, heights, (above, below), PRICES)


def _tangle(place: Box, pull: Pull, strangers: list[Rectangle], lines: list[StraightLine]) -> float:
    """The cost of crossings, and of boxes in the way."""
    own = [line_between(box, place) for box, _ in pull.sources]
    own += [line_between(place, box) for box, _ in pull.targets]
    crossed = sum(crossings(line, lines) for line in own) + lines_through(lines, place)
    return INSERTED_CROSSING * crossed + INSERTED_THROUGH * sum(boxes_hit(line, strangers) for line in own)


OUTSIDE = 0.3  # how much an end in another container counts
ENDLESS = Outset(1e9, 1e9, 1e9, 1e9)
NOWHERE: Mapping[str, Box] = MappingProxyType({})


@dataclass(slots=True)
class BaseLayout:
    """The base layout for insertions: the composed `boxes`, and `now`, the present boxes, newcomers included. `given`:
    fixed places of newcomers."""

    inventory: Inventory
    settings: LayoutSettings
    boxes: Mapping[str, Box]
    now: dict[str, Box]
    given: Mapping[str, Box]

    def ends(self, unit: Unit, far: Mapping[str, Sequence[str]], container: str, turn: Turn) -> list[LinkedBox]:
        """The placed neighbours of a unit, turned to flow downwards; neighbours in the same container weigh most."""
        found = [end for member in unit.boxes for end in far.get(member, ()) if end not in unit.boxes]
        return [
            LinkedBox(turned_box(self.now[end], turn), 1.0 if container in self.inventory.ancestors(end) else OUTSIDE)
            for end in found
            if end in self.now
        ]

    def room(self, container: str) -> Outset:
        """The free room round a container of the base layout, for growth on each side."""
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
    """The base layout of `boxes`, ready for insertions of the inventory's remaining elements."""
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
    """The flow of a container's content: its direction, and the gaps between ranks and within a rank. `area`: the room
    for content without growth; None: the hull of the placed content."""

    turn: Turn
    rank_gap: float
    node_gap: float
    area: Box | None = None


def with_newcomers(
    ground: BaseLayout, container: str, flow: Flow, standing: Sequence[Unit], coming: Sequence[Unit]
) -> list[Unit]:
    """The units of a container after insertion, newcomers with placed neighbours first."""
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
    """A newcomer at each of the best places of its container, best first, at most `most`."""
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
    """A unit with equal room on both sides across the flow, so that its own middle, rather than the middle including a
    label beside, aligns with neighbours."""
    aside = max(core.x - whole.x, whole.right - core.right)
    return Box(core.x - aside, whole.y, core.width + 2 * aside, whole.height)


def _lines(ground: BaseLayout, turn: Turn) -> list[StraightLine]:
    """Straight approximations of all edges between placed elements."""
    turned = {element_id: turned_box(box, turn) for element_id, box in ground.now.items()}
    return [
        line_between(turned[tie.source], turned[tie.target])
        for tie in ground.inventory.ties
        if tie.source in turned and tie.target in turned and tie.source != tie.target
    ]
