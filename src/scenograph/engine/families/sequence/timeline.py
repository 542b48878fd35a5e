"""The timeline: the heights of all events. px, whole numbers, from top to bottom. (R-SEQ-1, R-SEQ-6)

In: the interaction and the heights of labels, notes and heads. Out: `TimelineRows`. Promises: a row begins below the
previous row, the first below the heads; a label stands wholly between the rows; no text of a fragment lies in a row of
its messages; messages keep clear of notes at authored places.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from scenograph.engine.families.sequence.columns import (
    BESIDE_TAIL,
    FRAGMENT_PADDING,
    LABEL_SIDE,
    LOOP_LABEL_IN,
    TAB_BESIDE,
    WRITING_GAP,
    Places,
    loop_width,
    tab_width,
    writing_width,
)
from scenograph.engine.families.sequence.diagram import (
    OPERATOR,
    Fragment,
    Interaction,
    SequenceDiagram,
    guard_part,
    operands_of,
    reach,
)
from scenograph.engine.geometry.boxes import Box
from scenograph.engine.tables import Size, Sizes
from scenograph.late_dataclasses import dataclass, field
from scenograph.scene.model import Edge, Node

ABOVE, BELOW = 10.0, 10.0  # free above a row's label and below its line
LABEL_GAP = 4.0
_LOOP_HEIGHT = 24.0
_BARE_ROW = 10.0  # above the line of a message without a label
_NOTE_BELOW = 6.0
_TAB_PADDING = 4.0
_GUARD_GAP = 6.0
_AROUND_FRAGMENT = 10.0
_FRAGMENT_END = 4.0
_EMPTY_OPERAND = 16.0
_SAME = 0.5
_NO_SIZE = Size(width=0.0, height=0.0)


class Span(NamedTuple):
    """The horizontal extent of an event."""

    left: float
    right: float


@dataclass(frozen=True, slots=True, kw_only=True)
class TimelineSetting:
    """The fixed input of the timeline: by turn the extent of each event, the height of a created head, and whether the
    message is a loop; by id, the boxes of notes at authored places."""

    sizes: Sizes
    spans: Mapping[int, Span]
    heads: Mapping[int, float]
    loops: frozenset[int]
    placed: Mapping[str, Box]


class Opening(NamedTuple):
    """The beginning of an operand: the separator above (None for the first), and the top of the guard."""

    line: float | None
    guard: float


@dataclass(slots=True)
class TimelineRows:
    """By turn the height of a message's line (and of a loop's way back); by id the tops of notes that stand in the
    rows, the top and bottom of fragments, and their operands' openings."""

    lines: dict[int, tuple[float, float]] = field(default_factory=dict[int, tuple[float, float]])
    notes: dict[str, float] = field(default_factory=dict[str, float])
    tops: dict[str, float] = field(default_factory=dict[str, float])
    bottoms: dict[str, float] = field(default_factory=dict[str, float])
    openings: dict[str, list[Opening]] = field(default_factory=dict[str, list[Opening]])
    bottom: float = 0.0


def tell(interaction: Interaction, setting: TimelineSetting, start: float) -> TimelineRows:
    """The rows of an interaction, from `start` on."""
    teller = _Teller(interaction, setting, math.ceil(start))
    return teller.tell()


class _Teller:
    """Walks down the page; `at` is the lowest occupied height."""

    def __init__(self, interaction: Interaction, setting: TimelineSetting, start: float) -> None:
        self._script, self._setting = interaction, setting
        self._free = dict(setting.placed)
        self.at = float(start)
        self.rows = TimelineRows()

    def tell(self) -> TimelineRows:
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
            self.at += _EMPTY_OPERAND

    def _message(self, turn: int, message: Edge) -> None:
        label, head = self._size(message.id).height, self._setting.heads.get(turn, 0.0)
        above = max(math.ceil(label) + LABEL_GAP if label else _BARE_ROW, math.ceil(head / 2))
        below = max(_LOOP_HEIGHT if turn in self._setting.loops else 0.0, math.ceil(head / 2))
        top = self._clear(self.at + ABOVE, above + below, self._setting.spans[turn])
        line = top + above
        back = line + _LOOP_HEIGHT if turn in self._setting.loops else line
        self.rows.lines[turn] = line, back
        self.at = line + below + BELOW

    def _clear(self, top: float, height: float, span: Span) -> float:
        """The first height from `top` on at which a row is clear of notes at authored places."""
        boxes = [box for box in self._free.values() if box.x < span.right and span.left < box.right]
        for box in sorted(boxes, key=lambda box: box.y):
            if box.y < top + height and top < box.bottom:
                top = math.ceil(box.bottom) + ABOVE
        return top

    def _note(self, note: Node) -> None:
        """Give a note a row. A note at an authored place takes its row only if placed exactly at its turn, as in a
        normalized document."""
        top, given = self.at + ABOVE, self._setting.placed.get(note.id)
        if given is not None and abs(given.y - top) > _SAME:
            return
        self._free.pop(note.id, None)
        self.rows.notes[note.id] = top
        self.at = top + math.ceil(given.height if given is not None else self._size(note.id).height) + _NOTE_BELOW

    def _open(self, fragment: Fragment) -> None:
        frame = fragment.frame
        texts, title = self._size(frame.id).texts, self._size(frame.id).label
        top = self.at + _AROUND_FRAGMENT
        tab = texts[OPERATOR].height + 2 * _TAB_PADDING if OPERATOR in texts else 0.0
        guard = texts[guard_part(0)].height if guard_part(0) in texts else 0.0
        first = title.height if title is not None else guard
        below = top + math.ceil(max(tab, first + 2 * _TAB_PADDING if first else 0.0))
        beside = title is None
        self.rows.tops[frame.id] = top
        self.rows.openings[frame.id] = [Opening(None, top + _TAB_PADDING if beside else below)]
        self.at = below if beside else below + math.ceil(guard)

    def _split(self, fragment: Fragment, operand: int) -> None:
        block = self._size(fragment.frame.id).texts.get(guard_part(operand))
        if self._is_empty(fragment, operand - 1):
            self.at += _EMPTY_OPERAND
        line = self.at + _FRAGMENT_END
        self.rows.openings[fragment.frame.id].append(Opening(line, line + _GUARD_GAP))
        self.at = line + (_GUARD_GAP + math.ceil(block.height) if block is not None else 0.0)

    def _close(self, fragment: Fragment) -> None:
        if self._is_empty(fragment, len(fragment.splits)):
            self.at += _EMPTY_OPERAND
        self.rows.bottoms[fragment.frame.id] = self.at + _FRAGMENT_END
        self.at += _FRAGMENT_END + _AROUND_FRAGMENT / 2

    def _is_empty(self, fragment: Fragment, operand: int) -> bool:
        """Whether an operand is empty in a fragment with several operands."""
        starts = (fragment.first, *fragment.splits, fragment.last + 1)
        return len(operands_of(fragment.frame)) > 1 and starts[operand] == starts[operand + 1]

    def _size(self, element_id: str) -> Size:
        return self._setting.sizes.get(element_id, _NO_SIZE)


# The heights of messages and the places of their labels. px. (R-SEQ-7, R-SEQ-8)


_CLEAR_OF_TAIL = 4.0
_ABOUT_AS_NEAR = 24.0
_SLACK = 0.01
CROSS = 7.0  # from the tip of a cross to its middle
START, END, LOOP, LABEL, COVERED = "start", "end", "loop", "label", "covered"
"""The parts of a message: points as boxes without extent, the box of a loop, the label's box; for a hidden edge, the
covering element."""


@dataclass(frozen=True, slots=True)
class MessageLine:
    """A message from side to side: the x of its ends; for a loop also its reach, for a creating message the far side of
    the head (else None)."""

    start: float
    end: float
    loop: float | None = None
    beyond: float | None = None


def message_line_of(diagram: SequenceDiagram, heads: Mapping[str, Box], turn: int, message: Edge) -> MessageLine:
    """The route of a message: from the edge of the source's bars to the edge of the target's bars, to the created head,
    or past a destroyed tail far enough to centre the cross on the tail."""
    source, target = message.ends
    levels = diagram.levels[turn]
    one, other = heads[source].center.x, heads[target].center.x
    if source == target:
        start, end = one + reach(levels.source, rightwards=True), one + reach(levels.target, rightwards=True)
        turned = max(start, end) + loop_width(diagram.size(message.id).width)
        return MessageLine(start, one - CROSS if diagram.gone.get(target) == turn else end, turned)
    rightwards = other >= one
    start = one + reach(levels.source, rightwards=rightwards)
    if diagram.born.get(target) == turn:
        near, far = heads[target].x, heads[target].right
        return MessageLine(start, near, beyond=far) if rightwards else MessageLine(start, far, beyond=near)
    if diagram.gone.get(target) == turn:
        return MessageLine(start, other + (CROSS if rightwards else -CROSS))
    return MessageLine(start, other + reach(levels.target, rightwards=not rightwards))


class Crossings:
    """The obstacles of level messages: the tails of lifelines and the sides of boxes, from left to right."""

    def __init__(self, diagram: SequenceDiagram, heads: Mapping[str, Box], boxes: Iterable[Box]) -> None:
        self._stage = diagram
        rows = [(heads[node.id].center.x, node.id) for node in diagram.participants.lifelines]
        rows += [(x, "") for box in boxes for x in (box.x, box.right)]
        rows.sort()
        self._xs, self._owners = [x for x, _ in rows], [owner for _, owner in rows]
        tops = [diagram.top_level(owner) for owner in self._owners]
        self._sides = [
            (x + reach(top, rightwards=False), x + reach(top, rightwards=True))
            for x, top in zip(self._xs, tops, strict=True)
        ]

    def label_left(self, turn: int, message: MessageLine) -> float:
        """The left side of a message's label: in the middle between the ends; if crossed there, in the middle of the
        nearest gap of sufficient width, if any."""
        width = self._stage.size(self._stage.interaction.events[turn].id).width
        if message.loop is not None:
            return max(message.start, message.end) + LOOP_LABEL_IN
        gaps, middle = self._gaps(turn, message), (message.start + message.end) / 2
        if len(gaps) == 1 or width <= _clear_in_the_middle(gaps, middle):
            return middle - width / 2
        spots = [(a + b) / 2 for a, b in gaps if b - a >= width + 2 * BESIDE_TAIL - _SLACK]
        return _best(spots, middle, message.start) - width / 2

    def room(self, turn: int, message: MessageLine) -> float:
        """The greatest label width without a crossing."""
        gaps = self._gaps(turn, message)
        if len(gaps) == 1:
            return gaps[0][1] - gaps[0][0] - LABEL_SIDE
        widest = max(b - a for a, b in gaps) - 2 * BESIDE_TAIL
        return max(widest, _clear_in_the_middle(gaps, (message.start + message.end) / 2))

    def _gaps(self, turn: int, message: MessageLine) -> list[tuple[float, float]]:
        """The gaps between the ends of a message, from left to right."""
        low, high = min(message.start, message.end), max(message.start, message.end)
        crossed = [self._sides[at] for at in self._between(low + 1, high - 1, turn)]
        return [(a[1], b[0]) for a, b in pairwise([(low, low), *crossed, (high, high)])]

    def _between(self, low: float, high: float, turn: int) -> list[int]:
        first, last = bisect_left(self._xs, low), bisect_right(self._xs, high)
        return [at for at in range(first, last) if self._is_there(self._owners[at], turn)]

    def _is_there(self, owner: str, turn: int) -> bool:
        return not owner or self._stage.lives(owner, turn)


def _clear_in_the_middle(gaps: Sequence[tuple[float, float]], middle: float) -> float:
    """The widest label in the middle of a message without touching a crossed tail or side."""
    reaches = (min(middle - a, b - middle) for a, b in gaps if a < middle < b)
    return 2 * max(reaches, default=0.0) - 2 * _CLEAR_OF_TAIL


def _best(spots: Sequence[float], middle: float, source: float) -> float:
    """The spot nearest to the middle; of spots about equally near, the nearest to the sender."""
    least = min((abs(spot - middle) for spot in spots), default=0.0)
    near = [spot for spot in spots if abs(spot - middle) <= least + _ABOUT_AS_NEAR]
    return min(near, key=lambda spot: abs(spot - source), default=middle)


def span_of(message: MessageLine, left: float, label: Size) -> Span:
    """The extent of a message and its label, including a created head."""
    ends = [x for x in (message.start, message.end, message.loop, message.beyond) if x is not None]
    if label.width:
        ends += [left, left + label.width]
    return Span(min(ends), max(ends))


def line_parts(message: MessageLine, line: tuple[float, float], left: float, label: Size) -> dict[str, Box]:
    """The parts of a message at the heights of line and return."""
    top, back = line
    parts = {START: Box(message.start, top, 0.0, 0.0), END: Box(message.end, back, 0.0, 0.0)}
    if message.loop is not None:
        low = min(message.start, message.end)
        parts[LOOP] = Box(low, top, message.loop - low, back - top)
    if label.label is not None:
        parts[LABEL] = Box(left, top - LABEL_GAP - label.height, label.width, label.height)
    return parts


# The boxes of fragments, and their texts. px. (R-SEQ-11)


_FRAGMENT_BESIDE_TAIL = 12.0
NEARLY = 16.0  # px; sides closer than this are aligned, as a small difference looks like a mistake
_TAB_GAP = 6.0  # between a fragment's tab and the bars to the right of it
TAB, TITLE = "tab", "title"


def _separator_part(operand: int) -> str:
    """The name of the line above an operand."""
    return f"separator:{operand}"


@dataclass(frozen=True, slots=True)
class FragmentContext:
    """The input of fragment boxes: heads, extents of events, lifelines touched by each fragment."""

    diagram: SequenceDiagram
    heads: Mapping[str, Box]
    spans: Mapping[int, Span]
    places: Mapping[str, Places]


def fragment_boxes(context: FragmentContext, rows: TimelineRows) -> dict[str, Box]:
    """The boxes of fragments round their events and inner fragments, wide enough for their texts; sides of sibling
    fragments that nearly agree are aligned."""
    fragments = context.diagram.interaction.fragments
    found: dict[str, Box] = {}
    for number, turns, inside in context.diagram.interaction.own_turns():
        fragment = fragments[number]
        found |= _aligned({name: found[name] for name in (fragments[other].frame.id for other in inside)})
        inner = [found[fragments[other].frame.id] for other in inside]
        span, size = _round(context, fragment, turns, inner), context.diagram.size(fragment.frame.id)
        top, bottom = rows.tops[fragment.frame.id], rows.bottoms[fragment.frame.id]
        left = _clear_of_tails(context, span, tab_width(size))
        right = max(span.right, math.ceil(_writing_left(context, fragment) + writing_width(size) - WRITING_GAP))
        found[fragment.frame.id] = Box(left, top, right - left, bottom - top)
    outermost = [fragment.frame.id for fragment in fragments if not fragment.depth]
    return found | _aligned({name: found[name] for name in outermost})


def _aligned(boxes: Mapping[str, Box]) -> dict[str, Box]:
    """The boxes widened to the farthest of nearly equal sides."""
    lefts, rights = [box.x for box in boxes.values()], [box.right for box in boxes.values()]
    found: dict[str, Box] = {}
    for name, box in boxes.items():
        left = min(x for x in lefts if abs(x - box.x) <= NEARLY)
        right = max(x for x in rights if abs(x - box.right) <= NEARLY)
        found[name] = Box(left, box.y, right - left, box.height)
    return found


def _clear_of_tails(context: FragmentContext, span: Span, tab: float) -> float:
    """The left side of a fragment: far enough left to keep tails out of the tab."""
    left = span.left
    for head in sorted(context.heads.values(), key=lambda head: head.center.x, reverse=True):
        edge = head.center.x + reach(0, rightwards=False)
        if left <= edge and edge - left < tab + _TAB_GAP and tab:
            left = math.floor(edge - tab - _TAB_GAP)
    return left


def _writing_left(context: FragmentContext, fragment: Fragment) -> float:
    """The left edge of title and guards: right of the first lifeline's tail and bars."""
    diagram = context.diagram
    first = diagram.participants.lifelines[context.places[fragment.frame.id][0]].id
    return context.heads[first].center.x + reach(diagram.top_level(first), rightwards=True) + WRITING_GAP


def _round(context: FragmentContext, fragment: Fragment, turns: Sequence[int], inner: Sequence[Box]) -> Span:
    diagram = context.diagram
    middles = [
        context.heads[diagram.participants.lifelines[place].id].center.x for place in context.places[fragment.frame.id]
    ]
    spans = [context.spans[turn] for turn in turns if turn in context.spans]
    lefts = [
        *(middle - _FRAGMENT_BESIDE_TAIL for middle in middles),
        *(span.left for span in spans),
        *(box.x for box in inner),
    ]
    rights = [
        *(middle + _FRAGMENT_BESIDE_TAIL for middle in middles),
        *(span.right for span in spans),
        *(box.right for box in inner),
    ]
    left, right = min(lefts, default=0.0), max(rights, default=0.0)
    return Span(math.floor(left - FRAGMENT_PADDING), math.ceil(right + FRAGMENT_PADDING))


def fragment_parts(context: FragmentContext, fragment: Fragment, box: Box, rows: TimelineRows) -> dict[str, Box]:
    """The tab and its operator, the title, the guards and the separators of operands."""
    parts: dict[str, Box] = {}
    size, x = context.diagram.size(fragment.frame.id), _writing_left(context, fragment)
    if OPERATOR in size.texts:
        operator = size.texts[OPERATOR]
        height = math.ceil(operator.height + 2 * _TAB_PADDING)
        parts[TAB] = Box(box.x, box.y, math.ceil(tab_width(size)), height)
        parts[OPERATOR] = Box(box.x + TAB_BESIDE, box.y + _TAB_PADDING, operator.width, operator.height)
    if size.label is not None:
        parts[TITLE] = Box(x, box.y + _TAB_PADDING, size.label.width, size.label.height)
    for operand, opening in enumerate(rows.openings.get(fragment.frame.id, ())):
        if opening.line is not None:
            parts[_separator_part(operand)] = Box(box.x, opening.line, box.width, 0.0)
        block = size.texts.get(guard_part(operand))
        if block is not None:
            parts[guard_part(operand)] = Box(x, opening.guard, block.width, block.height)
    return parts
