"""Ways round what is not the edge's own: clearance, the search, what is said when there is no clear way.
(R-ROUTE-3, R-ROUTE-4)"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest

from scenograph.engine.geometry.boxes import Box

Run = Callable[..., Any]


def clearance(points: list[tuple[float, float]], box: Box) -> float:
    """The distance of a right-angled line from a box."""
    return min(
        max(box.x - max(ax, bx), min(ax, bx) - box.right, box.y - max(ay, by), min(ay, by) - box.bottom, 0.0)
        for (ax, ay), (bx, by) in pairwise(points)
    )


def test_a_node_in_the_way_is_passed_at_sixteen_px(routed: Run) -> None:
    boxes = {"a": (0, 0, 100, 50), "wall": (200, -50, 60, 150), "b": (400, 0, 100, 50)}
    drawn = routed(boxes, {"e": ("a", "b", {"router": "orthogonal"})})
    assert clearance(drawn.points("e"), Box(*boxes["wall"])) == pytest.approx(16)
    assert drawn.grazed() == []


def test_a_step_moves_its_cross_leg_out_of_the_way(routed: Run) -> None:
    boxes = {"a": (0, 0, 100, 50), "wall": (220, 60, 60, 100), "b": (400, 200, 100, 50)}
    points = routed(boxes, {"e": ("a", "b", {"router": "orthogonal"})}).points("e")
    assert clearance(points, Box(*boxes["wall"])) >= 16
    assert len(points) <= 4


def test_a_narrow_passage_is_taken_with_less_clearance_only_where_no_other_way_is(routed: Run) -> None:
    room = {
        "top": (-100, -100, 700, 40),
        "bottom": (-100, 200, 700, 40),
        "west": (-100, -60, 40, 260),
        "east": (560, -60, 40, 260),
        "upper": (250, -60, 40, 110),
        "lower": (250, 75, 40, 125),
    }
    drawn = routed(room | {"a": (0, 40, 100, 50), "b": (400, 40, 100, 50)}, {"e": ("a", "b")})
    assert drawn.grazed() == ["e"]
    assert all(clearance(drawn.points("e"), Box(*room[name])) >= 8 for name in ("upper", "lower"))


def test_a_walled_in_node_is_reached_all_the_same_and_the_remark_names_the_edge(routed: Run) -> None:
    boxes = {"a": (0, 0, 100, 50), "b": (400, 0, 100, 50), "lid": (-40, -40, 180, 130)}
    drawn = routed(boxes, {"e": ("a", "b"), "clear": ("b", "b")})
    (row,) = drawn.report.rows
    assert (row.code, row.path, row.data) == (
        "EDGE_OBSTACLE_GRAZED",
        "/elements",
        {"grazedEdgeIds": ["e"], "clearance": 16},
    )


def test_straight_lines_over_strangers_are_remarked(routed: Run) -> None:
    boxes = {"a": (0, 0, 100, 50), "wall": (200, -50, 60, 150), "b": (400, 0, 100, 50)}
    assert routed(boxes, {"e": ("a", "b", {"router": "straight"})}).grazed() == ["e"]


def test_titles_and_labels_outside_nodes_are_not_run_through(routed: Run) -> None:
    boxes = {"a": (0, 0, 100, 50), "named": (30, 100, 40, 40), "b": (0, 300, 100, 50)}
    label = Box(-20, 146, 140, 16)
    drawn = routed(boxes, {"e": ("a", "b")}, parts={"named": {"label": label}})
    assert clearance(drawn.points("e"), label) > 0


def test_a_far_target_in_a_field_of_nodes_is_reached_without_touching_any(routed: Run) -> None:
    field = {f"n{i}_{j}": (i * 140 + (j % 2) * 70, j * 90, 90, 40) for i in range(12) for j in range(12)}
    drawn = routed(field, {"e": ("n0_0", "n11_11", {"router": "orthogonal"})})
    ends = {"n0_0", "n11_11"}
    assert min(clearance(drawn.points("e"), Box(*box)) for name, box in field.items() if name not in ends) >= 16


# Two walls leave a slit of 22 px: too narrow for 16 px on both sides, so a right-angled path goes all the way round.
SLIT = {
    "a": (0, 0, 60, 40),
    "upper": (150, -400, 20, 370),
    "lower": (150, -8, 20, 400),
    "b": (260, 0, 60, 40),
}


class TestCurveFallback:
    """Rule R-ROUTE-5."""

    def test_a_long_way_round_two_corners_stays_at_right_angles(self, routed: Run) -> None:
        boxes = {"a": (180, 100, 100, 50), "b": (220, 320, 60, 60), "c": (160, 260, 100, 50)}
        lines = {
            "up": ("b", "c", {"label_size": (40, 16)}),
            "back": ("b", "a"),
            "round": ("a", "b", {"label_size": (80, 16)}),
            "on": ("a", "b"),
        }
        drawn = routed(boxes, lines)
        points = drawn.points("round")
        way = sum(abs(x - u) + abs(y - v) for (x, y), (u, v) in pairwise(points))
        direct = abs(points[0][0] - points[-1][0]) + abs(points[0][1] - points[-1][1])
        assert (len(points) - 2, way > 1.5 * direct) == (2, True)
        assert drawn["round"].router == "orthogonal"

    def test_a_long_way_round_becomes_one_curve(self, routed: Run) -> None:
        drawn = routed(SLIT, {"e": ("a", "b")})["e"]
        assert drawn.router == "curved"
        start, control, end = drawn.points
        middle = ((30 + 290) / 2, 20)
        assert control == (middle[0], middle[1] - 0.3 * 260)
        assert start.x < control.x < end.x

    def test_an_author_who_pins_the_router_keeps_the_detour(self, routed: Run) -> None:
        drawn = routed(SLIT, {"e": ("a", "b", {"router": "orthogonal"})})["e"]
        assert drawn.router == "orthogonal"
        assert len(drawn.points) >= 6

    @pytest.mark.parametrize("turned", [False, True])
    def test_sides_that_face_away_from_each_other_are_joined_round_both_boxes(self, routed: Run, turned: bool) -> None:
        boxes = {"a": (0, 0, 96, 72), "b": (200, 0, 96, 72)} if turned else {"a": (0, 0, 96, 72), "b": (0, 200, 96, 72)}
        far, near = ("left", "right") if turned else ("top", "bottom")
        drawn = routed(boxes, {"e": ("b", "a", {"source": {"port": near}, "target": {"port": far}})})
        assert drawn["e"].router == "orthogonal"
        for box in drawn.boxes.values():
            assert not any(
                box.x < (ax + bx) / 2 < box.right and box.y < (ay + by) / 2 < box.bottom
                for (ax, ay), (bx, by) in pairwise(drawn.points("e"))
            )

    @pytest.mark.parametrize(("above", "far"), [(30, 260), (60, 260), (100, 260), (260, 260)])
    def test_a_curve_takes_four_corners_and_one_and_a_half_times_the_way(
        self, routed: Run, above: int, far: int
    ) -> None:
        """The wall of the slit ends so far above the boxes; the way over it is the longer, the higher it is."""
        middle = (far + 60) / 2 - 10
        boxes = SLIT | {
            "upper": (middle, -above, 20, above - 30),
            "lower": (middle, -8, 20, 400),
            "b": (far, 0, 60, 40),
        }
        pinned = routed(boxes, {"e": ("a", "b", {"router": "orthogonal"})}).points("e")
        (x, y), (end_x, end_y) = pinned[0], pinned[-1]
        way = sum(abs(bx - ax) + abs(by - ay) for (ax, ay), (bx, by) in pairwise(pinned))
        is_long = way >= 1.5 * (abs(end_x - x) + abs(end_y - y)) and len(pinned) >= 6
        assert (routed(boxes, {"e": ("a", "b")})["e"].router == "curved") is is_long

    def test_four_corners_of_less_than_one_and_a_half_times_the_way_stay(self, routed: Run) -> None:
        """Lids on both boxes leave no bracket of two corners over the wall; a curve would be free."""
        lids = {"lid of a": (-10, -50, 80, 30), "lid of b": (690, -50, 80, 30)}
        boxes = {"a": (0, 0, 60, 40), "wall": (370, -50, 20, 450), "b": (700, 0, 60, 40)} | lids
        drawn = routed(boxes, {"e": ("a", "b")})["e"]
        assert (drawn.router, len(drawn.points)) == ("orthogonal", 6)

    def test_no_curve_runs_through_what_the_detour_went_round(self, routed: Run) -> None:
        closed = SLIT | {"upper": (150, -400, 20, 392)}
        assert routed(closed, {"e": ("a", "b")})["e"].router == "orthogonal"


def test_what_a_frame_holds_but_stands_outside_of_it_is_passed_like_a_stranger(routed: Run) -> None:
    boxes = {
        "lane": (0, 300, 400, 100),
        "held": (20, 320, 60, 40),
        "out": (150, 140, 100, 60),
        "far": (100, 0, 300, 50),
    }
    result = routed(boxes, {"line": ("lane", "far", {"router": "orthogonal"})}, frames={"lane": ["held", "out"]})
    assert clearance(result.points("line"), result.boxes["out"]) >= 16.0
    assert not result.grazed()


def test_of_two_gaps_in_a_wall_a_line_takes_the_farther_one_with_8_px_on_both_sides(routed: Run) -> None:
    walls = {"left": (-3000, 200, 3000, 40), "middle": (12, 200, 200, 40), "right": (232, 200, 3000, 40)}
    points = routed({"a": (-44, 0, 100, 50), "b": (-44, 400, 100, 50), **walls}, {"e": ("a", "b")}).points("e")
    assert 220 <= max(x for x, _ in points) <= 224
