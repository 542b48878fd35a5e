"""Which work on documents is done in the service's own process, and which by the engine."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from typing import Any

import pytest
from tests.steps import work
from worst.bodies import BODIES

from scenograph.engine.icons import DOCUMENT_LIMITS
from scenograph.scene.edits.draft import ComputedBounds
from scenograph.scene.json_values import JsonText
from scenograph.scene.limits import Limits
from scenograph.scene.strict_json import StrictJsonError
from scenograph.service.clock import Clock
from scenograph.service.documents import Documents
from scenograph.service.errors import ServiceError
from scenograph.service.places import Places
from scenograph.service.scenes import Scenes
from scenograph.service.support import Support
from scenograph.storage.interface import Store
from scenograph.workers import (
    BEGINS_AGAIN,
    CURRENT_PAYER,
    LIGHT_BYTES,
    EngineWorkers,
    InThisProcess,
    Reply,
    Share,
    TurnNeeded,
)

MOST_STEPS = 400_000  # some 40 ms

Make = Callable[..., dict[str, Any]]


@pytest.fixture(scope="module")
def workers() -> Iterator[EngineWorkers]:
    started = EngineWorkers(1, queue_seconds=30)
    yield started
    started.close()


class Payer:
    """Who pays for engine calls, and for how many."""

    def __init__(self) -> None:
        self.share = Share("owner ann", is_owner=True, at_once=1, timeout_seconds=30)
        self.charged: list[float] = []

    def require(self) -> None:
        """Something is left."""

    def charge(self, seconds: float) -> None:
        self.charged.append(seconds)


def large(document: Make, *elements: dict[str, Any], by: int = 1) -> dict[str, Any]:
    """A document that is not light, and so is every half of it."""
    filling = [
        {"id": f"n{number}", "kind": "node", "label": "N" * 200} for number in range(by * 2 * LIGHT_BYTES // 200)
    ]
    return document("orders", *elements, *filling)


def light(document: Make) -> dict[str, Any]:
    return document("orders")


class TestWhere:
    """A job begins in the process at hand or in an engine process by the bytes of its texts alone."""

    @pytest.mark.parametrize(
        ("job", "texts"),
        [
            ("read", [LIGHT_BYTES]),
            ("judge", [LIGHT_BYTES]),
            ("apply", [LIGHT_BYTES // 2, LIGHT_BYTES // 2]),
            ("follow", [LIGHT_BYTES // 2, LIGHT_BYTES // 2]),
            ("compare", [LIGHT_BYTES // 2, LIGHT_BYTES // 2]),
            ("mask", [2048]),
        ],
    )
    def test_a_job_above_its_bound_needs_a_turn_with_the_engine(
        self, workers: EngineWorkers, job: str, texts: list[int]
    ) -> None:
        broken = [b"x" * size for size in texts]
        token = BEGINS_AGAIN.set(True)
        try:
            with pytest.raises((StrictJsonError, ValueError, KeyError)):
                workers.do(job, {"limits": {}}, *broken)  # it was looked at here
            with pytest.raises(TurnNeeded):
                workers.do(job, {"limits": {}}, *broken[:-1], broken[-1] + b"x")
        finally:
            BEGINS_AGAIN.reset(token)

    @pytest.mark.parametrize("name", BODIES)
    def test_the_largest_that_is_judged_at_once_takes_few_steps(self, name: str) -> None:
        body, documents = BODIES[name](LIGHT_BYTES), Documents(DOCUMENT_LIMITS, InThisProcess())

        def judged() -> None:
            with suppress(ServiceError, StrictJsonError):
                documents.judge(body)

        documents.judge(BODIES["icons that are unknown"](2_000))  # what is loaded late, the index of icons too
        assert len(body) <= LIGHT_BYTES
        assert work(judged) < MOST_STEPS

    def test_what_it_took_is_charged(self, workers: EngineWorkers, document: Make) -> None:
        payer = Payer()
        token = CURRENT_PAYER.set(payer)
        try:
            Documents(Limits(), workers).judge(light(document))
            assert payer.charged == []
            Documents(Limits(), workers).judge(large(document))
        finally:
            CURRENT_PAYER.reset(token)
        assert len(payer.charged) == 1
        assert payer.charged[0] > 0


class Everywhere:
    """Work that is done by an engine process, and compared with what this process makes of it."""

    def __init__(self, workers: EngineWorkers) -> None:
        self._workers = workers
        self.jobs: list[str] = []

    def do(self, job: str, arguments: Mapping[str, Any], *texts: bytes, bounds: ComputedBounds | None = None) -> Reply:
        self.jobs.append(job)
        there = self._workers.do(job, arguments, *texts)
        if job != "mask" and bounds is None and len(texts) < 3:
            here = InThisProcess().do(job, arguments, *texts)
            assert (json.loads(json.dumps(here.facts)), here.body) == (json.loads(json.dumps(there.facts)), there.body)
        return there


class TestScenes:
    """Large scenes are created, edited, compared and masked by the engine, and end as they would here."""

    @pytest.fixture
    def work(self, workers: EngineWorkers) -> Everywhere:
        return Everywhere(workers)

    @pytest.fixture
    def scenes(self, store: Store, clock: Clock, work: Everywhere, workers: EngineWorkers) -> Scenes:
        return Scenes(store, Documents(Limits(), work), clock, Places(store, workers))

    @pytest.fixture
    def in_this_process(self, store: Store, clock: Clock, workers: EngineWorkers) -> Scenes:
        return Scenes(store, Documents(Limits()), clock, Places(store, workers))

    @pytest.fixture
    def late(self, store: Store, clock: Clock, workers: EngineWorkers, scenes: Scenes, batch: Make) -> Scenes:
        """What it works on is edited by another in the meantime."""

        class Overtaken(InThisProcess):
            def do(
                self, job: str, arguments: Mapping[str, Any], *texts: bytes, bounds: ComputedBounds | None = None
            ) -> Reply:
                del bounds
                done = workers.do(job, arguments, *texts)
                scenes.apply("ann", "orders", batch(1, {"op": "setText", "id": "n1", "text": "First"}))
                return done

        return Scenes(store, Documents(Limits(), Overtaken()), clock, Places(store, workers))

    def test_a_scene_is_edited_there_and_written_here(
        self, scenes: Scenes, document: Make, batch: Make, work: Everywhere
    ) -> None:
        scenes.create("ann", large(document))
        done = scenes.apply("ann", "orders", batch(1, {"op": "setText", "id": "n1", "text": "First"}))
        assert (done.revision, done.changed_ids) == (2, ("n1",))
        assert scenes.read("ann", "orders").document["elements"][1]["label"] == "First"
        assert work.jobs == ["judge", "apply"]

    def test_where_elements_stand_is_told_by_what_is_kept_of_them(
        self, scenes: Scenes, in_this_process: Scenes, document: Make, batch: Make, work: Everywhere
    ) -> None:
        scenes.create("ann", large(document))
        move = {"op": "moveElement", "id": "n1", "delta": {"x": 10, "y": 0}}
        scenes.apply("ann", "orders", batch(1, move))
        there = scenes.read("ann", "orders").document["elements"][1]["layout"]
        scenes.restore("ann", "orders", 1, 2)
        in_this_process.apply("ann", "orders", batch(3, move))
        assert scenes.read("ann", "orders").document["elements"][1]["layout"] == there
        assert work.jobs == ["judge", "apply", "apply", "compare"]

    def test_an_edit_that_comes_first_wins_however_long_another_is_worked_on(
        self, scenes: Scenes, late: Scenes, document: Make, batch: Make
    ) -> None:
        scenes.create("ann", large(document))
        with pytest.raises(ServiceError) as refused:
            late.apply("ann", "orders", batch(1, {"op": "setText", "id": "n2", "text": "Second"}))
        assert (refused.value.code, refused.value.extra["changedElementIds"]) == ("revision_conflict", ["n1"])
        assert scenes.read("ann", "orders").revision == 2

    def test_a_refused_batch_is_told_as_here(self, scenes: Scenes, document: Make, batch: Make) -> None:
        scenes.create("ann", large(document))
        bad = batch(1, {"op": "setText", "id": "m1", "text": "x"}, {"op": "nothing"})
        with pytest.raises(ServiceError) as refused:
            scenes.apply("ann", "orders", bad)
        assert refused.value.code in {"validation_failed", "invalid_request"}
        assert refused.value.diagnostics

    def test_a_large_scene_is_masked_there(
        self, scenes: Scenes, store: Store, clock: Clock, document: Make, work: Everywhere
    ) -> None:
        scenes.create("ann", document("orders", *({"id": f"n{n}", "kind": "node", "label": "Name"} for n in range(60))))
        support = Support(store, scenes, clock, Documents(Limits(), work))
        support.submit("ann", "orders", "Lines cross.", True)
        assert work.jobs[-1] == "mask"


@pytest.mark.parametrize("elements", [999, 1000])
def test_a_strangers_document_up_to_the_limit_is_taken(document: Make, elements: int) -> None:
    given = document("orders", *({"id": f"n{number}", "kind": "node"} for number in range(elements)))
    assert Documents(Limits()).judge(given, most_elements=1000).is_valid


def test_a_strangers_document_above_the_limit_is_refused_with_the_help_of_a_key() -> None:
    given = {"elements": [{}] * 1001}
    with pytest.raises(ServiceError, match="API key") as refused:
        Documents(Limits()).judge(given, most_elements=1000)
    assert refused.value.code == "scene_too_large"
    assert not Documents(Limits()).judge(given).is_valid


@pytest.mark.parametrize("odd", [{"elements": "many"}, {}])
def test_what_is_no_list_of_elements_is_left_to_validation(odd: object) -> None:
    assert not Documents(Limits()).judge(odd, most_elements=1000).is_valid


@pytest.mark.parametrize("odd", [None, [], "elements"])
def test_what_is_no_object_is_no_document(odd: object) -> None:
    with pytest.raises(ServiceError, match="must be a JSON object"):
        Documents(Limits()).judge(odd)


def test_the_same_text_compares_as_nothing_changed(document: Make) -> None:
    text = JsonText.of(document())
    assert Documents(Limits()).compare(text, text).change.changed_ids == ()
