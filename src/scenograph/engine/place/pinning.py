"""A few elements given a place by hand in a layout that otherwise is the engine's: the others stay where they stood.

In: an inventory some of whose elements have positions, and the boxes as they would be without any. Out: boxes, or None
where the given places leave too little of that layout, so that the rest has to be laid out round them. Promises: given
places are kept exactly; floating elements overlap nothing and stay inside their containers.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from scenograph.engine.geometry.boxes import Box, Outset, Point, union
from scenograph.engine.geometry.packing import Occupied
from scenograph.engine.geometry.spatial_index import Bounds, SpatialIndex
from scenograph.engine.place.composer import Composer
from scenograph.engine.place.frames import outset_of, wrap
from scenograph.engine.place.inventory import ROOT, Inventory
from scenograph.engine.place.pinned_pools import standing_pools
from scenograph.engine.place.pools import Lane, Pool, Yard, is_upright
from scenograph.engine.place.units import Unit, unit_round
from scenograph.scene.model import Frame

MANY = 3  # one given place to so many elements, at the most
NEAR = 160.0  # what is moved no farther than this may drive others from their places
GAP_SHARE = 0.5
TOUCH = 0.01
NO_OUTSET = Outset()


def has_few_pins(inventory: Inventory, given: Mapping[str, Point]) -> bool:
    """Whether only a few of the elements have certain places."""
    return 0 < len(given) * MANY <= len(inventory.elements) - len(inventory.children) + 1


def with_pins(composer: Composer, free: Mapping[str, Box]) -> dict[str, Box] | None:
    """The free layout with the given places in it."""
    inventory, given = composer.inventory, composer.fixed
    if any(_is_band(inventory, one) and not _is_set_anew(composer, one) for one in composer.held):
        return None
    boxes = dict(free)
    for element_id in _downwards(inventory):
        if element_id in given:
            at, layout = given[element_id], inventory.elements[element_id].layout
            box = boxes[element_id]
            _move(inventory, boxes, element_id, at.x - box.x, at.y - box.y)
            boxes[element_id] = Box(at.x, at.y, layout.width or box.width, layout.height or box.height)
    near = all(abs(at.x - free[one].x) + abs(at.y - free[one].y) <= NEAR for one, at in given.items())
    floating = [one for one in inventory.elements if _floats(composer, one)]
    for element_id in _trodden_on(composer, boxes, floating) if near else ():
        _give_way(composer, boxes, element_id)
    for container in inventory.containers:
        boxes |= _pools_in(composer, boxes, container)
        if container in composer.held and container not in (*given, ROOT) and not _is_band(inventory, container):
            boxes[container] = _round_content(composer, boxes, container)
    return boxes if _is_sound(composer, boxes, floating) else None


def _downwards(inventory: Inventory) -> Iterable[str]:
    """Containers before what they contain."""
    return (child for container in reversed(inventory.containers) for child in inventory.children[container])


def _is_band(inventory: Inventory, container: str) -> bool:
    """Whether it is a pool or a lane."""
    element = inventory.elements.get(container)
    return isinstance(element, Frame) and element.container_type in ("pool", "lane")


def _is_set_anew(composer: Composer, band: str) -> bool:
    """Whether a pool or lane is set round what has its place in it: neither has its author given it one, nor a lane
    beside it."""
    return band not in composer.fixed and (composer.swims(band) or composer.is_lane(band))


def _pools_in(composer: Composer, boxes: Mapping[str, Box], container: str) -> dict[str, Box]:
    """The pools of a container, set round what has its place in them, with all that they contain."""
    inventory, found = composer.inventory, dict[str, Box]()
    pools = [one for one in inventory.children[container] if composer.swims(one) and one not in composer.fixed]
    for upright in (False, True):
        stack = [one for one in pools if is_upright(inventory, one) is upright]
        if any(one in composer.held for one in stack):
            yard = Yard(tuple(Pool(one, _lanes(composer, boxes, one)) for one in stack), upright)
            found |= standing_pools(inventory, yard, composer.settings, boxes).boxes
    return found


def _lanes(composer: Composer, boxes: Mapping[str, Box], pool: str) -> tuple[Lane, ...]:
    children = composer.inventory.children
    lanes = [one for one in children[pool] if composer.is_lane(one)]
    rest = [one for one in children[pool] if one not in lanes]
    rows = [(None, rest)] if rest or not lanes else []
    rows += [(lane, children[lane]) for lane in lanes]
    return tuple(Lane(lane, tuple(_unit(composer, boxes, one) for one in row)) for lane, row in rows)


def _unit(composer: Composer, boxes: Mapping[str, Box], element_id: str) -> Unit:
    """An element with its content as it stands."""
    inside = [element_id]
    for one in inside:
        inside += composer.inventory.children.get(one, ())
    box, whole = boxes[element_id], _whole(composer, boxes, element_id)
    unit = unit_round(
        element_id, box, NO_OUTSET, {one: boxes[one] for one in inside}, fixed=not _floats(composer, element_id)
    )
    return replace(unit, whole=whole, pieces=(whole,))


def _floats(composer: Composer, element_id: str) -> bool:
    return element_id not in composer.fixed and element_id not in composer.held


def _move(inventory: Inventory, boxes: dict[str, Box], element_id: str, dx: float, dy: float) -> None:
    """Move an element with all that it contains."""
    moved = [element_id]
    for one in moved:
        boxes[one] = boxes[one].moved(dx, dy)
        moved += inventory.children.get(one, ())


def _trodden_on(composer: Composer, boxes: Mapping[str, Box], floating: Iterable[str]) -> list[str]:
    """The floating elements that something comes near which has its place."""
    wholes = [_whole(composer, boxes, one) for one in composer.fixed]
    index = SpatialIndex(Bounds(box.x, box.y, box.right, box.bottom) for box in wholes)
    around = {one: _whole(composer, boxes, one) for one in floating}
    return [one for one, box in around.items() if index.near(box.x, box.y, box.right, box.bottom)]


def _give_way(composer: Composer, boxes: dict[str, Box], element_id: str) -> None:
    """A floating element on which something stands that has its place goes to the nearest free spot."""
    inventory = composer.inventory
    own = _whole(composer, boxes, element_id)
    taken = [_whole(composer, boxes, one) for one in composer.fixed if element_id not in inventory.ancestors(one)]
    if not any(box.overlaps(own) for box in taken):
        return
    row = inventory.children[inventory.parent[element_id]]
    others = [_whole(composer, boxes, one) for one in row if one != element_id]
    spot = Occupied([*taken, *others]).free_spot(own, composer.settings.node_spacing * GAP_SHARE)
    if spot is not None:
        _move(inventory, boxes, element_id, spot.x - own.x, spot.y - own.y)


def _whole(composer: Composer, boxes: Mapping[str, Box], element_id: str) -> Box:
    """A box with the room that belongs to it."""
    inventory = composer.inventory
    if element_id in inventory.children:
        outset = outset_of(inventory.elements[element_id], inventory.size(element_id))
        return boxes[element_id].with_outset(outset)
    return boxes[element_id].with_outset(composer.leaf(element_id).outset)


def _round_content(composer: Composer, boxes: Mapping[str, Box], container: str) -> Box:
    """The box of a container as it was, larger where its content needs it."""
    content = union(_whole(composer, boxes, child) for child in composer.inventory.children[container])
    round_content = wrap(composer.inset(container), content, (0.0, 0.0))
    return union((boxes[container], round_content)) or round_content


def _is_sound(composer: Composer, boxes: Mapping[str, Box], floating: Iterable[str]) -> bool:
    """Whether no floating element overlaps one that it does not contain, and all lie in their containers."""
    inventory = composer.inventory
    names = list(boxes)
    wholes = [_whole(composer, boxes, one) for one in names]
    index = SpatialIndex(Bounds(box.x, box.y, box.right, box.bottom) for box in wholes)
    for element_id in floating:
        own = _whole(composer, boxes, element_id).grown(-TOUCH)
        above, parent = inventory.ancestors(element_id), inventory.parent[element_id]
        if parent != ROOT and not boxes[parent].contains(own):
            return False
        for number in index.near(own.x, own.y, own.right, own.bottom):
            other = names[number]
            related = other == element_id or other in above or element_id in inventory.ancestors(other)
            if not related and wholes[number].overlaps(own):
                return False
    return True
