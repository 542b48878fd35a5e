"""An icon above a label, together in the middle of an area. px."""

from __future__ import annotations

from scenograph.engine.geometry.boxes import Box

ICON_GAP = 4.0
"""Between the icon and the label below it."""


def stack(area: Box, icon: float, label: tuple[float, float]) -> tuple[Box, Box]:
    """The boxes of a square icon of side `icon` and of a label of the given width and height (0 for none), stacked and
    centred in `area`."""
    width, height = label
    gap = ICON_GAP if icon > 0 and height > 0 else 0.0
    x, y = area.center
    top = y - (icon + gap + height) / 2
    return Box(x - icon / 2, top, icon, icon), Box(x - width / 2, top + icon + gap, width, height)
