"""The application behind a socket: uvicorn with our limits, from the first connection to the last reply."""

from __future__ import annotations

import logging
import signal
import socket
from collections.abc import Callable
from contextlib import suppress
from types import FrameType

import uvicorn
from fastapi import FastAPI

from scenograph.http.layers import MAX_HEADER_BYTES
from scenograph.http.unreadable import RefusingProtocol

BACKLOG = 2048
DRAIN_SECONDS = 5  # with what comes after it, all is over within ten
KEEP_ALIVE_SECONDS = 30
# What uvicorn says of a single connection, without its request's id. Ours says the same with it.
SAID_BY_US = (
    "Invalid HTTP request received.",
    "Unsupported upgrade request.",
    "No supported WebSocket library detected.",
    "Cancel %s running task(s)",
    "ASGI callable returned without completing response.",
)


def listen(host: str, port: int) -> socket.socket:
    """A listening socket; OSError when the address is taken or not ours. Port 0 lets the system choose."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.create_server((host, port), family=family, backlog=BACKLOG)
    # Connections inherit it. Without it the body of a reply waits some 40 ms for the acknowledgement of its head.
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listener


def adopt(descriptor: int) -> socket.socket:
    """A socket that listens already, of whoever started this process. OSError when the descriptor is none."""
    listener = socket.socket(fileno=descriptor)
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listener


def address_of(listener: socket.socket) -> str:
    """The web address of a listening socket."""
    host, port = listener.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def serve(app: FastAPI, listener: socket.socket, ready: Callable[[], None] = lambda: None) -> None:
    """Answer until SIGTERM or SIGINT; then accept nothing new, finish what runs, and return. `ready` is called once
    both hold: connections are taken, and a signal is heeded."""
    config = uvicorn.Config(
        app,
        http=RefusingProtocol,
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,  # the application decides whom it believes
        lifespan="off",
        ws="none",
        h11_max_incomplete_event_size=MAX_HEADER_BYTES,
        timeout_keep_alive=KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=DRAIN_SECONDS,
    )
    logging.getLogger("uvicorn.error").addFilter(_is_not_said_by_us)
    # uvicorn drains on the signal and then raises it again for the handler that stood before: here that one ends the
    # function instead of the process, so that the caller can close the store.
    before = {number: signal.signal(number, _stop) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        with suppress(_Stopped):
            _Server(config, ready, app.state.event_streams.end_all).run(sockets=[listener])
    finally:
        listener.close()
        for number, handler in before.items():
            signal.signal(number, handler)


def _is_not_said_by_us(record: logging.LogRecord) -> bool:
    return not str(record.msg).startswith(SAID_BY_US)


class _Server(uvicorn.Server):
    def __init__(self, config: uvicorn.Config, ready: Callable[[], None], end_streams: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready
        self._end_streams = end_streams

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """uvicorn's, which comes after its own signal handlers."""
        await super().startup(sockets)
        self._ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """uvicorn's, which waits for what runs: streams of events would run on."""
        self._end_streams()
        await super().shutdown(sockets)


class _Stopped(BaseException):
    """The process was told to stop."""


def _stop(_number: int, _frame: FrameType | None) -> None:
    raise _Stopped
