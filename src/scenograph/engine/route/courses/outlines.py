"""From the side of a box onto the outline of the shape that is drawn in it.

In: an element by its number. Out: points on its outline. Elements without an outline of their own are rectangles.
"""

from __future__ import annotations

from collections.abc import Sequence

from scenograph.engine.geometry.boxes import Box, Point
from scenograph.engine.geometry.chains import Chain, line_contact, straight_contact
from scenograph.engine.route.ports.anchors import Anchor
from scenograph.late_dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Outlines:
    """Finds places on the outlines of placed elements."""

    boxes: Sequence[Box]
    chains: Sequence[Chain | None]

    def at_side(self, element: int, anchor: Anchor, at: Point) -> Point:
        """Where a line that comes straight in at the side of `anchor` through `at` meets the outline."""
        coordinate = at.x if anchor.dx == 0 else at.y
        return straight_contact(self._chain(element), self.boxes[element], anchor.side, coordinate)

    def toward(self, element: int, outside: Point, inside: Point) -> Point:
        """Where the line from `outside` toward `inside` meets the outline."""
        return line_contact(self._chain(element), self.boxes[element], outside, inside)

    def _chain(self, element: int) -> Chain:
        chain, box = self.chains[element], self.boxes[element]
        return chain if chain is not None else rectangle_chain(box.width, box.height)


def rectangle_chain(width: float, height: float) -> Chain:
    """The outline of a plain box."""
    return Chain((0.0, width, width, 0.0, 0.0), (0.0, 0.0, height, height, 0.0), 0.0)
