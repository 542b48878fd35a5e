"""Positions the author gives: kept exactly, the rest placed round them."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest
from tests.builders import at, edge, frame, node

from scenograph.engine.pipeline import lay_out


def beside(target: str, relation: str, **more: Any) -> dict[str, Any]:
    return {"mode": "relative", "target": target, "relation": relation, **more}


def assert_apart(page: Any, *ids: str) -> None:
    assert not [pair for pair in combinations(ids, 2) if page.whole(pair[0]).overlaps(page.whole(pair[1]))]


def test_places_found_beside_given_ones_are_rounded_to_a_hundredth_of_a_px(placed: Any) -> None:
    given = node("a", layout=at(10.1273, 20.3456, 100, 60))
    page = placed(given, node("b", layout=beside("a", "rightOf", gap=10) | {"width": 100, "height": 60}))
    assert page.box("a")[:2] == (10.1273, 20.3456)
    assert page.box("b")[:2] == (120.13, 20.35)


def test_absolute_boxes_are_kept_exactly_even_where_they_overlap(placed: Any) -> None:
    page = placed(
        node("a", layout=at(-30.5, 20.25, 100, 60)),
        node("b", layout=at(0, 40, 100, 60)),
        node("c", layout=at(700, 500)),
    )
    assert page.box("a") == (-30.5, 20.25, 100, 60)
    assert page.box("b") == (0, 40, 100, 60)
    assert (page.box("c").width, page.box("c").height) == (page.sizes["c"].width, page.sizes["c"].height)


def test_a_new_node_is_set_after_the_one_that_points_at_it(placed: Any) -> None:
    page = placed(node("a", layout=at(300, 200, 100, 60)), node("new"), edge("a", "new"))
    assert page.box("new").center.x == pytest.approx(350)
    assert page.box("new").y == pytest.approx(260 + 72)


def test_a_new_node_avoids_what_stands_in_its_way(placed: Any) -> None:
    anchors = {"a": at(300, 200, 100, 60), "b": at(280, 310, 140, 100)}
    page = placed(*(node(one, layout=where) for one, where in anchors.items()), node("new"), edge("a", "new"))
    assert page.box("a") == (300, 200, 100, 60)
    assert page.box("b") == (280, 310, 140, 100)
    assert_apart(page, "a", "b", "new")


def test_unlinked_content_is_laid_out_beside_what_stands(placed: Any) -> None:
    page = placed(
        node("a", layout=at(100, 100, 200, 100)), node("x"), node("y"), edge("x", "y"), frame("f", "z"), node("z")
    )
    assert page.box("a") == (100, 100, 200, 100)
    assert page.box("y").y > page.box("x").bottom
    assert page.box("f").contains(page.box("z"))
    assert_apart(page, "a", "x", "y", "f")


def test_a_child_without_position_goes_inside_its_positioned_frame(placed: Any) -> None:
    page = placed(
        frame("f", "a", "b", "c", layout=at(100, 100, 420, 260)),
        node("a", layout=at(130, 160, 120, 60)),
        node("b"),
        node("c"),
        edge("a", "b"),
    )
    assert page.box("f") == (100, 100, 420, 260)
    assert all(page.box("f").contains(page.box(one)) for one in "abc")
    assert_apart(page, "a", "b", "c")


def test_content_too_large_for_its_frame_overlaps_nothing(placed: Any) -> None:
    page = placed(
        frame("f", "a", "b", "c", layout=at(100, 100, 160, 120)),
        node("a", layout=at(120, 150, 120, 50)),
        node("b"),
        node("c"),
        node("other", layout=at(100, 240, 160, 60)),
    )
    assert page.box("f") == (100, 100, 160, 120)
    assert_apart(page, "a", "b", "c", "other")


@pytest.mark.parametrize(
    ("relation", "check"),
    [
        ("rightOf", lambda a, b: b.x - a.right == pytest.approx(48) and b.center.y == pytest.approx(a.center.y)),
        ("leftOf", lambda a, b: a.x - b.right == pytest.approx(48) and b.center.y == pytest.approx(a.center.y)),
        ("below", lambda a, b: b.y - a.bottom == pytest.approx(48) and b.center.x == pytest.approx(a.center.x)),
        ("above", lambda a, b: a.y - b.bottom == pytest.approx(48) and b.center.x == pytest.approx(a.center.x)),
    ],
)
@pytest.mark.parametrize("where", [{"mode": "auto"}, at(400, 300)])
def test_a_relative_node_stands_beside_its_target(placed: Any, where: Any, relation: str, check: Any) -> None:
    page = placed(node("b", layout=beside("a", relation)), node("a", layout=where), node("c"), edge("a", "c"))
    assert check(page.box("a"), page.box("b"))
    assert_apart(page, "a", "b", "c")


@pytest.mark.parametrize("align", ["start", "center", "end"])
def test_gap_and_alignment_of_a_relative_node_are_kept(placed: Any, align: str) -> None:
    tall = {"width": 100, "height": 200}
    page = placed(node("a", layout=tall), node("b", layout=beside("a", "rightOf", gap=10, align=align)))
    a, b = page.box("a"), page.box("b")
    assert b.x - a.right == pytest.approx(10)
    wanted = {"start": a.y, "center": a.center.y - b.height / 2, "end": a.bottom - b.height}
    assert b.y == pytest.approx(wanted[align])


def test_relative_nodes_form_chains_and_never_lie_on_each_other(placed: Any) -> None:
    page = placed(
        node("c", layout=beside("b", "below")),
        node("b", layout=beside("a", "rightOf")),
        node("a"),
        node("d", layout=beside("a", "rightOf")),
        node("e"),
        edge("a", "e"),
    )
    assert page.box("b").x > page.box("a").right
    assert page.box("c").y > page.box("b").bottom
    assert page.box("d").x > page.box("b").right
    assert_apart(page, "a", "b", "c", "d", "e")


def test_a_relative_node_inside_a_frame_becomes_part_of_its_content(placed: Any) -> None:
    page = placed(frame("f", "a"), node("a"), node("b", layout=beside("f", "inside")), node("c"), edge("a", "c"))
    assert page.box("f").contains(page.box("b"))
    assert_apart(page, "a", "b")


def test_nodes_relative_to_each_other_or_to_nothing_are_placed_all_the_same(placed: Any) -> None:
    page = placed(
        node("a", layout=beside("b", "below")),
        node("b", layout=beside("a", "below")),
        node("c", layout=beside("ghost", "below")),
    )
    assert set(page.placement.boxes) == {"a", "b", "c"}
    assert_apart(page, "a", "b", "c")


def test_a_node_beside_one_inside_a_frame_stays_outside_that_frame(placed: Any) -> None:
    page = placed(frame("f", "a"), node("a"), node("b", layout=beside("a", "rightOf")))
    assert page.box("b").x >= page.box("f").right + 48
    assert page.box("b").center.y == pytest.approx(page.box("a").center.y)


def test_nodes_all_at_the_origin_are_laid_out_automatically(placed: Any) -> None:
    page = placed(node("b", layout=at(0, 0)), node("a", layout=at(0, 0)), edge("b", "a"))
    assert page.box("a").y > page.box("b").bottom
    said = page.said("LAYOUT_ABSOLUTE_AT_ORIGIN")
    assert said.path == "/elements"
    assert said.data == {"affectedElementIds": ["a", "b"], "allAtOrigin": True, "layoutStrategyPresent": False}


def test_one_node_at_the_origin_among_others_stays_pinned_there(placed: Any) -> None:
    strategy = {"algorithm": "grid"}
    page = placed(node("a", layout=at(0, 0)), node("b", layout=at(300, 0)), layoutStrategy=strategy)
    assert page.box("a")[:2] == (0, 0)
    said = page.said("LAYOUT_ABSOLUTE_AT_ORIGIN")
    assert said.data == {"affectedElementIds": ["a"], "allAtOrigin": False, "layoutStrategyPresent": True}
    assert "LAYOUT_STRATEGY_OVERRIDDEN" not in page.codes


def test_a_strategy_with_nothing_to_place_is_remarked(placed: Any) -> None:
    nodes = (node("a", layout=at(10, 0)), node("b", layout=at(300, 0)))
    said = placed(*nodes, layoutStrategy={"algorithm": "flow"}).said("LAYOUT_STRATEGY_OVERRIDDEN")
    assert (said.path, said.data) == ("/layoutStrategy", {"strategyAlgorithm": "flow"})
    assert "LAYOUT_STRATEGY_OVERRIDDEN" not in placed(*nodes).codes
    assert "LAYOUT_STRATEGY_OVERRIDDEN" not in placed(*nodes, node("c"), layoutStrategy={"algorithm": "flow"}).codes


def test_content_that_fits_stands_in_the_middle_of_the_canvas(placed: Any) -> None:
    page = placed(node("a"), node("b"), edge("a", "b"), canvas={"width": 900, "height": 700})
    middle = (page.box("a").y + page.box("b").bottom) / 2
    assert page.box("a").center.x == pytest.approx(450)
    assert middle == pytest.approx(350)


def test_content_that_does_not_fit_begins_at_the_margin(placed: Any) -> None:
    page = placed(*(node(f"n{i}") for i in range(8)), *(edge(f"n{i}", f"n{i + 1}") for i in range(7)),
                  canvas={"width": 120, "height": 300})  # fmt: skip
    assert (page.box("n0").x, page.box("n0").y) == (40, 40)


def test_content_of_a_canvas_without_size_begins_at_the_margin(placed: Any) -> None:
    page = placed(node("a"), node("b"), edge("a", "b"), canvas={})
    assert (page.box("a").x, page.box("a").y) == (40, 40)


def test_placing_a_placed_scene_moves_nothing(placed: Any) -> None:
    elements = [
        frame("f", "a", "b"), node("a"), node("b"), node("c"), edge("a", "b"), edge("b", "c"),
        node("d", layout=beside("c", "rightOf")), {"id": "t", "kind": "text", "content": "A remark"},
    ]  # fmt: skip
    first = placed(*elements)
    for element in elements:
        if element["id"] in first.placement.boxes:
            element["layout"] = at(*first.box(element["id"]))
    assert placed(*elements).placement.boxes == first.placement.boxes


def test_texts_and_images_are_placed_like_nodes_and_guides_have_no_box(placed: Any) -> None:
    pixel = (
        "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk"
        "+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
    )
    page = placed(
        node("a"),
        {"id": "t", "kind": "text", "content": "A remark"},
        {"id": "i", "kind": "image", "href": pixel, "layout": {"width": 80, "height": 60}},
        {"id": "g", "kind": "guide", "orientation": "horizontal", "position": 100},
        {"id": "u", "kind": "text", "content": "Up here", "layout": at(7, 9)},
    )
    assert set(page.placement.boxes) == {"a", "t", "i", "u"}
    assert page.box("u")[:2] == (7, 9)
    assert_apart(page, "a", "t", "i", "u")
    label = page.placement.part("t", "label")
    assert label is not None
    assert page.box("t").contains(label)


def test_an_empty_frame_with_a_corner_but_no_size_has_its_natural_size_there(placed: Any) -> None:
    frame = {"id": "f", "kind": "frame", "children": [], "layout": {"mode": "absolute", "x": 417, "y": 281}}
    empty = placed({"id": "f", "kind": "frame", "children": []})
    page = placed(frame, {"id": "n", "kind": "node", "label": "beside"})
    assert page.box("f") == (417, 281, empty.box("f").width, empty.box("f").height)


def test_a_frame_right_of_its_content_keeps_a_size_that_can_be_drawn(placed: Any) -> None:
    frame = {"id": "f", "kind": "frame", "title": "F", "children": ["n"]}
    frame["layout"] = {"mode": "absolute", "x": 900, "y": 700}
    node = {"id": "n", "kind": "node", "label": "far left", "layout": {"mode": "absolute", "x": 10, "y": 10}}
    page = placed(frame, node)
    assert page.box("f")[:2] == (900, 700)
    assert page.box("f").width > 0
    assert page.box("f").height > 0


def test_a_frame_follows_the_relation_of_its_content_to_what_stands_outside(placed: Any) -> None:
    page = placed(
        {"id": "a", "kind": "node", "label": "a"},
        {"id": "b", "kind": "node", "label": "b", "layout": {"mode": "relative", "target": "a", "relation": "rightOf"}},
        {"id": "f", "kind": "frame", "children": ["a"]},
        {"id": "g", "kind": "frame", "children": ["b"]},
    )
    assert page.box("g").x == page.box("f").right + 48
    assert page.box("b").center.y == page.box("a").center.y


def test_boxes_stand_in_line_with_what_they_are_placed_beside_whatever_their_labels(placed: Any) -> None:
    page = placed(
        {"id": "a", "kind": "node", "label": "a"},
        {"id": "s", "kind": "node", "nodeType": "workflow.start", "label": "The order\ncomes in",
         "layout": {"mode": "relative", "target": "a", "relation": "leftOf"}},
    )  # fmt: skip
    assert page.box("s").center.y == page.box("a").center.y
    assert page.whole("s").right == pytest.approx(page.box("a").x - 48, abs=0.01)


def test_content_that_follows_a_given_place_stops_short_of_another_one(placed: Any) -> None:
    page = placed(
        node("a", layout=at(0, 0, 100, 60)),
        frame("left", "a"),
        node("b", layout=beside("left", "rightOf", gap=20)),
        frame("right", "b"),
        node("inTheWay", layout=at(170, 0, 60, 60)),
    )
    assert_apart(page, "left", "right", "inTheWay")
    assert page.box("right").x > page.box("left").right


def test_what_follows_a_circle_of_containers_stands_beside_it(placed: Any) -> None:
    page = placed(
        node("follower", layout=beside("second", "rightOf")),
        node("a", layout=beside("b", "leftOf")),
        node("b"),
        node("c", layout=beside("first", "below")),
        frame("first", "a"),
        frame("second", "b", "c"),
    )
    assert page.box("follower").x >= page.box("second").right
    assert_apart(page, "follower", "first", "second")


def test_what_is_locked_without_a_place_gives_way_to_a_given_place() -> None:
    scene = {"id": "s", "units": "px", "canvas": {"width": 300, "height": 300}}
    nodes: list[dict[str, Any]] = [{"id": f"n{i}", "kind": "node", "label": "a"} for i in range(6)]
    nodes[4] |= {"locked": True}
    nodes[5] |= {"layout": {"mode": "absolute", "x": 0, "y": 1}}
    document = {"schemaVersion": "0.1", "diagramFamily": "architecture", "scene": scene, "elements": nodes}
    boxes = lay_out(document).scene.placement.boxes
    assert not any(boxes["n5"].overlaps(boxes[f"n{i}"]) for i in range(5))
