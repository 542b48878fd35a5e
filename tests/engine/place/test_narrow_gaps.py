"""Labels below symbols give way to the line down where an arrow has no room under them."""

from __future__ import annotations

from typing import Any

EVENT = {"id": "start", "kind": "node", "nodeType": "workflow.start", "label": "Order received"}
FLOW = {"id": "flow", "kind": "edge", "from": {"elementId": "start"}, "to": {"elementId": "task"}}


def _at(x: float, y: float, **size: float) -> dict[str, Any]:
    return {"mode": "absolute", "x": x, "y": y, **size}


def _event(x: float = 300, y: float = 200) -> dict[str, Any]:
    return {**EVENT, "layout": _at(x, y, width=32, height=32)}


def _task(y: float, x: float = 256) -> dict[str, Any]:
    return {"id": "task", "kind": "node", "label": "Check", "layout": _at(x, y, width=120, height=60)}


def _label(placed: Any, *elements: dict[str, Any]) -> Any:
    return placed(*elements).placement.part("start", "label")


def test_a_label_over_a_narrow_gap_stands_right_of_the_line_and_still_below(placed: Any) -> None:
    label = _label(placed, _event(), _task(262), FLOW)
    assert label.x == 316 + 8
    assert label.y > 232


def test_a_label_with_room_for_an_arrow_under_it_stays_in_the_middle(placed: Any) -> None:
    assert _label(placed, _event(), _task(320), FLOW).center.x == 316


def test_a_label_stays_in_the_middle_without_a_line_down(placed: Any) -> None:
    assert _label(placed, _event(), _task(262)).center.x == 316
    assert _label(placed, _event(), _task(262, x=400), FLOW).center.x == 316


def test_a_label_goes_to_the_left_where_the_right_side_is_taken(placed: Any) -> None:
    neighbour = {"id": "n", "kind": "node", "label": "n", "layout": _at(350, 200, width=80, height=60)}
    assert _label(placed, _event(), _task(262), FLOW, neighbour).right == 316 - 8


def test_a_label_stays_within_the_frame(placed: Any) -> None:
    frame = {"id": "f", "kind": "frame", "children": ["start", "task"], "layout": _at(180, 120, width=210, height=300)}
    assert _label(placed, _event(), _task(262), FLOW, frame).right == 316 - 8
