"""Each operation: what it makes of a document, and what it refuses."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from scenograph.diagnostics import Severity
from scenograph.scene.limits import Limits
from scenograph.scene.operation_fields import OPERATION_RECORDS
from scenograph.scene.operation_table import OPERATIONS
from scenograph.scene.operations import Batch, apply_operations
from scenograph.scene.validation import validate

Json = dict[str, Any]
Make = Callable[..., Json]
BOXES: Mapping[str, Mapping[str, float]] = {
    "web": {"x": 10.004, "y": 20, "width": 100, "height": 40},
    "api": {"x": 210, "y": 120, "width": 100, "height": 40},
    "db": {"x": 210, "y": 220, "width": 100, "height": 40},
    "back": {"x": 186, "y": 72, "width": 148, "height": 212},
}


def bounds(_document: Json) -> Mapping[str, Mapping[str, float]]:
    return BOXES


def applied(document: Json, *ops: Json) -> Batch:
    before = copy.deepcopy(document)
    batch = apply_operations(document, ops, "allOrNothing", bounds)
    assert batch.succeeded, batch.diagnostics
    assert batch.applied == len(ops)
    assert document == before, "the given document was changed"
    assert [row for row in validate(batch.document) if row.severity is Severity.ERROR] == []
    return batch


def result(document: Json, *ops: Json) -> dict[str, Json]:
    return {element["id"]: element for element in applied(document, *ops).document["elements"]}


def refused(document: Json, *ops: Any) -> list[tuple[str, str | None]]:
    before = copy.deepcopy(document)
    batch = apply_operations(document, ops, "allOrNothing", bounds)
    assert not batch.succeeded
    assert batch.document is document
    assert document == before
    assert (batch.applied, batch.changed_ids) == (0, ())
    return [(row.code, row.path) for row in batch.diagnostics if row.severity is Severity.ERROR]


def test_every_operation_has_its_description_in_the_same_order() -> None:
    assert list(OPERATIONS) == list(OPERATION_RECORDS)
    assert len(OPERATIONS) == 27


# --- create ----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("op", "kind"),
    [
        ({"op": "createNode", "label": "N", "shape": "pill"}, "node"),
        ({"op": "createEdge", "from": {"elementId": "web"}, "to": {"elementId": "db"}}, "edge"),
        ({"op": "createFrame", "title": "F", "children": ["web"]}, "frame"),
        ({"op": "createText", "content": "T"}, "text"),
        ({"op": "createGuide", "position": 40}, "guide"),
    ],
)
def test_create_makes_an_element_of_its_kind_with_the_members_given(shop: Json, op: Json, kind: str) -> None:
    made = result(shop, op | {"id": "new"})["new"]
    assert made == {"id": "new", "kind": kind} | {name: value for name, value in op.items() if name != "op"}


def test_create_image_takes_an_asset_of_the_same_batch(shop: Json, png: Callable[..., str]) -> None:
    asset = {"mimeType": "image/png", "data": png()}
    batch = applied(
        shop,
        {"op": "createImage", "id": "logo", "assetId": "pic"},
        {"op": "defineAsset", "assetId": "pic", "asset": asset},
    )
    assert batch.document["assets"] == {"pic": asset}
    assert batch.changed_ids == ("logo",)


def test_create_puts_the_element_last_and_into_its_parent(shop: Json) -> None:
    batch = applied(shop, {"op": "createNode", "id": "new", "parentId": "back"})
    assert batch.document["elements"][-1] == {"id": "new", "kind": "node"}
    assert batch.document["elements"][3]["children"] == ["api", "db", "new"]
    assert batch.changed_ids == ("back", "new")


def test_an_operation_may_refer_to_what_an_earlier_or_later_one_makes(shop: Json) -> None:
    batch = applied(
        shop,
        {"op": "createEdge", "id": "e", "from": {"elementId": "x"}, "to": {"elementId": "y"}},
        {"op": "createNode", "id": "x"},
        {"op": "createNode", "id": "y"},
        {"op": "updateNode", "id": "x", "label": "X"},
        {"op": "createFrame", "id": "f"},
        {"op": "createNode", "id": "z", "parentId": "f"},
    )
    assert batch.changed_ids == ("e", "f", "x", "y", "z")


@pytest.mark.parametrize(
    ("op", "code", "path"),
    [
        ({"op": "createNode", "id": "api"}, "OP_ID_EXISTS", "/ops/0/id"),
        ({"op": "createNode"}, "MISSING_FIELD", "/ops/0/id"),
        ({"op": "createNode", "id": "n", "kind": "edge"}, "INVALID_VALUE", "/ops/0/kind"),
        ({"op": "createNode", "id": "n", "shape": "blob"}, "INVALID_VALUE", "/ops/0/shape"),
        ({"op": "createNode", "id": "n", "layout": {"mode": "absolute", "x": 1}}, "MISSING_FIELD", "/ops/0/layout/y"),
        ({"op": "createNode", "id": "n", "parentId": "api"}, "OP_WRONG_KIND", "/ops/0/parentId"),
        ({"op": "createNode", "id": "n", "parentId": "q"}, "OP_TARGET_NOT_FOUND", "/ops/0/parentId"),
        ({"op": "createNode", "id": "n", "style": "q"}, "STYLE_NOT_FOUND", "/ops/0/style"),
        ({"op": "createEdge", "id": "e", "from": {"elementId": "web"}}, "MISSING_FIELD", "/ops/0/to"),
        (
            {"op": "createEdge", "id": "e", "from": {"elementId": "q"}, "to": {"elementId": "web"}},
            "ENDPOINT_NOT_FOUND",
            "/ops/0/from/elementId",
        ),
        ({"op": "createFrame", "id": "f", "children": ["api"]}, "MULTIPLE_PARENTS", "/ops/0/children/0"),
        ({"op": "createFrame", "id": "f", "children": ["reads"]}, "CHILD_KIND_NOT_ALLOWED", "/ops/0/children/0"),
        ({"op": "createImage", "id": "i", "href": "file:///etc/passwd"}, "IMAGE_NOT_ALLOWED", "/ops/0/href"),
        ({"op": "creatNode", "id": "n"}, "UNKNOWN_OP", "/ops/0/op"),
        ({"id": "n"}, "MISSING_FIELD", "/ops/0/op"),
        ({"op": 3}, "INVALID_TYPE", "/ops/0/op"),
        ("createNode", "INVALID_TYPE", "/ops/0"),
    ],
)
def test_create_refuses_at_the_member_that_is_wrong(shop: Json, op: Any, code: str, path: str) -> None:
    assert refused(shop, op) == [(code, path)]


def test_an_unknown_operation_gets_a_suggestion(shop: Json) -> None:
    (row,) = apply_operations(shop, [{"op": "update_node", "id": "web"}]).diagnostics
    assert row.data is not None
    assert row.data["suggestion"] == "updateNode"
    assert row.element_id == "web"


def test_create_refuses_one_element_more_than_the_limit(shop: Json) -> None:
    limits = Limits(elements=7)
    ops = [{"op": "createNode", "id": "n1"}, {"op": "createNode", "id": "n2"}]
    assert apply_operations(shop, ops[:1], limits=limits).succeeded
    batch = apply_operations(shop, ops, limits=limits)
    assert [(row.code, row.path) for row in batch.diagnostics] == [("LIMIT_EXCEEDED", "/ops/1")]


# --- update ----------------------------------------------------------------------------------------------------------
def test_update_merges_and_null_removes(shop: Json) -> None:
    first = result(shop, {"op": "updateNode", "id": "web", "style": {"fill": "red", "dash": [4, 2]}, "shape": "pill"})
    assert first["web"]["style"] == {"fill": "red", "dash": [4, 2]}
    again = applied(
        shop | {"elements": list(first.values())},
        {"op": "updateNode", "id": "web", "style": {"fill": None, "dash": [1]}, "label": None},
    )
    web = again.document["elements"][0]
    assert web == {"id": "web", "kind": "node", "style": {"dash": [1]}, "shape": "pill"}
    assert again.changed_ids == ("web",)


def test_an_update_that_changes_nothing_is_no_change(shop: Json) -> None:
    batch = applied(shop, {"op": "updateNode", "id": "web", "label": "Web"}, {"op": "updateElement", "id": "db"})
    assert batch.changed_ids == ()
    assert batch.document == shop


def test_update_element_serves_every_kind(shop: Json) -> None:
    after = result(
        shop,
        {"op": "updateElement", "id": "calls", "router": "curved"},
        {"op": "updateElement", "id": "back", "containerType": "pool"},
    )
    assert after["calls"]["router"] == "curved"
    assert after["back"]["containerType"] == "pool"


def test_update_under_another_name_for_a_member_reaches_the_member(document: Make) -> None:
    scene = document(
        {"id": "a", "kind": "node"},
        {"id": "f", "kind": "frame", "label": "Old", "childIds": ["a"]},
        {"id": "t", "kind": "text", "text": "Old"},
    )
    after = result(
        scene,
        {"op": "updateFrame", "id": "f", "title": "New", "childIds": []},
        {"op": "updateElement", "id": "t", "content": "New"},
    )
    assert after["f"] == {"id": "f", "kind": "frame", "title": "New", "children": []}
    assert after["t"] == {"id": "t", "kind": "text", "content": "New"}


@pytest.mark.parametrize(
    ("op", "code", "path"),
    [
        ({"op": "updateNode", "id": "q"}, "OP_TARGET_NOT_FOUND", "/ops/0/id"),
        ({"op": "updateNode", "id": "calls"}, "OP_WRONG_KIND", "/ops/0/id"),
        ({"op": "updateNode", "id": "web", "kind": "edge"}, "OP_WRONG_KIND", "/ops/0/kind"),
        ({"op": "updateNode", "id": "web", "style": {"fill": "rouge"}}, "INVALID_COLOR", "/ops/0/style/fill"),
        ({"op": "updateEdge", "id": "calls", "from": None}, "MISSING_FIELD", "/ops/0/from"),
        ({"op": "updateEdge", "id": "calls", "from": {"port": "x"}}, "PORT_NOT_FOUND", "/ops/0/from/port"),
        ({"op": "updateNode", "id": "db", "ports": []}, "PORT_NOT_FOUND", "/ops/0"),
        ({"op": "updateFrame", "id": "back", "children": ["api", "back"]}, "SELF_CONTAINMENT", "/ops/0/children/1"),
        (
            {"op": "updateNode", "id": "web", "extensions": {"columns": [{}]}},
            "MISSING_FIELD",
            "/ops/0/extensions/columns/0/name",
        ),
    ],
)
def test_update_refuses_at_the_member_that_is_wrong(shop: Json, op: Json, code: str, path: str) -> None:
    assert refused(shop, op) == [(code, path)]


def test_an_unknown_member_that_an_element_has_is_taken_away_by_null_alone(shop: Json) -> None:
    shop["elements"][0]["lable"] = "x"
    batch = applied(shop, {"op": "updateNode", "id": "web", "lable": None})
    assert batch.diagnostics == ()
    assert "lable" not in batch.document["elements"][0]
    assert refused(shop, {"op": "updateNode", "id": "web", "lable": "y"}) == [("UNKNOWN_FIELD", "/ops/0/lable")]
    assert refused(shop, {"op": "updateNode", "id": "web", "labl": None}) == [("UNKNOWN_FIELD", "/ops/0/labl")]


def test_a_member_of_another_kind_of_element_is_unknown_to_an_update(shop: Json) -> None:
    op = {"op": "updateElement", "id": "web", "containerType": "pool"}
    assert refused(shop, op) == [("UNKNOWN_FIELD", "/ops/0/containerType")]


# --- delete ----------------------------------------------------------------------------------------------------------
def test_delete_takes_edges_membership_and_constraint_references_along(shop: Json) -> None:
    batch = applied(shop, {"op": "deleteElement", "id": "api"})
    assert [element["id"] for element in batch.document["elements"]] == ["web", "db", "back"]
    assert batch.document["elements"][2]["children"] == ["db"]
    assert batch.document["constraints"] == [{"id": "row", "type": "align", "elements": ["web"], "axis": "y"}]
    assert batch.changed_ids == ("api", "back", "calls", "reads")
    assert batch.difference.changed_constraint_ids == ("row",)
    (row,) = batch.diagnostics
    assert (row.code, row.path, row.severity) == ("CASCADE_DELETED", "/ops/0", Severity.INFO)
    assert row.data is not None
    assert row.data["deletedIds"] == ["calls", "reads"]


def test_children_of_a_deleted_frame_move_up_into_its_place(document: Make) -> None:
    nodes = [{"id": name, "kind": "node"} for name in "abcd"]
    scene = document(
        *nodes,
        {"id": "inner", "kind": "frame", "children": ["b", "c"]},
        {"id": "outer", "kind": "frame", "children": ["a", "inner", "d"]},
    )
    batch = applied(scene, {"op": "deleteElement", "id": "inner"})
    assert batch.document["elements"][-1]["children"] == ["a", "b", "c", "d"]
    assert batch.changed_ids == ("b", "c", "inner", "outer")
    top = applied(scene, {"op": "deleteElement", "id": "outer"})
    assert top.changed_ids == ("a", "d", "inner", "outer")


def test_what_stood_beside_a_deleted_element_is_placed_by_the_engine(document: Make) -> None:
    beside = {"mode": "relative", "target": "a", "relation": "below", "gap": 8, "width": 90}
    scene = document({"id": "a", "kind": "node"}, {"id": "b", "kind": "node", "layout": beside})
    assert result(scene, {"op": "deleteElement", "id": "a"})["b"]["layout"] == {"mode": "auto", "width": 90}


def test_notes_and_fragments_forget_what_is_deleted(document: Make) -> None:
    life = [{"id": name, "kind": "node", "nodeType": "sequence.lifeline"} for name in ("x", "y")]
    scene = document(
        *life,
        {"id": "m", "kind": "edge", "from": {"elementId": "x"}, "to": {"elementId": "y"}},
        {"id": "note", "kind": "node", "nodeType": "sequence.note", "extensions": {"over": ["x", "y"], "mine": ["x"]}},
        {"id": "opt", "kind": "frame", "extensions": {"operands": [{"guard": "g", "messages": ["m", "n"]}]}},
        diagramFamily="sequence",
    )
    after = result(scene, {"op": "deleteElement", "id": "x"})
    assert after["note"]["extensions"] == {"over": ["y"], "mine": ["x"]}
    assert after["opt"]["extensions"] == {"operands": [{"guard": "g", "messages": ["n"]}]}


def test_a_constraint_that_loses_its_last_element_or_its_container_goes(document: Make) -> None:
    scene = document(
        {"id": "a", "kind": "node"},
        {"id": "b", "kind": "node"},
        constraints=[
            {"id": "one", "type": "noOverlap", "elements": ["a"]},
            {"id": "two", "type": "centerIn", "elements": ["b"], "container": "a"},
            {"id": "three", "type": "noOverlap", "elements": ["a", "b"]},
        ],
    )
    batch = applied(scene, {"op": "deleteElement", "id": "a"})
    assert [row["id"] for row in batch.document["constraints"]] == ["three"]
    assert batch.difference.changed_constraint_ids == ("one", "three", "two")


def test_without_cascade_a_delete_is_refused_while_something_refers(shop: Json) -> None:
    (row,) = apply_operations(shop, [{"op": "deleteElement", "id": "web", "cascade": False}]).diagnostics
    assert (row.code, row.path) == ("DANGLING_REFERENCE", "/ops/0")
    assert row.data == {"references": ["calls", "row"]}


def test_without_cascade_the_batch_itself_may_clear_the_references(shop: Json) -> None:
    batch = applied(
        shop,
        {"op": "deleteElement", "id": "web", "cascade": False},
        {"op": "deleteElement", "id": "calls", "cascade": False},
        {"op": "removeConstraint", "id": "row"},
    )
    assert batch.changed_ids == ("calls", "web")
    assert batch.diagnostics == ()


def test_an_element_deleted_and_made_again_alike_is_no_change(document: Make) -> None:
    scene = document({"id": "a", "kind": "node"}, {"id": "f", "kind": "frame"})
    batch = applied(scene, {"op": "deleteElement", "id": "a"}, {"op": "createNode", "id": "a"})
    assert batch.changed_ids == ()


# --- move, resize ----------------------------------------------------------------------------------------------------
def absolute(x: float, y: float, **more: float) -> Json:
    return {"mode": "absolute", "x": x, "y": y, **more}


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
    scene = document({"id": "web", "kind": "node", "layout": absolute(0, 0)})
    op = {"op": "resizeElement", "id": "web", "size": {"width": 140}, "anchor": "right"}
    assert result(scene, op)["web"]["layout"] == absolute(-40, 0, width=140)


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


# --- style, text -----------------------------------------------------------------------------------------------------
def test_set_style_by_name_replaces_and_by_members_merges(shop: Json) -> None:
    after = result(
        shop,
        {"op": "setStyle", "id": "web", "style": {"fill": "red", "opacity": 0.5}},
        {"op": "setStyle", "id": "web", "style": {"opacity": None, "stroke": "blue"}},
        {"op": "setStyle", "id": "db", "style": {"fill": "red"}},
        {"op": "setStyle", "id": "db", "styleId": "loud"},
        {"op": "setStyle", "id": "calls", "style": {"stroke": "red"}},
        {"op": "setStyle", "id": "calls", "style": None},
    )
    assert after["web"]["style"] == {"fill": "red", "stroke": "blue"}
    assert after["db"]["style"] == "loud"
    assert "style" not in after["calls"]


def test_members_set_on_a_referenced_style_start_from_what_it_says(shop: Json) -> None:
    after = applied(shop, {"op": "setStyle", "id": "api", "style": {"strokeWidth": 5}})
    assert after.document["elements"][1]["style"] == {"fill": "#fde047", "strokeWidth": 5}
    assert after.document["styles"] == shop["styles"]


def test_set_text_writes_what_the_kind_shows(shop: Json, document: Make) -> None:
    after = result(shop, *({"op": "setText", "id": name, "text": "T"} for name in ("web", "calls", "back")))
    assert (after["web"]["label"], after["calls"]["label"], after["back"]["title"]) == ("T", "T", "T")
    scene = document({"id": "t", "kind": "text", "label": "old"}, {"id": "g", "kind": "group"})
    others = result(scene, *({"op": "setText", "id": name, "text": "T"} for name in "tg"))
    assert others["t"] == {"id": "t", "kind": "text", "content": "T"}
    assert others["g"]["label"] == "T"


@pytest.mark.parametrize(
    ("op", "code", "path"),
    [
        ({"op": "setStyle", "id": "web"}, "MISSING_FIELD", "/ops/0/styleId"),
        ({"op": "setStyle", "id": "web", "styleId": "loud", "style": {}}, "INVALID_VALUE", "/ops/0/styleId"),
        ({"op": "setStyle", "id": "web", "styleId": "lout"}, "STYLE_NOT_FOUND", "/ops/0/styleId"),
        ({"op": "setStyle", "id": "web", "style": {"fill": "rouge"}}, "INVALID_COLOR", "/ops/0/style/fill"),
        ({"op": "setStyle", "id": "web", "style": "loud"}, "INVALID_TYPE", "/ops/0/style"),
        ({"op": "setText", "id": "web", "text": None}, "INVALID_TYPE", "/ops/0/text"),
        ({"op": "setText", "id": "web", "text": "x" * 2001}, "LIMIT_EXCEEDED", "/ops/0/text"),
        ({"op": "setText", "id": "back", "text": "x" * 501}, "LIMIT_EXCEEDED", "/ops/0/text"),
    ],
)
def test_style_and_text_refuse_what_cannot_be(shop: Json, op: Json, code: str, path: str) -> None:
    assert refused(shop, op) == [(code, path)]


# --- grouping --------------------------------------------------------------------------------------------------------
def test_a_group_takes_the_place_of_its_children_in_their_container(shop: Json) -> None:
    shop["elements"][3]["children"] = ["db", "api"]
    batch = applied(shop, {"op": "groupElements", "id": "g", "children": ["api"], "label": "G"})
    elements = {element["id"]: element for element in batch.document["elements"]}
    assert elements["g"] == {"id": "g", "kind": "group", "children": ["api"], "label": "G"}
    assert elements["back"]["children"] == ["db", "g"]
    assert batch.changed_ids == ("api", "back", "g")


def test_a_group_across_containers_stands_in_the_nearest_they_share(shop: Json) -> None:
    after = result(shop, {"op": "groupElements", "id": "g", "children": ["web", "api"]})
    assert after["g"]["children"] == ["web", "api"]
    assert after["back"]["children"] == ["db"]


def test_ungrouping_undoes_grouping(shop: Json) -> None:
    there = applied(shop, {"op": "groupElements", "id": "g", "children": ["api", "db"]})
    back = applied(there.document, {"op": "ungroupElements", "id": "g"})
    assert back.document == shop


def test_reparent_moves_in_out_and_to_an_index(shop: Json) -> None:
    inside = applied(shop, {"op": "reparentElement", "id": "web", "parentId": "back", "index": 1})
    assert inside.document["elements"][3]["children"] == ["api", "web", "db"]
    assert inside.changed_ids == ("back", "web")
    turned = applied(inside.document, {"op": "reparentElement", "id": "api", "parentId": "back", "index": 2})
    assert turned.document["elements"][3]["children"] == ["web", "db", "api"]
    assert turned.changed_ids == ("back",)
    out = applied(inside.document, {"op": "reparentElement", "id": "web", "parentId": None})
    assert out.document == shop


@pytest.mark.parametrize(
    ("op", "code", "path"),
    [
        ({"op": "groupElements", "id": "web", "children": ["api"]}, "OP_ID_EXISTS", "/ops/0/id"),
        ({"op": "groupElements", "id": "g", "children": []}, "INVALID_VALUE", "/ops/0/children"),
        ({"op": "groupElements", "id": "g", "children": ["q"]}, "CHILD_NOT_FOUND", "/ops/0/children/0"),
        ({"op": "ungroupElements", "id": "back"}, "OP_WRONG_KIND", "/ops/0/id"),
        ({"op": "reparentElement", "id": "web"}, "MISSING_FIELD", "/ops/0/parentId"),
        ({"op": "reparentElement", "id": "web", "parentId": "back", "index": 3}, "OUT_OF_RANGE", "/ops/0/index"),
        ({"op": "reparentElement", "id": "web", "parentId": None, "index": 0}, "INVALID_VALUE", "/ops/0/index"),
        ({"op": "reparentElement", "id": "back", "parentId": "back"}, "SELF_CONTAINMENT", "/ops/0/parentId"),
        ({"op": "reparentElement", "id": "calls", "parentId": "back"}, "CHILD_KIND_NOT_ALLOWED", "/ops/0/parentId"),
    ],
)
def test_grouping_refuses_what_cannot_be(shop: Json, op: Json, code: str, path: str) -> None:
    assert refused(shop, op) == [(code, path)]


def test_containers_cannot_be_put_into_one_another_in_a_circle(document: Make) -> None:
    scene = document({"id": "f", "kind": "frame", "children": ["g"]}, {"id": "g", "kind": "frame"})
    ops = [{"op": "updateFrame", "id": "f", "title": "x"}, {"op": "reparentElement", "id": "f", "parentId": "g"}]
    ops.append({"op": "updateFrame", "id": "g", "title": "y"})
    assert refused(scene, *ops) == [("CONTAINMENT_CYCLE", "/ops/1/parentId")]


def test_nesting_beyond_the_limit_is_laid_at_the_operation_that_nests(document: Make) -> None:
    names = [f"f{n}" for n in range(4)]
    scene = document(*[{"id": name, "kind": "frame", "children": names[n + 1 : n + 2]} for n, name in enumerate(names)])
    ops = [{"op": "createFrame", "id": "top"}, {"op": "reparentElement", "id": "f0", "parentId": "top"}]
    batch = apply_operations(scene, ops, limits=Limits(nesting=4))
    assert [(row.code, row.path) for row in batch.diagnostics] == [("LIMIT_EXCEEDED", "/ops/1/parentId")]


@pytest.mark.parametrize(
    ("op", "code", "path"),
    [
        ({"op": "setText", "id": "back", "text": "x" * 501}, "LIMIT_EXCEEDED", "/ops/0/text"),
        (
            {
                "op": "createEdge",
                "id": "e",
                "parentId": "back",
                "from": {"elementId": "web"},
                "to": {"elementId": "db"},
            },
            "INVALID_TYPE",
            "/ops/0/parentId",
        ),
        (
            {"op": "addConstraint", "constraint": {"id": "c", "type": "align", "elements": ["web", "q"], "axis": "x"}},
            "CONSTRAINT_ELEMENT_NOT_FOUND",
            "/ops/0/constraint/elements/1",
        ),
        (
            {"op": "updateConstraint", "id": "row", "elements": ["q"]},
            "CONSTRAINT_ELEMENT_NOT_FOUND",
            "/ops/0/elements/0",
        ),
        ({"op": "updateConstraint", "id": "row", "axis": None}, "MISSING_FIELD", "/ops/0/axis"),
        ({"op": "updateNode", "id": "web", "layout": {"mode": "absolute"}}, "MISSING_FIELD", "/ops/0/layout/x"),
    ],
)
def test_blame_points_at_the_member_that_says_it(shop: Json, op: Json, code: str, path: str) -> None:
    assert refused(shop, op)[0] == (code, path)


def test_what_a_new_type_of_constraint_lacks_or_does_not_know_is_told_at_the_type(shop: Json) -> None:
    batch = apply_operations(shop, [{"op": "updateConstraint", "id": "row", "type": "grid"}])
    assert {(row.code, row.path) for row in batch.diagnostics} == {
        ("UNKNOWN_FIELD", "/ops/0/type"),
        ("MISSING_FIELD", "/ops/0/type"),
    }


@pytest.mark.parametrize(
    "op",
    [
        {"op": "setText", "id": "web", "text": "x", "txt": 1},
        {"op": "createNode", "id": "n", "lable": "x"},
        {"op": "updateNode", "id": "web", "lable": "x"},
        {"op": "updateConstraint", "id": "row", "elemens": ["web"]},
        {"op": "groupElements", "id": "g", "children": ["web"], "lable": "x"},
        {"op": "deleteElement", "id": "web", "cascad": True},
    ],
    ids=lambda op: op["op"],
)
def test_an_operation_with_an_unknown_member_is_refused_with_the_nearest(shop: Json, op: Json) -> None:
    batch = apply_operations(shop, [op, {"op": "setText", "id": "web", "text": "new"}])
    assert not batch.succeeded
    assert batch.document == shop
    (row,) = batch.diagnostics
    misspelt = list(op)[-1]
    assert (row.code, row.severity, row.path) == ("UNKNOWN_FIELD", "error", f"/ops/0/{misspelt}")
    assert (row.data or {})["suggestion"] in {"text", "label", "elements", "cascade"}


def test_unknown_members_further_inside_are_remarked_and_stop_nothing(shop: Json) -> None:
    batch = apply_operations(
        shop,
        [
            {"op": "moveElement", "id": "web", "delta": {"dx": 1, "odd": 1}},
            {"op": "updateNode", "id": "web", "style": {"fil": "red"}, "extensions": {"mine": 1}, "metadata": {"a": 1}},
        ],
        "allOrNothing",
        lambda _: {"web": {"x": 0.0, "y": 0.0, "width": 9.0, "height": 9.0}},
    )
    assert batch.succeeded
    assert [(row.code, row.path) for row in batch.diagnostics] == [
        ("UNKNOWN_FIELD", "/ops/0/delta/odd"),
        ("UNKNOWN_FIELD", "/ops/1/style/fil"),
    ]


def test_null_is_the_top_level_for_whatever_is_made(shop: Json) -> None:
    ends = {"from": {"elementId": "web"}, "to": {"elementId": "db"}}
    ops = [{"op": "createEdge", "id": "e", "parentId": None} | ends, {"op": "createNode", "id": "n", "parentId": None}]
    after = applied(shop, *ops).document["elements"]
    assert after[-2:] == [{"id": "e", "kind": "edge"} | ends, {"id": "n", "kind": "node"}]


# --- registries, scene -----------------------------------------------------------------------------------------------
def test_constraints_are_added_updated_and_removed(shop: Json) -> None:
    gap = {"id": "gap", "type": "minGap", "elements": ["web", "db"], "axis": "x", "gap": 10}
    added = applied(shop, {"op": "addConstraint", "constraint": gap})
    assert added.document["constraints"][1] == gap
    assert (added.changed_ids, added.difference.changed_constraint_ids) == ((), ("gap",))
    updated = applied(added.document, {"op": "updateConstraint", "id": "gap", "gap": 20})
    assert updated.document["constraints"][1] == gap | {"gap": 20}
    removed = applied(updated.document, {"op": "removeConstraint", "id": "gap"})
    assert removed.document == shop


def test_styles_are_defined_replaced_and_removed(shop: Json) -> None:
    after = applied(
        shop,
        {"op": "defineStyle", "styleId": "calm", "style": {"fill": "white"}},
        {"op": "setStyle", "id": "api", "styleId": "calm"},
        {"op": "removeStyle", "styleId": "loud"},
    )
    assert after.document["styles"] == {"calm": {"fill": "white"}}


def test_update_scene_writes_inside_the_scene_and_at_the_root(shop: Json) -> None:
    shop["scene"]["palette"] = {"nodeFill": "red"}
    after = applied(
        shop,
        {
            "op": "updateScene",
            "title": "T",
            "canvas": {"width": None, "background": "#111"},
            "extensions": {"showLifelineFeet": False},
            "diagramFamily": "sequence",
            "layoutStrategy": {"algorithm": "flow"},
            "palette": {"nodeStroke": "blue"},
        },
    ).document
    assert after["scene"] == {
        "id": "a-scene",
        "units": "px",
        "canvas": {"height": 600, "background": "#111"},
        "title": "T",
        "extensions": {"showLifelineFeet": False},
    }
    assert (after["diagramFamily"], after["layoutStrategy"]) == ("sequence", {"algorithm": "flow"})
    assert after["palette"] == {"nodeFill": "red", "nodeStroke": "blue"}
    assert "layoutStrategy" not in applied(after, {"op": "updateScene", "layoutStrategy": None}).document


@pytest.mark.parametrize(
    ("op", "code", "path"),
    [
        (
            {"op": "addConstraint", "constraint": {"id": "row", "type": "noOverlap", "elements": ["web"]}},
            "OP_ID_EXISTS",
            "/ops/0/constraint/id",
        ),
        (
            {"op": "addConstraint", "constraint": {"id": "c", "type": "alin", "elements": ["web"]}},
            "INVALID_VALUE",
            "/ops/0/constraint/type",
        ),
        (
            {"op": "addConstraint", "constraint": {"id": "c", "type": "noOverlap", "elements": ["q"]}},
            "CONSTRAINT_ELEMENT_NOT_FOUND",
            "/ops/0/constraint/elements/0",
        ),
        ({"op": "updateConstraint", "id": "row", "axis": None}, "MISSING_FIELD", "/ops/0/axis"),
        ({"op": "updateConstraint", "id": "q"}, "OP_TARGET_NOT_FOUND", "/ops/0/id"),
        ({"op": "removeConstraint", "id": "q"}, "OP_TARGET_NOT_FOUND", "/ops/0/id"),
        ({"op": "defineStyle", "styleId": "s", "style": {"fill": "rouge"}}, "INVALID_COLOR", "/ops/0/style/fill"),
        ({"op": "removeStyle", "styleId": "loud"}, "DANGLING_REFERENCE", "/ops/0"),
        ({"op": "removeStyle", "styleId": "q"}, "OP_TARGET_NOT_FOUND", "/ops/0/styleId"),
        ({"op": "removeAsset", "assetId": "q"}, "OP_TARGET_NOT_FOUND", "/ops/0/assetId"),
        (
            {"op": "defineAsset", "assetId": "p", "asset": {"mimeType": "image/png", "data": "AAAA"}},
            "IMAGE_NOT_ALLOWED",
            "/ops/0/asset/data",
        ),
        ({"op": "updateScene", "canvas": None}, "MISSING_FIELD", "/ops/0/canvas"),
        ({"op": "updateScene", "canvas": {"background": "rouge"}}, "INVALID_COLOR", "/ops/0/canvas/background"),
        ({"op": "updateScene", "diagramFamily": "x"}, "INVALID_VALUE", "/ops/0/diagramFamily"),
    ],
)
def test_registries_and_scene_refuse_what_cannot_be(shop: Json, op: Json, code: str, path: str) -> None:
    assert refused(shop, op) == [(code, path)]


def test_a_required_member_of_the_scene_that_is_removed_comes_with_the_text_to_add(shop: Json) -> None:
    (row,) = apply_operations(shop, [{"op": "updateScene", "canvas": None}]).diagnostics
    assert (row.data or {})["add"] == '"canvas": {}'
    assert row.message.endswith('Add "canvas": {}.')
