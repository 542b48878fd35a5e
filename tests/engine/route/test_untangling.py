"""Lines that cross many others look for another way, and know what following them would cost.
(specification: "Edge routing"; decisions: section 9)"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations, pairwise
from typing import Any

import pytest

from scenograph.engine.geometry.boxes import Point
from scenograph.engine.route import untangling
from scenograph.engine.tables import Route

Run = Callable[..., Any]

BOXES = {
    "phone": (70, 237, 70, 85),
    "hub": (440, 309, 180, 68),
    "kit": (384, 190, 113, 60),
    "tasks": (660, 170, 110, 44),
    "logs": (660, 240, 110, 44),
    "queue": (660, 309, 110, 44),
    "images": (670, 423, 100, 44),
    "store": (840, 423, 60, 60),
}
EDGES = {
    "hub-store": ("hub", "store"),
    "phone-kit": ("phone", "kit"),
    "phone-images": ("phone", "images"),
    "phone-store": ("phone", "store"),
    "hub-logs": ("hub", "logs"),
    "hub-queue": ("hub", "queue"),
    "hub-images": ("hub", "images"),
    "tasks-hub": ("tasks", "hub"),
}
FEW = 3  # around the hub's own bundle


def _crossings(routes: dict[str, Route]) -> int:
    stretches = [[*pairwise(route.points)] for route in routes.values()]
    return sum(_cross(*a, *b) for one, other in combinations(stretches, 2) for a in one for b in other)


def _cross(a: Point, b: Point, c: Point, d: Point) -> bool:
    if (a.x == b.x) == (c.x == d.x):
        return False
    upright, level = ((a, b), (c, d)) if a.x == b.x else ((c, d), (a, b))
    xs, ys = sorted(point.x for point in level), sorted(point.y for point in upright)
    return xs[0] < upright[0].x < xs[1] and ys[0] < level[0].y < ys[1]


def test_a_second_search_keeps_off_what_the_first_one_followed(routed: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    few = _crossings(dict(routed(BOXES, EDGES).routes))
    monkeypatch.setattr(untangling, "SEARCHES", 1)
    assert few <= FEW
    assert few < _crossings(dict(routed(BOXES, EDGES).routes)) / 2


def test_no_step_is_taken_where_its_legs_would_lie_on_the_borders_of_the_ends(routed: Run) -> None:
    boxes = {"low": (0, 100, 120, 60), "high": (122, 0, 110, 40)}
    points = routed(boxes, {"line": ("low", "high")})["line"].points
    assert all(abs(a.x - b.x) + abs(a.y - b.y) >= 12.0 for a, b in pairwise(points))
