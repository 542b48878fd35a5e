"""The forest composed from the inside out: each container's content is arranged, wrapped, then placed as one rigid unit
in the parent container.

In: an inventory, the algorithm, its settings. Out: the box of every element. Promise: children inside their frames, no
overlaps except the author's, absolute positions untouched.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from math import inf

from scenograph.engine.costs import CLEARANCE
from scenograph.engine.families.container_types import is_tile, is_tiled
from scenograph.engine.geometry.boxes import Box, Outset, union
from scenograph.engine.place.algorithms import Algorithm
from scenograph.engine.place.containers.around_fixed import FreeSpace, in_area, place_around_fixed
from scenograph.engine.place.containers.composer import Composer
from scenograph.engine.place.containers.crossing_reduction import reduce_crossings
from scenograph.engine.place.containers.frames import area_in, outset_of, wrap
from scenograph.engine.place.containers.parts import titles_in_the_way, wider_for_title
from scenograph.engine.place.containers.pinned_pools import added_lanes, pooled
from scenograph.engine.place.containers.pools import Lane, Pool, Yard, is_upright
from scenograph.engine.place.grid import grid
from scenograph.engine.place.inventory import ROOT, Inventory, Unit, boxes_of, moved_to, unit_round
from scenograph.engine.place.layered.nesting import Nesting, nested, ways_of
from scenograph.engine.place.layout_cost import MAX_JUDGED_TIES, layout_cost
from scenograph.engine.place.orientation import TURNS, turned_back, turned_box, turned_outset
from scenograph.engine.place.relative_positions import with_relative_elements
from scenograph.engine.place.subgraph import Arrange, Corners, LayoutSettings, Subgraph, is_way, whole_box
from scenograph.engine.place.ties import links_between
from scenograph.late_dataclasses import dataclass, replace

# Elements with all edges into one neighbouring container: set over the middle of their ends inside, so that a single
# edge is straight. Ranks know only the container as a whole, and centre such an element over the container. In: a
# composer, the boxes. Out: the boxes. Promises: only the place across the flow changes, within the present width of the
# container's content; node spacing is kept to all neighbours.


NEAR = 1.0  # px; a smaller shift is not worth a move


@dataclass(slots=True)
class _Composition:
    """All boxes, turned to flow downwards, and the neighbours of every element."""

    composer: Composer
    boxes: dict[str, Box]
    ends: Mapping[str, Sequence[str]]

    def whole(self, element_id: str) -> Box:
        """The element's box with its outset."""
        turn = TURNS.get(self.composer.settings.direction, TURNS["TB"])
        return self.boxes[element_id].with_outset(turned_outset(self.composer.leaf(element_id).outset, turn))


def aligned(composer: Composer, boxes: Mapping[str, Box]) -> dict[str, Box]:
    """The boxes after aligning elements with free room."""
    turn, inventory = TURNS.get(composer.settings.direction, TURNS["TB"]), composer.inventory
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
    if abs(shift) < NEAR or not _has_room(page, container, child, shift):
        return
    if len(set(ends)) > 1 or _is_free(page, child, ends[0], boxes[child].moved(shift, 0.0)):
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


def _is_free(page: _Composition, child: str, end: str, there: Box) -> bool:
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
MARGIN = 40.0  # px; from the edge of the page to content
UPRIGHT = ("TB", "BT")  # here lines come from above by rule, not by chance
CROSSWISE = {"TB": "LR", "BT": "RL", "LR": "TB", "RL": "BT"}


def compose(composer: Composer, algorithm: Algorithm) -> dict[str, Box]:
    """The boxes of all elements: in one order for all containers, if the algorithm supports an order and no author's
    wish forbids this; else the cheapest of several passes, each after crossing reduction."""
    if not any(composer.ties.outer.values()):
        return _composed(composer)
    nesting = nesting_of(composer, algorithm)
    if nesting is not None:
        return compose_in(composer, nesting.in_order())
    layered, first = algorithm.layered, _composed(composer)
    if len(composer.inventory.ties) > MAX_JUDGED_TIES:
        return _composed(replace(composer, seen=first))
    if layered and not composer.fixed:
        composer, first = _with_room_for_titles(composer, first)
    passes = _passes(composer, first)
    if not layered or composer.fixed:
        return _least_tangled(composer, passes)
    best = _least_tangled(composer, [reduce_crossings(composer, boxes, rounds=1) for boxes in passes])
    return aligned(composer, reduce_crossings(composer, best, rounds=MORE_ROUNDS))


def nesting_of(composer: Composer, algorithm: Algorithm) -> Nesting | None:
    """The rows of all containers, still unordered; None if the algorithm or the scene has no common ranks."""
    if algorithm.ranking is None or not is_free(composer):
        return None
    return nested(composer.inventory, composer.ties, algorithm.ranking, composer.settings)


def compose_in(composer: Composer, nesting: Nesting) -> dict[str, Box]:
    """The boxes of all elements in an order settled for all containers."""
    composer = replace(composer, nesting=nesting)
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
    if composer.settings.direction not in UPRIGHT:
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
    standing = {one: boxes[one] for one in composer.held if one != ROOT}
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
        units[container] = container_unit(composer, container, units)
    return boxes_of(_content(composer, ROOT, _members(composer, ROOT, units)))


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
            members.append(pooled(inventory, Yard(stack, upright, boxes_around(composer, stack)), composer.settings))
    return with_relative_elements(inventory, container, members, composer.settings.node_spacing)


def boxes_around(composer: Composer, pools: Sequence[Pool]) -> tuple[Box, ...]:
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
        yard = Yard((pool,), is_upright(inventory, container), boxes_around(composer, [pool]))
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
    yard = Yard((pool,), is_upright(inventory, container), boxes_around(composer, [pool]))
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
    turn = TURNS.get(composer.settings.direction, TURNS["TB"])
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
    if order is not None and composer.nesting is not None:
        composer.nesting.keep_ports(container, corners, turn)
    return [unit if unit.fixed else moved_to(unit, corners[unit.id]) for unit in units]


def _among_fixed(composer: Composer, container: str, subgraph: Subgraph, anchors: Mapping[str, Unit]) -> Corners:
    """The corners of the floating items of a container with a fixed place, or with fixed content."""
    if all(item.id in anchors for item in subgraph.items):
        return {}
    ground = _ground(composer, container, anchors)
    if not anchors:
        alone = _in_given_box(composer, container, subgraph, ground.area)
        if alone is not None and not _hits(subgraph, alone, ground.taken):
            return alone
    return place_around_fixed(subgraph, anchors, ground, composer.arranged)


def _hits(subgraph: Subgraph, corners: Corners, taken: Sequence[Box]) -> bool:
    return any(box.overlaps(whole_box(item, corners[item.id])) for item in subgraph.items for box in taken)


def _in_given_box(composer: Composer, container: str, subgraph: Subgraph, area: Box | None) -> Corners | None:
    """Content alone in a container placed by the author; None if the container is too small."""
    if area is None:
        corner, inset = composer.fixed[container], composer.inset(container)
        return in_area(subgraph, Box(corner.x + inset.left, corner.y + inset.top, inf, inf), [composer.arranged])
    crosswise = replace(composer.settings, direction=CROSSWISE.get(composer.settings.direction, "LR"))
    filled = replace(composer.settings, page=(max(area.width, 1.0), max(area.height, 1.0)))
    crossed = partial(_with_settings, composer.arranged, crosswise)
    return in_area(subgraph, area, [composer.arranged, crossed, partial(_with_settings, grid, filled)])


def _with_settings(arrange: Arrange, settings: LayoutSettings, subgraph: Subgraph) -> Corners:
    return arrange(replace(subgraph, settings=settings))


def _ground(composer: Composer, container: str, anchors: Mapping[str, Unit]) -> FreeSpace:
    taken = [unit.whole for unit in anchors.values()]
    if container == ROOT:
        width, height = composer.settings.page
        return FreeSpace(taken, None, Box(0.0, 0.0, width, height).grown(-MARGIN))
    inventory = composer.inventory
    around = {container, *inventory.ancestors(container)}
    for element_id, box in composer.standing.items():
        if element_id not in around and container not in inventory.ancestors(element_id):
            taken.append(box)
    return FreeSpace(taken, _given_area(composer, container), None)


def _given_area(composer: Composer, container: str) -> Box | None:
    """The room inside a container with a place and a size by the author."""
    corner, layout = composer.fixed.get(container), composer.inventory.elements[container].layout
    if corner is None or layout.width is None or layout.height is None:
        return None
    return area_in(composer.inset(container), Box(corner.x, corner.y, layout.width, layout.height))
