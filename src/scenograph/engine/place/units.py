"""Units: what moves as one piece inside a container. An element with all it contains is one; elements placed relative
to each other, and pools stacked above each other, join into one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from scenograph.engine.geometry.boxes import Box, Outset, Point
from scenograph.engine.place.subgraph import Item


class Unit(NamedTuple):
    """A rigid piece. `core` is the box that links aim at, `whole` covers everything with its outsets; `boxes` holds
    the boxes of all elements in it, `pieces` the whole boxes of its parts. A fixed unit has its final coordinates.
    `line` is how far below the top of its core it stands in line with others in a row; None: in the middle."""

    id: str
    core: Box
    whole: Box
    boxes: Mapping[str, Box]
    pieces: tuple[Box, ...]
    fixed: bool = False
    line: float | None = None

    def moved(self, dx: float, dy: float) -> Unit:
        """The same piece elsewhere."""
        if not dx and not dy:
            return self
        core, whole = self.core.moved(dx, dy), self.whole.moved(dx, dy)
        # Most boxes are the core, and most pieces the whole: none is made twice.
        boxes = {one: core if box is self.core else box.moved(dx, dy) for one, box in self.boxes.items()}
        pieces = tuple(whole if piece is self.whole else piece.moved(dx, dy) for piece in self.pieces)
        return Unit(self.id, core, whole, boxes, pieces, self.fixed, self.line)

    @property
    def outset(self) -> Outset:
        """The room round the core that belongs to the piece."""
        core, whole = self.core, self.whole
        return Outset(core.y - whole.y, whole.right - core.right, whole.bottom - core.bottom, core.x - whole.x)

    def item(self, hint: int | None) -> Item:
        """The piece as layout algorithms see it."""
        return Item(self.id, self.core.width, self.core.height, self.outset, hint, self.line)


def unit_round(element_id: str, box: Box, outset: Outset, inside: Mapping[str, Box], *, fixed: bool) -> Unit:
    """The unit of one element and of what stands inside it."""
    whole = box.with_outset(outset)
    return Unit(element_id, box, whole, {element_id: box, **inside}, (whole,), fixed)


def moved_to(unit: Unit, corner: Point | Box) -> Unit:
    """The piece with the corner of its core there."""
    return unit.moved(corner[0] - unit.core.x, corner[1] - unit.core.y)


def boxes_of(units: Iterable[Unit]) -> dict[str, Box]:
    """The boxes of everything in the units."""
    return {element_id: box for unit in units for element_id, box in unit.boxes.items()}


def added(first: Outset, second: Outset) -> Outset:
    """Both rooms together."""
    return Outset(*(a + b for a, b in zip(first, second, strict=True)))
