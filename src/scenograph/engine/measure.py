"""The measure stage: the natural size of every element before placement, with its text wrapped as drawn. px."""

from __future__ import annotations

import math
from base64 import b64decode
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache, partial
from itertools import chain
from types import MappingProxyType
from typing import Any, NamedTuple

from scenograph.diagnostics import Report
from scenograph.engine.families.catalog import family_named, flow_of, frame_kind, kind_of
from scenograph.engine.families.faces import is_cloud_icon, shown_icon
from scenograph.engine.families.family import NOWHERE, CheckHeight, Former, GlyphBox, NodeKind, is_tiled
from scenograph.engine.families.hubs import shared_fans
from scenograph.engine.geometry.boxes import Box, Outset, on_grid, union
from scenograph.engine.geometry.directions import SIDEWAYS
from scenograph.engine.shapes import Shape, shape_named
from scenograph.engine.tables import FROM, NO_OUTSET, NO_PARTS, NO_TEXTS, TO, FinishedStyle, Size, Sizes, Styles
from scenograph.engine.text.blocks import Font, FontRun, TextBlock, TextLine
from scenograph.engine.text.layout import lay_text, line_metrics, longest_part, report_overflow, spaced, words_wider
from scenograph.engine.text_in_shapes import (
    COMFORTABLE,
    ICON_GAP,
    TIGHT,
    TOUCHING,
    InnerLabel,
    clear_height,
    clear_width,
    lay_label,
    letters_height,
    stack,
)
from scenograph.late_dataclasses import dataclass, replace
from scenograph.scene.image_data import pixel_size, split_href
from scenograph.scene.memo import Remembered
from scenograph.scene.model import Asset, Edge, Element, Frame, Group, Image, Layout, Node, Scene, Text

# Labels of the form `event [guard] / action` (UML state machines): three runs on one line. px. The event stands in
# the label's own font, guard and action smaller and quieter, the action in italics, with a gap between them. Where
# the line would be too wide, each part gets a line of its own. (R-LABEL-3)


SEGMENT_GAP = 6.0  # px; between event, guard and action
SMALL_SHARE = 10 / 12
"""Size of guard and action to that of the event: 10 px beside the standard 12 px."""

_ACTION_MARK = " / "
_MAX_LINE_SHARE = 2.0  # a line of parts may be this many times as wide as a wrapped label
_CACHED_LABELS = 4096  # labels of transitions kept taken apart


class _TextSegment(NamedTuple):
    """A part of the label with font and tone."""

    text: str
    font: Font
    tone: str


def is_transition(label: str) -> bool:
    """Whether a label has balanced square brackets or a slash between spaces, and no line breaks."""
    if "\n" in label:
        return False
    return _ACTION_MARK in label or _guard_span(label) is not None


@lru_cache(maxsize=_CACHED_LABELS)
def lay_transition(label: str, font: Font, max_width: float, *, line_share: float = _MAX_LINE_SHARE) -> TextBlock:
    """The parts on one line; stacked and wrapped at `max_width` when the line would exceed `line_share` times
    `max_width`."""
    segments = tuple(_segments(label, font))
    line = _joined(segments)
    if line.width <= max_width * line_share:
        lines: tuple[TextLine, ...] = (line,)
    else:
        lines = tuple(spaced(row) for segment in segments for row in _toned(segment, max_width))
    height, ascent = line_metrics(font)
    return TextBlock(lines, max(row.width for row in lines), height * len(lines), height, ascent)


def _segments(label: str, font: Font) -> Iterator[_TextSegment]:
    small = font._replace(size=font.size * SMALL_SHARE)
    before, guard, after, action = _split(label)
    parts = ((before, font, "text"), (guard, small, "muted"), (after, font, "text"))
    yield from (_TextSegment(*part) for part in parts if part[0])
    if action is not None:
        yield _TextSegment(f"/ {action}".strip(), small._replace(italic=True), "muted")


def _split(label: str) -> tuple[str, str, str, str | None]:
    """The event, the guard with its brackets, the event's text behind the guard, and the action, in written order. The
    action is None without a slash."""
    span = _guard_span(label)
    start = span[0] if span else len(label)
    before, slash, inside = label[:start].partition(_ACTION_MARK)
    if span is None or slash:  # brackets within the action are part of it
        return before.strip(), "", "", (inside + label[start:]).strip() if slash else None
    after, slash, action = f" {label[span[1] :]}".partition(_ACTION_MARK)
    return before.strip(), label[start : span[1]].strip(), after.strip(), action.strip() if slash else None


def _guard_span(label: str) -> tuple[int, int] | None:
    """From the first opening bracket to its partner; None for missing or unbalanced brackets."""
    depth, start, end = 0, -1, -1
    for at, letter in enumerate(label):
        if letter == "[":
            start = at if start < 0 else start
            depth += 1
        elif letter == "]":
            depth -= 1
            if depth == 0 and end < 0:
                end = at + 1
        if depth < 0:
            return None
    return (start, end) if depth == 0 and end > 0 else None


def _joined(segments: tuple[_TextSegment, ...]) -> TextLine:
    runs: list[FontRun] = []
    x = 0.0
    for segment in segments:
        for row in _toned(segment, None):
            if runs:
                runs[-1] = runs[-1]._replace(spaced=True)
                x += SEGMENT_GAP
            runs.extend(run._replace(x=x + run.x) for run in row.runs)
            x += row.width
    return TextLine(tuple(runs), x)


def _toned(segment: _TextSegment, max_width: float | None) -> Iterator[TextLine]:
    for line in lay_text(segment.text, segment.font, max_width).lines:
        yield TextLine(tuple(run._replace(tone=segment.tone) for run in line.runs), line.width)


# Wrapping of labels without a given width. px. In: a text, its font and the usual width for its kind. Out: the wrapped
# block. A text that would become a tall column gets longer lines instead, until about as wide as high; never longer
# than `WIDEST`, beyond which readers lose the line (some 70 letters).


WIDEST = 480.0  # px; a longer line is hard to read
WIDENING = (1.0, 1.25, 1.5, 2.0, 2.5, 3.0)
"""Shares of the natural width, tried in turn where a label must be lower."""
LABEL_BELOW_WRAP = 120.0  # px; labels below symbols must not reach their neighbours
LABEL_BELOW_GAP = 6.0
"""The gap between a node and the label below."""
_SMALLER = (0.95, 0.9, 0.85, 0.8, 0.75, 0.7)  # sizes of a title, tried in turn
_SMALLER_LABELS = (13 / 14, 12 / 14)  # sizes of a label of the theme's size in a given box, tried in turn
_CACHED_WRAPS = 8192  # labels kept laid out, as many as a large scene has


def block_of(text: str | None, font: Font, max_width: float | None) -> TextBlock | None:
    """Balanced lines, without empty lines at the end; None for a blank text."""
    if not text:
        return None
    block = lay_text(text.rstrip(), font, max_width, balanced=True)
    return block if block.lines else None


def _free_block(text: str | None, font: Font, wrap: float) -> TextBlock | None:
    """Balanced lines wrapped at `wrap`, or wider for a long text."""
    block = block_of(text, font, wrap)
    if block is None or block.height <= wrap:
        return block
    return block_of(text, font, _wider_wrap(wrap, block.height))


def _block_in(text: str | None, font: Font, width: float) -> TextBlock | None:
    """The label in a room of given width: with comfortable padding, or with less if fewer words are broken."""
    paddings = (min(COMFORTABLE, width / 10), min(TIGHT, width / 10), TOUCHING)
    rooms = [max(width - 2 * padding, 1.0) for padding in paddings]
    return block_of(text, font, min(rooms, key=lambda room: words_wider(text or "", font, room)))


def label_below(text: str | None, font: Font, width: float) -> tuple[TextBlock | None, Outset]:
    """The label below a node of given width, wrapped comfortably, and the outset outside the node."""
    block = _free_block(text, font, max(LABEL_BELOW_WRAP, width))
    if block is None:
        return None, NO_OUTSET
    aside = max(0.0, (block.width - width) / 2)
    return block, Outset(0.0, aside, LABEL_BELOW_GAP + block.height, aside)


def _title_block(title: str | None, font: Font, wrap: float | None) -> TextBlock | None:
    """The title of a container: one line of slightly smaller letters rather than two, as the content of a frame of
    given size would cover the second."""
    block = block_of(title, font, wrap)
    if block is None or len(block.lines) == 1 or "\n" in (title or "").strip():
        return block
    smaller = (block_of(title, font._replace(size=font.size * share), wrap) for share in _SMALLER)
    return next((one for one in smaller if one is not None and len(one.lines) == 1), block)


def _wider_wrap(wrap: float, height: float) -> float:
    """The side of a square as large as a column of the given width and height, at most `WIDEST`."""
    return max(wrap, min(math.sqrt(wrap * height), WIDEST))


@lru_cache(maxsize=_CACHED_WRAPS)
def _edge_block(label: str, font: Font, wrap: float) -> TextBlock | None:
    """The label of an edge, in three runs for a transition."""
    if not is_transition(label):
        return _free_block(label, font, wrap)
    block = lay_transition(label, font, wrap)
    return block if block.height <= wrap else lay_transition(label, font, _wider_wrap(wrap, block.height))


# Labels giving way to the glyph inside their node: the mark of a task's type, or of a collapsed subprocess. px. In: the
# label in the middle. Out: the same label if clear of the glyph, else the label laid anew in the largest room beside
# the glyph, with its place as the part `label`.


GLYPH_MARGIN = 2.0  # px; between a glyph and the label
_TRIES = 8  # a glyph may grow with its node


def beside_glyph(
    text: str, font: Font, kind: NodeKind, label: InnerLabel, box: Box
) -> tuple[InnerLabel, Mapping[str, Box]]:
    """The label for a node of a kind in `box`; without parts if it stays in the middle. With no room beside the glyph,
    the label covers the glyph and counts as overflowing."""
    if not label.block.lines:
        return label, NO_PARTS
    room = _room_beside_glyph(kind, box, _centred(label, shape_named(kind.shape).text_area(box)))
    if room is None:
        return label, NO_PARTS
    moved = lay_label(text, font, shape_named("rect"), room.width, room.height)
    if moved.required and not label.required:
        return InnerLabel(label.block, moved.required, moved.available), NO_PARTS
    return moved, {"label": _centred(moved, room)}


def _room_beside_glyph(kind: NodeKind, box: Box, content: Box) -> Box | None:
    """The largest room beside the glyph of a node in `box`; None if `content` is clear of the glyph, or no room is
    left."""
    if kind.glyph_box is None or not kind.glyph_box(box).overlaps(content):
        return None
    inside = box.grown(-kind.border_room)
    room = max(_rooms(kind.glyph_box(box).grown(GLYPH_MARGIN), inside), key=lambda one: one.width * one.height)
    return room if room.width > 0 and room.height > 0 else None


def _clear_of_glyph(kind: NodeKind, block: TextBlock | None, size: tuple[float, float]) -> float:
    """The width of a node of free width at which the glyph clears the label in the middle."""
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
        return 0.0  # a glyph above or below has its room in the kind's padding
    return glyph.right - label.x if glyph.center.x < label.center.x else label.right - glyph.x


def _rooms(glyph: Box, box: Box) -> tuple[Box, ...]:
    """The rooms beside, above and below a glyph in a box."""
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
"""The margin above and below an icon and its label without a drawn outline."""
LEAST_ICON = 14.0
"""An icon is never drawn smaller; a given size that leaves less is too small."""
_STANDING_OUT = 19.0  # px, both sides together, by which an icon without a box may leave its place to be seen
_SLACK = 0.5  # px; an invisible difference
_NOTICEABLE = 4.0  # px; natural sizes are rounded up by less


class _IconRoom(NamedTuple):
    """Sizes for an icon, px: its side in a node of free size and the largest side, the padding round icon and label,
    the node's least width, the wrap width of the label, and for a given size the margin above and below and the least
    side."""

    natural: float
    largest: float
    padding: tuple[float, float]
    least_width: float
    wrap: float
    margin: float = ICON_MARGIN
    least: float = LEAST_ICON

    def side_in(self, shape: Shape, box: Box, label: TextBlock | None, font: Font) -> float:
        """The side of an icon above its label in a box of given size, both centred: the largest side with full padding,
        else the natural or a smaller side within the margin."""
        place = _Place(shape, box, label, font)
        for side in _downwards(self.largest, self.natural + _NOTICEABLE):
            if place.holds(side, self.padding):
                return side
        left = min(shape.text_area(box).width, place.height)
        least = min(max(min(self.least, left + _STANDING_OUT), LEAST_ICON), self.natural)
        sides = _downwards(self.natural, least)
        return next((side for side in sides if place.holds(side, (self.margin, self.margin))), least)


class _Place(NamedTuple):
    """A shape in a box, with the label below the icon."""

    shape: Shape
    box: Box
    label: TextBlock | None
    font: Font

    @property
    def height(self) -> float:
        """The height left to the icon by the label, px."""
        return clear_height(self.shape, self.box) - self._below_icon

    @property
    def _below_icon(self) -> float:
        return ICON_GAP + self.label.height if self.label is not None else 0.0

    def holds(self, side: float, free: tuple[float, float]) -> bool:
        """Whether an icon has the given room beside and above, and the label no less room than below the least icon."""
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


_BOXED_ICON = _IconRoom(natural=28.0, largest=32.0, padding=(16.0, 10.0), least_width=96.0, wrap=160.0, margin=4.0)
CLOUD_ICON = _IconRoom(natural=48.0, largest=64.0, padding=(4.0, 4.0), least_width=64.0, wrap=120.0, least=24.0)
"""The box is invisible, so icon and label may stand out of a low box a little, rather than lose the icon."""
_BOXED_CLOUD_ICON = CLOUD_ICON._replace(padding=(12.0, 10.0), least_width=88.0, margin=6.0, least=LEAST_ICON)


# Nodes with an icon: above the label in the node's shape, or alone in a small invisible box. px. In: a node, its kind,
# its finished style. Out: its natural size. Overflow is reported (TEXT_OVERFLOW). (R-ICON-2, R-ICON-3)


_WIDE = 1.5  # times its height: such a box is meant for icon and label, though it may be too low for a large icon
_OFF_SQUARE = 4.0  # natural boxes of icon and label are none: given as a size, they hold both again
_ABOVE = LEAST_ICON + ICON_GAP  # the least room above a label
_BELOW = 4.0  # px; the overhang of an icon over a lower box that keeps the label below clear


def _with_icon(node: Node, kind: NodeKind, style: FinishedStyle, check: CheckHeight) -> Size:
    """Icon and label stacked in the shape; or the label below an icon that fills a given invisible box, if the box
    could hold both only with a small icon or broken words."""
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
    """Whether the icon is the only visible part of a node of authored size."""
    is_given = node.layout.width is not None and node.layout.height is not None
    return is_given and not node.label and shown_icon(node) is not None and not _has_panel(style)


def _filling(node: Node, kind: NodeKind) -> Size:
    """The icon at the size of its box."""
    width, height = _given_or(node.layout.width, 0.0), _given_or(node.layout.height, 0.0)
    area = shape_named(node.shape or kind.shape).text_area(Box(0.0, 0.0, width, height))
    return Size(width=width, height=height, icon=min(area.width, area.height))


def _check(node: Node, kind: NodeKind, style: FinishedStyle, size: Size, check: CheckHeight) -> None:
    """Report a node too small for the least icon and the label; a label not below its box must fit inside the
    outline."""
    if size.outset.bottom or size.label is None:
        check(LEAST_ICON + (ICON_GAP + size.label.height if size.label is not None else 0.0), size.height)
        return
    box = Box(0.0, 0.0, size.width, size.height)
    beside = _room_beside_glyph(kind, box, box) if size.parts else None
    shape, place = (shape_named(kind.shape), box) if beside is None else (shape_named("rect"), beside)
    laid = lay_label(node.label or "", style.font, shape, place.width, place.height, above=_ABOVE)
    check(laid.required, laid.available)


def _has_panel(style: FinishedStyle) -> bool:
    """Whether a ground or a border is seen."""
    return style.fill.alpha > 0 or (style.stroke.alpha > 0 and style.stroke_width > 0)


def _icon_room(node: Node, kind: NodeKind, style: FinishedStyle) -> _IconRoom:
    """The room by icon set and panel; a glyph in the box enlarges the padding to its kind's own."""
    if not is_cloud_icon(node):
        room = _BOXED_ICON
    elif _has_panel(style):
        room = _BOXED_CLOUD_ICON
    else:
        return CLOUD_ICON
    if kind.glyph_box is None or kind.padding is None:
        return room
    return room._replace(padding=(max(room.padding[0], kind.padding[0]), max(room.padding[1], kind.padding[1])))


def _stacked(node: Node, kind: NodeKind, style: FinishedStyle, room: _IconRoom) -> Size:
    """Icon above label in the shape; at a given height the icon takes the room left by the label."""
    if node.layout.height is not None:
        return _of_given_height(node, kind, style, room, node.layout.height)
    if node.layout.width is not None:
        return _of_given_width(node, kind, style, room, node.layout.width)
    block = _free_block(node.label, style.font, kind.wrap_width or room.wrap)
    width, height = _fitted(kind, room, block)
    if room is CLOUD_ICON and block is not None and width == height:
        width += _OFF_SQUARE
    icon = room.side_in(shape_named(kind.shape), Box(0.0, 0.0, width, height), block, style.font)
    return Size(width=width, height=height, label=block, icon=icon)


def _of_given_width(node: Node, kind: NodeKind, style: FinishedStyle, room: _IconRoom, width: float) -> Size:
    """The size of a node of given width, as high as icon and wrapped label need."""
    shape, height = shape_named(kind.shape), 0.0
    while True:
        block = _label_in(node, style, room, shape.text_area(Box(0.0, 0.0, width, height or width)).width)
        needed = _height_for(shape, room, block, width)
        if needed <= height:
            return Size(width=width, height=height, label=block, icon=room.natural)
        height = needed  # slanted sides reach further in now: the label may need still more lines


def _of_given_height(node: Node, kind: NodeKind, style: FinishedStyle, room: _IconRoom, height: float) -> Size:
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


def _beside_glyph(node: Node, kind: NodeKind, style: FinishedStyle, room: _IconRoom, size: Size) -> Size:
    """Icon and label moved beside the node's glyph if they would cover the glyph."""
    box = Box(0.0, 0.0, size.width, size.height)
    extent = (size.label.width, size.label.height) if size.label is not None else (0.0, 0.0)
    icon, label = stack(shape_named(kind.shape).text_area(box), size.icon, extent)
    beside = _room_beside_glyph(kind, box, union((icon, label)) or box)
    if beside is None:
        return size
    rect = shape_named("rect")
    laid = lay_label(node.label or "", style.font, rect, beside.width, beside.height, above=_ABOVE)
    block = laid.block if laid.block.lines else None
    side = room.side_in(rect, beside, block, style.font)
    icon, label = stack(beside, side, (block.width, block.height) if block is not None else (0.0, 0.0))
    parts = {"icon": icon} | ({"label": label} if block is not None else {})
    return Size(width=size.width, height=size.height, label=block, icon=side, parts=parts)


def _fitted(kind: NodeKind, room: _IconRoom, block: TextBlock | None) -> tuple[float, float]:
    """The size at which the text area holds icon and label with padding."""
    shape, inside = shape_named(kind.shape), _inside(room, block)
    width, height = shape.fit(*inside)
    if width < kind.min_size[0]:
        # A kind wide by nature stays wide: a shape closely fitting a square may be a tower.
        wider = shape.text_area(Box(0.0, 0.0, kind.min_size[0], height)).width
        width, height = shape.fit(max(inside[0], wider), inside[1])
    return on_grid(max(width, room.least_width)), on_grid(height)


def _height_for(shape: Shape, room: _IconRoom, block: TextBlock | None, width: float) -> float:
    """The height at which the text area of a shape `width` px wide holds icon and label."""
    _, needed = _inside(room, block)
    _, height = shape.fit(width, needed)
    area = shape.text_area(Box(0.0, 0.0, width, height))
    return on_grid(height + max(0.0, needed - area.height))


def _inside(room: _IconRoom, block: TextBlock | None) -> tuple[float, float]:
    beside, above = room.padding
    width, height = (block.width, ICON_GAP + block.height) if block else (0.0, 0.0)
    return max(width, room.natural) + 2 * beside, room.natural + height + 2 * above


def _label_in(node: Node, style: FinishedStyle, room: _IconRoom, inner: float) -> TextBlock | None:
    """The label wrapped at the inner width; with the natural padding in an invisible box."""
    if room is CLOUD_ICON:
        return block_of(node.label, style.font, max(inner - 2 * room.padding[0], 1.0))
    return _block_in(node.label, style.font, inner)


def _holds_both(node: Node, kind: NodeKind, style: FinishedStyle, size: Size) -> bool:
    """Whether an invisible box holds the label without additional broken words, and above it an icon of natural size,
    or in a wide box a smaller icon. A square is meant for the icon alone: icons in a row then have one size."""
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
    """An icon at the size of its box, a square if only one side is given, with the label below at its natural width."""
    width, height = node.layout.width, node.layout.height
    across, down = (
        _given_or(width, _given_or(height, CLOUD_ICON.natural)),
        _given_or(height, _given_or(width, CLOUD_ICON.natural)),
    )
    block, outset = label_below(node.label, style.font, across)
    icon = max(min(across, down), min(CLOUD_ICON.least, down + 2 * _BELOW))
    return Size(width=across, height=down, label=block, outset=outset, icon=icon)


def _given_or(given: float | None, otherwise: float) -> float:
    """The authored length, or `otherwise` if open, px."""
    return otherwise if given is None else given


# The natural size of an image: its pixels, from its asset or its data URI. px.


_IMAGE_SIZE = (160.0, 120.0)  # of an image nothing is known of
_MAX_IMAGE_SIDE = 320.0  # of an image whose author gives no size


def _picture_size(image: Image, assets: Mapping[str, Asset]) -> Size:
    """The pixels of an image, scaled down if large; one given side keeps the proportions."""
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


# Titles of containers, and a frame's icon at the start of its title. px. The title's block includes the icon's room at
# its left, so that placing or moving the title includes the icon.


_ICON_SHARE = 1.5  # of the title's font size
_GAP = 6.0  # px; between an icon and its title


def titled(element: Frame | Group, style: FinishedStyle, wrap: float | None) -> tuple[TextBlock | None, float]:
    """The title wrapped at `wrap`, indented by its icon, and the icon's side, px; 0 without an icon."""
    if isinstance(element, Group):
        return _title_block(element.label, style.font, wrap), 0.0
    if shown_icon(element) is None:
        return _title_block(element.title, style.font, wrap), 0.0
    side = float(round(_ICON_SHARE * style.font.size))
    block = _title_block(element.title, style.font, None if wrap is None else max(wrap - side - _GAP, 1.0))
    return _beside_icon(block or lay_text("", style.font), side), side


def _in_one_line(pool: Frame, style: FinishedStyle) -> Frame:
    """A pool with the title in a single line, as the header holds; as written if a given side is too short, or if the
    title may stand level in an empty pool."""
    if pool.lane_direction != "vertical" and not pool.children:
        return pool
    line = " ".join((pool.title or "").split())
    given = pool.layout.width if pool.lane_direction == "vertical" else pool.layout.height
    block = block_of(line, style.font, None)
    is_too_long = block is not None and given is not None and block.width > given
    return pool if is_too_long else replace(pool, title=line)


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


# Labels laid again by families that know the final places. px. In: an element, its given size, the width of its label's
# place. Out: its label in lines of this width.


class _Rewrapping:
    """Lays the labels of one scene again."""

    def __init__(self, styles: Styles) -> None:
        self._styles = styles

    def __call__(self, element: Edge | Node, size: Size, wrap: float) -> TextBlock | None:
        """The label in lines of `wrap` px, or as wide as the widest part of a word if wider, up to the former width."""
        text = element.label or ""
        if size.label is None:
            return None
        font = self._styles.of[element.id].font
        width = max(wrap, min(longest_part(text.rstrip(), font), size.label.width))
        if isinstance(element, Edge) and is_transition(text):
            return lay_transition(text, font, width, line_share=1.0)
        return block_of(text, font, width)


# Natural sizes: the preferred size of every element, with its text wrapped as drawn. px.
#
# In: the resolved scene and its finished styles. Out: `Sizes`. An authored size is kept; text that does not fit is
# reported (TEXT_OVERFLOW). The size of an edge is the size of its label. Guides have no size.


NODE_WRAP = 160.0
"""The wrap width of a node's label without a width by the author."""
EDGE_LABEL_WRAP = 160.0  # px; labels of lines are short words
END_LABEL_WRAP = 120.0  # px; roles and multiplicities are shorter still
TITLE_WRAP = 320.0  # px; of a frame of free width
TEXT_WRAP = 420.0  # px; some 60 letters, as in a book

LEAST_SYMBOL = 18.0
"""Nor is the symbol of a type: it is left out instead."""

_ICON_IN_EVENT = 0.5  # share of a shape with its label below
_ICON_IN_AREA = 0.72  # largest share of the area clear of slanted sides
_PADDING = (16.0, 12.0)  # px; beside and above a label in its node
_PANEL_PADDING = 8.0  # round a free text that has a ground or a border
_OVER_TITLE = 16.0  # px; above and below the title of a frame, at least
_PLACED = (Node, Frame, Group, Text, Image)
_LEAST_CONTAINER = (120.0, 80.0)  # px; an empty container can still be seen as one
_CONTAINER_PADDING = 12.0  # beside a title
_TITLE_PADDING = 3.0  # in a frame of given width: a second line would stand on the content


def _nowhere() -> Former:
    return NOWHERE


def measure(scene: Scene, styles: Styles, report: Report, former: Callable[[], Former] = _nowhere) -> Sizes:
    """The size of every element except guides; a family with known places for labels lays some again, for which it asks
    the former places."""
    ruler, family = Ruler(scene, report, _rooms_above(scene)), family_named(scene.diagram_family)
    sizes = {
        element.id: _measured(ruler, element, styles.of[element.id])
        for element in scene.elements
        if element.kind in _MEASURES
    }
    if family.place is None:
        sizes |= with_room_for_lines(scene, sizes, former)
    return sizes if family.fit is None else family.fit(scene, sizes, _Rewrapping(styles), former())


# Boxes with more labelled lines on a side than have room there: long enough across the flow to part the lines, and
# their labels where several lines join the same two boxes. In: the natural sizes of a scene. Out: the greater sizes.
# An edit moves only what it must: a box that stood before grows for no new line, and keeps the room still needed. px.
# (R-LABEL-9)


MANY_PARALLELS = 4
"""Labelled lines between the same two boxes for which both grow."""
PARALLEL_GAP = 6.0  # between the label on one such line and the next line or label
LINE_STEP = 12.0  # between lines to different boxes
LINE_MARGIN = 12.0  # from the first and the last line to the corners
_LAYERED = frozenset({None, "hierarchical", "flow"})
_WITH_SIDES = frozenset({"rect", "roundedRect", "cylinder", "box3d"})


def with_room_for_lines(scene: Scene, sizes: Sizes, former: Callable[[], Former]) -> dict[str, Size]:
    """The sizes of the boxes that grow for their lines."""
    strategy = scene.layout_strategy
    if (None if strategy is None else strategy.algorithm) not in _LAYERED:
        return {}
    upright = flow_of(scene) in SIDEWAYS
    nodes = {one.id: one for one in scene.nodes}
    found: dict[str, Size] = {}
    for name, needed in _lengths_of_sides(scene, sizes, former, upright=upright).items():
        size, node = sizes[name], nodes.get(name)
        if needed > (size.height if upright else size.width) and node is not None and _may_grow(node, upright=upright):
            found[name] = size._replace(height=needed) if upright else size._replace(width=needed)
    stood = former() if found else NOWHERE
    for name in found.keys() & stood.keys():
        found[name] = _as_stood(sizes[name], found[name], stood[name])
    return found


def _may_grow(node: Node, *, upright: bool) -> bool:
    kind, layout = kind_of(node), node.layout
    if (layout.height if upright else layout.width) is not None or (layout.mode == "absolute" and layout.x is not None):
        return False
    has_own_size = kind.label_below or kind.bar or kind.fixed_size is not None or kind.measure is not None
    return node.shape in _WITH_SIDES and not has_own_size and not is_cloud_icon(node)


def _as_stood(size: Size, grown: Size, stood: Box) -> Size:
    """The greater size, as far as the element had the length before."""
    width, height = min(grown.width, stood.width), min(grown.height, stood.height)
    return grown._replace(width=max(size.width, width), height=max(size.height, height))


def _lengths_of_sides(
    scene: Scene, sizes: Sizes, former: Callable[[], Former], *, upright: bool
) -> Mapping[str, float]:
    """The length, by element, needed by the labelled lines on the sides along the flow. Lines of a hub need
    none, nor does a side where all labels are equal: a trunk joins such lines."""
    between: dict[tuple[str, str], list[Edge]] = {}
    fans = shared_fans(scene)
    if fans and former():  # a hub that stood keeps its length
        fans = {}
    for edge in scene.edges:
        source, target = edge.ends
        if edge.label and source != target and edge.id not in fans:
            between.setdefault((source, target) if source < target else (target, source), []).append(edge)
    sides: tuple[dict[str, list[tuple[str, float]]], ...] = ({}, {})
    for edges in between.values():
        step = LINE_STEP
        if len(edges) >= MANY_PARALLELS:
            labels = [sizes[edge.id] for edge in edges]
            step = max([size.height if upright else size.width / 2 for size in labels]) + PARALLEL_GAP
        lines = [(edge.label or "", step) for edge in edges]
        for name, side in zip(edges[0].ends, sides, strict=True):
            side.setdefault(name, []).extend(lines)
    found: dict[str, float] = {}
    for name, lines in chain.from_iterable(side.items() for side in sides):
        if len(lines) > 1 and len({label for label, _ in lines}) > 1:
            steps = [step for _, step in lines]
            found[name] = max(found.get(name, 0.0), on_grid(math.fsum(steps) - min(steps) + 2 * LINE_MARGIN))
    return found


def _measured(ruler: Ruler, element: Element, style: FinishedStyle) -> Size:
    """The size of one element; cached unless something is reported or the size depends on assets."""
    given = style, ruler.scene.diagram_family, ruler.above.get(element.id)
    size = _SIZES.get(element, given)
    if size is None:
        said = len(ruler.report)
        size = _MEASURES[element.kind](ruler, element, style)
        if len(ruler.report) == said and not isinstance(element, Image):
            _SIZES.put(element, given, size)
    return size


@dataclass(frozen=True, slots=True)
class Ruler:
    """The context of measuring: the scene with its assets, the report, and the room above the content of frames whose
    places are given, px."""

    scene: Scene
    report: Report
    above: Mapping[str, float] = MappingProxyType({})

    def check_height(self, element: Element, required: float, available: float) -> None:
        """Report text higher than its room."""
        report_overflow(self.report, element.id, required, available)


def measure_node(ruler: Ruler, node: Node, style: FinishedStyle) -> Size:
    """The size of a node: the label inside the shape's text area, below any icon; or below a shape of fixed size."""
    kind = kind_of(node)
    if kind.measure is not None:
        return kind.measure(node, style, partial(ruler.check_height, node))
    if kind.label_below:
        return _with_label_below(node, kind, style)
    style = _in_fitting_letters(node, kind, style)
    if shown_icon(node) is not None or _has_room_for_symbol(node, kind, style):
        return _with_icon(node, kind, style, partial(ruler.check_height, node))
    if node.layout.width is None:
        return _of_free_width(ruler, node, kind, style)
    # A growing shape is never narrower than its floor: its label has this room too.
    width = max(node.layout.width, kind.min_size[0]) if kind.grows else node.layout.width
    return _node_of_given_width(ruler, node, kind, style, width)


def _rooms_above(scene: Scene) -> Mapping[str, float]:
    """The room from the top of each frame of given place to its first child of given place, px."""
    tops = {one.id: one.layout.y for one in scene.elements if isinstance(one, _PLACED) and _is_pinned(one.layout)}
    found: dict[str, float] = {}
    for frame in scene.frames:
        if (top := tops.get(frame.id)) is not None:
            inside = [y for child in frame.children if (y := tops.get(child)) is not None]
            if inside:
                found[frame.id] = min(inside) - top
    return found


def _is_pinned(layout: Layout) -> bool:
    return layout.mode == "absolute" and layout.y is not None


def measure_container(ruler: Ruler, element: Frame | Group, style: FinishedStyle) -> Size:
    """The size of a container by its title; the content, placed later, decides the final size. A title of the theme's
    size gets smaller above content of given place."""
    room = ruler.above.get(element.id)
    if room is not None and not style.letters_chosen and line_metrics(style.font)[0] + _OVER_TITLE > room:
        style = replace(style, font=style.font._replace(size=style.font.size * _SMALLER_LABELS[-1]))
    in_header = is_tiled(element)
    layout = element.layout
    wrap = None if in_header else _inner_width(layout.width, _TITLE_PADDING, TITLE_WRAP)
    inset = element.title_inset if isinstance(element, Frame) else None
    if wrap is not None and inset is not None:
        wrap = max(wrap + _TITLE_PADDING - inset, 1.0)
    if in_header and isinstance(element, Frame) and "\n" in (element.title or ""):
        element = _in_one_line(element, style)
    block, icon = titled(element, style, wrap)
    least_width, least_height = _LEAST_CONTAINER
    beside = _CONTAINER_PADDING + max(inset or 0.0, _CONTAINER_PADDING)
    width = max(least_width, (block.width if block else 0.0) + beside)
    kind = frame_kind(element.container_type) if isinstance(element, Frame) else None
    texts: Mapping[str, TextBlock] = {}
    if kind is not None and kind.measure is not None and isinstance(element, Frame):
        texts = kind.measure(element, style)
    return Size(
        width=_given_or(layout.width, width),
        height=_given_or(layout.height, least_height),
        label=block,
        texts=texts,
        icon=icon,
    )


def measure_text(ruler: Ruler, text: Text, style: FinishedStyle) -> Size:
    """The size of a text, with padding if drawn on a ground or in a border."""
    padding = _PANEL_PADDING if _has_panel(style) else 0.0
    layout = text.layout
    block = lay_text(text.content, style.font, _inner_width(layout.width, padding, TEXT_WRAP))
    if layout.height is not None:
        ruler.check_height(text, block.height, layout.height - 2 * padding)
    return Size(
        width=_given_or(layout.width, block.width + 2 * padding),
        height=_given_or(layout.height, block.height + 2 * padding),
        label=block if block.lines else None,
    )


def measure_image(ruler: Ruler, image: Image, _style: FinishedStyle) -> Size:
    """The size of an image: its pixels, or as authored."""
    return _picture_size(image, ruler.scene.assets)


def measure_edge(ruler: Ruler, edge: Edge, style: FinishedStyle) -> Size:
    """The size of an edge: its label, with the end labels as texts."""
    wrap = family_named(ruler.scene.diagram_family).label_wrap or EDGE_LABEL_WRAP
    block = _edge_block(edge.label, style.font, wrap) if edge.label else None
    width, height = (block.width, block.height) if block else (0.0, 0.0)
    ends = ((FROM, edge.source.label), (TO, edge.target.label))
    texts = {name: lay_text(text, style.font, END_LABEL_WRAP, balanced=True) for name, text in ends if text}
    shown = {name: row for name, row in texts.items() if row.lines} if texts else NO_TEXTS
    return Size(width=width, height=height, label=block, texts=shown)


_MEASURES: Mapping[str, Callable[[Ruler, Any, FinishedStyle], Size]] = {
    "node": measure_node,
    "edge": measure_edge,
    "frame": measure_container,
    "group": measure_container,
    "text": measure_text,
    "image": measure_image,
}

_SIZES = Remembered[Size]()


def _in_fitting_letters(node: Node, kind: NodeKind, style: FinishedStyle) -> FinishedStyle:
    """The style with letters a little smaller than the theme's, if a box of given size then holds the label without a
    broken word."""
    width, height, label = node.layout.width, node.layout.height, node.label
    if width is None or height is None or not label or kind.grows or is_cloud_icon(node) or style.letters_chosen:
        return style
    above = _ABOVE if shown_icon(node) is not None else 0.0

    def laid(font: Font) -> InnerLabel:
        return lay_label(label, font, shape_named(kind.shape), width, height, above=above)

    def lack(font: Font) -> tuple[int, float]:
        return words_wider(label, font, width - 2 * TIGHT), laid(font).required

    fonts = (style.font, *(style.font._replace(size=style.font.size * share) for share in _SMALLER_LABELS))
    found = next((font for font in fonts if laid(font).is_whole), None) or min(fonts, key=lack)
    return style if found is style.font else replace(style, font=found)


def _with_label_below(node: Node, kind: NodeKind, style: FinishedStyle) -> Size:
    natural_width, natural_height = kind.fixed_size or kind.min_size
    width, height = _given_or(node.layout.width, natural_width), _given_or(node.layout.height, natural_height)
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
    area = shape_named(kind.shape).text_area(Box(0.0, 0.0, _given_or(width, kind.min_size[0]), height))
    block = _block_in(node.label, style.font, area.width)
    return LEAST_SYMBOL + (ICON_GAP + block.height if block else 0.0) + 2 * ICON_MARGIN <= area.height


def _of_free_width(ruler: Ruler, node: Node, kind: NodeKind, style: FinishedStyle) -> Size:
    """As wide as the label needs; a given height is kept, and a label too long for it gets a wider node."""
    wrap, shape, font = kind.wrap_width or NODE_WRAP, shape_named(kind.shape), style.font
    block = _free_block(node.label, font, wrap)
    width, height = _fitted_node(shape, kind, block)
    width, given = _clear_of_glyph(kind, block, (width, height)), node.layout.height
    if given is None:
        return Size(width=width, height=height, label=block)
    tried = (_fitted_node(shape, kind, block_of(node.label, font, wrap * times))[0] for times in WIDENING)
    fits = (wide for wide in tried if not lay_label(node.label or "", font, shape, wide, given).required)
    return _of_given_size(ruler, node, kind, style, (next(fits, width), given))


def _node_of_given_width(ruler: Ruler, node: Node, kind: NodeKind, style: FinishedStyle, width: float) -> Size:
    """The size of a node of given width, as high as the wrapped label needs; a given height is kept."""
    if node.layout.height is not None:
        return _of_given_size(ruler, node, kind, style, (width, node.layout.height))
    shape, height = shape_named(kind.shape), kind.min_size[1]
    while True:
        room = shape.text_area(Box(0.0, 0.0, width, height)).width
        block = _block_in(node.label, style.font, room)
        needed = height if block is None else _node_height_for(shape, kind, block, width)
        if block is None or needed <= height:
            return Size(width=width, height=height, label=block)
        height = needed  # slanted sides reach further in now: the label may need still more lines


def _of_given_size(ruler: Ruler, node: Node, kind: NodeKind, style: FinishedStyle, size: tuple[float, float]) -> Size:
    """The size of a node of given size, with the label fitted as well as possible."""
    width, height = size
    if not node.label:
        return Size(width=width, height=height)
    label = lay_label(node.label, style.font, shape_named(kind.shape), width, height)
    label, parts = beside_glyph(node.label, style.font, kind, label, Box(0.0, 0.0, width, height))
    if not kind.grows:
        ruler.check_height(node, label.required, label.available)
    return Size(width=width, height=height, label=label.block if label.block.lines else None, parts=parts)


def _fitted_node(shape: Shape, kind: NodeKind, block: TextBlock | None) -> tuple[float, float]:
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


def _node_height_for(shape: Shape, kind: NodeKind, block: TextBlock, width: float) -> float:
    """The height at which the text area of a shape `width` px wide holds the block."""
    _, above = kind.padding or _PADDING
    needed = block.height + 2 * above
    _, height = shape.fit(width, needed)
    area = shape.text_area(Box(0.0, 0.0, width, height))
    return on_grid(max(height + max(0.0, needed - area.height), kind.min_size[1]))


def _inner_width(outer: float | None, padding: float, otherwise: float) -> float:
    return otherwise if outer is None else max(outer - 2 * padding, 1.0)
