"""The four routers, and the one that was really used. (R-ROUTE-1)"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from math import dist, hypot
from typing import Any

import pytest

from scenograph.engine.geometry.boxes import Box, Point
from scenograph.engine.geometry.paths import distance
from scenograph.engine.geometry.spatial_index import Bounds
from scenograph.engine.route.courses.routers import ROUTERS
from scenograph.scene.model import Waypoint
from scenograph.scene.vocabulary import ROUTERS as ROUTER_NAMES

Run = Callable[..., Any]
APART = {"a": (0, 0, 100, 50), "b": (300, 200, 100, 50)}


def test_every_router_of_the_vocabulary_has_its_row() -> None:
    assert sorted(ROUTERS) == sorted(ROUTER_NAMES)


def test_nothing_authored_is_orthogonal(routed: Run) -> None:
    assert routed(APART, {"e": ("a", "b")})["e"].router == "orthogonal"


def test_straight_runs_between_the_centres(routed: Run) -> None:
    drawn = routed(APART, {"e": ("a", "b", {"router": "straight"})})
    (ax, ay), (bx, by) = drawn.points("e")
    assert (ay - 25) / (ax - 50) == pytest.approx(200 / 300)
    assert (by - 225) / (bx - 350) == pytest.approx(200 / 300)
    assert drawn["e"].router == "straight"


def test_curved_stands_off_to_the_same_hand_whichever_way_it_runs(routed: Run) -> None:
    for source, target, side in (("a", "b", 1), ("b", "a", -1)):
        drawn = routed(APART, {"e": (source, target, {"router": "curved"})})
        (_, _), (cx, cy), (_, _) = drawn.points("e")
        offset = ((cx - 200) * 200 - (cy - 125) * 300) / hypot(300, 200)
        assert offset * side == pytest.approx(0.3 * hypot(300, 200))


def test_a_curve_bends_the_other_way_round_a_stranger(routed: Run) -> None:
    boxes = {"a": (0, 0, 100, 50), "b": (400, 0, 100, 50), "stranger": (200, -60, 100, 60)}
    drawn = routed(boxes, {"e": ("a", "b", {"router": "curved"})})
    assert drawn.points("e")[1][1] > 25
    assert drawn["e"].router == "curved"


def test_polyline_passes_its_waypoints(routed: Run) -> None:
    way = (Waypoint(150, 300), Waypoint(250, -40))
    drawn = routed(APART, {"e": ("a", "b", {"router": "polyline", "waypoints": way})})
    assert drawn.points("e")[1:-1] == [(150, 300), (250, -40)]
    assert drawn["e"].router == "polyline"


def test_polyline_without_waypoints_is_one_line(routed: Run) -> None:
    assert len(routed(APART, {"e": ("a", "b", {"router": "polyline"})}).points("e")) == 2


def test_polyline_without_waypoints_goes_round_what_stands_in_its_way_at_any_angle(routed: Run) -> None:
    boxes = {
        "a": (0, 0, 100, 60),
        "b": (700, 40, 100, 60),
        "wall": (250, -200, 80, 300),
        "gate": (450, 20, 80, 300),
    }
    drawn = routed(boxes, {"e": ("a", "b", {"router": "polyline"})})
    points = [Point(*point) for point in drawn.points("e")]
    assert drawn["e"].router == "polyline"
    assert len(points) > 2
    assert any(a.x != b.x and a.y != b.y for a, b in pairwise(points)), "not held to right angles"
    for left, top, width, height in (boxes["wall"], boxes["gate"]):
        box = Bounds(left, top, left + width, top + height)
        assert min(distance(a, b, box) for a, b in pairwise(points)) >= 15.9
    straight_on = dist(points[0], points[-1])
    assert sum(dist(a, b) for a, b in pairwise(points)) < 1.5 * straight_on


def test_polyline_that_finds_no_way_is_the_direct_line(routed: Run) -> None:
    closed = {
        "a": (0, 0, 40, 40),
        "north": (-100, -100, 240, 40),
        "south": (-100, 100, 240, 40),
        "west": (-100, -100, 40, 240),
        "east": (100, -100, 40, 240),
        "b": (300, 0, 40, 40),
    }
    assert len(routed(closed, {"e": ("a", "b", {"router": "polyline"})}).points("e")) == 2


def test_an_end_without_a_place_gives_no_route(routed: Run) -> None:
    assert list(routed(APART, {"e": ("a", "b"), "lost": ("a", "nowhere")}).routes) == ["e"]


@pytest.mark.parametrize("router", [*ROUTER_NAMES])
def test_a_loop_is_drawn_whatever_the_router(routed: Run, router: str) -> None:
    assert len(routed(APART, {"e": ("a", "a", {"router": router})}).points("e")) >= 3


def test_parallel_straight_lines_to_a_row_stay_at_the_row(routed: Run) -> None:
    boxes = {"a": (0, 0, 100, 100), "b": (400, 200, 100, 100)}
    row = {"b": {"column:id": Box(400, 240, 100, 24)}}
    edge = ("a", "b", {"router": "straight", "target": {"column": "id"}, "label_size": (60, 14)})
    drawn = routed(boxes, {"e": edge, "f": edge, "g": edge}, parts=row)
    assert all(240 < drawn.points(name)[-1][1] < 264 for name in "efg")


def test_a_curve_bends_farther_where_that_alone_clears_what_stands_between(routed: Run) -> None:
    boxes = {"a": (0, 0, 100, 50), "b": (400, 0, 100, 50), "between": (230, -50, 40, 150)}
    drawn = routed(boxes, {"e": ("a", "b", {"router": "curved"})})
    assert abs(drawn.points("e")[1][1] - 25) == pytest.approx(0.45 * 400)
