"""What time it is: handed to the use cases, so that a test can say."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

Clock = Callable[[], datetime]


def utc_now() -> datetime:
    """The system's clock, aware and in UTC."""
    return datetime.now(UTC)


class NeverAhead:
    """A clock that runs no faster than time really passes (`elapsed`, in seconds, of a clock that cannot be set).

    When the system's clock is set forward, this one goes on from where it was: what waits for an hour to pass waits
    for a real one. It may be late, never early.
    """

    def __init__(self, clock: Clock, elapsed: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._elapsed = elapsed
        self._began = clock()
        self._began_elapsed = elapsed()

    def __call__(self) -> datetime:
        passed = timedelta(seconds=self._elapsed() - self._began_elapsed)
        return min(self._clock(), self._began + passed)
