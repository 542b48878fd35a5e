"""A node: its outline, the strokes over it, its glyph, its icon, its label. px."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from scenograph.engine.draw.crisp import crisp_box
from scenograph.engine.draw.sheet import Sheet
from scenograph.engine.drawing import DrawnGroup, Item, PathItem
from scenograph.engine.families.catalog import kind_of
from scenograph.engine.families.family import NodeFace
from scenograph.engine.geometry.boxes import Box
from scenograph.engine.icons import find
from scenograph.engine.shapes.catalog import shape_named
from scenograph.engine.shapes.texts import text_item
from scenograph.engine.tables import NO_PARTS, FinishedStyle
from scenograph.scene.model import Node


def paint_node(sheet: Sheet, node: Node) -> tuple[DrawnGroup, ...]:
    """The node's group; nothing for a node without a place."""
    place = sheet.box(node.id)
    if place is None:
        return ()
    style = sheet.style(node.id)
    box = crisp_box(place, sheet.stroke_width(node.id))
    if paint := kind_of(node).paint:
        items = tuple(paint(_face(sheet, node, box, style)))
        return (DrawnGroup(id=node.id, kind=node.kind, items=items, opacity=style.opacity),)
    items = (
        *_body(node, box, style),
        *_glyph(node, box, style),
        *_icon(sheet, node, style),
        *_label(sheet, node, style),
    )
    return (DrawnGroup(id=node.id, kind=node.kind, items=items, opacity=style.opacity),)


def _face(sheet: Sheet, node: Node, box: Box, style: FinishedStyle) -> NodeFace:
    laid_out = sheet.laid_out
    parts = laid_out.placement.parts.get(node.id, NO_PARTS)
    return NodeFace(node=node, box=box, size=laid_out.sizes[node.id], parts=parts, style=style)


def _body(node: Node, box: Box, style: FinishedStyle) -> Iterator[Item]:
    shape = shape_named(node.shape)
    outline = shape.outline(box, style.corner_radius)
    line = PathItem(path=(), stroke=style.stroke, stroke_width=style.stroke_width, is_outline=True)
    yield replace(line, path=outline, fill=style.fill, dash=style.dash)
    for path in shape.details(box):
        yield replace(line, path=path)


def _glyph(node: Node, box: Box, style: FinishedStyle) -> Iterator[Item]:
    glyph = kind_of(node).glyph
    if glyph is None:
        return
    for stroke in glyph(box):
        if stroke.filled:
            yield PathItem(path=stroke.path, fill=style.stroke)
        else:
            yield PathItem(path=stroke.path, stroke=style.stroke, stroke_width=stroke.width, cap="round")


def _icon(sheet: Sheet, node: Node, style: FinishedStyle) -> tuple[Item, ...]:
    """The registered icon where a stage before has made room for one (part `icon`)."""
    part = sheet.laid_out.placement.part(node.id, "icon")
    icon = find(node.icon) if node.icon and part is not None else None
    return () if icon is None or part is None else icon.items(part, style.text_color)


def _label(sheet: Sheet, node: Node, style: FinishedStyle) -> Iterator[Item]:
    size, part = sheet.laid_out.sizes.get(node.id), sheet.laid_out.placement.part(node.id, "label")
    if size is not None and size.label is not None and size.label.lines and part is not None:
        yield text_item(size.label, part, style)
