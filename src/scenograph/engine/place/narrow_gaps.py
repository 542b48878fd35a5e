"""Labels that stand below their symbol, where the next element of the column leaves no room for an arrow under them.

In: the inventory, the boxes and the parts. Out: the parts, with such labels still below, but beside the line that goes
down: right of it, or left of it where only there is room. px.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from scenograph.engine.geometry.boxes import Box
from scenograph.engine.place.inventory import Inventory

ARROW_ROOM = 20.0  # what an arrow needs between a text and the box it points at
ASIDE = 8.0  # between the line and the text beside it
WITHIN = 6.0  # kept from the border of the container

Parts = Mapping[str, Mapping[str, Box]]


def beside_lines(inventory: Inventory, boxes: Mapping[str, Box], parts: Parts) -> dict[str, Mapping[str, Box]]:
    """The parts with the labels of narrow gaps moved aside, where there is room."""
    found = dict(parts)
    for upper, lower in sorted(set(_columns(inventory, boxes))):
        label, symbol = found.get(upper, {}).get("label"), boxes[upper]
        if label is None or label.y < symbol.bottom or boxes[lower].y - label.bottom >= ARROW_ROOM:
            continue
        if not label.x <= symbol.center.x <= label.right:
            continue  # it has been moved already
        free = (place for place in _beside(label, symbol) if _is_free(place, upper, inventory, boxes))
        found[upper] = {**found[upper], "label": next(free, label)}
    return found


def _columns(inventory: Inventory, boxes: Mapping[str, Box]) -> Iterator[tuple[str, str]]:
    """Joined elements of which one stands straight below the other: the upper and the lower one."""
    for tie in inventory.ties:
        for upper, lower in ((tie.source, tie.target), (tie.target, tie.source)):
            above, below = boxes.get(upper), boxes.get(lower)
            if above is None or below is None or above.bottom > below.y:
                continue
            if below.x <= above.center.x <= below.right:
                yield upper, lower


def _beside(label: Box, symbol: Box) -> tuple[Box, Box]:
    middle = symbol.center.x
    return label._replace(x=middle + ASIDE), label._replace(x=middle - ASIDE - label.width)


def _is_free(place: Box, element_id: str, inventory: Inventory, boxes: Mapping[str, Box]) -> bool:
    """Whether the place lies within the container and on no neighbour."""
    container = inventory.parent.get(element_id)
    around = boxes.get(container) if container is not None else None
    if around is not None and not around.contains(place.grown(WITHIN)):
        return False
    neighbours = inventory.children.get(container or "", ())
    return not any(boxes[one].overlaps(place) for one in neighbours if one in boxes)
