"""Labels below their symbol that step to a side by which no line is expected to leave.

In: the inventory, the boxes and the parts. Out: the parts. A label stays below where no line leaves the symbol
downwards. Otherwise that of a kind whose label moves (`NodeKind.label_moves`) stands above the symbol, right of it or
left of it, or below it beside the line that goes down, or above it beside the line that goes up, the first of these
where neither a line nor another element is.
The label of any kind stands below beside the line where the next element of the column leaves no room for an arrow
under the text. px. Rule R-LABEL-6.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from typing import NamedTuple

from scenograph.engine.families.catalog import kind_of
from scenograph.engine.geometry.boxes import Box
from scenograph.engine.place.inventory import ROOT, Inventory
from scenograph.scene.model import Node

ARROW_ROOM = 20.0  # what an arrow needs between a text and the box it points at
ASIDE = 12.0  # between the line and the text beside it: what a line keeps from writing
WITHIN = 6.0  # kept from the border of the container
GAP = 6.0  # between the symbol and the text beside it or above it
ROUNDS = 2  # a label may leave the place that one before it in the document could take


class _Other(NamedTuple):
    """The box at the other end of a line, and whether the line leads there."""

    box: Box
    leads_there: bool


Parts = Mapping[str, Mapping[str, Box]]
NONE: Mapping[str, Sequence[_Other]] = {}
TOP, RIGHT, BOTTOM, LEFT = "top", "right", "bottom", "left"


def labels_off_lines(inventory: Inventory, boxes: Mapping[str, Box], parts: Parts) -> dict[str, Mapping[str, Box]]:
    """The parts with the labels that stood in the way of a line moved, where there is room."""
    found = dict(parts)
    labels = {one: label for one, rows in parts.items() if (label := rows.get("label")) is not None}
    below = {one for one, label in labels.items() if _is_below(label, boxes[one])}
    waiting = _neighbours(inventory, boxes, below) if below else NONE
    for _ in range(ROUNDS):
        crowded: dict[str, Sequence[_Other]] = {}
        for symbol_id, around in waiting.items():
            label, symbol = labels[symbol_id], boxes[symbol_id]
            places: tuple[Box, ...] = ()
            if _label_moves(inventory, symbol_id):
                places = tuple(_places(label, symbol, around))
            elif not _has_room_for_arrow(label, symbol, around):
                places = _beside_line(label, symbol, around)
            free = next((place for place in places if _is_free(place, symbol_id, inventory, boxes, found)), None)
            if free is not None:
                found[symbol_id] = {**found[symbol_id], "label": free}
            elif places:
                crowded[symbol_id] = around
        waiting = crowded
    return found


def _neighbours(inventory: Inventory, boxes: Mapping[str, Box], of: Set[str]) -> Mapping[str, Sequence[_Other]]:
    """The other ends of the lines of some elements, in the order of the elements and of their lines."""
    found: dict[str, list[_Other]] = defaultdict(list)
    for tie in inventory.ties:
        if tie.source in boxes and tie.target in boxes and tie.source != tie.target:
            if tie.source in of:
                found[tie.source].append(_Other(boxes[tie.target], leads_there=True))
            if tie.target in of:
                found[tie.target].append(_Other(boxes[tie.source], leads_there=False))
    return {one: found[one] for one in inventory.elements if one in found}


def _is_below(label: Box, symbol: Box) -> bool:
    """Whether a label stands below in the middle; another has been moved already."""
    return label.y >= symbol.bottom and label.x <= symbol.center.x <= label.right


def _label_moves(inventory: Inventory, element_id: str) -> bool:
    element = inventory.elements[element_id]
    return isinstance(element, Node) and kind_of(element).label_moves


def _expected_sides(symbol: Box, others: Sequence[_Other]) -> Counter[str]:
    """How many lines are expected to leave by each side: in a column by top or bottom, in a row by left or right; the
    others by left or right too, while no second line wants that side. Of two lines to one hand of which one comes and
    one goes, one goes round: either above or below; of two in one column, right or left."""
    sides: Counter[str] = Counter()
    hands: dict[str, set[bool]] = {RIGHT: set(), LEFT: set()}
    aslant: list[tuple[str, str]] = []
    for other, leads_there in others:
        across = RIGHT if other.center.x > symbol.center.x else LEFT
        along = BOTTOM if other.center.y > symbol.center.y else TOP
        if other.x <= symbol.center.x <= other.right:
            sides[along] += 1
            continue
        hands[across].add(leads_there)
        if other.y <= symbol.center.y <= other.bottom:
            sides[across] += 1
        else:
            aslant.append((across, along))
    if max(sides[TOP], sides[BOTTOM]) > 1:
        sides.update((RIGHT, LEFT))
    wanted = sides + Counter(across for across, _ in aslant)
    for across, along in aslant:
        sides[across] += 1
        if wanted[across] > 1:
            sides.update((TOP, BOTTOM) if len(hands[across]) > 1 else (along,))
    return sides


def _places(label: Box, symbol: Box, others: Sequence[_Other]) -> Iterator[Box]:
    """Where the label of a kind may stand whose label moves, the best first; none where it may stay."""
    taken, middle = _expected_sides(symbol, others), symbol.center
    if not taken[BOTTOM]:
        return
    if not taken[TOP]:
        yield label._replace(y=symbol.y - GAP - label.height)
    beside = label._replace(y=middle.y - label.height / 2)
    if not taken[RIGHT]:
        yield beside._replace(x=symbol.right + GAP)
    if not taken[LEFT]:
        yield beside._replace(x=symbol.x - GAP - label.width)
    yield from _beside_line(label, symbol, others)
    for corner in _beside_line(label, symbol, others):
        yield corner._replace(y=symbol.y - GAP - label.height)


def _beside_line(label: Box, symbol: Box, others: Sequence[_Other]) -> tuple[Box, Box]:
    """Still below, beside the line that goes straight down: first where fewer of the lower ends are."""
    middle = symbol.center.x
    right, left = label._replace(x=middle + ASIDE), label._replace(x=middle - ASIDE - label.width)
    lower = [other.box for other in others if other.box.y >= symbol.bottom]
    onto_right = sum(other.x > middle for other in lower) - sum(other.right < middle for other in lower)
    return (left, right) if onto_right > 0 else (right, left)


def _has_room_for_arrow(label: Box, symbol: Box, others: Sequence[_Other]) -> bool:
    middle = symbol.center.x
    below = (other.box for other in others if symbol.bottom <= other.box.y)
    lower = (other for other in below if other.x <= middle <= other.right)
    return all(other.y - label.bottom >= ARROW_ROOM for other in lower)


def _is_free(place: Box, element_id: str, inventory: Inventory, boxes: Mapping[str, Box], parts: Parts) -> bool:
    """Whether the place lies within the container, on no neighbour and on none of their labels."""
    container = inventory.parent.get(element_id, ROOT)
    around = boxes.get(container)
    if around is not None and not around.contains(place.grown(WITHIN)):
        return False
    neighbours = [one for one in inventory.children.get(container, ()) if one in boxes and one != element_id]
    texts = [box for one in neighbours for box in parts.get(one, {}).values()]
    headings = list(parts.get(container, {}).values())
    if any(boxes[one].overlaps(place) for one in neighbours):
        return False
    return not any(text.overlaps(place.grown(GAP)) for text in (*texts, *headings))
