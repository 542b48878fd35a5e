"""A node: its outline, the strokes over it, its glyph, its icon, its label. px."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain

from scenograph.engine.colors import BLACK, DARK_LUMINANCE, WHITE, over, perceived_luminance
from scenograph.engine.draw.sheet import Sheet
from scenograph.engine.drawing import DrawnGroup, Item, PathItem
from scenograph.engine.families.catalog import family_named, kind_of
from scenograph.engine.families.face_items import label_items, outline_item
from scenograph.engine.families.family import NodeFace, NodeKind
from scenograph.engine.families.inks import glyph_items
from scenograph.engine.geometry.boxes import Box
from scenograph.engine.geometry.crisp import crisp_box
from scenograph.engine.icons import find
from scenograph.engine.shapes.catalog import shape_named
from scenograph.engine.tables import NO_PARTS, FinishedStyle, Size
from scenograph.scene.model import Color, Node

FOOT, IN_FOOT = "foot", "foot:"
NO_SIZE = Size(width=0.0, height=0.0)


def paint_node(sheet: Sheet, node: Node) -> tuple[DrawnGroup, ...]:
    """The node's group; nothing for a node without a place."""
    place = sheet.box(node.id)
    if place is None:
        return ()
    style = sheet.style(node.id)
    box = crisp_box(place, sheet.stroke_width(node.id))
    laid_out = sheet.laid_out
    parts, size = laid_out.placement.parts.get(node.id, NO_PARTS), laid_out.sizes.get(node.id) or NO_SIZE
    face = NodeFace(node=node, box=box, size=size, parts=parts, style=style, page=sheet.paper)
    stem = family_named(laid_out.scene.diagram_family).stem
    items = (
        *(() if stem is None else stem(_on_sharp_lines(face, sheet.stroke_width(node.id)))),
        *_painted(face),
        *_foot(face, sheet.stroke_width(node.id)),
    )
    return (DrawnGroup(id=node.id, kind=node.kind, items=items, opacity=style.opacity),)


def _on_sharp_lines(face: NodeFace, width: float) -> NodeFace:
    return face._replace(parts={name: crisp_box(part, width) for name, part in face.parts.items()})


def _painted(face: NodeFace) -> Iterator[Item]:
    kind = kind_of(face.node)
    if paint := kind.paint:
        return paint(face)
    return chain(_body(face.node, face.box, face.style), _glyph(kind, face), _icon(kind, face), label_items(face))


def _foot(face: NodeFace, width: float) -> Iterator[Item]:
    """The node once more where a part `foot` is; what stands in it are the parts named `foot:…`."""
    foot = face.parts.get(FOOT)
    if foot is None:
        return iter(())
    inner = {name.removeprefix(IN_FOOT): part for name, part in face.parts.items() if name.startswith(IN_FOOT)}
    return _painted(face._replace(box=crisp_box(foot, width), parts=inner))


def _body(node: Node, box: Box, style: FinishedStyle) -> Iterator[Item]:
    shape = shape_named(node.shape)
    yield outline_item(shape.outline(box, style.corner_radius), style)
    for path in shape.details(box):
        yield PathItem(path=path, stroke=style.stroke, stroke_width=style.stroke_width, is_outline=True)


def _glyph(kind: NodeKind, face: NodeFace) -> Iterable[Item]:
    return () if kind.glyph is None else glyph_items(kind.glyph(face.box), face.style)


def ground_of(style: FinishedStyle) -> Color:
    """What an icon stands on: the fill, over a page that is dark where the text is light."""
    light_text = perceived_luminance(style.text_color) >= DARK_LUMINANCE
    return over(style.fill, BLACK if light_text else WHITE)


def _icon(kind: NodeKind, face: NodeFace) -> tuple[Item, ...]:
    """The registered icon, else the type's symbol, where a stage before has made room for one (part `icon`)."""
    key, part = face.node.icon, face.parts.get("icon")
    if part is None:
        return ()
    icon, symbol = find(key) if key else None, kind.symbol
    if icon is not None:
        return icon.items(part, face.style.text_color, ground_of(face.style))
    return tuple(glyph_items(symbol(part), face.style)) if symbol is not None else ()
