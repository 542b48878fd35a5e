"""The boxes of fragments, and what is written in them. px. (R-SEQ-11)"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from scenograph.engine.families.sequence.activations import reach
from scenograph.engine.families.sequence.diagram import SequenceDiagram
from scenograph.engine.families.sequence.interaction import Fragment
from scenograph.engine.families.sequence.separations import (
    FRAGMENT_PADDING,
    TAB_BESIDE,
    WRITING_GAP,
    Places,
    tab_width,
    writing_width,
)
from scenograph.engine.families.sequence.sizes import OPERATOR, guard_part
from scenograph.engine.families.sequence.timeline import TAB_PADDING, Rows, Span
from scenograph.engine.geometry.boxes import Box
from scenograph.late_dataclasses import dataclass

BESIDE_TAIL = 12.0
NEARLY = 16.0  # fragments whose sides differ by so little would look as if by mistake
TAB_GAP = 6.0  # between a fragment's tab and the bars to the right of it
TAB, TITLE = "tab", "title"


def separator_part(operand: int) -> str:
    """The name of the line above an operand."""
    return f"separator:{operand}"


@dataclass(frozen=True, slots=True)
class FragmentContext:
    """What fragments are drawn round: the heads, what each event covers, the lifelines that each touches."""

    diagram: SequenceDiagram
    heads: Mapping[str, Box]
    spans: Mapping[int, Span]
    places: Mapping[str, Places]


def fragment_boxes(context: FragmentContext, rows: Rows) -> dict[str, Box]:
    """Each round its events and the fragments inside it, wide enough for what is written in it; those in one fragment,
    or in none, of which two sides nearly agree, agree in them."""
    fragments = context.diagram.interaction.fragments
    found: dict[str, Box] = {}
    for number, turns, inside in context.diagram.interaction.own_turns():
        fragment = fragments[number]
        found |= _aligned({name: found[name] for name in (fragments[other].frame.id for other in inside)})
        inner = [found[fragments[other].frame.id] for other in inside]
        span, size = _round(context, fragment, turns, inner), context.diagram.size(fragment.frame.id)
        top, bottom = rows.tops[fragment.frame.id], rows.bottoms[fragment.frame.id]
        left = _clear_of_tails(context, span, tab_width(size))
        right = max(span.right, math.ceil(writing_left(context, fragment) + writing_width(size) - WRITING_GAP))
        found[fragment.frame.id] = Box(left, top, right - left, bottom - top)
    outermost = [fragment.frame.id for fragment in fragments if not fragment.depth]
    return found | _aligned({name: found[name] for name in outermost})


def _aligned(boxes: Mapping[str, Box]) -> dict[str, Box]:
    """The boxes widened to the farthest of the sides that are about where their own is."""
    lefts, rights = [box.x for box in boxes.values()], [box.right for box in boxes.values()]
    found: dict[str, Box] = {}
    for name, box in boxes.items():
        left = min(x for x in lefts if abs(x - box.x) <= NEARLY)
        right = max(x for x in rights if abs(x - box.right) <= NEARLY)
        found[name] = Box(left, box.y, right - left, box.height)
    return found


def _clear_of_tails(context: FragmentContext, span: Span, tab: float) -> float:
    """The left side of a fragment: so far to the left that no tail runs through its tab."""
    left = span.left
    for head in sorted(context.heads.values(), key=lambda head: head.center.x, reverse=True):
        edge = head.center.x + reach(0, rightwards=False)
        if left <= edge and edge - left < tab + TAB_GAP and tab:
            left = math.floor(edge - tab - TAB_GAP)
    return left


def writing_left(context: FragmentContext, fragment: Fragment) -> float:
    """Where title and guards begin: right of the first lifeline's tail and bars."""
    diagram = context.diagram
    first = diagram.participants.lifelines[context.places[fragment.frame.id][0]].id
    return context.heads[first].center.x + reach(diagram.top_level(first), rightwards=True) + WRITING_GAP


def _round(context: FragmentContext, fragment: Fragment, turns: Sequence[int], inner: Sequence[Box]) -> Span:
    diagram = context.diagram
    middles = [
        context.heads[diagram.participants.lifelines[place].id].center.x for place in context.places[fragment.frame.id]
    ]
    spans = [context.spans[turn] for turn in turns if turn in context.spans]
    lefts = [*(middle - BESIDE_TAIL for middle in middles), *(span.left for span in spans), *(box.x for box in inner)]
    rights = [
        *(middle + BESIDE_TAIL for middle in middles),
        *(span.right for span in spans),
        *(box.right for box in inner),
    ]
    left, right = min(lefts, default=0.0), max(rights, default=0.0)
    return Span(math.floor(left - FRAGMENT_PADDING), math.ceil(right + FRAGMENT_PADDING))


def fragment_parts(context: FragmentContext, fragment: Fragment, box: Box, rows: Rows) -> dict[str, Box]:
    """The tab and its operator, the title, the guards and the lines between operands."""
    parts: dict[str, Box] = {}
    size, x = context.diagram.size(fragment.frame.id), writing_left(context, fragment)
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
