"""What every backend promises of answers kept for repeated requests (storage/interface.py)."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest

from scenograph.storage.interface import AnswerTimes, KeptAnswer, StorageUnavailable, Store

AT = datetime(2026, 5, 6, 7, 8, 9, 123456, tzinfo=UTC)
TIMES = AnswerTimes(kept=timedelta(hours=24), reserved=timedelta(minutes=1))
PRINT = "a" * 64
RESERVED = KeptAnswer(fingerprint=PRINT, status=None, body=b"")
ANSWERED = KeptAnswer(fingerprint=PRINT, status=201, body=b'{"revision":1}', headers={"etag": 'W/"1"'})


def begin(store: Store, at: datetime = AT, *, owner: str = "ann", key: str = "k") -> KeptAnswer | None:
    return store.begin_answer(owner, key, PRINT, at, TIMES)


def keep(store: Store, began_at: datetime = AT) -> None:
    store.keep_answer("ann", "k", began_at, ANSWERED)


def test_the_first_reserves_and_the_next_sees_it(store: Store) -> None:
    assert begin(store) is None
    assert begin(store) == RESERVED


def test_a_kept_answer_comes_back_as_it_was(store: Store) -> None:
    begin(store)
    keep(store)
    assert begin(store, AT + timedelta(hours=23, minutes=59)) == ANSWERED


def test_after_its_time_a_key_is_free_again(store: Store) -> None:
    begin(store)
    keep(store)
    assert begin(store, AT + timedelta(hours=24)) is None


def test_a_reservation_that_nobody_ends_is_free_after_its_own_time(store: Store) -> None:
    begin(store)
    assert begin(store, AT + timedelta(seconds=59)) == RESERVED
    assert begin(store, AT + timedelta(seconds=60)) is None


def test_who_lost_a_reservation_neither_keeps_nor_forgets_over_the_next(store: Store) -> None:
    begin(store)
    later = AT + timedelta(minutes=2)
    assert begin(store, later) is None
    keep(store, AT)
    store.forget_answer("ann", "k", AT)
    assert begin(store, later) == RESERVED
    keep(store, later)
    assert begin(store, later) == ANSWERED


def test_a_forgotten_reservation_is_free_at_once_and_a_kept_answer_stays(store: Store) -> None:
    begin(store)
    store.forget_answer("ann", "k", AT)
    assert begin(store) is None
    keep(store)
    store.forget_answer("ann", "k", AT)
    assert begin(store) == ANSWERED


def test_the_same_key_of_another_owner_is_another_key(store: Store) -> None:
    begin(store)
    assert begin(store, owner="bob") is None
    assert begin(store, key="K") is None


def test_of_many_at_once_exactly_one_reserves(store: Store) -> None:
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: begin(store), range(24)))
    assert found.count(None) == 1
    assert found.count(RESERVED) == 23


def test_the_purge_takes_old_answers_with_it(store: Store) -> None:
    never = AnswerTimes(kept=timedelta(days=9999), reserved=timedelta(days=9999))
    begin(store)
    keep(store)
    assert store.purge(AT - timedelta(microseconds=1), 100) == 0
    assert store.begin_answer("ann", "k", PRINT, AT, never) == ANSWERED
    assert store.purge(AT, 100) == 0
    assert store.begin_answer("ann", "k", PRINT, AT, never) is None


def test_a_clock_that_is_ahead_of_the_time_that_passed_takes_no_answer(store: Store) -> None:
    never = AnswerTimes(kept=timedelta(days=9999), reserved=timedelta(days=9999))
    begin(store)
    keep(store)
    store.purge(AT + timedelta(hours=25), 100, AT - timedelta(seconds=1))
    assert store.begin_answer("ann", "k", PRINT, AT, never) == ANSWERED


def test_without_an_account_nothing_is_reserved(store: Store) -> None:
    with pytest.raises(StorageUnavailable):
        begin(store, owner="nobody")
