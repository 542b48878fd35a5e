"""The HTTP application: endpoints from the ROUTES table, refusals and layers."""

from __future__ import annotations

import functools
import threading
import time
from collections.abc import Callable
from importlib.metadata import version
from inspect import iscoroutinefunction
from typing import Any, cast

from anyio import CapacityLimiter
from anyio.lowlevel import RunVar
from anyio.to_thread import run_sync
from fastapi import APIRouter, Depends, FastAPI
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, compile_path, request_response
from starlette.routing import Route as StarletteRoute
from starlette.types import ASGIApp, Receive, Scope, Send

from scenograph.http import layers, problems
from scenograph.http.drawer import Flights, drawer_of
from scenograph.http.endpoints.kroki import KROKI_ADDRESSES
from scenograph.http.endpoints.pages import STANDING_PAGES, description_of
from scenograph.http.endpoints.public_pages import FinishedPages
from scenograph.http.engine_turns import RecentOwners, RecentPictures, RefusedEarly, begun_again, doors_of
from scenograph.http.event_streams import EventStreams
from scenograph.http.guards import limited_as_page, limited_without_key, render_slot
from scenograph.http.metrics import Metrics, readings_of
from scenograph.http.openapi import completed, describe, request_body_of, responses_of
from scenograph.http.routes import ROUTES, Auth, Route, methods_by_path
from scenograph.http.written import WriteReply
from scenograph.storage.interface import StorageUnavailable
from scenograph.wiring import Services

# Threads for endpoints, which release theirs while waiting for the engine. Writers have their own threads: while the
# store blocks writes, writers wait for seconds, and a crowd of writers would take every thread from readers. A
# request that has waited for a thread as long as a writer waits for the store is refused: a crowd is answered within
# two such waits, not one after the other.


_WRITERS_AT_ONCE = 16  # further writers wait on the event loop; the store takes one at a time
LONGEST_WAIT_SECONDS = 5.0  # for a thread; equals the stores' wait for a lock

_LIMITER: RunVar[CapacityLimiter] = RunVar("threads for writing")


def _in_threads(handler: Callable[..., Response]) -> Callable[..., Any]:
    """An endpoint with the same parameters, run in a thread of the shared pool."""

    @functools.wraps(handler)
    async def run(*arguments: Any, **named: Any) -> Response:
        return await begun_again(lambda: run_sync(functools.partial(handler, *arguments, **named)))

    return run


def in_threads_for_writing(handler: Callable[..., Response | WriteReply]) -> Callable[..., Any]:
    """An endpoint with the same parameters, run in a thread of the writers' pool; its reply is completed outside the
    thread. Raises StorageUnavailable when no thread is free in time."""

    def write(came: float, arguments: tuple[Any, ...], named: dict[str, Any]) -> Response | WriteReply:
        if time.monotonic() - came > LONGEST_WAIT_SECONDS:
            raise StorageUnavailable("the writers before this one did not come to an end in time")
        return handler(*arguments, **named)

    @functools.wraps(handler)
    async def run(*arguments: Any, **named: Any) -> Response:
        try:
            limiter = _LIMITER.get()
        except LookupError:
            limiter = CapacityLimiter(_WRITERS_AT_ONCE)
            _LIMITER.set(limiter)
        reply = await begun_again(
            lambda: run_sync(functools.partial(write, time.monotonic(), arguments, named), limiter=limiter)
        )
        return await reply.completed() if isinstance(reply, WriteReply) else reply

    return run


_ALLOWED_HEADERS = "Accept, Authorization, Content-Type, If-None-Match, X-Request-Id"
_PREFLIGHT_SECONDS = "600"
_PAGES_SHARE = 4  # finished pages take a quarter of the pictures' cache size, in addition
_NO_ICON = "none:none"  # an unknown set, which makes the search cover every set
COUNTED = [Depends(limited_without_key)]
_COUNTED_AS_PAGE = [Depends(limited_as_page)]


def create_app(services: Services) -> FastAPI:
    """The application over `services`. Closing the services is the caller's duty."""
    app = FastAPI(
        title="Scenograph",
        version=version("scenograph"),
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
    )
    app.state.services = services
    app.state.recent_owners = RecentOwners()
    app.state.recent_pictures = RecentPictures()
    app.state.flights = Flights()
    app.state.finished_pages = FinishedPages(services.kept_pictures.most_bytes // _PAGES_SHARE)
    app.state.event_streams = EventStreams(services.watching, services.streams_per_owner, services.presence)
    app.state.metrics = Metrics(readings_of(services))
    app.state.needed_roles = {route.handler.__name__: route.needs for route in ROUTES if route.needs}
    app.state.frequent_routes = {route.handler.__name__ for route in ROUTES if route.frequent}
    app.state.writing_routes = {route.handler.__name__ for route in ROUTES if route.writes}
    app.router.routes.extend(_addresses())
    problems.install(app)
    # The framework wants the innermost layer first.
    app.add_middleware(RefusedEarly, doors=doors_of(app.router.routes, render_slot, drawer_of))
    layers.wrap(app, _open_addresses(), app.state.metrics, services.trusted_proxies, services.max_header_bytes)
    described: list[dict[str, Any]] = []
    describing = threading.Lock()

    def openapi() -> dict[str, Any]:
        with describing:
            if not described:
                described.append(completed(_description(), services))
            return described[0]

    app.openapi = openapi
    return app


def prepare(app: FastAPI) -> None:
    """Warm-up before the first request: the OpenAPI description, and the index of unknown icons."""
    description_of(app)
    icons = cast("Services", app.state.services).limits.icons
    if icons is not None:
        icons.nearest(_NO_ICON)


@functools.cache
def _addresses() -> list[BaseRoute]:
    """Every address and its endpoint, the same for every application of the process: the framework takes 0.1 s to read
    what the endpoints ask for. Published scenes come first: routes are matched one after the other, and readers call
    the most."""
    router = APIRouter()
    for path, routes in methods_by_path(ROUTES).items():
        for route in routes:
            _add(router, route)
        is_open = all(route.auth is Auth.OPEN for route in routes)
        _add_other_methods(router, path, [route.method for route in routes], is_open=is_open)
    for page in STANDING_PAGES:
        _add_hidden(router, page.path, page.handler, "GET", COUNTED if page.limited else None)
        _add_other_methods(router, page.path, ["GET"])
    for kroki in KROKI_ADDRESSES:
        _add_hidden(router, kroki.path, kroki.handler, kroki.method, COUNTED)
        _add_other_methods(router, kroki.path, [kroki.method], headers=f"{_ALLOWED_HEADERS}, *")
    pages = {route.path for route in ROUTES if route.page}
    return sorted(router.routes, key=lambda route: getattr(route, "path", None) not in pages)


@functools.cache
def _description() -> dict[str, Any]:
    """The description of all addresses, the same for every application of the process as well."""
    return describe(_addresses())


def _add_hidden(
    router: APIRouter, path: str, handler: Callable[..., Any], method: str, dependencies: list[Any] | None
) -> None:
    """Add an endpoint outside the description."""
    router.add_api_route(
        path, handler, methods=[method], include_in_schema=False, response_model=None, dependencies=dependencies
    )


def _add(router: APIRouter, route: Route) -> None:
    router.add_api_route(
        route.path,
        _endpoint_of(route),
        methods=[route.method],
        status_code=route.status,
        response_model=None,
        responses=responses_of(route),
        dependencies=_counted(route),
        openapi_extra=request_body_of(route.request),
        summary=route.summary,
        tags=[route.tag],
        operation_id=route.handler.__name__,
        name=route.handler.__name__,
    )


def _counted(route: Route) -> list[Any] | None:
    if route.page:
        return _COUNTED_AS_PAGE
    return COUNTED if route.limited and route.auth is Auth.OPEN else None


def _endpoint_of(route: Route) -> Callable[..., Any]:
    if iscoroutinefunction(route.handler):
        return route.handler
    return in_threads_for_writing(route.handler) if route.writes else _in_threads(route.handler)


def _add_other_methods(
    router: APIRouter, path: str, own: list[str], *, is_open: bool = True, headers: str = _ALLOWED_HEADERS
) -> None:
    """Answer OPTIONS, and 405 with the allowed methods to all else: a path is never read as an id of a wider route.
    `headers` may be sent by pages of other origins."""
    allowed = ", ".join([*own, *(["HEAD"] if "GET" in own else []), "OPTIONS"])

    async def other_methods(request: Request) -> Response:
        if request.method != "OPTIONS":
            raise HTTPException(405, headers={"Allow": allowed})
        preflight = {
            "Access-Control-Allow-Methods": allowed,
            "Access-Control-Allow-Headers": headers,
            "Access-Control-Max-Age": _PREFLIGHT_SECONDS,
        }
        return Response(status_code=204, headers={"Allow": allowed} | (preflight if is_open else {}))

    router.routes.append(
        StarletteRoute(path, _OfAnyMethod(path, request_response(other_methods)), include_in_schema=False)
    )


class _OfAnyMethod:
    """An ASGI application for methods of every name; the router restricts a plain function to GET. Counted under
    `path`, as the routes are."""

    def __init__(self, path: str, app: ASGIApp) -> None:
        self.path = path
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        scope["route"] = self
        await self._app(scope, receive, send)


def _open_addresses() -> Any:
    patterns = [compile_path(route.path)[0] for route in ROUTES if route.auth is Auth.OPEN]
    patterns += [compile_path(page.path)[0] for page in (*STANDING_PAGES, *KROKI_ADDRESSES)]

    def is_open(scope: Scope) -> bool:
        return any(pattern.match(scope["path"]) for pattern in patterns)

    return is_open
