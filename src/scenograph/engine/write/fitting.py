"""A drawing on a page of a given shape: the picture whole, in the middle, on more of its own background.

In: a drawing and the pixels that its page shall have. Out: the drawing on a larger page, and the scale at which that
page has these pixels.
"""

from __future__ import annotations

from scenograph.engine.drawing import Drawing
from scenograph.engine.geometry.boxes import Box
from scenograph.late_dataclasses import replace

LARGEST_SCALE = 2.0  # a small picture is not blown up


def fitted(drawing: Drawing, pixels: tuple[int, int]) -> tuple[Drawing, float]:
    """The drawing on a page that has so many columns and rows at the scale that is returned with it."""
    page = drawing.page
    scale = min(pixels[0] / page.width, pixels[1] / page.height, LARGEST_SCALE)
    width, height = pixels[0] / scale, pixels[1] / scale
    left, top = page.x - (width - page.width) / 2, page.y - (height - page.height) / 2
    return replace(drawing, page=Box(left, top, width, height)), scale
