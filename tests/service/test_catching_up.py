"""Places are computed in the background, soon after each revision (R-KEEP-2)."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from tests.service.kept_places import WAIT_SECONDS, CountingEngine, Make, key_of, new

from scenograph.scene.limits import Limits
from scenograph.service.background import CatchingUp, Pace
from scenograph.service.documents import Documents
from scenograph.service.errors import ServiceError
from scenograph.service.places import Places
from scenograph.service.rate_limits import Fairness, MemoryCounter, ShareRules
from scenograph.service.scenes import Scenes
from scenograph.storage.interface import KeptPlaces, Store
from scenograph.workers import CURRENT_PAYER, Payer, WorkerOverloaded


class TestBackground:
    @pytest.fixture
    def catching_up(self, store: Store, places: Places) -> Iterator[CatchingUp]:
        running = CatchingUp(store, places, Pace(rest=0.01, longest=1.0, after_refusal=0.01))
        yield running
        running.begin_closing()
        running.join(WAIT_SECONDS)

    @pytest.fixture
    def written(self, store: Store, monkeypatch: pytest.MonkeyPatch) -> Callable[[int], KeptPlaces | None]:
        """Waits until something is written of a revision."""
        changed = threading.Condition()
        keep = store.keep_places

        def heard(key: int, revision: int, text: str | None) -> None:
            keep(key, revision, text)
            with changed:
                changed.notify_all()

        monkeypatch.setattr(store, "keep_places", heard)

        def wait_for(revision: int) -> KeptPlaces | None:
            with changed:
                changed.wait_for(lambda: store.kept_places(key_of(store), revision), WAIT_SECONDS)
            return store.kept_places(key_of(store), revision)

        return wait_for

    def test_new_revisions_get_their_places_without_a_reader(
        self, catching_up: CatchingUp, edit: Callable[..., int], written: Callable[[int], KeptPlaces | None]
    ) -> None:
        for number in range(20):
            edit(*([new(f"n{number}")] if number else []))
        catching_up.note("ann", "orders")
        catching_up.note("ann", "missing")
        assert written(20) is not None

    def test_it_tries_again_when_there_was_no_room(
        self,
        catching_up: CatchingUp,
        engine: CountingEngine,
        edit: Callable[..., int],
        written: Callable[[int], KeptPlaces | None],
    ) -> None:
        edit()
        engine.faults["Orders"] = [WorkerOverloaded("full")] * 3
        catching_up.note("ann", "orders")
        found = written(1)
        assert found is not None
        assert found.places is not None

    def test_a_scene_that_is_edited_on_and_on_is_put_off_only_so_long(
        self,
        store: Store,
        places: Places,
        edit: Callable[..., int],
        written: Callable[[int], KeptPlaces | None],
    ) -> None:
        edit()
        now = 0.0
        running = CatchingUp(store, places, Pace(rest=5.0, longest=10.0), elapsed=lambda: now)
        for second in range(0, 10, 2):
            now = float(second)
            running.note("ann", "orders")
            assert store.kept_places(key_of(store), 1) is None
        now = 10.0  # the last edit was 2 s ago, the first one 10 s
        running.note("ann", "orders")
        assert written(1) is not None
        running.begin_closing()
        running.join(WAIT_SECONDS)

    def test_the_owner_pays_and_waits_while_nothing_is_left(
        self, store: Store, places: Places, edit: Callable[..., int], written: Callable[[int], KeptPlaces | None]
    ) -> None:
        seconds = ShareRules(at_once=1, timeout_seconds=1.0, seconds_a_minute=60)
        fairness = Fairness(seconds, seconds, 10, MemoryCounter())
        paid: list[tuple[str, Payer | None]] = []

        def payer(owner: str) -> Payer:
            return fairness.payer(fairness.of_owner(owner))

        class Paying(Places):
            def step_in_background(self, key: int, until: int) -> bool:
                payer = CURRENT_PAYER.get()
                paid.append(("ann", payer))
                if payer is not None:
                    payer.require()
                return super().step_in_background(key, until)

        edit()
        fairness.spend(fairness.of_owner("ann"), 60.2)  # a fifth of a second is owed, and a whole one is to be there
        running = CatchingUp(store, Paying(store, CountingEngine()), Pace(0.01, 1.0, 0.01), payer_of=payer)
        running.note("ann", "orders")
        assert written(1) is not None
        running.begin_closing()
        running.join(WAIT_SECONDS)
        assert len(paid) > 1, "it was refused first"
        assert all(one is not None and one.share.name == "owner ann" for _, one in paid)

    def test_scenes_tell_it_of_every_revision(
        self, store: Store, clock: Any, places: Places, document: Make, batch: Make
    ) -> None:
        told: list[tuple[str, ...]] = []
        scenes = Scenes(store, Documents(Limits()), clock, places, lambda *scene: told.append(scene))
        scenes.create("ann", document())
        scenes.apply("ann", "orders", batch(1, new("c")))
        scenes.restore("ann", "orders", 1, 2)
        with pytest.raises(ServiceError):
            scenes.apply("ann", "orders", batch(1, new("c")))
        assert told == [("ann", "orders", "ann")] * 3
