"""Labels laid again for the gaps between lifelines in which they stand. px. (R-SEQ-13)

In: a resolved scene, its natural sizes, what lays a label in a given width. Out: the sizes, in which a label that a
tail or a bar would run through has shorter lines, one in a wide gap fewer lines, and a note over several lifelines
lines as long as itself. Promises: where the lifelines stand does not depend on the outcome, so that a chart that is
placed already comes out the same; a label on one line that fits stays as it is, and so does one for which there is
hardly any room.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from scenograph.engine.families.family import LayAnew
from scenograph.engine.families.sequence.activations import reach
from scenograph.engine.families.sequence.chart import heads_of, note_width, position_of
from scenograph.engine.families.sequence.columns import GUTTER
from scenograph.engine.families.sequence.diagram import SequenceDiagram, read_diagram
from scenograph.engine.families.sequence.lifeline_boxes import lifeline_boxes
from scenograph.engine.families.sequence.message_lines import Crossings, message_line_of
from scenograph.engine.families.sequence.notes import NoteAnchor, spots
from scenograph.engine.families.sequence.separations import FRAGMENT_PADDING, LABEL_SIDE, LOOP_LABEL_IN
from scenograph.engine.families.sequence.sizes import NATURAL, NOTE_PADDING, note_height
from scenograph.engine.geometry.boxes import Box, Point
from scenograph.engine.tables import Size, Sizes
from scenograph.engine.text.blocks import TextBlock
from scenograph.late_dataclasses import replace
from scenograph.scene.model import Node, Scene

LEAST_ROOM = 64.0
"""In a narrower gap a label would be a column of single words: it rather runs across. px."""

LONGEST_LINE = 360.0
"""Longer lines are not read at a glance, however wide the gap. px."""

_TOLERANCE = 0.01
_ANYWHERE = Point(0.0, 0.0)


def rewrap_labels(scene: Scene, sizes: Sizes, lay: LayAnew) -> Sizes:
    """All sizes; those of messages and notes anew where their places ask for other lines. Loops first: the boxes round
    lifelines, which labels keep clear of, reach as far as they do."""
    diagram = read_diagram(scene, sizes)
    if not diagram.participants.lifelines:
        return sizes
    found = spots(diagram)
    heads = heads_of(diagram, found, _ANYWHERE)
    diagram = replace(diagram, sizes={**sizes, **_shortened(diagram, _beside_loops(diagram, heads), lay)})
    boxes = lifeline_boxes(diagram, heads, found).values()
    crossings = Crossings(diagram, heads, boxes)
    ways = {turn: message_line_of(diagram, heads, turn, message) for turn, message in diagram.messages()}
    rooms = {turn: crossings.room(turn, way) for turn, way in ways.items() if way.loop is None}
    messages = {**_shortened(diagram, rooms, lay), **_lengthened(diagram, rooms, lay)}
    notes = {note.id: _of_note(diagram, note, found[note.id], heads, lay) for note in diagram.participants.notes}
    return {**diagram.sizes, **messages, **notes}


def _shortened(diagram: SequenceDiagram, rooms: Mapping[int, float], lay: LayAnew) -> dict[str, Size]:
    """The messages whose labels are wider than the room that they have, by turn, in shorter lines."""
    found: dict[str, Size] = {}
    for turn, message in diagram.messages():
        size = diagram.size(message.id)
        if size.label is not None and LEAST_ROOM <= rooms.get(turn, math.inf) < size.width - _TOLERANCE:
            block = lay(message, size, rooms[turn])
            found[message.id] = size if block is None else _with_label(size, block)
    return found


def _lengthened(diagram: SequenceDiagram, rooms: Mapping[int, float], lay: LayAnew) -> dict[str, Size]:
    """The messages whose labels get fewer lines in the room that they have, by turn."""
    found: dict[str, Size] = {}
    for turn, message in diagram.messages():
        size, room = diagram.size(message.id), min(rooms.get(turn, 0.0) - LABEL_SIDE, LONGEST_LINE)
        if size.label is not None and len(size.label.lines) > 1 and room > size.width:
            block = lay(message, size, room)
            if block is not None and len(block.lines) < len(size.label.lines):
                found[message.id] = _with_label(size, block)
    return found


def _with_label(size: Size, label: TextBlock) -> Size:
    """The natural label stays in mind: it decides how far the lifelines stand apart."""
    texts = {NATURAL: size.label} if size.label is not None else {}
    return size._replace(width=label.width, height=label.height, label=label, texts=texts)


def _beside_loops(diagram: SequenceDiagram, heads: Mapping[str, Box]) -> dict[int, float]:
    """By turn, from a loop's lifeline to the next one on the right."""
    found: dict[int, float] = {}
    middles = sorted(box.center.x for box in heads.values())
    for turn, message in diagram.messages():
        if message.source.element_id == message.target.element_id:
            own = heads[message.source.element_id].center.x
            bars = max(reach(level, rightwards=True) for level in diagram.levels[turn])
            around = bars + GUTTER + FRAGMENT_PADDING * diagram.depths[turn] + 2 * LOOP_LABEL_IN
            found[turn] = min((x for x in middles if x > own), default=math.inf) - own - around
    return found


def _of_note(diagram: SequenceDiagram, note: Node, spot: NoteAnchor, heads: Mapping[str, Box], lay: LayAnew) -> Size:
    """A note over several lifelines is as wide as they stand apart: its lines may be as long. The size
    keeps the natural width, which decides how far they stand apart at least."""
    size, layout = diagram.size(note.id), note.layout
    if spot.side is not None or spot.first == spot.last or size.label is None or size.icon:
        return size
    if layout.width is not None or layout.height is not None or position_of(note) is not None:
        return size
    width = note_width(diagram, note, spot, heads)
    block = lay(note, size, width - 2 * NOTE_PADDING[0])
    if block is None or len(block.lines) >= len(size.label.lines):
        return size
    return size._replace(height=note_height(block), label=block)
