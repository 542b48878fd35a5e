"""Symbols with their label below: a line may leave behind the text, and the edge's label stands clear of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from scenograph.engine.geometry.boxes import Box

Run = Callable[..., Any]

NAMED = Box(-20, 56, 140, 16)


def _column(routed: Run, members: dict[str, Any], far: float = 200) -> Any:
    boxes = {"a": (0, 0, 100, 50), "b": (0, far, 100, 50)}
    return routed(boxes, {"e": ("a", "b", members)}, parts={"a": {"label": NAMED}})


def test_a_line_down_a_column_leaves_behind_the_label_of_its_source(routed: Run) -> None:
    assert _column(routed, {}).points("e") == [(50, 50), (50, 200)]


def test_a_line_without_a_marker_arrives_behind_the_label_of_its_target(routed: Run) -> None:
    boxes = {"a": (0, 200, 100, 50), "b": (0, 0, 100, 50)}
    drawn = routed(boxes, {"e": ("a", "b", {"end_arrow": "none"})}, parts={"b": {"label": NAMED}})
    assert drawn.points("e") == [(50, 200), (50, 50)]


@pytest.mark.parametrize("members", [{"start_arrow": "arrow"}, {"start_arrow": "circle", "end_arrow": "arrow"}])
def test_a_marker_never_stands_in_the_label(routed: Run, members: dict[str, Any]) -> None:
    points = _column(routed, members).points("e")
    assert points[0] != (50, 50)


def test_a_line_goes_round_the_label_when_its_arrowhead_has_no_room_below_it(routed: Run) -> None:
    points = _column(routed, {"end_arrow": "arrow"}, far=84).points("e")
    assert points[0][0] in {0, 100}


def test_the_label_of_an_edge_stands_below_the_label_of_its_source(routed: Run) -> None:
    label = _column(routed, {"label_size": (40, 14)}).label("e")
    assert label.y > NAMED.bottom
    assert abs(label.center.x - 50) <= 1
    assert abs(label.center.y - (NAMED.bottom + 200) / 2) <= 1


def test_a_sideways_target_is_reached_from_the_side_not_through_the_label(routed: Run) -> None:
    boxes = {"a": (0, 0, 100, 50), "b": (300, 200, 100, 50)}
    drawn = routed(boxes, {"e": ("a", "b")}, parts={"a": {"label": NAMED}})
    assert drawn.points("e")[0] == (100, 25)
