"""How much room an icon takes in a node. px. (specification: "Icon nodes")"""

from __future__ import annotations

from typing import NamedTuple

ICON_MARGIN = 2.0
"""Above and below an icon and its label, where nothing is drawn round them."""


class IconRoom(NamedTuple):
    """Sizes for an icon, px: its side where the node's size is free and at most, the padding round icon and label, the
    node's least width, where the label wraps, and the room above and below both in a given size."""

    natural: float
    largest: float
    padding: tuple[float, float]
    least_width: float
    wrap: float
    margin: float = ICON_MARGIN


BOXED_ICON = IconRoom(natural=28.0, largest=32.0, padding=(16.0, 10.0), least_width=96.0, wrap=160.0, margin=4.0)
CLOUD_ICON = IconRoom(natural=48.0, largest=64.0, padding=(4.0, 4.0), least_width=64.0, wrap=120.0)
BOXED_CLOUD_ICON = CLOUD_ICON._replace(padding=(12.0, 10.0), least_width=88.0, margin=6.0)
