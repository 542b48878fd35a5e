"""Whether a placement is sound: what may move overlaps nothing and lies in its container. px."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from scenograph.engine.geometry.boxes import Box
from scenograph.engine.geometry.spatial_index import Bounds, SpatialIndex
from scenograph.engine.place.composer import Composer
from scenograph.engine.place.inventory import ROOT

TOUCH = 0.05  # px; boxes that only touch do not overlap


def is_sound(composer: Composer, boxes: Mapping[str, Box], floating: Iterable[str]) -> bool:
    """Whether no floating element overlaps one that it does not contain, and all lie in their containers."""
    inventory = composer.inventory
    names = list(boxes)
    wholes = [boxes[one].with_outset(composer.outset(one)) for one in names]
    index = SpatialIndex(Bounds(box.x, box.y, box.right, box.bottom) for box in wholes)
    number_of = {one: number for number, one in enumerate(names)}
    for element_id in floating:
        own = wholes[number_of[element_id]].grown(-TOUCH)
        above, parent = inventory.ancestors(element_id), inventory.parent[element_id]
        if parent != ROOT and not boxes[parent].contains(own):
            return False
        for number in index.near(own.x, own.y, own.right, own.bottom):
            if not wholes[number].overlaps(own):
                continue
            other = names[number]
            if other != element_id and other not in above and element_id not in inventory.ancestors(other):
                return False
    return True
