"""The search and its graph, against plain searches over a full grid. (R-ROUTE-4)"""

from __future__ import annotations

from heapq import heappop, heappush
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from scenograph.engine.costs import CROSSING
from scenograph.engine.effort import SEARCHING, Effort, effort_for
from scenograph.engine.geometry.boxes import Box, Point
from scenograph.engine.geometry.spatial_index import Bounds
from scenograph.engine.kernels.runs import Run
from scenograph.engine.route.courses.anchors import Anchor, box_anchor
from scenograph.engine.route.courses.pathfinder import (
    MAX_EXPANSIONS,
    RoutePath,
    SearchSpace,
    open_anchors,
    search,
    straightened,
)
from scenograph.engine.route.courses.terrain import Traffic
from scenograph.engine.route.problem import Channel

BEND = 20.0
REGION = Bounds(-400, -400, 800, 800)
SOURCE, TARGET = Box(0, 0, 60, 40), Box(300, 200, 60, 40)
STUB = 16.0
OWN = [Bounds(box.x - STUB, box.y - STUB, box.right + STUB, box.bottom + STUB) for box in (SOURCE, TARGET)]

cell = st.integers(-8, 18).map(lambda place: place * 20.0)
span = st.sampled_from((20.0, 60.0, 140.0))
walls = st.lists(st.builds(lambda x, y, w, h: Bounds(x, y, x + w, y + h), cell, cell, span, span), max_size=8)


def upright(at: float, low: float, high: float) -> Run:
    return Run(0, 0, at, (low, high), (at, at))


def plenty() -> Effort:
    return effort_for(SEARCHING, 1)


def anchors(box: Box) -> list[Anchor]:
    return [box_anchor(box, side) for side in ("top", "right", "bottom", "left")]


def cheapest(starts: list[Anchor], finishes: list[Anchor], obstacles: list[Bounds]) -> float | None:
    """Dijkstra's algorithm over every crossing of every line: slow and plain."""
    ends = [(a.x + a.dx * STUB, a.y + a.dy * STUB, 0 if a.dx else 1) for a in (*starts, *finishes)]
    xs = sorted({x for x, _, _ in ends} | {v for box in obstacles for v in (box[0], box[2])})
    ys = sorted({y for _, y, _ in ends} | {v for box in obstacles for v in (box[1], box[3])})
    heap = [(STUB, xs.index(x), ys.index(y), way) for x, y, way in ends[: len(starts)]]
    goals = {(xs.index(x), ys.index(y), way) for x, y, way in ends[len(starts) :]}
    done: set[tuple[int, int, int]] = set()
    heap.sort()
    while heap:
        cost, i, j, way = heappop(heap)
        if (i, j, way) in done:
            continue
        done.add((i, j, way))
        if (i, j, way) in goals:
            return cost + STUB
        heappush(heap, (cost + BEND, i, j, 1 - way))
        for step in (-1, 1):
            k, m = (i + step, j) if way == 0 else (i, j + step)
            if (
                0 <= k < len(xs)
                and 0 <= m < len(ys)
                and not blocked(Point(xs[i], ys[j]), Point(xs[k], ys[m]), obstacles)
            ):
                heappush(heap, (cost + abs(xs[k] - xs[i]) + abs(ys[m] - ys[j]), k, m, way))
    return None


def blocked(a: Point, b: Point, obstacles: list[Bounds]) -> bool:
    return any(
        min(a.x, b.x) < box[2] and max(a.x, b.x) > box[0] and min(a.y, b.y) < box[3] and max(a.y, b.y) > box[1]
        for box in obstacles
    )


@settings(deadline=None, max_examples=60)
@given(walls)
def test_the_path_is_clear_and_as_cheap_as_any(boxes: list[Bounds]) -> None:
    starts, finishes = open_anchors(anchors(SOURCE), boxes, STUB), open_anchors(anchors(TARGET), boxes, STUB)
    obstacles = boxes + OWN
    expected = cheapest(starts, finishes, obstacles) if starts and finishes else None
    found = search(starts, finishes, SearchSpace(REGION, obstacles, STUB), plenty())
    assert (found is None) == (expected is None)
    if found is None or expected is None:
        return
    assert abs(found.cost - expected) < 1e-6
    path = list(found.points)
    assert sum(abs(a.x - b.x) + abs(a.y - b.y) for a, b in pairwise(path)) + BEND * (len(path) - 2) <= found.cost + 1e-6
    assert not any(blocked(a, b, boxes) for a, b in pairwise(path))


def test_crossing_another_route_costs_and_is_avoided_where_that_is_cheaper() -> None:
    starts, finishes = [box_anchor(SOURCE, "right")], [box_anchor(TARGET, "left")]
    free = search(starts, finishes, SearchSpace(REGION, OWN, STUB), plenty())
    fence = Traffic([upright(180.0, -60.0, 260.0)], [])
    tolled = search(starts, finishes, SearchSpace(REGION, OWN, STUB, fence), plenty())
    long_fence = Traffic([upright(180.0, -390.0, 790.0)], [])
    forced = search(starts, finishes, SearchSpace(REGION, OWN, STUB, long_fence), plenty())
    assert free is not None
    assert tolled is not None
    assert forced is not None
    assert forced.cost == free.cost + CROSSING
    assert free.cost <= tolled.cost <= forced.cost


def test_a_path_crosses_a_narrow_channel_and_does_not_run_along_it() -> None:
    for middle in (SOURCE.center.x, TARGET.center.x):
        across, along = (Channel(Bounds(x - 40, -400, x + 40, 800), 1) for x in (180.0, middle))
        path = search(
            anchors(SOURCE), anchors(TARGET), SearchSpace(REGION, OWN, STUB, narrow=[across, along]), plenty()
        )
        assert path is not None
        upright_at = [a.x for a, b in pairwise(path.points) if abs(a.y - b.y) > 2 * STUB]
        assert not any(abs(x - at) < 40 for x in upright_at for at in (180.0, middle))


def test_the_effort_is_bounded_and_taken_from_that_of_the_scene() -> None:
    maze = [Bounds(40 * i, -300 if i % 2 else -200, 40 * i + 10, 500 if i % 2 else 700) for i in range(2, 7)]
    effort = plenty()
    before = effort.left
    search(anchors(SOURCE), anchors(TARGET), SearchSpace(REGION, maze + OWN, STUB), effort)
    assert 0 < before - effort.left <= MAX_EXPANSIONS + 200


def test_a_way_through_walls_that_stand_beside_each_other_is_not_looked_for() -> None:
    starts, finishes = [box_anchor(SOURCE, "bottom")], [box_anchor(TARGET, "top")]
    effort = plenty()
    before = effort.left
    closed = [Bounds(-500, 80, 100, 120), Bounds(60, 100, 900, 160)]
    assert search(starts, finishes, SearchSpace(REGION, closed + OWN, STUB), effort) is None
    assert effort.left == before
    for open_at in ([Bounds(-500, 80, 100, 120), Bounds(100, 100, 900, 160)], [closed[0], Bounds(60, 120, 900, 160)]):
        found = search(starts, finishes, SearchSpace(REGION, open_at + OWN, STUB), effort)
        assert found is not None
        assert found.cost == cheapest(starts, finishes, open_at + OWN)


def among(count: int, cap: int) -> tuple[RoutePath | None, int]:
    """The path across a wall of `count` bricks in all, and the effort spent."""
    bricks = [Bounds(x + y % 40, y, x + y % 40 + 50, y + 10) for y in range(60, 460, 20) for x in range(-600, 600, 60)]
    ends = anchors(SOURCE), anchors(Box(300, 500, 60, 40))
    effort = plenty()
    before = effort.left
    ground = SearchSpace(Bounds(-600, -400, 600, 800), [OWN[0], *bricks][:count], STUB, cap=cap)
    return search(*ends, ground, effort), before - effort.left


def test_among_very_many_obstacles_a_search_is_hasty_at_once_or_not_begun() -> None:
    few, many = ([among(count, cap) for cap in (MAX_EXPANSIONS, 2000)] for count in (400, 401))
    assert few[0][0] is not None
    assert many[0][0] is not None
    assert many[0][1] < few[0][1]
    assert few[1][1] > 0
    assert many[1] == (None, 0)


def test_without_any_effort_left_a_search_finds_nothing_and_ends() -> None:
    assert search(anchors(SOURCE), anchors(TARGET), SearchSpace(REGION, OWN, STUB), Effort(0)) is None


@given(st.lists(st.builds(Point, cell, cell), min_size=2, max_size=12))
def test_a_straightened_line_has_no_needless_points(points: list[Point]) -> None:
    squared = [points[0]]
    for point in points[1:]:
        squared += [Point(point.x, squared[-1].y), point]
    line = straightened(squared)
    assert (line[0], line[-1]) == (squared[0], squared[-1])
    if line == tuple(squared):
        return
    steps = [(b.x - a.x, b.y - a.y) for a, b in pairwise(line)]
    assert all((dx == 0) != (dy == 0) for dx, dy in steps)
    assert all(ax * bx + ay * by == 0 for (ax, ay), (bx, by) in pairwise(steps))
