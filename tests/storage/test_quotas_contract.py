"""What every backend promises of quotas: what an account holds is counted with every write (storage/interface.py)."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import func, select

from scenograph.storage.interface import (
    DeletionLimit,
    KeyRecord,
    NewRevision,
    NewSecrets,
    Origin,
    Quota,
    QuotaReached,
    Store,
)
from scenograph.storage.schema import accounts, api_keys, origins, revisions, scenes

AT = datetime(2026, 5, 6, tzinfo=UTC)
DAY = timedelta(days=1)
NO_LIMIT = DeletionLimit(most=1_000_000, window=timedelta(minutes=1))
CROWD = 12


def revision(size: int = 2, **more: Any) -> NewRevision:
    return NewRevision(document="x" * size, title=None, diagram_family=None, **more)


def held(store: Store, owner: str = "ann") -> tuple[int, int, int]:
    """Keys, scenes and bytes that the account's counters tell."""
    any_store: Any = store
    (row,) = any_store._rows(select(accounts).where(accounts.c.id == owner))
    return row.key_count, row.scene_count, row.stored_bytes


def really(store: Store, owner: str = "ann") -> tuple[int, int, int]:
    """The same, counted from what is there."""
    any_store: Any = store
    own = scenes.c.owner_id == owner

    def one(column: Any, *where: Any) -> int:
        return any_store._rows(select(func.coalesce(func.sum(column), 0)).where(*where))[0][0]

    def rows(*where: Any) -> int:
        return any_store._rows(select(func.count()).where(*where))[0][0]

    kept = one(
        func.length(revisions.c.document) + func.length(revisions.c.changed_ids), own, revisions.c.scene == scenes.c.id
    )
    beside = one(
        func.length(origins.c.relaid) + func.coalesce(func.length(origins.c.sketch), 0),
        own,
        origins.c.scene == scenes.c.id,
    )
    return (
        rows(api_keys.c.account_id == owner, api_keys.c.revoked_at.is_(None)),
        rows(own, scenes.c.deleted_at.is_(None)),
        kept + beside,
    )


def key(name: str, owner: str = "ann") -> KeyRecord:
    return KeyRecord(id=name, account_id=owner, name=name, created_at=AT)


class TestCounting:
    def test_the_counters_are_what_is_there_after_every_kind_of_write(self, store: Store) -> None:
        def still_right() -> None:
            for owner in ("ann", "bob"):
                assert held(store, owner) == really(store, owner)

        noise = revision(5000, origin=Origin(sketch='{"bounds":{}}', relaid=("a",)), changed_ids=("a", "b"))
        for name in ("one", "two", "three"):
            store.create_scene("ann", name, revision(), AT)
            still_right()
        store.create_scene("ann", "one", revision(), AT)
        store.create_scene("bob", "one", noise, AT)
        assert store.append_revision("ann", "one", 1, noise, AT) == 2
        store.append_revision("ann", "one", 1, noise, AT)
        still_right()
        for name in ("one", "two", "missing"):
            store.delete_scene("ann", name, NO_LIMIT, AT)
        store.delete_scene("ann", "three", DeletionLimit(most=2, window=timedelta(minutes=1)), AT)
        still_right()
        store.undelete_scene("ann", "two", AT - DAY)
        store.undelete_scene("ann", "two", AT - DAY)
        still_right()
        store.create_scene("ann", "one", revision(), AT + DAY, AT)  # in place of one that waits for the purge
        still_right()
        assert store.purge(AT, 10) == 1
        still_right()
        assert held(store)[1] == 3
        store.add_key(key("k"), "h")
        store.add_key(key("l"), "h")
        store.add_key(key("m"), "i")
        still_right()
        store.revoke_key("ann", "k", AT)
        store.revoke_key("ann", "k", AT)
        still_right()
        assert held(store)[0] == 1

    def test_a_signed_up_account_begins_with_the_key_that_it_has(self, store: Store) -> None:
        new = store.account("ann")
        assert new is not None
        account = type(new)(id="cy", email="cy@example.org", email_verified_at=None, role="member")
        assert store.open_account(account, key("first", "cy"), NewSecrets(key_hash="a", token_hash="b"), AT)
        assert held(store, "cy") == really(store, "cy") == (1, 0, 0)


class TestLimits:
    def test_one_scene_too_many_is_not_written(self, store: Store) -> None:
        quota = Quota(scenes=2)
        for name in ("one", "two"):
            assert store.create_scene("ann", name, revision(), AT, quota=quota) is None
        assert store.create_scene("ann", "three", revision(), AT, quota=quota) == QuotaReached(
            what="scenes", used=2, most=2
        )
        assert store.current_revision("ann", "three") is None
        assert store.append_revision("ann", "one", 1, revision(), AT, quota=quota) == 2, "a revision is no scene"
        assert store.create_scene("bob", "three", revision(), AT, quota=quota) is None

    def test_a_deleted_scene_gives_its_place_away_and_needs_one_to_come_back(self, store: Store) -> None:
        quota = Quota(scenes=1)
        store.create_scene("ann", "one", revision(), AT, quota=quota)
        store.delete_scene("ann", "one", NO_LIMIT, AT)
        assert store.create_scene("ann", "two", revision(), AT, quota=quota) is None
        reached = QuotaReached(what="scenes", used=1, most=1)
        assert store.undelete_scene("ann", "one", AT - DAY, quota=quota) == reached
        assert [scene.scene_id for scene in store.deleted_scenes("ann", AT - DAY)] == ["one"]
        store.delete_scene("ann", "two", NO_LIMIT, AT)
        assert store.undelete_scene("ann", "one", AT - DAY, quota=quota) == 1

    def test_bytes_count_as_stored_until_the_purge(self, store: Store) -> None:
        first, later = revision(100), revision(200)
        store.create_scene("ann", "one", first, AT)
        used = held(store)[2]
        quota = Quota(stored_bytes=used + 250)
        assert store.append_revision("ann", "one", 1, later, AT, quota=quota) == 2
        used = held(store)[2]
        reached = QuotaReached(what="stored_bytes", used=used, most=quota.stored_bytes)
        assert store.append_revision("ann", "one", 2, later, AT, quota=quota) == reached
        assert store.create_scene("ann", "two", later, AT, quota=quota) == reached
        store.delete_scene("ann", "one", NO_LIMIT, AT)
        assert store.create_scene("ann", "two", later, AT, quota=quota) == reached
        store.purge(AT, 10)
        assert store.create_scene("ann", "two", later, AT, quota=quota) is None

    def test_a_stale_base_is_a_conflict_whatever_the_quota(self, store: Store) -> None:
        store.create_scene("ann", "one", revision(), AT)
        answer: Any = store.append_revision("ann", "one", 7, revision(), AT, quota=Quota(stored_bytes=1))
        assert answer.current_revision == 1

    def test_who_holds_more_than_a_lowered_quota_may_still_delete(self, store: Store) -> None:
        for name in ("one", "two", "three"):
            store.create_scene("ann", name, revision(), AT)
        assert store.delete_scene("ann", "one", NO_LIMIT, AT) is True
        reached = QuotaReached(what="scenes", used=2, most=1)
        assert store.create_scene("ann", "four", revision(), AT, quota=Quota(scenes=1)) == reached

    def test_a_revoked_key_makes_room_for_another(self, store: Store) -> None:
        quota = Quota(keys=2)
        assert store.add_key(key("a"), "1", quota=quota) is True
        assert store.add_key(key("b"), "2", quota=quota) is True
        assert store.add_key(key("c"), "3", quota=quota) == QuotaReached(what="keys", used=2, most=2)
        assert store.key_by_hash("3") is None
        store.revoke_key("ann", "a", AT)
        assert store.add_key(key("c"), "3", quota=quota) is True


class TestCrowds:
    def test_of_many_creations_at_once_no_more_get_in_than_there_is_room_for(self, store: Store) -> None:
        quota = Quota(scenes=5)
        with ThreadPoolExecutor(CROWD) as pool:
            made = pool.map(lambda n: store.create_scene("ann", f"s{n}", revision(), AT, quota=quota), range(CROWD))
            answers = list(made)
        assert answers.count(None) == 5
        assert answers.count(QuotaReached(what="scenes", used=5, most=5)) == CROWD - 5
        assert held(store) == really(store)

    def test_of_many_keys_at_once_no_more_get_in_than_there_is_room_for(self, store: Store) -> None:
        quota = Quota(keys=3)
        with ThreadPoolExecutor(CROWD) as pool:
            answers = list(pool.map(lambda n: store.add_key(key(f"k{n}"), f"h{n}", quota=quota), range(CROWD)))
        assert answers.count(True) == 3
        assert held(store) == really(store)

    def test_writers_deleters_and_the_purge_beside_each_other_lose_no_count(self, store: Store) -> None:
        for number in range(CROWD):
            store.create_scene("ann", f"s{number}", revision(), AT)

        def live(number: int) -> None:
            name = f"s{number}"
            store.append_revision("ann", name, 1, revision(3000), AT)
            store.delete_scene("ann", name, NO_LIMIT, AT)
            if number % 2:
                store.undelete_scene("ann", name, AT - DAY)
            store.purge(AT, 3)
            store.create_scene("ann", f"t{number}", revision(), AT, quota=Quota(scenes=CROWD + 4))

        with ThreadPoolExecutor(CROWD) as pool:
            list(pool.map(live, range(CROWD)))
        assert held(store) == really(store)
