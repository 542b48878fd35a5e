"""What time it is: handed to the use cases, so that a test can say."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Protocol

Clock = Callable[[], datetime]


def utc_now() -> datetime:
    """The system's clock, aware and in UTC."""
    return datetime.now(UTC)


class PassedTime(Protocol):
    """What keeps the time that has passed for all servers (a part of `Store`)."""

    def advance_time(self, passed: datetime | None = None) -> datetime:
        """The latest of what any server has handed in."""
        ...


class SharedTime:
    """How much time has really passed while a server ran, as all servers of a store know it together.

    Each server goes on from what it last heard by its own `elapsed`, which nobody can set, and hands its figure in
    with `advance`; the latest figure stands. None is ever ahead of what really passed, whatever the system's clocks
    say and however often servers are started. Time in which none ran is not counted.
    """

    def __init__(self, store: PassedTime, slack: timedelta, elapsed: Callable[[], float] = time.monotonic) -> None:
        """`slack` is the longest that a server goes without `advance`."""
        self._store = store
        self._slack = slack
        self._elapsed = elapsed
        self._heard = (store.advance_time(), elapsed())

    def earliest(self) -> datetime:
        """So much has passed for certain."""
        stood, then = self._heard
        return stood + timedelta(seconds=self._elapsed() - then)

    def latest(self) -> datetime:
        """No server believes that more has passed than this."""
        return self.earliest() + self._slack

    def advance(self) -> datetime:
        """Tell the others, and hear them; so much has passed for certain."""
        stands = self._store.advance_time(self.earliest())
        if stands > self.earliest():
            self._heard = (stands, self._elapsed())
        return self.earliest()


class NeverBehind:
    """The system's clock, but for being set back while this runs: a time that was written does not lie in the past of
    the one before."""

    def __init__(self, clock: Clock, elapsed: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._elapsed = elapsed
        self._began = (clock(), elapsed())

    def __call__(self) -> datetime:
        began, then = self._began
        return max(self._clock(), began + timedelta(seconds=self._elapsed() - then))
