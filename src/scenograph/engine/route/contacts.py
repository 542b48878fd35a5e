"""The last step of every route: from the side of a box onto the outline of the shape that is drawn in it.

In: an element, its box and style. Out: points on its outline. Frames and groups are rectangles.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from scenograph.engine.geometry.boxes import Box, Point
from scenograph.engine.route.anchors import Anchor
from scenograph.engine.shapes.catalog import shape_named
from scenograph.engine.shapes.contact import outline_contact, side_contact
from scenograph.engine.tables import FinishedStyle
from scenograph.scene.model import Element, Node


@dataclass(frozen=True, slots=True)
class Outlines:
    """Finds places on the outlines of placed elements."""

    boxes: Mapping[str, Box]
    styles: Mapping[str, FinishedStyle]

    def at_side(self, element: Element, anchor: Anchor, at: Point) -> Point:
        """Where a line that comes straight in at the side of `anchor` through `at` meets the outline."""
        shape, box, radius = shape_named(_shape(element)), self.boxes[element.id], self._radius(element)
        return side_contact(shape, box, radius, anchor.side, at.x if anchor.dx == 0 else at.y)

    def toward(self, element: Element, outside: Point, inside: Point) -> Point:
        """Where the line from `outside` toward `inside` meets the outline."""
        return outline_contact(
            shape_named(_shape(element)), self.boxes[element.id], self._radius(element), outside, inside
        )

    def _radius(self, element: Element) -> float:
        style = self.styles.get(element.id)
        return style.corner_radius if style is not None else 0.0


def _shape(element: Element) -> str | None:
    return element.shape if isinstance(element, Node) else None
