"""A scene that was placed before: what it has still stays, what is new joins it.

In: a composer, and the boxes that elements had before. Out: the box of every element, or None where too little of the
former picture holds for it to be kept.
"""

from __future__ import annotations

from collections.abc import Mapping

from scenograph.engine.geometry.boxes import Box
from scenograph.engine.place.composer import Composer
from scenograph.engine.place.composing import settled_with_newcomers
from scenograph.engine.place.insertion import base_layout
from scenograph.engine.place.inventory import ROOT, Inventory

SLACK = 0.5
LEAST_SHARE = 0.3


def remembered(composer: Composer, former: Mapping[str, Box]) -> dict[str, Box] | None:
    """The former layout with what is new in it."""
    inventory = composer.inventory
    standing = _standing(inventory, former)
    if len(standing) < LEAST_SHARE * len(inventory.elements) or not standing:
        return None
    if composer.fixed or any(map(composer.swims, inventory.elements)):
        return None
    return settled_with_newcomers(composer, base_layout(inventory, composer.settings, standing))


def _standing(inventory: Inventory, former: Mapping[str, Box]) -> dict[str, Box]:
    """The boxes that still hold: those of elements that stood in the container in which they stand now."""
    found: dict[str, Box] = {}
    for container in reversed(inventory.containers):
        if container != ROOT and container not in found:
            continue
        for child in inventory.children[container]:
            box = former.get(child)
            if box is not None and (container == ROOT or found[container].grown(SLACK).contains(box)):
                found[child] = box
    return found
