"""Calls over one kept connection, with as little of the caller's processor time as can be."""

from __future__ import annotations

import json
import time
from http.client import HTTPConnection
from typing import Any
from urllib.parse import urlsplit

from local_servers.service import HEADERS

PATIENCE = 60.0  # seconds for one call
KEPT = 10.0  # seconds; servers close a connection that is idle for longer than their keep-alive


class Caller:
    """One connection to one server. To be used by one thread at a time."""

    def __init__(self, url: str, key_headers: dict[str, str] | None = None) -> None:
        parts = urlsplit(url)
        self._connection = HTTPConnection(str(parts.hostname), parts.port, timeout=PATIENCE)
        self._used = 0.0
        self._headers = (HEADERS if key_headers is None else key_headers) | {"Content-Type": "application/json"}

    def call(self, method: str, path: str, body: object = None, **headers: str) -> tuple[int, dict[str, Any]]:
        """The status and the JSON that came back, {} for the page of a proxy. OSError or HTTPException when the
        connection breaks."""
        content = None if body is None else json.dumps(body).encode()
        if time.monotonic() - self._used > KEPT:
            self.close()
        self._connection.request(method, path, content, self._headers | headers)
        reply = self._connection.getresponse()
        raw = reply.read()
        self._used = time.monotonic()
        is_json = raw and "json" in reply.headers.get("Content-Type", "")
        return reply.status, json.loads(raw) if is_json else {}

    def close(self) -> None:
        """Close the connection; the next call opens another."""
        self._connection.close()

    def __enter__(self) -> Caller:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
