"""Text in boxes and shapes: wrapped at the place of the outline with the most room, placed as runs. px."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import NamedTuple

from scenograph.engine.drawing import TextItem, TextRun
from scenograph.engine.geometry.boxes import Box, Point
from scenograph.engine.shapes import Shape, side_contact
from scenograph.engine.tables import FinishedStyle
from scenograph.engine.text.blocks import Font, FontRun, TextBlock, TextLine
from scenograph.engine.text.layout import lay_text, line_metrics, longest_part, longest_word
from scenograph.scene.model import Color

# Runs: baselines stand on whole pixels, so that the stems of equal labels are equally sharp; across the reading
# direction the block is centred, and its metrics already put the capitals in the middle of a line.


ALIGNMENTS: Mapping[str, float] = MappingProxyType({"start": 0.0, "center": 0.5, "end": 1.0})
"""The share of a line's free room before the line."""

_UPWARDS = -90.0


def text_item(block: TextBlock, box: Box, style: FinishedStyle, align: str = "center") -> TextItem:
    """The lines of `block` in `box`, each aligned by itself, the whole centred from top to bottom."""
    share = ALIGNMENTS.get(align, 0.5)
    first = box.y + (box.height - block.height) / 2 + block.ascent
    runs: list[TextRun] = []
    for number, line in enumerate(block.lines):
        left = box.x + (box.width - line.width) * share
        baseline = math.floor(first + number * block.line_height + 0.5)
        for run in line.runs:
            color = style.muted_color if run.tone == "muted" else style.text_color
            runs.append(_placed(run, left, baseline, color))
    return TextItem(tuple(runs))


def placed_runs(line: TextLine, at: Point, color: Color) -> Iterator[TextRun]:
    """The runs of a line in one colour, with the left end of the baseline at `at`."""
    return (_placed(run, at.x, at.y, color) for run in line.runs)


def _placed(run: FontRun, x: float, y: float, color: Color) -> TextRun:
    """A run of a line beginning at `x`, with the baseline at `y`."""
    text, font, offset, width, _, right_to_left, spaced = run
    return TextRun(text, Point(x + offset, y), width, font, color, right_to_left, spaced)


def upward_text_item(block: TextBlock, box: Box, style: FinishedStyle) -> TextItem:
    """The lines of `block` reading from the bottom to the top of `box`, centred."""
    x, y = math.floor(box.center.x + 0.5), math.floor(box.center.y + 0.5)
    lying = Box(x - box.height / 2, y - box.width / 2, box.height, box.width)
    flat = text_item(block, lying, style)
    return TextItem(runs=flat.runs, turn=_UPWARDS, pivot=Point(x, y))


# An icon above a label, together in the middle of an area.

ICON_GAP = 4.0
"""The gap between the icon and the label below."""


def stack(area: Box, icon: float, label: tuple[float, float]) -> tuple[Box, Box]:
    """The boxes of a square icon of side `icon` and of a label of the given width and height (0 for none), stacked and
    centred in `area`."""
    width, height = label
    gap = ICON_GAP if icon > 0 and height > 0 else 0.0
    x, y = area.center
    top = y - (icon + gap + height) / 2
    return Box(x - icon / 2, top, icon, icon), Box(x - width / 2, top + icon + gap, width, height)


# A label inside a shape of given size. A block of text needs its width only at its own height: a single line fits into
# a flat ellipse far beyond the largest inscribed rectangle. Hence the fewest lines are tried first, each number with
# the width of the outline at its height.

COMFORTABLE, TIGHT, TOUCHING = 8.0, 2.0, 0.5
"""Room between a line's ends and the outline, px; the next when nothing fits with the one before. The last is better
than a word cut between two letters, but not than one cut between its parts."""

_SLACK = 0.5  # an overflow smaller than this is not seen
_SPILL = 1.15  # a word up to this share of the box's width is not broken, though it leaves the outline
_LETTERS = 0.8  # of the font's size is how high a line of letters is: capitals, and a little of what reaches below
_MAX_LINES = 12
_CACHED_LABELS = 4096


class InnerLabel(NamedTuple):
    """The wrapped label. For a label that does not fit, `required` and `available` are the needed and the present
    height, px; `required` is 0 for a label that fits. `is_whole`: the label fits without a broken word."""

    block: TextBlock
    required: float = 0.0
    available: float = 0.0
    is_whole: bool = False


@lru_cache(maxsize=_CACHED_LABELS)
def lay_label(label: str, font: Font, shape: Shape, width: float, height: float, *, above: float = 0.0) -> InnerLabel:
    """Wrap `label` inside `shape` drawn in a box of `width` x `height` px; the upper `above` px are an icon with its
    gap, centred together with the label."""
    room = _LabelRoom(shape, Box(0.0, 0.0, width, height), above)
    block = _unbroken(label, font, room)
    if block is not None:
        return InnerLabel(block, is_whole=True)
    area = shape.text_area(room.box)
    forced = lay_text(label, font, room.least_width, balanced=True)
    fits = above + forced.height <= area.height + _SLACK
    if not fits or longest_part(label, font) > room.least_width:
        touching = _fitting(label, font, room, TOUCHING)
        if touching is not None:
            return InnerLabel(touching)
    if fits:
        return InnerLabel(forced)
    return InnerLabel(_least_outside(label, font, room, forced), above + forced.height, area.height)


def _unbroken(label: str, font: Font, room: _LabelRoom) -> TextBlock | None:
    """The label without broken words and with comfortable padding; with tight padding if nothing else fits, or to keep
    the author's lines."""
    comfortable, tight = (_fitting(label, font, room, padding) for padding in (COMFORTABLE, TIGHT))
    authored = label.rstrip().count("\n") + 1
    if comfortable is None or (tight is not None and 1 < authored == len(tight.lines) < len(comfortable.lines)):
        return tight
    return comfortable


class _LabelRoom(NamedTuple):
    """The room of a label: in `shape` drawn in `box`, below `above` px of content."""

    shape: Shape
    box: Box
    above: float = 0.0

    @property
    def least_width(self) -> float:
        """Between the sides of the text area."""
        return max(self.shape.text_area(self.box).width - 2 * TIGHT, 1.0)

    @property
    def height(self) -> float:
        """How high a label may be."""
        return clear_height(self.shape, self.box) - self.above

    def width_of(self, letters: float) -> float:
        """The width available to a label with the given height of letters, px."""
        return clear_width(self.shape, self.box, letters, self.above / 2)


def _least_outside(label: str, font: Font, room: _LabelRoom, forced: TextBlock) -> TextBlock:
    """The lines with the least excess over the outline: words are not cut for a small excess, and low lines may be
    slightly wide."""
    widest = _SPILL * room.box.width
    word = min(longest_word(label, font), widest)
    block = forced if word <= room.least_width else lay_text(label, font, word, balanced=True)
    low = lay_text(label, font, widest, balanced=True)
    if low.height > room.height or _outside(low, font, room) > _outside(block, font, room):
        return block
    return low


def _outside(block: TextBlock, font: Font, room: _LabelRoom) -> float:
    """The excess of a block over the outline, px: excess above and below counts twice."""
    beyond = block.height - room.height
    return max(0.0, block.width - room.width_of(letters_height(block, font))) + 2 * max(0.0, beyond)


def letters_height(block: TextBlock, font: Font) -> float:
    """The height from the first line's capitals to the descenders of the last line, px."""
    return block.height - block.line_height + _LETTERS * font.size


def clear_width(shape: Shape, box: Box, height: float, below: float = 0.0) -> float:
    """The width available to a block of given height, its middle `below` px under the middle of the text area; detail
    strokes must not be crossed."""
    area = shape.text_area(box)
    middle = Point(area.center.x, area.center.y + below)
    levels = (middle.y - height / 2, middle.y, middle.y + height / 2)
    left = max(side_contact(shape, box, 0.0, "left", level).x for level in levels)
    right = min(side_contact(shape, box, 0.0, "right", level).x for level in levels)
    clear = max(0.0, 2 * min(middle.x - left, right - middle.x))
    return min(clear, area.width) if shape.has_details else clear


def clear_height(shape: Shape, box: Box) -> float:
    """How high a block around the middle of the text area may be; strokes over the outline are not to be crossed."""
    area = shape.text_area(box)
    if shape.has_details:
        return area.height
    return 2 * min(area.center.y - box.y, box.bottom - area.center.y)


def _fitting(label: str, font: Font, room: _LabelRoom, padding: float) -> TextBlock | None:
    """The label in as few lines as fit without breaking a word."""
    line_height, _ = line_metrics(font)
    word, highest = longest_word(label, font), room.height
    for lines in range(1, _MAX_LINES + 1):
        if lines * line_height > highest + _SLACK:
            return None
        letters = (lines - 1) * line_height + _LETTERS * font.size
        width = room.width_of(letters) - 2 * padding
        if word > width:
            continue
        block = lay_text(label, font, width, balanced=True)
        if len(block.lines) <= lines:
            return block
    return None
