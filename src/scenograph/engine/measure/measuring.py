"""Natural sizes: how large every element wants to be, with its text wrapped as it will be drawn. px.

In: the resolved scene and its finished styles. Out: `Sizes`. A size that the author gives is kept; text that does not
fit into it is reported (TEXT_OVERFLOW). An edge's size is that of its label. Guides have none.
"""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from scenograph.diagnostics import Report
from scenograph.engine.families.catalog import family_named, frame_kind, kind_of
from scenograph.engine.families.container_types import is_tiled
from scenograph.engine.families.family import NodeKind
from scenograph.engine.families.icon_nodes import shown_icon
from scenograph.engine.geometry.boxes import Box
from scenograph.engine.measure.icon_stacks import (
    ICON_MARGIN,
    beside_glyph,
    clear_of_glyph,
    given_or,
    has_panel,
    on_grid,
    with_icon,
)
from scenograph.engine.measure.wrapping import (
    WIDENING,
    block_in,
    block_of,
    edge_block,
    free_block,
    label_below,
    title_block,
)
from scenograph.engine.shapes.catalog import shape_named
from scenograph.engine.shapes.labels import ICON_GAP, lay_label
from scenograph.engine.shapes.shape import Shape
from scenograph.engine.tables import FROM, NO_TEXTS, TO, FinishedStyle, Size, Sizes, Styles
from scenograph.engine.text.blocks import TextBlock, TextLine
from scenograph.engine.text.layout import lay_text, longest_part, report_overflow
from scenograph.engine.text.transition_labels import is_transition, lay_transition
from scenograph.late_dataclasses import dataclass
from scenograph.scene.image_data import pixel_size, split_href
from scenograph.scene.memo import Remembered
from scenograph.scene.model import Asset, Edge, Element, Frame, Group, Image, Node, Scene, Text

# How large an image wants to be: its pixels, found in its asset or its data URI. px.


_IMAGE_SIZE = (160.0, 120.0)  # of an image nothing is known of
_MAX_IMAGE_SIDE = 320.0  # of an image whose author gives no size


def picture_size(image: Image, assets: Mapping[str, Asset]) -> Size:
    """Its pixels, made smaller when they are many; one given side keeps the proportions."""
    width, height = image.layout.width, image.layout.height
    if width is not None and height is not None:
        return Size(width=width, height=height)
    pixels = _pixels(image, assets) or _IMAGE_SIZE
    if width is None and height is None:
        scale = min(1.0, _MAX_IMAGE_SIDE / max(pixels))
    else:
        scale = height / pixels[1] if height is not None else (width or 0.0) / pixels[0]
    return Size(
        width=pixels[0] * scale if width is None else width, height=pixels[1] * scale if height is None else height
    )


def _pixels(image: Image, assets: Mapping[str, Asset]) -> tuple[float, float] | None:
    asset = assets.get(image.asset_id or "")
    parts = (asset.mime_type, asset.data) if asset else split_href(image.href or "")
    if parts is None:
        return None
    try:
        return pixel_size(parts[0], b64decode(parts[1], validate=True))
    except ValueError:
        return None


# Titles of containers, and a frame's icon at the beginning of its title. px. The title's block has the icon's room
# at its left, so that whoever places or moves the title moves both.


_ICON_SHARE = 1.5  # of the title's font size
_GAP = 6.0  # px; between an icon and its title


def titled(element: Frame | Group, style: FinishedStyle, wrap: float | None) -> tuple[TextBlock | None, float]:
    """The title wrapped at `wrap` with its icon's room in it, and the icon's side; 0 without one."""
    if isinstance(element, Group):
        return title_block(element.label, style.font, wrap), 0.0
    if shown_icon(element) is None:
        return title_block(element.title, style.font, wrap), 0.0
    side = float(round(_ICON_SHARE * style.font.size))
    block = title_block(element.title, style.font, None if wrap is None else max(wrap - side - _GAP, 1.0))
    return _beside_icon(block or lay_text("", style.font), side), side


def _beside_icon(block: TextBlock, side: float) -> TextBlock:
    indent = side + _GAP if block.lines else side
    higher = max(0.0, side - block.height)
    return TextBlock(
        lines=tuple(_indented(line, indent) for line in block.lines),
        width=block.width + indent,
        height=block.height + higher,
        line_height=block.line_height,
        ascent=block.ascent + higher / 2,
    )


def _indented(line: TextLine, by: float) -> TextLine:
    return TextLine(tuple(run._replace(x=run.x + by) for run in line.runs), line.width + by)


# Labels laid once more, when their family knows the places that they will have. px. In: an element, the size that
# it was given, the width of its place. Out: its label in lines of that width.


class Rewrapping:
    """Lays the labels of one scene."""

    def __init__(self, styles: Styles) -> None:
        self._styles = styles

    def __call__(self, element: Edge | Node, size: Size, wrap: float) -> TextBlock | None:
        """The label in lines of `wrap` px; as wide as the widest part of a word, if that is more, but not wider than it
        was for that."""
        text = element.label or ""
        if size.label is None:
            return None
        font = self._styles.of[element.id].font
        width = max(wrap, min(longest_part(text.rstrip(), font), size.label.width))
        if isinstance(element, Edge) and is_transition(text):
            return lay_transition(text, font, width, line_share=1.0)
        return block_of(text, font, width)


NODE_WRAP = 160.0
"""Where a node's label wraps when its author gives no width."""
EDGE_LABEL_WRAP = 160.0  # px; labels of lines are short words
END_LABEL_WRAP = 120.0  # px; roles and multiplicities are shorter still
TITLE_WRAP = 320.0  # px; of a frame of free width
TEXT_WRAP = 420.0  # px; some 60 letters, as in a book

LEAST_SYMBOL = 18.0
"""Nor is the symbol of a type: it is left out instead."""

_ICON_IN_EVENT = 0.5  # share of a shape with its label below,
_ICON_IN_AREA = 0.72  # and at most this share of what is clear of its slanted sides
_PADDING = (16.0, 12.0)  # px; beside and above a label in its node
_PANEL_PADDING = 8.0  # round a free text that has a ground or a border
_LEAST_CONTAINER = (120.0, 80.0)  # px; an empty container can still be seen as one
_CONTAINER_PADDING = 12.0  # beside a title
_TITLE_PADDING = 3.0  # in a frame of given width: a second line would stand on the content


def measure(scene: Scene, styles: Styles, report: Report) -> Sizes:
    """The size of every element but guides; a family that can tell the places of labels has some laid again."""
    ruler, fit = Ruler(scene, report), family_named(scene.diagram_family).fit
    sizes = {
        element.id: _measured(ruler, element, styles.of[element.id])
        for element in scene.elements
        if element.kind in MEASURES
    }
    return sizes if fit is None else fit(scene, sizes, Rewrapping(styles))


def _measured(ruler: Ruler, element: Element, style: FinishedStyle) -> Size:
    """The size of one element. It is kept unless there is something to remark, or it hangs on the scene's assets."""
    given = style, ruler.scene.diagram_family
    size = _SIZES.get(element, given)
    if size is None:
        said = len(ruler.report)
        size = MEASURES[element.kind](ruler, element, style)
        if len(ruler.report) == said and not isinstance(element, Image):
            _SIZES.put(element, given, size)
    return size


@dataclass(frozen=True, slots=True)
class Ruler:
    """What measuring needs besides the element: the scene's assets, and where to report."""

    scene: Scene
    report: Report

    def check_height(self, element: Element, required: float, available: float) -> None:
        """Report text that is higher than its place."""
        report_overflow(self.report, element.id, required, available)


def measure_node(ruler: Ruler, node: Node, style: FinishedStyle) -> Size:
    """Label inside the shape's text area, below an icon if there is one; or below a shape of fixed size."""
    kind = kind_of(node)
    if kind.measure is not None:
        return kind.measure(node, style, partial(ruler.check_height, node))
    if kind.label_below:
        return _with_label_below(node, kind, style)
    if shown_icon(node) is not None or _has_room_for_symbol(node, kind, style):
        return with_icon(node, kind, style, partial(ruler.check_height, node))
    if node.layout.width is None:
        return _of_free_width(ruler, node, kind, style)
    # What grows is no narrower than its floor either: its label has that room, too.
    width = max(node.layout.width, kind.min_size[0]) if kind.grows else node.layout.width
    return _of_given_width(ruler, node, kind, style, width)


def measure_container(_ruler: Ruler, element: Frame | Group, style: FinishedStyle) -> Size:
    """The title; the content, which decides the size, is placed later."""
    in_header = is_tiled(element)
    layout = element.layout
    wrap = None if in_header else _inner_width(layout.width, _TITLE_PADDING, TITLE_WRAP)
    inset = element.title_inset if isinstance(element, Frame) else None
    if wrap is not None and inset is not None:
        wrap = max(wrap + _TITLE_PADDING - inset, 1.0)
    block, icon = titled(element, style, wrap)
    least_width, least_height = _LEAST_CONTAINER
    beside = _CONTAINER_PADDING + max(inset or 0.0, _CONTAINER_PADDING)
    width = max(least_width, (block.width if block else 0.0) + beside)
    kind = frame_kind(element.container_type) if isinstance(element, Frame) else None
    texts: Mapping[str, TextBlock] = {}
    if kind is not None and kind.measure is not None and isinstance(element, Frame):
        texts = kind.measure(element, style)
    return Size(
        width=given_or(layout.width, width),
        height=given_or(layout.height, least_height),
        label=block,
        texts=texts,
        icon=icon,
    )


def measure_text(ruler: Ruler, text: Text, style: FinishedStyle) -> Size:
    """The letters, and room round them when they stand on a ground or in a border of their own."""
    padding = _PANEL_PADDING if has_panel(style) else 0.0
    layout = text.layout
    block = lay_text(text.content, style.font, _inner_width(layout.width, padding, TEXT_WRAP))
    if layout.height is not None:
        ruler.check_height(text, block.height, layout.height - 2 * padding)
    return Size(
        width=given_or(layout.width, block.width + 2 * padding),
        height=given_or(layout.height, block.height + 2 * padding),
        label=block if block.lines else None,
    )


def measure_image(ruler: Ruler, image: Image, _style: FinishedStyle) -> Size:
    """Its pixels, or as its author wants it."""
    return picture_size(image, ruler.scene.assets)


def measure_edge(ruler: Ruler, edge: Edge, style: FinishedStyle) -> Size:
    """Its label, and those of its ends; nothing without one."""
    wrap = family_named(ruler.scene.diagram_family).label_wrap or EDGE_LABEL_WRAP
    block = edge_block(edge.label, style.font, wrap) if edge.label else None
    width, height = (block.width, block.height) if block else (0.0, 0.0)
    ends = ((FROM, edge.source.label), (TO, edge.target.label))
    texts = {name: lay_text(text, style.font, END_LABEL_WRAP, balanced=True) for name, text in ends if text}
    shown = {name: row for name, row in texts.items() if row.lines} if texts else NO_TEXTS
    return Size(width=width, height=height, label=block, texts=shown)


MEASURES: Mapping[str, Callable[[Ruler, Any, FinishedStyle], Size]] = {
    "node": measure_node,
    "edge": measure_edge,
    "frame": measure_container,
    "group": measure_container,
    "text": measure_text,
    "image": measure_image,
}

_SIZES = Remembered[Size]()


def _with_label_below(node: Node, kind: NodeKind, style: FinishedStyle) -> Size:
    natural_width, natural_height = kind.fixed_size or kind.min_size
    width, height = given_or(node.layout.width, natural_width), given_or(node.layout.height, natural_height)
    icon = _icon_in_symbol(kind, width, height) if shown_icon(node) is not None else 0.0
    block, outset = label_below(node.label, style.font, width)
    return Size(width=width, height=height, label=block, outset=outset, icon=icon)


def _icon_in_symbol(kind: NodeKind, width: float, height: float) -> float:
    inner = shape_named(kind.shape).text_area(Box(0.0, 0.0, width, height))
    return min(_ICON_IN_EVENT * min(width, height), _ICON_IN_AREA * min(inner.width, inner.height))


def _has_room_for_symbol(node: Node, kind: NodeKind, style: FinishedStyle) -> bool:
    """Whether the symbol of a type fits above the label; in a lower box the label stands alone."""
    if kind.symbol is None:
        return False
    width, height = node.layout.width, node.layout.height
    if height is None:
        return True
    area = shape_named(kind.shape).text_area(Box(0.0, 0.0, given_or(width, kind.min_size[0]), height))
    block = block_in(node.label, style.font, area.width)
    return LEAST_SYMBOL + (ICON_GAP + block.height if block else 0.0) + 2 * ICON_MARGIN <= area.height


def _of_free_width(ruler: Ruler, node: Node, kind: NodeKind, style: FinishedStyle) -> Size:
    """As wide as the label needs; a given height is kept, and a label too long for it gets a wider node."""
    wrap, shape, font = kind.wrap_width or NODE_WRAP, shape_named(kind.shape), style.font
    block = free_block(node.label, font, wrap)
    width, height = _fitted(shape, kind, block)
    width, given = clear_of_glyph(kind, block, (width, height)), node.layout.height
    if given is None:
        return Size(width=width, height=height, label=block)
    tried = (_fitted(shape, kind, block_of(node.label, font, wrap * times))[0] for times in WIDENING)
    fits = (wide for wide in tried if not lay_label(node.label or "", font, shape, wide, given).required)
    return _of_given_size(ruler, node, kind, style, (next(fits, width), given))


def _of_given_width(ruler: Ruler, node: Node, kind: NodeKind, style: FinishedStyle, width: float) -> Size:
    """As high as the label needs when it is wrapped inside; a given height is kept."""
    if node.layout.height is not None:
        return _of_given_size(ruler, node, kind, style, (width, node.layout.height))
    shape, height = shape_named(kind.shape), kind.min_size[1]
    while True:
        room = shape.text_area(Box(0.0, 0.0, width, height)).width
        block = block_in(node.label, style.font, room)
        needed = height if block is None else _height_for(shape, kind, block, width)
        if block is None or needed <= height:
            return Size(width=width, height=height, label=block)
        height = needed  # slanted sides reach further in now: the label may need still more lines


def _of_given_size(ruler: Ruler, node: Node, kind: NodeKind, style: FinishedStyle, size: tuple[float, float]) -> Size:
    """The label as well as it fits."""
    width, height = size
    if not node.label:
        return Size(width=width, height=height)
    label = lay_label(node.label, style.font, shape_named(kind.shape), width, height)
    label, parts = beside_glyph(node.label, style.font, kind, label, Box(0.0, 0.0, width, height))
    if not kind.grows:
        ruler.check_height(node, label.required, label.available)
    return Size(width=width, height=height, label=label.block if label.block.lines else None, parts=parts)


def _fitted(shape: Shape, kind: NodeKind, block: TextBlock | None) -> tuple[float, float]:
    least_width, least_height = kind.min_size
    if block is None:
        return least_width, least_height
    beside, above = kind.padding or _PADDING
    needed = block.width + 2 * beside, block.height + 2 * above
    width, height = shape.fit(*needed)
    width, height = on_grid(max(width, least_width)), on_grid(max(height, least_height))
    # A shape made higher than it had to be may have lost width: slanted sides reach further in.
    area = shape.text_area(Box(0.0, 0.0, width, height))
    if area.width < needed[0]:
        width = on_grid(width * needed[0] / area.width)
    return width, height


def _height_for(shape: Shape, kind: NodeKind, block: TextBlock, width: float) -> float:
    """The height at which the text area of a shape as wide as `width` holds the block."""
    _, above = kind.padding or _PADDING
    needed = block.height + 2 * above
    _, height = shape.fit(width, needed)
    area = shape.text_area(Box(0.0, 0.0, width, height))
    return on_grid(max(height + max(0.0, needed - area.height), kind.min_size[1]))


def _inner_width(outer: float | None, padding: float, otherwise: float) -> float:
    return otherwise if outer is None else max(outer - 2 * padding, 1.0)
