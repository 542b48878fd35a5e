"""Batches: all or nothing, best effort, and the request that carries them."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest

from scenograph.diagnostics import Severity
from scenograph.scene.edits.operations import Batch, BatchRequest, apply_operations, read_batch_request
from scenograph.scene.edits.table import OPERATIONS
from scenograph.scene.limits import Limits
from scenograph.scene.validation import validate

Json = dict[str, Any]
Make = Callable[..., Json]


def told(batch: Batch) -> list[tuple[str, str | None]]:
    return [(row.code, row.path) for row in batch.diagnostics]


def create_edge(name: str, start: str, end: str) -> Json:
    return {"op": "createEdge", "id": name, "from": {"elementId": start}, "to": {"elementId": end}}


def create_node(name: str, **more: Any) -> Json:
    return {"op": "createNode", "id": name, **more}


# --- all or nothing --------------------------------------------------------------------------------------------------
def test_one_bad_operation_leaves_everything_as_it_was(shop: Json) -> None:
    before = copy.deepcopy(shop)
    batch = apply_operations(
        shop, [create_node("new"), {"op": "setText", "id": "web", "text": "x"}, create_edge("e", "web", "q")]
    )
    assert not batch.succeeded
    assert batch.document is shop
    assert shop == before
    assert (batch.applied, batch.changed_ids) == (0, ())


def test_errors_of_all_operations_are_told_at_once(shop: Json) -> None:
    ops = [
        create_node("n", shape="?"),
        create_edge("e", "web", "q"),
        {"op": "nope"},
        {"op": "setText", "id": "zz", "text": "x"},
    ]
    assert told(apply_operations(shop, ops)) == [
        ("INVALID_VALUE", "/ops/0/shape"),
        ("ENDPOINT_NOT_FOUND", "/ops/1/to/elementId"),
        ("UNKNOWN_OP", "/ops/2/op"),
        ("OP_TARGET_NOT_FOUND", "/ops/3/id"),
    ]


def test_what_only_follows_from_a_failed_create_is_not_told_again(shop: Json) -> None:
    ops = [
        {"op": "createBox", "id": "n"},
        create_edge("e", "n", "web"),
        {"op": "updateNode", "id": "n", "label": "x"},
        create_node("m", shape="?"),
        create_edge("f", "m", "web"),
        {"op": "updateNode", "id": "m", "label": "x"},
    ]
    assert told(apply_operations(shop, ops)) == [("UNKNOWN_OP", "/ops/0/op"), ("INVALID_VALUE", "/ops/3/shape")]


def test_an_empty_batch_succeeds_and_changes_nothing(shop: Json) -> None:
    for mode in ("allOrNothing", "bestEffort"):
        batch = apply_operations(shop, [], mode)
        assert batch.succeeded
        assert batch.document == shop
        assert (batch.applied, batch.changed_ids, batch.diagnostics) == (0, (), ())


def test_warnings_do_not_stop_a_batch_and_are_told_where_they_arise(document: Make) -> None:
    scene = document({"id": "old", "kind": "node", "nodeType": "workflow.odd"})
    ops = [
        create_node("n", nodeType="workflow.tsk", style={"fil": "red"}),
        create_node("m"),
        create_edge("loop", "m", "m"),
    ]
    batch = apply_operations(scene, ops)
    assert batch.succeeded
    assert told(batch) == [
        ("UNKNOWN_FIELD", "/ops/0/style/fil"),
        ("UNKNOWN_NODE_TYPE", "/ops/0/nodeType"),
        ("SELF_LOOP", "/ops/2"),
    ]


def test_unknown_members_and_stored_values_survive_as_they_are(document: Make) -> None:
    scene = document({"id": "a", "kind": "node", "zIndex": 1.0, "odd": {"x": [1e300, 2**60]}}, mystery=[None])
    batch = apply_operations(scene, [create_node("b")])
    assert batch.document["elements"][0] is scene["elements"][0]
    assert batch.document["mystery"] is scene["mystery"]


def test_an_error_that_the_document_had_before_stays_with_the_document(document: Make) -> None:
    scene = document({"id": "a", "kind": "node", "style": "gone"})
    for mode in ("allOrNothing", "bestEffort"):
        batch = apply_operations(scene, [create_node("b")], mode)
        assert not batch.succeeded
        assert told(batch) == [("STYLE_NOT_FOUND", "/elements/0/style")]
    assert apply_operations(scene, [{"op": "defineStyle", "styleId": "gone", "style": {}}]).succeeded


# --- best effort -----------------------------------------------------------------------------------------------------
def test_best_effort_leaves_out_what_fails_and_keeps_the_rest(shop: Json) -> None:
    ops = [
        create_node("n"),
        create_edge("e", "n", "q"),
        {"op": "setText", "id": "web", "text": "T"},
        {"op": "nope"},
        "x",
    ]
    batch = apply_operations(shop, ops, "bestEffort")
    assert batch.succeeded
    assert (batch.applied, batch.changed_ids) == (2, ("n", "web"))
    assert told(batch) == [
        ("ENDPOINT_NOT_FOUND", "/ops/1/to/elementId"),
        ("UNKNOWN_OP", "/ops/3/op"),
        ("INVALID_TYPE", "/ops/4"),
    ]
    assert [row for row in validate(batch.document) if row.severity is Severity.ERROR] == []


def test_best_effort_fails_when_nothing_applies(shop: Json) -> None:
    batch = apply_operations(shop, [create_edge("e", "web", "q"), {"op": "nope"}], "bestEffort")
    assert not batch.succeeded
    assert batch.document is shop


def test_what_depends_on_a_failed_operation_fails_with_it(shop: Json) -> None:
    ops = [
        create_node("n", style="nowhere"),
        create_edge("e", "n", "web"),
        {"op": "updateNode", "id": "n", "label": "x"},
        create_node("m"),
    ]
    batch = apply_operations(shop, ops, "bestEffort")
    assert (batch.applied, batch.changed_ids) == (1, ("m",))
    assert told(batch) == [
        ("STYLE_NOT_FOUND", "/ops/0/style"),
        ("DANGLING_REFERENCE", "/ops/1"),
        ("OP_TARGET_NOT_FOUND", "/ops/2/id"),
    ]


def test_a_long_chain_of_dependence_falls_at_once(shop: Json) -> None:
    ops: list[Json] = [{"op": "createFrame", "id": f"f{n}", "children": [f"f{n + 1}"]} for n in range(50)]
    batch = apply_operations(shop, [*ops, create_node("m")], "bestEffort")
    assert (batch.applied, batch.changed_ids) == (1, ("m",))
    assert told(batch)[-1] == ("CHILD_NOT_FOUND", "/ops/49/children/0")


def test_a_reference_mended_later_in_the_batch_is_no_failure(shop: Json) -> None:
    ops = [create_edge("e", "web", "q"), {"op": "updateEdge", "id": "e", "to": {"elementId": "db"}}]
    batch = apply_operations(shop, ops, "bestEffort")
    assert (batch.applied, told(batch)) == (2, [])


def test_only_the_operation_that_wrote_the_bad_member_is_left_out(shop: Json) -> None:
    ops = [
        {"op": "setText", "id": "web", "text": "T"},
        {"op": "setStyle", "id": "web", "styleId": "nowhere"},
        {"op": "updateNode", "id": "web", "shape": "pill"},
    ]
    batch = apply_operations(shop, ops, "bestEffort")
    assert told(batch) == [("STYLE_NOT_FOUND", "/ops/1/styleId")]
    assert batch.document["elements"][0] == {"id": "web", "kind": "node", "label": "T", "shape": "pill"}


def test_taking_away_what_is_used_is_the_takers_fault(shop: Json) -> None:
    ops = [
        {"op": "removeStyle", "styleId": "loud"},
        {"op": "deleteElement", "id": "db", "cascade": False},
        create_node("m"),
    ]
    batch = apply_operations(shop, ops, "bestEffort")
    assert told(batch) == [("DANGLING_REFERENCE", "/ops/0"), ("DANGLING_REFERENCE", "/ops/1")]
    assert [row.data for row in batch.diagnostics] == [{"references": ["api"]}, {"references": ["back", "reads"]}]
    assert batch.changed_ids == ("m",)


def test_two_that_claim_one_child_the_later_loses(document: Make) -> None:
    scene = document({"id": "a", "kind": "node"}, {"id": "f", "kind": "frame"}, {"id": "g", "kind": "frame"})
    ops = [{"op": "updateFrame", "id": "g", "children": ["a"]}, {"op": "updateFrame", "id": "f", "children": ["a"]}]
    batch = apply_operations(scene, ops, "bestEffort")
    assert told(batch) == [("MULTIPLE_PARENTS", "/ops/1/children/0")]
    assert batch.changed_ids == ("a", "g")


def test_many_that_claim_one_child_leave_it_to_the_first(document: Make) -> None:
    scene = document({"id": "b", "kind": "node"}, {"id": "c", "kind": "node"})
    ops: list[Json] = [{"op": "createFrame", "id": f"f{n}", "children": ["b"]} for n in range(6)]
    batch = apply_operations(scene, [*ops, {"op": "updateNode", "id": "c", "label": "C"}], "bestEffort")
    assert batch.succeeded
    assert (batch.applied, batch.changed_ids) == (2, ("b", "c", "f0"))
    assert told(batch) == [("MULTIPLE_PARENTS", f"/ops/{n}/children/0") for n in range(1, 6)]


def test_none_may_claim_a_child_that_has_its_place(document: Make) -> None:
    scene = document({"id": "b", "kind": "node"}, {"id": "f", "kind": "frame", "children": ["b"]})
    ops: list[Json] = [{"op": "createFrame", "id": f"f{n}", "children": ["b"]} for n in range(9)]
    batch = apply_operations(scene, [*ops, create_node("m")], "bestEffort")
    assert batch.changed_ids == ("m",)


@pytest.mark.parametrize("count", [8, 25, 200])
def test_failures_that_hide_behind_one_another_cost_no_innocent_operation(shop: Json, count: int) -> None:
    ops: list[Json] = [{"op": "setStyle", "id": "web", "styleId": f"nowhere{n}"} for n in range(count)]
    batch = apply_operations(shop, [create_node("m"), {"op": "setText", "id": "web", "text": "T"}, *ops], "bestEffort")
    assert batch.succeeded
    assert (batch.applied, batch.changed_ids) == (2, ("m", "web"))
    assert {row.path.split("/")[2] for row in batch.diagnostics if row.path} == {str(n + 2) for n in range(count)}
    assert [row for row in validate(batch.document) if row.severity is Severity.ERROR] == []


# --- effort ----------------------------------------------------------------------------------------------------------
def test_a_batch_that_would_rewrite_too_much_is_refused_where_it_becomes_too_much(document: Make) -> None:
    nodes = [{"id": f"n{n}", "kind": "node", "layout": {"mode": "absolute", "x": 0, "y": 0}} for n in range(20)]
    scene = document(*nodes, {"id": "f", "kind": "frame", "children": [each["id"] for each in nodes]})
    ops = [{"op": "moveElement", "id": "f", "x": n, "y": 0} for n in range(10)]

    def bounds(_scene: Json) -> dict[str, dict[str, float]]:
        return {"f": {"x": 0, "y": 0, "width": 9, "height": 9}}

    batch = apply_operations(scene, ops, "bestEffort", bounds, limits=Limits(batch_values=300))
    assert batch.succeeded
    assert 1 <= batch.applied <= 4
    assert told(batch)[0] == ("LIMIT_EXCEEDED", f"/ops/{batch.applied}")
    assert apply_operations(scene, ops, "bestEffort", bounds).applied == 10


# --- the request -----------------------------------------------------------------------------------------------------
REQUEST: Json = {"schemaVersion": "0.1", "sceneId": "s", "baseRevision": 3, "ops": [{"op": "nope"}]}


def test_a_request_is_read_with_its_defaults() -> None:
    assert read_batch_request(REQUEST) == BatchRequest(scene_id="s", base_revision=3, ops=({"op": "nope"},))
    full = REQUEST | {"transactionMode": "bestEffort", "message": "Why"}
    read = read_batch_request(full)
    assert isinstance(read, BatchRequest)
    assert (read.mode, read.message, read.remarks) == ("bestEffort", "Why", ())


@pytest.mark.parametrize(
    ("change", "code", "path"),
    [
        ({"schemaVersion": "1"}, "UNSUPPORTED_SCHEMA_VERSION", "/schemaVersion"),
        ({"schemaVersion": None}, "INVALID_TYPE", "/schemaVersion"),
        ({"sceneId": 3}, "INVALID_TYPE", "/sceneId"),
        ({"baseRevision": 1.5}, "INVALID_VALUE", "/baseRevision"),
        ({"baseRevision": 0}, "OUT_OF_RANGE", "/baseRevision"),
        ({"baseRevision": True}, "INVALID_TYPE", "/baseRevision"),
        ({"ops": {}}, "INVALID_TYPE", "/ops"),
        ({"ops": [{}] * 1001}, "LIMIT_EXCEEDED", "/ops"),
        ({"transactionMode": "maybe"}, "INVALID_VALUE", "/transactionMode"),
        ({"message": "x" * 501}, "LIMIT_EXCEEDED", "/message"),
    ],
)
def test_a_malformed_request_says_what_is_wrong(change: Json, code: str, path: str) -> None:
    found = read_batch_request(REQUEST | change)
    assert isinstance(found, tuple)
    assert [(row.code, row.path) for row in found] == [(code, path)]


def test_a_request_that_lacks_everything_says_so_at_once() -> None:
    found = read_batch_request({})
    assert isinstance(found, tuple)
    assert [row.path for row in found] == ["/schemaVersion", "/sceneId", "/baseRevision", "/ops"]


@pytest.mark.parametrize("body", [None, [], "x", 3])
def test_a_request_must_be_an_object(body: object) -> None:
    found = read_batch_request(body)
    assert isinstance(found, tuple)
    assert [row.code for row in found] == ["INVALID_TYPE"]


@pytest.mark.parametrize("count", [999, 1000])
def test_a_thousand_operations_are_taken(count: int) -> None:
    assert isinstance(read_batch_request(REQUEST | {"ops": [{}] * count, "message": "x" * 500}), BatchRequest)


def test_an_unknown_member_of_a_request_is_remarked() -> None:
    read = read_batch_request(REQUEST | {"transactionmode": "bestEffort"})
    assert isinstance(read, BatchRequest)
    assert [(row.code, row.path) for row in read.remarks] == [("UNKNOWN_FIELD", "/transactionmode")]
    assert read.mode == "allOrNothing"


def test_an_operation_without_its_members_is_no_trouble_in_either_mode(shop: Json) -> None:
    for name in OPERATIONS:
        for op in ({"op": name}, {"op": name, "id": "web"}, {"op": name, "id": "new", "children": 3, "layout": "x"}):
            for mode in ("allOrNothing", "bestEffort"):
                batch = apply_operations(shop, [op, {"op": "moveElement", "id": "new", "x": 1, "y": 2}], mode)
                assert batch.document is shop or batch.succeeded
