"""What every backend promises of accounts that somebody signs up for (storage/interface.py)."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from threading import Event

import pytest

from scenograph.storage.interface import Account, AccountDeletion, KeyRecord, NewSecrets, Store

AT = datetime(2026, 5, 6, 7, 8, 9, 123456, tzinfo=UTC)
DAY = timedelta(hours=24)
EVE = Account(id="eve", email="eve@example.org", email_verified_at=None, role="member")
SECRETS = NewSecrets(key_hash="k" * 64, token_hash="t" * 64)


def key(name: str = "key_1", account: str = "eve") -> KeyRecord:
    return KeyRecord(id=name, account_id=account, name="first", created_at=AT)


@pytest.fixture
def opened(store: Store) -> Store:
    """A store in which eve has signed up."""
    assert store.open_account(EVE, key(), SECRETS, AT)
    return store


def test_an_opened_account_has_its_key(opened: Store) -> None:
    assert opened.account("eve") == EVE
    assert opened.key_by_hash(SECRETS.key_hash) == (key(), EVE)


@pytest.mark.parametrize(
    ("account", "first_key", "secrets"),
    [
        (EVE, key("key_2"), NewSecrets(key_hash="l" * 64, token_hash="u" * 64)),
        (Account(id="mia", email=None, email_verified_at=None, role="member"), key("key_1", "mia"), SECRETS),
        (
            Account(id="mia", email=None, email_verified_at=None, role="member"),
            key("key_2", "mia"),
            NewSecrets(key_hash="l" * 64, token_hash=SECRETS.token_hash),
        ),
    ],
    ids=["account", "key", "token"],
)
def test_what_is_known_already_opens_nothing_and_leaves_nothing_behind(
    opened: Store, account: Account, first_key: KeyRecord, secrets: NewSecrets
) -> None:
    assert not opened.open_account(account, first_key, secrets, AT + DAY)
    assert opened.account("mia") is None
    assert opened.key_by_hash("l" * 64) is None
    assert opened.account("eve") == EVE


def test_a_token_verifies_its_account_once(opened: Store) -> None:
    verified = opened.verify_by_token(SECRETS.token_hash, AT - DAY, AT)
    assert verified is not None
    assert (verified.id, verified.email_verified_at) == ("eve", AT)
    assert opened.account("eve") == verified
    assert opened.verify_by_token(SECRETS.token_hash, AT - DAY, AT) is None


def test_a_token_is_good_for_as_long_as_the_caller_says_and_not_an_instant_longer(opened: Store) -> None:
    assert opened.verify_by_token(SECRETS.token_hash, AT, AT + DAY) is None
    assert opened.verify_by_token(SECRETS.token_hash, AT - timedelta(microseconds=1), AT + DAY) is not None


def test_of_many_that_bring_a_token_at_once_one_uses_it(opened: Store) -> None:
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: opened.verify_by_token(SECRETS.token_hash, AT - DAY, AT), range(16)))
    assert sum(answer is not None for answer in answers) == 1


def test_the_time_of_the_first_verification_stays(opened: Store) -> None:
    opened.add_mail_token("eve", "u" * 64, AT)
    opened.verify_by_token(SECRETS.token_hash, AT - DAY, AT)
    for verified in (
        opened.verify_by_token("u" * 64, AT - DAY, AT + DAY),
        opened.verify_account("eve", AT + DAY),
    ):
        assert verified is not None
        assert verified.email_verified_at == AT


def test_an_account_is_verified_by_hand(opened: Store) -> None:
    verified = opened.verify_account("eve", AT)
    assert verified is not None
    assert verified.email_verified_at == AT
    assert opened.verify_account("nobody", AT) is None


def test_a_token_of_nobody_is_refused(store: Store) -> None:
    with pytest.raises(LookupError):
        store.add_mail_token("nobody", "u" * 64, AT)


def test_the_purge_takes_old_tokens_and_no_younger_ones(opened: Store) -> None:
    opened.add_mail_token("eve", "u" * 64, AT + DAY)
    opened.purge(AT, 10)
    assert opened.verify_by_token(SECRETS.token_hash, AT - DAY, AT) is None
    assert opened.verify_by_token("u" * 64, AT - DAY, AT) is not None


def test_accounts_are_listed_oldest_first_and_found_by_address(opened: Store) -> None:
    again = Account(id="ada", email="eve@example.org", email_verified_at=None, role="support")
    opened.add_account(again, AT + DAY)
    assert [entry.id for entry in opened.accounts()] == ["ann", "bob", "eve", "ada"]
    found = opened.accounts("eve@example.org")
    assert [(entry.id, entry.role, entry.created_at) for entry in found] == [
        ("eve", "member", AT),
        ("ada", "support", AT + DAY),
    ]
    assert opened.accounts("nobody@example.org") == ()


def test_an_account_goes_while_requests_that_were_under_way_still_write(opened: Store) -> None:
    ended = Event()

    def write() -> None:
        with suppress(LookupError):
            for number in range(50):
                if ended.is_set():
                    break
                opened.add_key(key(f"late_{number}"), f"hash {number}")

    with ThreadPoolExecutor(1) as writer:
        written = writer.submit(write)
        try:
            assert opened.delete_account("eve", 10) is AccountDeletion.GONE
        finally:
            ended.set()
        written.result()
    assert opened.account("eve") is None
    assert opened.keys_of("eve") == ()
