"""What surrounds every request, outermost first: the target, identity and log, HEAD, compression, the rate limit told,
open doors for browsers, bounds.

Each is a plain ASGI layer; `wrap` puts them on in order.
"""

from __future__ import annotations

import asyncio
import re
import time
import uuid
from collections import Counter
from collections.abc import Callable
from urllib.parse import quote, unquote

import structlog
from fastapi import FastAPI
from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from scenograph.http.answers import HOSTS, KnownHosts, takes_gzip
from scenograph.http.logs import ACCOUNT
from scenograph.http.metrics import ASKED_METHOD, Measured, Metrics
from scenograph.http.problems import (
    crowded_response,
    headers_too_large_response,
    internal_error_response,
    misdirected_response,
    stopping_response,
    two_keys_response,
    two_lengths_response,
)
from scenograph.http.protocol import CONNECTION, BoundedProtocol
from scenograph.http.rate_limiting import LIMIT_HEADERS, LimitsTold
from scenograph.http.sessions import credentials_in

# Refusals before any look at the request: a connection beyond a network's limit, an unknown host name. Both need data
# of a real server (passed by `server.py` with every request); without such data requests pass.


_NEVER_REFUSED = frozenset({"/health", "/ready"})


class _WithinRoom:
    """Refuses requests beyond a network's limit, and announces the end on a connection's last reply."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        connection: BoundedProtocol | None = scope.get("state", {}).get(CONNECTION)
        if scope["type"] != "http" or connection is None:
            await self._app(scope, receive, send)
            return

        async def send_closing(message: Message) -> None:
            if message["type"] == "http.response.start" and connection.is_last:
                MutableHeaders(scope=message)["Connection"] = "close"
            await send(message)

        app = self._app
        is_preferred = scope["path"] in _NEVER_REFUSED or credentials_in(Headers(scope=scope)) is not None
        if not connection.begins(is_preferred=is_preferred):
            app = crowded_response(scope["state"]["request_id"])
        await app(scope, receive, send_closing)


class _AddressedRightly:
    """Refuses unknown host names if the known names are strict."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        hosts: KnownHosts | None = scope.get("state", {}).get(HOSTS)
        app = self._app
        if scope["type"] == "http" and hosts is not None and scope["path"] not in _NEVER_REFUSED:
            known = not hosts.is_strict or hosts.knows(Headers(scope=scope).get("host", ""))
            app = self._app if known else misdirected_response(scope["state"]["request_id"])
        await app(scope, receive, send)


COMPRESSED_FROM_BYTES = 1024
_ACCEPT_ENCODING = b"accept-encoding"
_COMPRESSION_LEVEL = 5
_EXPOSED_HEADERS = ", ".join(("X-Request-Id", "Retry-After", "ETag", *LIMIT_HEADERS))
_TAKEN_REQUEST_ID = re.compile(r"(?!.*dsp_sk_)[A-Za-z0-9._-]{8,64}")  # a key sent by mistake is not repeated
_ABSOLUTE = re.compile(rb"https?://(?:[^/@]*@)?(?P<host>[^/]+)(?P<path>/.*)?$", re.IGNORECASE | re.DOTALL)
# A key in any spelling or split: up to the end of its path segment, and further segments like parts of a key.
_KEY_LIKE = re.compile(r"d\W*s\W*p[\W_]*s\W*k[\W_]*[^/]*(?:/+[0-9a-f\W_]+(?=/|$))*", re.IGNORECASE)
_MAIL_LIKE = re.compile(r"(?<![^/@\s])[^/@\s]+@[^/@\s]+")  # tried once a segment: a path may be very long
_DECODINGS = 5  # an address may have been percent-encoded several times on its way

_log = structlog.get_logger("scenograph.access")


class Identified:
    """Assigns a request id (the caller's own if well-formed), logs a line, and catches internal faults."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        asked = Headers(scope=scope).get("x-request-id", "")
        request_id = asked if _TAKEN_REQUEST_ID.fullmatch(asked) else uuid.uuid4().hex
        scope.setdefault("state", {})["request_id"] = request_id
        status = 0

        async def send_identified(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = MutableHeaders(scope=message)
                headers["X-Request-Id"] = request_id
                headers["X-Content-Type-Options"] = "nosniff"
            await send(message)

        body = _Body(receive)
        began = time.perf_counter()
        with structlog.contextvars.bound_contextvars(request_id=request_id):
            structlog.contextvars.unbind_contextvars(ACCOUNT)  # of the request before, on the same connection
            try:
                await self._app(scope, body.receive, send_identified)
            except asyncio.CancelledError:  # the server stops, and has waited long enough
                _log.warning("cut_off_by_stop", unfinished_body=body.is_awaited)
                if not status:  # else the reply is half sent; the server drops the connection
                    await _cut_off(request_id, body)(scope, receive, send_identified)
            except Exception:
                _log.exception("unexpected_fault")
                if status:
                    raise  # the reply is half sent; the server can only drop the connection
                await internal_error_response(request_id)(scope, receive, send_identified)
            finally:
                milliseconds = round((time.perf_counter() - began) * 1000, 1)
                _log.info("request", method=scope["method"], path=_path(scope), status=status, ms=milliseconds)


def _cut_off(request_id: str, body: _Body) -> Response:
    return stopping_response(request_id, body_is_awaited=body.is_awaited)


class _Body:
    """Passes on a request's messages, and knows whether a reader awaits more of the body."""

    def __init__(self, receive: Receive) -> None:
        self._receive = receive
        self._is_whole = False
        self.is_awaited = False

    async def receive(self) -> Message:
        """The next part."""
        self.is_awaited = not self._is_whole
        message = await self._receive()
        self._is_whole = not message.get("more_body", False)
        self.is_awaited = False
        return message


class _WithinBounds:
    """Refuses malformed requests before routing: too many headers, two keys, and a body with two length declarations,
    which an intermediary may have read differently (RFC 9112, section 6.1)."""

    def __init__(self, app: ASGIApp, max_header_bytes: int) -> None:
        self._app = app
        self._max_header_bytes = max_header_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        app = self._app
        if scope["type"] == "http":
            request_id = scope["state"]["request_id"]
            names = Counter(name for name, _ in scope["headers"])
            if _header_bytes(scope) > self._max_header_bytes:
                app = headers_too_large_response(self._max_header_bytes, request_id, scope["path"])
            elif {b"content-length", b"transfer-encoding"} <= names.keys():
                app = two_lengths_response(request_id)
            elif names[b"authorization"] > 1:
                app = two_keys_response(request_id)
        await app(scope, receive, send)


class _PlainTargets:
    """Accepts targets in absolute form, `GET http://host/path`; the host in the target wins over `Host` (RFC 9112,
    section 3.2.2)."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        found = _ABSOLUTE.match(scope.get("raw_path") or b"") if scope["type"] == "http" else None
        if found is not None:
            raw = found["path"] or b"/"
            headers = [(name, value) for name, value in scope["headers"] if name != b"host"]
            host = (b"host", found["host"])
            scope = {**scope, "path": unquote(raw.decode("ascii")), "raw_path": raw, "headers": [host, *headers]}
        await self._app(scope, receive, send)


class Compressed(GZipMiddleware):
    """Compresses by the weights of Accept-Encoding; the framework's layer only looks for the word gzip."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            asked = Headers(scope=scope).get("accept-encoding", "")
            others = [(name, value) for name, value in scope["headers"] if name != _ACCEPT_ENCODING]
            coding = [(_ACCEPT_ENCODING, b"gzip")] if takes_gzip(asked) else []
            scope["headers"] = [*others, *coding]  # in place: who counts requests reads the route from it
        await super().__call__(scope, receive, send)


class _HeadAsGet:
    """Answers HEAD as GET without the body."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "HEAD":
            await self._app(scope, receive, send)
            return

        async def send_without_body(message: Message) -> None:
            await send({**message, "body": b""} if message["type"] == "http.response.body" else message)

        await self._app({**scope, "method": "GET", ASKED_METHOD: "HEAD"}, receive, send_without_body)


class _OpenToBrowsers:
    """Lets pages of any origin read the replies of keyless routes, which act for no account."""

    def __init__(self, app: ASGIApp, is_open: Callable[[Scope], bool]) -> None:
        self._app = app
        self._is_open = is_open

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_open(message: Message) -> None:
            if message["type"] == "http.response.start" and self._is_open(scope):
                headers = MutableHeaders(scope=message)
                headers["Access-Control-Allow-Origin"] = "*"
                headers["Access-Control-Expose-Headers"] = _EXPOSED_HEADERS
            await send(message)

        await self._app(scope, receive, send_open if scope["type"] == "http" else send)


def wrap(
    app: FastAPI, is_open: Callable[[Scope], bool], metrics: Metrics, trusted_proxies: str, max_header_bytes: int
) -> None:
    """Put the layers round `app`. The framework wants the innermost first. `trusted_proxies` are the addresses and
    networks, separated by commas, whose X-Forwarded-For is believed."""
    app.add_middleware(LimitsTold)
    app.add_middleware(_WithinBounds, max_header_bytes=max_header_bytes)
    app.add_middleware(_AddressedRightly)
    app.add_middleware(_OpenToBrowsers, is_open=is_open)
    app.add_middleware(Compressed, minimum_size=COMPRESSED_FROM_BYTES, compresslevel=_COMPRESSION_LEVEL)
    app.add_middleware(Measured, metrics=metrics)
    app.add_middleware(_HeadAsGet)
    app.add_middleware(_WithinRoom)
    app.add_middleware(Identified)
    app.add_middleware(_PlainTargets)
    if trusted_proxies:
        app.add_middleware(ProxyHeadersMiddleware, trusted_hosts=trusted_proxies)


def _header_bytes(scope: Scope) -> int:
    address = len(scope.get("raw_path") or b"") + len(scope["query_string"])
    return address + sum(len(name) + len(value) for name, value in scope["headers"])


def _path(scope: Scope) -> str:
    """The path as received, percent-encoded, without the query: nothing in it can break a log line. A key in place of
    an id and a mail address are masked, together with their surroundings if visible only after decoding."""
    raw = bytes(scope.get("raw_path") or scope["path"].encode("utf-8", "replace")).decode("latin-1")
    printable = raw if raw.isascii() and raw.isprintable() else quote(raw, safe="/%")
    plain = _without_secrets(printable)
    decoded = plain
    for _ in range(_DECODINGS):
        decoded = unquote(decoded)
    masked = _without_secrets(decoded)
    return (plain if masked == decoded else quote(masked, safe="/()"))[:200]


def _without_secrets(path: str) -> str:
    return _MAIL_LIKE.sub("(address)", _KEY_LIKE.sub("(key)", path))
