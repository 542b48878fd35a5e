"""Cylinders: one that stands and shows its lid, one that lies (tube) and shows its mouth.

Half the lid or mouth is part of the outline, the other half is a stroke over it, which no text crosses.
"""

from __future__ import annotations

import math

from scenograph.engine.geometry.boxes import Box, Point
from scenograph.engine.geometry.figures import elliptic_arc
from scenograph.engine.geometry.paths import Close, Line, Move, Path
from scenograph.engine.shapes.shape import Shape

_MAX_LID = 12.0  # half the height of a lid, px
_MAX_MOUTH = 9.0  # half the width of a mouth, px; labels are rather wide than high
_LID_SHARE = 0.1  # of a standing one's width, at most
_MOUTH_SHARE = 0.16  # of a lying one's height, at most
_LIDS_PER_LENGTH = 6  # a lid and the bulge at the other end leave half of a short cylinder to its text
_LIDS_LOST = 3  # a whole lid, and half of one at the other end


def _lid(box: Box) -> float:
    return min(_MAX_LID, _LID_SHARE * box.width, box.height / _LIDS_PER_LENGTH)


def _cylinder_outline(box: Box, _radius: float) -> Path:
    lid = _lid(box)
    top = Box(box.x, box.y, box.width, 2 * lid)
    bottom = Box(box.x, box.bottom - 2 * lid, box.width, 2 * lid)
    return (
        Move(Point(box.x, box.y + lid)),
        *elliptic_arc(top, math.pi, 2 * math.pi),
        Line(Point(box.right, box.bottom - lid)),
        *elliptic_arc(bottom, 0, math.pi),
        Close(),
    )


def _cylinder_lid(box: Box) -> tuple[Path, ...]:
    lid = _lid(box)
    top = Box(box.x, box.y, box.width, 2 * lid)
    return ((Move(Point(box.right, box.y + lid)), *elliptic_arc(top, 0, math.pi)),)


def _cylinder_text_area(box: Box) -> Box:
    lid = _lid(box)
    return Box(box.x, box.y + 2 * lid, box.width, box.height - _LIDS_LOST * lid)


def _cylinder_fit(width: float, height: float) -> tuple[float, float]:
    lid = min(_MAX_LID, _LID_SHARE * width, height / (_LIDS_PER_LENGTH - _LIDS_LOST))
    return width, height + _LIDS_LOST * lid


def _mouth(box: Box) -> float:
    return min(_MAX_MOUTH, _MOUTH_SHARE * box.height, box.width / _LIDS_PER_LENGTH)


def _tube_outline(box: Box, _radius: float) -> Path:
    mouth = _mouth(box)
    left = Box(box.x, box.y, 2 * mouth, box.height)
    right = Box(box.right - 2 * mouth, box.y, 2 * mouth, box.height)
    return (
        Move(Point(box.x + mouth, box.y)),
        Line(Point(box.right - mouth, box.y)),
        *elliptic_arc(right, -math.pi / 2, math.pi / 2),
        Line(Point(box.x + mouth, box.bottom)),
        *elliptic_arc(left, math.pi / 2, math.pi * 1.5),
        Close(),
    )


def _tube_mouth(box: Box) -> tuple[Path, ...]:
    mouth = _mouth(box)
    right = Box(box.right - 2 * mouth, box.y, 2 * mouth, box.height)
    return ((Move(Point(box.right - mouth, box.bottom)), *elliptic_arc(right, math.pi / 2, math.pi * 1.5)),)


def _tube_text_area(box: Box) -> Box:
    mouth = _mouth(box)
    return Box(box.x + mouth, box.y, box.width - _LIDS_LOST * mouth, box.height)


def _tube_fit(width: float, height: float) -> tuple[float, float]:
    mouth = min(_MAX_MOUTH, _MOUTH_SHARE * height, width / (_LIDS_PER_LENGTH - _LIDS_LOST))
    return width + _LIDS_LOST * mouth, height


CYLINDER = Shape(
    name="cylinder",
    outline=_cylinder_outline,
    text_area=_cylinder_text_area,
    fit=_cylinder_fit,
    details=_cylinder_lid,
)
TUBE = Shape(name="tube", outline=_tube_outline, text_area=_tube_text_area, fit=_tube_fit, details=_tube_mouth)
