"""Operations that create, update and delete: what each makes of a document, and what it refuses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from tests.scene.editing import Json, Make, applied, refused, result

from scenograph.diagnostics import Severity
from scenograph.scene.description.operations import OPERATION_RECORDS
from scenograph.scene.edits.operations import apply_operations
from scenograph.scene.edits.table import OPERATIONS
from scenograph.scene.limits import Limits


def test_every_operation_has_its_description_in_the_same_order() -> None:
    assert list(OPERATIONS) == list(OPERATION_RECORDS)
    assert len(OPERATIONS) == 29


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
