"""Pointed shapes and small circles: each line has a vertex of its own while one is free, and none ends on a slope."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from scenograph.engine.geometry.boxes import Box
from scenograph.scene.model import LayoutStrategy

Run = Callable[..., Any]

GATE = (100, 100, 40, 40)
TOP, RIGHT, BOTTOM, LEFT = (120, 100), (140, 120), (120, 140), (100, 120)


def _gate(routed: Run, boxes: dict[str, tuple[float, float, float, float]], edges: dict[str, tuple[Any, ...]]) -> Any:
    return routed({"gate": GATE, **boxes}, edges, shapes={"gate": "diamond"})


def test_three_branches_leave_by_three_vertices(routed: Run) -> None:
    boxes = {"up": (300, 0, 80, 40), "on": (300, 100, 80, 40), "down": (300, 200, 80, 40)}
    drawn = _gate(routed, boxes, {name: ("gate", name) for name in boxes})
    assert [drawn.points(name)[0] for name in boxes] == [TOP, RIGHT, BOTTOM]


def test_of_two_branches_to_lower_rows_the_farther_one_leaves_below(routed: Run) -> None:
    boxes = {"near": (250, 200, 80, 40), "far": (250, 320, 80, 40)}
    drawn = _gate(routed, boxes, {"near": ("gate", "near"), "far": ("gate", "far")})
    assert drawn.points("far")[0] == BOTTOM
    assert drawn.points("near")[0] == RIGHT


def test_what_comes_does_not_stand_where_something_leaves(routed: Run) -> None:
    boxes = {"before": (220, 0, 80, 40), "after": (220, 200, 80, 40)}
    edges = {"in": ("before", "gate"), "out": ("gate", "after")}
    drawn = _gate(routed, boxes, edges)
    assert drawn.points("in")[-1] != drawn.points("out")[0]
    assert {drawn.points("in")[-1], drawn.points("out")[0]} <= {TOP, RIGHT, BOTTOM, LEFT}


def test_lines_that_must_share_a_vertex_meet_in_its_point(routed: Run) -> None:
    boxes = {f"n{i}": (300, i * 60, 80, 40) for i in range(6)}
    drawn = _gate(routed, boxes, {name: (name, "gate", {"end_arrow": "arrow"}) for name in boxes})
    assert {drawn.points(name)[-1] for name in boxes} <= {TOP, RIGHT, BOTTOM, LEFT}


def test_a_port_is_kept_though_another_vertex_is_free(routed: Run) -> None:
    boxes = {"a": (300, 40, 80, 40), "b": (300, 160, 80, 40)}
    edges = {name: ("gate", name, {"source": {"port": "right"}}) for name in boxes}
    drawn = _gate(routed, boxes, edges)
    assert all(drawn.points(name)[0] == RIGHT for name in boxes)


def test_a_vertex_on_the_other_side_is_no_better_than_a_fork(routed: Run) -> None:
    boxes = {"on": (300, 100, 80, 40), "beyond": (600, 100, 80, 40), "wall": (-40, -200, 900, 270)}
    edges = {"on": ("gate", "on"), "beyond": ("gate", "beyond")}
    drawn = _gate(routed, boxes, edges)
    assert drawn.points("on") == [RIGHT, (300, 120)]


def test_a_way_back_takes_another_vertex_and_the_way_there_stays_straight(routed: Run) -> None:
    boxes = {"form": (-60, 90, 80, 60)}
    edges = {"there": ("form", "gate", {"end_arrow": "arrow"}), "back": ("gate", "form", {"end_arrow": "arrow"})}
    drawn = _gate(routed, boxes, edges)
    assert drawn.points("there") == [(20, 120), LEFT]
    assert drawn.points("back")[0] in {TOP, BOTTOM}


def test_a_line_that_comes_to_a_small_circle_takes_a_side_by_which_none_leaves(routed: Run) -> None:
    boxes = {"next": (300, 100, 80, 40), "below": (300, 300, 80, 40)}
    edges = {"out": ("gate", "next"), "message": ("below", "gate")}
    small = routed({"gate": GATE, **boxes}, edges, shapes={"gate": "ellipse"})
    assert (small.points("out")[0], small.points("message")[-1]) == (RIGHT, BOTTOM)


def test_the_straight_line_stays_where_two_share_a_vertex_and_the_other_goes_round(routed: Run) -> None:
    boxes = {"before": (-120, 100, 80, 40), "back": (-320, 0, 80, 40)}
    drawn = _gate(routed, boxes, {"in": ("before", "gate"), "out": ("gate", "back")})
    assert drawn.points("in") == [(-40, 120), LEFT]
    assert drawn.points("out")[0] in {TOP, BOTTOM}


def test_no_line_comes_to_another_vertex_by_a_leg_without_room_for_its_arrowhead(routed: Run) -> None:
    boxes = {
        "pack": (40, 100, 100, 60),
        "before": (240, 105, 50, 50),
        "gate": (400, 112, 36, 36),
        "ship": (560, 100, 100, 60),
        "up": (368, -60, 100, 60),
    }
    ends = {
        "a": ("pack", "before"),
        "b": ("before", "gate"),
        "c": ("gate", "ship"),
        "d": ("gate", "pack"),
        "e": ("up", "gate"),
    }
    edges = {name: (*both, {"end_arrow": "triangle"}) for name, both in ends.items()}
    label = Box(370, 154, 96, 17)
    drawn = routed(boxes, edges, shapes={"gate": "ellipse", "before": "diamond"}, parts={"gate": {"label": label}})
    first, last = drawn.points("b")[-2:]
    assert abs(first[0] - last[0]) + abs(first[1] - last[1]) >= 10


def test_a_line_that_takes_a_vertex_of_its_own_makes_no_fork_at_its_other_end(routed: Run) -> None:
    boxes = {
        "before": (-153, 95, 192, 60),
        "gate": (100, 100, 50, 50),
        "back": (-336, 405, 200, 60),
        "next": (198, 410, 50, 50),
        "high": (352, 317, 116, 76),
        "low": (271, 484, 128, 60),
    }
    edges = {
        "in": ("before", "gate"),
        "no": ("gate", "back"),
        "yes": ("gate", "next", {"label": "Yes", "label_size": (22, 16)}),
        "high": ("next", "high"),
        "low": ("next", "low"),
    }
    diamonds, name = {"gate": "diamond", "next": "diamond"}, {"gate": {"label": Box(137, 156, 94, 32)}}
    flow = LayoutStrategy(algorithm="flow", direction="LR")
    drawn = routed(boxes, edges, shapes=diamonds, strategy=flow, parts=name)
    assert drawn.points("yes")[-1] == (223, 410)
    assert drawn.points("high")[0] == (248, 435)


def test_two_heads_at_one_vertex_meet_in_it_and_a_line_without_a_head_leaves_beside(routed: Run) -> None:
    boxes = {"ask": (0, 0, 100, 80), "a": (-20, -200, 60, 40), "b": (60, -200, 60, 40), "c": (160, -200, 60, 40)}
    top = {"port": "top"}
    edges = {name: (name, "ask", {"end_arrow": "triangle", "target": top}) for name in "ab"}
    drawn = routed(boxes, {**edges, "out": ("ask", "c", {"source": top})}, shapes={"ask": "diamond"})
    assert [drawn.points(name)[-1] for name in "ab"] == [(50, 0), (50, 0)]
    assert 62 <= drawn.points("out")[0][0] <= 66


def test_a_loop_of_a_decision_leads_from_vertex_to_vertex_and_joins_the_line_that_comes(routed: Run) -> None:
    boxes = {"before": (80, -60, 80, 40), "after": (80, 220, 80, 40)}
    arrow = {"end_arrow": "triangle"}
    edges = {"in": ("before", "gate", arrow), "again": ("gate", "gate", arrow), "out": ("gate", "after", arrow)}
    drawn = _gate(routed, boxes, edges)
    assert [drawn.points("again")[0], drawn.points("again")[-1]] == [RIGHT, TOP]
    assert drawn.points("in") == [(120, -20), TOP]
    assert drawn.points("out") == [BOTTOM, (120, 220)]
