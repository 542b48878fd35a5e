"""Shapes with curved outlines: ellipse, cloud."""

from __future__ import annotations

import math
from itertools import pairwise

from scenograph.engine.geometry.boxes import Box, Point
from scenograph.engine.geometry.figures import ellipse, elliptic_arc, point_on_ellipse
from scenograph.engine.geometry.paths import Close, Cubic, Move, Path, Segment
from scenograph.engine.shapes.shape import Shape

_INSCRIBED = math.sqrt(0.5)  # sides of the largest box in an ellipse, as a share of the ellipse's

# A cloud's lobes as circles (x, y, radius) on a field of 160 x 100, from the left one over the top to the right one.
_FIELD = (160.0, 100.0)
_LOBES = ((32.0, 68.0, 32.0), (68.0, 40.0, 40.0), (110.0, 47.0, 29.0), (129.0, 69.0, 31.0))
_LYING = 1.25  # a cloud is at least that much wider than high; a taller one is no cloud any more
_CLOUD_TEXT = Box(22 / 160, 38 / 100, 114 / 160, 56 / 100)


def _ellipse_outline(box: Box, _radius: float) -> Path:
    return ellipse(box)


def _ellipse_text_area(box: Box) -> Box:
    width, height = box.width * _INSCRIBED, box.height * _INSCRIBED
    return Box(box.center.x - width / 2, box.center.y - height / 2, width, height)


def _ellipse_fit(width: float, height: float) -> tuple[float, float]:
    return width / _INSCRIBED, height / _INSCRIBED


def _cloud_outline(box: Box, _radius: float) -> Path:
    sx, sy = box.width / _FIELD[0], box.height / _FIELD[1]
    segments: list[Segment] = []
    for lobe, start, end in _LOBE_ARCS:
        x, y, r = lobe
        field = Box(box.x + (x - r) * sx, box.y + (y - r) * sy, 2 * r * sx, 2 * r * sy)
        if not segments:
            segments.append(Move(point_on_ellipse(field, start)))
        arcs: tuple[Cubic, ...] = elliptic_arc(field, start, end)
        segments.extend(arcs)
    return (*segments, Close())


def _cloud_text_area(box: Box) -> Box:
    area = _CLOUD_TEXT
    return Box(
        box.x + area.x * box.width, box.y + area.y * box.height, area.width * box.width, area.height * box.height
    )


def _cloud_fit(width: float, height: float) -> tuple[float, float]:
    outer = height / _CLOUD_TEXT.height
    return max(width / _CLOUD_TEXT.width, _LYING * outer), outer


def _lobe_arcs() -> tuple[tuple[tuple[float, float, float], float, float], ...]:
    """Each lobe with the angles between which it is seen, from the floor at the left to the floor at the right."""
    corners = [_outer_crossing(a, b) for a, b in pairwise(_LOBES)]
    starts = [math.pi / 2, *(_angle(lobe, corner) for lobe, corner in zip(_LOBES[1:], corners, strict=True))]
    ends = [*(_angle(lobe, corner) for lobe, corner in zip(_LOBES, corners, strict=False)), math.pi / 2]
    return tuple(
        (lobe, start, end if end > start else end + 2 * math.pi)
        for lobe, start, end in zip(_LOBES, starts, ends, strict=True)
    )


def _outer_crossing(a: tuple[float, float, float], b: tuple[float, float, float]) -> Point:
    """The upper one of the two points where two circles cross."""
    (ax, ay, ar), (bx, by, br) = a, b
    distance = math.hypot(bx - ax, by - ay)
    along = (ar * ar - br * br + distance * distance) / (2 * distance)
    across = math.sqrt(ar * ar - along * along)
    ux, uy = (bx - ax) / distance, (by - ay) / distance
    return Point(ax + along * ux + across * uy, ay + along * uy - across * ux)


def _angle(lobe: tuple[float, float, float], point: Point) -> float:
    return math.atan2(point.y - lobe[1], point.x - lobe[0])


_LOBE_ARCS = _lobe_arcs()

ELLIPSE = Shape(name="ellipse", outline=_ellipse_outline, text_area=_ellipse_text_area, fit=_ellipse_fit)
CLOUD = Shape(name="cloud", outline=_cloud_outline, text_area=_cloud_text_area, fit=_cloud_fit)
