"""Connections that send half a head and then nothing, while others call."""

from __future__ import annotations

import socket
import time
from contextlib import ExitStack, suppress
from urllib.parse import urlsplit

from local_servers.calling import Caller

from chaos.scenes import require

HALF = b"GET /health HTTP/1.1\r\nHost: localhost\r\nX-Half: "


def hold(url: str, count: int, seconds: float) -> tuple[float, int]:
    """The slowest call in seconds, and how many were answered; Broken when one is not."""
    place = urlsplit(url)
    slowest, answered = 0.0, 0
    with ExitStack() as stack:
        for _ in range(count):
            half = socket.create_connection((str(place.hostname), place.port or 0), timeout=20)
            stack.callback(half.close)
            with suppress(OSError):  # the server may have closed it to make room
                half.sendall(HALF)
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            for path in ("/health", "/v1/scenes"):
                began = time.monotonic()
                with Caller(url) as caller:
                    status, _ = caller.call("GET", path)
                slowest = max(slowest, time.monotonic() - began)
                answered += 1
                require(status == 200, f"{path} was answered {status}")
    return slowest, answered
