"""Borders of frames and lanes: lines cross them and do not follow them, labels stand off them."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

Run = Callable[..., Any]


def _beside(points: list[tuple[float, float]], x: float) -> list[float]:
    """How far the upright runs of a line lie from a border."""
    return [abs(a[0] - x) for a, b in pairwise(points) if a[0] == b[0] and abs(a[1] - b[1]) > 20]


def test_a_line_does_not_follow_the_border_of_a_lane(routed: Run) -> None:
    boxes = {
        "pool": (0, 0, 600, 400),
        "left": (0, 0, 300, 400),
        "right": (300, 0, 300, 400),
        "a": (180, 40, 60, 40),
        "b": (362, 300, 60, 40),
    }
    frames = {"pool": ["left", "right"], "left": ["a"], "right": ["b"]}
    types = {"pool": "pool", "left": "lane", "right": "lane"}
    edge = {"source": {"port": "right"}, "target": {"port": "left"}}
    drawn = routed(boxes, {"e": ("a", "b", edge)}, frames=frames, frame_types=types)
    assert min(_beside(drawn.points("e"), 300)) >= 10


def test_a_label_stands_off_the_border_of_a_lane_when_its_line_has_room_elsewhere(routed: Run) -> None:
    boxes = {
        "pool": (0, 0, 800, 200),
        "left": (0, 0, 400, 200),
        "right": (400, 0, 400, 200),
        "a": (50, 80, 60, 40),
        "b": (690, 80, 60, 40),
    }
    frames = {"pool": ["left", "right"], "left": ["a"], "right": ["b"]}
    types = {"pool": "pool", "left": "lane", "right": "lane"}
    drawn = routed(boxes, {"e": ("a", "b", {"label_size": (80, 14)})}, frames=frames, frame_types=types)
    label = drawn.label("e")
    assert label.right < 400 - 2 or label.x > 400 + 2
    assert label.center.y == 100


def test_an_end_leaves_the_middle_of_its_side_no_farther_than_a_border_wants(routed: Run) -> None:
    boxes = {"f": (0, 0, 300, 100), "a": (40, 40, 60, 40), "b": (700, 62, 80, 80), "wall": (160, 20, 60, 50)}
    drawn = routed(boxes, {"e": ("a", "b")}, frames={"f": ["a", "wall"]})
    assert abs(drawn.points("e")[-1][1] - 102) <= 16


def test_a_line_keeps_16_px_from_a_border_that_it_runs_along_where_there_is_room(routed: Run) -> None:
    boxes = {"f": (0, 0, 500, 400), "a": (30, 40, 100, 40), "b": (220, 300, 100, 40), "wall": (60, 160, 240, 60)}
    edge = {"source": {"port": "bottom"}, "target": {"port": "left"}}
    drawn = routed(boxes, {"e": ("a", "b", edge)}, frames={"f": ["a", "b", "wall"]})
    beside = _beside(drawn.points("e"), 0)
    assert min(beside) >= 16


def test_a_line_with_less_room_beside_a_border_stays_on_its_side_of_it(routed: Run) -> None:
    boxes = {"f": (0, 0, 300, 400), "a": (24, 40, 100, 40), "b": (160, 320, 100, 40), "wall": (24, 150, 252, 60)}
    drawn = routed(boxes, {"e": ("a", "b")}, frames={"f": ["a", "b", "wall"]})
    assert _beside(drawn.points("e"), 0) == [74, 8]


def test_a_line_that_crosses_a_border_runs_beside_it_on_the_side_where_there_is_room(routed: Run) -> None:
    boxes = {"f": (0, 0, 400, 240), "a": (24, 40, 100, 40), "wall": (148, 160, 228, 56), "b": (260, 340, 100, 40)}
    drawn = routed(boxes, {"e": ("a", "b")}, frames={"f": ["a", "wall"]})
    levels = {a[1] for a, b in pairwise(drawn.points("e")) if a[1] == b[1]}
    assert min(levels) >= 240 + 16


def test_a_line_that_enters_a_frame_keeps_outside_while_it_would_have_to_follow_the_border(routed: Run) -> None:
    boxes = {"f": (0, 100, 400, 700), "wall": (24, 140, 352, 400), "a": (150, 0, 100, 50), "b": (150, 640, 100, 50)}
    drawn = routed(boxes, {"e": ("a", "b")}, frames={"f": ["wall", "b"]})
    assert {-16, 416} & {x for x, _ in drawn.points("e")}
    assert len(drawn.points("e")) <= 6


def test_a_line_leaves_the_frame_of_both_ends_where_there_is_no_way_inside(routed: Run) -> None:
    boxes = {"f": (0, 100, 600, 200), "a": (40, 160, 80, 60), "b": (480, 160, 80, 60), "wall": (240, 101, 80, 198)}
    drawn = routed(boxes, {"e": ("a", "b")}, frames={"f": ["a", "b", "wall"]})
    assert any(not 100 <= y <= 300 for _, y in drawn.points("e"))


def test_a_line_inside_a_frame_crosses_what_comes_in_rather_than_leave_it(routed: Run) -> None:
    outer = {f"o{i}": (190.0 + 60 * i, 60, 40, 20) for i in range(4)}
    inner = {f"i{i}": (190.0 + 60 * i, 322, 40, 20) for i in range(4)}
    boxes = {"f": (0, 150, 600, 200), "a": (40, 200, 80, 40), "b": (480, 200, 80, 40), **outer, **inner}
    edges = {"e": ("a", "b"), **{f"v{i}": (f"o{i}", f"i{i}") for i in range(4)}}
    drawn = routed(boxes, edges, frames={"f": ["a", "b", *inner]})
    assert drawn.points("e") == [(120, 220), (480, 220)]
