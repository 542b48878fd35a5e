"""A* over an orthogonal visibility graph: cost is length, a price a bend, tolls, and what the ends cost themselves.

The estimate is the manhattan distance plus the bends that direction and place still force, so it never overestimates.
A state is a vertex and the way the path moves there: `(j * width + i) * 2 + way`. px.
"""

from __future__ import annotations

from bisect import bisect_left
from heapq import heappop, heappush

from scenograph.engine.kernels.visibility import BLOCKED, VERTEX, Spot, Tolls, VisibilityGraph

EPSILON = 1e-9  # of a cost; a smaller gain is rounding
INFINITE = float("inf")
SIDEWAYS, UPRIGHT = 0, 1  # the way a path moves at a vertex

End = tuple[float, float, int, float]  # where a path begins or ends on the graph, the way it moves there, what it costs
Bound = tuple[list[float], list[float]]
Moves = list[tuple[int, float]]
_Line = tuple[list[float], bytes, int]  # the coordinates along a line, the table of all lines, where it begins there


class OrthogonalSearch:
    """The searches from some starts to some finishes on one graph. `limit`: a path that costs this much is of no use.
    After a run `expansions` says what it took, and `is_exhausted` whether nothing was left to expand."""

    def __init__(
        self, graph: VisibilityGraph, finishes: list[End], tolls: tuple[Tolls, Tolls], bend: float, limit: float
    ) -> None:
        self._xs, self._ys, self._rows, self._columns = graph
        self._width, self._height = len(self._xs), len(self._ys)
        self._row_tolls, self._column_tolls = tolls
        self._bend, self._limit = bend, limit
        self._states = 2 * (self._width * (self._height + 1) + 1)  # ends beyond the last lines have a number too
        self._finish_of = [-1] * self._states
        self._bounds: tuple[list[Bound], list[Bound]] = ([], [])
        for number, (x, y, way, cost) in enumerate(finishes):
            state = self._state(x, y, way)
            if self._finish_of[state] < 0:
                self._finish_of[state] = number
            for moving in (SIDEWAYS, UPRIGHT):
                self._bounds[moving].append(_bound(self._xs, self._ys, (x, y, way, cost), moving, bend))
        self._moves_of: list[Moves | None] = [None] * (self._states // 2)
        self.expansions = 0
        self.is_exhausted = False

    def run(self, starts: list[End], cap: int, haste: float) -> tuple[int, int, list[Spot], float] | None:
        """The cheapest path when `haste` is 1, with more haste a good one, after at most `cap` expansions: the numbers
        of its start and its finish, its vertices, its cost without that of its finish; None when none is found."""
        cost = [INFINITE] * self._states
        before = [-1] * self._states
        start_of: dict[int, int] = {}
        heap: list[tuple[float, float, int]] = []
        for number, (x, y, way, price) in enumerate(starts):
            state = self._state(x, y, way)
            if price < cost[state]:
                cost[state], start_of[state] = price, number
                estimate = self._estimate(state) * haste
                heap.append((price + estimate, estimate, state))
        heap.sort()
        goal = self._walk(heap, cost, before, cap, haste)
        self.is_exhausted = not heap
        if goal < 0:
            return None
        trail = [goal]
        while before[trail[-1]] >= 0:
            trail.append(before[trail[-1]])
        trail.reverse()
        return start_of[trail[0]], self._finish_of[goal], [self._place(state) for state in trail], cost[goal]

    def _walk(
        self,
        heap: list[tuple[float, float, int]],
        cost: list[float],
        before: list[int],
        cap: int,
        haste: float,
    ) -> int:
        """Expand the most promising state until a goal is the most promising; that goal, or -1."""
        finish_of, moves_of, limit, bend = self._finish_of, self._moves_of, self._limit, self._bend
        estimates = [-1.0] * self._states
        expansions = 0
        goal = -1
        while heap and expansions < cap:
            promise, estimate, state = heappop(heap)
            spent = cost[state]
            if promise - estimate > spent + EPSILON:
                continue
            if finish_of[state] >= 0:
                goal = state
                break
            expansions += 1
            vertex = state >> 1
            moves = moves_of[vertex]
            if moves is None:
                moves = moves_of[vertex] = self._moves(vertex)
            for following, leg in moves:
                total = spent + (leg + bend if (following ^ state) & 1 else leg)
                if total >= cost[following] - EPSILON:
                    continue
                estimate = estimates[following]
                if estimate < 0.0:
                    estimate = estimates[following] = self._estimate(following) * haste
                if total + estimate >= limit:
                    continue
                cost[following] = total
                before[following] = state
                heappush(heap, (total + estimate, estimate, following))
        self.expansions = expansions
        return goal

    def _moves(self, vertex: int) -> Moves:
        """The neighbouring vertices in all four directions with the price of the way there, without the bend of one
        who comes from across; and the turn on the spot that a goal may ask for."""
        width, height = self._width, self._height
        j = vertex // width
        i = vertex - j * width
        found: Moves = []
        row = self._xs, self._rows, j * width
        _step_along(found, row, self._row_tolls.sums(j), i, (vertex * 2, 2))
        state = vertex * 2 + 1
        column = self._ys, self._columns, i * height
        _step_along(found, column, self._column_tolls.sums(i), j, (state, 2 * width))
        if self._finish_of[vertex * 2] >= 0:
            found.append((vertex * 2, 0.0))
        if self._finish_of[state] >= 0:
            found.append((state, 0.0))
        return found

    def _estimate(self, state: int) -> float:
        """A lower bound of the cost still to come: distance, and the bends that no path can avoid."""
        vertex = state >> 1
        j = vertex // self._width
        i = vertex - j * self._width
        best = INFINITE
        for across, down in self._bounds[state & 1]:
            best = min(best, across[i] + down[j])
        return best

    def _state(self, x: float, y: float, way: int) -> int:
        return (bisect_left(self._ys, y) * self._width + bisect_left(self._xs, x)) * 2 + way

    def _place(self, state: int) -> Spot:
        j, i = divmod(state >> 1, self._width)
        return self._xs[i], self._ys[j]


def _bound(xs: list[float], ys: list[float], finish: End, way: int, bend: float) -> Bound:
    """The least cost from any place to a finish for a path that moves `way` there, as a share of its column and one of
    its row: their sum. Who moves as the finish wants but on another line needs two bends, who moves across needs
    one."""
    x, y, wanted, fixed = finish
    across, down = [abs(place - x) for place in xs], [abs(place - y) for place in ys]
    if way != wanted:
        return across, [distance + fixed + bend for distance in down]
    if way == SIDEWAYS:
        return across, [distance + fixed + (2 * bend if distance else 0.0) for distance in down]
    return [distance + (2 * bend if distance else 0.0) for distance in across], [d + fixed for d in down]


def _step_along(found: Moves, line: _Line, toll: list[float], at: int, state: tuple[int, int]) -> None:
    """Add the nearest vertex on each side of a place of a line, where nothing lies between, with the price of the way;
    `state` is that of the place and the stride to the next one."""
    places, kinds, start = line
    number, stride = state
    here, last = places[at], len(places) - 1
    to, kind = at, kinds[start + at]
    while to < last and not kind & BLOCKED:
        to += 1
        kind = kinds[start + to]
        if kind & VERTEX:
            leg = places[to] - here
            found.append((number + (to - at) * stride, leg + toll[to] - toll[at] if toll else leg))
            break
    to = at
    while to > 0:
        to -= 1
        kind = kinds[start + to]
        if kind & BLOCKED:
            break
        if kind & VERTEX:
            leg = here - places[to]
            found.append((number - (at - to) * stride, leg + toll[at] - toll[to] if toll else leg))
            break
