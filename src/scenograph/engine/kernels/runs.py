"""The straight segments, or runs, of orthogonal routes.

In: routes as drawn. Out: the runs along one axis, each with its span and the sides of the adjacent segments. A run
moves across its own direction; the adjacent segments grow or shrink. px.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import Final

from scenograph.engine.kernels.cell_grid import BoxSides, CellGrid
from scenograph.engine.kernels.straight_lines import XY, Interval

SAME: Final = 1e-6  # px; a smaller difference is rounding
SEPARATION: Final = 20.0  # px; between parallel lines

Polyline = tuple[XY, ...]
Mark = tuple[int, int, int]  # an element, a side of this element, and the row at the end


class Run:
    """A straight segment of a route. `position` is its coordinate across, `low` to `high` its span along.

    A run may lie from `least` to `most`, best at `wish`. `turn_low` and `turn_high` are the sides to which the route
    continues at the ends of the span: -1, 1, or 0 where the edge ends; `reach_low` and `reach_high` are the coordinates
    across that the route reaches there. An `anchored` run ends at an element; `backward` runs are walked from high to
    low. `breadth` and `extent`: the room across and along for the label of the route, 0 where the label stands on
    another run.
    """

    __slots__ = (
        "anchored",
        "backward",
        "breadth",
        "draft",
        "extent",
        "high",
        "index",
        "least",
        "low",
        "most",
        "position",
        "reach_high",
        "reach_low",
        "turn_high",
        "turn_low",
        "wish",
    )

    def __init__(self, draft: int, index: int, position: float, span: Interval, reach: Interval) -> None:
        """`span` and `reach`, both in walking order: begin and end of the run along, and the coordinates across reached
        by the adjacent segments."""
        low, high = span
        before, after = reach
        self.draft = draft
        self.index = index
        self.position = position
        self.least = position
        self.most = position
        self.wish = position
        self.anchored = False
        self.breadth = 0.0
        self.extent = 0.0
        self.backward = low > high
        if low > high:
            low, high, before, after = high, low, after, before
        self.low = low
        self.high = high
        self.turn_low = _turn(before, position)
        self.turn_high = _turn(after, position)
        self.reach_low = before
        self.reach_high = after


class RunEnd:
    """An end of a route: `low` to `high` is its room along the side; `tip` is the length of the marker, `box` the
    element."""

    __slots__ = ("box", "high", "low", "mark", "tip")

    def __init__(self, mark: Mark, low: float, high: float, tip: float, box: BoxSides) -> None:
        self.mark = mark
        self.low = low
        self.high = high
        self.tip = tip
        self.box = box


class OrthogonalLine:
    """A route as its runs see it: the elements it may touch (`exempt`), the number of its `fan` (-1: none), and the
    width and height of the label; the label of an outcome (`is_outcome`) stands near the start. A route that `is_set`
    does not move."""

    __slots__ = ("exempt", "fan", "finish", "is_fresh", "is_outcome", "is_set", "label", "points", "start")

    def __init__(self, points: Polyline, start: RunEnd, finish: RunEnd, exempt: frozenset[int], fan: int) -> None:
        self.points = points
        self.start = start
        self.finish = finish
        self.exempt = exempt
        self.fan = fan
        self.is_set = False
        self.is_fresh = True  # False for a line still as last nudged
        self.is_outcome = False
        self.label: XY = (0.0, 0.0)


def runs_along(lines: list[OrthogonalLine], across: int) -> list[Run]:
    """The runs of all routes along an axis, each with the route's place."""
    found: list[Run] = []
    for number, line in enumerate(lines):
        _add_runs(found, number, line.points, across)
    return found


def runs_of(number: int, points: Polyline, across: int) -> list[Run]:
    """The runs of one route with constant coordinate `across` (0: x, upright runs; 1: y, level runs)."""
    found: list[Run] = []
    _add_runs(found, number, points, across)
    return found


def _add_runs(found: list[Run], number: int, points: Polyline, across: int) -> None:
    last = len(points) - 2
    for index in range(last + 1):
        a, b = points[index], points[index + 1]
        if across:
            at, begin, other, end = a[1], a[0], b[1], b[0]
        else:
            at, begin, other, end = a[0], a[1], b[0], b[1]
        if abs(at - other) > SAME or abs(begin - end) <= SAME:
            continue
        before = level(points[index - 1], across) if index > 0 else at
        after = level(points[index + 2], across) if index < last else at
        run = Run(number, index, at, (begin, end), (before, after))
        run.anchored = index in (0, last)
        found.append(run)


def runs_of_routes(routes: list[tuple[int, Polyline]], across: int) -> list[Run]:
    """The runs of numbered routes."""
    found: list[Run] = []
    for number, points in routes:
        _add_runs(found, number, points, across)
    return found


def level(place: XY, across: int) -> float:
    """The coordinate of a place on an axis."""
    return place[1] if across else place[0]


def _turn(reach: float, position: float) -> int:
    return 1 if reach > position else -1 if reach < position else 0


# The order of parallel segments with the fewest crossings of their routes. In: two segments of one axis with
# overlapping extents. Out: -1 if the first belongs on the low side (left or above), 1 if the second does, 0 if the
# order makes no difference. After the nudging order of libavoid (Wybrow, Marriott and Stuckey, "Orthogonal Connector
# Routing", 2009): compare the routes at each end of the overlap.


FOLLOWED_CORNERS: Final = 6  # compared corners of two lines
SAME_LEVEL: Final = 8.0  # ends closer than this are not yet in final order: they decide nothing

Way = tuple[Polyline, int, int]  # a route as walked from one end of a run: its corners, a place and a step


def preference(a: Run, b: Run, points_a: Polyline, points_b: Polyline, across: int) -> int:
    """The side on which `a` belongs, seen from both ends of the overlap: -2 to 2, negative for the low side."""
    return _at_low_end(a, b, points_a, points_b, across) + _at_high_end(a, b, points_a, points_b, across)


def nested(a: Run, b: Run, across: int) -> int:
    """The side on which `a` belongs without other criteria: the first named route runs left of the second in its own
    walking direction. The corners of two parallel routes hence nest."""
    sign, is_backward = (-1, a.backward) if a.draft < b.draft else (1, b.backward)
    return sign if is_backward != (across != 0) else -sign


def twists(a: Run, b: Run, points_a: Polyline, points_b: Polyline, across: int) -> bool:
    """Whether two routes on a shared run must cross by leaving on opposite sides at the two ends. For a shared path
    with corners only the last run, in the direction of `a`, counts."""
    low = _at_low_end(a, b, points_a, points_b, across)
    if low == 0 or low * _at_high_end(a, b, points_a, points_b, across) >= 0:
        return False
    if a.backward:
        return not (abs(a.low - b.low) <= SAME and a.turn_low == b.turn_low != 0)
    return not (abs(a.high - b.high) <= SAME and a.turn_high == b.turn_high != 0)


def _at_low_end(a: Run, b: Run, points_a: Polyline, points_b: Polyline, across: int) -> int:
    if a.low < b.low - SAME_LEVEL:
        return -_side(b.turn_low, b.reach_low, a.position)
    if b.low < a.low - SAME_LEVEL:
        return _side(a.turn_low, a.reach_low, b.position)
    return _parting(_way(a, points_a, low=True), _way(b, points_b, low=True), across, -1)


def _at_high_end(a: Run, b: Run, points_a: Polyline, points_b: Polyline, across: int) -> int:
    if a.high > b.high + SAME_LEVEL:
        return -_side(b.turn_high, b.reach_high, a.position)
    if b.high > a.high + SAME_LEVEL:
        return _side(a.turn_high, a.reach_high, b.position)
    return _parting(_way(a, points_a, low=False), _way(b, points_b, low=False), across, 1)


def _side(turn: int, reach: float, line: float) -> int:
    """The side of a continuing line for a run ending beside the line: the side of the route's next turn."""
    return 0 if turn == 0 else _sign(reach - line) or turn


def _way(run: Run, points: Polyline, *, low: bool) -> Way:
    """The walk from the corner at one end of the span, away from the run."""
    if low != run.backward:
        return points, run.index, -1
    return points, run.index + 1, 1


def _corners_ahead(way: Way) -> int:
    points, place, step = way
    return place if step < 0 else len(points) - 1 - place


def _parting(a: Way, b: Way, across: int, outward: int) -> int:
    """The preferred side of two runs with ends at the same level: follows both routes to the point of parting.
    `outward` is the direction along the runs in which the routes leave the overlap (-1: the low end)."""
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
        # Both turn to the same hand: the route that continues farther, or turns off first, decides on the cross axis.
        side *= -outward * turn_a
        if abs(end_a - end_b) > SAME_LEVEL:
            if (end_a < end_b) == (turn_a > 0):
                return side * _hand((points_a, at_a, step_a), 1 - across)
            return -side * _hand((points_b, at_b, step_b), 1 - across)
        outward, across = turn_a, 1 - across
    return 0


def _hand(way: Way, axis: int) -> int:
    """The side of `axis` to which the route turns; 0 at the end."""
    points, place, step = way
    if not _corners_ahead(way):
        return 0
    return _sign(level(points[place + step], axis) - level(points[place], axis))


def _sign(value: float) -> int:
    return 1 if value > SAME else -1 if value < -SAME else 0


# The segments of all routes of a scene: the crossings of a route, and the segments in a region. px. Routes allowed to
# overlap have one owner: a route alone, or the fan of several. Results come in the order of drawing, cell by cell.


NOBODY: Final = -1  # the owner of what is no longer drawn, the fan of a route that has none
IN_VAIN: Final = 32  # empty looks in the grid that count as one


class _Stretch:
    """A drawn run (`across` 0: upright, 1: level) with the owner of its route."""

    __slots__ = ("across", "owner", "run")

    def __init__(self, owner: int, across: int, run: Run) -> None:
        self.owner = owner
        self.across = across
        self.run = run


class RunMap:
    """The runs of numbered routes, which come and go. `owners` and `fans` are given by route. A query examines about
    `most` runs per run; `looks` counts the runs examined by all queries."""

    def __init__(self, owners: list[int], fans: list[int], cell: float, most: int) -> None:
        self._owners, self._fans = owners, fans
        self._grid = CellGrid(cell)
        self._most = most
        self._stretches: list[_Stretch] = []
        self._routes: dict[int, Polyline] = {}
        self._drawn: dict[int, list[_Stretch]] = {}
        self.looks = 0

    def assign(self, route: int, owner: int, fan: int) -> None:
        """Let a route belong to another fan."""
        self._owners[route], self._fans[route] = owner, fan
        self.put(route, self._routes[route])

    def put(self, route: int, points: Polyline) -> None:
        """Draw a route, replacing its former course."""
        for stretch in self._drawn.get(route, []):
            stretch.owner = NOBODY
        drawn = self._stretches_of(route, points)
        for stretch in drawn:
            left, top, right, bottom = _bounds(stretch)
            self._grid.add(left, top, right, bottom)
            self._stretches.append(stretch)
        self._routes[route], self._drawn[route] = points, drawn

    def put_all(self, routes: list[tuple[int, Polyline]]) -> None:
        """Draw numbered routes, one after another."""
        for route, points in routes:
            self.put(route, points)

    def crossings_of(self, routes: list[int], looks: int) -> list[int]:
        """The crossings of each route as drawn, until `looks` are spent: the list is as long as the effort reached."""
        found: list[int] = []
        last = self.looks + looks
        for route in routes:
            if self.looks >= last:
                break
            found.append(self.crossings(route, self._routes[route]))
        return found

    def crossings(self, route: int, points: Polyline) -> int:
        """The number of foreign routes that `points` would cross for `route`, including routes that share a channel and
        leave on the wrong sides."""
        count = 0
        beside: dict[int, tuple[int, int]] = {}  # by fan, to how many of its lines this one lies on the low, high side
        crossed: set[tuple[int, float, float]] = set()  # the coinciding lines of a fan count as one
        is_drawn = points is self._routes.get(route)
        for mine in self._drawn[route] if is_drawn else self._stretches_of(route, points):
            run, across = mine.run, mine.across
            for other in self._near(mine):
                theirs = other.run
                if other.owner in (mine.owner, NOBODY):
                    continue
                if other.across != across:
                    if theirs.low < run.position < theirs.high and run.low < theirs.position < run.high:
                        crossed.add((other.owner, theirs.position, run.position))
                elif abs(theirs.position - run.position) <= SAME and run.high > theirs.low and theirs.high > run.low:
                    way, fan = self._routes[theirs.draft], self._fans[theirs.draft]
                    if twists(run, theirs, points, way, across):
                        count += 1
                    if fan != NOBODY:
                        side = preference(run, theirs, points, way, across)
                        low, high = beside.get(fan, (0, 0))
                        beside[fan] = (low + (1 if side < 0 else 0), high + (1 if side > 0 else 0))
        # Who belongs to the left of some lines of a fan and to the right of others crosses one of the two parts.
        for low, high in beside.values():
            count += min(low, high)
        return count + len(crossed)

    def around(self, region: BoxSides, route: int) -> tuple[list[Run], list[Run]]:
        """The upright and the level runs of all foreign routes in a region."""
        left, top, right, bottom = region
        own = self._owners[route]
        upright: list[Run] = []
        level: list[Run] = []
        for number in self._grid.near(left, top, right, bottom, len(self._stretches)):
            stretch = self._stretches[number]
            if stretch.owner not in (own, NOBODY):
                (level if stretch.across else upright).append(stretch.run)
        return upright, level

    def _stretches_of(self, route: int, points: Polyline) -> list[_Stretch]:
        owner = self._owners[route]
        found = [_Stretch(owner, 0, run) for run in runs_of(route, points, 0)]
        found.extend([_Stretch(owner, 1, run) for run in runs_of(route, points, 1)])
        return found

    def _near(self, stretch: _Stretch) -> list[_Stretch]:
        """The drawn runs near a run, up to a number."""
        looked = self._grid.looks
        left, top, right, bottom = _bounds(stretch)
        near = self._grid.near(left, top, right, bottom, self._most)
        self.looks += 1 + len(near) + (self._grid.looks - looked) // IN_VAIN
        return [self._stretches[number] for number in near]


def _bounds(stretch: _Stretch) -> BoxSides:
    run = stretch.run
    if stretch.across:
        return run.low, run.position, run.high, run.position
    return run.position, run.low, run.position, run.high


# Room for labels beside parallel segments: a label stands on one run of its route, the longest on which it fits. In:
# the runs of one axis, and their lines. Out: the distance of two runs that leaves both labels clear. px.


CORNER_ROOM: Final = 8.0  # kept free at both ends of a segment
TIP_ROOM: Final = 4.0  # px; kept free beside a marker
LABEL_GAP: Final = 6.0  # between a label and a foreign line


def give_labels(runs: list[Run], lines: list[OrthogonalLine], across: int) -> float:
    """Set the room for labels of all runs of one axis. Returns the greatest breadth."""
    most = 0.0
    bearing: dict[int, int] = {}
    for run in runs:
        line = lines[run.draft]
        if line.label[0] == 0.0:
            continue
        if run.draft not in bearing:
            bearing[run.draft] = _bearing(line)
        if bearing[run.draft] == run.index:
            width, height = line.label
            run.breadth, run.extent = (height, width) if across else (width, height)
            most = max(most, run.breadth)
    return most


def _bearing(line: OrthogonalLine) -> int:
    """The number of the segment with the best fit for the label of a route; -1 without a fit. An outcome takes the
    first fitting segment."""
    best, most = -1, 0.0
    width, height = line.label
    for index in range(len(line.points) - 1):
        a, b = line.points[index], line.points[index + 1]
        span = abs(b[0] - a[0]) + abs(b[1] - a[1])
        needed = height if a[0] == b[0] else width
        first = line.start.tip + TIP_ROOM if index == 0 and line.start.tip > 0.0 else 0.0
        last = line.finish.tip + TIP_ROOM if index == len(line.points) - 2 and line.finish.tip > 0.0 else 0.0
        slack = span - needed - max(CORNER_ROOM, first) - max(CORNER_ROOM, last)
        if slack >= 0.0 and span > most:
            best, most = index, span
            if line.is_outcome:
                break
    return best


def label_gap(one: Run, other: Run, *, is_aligned: bool, outside: tuple[bool, bool] = (False, False)) -> float:
    """The distance of two runs with room for their labels in between; 0 where neither label needs it. `is_aligned`: two
    labels at the same level, else one before the other where both runs are long enough. `outside`: whether each label
    may stand on the far side of its run."""
    first = one.breadth if not outside[0] and _is_beside(one, other) else 0.0
    second = other.breadth if not outside[1] and _is_beside(other, one) else 0.0
    if first > 0.0 and second > 0.0 and (is_aligned or not _have_turns(one, other)):
        return (first + second) / 2 + LABEL_GAP
    most = max(first, second)
    return most / 2 + LABEL_GAP if most > 0.0 else 0.0


def parallels_room(breadths: list[float], *, is_open: bool) -> float:
    """The distance of the first from the last of straight lines between the same two boxes with room for labels of the
    given breadths, in any order of the lines. `is_open`: the labels of the outermost two may stand outside."""
    beside = sorted(breadths)
    beside = [*beside[2:], *beside[-1:]] if is_open else beside[1:]
    room = 0.0
    for breadth in beside if len(breadths) > 2 or not is_open else ():
        room += breadth / 2 + LABEL_GAP
    return room


def _is_beside(run: Run, other: Run) -> bool:
    """Whether the label of a run has no room clear of a second run."""
    begin, end = max(run.low, other.low), min(run.high, other.high)
    return run.breadth > 0.0 and end > begin and max(begin - run.low, run.high - end) < run.extent + 2 * CORNER_ROOM


def _have_turns(one: Run, other: Run) -> bool:
    """Whether the labels of two runs have room in a row along the runs."""
    return min(one.high, other.high) - max(one.low, other.low) >= one.extent + other.extent + 3 * CORNER_ROOM


# Pairs of near segments among many parallel segments. px.


RunPair = tuple[int, int]


class NearRuns:
    """Runs by wished coordinate. A pair is near when less than `near` apart across and less than `touching` along; two
    runs of one route never pair."""

    def __init__(self, runs: list[Run], near: float, touching: float) -> None:
        self._runs = runs
        self._near = near
        self._touching = touching

    def pairs(self, most: int, looks: int) -> list[RunPair]:
        """The near pairs. Each run pairs with at most `most` later runs on its own shelf, and as many on the next
        shelf; at most `looks` are examined for either."""
        shelves = self._shelves()
        reaches = {shelf: self._reach(numbers) for shelf, numbers in shelves.items()}
        found: list[RunPair] = []
        for shelf, numbers in shelves.items():
            following = shelves.get(shelf + 1)
            for place, number in enumerate(numbers):
                self._overlapping(found, numbers, (number, place + 1, looks), most)
                if following is not None:
                    # Earlier segments end before this segment begins.
                    first = bisect_right(reaches[shelf + 1], self._runs[number].low - self._touching)
                    self._overlapping(found, following, (number, first, looks), most)
        return found

    def _shelves(self) -> dict[int, list[int]]:
        """The runs by shelf, a band of wished coordinates; each shelf is sorted by the begin of its runs."""
        runs, shelves = self._runs, dict[int, list[int]]()
        lows = [run.low for run in runs]
        for number in sorted(range(len(runs)), key=lows.__getitem__):
            shelves.setdefault(int(runs[number].wish // self._near), []).append(number)
        return shelves

    def _reach(self, numbers: list[int]) -> list[float]:
        """For each run of a shelf the farthest end up to and including the run."""
        reach: list[float] = []
        farthest = self._runs[numbers[0]].high
        for number in numbers:
            farthest = max(farthest, self._runs[number].high)
            reach.append(farthest)
        return reach

    def _overlapping(self, found: list[RunPair], others: list[int], look: tuple[int, int, int], most: int) -> None:
        """Add the pairs of a run with candidates; `look`: the run's number, the place of the first candidate, and the
        number to examine."""
        number, first, looks = look
        run, left = self._runs[number], most
        low, high = run.low - self._touching, run.high + self._touching
        for place in range(first, min(len(others), first + looks)):
            other = self._runs[others[place]]
            if other.low > high or left == 0:
                break
            if other.high > low and other.draft != run.draft and abs(other.wish - run.wish) < self._near:
                found.append((number, others[place]))
                left -= 1


# The corners of right-angled lines: the necessary corners, and their places after segments have moved. px.


def needed_corners(points: Polyline) -> list[int]:
    """The places of the fewest corners that draw the same route: no repeated, collinear or spike corner (out and back
    along one axis). All places when nothing would be left."""
    kept: list[int] = []
    for number in range(len(points)):
        kept.append(number)
        while len(kept) > 1 and _shrinks(kept, points):
            pass
    if len(kept) > 2 or (len(kept) > 1 and points[kept[0]] != points[kept[1]]):
        return kept
    return list(range(len(points)))


def _shrinks(kept: list[int], points: Polyline) -> bool:
    """Drop a needless corner near the end of the list. Returns whether a corner was dropped."""
    a, b = points[kept[-2]], points[kept[-1]]
    is_upright, is_level = abs(a[0] - b[0]) <= SAME, abs(a[1] - b[1]) <= SAME
    if is_upright and is_level:
        kept.pop()
        return True
    if len(kept) < 3:
        return False
    before = points[kept[-3]]
    if (is_upright and abs(before[0] - a[0]) <= SAME) or (is_level and abs(before[1] - a[1]) <= SAME):
        del kept[-2]
        return True
    return False


def move(lines: list[OrthogonalLine], places: list[tuple[Run, float]], across: int) -> list[int]:
    """Put runs at new coordinates; adjacent segments follow. Returns the numbers of the changed routes."""
    moved: dict[int, list[XY]] = {}
    for run, position in places:
        if position != run.position:
            points = moved.get(run.draft)
            if points is None:
                points = moved[run.draft] = list(lines[run.draft].points)
            for number in (run.index, run.index + 1):
                x, y = points[number]
                points[number] = (x, position) if across else (position, y)
    for draft, points in moved.items():
        corners = tuple(points)
        lines[draft].points = tuple([corners[number] for number in needed_corners(corners)])
    return list(moved)
