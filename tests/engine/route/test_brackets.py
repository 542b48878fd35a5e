"""Where the straight way between two ends in line is barred, two bends beside it are better than a winding line."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

from scenograph.engine.geometry.boxes import Box
from scenograph.engine.geometry.paths import crosses
from scenograph.engine.geometry.spatial_index import bounds_of

Run = Callable[..., Any]
ENDS = {"a": (0, 0, 80, 44), "b": (0, 180, 80, 44)}
TITLE = Box(-14, 137, 100, 14)


def test_a_title_between_two_ends_is_passed_on_one_side(routed: Run) -> None:
    boxes = {**ENDS, "f": (-30, 124, 420, 140), "c": (200, 180, 80, 44)}
    drawn = routed(boxes, {"e": ("a", "b")}, frames={"f": ["b", "c"]}, parts={"f": {"title": TITLE}})
    points = drawn.points("e")
    assert len(points) == 4
    assert points[0][0] == points[-1][0] == 80
    assert not any(crosses(one, other, bounds_of(TITLE)) for one, other in pairwise(drawn["e"].points))


def test_without_anything_between_them_ends_in_line_are_joined_straight(routed: Run) -> None:
    assert len(routed(ENDS, {"e": ("a", "b")}).points("e")) == 2


def test_a_bracket_keeps_clear_of_strangers_too(routed: Run) -> None:
    boxes = {**ENDS, "wall": (-20, 90, 120, 30), "near": (110, 60, 60, 60)}
    drawn = routed(boxes, {"e": ("a", "b", {"router": "orthogonal"})})
    assert drawn.grazed() == []


def test_a_way_back_past_a_box_in_the_row_leaves_and_enters_by_the_same_side(routed: Run) -> None:
    row = {"a": (0, 0, 100, 48), "b": (220, 0, 100, 48), "c": (440, 0, 100, 48)}
    points = routed(row, {"e": ("a", "b"), "f": ("b", "c"), "back": ("c", "a")}).points("back")
    assert len(points) == 4
    assert points[0][1] == points[-1][1] in {0, 48}
