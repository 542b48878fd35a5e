"""Placing from a sketch: former elements stay, grown or moved elements push, new elements join.

In: a composer, and the former boxes of elements (the sketch). Out: the box of every element; None if too little of the
sketch is left, or the sketch contradicts itself. Promises: an element stays to the pixel unless another element needs
its room; pushed elements move only by the lacking room and keep their order; containers grow with their content and
never shrink; nothing overlaps, children lie in their containers, lanes tile their pools; a scene placed with its own
boxes is unchanged.

Each container is solved in page coordinates, inner containers first. Each member has a wished place: a given place,
which is fixed; the sketch's, centred on the same middle after a change of size; for a new element its best free place.
`making_room` finds the nearest places that keep gaps and order (`bands` for lanes, which tile); members without room
between fixed members count as new. The container is then fitted round its content. An unchanged container is one rigid
unit. New elements have several candidate places: if routing can tell the cost of edges, the scene is composed with
each, and the cheapest wins. Former elements take no part in this choice (R-KEEP-6).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from itertools import chain, combinations
from math import fsum
from types import MappingProxyType
from typing import NamedTuple

from scenograph.engine.families.family import is_tile, is_tiled
from scenograph.engine.geometry.boxes import NO_OUTSET, Box, Outset, Point, union
from scenograph.engine.geometry.directions import DOWNWARDS, RIGHTWARDS, turn_of, turned_box
from scenograph.engine.kernels.near_boxes import pairs_nearer
from scenograph.engine.kernels.straight_lines import Rectangle
from scenograph.engine.place.containers.composer import Composer
from scenograph.engine.place.containers.composing import container_unit, pool_of, with_room, wrapped
from scenograph.engine.place.containers.frames import area_in, lane_inset, room_beside, title_room, wrap
from scenograph.engine.place.containers.pools import (
    COLUMN_SHARE,
    TRACK_SHARE,
    Yard,
    as_rows,
    inset_as_row,
    is_upright,
    pooled,
)
from scenograph.engine.place.incremental.bands import BandRow, Stack, as_they_stood, banded
from scenograph.engine.place.incremental.making_room import (
    HEAVY,
    LIGHT,
    BaseLayout,
    Body,
    Flow,
    Gaps,
    base_layout,
    free_places,
    moves,
    with_newcomers,
)
from scenograph.engine.place.inventory import ROOT, Cost, Inventory, Unit, boxes_of, moved_to, unit_round
from scenograph.engine.place.relative_positions import with_relative_elements
from scenograph.engine.sketch import Sketch
from scenograph.late_dataclasses import dataclass, replace

SAME = 0.006  # px; sizes are written down with two decimals
TOUCH = 0.05  # px; boxes that only touch do not overlap
WALL = 1.0  # px; the thickness of a side that holds content back
FAR = 1e6  # px; longer than any scene
LEAST_SHARE = 0.2  # of the elements that have to be known
KEPT = 2 / 3  # of the spacing is kept where nobody has seen the picture yet: small growth pushes by little then
PLACES = 4  # of each new element whose lines are routed
CHOOSING = 3  # new elements with a choice of places
WORTH = 100.0  # px: what another place than the first must save, and what a line across the flow costs


def remembered(
    composer: Composer,
    sketch: Sketch,
    *,
    is_seen: bool = True,
    judge: Cost = lambda _: None,
    wider: Mapping[str, Outset] = MappingProxyType({}),
) -> dict[str, Box] | None:
    """The former layout with new elements inserted. Elements `relaid` in the sketch are placed anew, and their
    containers fitted again. In a layout already seen, locked elements stay exactly. `wider` is the further room that
    labels outside of elements need now (`wider_rooms`)."""
    inventory, former = composer.inventory, sketch.boxes
    if not _floating(composer):
        return None
    composer = _with_locked(composer, former) if is_seen else composer
    known = _standing_in(composer, sketch)
    if len(known.boxes) < LEAST_SHARE * len(inventory.elements):
        return None
    refitted = frozenset(up for one in sketch.relaid for up in inventory.ancestors(one))
    ground = base_layout(inventory, composer.settings, known.boxes)
    memory = _Memory(composer, sketch, known, ground, refitted, is_seen, wider)
    found = _soundly_composed(memory)
    if found is None or not is_seen:
        return None if found is None else found[0]
    return _with_best_places(found[1], found[0], judge)


def wider_rooms(inventory: Inventory, sketch: Sketch) -> dict[str, Outset]:
    """By element, the room for outer labels beyond the former room, by side; none without a former room."""
    if sketch.rooms is None:
        return {}
    found: dict[str, Outset] = {}
    for one in inventory.elements:
        room = inventory.size(one).outset
        if one in sketch.boxes and room is not NO_OUTSET and one not in inventory.children:
            had = sketch.rooms.get(one, NO_OUTSET)
            more = Outset(*(max(0.0, side - former) for side, former in zip(room, had, strict=True)))
            if max(more) > SAME:
                found[one] = more
    return found


def _floating(composer: Composer) -> list[str]:
    return [one for one in composer.inventory.elements if one not in composer.fixed and one not in composer.held]


def _with_locked(composer: Composer, former: Mapping[str, Box]) -> Composer:
    """A composer with locked elements fixed too, except where the author put an element on the same place: a sketch
    never causes an overlap."""
    inventory = composer.inventory
    given = [
        Box(corner.x, corner.y, inventory.size(one).width, inventory.size(one).height)
        for one, corner in composer.fixed.items()
        if one not in inventory.children
    ]
    locked = {
        one: Point(former[one].x, former[one].y)
        for one, element in inventory.elements.items()
        if element.locked
        and one in former
        and one not in inventory.children
        and one not in composer.fixed
        and not any(former[one].overlaps(box) for box in given)
    }
    if not locked:
        return composer
    held = composer.held.union(*(inventory.ancestors(one) for one in locked))
    return replace(composer, fixed={**composer.fixed, **locked}, held=held, leaves={})


# The valid part of a former picture, and the places of new containers. px.


ALIKE = 0.5  # px; the effect of rounding on a box and its container


@dataclass(frozen=True, slots=True)
class Standing:
    """The former boxes still valid; the elements `moved` by their author; and new containers round former elements,
    with the hull of their content (`drawn`)."""

    boxes: Mapping[str, Box]
    moved: frozenset[str]
    drawn: Mapping[str, Box]


def _standing_in(composer: Composer, sketch: Sketch) -> Standing:
    """The former boxes still valid: of elements in the same container as before, or, for a sketch without containers,
    of elements inside their present container's box and inside no other. The content of a moved element moves along. A
    new container is drawn round former elements from the same container, if its box is free of everything else."""
    inventory, found, drawn = composer.inventory, dict[str, Box](), dict[str, Box]()
    former, relaid, homes = sketch.boxes, sketch.relaid, sketch.homes
    steps, moved = {ROOT: Point(0.0, 0.0)}, set[str]()
    hulls, firm = _Hulls(composer, sketch), composer.held | composer.fixed.keys()
    for container in reversed(inventory.containers):
        if container not in steps:
            continue
        row = inventory.children[container]
        room = None if container == ROOT else found[container].moved(-steps[container].x, -steps[container].y)
        frames = [former[one] for one in row if one in former and one in inventory.children]
        for child in row:
            box = None if child in relaid else former.get(child)
            if box is None and child not in former:
                box = hulls.box(child, row)
                hull = hulls.hull(child)
                if box is not None and hull is not None and _is_in(hull, room, frames):
                    drawn[child] = hull.moved(*steps[container])
                else:
                    box = None
            elif box is not None and homes is not None:
                box = box if sketch.is_home(child, inventory.parent) else None
            elif box is not None and child not in firm:
                others = [one for one in frames if one is not former[child]]
                box = box if _is_in(box, room, others) else None
            if box is None:
                continue
            corner, step = composer.fixed.get(child), steps[container]
            steps[child] = step if corner is None else Point(corner.x - box.x, corner.y - box.y)
            found[child] = box.moved(*steps[child])
            moved |= {child} if corner is not None and max(map(abs, steps[child])) >= SAME else set()
    return Standing(found, frozenset(moved), drawn)


def _is_in(box: Box, room: Box | None, frames: Sequence[Box]) -> bool:
    """Whether the middle of a box lay in the room (None: the page), and the box in none of the frames inside."""
    if room is not None and not room.grown(ALIKE).contains(Box(*box.center, 0.0, 0.0)):
        return False
    return not any(frame.contains(box) for frame in frames)


class _Hulls:
    """The boxes of new containers round former elements."""

    def __init__(self, composer: Composer, sketch: Sketch) -> None:
        self._composer, self._sketch, self._former = composer, sketch, sketch.boxes

    def hull(self, container: str) -> Box | None:
        """The hull of a container's former content."""
        rows = (self._child(one) for one in self._composer.inventory.children.get(container, ()))
        return union(box for box in rows if box is not None)

    def box(self, container: str, beside: Iterable[str]) -> Box | None:
        """The box of a new container round its former content; None if anything else is inside."""
        composer = self._composer
        element = composer.inventory.elements[container]
        if container in composer.held or container in composer.fixed or is_tiled(element) or is_tile(element):
            return None
        hull = self.hull(container)
        if hull is None:
            return None
        box = wrap(composer.inset(container), hull, composer.least(container, empty=False))
        known = [self._former[one] for one in beside if one != container and one in self._former]
        return None if any(hull.overlaps(other) for other in known) else box

    def _child(self, one: str) -> Box | None:
        if one in self._sketch.relaid:
            return None
        if one in self._former:
            if not self._sketch.is_home(one, self._composer.inventory.parent):
                return None
            return self._former[one].with_outset(self._composer.outset(one))
        hull = self.hull(one) if one in self._composer.inventory.children else None
        return None if hull is None else wrap(self._composer.inset(one), hull, self._composer.least(one, empty=False))


# The scene composed from the valid part of the sketch.


@dataclass(frozen=True, slots=True)
class _Memory:
    """The scene's composer, the sketch, the valid part of the sketch, the base layout for new elements, the containers
    to fit again, whether the picture has been seen, and the elements that need more room."""

    composer: Composer
    sketch: Sketch
    known: Standing
    ground: BaseLayout
    refitted: frozenset[str]
    is_seen: bool
    wider: Mapping[str, Outset]
    rest: _Rest | None = None

    @property
    def is_own(self) -> bool:
        """Whether the sketch is a picture by the engine: only these sketches know the containers."""
        return self.sketch.homes is not None

    @property
    def standing(self) -> Mapping[str, Box]:
        """The former boxes still valid."""
        return self.known.boxes

    def without(self, lost: Set[str]) -> _Memory:
        """The memory without some elements and their content."""
        inventory = self.composer.inventory
        boxes = {one: box for one, box in self.standing.items() if lost.isdisjoint((one, *inventory.ancestors(one)))}
        return self._with(replace(self.known, boxes=boxes), self.ground.given)

    def choosing(self, places: Mapping[str, Box]) -> _Memory:
        """The memory with places for new elements."""
        return self._with(self.known, places)

    def _with(self, known: Standing, given: Mapping[str, Box]) -> _Memory:
        ground = base_layout(self.composer.inventory, self.composer.settings, known.boxes, given)
        return replace(self, known=known, ground=ground)


def _soundly_composed(memory: _Memory) -> tuple[dict[str, Box], _Memory] | None:
    """The layout, if sound, with its memory. Elements seemingly at rest that overlap, as in a hand-made sketch, are
    moved apart; elements that still overlap afterwards are placed as new. For a picture by the engine overlaps may
    remain: given places may leave no room."""
    lying = set[str]()
    for rests in (True, False):
        boxes = _composed(memory, rests=rests)
        if not (lying := _lying_on_others(memory, boxes)):
            return boxes, memory
    if not memory.is_seen:
        return None
    memory = memory.without(lying)
    boxes = _composed(memory, rests=False)
    return (boxes, memory) if memory.is_own or not _lying_on_others(memory, boxes) else None


def _lying_on_others(memory: _Memory, boxes: Mapping[str, Box]) -> set[str]:
    """The floating elements that overlap an element outside their content, or leave their container, unless the
    engine's own former picture did the same. Elements placed by the author may lie over another container's content."""
    composer, inventory = memory.composer, memory.composer.inventory
    names, moving, found = list(boxes), set(_floating(composer)), set[str]()
    kept = {one for one in names if memory.is_own and _is_same(memory.sketch.boxes.get(one), boxes[one])}
    if len(kept) == len(names):
        return found
    wholes: list[Rectangle] = [boxes[one].with_outset(composer.outset(one)) for one in names]
    for one in moving:
        parent = inventory.parent[one]
        if parent != ROOT and not boxes[parent].contains(boxes[one].grown(-TOUCH)) and not _stood_outside(memory, one):
            found.add(one)
    # In a sound placement the only overlaps are of containers and their content.
    most = 2 * sum(len(inventory.ancestors(one)) for one in names) + 16
    for pair in pairs_nearer(wholes, [one not in kept for one in names], -TOUCH, -TOUCH, most):
        first, second = (names[number] for number in pair)
        if first in inventory.ancestors(second) or second in inventory.ancestors(first):
            continue
        if moving.isdisjoint((first, second)) or not boxes[first].grown(-TOUCH).overlaps(boxes[second]):
            continue
        if not (memory.is_seen and _is_put_over(composer, first, second)):
            found.add(first if first in moving and second not in moving else second if second in moving else first)
    return found


def _is_same(former: Box | None, box: Box) -> bool:
    """Whether a box is the former box (stored with two decimals)."""
    if former is None:
        return False
    return former == box or all(abs(now - was) < SAME for was, now in zip(former, box, strict=True))


def _stood_outside(memory: _Memory, one: str) -> bool:
    """Whether an element stood outside of its container in the former picture: an author gave a size too small."""
    former, parent = memory.sketch.boxes, memory.composer.inventory.parent[one]
    is_known = memory.is_own and one in former and parent in former
    return is_known and not former[parent].contains(former[one].grown(-TOUCH))


def _is_put_over(composer: Composer, first: str, second: str) -> bool:
    """Whether one of two elements was placed by the author, and the other is a container or lies in a different
    container."""
    inventory = composer.inventory
    around = [{one, *inventory.ancestors(one)} - {ROOT} for one in (first, second)]
    for given, own, other in ((first, around[0], second), (second, around[1], first)):
        del given
        is_firm = any(one in composer.fixed or one in composer.held for one in own)
        if is_firm and (other in inventory.children or inventory.parent[first] != inventory.parent[second]):
            return True
    return False


def _composed(memory: _Memory, *, rests: bool) -> dict[str, Box]:
    composer, inventory = memory.composer, memory.composer.inventory
    rest, units = _Rest(memory) if rests else None, dict[str, Unit]()
    memory = replace(memory, rest=rest)
    if rest is not None and memory.is_seen and ROOT in rest:
        return rest.boxes(ROOT)
    inside = set[str]()
    for container in reversed(inventory.containers[:-1]) if rest is not None else ():
        if (
            rest is not None
            and container in rest
            and container not in inside
            and not _is_set_by_pool(composer, container)
        ):
            units[container] = rest.unit(container)
            inside.update(units[container].boxes)
    units.update({one: _at_place(memory, one) for one in inventory.elements if one not in inside})
    firm = {one: units[one].whole if one in units else memory.standing[one] for one in composer.fixed}
    composer.standing.update(firm)
    for container in (one for one in inventory.containers[:-1] if one not in inside):
        if not _is_set_by_pool(composer, container):
            units[container] = _container(memory, container, units)
    return boxes_of(_content(memory, ROOT, units, _own_flow(memory, ROOT)))


def _container(memory: _Memory, container: str, units: Mapping[str, Unit]) -> Unit:
    """A container with its content. A container without a place is composed anew; if nothing of its content is placed,
    only the content is composed anew."""
    composer, children = memory.composer, memory.composer.inventory.children[container]
    was, has_lanes = memory.standing.get(container), composer.swims(container) or _has_given_lanes(composer, container)
    if was is None or (has_lanes and not memory.is_seen):
        return container_unit(composer, container, units)
    if has_lanes:
        return with_room(composer, container, _stacked(memory, [container], units))
    if children and container not in composer.held and not any(one in memory.standing for one in children):
        unit = container_unit(composer, container, units)
        fresh = moved_to(unit, was) if container not in composer.fixed else unit
        room = Box(was.x, was.y, max(was.width, fresh.core.width), max(was.height, fresh.core.height))
        if container in memory.refitted or container in composer.fixed:
            return fresh
        aside = Point(float(int(room.width - fresh.core.width) // 2), float(int(room.height - fresh.core.height) // 2))
        content = {one: box.moved(*aside) for one, box in fresh.boxes.items() if one != container}
        return unit_round(container, room, composer.outset(container), content, fixed=unit.fixed)
    content = _content(memory, container, units, _own_flow(memory, container))
    unit = wrapped(composer, container, content, _drawn_round(memory, container, content))
    if container not in composer.fixed:
        return unit
    box = _grown_in_place(memory, container, unit.core, content)
    return unit._replace(core=box, whole=union((unit.whole, box)) or box, boxes={**unit.boxes, container: box})


class _Rest:
    """The elements at rest: unchanged in place and size, without an author's wish to the contrary; and containers with
    all content at rest and of sufficient size. Elements at rest are skipped."""

    def __init__(self, memory: _Memory) -> None:
        self._memory = memory
        inventory = memory.composer.inventory
        self._rests: dict[str, bool] = {}
        for one in inventory.elements:
            if one not in inventory.children:
                self._rests[one] = self._stood(one)
        for container in inventory.containers:
            held = all(self._rests[child] for child in inventory.children[container])
            self._rests[container] = held and (container == ROOT or self._container_stood(container))

    def __contains__(self, one: str) -> bool:
        return self._rests[one]

    def boxes(self, one: str) -> dict[str, Box]:
        """The boxes of an element at rest and of its content; `ROOT` for everything."""
        inventory = self._memory.composer.inventory
        inner = [*inventory.elements] if one == ROOT else [one]
        if one != ROOT:
            for container in inner:
                inner += inventory.children.get(container, ())
        standing = self._memory.standing
        return {key: standing[key] if key in inventory.children else _core(self._memory, key) for key in inner}

    def unit(self, one: str) -> Unit:
        """A container at rest as one unit."""
        composer = self._memory.composer
        fixed = one in composer.fixed or one in composer.held
        boxes = self.boxes(one)
        unit = unit_round(one, boxes[one], composer.outset(one), boxes, fixed=fixed)
        if not fixed:
            return unit
        wholes = [box.with_outset(composer.outset(key)) for key, box in boxes.items()]
        return unit._replace(whole=union(wholes) or unit.whole)

    def _stood(self, one: str) -> bool:
        memory, composer = self._memory, self._memory.composer
        box, size = memory.standing.get(one), composer.inventory.size(one)
        if box is None or one in memory.known.moved:
            return False
        if one in memory.wider:
            return False
        if one not in composer.fixed and composer.inventory.relation(one) is not None:
            return False
        return abs(box.width - size.width) < SAME and abs(box.height - size.height) < SAME

    def _container_stood(self, one: str) -> bool:
        memory, composer, inventory = self._memory, self._memory.composer, self._memory.composer.inventory
        box, layout = memory.standing.get(one), inventory.elements[one].layout
        if box is None or one in memory.known.drawn or one in memory.refitted or one in memory.known.moved:
            return False
        if inventory.relation(one) is not None:
            return False
        given = ((layout.width, box.width), (layout.height, box.height))
        if any(side is not None and abs(side - had) >= SAME and one in composer.fixed for side, had in given):
            return False
        if not (is_tile(inventory.elements[one]) or _is_large_enough(composer, one, box)):
            return False
        return self._holds_labels(one, box) and self._is_tiled(one)

    def _holds_labels(self, container: str, box: Box) -> bool:
        """Whether the free content of a container, with the labels outside of boxes, lies in its box."""
        memory, composer = self._memory, self._memory.composer
        around = (container, *composer.inventory.ancestors(container))
        if any(one in composer.fixed or one in composer.held for one in around[:-1]):
            return True
        room = box.grown(ALIKE)
        return all(
            room.contains(memory.standing[child].with_outset(composer.outset(child)))
            for child in composer.inventory.children[container]
            if child not in composer.fixed and child not in composer.held
        )

    def _is_tiled(self, pool: str) -> bool:
        """Whether lanes without a given place follow each other in order; in a sketch that is no picture by the engine,
        without a gap and to the end of their pool."""
        composer, inventory = self._memory.composer, self._memory.composer.inventory
        lanes = _lanes_in_order(self._memory, pool)
        if not lanes or any(one in composer.fixed for one in inventory.children[pool]):
            return True
        upright, standing = is_upright(inventory, pool), self._memory.standing
        rows = [as_rows(standing[one], upright=upright) for one in lanes]
        if self._memory.is_own:
            tops = [row.y for row in rows]
            return tops == sorted(tops)
        around = as_rows(standing[pool], upright=upright)
        starts = [row.y for row in rows[1:]] + [around.bottom]
        is_first = len(lanes) < len(inventory.children[pool]) or abs(rows[0].y - around.y) < 1.0
        return is_first and all(abs(row.bottom - start) < 1.0 for row, start in zip(rows, starts, strict=True))


def _is_large_enough(composer: Composer, container: str, box: Box) -> bool:
    """Whether a container is large enough for its title and for the author."""
    width, height = composer.least(container, empty=False)
    return box.width > width - 1.0 and box.height > height - 1.0


def _is_set_by_pool(composer: Composer, container: str) -> bool:
    """Whether a pool sets the element's box: a lane or a tiled container without given places."""
    return composer.is_lane(container) or (composer.swims(container) and container not in composer.fixed)


def _has_given_lanes(composer: Composer, container: str) -> bool:
    """Whether an element is a pool with lanes placed by the author."""
    return any(_is_given_lane(composer, one) for one in composer.inventory.children[container])


def _is_given_lane(composer: Composer, one: str) -> bool:
    """Whether an element is a lane of a pool, placed by the author."""
    inventory = composer.inventory
    return (
        one in composer.fixed
        and is_tile(inventory.elements[one])
        and is_tiled(inventory.elements.get(inventory.parent[one]))
    )


def _at_place(memory: _Memory, one: str) -> Unit:
    """An element centred on its former middle; with an unchanged size exactly at its former box."""
    composer, box = memory.composer, memory.standing.get(one)
    if box is None or one in composer.fixed:
        return composer.leaf(one)
    if one in composer.inventory.children:
        return unit_round(one, box, composer.outset(one), {}, fixed=False)
    return unit_round(one, _core(memory, one), composer.leaf_outset(one), {}, fixed=False)


def _core(memory: _Memory, one: str) -> Box:
    """The box of a placed element without content, round its former middle."""
    if one in memory.composer.fixed:
        return memory.composer.leaf(one).core
    box, size = memory.standing[one], memory.composer.inventory.size(one)
    x = box.x if abs(box.width - size.width) < SAME else box.center.x - size.width / 2
    y = box.y if abs(box.height - size.height) < SAME else box.center.y - size.height / 2
    return Box(round(x, 2), round(y, 2), size.width, size.height)


def _content(
    memory: _Memory, container: str, units: Mapping[str, Unit], flow: Flow, among: Collection[str] | None = None
) -> list[Unit]:
    """The members of a container, or those `among` its children: former members, pushed apart if in conflict, then new
    members and members without room."""
    members = _members(memory, container, units, among)
    standing = [unit for unit in members if unit.fixed or unit.id in memory.standing]
    bodies, gaps = [_body(memory, unit) for unit in standing], _gaps(memory, flow)
    steps = moves([*bodies, *_walls(memory, container, gaps)], gaps)[: len(standing)]
    placed = [unit.moved(*step) for unit, step in zip(standing, steps, strict=True) if step is not None]
    memory.ground.now.update(boxes_of(placed))
    there = {unit.id for unit in placed}
    coming = [unit for unit in members if unit.id not in there]
    for unit in coming:
        for one in unit.boxes:
            memory.ground.now.pop(one, None)
    return with_newcomers(memory.ground, container, flow, placed, coming)


def _walls(memory: _Memory, container: str, gaps: Gaps) -> list[Body]:
    """The left and the upper side of a container with a given corner, which grows to the right and downwards only: two
    bodies at the usual gap before the room of its content."""
    corner = memory.composer.fixed.get(container)
    if corner is None or not memory.is_seen:
        return []
    inset = memory.composer.inset(container)
    x, y = corner.x + inset.left - gaps.across, corner.y + inset.top - gaps.along
    boxes = Box(x - WALL, y - FAR, WALL, 2 * FAR), Box(x - FAR, y - WALL, 2 * FAR, WALL)
    return [Body(box, box, fixed=True, rests=True) for box in boxes]


def _gaps(memory: _Memory, flow: Flow) -> Gaps:
    """The gaps kept between members: node spacing, once the picture has been seen."""
    axis = 0 if flow.turn.swapped else 1
    if memory.is_seen:
        return Gaps(flow.node_gap, flow.node_gap, axis)
    across, along = (flow.rank_gap, flow.node_gap) if flow.turn.swapped else (flow.node_gap, flow.rank_gap)
    return Gaps(KEPT * across, KEPT * along, axis)


def _members(memory: _Memory, container: str, units: Mapping[str, Unit], among: Collection[str] | None) -> list[Unit]:
    """The units of a container: pools of one orientation stacked, relative elements joined with their targets."""
    composer, inventory = memory.composer, memory.composer.inventory
    children = [one for one in inventory.children[container] if not composer.is_lane(one)]
    children = children if among is None else [one for one in children if one in among]
    pools = [one for one in children if composer.swims(one) and one not in composer.fixed]
    members = [units[one] for one in children if one not in pools]
    for yard in _yards(memory, pools):
        unit = _yard(memory, yard, units, upright=is_upright(inventory, yard[0]))
        members.append(unit if composer.stacks(yard[0]) else with_room(composer, yard[0], unit))
    return with_relative_elements(inventory, container, members, composer.settings.node_spacing)


def _yards(memory: _Memory, pools: Sequence[str]) -> list[list[str]]:
    """Pools by stack: pools of the same orientation, formerly above each other and overlapping along the flow. If any
    two stood beside each other, each pool is a stack of its own. New pools join their predecessor. A divided container
    stands alone."""
    composer, inventory = memory.composer, memory.composer.inventory
    found: list[list[str]] = [[one] for one in pools if not composer.stacks(one)]
    for upright in (False, True):
        mine = [one for one in pools if composer.stacks(one) and is_upright(inventory, one) is upright]
        boxes = {one: as_rows(memory.standing[one], upright=upright) for one in mine if one in memory.standing}
        groups: list[list[str]] = []
        for one, box in boxes.items():
            joined = [group for group in groups if any(_is_level(box, boxes[other], 0) for other in group)]
            groups = [group for group in groups if group not in joined] + [[*chain.from_iterable(joined), one]]
        split = [
            part
            for group in groups
            for part in ([[one] for one in group] if _stood_beside([boxes[one] for one in group]) else [group])
        ]
        for number, one in enumerate(mine):
            if one not in boxes:
                home = next((group for group in split if number and mine[number - 1] in group), None)
                home = home or (split[0] if split else None)
                if home is None:
                    split.append([one])
                else:
                    home.append(one)
        found += [sorted(group, key=mine.index) for group in split]
    return found


def _stood_beside(boxes: Sequence[Box]) -> bool:
    """Whether at least two boxes stood beside each other without an overlap. A sketch may contain overlaps."""
    pairs = [[_is_level(one, other, axis) for axis in (0, 1)] for one, other in combinations(boxes, 2)]
    return [False, True] in pairs and [True, True] not in pairs


def _is_level(one: Box, other: Box, axis: int) -> bool:
    """Whether the extents of two boxes overlap on an axis."""
    return min(one[axis] + one[axis + 2], other[axis] + other[axis + 2]) - max(one[axis], other[axis]) > SAME


def _yard(memory: _Memory, pools: Sequence[str], units: Mapping[str, Unit], *, upright: bool) -> Unit:
    """Pools as one unit: former pools in their old order, each new pool after its predecessor in the document."""
    composer, settings = memory.composer, memory.composer.settings
    former = {one: memory.standing[one] for one in pools if one in memory.standing}
    if not former:
        yard = Yard(tuple(pool_of(composer, one, units) for one in pools), upright)
        return pooled(composer.inventory, yard, settings)
    if memory.rest is not None and all(one in memory.rest for one in pools):
        return _together([memory.rest.unit(one) for one in pools])
    return _stacked(memory, as_they_stood(pools, former, upright=upright), units)


def _together(units: Sequence[Unit]) -> Unit:
    """Units merged to one, named after the first."""
    whole = union(unit.whole for unit in units) or units[0].whole
    core = union(unit.core for unit in units) or units[0].core
    return Unit(units[0].id, core, whole, boxes_of(units), (whole,), fixed=any(unit.fixed for unit in units))


def _stacked(memory: _Memory, pools: Sequence[str], units: Mapping[str, Unit]) -> Unit:
    """Pools in order as one unit; a single pool may have a place by its author."""
    composer, upright = memory.composer, is_upright(memory.composer.inventory, pools[0])
    former = {one: memory.standing[one] for one in pools if one in memory.standing}
    rows = [row for pool in pools for row in _rows(memory, pool, pool, units)]
    given, lanes = pools[0] in composer.fixed, None
    if _has_given_lanes(composer, pools[0]):
        there = [one for one in _lanes_in_order(memory, pools[0]) if one in memory.standing]
        lanes = union(memory.standing[one] for one in there if one not in composer.fixed)
        lanes = lanes or union(units[one].core for one in there if one in composer.fixed)
    named = dict.fromkeys(one for row in rows for one in (row.pool, *row.above, row.lane) if one is not None)
    added = [one for one in named if one not in memory.standing]
    titles = {one: title_room(composer.inventory, one, upright=upright) for one in added}
    return banded(Stack(rows, former, composer.settings.rank_spacing, upright, titles, given, lanes))


def _rows(
    memory: _Memory, pool: str, container: str, units: Mapping[str, Unit], above: tuple[str, ...] = ()
) -> list[BandRow]:
    """The rows of a pool, or of a divided lane: the lanes, and between them strips of content beside lanes."""
    inventory = memory.composer.inventory
    upright, lanes = is_upright(inventory, pool), _lanes_in_order(memory, container)
    strips = _strips(memory, container, lanes)

    def row(strip: _Strip, lane: str | None = None) -> BandRow:
        flow = _lane_flow(memory, container, strip.band, lane_inset(inventory, lane))
        content = _content(memory, lane or container, units, flow, None if lane else strip.members)
        inset = inset_as_row(inventory, lane, above, upright=upright)
        return BandRow(pool, lane, above, content, strip.band, _held(memory, content), inset, strip.is_gap)

    rows: list[BandRow] = []
    for number, lane in enumerate((None, *lanes)):
        if lane is not None and lane in memory.composer.fixed:
            unit = units[lane]
            rows.append(BandRow(pool, lane, above, [unit], unit.core, unit.core, NO_OUTSET, is_given=True))
        elif lane is not None and memory.composer.swims(lane):
            rows += _rows(memory, pool, lane, units, (*above, lane))
        elif lane is not None:
            rows.append(row(_Strip(0, memory.standing.get(lane)), lane))
        rows += [row(strip) for strip in strips if strip.after == number]
    return rows


class _Strip(NamedTuple):
    """A part of a pool beside the lanes, with a former box and content. `after`: the number of lanes before the part.
    `is_gap`: the part is the room of a removed lane."""

    after: int
    band: Box | None
    members: tuple[str, ...] = ()
    is_gap: bool = False


def _strips(memory: _Memory, container: str, lanes: Sequence[str]) -> list[_Strip]:
    """The strips of a pool, or of a divided lane. Content stands in the strip in which it stood, new content before
    the lanes. A pool drawn by the engine keeps the room of a removed lane as a gap; other lanes tile their pool."""
    inventory, standing = memory.composer.inventory, memory.standing
    upright = is_upright(inventory, container)
    free = _open_strips(memory, container, lanes)
    content: list[list[str]] = [[] for _ in free]
    first: list[str] = []
    for one in inventory.children[container]:
        if one in lanes:
            continue
        if not free or one not in standing or inventory.relation(one) is not None:
            first.append(one)
            continue
        middle = as_rows(standing[one], upright=upright).center.y
        boxes = [as_rows(strip.band, upright=upright) for strip in free if strip.band is not None]
        away = [max(box.y - middle, middle - box.bottom) for box in boxes]
        content[away.index(min(away))].append(one)
    found = [
        strip._replace(members=tuple(members), is_gap=not members) for strip, members in zip(free, content, strict=True)
    ]
    if first or not (lanes or found):
        if found and not found[0].after:
            found[0] = found[0]._replace(members=(*first, *found[0].members), is_gap=False)
        else:
            found.insert(0, _Strip(0, _before_lanes(memory, container, lanes), tuple(first)))
    return found


def _open_strips(memory: _Memory, container: str, lanes: Sequence[str]) -> list[_Strip]:
    """The parts of a former pool by the engine without a lane, in order."""
    around, upright = memory.standing.get(container), is_upright(memory.composer.inventory, container)
    stood = [(as_rows(memory.standing[one], upright=upright), one) for one in lanes if one in memory.standing]
    if around is None or not memory.is_own or not stood:
        return []
    row, found = as_rows(around, upright=upright), list[_Strip]()
    top = row.y
    for box, one in [*sorted(stood, key=lambda lane: lane[0].y), (Box(row.x, row.bottom, row.width, 0.0), "")]:
        if box.y - top > ALIKE:
            after = lanes.index(one) if one else len(lanes)
            found.append(_Strip(after, as_rows(Box(row.x, top, row.width, box.y - top), upright=upright)))
        top = max(top, box.bottom)
    return found


def _before_lanes(memory: _Memory, container: str, lanes: Sequence[str]) -> Box | None:
    """The former part of a pool before its first lane."""
    box, upright = memory.standing.get(container), is_upright(memory.composer.inventory, container)
    tops = [as_rows(memory.standing[one], upright=upright).y for one in lanes if one in memory.standing]
    if box is None or not tops:
        return box
    row = as_rows(box, upright=upright)
    return as_rows(Box(row.x, row.y, row.width, min(tops) - row.y), upright=upright)


def _lanes_in_order(memory: _Memory, container: str) -> list[str]:
    """The lanes of a pool or divided lane, in document order; those with given places inside in the order in which they
    stood, new ones in the order of these places; a lane with a given place behind as many lanes as stand before it
    (R-POOL-4)."""
    composer, children = memory.composer, memory.composer.inventory.children[container]
    lanes = [one for one in children if composer.is_lane(one)]
    axis = 0 if is_upright(composer.inventory, container) else 1
    held = {one: tops for one in lanes if one in composer.held and (tops := [*_given_starts(memory, one, axis)])}
    stood: Mapping[str, Box] = memory.standing if memory.is_seen else {}
    starts = {one: stood[one][axis] if one in stood else min(held[one]) for one in held}
    ordered = iter(sorted(held, key=starts.__getitem__))
    found = [next(ordered) if one in held else one for one in lanes]
    given = {one: composer.fixed[one][axis] for one in children if _is_given_lane(composer, one)}
    for one in sorted(given, key=given.__getitem__):
        before = sum(1 for other in (*lanes, *given) if other in stood and stood[other][axis] < given[one])
        known = [number for number, other in enumerate(found, 1) if other in stood][:before]
        at = known[-1] if known else 0
        while at < len(found) and found[at] not in stood and children.index(found[at]) < children.index(one):
            at += 1
        found.insert(at, one)
    return found


def _given_starts(memory: _Memory, lane: str, axis: int) -> Iterator[float]:
    """Where the members of a lane with given places, or given places inside, start on an axis."""
    composer = memory.composer
    for child in composer.inventory.children[lane]:
        if composer.is_lane(child):
            yield from _given_starts(memory, child, axis)
        elif child in composer.fixed:
            yield composer.fixed[child][axis]
        elif child in composer.held and child in memory.standing:
            yield memory.standing[child][axis]


def _flow_in(memory: _Memory, container: str) -> Flow:
    """The flow of content in any container, including lanes and pools."""
    composer, inventory = memory.composer, memory.composer.inventory
    if container == ROOT or not _is_set_by_pool(composer, container):
        return _own_flow(memory, container)
    lane = container if composer.is_lane(container) else None
    pool = container if lane is None else inventory.parent[lane]
    return _lane_flow(memory, pool, memory.standing[container], lane_inset(inventory, lane))


def _lane_flow(memory: _Memory, pool: str, band: Box | None, inset: Outset) -> Flow:
    """Columns of a flow stand closer than ranks."""
    settings = memory.composer.settings
    turn = turn_of(DOWNWARDS if is_upright(memory.composer.inventory, pool) else RIGHTWARDS)
    around = band or memory.standing.get(pool)
    area = None if around is None else area_in(inset, around)
    return Flow(turn, settings.rank_spacing * COLUMN_SHARE, settings.node_spacing * TRACK_SHARE, area)


def _own_flow(memory: _Memory, container: str) -> Flow:
    settings, former = memory.composer.settings, memory.standing.get(container)
    area = None if former is None else area_in(memory.composer.inset(container), former)
    return Flow(turn_of(settings.direction), settings.rank_spacing, settings.node_spacing, area)


def _body(memory: _Memory, unit: Unit) -> Body:
    composer, whole, drawn = memory.composer, unit.whole, unit.id in memory.known.drawn
    before = _before(memory, unit)
    grown = before is not None and (whole.width > before.width + SAME or whole.height > before.height + SAME)
    is_set = unit.id in memory.known.moved or (unit.id in composer.fixed and unit.id not in memory.sketch.boxes)
    return Body(
        None if is_set else before,
        whole,
        LIGHT if drawn else HEAVY if grown else float(len(unit.boxes)),
        unit.fixed,
        unit.pieces if len(unit.pieces) > 1 else (unit.core,) if memory.is_seen else (),
        is_set and memory.is_seen,
        unit.id in composer.fixed,
        unit.id in composer.inventory.children,
        memory.is_own and not is_set and before == whole,
    )


def _before(memory: _Memory, unit: Unit) -> Box | None:
    """The former box of a unit, outsets included. The outset is the unit's present one; moves inside the unit do not
    count."""
    standing, drawn, whole = memory.ground.boxes, memory.known.drawn, unit.whole
    parent = memory.composer.inventory.parent
    outer = [one for one in unit.boxes if parent[one] not in unit.boxes] if len(unit.boxes) > 1 else [*unit.boxes]
    boxes = [drawn.get(one) or standing[one] for one in outer if one in drawn or one in standing]
    box = boxes[0] if len(boxes) == 1 else union(boxes)
    if box is None:
        return None
    now = unit.boxes[outer[0]] if len(outer) == 1 else union(unit.boxes[one] for one in outer) or unit.core
    room = Outset(now.y - whole.y, whole.right - now.right, whole.bottom - now.bottom, now.x - whole.x)
    if len(outer) == 1 and outer[0] in memory.wider:
        room = Outset(*(side - more for side, more in zip(room, memory.wider[outer[0]], strict=True)))
    return box.with_outset(room)


def _held(memory: _Memory, content: Sequence[Unit]) -> Box | None:
    """The hull of a container's former content still present. An element moved since counts only where it stood outside
    already."""
    moved, rows = memory.known.moved, list[Box | None]()
    for unit in content:
        if unit.id not in moved:
            rows.append(_before(memory, unit))
        elif _stood_outside(memory, unit.id):
            rows.append(memory.sketch.boxes[unit.id])
    return union([box for box in rows if box is not None])


def _drawn_round(memory: _Memory, container: str, content: Sequence[Unit]) -> Box:
    """The box of a container, at least as large as before and as its content needs."""
    composer, former, inset = memory.composer, memory.standing[container], memory.composer.inset(container)
    hull, least = union(unit.whole for unit in content), composer.least(container, empty=False)
    if container in memory.refitted and hull is not None:
        return wrap(inset, hull, least)
    held = None if container in memory.known.drawn else _held(memory, content)
    box = former.with_outset(room_beside(former, inset, held, hull))
    wider, higher = (max(0.0, need - had) for need, had in zip(least, box[2:], strict=True))
    if wider < 1.0 and higher < 1.0:
        return box
    return Box(box.x - wider // 2, box.y - higher // 2, box.width + wider, box.height + higher)


def _grown_in_place(memory: _Memory, container: str, box: Box, content: Sequence[Unit]) -> Box:
    """The author's box of a container, extended to the right and down as far as its content needs more than before."""
    hull, held = union(unit.whole for unit in content), _held(memory, content)
    if hull is None:
        return box
    inset, former = memory.composer.inset(container), memory.standing[container]
    right, bottom = inset.right, inset.bottom
    if held is not None:
        right, bottom = min(right, former.right - held.right), min(bottom, former.bottom - held.bottom)
    width = max(box.width, round(hull.right + right - box.x, 2))
    return box._replace(width=width, height=max(box.height, round(hull.bottom + bottom - box.y, 2)))


# Places for new elements, compared by the cost of their edges.


def _with_best_places(memory: _Memory, boxes: dict[str, Box], judge: Cost) -> dict[str, Box]:
    """The layout with each new element at the free place with the least edge cost."""
    composer, inventory = memory.composer, memory.composer.inventory
    new = [
        one
        for one, up in inventory.parent.items()
        if one not in memory.standing
        and one not in composer.fixed
        and (up == ROOT or up in memory.standing)
        and inventory.relation(one) is None
        and not is_tile(inventory.elements[one])
        and not is_tiled(inventory.elements[one])
    ]
    linked = {end for tie in inventory.ties for end in tie.ends}
    new = [one for one in new if one in linked or one in inventory.children]
    least = _cost(memory, boxes, new, judge) if new else None
    if least is None:
        return boxes
    chosen = {one: boxes[one] for one in new}
    for one in new[:CHOOSING]:
        for place in _places(memory, boxes, one):
            tried = _composed(memory.choosing({**chosen, one: place}), rests=True)
            if _lying_on_others(memory, tried) or _pushed(memory, tried) > _pushed(memory, boxes):
                continue
            cost = _cost(memory, tried, new, judge)
            if cost is not None and cost < least - WORTH:
                boxes, least, chosen = tried, cost, {**chosen, one: place}
    return boxes


def _cost(memory: _Memory, boxes: Mapping[str, Box], new: Sequence[str], judge: Cost) -> float | None:
    """The edge cost of a layout, px, with a surcharge for new elements' edges against the flow, beside instead of after
    their neighbour."""
    judged = judge(boxes)
    if judged is None:
        return None
    inventory, turn = memory.composer.inventory, turn_of(memory.composer.settings.direction)
    rows = [tie for tie in inventory.ties if tie.source != tie.target and not set(tie.ends).isdisjoint(new)]
    pairs = [[turned_box(boxes[end], turn) for end in tie.ends] for tie in rows]
    beside = sum(source.y < target.bottom and target.y < source.bottom for source, target in pairs)
    return judged.px + WORTH * beside


def _places(memory: _Memory, boxes: Mapping[str, Box], one: str) -> list[Box]:
    """The best free places of an element, except its present place."""
    composer, inventory = memory.composer, memory.composer.inventory
    own = dict.fromkeys([one, *(inner for inner in inventory.elements if one in inventory.ancestors(inner))])
    ground = base_layout(inventory, composer.settings, {key: box for key, box in boxes.items() if key not in own})
    home = inventory.parent[one]
    beside = [
        unit_round(other, boxes[other], composer.outset(other), {}, fixed=False)
        for other in inventory.children[home]
        if other != one
    ]
    unit = unit_round(one, boxes[one], composer.outset(one), {key: boxes[key] for key in own}, fixed=False)
    found = free_places(ground, _flow_in(memory, home), home, beside, unit, most=PLACES)
    return [place.core for place in found if place.core[:2] != boxes[one][:2]]


def _pushed(memory: _Memory, boxes: Mapping[str, Box]) -> float:
    """The total shift of all former elements, px."""
    steps = (abs(boxes[one].x - was.x) + abs(boxes[one].y - was.y) for one, was in memory.standing.items())
    return round(fsum(steps), 2)
