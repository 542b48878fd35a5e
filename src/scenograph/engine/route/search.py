"""The search for an orthogonal path through a visibility graph.

A* over the visibility graph: cost is length plus 20 px a bend plus the choice of sides; the estimate is the manhattan
distance plus the bends that direction and place still force, so it never overestimates. At most 5,000 expansions.
Specification: "Edge routing", 3.
"""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heappop, heappush
from math import inf
from typing import NamedTuple

from scenograph.engine.geometry.boxes import Point
from scenograph.engine.geometry.spatial_index import Bounds
from scenograph.engine.route.anchors import Anchor
from scenograph.engine.route.simple import BEND_PENALTY, Path
from scenograph.engine.route.tidy import straightened
from scenograph.engine.route.visibility import VisibilityGraph, visibility_graph

MAX_EXPANSIONS = 5000
EXACT_EXPANSIONS = 4000  # what is left of the cap goes to a hasty search that runs at the goal
HASTE = 2.0
SCENE_EXPANSIONS = 1_000_000  # for all edges of a scene; beyond it only simple paths are tried
EPSILON = 1e-9
SIDEWAYS, UPRIGHT = 0, 1  # the way a path moves at a vertex


class _Goal(NamedTuple):
    x: float
    y: float
    way: int
    cost: float  # from the stub's end to the anchor, with the penalty of its side


class Ground(NamedTuple):
    """Where a search may go: a region, its grown obstacles, and the straight run every end keeps."""

    region: Bounds
    obstacles: Sequence[Bounds]
    stub: float


class Budget:
    """The expansions that are left for a whole scene: a count, so that the same scene always gets the same routes."""

    __slots__ = ("left",)

    def __init__(self, left: int = SCENE_EXPANSIONS) -> None:
        self.left = left


def search(starts: Sequence[Anchor], finishes: Sequence[Anchor], ground: Ground, budget: Budget) -> Path | None:
    """The cheapest path that crosses no obstacle; when that takes too long, a good one; None when none is found."""
    ends = [_stub_end(anchor, ground.stub) for anchor in (*starts, *finishes)]
    graph = visibility_graph(ground.region, ground.obstacles, ends)
    for haste, cap in ((1.0, EXACT_EXPANSIONS), (HASTE, MAX_EXPANSIONS - EXACT_EXPANSIONS)):
        hunt = _Hunt(graph, finishes, ground.stub, haste)
        found = hunt.run(starts, min(cap, budget.left))
        budget.left -= hunt.expansions
        if found is not None:
            first, last, places, cost = found
            corners = [Point(first.x, first.y), *places, Point(last.x, last.y)]
            return Path(straightened(corners), first, last, cost)
        if not hunt.heap:
            return None
    return None


def open_anchors(anchors: Sequence[Anchor], obstacles: Sequence[Bounds], stub: float) -> list[Anchor]:
    """Those whose straight run meets no obstacle."""
    return [anchor for anchor in anchors if _is_open(anchor, obstacles, stub)]


def _stub_end(anchor: Anchor, stub: float) -> Point:
    return Point(anchor.x + anchor.dx * stub, anchor.y + anchor.dy * stub)


def _is_open(anchor: Anchor, obstacles: Sequence[Bounds], stub: float) -> bool:
    x, y = _stub_end(anchor, stub)
    left, right = (anchor.x, x) if anchor.x <= x else (x, anchor.x)
    top, bottom = (anchor.y, y) if anchor.y <= y else (y, anchor.y)
    return not any(left < box[2] and right > box[0] and top < box[3] and bottom > box[1] for box in obstacles)


class _Hunt:
    """One run of the search. A state is a vertex and the way the path moves there: `(j * width + i) * 2 + way`."""

    def __init__(self, graph: VisibilityGraph, finishes: Sequence[Anchor], stub: float, haste: float) -> None:
        self.graph = graph
        self.stub = stub
        self.haste = haste
        self.expansions = 0
        self.width = len(graph.xs)
        self.finish_of: dict[int, Anchor] = {}
        self.goals: list[_Goal] = []
        for anchor in finishes:
            point = _stub_end(anchor, stub)
            way = SIDEWAYS if anchor.dx else UPRIGHT
            self.goals.append(_Goal(point.x, point.y, way, stub + anchor.penalty))
            self.finish_of.setdefault(self._state(point, way), anchor)
        states = self.width * len(graph.ys) * 2
        self.cost = [inf] * states
        self.estimates = [-1.0] * states
        self.came_from = [-1] * states
        self.heap: list[tuple[float, float, int]] = []

    def run(self, starts: Sequence[Anchor], cap: int) -> tuple[Anchor, Anchor, list[Point], float] | None:
        """Start and finish anchor, the corners between them, and the cost."""
        start_of: dict[int, Anchor] = {}
        for anchor in starts:
            state = self._state(_stub_end(anchor, self.stub), SIDEWAYS if anchor.dx else UPRIGHT)
            if self._reach(state, self.stub + anchor.penalty):
                start_of[state] = anchor
        goal = self._walk(cap)
        if goal is None:
            return None
        trail = [goal]
        while self.came_from[trail[-1]] >= 0:
            trail.append(self.came_from[trail[-1]])
        trail.reverse()
        finish = self.finish_of[goal]
        total = self.cost[goal] + self.stub + finish.penalty
        return start_of[trail[0]], finish, [self._place(state) for state in trail], total

    def _walk(self, cap: int) -> int | None:
        """Expand the most promising state until a goal is the most promising."""
        heap, cost, estimates, came_from = self.heap, self.cost, self.estimates, self.came_from
        finish_of, moves = self.finish_of, self._moves
        while heap and self.expansions < cap:
            promise, _, state = heappop(heap)
            spent = cost[state]
            if promise > spent + estimates[state] + EPSILON:
                continue
            if state in finish_of:
                return state
            self.expansions += 1
            for following, leg in moves(state):
                total = spent + leg
                if total >= cost[following] - EPSILON:
                    continue
                cost[following] = total
                came_from[following] = state
                estimate = estimates[following]
                if estimate < 0.0:
                    estimate = estimates[following] = self._estimate(following)
                heappush(heap, (total + estimate, estimate, following))
        return None

    def _moves(self, state: int) -> list[tuple[int, float]]:
        """The neighbouring vertices in all four directions, and the turn on the spot that a goal may ask for."""
        xs, ys, blocked_rows, blocked_columns, vertex_rows, vertex_columns = self.graph
        way = state & 1
        j, i = divmod(state >> 1, self.width)
        sideways, upright = (0.0, BEND_PENALTY) if way == SIDEWAYS else (BEND_PENALTY, 0.0)
        base = j * self.width
        found: list[tuple[int, float]] = []
        for k in _neighbours(blocked_rows[j], vertex_rows[j], i):
            found.append(((base + k) * 2, abs(xs[k] - xs[i]) + sideways))
        for k in _neighbours(blocked_columns[i], vertex_columns[i], j):
            found.append(((k * self.width + i) * 2 + 1, abs(ys[k] - ys[j]) + upright))
        if state ^ 1 in self.finish_of:
            found.append((state ^ 1, BEND_PENALTY))
        return found

    def _estimate(self, state: int) -> float:
        """A lower bound of the cost still to come: distance, and the bends that no path can avoid."""
        x, y = self._place(state)
        best = inf
        for goal_x, goal_y, goal_way, goal_cost in self.goals:
            dx, dy = abs(x - goal_x), abs(y - goal_y)
            bound = dx + dy + goal_cost
            if goal_way != state & 1:
                bound += BEND_PENALTY
            elif (dy if goal_way == SIDEWAYS else dx) > 0.0:
                bound += 2 * BEND_PENALTY
            best = min(best, bound)
        return best * self.haste

    def _reach(self, state: int, total: float) -> bool:
        if total >= self.cost[state]:
            return False
        self.cost[state] = total
        estimate = self.estimates[state] = self._estimate(state)
        heappush(self.heap, (total + estimate, estimate, state))
        return True

    def _state(self, point: Point, way: int) -> int:
        i, j = self.graph.place(point)
        return (j * self.width + i) * 2 + way

    def _place(self, state: int) -> Point:
        j, i = divmod(state >> 1, self.width)
        return Point(self.graph.xs[i], self.graph.ys[j])


def _neighbours(blocked: int, vertices: int, at: int) -> list[int]:
    """The nearest vertex on each side along a line, where nothing lies between."""
    found: list[int] = []
    ahead = vertices >> (at + 1)
    if ahead:
        step = (ahead & -ahead).bit_length()
        if not blocked >> at & ((1 << step) - 1):
            found.append(at + step)
    behind = vertices & ((1 << at) - 1)
    if behind:
        place = behind.bit_length() - 1
        if not blocked >> place & ((1 << (at - place)) - 1):
            found.append(place)
    return found
