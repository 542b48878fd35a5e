"""The purge, once a minute in the background, by time that has really passed."""

from __future__ import annotations

import threading

import structlog

from scenograph.service.clock import Clock
from scenograph.service.lifecycle import purge
from scenograph.storage.interface import StorageUnavailable, Store

EVERY_SECONDS = 60.0

_log = structlog.get_logger(__name__)


class Purging:
    """Runs from its making until `begin_closing`. A store that does not answer is asked again a minute later. `passed`
    is asked once a turn how much time has really passed (SharedTime's `advance`). `removed` counts the scenes that are
    gone."""

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
        """Wait so long for a purge that runs; one that is cut off has done nothing."""
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
