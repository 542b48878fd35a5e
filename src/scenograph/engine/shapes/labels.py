"""A label inside a shape whose size is given: wrapped where the outline leaves it most room. px.

A block of text needs only as much width as it has where it stands: a single line fits into a flat ellipse far beyond
the largest rectangle inside it. So the fewest lines are tried first, each number with the width that the outline leaves
at its height.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from scenograph.engine.geometry.boxes import Box
from scenograph.engine.shapes.contact import side_contact
from scenograph.engine.shapes.shape import Shape, no_details
from scenograph.engine.text.blocks import Font, TextBlock
from scenograph.engine.text.layout import lay_text, line_metrics, longest_part, longest_word

COMFORTABLE, TIGHT, TOUCHING = 8.0, 2.0, 0.5
"""Room between a line's ends and the outline, px; the next when nothing fits with the one before. The last is better
than a word cut between two letters, but not than one cut between its parts."""

_SLACK = 0.5  # an overflow smaller than this is not seen
_SPILL = 1.15  # a word up to this share of the box's width is not broken, though it leaves the outline
_LETTERS = 0.8  # of the font's size is how high a line of letters is: capitals, and a little of what reaches below
_MAX_LINES = 12
_CACHED_LABELS = 4096


class InnerLabel(NamedTuple):
    """The wrapped label. When it does not fit: the height it needs and the one there is; `required` is 0 if it does."""

    block: TextBlock
    required: float = 0.0
    available: float = 0.0


@lru_cache(maxsize=_CACHED_LABELS)
def lay_label(label: str, font: Font, shape: Shape, width: float, height: float) -> InnerLabel:
    """Wrap `label` inside `shape` drawn in a box of that size."""
    box = Box(0.0, 0.0, width, height)
    for padding in (COMFORTABLE, TIGHT):
        block = _fitting(label, font, shape, box, padding)
        if block is not None:
            return InnerLabel(block)
    area = shape.text_area(box)
    room = max(area.width - 2 * TIGHT, 1.0)
    forced = lay_text(label, font, room, balanced=True)
    fits = forced.height <= area.height + _SLACK
    if not fits or longest_part(label, font) > room:
        touching = _fitting(label, font, shape, box, TOUCHING)
        if touching is not None:
            return InnerLabel(touching)
    if fits:
        return InnerLabel(forced)
    return InnerLabel(_least_outside(label, font, shape, box, forced), forced.height, area.height)


def _least_outside(label: str, font: Font, shape: Shape, box: Box, forced: TextBlock) -> TextBlock:
    """The lines that leave the outline least: words are not cut for little; what is low enough may be a bit wide."""
    room, widest = max(shape.text_area(box).width - 2 * TIGHT, 1.0), _SPILL * box.width
    word = min(longest_word(label, font), widest)
    block = forced if word <= room else lay_text(label, font, word, balanced=True)
    low = lay_text(label, font, widest, balanced=True)
    if low.height > clear_height(shape, box) or _outside(low, font, shape, box) > _outside(block, font, shape, box):
        return block
    return low


def _outside(block: TextBlock, font: Font, shape: Shape, box: Box) -> float:
    """How far a block leaves the outline: what is cut off above and below hurts more than what is at the sides."""
    beyond = block.height - clear_height(shape, box)
    return max(0.0, block.width - clear_width(shape, box, _letters(block, font))) + 2 * max(0.0, beyond)


def _letters(block: TextBlock, font: Font) -> float:
    return block.height - block.line_height + _LETTERS * font.size


def clear_width(shape: Shape, box: Box, height: float) -> float:
    """How wide a block of that height may be around the middle of the text area without leaving the outline."""
    middle = shape.text_area(box).center
    levels = (middle.y - height / 2, middle.y, middle.y + height / 2)
    left = max(side_contact(shape, box, 0.0, "left", level).x for level in levels)
    right = min(side_contact(shape, box, 0.0, "right", level).x for level in levels)
    return max(0.0, 2 * min(middle.x - left, right - middle.x))


def clear_height(shape: Shape, box: Box) -> float:
    """How high a block around the middle of the text area may be; strokes over the outline are not to be crossed."""
    area = shape.text_area(box)
    if shape.details is not no_details:
        return area.height
    return 2 * min(area.center.y - box.y, box.bottom - area.center.y)


def _fitting(label: str, font: Font, shape: Shape, box: Box, padding: float) -> TextBlock | None:
    """The label in as few lines as fit without breaking a word."""
    line_height, _ = line_metrics(font)
    word, highest = longest_word(label, font), clear_height(shape, box)
    for lines in range(1, _MAX_LINES + 1):
        if lines * line_height > highest + _SLACK:
            return None
        letters = (lines - 1) * line_height + _LETTERS * font.size
        room = clear_width(shape, box, letters) - 2 * padding
        if word > room:
            continue
        block = lay_text(label, font, room, balanced=True)
        if len(block.lines) <= lines:
            return block
    return None
