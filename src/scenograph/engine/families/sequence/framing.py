"""The boxes of fragments and of groups of lifelines, and what is written in fragments. px. (decisions: section 10)"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scenograph.engine.families.sequence.activations import reach
from scenograph.engine.families.sequence.cast import Container
from scenograph.engine.families.sequence.needs import (
    BOX_PADDING,
    FRAGMENT_PADDING,
    TAB_BESIDE,
    WRITING_GAP,
    Places,
    tab_width,
    writing_width,
)
from scenograph.engine.families.sequence.script import Fragment
from scenograph.engine.families.sequence.sizes import OPERATOR, guard_part
from scenograph.engine.families.sequence.stage import Stage
from scenograph.engine.families.sequence.timeline import TAB_PADDING, Rows, Span
from scenograph.engine.geometry.boxes import Box, union
from scenograph.scene.model import Frame

BESIDE_TAIL = 12.0
TITLE_ROOM = 20.0  # above and below a box's title
GROUP_LABEL_GAP = 4.0
TAB_GAP = 6.0  # between a fragment's tab and the bars to the right of it
TAB, TITLE = "tab", "title"


def separator_part(operand: int) -> str:
    """The name of the line above an operand."""
    return f"separator:{operand}"


@dataclass(frozen=True, slots=True)
class Ground:
    """What fragments are drawn round: the heads, what each event covers, the lifelines that each touches."""

    stage: Stage
    heads: Mapping[str, Box]
    spans: Mapping[int, Span]
    places: Mapping[str, Places]


def fragment_boxes(ground: Ground, rows: Rows) -> dict[str, Box]:
    """Each round its events and the fragments inside it, wide enough for what is written in it."""
    fragments = ground.stage.script.fragments
    found: dict[str, Box] = {}
    for number, turns, inside in ground.stage.script.own_turns():
        fragment = fragments[number]
        inner = [found[fragments[other].frame.id] for other in inside]
        span, size = _round(ground, fragment, turns, inner), ground.stage.size(fragment.frame.id)
        top, bottom = rows.tops[fragment.frame.id], rows.bottoms[fragment.frame.id]
        left = _clear_of_tails(ground, span, tab_width(size))
        right = max(span.right, math.ceil(writing_left(ground, fragment) + writing_width(size) - WRITING_GAP))
        found[fragment.frame.id] = Box(left, top, right - left, bottom - top)
    return found


def _clear_of_tails(ground: Ground, span: Span, tab: float) -> float:
    """The left side of a fragment: so far to the left that no tail runs through its tab."""
    left = span.left
    for head in sorted(ground.heads.values(), key=lambda head: head.center.x, reverse=True):
        edge = head.center.x + reach(0, rightwards=False)
        if left <= edge and edge - left < tab + TAB_GAP and tab:
            left = math.floor(edge - tab - TAB_GAP)
    return left


def writing_left(ground: Ground, fragment: Fragment) -> float:
    """Where title and guards begin: right of the first lifeline's tail and bars."""
    stage = ground.stage
    first = stage.cast.lifelines[ground.places[fragment.frame.id][0]].id
    return ground.heads[first].center.x + reach(stage.top_level(first), rightwards=True) + WRITING_GAP


def _round(ground: Ground, fragment: Fragment, turns: Sequence[int], inner: Sequence[Box]) -> Span:
    stage = ground.stage
    middles = [ground.heads[stage.cast.lifelines[place].id].center.x for place in ground.places[fragment.frame.id]]
    spans = [ground.spans[turn] for turn in turns if turn in ground.spans]
    lefts = [*(middle - BESIDE_TAIL for middle in middles), *(span.left for span in spans), *(box.x for box in inner)]
    rights = [
        *(middle + BESIDE_TAIL for middle in middles),
        *(span.right for span in spans),
        *(box.right for box in inner),
    ]
    left, right = min(lefts, default=0.0), max(rights, default=0.0)
    return Span(math.floor(left - FRAGMENT_PADDING), math.ceil(right + FRAGMENT_PADDING))


def fragment_parts(ground: Ground, fragment: Fragment, box: Box, rows: Rows) -> dict[str, Box]:
    """The tab and its operator, the title, the guards and the lines between operands."""
    parts: dict[str, Box] = {}
    size, x = ground.stage.size(fragment.frame.id), writing_left(ground, fragment)
    if OPERATOR in size.texts:
        operator = size.texts[OPERATOR]
        height = math.ceil(operator.height + 2 * TAB_PADDING)
        parts[TAB] = Box(box.x, box.y, math.ceil(tab_width(size)), height)
        parts[OPERATOR] = Box(box.x + TAB_BESIDE, box.y + TAB_PADDING, operator.width, operator.height)
    if size.label is not None:
        parts[TITLE] = Box(x, box.y + TAB_PADDING, size.label.width, size.label.height)
    for operand, opening in enumerate(rows.openings.get(fragment.frame.id, ())):
        if opening.line is not None:
            parts[separator_part(operand)] = Box(box.x, opening.line, box.width, 0.0)
        block = size.texts.get(guard_part(operand))
        if block is not None:
            parts[guard_part(operand)] = Box(x, opening.guard, block.width, block.height)
    return parts


def title_room(stage: Stage, box: Container) -> float:
    """What a box keeps free above the heads in it."""
    label = stage.size(box.id).label
    if label is None:
        return BOX_PADDING
    return math.ceil(label.height) + TITLE_ROOM if isinstance(box, Frame) else BOX_PADDING


def lifeline_boxes(stage: Stage, columns: Mapping[str, Box]) -> dict[str, Box]:
    """Each round its lifelines from head to foot (`columns`) and the boxes inside it."""
    found: dict[str, Box] = {}
    for box in reversed(stage.cast.boxes):
        held = [found.get(child) or columns.get(child) for child in box.children]
        content = union(one for one in held if one is not None)
        if content is None:
            continue
        title = stage.size(box.id).label if isinstance(box, Frame) else None
        least = title.width + 2 * BESIDE_TAIL + 2 * TAB_PADDING if title is not None else 0.0
        spare = math.ceil(max(0.0, least - content.width - 2 * BOX_PADDING) / 2)
        left, top = content.x - BOX_PADDING - spare, content.y - title_room(stage, box)
        width = content.width + 2 * (BOX_PADDING + spare)
        found[box.id] = Box(left, top, width, content.bottom + BOX_PADDING - top)
    return found


def room_above(stage: Stage) -> float:
    """What the boxes round lifelines, one in another, and the labels of groups need above the heads."""
    parents = {child: box.id for box in stage.cast.boxes for child in box.children}
    rooms: dict[str, float] = {}
    for box in stage.cast.boxes:
        label = stage.size(box.id).label
        above = label.height + GROUP_LABEL_GAP if label is not None and not isinstance(box, Frame) else 0.0
        rooms[box.id] = rooms.get(parents.get(box.id, ""), 0.0) + title_room(stage, box) + math.ceil(above)
    return max(rooms.values(), default=0.0)
