"""How much room an icon takes in a node. px. (specification: "Icon nodes")"""

from __future__ import annotations

from typing import NamedTuple

ICON_MARGIN = 2.0
"""Above and below an icon and its label, where nothing is drawn round them."""
LEAST_ICON = 14.0
"""An icon is never drawn smaller; a given size that leaves less is too small."""
_STANDING_OUT = 16.0  # px, both sides together, by which an icon without a box may leave its place to be seen
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

    def icon_in(self, width: float, height: float) -> float:
        """The side of the icon in a given room, its label's height already taken away: the natural one, a larger one
        where there is room for it with its padding, a smaller one where there must be."""
        beside, above = self.padding
        padded = min(width - 2 * beside, height - 2 * above)
        if padded >= self.natural + _NOTICEABLE:
            return min(padded, self.largest)
        least = max(min(self.least, min(width, height) + _STANDING_OUT), LEAST_ICON)
        return min(max(min(width, height) - 2 * self.margin, least), self.natural)


BOXED_ICON = IconRoom(natural=28.0, largest=32.0, padding=(16.0, 10.0), least_width=96.0, wrap=160.0, margin=4.0)
CLOUD_ICON = IconRoom(natural=48.0, largest=64.0, padding=(4.0, 4.0), least_width=64.0, wrap=120.0, least=24.0)
"""Its box is not seen, so icon and label may stand out of a low one a little, rather than the icon be lost."""
BOXED_CLOUD_ICON = CLOUD_ICON._replace(padding=(12.0, 10.0), least_width=88.0, margin=6.0, least=LEAST_ICON)
