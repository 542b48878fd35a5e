"""A scene's life: what every trigger does in every state, the 24 hours, the purge, and what two callers do at once."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from chaos.races import RACES, run
from tests.service.kept_places import Standing

from scenograph.scene.edits.draft import no_bounds
from scenograph.scene.limits import Limits
from scenograph.service.background import Purging
from scenograph.service.documents import Documents
from scenograph.service.errors import ServiceError
from scenograph.service.lifecycle import DELETED, GONE, RECOVERY, TRANSITIONS, Lifecycle, purge
from scenograph.service.scenes import Scenes
from scenograph.service.support import Support
from scenograph.storage.interface import DeletionLimit, StorageUnavailable, Store
from scenograph.storage.postgres import open_postgres
from scenograph.storage.sqlite import open_sqlite

Make = Callable[..., dict[str, Any]]
COUNT = 80  # of each race; `scripts/make_trouble.py races` runs more
NO_LIMIT = DeletionLimit(most=1_000_000, window=timedelta(minutes=1))
WAYS = {
    "private": (),
    "support": ("submit",),
    "public": ("publish",),
    DELETED: ("publish", "delete"),
    GONE: ("delete", "purge"),
}  # how a new scene gets into each state
INSTANT = timedelta(microseconds=1)


@pytest.fixture
def scenes(store: Store, clock: Any) -> Scenes:
    return Scenes(store, Documents(Limits()), clock, Standing(no_bounds))


@pytest.fixture
def lifecycle(store: Store, clock: Any) -> Lifecycle:
    return Lifecycle(store, clock)


@pytest.fixture
def support(store: Store, scenes: Scenes, clock: Any) -> Support:
    return Support(store, scenes, clock, Documents(Limits()))


@pytest.fixture
def orders(scenes: Scenes, document: Make) -> str:
    return scenes.create("ann", document("orders")).scene_id


def refusal(call: Callable[[], object]) -> str:
    with pytest.raises(ServiceError) as refused:
        call()
    return refused.value.code


def state_of(store: Store, clock: Any) -> str:
    read = store.read_scene("ann", "orders")
    if read is not None:
        return read.privacy
    return DELETED if store.deleted_scenes("ann", clock() - RECOVERY) else GONE


class TestTransitions:
    @pytest.fixture
    def trigger(self, store: Store, lifecycle: Lifecycle, support: Support, clock: Any) -> Callable[[str], object]:
        acts: dict[str, Callable[[], object]] = {
            "delete": lambda: lifecycle.delete("ann", "orders"),
            "undelete": lambda: lifecycle.undelete("ann", "orders"),
            "submit": lambda: support.submit("ann", "orders", "it is broken", False),
            "publish": lambda: lifecycle.publish("ann", "orders"),
            "make_private": lambda: lifecycle.make_private("ann", "orders"),
        }

        def act(name: str) -> object:
            if name != "purge":
                return acts[name]()
            clock.turn(hours=24)
            return purge(store, clock())

        return act

    @pytest.mark.parametrize("name", TRANSITIONS)
    @pytest.mark.parametrize("start", WAYS)
    @pytest.mark.usefixtures("orders")
    def test_every_trigger_does_in_every_state_what_the_table_says(
        self, store: Store, clock: Any, trigger: Callable[[str], object], start: str, name: str
    ) -> None:
        for step in WAYS[start]:
            trigger(step)
        assert state_of(store, clock) == start
        row = TRANSITIONS[name]
        if start in row.sources:
            trigger(name)
            assert state_of(store, clock) == row.target
        elif name == "purge":
            assert trigger(name) == 0
            assert state_of(store, clock) == start
        else:
            assert refusal(lambda: trigger(name)) == row.refusals.get(start, "scene_not_found")
            assert state_of(store, clock) == start

    @pytest.mark.parametrize("scene_id", ["missing", "hers", "", "a/b", "\0", "ä", "x" * 200])
    def test_a_foreign_scene_and_a_missing_one_answer_alike(
        self, lifecycle: Lifecycle, support: Support, scenes: Scenes, document: Make, scene_id: str
    ) -> None:
        scenes.create("ann", document("hers"))
        for call in (lifecycle.delete, lifecycle.undelete, lifecycle.publish, lifecycle.make_private, support.views):
            assert refusal(lambda call=call: call("bob", scene_id)) == "scene_not_found"
        assert refusal(lambda: support.submit("bob", scene_id, "x", False)) == "scene_not_found"
        assert scenes.read("ann", "hers").privacy == "private"


class TestRecovery:
    def test_a_deleted_scene_is_listed_until_it_expires(self, lifecycle: Lifecycle, orders: str, clock: Any) -> None:
        at = clock()
        lifecycle.delete("ann", orders)
        clock.turn(hours=23, minutes=59)
        (item,) = lifecycle.recoverable("ann")
        assert (item.scene.scene_id, item.scene.title) == ("orders", "Orders")
        assert (item.scene.deleted_at, item.expires_at) == (at, at + timedelta(hours=24))

    def test_the_last_instant_still_counts(self, lifecycle: Lifecycle, orders: str, clock: Any) -> None:
        lifecycle.delete("ann", orders)
        clock.now += RECOVERY - INSTANT
        assert lifecycle.undelete("ann", orders) == 1

    def test_after_it_the_scene_is_gone_even_when_nobody_purged(
        self, lifecycle: Lifecycle, orders: str, clock: Any
    ) -> None:
        lifecycle.delete("ann", orders)
        clock.now += RECOVERY
        assert lifecycle.recoverable("ann") == ()
        assert refusal(lambda: lifecycle.undelete("ann", orders)) == "scene_not_found"

    def test_its_id_is_free_from_that_instant(
        self, store: Store, lifecycle: Lifecycle, document: Make, clock: Any
    ) -> None:
        scenes = Scenes(store, Documents(Limits()), clock, Standing(no_bounds))
        scenes.create("ann", document("orders"))
        lifecycle.delete("ann", "orders")
        clock.now += RECOVERY - INSTANT
        assert refusal(lambda: scenes.create("ann", document("orders"))) == "scene_recently_deleted"
        clock.now += INSTANT
        assert scenes.create("ann", document("orders")).revision == 1
        assert lifecycle.recoverable("ann") == ()

    def test_an_id_that_is_given_away_destroys_nothing(
        self, store: Store, scenes: Scenes, lifecycle: Lifecycle, document: Make, clock: Any
    ) -> None:
        scenes.create("ann", document("orders"))
        right = clock()
        lifecycle.delete("ann", "orders")
        clock.turn(days=365)
        assert scenes.create("ann", document("orders")).revision == 1
        clock.now = right
        assert lifecycle.recoverable("ann") == (), "the id is another scene's now"
        assert refusal(lambda: lifecycle.undelete("ann", "orders")) == "scene_not_deleted"
        assert purge(store, right + 365 * RECOVERY, right) == 0, "only time that has passed destroys"
        assert purge(store, right + 365 * RECOVERY, right + RECOVERY) == 1
        assert scenes.read("ann", "orders").revision == 1

    def test_a_scene_comes_back_with_its_history(
        self, lifecycle: Lifecycle, scenes: Scenes, orders: str, batch: Make
    ) -> None:
        scenes.apply("ann", orders, batch(1, {"op": "updateNode", "id": "a", "label": "A2"}))
        lifecycle.delete("ann", orders)
        assert lifecycle.undelete("ann", orders) == 2
        assert scenes.read("ann", orders, 1).document["elements"][0]["label"] == "A"
        assert scenes.read("ann", orders).document["elements"][0]["label"] == "A2"

    def test_the_eleventh_deletion_of_a_minute_is_refused_with_when(
        self, lifecycle: Lifecycle, scenes: Scenes, document: Make, clock: Any
    ) -> None:
        for number in range(11):
            scenes.create("ann", document(f"s{number}"))
        for number in range(10):
            lifecycle.delete("ann", f"s{number}")
            clock.turn(seconds=2)
        with pytest.raises(ServiceError) as refused:
            lifecycle.delete("ann", "s10")
        assert (refused.value.code, refused.value.retry_after) == ("rate_limited", 40.0)
        clock.turn(seconds=40)
        lifecycle.delete("ann", "s10")


class TestPurge:
    def test_what_is_due_goes_and_nothing_else(
        self, store: Store, lifecycle: Lifecycle, scenes: Scenes, document: Make, clock: Any
    ) -> None:
        for name in ("due", "late", "kept"):
            scenes.create("ann", document(name))
        lifecycle.delete("ann", "due")
        clock.turn(seconds=1)
        lifecycle.delete("ann", "late")
        clock.now += RECOVERY - timedelta(seconds=1)
        assert purge(store, clock()) == 1
        assert [item.scene.scene_id for item in lifecycle.recoverable("ann")] == ["late"]
        assert scenes.create("ann", document("due")).revision == 1
        assert scenes.read("ann", "kept").revision == 1

    def test_the_loop_purges_by_itself_and_survives_a_store_that_fails(self, store: Store, clock: Any) -> None:
        seen: list[datetime] = []
        enough = threading.Event()

        class Failing:
            """A store whose first answer is none."""

            def purge(self, deleted_until: datetime, limit: int, passed_until: datetime) -> int:
                seen.append(deleted_until)
                if len(seen) == 1:
                    raise StorageUnavailable("not now")
                enough.set()
                return store.purge(deleted_until, limit, passed_until)

        others = set(threading.enumerate())
        loop = Purging(Failing(), clock, clock, every_seconds=0.001)  # type: ignore[arg-type]
        assert enough.wait(10)
        loop.begin_closing()
        loop.join(10)
        count = len(seen)
        assert seen[0] == clock() - RECOVERY
        assert not any(thread.name == "purge" for thread in set(threading.enumerate()) - others)
        assert len(seen) == count


@pytest.mark.parametrize("database", ["sqlite", "postgresql"])
@pytest.mark.parametrize("race", RACES)
def test_of_two_callers_at_one_moment_each_outcome_is_that_of_one_after_the_other(
    request: pytest.FixtureRequest, tmp_path: Path, race: str, database: str
) -> None:
    def opening() -> Store:
        if database == "sqlite":
            return open_sqlite(f"sqlite:///{tmp_path}/scenes.db")
        return open_postgres(request.getfixturevalue("postgres_url"))

    assert run(race, opening, COUNT).total() == COUNT
