"""A* over an orthogonal visibility graph: cost is length, a price a bend, tolls, and what the ends cost themselves.

The estimate is the manhattan distance plus the bends that direction and place still force, so it never overestimates.
A state is a vertex and the way the path moves there: `(j * width + i) * 2 + way`. px.
"""

from __future__ import annotations

from bisect import bisect_left
from heapq import heappop, heappush
from typing import Final

from scenograph.engine.kernels.visibility import Spot, Tolls, VisibilityGraph

EPSILON: Final = 1e-9  # of a cost; a smaller gain is rounding
INFINITE: Final = 1e300  # more than any path costs
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

    def __init__(self, number: int, estimate: float, finish: int) -> None:
        self.number = number
        self.estimate = estimate
        self.finish = finish
        self.cost = INFINITE
        self.promise = INFINITE
        self.before = -1


class _Moves:
    """The states that are reached from a vertex, each with the price of the way there, without the bend of one who
    comes from across. Who finds a neighbour is its neighbour: `known` are the directions that need no look."""

    def __init__(self) -> None:
        self.to: list[int] = []
        self.prices: list[float] = []
        self.known = 0


class _Finish:
    def __init__(self, x: float, y: float, way: int, cost: float) -> None:
        self.x, self.y, self.way, self.cost = x, y, way, cost


class _Frontier:
    """States by their promise, then their estimate, then their number. Many have the same promise: by what they cost
    more than others, they are nearer."""

    def __init__(self) -> None:
        self._promises: list[float] = []  # a heap
        self._alike: dict[float, list[_State]] = {}  # for each promise its states, the best one last

    def push(self, promise: float, state: _State) -> None:
        state.promise = promise
        alike = self._alike.get(promise)
        if alike is None:
            self._alike[promise] = [state]
            heappush(self._promises, promise)
            return
        best = alike[-1]
        if state.estimate < best.estimate:
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

    def pop(self) -> _State | None:
        """The best state of the least promise; None when there is none left."""
        promises = self._promises
        while promises:
            promise = promises[0]
            alike = self._alike[promise]
            state = alike.pop()
            if not alike:
                del self._alike[heappop(promises)]
            if state.promise == promise:  # else it was pushed again with a better one
                return state
        return None


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
        self._bend, self._limit = bend, limit
        vertices = self._width * (len(self._ys) + 1) + 1  # ends beyond the last lines have a number too
        self._states: list[_State | None] = [None] * (2 * vertices)
        self._moves: list[_Moves | None] = [None] * vertices
        self._reached: list[_State] = []
        self._finishes = [_Finish(x, y, way, cost) for x, y, way, cost in finishes]
        self._finish_of: dict[int, int] = {}
        for number, (x, y, way, _) in enumerate(finishes):
            self._finish_of.setdefault(self._number(x, y, way), number)
        self.expansions = 0
        self.is_exhausted = False

    def run(self, starts: list[End], cap: int, haste: float) -> tuple[int, int, list[Spot], float] | None:
        """The cheapest path when `haste` is 1, with more haste a good one, after at most `cap` expansions: the numbers
        of its start and its finish, its corners, its cost without that of its finish; None when none is found."""
        for reached in self._reached:
            reached.cost, reached.before = INFINITE, -1
        start_of: dict[int, int] = {}
        frontier = _Frontier()
        for number, (x, y, way, price) in enumerate(starts):
            state = self._state(self._number(x, y, way))
            if price < state.cost:
                state.cost, start_of[state.number] = price, number
                estimate = state.estimate * haste
                frontier.push(price + estimate, state)
        goal = self._walk(frontier, cap, haste)
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

    def _walk(self, frontier: _Frontier, cap: int, haste: float) -> _State | None:
        """Expand the most promising state until a goal is the most promising; that goal, or None."""
        limit, bend, states = self._limit, self._bend, self._states
        expansions = 0
        state = frontier.pop()
        while expansions < cap and state is not None and state.finish < 0:
            expansions += 1
            number, spent = state.number, state.cost
            moves = self._moves[number >> 1]
            if moves is None or moves.known != ALL:
                moves = self._look_round(number >> 1)
            prices = moves.prices
            for move, to in enumerate(moves.to):
                total = spent + (prices[move] + bend if (to ^ number) & 1 else prices[move])
                following = states[to] or self._state(to)
                if total >= following.cost - EPSILON:
                    continue
                estimate = following.estimate * haste
                if total + estimate >= limit:
                    continue
                following.cost, following.before = total, number
                frontier.push(total + estimate, following)
            state = frontier.pop()
        self.expansions, self.is_exhausted = expansions, state is None
        return state if state is not None and state.finish >= 0 else None

    def _look_round(self, vertex: int) -> _Moves:
        """The moves to the neighbouring vertices in all four directions, and the turn on the spot that a goal may ask
        for."""
        found = self._moves[vertex]
        if found is None:
            found = self._moves[vertex] = _Moves()
        j = vertex // self._width
        i = vertex - j * self._width
        gap = self._rows.gap(j, i)
        if gap is not None and gap.is_seen:
            if not found.known & RIGHT:
                self._look_along_row(found, (i, j), range(i + 1, gap.last + 1), LEFT)
            if not found.known & LEFT:
                self._look_along_row(found, (i, j), range(i - 1, gap.first - 1, -1), RIGHT)
        gap = self._columns.gap(i, j)
        if gap is not None and gap.is_seen:
            if not found.known & DOWN:
                self._look_along_column(found, (i, j), range(j + 1, gap.last + 1), UP)
            if not found.known & UP:
                self._look_along_column(found, (i, j), range(j - 1, gap.first - 1, -1), DOWN)
        for way in (SIDEWAYS, UPRIGHT):
            if vertex * 2 + way in self._finish_of:
                found.to.append(vertex * 2 + way)
                found.prices.append(0.0)
        found.known = ALL
        return found

    def _look_along_row(self, found: _Moves, place: tuple[int, int], ahead: range, back: int) -> None:
        """Join a vertex with the first one ahead on its row, which has it at its `back`."""
        i, j = place
        first = j * self._width
        for to in ahead:
            other = self._moves[first + to]
            if other is not None or self._columns.sees(to, j):
                price, toll = abs(self._xs[to] - self._xs[i]), self._row_tolls.sums(j)
                if toll:
                    price = price + toll[max(to, i)] - toll[min(to, i)]
                self._join(found, (first + i, first + to), (SIDEWAYS, back), price)
                return

    def _look_along_column(self, found: _Moves, place: tuple[int, int], ahead: range, back: int) -> None:
        """The same on its column."""
        i, j = place
        width = self._width
        for to in ahead:
            other = self._moves[to * width + i]
            if other is not None or self._rows.sees(to, i):
                price, toll = abs(self._ys[to] - self._ys[j]), self._column_tolls.sums(i)
                if toll:
                    price = price + toll[max(to, j)] - toll[min(to, j)]
                self._join(found, (j * width + i, to * width + i), (UPRIGHT, back), price)
                return

    def _join(self, found: _Moves, vertices: tuple[int, int], way: tuple[int, int], price: float) -> None:
        one, other = vertices
        moving, back = way
        found.to.append(other * 2 + moving)
        found.prices.append(price)
        moves = self._moves[other]
        if moves is None:
            moves = self._moves[other] = _Moves()
        moves.to.append(one * 2 + moving)
        moves.prices.append(price)
        moves.known |= back

    def _state(self, number: int) -> _State:
        """A state, known from now on."""
        found = self._states[number]
        if found is None:
            found = _State(number, self._estimate(number), self._finish_of.get(number, -1))
            self._states[number] = found
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
