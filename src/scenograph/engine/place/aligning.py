"""Elements whose lines all lead into one container beside them: set over the middle of what these reach in there, so
that a single line is straight.

Ranks see only the container as a whole and set such an element over its middle. In: a composer, the boxes that stand.
Out: the boxes. Promises: only the place across the flow changes, within the width that the container's content has
already; nothing comes nearer to anything beside it than node spacing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from scenograph.engine.geometry.boxes import Box, union
from scenograph.engine.place.composer import Composer
from scenograph.engine.place.inventory import ROOT, Inventory
from scenograph.engine.place.orientation import TURNS, turned_back, turned_box, turned_outset
from scenograph.late_dataclasses import dataclass

CLEAR = 16.0  # what a straight line keeps from other elements
NEAR = 1.0  # px; a smaller shift is not worth a move


@dataclass(frozen=True, slots=True)
class _Page:
    """What stands, turned to flow downwards, and the far ends of every element's ties."""

    composer: Composer
    boxes: dict[str, Box]
    ends: Mapping[str, Sequence[str]]

    def whole(self, element_id: str) -> Box:
        """Its box with the room that belongs to it."""
        turn = TURNS.get(self.composer.settings.direction, TURNS["TB"])
        return self.boxes[element_id].with_outset(turned_outset(self.composer.leaf(element_id).outset, turn))


def aligned(composer: Composer, boxes: Mapping[str, Box]) -> dict[str, Box]:
    """The boxes with such elements moved, where there is room for them."""
    turn, inventory = TURNS.get(composer.settings.direction, TURNS["TB"]), composer.inventory
    ends: dict[str, list[str]] = {}
    for tie in inventory.ties:
        if tie.source != tie.target:
            ends.setdefault(tie.source, []).append(tie.target)
            ends.setdefault(tie.target, []).append(tie.source)
    page = _Page(composer, {one: turned_box(box, turn) for one, box in boxes.items()}, ends)
    bound = {end for one in inventory.elements if (said := inventory.relation(one)) for end in (one, said.target)}
    for container in inventory.containers:
        if container == ROOT or not (composer.swims(container) or composer.is_lane(container)):
            for child in inventory.children[container]:
                if child not in bound and child not in inventory.children:
                    _align(page, container, child)
    return {one: turned_back(box, turn) for one, box in page.boxes.items()}


def _align(page: _Page, container: str, child: str) -> None:
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
    """The child of a container that is or holds an element; "" when none does."""
    chain = [element_id, *inventory.ancestors(element_id)]
    return chain[chain.index(container) - 1] if container in chain[1:] else ""


def _has_room(page: _Page, container: str, child: str, shift: float) -> bool:
    others = [page.whole(one) for one in page.composer.inventory.children[container] if one != child]
    own = page.whole(child)
    there = own.moved(shift, 0.0)
    around = union((own, *others)) or own
    gap = page.composer.settings.node_spacing
    shadow = Box(there.x - gap, there.y, there.width + 2 * gap, there.height)
    return around.x <= there.x and there.right <= around.right and not any(shadow.overlaps(one) for one in others)


def _is_free(page: _Page, child: str, end: str, there: Box) -> bool:
    """Whether a line runs straight down, or up, from an element moved `there` to the far end."""
    upper, lower = sorted((there, page.boxes[end]), key=lambda box: box.y)
    way = Box(there.center.x - CLEAR, upper.bottom, 2 * CLEAR, lower.y - upper.bottom)
    return way.height > 0 and not any(way.overlaps(box) for box in _standing(page, {child, end}))


def _standing(page: _Page, ends: Iterable[str]) -> Iterable[Box]:
    """All that stands in a line's way: no container, not its ends."""
    children = page.composer.inventory.children
    return (page.whole(one) for one in page.boxes if one not in ends and one not in children)
