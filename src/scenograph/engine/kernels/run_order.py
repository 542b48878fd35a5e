"""In which order parallel runs should lie beside each other so that their routes do not cross more than they must.

In: two runs of one axis that overlap along it. Out: -1 when the first belongs on the low side (left or above), 1 when
the second does, 0 when it makes no difference. After the nudging order of libavoid (Wybrow, Marriott and Stuckey,
"Orthogonal Connector Routing", 2009): look where the routes part at each end of the overlap.
"""

from __future__ import annotations

from typing import Final

from scenograph.engine.kernels.runs import SAME, Corners, Run, level

FOLLOWED_CORNERS: Final = 6  # corners that two lines are compared by
SAME_LEVEL: Final = 8.0  # ends so close to each other will still be put in order themselves: they say nothing yet

Way = tuple[Corners, int, int]  # a route as walked from one end of a run: its corners, a place and a step


def preference(a: Run, b: Run, points_a: Corners, points_b: Corners, across: int) -> int:
    """The side on which `a` belongs, seen from both ends of the overlap: -2 to 2, negative for the low side."""
    return _at_low_end(a, b, points_a, points_b, across) + _at_high_end(a, b, points_a, points_b, across)


def nested(a: Run, b: Run, across: int) -> int:
    """The side on which `a` belongs, when nothing else tells: the route that was named first runs to the left of the
    other all along, as it walks itself. So the corners of two that run the same way lie in one another."""
    sign, is_backward = (-1, a.backward) if a.draft < b.draft else (1, b.backward)
    return sign if is_backward != (across != 0) else -sign


def twists(a: Run, b: Run, points_a: Corners, points_b: Corners, across: int) -> bool:
    """Whether two routes that share a line must cross because they leave it on opposite sides at its two ends. Of a
    shared way with corners only the last line, as `a` walks, says so."""
    low = _at_low_end(a, b, points_a, points_b, across)
    if low == 0 or low * _at_high_end(a, b, points_a, points_b, across) >= 0:
        return False
    if a.backward:
        return not (abs(a.low - b.low) <= SAME and a.turn_low == b.turn_low != 0)
    return not (abs(a.high - b.high) <= SAME and a.turn_high == b.turn_high != 0)


def _at_low_end(a: Run, b: Run, points_a: Corners, points_b: Corners, across: int) -> int:
    if a.low < b.low - SAME_LEVEL:
        return -_side(b.turn_low, b.reach_low, a.position)
    if b.low < a.low - SAME_LEVEL:
        return _side(a.turn_low, a.reach_low, b.position)
    return _parting(_way(a, points_a, low=True), _way(b, points_b, low=True), across, -1)


def _at_high_end(a: Run, b: Run, points_a: Corners, points_b: Corners, across: int) -> int:
    if a.high > b.high + SAME_LEVEL:
        return -_side(b.turn_high, b.reach_high, a.position)
    if b.high > a.high + SAME_LEVEL:
        return _side(a.turn_high, a.reach_high, b.position)
    return _parting(_way(a, points_a, low=False), _way(b, points_b, low=False), across, 1)


def _side(turn: int, reach: float, line: float) -> int:
    """On which side of a line that goes on a run belongs which ends beside it: there where its route goes."""
    return 0 if turn == 0 else _sign(reach - line) or turn


def _way(run: Run, points: Corners, *, low: bool) -> Way:
    """From the corner at one end of the span, going away from the run."""
    if low != run.backward:
        return points, run.index, -1
    return points, run.index + 1, 1


def _corners_ahead(way: Way) -> int:
    points, place, step = way
    return place if step < 0 else len(points) - 1 - place


def _parting(a: Way, b: Way, across: int, outward: int) -> int:
    """Both runs end at the same level: follow both routes until they part. `outward` is the direction along the runs
    in which the routes leave the overlap (-1: the low end)."""
    points_a, at_a, step_a = a
    points_b, at_b, step_b = b
    side = 1
    for _ in range(min(FOLLOWED_CORNERS, _corners_ahead(a), _corners_ahead(b))):
        here_a, here_b = level(points_a[at_a], across), level(points_b[at_b], across)
        at_a, at_b = at_a + step_a, at_b + step_b
        end_a, end_b = level(points_a[at_a], across), level(points_b[at_b], across)
        turn_a, turn_b = _sign(end_a - here_a), _sign(end_b - here_b)
        if turn_a != turn_b:
            return side if turn_a > turn_b else -side
        # Both turn to the same hand: the one that goes on farther, or turns off first, settles it on the other axis.
        side *= -outward * turn_a
        if abs(end_a - end_b) > SAME_LEVEL:
            if (end_a < end_b) == (turn_a > 0):
                return side * _hand((points_a, at_a, step_a), 1 - across)
            return -side * _hand((points_b, at_b, step_b), 1 - across)
        outward, across = turn_a, 1 - across
    return 0


def _hand(way: Way, axis: int) -> int:
    """To which side of `axis` the route turns where it is; 0 at its end."""
    points, place, step = way
    if not _corners_ahead(way):
        return 0
    return _sign(level(points[place + step], axis) - level(points[place], axis))


def _sign(value: float) -> int:
    return 1 if value > SAME else -1 if value < -SAME else 0
