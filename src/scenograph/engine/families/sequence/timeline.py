"""At which height everything happens. px, whole numbers, from top to bottom. (R-SEQ-1, R-SEQ-6)

In: the interaction and the heights of labels, notes and heads. Out: `Rows`. Promises: a row begins below the row before
it, the first one below the heads; a label stands wholly between the rows; nothing of a fragment's writing lies in a
row of its messages; messages keep out of the notes that their authors put in their way.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple

from scenograph.engine.families.sequence.interaction import Fragment, Interaction
from scenograph.engine.families.sequence.outline import operands_of
from scenograph.engine.families.sequence.sizes import OPERATOR, guard_part
from scenograph.engine.geometry.boxes import Box
from scenograph.engine.tables import Size, Sizes
from scenograph.late_dataclasses import dataclass, field
from scenograph.scene.model import Edge, Node

ABOVE, BELOW = 10.0, 10.0  # free above a row's label and below its line
LABEL_GAP = 4.0
LOOP_HEIGHT = 24.0
BARE_ROW = 10.0  # above the line of a message without a label
NOTE_BELOW = 6.0
TAB_PADDING = 4.0
GUARD_GAP = 6.0
AROUND_FRAGMENT = 10.0
FRAGMENT_END = 4.0
EMPTY_OPERAND = 16.0
_SAME = 0.5
_NO_SIZE = Size(width=0.0, height=0.0)


class Span(NamedTuple):
    """What an event covers from left to right."""

    left: float
    right: float


@dataclass(frozen=True, slots=True, kw_only=True)
class TimelineSetting:
    """What is known beforehand: by turn, what each event covers, the height of a head that it brings, whether it
    returns to its own lifeline; by id, the boxes of notes that their authors placed."""

    sizes: Sizes
    spans: Mapping[int, Span]
    heads: Mapping[int, float]
    loops: frozenset[int]
    placed: Mapping[str, Box]


class Opening(NamedTuple):
    """The beginning of an operand: the line above it (None for the first), and the top of its guard."""

    line: float | None
    guard: float


@dataclass(slots=True)
class Rows:
    """By turn the height of a message's line (and of a loop's way back); by id the tops of notes that stand in the
    rows, the top and bottom of fragments, and their operands' openings."""

    lines: dict[int, tuple[float, float]] = field(default_factory=dict[int, tuple[float, float]])
    notes: dict[str, float] = field(default_factory=dict[str, float])
    tops: dict[str, float] = field(default_factory=dict[str, float])
    bottoms: dict[str, float] = field(default_factory=dict[str, float])
    openings: dict[str, list[Opening]] = field(default_factory=dict[str, list[Opening]])
    bottom: float = 0.0


def tell(interaction: Interaction, setting: TimelineSetting, start: float) -> Rows:
    """The rows of an interaction, from `start` on."""
    teller = _Teller(interaction, setting, math.ceil(start))
    return teller.tell()


class _Teller:
    """Goes down the page; `at` is the height up to which it is taken."""

    def __init__(self, interaction: Interaction, setting: TimelineSetting, start: float) -> None:
        self._script, self._setting = interaction, setting
        self._free = dict(setting.placed)
        self.at = float(start)
        self.rows = Rows()

    def tell(self) -> Rows:
        for turn, fragment, operand in self._script.steps():
            if fragment is None:
                self._event(turn)
            elif operand is None:
                self._close(fragment)
            elif operand:
                self._split(fragment, operand)
            else:
                self._open(fragment)
        self.rows.bottom = self.at
        return self.rows

    def _event(self, turn: int) -> None:
        event = self._script.events[turn]
        if isinstance(event, Edge):
            self._message(turn, event)
        elif isinstance(event, Node):
            self._note(event)
        else:
            self.at += EMPTY_OPERAND

    def _message(self, turn: int, message: Edge) -> None:
        label, head = self._size(message.id).height, self._setting.heads.get(turn, 0.0)
        above = max(math.ceil(label) + LABEL_GAP if label else BARE_ROW, math.ceil(head / 2))
        below = max(LOOP_HEIGHT if turn in self._setting.loops else 0.0, math.ceil(head / 2))
        top = self._clear(self.at + ABOVE, above + below, self._setting.spans[turn])
        line = top + above
        back = line + LOOP_HEIGHT if turn in self._setting.loops else line
        self.rows.lines[turn] = line, back
        self.at = line + below + BELOW

    def _clear(self, top: float, height: float, span: Span) -> float:
        """The first height from `top` on at which a row meets no note that its author put there."""
        boxes = [box for box in self._free.values() if box.x < span.right and span.left < box.right]
        for box in sorted(boxes, key=lambda box: box.y):
            if box.y < top + height and top < box.bottom:
                top = math.ceil(box.bottom) + ABOVE
        return top

    def _note(self, note: Node) -> None:
        """A note takes a row; one that its author placed only if it stands exactly where its turn would put it, as in
        a normalized document."""
        top, given = self.at + ABOVE, self._setting.placed.get(note.id)
        if given is not None and abs(given.y - top) > _SAME:
            return
        self._free.pop(note.id, None)
        self.rows.notes[note.id] = top
        self.at = top + math.ceil(given.height if given is not None else self._size(note.id).height) + NOTE_BELOW

    def _open(self, fragment: Fragment) -> None:
        frame = fragment.frame
        texts, title = self._size(frame.id).texts, self._size(frame.id).label
        top = self.at + AROUND_FRAGMENT
        tab = texts[OPERATOR].height + 2 * TAB_PADDING if OPERATOR in texts else 0.0
        guard = texts[guard_part(0)].height if guard_part(0) in texts else 0.0
        first = title.height if title is not None else guard
        below = top + math.ceil(max(tab, first + 2 * TAB_PADDING if first else 0.0))
        beside = title is None
        self.rows.tops[frame.id] = top
        self.rows.openings[frame.id] = [Opening(None, top + TAB_PADDING if beside else below)]
        self.at = below if beside else below + math.ceil(guard)

    def _split(self, fragment: Fragment, operand: int) -> None:
        block = self._size(fragment.frame.id).texts.get(guard_part(operand))
        if self._is_empty(fragment, operand - 1):
            self.at += EMPTY_OPERAND
        line = self.at + FRAGMENT_END
        self.rows.openings[fragment.frame.id].append(Opening(line, line + GUARD_GAP))
        self.at = line + (GUARD_GAP + math.ceil(block.height) if block is not None else 0.0)

    def _close(self, fragment: Fragment) -> None:
        if self._is_empty(fragment, len(fragment.splits)):
            self.at += EMPTY_OPERAND
        self.rows.bottoms[fragment.frame.id] = self.at + FRAGMENT_END
        self.at += FRAGMENT_END + AROUND_FRAGMENT / 2

    def _is_empty(self, fragment: Fragment, operand: int) -> bool:
        """Whether nothing happens in an operand of a fragment in which something happens elsewhere."""
        starts = (fragment.first, *fragment.splits, fragment.last + 1)
        return len(operands_of(fragment.frame)) > 1 and starts[operand] == starts[operand + 1]

    def _size(self, element_id: str) -> Size:
        return self._setting.sizes.get(element_id, _NO_SIZE)
