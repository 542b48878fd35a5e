"""Sharp strokes: a line of odd width sits on a pixel's middle, one of even width between two pixels. px.

Shapes are moved by at most half a pixel for it; `computed` bounds are not touched.
"""

from __future__ import annotations

from math import floor

from scenograph.engine.geometry.boxes import Box

_TOLERANCE = 0.01  # what layout arithmetic leaves must not decide between two pixels


def crisp(coordinate: float, stroke_width: float) -> float:
    """The nearest coordinate at which a line along the other axis is sharp."""
    if int(stroke_width + 0.5) % 2:
        return floor(coordinate + _TOLERANCE) + 0.5
    return float(floor(coordinate + 0.5 + _TOLERANCE))


def crisp_box(box: Box, stroke_width: float) -> Box:
    """The box with all four sides on sharp lines."""
    x, y, width, height = box
    left, top, right, bottom = x, y, x + width, y + height
    if int(stroke_width + 0.5) % 2:
        left, top = floor(left + _TOLERANCE) + 0.5, floor(top + _TOLERANCE) + 0.5
        right, bottom = floor(right + _TOLERANCE) + 0.5, floor(bottom + _TOLERANCE) + 0.5
    else:
        left, top = float(floor(left + 0.5 + _TOLERANCE)), float(floor(top + 0.5 + _TOLERANCE))
        right, bottom = float(floor(right + 0.5 + _TOLERANCE)), float(floor(bottom + 0.5 + _TOLERANCE))
    return Box(left, top, right - left, bottom - top)
