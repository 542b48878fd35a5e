"""How much room an icon takes in a node. px. (R-ICON-2)"""

from __future__ import annotations

import math
from typing import NamedTuple

from scenograph.engine.geometry.boxes import Box
from scenograph.engine.shapes.labels import clear_height, clear_width, letters_height
from scenograph.engine.shapes.shape import Shape
from scenograph.engine.shapes.stacks import ICON_GAP
from scenograph.engine.text.blocks import Font, TextBlock

ICON_MARGIN = 2.0
"""Above and below an icon and its label, where nothing is drawn round them."""
LEAST_ICON = 14.0
"""An icon is never drawn smaller; a given size that leaves less is too small."""
_STANDING_OUT = 16.0  # px, both sides together, by which an icon without a box may leave its place to be seen
_SLACK = 0.5  # px that are not seen
_NOTICEABLE = 4.0  # px; natural sizes are rounded up by less


class IconRoom(NamedTuple):
    """Sizes for an icon, px: its side where the node's size is free and at most, the padding round icon and label, the
    node's least width, where the label wraps, the room above and below both in a given size, and the least side that
    it has there."""

    natural: float
    largest: float
    padding: tuple[float, float]
    least_width: float
    wrap: float
    margin: float = ICON_MARGIN
    least: float = LEAST_ICON

    def side_in(self, shape: Shape, box: Box, label: TextBlock | None, font: Font) -> float:
        """The side of an icon over its label in a box of given size, both in its middle: the largest one that has its
        padding there, else the natural one or a smaller one that keeps the margin."""
        place = _Place(shape, box, label, font)
        for side in _downwards(self.largest, self.natural + _NOTICEABLE):
            if place.holds(side, self.padding):
                return side
        left = min(shape.text_area(box).width, place.height)
        least = min(max(min(self.least, left + _STANDING_OUT), LEAST_ICON), self.natural)
        sides = _downwards(self.natural, least)
        return next((side for side in sides if place.holds(side, (self.margin, self.margin))), least)


class _Place(NamedTuple):
    """A shape in a box, with the label that stands in it below an icon."""

    shape: Shape
    box: Box
    label: TextBlock | None
    font: Font

    @property
    def height(self) -> float:
        """What the label leaves to the icon."""
        return clear_height(self.shape, self.box) - self._below_icon

    @property
    def _below_icon(self) -> float:
        return ICON_GAP + self.label.height if self.label is not None else 0.0

    def holds(self, side: float, free: tuple[float, float]) -> bool:
        """Whether an icon has so much room beside it and above it, and the label no less than below the least icon."""
        beside, above = free
        if side + 2 * above > self.height + _SLACK:
            return False
        across = clear_width(self.shape, self.box, side, -self._below_icon / 2)
        if side + 2 * beside > across + _SLACK:
            return False
        return self.label is None or self._label_width(side) >= min(self.label.width, self._label_width(LEAST_ICON))

    def _label_width(self, side: float) -> float:
        letters = letters_height(self.label, self.font) if self.label is not None else 0.0
        return clear_width(self.shape, self.box, letters, (side + ICON_GAP) / 2)


def _downwards(largest: float, least: float) -> tuple[float, ...]:
    """Whole lengths, the largest first."""
    return tuple(float(side) for side in range(math.floor(largest), math.ceil(least) - 1, -1))


BOXED_ICON = IconRoom(natural=28.0, largest=32.0, padding=(16.0, 10.0), least_width=96.0, wrap=160.0, margin=4.0)
CLOUD_ICON = IconRoom(natural=48.0, largest=64.0, padding=(4.0, 4.0), least_width=64.0, wrap=120.0, least=24.0)
"""Its box is not seen, so icon and label may stand out of a low one a little, rather than the icon be lost."""
BOXED_CLOUD_ICON = CLOUD_ICON._replace(padding=(12.0, 10.0), least_width=88.0, margin=6.0, least=LEAST_ICON)
