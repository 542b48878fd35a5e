"""The preconditions of a request before its endpoint runs: a key, room within its rate limit, a JSON body of bounded
size, a turn with the engine. All are FastAPI dependencies. Access to the store and parsing of large texts run in the
thread pool; the event loop only moves bytes."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import suppress
from typing import Annotated, cast

from anyio.to_thread import run_sync
from fastapi import Depends, Path, Query, Request, Security
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from fastapi.security.utils import get_authorization_scheme_param
from structlog.contextvars import bind_contextvars

from scenograph.http.bodies import RequestBody
from scenograph.http.engine_turns import engine_time, engine_turn, note_owner, share_of
from scenograph.http.logs import ACCOUNT
from scenograph.http.rate_limiting import admit_address, admit_caller, admit_page, admit_whereabouts
from scenograph.http.sessions import SAFE_METHODS, credentials_in, is_of_own_page, require_own_page, token_of
from scenograph.scene.json_values import JsonObject, is_object, kind_of
from scenograph.scene.near_names import NameBudget, nearest
from scenograph.scene.strict_json import parse
from scenograph.service.accounts import Caller
from scenograph.service.errors import ServiceError
from scenograph.service.people import SceneAccess
from scenograph.storage.interface import VIEWER, StorageUnavailable
from scenograph.wiring import Services
from scenograph.workers import LIGHT_BYTES

BRIEF_BYTES = 2_000  # of a body parsed on the event loop: a thread costs more
ANNOUNCING = frozenset({"content-length", "transfer-encoding"})  # headers of a request with a body
DRAINED_BYTES = 8 << 20
DRAIN_SECONDS = 1.0
SHOWN_NAME = 80  # characters of a caller's text in a sentence

_BEARER = HTTPBearer(
    auto_error=False,
    scheme_name="apiKey",
    bearerFormat="dsp_sk_ and 32 hexadecimal characters",
    description="An API key, sent as `Authorization: Bearer <API_KEY>`.",
)


async def services_of(request: Request) -> Services:
    """The services this application was made with."""
    return cast("Services", request.app.state.services)


Serving = Annotated[Services, Depends(services_of)]


def _admitted(
    request: Request,
    services: Serving,
    credentials: Annotated[HTTPAuthorizationCredentials | None, Security(_BEARER)],
) -> Caller:
    """The caller by a key, else by the session of a browser; 401 without a known key or session, 403 for a suspended
    account, 429 beyond the rate limit."""
    caller = services.local_caller
    if caller is not None:
        _refuse_other_pages(request, services)
    else:
        try:
            by_key = services.keys.authenticate(credentials.credentials) if credentials else None
            caller = by_key if credentials else _by_session(request, services)
            if caller is None:
                raise _unknown_caller(credentials)
        except ServiceError:
            admit_address(request)
            raise
        counts = admit_whereabouts if _name_of(request) in request.app.state.frequent_routes else admit_caller
        counts(request, caller)
    note_owner(request, caller.account_id)
    return caller


async def authenticated(caller: Annotated[Caller, Depends(_admitted)]) -> Caller:
    """The caller; 401 without a known key, 429 beyond the rate limit. Log lines of the request carry the account from
    now on: a name bound in a thread would stay there."""
    bind_contextvars(**{ACCOUNT: caller.account_id})
    return caller


async def limited_without_key(request: Request, services: Serving) -> None:
    """Count a call of a keyless route, for its known key, else for its address; 429 beyond the limit. Runs in a thread
    only for a look-up: a thread costs more than a local count."""
    unknown = services.local_caller is None and credentials_in(request.headers) is None
    if unknown and not services.rate_limits.is_remote:
        admit_address(request)
    else:
        caller = await run_sync(_count_without_key, request, services)
        if caller is not None:
            bind_contextvars(**{ACCOUNT: caller.account_id})


async def limited_as_page(request: Request, services: Serving) -> None:
    """Count a request for a published scene by its network, whoever calls; 429 beyond the limit."""
    if services.rate_limits.is_remote:
        await run_sync(admit_page, request)
    else:
        admit_page(request)


def _count_without_key(request: Request, services: Services) -> Caller | None:
    caller = services.local_caller or _known_caller(request, services)
    if caller is None:
        admit_address(request)
        return None
    note_owner(request, caller.account_id)
    if caller.key_id is not None:
        admit_caller(request, caller)
    return caller


async def plain_body(request: Request, services: Serving) -> bytes:
    """The body, read no further than the limit; 413 beyond it, 408 when it is not here in time."""
    if ANNOUNCING.isdisjoint(request.headers):
        return b""  # as of most requests, and a wait with a limit costs some
    limit = services.max_body_bytes
    chunks = request.stream()
    seconds = services.body_timeout_seconds
    try:
        async with asyncio.timeout(seconds):
            content = await _content(request, chunks, limit)
    except TimeoutError:
        raise ServiceError("request_timeout", f"The body did not arrive within {seconds:g} s.") from None
    if content is None:
        await _drain(request, chunks)
        raise ServiceError("body_too_large", f"The body is larger than {limit} bytes.")
    if content and request.headers.get("content-encoding", "identity").lower() != "identity":
        raise ServiceError("unsupported_media_type", "Send the body without a Content-Encoding.")
    return content


async def raw_body(request: Request, services: Serving) -> bytes:
    """The same of plain JSON; 415 for anything else."""
    content = await plain_body(request, services)
    if content:
        _check_media_type(request)
    return content


async def json_object(request: Request, services: Serving, raw: Annotated[bytes, Depends(raw_body)]) -> JsonObject:
    """The body as a JSON object; 400 for any other value. A large body is parsed strictly by the engine, at the
    caller's expense: parsing is only quick for valid input."""
    if len(raw) <= LIGHT_BYTES:
        value = parse(raw) if len(raw) <= BRIEF_BYTES else await run_sync(parse, raw)
    else:
        async with engine_turn(request, services, len(raw)):
            value = await run_sync(_read_by_the_engine, services, raw)
    if not is_object(value):
        raise ServiceError("invalid_request", f"The body must be a JSON object, not {kind_of(value)}.")
    return value


def _read_by_the_engine(services: Services, raw: bytes) -> object:
    services.documents.require_json(raw)
    return json.loads(raw)


async def optional_json_object(
    request: Request, services: Serving, raw: Annotated[bytes, Depends(raw_body)]
) -> JsonObject:
    """Like `json_object`, but nothing at all is an empty object."""
    return await json_object(request, services, raw) if raw else {}


def closed_object(form: RequestBody) -> Callable[[JsonObject], Awaitable[JsonObject]]:
    """A dependency like `json_object` or, for a body that may be left out, `optional_json_object`; the body has only
    the members of `form`. 400 for any further member, because a misspelt member would be ignored silently."""
    known = tuple(form.schema["properties"])

    def checked(body: JsonObject) -> JsonObject:
        strange = next((name for name in body if name not in known), None)
        if strange is not None:
            near = nearest(strange, known, NameBudget())
            meant = f" Did you mean {near}?" if near else ""
            raise ServiceError(
                "invalid_request",
                f"The body has no member {strange[:SHOWN_NAME]!r}; its members are: {', '.join(known)}.{meant}",
            )
        return body

    async def read(body: Annotated[JsonObject, Depends(json_object)]) -> JsonObject:
        return checked(body)

    async def read_optional(body: Annotated[JsonObject, Depends(optional_json_object)]) -> JsonObject:
        return checked(body)

    return read if form.required else read_optional


async def render_slot(
    request: Request, services: Serving, raw: Annotated[bytes, Depends(raw_body)]
) -> AsyncIterator[None]:
    """Hold a turn with the engine for the owner or, without a key, for the network; 429 when its engine seconds are
    used up, 503 when the queue is full. The body is received before and parsed within the turn."""
    async with engine_turn(request, services, len(raw)):
        yield


async def engine_payer(request: Request, services: Serving) -> AsyncIterator[None]:
    """Let the owner or, without a key, the network pay for any engine calls of the request; 429 for a needed call when
    the engine seconds are used up."""
    async with engine_time(request, services):
        yield


def most_elements(request: Request, services: Services) -> int | None:
    """Most elements of the caller's document, beside the published limits; None without a bound."""
    return services.fairness.most_elements(share_of(request, services))


CallerByKey = Annotated[Caller, Security(authenticated)]
SceneId = Annotated[str, Path(alias="sceneId", description="The scene's id.", examples=["checkout"])]
Owner = Annotated[
    str | None,
    Query(description="The account that shares the scene; left out, the scene is the caller's own."),
]


async def scene_access(
    request: Request, services: Serving, caller: CallerByKey, scene_id: SceneId, owner: Owner = None
) -> AsyncIterator[SceneAccess]:
    """The caller's access to the scene of an address, checked against the role that the route needs: the only way of
    an endpoint to a scene. scene_not_found, role_forbidden.

    A reply that only reads is withheld when a shared scene's grant has ended meanwhile: drawing takes a while. Writes
    are checked by the store, in their transaction.
    """
    needed = needed_role(request)
    if owner is None or owner == caller.account_id:
        yield services.sharing.access(caller, None, scene_id, needed)
        return
    access = await run_sync(services.sharing.access, caller, owner, scene_id, needed)
    yield access
    if needed == VIEWER and _name_of(request) not in request.app.state.writing_routes:
        await run_sync(services.sharing.require_still, access, needed)


def needed_role(request: Request) -> str:
    """The role that the request's route needs by the table of routes."""
    needed: Mapping[str, str] = request.app.state.needed_roles
    return needed[_name_of(request)]


def _name_of(request: Request) -> str:
    """The name of the request's route."""
    return str(request.scope["route"].name)


SharedScene = Annotated[SceneAccess, Depends(scene_access, scope="function")]
RawBody = Annotated[bytes, Depends(raw_body)]
OptionalBody = Annotated[JsonObject, Depends(optional_json_object)]
EnginePayer = Annotated[None, Depends(engine_payer, scope="function")]
RenderSlot = Annotated[None, Depends(render_slot, scope="function")]


def _refuse_other_pages(request: Request, services: Services) -> None:
    """Refuse changes by foreign pages on a service without keys: any open page could act as the owner. A non-browser
    client sends nothing that names a page."""
    if request.method not in SAFE_METHODS and is_of_own_page(request, services) is False:
        raise ServiceError(
            "forbidden", "Pages of other origins may not change anything on a service that asks for no API key."
        )


def _by_session(request: Request, services: Services) -> Caller | None:
    """The caller of a signed-in browser; None without a cookie. Raises session_ended, account_suspended, and forbidden
    for a change by a foreign page."""
    token = token_of(request, services)
    if token is None:
        return None
    caller = services.sessions.authenticate(token)
    if caller is None:
        raise ServiceError("session_ended", "The session of this browser is over; sign in again.")
    require_own_page(request, services)
    return caller


def _known_caller(request: Request, services: Services) -> Caller | None:
    """The caller of a keyless route with a known key or session. A wrong key is ignored, as are an ended session, a
    session named by a foreign page, a suspended account, and all of them while the store is unavailable."""
    scheme, key = get_authorization_scheme_param(request.headers.get("authorization"))
    with suppress(StorageUnavailable, ServiceError):
        if scheme.lower() == "bearer" and key:
            return services.keys.authenticate(key)
        return _by_session(request, services)
    return None


def _unknown_caller(credentials: HTTPAuthorizationCredentials | None) -> ServiceError:
    if credentials is None:
        return ServiceError("missing_api_key", "This address needs an API key: send Authorization: Bearer <API_KEY>.")
    return ServiceError("invalid_api_key", "This API key is not known.")


async def _content(request: Request, chunks: AsyncIterator[bytes], limit: int) -> bytes | None:
    """The body; None beyond `limit`."""
    declared = request.headers.get("content-length", "")
    if declared.isdecimal() and int(declared) > limit:
        return None
    content = bytearray()
    async for chunk in chunks:
        content += chunk
        if len(content) > limit:
            return None
    return bytes(content)


async def _drain(request: Request, chunks: AsyncIterator[bytes]) -> None:
    """Read and discard some of the remaining body. Closing a connection with unread bytes resets it, and a client that
    reads the reply only after sending everything would never see it."""
    if "expect" in request.headers:
        return  # the client sends nothing before 100 Continue
    passed = 0
    with suppress(TimeoutError):
        async with asyncio.timeout(DRAIN_SECONDS):
            async for chunk in chunks:
                passed += len(chunk)
                if passed > DRAINED_BYTES:
                    return


def _check_media_type(request: Request) -> None:
    kind, _, parameters = request.headers.get("content-type", "").lower().partition(";")
    kind = kind.strip()
    charset = parameters.replace('"', "").partition("charset=")[2].partition(";")[0].strip()
    if kind != "application/json" and not (kind.startswith("application/") and kind.endswith("+json")):
        raise ServiceError("unsupported_media_type", "Send the body as Content-Type: application/json.")
    if charset not in {"", "utf-8", "utf8"}:
        raise ServiceError("unsupported_media_type", "JSON is UTF-8; send it without another charset.")
