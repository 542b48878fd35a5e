"""Where text that is drawn turned stands in programs that turn an element about its own middle. px."""

from __future__ import annotations

import math

from scenograph.engine.drawing import TextItem
from scenograph.engine.geometry.boxes import Box


def before_turning(box: Box, item: TextItem) -> Box:
    """The box that, turned about its own middle, lies where `box` lies once it is turned about the item's pivot."""
    angle, pivot, center = math.radians(item.turn), item.pivot, box.center
    dx, dy = center.x - pivot.x, center.y - pivot.y
    x = pivot.x + dx * math.cos(angle) - dy * math.sin(angle)
    y = pivot.y + dx * math.sin(angle) + dy * math.cos(angle)
    return box.moved(x - center.x, y - center.y)
