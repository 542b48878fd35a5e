"""Frames and groups round their content, whatever the algorithm."""

from __future__ import annotations

from math import ceil
from typing import Any

import pytest
from tests.builders import at, edge, frame, node

from scenograph.engine.geometry.boxes import Box, Outset
from scenograph.engine.place.containers.frames import room_beside


def group(element_id: str, *children: str, **members: Any) -> dict[str, Any]:
    return {"id": element_id, "kind": "group", "children": list(children), **members}


def test_a_frame_wraps_its_child_with_padding_and_the_height_of_its_title(placed: Any) -> None:
    page = placed(frame("a frame", "child"), node("child", layout={"width": 200, "height": 80}))
    outer, inner, title = page.box("a frame"), page.box("child"), page.sizes["a frame"].label
    assert (inner.x - outer.x, outer.right - inner.right) == pytest.approx((24, 24))
    assert inner.y - outer.y == 24 + ceil(title.height)
    assert outer.bottom - inner.bottom == pytest.approx(24)


def test_a_frame_without_title_has_padding_only(placed: Any) -> None:
    page = placed(frame("f", "child") | {"title": ""}, node("child", layout={"width": 200, "height": 80}))
    assert page.box("child").y - page.box("f").y == pytest.approx(24)
    assert "f" not in page.placement.parts


def test_a_group_wraps_its_children_closely(placed: Any) -> None:
    page = placed(group("g", "a", "b"), node("a"), node("b"), edge("a", "b"))
    a, b, outer = page.box("a"), page.box("b"), page.box("g")
    assert (outer.x, outer.y) == (min(a.x, b.x), a.y)
    assert (outer.right, outer.bottom) == (max(a.right, b.right), b.bottom)


def test_the_label_of_a_group_stands_above_it_and_has_room(placed: Any) -> None:
    page = placed(node("top"), group("g", "a", label="A label"), node("a"), edge("top", "a"))
    title = page.placement.part("g", "title")
    assert title is not None
    assert title.bottom <= page.box("g").y
    assert title.y - page.box("top").bottom >= 48


def test_nested_frames_wrap_each_other(placed: Any) -> None:
    page = placed(frame("outer", "inner", "x"), frame("inner", "y"), node("x"), node("y"), edge("x", "y"))
    assert page.box("outer").contains(page.box("inner"))
    assert page.box("inner").contains(page.box("y"))
    assert not page.box("inner").overlaps(page.box("x"))


def test_a_frame_is_at_least_as_wide_as_its_title_and_an_empty_one_has_a_size(placed: Any) -> None:
    long = "A title that is much longer than the only child"
    page = placed(frame(long, "a"), node("a"), frame("empty"))
    title = page.placement.part(long, "title")
    assert title is not None
    assert page.box(long).contains(title)
    assert page.box("empty").width >= 96
    assert page.box("empty").height >= 48


def test_a_frame_of_a_wanted_size_holds_its_content_in_the_middle(placed: Any) -> None:
    page = placed(frame("f", "a", layout={"mode": "auto", "width": 500, "height": 400}), node("a"))
    box = page.box("f")
    assert (box.width, box.height) == (500, 400)
    assert page.box("a").center.x == pytest.approx(box.center.x)


def test_the_title_of_a_frame_lies_at_its_top_left(placed: Any) -> None:
    page = placed(frame("f", "a"), node("a"))
    title, box = page.placement.part("f", "title"), page.box("f")
    assert title is not None
    assert box.contains(title)
    assert title.bottom < page.box("a").y
    assert title.x - box.x < 24


def test_a_label_stands_in_the_middle_of_its_node(placed: Any) -> None:
    page = placed(node("n", layout={"width": 300, "height": 100}))
    label = page.placement.part("n", "label")
    assert label is not None
    assert (label.center.x, label.center.y) == pytest.approx(tuple(page.box("n").center))


def test_a_label_below_stands_under_the_middle_of_its_node(placed: Any) -> None:
    page = placed(node("n", nodeType="workflow.start", label="Start here"), diagramFamily="workflow")
    label, box = page.placement.part("n", "label"), page.box("n")
    assert label is not None
    assert label.center.x == pytest.approx(box.center.x)
    assert label.y == pytest.approx(box.bottom + 6)
    assert page.whole("n").contains(label)


def test_a_frame_round_positioned_children_wraps_them_where_they_are(placed: Any) -> None:
    page = placed(
        frame("outer", "inner"), frame("inner", "a", "b"),
        node("a", layout=at(300, 200, 100, 50)), node("b", layout=at(500, 300, 100, 50)),
    )  # fmt: skip
    title = ceil(page.sizes["inner"].label.height)
    assert page.box("inner") == pytest.approx((276, 176 - title, 348, 198 + title))
    assert page.box("outer").contains(page.box("inner"))


def test_a_frame_with_a_position_keeps_its_box(placed: Any) -> None:
    page = placed(
        frame("f", "a", "b", "c", layout=at(100, 50, 400, 300)), node("a"), node("b"), node("c"), edge("a", "b")
    )
    assert page.box("f") == (100, 50, 400, 300)
    assert all(page.box("f").contains(page.box(one)) for one in "abc")


def test_a_frame_with_a_corner_but_no_size_wraps_its_content_there(placed: Any) -> None:
    page = placed(frame("f", "a", layout=at(100, 50)), node("a"))
    box = page.box("f")
    assert (box.x, box.y) == (100, 50)
    assert box.right - page.box("a").right == pytest.approx(24)


def test_children_that_another_frame_owns_or_nobody_knows_are_left_to_the_first(placed: Any) -> None:
    page = placed(frame("first", "a", "ghost"), frame("second", "a", "first"), node("a"))
    assert page.box("first").contains(page.box("a"))
    assert page.box("second").contains(page.box("first"))


def test_frames_that_contain_each_other_are_both_placed(placed: Any) -> None:
    page = placed(frame("one", "two"), frame("two", "one", "a"), node("a"))
    assert {"one", "two", "a"} <= set(page.placement.boxes)


@pytest.mark.parametrize(("may_leave", "right"), [(False, 50.0), (True, 0.0)])
def test_content_that_had_left_its_container_needs_room_unless_it_may_leave(right: float, *, may_leave: bool) -> None:
    box, inset = Box(0, 0, 100, 100), Outset(10, 10, 10, 10)
    outside = Box(130, 20, 20, 20)
    assert room_beside(box, inset, outside, outside, may_leave=may_leave) == Outset(right=right)
