"""A* over an orthogonal visibility graph: cost is length, a price per bend, tolls, and the penalties of both ends.

The estimate is the manhattan distance plus the bends still forced by direction and place, hence never too high. A state
is a vertex and the direction of movement: `(j * width + i) * 2 + way`. px.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from math import inf
from typing import Final

from scenograph.engine.kernels.cell_grid import BoxSides
from scenograph.engine.kernels.runs import Run
from scenograph.engine.kernels.simple_paths import AnchorValues
from scenograph.engine.kernels.straight_lines import XY

# The orthogonal visibility graph of a region: lines through the corners of grown obstacles and through the stubs.
# In: obstacles already grown, and the points where routes begin and end. Out: a graph whose vertices are the
# crossings of those lines, each line drawn only as far as its corner sees (after Wybrow, Marriott and Stuckey,
# "Orthogonal Connector Routing", 2009). A line is drawn when it is first asked for, because a search comes to a
# small part of most graphs. px.


GridLine = tuple[float, float, float]  # a straight segment: its coordinate across, and its span along
BAND_BITS: Final = 4  # of a line number that do not tell its band: a line looks through the boxes of its band


class Gap:
    """A stretch of a line not covered by obstacles, from place to place; vertices lie on stretches seen by a corner."""

    __slots__ = ("first", "is_seen", "last")

    def __init__(self, first: int, last: int) -> None:
        self.first = first
        self.last = last
        self.is_seen = False


class _Box:
    """The line numbers of a box's sides, `near` and `far`, and the numbers of the places between which the sides reach;
    `blocks`: whether the box blocks lines through its inside."""

    __slots__ = ("blocks", "far", "high", "low", "near")

    def __init__(self, lines: tuple[int, int], places: tuple[int, int], blocks: bool) -> None:  # noqa: FBT001
        self.near, self.far = lines
        self.low, self.high = places
        self.blocks = blocks and self.low < self.high


class Sights:
    """The parallel lines of a graph with their visible stretches. Boxes are given by the line and place numbers of
    their sides; -1 and the number of lines stand for sides outside the region. The first `solid` boxes block lines
    through them."""

    def __init__(self, lines: int, places: int, sides: list[list[int]], solid: int) -> None:
        near, far, low, high = sides
        self._last = last = places - 1
        self._gaps: list[list[Gap] | None] = [None] * lines
        self._ending: list[list[_Box]] = [[]] * lines  # the boxes with a side on each line, as far as asked for
        self._bands: list[list[_Box]] = [[] for _ in range((lines >> BAND_BITS) + 1)]  # the boxes by their first place
        for number in sorted(range(len(low)), key=low.__getitem__):
            reach = max(low[number], 0), min(high[number], last)
            box = _Box((near[number], far[number]), reach, number < solid)
            for band in range(max(box.near, 0) >> BAND_BITS, (min(box.far, lines) >> BAND_BITS) + 1):
                self._bands[band].append(box)

    def gap(self, line: int, place: int) -> Gap | None:
        """The stretch of a line around a place; None inside a box."""
        gap = _stretch_at(self._gaps[line] or self._stretches(line), place)
        return gap if gap.first <= place <= gap.last else None

    def sees(self, line: int, place: int) -> bool:
        """Whether a corner on the line sees the place."""
        gap = _stretch_at(self._gaps[line] or self._stretches(line), place)
        return gap.is_seen if gap.first <= place else _is_seen(self._ending[line], place, place)

    def _stretches(self, line: int) -> list[Gap]:
        """The stretches of a line, in order."""
        found: list[Gap] = []
        ending: list[_Box] = []
        first = 0
        for box in self._bands[line >> BAND_BITS]:
            if box.near <= line <= box.far:
                if line in (box.near, box.far):
                    ending.append(box)
                elif box.blocks:
                    if box.low >= first:
                        found.append(Gap(first, box.low))
                    first = max(first, box.high)
        found.append(Gap(first, self._last))
        for gap in found:
            gap.is_seen = _is_seen(ending, gap.first, gap.last)
        self._gaps[line], self._ending[line] = found, ending
        return found


def _stretch_at(gaps: list[Gap], place: int) -> Gap:
    """The first of a line's stretches that ends at a place or beyond."""
    low, high = 0, len(gaps) - 1
    while low < high:
        middle = (low + high) // 2
        if gaps[middle].last < place:
            low = middle + 1
        else:
            high = middle
    return gaps[low]


def _is_seen(ending: list[_Box], first: int, last: int) -> bool:
    """Whether a box with a side on the line reaches to a stretch."""
    for box in ending:
        if box.low <= last and box.high >= first:
            break
    else:
        return False
    return True


class VisibilityGraph:
    """The orthogonal visibility graph. Place (i, j) is (xs[i], ys[j]), and a vertex if visible along both its row and
    its column."""

    def __init__(self, region: BoxSides, obstacles: Sequence[BoxSides], ends: Sequence[XY]) -> None:
        left, top, right, bottom = region
        lefts, tops, rights, bottoms = _sides(obstacles, ends)
        self.xs, first, last = _lines(lefts, rights, left, right)
        self.ys, upper, lower = _lines(tops, bottoms, top, bottom)
        self.rows = Sights(len(self.ys), len(self.xs), [upper, lower, first, last], len(obstacles))
        self.columns = Sights(len(self.xs), len(self.ys), [first, last, upper, lower], len(obstacles))


def _sides(
    obstacles: Sequence[BoxSides], ends: Sequence[XY]
) -> tuple[list[float], list[float], list[float], list[float]]:
    """The sides of all obstacles, and the points as boxes without a size."""
    lefts: list[float] = []
    tops: list[float] = []
    rights: list[float] = []
    bottoms: list[float] = []
    for left, top, right, bottom in obstacles:
        lefts.append(left)
        tops.append(top)
        rights.append(right)
        bottoms.append(bottom)
    for x, y in ends:
        lefts.append(x)
        tops.append(y)
        rights.append(x)
        bottoms.append(y)
    return lefts, tops, rights, bottoms


def _lines(lows: list[float], highs: list[float], low: float, high: float) -> tuple[list[float], list[int], list[int]]:
    """The distinct coordinates within the limits, in order, and for each of the `lows` and `highs` its line number: -1
    or the number of lines if outside."""
    lines: list[float] = []
    sides = lows + highs
    numbers = [-1] * len(sides)
    for side in sorted(range(len(sides)), key=sides.__getitem__):
        at = sides[side]
        if low <= at <= high:
            if not lines or lines[-1] != at:
                lines.append(at)
            numbers[side] = len(lines) - 1
    first = len(lows)
    return lines, numbers[:first], [number if number >= 0 else len(lines) for number in numbers[first:]]


class _Border:
    """The toll beside a border: the span along the border, the limits across, the price per px."""

    __slots__ = ("high", "last", "least", "low", "price")

    def __init__(self, run: GridLine, reach: float, price: float) -> None:
        at, self.low, self.high = run
        self.least, self.last = at - reach, at + reach
        self.price = price


class Tolls:
    """What a path pays on the parallel lines of a graph for crossing runs, `toll` each, and for running beside
    borders."""

    def __init__(self, along: list[float], lines: list[float], crossed: list[Run], toll: float) -> None:
        self._along, self._lines, self._toll = along, lines, toll
        places = [bisect_left(along, run.position) for run in crossed]
        first = [0] * (len(along) + 2)
        for place in places:
            first[place + 1] += 1
        total = 0
        for place, count in enumerate(first):
            total += count
            first[place] = total
        self._first = first  # for each place the first segment there or after the place before
        self._runs = list(crossed)
        free = first.copy()
        for number, place in enumerate(places):
            self._runs[free[place]] = crossed[number]
            free[place] += 1
        self._borders: list[_Border] = []

    def follow(self, run: GridLine, reach: float, price: float) -> None:
        """Charge every line less than `reach` beside a run `price` per px along the run."""
        self._borders.append(_Border(run, reach, price))

    def between(self, line: int, first: int, last: int) -> float:
        """The toll on a line between two places; a run at either place counts half."""
        at, low, high = self._lines[line], self._along[first], self._along[last]
        halves = 0
        for number in range(self._first[first], self._first[last + 1]):
            run = self._runs[number]
            if run.low < at < run.high:
                if low < run.position < high:
                    halves += 2
                elif run.position in (low, high):
                    halves += 1
        paid = halves * self._toll / 2
        for border in self._borders:
            if border.least < at < border.last:
                beside = min(high, border.high) - max(low, border.low)
                if beside > 0.0:
                    paid += beside * border.price
        return paid


EPSILON: Final = 1e-9  # of a cost; a smaller gain is rounding
INFINITE: Final = 1e300  # more than any path costs
NONE: Final = -1  # no state, no vertex, no finish
SIDEWAYS: Final = 0  # the axis of a move to the right or left
UPRIGHT: Final = 1  # the axis of a move down or up
RIGHT: Final = 1  # the bit of a move to the right
LEFT: Final = 2  # the bit of a move to the left
DOWN: Final = 4  # the bit of a move down
UP: Final = 8  # the bit of a move up
ALL: Final = 15  # the bits of all directions

End = tuple[float, float, int, float]  # a start or end of a path on the graph, the direction there, the cost


class _State:
    """The cheapest path to a state so far, and a lower bound of the rest."""

    __slots__ = ("before", "cost", "estimate", "finish", "number", "promise")

    def __init__(self, number: int, estimate: float, finish: int) -> None:
        self.number = number
        self.estimate = estimate
        self.finish = finish
        self.cost = INFINITE
        self.promise = INFINITE
        self.before = NONE


class _Vertex:
    """A vertex reached by the search: by direction the neighbour's number and the price of the step without a bend; two
    states; whether a path may end here. A neighbour found is linked in both directions: `known` are the directions
    already searched."""

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
    """The states of equal promise, best last."""

    __slots__ = ("promise", "states")

    def __init__(self, promise: float, states: list[_State]) -> None:
        self.promise = promise
        self.states = states


class _Frontier:
    """States ordered by promise, then estimate, then number. Among the many states of equal promise the nearest to a
    goal comes first."""

    __slots__ = ("_best", "_others")

    def __init__(self) -> None:
        self._best = _Tier(INFINITE, [])  # the states of the least promise
        self._others: list[_Tier] = []  # the least promising last

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
        """The best state of the least promise; None when no state is left."""
        while True:
            best = self._best
            while best.states:
                state = best.states.pop()
                if state.promise == best.promise:  # else pushed again with a better promise
                    return state
            if not self._others:
                return None
            self._best = self._others.pop()


def _insert(alike: list[_State], state: _State) -> None:
    """Insert a state among states of equal promise."""
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
    """Searches between starts and finishes on one graph. `limit`: a path of this cost is useless. After a run
    `expansions` is the number of expanded states, and `is_exhausted` whether none was left."""

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

    def run(self, starts: list[End], cap: int, haste: float) -> tuple[int, int, list[XY], float] | None:
        """The cheapest path if `haste` is 1, a good path with more haste, within `cap` expansions: the numbers of its
        start and finish, its corners, and its cost without the finish; None when no path is found."""
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
        """Expand the most promising state until a goal is the most promising. Returns the goal, or None."""
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
        """Update a state reached from `before` at a total cost, if the cost improves."""
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
        """Link a vertex with the next vertex to the right on its row, up to the `last` place."""
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
        """Link a vertex with the next vertex below on its column, up to the `last` place."""
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
        """A lower bound of the remaining cost: distance, and unavoidable bends. A state moving in the direction of a
        finish, but on another line, needs two bends; a state moving across needs one."""
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

    def _place(self, number: int) -> XY:
        j, i = divmod(number >> 1, self._width)
        return self._xs[i], self._ys[j]


# The search for a path among obstacles: graph, tolls and A* in one. In: the possible starts and ends of a path, and the
# ground with all its costs. Out: the start and end of the best path, its corners, its cost, and the effort of the
# search. px.


EXACT_EXPANSIONS: Final = 2500  # what is left of the cap goes to a hasty search that runs at the goal
EXACT_OBSTACLES: Final = 400  # among more the exact search seldom comes to its end: the hasty one alone is tried
HASTE: Final = 2.0  # times the distance left, in the second search: fewer vertices, a longer way
OVERHEAD: Final = 30  # expansions that building a graph costs
OBSTACLE_OVERHEAD: Final = 3  # expansions that an obstacle of the graph costs
PAIR_OVERHEAD: Final = 0.02  # expansions that a pair of obstacles costs
NEARER: Final = 1.0  # px; who runs nearer than the clearance by so much runs beside a border
TRAFFIC_SHARE: Final = 2  # an expansion for this many segments of foreign routes

NarrowChannel = tuple[BoxSides, int]
"""A channel of parallel lines: of level lines if the second is 0, of upright lines if 1."""
Ground = tuple[
    BoxSides,
    Sequence[BoxSides],
    float,
    tuple[list[Run], list[Run]],
    float,
    int,
    Sequence[BoxSides],
    Sequence[NarrowChannel],
]
"""The ground of a search: a region, its grown obstacles, the straight segment kept at every end; the upright and the
level segments of foreign routes, with a cost for each crossing; the cost at which a path becomes useless, the limit of
examined vertices; frames, with a cost along their borders and paths round them; channels, with a cost along them."""
SearchPrices = tuple[float, float, float, float, float]
"""A bend, a crossing, a px beside a border; how far from a border ways run at no price; a px along a channel."""
FoundWay = tuple[int, int, list[XY], float]
"""The numbers of a start and a finish, the corners between their straight runs, the cost but for those of the
finish."""


def find_way(
    starts: Sequence[AnchorValues], finishes: Sequence[AnchorValues], ground: Ground, left: int, prices: SearchPrices
) -> tuple[FoundWay | None, int]:
    """The cheapest path clear of obstacles; a good path when the exact search takes too long; None without a path. Also
    the expansions spent out of `left`."""
    region, obstacles, stub, traffic, limit, most, borders, narrow = ground
    bend, _, _, clearance, _ = prices
    is_crowded = len(obstacles) > EXACT_OBSTACLES
    if is_crowded and most <= EXACT_EXPANSIONS:
        return None, 0
    sources, targets = [_end(anchor, stub) for anchor in starts], [_end(anchor, stub) for anchor in finishes]
    if limit == inf and _is_walled_off(region, obstacles, (sources, targets)):
        return None, 0
    points: list[XY] = [(end[0], end[1]) for end in sources]
    points.extend([(end[0], end[1]) for end in targets])
    for sides in borders:
        _add_corners(points, sides, clearance)
    for sides, _ in narrow:
        _add_corners(points, sides, 0.0)
    graph = VisibilityGraph(region, obstacles, points)
    hunt = OrthogonalSearch(graph, targets, _tolls(graph, ground, prices), bend, limit)
    count = len(obstacles)
    overhead = (
        OVERHEAD
        + OBSTACLE_OVERHEAD * (count + len(borders))
        + int(PAIR_OVERHEAD * count * count)
        + (len(traffic[0]) + len(traffic[1])) // TRAFFIC_SHARE
    )
    spent = 0
    searches = [(1.0, EXACT_EXPANSIONS), (HASTE, most - EXACT_EXPANSIONS)]
    for haste, cap in searches[1:] if is_crowded else searches:
        found = hunt.run(sources, min(cap, most, left - spent), haste)
        spent += hunt.expansions + overhead
        if found is not None:
            first, last, trail, cost = found
            return (first, last, trail, cost + stub + finishes[last][11]), spent
        if hunt.is_exhausted or most <= EXACT_EXPANSIONS:
            break
    return None, spent


def _tolls(graph: VisibilityGraph, ground: Ground, prices: SearchPrices) -> tuple[Tolls, Tolls]:
    """The tolls on the rows and on the columns of a graph."""
    _, _, _, (upright, level), _, _, borders, narrow = ground
    _, crossing, beside, clearance, along_channel = prices
    rows, columns = Tolls(graph.xs, graph.ys, upright, crossing), Tolls(graph.ys, graph.xs, level, crossing)
    for left, top, right, bottom in borders:
        for at in (top, bottom):
            rows.follow((at, left, right), clearance - NEARER, beside)
        for at in (left, right):
            columns.follow((at, top, bottom), clearance - NEARER, beside)
    for (left, top, right, bottom), axis in narrow:
        if axis:
            columns.follow(((left + right) / 2, top, bottom), (right - left) / 2, along_channel)
        else:
            rows.follow(((top + bottom) / 2, left, right), (bottom - top) / 2, along_channel)
    return rows, columns


def _is_walled_off(region: BoxSides, obstacles: Sequence[BoxSides], ends: tuple[list[End], list[End]]) -> bool:
    """Whether adjacent obstacles close a region between starts and finishes."""
    for axis in (0, 1):
        one, other = [end[axis] for end in ends[0]], [end[axis] for end in ends[1]]
        low, high = max(one), min(other)
        if low > high:
            low, high = max(other), min(one)
        walls: list[tuple[float, float, float, float]] = []  # where each begins and ends across, and along
        for left, top, right, bottom in obstacles:
            wall = (left, right, top, bottom) if axis else (top, bottom, left, right)
            if wall[2] < high and wall[3] > low:
                walls.append(wall)
        walls.sort()
        first, last = (region[0], region[2]) if axis else (region[1], region[3])
        if low < high and _has_barrier(walls, low, first, last):
            return True
    return False


def _has_barrier(walls: list[tuple[float, float, float, float]], low: float, first: float, last: float) -> bool:
    """Whether walls cover the whole span between two places just beyond some level, `low` at least. Levels without a
    wall over either place are not looked at."""
    entered = [wall for wall in walls if wall[0] < first < wall[1]]
    left = [wall for wall in walls if wall[1] > last]
    if not entered or not left:
        return False
    for level in {max(low, wall[2]) for wall in walls}:
        if _is_met(entered, level) and _is_met(left, level) and _reaches_across(walls, level, first, last):
            return True
    return False


def _is_met(walls: list[tuple[float, float, float, float]], level: float) -> bool:
    """Whether any wall stands just beyond a level."""
    for _, _, near, far in walls:
        if near <= level < far:
            break
    else:
        return False
    return True


def _reaches_across(walls: list[tuple[float, float, float, float]], level: float, first: float, last: float) -> bool:
    """Whether walls cover the whole span between two places just beyond a level; walls are sorted by their begin."""
    covered = first
    for begin, end, near, far in walls:
        if near <= level < far and end > covered:
            if begin >= covered:
                return False
            covered = end
            if covered > last:
                return True
    return False


def _end(anchor: AnchorValues, stub: float) -> End:
    """The point at which the straight run of an anchor meets the graph, with the cost of the run and the side."""
    x, y, dx, dy = anchor[1], anchor[2], anchor[3], anchor[4]
    return x + dx * stub, y + dy * stub, SIDEWAYS if dx else UPRIGHT, stub + anchor[11]


def _add_corners(points: list[XY], sides: BoxSides, by: float) -> None:
    """Add the corners of a box grown by `by` px."""
    left, top, right, bottom = sides
    points.append((left - by, top - by))
    points.append((left - by, bottom + by))
    points.append((right + by, top - by))
    points.append((right + by, bottom + by))
