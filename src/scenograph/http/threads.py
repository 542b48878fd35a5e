"""Threads for endpoints, which give theirs up while they wait for the engine.

What writes has threads of its own: while the store lets nobody write, writers wait for seconds, and a crowd of them
would take every thread that readers need. Who has waited for a thread as long as the store lets a writer wait is
refused then, so that a crowd is told within two such waits and not one after the other.
"""

from __future__ import annotations

import functools
import time
from collections.abc import Callable
from typing import Any

from anyio import CapacityLimiter
from anyio.lowlevel import RunVar
from anyio.to_thread import run_sync
from starlette.responses import Response

from scenograph.http.engine_turns import begun_again
from scenograph.storage.interface import StorageUnavailable

WRITERS_AT_ONCE = 16  # further ones wait on the event loop; the store takes one at a time
LONGEST_WAIT_SECONDS = 5.0  # for a thread; as long as the stores wait for a lock

_LIMITER: RunVar[CapacityLimiter] = RunVar("threads for writing")


def in_threads(handler: Callable[..., Response]) -> Callable[..., Any]:
    """An endpoint of the same parameters that runs in one of the threads that all share."""

    @functools.wraps(handler)
    async def run(*arguments: Any, **named: Any) -> Response:
        return await begun_again(lambda: run_sync(functools.partial(handler, *arguments, **named)))

    return run


def in_threads_for_writing(handler: Callable[..., Response]) -> Callable[..., Any]:
    """An endpoint of the same parameters that runs in one of these threads; StorageUnavailable when none is free in
    time."""

    def write(came: float, arguments: tuple[Any, ...], named: dict[str, Any]) -> Response:
        if time.monotonic() - came > LONGEST_WAIT_SECONDS:
            raise StorageUnavailable("the writers before this one did not come to an end in time")
        return handler(*arguments, **named)

    @functools.wraps(handler)
    async def run(*arguments: Any, **named: Any) -> Response:
        try:
            limiter = _LIMITER.get()
        except LookupError:
            limiter = CapacityLimiter(WRITERS_AT_ONCE)
            _LIMITER.set(limiter)
        return await begun_again(
            lambda: run_sync(functools.partial(write, time.monotonic(), arguments, named), limiter=limiter)
        )

    return run
