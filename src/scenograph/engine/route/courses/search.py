"""The search for an orthogonal path through a visibility graph.

A* over the visibility graph: cost is length plus 20 px a bend plus the choice of sides; the estimate is the manhattan
distance plus the bends that direction and place still force, so it never overestimates. At most 5,000 expansions.
Rule R-ROUTE-4.
"""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heappop, heappush
from math import inf
from typing import NamedTuple

from scenograph.engine.geometry.boxes import Point
from scenograph.engine.geometry.spatial_index import Bounds
from scenograph.engine.route.costs import AWAY, BEND
from scenograph.engine.route.courses.simple import Path
from scenograph.engine.route.courses.tidy import straightened
from scenograph.engine.route.courses.traffic import NO_TRAFFIC, Tolls, Traffic, tolls_of
from scenograph.engine.route.courses.visibility import VisibilityGraph, visibility_graph
from scenograph.engine.route.ports.anchors import Anchor

MAX_EXPANSIONS = 5000
EXACT_EXPANSIONS = 2500  # what is left of the cap goes to a hasty search that runs at the goal
HASTE = 2.0
SCENE_EXPANSIONS = 400_000  # for all edges of a scene; beyond it only simple paths are tried
OVERHEAD, OBSTACLE_OVERHEAD, PAIR_OVERHEAD = (
    30,
    3,
    0.02,
)  # building the graph, in expansions: an obstacle, a pair of them
TRAFFIC_SHARE = 2  # an expansion for so many runs of other routes
EPSILON = 1e-9
SIDEWAYS, UPRIGHT = 0, 1  # the way a path moves at a vertex


_Bound = tuple[list[float], list[float]]
_Moves = list[tuple[int, float]]


class Ground(NamedTuple):
    """Where a search may go: a region, its grown obstacles, and the straight run every end keeps."""

    region: Bounds
    obstacles: Sequence[Bounds]
    stub: float
    traffic: Traffic = NO_TRAFFIC
    limit: float = inf  # a path that costs this much is of no use
    cap: int = MAX_EXPANSIONS


class Budget:
    """The expansions that are left for a whole scene: a count, so that the same scene always gets the same routes."""

    __slots__ = ("left",)

    def __init__(self, left: int = SCENE_EXPANSIONS) -> None:
        self.left = left


def search(starts: Sequence[Anchor], finishes: Sequence[Anchor], ground: Ground, budget: Budget) -> Path | None:
    """The cheapest path that crosses no obstacle; when that takes too long, a good one; None when none is found."""
    if not starts or not finishes:
        return None
    ends = [_stub_end(anchor, ground.stub) for anchor in (*starts, *finishes)]
    graph = visibility_graph(ground.region, ground.obstacles, ends)
    tolls = tolls_of(graph, ground.traffic)
    hunt = _Hunt(graph, finishes, ground, tolls)
    for haste, cap in ((1.0, EXACT_EXPANSIONS), (HASTE, ground.cap - EXACT_EXPANSIONS)):
        found = hunt.run(starts, min(cap, ground.cap, budget.left), haste)
        budget.left -= (
            hunt.expansions + _overhead(len(ground.obstacles)) + sum(map(len, ground.traffic)) // TRAFFIC_SHARE
        )
        if found is not None or not hunt.heap or ground.cap <= EXACT_EXPANSIONS:
            return found
    return None


def _overhead(obstacles: int) -> int:
    return OVERHEAD + OBSTACLE_OVERHEAD * obstacles + int(PAIR_OVERHEAD * obstacles * obstacles)


def open_anchors(anchors: Sequence[Anchor], obstacles: Sequence[Bounds], stub: float) -> list[Anchor]:
    """Those whose straight run meets no obstacle."""
    found = [anchor for anchor in anchors if _is_open(anchor, obstacles, stub)]
    near = [anchor for anchor in found if anchor.penalty < AWAY]
    return near if len(near) > 1 else found


def _stub_end(anchor: Anchor, stub: float) -> Point:
    return Point(anchor.x + anchor.dx * stub, anchor.y + anchor.dy * stub)


def _is_open(anchor: Anchor, obstacles: Sequence[Bounds], stub: float) -> bool:
    x, y = _stub_end(anchor, stub)
    left, right = (anchor.x, x) if anchor.x <= x else (x, anchor.x)
    top, bottom = (anchor.y, y) if anchor.y <= y else (y, anchor.y)
    return not any(left < box[2] and right > box[0] and top < box[3] and bottom > box[1] for box in obstacles)


def _bound(graph: VisibilityGraph, goal: Point, anchor: Anchor, way: int, stub: float) -> _Bound:
    """The least cost from any place to a goal for a path that moves `way` there, as a share of its column and one of
    its row: their sum. Who moves as the goal wants but on another line needs two bends, who moves across needs one."""
    across, down = [abs(x - goal.x) for x in graph.xs], [abs(y - goal.y) for y in graph.ys]
    fixed = stub + anchor.penalty
    if way != (SIDEWAYS if anchor.dx else UPRIGHT):
        return across, [distance + fixed + BEND for distance in down]
    if way == SIDEWAYS:
        return across, [distance + fixed + (2 * BEND if distance else 0.0) for distance in down]
    return [distance + (2 * BEND if distance else 0.0) for distance in across], [d + fixed for d in down]


class _Hunt:
    """One run of the search. A state is a vertex and the way the path moves there: `(j * width + i) * 2 + way`."""

    def __init__(self, graph: VisibilityGraph, finishes: Sequence[Anchor], ground: Ground, tolls: Tolls) -> None:
        self.graph = graph
        self.stub = ground.stub
        self.limit = ground.limit
        self.tolls = tolls
        self.width = len(graph.xs)
        self.finish_of: dict[int, Anchor] = {}
        self.bounds: tuple[list[_Bound], list[_Bound]] = ([], [])
        for anchor in finishes:
            point = _stub_end(anchor, self.stub)
            self.finish_of.setdefault(self._state(point, SIDEWAYS if anchor.dx else UPRIGHT), anchor)
            for way in (SIDEWAYS, UPRIGHT):
                self.bounds[way].append(_bound(graph, point, anchor, way, self.stub))
        self.moves: dict[int, _Moves] = {}
        self.heap: list[tuple[float, float, int]] = []
        self.expansions = 0

    def run(self, starts: Sequence[Anchor], cap: int, haste: float) -> Path | None:
        """The path from one of the starts to one of the finishes that the cost and the haste allow."""
        cost: dict[int, float] = {}
        before: dict[int, int] = {}
        start_of: dict[int, Anchor] = {}
        self.heap.clear()
        for anchor in starts:
            state = self._state(_stub_end(anchor, self.stub), SIDEWAYS if anchor.dx else UPRIGHT)
            if self.stub + anchor.penalty < cost.get(state, inf):
                cost[state], start_of[state] = self.stub + anchor.penalty, anchor
                estimate = self._estimate(state) * haste
                self.heap.append((cost[state] + estimate, estimate, state))
        self.heap.sort()
        goal = self._walk(cost, before, cap, haste)
        if goal is None:
            return None
        trail = [goal]
        while trail[-1] in before:
            trail.append(before[trail[-1]])
        trail.reverse()
        first, last = start_of[trail[0]], self.finish_of[goal]
        corners = [Point(first.x, first.y), *(self._place(state) for state in trail), Point(last.x, last.y)]
        return Path(straightened(corners), first, last, cost[goal] + self.stub + last.penalty)

    def _walk(self, cost: dict[int, float], before: dict[int, int], cap: int, haste: float) -> int | None:
        """Expand the most promising state until a goal is the most promising."""
        heap, finish_of, moves_of, limit = self.heap, self.finish_of, self.moves, self.limit
        estimates: dict[int, float] = {}
        self.expansions = 0
        while heap and self.expansions < cap:
            promise, estimate, state = heappop(heap)
            spent = cost[state]
            if promise - estimate > spent + EPSILON:
                continue
            if state in finish_of:
                return state
            self.expansions += 1
            vertex = state >> 1
            moves = moves_of.get(vertex)
            if moves is None:
                moves = moves_of[vertex] = self._moves(vertex)
            for following, leg in moves:
                total = spent + (leg + BEND if (following ^ state) & 1 else leg)
                if total >= cost.get(following, inf) - EPSILON:
                    continue
                estimate = estimates.get(following, -1.0)
                if estimate < 0.0:
                    estimate = estimates[following] = self._estimate(following) * haste
                if total + estimate >= limit:
                    continue
                cost[following] = total
                before[following] = state
                heappush(heap, (total + estimate, estimate, following))
        return None

    def _moves(self, vertex: int) -> _Moves:
        """The neighbouring vertices in all four directions with the price of the way there, without the bend of one
        who comes from across; and the turn on the spot that a goal may ask for."""
        xs, ys, blocked_rows, blocked_columns, vertex_rows, vertex_columns = self.graph
        width = self.width
        j, i = divmod(vertex, width)
        found: _Moves = []
        _step_along(found, (xs, i, blocked_rows[j], vertex_rows[j]), self.tolls[0][j], vertex * 2, 2)
        _step_along(found, (ys, j, blocked_columns[i], vertex_columns[i]), self.tolls[1][i], vertex * 2 + 1, 2 * width)
        if vertex * 2 in self.finish_of:
            found.append((vertex * 2, 0.0))
        if vertex * 2 + 1 in self.finish_of:
            found.append((vertex * 2 + 1, 0.0))
        return found

    def _estimate(self, state: int) -> float:
        """A lower bound of the cost still to come: distance, and the bends that no path can avoid."""
        j, i = divmod(state >> 1, self.width)
        bounds = self.bounds[state & 1]
        across, down = bounds[0]
        best = across[i] + down[j]
        for across, down in bounds[1:]:
            other = across[i] + down[j]
            best = min(best, other)
        return best

    def _state(self, point: Point, way: int) -> int:
        i, j = self.graph.place(point)
        return (j * self.width + i) * 2 + way

    def _place(self, state: int) -> Point:
        j, i = divmod(state >> 1, self.width)
        return Point(self.graph.xs[i], self.graph.ys[j])


_Line = tuple[list[float], int, int, int]
"""The coordinates along a line, the place on it, and the bits of what is blocked and of the vertices."""


def _step_along(found: _Moves, line: _Line, toll: list[float], state: int, stride: int) -> None:
    """Add the nearest vertex on each side along a line, where nothing lies between, with the price of the way."""
    places, at, blocked, vertices = line
    here = places[at]
    ahead = vertices >> (at + 1)
    if ahead:
        step = (ahead & -ahead).bit_length()
        if not blocked >> at & ((1 << step) - 1):
            to = at + step
            leg = places[to] - here
            found.append((state + step * stride, leg + toll[to] - toll[at] if toll else leg))
    behind = vertices & ((1 << at) - 1)
    if behind:
        to = behind.bit_length() - 1
        if not blocked >> to & ((1 << (at - to)) - 1):
            leg = here - places[to]
            found.append((state - (at - to) * stride, leg + toll[at] - toll[to] if toll else leg))
