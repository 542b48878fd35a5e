"""Equal sizes before the layout, so that it leaves room for them (`sameSize`, of what the engine places). px."""

from __future__ import annotations

from collections.abc import Sequence

from scenograph.engine.place.constraints.planar import DIMENSIONS
from scenograph.engine.place.inventory import Inventory
from scenograph.late_dataclasses import replace
from scenograph.scene.model import Constraint

MEMBERS = {"x": "width", "y": "height"}


def with_equal_sizes(constraints: Sequence[Constraint], inventory: Inventory) -> Inventory:
    """The inventory with the sizes that `sameSize` asks for. A container is as large as its content: it is made equal
    after the layout, and so is what has its place already."""
    for constraint in constraints:
        if constraint.type == "sameSize":
            for axis in DIMENSIONS[constraint.parameters.get("dimension", "both")]:
                inventory = _evened(inventory, constraint, MEMBERS[axis])
    return inventory


def _evened(inventory: Inventory, constraint: Constraint, member: str) -> Inventory:
    listed = [one for one in dict.fromkeys(constraint.elements) if one in inventory.elements]
    if not listed or any(one in inventory.children for one in listed):
        return inventory
    first = inventory.elements[listed[0]]
    lengths: list[float] = [getattr(inventory.size(one), member) for one in listed]
    given = getattr(first.layout, member) is not None or first.locked
    wanted = lengths[0] if given else max(lengths)
    changed = {
        one: replace(element, layout=replace(element.layout, **{member: wanted}))
        for one, length in zip(listed, lengths, strict=True)
        for element in (inventory.elements[one],)
        if not element.locked
        and inventory.position(one) is None
        and (length < wanted or getattr(element.layout, member) is not None)
    }
    return replace(inventory, elements={**inventory.elements, **changed})
