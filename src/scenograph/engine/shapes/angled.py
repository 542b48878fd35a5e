"""Shapes with slanted sides: diamond, hexagon, parallelogram."""

from __future__ import annotations

from scenograph.engine.geometry.boxes import Box, Point
from scenograph.engine.geometry.figures import polygon
from scenograph.engine.geometry.paths import Path
from scenograph.engine.shapes.shape import Shape

SLANT = 0.3  # horizontal reach of a slanted side, as a share of the height
MAX_SLANT_SHARE = 0.25  # and at most this share of the width


def _slant(box: Box) -> float:
    return min(SLANT * box.height, MAX_SLANT_SHARE * box.width)


def _between_slants(box: Box) -> Box:
    reach = _slant(box)
    return Box(box.x + reach, box.y, box.width - 2 * reach, box.height)


def _fit_between_slants(width: float, height: float) -> tuple[float, float]:
    return width + min(2 * SLANT * height, width), height


def _diamond_outline(box: Box, _radius: float) -> Path:
    middle = box.center
    return polygon(
        (
            Point(middle.x, box.y),
            Point(box.right, middle.y),
            Point(middle.x, box.bottom),
            Point(box.x, middle.y),
        )
    )


def _diamond_text_area(box: Box) -> Box:
    return Box(box.x + box.width / 4, box.y + box.height / 4, box.width / 2, box.height / 2)


def _diamond_fit(width: float, height: float) -> tuple[float, float]:
    return 2 * width, 2 * height


def _hexagon_outline(box: Box, _radius: float) -> Path:
    reach, level = _slant(box), box.center.y
    return polygon(
        (
            Point(box.x + reach, box.y),
            Point(box.right - reach, box.y),
            Point(box.right, level),
            Point(box.right - reach, box.bottom),
            Point(box.x + reach, box.bottom),
            Point(box.x, level),
        )
    )


def _parallelogram_outline(box: Box, _radius: float) -> Path:
    reach = _slant(box)
    return polygon(
        (
            Point(box.x + reach, box.y),
            Point(box.right, box.y),
            Point(box.right - reach, box.bottom),
            Point(box.x, box.bottom),
        )
    )


DIAMOND = Shape(name="diamond", outline=_diamond_outline, text_area=_diamond_text_area, fit=_diamond_fit)
HEXAGON = Shape(name="hexagon", outline=_hexagon_outline, text_area=_between_slants, fit=_fit_between_slants)
PARALLELOGRAM = Shape(
    name="parallelogram", outline=_parallelogram_outline, text_area=_between_slants, fit=_fit_between_slants
)
