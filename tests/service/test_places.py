"""A scene keeps its picture from revision to revision, whatever was rendered when (R-KEEP-2, R-KEEP-3)."""

from __future__ import annotations

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from tests.service.kept_places import CountingEngine, Make, bounds_of, kept, key_of, new, x_of

from scenograph.service.errors import ServiceError
from scenograph.service.places import Places, sketch_of
from scenograph.service.scenes import Scenes
from scenograph.storage.interface import Basis, Origin, Store
from scenograph.workers import TaskFailed, WorkerCrashed, WorkerOverloaded, WorkerTimedOut

SKETCH = {"canvas": {"width": 9}, "bounds": {"a": {"x": 7}, "x": {"x": 8}}, "edgePaths": {"a": {"points": []}}}


class TestChains:
    def test_the_latest_is_computed_through_all_before_it_once(
        self, places: Places, store: Store, engine: CountingEngine, edit: Callable[..., int]
    ) -> None:
        for name in ("", "c", "d"):
            edit(*([new(name)] if name else []))
        assert (x_of(places, store, 3, "d"), x_of(places, store, 3, "c")) == (300, 200)
        assert engine.asked == ["Orders", "r2", "r3"]
        assert x_of(places, store, 1, "a") == 0
        assert len(engine.asked) == 3

    @pytest.mark.parametrize("order", [(1, 2, 3, 4), (4,), (2, 4, 1, 3), (3, 3, 1, 4)])
    def test_it_does_not_matter_which_revision_is_asked_for_when(
        self, places: Places, store: Store, edit: Callable[..., int], order: tuple[int, ...]
    ) -> None:
        for ops in ([], [new("c")], [{"op": "deleteElement", "id": "a"}], [new("e"), {"op": "relayout", "ids": ["b"]}]):
            edit(*ops)
        for revision in order:
            places.recall(key_of(store), revision)
        assert [
            sorted((name, box["x"]) for name, box in (kept(store, n) or {})["bounds"].items()) for n in (1, 3, 4)
        ] == [
            [("a", 0), ("b", 0)],
            [("b", 0), ("c", 200)],
            [("b", 100), ("c", 200), ("e", 100)],
        ]

    def test_many_readers_at_once_compute_each_revision_once(
        self, places: Places, store: Store, engine: CountingEngine, edit: Callable[..., int]
    ) -> None:
        for name in ("", "c", "d", "e"):
            edit(*([new(name)] if name else []))
        with ThreadPoolExecutor(8) as pool:
            answers = list(pool.map(lambda n: bounds_of(places, store, 1 + n % 4), range(16)))
        assert all(answer == answers[index % 4] for index, answer in enumerate(answers))
        assert sorted(engine.asked) == ["Orders", "r2", "r3", "r4"]

    def test_a_long_chain_is_refused_after_a_while_and_goes_on_from_there(
        self, store: Store, engine: CountingEngine, edit: Callable[..., int]
    ) -> None:
        for number in range(20):
            edit(*([new(f"n{number}")] if number else []))
        ticks = iter(range(1000))
        hasty = Places(store, engine, patience_seconds=5, elapsed=lambda: next(ticks))
        refusals = []
        for _ in range(20):
            try:
                assert hasty.recall(key_of(store), 20) is not None
                break
            except ServiceError as refusal:
                refusals.append(refusal)
        assert refusals
        assert {refusal.code for refusal in refusals} == {"overloaded"}
        assert all(refusal.retry_after for refusal in refusals)
        assert len(engine.asked) == 20

    def test_what_another_server_has_written_first_counts(
        self, places: Places, store: Store, edit: Callable[..., int]
    ) -> None:
        edit()
        theirs = '{"bounds":{"a":{"x":7,"y":7,"width":1,"height":1}}}'
        store.keep_places(key_of(store), 1, theirs)
        edit(new("c"))
        assert x_of(places, store, 2, "a") == 7


class TestFaults:
    @pytest.mark.parametrize(
        "faults", [[WorkerTimedOut("slow")], [TaskFailed("broken")], [WorkerCrashed("lost"), WorkerCrashed("lost")]]
    )
    def test_a_revision_that_cannot_be_laid_out_has_none_and_the_next_goes_on_from_the_last(
        self, places: Places, store: Store, engine: CountingEngine, edit: Callable[..., int], faults: list[Exception]
    ) -> None:
        edit()
        edit(new("c"))
        edit({"op": "relayout", "ids": ["a"]})
        edit(new("d"))
        engine.faults["r3"] = list(faults)
        assert x_of(places, store, 4, "c") == 200
        assert kept(store, 3) is None
        assert x_of(places, store, 4, "a") == 200  # anew, after b and c, though revision 3 has no places
        assert "a" not in bounds_of(places, store, 3)
        assert engine.asked.count("r3") == len(faults)

    def test_a_worker_lost_once_says_nothing_about_the_scene(
        self, places: Places, store: Store, engine: CountingEngine, edit: Callable[..., int]
    ) -> None:
        edit()
        engine.faults["Orders"] = [WorkerCrashed("killed from outside")]
        assert x_of(places, store, 1, "a") == 0

    def test_no_room_is_a_refusal_and_writes_nothing(
        self, places: Places, store: Store, engine: CountingEngine, edit: Callable[..., int]
    ) -> None:
        edit()
        engine.faults["Orders"] = [WorkerOverloaded("full")]
        with pytest.raises(ServiceError) as refusal:
            places.recall(key_of(store), 1)
        assert refusal.value.code == "overloaded"
        assert store.kept_places(key_of(store), 1) is None
        assert x_of(places, store, 1, "a") == 0

    def test_a_caller_with_less_time_says_nothing_about_the_scene(
        self, places: Places, store: Store, engine: CountingEngine, edit: Callable[..., int]
    ) -> None:
        edit()
        engine.faults["Orders"] = [WorkerTimedOut("a stranger's share")]
        with pytest.raises(ServiceError) as refusal:
            places.recall(key_of(store), 1, in_full=False)
        assert refusal.value.code == "render_timeout"
        assert store.kept_places(key_of(store), 1) is None

    @pytest.mark.parametrize("fault", [WorkerTimedOut("cut off"), WorkerCrashed("closed")])
    def test_what_the_end_of_the_service_cuts_off_says_nothing_about_the_scene(
        self, places: Places, store: Store, engine: CountingEngine, edit: Callable[..., int], fault: Exception
    ) -> None:
        edit()
        places.begin_closing()
        engine.faults["Orders"] = [fault, fault]
        with pytest.raises(ServiceError):
            places.recall(key_of(store), 1)
        assert store.kept_places(key_of(store), 1) is None

    def test_computed_of_a_revision_without_places_is_what_its_picture_shows(
        self, places: Places, store: Store, scenes: Scenes, edit: Callable[..., int]
    ) -> None:
        edit()
        edit(new("c"))
        store.keep_places(key_of(store), 1, None)
        assert places.computed(key_of(store), 1, scenes.read("ann", "orders", 1).document)["bounds"]["a"]["x"] == 0
        assert kept(store, 1) is None


class TestOrigins:
    def test_a_created_scene_keeps_the_sketch_it_came_with_and_not_in_its_document(
        self, places: Places, store: Store, scenes: Scenes, document: Make
    ) -> None:
        stood = {"a": {"x": 70, "y": 7, "width": 1, "height": 1}}
        scenes.create("ann", document(computed={"bounds": stood}, diagnostics=[]))
        assert "computed" not in scenes.read("ann", "orders").document
        assert x_of(places, store, 1, "a") == 70

    @pytest.mark.parametrize("computed", [None, 7, {}, {"bounds": []}, {"bounds": {}}, [1]])
    def test_a_sketch_without_places_is_none(self, store: Store, scenes: Scenes, document: Make, computed: Any) -> None:
        scenes.create("ann", document(computed=computed))
        basis = store.basis(key_of(store), 1)
        assert basis is not None
        assert basis.origins == ()

    def test_elements_that_are_placed_anew_are_told_and_lose_their_boxes_and_ways(self) -> None:
        basis = Basis(document="{}", former=json.dumps(SKETCH), origins=(Origin(relaid=("a", "width")),), restored=None)
        assert json.loads(sketch_of(basis) or "") == {
            "canvas": {"width": 9},
            "bounds": {"x": {"x": 8}},
            "edgePaths": {},
            "relaid": ["a", "width"],
        }

    def test_all_anew_means_no_sketch_at_all(self) -> None:
        basis = Basis(document="{}", former=json.dumps(SKETCH), origins=(Origin(relays_all=True),), restored=None)
        assert sketch_of(basis) is None

    def test_another_algorithm_places_all_anew(self, places: Places, store: Store, edit: Callable[..., int]) -> None:
        for ops in ([], [new("c")], [{"op": "updateScene", "layoutStrategy": {"algorithm": "grid"}}]):
            edit(*ops)
        assert (x_of(places, store, 2, "c"), x_of(places, store, 3, "c")) == (200, 0)

    def test_a_restored_revision_takes_the_places_of_the_one_it_restores(
        self, places: Places, store: Store, scenes: Scenes, edit: Callable[..., int]
    ) -> None:
        edit()
        edit({"op": "relayout"}, new("c"))
        edit({"op": "deleteElement", "id": "a"})
        restored = scenes.restore("ann", "orders", 2, 3)
        assert (restored.revision, restored.restored_revision, restored.changed_ids) == (4, 2, ("a", "ab"))
        assert scenes.read("ann", "orders").document == scenes.read("ann", "orders", 2).document
        places.recall(key_of(store), 4)
        assert kept(store, 4) == kept(store, 2)
        assert kept(store, 4) != kept(store, 3)

    def test_moving_what_the_engine_placed_starts_from_where_it_stands(
        self, scenes: Scenes, engine: CountingEngine, edit: Callable[..., int]
    ) -> None:
        edit()
        edit(new("c"))
        edit({"op": "moveElement", "id": "c", "delta": {"dx": 5, "dy": 0}})
        layout = scenes.read("ann", "orders").document["elements"][3]["layout"]
        assert layout == {"mode": "absolute", "x": 205, "y": 0}
        assert engine.asked == ["Orders", "r2"]


class TestRestoring:
    @pytest.mark.parametrize(
        ("numbers", "code"),
        [
            ((1, 1), "revision_conflict"),
            ((3, 2), "revision_not_found"),
            (("1", 2), "invalid_request"),
            ((1, None), "invalid_request"),
            ((True, 2), "invalid_request"),
            ((0, 2), "invalid_request"),
        ],
    )
    def test_what_cannot_be_restored_is_refused_and_nothing_is_written(
        self, scenes: Scenes, store: Store, edit: Callable[..., int], numbers: Any, code: str
    ) -> None:
        edit()
        edit(new("c"))
        with pytest.raises(ServiceError) as refusal:
            scenes.restore("ann", "orders", *numbers)
        assert refusal.value.code == code
        assert store.current_revision("ann", "orders") == 2

    def test_nobody_restores_what_is_not_theirs(self, scenes: Scenes, edit: Callable[..., int]) -> None:
        edit()
        with pytest.raises(ServiceError) as refusal:
            scenes.restore("bob", "orders", 1, 1)
        assert refusal.value.code == "scene_not_found"
