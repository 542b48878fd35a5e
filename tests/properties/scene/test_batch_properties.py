"""What holds for every batch of operations, drawn at random, on sound documents."""

from __future__ import annotations

import copy
import json
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scenograph.diagnostics import Severity
from scenograph.scene.edits.operations import Batch, apply_operations
from scenograph.scene.json_values import same
from scenograph.scene.validation import validate

Json = dict[str, Any]
many = settings(deadline=None, max_examples=70, suppress_health_check=[HealthCheck.too_slow])
modes = st.sampled_from(["allOrNothing", "bestEffort"])


def bounds(document: Json) -> dict[str, dict[str, float]]:
    box = {"x": 10.0, "y": 20.0, "width": 30.0, "height": 40.0}
    return {element["id"]: box for element in document["elements"] if element["kind"] not in {"edge", "guide"}}


def run(drawn: Any, data: st.DataObject) -> tuple[Json, list[Any], str, Batch]:
    document, ops, mode = data.draw(drawn.sound_documents), data.draw(drawn.batches), data.draw(modes)
    return document, ops, mode, apply_operations(document, ops, mode, bounds)


def errors(document: Json) -> list[str]:
    return [row.code for row in validate(document) if row.severity is Severity.ERROR]


def parents(document: Json) -> dict[str, str]:
    return {
        child: element["id"]
        for element in document["elements"]
        if element["kind"] in {"frame", "group"}
        for child in element.get("children", element.get("childIds", []))
    }


def without_members(element: Json) -> Json:
    return {name: value for name, value in element.items() if name not in {"children", "childIds"}}


def paint_order(document: Json, among: set[str]) -> list[list[str]]:
    layers: dict[tuple[str, float], list[str]] = {}
    for element in document["elements"]:
        if element["id"] in among:
            layers.setdefault((element["kind"], float(element.get("zIndex", 0))), []).append(element["id"])
    return sorted(layers.values())


@many
@given(data=st.data())
def test_the_given_document_and_operations_are_never_changed(drawn: Any, data: st.DataObject) -> None:
    document, ops, mode = data.draw(drawn.sound_documents), data.draw(drawn.batches), data.draw(modes)
    before = copy.deepcopy((document, ops))
    batch = apply_operations(document, ops, mode, bounds)
    assert (document, ops) == before
    if not batch.succeeded:
        assert batch.document is document
        assert (batch.applied, batch.changed_ids) == (0, ())
        assert any(row.severity is Severity.ERROR for row in batch.diagnostics)


@many
@given(data=st.data())
def test_a_sound_document_stays_sound(drawn: Any, data: st.DataObject) -> None:
    document, _, _, batch = run(drawn, data)
    assert errors(document) == []
    assert errors(batch.document) == []


@many
@given(data=st.data())
def test_the_changed_ids_are_what_a_plain_comparison_finds(drawn: Any, data: st.DataObject) -> None:
    old, _, _, batch = run(drawn, data)
    new = batch.document
    before = {element["id"]: element for element in old["elements"]}
    after = {element["id"]: element for element in new["elements"]}
    kept = before.keys() & after.keys()
    held, holds = parents(old), parents(new)
    changed = {name for name in kept if not same(before[name], after[name]) or held.get(name) != holds.get(name)}
    repainted = set(batch.difference.modified) - changed
    assert set(batch.difference.added) == after.keys() - before.keys()
    assert set(batch.difference.removed) == before.keys() - after.keys()
    regrouped = set(batch.difference.regrouped)  # differ by members that came or went: these are told in their place
    assert changed <= set(batch.difference.modified) | regrouped <= kept
    assert all(same(without_members(before[name]), without_members(after[name])) for name in regrouped)
    assert paint_order(old, kept - changed - repainted) == paint_order(new, kept - changed - repainted)
    if not repainted:
        assert paint_order(old, kept - changed) == paint_order(new, kept - changed)
    assert batch.changed_ids == tuple(sorted((after.keys() ^ before.keys()) | changed | repainted))


@many
@given(data=st.data())
def test_no_operation_changes_an_id_or_a_kind_unless_it_makes_the_element_anew(drawn: Any, data: st.DataObject) -> None:
    document, ops, mode = data.draw(drawn.sound_documents), data.draw(drawn.batches), data.draw(modes)
    ops = [op for op in ops if not (isinstance(op, dict) and str(op.get("op")).startswith(("create", "group")))]
    batch = apply_operations(document, ops, mode, bounds)
    kinds = {element["id"]: element["kind"] for element in document["elements"]}
    assert all(kinds[element["id"]] == element["kind"] for element in batch.document["elements"])
    assert len({element["id"] for element in batch.document["elements"]}) == len(batch.document["elements"])


@many
@given(data=st.data())
def test_best_effort_does_just_what_the_surviving_operations_do_alone(drawn: Any, data: st.DataObject) -> None:
    document, ops = data.draw(drawn.sound_documents), data.draw(drawn.batches)
    batch = apply_operations(document, ops, "bestEffort", bounds)
    bad = {int(str(row.path).split("/")[2]) for row in batch.diagnostics if row.severity is Severity.ERROR and row.path}
    good = [op for index, op in enumerate(ops) if index not in bad]
    if batch.succeeded:
        assert batch.applied == len(good)
        again = apply_operations(document, good, "allOrNothing", bounds)
        assert again.succeeded, again.diagnostics
        assert again.document == batch.document


@many
@given(data=st.data())
def test_all_or_nothing_succeeds_just_when_best_effort_leaves_nothing_out(drawn: Any, data: st.DataObject) -> None:
    document, ops = data.draw(drawn.sound_documents), data.draw(drawn.batches)
    strict = apply_operations(document, ops, "allOrNothing", bounds)
    lax = apply_operations(document, ops, "bestEffort", bounds)
    assert strict.succeeded is (lax.succeeded and lax.applied == len(ops))
    if strict.succeeded:
        assert strict.document == lax.document


@many
@given(data=st.data())
def test_a_batch_is_the_same_every_time_and_its_diagnostics_point_at_operations(
    drawn: Any, data: st.DataObject
) -> None:
    document, ops, mode, batch = run(drawn, data)
    assert apply_operations(document, ops, mode, bounds) == batch
    for row in batch.diagnostics:
        assert row.path is not None
        assert row.path.startswith("/ops/")
        assert int(row.path.split("/")[2]) < len(ops)
        json.dumps(row.as_json(), allow_nan=False)


@many
@given(data=st.data())
def test_any_json_value_may_stand_for_an_operation(drawn: Any, data: st.DataObject) -> None:
    document = data.draw(drawn.sound_documents)
    ops = data.draw(st.lists(drawn.json_values, max_size=4))
    batch = apply_operations(document, ops, data.draw(modes), bounds)
    assert batch.succeeded is (ops == [])
