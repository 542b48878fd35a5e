"""A server that is told to stop is gone within ten seconds, whoever does not let go."""

from __future__ import annotations

import socket
from pathlib import Path
from urllib.parse import urlsplit

from local_servers.calling import Caller
from local_servers.service import running_services

from scenograph.http import server
from scenograph.service import purging
from scenograph.workers import pool

WITHIN = 10
LEFT_FOR_THE_REST = 2  # closing connections, ending the interpreter
UNFINISHED = (
    b"POST /v1/scenes/validate HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{"
)


def test_what_a_stop_may_wait_for_leaves_room_within_ten_seconds() -> None:
    waits = server.DRAIN_SECONDS + pool.DRAIN_SECONDS + purging.CLOSING_SECONDS
    assert waits + LEFT_FOR_THE_REST <= WITHIN


def test_a_caller_who_never_finishes_does_not_hold_up_a_stop(tmp_path: Path) -> None:
    address = f"sqlite:///{tmp_path}/scenes.db"
    with running_services(1, tmp_path, DATABASE_URL=address, BODY_TIMEOUT_SECONDS="600") as (service,):
        parts = urlsplit(service.url)
        with socket.create_connection((str(parts.hostname), parts.port or 0)) as stalled, Caller(service.url) as other:
            stalled.sendall(UNFINISHED)
            assert other.call("GET", "/health")[0] == 200  # so the other request has begun
            service.process.terminate()
            assert service.process.wait(60) == 0
