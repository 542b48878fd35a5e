"""What is refused at the door, before anybody looks at the request: one connection too many of a network, a name that
the service does not go by.

Both need what only a real server knows (`server.py` hands it to every request); without one they let pass.
"""

from __future__ import annotations

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from scenograph.http.hosts import HOSTS, KnownHosts
from scenograph.http.problems import crowded_response, misdirected_response
from scenograph.http.protocol import CONNECTION, BoundedProtocol

NEVER_REFUSED = frozenset({"/health", "/ready"})


class WithinRoom:
    """Refuses requests of a network that has too many under way, and says on a connection's last reply that it is."""

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
        is_preferred = scope["path"] in NEVER_REFUSED or any(name == b"authorization" for name, _ in scope["headers"])
        if not connection.begins(is_preferred=is_preferred):
            app = crowded_response(scope["state"]["request_id"])
        await app(scope, receive, send_closing)


class AddressedRightly:
    """Refuses names that the service does not go by, where it is for few."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        hosts: KnownHosts | None = scope.get("state", {}).get(HOSTS)
        app = self._app
        if scope["type"] == "http" and hosts is not None and scope["path"] not in NEVER_REFUSED:
            known = not hosts.is_strict or hosts.knows(Headers(scope=scope).get("host", ""))
            app = self._app if known else misdirected_response(scope["state"]["request_id"])
        await app(scope, receive, send)
