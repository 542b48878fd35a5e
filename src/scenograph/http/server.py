"""The application behind a socket: uvicorn with our limits, from the first connection to the last reply."""

from __future__ import annotations

import asyncio
import functools
import gc
import logging
import math
import signal
import socket
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from types import FrameType
from typing import Any, cast

import structlog
import uvicorn
from fastapi import FastAPI
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from scenograph.http.answers import HOSTS, address_of_socket, known_hosts
from scenograph.http.event_streams import EventStreams
from scenograph.http.metrics import MEDIA_TYPE
from scenograph.http.protocol import BoundedProtocol, ConnectionRules, Connections
from scenograph.late_dataclasses import dataclass
from scenograph.operating_system import raise_file_limit

_BACKLOG = 2048
DRAIN_SECONDS = 5  # including the work after it, shutdown ends within ten
_DESCRIPTORS_KEPT = 256  # for the store, the engine processes and the log
MOST_DESCRIPTORS = 65_536
_LEAST_CONNECTIONS = 32
_METRICS_PATH = "/metrics"
_STREAMS_SHARE = 2  # event streams take a half of all connections at most
_ACCEPT_ERROR = "socket.accept() out of system resource"
_ACCEPT_ERRORS_TOLD_EVERY = 60.0  # seconds
# Messages of uvicorn about a single connection, without its request's id; logged here with the id.
_SAID_BY_US = (
    "Invalid HTTP request received.",
    "Unsupported upgrade request.",
    "No supported WebSocket library detected.",
    "Cancel %s running task(s)",
    "ASGI callable returned without completing response.",
)

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerRules:
    """The limits of connections, and the host names of the server. `max_connections` None means the process's limit of
    descriptors."""

    head_timeout_seconds: float = 10.0
    max_header_bytes: int = 16 * 1024
    keep_alive_seconds: float = 30.0
    max_connections: int | None = None
    connections_per_network: int = 200
    trusted_proxies: str = ""
    allowed_hosts: tuple[str, ...] = ()
    public_site: str | None = None
    asks_no_key: bool = False


def listen(host: str, port: int) -> socket.socket:
    """A listening socket; OSError when the address is taken or not ours. Port 0 lets the system choose."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.create_server((host, port), family=family, backlog=_BACKLOG)
    # Inherited by connections. Without the option the body of a reply waits some 40 ms for the acknowledgement of its
    # head.
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listener


def adopt(descriptor: int) -> socket.socket:
    """An already listening socket, inherited from the parent process. Raises OSError for any other descriptor."""
    listener = socket.socket(fileno=descriptor)
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listener


def address_of(listener: socket.socket) -> str:
    """The web address of a listening socket."""
    return f"http://{address_of_socket(listener.getsockname())}"


def serve(
    app: FastAPI,
    listener: socket.socket,
    rules: ServerRules,
    ready: Callable[[], None] = lambda: None,
    *,
    prepare: Callable[[], None] = lambda: None,
    metrics_listener: socket.socket | None = None,
) -> None:
    """Serve until SIGTERM or SIGINT; then accept no new connection, finish running requests, and return.

    `ready` is called once connections are accepted and signals handled. `prepare` runs in the background from then on,
    to spare the first requests. With a `metrics_listener` metrics are served there alone.
    """
    sockets = [listener, *([metrics_listener] if metrics_listener else [])]
    apart = None if metrics_listener is None else _MetricsApart(app, metrics_listener.getsockname()[1])
    most = rules.max_connections or _room_for_connections()
    streams = cast("EventStreams", app.state.event_streams)
    streams.hold_to(most // _STREAMS_SHARE)
    config = uvicorn.Config(
        apart or app,
        http=_protocol(listener, rules, most),
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,  # the application decides about trusted proxies
        lifespan="off",
        ws="none",
        h11_max_incomplete_event_size=rules.max_header_bytes,
        timeout_keep_alive=cast("int", rules.keep_alive_seconds),  # uvicorn only adds it to the time
        timeout_graceful_shutdown=DRAIN_SECONDS,
    )
    logging.getLogger("uvicorn.error").addFilter(_is_not_said_by_us)
    # uvicorn drains on the signal and then raises it again for the previous handler: here this handler ends the
    # function instead of the process, and the caller can close the store.
    before = {number: signal.signal(number, _stop) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        with suppress(_Stopped):
            _Server(config, ready, prepare, streams.end_all).run(sockets=sockets)
    finally:
        for one in sockets:
            one.close()
        for number, handler in before.items():
            signal.signal(number, handler)


def _protocol(listener: socket.socket, rules: ServerRules, most: int) -> type[asyncio.Protocol]:
    bound = str(listener.getsockname()[0])
    shared = ConnectionRules(
        connections=Connections(most, rules.connections_per_network, rules.trusted_proxies),
        head_timeout_seconds=rules.head_timeout_seconds,
        state={HOSTS: known_hosts(bound, rules.allowed_hosts, rules.public_site, asks_no_key=rules.asks_no_key)},
    )
    return cast("type[asyncio.Protocol]", functools.partial(BoundedProtocol, rules=shared))


def _room_for_connections() -> int:
    """The process's limit of descriptors, less a reserve for the server's own files."""
    return max(_LEAST_CONNECTIONS, raise_file_limit(MOST_DESCRIPTORS) - _DESCRIPTORS_KEPT)


def _is_not_said_by_us(record: logging.LogRecord) -> bool:
    return not str(record.msg).startswith(_SAID_BY_US)


class _Server(uvicorn.Server):
    def __init__(
        self,
        config: uvicorn.Config,
        ready: Callable[[], None],
        prepare: Callable[[], None],
        end_streams: Callable[[], None],
    ) -> None:
        super().__init__(config)
        self._prepare = prepare
        self._ready = ready
        self._end_streams = end_streams

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """uvicorn's start-up, after its own signal handlers."""
        asyncio.get_running_loop().set_exception_handler(AcceptErrors())
        await super().startup(sockets)
        gc.freeze()  # objects up to now stay alive: collecting among them held every reply up for 90 ms
        self._ready()
        # No daemon: a thread that the interpreter's end meets inside an extension (pydantic's) aborts the process.
        threading.Thread(target=self._prepare_beside, name="preparing").start()

    def _prepare_beside(self) -> None:
        self._prepare()
        gc.freeze()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """uvicorn's shutdown, which waits for running requests; event streams, which would run on, are ended before."""
        self._end_streams()
        await super().shutdown(sockets)


class _MetricsApart:
    """Serves metrics on their own port alone, and nothing else there, for any host name."""

    def __init__(self, app: FastAPI, port: int) -> None:
        self._app = app
        self._port = port

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_own_port = scope["type"] == "http" and scope["server"][1] == self._port
        if scope["type"] != "http" or is_own_port == (scope["path"] == _METRICS_PATH):
            app: ASGIApp = self._told if is_own_port else self._app
            await app(scope, receive, send)
            return
        await Response("There is nothing at this address.\n", 404, media_type="text/plain")(scope, receive, send)

    async def _told(self, scope: Scope, receive: Receive, send: Send) -> None:
        text = self._app.state.metrics.text()
        await Response(text, headers={"Cache-Control": "no-store"}, media_type=MEDIA_TYPE)(scope, receive, send)


class AcceptErrors:
    """Logs failed accepts once a minute with their number, since thousands a second are possible. Further faults of the
    event loop are logged as usual."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._count = 0
        self._told_at = -math.inf

    def __call__(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """The event loop's handler of exceptions."""
        if context.get("message") != _ACCEPT_ERROR:
            loop.default_exception_handler(context)
            return
        self._count += 1
        if self._clock() - self._told_at >= _ACCEPT_ERRORS_TOLD_EVERY:
            _log.warning("connections_not_taken", count=self._count, reason=type(context.get("exception")).__name__)
            self._count, self._told_at = 0, self._clock()


class _Stopped(BaseException):
    """The process was told to stop."""


def _stop(_number: int, _frame: FrameType | None) -> None:
    raise _Stopped
