"""Where messages run and where their labels stand. px. (R-SEQ-7, R-SEQ-8)"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from scenograph.engine.families.sequence.activations import reach
from scenograph.engine.families.sequence.diagram import SequenceDiagram
from scenograph.engine.families.sequence.separations import BESIDE_TAIL, LABEL_SIDE, LOOP_LABEL_IN, loop_width
from scenograph.engine.families.sequence.timeline import LABEL_GAP, Span
from scenograph.engine.geometry.boxes import Box
from scenograph.engine.tables import Size
from scenograph.late_dataclasses import dataclass
from scenograph.scene.model import Edge

CLEAR_OF_TAIL = 4.0
ABOUT_AS_NEAR = 24.0
_SLACK = 0.01
CROSS = 7.0  # from the tip of a cross to its middle
START, END, LOOP, LABEL, COVERED = "start", "end", "loop", "label", "covered"
"""The parts of a message: points as boxes without extent, the box of a loop, the label's box; of an edge that is not to
be seen, what covers it."""


@dataclass(frozen=True, slots=True)
class MessageLine:
    """A message from side to side: the x of its ends; of a loop also how far it reaches, of a message that creates a
    lifeline the far side of the head (else None)."""

    start: float
    end: float
    loop: float | None = None
    beyond: float | None = None


def message_line_of(diagram: SequenceDiagram, heads: Mapping[str, Box], turn: int, message: Edge) -> MessageLine:
    """From the edge of the source's bars to that of the target's, to the head that it creates, or so far past the
    tail that it ends that the cross stands on the tail."""
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
    """What a level line may cross: the tails of lifelines and the sides of boxes, from left to right."""

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

    def label_left(self, turn: int, way: MessageLine) -> float:
        """The left side of a message's label: in the middle between the ends; where something would run through it,
        in the middle of the gap that is wide enough and nearest, if there is one."""
        width = self._stage.size(self._stage.interaction.events[turn].id).width
        if way.loop is not None:
            return max(way.start, way.end) + LOOP_LABEL_IN
        gaps, middle = self._gaps(turn, way), (way.start + way.end) / 2
        if len(gaps) == 1 or width <= _clear_in_the_middle(gaps, middle):
            return middle - width / 2
        spots = [(a + b) / 2 for a, b in gaps if b - a >= width + 2 * BESIDE_TAIL - _SLACK]
        return _best(spots, middle, way.start) - width / 2

    def room(self, turn: int, way: MessageLine) -> float:
        """How wide a label may be so that nothing runs through it."""
        gaps = self._gaps(turn, way)
        if len(gaps) == 1:
            return gaps[0][1] - gaps[0][0] - LABEL_SIDE
        widest = max(b - a for a, b in gaps) - 2 * BESIDE_TAIL
        return max(widest, _clear_in_the_middle(gaps, (way.start + way.end) / 2))

    def _gaps(self, turn: int, way: MessageLine) -> list[tuple[float, float]]:
        """What is free between the ends of a message, from left to right."""
        low, high = min(way.start, way.end), max(way.start, way.end)
        crossed = [self._sides[at] for at in self._between(low + 1, high - 1, turn)]
        return [(a[1], b[0]) for a, b in pairwise([(low, low), *crossed, (high, high)])]

    def _between(self, low: float, high: float, turn: int) -> list[int]:
        first, last = bisect_left(self._xs, low), bisect_right(self._xs, high)
        return [at for at in range(first, last) if self._is_there(self._owners[at], turn)]

    def _is_there(self, owner: str, turn: int) -> bool:
        return not owner or self._stage.lives(owner, turn)


def _clear_in_the_middle(gaps: Sequence[tuple[float, float]], middle: float) -> float:
    """The widest label that stands in the middle of a message without touching what it crosses."""
    reaches = (min(middle - a, b - middle) for a, b in gaps if a < middle < b)
    return 2 * max(reaches, default=0.0) - 2 * CLEAR_OF_TAIL


def _best(spots: Sequence[float], middle: float, source: float) -> float:
    """The spot nearest to the middle; among those that are about as near, the one next to the sender."""
    least = min((abs(spot - middle) for spot in spots), default=0.0)
    near = [spot for spot in spots if abs(spot - middle) <= least + ABOUT_AS_NEAR]
    return min(near, key=lambda spot: abs(spot - source), default=middle)


def span_of(way: MessageLine, left: float, label: Size) -> Span:
    """What a message and its label cover, with the head that it creates."""
    ends = [x for x in (way.start, way.end, way.loop, way.beyond) if x is not None]
    if label.width:
        ends += [left, left + label.width]
    return Span(min(ends), max(ends))


def line_parts(way: MessageLine, line: tuple[float, float], left: float, label: Size) -> dict[str, Box]:
    """A message's parts at the height of its line and of its way back."""
    top, back = line
    parts = {START: Box(way.start, top, 0.0, 0.0), END: Box(way.end, back, 0.0, 0.0)}
    if way.loop is not None:
        low = min(way.start, way.end)
        parts[LOOP] = Box(low, top, way.loop - low, back - top)
    if label.label is not None:
        parts[LABEL] = Box(left, top - LABEL_GAP - label.height, label.width, label.height)
    return parts
