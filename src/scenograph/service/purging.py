"""The purge, once a minute in the background, by a clock that cannot be set forward."""

from __future__ import annotations

import threading

import structlog

from scenograph.service.clock import Clock, NeverAhead
from scenograph.service.lifecycle import purge
from scenograph.storage.interface import StorageUnavailable, Store

EVERY_SECONDS = 60.0

_log = structlog.get_logger(__name__)


class Purging:
    """Runs from its making until `close`. A store that does not answer is asked again a minute later. `removed` counts
    the scenes that it has taken."""

    def __init__(self, store: Store, clock: Clock, every_seconds: float = EVERY_SECONDS) -> None:
        self._store = store
        self._clock = NeverAhead(clock)
        self._every = every_seconds
        self.removed = 0
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name="purge", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop, and wait for a purge that runs."""
        self._closing.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._closing.wait(self._every):
            try:
                removed = purge(self._store, self._clock())
            except StorageUnavailable as fault:
                _log.warning("purge_failed", reason=str(fault))
            else:
                self.removed += removed
                if removed:
                    _log.info("purged", scenes=removed)
