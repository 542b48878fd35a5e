"""Room in a given layout: for boxes that grew, came or were moved, and for elements inserted into free room."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil, floor, fsum
from types import MappingProxyType
from typing import NamedTuple

from scenograph.engine.costs import (
    INSERTED_AGAINST,
    INSERTED_BEND,
    INSERTED_BESIDE,
    INSERTED_CROSSING,
    INSERTED_GROWTH,
    INSERTED_THROUGH,
    OFF_LINE,
    OUT_OF_TURN,
    OUTGROWN,
    OUTGROWTH,
)
from scenograph.engine.geometry.boxes import Box, Outset, Point, union
from scenograph.engine.geometry.directions import Turn, turned_back, turned_box, turned_outset
from scenograph.engine.geometry.spatial_index import EVERY
from scenograph.engine.kernels.near_boxes import (
    AxisSpan,
    Shadow,
    SpotCriteria,
    SpotPrices,
    WeightedBox,
    free_spots,
    in_sight,
    pairs_nearer,
)
from scenograph.engine.kernels.projection import Separation, separated
from scenograph.engine.kernels.straight_lines import (
    Rectangle,
    StraightLine,
    boxes_hit,
    crossings,
    line_between,
    lines_through,
)
from scenograph.engine.place.inventory import ROOT, Inventory, Unit, moved_to
from scenograph.engine.place.subgraph import LayoutSettings
from scenograph.late_dataclasses import dataclass

# Room for boxes that grew, came or were moved, with the least movement of all neighbours. px.
#
# In: bodies, each with its former box, if any, and its wished box. Out: the shift of each body, in whole px. Promises:
# without a lack of room nothing moves; a body moves by the lacking part of the usual gap, or of a smaller former gap;
# bodies keep their order on both axes; overlaps remain only for bodies with no room between fixed bodies. A separation
# keeps two bodies apart on the axis on which they stood apart, preferring the axis of the flow. All separations of an
# axis are solved at once (`kernels.projection`); bodies newly in conflict get a separation too, until none is.
# Distances are rounded up to whole px and all shifts are rounded alike, which keeps every separation exactly.

SET_APART = 8.0  # px; the distance kept from elements placed by hand
FIXED = 1e12  # the weight of a body that must not move
HEAVY = 1e6  # of a grown or new body: its neighbours give way
LIGHT = 1e-3  # of a new container round former elements: the container gives way
PASSED = 480  # px; a body without room passes fixed bodies by no more, else it is placed as new
ROUNDS = 24  # in which bodies give way to each other
ROUGHLY = 0.02  # px; a smaller difference is rounding
HALF = 0.5 + 1e-6  # px; steps are rounded by it, all alike: differences of whole px stay
AXES = (0, 1)  # x and y as places in a point


class Gaps(NamedTuple):
    """The usual room from left to right and from top to bottom, and the axis of the flow."""

    across: float
    along: float
    flow: int = 1


class Body(NamedTuple):
    """A unit that moves rigidly. `before`: the former box (None for a new body); `now`: the wished box; both include
    room for labels. Heavy bodies move less. `pieces`: the boxes that must not overlap, if fewer than the whole; the
    first is the visible box. `is_set`: a person has just put the body here; `is_given`: the author gave its place;
    `is_container`: the body holds elements; `rests`: unmoved since the engine's last picture."""

    before: Box | None
    now: Box
    weight: float = 1.0
    fixed: bool = False
    pieces: Sequence[Box] = ()
    is_set: bool = False
    is_given: bool = False
    is_container: bool = False
    rests: bool = False


_BodyPair = tuple[int, int]
_Separations = tuple[dict[_BodyPair, float], dict[_BodyPair, float]]
"""The separations of pairs, on each axis."""
_STAY = Point(0.0, 0.0)


def moves(bodies: Sequence[Body], gaps: Gaps) -> list[Point | None]:
    """The shift of each body; None for a body without room between fixed bodies."""
    if not _clashes(bodies, [body.now for body in bodies], gaps):
        return [_STAY] * len(bodies)
    found: list[Point | None] = [None] * len(bodies)
    left = list(range(len(bodies)))
    while True:
        steps, crowded = _moved([bodies[number] for number in left], gaps)
        if not crowded:
            break
        left = [number for place, number in enumerate(left) if place not in crowded]
    for number, step in zip(left, steps, strict=True):
        found[number] = step
    return found


def _moved(bodies: Sequence[Body], gaps: Gaps) -> tuple[list[Point], set[int]]:
    """The steps, and who has no room among fixed bodies."""
    separations, turned = _standing_apart(bodies, gaps), set[int]()
    steps, clashes = [_STAY] * len(bodies), list[_BodyPair]()
    for _ in range(ROUNDS):
        steps = _solved(bodies, separations)
        boxes = [body.now.moved(*step) for body, step in zip(bodies, steps, strict=True)]
        pushed = {number for number, body in enumerate(bodies) if body.fixed and steps[number] != _STAY}
        if pushed:
            crowded = _between_fixed(bodies, separations, steps, pushed)
            if not crowded or crowded <= turned:
                return steps, crowded
            turned |= crowded
            for one in crowded:
                _turn(bodies, separations, steps, one, gaps)
            continue
        clashes = _clashes(bodies, boxes, gaps)
        if not clashes:
            return steps, set()
        if not all(_part(bodies, boxes, pair, gaps, separations) for pair in clashes):
            break
    free = [[one for one in pair if not bodies[one].fixed] for pair in clashes]
    return steps, {min(pair, key=lambda one: bodies[one].weight) for pair in free}


def _turn(bodies: Sequence[Body], separations: _Separations, steps: Sequence[Point], crowded: int, gaps: Gaps) -> None:
    """Let a body without room between fixed bodies pass these on the other axis, on the nearer side."""
    for axis in AXES:
        tight = [
            pair
            for pair, gap in separations[axis].items()
            if crowded in pair
            and any(bodies[one].fixed for one in pair)
            and steps[pair[1]][axis] - steps[pair[0]][axis] <= _lacking(bodies, *pair, gap, axis)
        ]
        across = 1 - axis
        free = [pair for pair in tight if separations[across].keys().isdisjoint((pair, pair[::-1]))]
        others = [low if high == crowded else high for low, high in free]
        before = {(crowded, other): _least(bodies[crowded], bodies[other], across, gaps) for other in others}
        behind = {(other, crowded): _least(bodies[other], bodies[crowded], across, gaps) for other in others}
        back, on = (
            max((_lacking(bodies, *pair, gap, across) for pair, gap in rows.items()), default=0)
            for rows in (before, behind)
        )
        if min(back, on) > PASSED:
            continue
        separations[across].update(before if back < on else behind)
        for pair in free:
            del separations[axis][pair]


def _between_fixed(
    bodies: Sequence[Body], separations: _Separations, steps: Sequence[Point], pushed: set[int]
) -> set[int]:
    """The lightest free body among the `pushed` bodies and all bodies joined by tight separations."""
    found = set(pushed)
    waiting = list(pushed)
    while waiting:
        one = waiting.pop()
        for axis in AXES:
            for (low, high), gap in separations[axis].items():
                if one in (low, high) and steps[high][axis] - steps[low][axis] <= _lacking(
                    bodies, low, high, gap, axis
                ):
                    other = high if one == low else low
                    if other not in found:
                        found.add(other)
                        waiting.append(other)
    free = [one for one in sorted(found) if not bodies[one].fixed]
    return {min(free, key=lambda one: bodies[one].weight)} if free else set()


def _solved(bodies: Sequence[Body], separations: _Separations) -> list[Point]:
    x, y = (_steps(bodies, separations[axis], axis) for axis in AXES)
    return [Point(*step) for step in zip(x, y, strict=True)]


def _steps(bodies: Sequence[Body], gaps: dict[_BodyPair, float], axis: int) -> list[float]:
    """How far each body moves on an axis."""
    separations = [Separation(low, high, _lacking(bodies, low, high, gap, axis)) for (low, high), gap in gaps.items()]
    if all(separation.gap <= 0 for separation in separations):
        return [0.0] * len(bodies)
    weights = [FIXED if body.fixed else body.weight for body in bodies]
    return [float(floor(step + HALF)) for step in separated([0.0] * len(bodies), weights, separations)]


def _lacking(bodies: Sequence[Body], low: int, high: int, gap: float, axis: int) -> int:
    """How much farther than `low` the body `high` moves at least, whole px."""
    first, second = bodies[low].now, bodies[high].now
    return ceil(gap + first[axis] + first[axis + 2] - second[axis] - ROUGHLY)


def _clashes(bodies: Sequence[Body], boxes: Sequence[Box], gaps: Gaps) -> list[_BodyPair]:
    """The pairs of bodies nearer to each other than allowed, with at least one movable body."""
    rows: list[Rectangle] = list(boxes)
    pairs = pairs_nearer(rows, [not body.fixed for body in bodies], gaps.across, gaps.along, EVERY)
    return [pair for pair in pairs if _clash(bodies, boxes, pair, gaps)]


def _clash(bodies: Sequence[Body], boxes: Sequence[Box], pair: _BodyPair, gaps: Gaps) -> bool:
    first, second = (bodies[one] for one in pair)
    if _may_lie_over(first, second):
        return False
    if first.is_set or second.is_set:
        low, high = (_core(bodies[one], boxes[one]) for one in pair)
        return all(_between(low, high, axis) < SET_APART - ROUGHLY for axis in AXES)
    is_new = LIGHT in (first.weight, second.weight)  # whose former place is a hull: other elements may have stood in it
    if not is_new and first.before is not None and second.before is not None and first.before.overlaps(second.before):
        is_as_before = first.rests and second.rests and all(boxes[one] == bodies[one].now for one in pair)
        return not is_as_before and _hulls_meet(bodies, boxes, pair)
    return all(
        _between(boxes[pair[0]], boxes[pair[1]], axis) < _least(first, second, axis, gaps) - ROUGHLY for axis in AXES
    )


def _may_lie_over(first: Body, second: Body) -> bool:
    """Whether one body is an element put by a person over a container that does not hold this element."""
    for given, other in ((first, second), (second, first)):
        if given.is_given and other.is_container and not other.is_given:
            if given.is_set:
                return True
            return given.before is not None and other.before is not None and given.before.overlaps(other.before)
    return False


def _core(body: Body, box: Box) -> Box:
    """The core of a body moved to `box`, without the room for labels."""
    core = body.pieces[0] if body.pieces else body.now
    return core.moved(box.x - body.now.x, box.y - body.now.y)


def _hulls_meet(bodies: Sequence[Body], boxes: Sequence[Box], pair: _BodyPair) -> bool:
    """Whether pieces of two bodies overlap, given overlapping hulls."""
    rows = [
        [
            piece.moved(boxes[one].x - bodies[one].now.x, boxes[one].y - bodies[one].now.y)
            for piece in bodies[one].pieces
        ]
        or [boxes[one]]
        for one in pair
    ]
    return any(piece.grown(-ROUGHLY).overlaps(other) for piece in rows[0] for other in rows[1])


def _between(first: Box, second: Box, axis: int) -> float:
    """The gap between two boxes on an axis; negative for an overlap."""
    return max(first[axis], second[axis]) - min(first[axis] + first[axis + 2], second[axis] + second[axis + 2])


def _least(first: Body, second: Body, axis: int, gaps: Gaps) -> float:
    """The required gap of two bodies on an axis, the first before the second: the usual gap, or a smaller former
    gap."""
    if first.is_set or second.is_set:
        low, high = _core(first, first.now), _core(second, second.now)
        beyond = first.now[axis] + first.now[axis + 2] - low[axis] - low[axis + 2] + high[axis] - second.now[axis]
        return SET_APART - beyond
    if first.before is None or second.before is None:
        return gaps[axis]
    stood = _between(first.before, second.before, axis)
    return min(gaps[axis], stood) if stood >= 0 else gaps[axis]


def _standing_apart(bodies: Sequence[Body], gaps: Gaps) -> _Separations:
    """Separations between neighbours formerly side by side or above each other, to keep their order."""
    found: _Separations = ({}, {})
    known = [(number, body.before) for number, body in enumerate(bodies) if body.before is not None and not body.is_set]
    for axis in AXES:
        for first, second in in_sight([_span(box, axis) for _, box in known]):
            low, high = known[first][0], known[second][0]
            if not (bodies[low].fixed and bodies[high].fixed):
                found[axis][low, high] = _least(bodies[low], bodies[high], axis, gaps)
    return found


def _span(box: Box, axis: int) -> AxisSpan:
    across = 1 - axis
    return box[axis], box[axis] + box[axis + 2], box[across], box[across] + box[across + 2]


def _part(
    bodies: Sequence[Body],
    boxes: Sequence[Box],
    pair: _BodyPair,
    gaps: Gaps,
    separations: _Separations,
) -> bool:
    """Add the separation of a pair, on the axis on which the bodies stood apart; the flow's axis for both; else the
    axis of the shorter move. Returns whether a separation was added."""
    choices: list[tuple[bool, bool, float, int, _BodyPair]] = []
    both = [bodies[one].before if not bodies[one].is_set else None for one in pair]
    first, second = (box or boxes[one] for box, one in zip(both, pair, strict=True))
    for axis in AXES:
        if any(row in separations[axis] for row in (pair, pair[::-1])):
            continue
        middle = first[axis] + first[axis + 2] / 2, second[axis] + second[axis + 2] / 2
        ordered = pair if middle[0] <= middle[1] else (pair[1], pair[0])
        low, high = boxes[ordered[0]], boxes[ordered[1]]
        depth = low[axis] + low[axis + 2] + _least(bodies[ordered[0]], bodies[ordered[1]], axis, gaps) - high[axis]
        stood = None not in both and _between(first, second, axis) >= 0
        choices.append((not stood, stood and axis != gaps.flow, depth, axis, ordered))
    if not choices:
        return False
    *_, axis, ordered = min(choices)
    separations[axis][ordered] = _least(bodies[ordered[0]], bodies[ordered[1]], axis, gaps)
    return True


# The place of an element inserted into a layout, found without moving anything. Flow from top to bottom. px. In: the
# newcomer's size, its neighbours, the ground. Out: its top left corner. Promises: no overlap, node spacing to all
# neighbours; of the free places the one with the shortest downward edges, the fewest crossings, and the least growth
# beyond the settled content.


STRAIGHT_TO = 4  # neighbours tried to stand in line with
TRIED = 8  # places judged in full, of those that look cheapest
MAX_LINES = 400  # lines; in a larger picture crossings are not counted
ROW_GAP = 0.5  # of the rank spacing; kept to the rows above and below
PRICES: SpotPrices = (
    INSERTED_BEND,
    INSERTED_BESIDE,
    INSERTED_AGAINST,
    OUT_OF_TURN,
    OFF_LINE,
    INSERTED_GROWTH,
    OUTGROWN,
    OUTGROWTH,
)


@dataclass(frozen=True, slots=True)
class Site:
    """The surroundings of a newcomer: placed boxes with outsets, the bounds of the settled content, the free room
    beyond, and straight approximations of the edges. `spare`: the parts of the newcomer's room, left and right, that
    only keep its middle in line."""

    boxes: Sequence[Box]
    bounds: Box
    room: Outset
    lines: list[StraightLine]
    node_gap: float
    rank_gap: float
    spare: tuple[float, float] = (0.0, 0.0)


class LinkedBox(NamedTuple):
    """A box at the far end of a newcomer's edge, and its weight."""

    box: Box
    weight: float = 1.0


class Pull(NamedTuple):
    """The neighbours of a newcomer: `sources` before, `targets` after the newcomer."""

    sources: Sequence[LinkedBox]
    targets: Sequence[LinkedBox]

    @property
    def ends(self) -> list[LinkedBox]:
        """Sources and targets."""
        return [*self.sources, *self.targets]


def corners_for(width: float, height: float, pull: Pull, site: Site, most: int) -> list[Point]:
    """The corners of the best places, best first, mutually disjoint, at most `most`."""
    spots = free_spots(width, height, _tops(height, pull, site), _wishes(width, pull, site), _shadows(site))
    places = [Box(x, top, width, height) for x, top in spots]
    ground = _ground(pull, site)
    costs = {place: ground.cost(place) for place in dict.fromkeys(places)}  # several wishes may coincide
    rough = sorted((costs[place], place) for place in places)
    if len(site.lines) <= MAX_LINES:
        ends = {end.box for end in pull.ends}
        strangers: list[Rectangle] = [box for box in site.boxes if box not in ends]
        judged = {place: cost for cost, place in rough[: TRIED * most]}
        rough = [(cost + _tangle(place, pull, strangers, site.lines), place) for place, cost in judged.items()]
    return [Point(best.x, best.y) for best in _apart(sorted(rough), most)]


def _apart(rows: Sequence[tuple[float, Box]], most: int) -> list[Box]:
    """The first mutually disjoint places, at most `most`."""
    found: list[Box] = []
    for _, place in rows:
        if len(found) == most:
            break
        if not any(place.overlaps(other) for other in found):
            found.append(place)
    return found


def _wishes(width: float, pull: Pull, site: Site) -> list[float]:
    """The wished left sides of a newcomer: centred on the mean of its neighbours, in a straight line with the first
    few, beside these, and up to the bounds; without a neighbour, after the newest box."""
    ends = pull.ends
    if not ends:
        return [site.boxes[-1].right + site.node_gap if site.boxes else site.bounds.x]
    middle = fsum(end.box.center.x * end.weight for end in ends) / fsum(end.weight for end in ends)
    wishes = [middle - width / 2, *(end.box.center.x - width / 2 for end in ends[:STRAIGHT_TO])]
    aside = width + site.node_gap
    wishes += [wishes[0] - aside, wishes[0] + aside]
    return [*wishes, min(max(wishes[0], site.bounds.x), site.bounds.right - width)]


def _tops(height: float, pull: Pull, site: Site) -> list[float]:
    """The candidate tops of a newcomer: aligned with placed boxes and with its neighbours, possibly deeper inside; new
    lines above and below everything; one rank after its sources or before its targets."""
    tops = {box.center.y - height / 2: None for box in (*site.boxes, *(end.box for end in pull.ends))}
    tops |= {box.bottom + site.rank_gap: None for box, _ in pull.sources}
    tops |= {box.y - site.rank_gap - height: None for box, _ in pull.targets}
    tops[site.bounds.bottom + site.rank_gap] = None
    tops[site.bounds.y - site.rank_gap - height] = None
    return list(tops)


def _shadows(site: Site) -> list[Shadow]:
    """Top, bottom, left and right of every box with its gap, as plain numbers for fast comparison."""
    gap, (left, right) = site.rank_gap * ROW_GAP, (site.node_gap - spare for spare in site.spare)
    return [(y - gap, y + height + gap, x - right, x + width + left) for x, y, width, height in site.boxes]


def _ground(pull: Pull, site: Site) -> SpotCriteria:
    """The cost function of places: length, bends and direction of edges, growth beyond the bounds, and alignment."""
    heights = {box.center.y for box in site.boxes}
    above: list[WeightedBox] = [(end.box, end.weight) for end in pull.sources]
    below: list[WeightedBox] = [(end.box, end.weight) for end in pull.targets]
    return SpotCriteria(site.bounds, site.room, heights, (above, below), PRICES)


def _tangle(place: Box, pull: Pull, strangers: list[Rectangle], lines: list[StraightLine]) -> float:
    """The cost of crossings, and of boxes in the way."""
    own = [line_between(box, place) for box, _ in pull.sources]
    own += [line_between(place, box) for box, _ in pull.targets]
    crossed = sum(crossings(line, lines) for line in own) + lines_through(lines, place)
    return INSERTED_CROSSING * crossed + INSERTED_THROUGH * sum(boxes_hit(line, strangers) for line in own)


# Elements inserted into a layout: each joins its container in free room.
#
# In: the boxes of the base layout, the units of a container, and the newcomers. Out: all units in their places.
# Promise: units of the base layout do not move.


OUTSIDE = 0.3  # how much an end in another container counts
ENDLESS = Outset(1e9, 1e9, 1e9, 1e9)
NOWHERE: Mapping[str, Box] = MappingProxyType({})


@dataclass(slots=True)
class BaseLayout:
    """The base layout for insertions: the composed `boxes`, and `now`, the present boxes, newcomers included. `given`:
    fixed places of newcomers."""

    inventory: Inventory
    settings: LayoutSettings
    boxes: Mapping[str, Box]
    now: dict[str, Box]
    given: Mapping[str, Box]

    def ends(self, unit: Unit, far: Mapping[str, Sequence[str]], container: str, turn: Turn) -> list[LinkedBox]:
        """The placed neighbours of a unit, turned to flow downwards; neighbours in the same container weigh most."""
        found = [end for member in unit.boxes for end in far.get(member, ()) if end not in unit.boxes]
        return [
            LinkedBox(turned_box(self.now[end], turn), 1.0 if container in self.inventory.ancestors(end) else OUTSIDE)
            for end in found
            if end in self.now
        ]

    def room(self, container: str) -> Outset:
        """The free room round a container of the base layout, for growth on each side."""
        box = self.boxes.get(container)
        if container == ROOT or box is None:
            return ENDLESS
        home = self.inventory.parent[container]
        content = {one: self.boxes[one] for one in self.inventory.children[home] if one in self.boxes}
        around = (union(content.values()) or box).with_outset(self.room(home))
        return _room(
            box, [other for one, other in content.items() if one != container], around, self.settings.node_spacing
        )


def base_layout(
    inventory: Inventory, settings: LayoutSettings, boxes: Mapping[str, Box], given: Mapping[str, Box] = NOWHERE
) -> BaseLayout:
    """The base layout of `boxes`, ready for insertions of the inventory's remaining elements."""
    return BaseLayout(inventory, settings, boxes, dict(boxes), given)


def _room(box: Box, others: Sequence[Box], around: Box, gap: float) -> Outset:
    top, right, bottom, left = around.y, around.right, around.bottom, around.x
    for other in others:
        if other.x < box.right and box.x < other.right:
            if other.y >= box.bottom:
                bottom = min(bottom, other.y - gap)
            else:
                top = max(top, other.bottom + gap)
        if other.y < box.bottom and box.y < other.bottom:
            if other.x >= box.right:
                right = min(right, other.x - gap)
            else:
                left = max(left, other.right + gap)
    room = (box.y - top, right - box.right, bottom - box.bottom, box.x - left)
    return Outset(*(max(0.0, side) for side in room))


@dataclass(frozen=True, slots=True)
class Flow:
    """The flow of a container's content: its direction, and the gaps between ranks and within a rank. `area`: the room
    for content without growth; None: the hull of the placed content."""

    turn: Turn
    rank_gap: float
    node_gap: float
    area: Box | None = None


def with_newcomers(
    ground: BaseLayout, container: str, flow: Flow, standing: Sequence[Unit], coming: Sequence[Unit]
) -> list[Unit]:
    """The units of a container after insertion, newcomers with placed neighbours first."""
    there, waiting = list(standing), list(coming)
    while waiting:
        unit = next((one for one in waiting if _is_tied(ground, one)), waiting[0])
        waiting.remove(unit)
        place = ground.given.get(unit.id)
        joined = free_places(ground, flow, container, there, unit)[0] if place is None else moved_to(unit, place)
        there.append(joined)
        ground.now.update(there[-1].boxes)
    return there


def _is_tied(ground: BaseLayout, unit: Unit) -> bool:
    far = (
        end
        for ends in (ground.inventory.sources, ground.inventory.targets)
        for member in unit.boxes
        for end in ends.get(member, ())
    )
    return any(end in ground.now and end not in unit.boxes for end in far)


def free_places(
    ground: BaseLayout, flow: Flow, container: str, standing: Sequence[Unit], unit: Unit, *, most: int = 1
) -> list[Unit]:
    """A newcomer at each of the best places of its container, best first, at most `most`."""
    turn = flow.turn
    boxes = [turned_box(one.whole, turn) for one in standing]
    own = turned_box(unit.whole, turn)
    whole = _evenly_roomed(turned_box(unit.core, turn), own)
    bounds = union([*boxes, *([] if flow.area is None else [turned_box(flow.area, turn)])]) or whole
    room = turned_outset(ground.room(container), turn)
    spare = own.x - whole.x, whole.right - own.right
    site = Site(boxes, bounds, room, _lines(ground, turn), flow.node_gap, flow.rank_gap, spare)
    ends = (ground.ends(unit, far, container, turn) for far in (ground.inventory.sources, ground.inventory.targets))
    here, found = turned_back(whole, turn), list[Unit]()
    for at in corners_for(whole.width, whole.height, Pull(*ends), site, most):
        there = turned_back(Box(at.x, at.y, whole.width, whole.height), turn)
        found.append(unit.moved(round(there.x - here.x), round(there.y - here.y)))
    return found


def _evenly_roomed(core: Box, whole: Box) -> Box:
    """A unit with equal room on both sides across the flow, so that its own middle, rather than the middle including a
    label beside, aligns with neighbours."""
    aside = max(core.x - whole.x, whole.right - core.right)
    return Box(core.x - aside, whole.y, core.width + 2 * aside, whole.height)


def _lines(ground: BaseLayout, turn: Turn) -> list[StraightLine]:
    """Straight approximations of all edges between placed elements."""
    turned = {element_id: turned_box(box, turn) for element_id, box in ground.now.items()}
    return [
        line_between(turned[tie.source], turned[tie.target])
        for tie in ground.inventory.ties
        if tie.source in turned and tie.target in turned and tie.source != tie.target
    ]
