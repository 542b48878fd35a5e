"""How much room an icon takes in a node. px. (specification: "Icon nodes")"""

from __future__ import annotations

from typing import NamedTuple

ICON_MARGIN = 2.0
"""Above and below an icon and its label, where nothing is drawn round them."""
LEAST_ICON = 14.0
"""An icon is never drawn smaller; a given size that leaves less is too small."""
_NOTICEABLE = 4.0  # px; natural sizes are rounded up by less


class IconRoom(NamedTuple):
    """Sizes for an icon, px: its side where the node's size is free and at most, the padding round icon and label, the
    node's least width, where the label wraps, and the room above and below both in a given size."""

    natural: float
    largest: float
    padding: tuple[float, float]
    least_width: float
    wrap: float
    margin: float = ICON_MARGIN

    def icon_in(self, width: float, height: float) -> float:
        """The side of the icon in a given room, its label's height already taken away: the natural one, a larger one
        where there is room for it with its padding, a smaller one where there must be."""
        beside, above = self.padding
        padded = min(width - 2 * beside, height - 2 * above)
        if padded >= self.natural + _NOTICEABLE:
            return min(padded, self.largest)
        return min(max(min(width, height) - 2 * self.margin, LEAST_ICON), self.natural)


BOXED_ICON = IconRoom(natural=28.0, largest=32.0, padding=(16.0, 10.0), least_width=96.0, wrap=160.0, margin=4.0)
CLOUD_ICON = IconRoom(natural=48.0, largest=64.0, padding=(4.0, 4.0), least_width=64.0, wrap=120.0)
BOXED_CLOUD_ICON = CLOUD_ICON._replace(padding=(12.0, 10.0), least_width=88.0, margin=6.0)
