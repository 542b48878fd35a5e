"""What every backend promises of sessions, one-use tokens, identities and suspension (storage/interface.py)."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest

from scenograph.storage.interface import (
    Account,
    AccountDeletion,
    KeyRecord,
    NewRevision,
    SessionRecord,
    Store,
    UsedToken,
)

AT = datetime(2026, 5, 6, 7, 8, 9, 123456, tzinfo=UTC)
DAY = timedelta(hours=24)
REVISION = NewRevision(document="{}", title=None, diagram_family=None)


def session(name: str = "ses_1", account: str = "ann") -> SessionRecord:
    return SessionRecord(id=name, account_id=account, created_at=AT, expires_at=AT + DAY)


def test_a_session_is_found_by_its_hash_until_it_expires(store: Store) -> None:
    store.open_session(session(), "s" * 64)
    found = store.session_by_hash("s" * 64, AT + DAY - timedelta(microseconds=1))
    assert found is not None
    assert (found[0], found[1].id) == (session(), "ann")
    assert store.session_by_hash("s" * 64, AT + DAY) is None
    assert store.session_by_hash("t" * 64, AT) is None


def test_a_session_replaces_another_in_one_step(store: Store) -> None:
    store.open_session(session(), "s" * 64)
    store.open_session(session("ses_2"), "t" * 64, "s" * 64)
    assert store.session_by_hash("s" * 64, AT) is None
    assert store.session_by_hash("t" * 64, AT) is not None
    with pytest.raises(LookupError):
        store.open_session(session("ses_3", "nobody"), "u" * 64, "t" * 64)
    assert store.session_by_hash("t" * 64, AT) is not None, "nothing of the refused step stays"


def test_an_account_ends_its_own_sessions_alone(store: Store) -> None:
    for number, owner in enumerate(("ann", "ann", "bob")):
        store.open_session(session(f"ses_{number}", owner), f"{number}" * 64)
    assert not store.end_session("bob", "ses_0")
    assert store.end_session("ann", "ses_0")
    assert not store.end_session("ann", "ses_0")
    assert store.end_sessions("ann") == 1
    assert store.session_by_hash("2" * 64, AT) is not None


@pytest.mark.parametrize("account", ["ann", None])
def test_of_many_that_bring_a_token_at_once_one_uses_it(store: Store, account: str | None) -> None:
    store.add_sign_in_token("t" * 64, account, AT)

    def use(_number: int) -> UsedToken | None:
        return store.use_sign_in_token("t" * 64, AT - DAY)

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(use, range(16)))
    assert [answer for answer in answers if answer] == [UsedToken(account_id=account)]


def test_a_token_of_a_sign_in_is_good_for_as_long_as_the_caller_says(store: Store) -> None:
    store.add_sign_in_token("t" * 64, "ann", AT)
    assert store.use_sign_in_token("t" * 64, AT) is None
    assert store.use_sign_in_token("t" * 64, AT - timedelta(microseconds=1)) is not None
    with pytest.raises(LookupError):
        store.add_sign_in_token("u" * 64, "nobody", AT)


def test_the_first_member_to_verify_an_address_has_it(store: Store) -> None:
    for name, at, role in (
        ("cat", None, "member"),
        ("dan", AT + DAY, "member"),
        ("eve", AT, "member"),
        ("sue", AT - DAY, "support"),
    ):
        store.add_account(Account(id=name, email="x@example.org", email_verified_at=at, role=role), AT)
    found = store.verified_member("x@example.org")
    assert found is not None
    assert found.id == "eve"
    assert store.verified_member("y@example.org") is None


def test_an_identity_belongs_to_one_account(store: Store) -> None:
    assert store.link_identity("i" * 64, "ann", AT)
    assert not store.link_identity("i" * 64, "bob", AT)
    found = store.account_of_identity("i" * 64)
    assert found is not None
    assert found.id == "ann"
    with pytest.raises(LookupError):
        store.link_identity("j" * 64, "nobody", AT)


def test_of_many_first_sign_ins_of_an_identity_one_makes_the_account(store: Store) -> None:
    def open_one(number: int) -> bool:
        account = Account(id=f"new{number}", email=None, email_verified_at=None, role="member")
        return store.open_account_of_identity(account, "i" * 64, AT)

    with ThreadPoolExecutor(8) as pool:
        made = list(pool.map(open_one, range(16)))
    assert sum(made) == 1
    found = store.account_of_identity("i" * 64)
    assert found is not None
    assert found.id == f"new{made.index(True)}"
    assert [entry.id for entry in store.accounts() if entry.id.startswith("new")] == [found.id]


def test_a_suspended_account_is_told_by_its_keys_and_its_time_stays(store: Store) -> None:
    store.add_key(KeyRecord(id="key_1", account_id="ann", name="a", created_at=AT), "k" * 64)
    store.suspend_account("ann", AT)
    suspended = store.suspend_account("ann", AT + DAY)
    assert suspended is not None
    assert suspended.suspended_at == AT
    found = store.key_by_hash("k" * 64)
    assert found is not None
    assert found[1].suspended_at == AT
    assert store.suspend_account("nobody", AT) is None
    resumed = store.suspend_account("ann", None)
    assert resumed is not None
    assert resumed.suspended_at is None
    assert {entry.id: entry.suspended_at for entry in store.accounts()}["ann"] is None


def test_publications_of_a_suspended_account_are_hidden_until_it_is_resumed(store: Store) -> None:
    store.create_scene("ann", "orders", REVISION, AT)
    store.publish("ann", "orders", ("private",), AT)
    store.suspend_account("ann", AT)
    assert store.public_scene("orders") is None
    store.suspend_account("ann", None)
    assert store.public_scene("orders") is not None


def test_open_keys_and_sessions_are_those_of_accounts_that_are_not_suspended(store: Store) -> None:
    for owner in ("ann", "bob"):
        store.add_key(KeyRecord(id=f"key_{owner}", account_id=owner, name="a", created_at=AT), owner)
        store.open_session(session(f"ses_{owner}", owner), owner * 10)
    names = ["key_ann", "ses_ann", "key_bob", "ses_bob", "ses_none"]
    assert store.watched_scenes([], names).key_ids == {*names} - {"ses_none"}
    store.suspend_account("ann", AT)
    store.end_session("bob", "ses_bob")
    assert store.watched_scenes([], names).key_ids == {"key_bob"}


def test_the_figures_of_an_account_are_those_that_are_counted(store: Store) -> None:
    store.create_scene("ann", "orders", REVISION, AT)
    store.add_key(KeyRecord(id="key_1", account_id="ann", name="a", created_at=AT), "k" * 64)
    held = store.holdings("ann")
    assert held is not None
    assert (held.keys, held.scenes, held.stored_bytes) == (1, 1, 4)
    assert store.holdings("nobody") is None


def test_the_purge_takes_old_tokens_and_expired_sessions(store: Store) -> None:
    store.add_sign_in_token("old", "ann", AT)
    store.add_sign_in_token("new", "ann", AT + DAY)
    store.open_session(session(), "s" * 64)
    store.purge(AT, 10)
    assert store.session_by_hash("s" * 64, AT) is not None
    store.purge(AT + DAY - timedelta(microseconds=1), 10)
    assert store.use_sign_in_token("old", AT - DAY) is None
    assert store.use_sign_in_token("new", AT - DAY) is not None
    store.purge(AT + DAY, 10)
    assert store.session_by_hash("s" * 64, AT) is None


def test_a_deleted_account_leaves_no_way_in(store: Store) -> None:
    store.open_session(session(), "s" * 64)
    store.add_sign_in_token("t" * 64, "ann", AT)
    store.link_identity("i" * 64, "ann", AT)
    assert store.delete_account("ann", 10) is AccountDeletion.GONE
    assert store.session_by_hash("s" * 64, AT) is None
    assert store.use_sign_in_token("t" * 64, AT - DAY) is None
    assert store.account_of_identity("i" * 64) is None
