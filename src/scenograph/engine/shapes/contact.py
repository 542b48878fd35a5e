"""Where an edge meets the outline of a shape. px.

Exact for straight sides; elsewhere within 0.05 px of the drawn outline, which is flattened once a size. Nothing here
fails: when a line misses the outline, the nearest place on it is given.
"""

from __future__ import annotations

import math
from functools import lru_cache

from scenograph.engine.geometry.boxes import Box, Point
from scenograph.engine.geometry.chains import Chain, straight_contact
from scenograph.engine.geometry.flatten import flatten
from scenograph.engine.shapes.shape import Outline, Shape

_CACHED_OUTLINES = 2048
_STRAIGHT_SIDED = frozenset({"rect", "roundedRect", "textBox", "iconBox"})


def side_contact(shape: Shape, box: Box, radius: float, side: str, coordinate: float) -> Point:
    """Where a line that comes straight in from `side` (top, right, bottom, left) meets the outline; `coordinate` is its
    x for top and bottom, its y for left and right, held within the box."""
    return straight_contact(chain_of(shape, box.width, box.height, radius), box, side, coordinate)


def chain_of(shape: Shape, width: float, height: float, radius: float) -> Chain:
    """The outline of a shape in a box of that size, as a chain."""
    return _chain(shape.outline, width, height, radius, radius if shape.name in _STRAIGHT_SIDED else math.inf)


@lru_cache(maxsize=_CACHED_OUTLINES)
def _chain(outline: Outline, width: float, height: float, radius: float, rounding: float) -> Chain:
    (corners,) = flatten(outline(Box(0.0, 0.0, width, height), radius))
    return Chain(tuple(corner.x for corner in corners), tuple(corner.y for corner in corners), rounding)
