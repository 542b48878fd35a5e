"""Requests prepared as bytes, and connections that cost the callers as little processor time as can be: they run on the
processors that the server needs.
"""

from __future__ import annotations

import asyncio
import json
from typing import cast

from local_servers.service import KEY


class Line(asyncio.Protocol):
    """One kept connection."""

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
            self._received = b""
            self._status.set_result(int(head.split(b" ", 2)[1]))

    def connection_lost(self, exc: Exception | None) -> None:
        """It is gone; whoever waits hears of it."""
        if not self._status.done():
            self._status.set_exception(exc or ConnectionResetError("the server has closed the connection"))

    @property
    def is_open(self) -> bool:
        """Whether it can be used: the server closes one that nobody used for long."""
        return not self._transport.is_closing()

    def close(self) -> None:
        """End it."""
        self._transport.close()


def request_of(place: tuple[str, int], method: str, path: str, body: object, *, keyed: bool = True) -> bytes:
    """A whole request, ready to be sent; `keyed`: with the owner's key."""
    content = b"" if body is None else json.dumps(body).encode()
    key = f"Authorization: Bearer {KEY}\r\n" if keyed else ""
    head = (
        f"{method} {path} HTTP/1.1\r\nHost: {place[0]}:{place[1]}\r\n{key}"
        f"Content-Type: application/json\r\nContent-Length: {len(content)}\r\n\r\n"
    )
    return head.encode() + content
