"""Paper: sheets with a folded corner (notes, data objects), and text annotations with their bracket. px."""

from __future__ import annotations

from collections.abc import Iterator

from scenograph.engine.drawing import Item, PathItem
from scenograph.engine.families.faces import glyph_items, icon_items, label_items, outline_item
from scenograph.engine.families.family import NodeFace
from scenograph.engine.families.figures import FOLD, folded_corner, left_bracket
from scenograph.engine.geometry.boxes import Box, Point
from scenograph.engine.geometry.paths import QUARTER_ARC, Close, Cubic, Line, Move, Path, polygon, rectangle
from scenograph.engine.shapes.texts import text_item

ANNOTATION_INDENT = 12.0
"""From the bracket of an annotation to its text, px."""


def paint_sheet(face: NodeFace) -> Iterator[Item]:
    """A sheet, its top right corner folded, with its icon and its label."""
    return sheet_items(face, face.style.corner_radius)


def sheet_items(face: NodeFace, radius: float) -> Iterator[Item]:
    """The same with corners of that radius."""
    style, fold = face.style, min(FOLD, face.box.width / 3, face.box.height / 3)
    yield outline_item(_sheet(face.box, fold, radius), style)
    for stroke in folded_corner(face.box):
        yield PathItem(path=stroke.path, stroke=style.stroke, stroke_width=style.stroke_width)
    yield from icon_items(face)
    yield from label_items(face)


def paint_annotation(face: NodeFace) -> Iterator[Item]:
    """An open bracket at the left, the text beside it, its lines beginning one below the other (BPMN 2.0, 7.3)."""
    style = face.style
    if style.fill.alpha > 0 or style.stroke_width > 0:
        yield PathItem(path=rectangle(face.box), fill=style.fill, is_outline=True)
    yield from glyph_items(left_bracket(face.box), style)
    label, part = face.size.label, face.parts.get("label")
    if label is not None and label.lines and part is not None:
        left = min(part.x, face.box.x + ANNOTATION_INDENT)
        yield text_item(label, part._replace(x=left), style, "start")


def _sheet(box: Box, fold: float, radius: float) -> Path:
    """The outline of a sheet with round corners, the top right one cut off."""
    left, top, right, bottom = box.x, box.y, box.right, box.bottom
    r = min(radius, box.width / 4, box.height / 4)
    cut = Point(right - fold, top), Point(right, top + fold)
    if r <= 0:
        return polygon((Point(left, top), *cut, Point(right, bottom), Point(left, bottom)))
    k = r * (1 - QUARTER_ARC)
    return (
        Move(Point(left + r, top)),
        Line(cut[0]),
        Line(cut[1]),
        Line(Point(right, bottom - r)),
        Cubic(Point(right, bottom - k), Point(right - k, bottom), Point(right - r, bottom)),
        Line(Point(left + r, bottom)),
        Cubic(Point(left + k, bottom), Point(left, bottom - k), Point(left, bottom - r)),
        Line(Point(left, top + r)),
        Cubic(Point(left, top + k), Point(left + k, top), Point(left + r, top)),
        Close(),
    )
