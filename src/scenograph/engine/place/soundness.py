"""Whether a placement is sound: what may move overlaps nothing and lies in its container. px."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from scenograph.engine.geometry.boxes import Box
from scenograph.engine.kernels.near_boxes import pairs_nearer
from scenograph.engine.kernels.straight_lines import Rectangle
from scenograph.engine.place.composer import Composer
from scenograph.engine.place.inventory import ROOT

TOUCH = 0.05  # px; boxes that only touch do not overlap


def is_sound(composer: Composer, boxes: Mapping[str, Box], floating: Iterable[str]) -> bool:
    """Whether no floating element overlaps one that it does not contain, and all lie in their containers."""
    inventory, names, moving = composer.inventory, list(boxes), set(floating)
    wholes: list[Rectangle] = [boxes[one].with_outset(composer.outset(one)) for one in names]
    for one, (x, y, width, height) in zip(names, wholes, strict=True):
        parent = inventory.parent[one]
        own = Box(x + TOUCH, y + TOUCH, width - 2 * TOUCH, height - 2 * TOUCH)
        if one in moving and parent != ROOT and not boxes[parent].contains(own):
            return False
    # In a sound placement only containers overlap others: what they hold.
    most = sum(len(inventory.ancestors(one)) for one in names) + 1
    found = pairs_nearer(wholes, [one in moving for one in names], -TOUCH, -TOUCH, most)
    return all(
        names[first] in inventory.ancestors(names[second]) or names[second] in inventory.ancestors(names[first])
        for first, second in found
    )
