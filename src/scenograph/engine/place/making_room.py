"""Boxes that have grown, come or been fixed, given room: the others move no more than they must. px.

In: bodies with the box that each had before, if it had one, and the box that it wishes now. Out: how far each moves.
Promises: what wishes no overlap stays to the last digit; none overlap, unless both are fixed or their fixed neighbours
leave no room (None then); gaps shrink by a third of the spacing at the most; whoever stood before another on an axis
still does where the two would meet.

Two bodies are kept apart on the axis on which they stood apart, by a separation; all of an axis are solved at once
(`kernels.projection`). Bodies that then come to meet get a separation, too, until none do. Where that breaks a straight
line between two, both move alike, unless so many more would move.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from typing import NamedTuple

from scenograph.engine.geometry.boxes import Box, Point
from scenograph.engine.geometry.spatial_index import EVERY
from scenograph.engine.kernels.disjoint_sets import DisjointSets
from scenograph.engine.kernels.near_boxes import Span, in_sight, pairs_nearer
from scenograph.engine.kernels.projection import Separation, separated
from scenograph.engine.kernels.straight_lines import Rectangle

KEPT = 2 / 3  # of the spacing is kept between boxes where one needs the room; with more, small growth pushes by little
FIXED = 1e9  # the weight of what must not move
ROUNDS = 24  # in which boxes give way to each other
MOST_ROWS = 8  # of bodies in a line that are tried to move alike
MORE = 2  # times as many may move so that lines stay straight
ROUGHLY = 0.02  # px; a smaller difference is rounding
ROUNDING = 1.0  # two steps in whole pixels come so much nearer to each other at the most
AXES = (0, 1)  # x and y as places in a point


class Gaps(NamedTuple):
    """The usual room from left to right and from top to bottom."""

    across: float
    along: float


class Body(NamedTuple):
    """What moves as one piece: the box `before` (None: it was not there), the box `now`; heavy ones move less. What a
    body consists of is `pieces`, where it is no plain box."""

    before: Box | None
    now: Box
    weight: float = 1.0
    fixed: bool = False
    pieces: Sequence[Box] = ()


Pair = tuple[int, int]
_Together = tuple[DisjointSets, DisjointSets]
"""Who moves alike, on each axis."""
_Separations = tuple[dict[Pair, float], dict[Pair, float]]
"""The room that pairs keep, on each axis."""


class InLine(NamedTuple):
    """Two bodies with a straight line between them: their middles have one place on an axis."""

    first: int
    second: int
    axis: int


def moves(bodies: Sequence[Body], gaps: Gaps, lines: Sequence[InLine] = ()) -> list[Point] | None:
    """How far each body moves; None where fixed ones leave no room."""
    if not _clashes(bodies, [body.now for body in bodies], gaps):
        return [Point(0.0, 0.0)] * len(bodies)
    separations = _standing_apart(bodies, gaps)
    found = _moved(bodies, gaps, separations, _joined(len(bodies), ()))
    if found is None:
        return None
    rows, most = _joined(len(bodies), lines), MORE * _count(found)
    kept, seen = list[InLine](), set[tuple[int, int]]()
    while (row := _bent_row(found, lines, rows, seen)) is not None and len(seen) < MOST_ROWS:
        seen.add(row)
        tried = [*kept, *(one for one in lines if _row(rows, one) == row)]
        least = {end for one in tried for end in one[:2]}.union(at for at, step in enumerate(found) if any(step))
        straight = _moved(bodies, gaps, separations, _joined(len(bodies), tried)) if len(least) <= most else None
        if straight is not None and _count(straight) <= most:
            found, kept = straight, tried
    return found


def _bent_row(
    found: Sequence[Point], lines: Sequence[InLine], rows: _Together, seen: Set[tuple[int, int]]
) -> tuple[int, int] | None:
    """A row of bodies in a line that does not move alike, of those not seen yet."""
    bent = (one for one in lines if found[one.first][one.axis] != found[one.second][one.axis])
    return next((row for one in bent if (row := _row(rows, one)) not in seen), None)


def _joined(count: int, lines: Sequence[InLine]) -> _Together:
    joined = DisjointSets(count), DisjointSets(count)
    for first, second, axis in lines:
        joined[axis].join(first, second)
    return joined


def _row(rows: _Together, line: InLine) -> tuple[int, int]:
    return line.axis, rows[line.axis].find(line.first)


def _count(steps: Sequence[Point]) -> int:
    return sum(any(step) for step in steps)


def _moved(bodies: Sequence[Body], gaps: Gaps, stood: _Separations, together: _Together) -> list[Point] | None:
    """How far each body moves, those that are together on an axis alike."""
    separations = dict(stood[0]), dict(stood[1])
    for _ in range(ROUNDS):
        boxes = _solved(bodies, separations, together)
        if any(body.fixed and _far(body.now, box) for body, box in zip(bodies, boxes, strict=True)):
            return None
        clashes = _clashes(bodies, boxes, gaps)
        if not clashes:
            return [_step(body.now, box) for body, box in zip(bodies, boxes, strict=True)]
        if not all(_part(bodies, boxes, pair, gaps, separations) for pair in clashes):
            return None
    return None


def _step(now: Box, box: Box) -> Point:
    """Whole pixels: frames, which are drawn on these, keep the distance to their content."""
    return Point(float(round(box.x - now.x)), float(round(box.y - now.y)))


def _far(now: Box, box: Box) -> bool:
    return abs(now.x - box.x) > ROUGHLY or abs(now.y - box.y) > ROUGHLY


def _solved(bodies: Sequence[Body], separations: Sequence[dict[Pair, float]], together: _Together) -> list[Box]:
    steps = [_steps(bodies, separations[axis], together[axis], axis) for axis in AXES]
    return [body.now.moved(x, y) for body, x, y in zip(bodies, *steps, strict=True)]


def _steps(bodies: Sequence[Body], gaps: dict[Pair, float], together: DisjointSets, axis: int) -> list[float]:
    """How far each body moves on an axis."""
    leads = [together.find(number) for number in range(len(bodies))]
    weights = [0.0] * len(bodies)
    for lead, body in zip(leads, bodies, strict=True):
        weights[lead] += FIXED if body.fixed else body.weight
    separations = [
        Separation(
            leads[low],
            leads[high],
            max(gap, ROUNDING) + bodies[low].now[axis] + bodies[low].now[axis + 2] - bodies[high].now[axis],
        )
        for (low, high), gap in gaps.items()
        if leads[low] != leads[high]
    ]
    steps = separated([0.0] * len(bodies), weights, separations)
    return [steps[lead] for lead in leads]


def _clashes(bodies: Sequence[Body], boxes: Sequence[Box], gaps: Gaps) -> list[Pair]:
    """The pairs that lie nearer to each other than they must, and that one of them can leave."""
    rows: list[Rectangle] = list(boxes)
    pairs = pairs_nearer(rows, [not body.fixed for body in bodies], gaps.across * KEPT, gaps.along * KEPT, EVERY)
    return [pair for pair in pairs if _clash(bodies, boxes, pair, gaps)]


def _clash(bodies: Sequence[Body], boxes: Sequence[Box], pair: Pair, gaps: Gaps) -> bool:
    first, second = (bodies[one] for one in pair)
    if first.before is not None and second.before is not None and first.before.overlaps(second.before):
        return _hulls_meet(bodies, boxes, pair)
    return all(
        _between(boxes[pair[0]], boxes[pair[1]], axis) < _least(first, second, axis, gaps) - ROUGHLY for axis in AXES
    )


def _hulls_meet(bodies: Sequence[Body], boxes: Sequence[Box], pair: Pair) -> bool:
    """Whether pieces of two bodies overlap, whose hulls did so before."""
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
    """The room between two boxes on an axis; negative where they overlap there."""
    return max(first[axis], second[axis]) - min(first[axis] + first[axis + 2], second[axis] + second[axis + 2])


def _least(first: Body, second: Body, axis: int, gaps: Gaps) -> float:
    """The room that two bodies keep on an axis: most of the usual one, or less where they had less."""
    usual = gaps[axis] * KEPT
    if first.before is None or second.before is None:
        return usual
    stood = _between(first.before, second.before, axis)
    return min(usual, stood) if stood >= 0 else usual


def _standing_apart(bodies: Sequence[Body], gaps: Gaps) -> _Separations:
    """Separations between neighbours that stood side by side or above each other, so that none jumps over another."""
    found: _Separations = ({}, {})
    known = [(number, body.before) for number, body in enumerate(bodies) if body.before is not None]
    for axis in AXES:
        for first, second in in_sight([_span(box, axis) for _, box in known]):
            low, high = known[first][0], known[second][0]
            if not (bodies[low].fixed and bodies[high].fixed):
                found[axis][low, high] = _least(bodies[low], bodies[high], axis, gaps)
    return found


def _span(box: Box, axis: int) -> Span:
    across = 1 - axis
    return box[axis], box[axis] + box[axis + 2], box[across], box[across] + box[across + 2]


def _part(
    bodies: Sequence[Body],
    boxes: Sequence[Box],
    pair: Pair,
    gaps: Gaps,
    separations: _Separations,
) -> bool:
    """Add the separation of a pair that needs the shorter move, on an axis on which they stood apart if there is one;
    whether there was one to add."""
    choices: list[tuple[bool, float, int, Pair]] = []
    for axis in AXES:
        if any(row in separations[axis] for row in (pair, pair[::-1])):
            continue
        first, second = (bodies[one].before or boxes[one] for one in pair)
        middle = first[axis] + first[axis + 2] / 2, second[axis] + second[axis + 2] / 2
        ordered = pair if middle[0] <= middle[1] else (pair[1], pair[0])
        low, high = boxes[ordered[0]], boxes[ordered[1]]
        depth = low[axis] + low[axis + 2] + _least(bodies[pair[0]], bodies[pair[1]], axis, gaps) - high[axis]
        choices.append((_between(first, second, axis) < 0, depth, axis, ordered))
    if not choices:
        return False
    *_, axis, ordered = min(choices)
    separations[axis][ordered] = _least(bodies[pair[0]], bodies[pair[1]], axis, gaps)
    return True
