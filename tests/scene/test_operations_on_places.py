"""Operations that move and resize."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from tests.scene.editing import Json, Make, absolute, refused, result

from scenograph.scene.edits.operations import apply_operations


def test_an_absolute_element_moves_by_a_delta_or_to_a_place(document: Make) -> None:
    scene = document({"id": "a", "kind": "node", "layout": absolute(0.1, 5, width=40)})
    assert result(scene, {"op": "moveElement", "id": "a", "delta": {"dx": 0.2, "dy": -3}})["a"]["layout"] == absolute(
        0.3, 2, width=40
    )
    assert result(scene, {"op": "moveElement", "id": "a", "x": 7})["a"]["layout"] == absolute(7, 5, width=40)


def test_an_element_placed_by_the_engine_becomes_absolute_at_its_computed_place(shop: Json) -> None:
    after = result(shop, {"op": "moveElement", "id": "web", "delta": {"dx": 5}})
    assert after["web"]["layout"] == absolute(15, 20)
    assert "layout" not in after["api"]


def test_an_element_moved_to_a_place_needs_no_computed_one(document: Make) -> None:
    scene = document({"id": "new", "kind": "node", "layout": {"mode": "auto", "width": 50}})
    after = result(scene, {"op": "moveElement", "id": "new", "x": 1, "y": 2})
    assert after["new"]["layout"] == absolute(1, 2, width=50)


def test_a_frame_takes_its_content_and_the_waypoints_inside_along(shop: Json) -> None:
    shop["elements"][5]["waypoints"] = [{"x": 260, "y": 190}]
    shop["elements"][4]["waypoints"] = [{"x": 150, "y": 100}]
    after = result(shop, {"op": "moveElement", "id": "back", "delta": {"dx": 100, "dy": 10}})
    assert after["back"]["layout"] == absolute(286, 82)
    assert after["api"]["layout"] == absolute(310, 130)
    assert after["db"]["layout"] == absolute(310, 230)
    assert after["reads"]["waypoints"] == [{"x": 360, "y": 200}]
    assert after["calls"]["waypoints"] == [{"x": 150, "y": 100}]
    assert "layout" not in after["web"]


def test_what_stands_relative_to_something_that_moves_along_stays_relative(document: Make) -> None:
    beside = {"mode": "relative", "target": "api", "relation": "below"}
    scene = document(
        {"id": "api", "kind": "node"},
        {"id": "db", "kind": "node", "layout": beside},
        {"id": "back", "kind": "frame", "children": ["db", "api"]},
    )
    after = result(scene, {"op": "moveElement", "id": "back", "x": 0, "y": 0})
    assert after["db"]["layout"] == beside
    assert after["api"]["layout"] == absolute(24, 48)
    alone = result(scene, {"op": "moveElement", "id": "db", "delta": {"dy": 1}})
    assert alone["db"]["layout"] == absolute(210, 221)


def test_guides_and_edges_with_waypoints_move(document: Make) -> None:
    scene = document(
        {"id": "g", "kind": "guide", "position": 10},
        {"id": "v", "kind": "guide", "orientation": "vertical", "position": 10},
        {"id": "a", "kind": "node"},
        {"id": "b", "kind": "node"},
        {
            "id": "e",
            "kind": "edge",
            "from": {"elementId": "a"},
            "to": {"elementId": "b"},
            "waypoints": [{"x": 1, "y": 1}],
        },
    )
    delta = {"dx": 3, "dy": 4}
    after = result(scene, *({"op": "moveElement", "id": name, "delta": delta} for name in "gve"))
    assert (after["g"]["position"], after["v"]["position"]) == (14, 13)
    assert after["e"]["waypoints"] == [{"x": 4, "y": 5}]


def test_an_element_of_the_same_batch_is_laid_out_when_it_is_to_be_moved_by_a_delta(document: Make) -> None:
    asked: list[list[str]] = []

    def compute(scene: Json) -> Mapping[str, Mapping[str, float]]:
        names = [element["id"] for element in scene["elements"]]
        asked.append(names)
        return {name: {"x": 10.0 * len(names), "y": 0, "width": 1, "height": 1} for name in names}

    scene = document({"id": "a", "kind": "node"})
    ops = [{"op": "createNode", "id": "b"}, {"op": "moveElement", "id": "b", "delta": {"dx": 1}}]
    ops += [{"op": "moveElement", "id": "a", "delta": {"dx": 1}}] * 2
    batch = apply_operations(scene, ops, computed_bounds=compute)
    assert asked == [["a"], ["a", "b"]]
    layouts = [element["layout"]["x"] for element in batch.document["elements"]]
    assert layouts == [12, 21]


@pytest.mark.parametrize(
    ("op", "code", "path"),
    [
        ({"op": "moveElement", "id": "web"}, "MISSING_FIELD", "/ops/0/delta"),
        ({"op": "moveElement", "id": "web", "x": 1, "delta": {"dx": 1}}, "INVALID_VALUE", "/ops/0/delta"),
        ({"op": "moveElement", "id": "calls", "delta": {"dx": 1}}, "OP_WRONG_KIND", "/ops/0/id"),
        ({"op": "moveElement", "id": "web", "delta": {"dx": 1e6}}, "OUT_OF_RANGE", "/ops/0/delta"),
        ({"op": "moveElement", "id": "web", "x": "1"}, "INVALID_TYPE", "/ops/0/x"),
        ({"op": "resizeElement", "id": "calls", "size": {"width": 1}}, "OP_WRONG_KIND", "/ops/0/id"),
        ({"op": "resizeElement", "id": "web", "size": {}}, "MISSING_FIELD", "/ops/0/size/width"),
        ({"op": "resizeElement", "id": "web", "size": {"width": -1}}, "OUT_OF_RANGE", "/ops/0/size/width"),
    ],
)
def test_move_and_resize_refuse_what_cannot_be(shop: Json, op: Json, code: str, path: str) -> None:
    assert refused(shop, op) == [(code, path)]


def test_an_element_without_a_computed_place_cannot_move_by_a_delta(document: Make) -> None:
    scene = document({"id": "ghost", "kind": "node", "visible": False})
    assert refused(scene, {"op": "moveElement", "id": "ghost", "delta": {"dx": 1}}) == [("OP_NOT_PLACED", "/ops/0/id")]


@pytest.mark.parametrize(
    ("anchor", "x", "y"),
    [(None, 100, 100), ("left", 100, 90), ("top", 80, 100), ("right", 60, 90), ("bottom", 80, 80), ("center", 80, 90)],
)
def test_resize_keeps_its_anchor_in_place(document: Make, anchor: str | None, x: float, y: float) -> None:
    scene = document({"id": "a", "kind": "node", "layout": absolute(100, 100, width=40, height=20)})
    op = {"op": "resizeElement", "id": "a", "size": {"width": 80, "height": 40}} | (
        {"anchor": anchor} if anchor else {}
    )
    assert result(scene, op)["a"]["layout"] == absolute(x, y, width=80, height=40)


def test_resize_measures_an_absolute_element_without_a_size_by_its_computed_box(document: Make) -> None:
    scene = document({"id": "web", "kind": "node", "layout": absolute(0, 20)})
    op = {"op": "resizeElement", "id": "web", "size": {"width": 140}, "anchor": "right"}
    assert result(scene, op)["web"]["layout"] == absolute(-40, 20, width=140)


def test_resize_without_an_anchor_leaves_placing_to_the_engine(shop: Json) -> None:
    after = result(shop, {"op": "resizeElement", "id": "web", "size": {"width": 50}})
    assert after["web"]["layout"] == {"mode": "auto", "width": 50}


@pytest.mark.parametrize(
    "layout",
    [
        None,
        {"mode": "auto", "width": 9, "height": 9},
        {"mode": "relative", "target": "b", "relation": "below", "gap": 5},
    ],
)
@pytest.mark.parametrize(
    ("anchor", "x", "y"),
    [("left", 10, 15), ("top", -10, 20), ("right", -30, 15), ("bottom", -10, 10), ("center", -10, 15)],
)
def test_an_anchor_holds_what_the_engine_placed(
    document: Make, layout: Json | None, anchor: str, x: float, y: float
) -> None:
    a: Json = {"id": "a", "kind": "node"} | ({"layout": layout} if layout else {})
    op = {"op": "resizeElement", "id": "a", "size": {"width": 80, "height": 40}, "anchor": anchor}
    boxes = {"a": {"x": 10.0, "y": 20.0, "width": 40.0, "height": 30.0}}
    batch = apply_operations(document(a, {"id": "b", "kind": "node"}), [op], "allOrNothing", lambda _: boxes)
    assert batch.document["elements"][0]["layout"] == absolute(x, y, width=80, height=40)


def test_an_anchor_asks_for_a_known_place(document: Make) -> None:
    scene = document({"id": "ghost", "kind": "node", "visible": False})
    op = {"op": "resizeElement", "id": "ghost", "size": {"width": 5}, "anchor": "left"}
    assert refused(scene, op) == [("OP_NOT_PLACED", "/ops/0/id")]


@pytest.mark.parametrize(
    "op",
    [
        {"op": "moveElement", "id": "web", "delta": {"dx": 12, "dy": 0}},
        {"op": "updateElement", "id": "web", "layout": {"mode": "absolute", "x": 22, "y": 20}},
    ],
)
def test_a_first_place_leaves_what_was_written_at_the_origin_where_it_was_drawn(shop: Json, op: Json) -> None:
    """Places that all say 0, 0 count as not given (R-PLACE-10); `api` was drawn elsewhere, and nothing moves it."""
    for element in shop["elements"]:
        if element["kind"] == "node":
            element["layout"] = absolute(0, 0, width=80)
    after = result(shop, op)
    assert (after["web"]["layout"]["x"], after["web"]["layout"]["y"]) == (pytest.approx(22, abs=0.01), 20)
    assert after["api"]["layout"] == {"width": 80}


def test_a_node_that_stands_at_the_origin_keeps_its_place(document: Make) -> None:
    there = {"id": "there", "kind": "node", "layout": absolute(0, 0)}
    other = {"id": "other", "kind": "node", "layout": absolute(0, 0)}
    boxes = {key: {"x": 0, "y": 0, "width": 10, "height": 10} for key in ("there", "other")}
    ops = [{"op": "moveElement", "id": "other", "delta": {"dx": 30}}]
    batch = apply_operations(document(there, other), ops, computed_bounds=lambda _document: boxes)
    assert [one["layout"] for one in batch.document["elements"]] == [absolute(0, 0), absolute(30, 0)]


def test_a_place_at_the_origin_given_in_the_same_batch_counts(document: Make) -> None:
    given = [{"id": name, "kind": "node", "layout": absolute(300, y)} for name, y in (("a", 0), ("b", 200))]
    ops = [{"op": "moveElement", "id": "a", "x": 0, "y": 0}, {"op": "moveElement", "id": "a", "delta": {"dx": 10}}]
    boxes = {one["id"]: {"x": 300, "y": one["layout"]["y"], "width": 10, "height": 10} for one in given}
    batch = apply_operations(document(*given), ops, computed_bounds=lambda _document: boxes)
    assert batch.document["elements"][0]["layout"] == absolute(10, 0)


def test_a_node_put_at_the_origin_stays_there_although_others_were_written_there(document: Make) -> None:
    nodes = [{"id": name, "kind": "node", "layout": absolute(0, 0)} for name in "abc"]
    boxes = {name: {"x": x, "y": 20, "width": 40, "height": 30} for name, x in (("a", 10), ("b", 90), ("c", 170))}
    ops = [{"op": "moveElement", "id": "a", "x": 0, "y": 0}, {"op": "moveElement", "id": "b", "x": 50, "y": 60}]
    batch = apply_operations(document(*nodes), ops, computed_bounds=lambda _document: boxes)
    assert [one.get("layout") for one in batch.document["elements"]] == [absolute(0, 0), absolute(50, 60), None]


def test_an_anchor_holds_what_was_drawn_although_it_was_written_at_the_origin(document: Make) -> None:
    nodes = [{"id": name, "kind": "node", "layout": absolute(0, 0)} for name in "ab"]
    boxes = {name: {"x": x, "y": 20, "width": 40, "height": 30} for name, x in (("a", 10), ("b", 90))}
    op = {"op": "resizeElement", "id": "b", "size": {"width": 60}, "anchor": "right"}
    batch = apply_operations(document(*nodes), [op], computed_bounds=lambda _document: boxes)
    assert batch.document["elements"] == [
        {"id": "a", "kind": "node"},
        {"id": "b", "kind": "node", "layout": absolute(70, 20, width=60)},
    ]
