"""The search for a way among obstacles: graph, tolls and A* in one go.

In: the places where a way may begin and end, the ground with all that costs there. Out: which of the places it joins,
its corners, its cost, and what it took to find it. px.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import Final

from scenograph.engine.kernels.orthogonal_search import SIDEWAYS, UPRIGHT, End, OrthogonalSearch
from scenograph.engine.kernels.runs import Place, Run, Sides
from scenograph.engine.kernels.simple_paths import Port
from scenograph.engine.kernels.visibility import Spot, Tolls, VisibilityGraph

EXACT_EXPANSIONS: Final = 2500  # what is left of the cap goes to a hasty search that runs at the goal
HASTE: Final = 2.0  # times the distance left, in the second search: fewer vertices, a longer way
OVERHEAD: Final = 30  # building the graph, in expansions,
OBSTACLE_OVERHEAD: Final = 3  # an obstacle,
PAIR_OVERHEAD: Final = 0.02  # a pair of them
NEARER: Final = 1.0  # px; who runs nearer than the clearance by so much runs beside a border
TRAFFIC_SHARE: Final = 2  # an expansion for so many runs of other routes

Channel = tuple[Sides, int]
"""Where lines run beside each other: level ones where the second is 0, upright ones where it is 1."""
Ground = tuple[
    Sides, Sequence[Sides], float, tuple[list[Run], list[Run]], float, int, Sequence[Sides], Sequence[Channel]
]
"""Where a search may go: a region, its grown obstacles, the straight run every end keeps; the upright and the level
runs of others, which cost where they are crossed; a cost from which on a path is of no use, how many vertices are
looked at; the frames beside whose borders running costs and round which there are ways; the channels along which
running costs."""
Prices = tuple[float, float, float, float, float]
"""A bend, a crossing, a px beside a border; how far from a border ways run at no price; a px along a channel."""
Way = tuple[int, int, list[Place], float]
"""The numbers of a start and a finish, the corners between their straight runs, the cost but for those of the
finish."""


def find_way(
    starts: Sequence[Port], finishes: Sequence[Port], ground: Ground, left: int, prices: Prices
) -> tuple[Way | None, int]:
    """The cheapest way that crosses no obstacle; when that takes too long, a good one; None when none is found. And
    what it took of the `left` expansions."""
    region, obstacles, stub, traffic, limit, most, borders, narrow = ground
    bend, _, _, clearance, _ = prices
    sources, targets = [_end(port, stub) for port in starts], [_end(port, stub) for port in finishes]
    if limit == inf and _is_walled_off(region, obstacles, (sources, targets)):
        return None, 0
    points: list[Spot] = [(end[0], end[1]) for end in sources]
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
    for haste, cap in ((1.0, EXACT_EXPANSIONS), (HASTE, most - EXACT_EXPANSIONS)):
        found = hunt.run(sources, min(cap, most, left - spent), haste)
        spent += hunt.expansions + overhead
        if found is not None:
            first, last, trail, cost = found
            return (first, last, trail, cost + stub + finishes[last][11]), spent
        if hunt.is_exhausted or most <= EXACT_EXPANSIONS:
            break
    return None, spent


def _tolls(graph: VisibilityGraph, ground: Ground, prices: Prices) -> tuple[Tolls, Tolls]:
    """What is paid on the rows and on the columns of a graph."""
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


def _is_walled_off(region: Sides, obstacles: Sequence[Sides], ends: tuple[list[End], list[End]]) -> bool:
    """Whether obstacles beside each other reach across a region between its starts and its finishes."""
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
        if low < high and any(_reaches_across(walls, max(low, wall[2]), first, last) for wall in walls):
            return True
    return False


def _reaches_across(walls: list[tuple[float, float, float, float]], level: float, first: float, last: float) -> bool:
    """Whether walls cover all between two places just beyond a level; they come in the order in which they begin."""
    covered = first
    for begin, end, near, far in walls:
        if near <= level < far and end > covered:
            if begin >= covered:
                return False
            covered = end
            if covered > last:
                return True
    return False


def _end(port: Port, stub: float) -> End:
    """Where the straight run of a place meets the graph, and what it and the side cost."""
    x, y, dx, dy = port[1], port[2], port[3], port[4]
    return x + dx * stub, y + dy * stub, SIDEWAYS if dx else UPRIGHT, stub + port[11]


def _add_corners(points: list[Spot], sides: Sides, by: float) -> None:
    """Add the corners of a box with so much more on every side."""
    left, top, right, bottom = sides
    points.append((left - by, top - by))
    points.append((left - by, bottom + by))
    points.append((right + by, top - by))
    points.append((right + by, bottom + by))
