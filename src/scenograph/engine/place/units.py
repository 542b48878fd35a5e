"""Units: what moves as one piece inside a container. An element with all it contains is one; elements placed relative
to each other, and pools stacked above each other, join into one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from scenograph.engine.geometry.boxes import Box, Outset
from scenograph.engine.place.level import Item


@dataclass(frozen=True, slots=True)
class Unit:
    """A rigid piece. `core` is the box that links aim at, `whole` covers everything with its outsets; `boxes` holds
    the boxes of all elements in it. A fixed unit has its final coordinates, another may be moved."""

    id: str
    core: Box
    whole: Box
    boxes: Mapping[str, Box]
    fixed: bool = False

    def moved(self, dx: float, dy: float) -> Unit:
        """The same piece elsewhere."""
        boxes = {element_id: box.moved(dx, dy) for element_id, box in self.boxes.items()}
        return replace(self, core=self.core.moved(dx, dy), whole=self.whole.moved(dx, dy), boxes=boxes)

    def item(self, hint: int | None) -> Item:
        """The piece as layout algorithms see it."""
        outset = Outset(
            self.core.y - self.whole.y,
            self.whole.right - self.core.right,
            self.whole.bottom - self.core.bottom,
            self.core.x - self.whole.x,
        )
        return Item(self.id, self.core.width, self.core.height, outset, hint)


def boxes_of(units: Iterable[Unit]) -> dict[str, Box]:
    """The boxes of everything in the units."""
    return {element_id: box for unit in units for element_id, box in unit.boxes.items()}
