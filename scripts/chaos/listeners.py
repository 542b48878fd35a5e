"""Idle event streams: what they cost the server's memory, and other calls."""

from __future__ import annotations

import socket
import time
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from local_servers.calling import Caller
from local_servers.service import KEY, Service

from chaos.scenes import document, require, signed, spread

SCENES = 50
CALLS = 300
MOST_MEGABYTES = 100
PATIENCE = 20.0  # seconds for a stream to say something
ROOM = {"STREAMS_PER_OWNER": "5000", "CONNECTIONS_PER_NETWORK": "5000"}


@dataclass(frozen=True)
class Heard:
    """MB that the streams took; seconds of calls without and with them; seconds until all streams of a scene had an
    edit."""

    megabytes: float
    without: list[float]
    beside: list[float]
    told: list[float]


def listen(server: Service, count: int) -> Heard:
    """So many streams over SCENES scenes. Broken when one is refused or does not hear of an edit."""
    ids = [f"heard-{number}" for number in range(SCENES)]
    with Caller(server.url) as caller, ExitStack() as open_streams:
        for scene_id in ids:
            status, reply = caller.call("POST", "/v1/scenes", document(scene_id))
            require(status == 201, f"a scene was answered {reply}")
        seconds_of(caller, ids)  # whatever is filled by first calls
        without, before = seconds_of(caller, ids), _resident(server)
        streams = {scene_id: [_stream(server, scene_id) for _ in range(count // SCENES)] for scene_id in ids}
        for row in streams.values():
            for stream in row:
                open_streams.callback(stream.close)
        beside, after = seconds_of(caller, ids), _resident(server)
        told = [_told(caller, scene_id, streams[scene_id]) for scene_id in ids[:10]]
    return Heard(after - before, without, beside, told)


def seconds_of(caller: Caller, ids: list[str]) -> list[float]:
    """How long each of CALLS reads takes."""
    taken: list[float] = []
    for number in range(CALLS):
        began = time.monotonic()
        status, _ = caller.call("GET", f"/v1/scenes/{ids[number % len(ids)]}")
        taken.append(time.monotonic() - began)
        require(status == 200, f"a read was answered {status}")
    return taken


def told(heard: Heard, count: int) -> str:
    """The figures in one line."""
    return (
        f"{count} streams on {SCENES} scenes take {heard.megabytes:.0f} MB; reads take {spread(heard.without)} without "
        f"them and {spread(heard.beside)} beside them; all of a scene's hear of an edit within {spread(heard.told)}"
    )


def _stream(server: Service, scene_id: str) -> socket.socket:
    place = urlsplit(server.url)
    stream = socket.create_connection((str(place.hostname), place.port or 0), timeout=PATIENCE)
    head = f"GET /v1/scenes/{scene_id}/events HTTP/1.1\r\nHost: {place.netloc}\r\nAuthorization: Bearer {KEY}\r\n\r\n"
    stream.sendall(head.encode())
    require(stream.recv(4096).startswith(b"HTTP/1.1 200"), "a stream was refused")
    return stream


def _told(caller: Caller, scene_id: str, streams: list[socket.socket]) -> float:
    """Seconds until every stream has an edit."""
    status, _ = caller.call("POST", f"/v1/scenes/{scene_id}/applyOps", signed(scene_id, 1, "heard"))
    require(status == 200, f"an edit was answered {status}")
    began = time.monotonic()
    for stream in streams:
        text = b""
        while b'"revision":2' not in text.replace(b" ", b""):
            read = stream.recv(4096)
            require(read, "a stream ended")
            text += read
    return time.monotonic() - began


def _resident(server: Service) -> float:
    """MB of the server's process that are in memory; the engine processes know nothing of streams."""
    lines = Path(f"/proc/{server.process.pid}/status").read_text("ascii").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS")) / 1000
