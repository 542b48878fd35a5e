"""Nodes with an icon: it stands above the label in the node's shape, or is all that stands in a small unseen box. px.

In: a node, its kind, its finished style. Out: its natural size. What does not fit is reported (TEXT_OVERFLOW).
(R-ICON-2, R-ICON-3)
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple

from scenograph.engine.families.family import CheckHeight, GlyphBox, NodeKind
from scenograph.engine.families.icon_nodes import is_cloud_icon, shown_icon
from scenograph.engine.geometry.boxes import Box, on_grid, union
from scenograph.engine.measure.wrapping import WIDENING, block_in, block_of, free_block, label_below
from scenograph.engine.shapes.catalog import shape_named
from scenograph.engine.shapes.labels import (
    ICON_GAP,
    InnerLabel,
    clear_height,
    clear_width,
    lay_label,
    letters_height,
    stack,
)
from scenograph.engine.shapes.shape import Shape
from scenograph.engine.tables import NO_PARTS, FinishedStyle, Size
from scenograph.engine.text.blocks import Font, TextBlock
from scenograph.engine.text.layout import words_wider
from scenograph.scene.model import Node

# Labels that give way to the glyph inside their node: the mark of a task's type, of a collapsed subprocess. px. In:
# the label as it would stand in the middle. Out: the same where it is clear of the glyph, else the label laid anew
# in the largest room beside the glyph, with the part `label` that says where.


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
    inside = box.grown(-kind.border_room)
    room = max(_rooms(kind.glyph_box(box).grown(GLYPH_MARGIN), inside), key=lambda one: one.width * one.height)
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


# How much room an icon takes in a node. px. (R-ICON-2)


ICON_MARGIN = 2.0
"""Above and below an icon and its label, where nothing is drawn round them."""
LEAST_ICON = 14.0
"""An icon is never drawn smaller; a given size that leaves less is too small."""
_STANDING_OUT = 16.0  # px, both sides together, by which an icon without a box may leave its place to be seen
_SLACK = 0.5  # px that are not seen
_NOTICEABLE = 4.0  # px; natural sizes are rounded up by less


class IconRoom(NamedTuple):
    """Sizes for an icon, px: its side where the node's size is free and at most, the padding round icon and label, the
    node's least width, where the label wraps, the room above and below both in a given size, and the least side that
    it has there."""

    natural: float
    largest: float
    padding: tuple[float, float]
    least_width: float
    wrap: float
    margin: float = ICON_MARGIN
    least: float = LEAST_ICON

    def side_in(self, shape: Shape, box: Box, label: TextBlock | None, font: Font) -> float:
        """The side of an icon over its label in a box of given size, both in its middle: the largest one that has its
        padding there, else the natural one or a smaller one that keeps the margin."""
        place = _Place(shape, box, label, font)
        for side in _downwards(self.largest, self.natural + _NOTICEABLE):
            if place.holds(side, self.padding):
                return side
        left = min(shape.text_area(box).width, place.height)
        least = min(max(min(self.least, left + _STANDING_OUT), LEAST_ICON), self.natural)
        sides = _downwards(self.natural, least)
        return next((side for side in sides if place.holds(side, (self.margin, self.margin))), least)


class _Place(NamedTuple):
    """A shape in a box, with the label that stands in it below an icon."""

    shape: Shape
    box: Box
    label: TextBlock | None
    font: Font

    @property
    def height(self) -> float:
        """What the label leaves to the icon."""
        return clear_height(self.shape, self.box) - self._below_icon

    @property
    def _below_icon(self) -> float:
        return ICON_GAP + self.label.height if self.label is not None else 0.0

    def holds(self, side: float, free: tuple[float, float]) -> bool:
        """Whether an icon has so much room beside it and above it, and the label no less than below the least icon."""
        beside, above = free
        if side + 2 * above > self.height + _SLACK:
            return False
        across = clear_width(self.shape, self.box, side, -self._below_icon / 2)
        if side + 2 * beside > across + _SLACK:
            return False
        return self.label is None or self._label_width(side) >= min(self.label.width, self._label_width(LEAST_ICON))

    def _label_width(self, side: float) -> float:
        letters = letters_height(self.label, self.font) if self.label is not None else 0.0
        return clear_width(self.shape, self.box, letters, (side + ICON_GAP) / 2)


def _downwards(largest: float, least: float) -> tuple[float, ...]:
    """Whole lengths, the largest first."""
    return tuple(float(side) for side in range(math.floor(largest), math.ceil(least) - 1, -1))


BOXED_ICON = IconRoom(natural=28.0, largest=32.0, padding=(16.0, 10.0), least_width=96.0, wrap=160.0, margin=4.0)
CLOUD_ICON = IconRoom(natural=48.0, largest=64.0, padding=(4.0, 4.0), least_width=64.0, wrap=120.0, least=24.0)
"""Its box is not seen, so icon and label may stand out of a low one a little, rather than the icon be lost."""
BOXED_CLOUD_ICON = CLOUD_ICON._replace(padding=(12.0, 10.0), least_width=88.0, margin=6.0, least=LEAST_ICON)


_WIDE = 1.5  # times its height: such a box is meant for icon and label, though it may be too low for a large icon
_OFF_SQUARE = 4.0  # natural boxes of icon and label are none: given as a size, they hold both again
_ABOVE = LEAST_ICON + ICON_GAP  # what stands over a label at least
_BELOW = 4.0  # by which an icon may leave a box lower than itself, so that the label below is clear of it


def with_icon(node: Node, kind: NodeKind, style: FinishedStyle, check: CheckHeight) -> Size:
    """Icon and label stacked in the shape, or the label below an icon that fills a given box which nobody sees and
    which would hold both only with a small icon or broken words."""
    room = _icon_room(node, kind, style)
    if _is_alone(node, style):
        return _filling(node, kind)
    size = _stacked(node, kind, style, room)
    if room is CLOUD_ICON and not _holds_both(node, kind, style, size):
        size = _above_label(node, style)
    if not kind.grows:
        _check(node, kind, style, size, check)
    return size


def _is_alone(node: Node, style: FinishedStyle) -> bool:
    """Whether an icon is all that is seen of a node whose size its author gave."""
    is_given = node.layout.width is not None and node.layout.height is not None
    return is_given and not node.label and shown_icon(node) is not None and not has_panel(style)


def _filling(node: Node, kind: NodeKind) -> Size:
    """The icon as large as its box."""
    width, height = given_or(node.layout.width, 0.0), given_or(node.layout.height, 0.0)
    area = shape_named(node.shape or kind.shape).text_area(Box(0.0, 0.0, width, height))
    return Size(width=width, height=height, icon=min(area.width, area.height))


def _check(node: Node, kind: NodeKind, style: FinishedStyle, size: Size, check: CheckHeight) -> None:
    """Say where not even the least icon and the label fit: what is not below its box stands inside the outline."""
    if size.outset.bottom or size.label is None:
        check(LEAST_ICON + (ICON_GAP + size.label.height if size.label is not None else 0.0), size.height)
        return
    box = Box(0.0, 0.0, size.width, size.height)
    beside = room_beside_glyph(kind, box, box) if size.parts else None
    shape, place = (shape_named(kind.shape), box) if beside is None else (shape_named("rect"), beside)
    laid = lay_label(node.label or "", style.font, shape, place.width, place.height, above=_ABOVE)
    check(laid.required, laid.available)


def has_panel(style: FinishedStyle) -> bool:
    """Whether a ground or a border is seen."""
    return style.fill.alpha > 0 or (style.stroke.alpha > 0 and style.stroke_width > 0)


def _icon_room(node: Node, kind: NodeKind, style: FinishedStyle) -> IconRoom:
    """By the icon's set and the box round it; a glyph in the box has the room that its kind keeps for it."""
    if not is_cloud_icon(node):
        room = BOXED_ICON
    elif has_panel(style):
        room = BOXED_CLOUD_ICON
    else:
        return CLOUD_ICON
    if kind.glyph_box is None or kind.padding is None:
        return room
    return room._replace(padding=(max(room.padding[0], kind.padding[0]), max(room.padding[1], kind.padding[1])))


def _stacked(node: Node, kind: NodeKind, style: FinishedStyle, room: IconRoom) -> Size:
    """Icon above label in the shape; in a given height the icon takes what the label leaves."""
    if node.layout.height is not None:
        return _of_given_height(node, kind, style, room, node.layout.height)
    if node.layout.width is not None:
        return _of_given_width(node, kind, style, room, node.layout.width)
    block = free_block(node.label, style.font, kind.wrap_width or room.wrap)
    width, height = _fitted(kind, room, block)
    if room is CLOUD_ICON and block is not None and width == height:
        width += _OFF_SQUARE
    icon = room.side_in(shape_named(kind.shape), Box(0.0, 0.0, width, height), block, style.font)
    return Size(width=width, height=height, label=block, icon=icon)


def _of_given_width(node: Node, kind: NodeKind, style: FinishedStyle, room: IconRoom, width: float) -> Size:
    """As high as the icon and the label, wrapped inside, need it."""
    shape, height = shape_named(kind.shape), 0.0
    while True:
        block = _label_in(node, style, room, shape.text_area(Box(0.0, 0.0, width, height or width)).width)
        needed = _height_for(shape, room, block, width)
        if needed <= height:
            return Size(width=width, height=height, label=block, icon=room.natural)
        height = needed  # slanted sides reach further in now: the label may need still more lines


def _of_given_height(node: Node, kind: NodeKind, style: FinishedStyle, room: IconRoom, height: float) -> Size:
    """The label, and the icon as large as the label leaves it; of a free width, as much as both need."""
    shape, font, label = shape_named(kind.shape), style.font, node.label or ""
    width = node.layout.width
    if width is None:
        wrap = kind.wrap_width or room.wrap
        tried = [_fitted(kind, room, block_of(label, font, wrap * times))[0] for times in WIDENING]
        width = next(
            (wide for wide in tried if not lay_label(label, font, shape, wide, height, above=_ABOVE).required), tried[0]
        )
    if room is CLOUD_ICON:
        block = _label_in(node, style, room, shape.text_area(Box(0.0, 0.0, width, height)).width)
    else:
        block = lay_label(label, font, shape, width, height, above=_ABOVE).block
    block = block if block is not None and block.lines else None
    icon = room.side_in(shape, Box(0.0, 0.0, width, height), block, font)
    return _beside_glyph(node, kind, style, room, Size(width=width, height=height, label=block, icon=icon))


def _beside_glyph(node: Node, kind: NodeKind, style: FinishedStyle, room: IconRoom, size: Size) -> Size:
    """Icon and label in the room beside the node's glyph, where they would stand on it."""
    box = Box(0.0, 0.0, size.width, size.height)
    extent = (size.label.width, size.label.height) if size.label is not None else (0.0, 0.0)
    icon, label = stack(shape_named(kind.shape).text_area(box), size.icon, extent)
    beside = room_beside_glyph(kind, box, union((icon, label)) or box)
    if beside is None:
        return size
    rect = shape_named("rect")
    laid = lay_label(node.label or "", style.font, rect, beside.width, beside.height, above=_ABOVE)
    block = laid.block if laid.block.lines else None
    side = room.side_in(rect, beside, block, style.font)
    icon, label = stack(beside, side, (block.width, block.height) if block is not None else (0.0, 0.0))
    parts = {"icon": icon} | ({"label": label} if block is not None else {})
    return Size(width=size.width, height=size.height, label=block, icon=side, parts=parts)


def _fitted(kind: NodeKind, room: IconRoom, block: TextBlock | None) -> tuple[float, float]:
    """The size at which the text area holds icon and label with their padding."""
    shape, inside = shape_named(kind.shape), _inside(room, block)
    width, height = shape.fit(*inside)
    if width < kind.min_size[0]:
        # What is wide by nature stays wide: a shape that fits a square closely may be a tower.
        wider = shape.text_area(Box(0.0, 0.0, kind.min_size[0], height)).width
        width, height = shape.fit(max(inside[0], wider), inside[1])
    return on_grid(max(width, room.least_width)), on_grid(height)


def _height_for(shape: Shape, room: IconRoom, block: TextBlock | None, width: float) -> float:
    """The height at which the text area of a shape as wide as `width` holds icon and label."""
    _, needed = _inside(room, block)
    _, height = shape.fit(width, needed)
    area = shape.text_area(Box(0.0, 0.0, width, height))
    return on_grid(height + max(0.0, needed - area.height))


def _inside(room: IconRoom, block: TextBlock | None) -> tuple[float, float]:
    beside, above = room.padding
    width, height = (block.width, ICON_GAP + block.height) if block else (0.0, 0.0)
    return max(width, room.natural) + 2 * beside, room.natural + height + 2 * above


def _label_in(node: Node, style: FinishedStyle, room: IconRoom, inner: float) -> TextBlock | None:
    """The label in a shape so wide inside; where no border is near it, it has the padding of a natural size."""
    if room is CLOUD_ICON:
        return block_of(node.label, style.font, max(inner - 2 * room.padding[0], 1.0))
    return block_in(node.label, style.font, inner)


def _holds_both(node: Node, kind: NodeKind, style: FinishedStyle, size: Size) -> bool:
    """Whether an unseen box holds the label with no word broken for the box and an icon of natural size above it, or in
    a wide box a smaller one. A square is meant for the icon alone, so that those in a row are of one size."""
    if size.label is None or node.layout.width is None is node.layout.height:
        return True
    if size.width == size.height:
        return False
    area = shape_named(kind.shape).text_area(Box(0.0, 0.0, size.width, size.height))
    inner, wrap = area.width - 2 * CLOUD_ICON.padding[0], max(CLOUD_ICON.wrap, size.width)
    label, font = node.label or "", style.font
    if words_wider(label, font, inner) > words_wider(label, font, wrap):
        return False
    label_height = ICON_GAP + size.label.height
    if None not in (node.layout.width, node.layout.height) and size.width >= _WIDE * size.height:
        return label_height < area.height  # what stands below such a box may be close: a small icon is the lesser evil
    return CLOUD_ICON.natural + label_height + 2 * CLOUD_ICON.padding[1] <= area.height + _SLACK


def _above_label(node: Node, style: FinishedStyle) -> Size:
    """An icon as large as its box, a square where only one side is given, and the label below, as wide as it likes."""
    width, height = node.layout.width, node.layout.height
    across, down = (
        given_or(width, given_or(height, CLOUD_ICON.natural)),
        given_or(height, given_or(width, CLOUD_ICON.natural)),
    )
    block, outset = label_below(node.label, style.font, across)
    icon = max(min(across, down), min(CLOUD_ICON.least, down + 2 * _BELOW))
    return Size(width=across, height=down, label=block, outset=outset, icon=icon)


def given_or(given: float | None, otherwise: float) -> float:
    """A side that the author gave, or another length where it is left open, px."""
    return otherwise if given is None else given
