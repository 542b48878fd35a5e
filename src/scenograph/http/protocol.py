"""The HTTP/1.1 protocol of the server: uvicorn's, with bounded waits for clients, strict heads, and all refusals in the
same form.

- A head must be complete within seconds, or the connection ends (408 after a partial head).
- Bare line feeds and folded header lines are refused, since intermediaries may read them differently (RFC 9112,
  sections 2.2 and 5.2).
- When the server stops, the last reply of a connection announces the end, and only then the connection is closed.
"""

from __future__ import annotations

import asyncio
import ipaddress
import re
import sys
import uuid
from collections import Counter, OrderedDict
from collections.abc import Mapping
from typing import Any, Protocol

import h11
import structlog
from starlette.responses import Response
from uvicorn.config import Config
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState

from scenograph.http.problems import RefusedRequest, headers_too_large_response, problem_response
from scenograph.late_dataclasses import dataclass
from scenograph.service.rate_limits import neighbourhood_of

# Open connections, in total and by network, and the choice of connections to close (R-FAIR-4).
#
# A connection waits until the head of a request is complete; from then it works until the reply is sent. Working
# connections are never cut. Among waiting connections those without any complete head go first, the oldest first: a
# client that opens silent connections closes its own.

GRACE_SECONDS = 0.5  # for a new connection to send its head, regardless of the number of connections
KEPT_FOR_KEYS = 50  # requests of a network beyond its limit, for those with a key and for health checks


class Closable(Protocol):
    """A connection; the same object throughout its life."""

    def close_now(self) -> None:
        """Close the connection, which waits for a request."""
        ...


class Connections:
    """The open connections of a server: at most `most` in total and `per_network` from a network. Connections of
    `proxies` (comma-separated addresses and networks) carry many clients and count in total only. Lives on a single
    event loop."""

    def __init__(self, most: int, per_network: int, proxies: str = "") -> None:
        self._most = most
        self._per_network = per_network
        self._proxies = [ipaddress.ip_network(part) for part in proxies.split(",") if part]
        self._networks: dict[Closable, str] = {}
        self._silent: OrderedDict[Closable, None] = OrderedDict()  # no whole head yet
        self._kept: OrderedDict[Closable, None] = OrderedDict()  # after a reply
        self._open: Counter[str] = Counter()
        self._working: Counter[str] = Counter()
        self._trims: set[str] = set()

    @property
    def count(self) -> int:
        """How many are open."""
        return len(self._networks)

    def opened(self, connection: Closable, host: str) -> None:
        """Register a new connection. The limits may close other connections, or this connection as the last resort."""
        network = self._network_of(host)
        self._networks[connection] = network
        self._open[network] += 1
        self._silent[connection] = None
        if self._is_beyond(network) and network not in self._trims:
            self._trims.add(network)
            asyncio.get_running_loop().call_later(GRACE_SECONDS, self._trim, network)
        while len(self._networks) > self._most:
            self._close_first([*self._silent][:1] or [*self._kept][:1])

    def works(self, connection: Closable, *, is_preferred: bool) -> bool:
        """A request begins; whether its network has room. `is_preferred`: with a key, or a health check."""
        network = self._networks.get(connection, "")
        self._silent.pop(connection, None)
        self._kept.pop(connection, None)
        self._working[network] += 1
        room = self._per_network + (KEPT_FOR_KEYS if is_preferred else 0)
        return not network or self._working[network] <= room

    def waits(self, connection: Closable) -> None:
        """The reply is sent, and another request may come."""
        if connection in self._networks and connection not in self._kept:
            self._rests(self._networks[connection])
            self._kept[connection] = None

    def leaves_network(self, connection: Closable) -> None:
        """Exempt the connection from its network's limit: an owner's stream, counted by owner."""
        network = self._networks.get(connection, "")
        if network:
            self._less(self._open, network)
            self._rests(network)
            self._networks[connection] = ""
            self._open[""] += 1
            self._working[""] += 1

    def closed(self, connection: Closable) -> None:
        """Unregister the connection."""
        network = self._networks.pop(connection, None)
        if network is None:
            return
        waited = connection in self._silent or connection in self._kept
        self._silent.pop(connection, None)
        self._kept.pop(connection, None)
        self._less(self._open, network)
        if not waited:
            self._rests(network)

    def _trim(self, network: str) -> None:
        self._trims.discard(network)
        waiting = [one for one in (*self._silent, *self._kept) if self._networks[one] == network]
        self._close_first(waiting[: max(0, self._open[network] - self._per_network)])

    def _close_first(self, victims: list[Closable]) -> None:
        for victim in victims:
            self.closed(victim)
            victim.close_now()

    def _is_beyond(self, network: str) -> bool:
        return bool(network) and self._open[network] > self._per_network

    def _network_of(self, host: str) -> str:
        """The network of an address; empty for a proxy, which serves clients of many networks."""
        try:
            address = ipaddress.ip_address(host)
        except ValueError:
            return host
        return "" if any(address in proxies for proxies in self._proxies) else neighbourhood_of(host)

    def _rests(self, network: str) -> None:
        self._less(self._working, network)

    @staticmethod
    def _less(counter: Counter[str], network: str) -> None:
        counter[network] -= 1
        if counter[network] <= 0:
            del counter[network]


_DEFAULT_HEAD_BYTES = 16 * 1024
_LINGER_SECONDS = 1.0  # after a refusal, for clients that read only after sending everything
_LAST_CALL_SECONDS = 0.5  # for a request on its way when the server stops
_LAST_HEAD_SECONDS = 2.0  # for a partially received request
CONNECTION = "connection"
_UNCLEAN = re.compile(rb"(?<!\r)\n|\r(?!\n)|\n[ \t]")
_REFUSALS: Mapping[int, RefusedRequest] = {
    408: RefusedRequest("request_timeout", "The head of the request did not arrive in time."),
}
_TOO_LARGE = 431
_PATH = re.compile(rb"[A-Z]+ (?:https?://[^/ ]*)?(/[^ ?]{0,200})")
_UNREADABLE = RefusedRequest("invalid_request", "This is not a valid HTTP request.")

_log = structlog.get_logger("scenograph.access")


@dataclass(frozen=True, slots=True, kw_only=True)
class ConnectionRules:
    """Settings shared by all connections of a server. `state` is passed to every request."""

    connections: Connections
    head_timeout_seconds: float
    state: Mapping[str, Any]


class _StrictConnection(h11.Connection):
    """An h11 connection that refuses heads and trailers with line ends that an intermediary may read differently."""

    def next_event(self) -> h11.Event | type[h11.NEED_DATA] | type[h11.PAUSED]:
        """The next event. Raises RemoteProtocolError for a bare CR or LF, or a folded line, in its own bytes."""
        before = self.trailing_data[0]
        event = super().next_event()
        if isinstance(event, h11.Request | h11.EndOfMessage):
            left = len(self.trailing_data[0])
            if _UNCLEAN.search(before, 0, len(before) - left):
                raise h11.RemoteProtocolError("bare line ends or folded lines")
        return event


class BoundedProtocol(H11Protocol):
    """A connection with bounded waits."""

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
        *,
        rules: ConnectionRules,
    ) -> None:
        super().__init__(config, server_state, {**app_state, **rules.state, CONNECTION: self}, _loop)
        self._rules = rules
        self._head_timer: asyncio.TimerHandle | None = None
        self._is_refused = False
        self.is_last = False
        self._most_bytes = config.h11_max_incomplete_event_size or _DEFAULT_HEAD_BYTES
        self.conn = _StrictConnection(h11.SERVER, self._most_bytes)

    def connection_made(self, transport: asyncio.Transport) -> None:
        """Register the connection, and wait for a head."""
        super().connection_made(transport)
        self._watch_head()
        self._rules.connections.opened(self, self.client[0] if self.client else "unknown")

    def connection_lost(self, exc: Exception | None) -> None:
        """Unregister the connection."""
        self._stop_watching()
        self._rules.connections.closed(self)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Handle received bytes; ignored after a refusal."""
        if self._is_refused:
            return
        super().data_received(data)
        if self.is_waiting:
            self._watch_head()
        else:
            self._stop_watching()

    def eof_received(self) -> None:
        """Close a refused connection after the client's last byte."""
        if self._is_refused:
            self.transport.close()

    def on_response_complete(self) -> None:
        """The connection waits again."""
        self._rules.connections.waits(self)
        super().on_response_complete()

    @property
    def is_waiting(self) -> bool:
        """Whether no request is under way."""
        return self.conn.their_state is h11.IDLE and (not self.cycle or self.cycle.response_complete)

    def begins(self, *, is_preferred: bool) -> bool:
        """A request begins; whether its network has room."""
        return self._rules.connections.works(self, is_preferred=is_preferred)

    def leave_network(self) -> None:
        """Exempt the connection from its network's limit: an owner's stream, counted by owner."""
        self._rules.connections.leaves_network(self)

    def close_now(self) -> None:
        """Close a waiting connection."""
        self.transport.abort()

    def shutdown(self) -> None:
        """The server stops: the next reply is the last. A waiting connection is closed unless more bytes arrive
        soon."""
        self.is_last = True
        if self.is_waiting:
            seconds = _LAST_HEAD_SECONDS if self.conn.trailing_data[0] else _LAST_CALL_SECONDS
            self.loop.call_later(seconds, self._close_if_waiting)
        elif self.cycle:
            self.cycle.keep_alive = False  # the header cannot be added to a reply already begun

    def send_400_response(self, msg: str) -> None:
        """Refuse an unreadable request and end the connection; never in the middle of a reply."""
        fault = sys.exc_info()[1]
        self._refuse(getattr(fault, "error_status_hint", 400))

    def _watch_head(self) -> None:
        if self._head_timer is None:
            self._head_timer = self.loop.call_later(self._rules.head_timeout_seconds, self._head_is_late)

    def _stop_watching(self) -> None:
        if self._head_timer is not None:
            self._head_timer.cancel()
            self._head_timer = None

    def _head_is_late(self) -> None:
        self._head_timer = None
        if not self.is_waiting or self.transport.is_closing():
            return
        if self.conn.trailing_data[0]:
            self._refuse(408)
        elif not self.cycle:
            self.transport.close()

    def _close_if_waiting(self) -> None:
        if self.is_waiting and not self.transport.is_closing():
            self.transport.close()

    def _refuse(self, status: int) -> None:
        if self._is_refused or self.transport.is_closing():
            return
        self._is_refused = True
        self._stop_watching()
        half_sent = self.cycle and self.cycle.response_started and not self.cycle.response_complete
        if half_sent:
            self.transport.close()
            return
        request_id = uuid.uuid4().hex
        if status == _TOO_LARGE:
            found = _PATH.match(self.conn.trailing_data[0])
            path = found[1].decode("ascii", "replace") if found else ""
            reply = headers_too_large_response(self._most_bytes, request_id, path)
        else:
            reply = problem_response(_REFUSALS.get(status, _UNREADABLE), request_id)
        _log.info("unreadable_request", request_id=request_id, status=reply.status_code)
        self.transport.write(_written(reply, request_id))
        self.transport.write_eof()
        self.loop.call_later(_LINGER_SECONDS, self.transport.close)


def _written(reply: Response, request_id: str) -> bytes:
    reply.headers["X-Request-Id"] = request_id
    reply.headers["X-Content-Type-Options"] = "nosniff"
    reply.headers["Connection"] = "close"
    line = b"HTTP/1.1 %d %s" % (reply.status_code, _PHRASES[reply.status_code])
    lines = (line, *(name + b": " + value for name, value in reply.raw_headers))
    return b"".join(line + b"\r\n" for line in lines) + b"\r\n" + bytes(reply.body)


_PHRASES = {
    400: b"Bad Request",
    408: b"Request Timeout",
    413: b"Content Too Large",
    431: b"Request Header Fields Too Large",
}
