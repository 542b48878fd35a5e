"""What every backend promises of the lifecycle and of support (storage/interface.py)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest

from scenograph.storage.interface import (
    Account,
    AccountDeletion,
    Conflict,
    DeletionLimit,
    IdTaken,
    KeyRecord,
    NewRevision,
    NewSubmission,
    PageStart,
    PublicIdTaken,
    Store,
    SupportView,
    TooManyDeletions,
    WrongState,
)

AT = datetime(2026, 5, 6, 7, 8, 9, 123456, tzinfo=UTC)
DAY = timedelta(hours=24)
LIMIT = DeletionLimit(most=10, window=timedelta(minutes=1))
ALL = ("private", "support", "public")
UNSUBMITTED = ("private", "public")


def revision(document: str = "{}", title: str | None = None) -> NewRevision:
    return NewRevision(document=document, title=title, diagram_family=None)


def submission(name: str = "sub", base: int = 1, **more: object) -> NewSubmission:
    standard = {"id": name, "revision": base, "problem": "broken", "anonymized": False, "document": '{"a":1}'}
    return NewSubmission(**(standard | more))  # type: ignore[arg-type]


def later(**by: float) -> datetime:
    return AT + timedelta(**by)


@pytest.fixture(autouse=True)
def orders(store: Store) -> None:
    """Ann and bob each hold a scene `orders`; sue is a supporter."""
    for owner in ("ann", "bob"):
        store.create_scene(owner, "orders", revision(f'"{owner}"', title=owner), AT)
    store.add_account(Account(id="sue", email=None, email_verified_at=None, role="support"), AT)


def privacy(store: Store, owner: str = "ann") -> str | None:
    read = store.read_scene(owner, "orders")
    return None if read is None else read.privacy


class TestGivingAnIdAway:
    def test_a_scene_that_was_deleted_long_enough_ago_gives_up_its_id_and_is_still_there_for_the_purge(
        self, store: Store
    ) -> None:
        store.delete_scene("ann", "orders", LIMIT, AT)
        taken = store.create_scene("ann", "orders", revision("2"), later(hours=24), AT - timedelta(seconds=1))
        assert taken == IdTaken(current_revision=1, deleted=True)
        assert store.create_scene("ann", "orders", revision("2"), later(hours=24), AT) is None
        found = store.read_scene("ann", "orders")
        assert found is not None
        assert (found.document.text, found.revision) == ("2", 1)
        assert store.deleted_scenes("ann", AT - DAY) == ()
        assert store.undelete_scene("ann", "orders", AT - DAY) is None
        assert store.purge(AT, 10) == 1
        assert store.read_scene("ann", "orders") == found

    def test_an_active_scene_never_does(self, store: Store) -> None:
        assert store.create_scene("ann", "orders", revision("2"), AT, later(hours=24)) == IdTaken(current_revision=1)


class TestDeleting:
    def test_a_deleted_scene_is_nowhere_but_in_the_deleted_list(self, store: Store) -> None:
        assert store.delete_scene("ann", "orders", LIMIT, AT) is True
        assert store.read_scene("ann", "orders") is None
        assert store.read_scene("ann", "orders", 1) is None
        assert store.current_revision("ann", "orders") is None
        assert store.history("ann", "orders", None, 5) is None
        assert store.list_scenes("ann", 5) == ()
        assert store.append_revision("ann", "orders", 1, revision(), AT) is None
        assert store.publish("ann", "orders", UNSUBMITTED, AT) is None
        assert store.make_private("ann", "orders", ALL) is False
        assert store.submit_to_support("ann", "orders", submission(), ALL, AT) is False
        assert store.support_views("ann", "orders") is None
        assert store.delete_scene("ann", "orders", LIMIT, AT) is False
        assert store.create_scene("ann", "orders", revision(), AT) == IdTaken(current_revision=1, deleted=True)
        (entry,) = store.deleted_scenes("ann", AT - DAY)
        assert (entry.scene_id, entry.title, entry.deleted_at) == ("orders", "ann", AT)

    def test_it_comes_back_with_its_revisions(self, store: Store) -> None:
        store.append_revision("ann", "orders", 1, revision('"two"'), AT)
        store.delete_scene("ann", "orders", LIMIT, AT)
        assert store.undelete_scene("ann", "orders", AT - DAY) == 2
        for number, document in ((1, '"ann"'), (2, '"two"')):
            read = store.read_scene("ann", "orders", number)
            assert read is not None
            assert read.document.text == document
        assert store.deleted_scenes("ann", AT - DAY) == ()
        assert store.undelete_scene("ann", "orders", AT - DAY) is None, "it is active"

    def test_only_the_owner_deletes_and_brings_back(self, store: Store) -> None:
        assert store.delete_scene("sue", "orders", LIMIT, AT) is False
        store.delete_scene("ann", "orders", LIMIT, AT)
        assert privacy(store, "bob") == "private"
        assert store.undelete_scene("bob", "orders", AT - DAY) is None
        assert store.deleted_scenes("bob", AT - DAY) == ()

    def test_the_window_ends_to_the_microsecond(self, store: Store) -> None:
        store.delete_scene("ann", "orders", LIMIT, AT)
        assert store.deleted_scenes("ann", AT) == ()
        assert store.undelete_scene("ann", "orders", AT) is None
        assert store.undelete_scene("ann", "orders", AT - timedelta(microseconds=1)) == 1

    def test_the_latest_deletion_comes_first(self, store: Store) -> None:
        for number, scene in enumerate(("x", "y", "z")):
            store.create_scene("ann", scene, revision(), AT)
            store.delete_scene("ann", scene, LIMIT, later(minutes=number))
        assert [entry.scene_id for entry in store.deleted_scenes("ann", AT - DAY)] == ["z", "y", "x"]


class TestDeletionLimit:
    @pytest.fixture(autouse=True)
    def many(self, store: Store) -> None:
        for number in range(12):
            store.create_scene("ann", f"s{number}", revision(), AT)

    def test_beyond_the_limit_nothing_is_deleted(self, store: Store) -> None:
        for number in range(10):
            assert store.delete_scene("ann", f"s{number}", LIMIT, later(seconds=number)) is True
        assert store.delete_scene("ann", "s10", LIMIT, later(seconds=59)) == TooManyDeletions(oldest=AT)
        assert store.current_revision("ann", "s10") == 1
        assert store.delete_scene("bob", "orders", LIMIT, later(seconds=59)) is True, "each owner has a limit"
        assert store.delete_scene("ann", "s10", LIMIT, later(seconds=60)) is True, "the first no longer counts"
        assert isinstance(store.delete_scene("ann", "s11", LIMIT, later(seconds=60)), TooManyDeletions)

    def test_bringing_back_does_not_give_deletions_back(self, store: Store) -> None:
        for _ in range(10):
            assert store.delete_scene("ann", "orders", LIMIT, AT) is True
            store.undelete_scene("ann", "orders", AT - DAY)
        assert store.delete_scene("ann", "orders", LIMIT, AT) == TooManyDeletions(oldest=AT)

    def test_what_is_not_there_does_not_count(self, store: Store) -> None:
        for _ in range(30):
            assert store.delete_scene("ann", "missing", LIMIT, AT) is False
        assert store.delete_scene("ann", "orders", LIMIT, AT) is True

    def test_a_crowd_gets_no_more_than_the_limit(self, store: Store) -> None:
        with ThreadPoolExecutor(12) as pool:
            answers = list(pool.map(lambda number: store.delete_scene("ann", f"s{number}", LIMIT, AT), range(12)))
        assert Counter(answer is True for answer in answers) == {True: 10, False: 2}
        assert len(store.deleted_scenes("ann", AT - DAY)) == 10

    def test_a_clock_that_went_back_does_not_shut_the_owner_out(self, store: Store) -> None:
        for number in range(10):
            store.delete_scene("ann", f"s{number}", LIMIT, later(days=300))
        assert store.delete_scene("ann", "s10", LIMIT, AT) is True


class TestPurging:
    def test_only_what_is_due_goes_and_with_it_all_that_belongs_to_it(self, store: Store) -> None:
        store.submit_to_support("ann", "orders", submission(), ALL, AT)
        store.submission("sub", "sue", AT)
        store.create_scene("ann", "kept", revision(), AT)
        store.delete_scene("ann", "orders", LIMIT, AT)
        store.delete_scene("ann", "kept", LIMIT, later(seconds=1))
        assert store.purge(AT - timedelta(microseconds=1), 100) == 0
        assert store.purge(AT, 100) == 1
        assert store.undelete_scene("ann", "orders", AT - DAY) is None
        assert [entry.scene_id for entry in store.deleted_scenes("ann", AT - DAY)] == ["kept"]
        assert store.create_scene("ann", "orders", revision('"anew"'), AT) is None
        assert store.support_views("ann", "orders") == ()
        assert store.current_revision("bob", "orders") == 1

    def test_active_scenes_are_never_purged(self, store: Store) -> None:
        assert store.purge(later(days=10_000), 100) == 0

    def test_it_takes_no_more_than_it_is_told(self, store: Store) -> None:
        for number in range(5):
            store.create_scene("ann", f"s{number}", revision(), AT)
            store.delete_scene("ann", f"s{number}", LIMIT, AT)
        assert [store.purge(AT, 2) for _ in range(4)] == [2, 2, 1, 0]


class TestPublishing:
    def test_the_latest_revision_is_shown_to_everybody(self, store: Store) -> None:
        assert store.public_scene("orders") is None
        assert store.publish("ann", "orders", UNSUBMITTED, AT) == AT
        store.append_revision("ann", "orders", 1, revision('"two"', title="New"), later(hours=1))
        shown = store.public_scene("orders")
        assert shown is not None
        assert (shown.document.text, shown.title, shown.revision, shown.made_public_at) == ('"two"', "New", 2, AT)
        assert privacy(store) == "public"

    def test_the_first_time_is_kept(self, store: Store) -> None:
        store.publish("ann", "orders", UNSUBMITTED, AT)
        assert store.publish("ann", "orders", UNSUBMITTED, later(hours=1)) == AT
        store.make_private("ann", "orders", ALL)
        store.delete_scene("ann", "orders", LIMIT, AT)
        store.undelete_scene("ann", "orders", AT - DAY)
        assert store.publish("ann", "orders", UNSUBMITTED, later(hours=2)) == AT

    def test_an_id_is_published_once(self, store: Store) -> None:
        store.publish("ann", "orders", UNSUBMITTED, AT)
        assert store.publish("bob", "orders", UNSUBMITTED, AT) == PublicIdTaken()
        assert privacy(store, "bob") == "private"

    @pytest.mark.parametrize("ending", ["private", "deleted", "purged"])
    def test_an_address_stays_its_first_publishers(self, store: Store, ending: str) -> None:
        store.publish("ann", "orders", UNSUBMITTED, AT)
        store.make_private("ann", "orders", ALL)
        if ending != "private":
            store.delete_scene("ann", "orders", LIMIT, AT)
        if ending == "purged":
            assert store.purge(AT, 10) == 1
            store.create_scene("ann", "orders", revision(), AT)
        store.create_scene("bob", "orders.svg", revision(), AT)
        assert store.publish("bob", "orders", UNSUBMITTED, AT) == PublicIdTaken()
        assert store.publish("bob", "orders.svg", UNSUBMITTED, AT, ("orders",)) == PublicIdTaken(), (
            "that of its picture"
        )
        if ending == "purged":
            assert store.publish("ann", "orders", UNSUBMITTED, later(hours=1)) == later(hours=1)

    def test_the_end_of_the_account_frees_its_addresses(self, store: Store) -> None:
        store.publish("ann", "orders", UNSUBMITTED, AT)
        store.add_key(KeyRecord(id="k", account_id="ann", name="k", created_at=AT), "h")
        store.create_scene("ann", "second", revision(), AT)
        assert store.delete_account("ann", 1) is AccountDeletion.MORE_TO_DO
        assert store.key_by_hash("h") is None, "its keys open nothing from the first step on"
        assert store.publish("bob", "orders", UNSUBMITTED, AT) == PublicIdTaken()
        while (done := store.delete_account("ann", 1)) is AccountDeletion.MORE_TO_DO:
            pass
        assert done is AccountDeletion.GONE
        assert store.delete_account("ann", 1) is AccountDeletion.UNKNOWN
        assert store.account("ann") is None
        assert store.publish("bob", "orders", UNSUBMITTED, AT) == AT

    def test_who_stands_in_the_log_stays(self, store: Store) -> None:
        store.add_account(Account(id="sue", email=None, email_verified_at=AT, role="support"), AT)
        store.submissions("sue", AT, 9)
        assert store.delete_account("sue", 10) is AccountDeletion.IN_THE_LOG
        assert store.account("sue") is not None

    def test_of_two_owners_one_wins(self, store: Store) -> None:
        with ThreadPoolExecutor(2) as pool:
            answers = list(pool.map(lambda owner: store.publish(owner, "orders", UNSUBMITTED, AT), ("ann", "bob")))
        assert Counter(map(type, answers)) == {datetime: 1, PublicIdTaken: 1}

    def test_an_id_is_not_published_while_another_owner_has_a_rival_of_it(self, store: Store) -> None:
        store.create_scene("ann", "plan", revision(), AT)
        store.create_scene("bob", "plan.svg", revision(), AT)
        assert store.publish("ann", "plan", UNSUBMITTED, AT, ("plan.svg", "plan.png")) == AT
        assert store.publish("bob", "plan.svg", UNSUBMITTED, AT, ("plan",)) == PublicIdTaken()
        assert store.publish("bob", "missing", UNSUBMITTED, AT, ("plan",)) is None, "which tells nothing of others"

    def test_ones_own_scenes_are_no_rivals(self, store: Store) -> None:
        store.create_scene("ann", "orders.svg", revision(), AT)
        assert store.publish("ann", "orders", UNSUBMITTED, AT, ("orders.svg",)) == AT
        assert store.publish("ann", "orders.svg", UNSUBMITTED, AT, ("orders",)) == AT

    def test_of_two_rivals_at_once_one_wins(self, store: Store) -> None:
        rivals = {"ann": ("plan", "plan.svg"), "bob": ("plan.svg", "plan")}
        for owner, (own, _) in rivals.items():
            store.create_scene(owner, own, revision(), AT)

        def publish(owner: str) -> object:
            own, rival = rivals[owner]
            return store.publish(owner, own, UNSUBMITTED, AT, (rival,))

        with ThreadPoolExecutor(2) as pool:
            for _ in range(20):
                assert Counter(map(type, pool.map(publish, rivals))) == {datetime: 1, PublicIdTaken: 1}
                for owner, (own, _) in rivals.items():
                    store.make_private(owner, own, ALL)

    def test_a_submitted_scene_is_not_published(self, store: Store) -> None:
        store.submit_to_support("ann", "orders", submission(), ALL, AT)
        assert store.publish("ann", "orders", UNSUBMITTED, AT) == WrongState(state="support")
        assert store.public_scene("orders") is None

    def test_a_missing_scene_is_not_published(self, store: Store) -> None:
        assert store.publish("ann", "missing", UNSUBMITTED, AT) is None
        assert store.make_private("ann", "missing", ALL) is False

    @pytest.mark.parametrize(
        "leave",
        [
            lambda store: store.make_private("ann", "orders", ALL),
            lambda store: store.delete_scene("ann", "orders", LIMIT, AT),
            lambda store: store.submit_to_support("ann", "orders", submission(), ALL, AT),
        ],
        ids=["make private", "delete", "submit"],
    )
    def test_the_public_address_dies_at_once(self, store: Store, leave: Callable[[Store], object]) -> None:
        store.publish("ann", "orders", UNSUBMITTED, AT)
        assert leave(store) is True
        assert store.public_scene("orders") is None
        assert store.publish("bob", "orders", UNSUBMITTED, AT) == PublicIdTaken(), "and it is nobody else's"

    def test_a_public_scene_comes_back_private(self, store: Store) -> None:
        store.publish("ann", "orders", UNSUBMITTED, AT)
        store.delete_scene("ann", "orders", LIMIT, AT)
        store.undelete_scene("ann", "orders", AT - DAY)
        assert (privacy(store), store.public_scene("orders")) == ("private", None)


class TestSupport:
    def test_a_submission_keeps_the_snapshot(self, store: Store) -> None:
        new = submission(document='"snapshot" \ud800', problem="it is\nbroken", anonymized=True)
        assert store.submit_to_support("ann", "orders", new, ALL, AT) is True
        store.append_revision("ann", "orders", 1, revision('"later"'), AT)
        assert privacy(store) == "support"
        (entry,) = store.submissions("sue", AT, 9)
        assert (entry.id, entry.submitted_at, entry.anonymized, entry.problem) == ("sub", AT, True, "it is\nbroken")
        seen = store.submission("sub", "sue", AT)
        assert seen is not None
        assert (seen.entry, seen.document) == (entry, '"snapshot" \ud800')

    def test_submitting_again_replaces_all_but_the_id(self, store: Store) -> None:
        store.submit_to_support("ann", "orders", submission("one", anonymized=True), ALL, AT)
        again = submission("two", problem="worse", document='"2"')
        assert store.submit_to_support("ann", "orders", again, ALL, later(hours=1)) is True
        (entry,) = store.submissions("sue", AT, 9)
        assert (entry.id, entry.submitted_at, entry.anonymized, entry.problem) == (
            "one", later(hours=1), False, "worse",
        )  # fmt: skip

    @pytest.mark.parametrize("base", [0, 2, 10**30])
    def test_a_snapshot_of_another_revision_is_a_conflict(self, store: Store, base: int) -> None:
        answer = store.submit_to_support("ann", "orders", submission(base=base), ALL, AT)
        assert answer == Conflict(current_revision=1, changed_ids=())
        assert store.submissions("sue", AT, 9) == ()
        assert privacy(store) == "private"

    def test_a_state_that_is_no_source_is_told(self, store: Store) -> None:
        assert store.submit_to_support("ann", "orders", submission(), ("public",), AT) == WrongState(state="private")

    @pytest.mark.parametrize("leave", ["make_private", "delete"])
    def test_a_withdrawn_submission_is_gone_and_its_audit_log_stays(self, store: Store, leave: str) -> None:
        store.submit_to_support("ann", "orders", submission(), ALL, AT)
        store.submission("sub", "sue", AT)
        if leave == "delete":
            store.delete_scene("ann", "orders", LIMIT, AT)
            store.undelete_scene("ann", "orders", AT - DAY)
        else:
            store.make_private("ann", "orders", ALL)
        assert privacy(store) == "private"
        assert store.submissions("sue", AT, 9) == ()
        assert store.submission("sub", "sue", AT) is None
        assert store.support_views("ann", "orders") == (SupportView(viewed_at=AT, viewer="sue"),)

    def test_every_look_at_a_submission_is_logged_for_its_owner_only(self, store: Store) -> None:
        store.submit_to_support("ann", "orders", submission(), ALL, AT)
        assert store.support_views("ann", "orders") == ()
        store.submission("sub", "sue", later(minutes=1))
        store.submission("sub", "sue", later(minutes=2))
        store.submission("missing", "sue", later(minutes=3))
        views = store.support_views("ann", "orders")
        assert views is not None
        assert [view.viewed_at for view in views] == [later(minutes=2), later(minutes=1)]
        assert store.support_views("bob", "orders") == ()
        assert store.support_views("sue", "orders") is None

    def test_nothing_is_shown_that_cannot_be_logged(self, store: Store) -> None:
        store.submit_to_support("ann", "orders", submission(), ALL, AT)
        for look in (lambda: store.submissions("nobody", AT, 9), lambda: store.submission("sub", "nobody", AT)):
            with pytest.raises(Exception, match="refuses"):
                look()

    def test_the_latest_submission_comes_first(self, store: Store) -> None:
        store.submit_to_support("ann", "orders", submission("old"), ALL, AT)
        store.submit_to_support("bob", "orders", submission("new"), ALL, later(hours=1))
        assert [entry.id for entry in store.submissions("sue", AT, 9)] == ["new", "old"]

    def test_a_page_of_submissions_goes_on_behind_the_last_one_even_within_an_instant(self, store: Store) -> None:
        for scene, minute in (("a", 0), ("b", 5), ("c", 5), ("d", 9)):
            store.create_scene("ann", scene, revision(), AT)
            store.submit_to_support("ann", scene, submission(scene), ALL, later(minutes=minute))
        seen: list[str] = []
        place = None
        while page := store.submissions("sue", AT, 1, place):
            seen += [entry.id for entry in page]
            place = PageStart(at=page[-1].submitted_at, id=page[-1].id)
        assert seen == ["d", "b", "c", "a"]


def test_of_two_published_ids_the_first_is_shown(store: Store) -> None:
    store.create_scene("ann", "orders.svg", revision('"longer"'), AT)
    store.publish("ann", "orders", UNSUBMITTED, AT)

    def shown() -> str | None:
        found = store.public_scene("orders.svg", "orders")
        return found and found.document.text

    short = shown()
    store.publish("ann", "orders.svg", UNSUBMITTED, AT)
    both = shown()
    store.make_private("ann", "orders", ALL)
    store.make_private("ann", "orders.svg", ALL)
    assert (short, both, shown()) == ('"ann"', '"longer"', None)
