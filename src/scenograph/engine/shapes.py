"""SHAPES: every node shape by its name in the document: outline, text area, and the size that a content needs. px."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import lru_cache
from itertools import pairwise

from scenograph.engine.geometry.boxes import Box, Point
from scenograph.engine.geometry.paths import (
    Chain,
    Close,
    Cubic,
    Line,
    Move,
    Path,
    Segment,
    ellipse,
    elliptic_arc,
    flatten,
    point_on_ellipse,
    polygon,
    polyline,
    rounded_rectangle,
    straight_contact,
)
from scenograph.late_dataclasses import dataclass

Outline = Callable[[Box, float], Path]  # box, corner radius
Details = Callable[[Box], tuple[Path, ...]]
TextArea = Callable[[Box], Box]
Fit = Callable[[float, float], tuple[float, float]]


def _no_details(_box: Box) -> tuple[Path, ...]:
    """No details, for shapes without strokes over the outline."""
    return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """A row of SHAPES: an outline, an area for text, and the needed size for a given content.

    `outline` is one closed subpath, clockwise; edges end there. `details` are strokes over the outline (a cylinder's
    lid). `text_area` is the largest box for text inside a given box; `fit` is its inverse: the smallest box with room
    for a content of the given width and height.
    """

    name: str
    outline: Outline
    text_area: TextArea
    fit: Fit
    details: Details = _no_details

    @property
    def has_details(self) -> bool:
        """Whether strokes are drawn over the outline."""
        return self.details is not _no_details


# Where an edge meets the outline of a shape. px. Exact for straight sides; elsewhere within 0.05 px of the drawn
# outline, which is flattened once a size. Nothing here fails: when a line misses the outline, the nearest place on
# it is given.


_CACHED_OUTLINES = 2048
_STRAIGHT_SIDED = frozenset({"rect", "roundedRect", "textBox", "iconBox"})


def side_contact(shape: Shape, box: Box, radius: float, side: str, coordinate: float) -> Point:
    """The contact of a straight line from `side` (top, right, bottom, left) with the outline; `coordinate` is its x for
    top and bottom, its y for left and right, clamped to the box."""
    return straight_contact(chain_of(shape, box.width, box.height, radius), box, side, coordinate)


def chain_of(shape: Shape, width: float, height: float, radius: float) -> Chain:
    """The outline of a shape in a box of `width` x `height` px, as a chain."""
    return _chain(shape.outline, width, height, radius, radius if shape.name in _STRAIGHT_SIDED else math.inf)


@lru_cache(maxsize=_CACHED_OUTLINES)
def _chain(outline: Outline, width: float, height: float, radius: float, rounding: float) -> Chain:
    (corners,) = flatten(outline(Box(0.0, 0.0, width, height), radius))
    return Chain(tuple(corner.x for corner in corners), tuple(corner.y for corner in corners), rounding)


# Shapes with slanted sides: diamond, hexagon, parallelogram.


SLANT = 0.3  # horizontal reach of a slanted side, as a share of the height
_MAX_SLANT_SHARE = 0.25  # and at most this share of the width


def _slant(box: Box) -> float:
    return min(SLANT * box.height, _MAX_SLANT_SHARE * box.width)


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


_DIAMOND = Shape(name="diamond", outline=_diamond_outline, text_area=_diamond_text_area, fit=_diamond_fit)
_HEXAGON = Shape(name="hexagon", outline=_hexagon_outline, text_area=_between_slants, fit=_fit_between_slants)
_PARALLELOGRAM = Shape(
    name="parallelogram", outline=_parallelogram_outline, text_area=_between_slants, fit=_fit_between_slants
)


# Shapes that are boxes: sharp, rounded, without a line of their own, with depth.


MAX_DEPTH = 12.0  # how far box3d reaches back, px
_DEPTH_SHARE = 0.2  # of the shorter side, at most
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


def _depth_of(box: Box) -> float:
    """How far the top and the right face of box3d reach."""
    return min(MAX_DEPTH, _DEPTH_SHARE * min(box.width, box.height))


def _box3d_outline(box: Box, _radius: float) -> Path:
    d = _depth_of(box)
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
    d = _depth_of(box)
    corner = Point(box.right - d, box.y + d)
    return (
        polyline((Point(box.x, box.y + d), corner, Point(box.right - d, box.bottom))),
        polyline((corner, Point(box.right, box.y))),
    )


def _box3d_text_area(box: Box) -> Box:
    d = _depth_of(box)
    return Box(box.x, box.y + d, box.width - d, box.height - d)


def _box3d_fit(width: float, height: float) -> tuple[float, float]:
    # The depth is a share of the shorter outer side, which is the content's shorter side plus the depth.
    d = min(MAX_DEPTH, _DEPTH_SHARE / (1 - _DEPTH_SHARE) * min(width, height))
    return width + d, height + d


RECT = Shape(name="rect", outline=rounded_rectangle, text_area=_whole, fit=_same)
_ROUNDED_RECT = Shape(name="roundedRect", outline=rounded_rectangle, text_area=_whole, fit=_same)
_TEXT_BOX = Shape(name="textBox", outline=rounded_rectangle, text_area=_whole, fit=_same)
_ICON_BOX = Shape(name="iconBox", outline=rounded_rectangle, text_area=_whole, fit=_same)
_PILL = Shape(name="pill", outline=_pill_outline, text_area=_pill_text_area, fit=_pill_fit)
_BOX3D = Shape(name="box3d", outline=_box3d_outline, text_area=_box3d_text_area, fit=_box3d_fit, details=_box3d_edges)


# Shapes with curved outlines: ellipse, cloud.


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
    """Each lobe with the angles of its visible arc, from the floor at the left to the floor at the right."""
    corners = [_outer_crossing(a, b) for a, b in pairwise(_LOBES)]
    starts = [math.pi / 2, *(_angle(lobe, corner) for lobe, corner in zip(_LOBES[1:], corners, strict=True))]
    ends = [*(_angle(lobe, corner) for lobe, corner in zip(_LOBES, corners, strict=False)), math.pi / 2]
    return tuple(
        (lobe, start, end if end > start else end + 2 * math.pi)
        for lobe, start, end in zip(_LOBES, starts, ends, strict=True)
    )


def _outer_crossing(a: tuple[float, float, float], b: tuple[float, float, float]) -> Point:
    """The upper intersection of two circles."""
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


# Cylinders: a standing cylinder with its lid, a lying cylinder (tube) with its mouth. Half of the lid or mouth is part
# of the outline, the second half a stroke over the body, clear of text.


_MAX_LID = 12.0  # half the height of a lid, px
_MAX_MOUTH = 9.0  # half the width of a mouth, px; labels are rather wide than high
_LID_SHARE = 0.1  # of a standing one's width, at most
_MOUTH_SHARE = 0.16  # of a lying one's height, at most
_LIDS_PER_LENGTH = 6  # a lid and the bulge at the other end leave half of a short cylinder to its text
_LIDS_LOST = 3  # a whole lid, and half a lid at the far end


def _lid(box: Box) -> float:
    return min(_MAX_LID, _LID_SHARE * box.width, box.height / _LIDS_PER_LENGTH)


def lid_of(box: Box) -> Box:
    """The box round the lid of a cylinder."""
    return Box(box.x, box.y, box.width, 2 * _lid(box))


def mouth_of(box: Box) -> Box:
    """The box round the mouth of a tube."""
    mouth = _mouth(box)
    return Box(box.right - 2 * mouth, box.y, 2 * mouth, box.height)


def _cylinder_outline(box: Box, _radius: float) -> Path:
    lid, top = _lid(box), lid_of(box)
    bottom = Box(box.x, box.bottom - 2 * lid, box.width, 2 * lid)
    return (
        Move(Point(box.x, box.y + lid)),
        *elliptic_arc(top, math.pi, 2 * math.pi),
        Line(Point(box.right, box.bottom - lid)),
        *elliptic_arc(bottom, 0, math.pi),
        Close(),
    )


def _cylinder_lid(box: Box) -> tuple[Path, ...]:
    lid, top = _lid(box), lid_of(box)
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
    left, right = Box(box.x, box.y, 2 * mouth, box.height), mouth_of(box)
    return (
        Move(Point(box.x + mouth, box.y)),
        Line(Point(box.right - mouth, box.y)),
        *elliptic_arc(right, -math.pi / 2, math.pi / 2),
        Line(Point(box.x + mouth, box.bottom)),
        *elliptic_arc(left, math.pi / 2, math.pi * 1.5),
        Close(),
    )


def _tube_mouth(box: Box) -> tuple[Path, ...]:
    mouth, right = _mouth(box), mouth_of(box)
    return ((Move(Point(box.right - mouth, box.bottom)), *elliptic_arc(right, math.pi / 2, math.pi * 1.5)),)


def _tube_text_area(box: Box) -> Box:
    mouth = _mouth(box)
    return Box(box.x + mouth, box.y, box.width - _LIDS_LOST * mouth, box.height)


def _tube_fit(width: float, height: float) -> tuple[float, float]:
    mouth = min(_MAX_MOUTH, _MOUTH_SHARE * height, width / (_LIDS_PER_LENGTH - _LIDS_LOST))
    return width + _LIDS_LOST * mouth, height


_CYLINDER = Shape(
    name="cylinder",
    outline=_cylinder_outline,
    text_area=_cylinder_text_area,
    fit=_cylinder_fit,
    details=_cylinder_lid,
)
_TUBE = Shape(name="tube", outline=_tube_outline, text_area=_tube_text_area, fit=_tube_fit, details=_tube_mouth)


SHAPES: Mapping[str, Shape] = {
    "rect": RECT,
    "roundedRect": _ROUNDED_RECT,
    "ellipse": ELLIPSE,
    "diamond": _DIAMOND,
    "cylinder": _CYLINDER,
    "pill": _PILL,
    "hexagon": _HEXAGON,
    "parallelogram": _PARALLELOGRAM,
    "cloud": CLOUD,
    "textBox": _TEXT_BOX,
    "iconBox": _ICON_BOX,
    "box3d": _BOX3D,
    "tube": _TUBE,
}


def shape_named(name: str | None) -> Shape:
    """The shape by name; a rectangle for None and for unknown names."""
    return SHAPES.get(name or "rect", RECT)
