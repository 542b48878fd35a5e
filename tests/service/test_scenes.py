"""Creating, reading and editing: what is kept, what is refused, and in which order."""

from __future__ import annotations

import copy
import json
from collections import Counter
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from itertools import count
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.service.kept_places import Standing

from scenograph.scene.limits import Limits
from scenograph.service.documents import Documents
from scenograph.service.errors import ServiceError
from scenograph.service.scenes import Scenes
from scenograph.storage.interface import Store
from scenograph.workers import WorkerOverloaded

Make = Callable[..., dict[str, Any]]
NODE = {"op": "createNode", "id": "c", "label": "C"}
RENAME_A = {"op": "updateNode", "id": "a", "label": "A2"}
fresh_number = count()
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=("Cs",))),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)  # fmt: skip


def computed_bounds(scene: Mapping[str, Any]) -> dict[str, dict[str, float]]:
    """Every element at its place in the list; what an engine would say."""
    return {
        element["id"]: {"x": 10.0 * index, "y": 0.0, "width": 100.0, "height": 60.0}
        for index, element in enumerate(scene["elements"])
    }


@pytest.fixture
def scenes(store: Store, clock: Any) -> Scenes:
    return Scenes(store, Documents(Limits()), clock, Standing(computed_bounds))


@pytest.fixture
def orders(scenes: Scenes, document: Make) -> dict[str, Any]:
    """Ann's scene `orders`, at revision 1."""
    made = document()
    scenes.create("ann", made)
    return made


def refused(call: Callable[[], object]) -> ServiceError:
    with pytest.raises(ServiceError) as refusal:
        call()
    return refusal.value


class TestCreating:
    def test_a_new_scene_is_revision_1_under_its_own_id(self, scenes: Scenes, document: Make) -> None:
        created = scenes.create("ann", document("orders"))
        assert (created.scene_id, created.revision, created.diagnostics) == ("orders", 1, ())

    def test_remarks_come_back_and_do_not_stop_it(self, scenes: Scenes, document: Make) -> None:
        created = scenes.create("ann", document("orders", colour="red"))
        assert [row.code for row in created.diagnostics] == ["UNKNOWN_FIELD"]
        assert scenes.read("ann", "orders").document["colour"] == "red"

    def test_an_invalid_document_is_refused_whole_with_every_problem(self, scenes: Scenes, document: Make) -> None:
        twice = {"id": "a", "kind": "node"}
        loose = {"id": "e", "kind": "edge", "from": {"elementId": "a"}, "to": {"elementId": "gone"}}
        refusal = refused(lambda: scenes.create("ann", document("orders", twice, twice, loose)))
        assert refusal.code == "validation_failed"
        assert {row.code for row in refusal.diagnostics} == {"DUPLICATE_ID", "ENDPOINT_NOT_FOUND"}
        assert refused(lambda: scenes.read("ann", "orders")).code == "scene_not_found"

    @pytest.mark.parametrize("body", [None, [], "text", 7, True])
    def test_what_is_no_object_is_no_request(self, scenes: Scenes, body: object) -> None:
        assert refused(lambda: scenes.create("ann", body)).code == "invalid_request"

    @settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
    @given(st.dictionaries(st.sampled_from(["schemaVersion", "scene", "elements", "x"]), json_values))
    def test_whatever_is_sent_is_answered_in_words(self, scenes: Scenes, body: dict[str, Any]) -> None:
        assert refused(lambda: scenes.create("ann", body)).code == "validation_failed"

    @pytest.mark.parametrize("scene_id", ["render", "validate", "normalize", "", "a/b", "ä", "-a", "x" * 129, "a\n", 7])
    def test_an_id_that_no_address_can_hold_is_refused(self, scenes: Scenes, document: Make, scene_id: object) -> None:
        refusal = refused(lambda: scenes.create("ann", document(scene_id)))
        assert refusal.code == "validation_failed"
        assert [row.path for row in refusal.diagnostics] == ["/scene/id"]

    def test_an_id_already_held_is_told_with_its_revision(
        self, scenes: Scenes, orders: dict[str, Any], document: Make, batch: Make
    ) -> None:
        scenes.apply("ann", "orders", batch(1, RENAME_A))
        refusal = refused(lambda: scenes.create("ann", document("orders", {"id": "z", "kind": "node"})))
        assert (refusal.code, refusal.extra) == ("scene_exists", {"currentRevision": 2})
        assert [element["id"] for element in scenes.read("ann", "orders").document["elements"]] == ["a", "b", "ab"]

    def test_an_id_in_the_deleted_list_is_told_apart(
        self, scenes: Scenes, orders: dict[str, Any], store: Any, document: Make
    ) -> None:
        with store._writing.begin() as connection:
            connection.exec_driver_sql("UPDATE scenes SET deleted_at = '2026-05-06 00:00:00.000000'")
        assert refused(lambda: scenes.create("ann", document("orders"))).code == "scene_recently_deleted"
        assert refused(lambda: scenes.read("ann", "orders")).code == "scene_not_found"

    def test_the_limits_are_those_handed_in(self, store: Store, clock: Any, document: Make) -> None:
        strict = Scenes(store, Documents(Limits(elements=2)), clock, Standing(computed_bounds))
        refusal = refused(lambda: strict.create("ann", document()))
        assert [row.code for row in refusal.diagnostics] == ["LIMIT_EXCEEDED"]


class TestReading:
    def test_what_was_sent_comes_back_as_the_same_json(self, scenes: Scenes, document: Make) -> None:
        sent = document("orders", metadata={"π": [1, 1.5, -0.25, 1e-7, 2**60, None, True, "\0 é \U0001f600"]})
        scenes.create("ann", copy.deepcopy(sent))
        assert scenes.read("ann", "orders").document == sent

    @settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
    @given(json_values)
    def test_unknown_members_survive_whatever_they_hold(self, scenes: Scenes, document: Make, value: object) -> None:
        name = f"s{next(fresh_number)}"
        sent = document(name, extensions={"mine": value})
        scenes.create("ann", sent)
        assert scenes.read("ann", name).document == sent

    def test_output_only_members_are_not_kept(self, scenes: Scenes, document: Make) -> None:
        scenes.create("ann", document("orders", computed={"bounds": {}}, diagnostics=[]))
        assert scenes.read("ann", "orders").document == document("orders")

    def test_every_revision_can_be_read(self, scenes: Scenes, orders: dict[str, Any], batch: Make, clock: Any) -> None:
        started = clock()
        clock.turn(minutes=5)
        scenes.apply("ann", "orders", batch(1, RENAME_A))
        old, new = scenes.read("ann", "orders", 1), scenes.read("ann", "orders")
        assert old.document == orders
        assert (old.revision, old.current_revision, new.revision, new.privacy) == (1, 2, 2, "private")
        assert old.created_at == new.created_at == started
        assert new.revision_created_at - old.revision_created_at == timedelta(minutes=5)

    @pytest.mark.parametrize("revision", [0, -1, 2, 2**31, 2**63, 10**30])
    def test_a_revision_that_never_was_is_not_found(
        self, scenes: Scenes, orders: dict[str, Any], revision: int
    ) -> None:
        refusal = refused(lambda: scenes.read("ann", "orders", revision))
        assert (refusal.code, refusal.extra) == ("revision_not_found", {"currentRevision": 1})

    @pytest.mark.parametrize(
        "scene_id", ["missing", "", "render", "a/b", "a\0b", "\ud800", "orders\n", "ORDERS", "x" * 5000]
    )
    def test_an_id_that_is_not_there_is_not_found(
        self, scenes: Scenes, orders: dict[str, Any], batch: Make, scene_id: str
    ) -> None:
        assert refused(lambda: scenes.read("ann", scene_id)).code == "scene_not_found"
        assert refused(lambda: scenes.read("ann", scene_id, 1)).code == "scene_not_found"

    def test_a_foreign_scene_and_a_missing_one_answer_alike(
        self, scenes: Scenes, orders: dict[str, Any], batch: Make
    ) -> None:
        calls: list[Callable[[str], object]] = [
            lambda name: scenes.read("bob", name),
            lambda name: scenes.read("bob", name, 1),
            lambda name: scenes.read("bob", name, 99),
            lambda name: scenes.apply("bob", name, batch(1, RENAME_A, scene_id=name)),
            lambda name: scenes.apply("bob", name, batch(7, RENAME_A, scene_id=name)),
        ]
        for call in calls:
            foreign, missing = refused(lambda call=call: call("orders")), refused(lambda call=call: call("missing"))
            assert (foreign.code, foreign.sentence, foreign.extra) == (missing.code, missing.sentence, missing.extra)
            assert foreign.code == "scene_not_found"


class TestApplying:
    def test_a_batch_is_one_revision_however_many_its_operations(
        self, scenes: Scenes, orders: dict[str, Any], batch: Make
    ) -> None:
        applied = scenes.apply("ann", "orders", batch(1, NODE, RENAME_A, {"op": "deleteElement", "id": "b"}))
        assert (applied.scene_id, applied.revision, applied.applied) == ("orders", 2, 3)
        assert applied.changed_ids == ("a", "ab", "b", "c")
        assert "CASCADE_DELETED" in {row.code for row in applied.diagnostics}
        assert [element["id"] for element in scenes.read("ann", "orders").document["elements"]] == ["a", "c"]

    def test_a_batch_that_changes_nothing_still_makes_one(
        self, scenes: Scenes, orders: dict[str, Any], batch: Make
    ) -> None:
        same = scenes.apply("ann", "orders", batch(1, {"op": "updateNode", "id": "a", "label": "A"}))
        assert (same.revision, same.applied, same.changed_ids) == (2, 1, ())
        empty = scenes.apply("ann", "orders", batch(2))
        assert (empty.revision, empty.applied, empty.changed_ids) == (3, 0, ())
        assert scenes.read("ann", "orders").document == orders

    def test_a_stale_base_is_refused_with_what_changed(
        self, scenes: Scenes, orders: dict[str, Any], batch: Make
    ) -> None:
        scenes.apply("ann", "orders", batch(1, NODE))
        scenes.apply("ann", "orders", batch(2, RENAME_A))
        refusal = refused(lambda: scenes.apply("ann", "orders", batch(1, RENAME_A)))
        assert (refusal.code, refusal.sentence) == ("revision_conflict", "Revision conflict")
        assert refusal.extra == {"currentRevision": 3, "changedElementIds": ["a", "c"]}
        refusal = refused(lambda: scenes.apply("ann", "orders", batch(2, RENAME_A)))
        assert refusal.extra == {"currentRevision": 3, "changedElementIds": ["a"]}

    def test_a_body_without_what_is_required_gets_the_text_to_add(
        self, scenes: Scenes, orders: dict[str, Any], batch: Make
    ) -> None:
        scenes.apply("ann", "orders", batch(1, NODE))
        refusal = refused(lambda: scenes.apply("ann", "orders", {}))
        texts = ['"schemaVersion": "0.1"', '"sceneId": "orders"', '"baseRevision": 2', '"ops": []']
        assert [(row.data or {}).get("add") for row in refusal.diagnostics] == texts
        assert all(f"Add {text}." in row.message for row, text in zip(refusal.diagnostics, texts, strict=True))
        completed = json.loads(f"{{{', '.join(texts)}}}")
        assert scenes.apply("ann", "orders", completed).revision == 3
        foreign = refused(lambda: scenes.apply("bob", "orders", {}))
        assert "baseRevision" in foreign.diagnostics[2].message
        assert foreign.diagnostics[2].data is None

    @pytest.mark.parametrize("base", [2, 99, 2**31 - 1])
    def test_a_base_that_is_yet_to_come_is_a_conflict_too(
        self, scenes: Scenes, orders: dict[str, Any], batch: Make, base: int
    ) -> None:
        refusal = refused(lambda: scenes.apply("ann", "orders", batch(base, RENAME_A)))
        assert refusal.code == "revision_conflict"
        assert refusal.extra == {"currentRevision": 1, "changedElementIds": []}

    def test_one_bad_operation_leaves_everything_as_it_was(
        self, scenes: Scenes, orders: dict[str, Any], batch: Make
    ) -> None:
        bad = {"op": "updateNode", "id": "gone", "label": "X"}
        refusal = refused(lambda: scenes.apply("ann", "orders", batch(1, NODE, bad)))
        assert refusal.code == "validation_failed"
        assert [(row.code, row.path) for row in refusal.diagnostics] == [("OP_TARGET_NOT_FOUND", "/ops/1/id")]
        read = scenes.read("ann", "orders")
        assert (read.revision, read.document) == (1, orders)

    def test_best_effort_keeps_what_applies(self, scenes: Scenes, orders: dict[str, Any], batch: Make) -> None:
        bad = {"op": "updateNode", "id": "gone", "label": "X"}
        applied = scenes.apply("ann", "orders", batch(1, bad, NODE, transactionMode="bestEffort"))
        assert (applied.revision, applied.applied, applied.changed_ids) == (2, 1, ("c",))
        assert [row.code for row in applied.diagnostics] == ["OP_TARGET_NOT_FOUND"]
        nothing = refused(lambda: scenes.apply("ann", "orders", batch(2, bad, transactionMode="bestEffort")))
        assert nothing.code == "validation_failed"

    def test_an_engine_placed_element_moves_from_its_computed_place(
        self, scenes: Scenes, orders: dict[str, Any], batch: Make
    ) -> None:
        scenes.apply("ann", "orders", batch(1, {"op": "moveElement", "id": "b", "delta": {"dx": 5, "dy": 7}}))
        layout = scenes.read("ann", "orders").document["elements"][1]["layout"]
        assert (layout["mode"], layout["x"], layout["y"]) == ("absolute", 15, 7)

    def test_a_busy_engine_is_a_refusal_that_says_when_to_try_again(
        self, store: Store, clock: Any, orders: dict[str, Any], batch: Make
    ) -> None:
        def busy(_scene: object) -> dict[str, dict[str, float]]:
            raise WorkerOverloaded

        move = batch(1, {"op": "moveElement", "id": "b", "delta": {"dx": 5, "dy": 7}})
        scenes = Scenes(store, Documents(Limits()), clock, Standing(busy))
        refusal = refused(lambda: scenes.apply("ann", "orders", move))
        assert refusal.code == "overloaded"
        assert refusal.retry_after
        assert scenes.read("ann", "orders").revision == 1

    def test_unknown_members_of_the_body_are_remarked(
        self, scenes: Scenes, orders: dict[str, Any], batch: Make
    ) -> None:
        applied = scenes.apply("ann", "orders", batch(1, RENAME_A, mesage="typo"))
        assert [(row.code, row.path) for row in applied.diagnostics] == [("UNKNOWN_FIELD", "/mesage")]

    @pytest.mark.parametrize(
        "body",
        [
            None, [], "text", {},
            {"schemaVersion": "0.1", "sceneId": "orders", "baseRevision": 1},
            {"schemaVersion": "0.1", "sceneId": "orders", "baseRevision": "1", "ops": []},
            {"schemaVersion": "0.1", "sceneId": "orders", "baseRevision": True, "ops": []},
            {"schemaVersion": "0.1", "sceneId": "orders", "baseRevision": 1.5, "ops": []},
            {"schemaVersion": "0.1", "sceneId": "orders", "baseRevision": 1, "ops": {}},
            {"schemaVersion": "0.1", "sceneId": "other", "baseRevision": 1, "ops": []},
            {"schemaVersion": "0.1", "sceneId": "orders", "baseRevision": 1, "ops": [], "transactionMode": "some"},
            {"schemaVersion": "0.1", "sceneId": "orders", "baseRevision": 1, "ops": [], "message": 7},
        ],
    )  # fmt: skip
    def test_a_body_of_another_shape_is_no_request(self, scenes: Scenes, orders: dict[str, Any], body: object) -> None:
        assert refused(lambda: scenes.apply("ann", "orders", body)).code == "invalid_request"
        assert scenes.read("ann", "orders").revision == 1

    @pytest.mark.parametrize(
        ("more", "code"),
        [
            ({"message": "x" * 501}, "LIMIT_EXCEEDED"),
            ({"ops": [RENAME_A] * 1001}, "LIMIT_EXCEEDED"),
            ({"schemaVersion": "9.9"}, "UNSUPPORTED_SCHEMA_VERSION"),
        ],
    )
    def test_a_whole_body_that_asks_for_too_much_fails_validation(
        self, scenes: Scenes, orders: dict[str, Any], batch: Make, more: dict[str, Any], code: str
    ) -> None:
        refusal = refused(lambda: scenes.apply("ann", "orders", batch(1) | more))
        assert refusal.code == "validation_failed"
        assert code in {row.code for row in refusal.diagnostics}

    def test_the_checks_come_in_one_order(self, scenes: Scenes, orders: dict[str, Any], batch: Make) -> None:
        bad = {"op": "no such operation"}
        missing, stale = batch(7, bad, scene_id="missing"), batch(7, bad)
        assert refused(lambda: scenes.apply("ann", "missing", missing | {"ops": 1})).code == "invalid_request"
        assert refused(lambda: scenes.apply("ann", "missing", missing)).code == "scene_not_found"
        assert refused(lambda: scenes.apply("ann", "orders", stale)).code == "revision_conflict"
        assert refused(lambda: scenes.apply("ann", "orders", batch(1, bad))).code == "validation_failed"


class TestManyAtOnce:
    def test_of_many_edits_on_one_base_one_is_applied(
        self, scenes: Scenes, orders: dict[str, Any], batch: Make
    ) -> None:
        def edit(number: int) -> str:
            try:
                scenes.apply("ann", "orders", batch(1, {"op": "updateNode", "id": "a", "label": f"by {number}"}))
            except ServiceError as refusal:
                return refusal.code
            return "applied"

        with ThreadPoolExecutor(16) as pool:
            answers = Counter(pool.map(edit, range(32)))
        assert answers == {"applied": 1, "revision_conflict": 31}

    def test_editors_who_merge_and_try_again_all_get_their_edit_in(
        self, scenes: Scenes, orders: dict[str, Any], batch: Make
    ) -> None:
        def edit(number: int) -> int:
            base = 1
            while True:
                try:
                    op = {"op": "createNode", "id": f"n{number}", "label": str(number)}
                    return scenes.apply("ann", "orders", batch(base, op)).revision
                except ServiceError as refusal:
                    assert refusal.code == "revision_conflict"  # noqa: PT017 - any other is a failure
                    base = refusal.extra["currentRevision"]

        with ThreadPoolExecutor(8) as pool:
            revisions = sorted(pool.map(edit, range(40)))
        assert revisions == list(range(2, 42))
        read = scenes.read("ann", "orders")
        assert len(read.document["elements"]) == 43


class TestTheKeptRevision:
    def test_it_has_the_message_the_summary_and_what_a_list_shows(
        self, scenes: Scenes, orders: dict[str, Any], batch: Make, store: Any
    ) -> None:
        ops = (NODE, RENAME_A, {"op": "deleteElement", "id": "b"}, {"op": "updateScene", "title": "New"})
        scenes.apply("ann", "orders", batch(1, *ops, message="Split"))
        with store._reading.connect() as connection:
            rows = connection.exec_driver_sql(
                "SELECT message, added, removed, modified, changed_ids FROM revisions ORDER BY revision"
            ).all()
            listed = connection.exec_driver_sql("SELECT title, diagram_family, revision FROM scenes").one()
        assert rows == [(None, None, None, None, "[]"), ("Split", 1, 2, 1, '["a", "ab", "b", "c"]')]
        assert listed == ("New", "architecture", 2)


def test_an_account_that_is_deleted_meanwhile_is_told_so(scenes: Scenes, document: Callable[..., Any]) -> None:
    with pytest.raises(ServiceError) as refused:
        scenes.create("deleted", document())
    assert refused.value.code == "invalid_api_key"
