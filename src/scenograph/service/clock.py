"""Clocks of the use cases, injected for the sake of tests."""

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
    """A store of the time that has passed for all servers (a part of `Store`)."""

    def advance_time(self, passed: datetime | None = None) -> datetime:
        """Hand in a server's time; the latest time of any server."""
        ...


class SharedTime:
    """Time that has really passed while a server ran, shared by all servers of a store.

    Each server counts on from the last shared time by its own monotonic `elapsed` and hands its figure in with
    `advance`; the latest figure stands. No server is ever ahead of real time, whatever the system clocks say and
    however often servers start. Time without a running server is not counted.
    """

    def __init__(self, store: PassedTime, slack: timedelta, elapsed: Callable[[], float] = time.monotonic) -> None:
        """`slack` is the longest time between two calls of `advance` on any server."""
        self._store = store
        self._slack = slack
        self._elapsed = elapsed
        self._heard = (store.advance_time(), elapsed())

    def earliest(self) -> datetime:
        """The time that has certainly passed: a lower bound."""
        stood, then = self._heard
        return stood + timedelta(seconds=self._elapsed() - then)

    def latest(self) -> datetime:
        """The time no server believes to be exceeded: an upper bound."""
        return self.earliest() + self._slack

    def advance(self) -> datetime:
        """Exchange the time with the store; the new lower bound."""
        stands = self._store.advance_time(self.earliest())
        if stands > self.earliest():
            self._heard = (stands, self._elapsed())
        return self.earliest()


class NeverBehind:
    """The system's clock without steps backwards: a written time never precedes an earlier one of this process."""

    def __init__(self, clock: Clock, elapsed: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._elapsed = elapsed
        self._began = (clock(), elapsed())

    def __call__(self) -> datetime:
        began, then = self._began
        return max(self._clock(), began + timedelta(seconds=self._elapsed() - then))
