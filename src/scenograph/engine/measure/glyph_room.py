"""Labels that give way to the glyph inside their node: the mark of a task's type, of a collapsed subprocess. px.

In: the label as it would stand in the middle. Out: the same where it is clear of the glyph, else the label laid anew in
the largest room beside the glyph, with the part `label` that says where.
"""

from __future__ import annotations

from collections.abc import Mapping

from scenograph.engine.families.family import GlyphBox, NodeKind
from scenograph.engine.geometry.boxes import Box
from scenograph.engine.geometry.size_grid import on_grid
from scenograph.engine.shapes.catalog import shape_named
from scenograph.engine.shapes.labels import InnerLabel, lay_label
from scenograph.engine.tables import NO_PARTS
from scenograph.engine.text.blocks import Font, TextBlock

GLYPH_MARGIN = 2.0  # px; between a glyph and the label
_TRIES = 8  # a glyph may grow with its node


def beside_glyph(
    text: str, font: Font, kind: NodeKind, label: InnerLabel, box: Box
) -> tuple[InnerLabel, Mapping[str, Box]]:
    """The label for a node of that kind in `box`; without parts when it stays in the middle. Where no room is left
    beside the glyph, it stands on it and does not fit."""
    if not label.block.lines:
        return label, NO_PARTS
    room = room_beside_glyph(kind, box, _centred(label, shape_named(kind.shape).text_area(box)))
    if room is None:
        return label, NO_PARTS
    moved = lay_label(text, font, shape_named("rect"), room.width, room.height)
    if moved.required and not label.required:
        return InnerLabel(label.block, moved.required, moved.available), NO_PARTS
    return moved, {"label": _centred(moved, room)}


def room_beside_glyph(kind: NodeKind, box: Box, content: Box) -> Box | None:
    """The largest room beside the glyph of a node in `box`; None where `content` is clear of it, or no room is left."""
    if kind.glyph_box is None or not kind.glyph_box(box).overlaps(content):
        return None
    room = max(_rooms(kind.glyph_box(box).grown(GLYPH_MARGIN), box), key=lambda one: one.width * one.height)
    return room if room.width > 0 and room.height > 0 else None


def clear_of_glyph(kind: NodeKind, block: TextBlock | None, size: tuple[float, float]) -> float:
    """The width at which a node of free width has its glyph beside the label in its middle."""
    width, height = size
    if kind.glyph_box is None or block is None:
        return width
    for _ in range(_TRIES):
        into = _overlap(kind, kind.glyph_box, block, Box(0.0, 0.0, width, height))
        if into <= 0:
            break
        width = on_grid(width + 2 * into)
    return width


def _overlap(kind: NodeKind, glyph_box: GlyphBox, block: TextBlock, box: Box) -> float:
    """How far a label in the middle reaches into a glyph at the left or the right."""
    area, glyph = shape_named(kind.shape).text_area(box), glyph_box(box).grown(GLYPH_MARGIN)
    label = Box(area.center.x - block.width / 2, area.center.y - block.height / 2, block.width, block.height)
    if not glyph.overlaps(label) or abs(glyph.center.x - label.center.x) < glyph.width / 2:
        return 0.0  # a glyph above or below it has its room by the kind's padding
    return glyph.right - label.x if glyph.center.x < label.center.x else label.right - glyph.x


def _rooms(glyph: Box, box: Box) -> tuple[Box, ...]:
    """What is left of a box beside, above and below a glyph."""
    return (
        Box(box.x, box.y, glyph.x - box.x, box.height),
        Box(glyph.right, box.y, box.right - glyph.right, box.height),
        Box(box.x, box.y, box.width, glyph.y - box.y),
        Box(box.x, glyph.bottom, box.width, box.bottom - glyph.bottom),
    )


def _centred(label: InnerLabel, area: Box) -> Box:
    width, height = label.block.width, label.block.height
    return Box(area.center.x - width / 2, area.center.y - height / 2, width, height)
