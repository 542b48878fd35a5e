"""What is written to a connection in one go is sent in one go.

uvicorn writes the head of a reply and its body one after the other, and each write would be a call of the system that
wakes the client: for a short reply, a quarter of what it costs the server.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Any

SENT_AT_ONCE = 64 * 1024  # bytes; what is larger is not held back, so that the bound on unsent bytes is heeded


class JoinedWrites(asyncio.Transport):
    """`transport`, but what is written to it is sent at the end of the event loop's round, or when it is much. An end
    of the connection comes after what was written before it."""

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__()
        self._transport = transport
        self._loop = loop
        self._written = bytearray()

    def write(self, data: bytes | bytearray | memoryview) -> None:
        """Send soon."""
        if not data:
            return
        if not self._written:
            self._loop.call_soon(self._send)
        self._written += data
        if len(self._written) >= SENT_AT_ONCE:
            self._send()

    def writelines(self, list_of_data: Iterable[bytes | bytearray | memoryview]) -> None:
        """Send them all soon."""
        for data in list_of_data:
            self.write(data)

    def write_eof(self) -> None:
        """Say that nothing more comes."""
        self._send()
        self._transport.write_eof()

    def can_write_eof(self) -> bool:
        """Whether one end can be closed alone."""
        return self._transport.can_write_eof()

    def close(self) -> None:
        """Close it once all is sent."""
        self._send()
        self._transport.close()

    def abort(self) -> None:
        """Close it at once."""
        self._written.clear()
        self._transport.abort()

    def is_closing(self) -> bool:
        """Whether it is closed, or is about to be."""
        return self._transport.is_closing()

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        """What is known of the connection."""
        return self._transport.get_extra_info(name, default)

    def pause_reading(self) -> None:
        """Take nothing more for now."""
        self._transport.pause_reading()

    def resume_reading(self) -> None:
        """Take what comes."""
        self._transport.resume_reading()

    def set_protocol(self, protocol: asyncio.BaseProtocol) -> None:
        """Whom events are told to."""
        self._transport.set_protocol(protocol)

    def get_protocol(self) -> asyncio.BaseProtocol:
        """Who hears of events."""
        return self._transport.get_protocol()

    def _send(self) -> None:
        if self._written and not self._transport.is_closing():
            self._transport.write(bytes(self._written))
        self._written.clear()
