"""Shapes that are boxes: sharp, rounded, without a line of their own, with depth."""

from __future__ import annotations

from scenograph.engine.geometry.boxes import Box, Point
from scenograph.engine.geometry.figures import polygon, polyline, rounded_rectangle
from scenograph.engine.geometry.paths import Path
from scenograph.engine.shapes.shape import Shape

MAX_DEPTH = 12.0  # how far box3d reaches back, px
_DEPTH_SHARE = 0.2  # of its shorter side, at most
_STRAIGHT_SHARE = 0.8  # of a pill's height may hold text
_END_SHARE = 0.2  # of its height is lost at each end then: (1 - sqrt(1 - 0.8 ** 2)) / 2


def _whole(box: Box) -> Box:
    return box


def _same(width: float, height: float) -> tuple[float, float]:
    return width, height


def _pill_outline(box: Box, _radius: float) -> Path:
    return rounded_rectangle(box, min(box.width, box.height) / 2)


def _pill_text_area(box: Box) -> Box:
    thickness = min(box.width, box.height)
    end, side = thickness * _END_SHARE, thickness * (1 - _STRAIGHT_SHARE) / 2
    dx, dy = (end, side) if box.width >= box.height else (side, end)
    return Box(box.x + dx, box.y + dy, box.width - 2 * dx, box.height - 2 * dy)


def _pill_fit(width: float, height: float) -> tuple[float, float]:
    """Always a lying pill, whatever the content."""
    outer = height / _STRAIGHT_SHARE
    return max(width + 2 * _END_SHARE * outer, outer), outer


def depth_of(box: Box) -> float:
    """How far the top and the right face of box3d reach."""
    return min(MAX_DEPTH, _DEPTH_SHARE * min(box.width, box.height))


def _box3d_outline(box: Box, _radius: float) -> Path:
    d = depth_of(box)
    return polygon(
        (
            Point(box.x, box.y + d),
            Point(box.x + d, box.y),
            Point(box.right, box.y),
            Point(box.right, box.bottom - d),
            Point(box.right - d, box.bottom),
            Point(box.x, box.bottom),
        )
    )


def _box3d_edges(box: Box) -> tuple[Path, ...]:
    d = depth_of(box)
    corner = Point(box.right - d, box.y + d)
    return (
        polyline((Point(box.x, box.y + d), corner, Point(box.right - d, box.bottom))),
        polyline((corner, Point(box.right, box.y))),
    )


def _box3d_text_area(box: Box) -> Box:
    d = depth_of(box)
    return Box(box.x, box.y + d, box.width - d, box.height - d)


def _box3d_fit(width: float, height: float) -> tuple[float, float]:
    # The depth is a share of the shorter outer side, which is the content's shorter side plus the depth.
    d = min(MAX_DEPTH, _DEPTH_SHARE / (1 - _DEPTH_SHARE) * min(width, height))
    return width + d, height + d


RECT = Shape(name="rect", outline=rounded_rectangle, text_area=_whole, fit=_same)
ROUNDED_RECT = Shape(name="roundedRect", outline=rounded_rectangle, text_area=_whole, fit=_same)
TEXT_BOX = Shape(name="textBox", outline=rounded_rectangle, text_area=_whole, fit=_same)
ICON_BOX = Shape(name="iconBox", outline=rounded_rectangle, text_area=_whole, fit=_same)
PILL = Shape(name="pill", outline=_pill_outline, text_area=_pill_text_area, fit=_pill_fit)
BOX3D = Shape(name="box3d", outline=_box3d_outline, text_area=_box3d_text_area, fit=_box3d_fit, details=_box3d_edges)
