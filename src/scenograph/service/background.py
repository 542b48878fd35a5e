"""Work between requests: places of new revisions after the commit (R-KEEP-4), the purge once a minute."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import NamedTuple

import structlog

from scenograph.service.clock import Clock
from scenograph.service.lifecycle import purge
from scenograph.service.places import Places
from scenograph.service.rate_limits import TooManyRequestsError
from scenograph.storage.interface import PlacesStore, StorageUnavailable, Store
from scenograph.workers import CURRENT_PAYER, Payer, WorkerCrashed, WorkerOverloaded, WorkerTimedOut

# The purge, once a minute in the background, by time that has really passed.


EVERY_SECONDS = 60.0

_log = structlog.get_logger(__name__)


class Purging:
    """A thread that purges deleted scenes, from construction until `begin_closing`.

    An unreachable store is asked again a minute later. `passed` is called once a turn for the time that has really
    passed (SharedTime's `advance`). `removed` counts purged scenes.
    """

    def __init__(self, store: Store, clock: Clock, passed: Clock, every_seconds: float = EVERY_SECONDS) -> None:
        self._store = store
        self._clock = clock
        self._passed = passed
        self._every = every_seconds
        self.removed = 0
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name="purge", daemon=True)
        self._thread.start()

    def begin_closing(self) -> None:
        """Begin nothing new."""
        self._closing.set()

    def join(self, seconds: float) -> None:
        """Wait at most `seconds` for a running purge. An interrupted purge has removed nothing."""
        self._thread.join(max(seconds, 0.0))

    def _run(self) -> None:
        while not self._closing.wait(self._every):
            try:
                removed = purge(self._store, self._clock(), self._passed())
            except StorageUnavailable as fault:
                _log.warning("purge_failed", reason=str(fault))
            else:
                self.removed += removed
                if removed:
                    _log.info("purged", scenes=removed)


# Computes the places of new revisions in the background, after the commit (R-KEEP-4). This only saves the next reader
# the wait: missing places are computed by whoever needs them. A scene under edit is left alone until at rest, which
# leaves the processors to its writers.


_MOST_SCENES = 10_000  # waiting scenes; further ones are left to their readers
_STEPS_A_TURN = 8  # revisions of a scene before the next scene has its turn

_Scene = tuple[str, str]


class Pace(NamedTuple):
    """Seconds: rest before a scene is computed, longest delay by further edits, pause after a refusal."""

    rest: float = 0.5
    longest: float = 10.0
    after_refusal: float = 1.0


class _Wait(NamedTuple):
    since: float
    due: float
    account: str


_PACE = Pace()


class CatchingUp:
    """A thread that computes places, from construction until `begin_closing`.

    `payer_of` maps an account to its payer (None: nobody). The last writer of a scene pays, and the scene waits while
    that account's engine seconds are used up.
    """

    def __init__(
        self,
        store: PlacesStore,
        places: Places,
        pace: Pace = _PACE,
        elapsed: Callable[[], float] = time.monotonic,
        *,
        payer_of: Callable[[str], Payer | None] = lambda _owner: None,
    ) -> None:
        self._store = store
        self._places = places
        self._payer_of = payer_of
        self._pace = pace
        self._elapsed = elapsed
        self._waiting: dict[_Scene, _Wait] = {}
        self._changed = threading.Condition()
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name="places", daemon=True)
        self._thread.start()

    def note(self, owner: str, scene_id: str, account: str | None = None) -> None:
        """A scene has a new revision by `account` (None: the owner). Never waits for anything."""
        self._put((owner, scene_id), self._pace.rest, account or owner)

    def begin_closing(self) -> None:
        """Begin nothing new."""
        self._closing.set()
        self._places.begin_closing()
        with self._changed:
            self._changed.notify()

    def join(self, seconds: float) -> None:
        """Wait at most `seconds` for the running computation."""
        self._thread.join(max(seconds, 0.0))

    def _put(self, scene: _Scene, seconds: float, account: str) -> None:
        now = self._elapsed()
        with self._changed:
            since = self._waiting[scene].since if scene in self._waiting else now
            self._waiting[scene] = _Wait(since, min(now + seconds, since + self._pace.longest), account)
            if len(self._waiting) > _MOST_SCENES:
                del self._waiting[self._next()]
            self._changed.notify()

    def _next(self) -> _Scene:
        return min(self._waiting, key=lambda scene: self._waiting[scene].due)

    def _run(self) -> None:
        while (taken := self._take()) is not None:
            scene, account = taken
            try:
                is_done = self._advanced(scene, account)
            except TooManyRequestsError as refused:
                self._put(scene, max(self._pace.after_refusal, refused.retry_after or 0.0), account)
            except (WorkerOverloaded, WorkerTimedOut, WorkerCrashed, StorageUnavailable) as fault:
                _log.info("places_wait", kind=type(fault).__name__)
                self._put(scene, self._pace.after_refusal, account)
            else:
                if not is_done:
                    self._put(scene, 0.0, account)

    def _take(self) -> tuple[_Scene, str] | None:
        """The next scene, once due, and the account that pays; None when closing."""
        with self._changed:
            while not self._closing.is_set():
                if not self._waiting:
                    self._changed.wait()
                    continue
                scene = self._next()
                left = self._waiting[scene].due - self._elapsed()
                if left <= 0:
                    return scene, self._waiting.pop(scene).account
                self._changed.wait(left)
        return None

    def _advanced(self, scene: _Scene, account: str) -> bool:
        """Compute up to _STEPS_A_TURN revisions of a scene. True when nothing is left to do."""
        found = self._store.scene_key(*scene)
        if found is None:
            return True
        before = CURRENT_PAYER.set(self._payer_of(account))
        try:
            for _ in range(_STEPS_A_TURN):
                if self._closing.is_set() or not self._places.step_in_background(found.key, found.revision):
                    return True
        finally:
            CURRENT_PAYER.reset(before)
        return False


# Readiness of the store, tested by a write: a full disk, a foreign lock and a read-only file still allow reads.
#
# A single trial runs at a time, and its success holds for a second, however many requests ask.

_GOOD_FOR_SECONDS = 1.0
PATIENCE_SECONDS = 0.5


class Readiness:
    """Readiness of a store. Thread-safe."""

    def __init__(self, store: Store, clock: Callable[[], float] = time.monotonic) -> None:
        self._store = store
        self._clock = clock
        self._lock = threading.Lock()
        self._trial: threading.Thread | None = None
        self._stored_at: float | None = None

    def check(self) -> None:
        """StorageUnavailable when nothing can be read, or nothing could be stored within half a second."""
        self._store.ping()
        with self._lock:
            if self._is_good():
                return
            if self._trial is None or not self._trial.is_alive():
                self._trial = threading.Thread(target=self._try, daemon=True)
                self._trial.start()
            trial = self._trial
        trial.join(PATIENCE_SECONDS)
        if not self._is_good():
            raise StorageUnavailable("nothing can be stored just now")

    def _is_good(self) -> bool:
        return self._stored_at is not None and self._clock() - self._stored_at < _GOOD_FOR_SECONDS

    def _try(self) -> None:
        try:
            self._store.ping_writing()
        except StorageUnavailable:
            self._stored_at = None
        else:
            self._stored_at = self._clock()
