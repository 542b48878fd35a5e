"""Room for boxes that grew, came or were moved, with the least movement of all neighbours. px.

In: bodies, each with its former box, if any, and its wished box. Out: the shift of each body, in whole px. Promises:
without a lack of room nothing moves; a body moves by the lacking part of the usual gap, or of a smaller former gap;
bodies keep their order on both axes; overlaps remain only for bodies with no room between fixed bodies. A separation
keeps two bodies apart on the axis on which they stood apart, preferring the axis of the flow. All separations of an
axis are solved at once (`kernels.projection`); bodies newly in conflict get a separation too, until none is. Distances
are rounded up to whole px and all shifts are rounded alike, which keeps every separation exactly.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, floor
from typing import NamedTuple

from scenograph.engine.geometry.boxes import Box, Point
from scenograph.engine.geometry.spatial_index import EVERY
from scenograph.engine.kernels.near_boxes import AxisSpan, in_sight, pairs_nearer
from scenograph.engine.kernels.projection import Separation, separated
from scenograph.engine.kernels.straight_lines import Rectangle

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


BodyPair = tuple[int, int]
_Separations = tuple[dict[BodyPair, float], dict[BodyPair, float]]
"""The separations of pairs, on each axis."""
STAY = Point(0.0, 0.0)


def moves(bodies: Sequence[Body], gaps: Gaps) -> list[Point | None]:
    """The shift of each body; None for a body without room between fixed bodies."""
    if not _clashes(bodies, [body.now for body in bodies], gaps):
        return [STAY] * len(bodies)
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
    steps, clashes = [STAY] * len(bodies), list[BodyPair]()
    for _ in range(ROUNDS):
        steps = _solved(bodies, separations)
        boxes = [body.now.moved(*step) for body, step in zip(bodies, steps, strict=True)]
        pushed = {number for number, body in enumerate(bodies) if body.fixed and steps[number] != STAY}
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
    """The lightest free body among the `pushed` ones and those joined to them by tight separations."""
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


def _steps(bodies: Sequence[Body], gaps: dict[BodyPair, float], axis: int) -> list[float]:
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


def _clashes(bodies: Sequence[Body], boxes: Sequence[Box], gaps: Gaps) -> list[BodyPair]:
    """The pairs of bodies nearer to each other than allowed, with at least one movable body."""
    rows: list[Rectangle] = list(boxes)
    pairs = pairs_nearer(rows, [not body.fixed for body in bodies], gaps.across, gaps.along, EVERY)
    return [pair for pair in pairs if _clash(bodies, boxes, pair, gaps)]


def _clash(bodies: Sequence[Body], boxes: Sequence[Box], pair: BodyPair, gaps: Gaps) -> bool:
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


def _hulls_meet(bodies: Sequence[Body], boxes: Sequence[Box], pair: BodyPair) -> bool:
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
    pair: BodyPair,
    gaps: Gaps,
    separations: _Separations,
) -> bool:
    """Add the separation of a pair, on the axis on which the bodies stood apart; the flow's axis for both; else the
    axis of the shorter move. Returns whether a separation was added."""
    choices: list[tuple[bool, bool, float, int, BodyPair]] = []
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
