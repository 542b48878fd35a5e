"""Idempotency keys: a repeated request is carried out once (R-REV-9).

The first request reserves its key before anything happens, and its answer is kept for 24 hours. An equal request gets
that answer, and waits while the first still runs. Answers of success and of permanent refusal are kept. Temporary
refusals (429, server errors) are not, so that a retry can succeed. The reservation of a dead process expires after a
minute; a write by that process is caught by the store, since scenes and revisions are never made twice.
"""

from __future__ import annotations

import hashlib
import threading
import time
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta

from scenograph.late_dataclasses import dataclass, field
from scenograph.service.clock import Clock
from scenograph.service.errors import ServiceError
from scenograph.storage.interface import AnswerTimes, KeptAnswer, Store
from scenograph.workers import CURRENT_TURN

TIMES = AnswerTimes(kept=timedelta(hours=24), reserved=timedelta(minutes=1))
WAIT_SECONDS = 2.0
_POLL_SECONDS = 0.02
MOST_WAITING = 8  # at once: each waiter holds a thread of the shared pool
_CARRIED_OUT = range(200, 300)
_REFUSED_FOR_GOOD = frozenset({409, 422})


@dataclass(frozen=True, slots=True, kw_only=True)
class SentReply:
    """A reply as sent over the wire: status, JSON body, headers, and whether it repeats an earlier reply."""

    status: int
    body: bytes
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    replayed: bool = False


class Idempotency:
    """The kept answers of all owners. `pause` waits for some seconds."""

    def __init__(self, store: Store, clock: Clock, pause: Callable[[float], None] = time.sleep) -> None:
        self._store = store
        self._clock = clock
        self._pause = pause
        self._places = threading.BoundedSemaphore(MOST_WAITING)

    def answer(self, owner: str, key: str, request: tuple[str, bytes], make: Callable[[], SentReply]) -> SentReply:
        """The answer of `make`, or the kept answer of an earlier equal request.

        `request` is the address and the body behind the key. Raises idempotency_mismatch for another request, and
        idempotency_in_progress while the first runs too long. Only the key's hash is stored: a key may reveal something
        about its author.
        """
        key = hashlib.sha256(key.encode()).hexdigest()
        fingerprint = _fingerprint(*request)
        began_at = self._clock()
        kept = self._reserved_or_kept(owner, key, fingerprint, began_at)
        if kept is not None:
            return kept
        try:
            answer = make()
        except BaseException:
            self._store.forget_answer(owner, key, began_at)
            raise
        self._settle(owner, key, began_at, fingerprint, answer)
        return answer

    def _settle(self, owner: str, key: str, began_at: datetime, fingerprint: str, answer: SentReply) -> None:
        if not is_kept(answer.status):
            self._store.forget_answer(owner, key, began_at)
            return
        kept = KeptAnswer(fingerprint=fingerprint, status=answer.status, body=answer.body, headers=answer.headers)
        self._store.keep_answer(owner, key, began_at, kept)

    def _reserved_or_kept(self, owner: str, key: str, fingerprint: str, at: datetime) -> SentReply | None:
        """None once the key is reserved for us."""
        waited = 0.0
        while True:
            found = self._store.begin_answer(owner, key, fingerprint, at, TIMES)
            if found is None:
                return None
            if found.fingerprint != fingerprint:
                raise _mismatch()
            if found.status is not None:
                return SentReply(status=found.status, body=found.body, headers=found.headers, replayed=True)
            is_in_turn = CURRENT_TURN.get() is not None  # a place of the engine does not wait with it
            if waited >= WAIT_SECONDS or is_in_turn or not self._places.acquire(blocking=False):
                raise _in_progress()
            try:
                self._pause(_POLL_SECONDS)
            finally:
                self._places.release()
            waited += _POLL_SECONDS


def is_kept(status: int) -> bool:
    """Whether answers of this status are kept for repeated requests."""
    return status in _CARRIED_OUT or status in _REFUSED_FOR_GOOD


def _fingerprint(address: str, body: bytes) -> str:
    digest = hashlib.sha256(address.encode("utf-8", "surrogatepass") + b"\0")
    digest.update(body)
    return digest.hexdigest()


def _mismatch() -> ServiceError:
    return ServiceError(
        "idempotency_mismatch", "This Idempotency-Key was sent with another request; choose a new one for this request."
    )


def _in_progress() -> ServiceError:
    sentence = "A request with this Idempotency-Key is still being carried out; ask again for its answer."
    return ServiceError("idempotency_in_progress", sentence, retry_after=1.0)
