"""What every backend promises of the places kept beside revisions (storage/interface.py)."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest

from scenograph.storage.interface import Basis, KeptPlaces, NewRevision, Origin, SceneKey, Store

AT = datetime(2026, 5, 6, 7, 8, 9, tzinfo=UTC)
NONE = KeptPlaces(places=None)
LONG = '{"bounds":{}}' + " " * 5000  # kept compressed


def revision(document: str = "{}", origin: Origin | None = None) -> NewRevision:
    return NewRevision(document=document, title=None, diagram_family=None, origin=origin)


def created(store: Store, *later: Origin | None, first: Origin | None = None, scene_id: str = "orders") -> int:
    """A scene of ann with a revision for each of `later` after the first; its key."""
    store.create_scene("ann", scene_id, revision('{"n":1}', first), AT)
    for base, origin in enumerate(later, start=1):
        assert store.append_revision("ann", scene_id, base, revision(f'{{"n":{base + 1}}}', origin), AT) == base + 1
    found = store.scene_key("ann", scene_id)
    assert found is not None
    return found.key


def basis(store: Store, key: int, number: int) -> Basis:
    found = store.basis(key, number)
    assert found is not None
    return found


def test_a_scene_is_known_by_one_key_wherever_it_is_read(store: Store) -> None:
    key = created(store, None)
    assert store.scene_key("ann", "orders") == SceneKey(key=key, revision=2)
    read = store.read_scene("ann", "orders", 1)
    assert read is not None
    assert read.key == key
    store.publish("ann", "orders", ("private",), AT)
    public = store.public_scene("orders")
    assert public is not None
    assert public.key == key


def test_nobody_elses_scene_has_a_key(store: Store) -> None:
    created(store)
    assert store.scene_key("bob", "orders") is None
    assert store.scene_key("ann", "missing") is None
    store.delete_scene("ann", "orders", None, AT)
    assert store.scene_key("ann", "orders") is None


@pytest.mark.parametrize("text", ['{"bounds":{}}', LONG, "", None])
def test_what_is_kept_comes_back_as_it_was(store: Store, text: str | None) -> None:
    key = created(store)
    assert store.kept_places(key, 1) is None
    store.keep_places(key, 1, text)
    assert store.kept_places(key, 1) == KeptPlaces(places=text)


@pytest.mark.parametrize("first", ["{}", None])
def test_what_is_kept_never_changes(store: Store, first: str | None) -> None:
    key = created(store)
    store.keep_places(key, 1, first)
    for later in ('{"other":1}', None):
        store.keep_places(key, 1, later)
    assert store.kept_places(key, 1) == KeptPlaces(places=first)


def test_of_many_writers_at_once_one_is_first_and_none_fails(store: Store) -> None:
    key = created(store)
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda number: store.keep_places(key, 1, f"{number}"), range(8)))
    kept = store.kept_places(key, 1)
    assert kept is not None
    assert kept.places in {f"{number}" for number in range(8)}


def test_the_first_revision_without_places_is_the_next(store: Store) -> None:
    key = created(store, None, None)
    assert store.first_unplaced(key, 3) == 1
    store.keep_places(key, 1, "{}")
    store.keep_places(key, 2, None)
    assert store.first_unplaced(key, 2) is None
    assert store.first_unplaced(key, 3) == 3
    store.keep_places(key, 3, "{}")
    assert store.first_unplaced(key, 3) is None


def test_a_basis_goes_back_to_the_latest_places_that_there_are(store: Store) -> None:
    key = created(store, None, Origin(relaid=("a",)), Origin(relays_all=True), None, first=Origin(sketch=LONG))
    assert basis(store, key, 1) == Basis(document='{"n":1}', former=None, origins=(Origin(sketch=LONG),), restored=None)
    store.keep_places(key, 1, '{"first":1}')
    assert basis(store, key, 2) == Basis(document='{"n":2}', former='{"first":1}', origins=(), restored=None)
    for failed in (2, 3):
        store.keep_places(key, failed, None)
    through = (Origin(relaid=("a",)), Origin(relays_all=True))
    assert basis(store, key, 4) == Basis(document='{"n":4}', former='{"first":1}', origins=through, restored=None)
    store.keep_places(key, 4, LONG)
    assert basis(store, key, 5) == Basis(document='{"n":5}', former=LONG, origins=(), restored=None)
    assert store.basis(key, 6) is None


def test_the_basis_of_a_restored_revision_has_the_places_of_the_one_it_restores(store: Store) -> None:
    key = created(store, None, Origin(restores=1), Origin(restores=2))
    store.keep_places(key, 1, '{"first":1}')
    store.keep_places(key, 2, None)
    assert basis(store, key, 3).restored == '{"first":1}'
    store.keep_places(key, 3, '{"first":1}')
    assert basis(store, key, 4) == Basis(
        document='{"n":4}', former='{"first":1}', origins=(Origin(restores=2),), restored=None
    )


def test_nothing_is_written_of_a_revision_that_was_refused(store: Store) -> None:
    key = created(store, None)
    store.append_revision("ann", "orders", 1, revision(origin=Origin(relays_all=True)), AT)
    assert basis(store, key, 2).origins == ()


def test_places_go_with_their_scene_and_never_come_to_another_of_its_id(store: Store) -> None:
    key = created(store, first=Origin(sketch="{}"))
    store.keep_places(key, 1, '{"first":1}')
    store.delete_scene("ann", "orders", None, AT)
    late = AT + timedelta(days=2)
    assert store.purge(late, 10) == 1
    assert (store.kept_places(key, 1), store.basis(key, 1)) == (None, None)
    store.keep_places(key, 1, "too late")
    assert store.kept_places(key, 1) is None


def test_a_scene_that_takes_the_id_of_a_deleted_one_has_a_key_of_its_own(store: Store) -> None:
    key = created(store)
    store.delete_scene("ann", "orders", None, AT)
    assert store.create_scene("ann", "orders", revision(), AT, deleted_until=AT) is None
    store.keep_places(key, 1, "of the deleted one")
    again = store.scene_key("ann", "orders")
    assert again is not None
    assert store.kept_places(again.key, 1) is None


def test_numbers_that_no_revision_has_are_no_fault(store: Store) -> None:
    key = created(store)
    for number in (0, -1, 10**30):
        assert store.kept_places(key, number) is None
        assert store.basis(key, number) is None
