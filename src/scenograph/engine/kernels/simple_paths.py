"""Straight, L and step paths from a side of one box to a side of another: the cheapest clear path.

In: the anchors of both ends, the obstacles, prices. Out: the corners of a path, the numbers of its anchors, and their
coordinates along the sides. px.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot
from typing import Final

from scenograph.engine.kernels.cell_grid import EVERY, BoxSides, CellGrid
from scenograph.engine.kernels.runs import Polyline
from scenograph.engine.kernels.straight_lines import XY, Interval, Rectangle

# Obstacles grown by the clearance of routes, with tests for regions and for whole routes. px.


class Grown:
    """A grown obstacle: sides, owner, and the owners of the covering frames. A route stopped by a covering frame need
    not test the obstacle."""

    __slots__ = ("bottom", "frames", "left", "owner", "right", "top")

    def __init__(self, sides: BoxSides, owner: int, frames: tuple[int, ...]) -> None:
        self.left, self.top, self.right, self.bottom = sides
        self.owner = owner
        self.frames = frames


class ObstacleField:
    """Numbered obstacles: ungrown in a grid, and grown by at most `most` px each."""

    def __init__(self, grid: CellGrid, obstacles: list[Grown], most: float) -> None:
        self._grid = grid
        self._obstacles = obstacles
        self._most = most

    def walls(self, region: BoxSides, exempt: frozenset[int]) -> list[Grown]:
        """The grown obstacles in a region, except obstacles owned by `exempt`."""
        return [self._obstacles[number] for number in self.reaching(region, exempt)]

    def reaching(self, region: BoxSides, exempt: frozenset[int]) -> list[int]:
        """The numbers of the grown obstacles in a region, except obstacles owned by `exempt`."""
        left, top, right, bottom = region
        most = self._most
        found: list[int] = []
        for number in self._grid.near(left - most, top - most, right + most, bottom + most, EVERY):
            grown = self._obstacles[number]
            if grown.left < right and grown.right > left and grown.top < bottom and grown.bottom > top:
                if grown.owner in exempt:
                    continue
                for frame in grown.frames:
                    if frame not in exempt:
                        break
                else:
                    found.append(number)
        return found


def own_sides(source: Rectangle, target: Rectangle, by: float) -> list[BoxSides]:
    """Both ends of an edge as obstacles, grown by `by` px, except an end that holds the opposite end."""
    if source == target:
        return [_grown(source, by)]
    own: list[BoxSides] = []
    if not _contains(source, target):
        own.append(_grown(source, by))
    if not _contains(target, source):
        own.append(_grown(target, by))
    return own


def _grown(box: Rectangle, by: float) -> BoxSides:
    x, y, width, height = box
    left, top = x - by, y - by
    return left, top, left + (width + 2 * by), top + (height + 2 * by)


def _contains(box: Rectangle, other: Rectangle) -> bool:
    x, y, width, height = box
    left, top, across, down = other
    return x <= left and y <= top and x + width >= left + across and y + height >= top + down


def nearing(
    points: Polyline, grid: CellGrid, obstacles: list[Grown], exempt: frozenset[int], gap: float
) -> list[tuple[int, int]]:
    """The pairs of segments and obstacles, both by number, nearer to each other than `gap`, except obstacles owned by
    `exempt`; a slanted segment counts with its bounding box."""
    found: list[tuple[int, int]] = []
    for piece in range(len(points) - 1):
        left, top, right, bottom = _around(points[piece], points[piece + 1])
        for number in grid.near(left - gap, top - gap, right + gap, bottom + gap, EVERY):
            grown = obstacles[number]
            if grown.owner in exempt:
                continue
            aside = max(grown.left - right, left - grown.right, 0.0)
            away = max(grown.top - bottom, top - grown.bottom, 0.0)
            if (hypot(aside, away) if aside and away else max(aside, away)) < gap:
                found.append((piece, number))
    return found


def each_nearing(
    lines: list[Polyline], grid: CellGrid, obstacles: list[Grown], exempt: list[frozenset[int]], gap: float
) -> list[list[tuple[int, int]]]:
    """The pairs `nearing` for every line, with its own exempt owners."""
    return [nearing(points, grid, obstacles, exempt[number], gap) for number, points in enumerate(lines)]


def _around(a: XY, b: XY) -> BoxSides:
    """The box round a piece of a line."""
    return min(a[0], b[0]), min(a[1], b[1]), max(a[0], b[0]), max(a[1], b[1])


def is_clear(points: Polyline, obstacles: Sequence[BoxSides]) -> bool:
    """Whether a right-angled line stays out of the interior of every obstacle."""
    for number in range(len(points) - 1):
        left, top, right, bottom = _around(points[number], points[number + 1])
        for x0, y0, x1, y1 in obstacles:
            if left < x1 and right > x0 and top < y1 and bottom > y0:
                return False
    return True


def is_open(points: Polyline, walls: list[Grown]) -> bool:
    """Whether an orthogonal route stays out of every grown obstacle."""
    for number in range(len(points) - 1):
        left, top, right, bottom = _around(points[number], points[number + 1])
        for wall in walls:
            if left < wall.right and right > wall.left and top < wall.bottom and bottom > wall.top:
                return False
    return True


HULL_MARGIN: Final = 16.0  # px; round the ends of a path, for lines beside
LEAST_LEG: Final = 14.0  # an end's straight run is never shorter where a corner can be chosen
LEAST_STEP: Final = 6.0  # nor are both legs of a step: the line would lie on the border of an end
STEP_POINTS: Final = 4  # points of a line with two corners
INFINITE: Final = 1e300  # more than any path costs
TIP_ROOM: Final = 2.0  # between a marker and the corner after it

AnchorValues = tuple[str, float, float, int, int, float, float, float, float, float, float, float]
"""A possible start or end of a path: the name of a side, the place on the side, the direction (dx, dy) away from the
box; the range of free sliding, the range of giving way, the range of moving to an incoming line; the cost."""
PathPrices = tuple[float, float, float]
"""A bend; a straight line off the middles of its sides; the greatest extra cost of sides over the best."""
FoundPath = tuple[float, int, int, float, float, Polyline]
"""The cost of a path, the numbers of its start and its finish, their places along their sides, its corners."""
Offer = tuple[float, int, int, int, int, float, bool]
"""The best path of two anchors: the cost, the place in the queue, the numbers of both anchors, the bends; for a
straight line also its place, and whether the line may slide along both sides past obstacles."""


class _AnchorEnd:
    __slots__ = (
        "along",
        "dx",
        "dy",
        "high",
        "low",
        "penalty",
        "reach_high",
        "reach_low",
        "room_high",
        "room_low",
        "x",
        "y",
    )

    def __init__(self, anchor: AnchorValues) -> None:
        _, self.x, self.y, self.dx, self.dy, self.low, self.high, low, high, least, most, self.penalty = anchor
        self.room_low, self.room_high, self.reach_low, self.reach_high = low, high, least, most
        self.along = self.x if self.dx == 0 else self.y


def clear_path(
    anchors: tuple[Sequence[AnchorValues], Sequence[AnchorValues]],
    boxes: tuple[Rectangle, Rectangle],
    ground: tuple[ObstacleField, frozenset[int]],
    kept: tuple[float, tuple[float, float]],
    prices: PathPrices,
) -> FoundPath | None:
    """The cheapest path between two boxes that is clear of the boxes and of all obstacles, exempt obstacles aside.
    `kept`: the straight run of both ends, and the lengths of the markers, which have room before the corners."""
    (field, exempt), (stub, tips) = ground, kept
    starts, finishes = [_AnchorEnd(anchor) for anchor in anchors[0]], [_AnchorEnd(anchor) for anchor in anchors[1]]
    walls = field.walls(_hull(starts, finishes), exempt)
    walls.extend([Grown(sides, -1, ()) for sides in own_sides(boxes[0], boxes[1], 0.0)])
    for cost, _, first, last, bends, line, slides in _offers(starts, finishes, prices):
        start, finish = starts[first], finishes[last]
        if bends == 0:
            free, along = _slid(start, finish, line, walls) if slides else (True, line)
            points = _straight(start, finish, along)
            if free and is_open(points, walls):
                return cost, first, last, along, along, points
        else:
            points = _bent(start, finish, bends, walls, stub)
            if points and holds(points, tips) and is_open(points, walls):
                return cost, first, last, start.along, finish.along, points
    return None


def plain_paths(
    anchors: tuple[Sequence[AnchorValues], Sequence[AnchorValues]], stub: float, prices: PathPrices, most: int
) -> list[FoundPath]:
    """Of the `most` cheapest paths that do not slide, the paths possible without obstacles."""
    starts, finishes = [_AnchorEnd(anchor) for anchor in anchors[0]], [_AnchorEnd(anchor) for anchor in anchors[1]]
    fixed = [offer for offer in _offers(starts, finishes, prices) if not offer[6]]
    found: list[FoundPath] = []
    for cost, _, first, last, bends, line, _ in fixed[:most]:
        start, finish = starts[first], finishes[last]
        if bends == 0:
            found.append((cost, first, last, line, line, _straight(start, finish, line)))
        else:
            points = _bent(start, finish, bends, [], stub)
            if points:
                found.append((cost, first, last, start.along, finish.along, points))
    return found


def straight_at(start: AnchorValues, finish: AnchorValues) -> float | None:
    """The coordinate of a straight segment between two anchors; None when the sides do not face each other or no
    coordinate fits."""
    one, other = _AnchorEnd(start), _AnchorEnd(finish)
    if (one.dx == 0) != (other.dx == 0) or _ahead(one, other) <= 0.0 or _ahead(other, one) <= 0.0:
        return None
    is_met, at = _aligned(one, other)
    return at if is_met else None


def hull(starts: Sequence[AnchorValues], finishes: Sequence[AnchorValues]) -> BoxSides:
    """The region of the anchors, slightly grown: the paths stay inside."""
    return _hull([_AnchorEnd(anchor) for anchor in starts], [_AnchorEnd(anchor) for anchor in finishes])


def least_cost(starts: Sequence[AnchorValues], finishes: Sequence[AnchorValues]) -> float:
    """The least conceivable cost of a path from a start to a finish."""
    ends = [_AnchorEnd(anchor) for anchor in finishes]
    least = INFINITE
    for anchor in starts:
        start = _AnchorEnd(anchor)
        for finish in ends:
            cost = abs(start.x - finish.x) + abs(start.y - finish.y) + start.penalty + finish.penalty
            least = cost if cost < least else least
    return least


def with_clear_run(anchors: Sequence[AnchorValues], obstacles: Sequence[BoxSides], stub: float) -> list[int]:
    """The numbers of the anchors with a clear straight run."""
    found: list[int] = []
    for number, anchor in enumerate(anchors):
        end = _AnchorEnd(anchor)
        ahead = end.x + end.dx * stub, end.y + end.dy * stub
        if is_clear(((end.x, end.y), ahead), obstacles):
            found.append(number)
    return found


def holds(points: Polyline, tips: tuple[float, float]) -> bool:
    """Whether the markers of a step path end before its corners."""
    if len(points) < STEP_POINTS:
        return True
    return _has_room(points[0], points[1], tips[0]) and _has_room(points[-2], points[-1], tips[1])


def _has_room(a: XY, b: XY, tip: float) -> bool:
    return tip == 0.0 or abs(a[0] - b[0]) + abs(a[1] - b[1]) >= tip + TIP_ROOM


def _hull(starts: list[_AnchorEnd], finishes: list[_AnchorEnd]) -> BoxSides:
    left, top, right, bottom = starts[0].x, starts[0].y, starts[0].x, starts[0].y
    for ends in (starts, finishes):
        for end in ends:
            left, right = min(left, end.x), max(right, end.x)
            top, bottom = min(top, end.y), max(bottom, end.y)
    return left - HULL_MARGIN, top - HULL_MARGIN, right + HULL_MARGIN, bottom + HULL_MARGIN


def _offers(starts: list[_AnchorEnd], finishes: list[_AnchorEnd], prices: PathPrices) -> list[Offer]:
    """The possible paths between any two anchors, cheapest first."""
    limit = min([end.penalty for end in starts]) + min([end.penalty for end in finishes]) + prices[2]
    offers: list[Offer] = []
    for first, start in enumerate(starts):
        for last, finish in enumerate(finishes):
            if start.penalty + finish.penalty < limit:
                _pair(offers, (first, last), start, finish, prices)
    offers.sort()
    return offers


def _pair(
    offers: list[Offer], numbers: tuple[int, int], start: _AnchorEnd, finish: _AnchorEnd, prices: PathPrices
) -> None:
    """Add the paths between two anchors: none when the sides face away from each other."""
    ahead, penalty = _ahead(start, finish), start.penalty + finish.penalty
    if ahead <= 0.0 or _ahead(finish, start) <= 0.0:
        return
    (first, last), (bend, beside, _) = numbers, prices
    span = abs(start.x - finish.x) + abs(start.y - finish.y) + penalty
    if (start.dx == 0) != (finish.dx == 0):
        offers.append((span + bend, len(offers), first, last, 1, 0.0, False))
        return
    is_met, line = _aligned(start, finish)
    if is_met:
        offers.append((ahead + penalty, len(offers), first, last, 0, line, False))
        if start.low < start.high and finish.low < finish.high:
            offers.append((ahead + penalty + beside, len(offers), first, last, 0, line, True))
    if start.along != finish.along:
        offers.append((span + 2 * bend, len(offers), first, last, 2, 0.0, False))


def _ahead(one: _AnchorEnd, other: _AnchorEnd) -> float:
    """The distance of `other` in front of a side."""
    return (other.x - one.x) * one.dx + (other.y - one.y) * one.dy


def _aligned(start: _AnchorEnd, finish: _AnchorEnd) -> tuple[bool, float]:
    """Whether two anchors make one straight segment, and its coordinate: the source's if within the target's extent
    (R-ROUTE-2), else the target's."""
    if finish.reach_low <= start.along <= finish.reach_high:
        return True, start.along
    return start.low <= finish.along <= start.high, finish.along


def _slid(start: _AnchorEnd, finish: _AnchorEnd, line: float, walls: list[Grown]) -> tuple[bool, float]:
    """Whether the straight segment can slide along both sides to a free coordinate, and the nearest such coordinate."""
    near, far = (start.y, finish.y) if start.dx == 0 else (start.x, finish.x)
    if near > far:
        near, far = far, near
    blocked: list[Interval] = []
    for wall in walls:
        if start.dx == 0:
            if wall.top < far and wall.bottom > near:
                blocked.append((wall.left, wall.right))
        elif wall.left < far and wall.right > near:
            blocked.append((wall.top, wall.bottom))
    low, high = max(start.room_low, finish.room_low), min(start.room_high, finish.room_high)
    return _nearest_free(line, low, high, blocked)


def _straight(start: _AnchorEnd, finish: _AnchorEnd, along: float) -> Polyline:
    if start.dx == 0:
        return (along, start.y), (along, finish.y)
    return (start.x, along), (finish.x, along)


def _bent(start: _AnchorEnd, finish: _AnchorEnd, bends: int, walls: list[Grown], stub: float) -> Polyline:
    """The L or step path between two anchors; empty without room for the corners."""
    a, b = (start.x, start.y), (finish.x, finish.y)
    if bends == 1:
        x, y = (b[0], a[1]) if start.dx else (a[0], b[1])
        leg = min(abs(x - a[0]) + abs(y - a[1]), abs(x - b[0]) + abs(y - b[1]))
        return (a, (x, y), b) if leg >= min(stub, LEAST_LEG) else ()
    is_found, middle = _step(start, finish, walls, stub)
    if not is_found:
        return ()
    if start.dx:
        return a, (middle, a[1]), (middle, b[1]), b
    return a, (a[0], middle), (b[0], middle), b


def _step(start: _AnchorEnd, finish: _AnchorEnd, walls: list[Grown], stub: float) -> tuple[bool, float]:
    """Whether the cross leg of a step has a free coordinate, and the free coordinate nearest to the middle."""
    sideways = start.dx != 0
    sign = start.dx if sideways else start.dy
    begin, end = (start.x * sign, finish.x * sign) if sideways else (start.y * sign, finish.y * sign)
    if end - begin < 2 * min(stub, LEAST_STEP):
        return False, 0.0
    middle = (begin + end) / 2
    low, high = (begin + stub, end - stub) if end - begin > 2 * stub else (middle, middle)
    first, last = start.along, finish.along
    near, far = (first, last) if first <= last else (last, first)
    blocked: list[Interval] = []
    for wall in walls:
        if sideways:
            u0, u1, v0, v1 = wall.left, wall.right, wall.top, wall.bottom
        else:
            u0, u1, v0, v1 = wall.top, wall.bottom, wall.left, wall.right
        if sign < 0:
            u0, u1 = -u1, -u0
        if v0 >= far or v1 <= near:
            continue
        if v0 < first < v1 and u1 > begin:
            high = min(high, u0)
        if v0 < last < v1 and u0 < end:
            low = max(low, u1)
        blocked.append((u0, u1))
    is_found, place = _nearest_free(middle, low, high, blocked)
    return is_found, place * sign


def _nearest_free(wish: float, low: float, high: float, blocked: list[Interval]) -> tuple[bool, float]:
    """Whether a place between `low` and `high` is outside every blocked interval, and the nearest to the wish; of two
    equally near, the lower."""
    if low > high:
        return False, 0.0
    first = min(high, max(low, wish))
    places = [(abs(first - wish), first)]
    for pair in blocked:
        for edge in pair:
            if low <= edge <= high:
                places.append((abs(edge - wish), edge))
    places.sort()
    for _, place in places:
        for near, far in blocked:
            if near < place < far:
                break
        else:
            return True, place
    return False, 0.0
