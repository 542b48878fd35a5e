"""Sharp strokes: a line of odd width sits on a pixel's middle, one of even width between two pixels. px.

Shapes are moved by at most half a pixel for it; `computed` bounds are not touched.
"""

from __future__ import annotations

from scenograph.engine.geometry.boxes import Box
from scenograph.engine.kernels.clipping import sharp


def crisp(coordinate: float, stroke_width: float) -> float:
    """The nearest coordinate at which a line along the other axis is sharp."""
    return sharp(coordinate, offset_of(stroke_width))


def offset_of(stroke_width: float) -> float:
    """How far beyond a whole coordinate a line of that width is sharp."""
    return 0.5 if int(stroke_width + 0.5) % 2 else 0.0


def crisp_box(box: Box, stroke_width: float) -> Box:
    """The box with all four sides on sharp lines."""
    (x, y, width, height), offset = box, offset_of(stroke_width)
    left, top = sharp(x, offset), sharp(y, offset)
    return Box(left, top, sharp(x + width, offset) - left, sharp(y + height, offset) - top)
