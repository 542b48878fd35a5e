"""Lines that share a side are straight where they can be. (R-ROUTE-10)"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Run = Callable[..., Any]

PARENT = {"parent": (100, 0, 120, 40)}
CHILDREN = {"left": (14, 120, 130, 40), "right": (176, 120, 130, 40)}
TWO = {"a": ("parent", "left"), "b": ("parent", "right")}


def _is_straight(points: list[tuple[float, float]]) -> bool:
    return len(points) == 2 and points[0][0] == points[1][0]


def test_lines_that_share_a_side_are_straight_where_the_sides_lie_opposite_each_other(routed: Run) -> None:
    drawn = routed(PARENT | CHILDREN, TWO)
    assert drawn.points("a") == [(122, 40), (122, 120)]
    assert drawn.points("b") == [(198, 40), (198, 120)]


def test_lines_that_come_together_on_a_side_are_straight_too(routed: Run) -> None:
    drawn = routed(
        PARENT | {"left": (14, -120, 130, 40), "right": (176, -120, 130, 40)},
        {name: ends[::-1] for name, ends in TWO.items()},
    )
    assert all(_is_straight(drawn.points(name)) for name in TWO)


def test_a_line_alone_on_both_sides_keeps_the_middles(routed: Run) -> None:
    drawn = routed(PARENT | CHILDREN, {"a": ("parent", "left")})
    assert drawn.points("a")[0] == (160, 40)
    assert drawn.points("a")[-1] == (79, 120)


def test_sides_that_have_little_in_common_are_joined_by_a_step(routed: Run) -> None:
    drawn = routed(PARENT | {"left": (-8, 120, 130, 40), "right": (198, 120, 130, 40)}, TWO)
    assert not _is_straight(drawn.points("a"))
    assert not _is_straight(drawn.points("b"))


def test_a_straight_line_keeps_12_px_from_the_corners_of_both_boxes(routed: Run) -> None:
    drawn = routed(PARENT | {"left": (-6, 120, 130, 40), "right": (196, 120, 130, 40)}, TWO)
    assert drawn.points("a") == [(112, 40), (112, 120)]
    assert drawn.points("b") == [(208, 40), (208, 120)]


def test_a_step_stays_where_a_stranger_stands_in_the_straight_way(routed: Run) -> None:
    between = {"left": (14, 220, 130, 40), "right": (176, 220, 130, 40), "stranger": (120, 120, 10, 10)}
    drawn = routed(PARENT | between, TWO)
    assert not _is_straight(drawn.points("a"))
    assert _is_straight(drawn.points("b"))


def test_a_named_side_is_met_in_its_middle(routed: Run) -> None:
    drawn = routed(PARENT | CHILDREN, {"a": (*TWO["a"], {"target": {"port": "top"}}), "b": TWO["b"]})
    assert drawn.points("a")[-1] == (79, 120)
