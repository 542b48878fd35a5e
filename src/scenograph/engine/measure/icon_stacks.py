"""Nodes with an icon: it stands above the label in the node's shape, or is all that stands in a small unseen box. px.

In: a node, its kind, its finished style. Out: its natural size. What does not fit is reported (TEXT_OVERFLOW).
(specification: "Icon nodes")
"""

from __future__ import annotations

from scenograph.engine.families.family import CheckHeight, NodeKind
from scenograph.engine.families.icon_nodes import is_cloud_icon
from scenograph.engine.geometry.boxes import Box
from scenograph.engine.measure.glyph_room import on_grid
from scenograph.engine.measure.icon_rooms import BOXED_CLOUD_ICON, BOXED_ICON, CLOUD_ICON, LEAST_ICON, IconRoom
from scenograph.engine.measure.wrapping import block_in, block_of, free_block, label_below
from scenograph.engine.shapes.catalog import shape_named
from scenograph.engine.shapes.stacks import ICON_GAP
from scenograph.engine.tables import FinishedStyle, Size
from scenograph.engine.text.blocks import TextBlock
from scenograph.engine.text.layout import words_wider
from scenograph.scene.model import Node

_SLACK = 0.5  # what is not seen
_WIDE = 1.5  # times its height: such a box is meant for icon and label, though it may be too low for a large icon
_OFF_SQUARE = 4.0  # natural boxes of icon and label are none: given as a size, they hold both again
_BELOW = 4.0  # by which an icon may leave a box lower than itself, so that the label below is clear of it


def with_icon(node: Node, kind: NodeKind, style: FinishedStyle, check: CheckHeight) -> Size:
    """Icon and label stacked in the shape, or the label below an icon that fills a given box which nobody sees and
    which would hold both only with a small icon or broken words."""
    room = _icon_room(node, style)
    size = _stacked(node, kind, style, room)
    if room is CLOUD_ICON and not _holds_both(node, kind, style, size):
        size = _above_label(node, style)
    if not kind.grows:
        label_height = ICON_GAP + size.label.height if size.label is not None else 0.0
        area = Box(0.0, 0.0, size.width, size.height)
        inner = area if size.outset.bottom else shape_named(kind.shape).text_area(area)
        check(LEAST_ICON + label_height, inner.height)
    return size


def has_panel(style: FinishedStyle) -> bool:
    """Whether a ground or a border is seen."""
    return style.fill.alpha > 0 or (style.stroke.alpha > 0 and style.stroke_width > 0)


def _icon_room(node: Node, style: FinishedStyle) -> IconRoom:
    if not is_cloud_icon(node):
        return BOXED_ICON
    return BOXED_CLOUD_ICON if has_panel(style) else CLOUD_ICON


def _stacked(node: Node, kind: NodeKind, style: FinishedStyle, room: IconRoom) -> Size:
    """Icon above label in the shape; in a given size the icon takes what the label leaves."""
    layout, shape = node.layout, shape_named(kind.shape)
    if layout.width is None:
        block = free_block(node.label, style.font, kind.wrap_width or room.wrap)
    else:
        inner = shape.text_area(Box(0.0, 0.0, layout.width, _or(layout.height, layout.width))).width
        block = _label_in(node, style, room, inner)
    label_width, label_height = (block.width, ICON_GAP + block.height) if block else (0.0, 0.0)
    beside, above = room.padding
    inside = max(label_width, room.natural) + 2 * beside, room.natural + label_height + 2 * above
    fitted = shape.fit(*inside)
    if fitted[0] < kind.min_size[0]:
        # What is wide by nature stays wide: a shape that fits a square closely may be a tower.
        wider = shape.text_area(Box(0.0, 0.0, kind.min_size[0], fitted[1])).width
        fitted = shape.fit(max(inside[0], wider), inside[1])
    width = _or(layout.width, on_grid(max(fitted[0], room.least_width)))
    height = _or(layout.height, on_grid(fitted[1]))
    if room is CLOUD_ICON and block is not None and layout.width is None and width == height:
        width += _OFF_SQUARE
    area = shape.text_area(Box(0.0, 0.0, width, height))
    icon = room.natural if layout.height is None else room.icon_in(area.width, area.height - label_height)
    return Size(width=width, height=height, label=block, icon=icon)


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
    across, down = _or(width, _or(height, CLOUD_ICON.natural)), _or(height, _or(width, CLOUD_ICON.natural))
    block, outset = label_below(node.label, style.font, across)
    icon = max(min(across, down), min(CLOUD_ICON.least, down + 2 * _BELOW))
    return Size(width=across, height=down, label=block, outset=outset, icon=icon)


def _or(given: float | None, otherwise: float) -> float:
    return otherwise if given is None else given
