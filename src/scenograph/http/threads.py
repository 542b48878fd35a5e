"""Threads of their own for what writes: while the store lets nobody write, writers wait for seconds, and a crowd of
them would take every thread that readers need.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from anyio import CapacityLimiter
from anyio.lowlevel import RunVar
from anyio.to_thread import run_sync
from starlette.responses import Response

WRITERS_AT_ONCE = 16  # further ones wait on the event loop; the store takes one at a time

_LIMITER: RunVar[CapacityLimiter] = RunVar("threads for writing")


def in_threads_for_writing(handler: Callable[..., Response]) -> Callable[..., Any]:
    """An endpoint of the same parameters that runs in one of these threads."""

    @functools.wraps(handler)
    async def run(*arguments: Any, **named: Any) -> Response:
        try:
            limiter = _LIMITER.get()
        except LookupError:
            limiter = CapacityLimiter(WRITERS_AT_ONCE)
            _LIMITER.set(limiter)
        return await run_sync(functools.partial(handler, *arguments, **named), limiter=limiter)

    return run
