"""Nodes with an icon: it stands above the label in the node's shape, or is all that stands in a small unseen box. px.

In: a node, its kind, its finished style. Out: its natural size. What does not fit is reported (TEXT_OVERFLOW).
(R-ICON-2, R-ICON-3)
"""

from __future__ import annotations

from scenograph.engine.families.family import CheckHeight, NodeKind
from scenograph.engine.families.icon_nodes import is_cloud_icon, shown_icon
from scenograph.engine.geometry.boxes import Box, union
from scenograph.engine.measure.glyph_room import on_grid, room_beside_glyph
from scenograph.engine.measure.icon_rooms import BOXED_CLOUD_ICON, BOXED_ICON, CLOUD_ICON, LEAST_ICON, IconRoom
from scenograph.engine.measure.wrapping import WIDENING, block_in, block_of, free_block, label_below
from scenograph.engine.shapes.catalog import shape_named
from scenograph.engine.shapes.labels import lay_label
from scenograph.engine.shapes.shape import Shape
from scenograph.engine.shapes.stacks import ICON_GAP, stack
from scenograph.engine.tables import FinishedStyle, Size
from scenograph.engine.text.blocks import TextBlock
from scenograph.engine.text.layout import words_wider
from scenograph.scene.model import Node

_SLACK = 0.5  # what is not seen
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
