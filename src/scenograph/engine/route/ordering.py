"""In which order parallel runs should lie beside each other so that their routes do not cross more than they must.

In: two runs of one axis that overlap along it. Out: -1 when the first belongs on the low side (left or above), 1 when
the second does, 0 when it makes no difference. After the nudging order of libavoid (Wybrow, Marriott and Stuckey,
"Orthogonal Connector Routing", 2009): look where the routes part at each end of the overlap.
"""

from __future__ import annotations

from scenograph.engine.geometry.boxes import Point
from scenograph.engine.route.runs import SAME, Run

FOLLOWED_CORNERS = 6
SAME_LEVEL = 8.0  # ends so close to each other will still be put in order themselves: they say nothing yet


class Way:
    """A route as walked from one end of a run: corner by corner away from it."""

    __slots__ = ("place", "points", "step")

    def __init__(self, points: tuple[Point, ...], place: int, step: int) -> None:
        self.points = points
        self.place = place
        self.step = step

    def ahead(self, corners: int) -> Point | None:
        """The corner so many steps on; None past the end."""
        place = self.place + self.step * corners
        return self.points[place] if 0 <= place < len(self.points) else None


def preference(a: Run, b: Run, routes: tuple[tuple[Point, ...], tuple[Point, ...]], across: int) -> int:
    """The side on which `a` belongs, seen from both ends of the overlap: -2 to 2, negative for the low side."""
    return _at_low_end(a, b, routes, across) + _at_high_end(a, b, routes, across)


def twists(a: Run, b: Run, routes: tuple[tuple[Point, ...], tuple[Point, ...]], across: int) -> bool:
    """Whether two routes that share a line must cross because they leave it on opposite sides at its two ends. Of a
    shared way with corners only the last line, as `a` walks, says so."""
    low, high = _at_low_end(a, b, routes, across), _at_high_end(a, b, routes, across)
    if low * high >= 0:
        return False
    at_end = (a.low, b.low, a.turn_low, b.turn_low) if a.backward else (a.high, b.high, a.turn_high, b.turn_high)
    goes_on_together = abs(at_end[0] - at_end[1]) <= SAME and at_end[2] == at_end[3] != 0
    return not goes_on_together


def _at_low_end(a: Run, b: Run, routes: tuple[tuple[Point, ...], tuple[Point, ...]], across: int) -> int:
    if a.low < b.low - SAME_LEVEL:
        return -_side(b.turn_low, b.reach_low, a.position)
    if b.low < a.low - SAME_LEVEL:
        return _side(a.turn_low, a.reach_low, b.position)
    return _parting(_way(a, routes[0], low=True), _way(b, routes[1], low=True), across, -1)


def _at_high_end(a: Run, b: Run, routes: tuple[tuple[Point, ...], tuple[Point, ...]], across: int) -> int:
    if a.high > b.high + SAME_LEVEL:
        return -_side(b.turn_high, b.reach_high, a.position)
    if b.high > a.high + SAME_LEVEL:
        return _side(a.turn_high, a.reach_high, b.position)
    return _parting(_way(a, routes[0], low=False), _way(b, routes[1], low=False), across, 1)


def _side(turn: int, reach: float, line: float) -> int:
    """On which side of a line that goes on a run belongs which ends beside it: there where its route goes."""
    return 0 if turn == 0 else _sign(reach - line) or turn


def _way(run: Run, points: tuple[Point, ...], *, low: bool) -> Way:
    """From the corner at one end of the span, going away from the run."""
    first = low != run.backward
    return Way(points, run.index if first else run.index + 1, -1 if first else 1)


def _parting(a: Way, b: Way, across: int, outward: int) -> int:
    """Both runs end at the same level: follow both routes until they part. `outward` is the direction along the runs
    in which the routes leave the overlap (-1: the low end)."""
    side = 1
    for corner in range(FOLLOWED_CORNERS):
        here_a, here_b = a.ahead(corner), b.ahead(corner)
        next_a, next_b = a.ahead(corner + 1), b.ahead(corner + 1)
        if here_a is None or here_b is None or next_a is None or next_b is None:
            return 0
        turn_a, turn_b = _sign(next_a[across] - here_a[across]), _sign(next_b[across] - here_b[across])
        if turn_a != turn_b:
            return side * _sign(turn_a - turn_b)
        # Both turn to the same hand: the one that goes on farther, or turns off first, settles it on the other axis.
        step_a, step_b = next_a[across], next_b[across]
        side *= -outward * turn_a
        if abs(step_a - step_b) > SAME_LEVEL:
            nearer_is_a = (step_a < step_b) == (turn_a > 0)
            near = a if nearer_is_a else b
            return side * _hand(near, corner + 1, 1 - across) * (1 if nearer_is_a else -1)
        outward, across = turn_a, 1 - across
    return 0


def _hand(way: Way, corner: int, axis: int) -> int:
    """To which side of `axis` the route turns at that corner."""
    here, following = way.ahead(corner), way.ahead(corner + 1)
    return _sign(following[axis] - here[axis]) if here is not None and following is not None else 0


def _sign(value: float) -> int:
    return (value > SAME) - (value < -SAME)
