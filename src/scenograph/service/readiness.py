"""Readiness of the store, tested by a write: a full disk, a foreign lock and a read-only file still allow reads.

A single trial runs at a time, and its success holds for a second, however many requests ask.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from scenograph.storage.interface import StorageUnavailable, Store

GOOD_FOR_SECONDS = 1.0
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
        return self._stored_at is not None and self._clock() - self._stored_at < GOOD_FOR_SECONDS

    def _try(self) -> None:
        try:
            self._store.ping_writing()
        except StorageUnavailable:
            self._stored_at = None
        else:
            self._stored_at = self._clock()
