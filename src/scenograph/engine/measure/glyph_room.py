"""Labels that give way to the glyph inside their node: the icon of a task, the rim of a queue. px.

In: the label as it would stand in the middle. Out: the same where it is clear of the glyph, else the label laid anew in
the largest room beside the glyph, with the part `label` that says where.
"""

from __future__ import annotations

from collections.abc import Mapping

from scenograph.engine.families.family import NodeKind
from scenograph.engine.geometry.boxes import Box
from scenograph.engine.shapes.catalog import shape_named
from scenograph.engine.shapes.labels import InnerLabel, lay_label
from scenograph.engine.tables import NO_PARTS
from scenograph.engine.text.blocks import Font

GLYPH_MARGIN = 2.0


def beside_glyph(
    text: str, font: Font, kind: NodeKind, label: InnerLabel, box: Box
) -> tuple[InnerLabel, Mapping[str, Box]]:
    """The label for a node of that kind in `box`; without parts when it stays in the middle."""
    if kind.glyph_box is None or not label.block.lines:
        return label, NO_PARTS
    glyph, shape = kind.glyph_box(box), shape_named(kind.shape)
    if not glyph.overlaps(_centred(label, shape.text_area(box))):
        return label, NO_PARTS
    room = max(_rooms(glyph.grown(GLYPH_MARGIN), box), key=lambda one: one.width * one.height)
    if room.width <= 0 or room.height <= 0:
        return label, NO_PARTS
    moved = lay_label(text, font, shape_named("rect"), room.width, room.height)
    if moved.required and not label.required:
        return label, NO_PARTS
    return moved, {"label": _centred(moved, room)}


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
