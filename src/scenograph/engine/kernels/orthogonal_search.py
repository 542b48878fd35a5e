"""A* over an orthogonal visibility graph: cost is length, a price a bend, tolls, and what the ends cost themselves.

The estimate is the manhattan distance plus the bends that direction and place still force, so it never overestimates.
A state is a vertex and the way the path moves there: `(j * width + i) * 2 + way`. px.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import Final

from scenograph.engine.kernels.visibility import Spot, Tolls, VisibilityGraph

EPSILON: Final = 1e-9  # of a cost; a smaller gain is rounding
INFINITE: Final = 1e300  # more than any path costs
NONE: Final = -1  # no state, no vertex, no finish
SIDEWAYS: Final = 0  # a way to move at a vertex
UPRIGHT: Final = 1  # the other one
RIGHT: Final = 1  # the bit of a direction
LEFT: Final = 2  # the same
DOWN: Final = 4  # the same
UP: Final = 8  # the same
ALL: Final = 15  # the bits of all directions

End = tuple[float, float, int, float]  # where a path begins or ends on the graph, the way it moves there, what it costs


class _State:
    """The cheapest way to a state so far, and the least that it costs from there."""

    __slots__ = ("before", "cost", "estimate", "finish", "number", "promise")

    def __init__(self, number: int, estimate: float, finish: int) -> None:
        self.number = number
        self.estimate = estimate
        self.finish = finish
        self.cost = INFINITE
        self.promise = INFINITE
        self.before = NONE


class _Vertex:
    """A vertex that a search has come to: by direction the number of its neighbour and the price of the way there,
    without a bend; its two states; whether a path may end there. Who finds a neighbour is its neighbour: `known` are
    the directions that need no look."""

    __slots__ = (
        "down",
        "is_goal",
        "known",
        "left",
        "right",
        "sideways",
        "to_down",
        "to_left",
        "to_right",
        "to_up",
        "up",
        "upright",
    )

    def __init__(self, is_goal: bool) -> None:  # noqa: FBT001
        self.is_goal = is_goal
        self.known = 0
        self.right = self.left = self.down = self.up = NONE
        self.to_right = self.to_left = self.to_down = self.to_up = 0.0
        self.sideways: _State | None = None
        self.upright: _State | None = None


class _Finish:
    __slots__ = ("cost", "way", "x", "y")

    def __init__(self, x: float, y: float, way: int, cost: float) -> None:
        self.x, self.y, self.way, self.cost = x, y, way, cost


class _Tier:
    """The states of one promise, the best one last."""

    __slots__ = ("promise", "states")

    def __init__(self, promise: float, states: list[_State]) -> None:
        self.promise = promise
        self.states = states


class _Frontier:
    """States by their promise, then their estimate, then their number. Many have the same promise: by what they cost
    more than others, they are nearer."""

    __slots__ = ("_best", "_others")

    def __init__(self) -> None:
        self._best = _Tier(INFINITE, [])  # the states of the least promise
        self._others: list[_Tier] = []  # the one with the least promise last

    def push(self, promise: float, state: _State) -> None:
        state.promise = promise
        best = self._best
        if promise == best.promise:
            _insert(best.states, state)
            return
        if promise < best.promise:
            if best.states:
                self._others.append(best)
            self._best = _Tier(promise, [state])
            return
        others = self._others
        low, high = 0, len(others)
        while low < high:
            middle = (low + high) // 2
            tier = others[middle]
            if tier.promise == promise:
                _insert(tier.states, state)
                return
            if tier.promise > promise:
                low = middle + 1
            else:
                high = middle
        others.insert(low, _Tier(promise, [state]))

    def pop(self) -> _State | None:
        """The best state of the least promise; None when there is none left."""
        while True:
            best = self._best
            while best.states:
                state = best.states.pop()
                if state.promise == best.promise:  # else it was pushed again with a better one
                    return state
            if not self._others:
                return None
            self._best = self._others.pop()


def _insert(alike: list[_State], state: _State) -> None:
    """Put a state among others of the same promise."""
    if not alike or state.estimate < alike[-1].estimate:
        alike.append(state)
        return
    low, high = 0, len(alike)
    middle = high - 1
    while low < high:
        other = alike[middle]
        if other.estimate < state.estimate or (other.estimate == state.estimate and other.number < state.number):
            high = middle
        else:
            low = middle + 1
        middle = (low + high) // 2
    alike.insert(low, state)


class OrthogonalSearch:
    """The searches from some starts to some finishes on one graph. `limit`: a path that costs this much is of no use.
    After a run `expansions` says what it took, and `is_exhausted` whether nothing was left to expand."""

    def __init__(
        self, graph: VisibilityGraph, finishes: list[End], tolls: tuple[Tolls, Tolls], bend: float, limit: float
    ) -> None:
        self._xs, self._ys = graph.xs, graph.ys
        self._width = len(self._xs)
        self._rows, self._columns = graph.rows, graph.columns
        self._row_tolls, self._column_tolls = tolls
        self._bend, self._limit, self._haste = bend, limit, 1.0
        self._worse = bend + EPSILON  # than the other way to move at a vertex: of no use
        # Ends beyond the last lines have a number too.
        self._vertices: list[_Vertex | None] = [None] * (self._width * (len(self._ys) + 1) + 1)
        self._reached: list[_State] = []
        self._finishes = [_Finish(x, y, way, cost) for x, y, way, cost in finishes]
        self._finish_of: dict[int, int] = {}
        for number, (x, y, way, _) in enumerate(finishes):
            self._finish_of.setdefault(self._number(x, y, way), number)
        self._goals = {number >> 1 for number in self._finish_of}
        self._frontier = _Frontier()
        self.expansions = 0
        self.is_exhausted = False

    def run(self, starts: list[End], cap: int, haste: float) -> tuple[int, int, list[Spot], float] | None:
        """The cheapest path when `haste` is 1, with more haste a good one, after at most `cap` expansions: the numbers
        of its start and its finish, its corners, its cost without that of its finish; None when none is found."""
        for reached in self._reached:
            reached.cost, reached.before = INFINITE, NONE
        start_of: dict[int, int] = {}
        self._frontier, self._haste = _Frontier(), haste
        for number, (x, y, way, price) in enumerate(starts):
            state = self._state(self._number(x, y, way))
            if price < state.cost:
                state.cost, start_of[state.number] = price, number
                self._frontier.push(price + state.estimate * haste, state)
        goal = self._walk(cap)
        if goal is None:
            return None
        trail = [goal]
        while trail[-1].before >= 0:
            trail.append(self._state(trail[-1].before))
        trail.reverse()
        spots = [self._place(trail[0].number)]
        for place in range(1, len(trail) - 1):
            if (trail[place].number ^ trail[place + 1].number) & 1:
                spots.append(self._place(trail[place].number))
        spots.append(self._place(goal.number))
        return start_of[trail[0].number], goal.finish, spots, goal.cost

    def _walk(self, cap: int) -> _State | None:
        """Expand the most promising state until a goal is the most promising; that goal, or None."""
        expansions, frontier, bend, vertices = 0, self._frontier, self._bend, self._vertices
        state = frontier.pop()
        while expansions < cap and state is not None and state.finish < 0:
            number, spent = state.number, state.cost
            vertex = vertices[number >> 1] or self._vertex(number >> 1)
            other = vertex.sideways if number & 1 else vertex.upright
            if other is not None and spent > other.cost + self._worse:
                state = frontier.pop()
                continue
            expansions += 1
            if vertex.known != ALL:
                self._look_round(number >> 1, vertex)
            aside, along = (bend, 0.0) if number & 1 else (0.0, bend)
            if vertex.right >= 0:
                self._reach(vertex.right * 2, spent + (vertex.to_right + aside), number)
            if vertex.left >= 0:
                self._reach(vertex.left * 2, spent + (vertex.to_left + aside), number)
            if vertex.down >= 0:
                self._reach(vertex.down * 2 + UPRIGHT, spent + (vertex.to_down + along), number)
            if vertex.up >= 0:
                self._reach(vertex.up * 2 + UPRIGHT, spent + (vertex.to_up + along), number)
            if vertex.is_goal and number ^ 1 in self._finish_of:  # a turn on the spot
                self._reach(number ^ 1, spent + bend, number)
            state = frontier.pop()
        self.expansions, self.is_exhausted = expansions, state is None
        return state if state is not None and state.finish >= 0 else None

    def _reach(self, number: int, total: float, before: int) -> None:
        """Come to a state from another one at a total cost, if that is of use."""
        vertex = self._vertices[number >> 1] or self._vertex(number >> 1)
        if number & 1:
            state, other = vertex.upright, vertex.sideways
        else:
            state, other = vertex.sideways, vertex.upright
        if state is not None and total >= state.cost - EPSILON:
            return
        if other is not None and total > other.cost + self._worse:  # whoever turns here comes cheaper
            return
        if state is None:
            state = self._state(number)
        promise = total + state.estimate * self._haste
        if promise < self._limit:
            state.cost, state.before = total, before
            self._frontier.push(promise, state)

    def _look_round(self, number: int, vertex: _Vertex) -> None:
        """Find the neighbouring vertices in all four directions."""
        j = number // self._width
        i, known = number - j * self._width, vertex.known
        gap = self._rows.gap(j, i)
        if gap is not None and gap.is_seen:
            if not known & RIGHT:
                self._look_right(vertex, i, j, gap.last)
            if not known & LEFT:
                self._look_left(vertex, i, j, gap.first)
        gap = self._columns.gap(i, j)
        if gap is not None and gap.is_seen:
            if not known & DOWN:
                self._look_down(vertex, i, j, gap.last)
            if not known & UP:
                self._look_up(vertex, i, j, gap.first)
        vertex.known = ALL

    def _look_right(self, vertex: _Vertex, i: int, j: int, last: int) -> None:
        """Join a vertex with the first one ahead on its row, up to the `last` place."""
        first, columns = j * self._width, self._columns
        for to in range(i + 1, last + 1):
            if self._vertices[first + to] is not None or columns.sees(to, j):
                other, price = self._vertex(first + to), self._price_in_row(j, i, to)
                vertex.right, vertex.to_right = first + to, price
                other.left, other.to_left, other.known = first + i, price, other.known | LEFT
                return

    def _look_left(self, vertex: _Vertex, i: int, j: int, last: int) -> None:
        first, columns = j * self._width, self._columns
        for to in range(i - 1, last - 1, -1):
            if self._vertices[first + to] is not None or columns.sees(to, j):
                other, price = self._vertex(first + to), self._price_in_row(j, to, i)
                vertex.left, vertex.to_left = first + to, price
                other.right, other.to_right, other.known = first + i, price, other.known | RIGHT
                return

    def _look_down(self, vertex: _Vertex, i: int, j: int, last: int) -> None:
        """The same on its column."""
        width, rows = self._width, self._rows
        for to in range(j + 1, last + 1):
            if self._vertices[to * width + i] is not None or rows.sees(to, i):
                other, price = self._vertex(to * width + i), self._price_in_column(i, j, to)
                vertex.down, vertex.to_down = to * width + i, price
                other.up, other.to_up, other.known = j * width + i, price, other.known | UP
                return

    def _look_up(self, vertex: _Vertex, i: int, j: int, last: int) -> None:
        width, rows = self._width, self._rows
        for to in range(j - 1, last - 1, -1):
            if self._vertices[to * width + i] is not None or rows.sees(to, i):
                other, price = self._vertex(to * width + i), self._price_in_column(i, to, j)
                vertex.up, vertex.to_up = to * width + i, price
                other.down, other.to_down, other.known = j * width + i, price, other.known | DOWN
                return

    def _price_in_row(self, row: int, first: int, last: int) -> float:
        """The price of the way between two places of a row."""
        return self._xs[last] - self._xs[first] + self._row_tolls.between(row, first, last)

    def _price_in_column(self, column: int, first: int, last: int) -> float:
        return self._ys[last] - self._ys[first] + self._column_tolls.between(column, first, last)

    def _vertex(self, number: int) -> _Vertex:
        """A vertex, known from now on."""
        found = self._vertices[number]
        if found is None:
            found = self._vertices[number] = _Vertex(number in self._goals)
        return found

    def _state(self, number: int) -> _State:
        """A state, known from now on."""
        vertex = self._vertices[number >> 1] or self._vertex(number >> 1)
        found = vertex.upright if number & 1 else vertex.sideways
        if found is None:
            finish = self._finish_of.get(number, NONE) if vertex.is_goal else NONE
            found = _State(number, self._estimate(number), finish)
            if number & 1:
                vertex.upright = found
            else:
                vertex.sideways = found
            self._reached.append(found)
        return found

    def _estimate(self, number: int) -> float:
        """A lower bound of the cost still to come: distance, and the bends that no path can avoid. Who moves as a
        finish wants but on another line needs two bends, who moves across needs one."""
        vertex, moving = number >> 1, number & 1
        j = vertex // self._width
        here_x, here_y, bend = self._xs[vertex - j * self._width], self._ys[j], self._bend
        best = INFINITE
        for finish in self._finishes:
            across, down = abs(here_x - finish.x), abs(here_y - finish.y)
            if moving != finish.way:
                cost = across + (down + finish.cost + bend)
            elif moving == SIDEWAYS:
                cost = across + (down + finish.cost + (2 * bend if down else 0.0))
            else:
                cost = across + (2 * bend if across else 0.0) + (down + finish.cost)
            best = cost if cost < best else best
        return best

    def _number(self, x: float, y: float, way: int) -> int:
        return (bisect_left(self._ys, y) * self._width + bisect_left(self._xs, x)) * 2 + way

    def _place(self, number: int) -> Spot:
        j, i = divmod(number >> 1, self._width)
        return self._xs[i], self._ys[j]
