"""A request's turn with the engine: who asks, whether its engine seconds last, and the wait for the turn (decisions:
section 22).

Waiting happens on the event loop, so that a crowd of renders cannot take the threads that reads and edits need.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from starlette.requests import Request

from scenograph.http.rate_limiting import address_of, tell
from scenograph.service.engine_port import busy
from scenograph.wiring import Services
from scenograph.workers import CURRENT_TURN, Share, Turn, WorkerOverloaded

_OWNER = "owner"


def note_owner(request: Request, account_id: str) -> None:
    """The request acts for an owner."""
    setattr(request.state, _OWNER, account_id)


def share_of(request: Request, services: Services) -> Share:
    """Whose engine time the request takes: the owner's, else that of the network it comes from."""
    owner = getattr(request.state, _OWNER, None)
    return services.fairness.of_owner(owner) if owner else services.fairness.of_network(address_of(request))


@asynccontextmanager
async def engine_turn(request: Request, services: Services, size: int) -> AsyncGenerator[None]:
    """Hold a turn; `size` in bytes is what came with the request. rate_limited when the caller's engine seconds are
    used up, overloaded when there is no room."""
    share = share_of(request, services)
    if (verdict := services.fairness.budget_of(share)) is not None:
        tell(request, verdict)
        services.fairness.require_time(share, verdict)
    turn = _asked(services, share, request, size)
    try:
        await _granted(turn, services.turns.queue_seconds)
        before = CURRENT_TURN.set(turn)
        try:
            yield
        finally:
            CURRENT_TURN.reset(before)
    finally:
        services.turns.give_back(turn)
        if (verdict := services.fairness.charge(share, turn.held_seconds)) is not None:
            tell(request, verdict)


def _asked(services: Services, share: Share, request: Request, size: int) -> Turn:
    try:
        return services.turns.ask(share, f"{request.url.path}?{request.url.query}", size)
    except WorkerOverloaded as refused:
        raise busy(is_owner=share.is_owner) from refused


async def _granted(turn: Turn, seconds: float) -> None:
    try:
        await asyncio.wait_for(asyncio.wrap_future(turn.granted), seconds)
    except TimeoutError:
        raise busy(is_owner=turn.share.is_owner) from None
