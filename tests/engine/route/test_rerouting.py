"""Lines that cross many others look for another way, and know what following them would cost.
(R-ROUTE-11)"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations, pairwise
from typing import Any

import pytest

from scenograph.engine.geometry.boxes import Point
from scenograph.engine.route.courses import rerouting
from scenograph.engine.tables import Route

Run = Callable[..., Any]

BOXES = {
    "top": (200, 0, 100, 60),
    "hub": (200, 140, 100, 60),
    "west": (0, 140, 100, 60),
    "east": (600, 140, 100, 60),
    "low": (0, 280, 100, 60),
}
EDGES = {
    "a": ("top", "hub"),
    "b": ("west", "east"),
    "c": ("west", "east"),
    "d": ("hub", "west"),
    "e": ("east", "top"),
    "f": ("hub", "top"),
    "g": ("low", "top"),
}


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
    assert _crossings(dict(routed(BOXES, EDGES).routes)) == 0
    monkeypatch.setattr(rerouting, "SEARCHES", 1)
    assert _crossings(dict(routed(BOXES, EDGES).routes)) > 0


def test_no_step_is_taken_where_its_legs_would_lie_on_the_borders_of_the_ends(routed: Run) -> None:
    boxes = {"low": (0, 100, 120, 60), "high": (122, 0, 110, 40)}
    points = routed(boxes, {"line": ("low", "high")})["line"].points
    assert all(abs(a.x - b.x) + abs(a.y - b.y) >= 12.0 for a, b in pairwise(points))
