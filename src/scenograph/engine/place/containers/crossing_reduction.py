"""Crossing reduction across containers in a composed layout: contents are mirrored, neighbours exchanged. Flow from top
to bottom. px.

The effect of a container's order on edges out of the container is known only after composition; a few exchanges that
keep all sizes, ranks and gaps then remove many crossings. In: boxes, and per container the movable children. Out:
boxes. Promises: only the place across the flow changes; no new overlaps; never more crossings of straight edges than
before.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from itertools import pairwise

from scenograph.engine.costs import CLEARANCE
from scenograph.engine.geometry.boxes import Box, Outset
from scenograph.engine.kernels.straight_lines import crossed, line_between, pulled, segment, sharing_heights
from scenograph.engine.place.containers.composer import Composer
from scenograph.engine.place.containers.frames import outset_of
from scenograph.engine.place.inventory import ROOT, Inventory, Tie
from scenograph.engine.place.orientation import TURNS, turned_back, turned_box, turned_outset
from scenograph.late_dataclasses import dataclass

MAX_TRIALS = 400  # moves tried in a picture; bounds the time of large scenes

Shift = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class ComposedLayout:
    """A layout before crossing reduction. `rows`: the movable children of each container. `inside`: each child with
    everything that moves along."""

    boxes: dict[str, Box]
    ties: Sequence[Tie]
    rows: Sequence[Sequence[str]]
    inside: Mapping[str, Sequence[str]]


class _Web:
    """The straight lines of all edges. `near`: for each line, the lines at the same height, unchanged by moves;
    `crossed`: the lines crossed by each."""

    def __init__(self, composed: ComposedLayout) -> None:
        boxes, self.composed = composed.boxes, composed
        lines = [line_between(boxes[tie.source], boxes[tie.target]) for tie in composed.ties]
        spans = [(min(top, bottom), max(top, bottom)) for _, top, _, bottom in lines]
        self.segments = [segment(*line) for line in lines]
        self.near = sharing_heights(spans)
        self.crossed = [crossed(self.segments, self.near[number], number) for number in range(len(lines))]
        self.at: dict[str, list[int]] = {}
        for number, tie in enumerate(composed.ties):
            self.at.setdefault(tie.source, []).append(number)
            self.at.setdefault(tie.target, []).append(number)

    def is_crossed(self, children: Iterable[str]) -> bool:
        """Whether any line of these children, or of their descendants, is crossed."""
        members = (member for child in children for member in self.composed.inside[child])
        return any(self.crossed[number] for member in members for number in self.at.get(member, ()))

    def try_out(self, shifts: Shift) -> bool:
        """Make a move if the number of crossings falls. Returns whether the move was made."""
        by = {member: dx for child, dx in shifts.items() for member in self.composed.inside[child]}
        moved = {number for member in by for number in self.at.get(member, ())}
        before = _count(self.crossed[number] & moved for number in moved)
        before = sum(len(self.crossed[number]) for number in moved) - before // 2
        kept = {number: self.segments[number] for number in moved}
        for number in moved:
            tie = self.composed.ties[number]
            self.segments[number] = pulled(kept[number], by.get(tie.source, 0.0), by.get(tie.target, 0.0))
        found = self._crossed_less(moved, before)
        if found is None:
            for number, line in kept.items():
                self.segments[number] = line
            return False
        self._accept(found)
        for member, dx in by.items():
            self.composed.boxes[member] = self.composed.boxes[member].moved(dx, 0.0)
        return True

    def _crossed_less(self, moved: Set[int], before: int) -> dict[int, set[int]] | None:
        """The present crossings of each moved line; None as soon as `before` is reached."""
        found: dict[int, set[int]] = {}
        twice = 0  # crossings of two moved lines are met twice, others count double
        for number in moved:
            row = found[number] = crossed(self.segments, self.near[number], number)
            twice += 2 * len(row) - len(row & moved)
            if twice >= 2 * before:
                return None
        return found

    def _accept(self, found: Mapping[int, set[int]]) -> None:
        for number, row in found.items():
            for other in self.crossed[number] - row:
                self.crossed[other].discard(number)
            for other in row:
                self.crossed[other].add(number)
            self.crossed[number] = row


def _count(rows: Iterable[set[int]]) -> int:
    return sum(map(len, rows))


def with_fewer_crossings(composed: ComposedLayout, rounds: int) -> dict[str, Box]:
    """The boxes with fewer crossings, after at most `rounds` rounds through all rows."""
    web, trials = _Web(composed), 0
    for _ in range(rounds):
        better = False
        for row in composed.rows:
            for shifts in _moves(web, row):
                trials += 1
                better = web.try_out(shifts) or better
                if trials >= MAX_TRIALS:
                    return composed.boxes
        if not better:
            break
    return composed.boxes


def _moves(web: _Web, row: Sequence[str]) -> Iterator[Shift]:
    """Candidate moves of crossed children: the content mirrored, then neighbours at one height exchanged."""
    boxes = web.composed.boxes
    if web.is_crossed(row):
        ends = min(boxes[child].x for child in row) + max(boxes[child].right for child in row)
        mirrored = {child: ends - boxes[child].right - boxes[child].x for child in row}
        yield mirrored
        for left, right in _neighbours(boxes, row):
            if web.is_crossed((left, right)):
                shifts = _exchanged(boxes, left, right)
                if _fits(boxes, row, shifts):
                    yield shifts


def _neighbours(boxes: Mapping[str, Box], row: Sequence[str]) -> list[tuple[str, str]]:
    """Pairs of neighbours without a child between, from left to right."""
    order = sorted(row, key=lambda child: (boxes[child].center.y, boxes[child].x))
    return [(left, right) for left, right in pairwise(order) if _is_beside(boxes[left], boxes[right])]


def _is_beside(left: Box, right: Box) -> bool:
    return left.right <= right.x and right.y < left.bottom and left.y < right.bottom


def _exchanged(boxes: Mapping[str, Box], left: str, right: str) -> Shift:
    """The shifts that exchange two neighbours within their common room; empty after an earlier move of either."""
    first, second = boxes[left], boxes[right]
    if first.right > second.x:
        return {}
    return {left: second.right - first.right, right: first.x - second.x}


def _fits(boxes: Mapping[str, Box], row: Sequence[str], shifts: Shift) -> bool:
    """Whether moved children keep clear of the rest of the row."""
    others = [boxes[other] for other in row if other not in shifts]
    places = [boxes[child].moved(dx, 0.0).grown(CLEARANCE) for child, dx in shifts.items()]
    return bool(shifts) and not any(place.overlaps(other) for place in places for other in others)


# What may be exchanged in a composed layout: the children of containers whose order is nobody's wish.


def reduce_crossings(composer: Composer, boxes: Mapping[str, Box], rounds: int) -> dict[str, Box]:
    """The boxes after at most `rounds` rounds of mirrored contents and exchanged neighbours, wherever crossings become
    fewer."""
    turn, inventory = TURNS.get(composer.settings.direction, TURNS["TB"]), composer.inventory
    rows = [inventory.children[one] for one in inventory.containers if _is_free(composer, one)]
    inside = {child: _inside(inventory, child) for row in rows for child in row}
    ties = [tie for tie in inventory.ties if tie.source != tie.target]
    flat = {element_id: turned_box(box, turn) for element_id, box in boxes.items()}
    aside = {child: _outset(composer, child).left for child in inside}  # a label wider than its box needs that room
    wide = {one: _wider(box, aside.get(one, 0.0)) for one, box in flat.items()}
    found = with_fewer_crossings(ComposedLayout(dict(wide), ties, rows, inside), rounds)
    return {one: turned_back(box.moved(found[one].x - wide[one].x, 0.0), turn) for one, box in flat.items()}


def _wider(box: Box, by: float) -> Box:
    return Box(box.x - by, box.y, box.width + 2 * by, box.height)


def _is_free(composer: Composer, container: str) -> bool:
    """Whether the children of a container may change places: at least two; no pools, no lanes; no children bound to an
    element, none with uneven room on its sides."""
    inventory = composer.inventory
    row = inventory.children[container]
    if len(row) < 2 or (container != ROOT and (composer.swims(container) or composer.is_lane(container))):
        return False
    return all(
        not composer.swims(child) and inventory.relation(child) is None and _is_even(composer, child) for child in row
    )


def _is_even(composer: Composer, child: str) -> bool:
    outset = _outset(composer, child)
    return outset.left == outset.right


def _outset(composer: Composer, child: str) -> Outset:
    """The room round a child, turned to flow downwards."""
    inventory = composer.inventory
    unit = composer.leaf(child)
    outset = outset_of(inventory.elements[child], inventory.size(child)) if child in inventory.children else unit.outset
    return turned_outset(outset, TURNS.get(composer.settings.direction, TURNS["TB"]))


def _inside(inventory: Inventory, element_id: str) -> tuple[str, ...]:
    found = [element_id]
    for one in found:
        found += inventory.children.get(one, ())
    return tuple(found)
