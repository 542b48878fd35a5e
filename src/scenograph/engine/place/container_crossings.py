"""What may be exchanged in a composed layout: the children of containers whose order is nobody's wish."""

from __future__ import annotations

from collections.abc import Mapping

from scenograph.engine.geometry.boxes import Box, Outset
from scenograph.engine.place.composer import Composer
from scenograph.engine.place.crossing_reduction import ComposedLayout, with_fewer_crossings
from scenograph.engine.place.frames import outset_of
from scenograph.engine.place.inventory import ROOT, Inventory
from scenograph.engine.place.orientation import TURNS, turned_back, turned_box, turned_outset


def reduce_crossings(composer: Composer, boxes: Mapping[str, Box], rounds: int) -> dict[str, Box]:
    """The boxes after content was mirrored and neighbours changed places where that takes out crossings, in so many
    rounds at the most."""
    turn, inventory = TURNS.get(composer.settings.direction, TURNS["TB"]), composer.inventory
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
    """Whether the children of a container may change places: several, none a pool or bound to another, none with more
    room on one side than on the other; no lanes."""
    inventory = composer.inventory
    row = inventory.children[container]
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
    return turned_outset(outset, TURNS.get(composer.settings.direction, TURNS["TB"]))


def _inside(inventory: Inventory, element_id: str) -> tuple[str, ...]:
    found = [element_id]
    for one in found:
        found += inventory.children.get(one, ())
    return tuple(found)
