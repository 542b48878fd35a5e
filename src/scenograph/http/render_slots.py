"""Who may render now: as many at once as there are engine processes, and few of one owner or address (decisions:
section 12).

Waiting happens on the event loop, so that a crowd of renders cannot take the threads that reads and edits need.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import anyio

from scenograph.service.errors import ServiceError


@dataclass(slots=True)
class _Share:
    """The slots of one owner or address, kept while anybody holds or awaits one."""

    slots: anyio.Semaphore
    users: int = 0


class RenderSlots:
    """`total` slots, `per_subject` of them for one owner or address at a time. Lives on one event loop."""

    def __init__(self, total: int, per_subject: int, queue_seconds: float) -> None:
        self._all = anyio.Semaphore(total)
        self._per_subject = per_subject
        self._queue_seconds = queue_seconds
        self._shares: dict[str, _Share] = {}
        self.waiting = 0

    @property
    def subjects(self) -> int:
        """How many owners and addresses hold or await a slot."""
        return len(self._shares)

    @asynccontextmanager
    async def held(self, subject: str) -> AsyncGenerator[None]:
        """Hold a slot of the subject's share and one of all; overloaded when they do not become free in time."""
        async with self._share(subject) as own:
            await self._take(own)
            try:
                yield
            finally:
                self._all.release()
                own.release()

    @asynccontextmanager
    async def _share(self, subject: str) -> AsyncGenerator[anyio.Semaphore]:
        share = self._shares.setdefault(subject, _Share(anyio.Semaphore(self._per_subject)))
        share.users += 1
        try:
            yield share.slots
        finally:
            share.users -= 1
            if not share.users:
                del self._shares[subject]

    async def _take(self, own: anyio.Semaphore) -> None:
        """Both slots within the queue's seconds, or neither. The own one comes first: who waits for a share of theirs
        must not hold a slot that another could use."""
        sentence = f"Of one owner or address {self._per_subject} renders run at once; try again."
        self.waiting += 1
        try:
            with anyio.fail_after(self._queue_seconds):
                await own.acquire()
                sentence = "All renderers are busy; try again."
                try:
                    await self._all.acquire()
                except BaseException:
                    own.release()
                    raise
        except TimeoutError:
            raise ServiceError("overloaded", sentence, retry_after=self._queue_seconds) from None
        finally:
            self.waiting -= 1
