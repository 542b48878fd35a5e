"""Where labels wrap whose width nobody gave. px.

In: a text, its font and the width that suits most labels of its kind. Out: the wrapped block. A text that would stand
there as a tall column gets longer lines instead, until it is about as wide as high; never longer than `WIDEST`, beyond
which the eye loses its line (some 70 letters).
"""

from __future__ import annotations

import math
from functools import lru_cache

from scenograph.engine.geometry.boxes import Outset
from scenograph.engine.shapes.labels import COMFORTABLE, TIGHT, TOUCHING
from scenograph.engine.tables import NO_OUTSET
from scenograph.engine.text.blocks import Font, TextBlock
from scenograph.engine.text.layout import lay_text, words_wider
from scenograph.engine.text.transition_labels import is_transition, lay_transition

WIDEST = 480.0  # px; a longer line is hard to read
WIDENING = (1.0, 1.25, 1.5, 2.0, 2.5, 3.0)
"""Shares of the natural width, tried in turn where a label must be lower."""
LABEL_BELOW_WRAP = 120.0  # px; labels below symbols must not reach their neighbours
LABEL_BELOW_GAP = 6.0
"""Between a node and the label below it."""
_SMALLER = (0.95, 0.9, 0.85, 0.8)  # sizes of a title, tried in turn
_CACHED_LABELS = 8192  # labels kept laid out, as many as a large scene has


def block_of(text: str | None, font: Font, max_width: float | None) -> TextBlock | None:
    """Balanced lines, without empty ones at the end; None for a blank text."""
    if not text:
        return None
    block = lay_text(text.rstrip(), font, max_width, balanced=True)
    return block if block.lines else None


def free_block(text: str | None, font: Font, wrap: float) -> TextBlock | None:
    """The same, wrapped at `wrap`, or later where the text is long."""
    block = block_of(text, font, wrap)
    if block is None or block.height <= wrap:
        return block
    return block_of(text, font, wider_wrap(wrap, block.height))


def block_in(text: str | None, font: Font, width: float) -> TextBlock | None:
    """The label in a room of that width: with comfortable room at its sides, or with less where fewer words are broken
    for it."""
    paddings = (min(COMFORTABLE, width / 10), min(TIGHT, width / 10), TOUCHING)
    rooms = [max(width - 2 * padding, 1.0) for padding in paddings]
    return block_of(text, font, min(rooms, key=lambda room: words_wider(text or "", font, room)))


def label_below(text: str | None, font: Font, width: float) -> tuple[TextBlock | None, Outset]:
    """The label below a node of that width, as wide as is pleasant, and the room that it takes outside the node."""
    block = free_block(text, font, max(LABEL_BELOW_WRAP, width))
    if block is None:
        return None, NO_OUTSET
    aside = max(0.0, (block.width - width) / 2)
    return block, Outset(0.0, aside, LABEL_BELOW_GAP + block.height, aside)


def title_block(title: str | None, font: Font, wrap: float | None) -> TextBlock | None:
    """The title of a container: in one line of somewhat smaller letters rather than in two, of which the content of a
    frame of given size would cover the second."""
    block = block_of(title, font, wrap)
    if block is None or len(block.lines) == 1 or "\n" in (title or "").strip():
        return block
    smaller = (block_of(title, font._replace(size=font.size * share), wrap) for share in _SMALLER)
    return next((one for one in smaller if one is not None and len(one.lines) == 1), block)


def wider_wrap(wrap: float, height: float) -> float:
    """The side of a square with the room of a column of that width and height."""
    return max(wrap, min(math.sqrt(wrap * height), WIDEST))


@lru_cache(maxsize=_CACHED_LABELS)
def edge_block(label: str, font: Font, wrap: float) -> TextBlock | None:
    """The label of an edge, in its three runs where it tells a transition."""
    if not is_transition(label):
        return free_block(label, font, wrap)
    block = lay_transition(label, font, wrap)
    return block if block.height <= wrap else lay_transition(label, font, wider_wrap(wrap, block.height))
