"""The chart put together: heads, tails, bars, feet, messages, notes, fragments, boxes. px.

In: a `SequenceDiagram` and the corner to begin at. Out: boxes and parts by id. Positions that authors gave hold: the x
of heads and the y of those that are there from the start, notes, boxes round lifelines. The y of a created lifeline is
its message's, and a fragment is drawn round its messages.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

from scenograph.engine.families.sequence.activations import STEP, WIDTH, reach
from scenograph.engine.families.sequence.columns import Head, share_of, stand
from scenograph.engine.families.sequence.diagram import SequenceDiagram, head_height, head_size, is_rigid
from scenograph.engine.families.sequence.fragment_boxes import (
    FragmentContext,
    fragment_boxes,
    fragment_parts,
)
from scenograph.engine.families.sequence.lifeline_boxes import box_separations, lifeline_boxes, title_parts
from scenograph.engine.families.sequence.message_lines import (
    COVERED,
    Crossings,
    MessageLine,
    line_parts,
    message_line_of,
    span_of,
)
from scenograph.engine.families.sequence.notes import NoteAnchor, spots
from scenograph.engine.families.sequence.participants import ACTOR
from scenograph.engine.families.sequence.separations import NOTE_GAP, OVER_MARGIN, all_separations, fragment_places
from scenograph.engine.families.sequence.sizes import actor_parts
from scenograph.engine.families.sequence.timeline import Rows, Span, TimelineSetting, tell
from scenograph.engine.geometry.boxes import Box, Point
from scenograph.engine.tables import Placement
from scenograph.late_dataclasses import dataclass
from scenograph.scene.model import Edge, Frame, Group, Node

FOOT_GAP = 14.0  # between the last row and the feet
LEAST_BAR = 8.0
WRITING_GAP = 4.0  # between a name that stands on the page and the tail below it
TAIL, FOOT, BAR = "tail", "foot", "activation"
FOOT_PREFIX = "foot:"

Parts = dict[str, Mapping[str, Box]]
InnerParts = Callable[[Mapping[str, Box]], Mapping[str, Mapping[str, Box]]]
"""The stage's own parts (labels, icons, titles) of some boxes."""


@dataclass(frozen=True, slots=True)
class _Plan:
    """Where everything goes, while the chart is put together."""

    diagram: SequenceDiagram
    heads: Mapping[str, Box]
    spots: Mapping[str, NoteAnchor]
    ways: Mapping[int, MessageLine]
    lefts: Mapping[int, float]
    rows: Rows
    notes: Mapping[str, Box]
    spans: Mapping[int, Span]


def draw_up(diagram: SequenceDiagram, origin: Point, inner_parts: InnerParts) -> Placement:
    """The chart with its first head at `origin` where no head has a place."""
    plan = _plan(diagram, origin)
    heads, feet = _heads_in_place(plan)
    found = FragmentContext(diagram, heads, plan.spans, fragment_places(diagram, plan.spots))
    fragments = fragment_boxes(found, plan.rows)
    boxes: dict[str, Box] = {**heads, **plan.notes, **fragments, **_boxes_round(plan, heads, feet)}
    parts: Parts = dict(inner_parts(boxes))
    for box in diagram.participants.boxes:
        parts[box.id] = title_parts(diagram, box, boxes[box.id], parts.get(box.id, {})) if box.id in boxes else {}
    for fragment in diagram.interaction.fragments:
        parts[fragment.frame.id] = fragment_parts(found, fragment, fragments[fragment.frame.id], plan.rows)
    for node in diagram.participants.lifelines:
        parts[node.id] = _lifeline_parts(plan, node, heads[node.id], feet, parts.get(node.id, {}))
    for turn, way in plan.ways.items():
        message = diagram.interaction.events[turn]
        parts[message.id] = line_parts(way, plan.rows.lines[turn], plan.lefts[turn], diagram.size(message.id))
    parts.update(_ties(plan, heads, feet))
    return Placement(boxes=boxes, parts={key: row for key, row in parts.items() if row})


def _plan(diagram: SequenceDiagram, origin: Point) -> _Plan:
    found = spots(diagram)
    heads = heads_of(diagram, found, origin)
    ways = {
        turn: message_line_of(diagram, heads, turn, event)
        for turn, event in enumerate(diagram.interaction.events)
        if isinstance(event, Edge)
    }
    crossings = Crossings(diagram, heads, lifeline_boxes(diagram, heads, found).values())
    lefts = {turn: crossings.label_left(turn, way) for turn, way in ways.items()}
    notes = {note.id: _note_box(diagram, note, found[note.id], heads) for note in diagram.participants.notes}
    spans = {turn: _span(diagram, turn, ways, lefts, notes) for turn in range(len(diagram.interaction.events))}
    spans = {turn: span for turn, span in spans.items() if span is not None}
    setting = TimelineSetting(
        sizes=diagram.sizes,
        spans=spans,
        heads={turn: head_height(diagram) for turn in diagram.born.values()},
        loops=frozenset(turn for turn, way in ways.items() if way.loop is not None),
        placed={note.id: notes[note.id] for note in diagram.participants.notes if position_of(note) is not None},
    )
    rows = tell(diagram.interaction, setting, _band_bottom(diagram, heads))
    return _Plan(diagram, heads, found, ways, lefts, rows, _standing(diagram, notes, rows), spans)


def position_of(element: Node | Frame | Group) -> Point | None:
    """The place that its author gave."""
    layout = element.layout
    if layout.mode != "absolute" or (layout.x is None and layout.y is None):
        return None
    return Point(layout.x or 0.0, layout.y or 0.0)


def heads_of(diagram: SequenceDiagram, found: Mapping[str, NoteAnchor], origin: Point) -> dict[str, Box]:
    """Every head at its x; those that are not created, at their y."""
    height, rows = head_height(diagram), diagram.participants.lifelines
    sizes = {node.id: head_size(diagram, node) for node in rows}
    places = {node.id: position_of(node) for node in rows}
    heads = [
        Head(node.id, sizes[node.id][0], place.x if (place := places[node.id]) is not None else None) for node in rows
    ]
    free = all(head.x is None for head in heads)
    share = share_of(diagram.scene.canvas.width, len(heads)) if free else None
    xs = stand(heads, [*all_separations(diagram, found), *box_separations(diagram, found)], share)
    given = [place.y for key, place in places.items() if place is not None and key not in diagram.born]
    top = min(given, default=origin.y)
    shift = origin.x if free else 0.0
    boxes: dict[str, Box] = {}
    for node in rows:
        width, own = sizes[node.id]
        place, below = places[node.id], diagram.size(node.id).outset.bottom
        y = top if place is None or node.id in diagram.born else place.y
        if is_rigid(diagram, node):
            y = y if place is not None else y + height - own - below
            boxes[node.id] = Box(xs[node.id] + shift, y, width, own)
        else:
            boxes[node.id] = Box(xs[node.id] + shift, y, width, height)
    return boxes


def _band_bottom(diagram: SequenceDiagram, heads: Mapping[str, Box]) -> float:
    """Where the rows begin: below all heads that are there from the start."""
    rows = [heads[node.id] for node in diagram.participants.lifelines if node.id not in diagram.born]
    outsets = [
        diagram.size(node.id).outset.bottom for node in diagram.participants.lifelines if node.id not in diagram.born
    ]
    bottoms = [box.bottom + below for box, below in zip(rows, outsets, strict=True)]
    return max(bottoms, default=min((box.y for box in heads.values()), default=0.0))


def _note_box(diagram: SequenceDiagram, note: Node, spot: NoteAnchor, heads: Mapping[str, Box]) -> Box:
    """A note at its x, or where its author put it."""
    size, place = diagram.size(note.id), position_of(note)
    if place is not None:
        return Box(place.x, place.y, size.width, size.height)
    rows = diagram.participants.lifelines
    first, last = heads[rows[spot.first].id].center.x, heads[rows[spot.last].id].center.x
    width = note_width(diagram, note, spot, heads)
    if spot.side == "right":
        beside = reach(diagram.top_level(rows[spot.last].id), rightwards=True) + NOTE_GAP
        return Box(math.floor(last + beside), 0.0, width, size.height)
    if spot.side == "left":
        return Box(math.floor(first - reach(0, rightwards=True) - NOTE_GAP - width), 0.0, width, size.height)
    return Box(math.floor((first + last - width) / 2), 0.0, width, size.height)


def note_width(diagram: SequenceDiagram, note: Node, spot: NoteAnchor, heads: Mapping[str, Box]) -> float:
    """How wide a note is: over several lifelines it reaches past the outer ones."""
    width, rows = diagram.size(note.id).width, diagram.participants.lifelines
    first, last = heads[rows[spot.first].id].center.x, heads[rows[spot.last].id].center.x
    if spot.side is not None or first == last or note.layout.width is not None:
        return width
    return max(width, math.ceil(abs(last - first) + 2 * OVER_MARGIN))


def _span(
    diagram: SequenceDiagram,
    turn: int,
    ways: Mapping[int, MessageLine],
    lefts: Mapping[int, float],
    notes: Mapping[str, Box],
) -> Span | None:
    event = diagram.interaction.events[turn]
    if turn in ways:
        return span_of(ways[turn], lefts[turn], diagram.size(event.id))
    box = notes.get(event.id)
    return None if box is None else Span(box.x, box.right)


def _standing(diagram: SequenceDiagram, notes: Mapping[str, Box], rows: Rows) -> dict[str, Box]:
    """The notes at their heights."""
    placed = {note.id for note in diagram.participants.notes if position_of(note) is not None}
    return {
        key: box if key in placed else Box(box.x, rows.notes.get(key, box.y), box.width, box.height)
        for key, box in notes.items()
    }


def _heads_in_place(plan: _Plan) -> tuple[dict[str, Box], float]:
    """The heads, those that are created beside their messages; and the top of the feet."""
    heads = dict(plan.heads)
    for lifeline, turn in plan.diagram.born.items():
        box = heads[lifeline]
        heads[lifeline] = Box(box.x, plan.rows.lines[turn][0] - box.height / 2, box.width, box.height)
    return heads, plan.rows.bottom + FOOT_GAP


def _boxes_round(plan: _Plan, heads: Mapping[str, Box], feet: float) -> dict[str, Box]:
    """The boxes round lifelines."""
    diagram = plan.diagram
    top = min((box.y for box in heads.values()), default=0.0)
    foot = head_height(diagram) if diagram.scene.show_lifeline_feet else 0.0
    columns = {key: Box(box.x, top, box.width, feet + foot - top) for key, box in heads.items()}
    return lifeline_boxes(diagram, columns, plan.spots)


def _lifeline_parts(plan: _Plan, node: Node, head: Box, feet: float, inner: Mapping[str, Box]) -> Mapping[str, Box]:
    """The tail, the bars and the foot of a lifeline, and what stands in its head and foot."""
    diagram, size = plan.diagram, plan.diagram.size(node.id)
    gone = diagram.gone.get(node.id)
    is_actor = node.node_type == ACTOR
    written_outside = is_actor or size.outset.bottom > 0
    top = head.bottom + size.outset.bottom + (WRITING_GAP if written_outside else 0.0)
    end = feet if gone is None else plan.rows.lines[gone][1]
    own = dict(actor_parts(head, size.label, mirrored=False) if is_actor else inner)
    own[TAIL] = Box(head.center.x, top, 0.0, max(0.0, end - top))
    own |= _bars(plan, node.id, head.center.x)
    if gone is None and diagram.scene.show_lifeline_feet:
        foot = Box(head.x, feet, head.width, head.height)
        own[FOOT] = foot
        written = actor_parts(foot, size.label, mirrored=True) if is_actor else _moved(inner, foot.y - head.y)
        own |= {FOOT_PREFIX + name: box for name, box in written.items()}
    return own


def _moved(parts: Mapping[str, Box], dy: float) -> dict[str, Box]:
    return {name: box.moved(0.0, dy) for name, box in parts.items()}


def _bars(plan: _Plan, lifeline: str, middle: float) -> dict[str, Box]:
    found: dict[str, Box] = {}
    for number, bar in enumerate(plan.diagram.bars_on(lifeline)):
        top, bottom = plan.rows.lines[bar.first][1], plan.rows.lines[bar.last][0]
        left = middle - WIDTH / 2 + STEP * bar.level
        found[f"{BAR}:{number}"] = Box(left, top, WIDTH, max(LEAST_BAR, bottom - top))
    return found


def _ties(plan: _Plan, heads: Mapping[str, Box], feet: float) -> Parts:
    """A line from a note straight across to the tail of the lifeline that an edge joins it to; none for a note that
    stands on it."""
    found: Parts = {}
    for edge in plan.diagram.participants.ties:
        ends = list(edge.ends)
        note, lifeline = ends if ends[0] in plan.notes else ends[::-1]
        box, head = plan.notes.get(note), heads.get(lifeline)
        if box is None or head is None or not head.bottom <= box.center.y <= feet:
            continue
        middle = head.center.x
        if box.x <= middle <= box.right:
            found[edge.id] = {COVERED: box}
            continue
        side = box.right if middle > box.right else box.x
        y = math.floor(box.center.y)
        points = {note: Box(side, y, 0.0, 0.0), lifeline: Box(middle, y, 0.0, 0.0)}
        found[edge.id] = {"start": points[ends[0]], "end": points[ends[1]]}
    return found
