"""Requests prepared as bytes, and connections that cost the callers as little processor time as can be: they run on the
processors that the server needs.
"""

from __future__ import annotations

import asyncio
import json
from typing import cast

from local_servers.service import KEY


class Line(asyncio.Protocol):
    """One kept connection. `body` is that of the latest reply."""

    body = b""
    _status: asyncio.Future[int] | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """It is there."""
        self._transport = cast("asyncio.Transport", transport)
        self._received = b""

    def ask(self, request: bytes) -> asyncio.Future[int]:
        """Send a request; the status of the reply, once it is whole."""
        self._status = asyncio.get_running_loop().create_future()
        self._transport.write(request)
        return self._status

    def data_received(self, data: bytes) -> None:
        """Some of the reply."""
        self._received += data
        head, end, body = self._received.partition(b"\r\n\r\n")
        if not end:
            return
        length = head.lower().partition(b"content-length:")[2].split(b"\r\n", 1)[0]
        if len(body) >= int(length):
            self._received, self.body = b"", body
            if self._status and not self._status.done():  # nobody waits any more
                self._status.set_result(int(head.split(b" ", 2)[1]))

    def connection_lost(self, exc: Exception | None) -> None:
        """It is gone; whoever waits hears of it."""
        if self._status and not self._status.done():
            self._status.set_exception(exc or ConnectionResetError("the server has closed the connection"))

    @property
    def is_open(self) -> bool:
        """Whether it can be used: the server closes one that nobody used for long."""
        return not self._transport.is_closing()

    def close(self) -> None:
        """End it."""
        self._transport.close()


def request_of(place: tuple[str, int], method: str, path: str, body: object, *, key: str | None = KEY) -> bytes:
    """A whole request, ready to be sent; `body`: JSON as bytes, or what is written as JSON; `key`: the owner's if no
    other is given."""
    content = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()
    bearer = f"Authorization: Bearer {key}\r\n" if key else ""
    head = (
        f"{method} {path} HTTP/1.1\r\nHost: {place[0]}:{place[1]}\r\n{bearer}"
        f"Content-Type: application/json\r\nContent-Length: {len(content)}\r\n\r\n"
    )
    return head.encode() + content
