"""What every backend promises of listings and of keys (storage/interface.py)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scenograph.storage.interface import (
    ChangeSummary,
    KeyRecord,
    NewRevision,
    PageStart,
    RevisionEntry,
    SceneEntry,
    Store,
)

AT = datetime(2026, 5, 6, 7, 8, 9, 123456, tzinfo=UTC)
HUGE = 10**30
ON_ONE_STORE = settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])


def revision(title: str | None = None, **more: object) -> NewRevision:
    return NewRevision(document="{}", title=title, diagram_family=None, **more)  # type: ignore[arg-type]


def minutes(count: float) -> datetime:
    return AT + timedelta(minutes=count)


def names(entries: tuple[SceneEntry, ...]) -> list[str]:
    return [entry.scene_id for entry in entries]


class TestHistory:
    @pytest.fixture(autouse=True)
    def five_revisions(self, store: Store) -> None:
        store.create_scene("ann", "orders", revision(), AT)
        for base in range(1, 5):
            summary = ChangeSummary(added=base, removed=0, modified=2)
            new = revision(message=f"edit {base}", summary=summary, changed_ids=("a",))
            store.append_revision("ann", "orders", base, new, minutes(base))

    def test_the_newest_comes_first_with_all_that_is_known_of_it(self, store: Store) -> None:
        history = store.history("ann", "orders", None, 100)
        assert history is not None
        assert history.current_revision == 5
        assert [entry.revision for entry in history.entries] == [5, 4, 3, 2, 1]
        summary = ChangeSummary(added=4, removed=0, modified=2)
        assert history.entries[0] == RevisionEntry(revision=5, created_at=minutes(4), message="edit 4", summary=summary)
        assert history.entries[-1] == RevisionEntry(revision=1, created_at=AT, message=None, summary=None)

    def test_a_page_goes_on_below_where_the_last_one_ended(self, store: Store) -> None:
        history = store.history("ann", "orders", 4, 2)
        assert history is not None
        assert ([entry.revision for entry in history.entries], history.current_revision) == ([3, 2], 5)

    @pytest.mark.parametrize(("before", "seen"), [(1, 0), (0, 0), (-HUGE, 0), (2, 1), (HUGE, 5), (2**31, 5)])
    def test_any_number_may_be_asked_for(self, store: Store, before: int, seen: int) -> None:
        history = store.history("ann", "orders", before, 100)
        assert history is not None
        assert (len(history.entries), history.current_revision) == (seen, 5)

    def test_a_foreign_scene_and_a_missing_one_have_none(self, store: Store) -> None:
        assert store.history("bob", "orders", None, 10) is None
        assert store.history("ann", "missing", None, 10) is None


class TestListing:
    def test_the_latest_change_comes_first(self, store: Store) -> None:
        for number, scene in enumerate(("first", "second", "third")):
            store.create_scene("ann", scene, revision("T"), minutes(number))
        store.append_revision(
            "ann", "first", 1, NewRevision(document="{}", title="U", diagram_family="flow"), minutes(9)
        )
        listed = store.list_scenes("ann", 10)
        assert names(listed) == ["first", "third", "second"]
        assert listed[0] == SceneEntry(
            scene_id="first",
            title="U",
            diagram_family="flow",
            revision=2,
            privacy="private",
            created_at=AT,
            updated_at=minutes(9),
            owner="ann",
        )

    def test_only_the_owners_own_are_listed(self, store: Store) -> None:
        store.create_scene("ann", "hers", revision(), AT)
        store.create_scene("bob", "his", revision(), AT)
        assert names(store.list_scenes("ann", 10)) == ["hers"]

    @ON_ONE_STORE
    @given(st.integers(1, 8), st.sampled_from(["ann", "bob"]))
    def test_pages_hold_every_scene_once_even_when_made_at_one_instant(
        self, store: Store, size: int, owner: str
    ) -> None:
        for number in range(13):
            store.create_scene(owner, f"s{number:02}", revision(), minutes(number // 5))
        whole = names(store.list_scenes(owner, 100))
        walked: list[str] = []
        place = None
        while page := store.list_scenes(owner, size, place):
            walked += names(page)
            place = PageStart(at=page[-1].updated_at, id=page[-1].scene_id)
        assert walked == whole
        assert len(set(walked)) == 13

    @pytest.mark.parametrize(
        ("words", "found"),
        [
            ("check", {"checkout"}), ("CHECK", {"checkout"}), ("grösse", {"size"}), ("STRASSE", {"size"}),
            ("100%", {"percent"}), ("%", {"percent"}), ("_", set()), ("\\", set()), ("nothing", set()),
            ("size", {"size"}), ("", {"checkout", "size", "percent"}), ("a\0b", set()), ("\ud800", set()),
        ],
    )  # fmt: skip
    def test_words_are_looked_for_in_titles_and_ids_in_whatever_case(
        self, store: Store, words: str, found: set[str]
    ) -> None:
        store.create_scene("ann", "checkout", revision("The Shop"), AT)
        store.create_scene("ann", "size", revision("GRÖSSE der Straße"), AT)
        store.create_scene("ann", "percent", revision("100% sure"), AT)
        assert set(names(store.list_scenes("ann", 10, words=words))) == found

    def test_a_new_title_is_found_and_the_old_one_no_longer(self, store: Store) -> None:
        store.create_scene("ann", "orders", revision("Old"), AT)
        store.append_revision("ann", "orders", 1, revision("New"), AT)
        assert names(store.list_scenes("ann", 10, words="old")) == []
        assert names(store.list_scenes("ann", 10, words="new")) == ["orders"]


class TestKeys:
    @pytest.fixture(autouse=True)
    def two_keys(self, store: Store) -> None:
        for number, name in enumerate(("laptop", "server")):
            record = KeyRecord(id=f"k{number}", account_id="ann", name=name, created_at=minutes(number))
            store.add_key(record, f"hash {number}")

    def test_an_owner_sees_own_keys_oldest_first(self, store: Store) -> None:
        assert [key.name for key in store.keys_of("ann")] == ["laptop", "server"]
        assert store.keys_of("bob") == ()

    def test_a_revoked_key_opens_nothing_and_cannot_be_made_again(self, store: Store) -> None:
        assert store.revoke_key("ann", "k0", AT)
        assert store.key_by_hash("hash 0") is None
        assert store.key_by_hash("hash 1") is not None
        assert [key.id for key in store.keys_of("ann")] == ["k1"]
        again = KeyRecord(id="k9", account_id="ann", name="again", created_at=AT)
        assert not store.add_key(again, "hash 0")
        assert not store.revoke_key("ann", "k0", AT)

    def test_nobody_revokes_anothers_key(self, store: Store) -> None:
        assert not store.revoke_key("bob", "k0", AT)
        assert store.key_by_hash("hash 0") is not None

    def test_the_latest_use_is_kept(self, store: Store) -> None:
        store.note_key_used("k0", minutes(5))
        store.note_key_used("k0", minutes(3))
        used, unused = store.keys_of("ann")
        assert (used.last_used_at, unused.last_used_at) == (minutes(5), None)
        found = store.key_by_hash("hash 0")
        assert found is not None
        assert found[0].last_used_at == minutes(5)


class TestWatching:
    def test_many_scenes_are_looked_at_in_one_call_and_only_active_ones_of_the_owner_are_there(
        self, store: Store
    ) -> None:
        places = [("ann", f"scene-{number}") for number in range(1000)]
        for owner, scene_id in places[:3]:
            store.create_scene(owner, scene_id, revision(), AT)
        store.append_revision("ann", "scene-1", 1, revision(), minutes(1))
        store.publish("ann", "scene-2", ("private",), minutes(2))
        store.delete_scene("ann", "scene-0", None, minutes(3))
        seen = store.watched_scenes([*places, ("bob", "scene-1")], [])
        assert seen.scenes == {("ann", "scene-1"): (2, "private", 0, 0), ("ann", "scene-2"): (1, "public", 0, 0)}

    def test_a_revoked_key_is_not_among_those_that_open_something(self, store: Store) -> None:
        for name in ("old", "new"):
            store.add_key(KeyRecord(id=name, account_id="ann", name=name, created_at=AT), f"hash {name}")
        store.revoke_key("ann", "old", minutes(1))
        assert store.watched_scenes([], ["old", "new", "none"]).key_ids == {"new"}
