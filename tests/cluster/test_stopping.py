"""A server that is told to stop is gone within ten seconds, whoever does not let go."""

from __future__ import annotations

import json
import socket
from pathlib import Path
from urllib.parse import urlsplit

from local_servers.calling import Caller
from local_servers.service import running_services

from scenograph import wiring
from scenograph.http import server
from scenograph.workers import pool

WITHIN = 10
LEFT_FOR_THE_REST = 2  # closing connections, ending the interpreter
UNFINISHED = (
    b"POST /v1/scenes/validate HTTP/1.1\r\nHost: localhost\r\n"
    b"Content-Type: application/json\r\nContent-Length: 99\r\n\r\n{"
)


def test_what_a_stop_may_wait_for_leaves_room_within_ten_seconds() -> None:
    waits = server.DRAIN_SECONDS + wiring.CLOSING_SECONDS  # mails, the purge and the workers end side by side
    assert waits + LEFT_FOR_THE_REST <= WITHIN
    assert pool.DRAIN_SECONDS < wiring.CLOSING_SECONDS


def test_a_caller_who_never_finishes_does_not_hold_up_a_stop(tmp_path: Path) -> None:
    address = f"sqlite:///{tmp_path}/scenes.db"
    with running_services(1, tmp_path, DATABASE_URL=address, BODY_TIMEOUT_SECONDS="600") as (service,):
        parts = urlsplit(service.url)
        with socket.create_connection((str(parts.hostname), parts.port or 0)) as stalled, Caller(service.url) as other:
            stalled.sendall(UNFINISHED)
            assert other.call("GET", "/health")[0] == 200  # so the other request has begun
            service.process.terminate()
            head, _, body = stalled.makefile("rb").read().partition(b"\r\n\r\n")
            assert service.process.wait(60) == 0
    assert head.startswith(b"HTTP/1.1 408 ")
    assert b"connection: close" in head.lower()
    reply = json.loads(body)
    assert reply["code"] == "request_timeout"
    assert f"x-request-id: {reply['requestId']}".encode() in head.lower()
    logged = "\n".join(path.read_text() for path in tmp_path.glob("*.log"))
    assert "cut_off_by_stop" in logged
    assert "Exception in ASGI application" not in logged
    assert "Cancel " not in logged
