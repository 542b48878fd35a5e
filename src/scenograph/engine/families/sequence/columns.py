"""Columns of lifelines, side by side. px. (R-SEQ-5)

In: the sizes of the heads, separations between lifelines, the canvas. Out: the middle of every head, from the left.
Promise: the spacing of neighbours is the largest of the equal share of the declared canvas, a gutter past the heads,
the room of a self message, and the needs of labels, notes and boxes.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from scenograph.engine.families.family import Former
from scenograph.engine.families.sequence.diagram import (
    OPERATOR,
    Container,
    Event,
    NoteAnchor,
    SequenceDiagram,
    around,
    head_size,
    parents_of,
    reach,
)
from scenograph.engine.geometry.boxes import Box, Point, union
from scenograph.engine.tables import Size
from scenograph.scene.model import Edge, Frame, Node

GUTTER = 16.0
_FREE_GAP = 48.0
"""The gap between two heads without a canvas to share."""
_BESIDE_GIVEN = 8.0  # px; the least gap beside a head with a given place after an edit
ROUGHLY = 0.02  # px; a smaller difference is rounding
WHOLE = 1.0 - ROUGHLY  # px; a smaller lack pushes nothing


class LifelineSeparation(NamedTuple):
    """A separation constraint: at least `width` px from the middle of lifeline `left` to the middle of lifeline
    `right`; `somewhere`: between two neighbours in this range."""

    left: int
    right: int
    width: float
    somewhere: bool = False


def share_of(canvas_width: float | None, count: int) -> float | None:
    """The equal share of a declared canvas."""
    return canvas_width / count if canvas_width is not None and count else None


def spacings(heads: Sequence[Head], share: float | None, separations: Iterable[LifelineSeparation]) -> list[float]:
    """The distance of the middles of each neighbouring pair, whole px. A separation across several pairs widens all of
    them equally by the missing width; a separation `somewhere` widens the widest."""
    gap = _FREE_GAP if share is None else GUTTER
    found = [math.ceil(max((a.width + b.width) / 2 + gap, share or 0.0)) for a, b in pairwise(heads)]
    for separation in sorted(
        set(separations),
        key=lambda separation: (
            separation.somewhere,
            separation.right - separation.left,
            separation.left,
            separation.width,
        ),
    ):
        between = range(separation.left, separation.right)
        if separation.somewhere:
            widest = max(between, key=lambda pair: found[pair])
            found[widest] = max(found[widest], math.ceil(separation.width))
            continue
        missing = separation.width - math.fsum(found[pair] for pair in between)
        if missing > 0 and between:
            more = math.ceil(missing / len(between))
            for pair in between:
                found[pair] += more
    return [float(spacing) for spacing in found]


class Head(NamedTuple):
    """The head of a lifeline before placement: its width, and the authored x of its left side."""

    id: str
    width: float
    x: float | None = None


def stand(heads: Sequence[Head], separations: Iterable[LifelineSeparation], share: float | None) -> dict[str, float]:
    """The left side of every head; the first free head stands at 0 when no head has a place."""
    spaced = spacings(heads, share, separations)
    if all(head.x is None for head in heads):
        middle = 0.0
        found: dict[str, float] = {}
        for head, spacing in zip(heads, [*spaced, 0.0], strict=False):
            found[head.id] = middle - head.width / 2
            middle += spacing
        return found
    return _among_given(heads, spaced)


def _among_given(heads: Sequence[Head], spaced: Sequence[float]) -> dict[str, float]:
    """The heads with authored places, and each free head to the right of its predecessor, past taken places."""
    found = {head.id: head.x for head in heads if head.x is not None}
    taken = [(head.x, head.x + head.width) for head in heads if head.x is not None]
    for turn, head in enumerate(heads):
        if head.x is not None:
            continue
        x = min(left for left, _ in taken)
        if turn:
            before = heads[turn - 1]
            x = found[before.id] + before.width / 2 + spaced[turn - 1] - head.width / 2
        x = math.floor(x)
        while hit := [right for left, right in taken if left < x + head.width + GUTTER and x < right + GUTTER]:
            x = math.ceil(max(hit) + _FREE_GAP)
        found[head.id] = float(x)
        taken.append((x, x + head.width))
    return found


# Columns after an edit. (R-KEEP-6) In: heads, separations, and the boxes of heads that stood in the chart before. Out:
# the left side of every head. Promises: a chart with its own former places is unchanged; a head stays unless another,
# or a label, is added or grows on its left; all heads from there to the next given one are pushed alike, by the lack.


class StandingColumns:
    """Heads as they stood, from left to right. Heads without a former place, and heads out of their former order in a
    chart without given places, are new: they follow their predecessor in the document."""

    def __init__(self, heads: Sequence[Head], separations: Iterable[LifelineSeparation], stood: Former) -> None:
        self._heads = heads
        self._given = {place for place, head in enumerate(heads) if head.x is not None}
        self._wishes = {place: head.x + head.width / 2 for place, head in enumerate(heads) if head.x is not None}
        former = {place: stood[one.id].center.x for place, one in self._free() if one.id in stood}
        self._wishes |= former if self._given else _in_order(former)
        self._row = self._in_a_row()
        self._rank = {place: number for number, place in enumerate(self._row)}
        self._least, self._somewhere = dict[tuple[int, int], float](), list[LifelineSeparation]()
        for left, right in pairwise(self._row):
            self._least[left, right] = (heads[left].width + heads[right].width) / 2 + self._gap(left, right, stood)
        for one in separations:
            if self._given.isdisjoint(range(one.left, one.right + 1)):
                self._demand(one)

    def lefts(self) -> dict[str, float]:
        """The left side of every head."""
        middles = self._settled()
        for one in self._somewhere:
            widest = max(pairwise(range(one.left, one.right + 1)), key=lambda pair: middles[pair[1]] - middles[pair[0]])
            self._least[widest] = max(self._least.get(widest, one.width), one.width)
            middles = self._settled()
        lefts = {place: middles[place] - head.width / 2 for place, head in enumerate(self._heads)}
        self._leave_given(lefts)
        return {head.id: lefts[place] for place, head in enumerate(self._heads)}

    def _free(self) -> Iterator[tuple[int, Head]]:
        return ((place, head) for place, head in enumerate(self._heads) if place not in self._given)

    def _in_a_row(self) -> list[int]:
        """All heads from left to right."""
        row = sorted(self._wishes, key=lambda place: (self._wishes[place], place))
        for place in range(len(self._heads)):
            if place in self._wishes:
                continue
            later = next((other for other in range(place + 1, len(self._heads)) if other in self._wishes), None)
            row.insert(row.index(place - 1) + 1 if place else row.index(later) if later is not None else 0, place)
        return row

    def _gap(self, left: int, right: int, stood: Former) -> float:
        """The least gap between two neighbours, px: the usual gap, or the smaller former gap."""
        if left not in self._wishes or right not in self._wishes:
            return _FREE_GAP
        if left in self._given or right in self._given:
            return _BESIDE_GIVEN
        one, other = stood[self._heads[left].id], stood[self._heads[right].id]
        return min(GUTTER, other.x - one.right)

    def _demand(self, separation: LifelineSeparation) -> None:
        if separation.somewhere:
            self._somewhere.append(separation)
            return
        pair = separation.left, separation.right
        if self._rank[pair[0]] < self._rank[pair[1]]:
            self._least[pair] = max(self._least.get(pair, separation.width), separation.width)

    def _settled(self) -> dict[int, float]:
        """The middle of every head: pushed to the right by heads before, to the left by given heads behind; new heads
        in the middle of their free room."""
        before, after = dict[int, list[tuple[int, float]]](), dict[int, list[tuple[int, float]]]()
        for (left, right), width in self._least.items():
            before.setdefault(right, []).append((left, width))
            after.setdefault(left, []).append((right, width))
        found = self._pushed(before)
        for place in reversed(self._row):
            room = min((found[right] - width for right, width in after.get(place, ()) if right in found), default=None)
            if place not in found:
                found[place] = 0.0 if room is None else math.floor(room + ROUGHLY)
            elif place not in self._given and room is not None and found[place] - room >= WHOLE:
                found[place] -= math.ceil(found[place] - room - ROUGHLY)
        new: list[int] = []
        for place in self._row:
            if place not in self._wishes:
                new.append(place)
                continue
            if new and self._rank[new[0]]:
                rows = ((one, right, width) for one in new for right, width in after[one] if right not in new)
                room = max(0.0, min(found[right] - width - found[one] for one, right, width in rows))
                for turn, one in enumerate(new, start=1):
                    found[one] += math.floor(room * turn / (len(new) + 1))
            new = []
        return found

    def _pushed(self, before: Mapping[int, Sequence[tuple[int, float]]]) -> dict[int, float]:
        """The heads from left to right, pushed by heads before; without new heads at the start of the row."""
        found, carried = dict[int, float](), 0.0
        for place in self._row:
            need = max((found[left] + width for left, width in before.get(place, ()) if left in found), default=None)
            wish = self._wishes.get(place)
            if wish is None:
                if need is not None:
                    found[place] = math.ceil(need - ROUGHLY)
                continue
            lack = 0.0 if need is None else need - wish - carried
            if place in self._given:
                carried = 0.0
            elif lack >= WHOLE:
                carried += math.ceil(lack - ROUGHLY)
            found[place] = wish + carried
        return found

    def _leave_given(self, lefts: dict[int, float]) -> None:
        """Move free heads from under given heads to the nearest free room."""
        widths = [head.width for head in self._heads]
        for place, head in self._free():
            taken = [
                (lefts[other] - _BESIDE_GIVEN, lefts[other] + widths[other] + _BESIDE_GIVEN) for other in self._given
            ]
            at = lefts[place]
            if not any(low < at + head.width and at < high for low, high in taken):
                continue
            taken += [
                (lefts[other] - _BESIDE_GIVEN, lefts[other] + widths[other] + _BESIDE_GIVEN)
                for other, _ in self._free()
                if other != place
            ]
            spots = [side for low, high in taken for side in (low - head.width, high)]
            free = [x for x in spots if not any(low < x + head.width and x < high for low, high in taken)]
            lefts[place] = min(free, key=lambda x: (abs(x - at), x))


def _in_order(middles: Mapping[int, float]) -> dict[int, float]:
    """The largest part of heads, by place, still in their former order from left to right."""
    ends: list[tuple[float, int]] = []
    before: dict[int, int | None] = {}
    for place, middle in sorted(middles.items()):
        at = bisect_left(ends, (middle, place))
        before[place] = ends[at - 1][1] if at else None
        ends[at : at + 1] = [(middle, place)]
    found, last = dict[int, float](), ends[-1][1] if ends else None
    while last is not None:
        found[last] = middles[last]
        last = before[last]
    return found


# Separation constraints between lifelines: what has to fit there (labels, loops, notes, fragments' writing). px.
# Out: `Separation`s for `columns`. (R-SEQ-5, R-SEQ-8)


LABEL_SIDE = 12.0  # free beside a label that stands between two tails
_SHORTEST_MESSAGE = 32.0
BESIDE_TAIL = 10.0  # between a tail (and its bars) and a label in the same gap
_NARROW_LABEL = 108.0
"""The greatest width of a label, wrapped if necessary, in each gap crossed by its message."""
_LEAST_LOOP = 44.0
LOOP_LABEL_IN = 6.0  # a loop's label begins this far from the loop's
NOTE_GAP = 12.0
OVER_MARGIN = 24.0  # how far a note over several lifelines reaches past the outer ones
FRAGMENT_PADDING = 12.0
TAB_BESIDE = 10.0  # free beside the operator in a tab
TAB_CUT = 8.0
WRITING_GAP = 10.0


def all_separations(diagram: SequenceDiagram, spots: Mapping[str, NoteAnchor]) -> Iterator[LifelineSeparation]:
    """The separations of messages, notes and fragments, within the row of lifelines."""
    last = len(diagram.participants.lifelines) - 1
    for separation in (*_of_events(diagram, spots), *_of_fragments(diagram, spots)):
        if 0 <= separation.left < separation.right <= last:
            yield separation


def loop_width(label: float) -> float:
    """The reach of a self message, px: its label stands above (R-SEQ-8)."""
    return max(_LEAST_LOOP, label + 2 * LOOP_LABEL_IN)


def _of_events(diagram: SequenceDiagram, spots: Mapping[str, NoteAnchor]) -> Iterator[LifelineSeparation]:
    for turn, event in enumerate(diagram.interaction.events):
        round_it = FRAGMENT_PADDING * diagram.depths[turn]
        if isinstance(event, Edge):
            yield from _of_message(diagram, turn, event, round_it)
        elif isinstance(event, Node):
            yield from _separations_of_note(diagram, event, spots[event.id], round_it)


def _of_message(diagram: SequenceDiagram, turn: int, message: Edge, round_it: float) -> Iterator[LifelineSeparation]:
    source, target = message.ends
    one, other = diagram.order[source], diagram.order[target]
    levels, label = diagram.levels[turn], diagram.natural_width(message)
    if one == other:
        bars = max(reach(level, rightwards=True) for level in levels)
        yield LifelineSeparation(one, one + 1, bars + loop_width(label) + GUTTER + round_it)
        return
    rightwards = other > one
    ends = abs(reach(levels.source, rightwards=rightwards)) + abs(reach(levels.target, rightwards=not rightwards))
    if diagram.born.get(target) == turn:
        ends += head_size(diagram, diagram.participants.lifelines[other])[0] / 2
    left, right = min(one, other), max(one, other)
    yield LifelineSeparation(left, right, max(_SHORTEST_MESSAGE, label + 2 * LABEL_SIDE) + ends)
    between = range(left + 1, right)
    if label and between and all(diagram.lives(diagram.participants.lifelines[place].id, turn) for place in between):
        bars = max(_bars_beside(diagram, place) for place in range(left, right + 1))
        yield LifelineSeparation(left, right, min(label, _NARROW_LABEL) + 2 * BESIDE_TAIL + bars, somewhere=True)


def _bars_beside(diagram: SequenceDiagram, place: int) -> float:
    """The most that the bars of a lifeline and its neighbour take of the gap in between, px."""
    level = diagram.top_level(diagram.participants.lifelines[place].id)
    return reach(level, rightwards=True) + reach(min(level, 0), rightwards=True)


def _separations_of_note(
    diagram: SequenceDiagram, note: Node, spot: NoteAnchor, round_it: float
) -> Iterator[LifelineSeparation]:
    width = diagram.size(note.id).width
    room = width + 2 * NOTE_GAP + round_it
    if spot.side == "right":
        bars = reach(diagram.top_level(diagram.participants.lifelines[spot.last].id), rightwards=True)
        yield LifelineSeparation(spot.last, spot.last + 1, room + bars)
    elif spot.side == "left":
        yield LifelineSeparation(spot.first - 1, spot.first, room + reach(0, rightwards=True))
    elif spot.first == spot.last:
        yield LifelineSeparation(spot.first, spot.first + 1, width / 2 + NOTE_GAP + round_it)
        yield LifelineSeparation(spot.first - 1, spot.first, width / 2 + NOTE_GAP + round_it)
    else:
        yield LifelineSeparation(spot.first, spot.last, width - 2 * OVER_MARGIN)


def writing_width(size: Size) -> float:
    """The width of a fragment's title and guards, free room on both sides included; 0 without any."""
    widths = [block.width for part, block in size.texts.items() if part != OPERATOR]
    if size.label is not None:
        widths.append(size.label.width)
    return max(widths) + 2 * WRITING_GAP if widths else 0.0


def tab_width(size: Size) -> float:
    """The width of the tab with a fragment's operator; 0 without an operator."""
    return size.texts[OPERATOR].width + 2 * TAB_BESIDE + TAB_CUT if OPERATOR in size.texts else 0.0


Places = tuple[int, int]


def fragment_places(diagram: SequenceDiagram, spots: Mapping[str, NoteAnchor]) -> dict[str, Places]:
    """The first and the last lifeline, by place, touched by each fragment; all lifelines for an empty fragment."""
    found: dict[str, Places] = {}
    for number, turns, inner in diagram.interaction.own_turns():
        frame = diagram.interaction.fragments[number].frame
        places = [diagram.order[child] for child in frame.children if child in diagram.order]
        for child in inner:
            places += found[diagram.interaction.fragments[child].frame.id]
        for turn in turns:
            places += _places_of(diagram, diagram.interaction.events[turn], spots)
        found[frame.id] = (min(places), max(places)) if places else (0, len(diagram.participants.lifelines) - 1)
    return found


def _places_of(diagram: SequenceDiagram, event: Event, spots: Mapping[str, NoteAnchor]) -> Places | tuple[()]:
    if isinstance(event, Edge):
        return diagram.order[event.source.element_id], diagram.order[event.target.element_id]
    if isinstance(event, Node):
        return spots[event.id].first, spots[event.id].last
    return ()


def _of_fragments(diagram: SequenceDiagram, spots: Mapping[str, NoteAnchor]) -> Iterator[LifelineSeparation]:
    places = fragment_places(diagram, spots) if diagram.interaction.fragments else {}
    for fragment in diagram.interaction.fragments:
        first, size = places[fragment.frame.id][0], diagram.size(fragment.frame.id)
        bars = reach(diagram.top_level(diagram.participants.lifelines[first].id), rightwards=True)
        round_it = FRAGMENT_PADDING * (fragment.depth + 1)
        yield LifelineSeparation(first, first + 1, bars + writing_width(size) + round_it)
        yield LifelineSeparation(
            first - 1, first, tab_width(size) + reach(0, rightwards=True) + round_it + 2 * FRAGMENT_PADDING
        )


# The boxes round lifelines: their reach, their least size, their places. px. (R-SEQ-15) A box holds the heads and feet
# of its lifelines, and everything on these lifelines alone: messages to themselves, notes over and beside, bars. Its
# title stands above the heads, for every container type.


_BOX_PADDING = 12.0
_TITLE_ROOM = 20.0  # above and below a box's title
_TITLE_BESIDE = 16.0
_HEADER_BAND = 24.0  # R-POOL-2, title header of a pool
_GROUP_LABEL_GAP = 4.0


class Reach(NamedTuple):
    """The extent to the left and right of the lifelines of an element, px."""

    left: float
    right: float

    def joined(self, other: Reach) -> Reach:
        """The reach covering both."""
        return Reach(max(self.left, other.left), max(self.right, other.right))


def reaches(diagram: SequenceDiagram, spots: Mapping[str, NoteAnchor], *, natural: bool = False) -> list[Reach]:
    """The reach of every lifeline, from the left: its head, and events on the lifeline alone; with natural or with
    wrapped labels."""
    halves = [head_size(diagram, node)[0] / 2 for node in diagram.participants.lifelines]
    found = [Reach(half, half) for half in halves]
    for turn, event in enumerate(diagram.interaction.events):
        place, own = 0, None
        if isinstance(event, Edge) and event.source.element_id == event.target.element_id:
            bars = max(reach(level, rightwards=True) for level in diagram.levels[turn])
            label = diagram.natural_width(event) if natural else diagram.size(event.id).width
            of_loop = Reach(0.0, bars + loop_width(label))
            place, own = diagram.order[event.source.element_id], of_loop
        elif isinstance(event, Node):
            place, own = spots[event.id].beside, _reach_of_note(diagram, event, spots[event.id])
        if own is not None:
            found[place] = found[place].joined(own)
    return found


def _reach_of_note(diagram: SequenceDiagram, note: Node, spot: NoteAnchor) -> Reach | None:
    """The reach of a note; None for a note at an authored place or over several lifelines, which widens no box."""
    width = diagram.size(note.id).width
    if note.layout.mode == "absolute":
        return None
    if spot.side == "right":
        bars = reach(diagram.top_level(diagram.participants.lifelines[spot.last].id), rightwards=True)
        return Reach(0.0, bars + NOTE_GAP + width)
    if spot.side == "left":
        return Reach(reach(0, rightwards=True) + NOTE_GAP + width, 0.0)
    return Reach(width / 2, width / 2) if spot.first == spot.last else None


def box_separations(diagram: SequenceDiagram, spots: Mapping[str, NoteAnchor]) -> Iterator[LifelineSeparation]:
    """The separations of neighbours divided by a box border: room for the borders and their content. The lifelines of a
    box also stand far enough apart for the title."""
    if not diagram.participants.boxes:
        return
    parents, own = parents_of(diagram.participants.boxes), reaches(diagram, spots, natural=True)
    rows = [around(node.id, parents) for node in diagram.participants.lifelines]
    places: dict[str, list[int]] = {}
    for place, row in enumerate(rows):
        for box in row:
            places.setdefault(box, []).append(place)
    lefts, rights = [one.left for one in own], [one.right for one in own]
    outer: dict[str, Reach] = {}
    for box in reversed(diagram.participants.boxes):
        first, last = places[box.id][0], places[box.id][-1]
        bare = Reach(lefts[first] + _BOX_PADDING, rights[last] + _BOX_PADDING)
        least = _title_width(diagram, box)
        if first < last and least:
            yield LifelineSeparation(first, last, least - math.fsum(bare))
        spare = math.ceil(max(0.0, least - math.fsum(bare)) / 2) if first == last else 0.0
        outer[box.id] = Reach(bare.left + spare, bare.right + spare)
        lefts[first], rights[last] = outer[box.id]
    for place, (here, there) in enumerate(pairwise(rows)):
        if here == there:
            continue
        right = next((outer[box].right for box in here if box not in there), own[place].right)
        left = next((outer[box].left for box in there if box not in here), own[place + 1].left)
        yield LifelineSeparation(place, place + 1, math.ceil(right + left + GUTTER))


def _title_width(diagram: SequenceDiagram, box: Container) -> float:
    """The width of a box's title, free room on both sides included; 0 without a title."""
    title = diagram.size(box.id).label if isinstance(box, Frame) else None
    return title.width + 2 * _TITLE_BESIDE if title is not None else 0.0


def title_room(diagram: SequenceDiagram, box: Container) -> float:
    """The room of a box above its heads, px."""
    label = diagram.size(box.id).label
    if label is None:
        return _BOX_PADDING
    return math.ceil(label.height) + _TITLE_ROOM if isinstance(box, Frame) else _BOX_PADDING


def lifeline_boxes(
    diagram: SequenceDiagram, columns: Mapping[str, Box], spots: Mapping[str, NoteAnchor]
) -> dict[str, Box]:
    """The boxes round their lifelines from head to foot (`columns`), with events on these lifelines alone, and nested
    boxes; a box with an authored place stands at its place."""
    wide = _widened(diagram, columns, spots) if diagram.participants.boxes else {}
    found: dict[str, Box] = {}
    for box in reversed(diagram.participants.boxes):
        held = [found.get(child) or wide.get(child) for child in box.children]
        content = union(one for one in held if one is not None)
        if content is None:
            continue
        bare = content.width + 2 * _BOX_PADDING
        spare = math.ceil(max(0.0, _title_width(diagram, box) - bare) / 2)
        left, top = content.x - _BOX_PADDING - spare, content.y - title_room(diagram, box)
        drawn = Box(left, top, bare + 2 * spare, content.bottom + _BOX_PADDING - top)
        found[box.id] = _placed(
            box, _as_wide_as_before(diagram, box, drawn, columns) if box.id in diagram.former else drawn
        )
    return found


def _as_wide_as_before(diagram: SequenceDiagram, box: Container, drawn: Box, columns: Mapping[str, Box]) -> Box:
    """The box with its former room beside lifelines, up to the next lifeline outside (R-KEEP-6)."""
    was, parents = diagram.former[box.id], parents_of(diagram.participants.boxes)
    inside = {key for key in columns if box.id in around(key, parents)}
    stood = [key for key in inside if key in diagram.former]
    if not stood:
        return drawn
    left = min(columns[key].x for key in stood) - min(diagram.former[key].x for key in stood) + was.x
    right = max(columns[key].right for key in stood) - max(diagram.former[key].right for key in stood) + was.right
    others = [column for key, column in columns.items() if key not in inside]
    left = min(left, drawn.x) if not any(left - GUTTER < one.right <= drawn.x for one in others) else drawn.x
    right = max(right, drawn.right) if not any(drawn.right <= one.x < right + GUTTER for one in others) else drawn.right
    return Box(left, drawn.y, right - left, drawn.height)


def _widened(diagram: SequenceDiagram, columns: Mapping[str, Box], spots: Mapping[str, NoteAnchor]) -> dict[str, Box]:
    """The columns widened by events on single lifelines."""
    found: dict[str, Box] = {}
    for node, own in zip(diagram.participants.lifelines, reaches(diagram, spots), strict=True):
        box = columns[node.id]
        left, right = math.floor(box.center.x - own.left), math.ceil(box.center.x + own.right)
        left, right = min(left, box.x), max(right, box.right)
        found[node.id] = Box(left, box.y, right - left, box.height)
    return found


def _placed(box: Container, drawn: Box) -> Box:
    """The box at its authored place, if any."""
    layout = box.layout
    if layout.mode != "absolute" or (layout.x is None and layout.y is None):
        return drawn
    corner = Point(layout.x or 0.0, layout.y or 0.0)
    return Box(corner.x, corner.y, layout.width or drawn.width, layout.height or drawn.height)


def title_parts(diagram: SequenceDiagram, box: Container, place: Box, parts: Mapping[str, Box]) -> Mapping[str, Box]:
    """The parts of a box with its title above the heads: a header at the side would run through them."""
    label, header = diagram.size(box.id).label, parts.get("header")
    if label is None or header is None or not isinstance(box, Frame):
        return parts
    height = max(_HEADER_BAND, math.ceil(label.height) + _TITLE_BESIDE / 2)
    return {"header": Box(place.x, place.y, place.width, height)}


def room_above(diagram: SequenceDiagram) -> float:
    """The room for nested boxes and group labels above the heads, px."""
    parents = {child: box.id for box in diagram.participants.boxes for child in box.children}
    rooms: dict[str, float] = {}
    for box in diagram.participants.boxes:
        label = diagram.size(box.id).label
        above = label.height + _GROUP_LABEL_GAP if label is not None and not isinstance(box, Frame) else 0.0
        rooms[box.id] = rooms.get(parents.get(box.id, ""), 0.0) + title_room(diagram, box) + math.ceil(above)
    return max(rooms.values(), default=0.0)
