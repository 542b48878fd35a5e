"""A request's turn with the engine: the caller's share, its engine seconds, and the wait for the turn (R-FAIR-2,
R-FAIR-3). Requests wait on the event loop: a crowd of renders cannot take the threads of reads and edits."""

from __future__ import annotations

import asyncio
import hashlib
from collections import OrderedDict
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager
from contextvars import ContextVar
from typing import Any, TypeVar, cast

from anyio.to_thread import run_sync
from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute
from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from scenograph.http.problems import refusal_response
from scenograph.http.rate_limiting import address_of, tell
from scenograph.http.sessions import credentials_in
from scenograph.late_dataclasses import dataclass
from scenograph.service.documents import busy
from scenograph.service.errors import ServiceError
from scenograph.service.rate_limits import EngineSeconds
from scenograph.wiring import Services
from scenograph.workers import BEGINS_AGAIN, CURRENT_PAYER, CURRENT_TURN, CallTurn, Share, TurnNeeded, WorkerOverloaded

_OWNERS_KEPT = 10_000
_NAMES_KEPT = 10_000
_CHEAP_BYTES = 2_000  # of a request that names a stored scene; a request with a document has it validated first
_OWNER, _ENTERED = "owner", "entered"
T = TypeVar("T")

# The current request, while its caller pays for possible engine calls.
_CALLER: ContextVar[tuple[Request, Services] | None] = ContextVar("caller", default=None)


def note_owner(request: Request, account_id: str) -> None:
    """The request acts for an owner."""
    setattr(request.state, _OWNER, account_id)
    request.app.state.recent_owners.note(request, account_id)


def share_of(request: Request, services: Services) -> Share:
    """The payer's share: the owner's, else that of the request's network."""
    owner = getattr(request.state, _OWNER, None)
    return services.fairness.of_owner(owner) if owner else services.fairness.of_network(address_of(request))


@asynccontextmanager
async def engine_turn(request: Request, services: Services, size: int) -> AsyncGenerator[None]:
    """Hold a turn, or reuse the request's turn; `size` is the request's size in bytes. Raises rate_limited when the
    caller's engine seconds are used up, overloaded when the queue is full."""
    if CURRENT_TURN.get() is not None:
        yield
        return
    async with engine_time(request, services) as payer:
        await _counted(payer, payer.require)
        turn = _asked(services, payer.share, request, size)
        try:
            await _granted(turn, services.turns.longest_wait(payer.share))
            before = CURRENT_TURN.set(turn)
            try:
                yield
            finally:
                CURRENT_TURN.reset(before)
        finally:
            services.turns.give_back(turn)
            await _counted(payer, lambda: payer.charge(turn.held_seconds))


@asynccontextmanager
async def engine_time(request: Request, services: Services) -> AsyncGenerator[EngineSeconds]:
    """Let the caller pay for any engine calls within the block."""
    payer = services.fairness.payer(share_of(request, services))
    before, caller = CURRENT_PAYER.set(payer), _CALLER.set((request, services))
    try:
        yield payer
    finally:
        CURRENT_PAYER.reset(before)
        _CALLER.reset(caller)
        if payer.verdict is not None:
            tell(request, payer.verdict)


async def begun_again(call: Callable[[], Awaitable[T]]) -> T:
    """The result of `call`, which runs code in a thread. On TurnNeeded the call begins again within a turn, awaited
    here: waiting requests take no threads."""
    before = BEGINS_AGAIN.set(_CALLER.get() is not None)
    try:
        return await call()
    except TurnNeeded:
        pass
    finally:
        BEGINS_AGAIN.reset(before)
    request, services = cast("tuple[Request, Services]", _CALLER.get())
    async with engine_turn(request, services, _size_of(request)):
        return await call()


class RecentPictures:
    """Addresses answered with pictures lately, which may be cached: decides whether to look before refusing a
    request."""

    def __init__(self) -> None:
        self._names: OrderedDict[str, None] = OrderedDict()

    def note(self, request: Request) -> None:
        """The request was answered with a picture."""
        self._names[_name_of(request)] = None
        if len(self._names) > _NAMES_KEPT:
            self._names.popitem(last=False)

    def forget(self, request: Request) -> None:
        """The picture is not kept any more."""
        self._names.pop(_name_of(request), None)

    def may_have(self, request: Request) -> bool:
        """Whether looking for the picture is cheap and may succeed."""
        return _size_of(request) <= _CHEAP_BYTES and _name_of(request) in self._names


class RecentOwners:
    """Owners of recently seen keys, by the hash of the credentials. Serves only to choose an early refusal before the
    key's look-up: a revoked key still opens nothing."""

    def __init__(self) -> None:
        self._accounts: OrderedDict[bytes, str] = OrderedDict()

    def note(self, request: Request, account_id: str) -> None:
        """The request was found to act for an account."""
        key = _key_of(request)
        if key is not None and key not in self._accounts:
            self._accounts[key] = account_id
            if len(self._accounts) > _OWNERS_KEPT:
                self._accounts.popitem(last=False)

    def share(self, request: Request, services: Services) -> Share | None:
        """The probable payer's share; None for an unknown key."""
        if services.local_caller is not None:
            return services.fairness.of_owner(services.local_caller.account_id)
        key = _key_of(request)
        if key is None:
            return services.fairness.of_network(address_of(request))
        owner = self._accounts.get(key)
        return None if owner is None else services.fairness.of_owner(owner)


def enter(request: Request) -> None:
    """Announce the request's call to the queue. Raises overloaded when the queue is full. A request with an unknown key
    passes, to be authenticated first."""
    services: Services = request.app.state.services
    owners: RecentOwners = request.app.state.recent_owners
    share = owners.share(request, services)
    if share is None:
        return
    try:
        setattr(request.state, _ENTERED, services.turns.enter(share, _name_of(request), _size_of(request)))
    except WorkerOverloaded as refused:
        raise busy(is_owner=share.is_owner) from refused


def _may_be_kept(request: Request) -> bool:
    """Whether the requested picture was given out lately and probably needs no turn."""
    services: Services = request.app.state.services
    recent: RecentPictures = request.app.state.recent_pictures
    return services.kept_pictures.keeps and recent.may_have(request)


def leave(request: Request) -> None:
    """Who needed no turn in the end is no longer reckoned with."""
    services: Services = request.app.state.services
    entered = getattr(request.state, _ENTERED, None)
    if entered is not None:
        services.turns.leave(entered)


def _size_of(request: Request) -> int:
    length = request.headers.get("content-length", "0")
    return int(length) if length.isdecimal() else 0


def _asked(services: Services, share: Share, request: Request, size: int) -> CallTurn:
    try:
        return services.turns.ask(share, _name_of(request), size, getattr(request.state, _ENTERED, None))
    except WorkerOverloaded as refused:
        raise busy(is_owner=share.is_owner) from refused


def _name_of(request: Request) -> str:
    return f"{request.scope['path']}?{request.scope['query_string'].decode('latin-1')}"


def _key_of(request: Request) -> bytes | None:
    said = credentials_in(request.headers)
    return None if said is None else hashlib.sha256(said.encode("latin-1", "replace")).digest()


async def _counted(payer: EngineSeconds, count: Callable[[], None]) -> None:
    """Charge a counter: in a thread if remote, here if in memory, since a thread costs more than a local count."""
    if payer.is_remote:
        await run_sync(count)
    else:
        count()


async def _granted(turn: CallTurn, seconds: float) -> None:
    try:
        await asyncio.wait_for(asyncio.wrap_future(turn.granted), seconds)
    except (TimeoutError, WorkerOverloaded):
        raise busy(is_owner=turn.share.is_owner) from None


# A request plainly without room for its engine call is refused before any other work on it (R-FAIR-3). Refusals must
# stay cheap, or they take time from served requests: address and headers decide, before routes are matched one after
# the other, the body is read and the key looked up.


@dataclass(frozen=True, slots=True)
class Door:
    """A route whose requests take a turn with the engine: `always`, or only for an uncached picture."""

    route: APIRoute
    always: bool

    def opens_to(self, scope: Scope) -> bool:
        """Whether the request matches the route."""
        return scope["method"] in self.route.methods and self.route.path_regex.match(scope["path"]) is not None


def doors_of(routes: Iterable[object], always: Callable[..., Any], at_times: Callable[..., Any]) -> tuple[Door, ...]:
    """The routes with the dependency `always` (takes a turn) or `at_times` (may take a turn)."""
    own = [route for route in routes if isinstance(route, APIRoute)]
    taking = [(route, _depends_on(route.dependant, always)) for route in own]
    return tuple(Door(route, takes) for route, takes in taking if takes or _depends_on(route.dependant, at_times))


class RefusedEarly:
    """Refuses requests at these doors when the queue is full, except for probably cached pictures."""

    def __init__(self, app: ASGIApp, doors: tuple[Door, ...]) -> None:
        self._app = app
        self._doors = doors

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        door = next((door for door in self._doors if door.opens_to(scope)), None) if scope["type"] == "http" else None
        if door is None:
            await self._app(scope, receive, send)
            return
        request = Request(scope)
        if not door.always and _may_be_kept(request):
            await self._app(scope, receive, send)
            return
        try:
            enter(request)
        except ServiceError as refused:
            scope["route"] = door.route  # the subject of its count
            await refusal_response(request, refused)(scope, receive, send)
            return
        try:
            await self._app(scope, receive, send)
        finally:
            leave(request)


def _depends_on(dependant: Dependant, wanted: Callable[..., Any]) -> bool:
    return dependant.call is wanted or any(_depends_on(needed, wanted) for needed in dependant.dependencies)
