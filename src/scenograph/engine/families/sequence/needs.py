"""What has to fit between lifelines: labels, loops, notes, fragments' writing. px.

Out: `Need`s for `columns`. (specification: "Sequence family", 5 and 8)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from scenograph.engine.families.sequence.activations import reach
from scenograph.engine.families.sequence.columns import GUTTER, Need
from scenograph.engine.families.sequence.notes import Spot
from scenograph.engine.families.sequence.script import Event
from scenograph.engine.families.sequence.sizes import OPERATOR
from scenograph.engine.families.sequence.stage import Stage, head_size
from scenograph.engine.tables import Size
from scenograph.scene.model import Edge, Node

LABEL_SIDE = 12.0  # free beside a label that stands between two tails
SHORTEST_MESSAGE = 32.0
BESIDE_TAIL = 10.0  # between a tail (and its bars) and a label that stands in one gap
NARROW_LABEL = 108.0
"""So wide a label may be, wrapped if need be, in one of the gaps that its message leads through."""
LEAST_LOOP = 44.0
LOOP_LABEL_IN = 6.0  # a loop's label begins this far from the loop's
NOTE_GAP = 12.0
OVER_MARGIN = 24.0  # how far a note over several lifelines reaches past the outer ones
FRAGMENT_PADDING = 12.0
TAB_BESIDE = 10.0  # free beside the operator in its tab
TAB_CUT = 8.0
WRITING_GAP = 10.0


def all_needs(stage: Stage, spots: Mapping[str, Spot]) -> Iterator[Need]:
    """What messages, notes and fragments need, within the row of lifelines."""
    last = len(stage.cast.lifelines) - 1
    for need in (*_of_events(stage, spots), *_of_fragments(stage, spots)):
        if 0 <= need.left < need.right <= last:
            yield need


def loop_width(label: float) -> float:
    """How far a message to itself reaches: its label stands above it (specification: "Sequence family", 8)."""
    return max(LEAST_LOOP, label + 2 * LOOP_LABEL_IN)


def _of_events(stage: Stage, spots: Mapping[str, Spot]) -> Iterator[Need]:
    for turn, event in enumerate(stage.script.events):
        round_it = FRAGMENT_PADDING * stage.depths[turn]
        if isinstance(event, Edge):
            yield from _of_message(stage, turn, event, round_it)
        elif isinstance(event, Node):
            yield from _of_note(stage, event, spots[event.id], round_it)


def _of_message(stage: Stage, turn: int, message: Edge, round_it: float) -> Iterator[Need]:
    source, target = message.source.element_id, message.target.element_id
    one, other = stage.order[source], stage.order[target]
    levels, label = stage.levels[turn], stage.natural_width(message)
    if one == other:
        bars = max(reach(level, rightwards=True) for level in levels)
        yield Need(one, one + 1, bars + loop_width(label) + GUTTER + round_it)
        return
    rightwards = other > one
    ends = abs(reach(levels.source, rightwards=rightwards)) + abs(reach(levels.target, rightwards=not rightwards))
    if stage.born.get(target) == turn:
        ends += _half_head(stage, other)
    left, right = min(one, other), max(one, other)
    yield Need(left, right, max(SHORTEST_MESSAGE, label + 2 * LABEL_SIDE) + ends)
    between = range(left + 1, right)
    if label and between and all(stage.lives(stage.cast.lifelines[place].id, turn) for place in between):
        bars = max(_bars_beside(stage, place) for place in range(left, right + 1))
        yield Need(left, right, min(label, NARROW_LABEL) + 2 * BESIDE_TAIL + bars, somewhere=True)


def _bars_beside(stage: Stage, place: int) -> float:
    """What the bars of a lifeline and of its neighbour take of the gap between them, at most."""
    level = stage.top_level(stage.cast.lifelines[place].id)
    return reach(level, rightwards=True) + reach(min(level, 0), rightwards=True)


def _half_head(stage: Stage, place: int) -> float:
    return head_size(stage, stage.cast.lifelines[place])[0] / 2


def _of_note(stage: Stage, note: Node, spot: Spot, round_it: float) -> Iterator[Need]:
    width = stage.size(note.id).width
    room = width + 2 * NOTE_GAP + round_it
    if spot.side == "right":
        bars = reach(stage.top_level(stage.cast.lifelines[spot.last].id), rightwards=True)
        yield Need(spot.last, spot.last + 1, room + bars)
    elif spot.side == "left":
        yield Need(spot.first - 1, spot.first, room + reach(0, rightwards=True))
    elif spot.first == spot.last:
        yield Need(spot.first, spot.first + 1, width / 2 + NOTE_GAP + round_it)
        yield Need(spot.first - 1, spot.first, width / 2 + NOTE_GAP + round_it)
    else:
        yield Need(spot.first, spot.last, width - 2 * OVER_MARGIN)


def writing_width(size: Size) -> float:
    """What a fragment's title and guards need, free room on both sides included; 0 without any."""
    widths = [block.width for part, block in size.texts.items() if part != OPERATOR]
    if size.label is not None:
        widths.append(size.label.width)
    return max(widths) + 2 * WRITING_GAP if widths else 0.0


def tab_width(size: Size) -> float:
    """The tab with a fragment's operator; 0 without one."""
    return size.texts[OPERATOR].width + 2 * TAB_BESIDE + TAB_CUT if OPERATOR in size.texts else 0.0


Places = tuple[int, int]


def fragment_places(stage: Stage, spots: Mapping[str, Spot]) -> dict[str, Places]:
    """The first and the last lifeline (by their places) that each fragment touches; of all when nothing happens in
    it."""
    found: dict[str, Places] = {}
    for number, turns, inner in stage.script.own_turns():
        frame = stage.script.fragments[number].frame
        places = [stage.order[child] for child in frame.children if child in stage.order]
        for child in inner:
            places += found[stage.script.fragments[child].frame.id]
        for turn in turns:
            places += _places_of(stage, stage.script.events[turn], spots)
        found[frame.id] = (min(places), max(places)) if places else (0, len(stage.cast.lifelines) - 1)
    return found


def _places_of(stage: Stage, event: Event, spots: Mapping[str, Spot]) -> Places | tuple[()]:
    if isinstance(event, Edge):
        return stage.order[event.source.element_id], stage.order[event.target.element_id]
    if isinstance(event, Node):
        return spots[event.id].first, spots[event.id].last
    return ()


def _of_fragments(stage: Stage, spots: Mapping[str, Spot]) -> Iterator[Need]:
    places = fragment_places(stage, spots) if stage.script.fragments else {}
    for fragment in stage.script.fragments:
        first, size = places[fragment.frame.id][0], stage.size(fragment.frame.id)
        bars = reach(stage.top_level(stage.cast.lifelines[first].id), rightwards=True)
        round_it = FRAGMENT_PADDING * (fragment.depth + 1)
        yield Need(first, first + 1, bars + writing_width(size) + round_it)
        yield Need(first - 1, first, tab_width(size) + reach(0, rightwards=True) + round_it + 2 * FRAGMENT_PADDING)
