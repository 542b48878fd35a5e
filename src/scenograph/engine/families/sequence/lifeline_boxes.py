"""The boxes round lifelines: how far they reach, what they need, where they are drawn. px. (R-SEQ-15)

A box holds the heads and feet of its lifelines, and what happens on them alone: messages to themselves, notes over and
beside them, bars. Its title stands above the heads, whatever its container type.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import NamedTuple

from scenograph.engine.families.sequence.activations import reach
from scenograph.engine.families.sequence.columns import GUTTER, Separation
from scenograph.engine.families.sequence.diagram import SequenceDiagram, head_size
from scenograph.engine.families.sequence.notes import NoteAnchor
from scenograph.engine.families.sequence.participants import Container, around, parents_of
from scenograph.engine.families.sequence.separations import NOTE_GAP, loop_width
from scenograph.engine.geometry.boxes import Box, Point, union
from scenograph.scene.model import Edge, Frame, Node

BOX_PADDING = 12.0
TITLE_ROOM = 20.0  # above and below a box's title
TITLE_BESIDE = 16.0
HEADER_BAND = 24.0  # R-POOL-2, title header of a pool
GROUP_LABEL_GAP = 4.0


class Reach(NamedTuple):
    """How far something extends to both sides of the lifelines that it belongs to."""

    left: float
    right: float

    def joined(self, other: Reach) -> Reach:
        """What reaches as far as both."""
        return Reach(max(self.left, other.left), max(self.right, other.right))


def reaches(diagram: SequenceDiagram, spots: Mapping[str, NoteAnchor], *, natural: bool = False) -> list[Reach]:
    """Of every lifeline, from the left: its head, and what happens on it alone; with labels as they want to be, or as
    they are."""
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
            place, own = spots[event.id].beside, _of_note(diagram, event, spots[event.id])
        if own is not None:
            found[place] = found[place].joined(own)
    return found


def _of_note(diagram: SequenceDiagram, note: Node, spot: NoteAnchor) -> Reach | None:
    """A note that its author placed, or over several lifelines, widens no box."""
    width = diagram.size(note.id).width
    if note.layout.mode == "absolute":
        return None
    if spot.side == "right":
        bars = reach(diagram.top_level(diagram.participants.lifelines[spot.last].id), rightwards=True)
        return Reach(0.0, bars + NOTE_GAP + width)
    if spot.side == "left":
        return Reach(reach(0, rightwards=True) + NOTE_GAP + width, 0.0)
    return Reach(width / 2, width / 2) if spot.first == spot.last else None


def box_separations(diagram: SequenceDiagram, spots: Mapping[str, NoteAnchor]) -> Iterator[Separation]:
    """Neighbours of which a box parts one keep room for the borders between them and for what lies inside those; the
    lifelines of a box stand so far apart that its title fits."""
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
        bare = Reach(lefts[first] + BOX_PADDING, rights[last] + BOX_PADDING)
        least = title_width(diagram, box)
        if first < last and least:
            yield Separation(first, last, least - math.fsum(bare))
        spare = math.ceil(max(0.0, least - math.fsum(bare)) / 2) if first == last else 0.0
        outer[box.id] = Reach(bare.left + spare, bare.right + spare)
        lefts[first], rights[last] = outer[box.id]
    for place, (here, there) in enumerate(pairwise(rows)):
        if here == there:
            continue
        right = next((outer[box].right for box in here if box not in there), own[place].right)
        left = next((outer[box].left for box in there if box not in here), own[place + 1].left)
        yield Separation(place, place + 1, math.ceil(right + left + GUTTER))


def title_width(diagram: SequenceDiagram, box: Container) -> float:
    """What a box's title needs, free room on both sides included; 0 without one."""
    title = diagram.size(box.id).label if isinstance(box, Frame) else None
    return title.width + 2 * TITLE_BESIDE if title is not None else 0.0


def title_room(diagram: SequenceDiagram, box: Container) -> float:
    """What a box keeps free above the heads in it."""
    label = diagram.size(box.id).label
    if label is None:
        return BOX_PADDING
    return math.ceil(label.height) + TITLE_ROOM if isinstance(box, Frame) else BOX_PADDING


def lifeline_boxes(
    diagram: SequenceDiagram, columns: Mapping[str, Box], spots: Mapping[str, NoteAnchor]
) -> dict[str, Box]:
    """Each round its lifelines from head to foot (`columns`), what happens on them alone, and the boxes inside it;
    where its author placed one, there."""
    wide = _widened(diagram, columns, spots) if diagram.participants.boxes else {}
    found: dict[str, Box] = {}
    for box in reversed(diagram.participants.boxes):
        held = [found.get(child) or wide.get(child) for child in box.children]
        content = union(one for one in held if one is not None)
        if content is None:
            continue
        bare = content.width + 2 * BOX_PADDING
        spare = math.ceil(max(0.0, title_width(diagram, box) - bare) / 2)
        left, top = content.x - BOX_PADDING - spare, content.y - title_room(diagram, box)
        found[box.id] = _placed(box, Box(left, top, bare + 2 * spare, content.bottom + BOX_PADDING - top))
    return found


def _widened(diagram: SequenceDiagram, columns: Mapping[str, Box], spots: Mapping[str, NoteAnchor]) -> dict[str, Box]:
    """The columns with all that happens on their lifelines alone."""
    found: dict[str, Box] = {}
    for node, own in zip(diagram.participants.lifelines, reaches(diagram, spots), strict=True):
        box = columns[node.id]
        left, right = math.floor(box.center.x - own.left), math.ceil(box.center.x + own.right)
        left, right = min(left, box.x), max(right, box.right)
        found[node.id] = Box(left, box.y, right - left, box.height)
    return found


def _placed(box: Container, drawn: Box) -> Box:
    """The box where its author wants it."""
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
    height = max(HEADER_BAND, math.ceil(label.height) + TITLE_BESIDE / 2)
    return {"header": Box(place.x, place.y, place.width, height)}


def room_above(diagram: SequenceDiagram) -> float:
    """What the boxes round lifelines, one in another, and the labels of groups need above the heads."""
    parents = {child: box.id for box in diagram.participants.boxes for child in box.children}
    rooms: dict[str, float] = {}
    for box in diagram.participants.boxes:
        label = diagram.size(box.id).label
        above = label.height + GROUP_LABEL_GAP if label is not None and not isinstance(box, Frame) else 0.0
        rooms[box.id] = rooms.get(parents.get(box.id, ""), 0.0) + title_room(diagram, box) + math.ceil(above)
    return max(rooms.values(), default=0.0)
