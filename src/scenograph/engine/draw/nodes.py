"""A node: its outline, the strokes over it, its glyph, its icon, its label. px."""

from __future__ import annotations

from collections.abc import Iterable

from scenograph.engine.colors import BLACK, DARK_LUMINANCE, WHITE, over, perceived_luminance
from scenograph.engine.draw.sheet import Sheet
from scenograph.engine.drawing import DrawnGroup, Item, PathItem
from scenograph.engine.families.catalog import family_named, kind_of
from scenograph.engine.families.faces import glyph_items, label_items, outline_item
from scenograph.engine.families.family import NodeFace, NodeKind
from scenograph.engine.geometry.boxes import Box
from scenograph.engine.geometry.paths import crisp_box
from scenograph.engine.icons import find
from scenograph.engine.shapes.catalog import shape_named
from scenograph.engine.tables import NO_PARTS, FinishedStyle, Size
from scenograph.scene.model import Color, Node

FOOT, IN_FOOT = "foot", "foot:"
NO_SIZE = Size(width=0.0, height=0.0)


def paint_node(sheet: Sheet, node: Node) -> tuple[DrawnGroup, ...]:
    """The node's group; nothing for a node without a place."""
    laid_out, key = sheet.laid_out, node.id
    place = laid_out.placement.boxes.get(key)
    if place is None:
        return ()
    style, width = laid_out.styles.of[key], laid_out.styles.seen_width(key)
    parts, size = laid_out.placement.parts.get(key, NO_PARTS), laid_out.sizes.get(key) or NO_SIZE
    face = NodeFace(node, crisp_box(place, width), size, parts, style, sheet.paper)
    stem, items = family_named(laid_out.scene.diagram_family).stem, list[Item]()
    if stem is not None:
        items.extend(stem(_on_sharp_lines(face, width)))
    items.extend(_painted(face))
    if FOOT in parts:
        items.extend(_painted(_in_foot(face, parts[FOOT], width)))
    return (DrawnGroup(key, node.kind, tuple(items), style.opacity),)


def _on_sharp_lines(face: NodeFace, width: float) -> NodeFace:
    return face._replace(parts={name: crisp_box(part, width) for name, part in face.parts.items()})


def _in_foot(face: NodeFace, foot: Box, width: float) -> NodeFace:
    """The node once more where a part `foot` is; what stands in it are the parts named `foot:…`."""
    inner = {name.removeprefix(IN_FOOT): part for name, part in face.parts.items() if name.startswith(IN_FOOT)}
    return face._replace(box=crisp_box(foot, width), parts=inner)


def _painted(face: NodeFace) -> Iterable[Item]:
    kind = kind_of(face.node)
    if paint := kind.paint:
        return paint(face)
    items = _body(face.node, face.box, face.style)
    if kind.glyph is not None:
        items.extend(glyph_items(kind.glyph(face.box), face.style))
    if kind.marks is not None:
        items.extend(glyph_items(kind.marks(face.node, face.box), face.style))
    items.extend(_icon(kind, face))
    items.extend(label_items(face))
    return items


def _body(node: Node, box: Box, style: FinishedStyle) -> list[Item]:
    shape = shape_named(node.shape)
    items: list[Item] = [outline_item(shape.outline(box, style.corner_radius), style)]
    for path in shape.details(box):
        items.append(PathItem(path=path, stroke=style.stroke, stroke_width=style.stroke_width, is_outline=True))
    return items


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
