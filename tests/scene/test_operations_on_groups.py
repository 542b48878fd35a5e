"""Operations on style, text, containers, registries and the scene itself."""

from __future__ import annotations

import pytest
from tests.scene.editing import Json, Make, applied, refused, result

from scenograph.scene.edits.operations import apply_operations
from scenograph.scene.limits import Limits


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
