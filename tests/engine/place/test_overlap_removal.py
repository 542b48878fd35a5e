"""What constraints move takes room: frames fit, lanes grow, neighbours give way. (R-CON-5, R-CON-6)"""

from __future__ import annotations

from typing import Any

import pytest
from tests.builders import edge, frame, node


def _wish(kind: str, *elements: str, **parameters: Any) -> dict[str, Any]:
    return {"id": kind, "type": kind, "elements": list(elements), **parameters}


SERVICES = (
    *(node(key) for key in ("gate", "orders", "billing", "catalog", "db")),
    *(edge("gate", key) for key in ("orders", "billing", "catalog")),
    edge("orders", "db"),
    frame("core", "orders", "billing", "catalog"),
    frame("stores", "db"),
)
COLUMN = (_wish("stack", "orders", "billing", "catalog", axis="y", gap=24),)
ALIGNED = (*COLUMN, _wish("align", "orders", "billing", "catalog", axis="x"))


def test_a_frame_is_drawn_round_content_that_was_moved_and_what_stands_below_gives_way(placed: Any) -> None:
    before, after = placed(*SERVICES), placed(*SERVICES, constraints=list(ALIGNED))
    assert "CONSTRAINT_UNSATISFIED" not in after.codes
    core = after.box("core")
    assert core.width < before.box("core").width
    assert (core.x, core.right) == (after.box("orders").x - 24, after.box("orders").right + 24)
    assert after.box("stores").y >= core.bottom + 24
    assert after.box("stores").contains(after.box("db"))


@pytest.mark.parametrize("direction", ["TB", "BT", "LR", "RL"])
def test_no_two_overlap_after_a_constraint_in_any_direction(placed: Any, direction: str) -> None:
    page = placed(*SERVICES, constraints=list(ALIGNED), layoutStrategy={"direction": direction})
    tops = [page.box(key) for key in ("gate", "core", "stores")]
    assert not any(one.overlaps(other) for one in tops for other in tops if one != other)


def test_a_neighbour_in_the_same_row_gives_way_to_what_was_moved_onto_it(placed: Any) -> None:
    row = (*(node(key) for key in "pabc"), *(edge("p", key) for key in "abc"))
    page = placed(*row, constraints=[_wish("align", "p", "a", axis="x")])
    assert page.box("a").center.x == page.box("p").center.x
    assert page.box("a").right + 24 <= page.box("b").x
    assert page.box("b").right + 24 <= page.box("c").x
    assert page.box("a").y == page.box("b").y == page.box("c").y


def test_what_its_author_placed_gives_way_to_nothing(placed: Any) -> None:
    fixed = node("fixed", layout={"mode": "absolute", "x": 300, "y": 100})
    first = node("first", layout={"mode": "absolute", "x": 300, "y": 400})
    moved = node("moved", layout={"mode": "absolute", "x": 20, "y": 100})
    page = placed(fixed, first, moved, constraints=[_wish("align", "first", "moved", axis="x")])
    assert (page.box("fixed").x, page.box("fixed").y) == (300, 100)


def test_equal_sizes_leave_the_usual_room_between_ranks(placed: Any) -> None:
    big = node("big", layout={"height": 200})
    page = placed(big, node("next"), edge("big", "next"), constraints=[_wish("sameSize", "big", "next")])
    assert page.box("next").height == 200
    assert page.box("next").y - page.box("big").bottom >= 48


LANES = (
    *(node(key, nodeType="workflow.task") for key in "abcd"),
    edge("a", "b"),
    edge("b", "c"),
    edge("c", "d"),
    frame("l1", "a", "b", containerType="lane"),
    frame("l2", "c", "d", containerType="lane"),
)


@pytest.mark.parametrize("way", ["horizontal", "vertical"])
def test_a_lane_grows_with_its_content_and_pushes_the_next_one_on(placed: Any, way: str) -> None:
    axis = "y" if way == "horizontal" else "x"
    pool = frame("p", "l1", "l2", containerType="pool", laneDirection=way)
    page = placed(*LANES, pool, constraints=[_wish("minGap", "b", "a", axis=axis, gap=150)])
    assert "CONSTRAINT_UNSATISFIED" not in page.codes
    first, second, pool_box = page.box("l1"), page.box("l2"), page.box("p")
    assert all(first.contains(page.box(key).grown(20)) for key in "ab")
    assert all(second.contains(page.box(key).grown(20)) for key in "cd")
    if way == "horizontal":
        assert (first.bottom, second.bottom, first.x - 24) == (second.y, pool_box.bottom, pool_box.x)
        assert (first.x, first.width) == (second.x, second.width)
    else:
        assert (first.right, second.right, first.y - 24) == (second.x, pool_box.right, pool_box.y)
        assert (first.y, first.height) == (second.y, second.height)


def test_nothing_leaves_its_lane_or_a_frame_of_given_size(placed: Any) -> None:
    pool = frame("p", "l1", "l2", containerType="pool")
    page = placed(*LANES, pool, constraints=[_wish("align", "a", "d", axis="y")])
    assert page.said("CONSTRAINT_UNSATISFIED").path == "/constraints/0"
    assert page.box("l2").contains(page.box("d"))


def test_what_is_placed_relative_to_an_element_follows_it(placed: Any) -> None:
    note = node("note", layout={"mode": "relative", "target": "b", "relation": "rightOf", "gap": 20})
    page = placed(*(node(key) for key in "ab"), note, constraints=[_wish("stack", "a", "b", axis="y", gap=200)])
    assert page.box("note").x == page.box("b").right + 20
    assert page.box("note").center.y == pytest.approx(page.box("b").center.y, abs=1)


def test_a_label_is_never_squeezed_out_of_its_box(placed: Any) -> None:
    small = node("s", layout={"width": 30, "height": 20})
    page = placed(small, node("a label of many words"), constraints=[_wish("sameSize", "s", "a label of many words")])
    assert page.box("a label of many words").width >= page.sizes["a label of many words"].width
    assert page.said("CONSTRAINT_UNSATISFIED").data["type"] == "sameSize"


def test_of_a_thousand_constraints_only_the_one_that_contradicts_is_left_out(placed: Any) -> None:
    nodes = [node(f"n{i}", layout={"mode": "absolute", "x": 7 * i % 900, "y": 60 * i}) for i in range(1001)]
    wishes = [{"id": f"w{i}", "type": "align", "elements": ["n0", f"n{i}"], "axis": "x"} for i in range(1, 1001)]
    wishes[500] = {"id": "odd", "type": "minGap", "elements": ["n0", "n1"], "axis": "x", "gap": 40}
    page = placed(*nodes, constraints=wishes)
    said = [row.path for row in page.diagnostics if row.code == "CONSTRAINT_UNSATISFIED"]
    assert said == ["/constraints/500"]
