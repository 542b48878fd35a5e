"""The same request twice: carried out once, answered alike, and free again after a failure of ours."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from scenograph.service.clock import Clock
from scenograph.service.errors import ServiceError
from scenograph.service.idempotency import MOST_WAITING, WAIT_SECONDS, Idempotency, SentReply
from scenograph.storage.interface import Store
from scenograph.workers import CURRENT_TURN, Share, Turns

REQUEST = ("POST /v1/scenes", b"{}")


class Work:
    """Counts how often it is carried out."""

    def __init__(self, status: int = 201) -> None:
        self.status = status
        self.times = 0

    def __call__(self) -> SentReply:
        self.times += 1
        return SentReply(status=self.status, body=b"answer %d" % self.times, headers={"etag": f'"{self.times}"'})


@pytest.fixture
def kept(store: Store, clock: Clock) -> Idempotency:
    return Idempotency(store, clock)


@pytest.mark.parametrize("status", [200, 201, 409, 422])
def test_a_repeated_request_gets_the_first_answer(kept: Idempotency, status: int) -> None:
    work = Work(status)
    first = kept.answer("ann", "k", REQUEST, work)
    second = kept.answer("ann", "k", REQUEST, work)
    assert (first.status, first.body, first.replayed) == (status, b"answer 1", False)
    assert (second.status, second.body, second.replayed) == (status, b"answer 1", True)
    assert second.headers == first.headers == {"etag": '"1"'}
    assert work.times == 1


@pytest.mark.parametrize("status", [400, 401, 404, 408, 413, 429, 500, 503])
def test_what_another_moment_may_answer_otherwise_is_not_kept(kept: Idempotency, status: int) -> None:
    assert kept.answer("ann", "k", REQUEST, Work(status)).status == status
    assert not kept.answer("ann", "k", REQUEST, Work()).replayed


@pytest.mark.parametrize("other", [("POST /v1/scenes", b"{ }"), ("POST /v1/scenes/a/applyOps", b"{}")])
def test_the_key_of_another_request_is_refused(kept: Idempotency, other: tuple[str, bytes]) -> None:
    kept.answer("ann", "k", REQUEST, Work())
    with pytest.raises(ServiceError) as refused:
        kept.answer("ann", "k", other, Work())
    assert refused.value.code == "idempotency_mismatch"


def test_owners_have_keys_of_their_own(kept: Idempotency) -> None:
    kept.answer("ann", "k", REQUEST, Work())
    assert not kept.answer("bob", "k", ("POST /v1/scenes", b"[]"), Work()).replayed


def test_after_24_hours_the_request_is_carried_out_again(kept: Idempotency, clock: Any) -> None:
    work = Work()
    kept.answer("ann", "k", REQUEST, work)
    clock.turn(hours=24, microseconds=-1)
    assert kept.answer("ann", "k", REQUEST, work).replayed
    clock.turn(microseconds=1)
    assert not kept.answer("ann", "k", REQUEST, work).replayed


def test_what_failed_on_our_side_can_be_tried_again(kept: Idempotency) -> None:
    def broken() -> SentReply:
        raise ServiceError("storage_unavailable", "Gone.")

    with pytest.raises(ServiceError, match="Gone"):
        kept.answer("ann", "k", REQUEST, broken)
    assert kept.answer("ann", "k", REQUEST, Work(503)).body == b"answer 1"
    assert kept.answer("ann", "k", REQUEST, Work()).status == 201


def test_equal_requests_at_once_are_carried_out_once_and_answered_alike(store: Store, clock: Clock) -> None:
    work, begun, may_end = Work(), threading.Event(), threading.Event()

    def slow() -> SentReply:
        begun.set()
        assert may_end.wait(10)
        return work()

    def pause(_seconds: float) -> None:
        may_end.set()
        threading.Event().wait(0.005)

    with ThreadPoolExecutor(8) as pool:
        first = pool.submit(Idempotency(store, clock).answer, "ann", "k", REQUEST, slow)
        assert begun.wait(10)
        others = [pool.submit(Idempotency(store, clock, pause).answer, "ann", "k", REQUEST, slow) for _ in range(7)]
        answers = [done.result() for done in (first, *others)]
    assert work.times == 1
    assert {answer.body for answer in answers} == {b"answer 1"}
    assert [answer.replayed for answer in answers] == [False] + [True] * 7


def test_only_a_few_repetitions_wait_at_once(store: Store, clock: Clock) -> None:
    codes: list[str] = []

    def again() -> None:
        with pytest.raises(ServiceError) as refused:
            crowded.answer("ann", "k", REQUEST, Work())
        codes.append(refused.value.code)

    depth: list[float] = []

    def pause(seconds: float) -> None:  # while one waits, the next one comes
        depth.append(seconds)
        if len(depth) <= MOST_WAITING:
            again()
        raise ServiceError("idempotency_in_progress", "enough")

    crowded = Idempotency(store, clock, pause)

    def nested() -> SentReply:
        again()
        return SentReply(status=200, body=b"")

    crowded.answer("ann", "k", REQUEST, nested)
    assert len(depth) == MOST_WAITING
    assert codes == ["idempotency_in_progress"] * (MOST_WAITING + 1)


def test_a_repetition_does_not_wait_while_it_holds_a_turn_with_the_engine(store: Store, clock: Clock) -> None:
    waited: list[float] = []
    waiting = Idempotency(store, clock, waited.append)
    owner = Share("ann", is_owner=True, at_once=2, timeout_seconds=10.0)

    def nested() -> SentReply:
        before = CURRENT_TURN.set(Turns(2, 2.0).ask(owner))
        try:
            with pytest.raises(ServiceError) as refused:
                waiting.answer("ann", "k", REQUEST, Work())
        finally:
            CURRENT_TURN.reset(before)
        assert refused.value.code == "idempotency_in_progress"
        return SentReply(status=200, body=b"")

    waiting.answer("ann", "k", REQUEST, nested)
    assert not waited


def test_a_request_that_does_not_end_is_not_waited_for_for_ever(store: Store, clock: Clock) -> None:
    waited: list[float] = []
    waiting = Idempotency(store, clock, waited.append)

    def nested() -> SentReply:
        with pytest.raises(ServiceError) as refused:
            waiting.answer("ann", "k", REQUEST, Work())
        assert (refused.value.code, refused.value.retry_after) == ("idempotency_in_progress", 1.0)
        return SentReply(status=200, body=b"")

    waiting.answer("ann", "k", REQUEST, nested)
    assert WAIT_SECONDS - 0.1 < sum(waited) < WAIT_SECONDS + 0.1
