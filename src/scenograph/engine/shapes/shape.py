"""What a shape is: an outline, an area where text fits, and the size it needs for a given content. px.

`outline` is one closed subpath, clockwise; edges end on it. `details` are strokes drawn over it (a cylinder's lid).
`text_area` is the largest box inside a given box in which text may stand; `fit` is its inverse: the smallest box whose
text area holds a content of the given width and height.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache

from scenograph.engine.geometry.boxes import Box, Point
from scenograph.engine.geometry.paths import Chain, Path, flatten, straight_contact
from scenograph.late_dataclasses import dataclass

Outline = Callable[[Box, float], Path]  # box, corner radius
Details = Callable[[Box], tuple[Path, ...]]
TextArea = Callable[[Box], Box]
Fit = Callable[[float, float], tuple[float, float]]


def no_details(_box: Box) -> tuple[Path, ...]:
    """For shapes that are their outline."""
    return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """One row of SHAPES."""

    name: str
    outline: Outline
    text_area: TextArea
    fit: Fit
    details: Details = no_details


# Where an edge meets the outline of a shape. px. Exact for straight sides; elsewhere within 0.05 px of the drawn
# outline, which is flattened once a size. Nothing here fails: when a line misses the outline, the nearest place on
# it is given.


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
