"""Labels below symbols step to a side by which no line leaves."""

from __future__ import annotations

from typing import Any

EVENT = {"id": "start", "kind": "node", "nodeType": "workflow.start", "label": "Order received"}
USER = {**EVENT, "nodeType": "user"}
FLOW = {"id": "flow", "kind": "edge", "from": {"elementId": "start"}, "to": {"elementId": "task"}}


def _at(x: float, y: float, **size: float) -> dict[str, Any]:
    return {"mode": "absolute", "x": x, "y": y, **size}


def _event(kind: dict[str, Any] = EVENT, x: float = 300, y: float = 200) -> dict[str, Any]:
    return {**kind, "layout": _at(x, y, width=32, height=32)}


def _task(y: float, x: float = 256, name: str = "task") -> dict[str, Any]:
    return {"id": name, "kind": "node", "label": "Check", "layout": _at(x, y, width=120, height=60)}


def _flow(name: str, source: str = "start") -> dict[str, Any]:
    other = "start" if source != "start" else name
    return {"id": f"flow-{name}", "kind": "edge", "from": {"elementId": source}, "to": {"elementId": other}}


def _label(placed: Any, *elements: dict[str, Any]) -> Any:
    return placed(*elements).placement.part("start", "label")


def test_a_label_stays_below_where_no_line_leaves_downwards(placed: Any) -> None:
    below = _label(placed, _event(), _task(262))
    assert (below.center.x, below.y) == (316, 238)
    assert _label(placed, _event(), _task(186, x=460), FLOW) == below
    assert _label(placed, _event(), _task(262, x=460), FLOW) == below


def test_a_label_stands_above_its_symbol_where_the_line_leaves_downwards(placed: Any) -> None:
    label = _label(placed, _event(), _task(320), FLOW)
    assert (label.center.x, label.bottom) == (316, 194)


def test_a_label_stands_right_of_its_symbol_where_lines_leave_above_and_below(placed: Any) -> None:
    label = _label(placed, _event(), _task(320), FLOW, _task(60, name="before"), _flow("before", "before"))
    assert (label.x, label.center.y) == (338, 216)


def test_a_label_stands_left_of_its_symbol_where_a_line_leaves_to_the_right(placed: Any) -> None:
    column = (_task(320), FLOW, _task(60, name="before"), _flow("before", "before"))
    label = _label(placed, _event(), *column, _task(186, x=460, name="aside"), _flow("aside"))
    assert (label.right, label.center.y) == (294, 216)


def test_a_second_line_to_one_hand_is_expected_below(placed: Any) -> None:
    label = _label(placed, _event(), _task(186, x=460), FLOW, _task(320, x=460, name="lower"), _flow("lower"))
    assert (label.center.x, label.bottom) == (316, 194)


def test_a_label_stands_below_beside_the_line_where_every_side_is_taken(placed: Any) -> None:
    around = [_task(60, name="a"), _task(320, name="b"), _task(186, x=460, name="c"), _task(186, x=60, name="d")]
    label = _label(placed, _event(), *around, *(_flow(one["id"]) for one in around))
    assert (label.x, label.y) == (316 + 12, 238)


def test_a_label_steps_on_no_neighbour_and_none_of_its_labels(placed: Any) -> None:
    wall = {"id": "wall", "kind": "node", "label": "n", "layout": _at(280, 150, width=72, height=40)}
    assert _label(placed, _event(), _task(320), FLOW, wall).x == 338
    other = {**EVENT, "id": "other", "layout": _at(300, 140, width=32, height=32)}
    assert _label(placed, _event(), _task(320), FLOW, other).x == 338


def test_a_label_stays_within_the_frame(placed: Any) -> None:
    frame = {"id": "f", "kind": "frame", "children": ["start", "task"], "layout": _at(180, 180, width=280, height=300)}
    assert _label(placed, _event(), _task(320), FLOW, frame).right == 338 + (_label(placed, _event()).width)


def test_a_figure_keeps_its_label_below_but_beside_the_line_over_a_narrow_gap(placed: Any) -> None:
    assert _label(placed, _event(USER), _task(320), FLOW).center.x == 316
    label = _label(placed, _event(USER), _task(262), FLOW)
    assert (label.x, label.y) == (316 + 12, 238)
    neighbour = {"id": "n", "kind": "node", "label": "n", "layout": _at(350, 200, width=80, height=60)}
    assert _label(placed, _event(USER), _task(262), FLOW, neighbour).right == 316 - 12


def test_a_line_back_may_leave_above_or_below(placed: Any) -> None:
    before, back = _task(186, x=60, name="before"), _task(20, x=-160, name="back")
    label = _label(placed, _event(), before, _flow("before", "before"), _task(186, x=460), FLOW, back, _flow("back"))
    assert (label.x, label.y) == (316 + 12, 238)


def test_of_two_lines_in_one_column_one_is_expected_at_a_side(placed: Any) -> None:
    lower = [_task(320, name="a"), _task(480, name="b")]
    label = _label(placed, _event(), *lower, _flow("a"), _flow("b"), _task(60, name="c"), _flow("c", "c"))
    assert (label.x, label.y) == (316 + 12, 238)


def test_a_label_above_the_first_symbol_stands_within_the_margin_of_the_page(placed: Any) -> None:
    task = {"id": "task", "kind": "node", "nodeType": "workflow.task", "label": "Check"}
    found = placed(EVENT, task, FLOW, layoutStrategy={"algorithm": "hierarchical", "direction": "TB"})
    label = found.placement.part("start", "label")
    assert label.bottom < found.placement.boxes["start"].y
    assert label.y >= 40


def test_names_beside_each_other_keep_a_gap(placed: Any) -> None:
    text = {
        "id": "t",
        "kind": "node",
        "nodeType": "user",
        "label": "Somebody",
        "layout": _at(300, 140, width=32, height=32),
    }
    above = _label(placed, _event(), _task(320), FLOW)
    assert _label(placed, _event(), _task(320), FLOW, text) != above


def test_a_label_stands_above_beside_the_line_where_no_side_is_free_and_nothing_below(placed: Any) -> None:
    column = (_task(320), FLOW, _task(60, name="before"), _flow("before", "before"))
    row = [_task(186, x=x, name=name) for x, name in ((460, "right"), (60, "left"))]
    walls = [_task(240, x=x, name=name) for x, name in ((325, "east"), (190, "west"))]
    label = _label(placed, _event(), *column, *row, _flow("right"), _flow("left"), *walls)
    assert (label.x, label.bottom) == (328, 194)


def test_a_label_takes_the_place_that_another_leaves(placed: Any) -> None:
    other = {**_event(x=160), "id": "other"}
    down = {"id": "down", "kind": "edge", "from": {"elementId": "other"}, "to": {"elementId": "below"}}
    row = [_task(186, x=460, name="right"), _flow("right"), _flow("other", "other")]
    walls = [_task(240, x=325, name="wall"), _task(120, name="roof")]
    label = _label(placed, _event(), _task(320), FLOW, *row, *walls, other, _task(320, x=116, name="below"), down)
    assert (label.right, label.y) == (304, 238)
