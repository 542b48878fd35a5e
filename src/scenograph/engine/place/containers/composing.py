"""The forest composed from the inside out: each container's content is arranged, wrapped, then placed as one rigid unit
in the parent container.

In: an inventory, the algorithm, its settings. Out: the box of every element. Promise: children inside their frames, no
overlaps except the author's, absolute positions untouched.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from functools import partial
from itertools import pairwise
from math import fsum, inf, isfinite

from scenograph.engine.costs import CLEARANCE
from scenograph.engine.families.family import is_tile, is_tiled
from scenograph.engine.geometry.boxes import Box, Outset, Point, union
from scenograph.engine.geometry.directions import (
    AHEAD,
    CROSSWISE,
    DOWNWARDS,
    RIGHTWARDS,
    SIDEWAYS,
    TURNS,
    turn_of,
    turned_back,
    turned_box,
    turned_outset,
)
from scenograph.engine.geometry.packing import Occupied
from scenograph.engine.kernels.straight_lines import crossed, line_between, pulled, segment, sharing_heights
from scenograph.engine.page import MARGIN
from scenograph.engine.place.algorithms import ALGORITHMS, Algorithm, grid
from scenograph.engine.place.containers.composer import Composer, composer_of
from scenograph.engine.place.containers.frames import area_in, inset_of, outset_of, wrap
from scenograph.engine.place.containers.parts import titles_in_the_way, wider_for_title
from scenograph.engine.place.containers.pools import Lane, Pool, Yard, added_lanes, is_upright, pooled
from scenograph.engine.place.inventory import (
    MAX_JUDGED_TIES,
    ROOT,
    Inventory,
    Tie,
    Unit,
    boxes_of,
    layout_cost,
    links_between,
    moved_to,
    unit_round,
)
from scenograph.engine.place.layered.nesting import Nesting, nested, ways_of
from scenograph.engine.place.relative_positions import with_relative_elements
from scenograph.engine.place.subgraph import (
    ArrangeLevel,
    Corners,
    Item,
    LayoutSettings,
    Subgraph,
    connected,
    extent,
    is_way,
    whole_box,
)
from scenograph.late_dataclasses import dataclass, replace
from scenograph.scene.model import Frame

# Fixed and floating content: fixed elements stay, floating elements go into free space near their neighbours.


GAPS = (1.0, 1 / 3, 1 / 6)  # shares of node spacing tried in turn where an area is crowded
NARROW = 1 / 2  # of the spacing; kept to fixed boxes where the whole spacing is not free
NEAR = 480.0  # a place farther from the wish than this is no better than one outside


@dataclass(frozen=True, slots=True)
class _FreeSpace:
    """The room for floating content: taken boxes, and the area to stay inside (None: anywhere)."""

    taken: Sequence[Box]
    area: Box | None
    page: Box | None


def _place_around_fixed(
    subgraph: Subgraph, anchors: Mapping[str, Unit], space: _FreeSpace, arrange: ArrangeLevel
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


def _joined(parts: Sequence[Subgraph], space: _FreeSpace) -> Sequence[Subgraph]:
    """The parts, of which those without a link to an anchor are merged into one part. In a given area all parts stay
    apart, and find gaps of their own."""
    if not parts or space.area is not None:
        return parts
    items = tuple(item for part in parts for item in part.items)
    links = tuple(link for part in parts for link in part.links)
    return [replace(parts[0], items=items, links=links)]


def _spot(occupied: Occupied, wish: Box, space: _FreeSpace, spacing: float) -> Box:
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


def _wish(subgraph: Subgraph, part: Subgraph, box: Box, anchors: Mapping[str, Unit], space: _FreeSpace) -> Box:
    """The wished box of a part: after the part's predecessors, before its successors, centred between the two; without
    any, beside all placed content."""
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
    ahead = Point(*AHEAD.get(settings.direction, AHEAD[DOWNWARDS]))
    if before and after:
        return Box(x - box.width / 2, y - box.height / 2, box.width, box.height)
    sense = 1.0 if before else -1.0
    reach = union(near) or box
    away_x = (reach.width + box.width) / 2 + settings.rank_spacing
    away_y = (reach.height + box.height) / 2 + settings.rank_spacing
    x = reach.center.x + sense * ahead.x * away_x if ahead.x else x
    y = reach.center.y + sense * ahead.y * away_y if ahead.y else y
    return Box(x - box.width / 2, y - box.height / 2, box.width, box.height)


def _beside(box: Box, standing: Sequence[Box], space: _FreeSpace, settings: LayoutSettings) -> Box:
    """The box right of or below everything placed, depending on the page's proportions."""
    around = union(standing)
    if around is None:
        area = space.area or Box(0.0, 0.0, 0.0, 0.0)
        return Box(area.x, area.y, box.width, box.height)
    if around.width < settings.aspect * around.height:
        return Box(around.right + settings.node_spacing, around.y, box.width, box.height)
    return Box(around.x, around.bottom + settings.node_spacing, box.width, box.height)


def _in_area(subgraph: Subgraph, area: Box, attempts: Sequence[ArrangeLevel]) -> dict[str, Point] | None:
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


# Crossing reduction across containers in a composed layout: contents are mirrored, neighbours exchanged. Flow from
# top to bottom. px. The effect of a container's order on edges out of the container is known only after
# composition; a few exchanges that keep all sizes, ranks and gaps then remove many crossings. In: boxes, and per
# container the movable children. Out: boxes. Promises: only the place across the flow changes; no new overlaps;
# never more crossings of straight edges than before.


MAX_TRIALS = 400  # moves tried in a picture; bounds the time of large scenes

Shift = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class ComposedLayout:
    """A layout before crossing reduction. `rows`: the movable children of each container. `inside`: each child with
    everything that moves along."""

    boxes: dict[str, Box]
    ties: Sequence[Tie]
    rows: Sequence[Sequence[str]]
    inside: Mapping[str, Sequence[str]]


class _Web:
    """The straight lines of all edges. `near`: for each line, the lines at the same height, unchanged by moves;
    `crossed`: the lines crossed by each."""

    def __init__(self, composed: ComposedLayout) -> None:
        boxes, self.composed = composed.boxes, composed
        lines = [line_between(boxes[tie.source], boxes[tie.target]) for tie in composed.ties]
        spans = [(min(top, bottom), max(top, bottom)) for _, top, _, bottom in lines]
        self.segments = [segment(*line) for line in lines]
        self.near = sharing_heights(spans)
        self.crossed = [crossed(self.segments, self.near[number], number) for number in range(len(lines))]
        self.at: dict[str, list[int]] = {}
        for number, tie in enumerate(composed.ties):
            self.at.setdefault(tie.source, []).append(number)
            self.at.setdefault(tie.target, []).append(number)

    def is_crossed(self, children: Iterable[str]) -> bool:
        """Whether any line of these children, or of their descendants, is crossed."""
        members = (member for child in children for member in self.composed.inside[child])
        return any(self.crossed[number] for member in members for number in self.at.get(member, ()))

    def try_out(self, shifts: Shift) -> bool:
        """Make a move if the number of crossings falls. Returns whether the move was made."""
        by = {member: dx for child, dx in shifts.items() for member in self.composed.inside[child]}
        moved = {number for member in by for number in self.at.get(member, ())}
        before = _count(self.crossed[number] & moved for number in moved)
        before = sum(len(self.crossed[number]) for number in moved) - before // 2
        kept = {number: self.segments[number] for number in moved}
        for number in moved:
            tie = self.composed.ties[number]
            self.segments[number] = pulled(kept[number], by.get(tie.source, 0.0), by.get(tie.target, 0.0))
        found = self._crossed_less(moved, before)
        if found is None:
            for number, line in kept.items():
                self.segments[number] = line
            return False
        self._accept(found)
        for member, dx in by.items():
            self.composed.boxes[member] = self.composed.boxes[member].moved(dx, 0.0)
        return True

    def _crossed_less(self, moved: Set[int], before: int) -> dict[int, set[int]] | None:
        """The present crossings of each moved line; None as soon as `before` is reached."""
        found: dict[int, set[int]] = {}
        twice = 0  # crossings of two moved lines are met twice, others count double
        for number in moved:
            row = found[number] = crossed(self.segments, self.near[number], number)
            twice += 2 * len(row) - len(row & moved)
            if twice >= 2 * before:
                return None
        return found

    def _accept(self, found: Mapping[int, set[int]]) -> None:
        for number, row in found.items():
            for other in self.crossed[number] - row:
                self.crossed[other].discard(number)
            for other in row:
                self.crossed[other].add(number)
            self.crossed[number] = row


def _count(rows: Iterable[set[int]]) -> int:
    return sum(map(len, rows))


def with_fewer_crossings(composed: ComposedLayout, rounds: int) -> dict[str, Box]:
    """The boxes with fewer crossings, after at most `rounds` rounds through all rows."""
    web, trials = _Web(composed), 0
    for _ in range(rounds):
        better = False
        for row in composed.rows:
            for shifts in _moves(web, row):
                trials += 1
                better = web.try_out(shifts) or better
                if trials >= MAX_TRIALS:
                    return composed.boxes
        if not better:
            break
    return composed.boxes


def _moves(web: _Web, row: Sequence[str]) -> Iterator[Shift]:
    """Candidate moves of crossed children: the content mirrored, then neighbours at one height exchanged."""
    boxes = web.composed.boxes
    if web.is_crossed(row):
        ends = min(boxes[child].x for child in row) + max(boxes[child].right for child in row)
        mirrored = {child: ends - boxes[child].right - boxes[child].x for child in row}
        yield mirrored
        for left, right in _neighbours(boxes, row):
            if web.is_crossed((left, right)):
                shifts = _exchanged(boxes, left, right)
                if _fits(boxes, row, shifts):
                    yield shifts


def _neighbours(boxes: Mapping[str, Box], row: Sequence[str]) -> list[tuple[str, str]]:
    """Pairs of neighbours without a child between, from left to right."""
    order = sorted(row, key=lambda child: (boxes[child].center.y, boxes[child].x))
    return [(left, right) for left, right in pairwise(order) if _is_beside(boxes[left], boxes[right])]


def _is_beside(left: Box, right: Box) -> bool:
    return left.right <= right.x and right.y < left.bottom and left.y < right.bottom


def _exchanged(boxes: Mapping[str, Box], left: str, right: str) -> Shift:
    """The shifts that exchange two neighbours within their common room; empty after an earlier move of either."""
    first, second = boxes[left], boxes[right]
    if first.right > second.x:
        return {}
    return {left: second.right - first.right, right: first.x - second.x}


def _fits(boxes: Mapping[str, Box], row: Sequence[str], shifts: Shift) -> bool:
    """Whether moved children keep clear of the rest of the row."""
    others = [boxes[other] for other in row if other not in shifts]
    places = [boxes[child].moved(dx, 0.0).grown(CLEARANCE) for child, dx in shifts.items()]
    return bool(shifts) and not any(place.overlaps(other) for place in places for other in others)


# What may be exchanged in a composed layout: the children of containers whose order is nobody's wish.


def _reduce_crossings(composer: Composer, boxes: Mapping[str, Box], rounds: int) -> dict[str, Box]:
    """The boxes after at most `rounds` rounds of mirrored contents and exchanged neighbours, wherever crossings become
    fewer."""
    turn, inventory = turn_of(composer.settings.direction), composer.inventory
    rows = [inventory.children[one] for one in inventory.containers if _is_free(composer, one)]
    inside = {child: _inside(inventory, child) for row in rows for child in row}
    ties = [tie for tie in inventory.ties if tie.source != tie.target]
    flat = {element_id: turned_box(box, turn) for element_id, box in boxes.items()}
    aside = {child: _outset(composer, child).left for child in inside}  # a label wider than its box needs that room
    wide = {one: _wider(box, aside.get(one, 0.0)) for one, box in flat.items()}
    found = with_fewer_crossings(ComposedLayout(dict(wide), ties, rows, inside), rounds)
    return {one: turned_back(box.moved(found[one].x - wide[one].x, 0.0), turn) for one, box in flat.items()}


def _wider(box: Box, by: float) -> Box:
    return Box(box.x - by, box.y, box.width + 2 * by, box.height)


def _is_free(composer: Composer, container: str) -> bool:
    """Whether the children of a container may change places: at least two; no pools, no lanes; no children bound to an
    element, none with uneven room on its sides, none in rows of a folded flow, which are read one after another."""
    inventory = composer.inventory
    row = inventory.children[container]
    if not composer.record.folded.isdisjoint(row):
        return False
    if len(row) < 2 or (container != ROOT and (composer.swims(container) or composer.is_lane(container))):
        return False
    return all(
        not composer.swims(child) and inventory.relation(child) is None and _is_even(composer, child) for child in row
    )


def _is_even(composer: Composer, child: str) -> bool:
    outset = _outset(composer, child)
    return outset.left == outset.right


def _outset(composer: Composer, child: str) -> Outset:
    """The room round a child, turned to flow downwards."""
    inventory = composer.inventory
    unit = composer.leaf(child)
    outset = outset_of(inventory.elements[child], inventory.size(child)) if child in inventory.children else unit.outset
    return turned_outset(outset, turn_of(composer.settings.direction))


def _inside(inventory: Inventory, element_id: str) -> tuple[str, ...]:
    found = [element_id]
    for one in found:
        found += inventory.children.get(one, ())
    return tuple(found)


# Elements with all edges into one neighbouring container: set over the middle of their ends inside, so that a single
# edge is straight. Ranks know only the container as a whole, and centre such an element over the container. In: a
# composer, the boxes. Out: the boxes. Promises: only the place across the flow changes, within the present width of the
# container's content; node spacing is kept to all neighbours.


LEAST_SHIFT = 1.0  # px; a smaller shift is not worth a move


@dataclass(slots=True)
class _Composition:
    """All boxes, turned to flow downwards, and the neighbours of every element."""

    composer: Composer
    boxes: dict[str, Box]
    ends: Mapping[str, Sequence[str]]

    def whole(self, element_id: str) -> Box:
        """The element's box with its outset."""
        turn = turn_of(self.composer.settings.direction)
        return self.boxes[element_id].with_outset(turned_outset(self.composer.leaf(element_id).outset, turn))


def aligned(composer: Composer, boxes: Mapping[str, Box]) -> dict[str, Box]:
    """The boxes after aligning elements with free room."""
    turn, inventory = turn_of(composer.settings.direction), composer.inventory
    ends: dict[str, list[str]] = {}
    for tie in inventory.ties:
        if tie.source != tie.target:
            ends.setdefault(tie.source, []).append(tie.target)
            ends.setdefault(tie.target, []).append(tie.source)
    page = _Composition(composer, {one: turned_box(box, turn) for one, box in boxes.items()}, ends)
    bound = {end for one in inventory.elements if (said := inventory.relation(one)) for end in (one, said.target)}
    for container in inventory.containers:
        if container == ROOT or not (composer.swims(container) or composer.is_lane(container)):
            for child in inventory.children[container]:
                if child not in bound and child not in inventory.children:
                    _align(page, container, child)
    return {one: turned_back(box, turn) for one, box in page.boxes.items()}


def _align(page: _Composition, container: str, child: str) -> None:
    ends, boxes = page.ends.get(child, ()), page.boxes
    beside = {_child_round(page.composer.inventory, container, end) for end in ends}
    if len(beside) != 1 or beside & {"", *ends}:
        return
    middles = [boxes[end].center.x for end in ends]
    shift = (min(middles) + max(middles)) / 2 - boxes[child].center.x
    if abs(shift) < LEAST_SHIFT or not _has_room(page, container, child, shift):
        return
    if len(set(ends)) > 1 or _is_clear(page, child, ends[0], boxes[child].moved(shift, 0.0)):
        boxes[child] = boxes[child].moved(shift, 0.0)


def _child_round(inventory: Inventory, container: str, element_id: str) -> str:
    """The child of a container that is or holds an element; "" for an element outside."""
    chain = [element_id, *inventory.ancestors(element_id)]
    return chain[chain.index(container) - 1] if container in chain[1:] else ""


def _has_room(page: _Composition, container: str, child: str, shift: float) -> bool:
    others = [page.whole(one) for one in page.composer.inventory.children[container] if one != child]
    own = page.whole(child)
    there = own.moved(shift, 0.0)
    around = union((own, *others)) or own
    gap = page.composer.settings.node_spacing
    shadow = Box(there.x - gap, there.y, there.width + 2 * gap, there.height)
    return around.x <= there.x and there.right <= around.right and not any(shadow.overlaps(one) for one in others)


def _is_clear(page: _Composition, child: str, end: str, there: Box) -> bool:
    """Whether an edge runs straight down, or up, from an element moved `there` to the far end."""
    upper, lower = sorted((there, page.boxes[end]), key=lambda box: box.y)
    way = Box(there.center.x - CLEARANCE, upper.bottom, 2 * CLEARANCE, lower.y - upper.bottom)
    return way.height > 0 and not any(way.overlaps(box) for box in _standing(page, {child, end}))


def _standing(page: _Composition, ends: Iterable[str]) -> Iterable[Box]:
    """The obstacles of an edge: all boxes except containers and the edge's ends."""
    children = page.composer.inventory.children
    return (page.whole(one) for one in page.boxes if one not in ends and one not in children)


PASSES = 4  # layouts of a nested graph from different starts; more gained almost nothing (decision 4)
MORE_ROUNDS = 2  # of crossing reduction, for the best pass alone


def compose(composer: Composer, algorithm: Algorithm) -> dict[str, Box]:
    """The boxes of all elements: in one order for all containers, if the algorithm supports an order and no author's
    wish forbids this; else the cheapest of several passes, each after crossing reduction."""
    if not any(composer.ties.outer.values()):
        return _composed(composer)
    nesting = _in_order(composer, algorithm)
    if nesting is not None:
        return compose_in(composer, nesting)
    layered, first = algorithm.layered, _composed(composer)
    if len(composer.inventory.ties) > MAX_JUDGED_TIES:
        return _composed(replace(composer, seen=first))
    if layered and not composer.fixed:
        composer, first = _with_room_for_titles(composer, first)
    passes = _passes(composer, first)
    if not layered or composer.fixed:
        return _least_tangled(composer, passes)
    best = _least_tangled(composer, [_reduce_crossings(composer, boxes, rounds=1) for boxes in passes])
    return aligned(composer, _reduce_crossings(composer, best, rounds=MORE_ROUNDS))


def nesting_of(composer: Composer, algorithm: Algorithm) -> Nesting | None:
    """The rows of all containers, still unordered; None if the algorithm or the scene has no common ranks."""
    if algorithm.ranking is None or not is_free(composer):
        return None
    return nested(composer.inventory, composer.ties, algorithm.ranking, composer.settings)


def _in_order(composer: Composer, algorithm: Algorithm) -> Nesting | None:
    """The rows of all containers in their best order, searched once for all settings that fold no rank."""
    key = algorithm.ranking, composer.settings if composer.settings.across < inf else None
    if key not in composer.orders:
        nesting = nesting_of(composer, algorithm)
        composer.orders[key] = None if nesting is None else nesting.in_order()
    return composer.orders[key]


def compose_in(composer: Composer, nesting: Nesting) -> dict[str, Box]:
    """The boxes of all elements in an order settled for all containers."""
    composer = replace(composer, nesting=nesting.begun(composer.settings))
    return _with_room_for_titles(composer, _composed(composer))[1]


def is_free(composer: Composer) -> bool:
    """Whether ranks and their order are the engine's alone: no given places, no pools, nothing bound to another, no
    main path."""
    inventory = composer.inventory
    return not (
        composer.fixed
        or composer.settings.main_path
        or any(is_tiled(one) or is_tile(one) for one in inventory.elements.values())
        or any(map(inventory.relation, inventory.elements))
        or any(map(is_way, inventory.elements))
    )


def _with_room_for_titles(composer: Composer, boxes: dict[str, Box]) -> tuple[Composer, dict[str, Box]]:
    """The boxes, composed again with wider frames if edges from above would cross titles."""
    if composer.settings.direction in SIDEWAYS:
        return composer, boxes
    composer = replace(composer, entered=titles_in_the_way(composer.inventory, boxes))
    return composer, _composed(composer) if composer.entered else boxes


def _least_tangled(composer: Composer, layouts: Sequence[dict[str, Box]]) -> dict[str, Box]:
    return min(layouts, key=lambda boxes: layout_cost(composer.inventory, boxes, composer.settings.direction))


def _passes(composer: Composer, first: dict[str, Box]) -> list[dict[str, Box]]:
    """The passes: each knows the far ends of links out of a container from the pass before."""
    passes = [first]
    while len(passes) < PASSES:
        boxes = _composed(replace(composer, seen=passes[-1]))
        if boxes in passes:
            break
        passes.append(boxes)
    return passes


def _composed(composer: Composer) -> dict[str, Box]:
    """The boxes; with containers round fixed places a second composition follows, for elements placed before the boxes
    of these containers were known."""
    boxes = _composed_once(composer, {})
    held = [one for one in composer.inventory.containers if one in composer.held and one != ROOT]
    standing = {one: boxes[one] for one in held}
    return _composed_once(composer, standing) if standing else boxes


def _composed_once(composer: Composer, standing: Mapping[str, Box]) -> dict[str, Box]:
    inventory = composer.inventory
    units = {element_id: composer.leaf(element_id) for element_id in inventory.elements}
    composer.standing.clear()
    composer.standing.update(standing)
    composer.standing.update({element_id: units[element_id].whole for element_id in composer.fixed})
    for container in inventory.containers[:-1]:
        if composer.is_lane(container) or (composer.stacks(container) and container not in composer.fixed):
            continue
        units[container] = _kept_or_composed(composer, container, units)
    return boxes_of(_content(composer, ROOT, _members(composer, ROOT, units)))


def _kept_or_composed(composer: Composer, container: str, units: Mapping[str, Unit]) -> Unit:
    """The unit of a container, composed once for all folds beyond the length of the flow."""
    nesting, fold = composer.nesting, composer.settings.fold
    if nesting is None or composer.is_widened(container):
        return container_unit(composer, container, units)
    unit = nesting.kept_unit(container, fold)
    if unit is None:
        unit = container_unit(composer, container, units)
        if fold == inf:
            nesting.keep_unit(container, unit)
    return unit


def _members(composer: Composer, container: str, units: Mapping[str, Unit]) -> list[Unit]:
    """The units of a container, except lanes placed by their pool: pools without positions stacked, relative elements
    joined with their targets."""
    inventory = composer.inventory
    children = [one for one in inventory.children[container] if not composer.is_lane(one)]
    pools = [child for child in children if composer.stacks(child) and child not in composer.fixed]
    members = [units[child] for child in children if child not in pools]
    for upright in (False, True):
        stack = tuple(pool_of(composer, pool, units) for pool in pools if is_upright(inventory, pool) is upright)
        if stack:
            members.append(pooled(inventory, Yard(stack, upright, _boxes_around(composer, stack)), composer.settings))
    return with_relative_elements(inventory, container, members, composer.settings.node_spacing)


def _boxes_around(composer: Composer, pools: Sequence[Pool]) -> tuple[Box, ...]:
    """The boxes already placed, neither inside nor around any of these pools."""
    inventory, ids = composer.inventory, {pool.id for pool in pools}
    kin = ids.union(*(inventory.ancestors(pool) for pool in ids))
    rows = composer.standing.items()
    return tuple(box for one, box in rows if one not in kin and ids.isdisjoint(inventory.ancestors(one)))


def pool_of(composer: Composer, pool: str, units: Mapping[str, Unit]) -> Pool:
    """A pool, or a container divided by lanes, with its lanes at all depths."""
    return Pool(pool, tuple(_lanes_in(composer, pool, units, ())))


def _lanes_in(composer: Composer, container: str, units: Mapping[str, Unit], above: tuple[str, ...]) -> list[Lane]:
    lanes: list[Lane] = []
    for child in composer.inventory.children[container]:
        if composer.is_lane(child):
            lanes += _lanes_of(composer, child, units, above)
    others = tuple(_members(composer, container, units))
    if others or not lanes:
        lanes.insert(0, Lane(None, others, above))
    return lanes


def _lanes_of(composer: Composer, lane: str, units: Mapping[str, Unit], above: tuple[str, ...] = ()) -> list[Lane]:
    """A lane, or the lanes of a divided lane."""
    if composer.swims(lane):
        return _lanes_in(composer, lane, units, (*above, lane))
    return [Lane(lane, tuple(_members(composer, lane, units)), above)]


def container_unit(composer: Composer, container: str, units: Mapping[str, Unit]) -> Unit:
    """The unit of a frame or group round its content; in the author's box if fixed."""
    inventory = composer.inventory
    if composer.swims(container):
        pool = pool_of(composer, container, units)
        yard = Yard((pool,), is_upright(inventory, container), _boxes_around(composer, [pool]))
        unit = pooled(inventory, yard, composer.settings, _given_box(composer, container))
        return with_room(composer, container, unit)
    members = [*_members(composer, container, units), *_added_lanes(composer, container, units)]
    content = _content(composer, container, members)
    return wrapped(composer, container, content, _fitted(composer, container, content))


def with_room(composer: Composer, container: str, unit: Unit) -> Unit:
    """The unit of a divided container, enlarged by its outset, as for attached nodes."""
    outset = composer.outset(container)
    whole = union((unit.whole, unit.core.with_outset(outset))) if any(outset) else None
    return unit if whole is None else unit._replace(whole=whole, pieces=(whole,))


def _given_box(composer: Composer, container: str) -> Box | None:
    """The box of a container placed by the author, 0 for an open side."""
    corner, layout = composer.fixed.get(container), composer.inventory.elements[container].layout
    return None if corner is None else Box(corner.x, corner.y, layout.width or 0.0, layout.height or 0.0)


def _added_lanes(composer: Composer, container: str, units: Mapping[str, Unit]) -> list[Unit]:
    """The lanes without a place in a pool with placed lanes."""
    inventory = composer.inventory
    lanes = [child for child in inventory.children[container] if is_tile(inventory.elements[child])]
    given = {lane: units[lane].core for lane in lanes if lane in composer.fixed}
    if not given or not any(map(composer.is_lane, lanes)):
        return []
    rows = tuple(
        row
        for lane in lanes
        for row in ([Lane(lane, ())] if lane in given else _lanes_of(composer, lane, units))
        if lane in given or composer.is_lane(lane)
    )
    pool = Pool(container, rows)
    yard = Yard((pool,), is_upright(inventory, container), _boxes_around(composer, [pool]))
    return added_lanes(inventory, yard, given, _given_box(composer, container), composer.settings)


def _fitted(composer: Composer, container: str, content: Sequence[Unit]) -> Box:
    """The box of a container round its content, widened if edges from above would cross its title."""
    whole = union(unit.whole for unit in content)
    box = wrap(composer.inset(container), whole, composer.least(container, empty=whole is None))
    if container in composer.entered:
        within = boxes_of(content) | {container: box}
        wider = wider_for_title(composer.inventory, within, container, composer.entered[container])
        box = box.with_outset(Outset(0.0, wider, 0.0, wider))
    return box


def wrapped(composer: Composer, container: str, content: Sequence[Unit], box: Box) -> Unit:
    """A container with its content, in `box`; with a fixed corner, in the author's box."""
    inventory, corner = composer.inventory, composer.fixed.get(container)
    size, layout = inventory.size(container), inventory.elements[container].layout
    whole = union(unit.whole for unit in content)
    if corner is not None:
        right, bottom = (box.right, box.bottom) if whole is not None else corner
        width = layout.width or (right - corner.x if right > corner.x else size.width)
        height = layout.height or (bottom - corner.y if bottom > corner.y else size.height)
        box = Box(corner.x, corner.y, width, height)
    fixed = corner is not None or any(unit.fixed for unit in content)
    unit = unit_round(container, box, outset_of(inventory.elements[container], size), boxes_of(content), fixed=fixed)
    return unit._replace(whole=union((unit.whole, whole)) or box) if fixed and whole is not None else unit


def _content(composer: Composer, container: str, units: Sequence[Unit]) -> list[Unit]:
    """The units of a container in their places, in local coordinates unless something is fixed."""
    hints = composer.hints(units)
    unit_of = {element_id: unit.id for unit in units for element_id in unit.boxes}
    turn = turn_of(composer.settings.direction)
    order = None if composer.nesting is None else composer.nesting.order(container, units, turn)
    items = (*(unit.item(hints.get(unit.id)) for unit in units), *(ways_of(order) if order is not None else ()))
    links = links_between(composer.ties.inner[container], unit_of)
    pulled = any(composer.ties.outer.get(unit.id) for unit in units)
    subgraph = Subgraph(items, links, composer.settings, pulled, order)
    anchors = {unit.id: unit for unit in units if unit.fixed}
    if not anchors and container not in composer.fixed:
        corners = composer.arranged(subgraph)
    else:
        corners = _among_fixed(composer, container, subgraph, anchors)
        composer.standing.update({item.id: whole_box(item, corners[item.id]) for item in items if item.id in corners})
    if composer.nesting is not None:
        composer.nesting.lengths[container] = _length(items, corners, is_sideways=turn.swapped)
        if order is not None:
            composer.nesting.keep_ports(container, corners, turn)
    return [unit if unit.fixed else moved_to(unit, corners[unit.id]) for unit in units]


def _length(items: Sequence[Item], corners: Corners, *, is_sideways: bool) -> float:
    """The length of a level along the flow, px."""
    boxes = [whole_box(item, corners[item.id]) for item in items]
    if not boxes:
        return 0.0
    if is_sideways:
        return max(box.right for box in boxes) - min(box.x for box in boxes)
    return max(box.bottom for box in boxes) - min(box.y for box in boxes)


def _among_fixed(composer: Composer, container: str, subgraph: Subgraph, anchors: Mapping[str, Unit]) -> Corners:
    """The corners of the floating items of a container with a fixed place, or with fixed content."""
    if all(item.id in anchors for item in subgraph.items):
        return {}
    ground = _ground(composer, container, anchors)
    if not anchors:
        alone = _in_given_box(composer, container, subgraph, ground.area)
        if alone is not None and not _hits(subgraph, alone, ground.taken):
            return alone
    return _place_around_fixed(subgraph, anchors, ground, composer.arranged)


def _hits(subgraph: Subgraph, corners: Corners, taken: Sequence[Box]) -> bool:
    return any(box.overlaps(whole_box(item, corners[item.id])) for item in subgraph.items for box in taken)


def _in_given_box(composer: Composer, container: str, subgraph: Subgraph, area: Box | None) -> Corners | None:
    """Content alone in a container placed by the author; None if the container is too small."""
    if area is None:
        corner, inset = composer.fixed[container], composer.inset(container)
        return _in_area(subgraph, Box(corner.x + inset.left, corner.y + inset.top, inf, inf), [composer.arranged])
    crosswise = replace(composer.settings, direction=CROSSWISE.get(composer.settings.direction, RIGHTWARDS))
    filled = replace(composer.settings, page=(max(area.width, 1.0), max(area.height, 1.0)))
    crossed = partial(_with_settings, composer.arranged, crosswise)
    return _in_area(
        subgraph,
        area,
        [composer.arranged, crossed, partial(_with_settings, partial(grid, _record=composer.record), filled)],
    )


def _with_settings(arrange: ArrangeLevel, settings: LayoutSettings, subgraph: Subgraph) -> Corners:
    return arrange(replace(subgraph, settings=settings))


def _ground(composer: Composer, container: str, anchors: Mapping[str, Unit]) -> _FreeSpace:
    taken = [unit.whole for unit in anchors.values()]
    if container == ROOT:
        width, height = composer.settings.page
        return _FreeSpace(taken, None, Box(0.0, 0.0, width, height).grown(-MARGIN))
    inventory = composer.inventory
    around = {container, *inventory.ancestors(container)}
    for element_id, box in composer.standing.items():
        if element_id not in around and container not in inventory.ancestors(element_id):
            taken.append(box)
    return _FreeSpace(taken, _given_area(composer, container), None)


def _given_area(composer: Composer, container: str) -> Box | None:
    """The room inside a container with a place and a size by the author."""
    corner, layout = composer.fixed.get(container), composer.inventory.elements[container].layout
    if corner is None or layout.width is None or layout.height is None:
        return None
    return area_in(composer.inset(container), Box(corner.x, corner.y, layout.width, layout.height))


# Frames with a direction or grid columns of their own: each is laid out alone, then stands as one box among its
# siblings. Rules R-PLACE-17, R-PLACE-22.
#
# In: a composer. Out: a composer without the content of these frames, and the way back. A frame counts if its direction
# differs from the surrounding flow, if it has columns or stands in such a frame, and no relative placement reaches
# across its border. For the surrounding layout, an edge across the border ends at the frame.

Compose = Callable[[Composer, Algorithm], Mapping[str, Box]]
_GRID = ALGORITHMS["grid"]


class DirectedFrames:
    """A composer with each frame of another direction or a grid of its own folded to a single box. `compose` lays out
    the content of each by the scene's algorithm or in a grid. `in_grid`: the surroundings are the cells of a grid."""

    def __init__(self, composer: Composer, algorithm: Algorithm, compose: Compose, *, in_grid: bool = False) -> None:
        self._whole = composer
        self._algorithm = algorithm
        self._compose = compose
        self._inside: dict[str, Mapping[str, Box]] = {}
        inventory = composer.inventory
        direction = composer.settings.direction if algorithm.layered else None
        for frame_id in _apart(inventory, direction, in_grid=in_grid):
            self._lay_out(frame_id)
        self.composer = composer
        if self._inside:
            self.composer = composer.of(self._outer(inventory))

    def _lay_out(self, frame_id: str) -> None:
        composer, inventory = self._whole, self._whole.inventory
        frame = inventory.elements[frame_id]
        columns = _columns(frame)
        algorithm = _GRID if columns else self._algorithm
        settings = replace(
            composer.settings,
            direction=_direction(frame) or composer.settings.direction,
            columns=columns or composer.settings.columns,
        )
        alone = composer_of(_frame_content(inventory, frame_id), algorithm.arrange, settings, composer.record)
        inner = DirectedFrames(alone, self._algorithm, self._compose, in_grid=columns is not None)
        boxes = inner.unfolded(self._compose(inner.composer, algorithm))
        outsets = (box.with_outset(composer.outset(one)) for one, box in boxes.items())
        size = inventory.size(frame_id)
        box = wrap(inset_of(frame, size), union(outsets), composer.least(frame_id, empty=False))
        self._inside[frame_id] = {one: row.moved(-box.x, -box.y) for one, row in boxes.items()} | {
            frame_id: box.moved(-box.x, -box.y)
        }

    def _outer(self, inventory: Inventory) -> Inventory:
        """The inventory with each folded frame in place of its content."""
        home = {one: frame_id for frame_id, boxes in self._inside.items() for one in boxes}
        hidden = {one for one, frame_id in home.items() if one != frame_id}
        elements, sizes = dict(inventory.elements), dict(inventory.sizes)
        for frame_id, boxes in self._inside.items():
            box, layout = boxes[frame_id], elements[frame_id].layout
            elements[frame_id] = replace(elements[frame_id], layout=replace(layout, width=None, height=None))
            sizes[frame_id] = inventory.size(frame_id)._replace(width=box.width, height=box.height)
        return replace(
            inventory,
            elements={one: element for one, element in elements.items() if one not in hidden},
            children={one: row for one, row in inventory.children.items() if one not in home},
            ties=tuple(_lifted(tie, home) for tie in inventory.ties if _is_seen(tie, home)),
            sizes=sizes,
        )

    def unfolded(self, boxes: Mapping[str, Box]) -> dict[str, Box]:
        """The boxes, the content of folded frames included."""
        found = dict(boxes)
        for frame_id, inside in self._inside.items():
            corner = boxes[frame_id]
            found.update({one: box.moved(corner.x, corner.y) for one, box in inside.items()})
        return found


def _direction(element: object) -> str | None:
    said = element.extensions.get("direction") if isinstance(element, Frame) else None
    return said if isinstance(said, str) and said in TURNS else None


def _columns(element: object) -> int | None:
    said = element.extensions.get("gridColumns") if isinstance(element, Frame) else None
    return said if isinstance(said, int) and not isinstance(said, bool) and said > 0 else None


def _apart(inventory: Inventory, direction: str | None, *, in_grid: bool) -> Iterator[str]:
    """The outermost frames with columns or a direction other than their surroundings' (None: these have none); in a
    grid all outermost frames."""
    waiting = list(inventory.children[ROOT])
    open_ = _bound_outside(inventory)
    for element_id in waiting:
        element = inventory.elements[element_id]
        turns = direction is not None and _direction(element) not in (None, direction)
        is_apart = in_grid or turns or _columns(element) is not None
        tiles = is_tiled(element) or is_tile(element)
        if not is_apart or tiles or element_id in open_ or not inventory.children.get(element_id):
            waiting += inventory.children.get(element_id, ())
        else:
            yield element_id


def _bound_outside(inventory: Inventory) -> set[str]:
    """The containers with a relative placement across their border."""
    found: set[str] = set()
    for one in inventory.elements if inventory.has_relations else ():
        layout = inventory.relation(one)
        if layout is not None and layout.target is not None:
            around = set(inventory.ancestors(one)), set(inventory.ancestors(layout.target))
            found |= (around[0] ^ around[1]) - {one, layout.target}
    return found


def _frame_content(inventory: Inventory, frame_id: str) -> Inventory:
    """The content of a frame as an inventory of its own."""
    inside = [one for one in inventory.elements if frame_id in inventory.ancestors(one)]
    kept = set(inside)
    return replace(
        inventory,
        elements={one: inventory.elements[one] for one in inside},
        children={one: row for one, row in inventory.children.items() if one in kept}
        | {ROOT: inventory.children[frame_id]},
        ties=tuple(tie for tie in inventory.ties if kept.issuperset(tie.ends)),
    )


def _is_seen(tie: Tie, home: Mapping[str, str]) -> bool:
    """Whether an edge leaves the folded frame of its source."""
    homes = [home.get(end, end) for end in tie.ends]
    return homes[0] != homes[1] or tie.source == tie.target


def _lifted(tie: Tie, home: Mapping[str, str]) -> Tie:
    """An edge with its ends lifted to folded frames."""
    if tie.source not in home and tie.target not in home:
        return tie
    return tie._replace(source=home.get(tie.source, tie.source), target=home.get(tie.target, tie.target))
