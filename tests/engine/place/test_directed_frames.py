"""Frames whose content flows in a direction of its own, or stands in a grid. (R-PLACE-17, R-PLACE-22)"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from tests.builders import edge, node

from scenograph.engine.pipeline import lay_out
from scenograph.scene.edits.operations import apply_operations


def frame(element_id: str, direction: str | None, *children: str) -> dict[str, Any]:
    said = {"extensions": {"direction": direction}} if direction else {}
    return {"id": element_id, "kind": "frame", "title": element_id, "children": list(children), **said}


def chain(*names: str) -> list[dict[str, Any]]:
    return [*map(node, names), *(edge(*pair) for pair in pairwise(names))]


LR = {"algorithm": "hierarchical", "direction": "LR"}


@pytest.mark.parametrize("direction", ["TB", "BT"])
def test_a_frame_flows_in_its_own_direction_and_what_is_round_it_in_the_other(placed: Any, direction: str) -> None:
    parts = *chain("a", "b", "c"), *chain("x", "y"), edge("x", "f"), edge("f", "z"), node("z")
    page = placed(*parts, frame("f", direction, "a", "b", "c"), layoutStrategy=LR)
    a, b, c, f = map(page.box, "abcf")
    assert a.center.x == b.center.x == c.center.x
    levels = [a.y, b.y, c.y]
    assert levels == sorted(levels, reverse=direction == "BT")
    assert page.box("x").right < f.x
    assert f.right < page.box("z").x
    assert all(f.contains(box) for box in (a, b, c))


def test_lines_across_its_border_leave_it_its_direction(placed: Any) -> None:
    parts = *chain("a", "b", "c"), node("x"), node("z"), edge("x", "a"), edge("b", "z")
    page = placed(*parts, frame("f", "TB", "a", "b", "c"), layoutStrategy=LR)
    assert page.box("a").center.x == page.box("b").center.x == page.box("c").center.x
    assert page.box("x").right < page.box("f").x < page.box("f").right < page.box("z").x


def test_frames_in_such_a_frame_follow_it_or_turn_again(placed: Any) -> None:
    parts = *chain("a", "b"), *chain("c", "d"), edge("in", "on")
    frames = frame("out", "TB", "in", "on"), frame("in", "RL", "a", "b"), frame("on", None, "c", "d")
    page = placed(*parts, *frames, layoutStrategy=LR)
    assert page.box("b").right < page.box("a").x
    assert page.box("c").bottom < page.box("d").y
    assert page.box("in").bottom < page.box("on").y
    assert page.box("out").contains(page.box("in"))


def test_a_place_relative_to_something_outside_leaves_the_direction_around(placed: Any) -> None:
    beside = node("n", layout={"mode": "relative", "target": "b", "relation": "below"})
    page = placed(*chain("a", "b"), beside, frame("f", "TB", "a", "b"), layoutStrategy=LR)
    assert page.box("a").right < page.box("b").x


def test_another_direction_of_a_frame_lays_the_scene_out_anew() -> None:
    scene = {"id": "s", "units": "px", "canvas": {}}
    document = {
        "schemaVersion": "0.1",
        "diagramFamily": "workflow",
        "scene": scene,
        "elements": [node("a"), frame("f", None, "a")],
    }
    turned = {"op": "updateFrame", "id": "f", "extensions": {"direction": "TB"}}
    assert apply_operations(document, [turned]).relayout.every
    made = {"op": "createFrame", "id": "g", "extensions": {"direction": "TB"}}
    assert not apply_operations(document, [made]).relayout.every


def gridded(element_id: str, columns: int, *children: str) -> dict[str, Any]:
    return {**frame(element_id, None, *children), "extensions": {"gridColumns": columns}}


def rows_of(page: Any, *names: str) -> list[list[str]]:
    """The names by rows from top to bottom, each from left to right."""
    rows: dict[float, list[str]] = {}
    for name in sorted(names, key=lambda one: page.box(one).center.x):
        rows.setdefault(page.box(name).center.y, []).append(name)
    return [rows[y] for y in sorted(rows)]


@pytest.mark.parametrize("algorithm", ["hierarchical", "grid", "forceDirected"])
def test_a_frame_with_columns_holds_its_content_in_rows_under_any_algorithm(placed: Any, algorithm: str) -> None:
    parts = *map(node, "abcde"), node("z"), edge("e", "a"), edge("z", "b")
    page = placed(*parts, gridded("f", 2, *"abcde"), layoutStrategy={"algorithm": algorithm})
    assert rows_of(page, *"abcde") == [["a", "b"], ["c", "d"], ["e"]]
    assert all(page.box("f").contains(page.box(name)) for name in "abcde")
    assert not page.box("f").overlaps(page.box("z"))


def test_frames_in_a_grid_are_cells_with_the_layout_round_it_or_grids_again(placed: Any) -> None:
    parts = *chain("a", "b"), *map(node, "cdef")
    frames = gridded("out", 2, "on", "in", "e", "f"), frame("on", None, "a", "b"), gridded("in", 2, "c", "d")
    page = placed(*parts, *frames, layoutStrategy={"algorithm": "hierarchical", "direction": "LR"})
    assert rows_of(page, "on", "in", "e", "f") == [["on", "in"], ["e", "f"]]
    assert page.box("a").right < page.box("b").x
    assert rows_of(page, "c", "d") == [["c", "d"]]


def test_deleting_from_a_grid_moves_nothing() -> None:
    def document(*names: str) -> dict[str, Any]:
        scene = {"id": "s", "units": "px", "canvas": {}}
        rows = [*map(node, names), gridded("f", 2, *names)]
        return {"schemaVersion": "0.1", "diagramFamily": "architecture", "scene": scene, "elements": rows}

    first = lay_out(document(*"abcd")).scene.placement.boxes
    sketch = {"bounds": {one: box._asdict() for one, box in first.items()}}
    after = lay_out(document(*"acd"), sketch=sketch).scene.placement.boxes
    assert after == {one: box for one, box in first.items() if one != "b"}
