"""The four routers, and the one that was really used. (specification: Edge routing)"""

from __future__ import annotations

from collections.abc import Callable
from math import hypot
from typing import Any

import pytest

from scenograph.engine.geometry.boxes import Box
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
