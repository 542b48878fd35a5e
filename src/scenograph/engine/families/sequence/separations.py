"""Separation constraints between lifelines: what has to fit there (labels, loops, notes, fragments' writing). px.

Out: `Separation`s for `columns`. (R-SEQ-5, R-SEQ-8)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from scenograph.engine.families.sequence.activations import reach
from scenograph.engine.families.sequence.columns import GUTTER, Separation
from scenograph.engine.families.sequence.diagram import SequenceDiagram, head_size
from scenograph.engine.families.sequence.interaction import Event
from scenograph.engine.families.sequence.notes import NoteAnchor
from scenograph.engine.families.sequence.sizes import OPERATOR
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


def all_separations(diagram: SequenceDiagram, spots: Mapping[str, NoteAnchor]) -> Iterator[Separation]:
    """What messages, notes and fragments need, within the row of lifelines."""
    last = len(diagram.participants.lifelines) - 1
    for separation in (*_of_events(diagram, spots), *_of_fragments(diagram, spots)):
        if 0 <= separation.left < separation.right <= last:
            yield separation


def loop_width(label: float) -> float:
    """How far a message to itself reaches: its label stands above it (R-SEQ-8)."""
    return max(LEAST_LOOP, label + 2 * LOOP_LABEL_IN)


def _of_events(diagram: SequenceDiagram, spots: Mapping[str, NoteAnchor]) -> Iterator[Separation]:
    for turn, event in enumerate(diagram.interaction.events):
        round_it = FRAGMENT_PADDING * diagram.depths[turn]
        if isinstance(event, Edge):
            yield from _of_message(diagram, turn, event, round_it)
        elif isinstance(event, Node):
            yield from _of_note(diagram, event, spots[event.id], round_it)


def _of_message(diagram: SequenceDiagram, turn: int, message: Edge, round_it: float) -> Iterator[Separation]:
    source, target = message.ends
    one, other = diagram.order[source], diagram.order[target]
    levels, label = diagram.levels[turn], diagram.natural_width(message)
    if one == other:
        bars = max(reach(level, rightwards=True) for level in levels)
        yield Separation(one, one + 1, bars + loop_width(label) + GUTTER + round_it)
        return
    rightwards = other > one
    ends = abs(reach(levels.source, rightwards=rightwards)) + abs(reach(levels.target, rightwards=not rightwards))
    if diagram.born.get(target) == turn:
        ends += head_size(diagram, diagram.participants.lifelines[other])[0] / 2
    left, right = min(one, other), max(one, other)
    yield Separation(left, right, max(SHORTEST_MESSAGE, label + 2 * LABEL_SIDE) + ends)
    between = range(left + 1, right)
    if label and between and all(diagram.lives(diagram.participants.lifelines[place].id, turn) for place in between):
        bars = max(_bars_beside(diagram, place) for place in range(left, right + 1))
        yield Separation(left, right, min(label, NARROW_LABEL) + 2 * BESIDE_TAIL + bars, somewhere=True)


def _bars_beside(diagram: SequenceDiagram, place: int) -> float:
    """What the bars of a lifeline and of its neighbour take of the gap between them, at most."""
    level = diagram.top_level(diagram.participants.lifelines[place].id)
    return reach(level, rightwards=True) + reach(min(level, 0), rightwards=True)


def _of_note(diagram: SequenceDiagram, note: Node, spot: NoteAnchor, round_it: float) -> Iterator[Separation]:
    width = diagram.size(note.id).width
    room = width + 2 * NOTE_GAP + round_it
    if spot.side == "right":
        bars = reach(diagram.top_level(diagram.participants.lifelines[spot.last].id), rightwards=True)
        yield Separation(spot.last, spot.last + 1, room + bars)
    elif spot.side == "left":
        yield Separation(spot.first - 1, spot.first, room + reach(0, rightwards=True))
    elif spot.first == spot.last:
        yield Separation(spot.first, spot.first + 1, width / 2 + NOTE_GAP + round_it)
        yield Separation(spot.first - 1, spot.first, width / 2 + NOTE_GAP + round_it)
    else:
        yield Separation(spot.first, spot.last, width - 2 * OVER_MARGIN)


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


def fragment_places(diagram: SequenceDiagram, spots: Mapping[str, NoteAnchor]) -> dict[str, Places]:
    """The first and the last lifeline (by their places) that each fragment touches; of all when nothing happens in
    it."""
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


def _of_fragments(diagram: SequenceDiagram, spots: Mapping[str, NoteAnchor]) -> Iterator[Separation]:
    places = fragment_places(diagram, spots) if diagram.interaction.fragments else {}
    for fragment in diagram.interaction.fragments:
        first, size = places[fragment.frame.id][0], diagram.size(fragment.frame.id)
        bars = reach(diagram.top_level(diagram.participants.lifelines[first].id), rightwards=True)
        round_it = FRAGMENT_PADDING * (fragment.depth + 1)
        yield Separation(first, first + 1, bars + writing_width(size) + round_it)
        yield Separation(
            first - 1, first, tab_width(size) + reach(0, rightwards=True) + round_it + 2 * FRAGMENT_PADDING
        )
