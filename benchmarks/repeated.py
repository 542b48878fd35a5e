"""What a picture costs that was drawn before, with pictures kept and without.

    uv run python benchmarks/repeated.py [seconds for each figure, 3 by default]

One server process and one connection on the same machine. For a stored render, an inline one, a published picture and
the same by its tag: the median time of a reply, replies a second, and the processor time of the server and its engine
processes for each reply.
"""

from __future__ import annotations

import json
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

from graphs import service_graph

sys.path.insert(0, str(Path(__file__).parents[1] / "scripts"))

from local_servers.calling import Caller
from local_servers.service import HEADERS, Service, running_services

NODES = 100
MILLISECONDS = 1000.0
Ask = Callable[[HTTPConnection], int]


def asks(document: dict[str, object], tag: str) -> dict[str, Ask]:
    """The kinds of requests that are measured: each gives the status of its reply."""
    json_bytes = json.dumps({"scene": document}).encode()
    body = HEADERS | {"Content-Type": "application/json"}
    return {
        "stored, svg": lambda line: sent(line, "POST", "/v1/scenes/measured/render", b'{"format":"svg"}', body),
        "stored, png": lambda line: sent(line, "POST", "/v1/scenes/measured/render", b'{"format":"png"}', body),
        "inline, svg": lambda line: sent(line, "POST", "/v1/scenes/render", json_bytes, body),
        "published, svg": lambda line: sent(line, "GET", "/s/measured.svg", None, {}),
        "published, its tag": lambda line: sent(line, "GET", "/s/measured.svg", None, {"If-None-Match": tag}),
    }


def sent(line: HTTPConnection, method: str, path: str, body: bytes | None, headers: dict[str, str]) -> int:
    """The status of a reply that was read whole."""
    line.request(method, path, body, headers)
    reply = line.getresponse()
    reply.read()
    return reply.status


def tag_of(line: HTTPConnection) -> str:
    """The tag of the published picture."""
    line.request("GET", "/s/measured.svg")
    reply = line.getresponse()
    reply.read()
    return reply.headers.get("ETag", "none")


def cpu_seconds(server: Service) -> float:
    """What the server and its engine processes used so far."""
    ticks, waiting = 0, [str(server.process.pid)]
    while waiting:
        process = Path("/proc") / waiting.pop()
        waiting += [child for task in process.glob("task/*/children") for child in task.read_text("ascii").split()]
        fields = (process / "stat").read_text("utf-8").rpartition(")")[2].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def measured(server: Service, line: HTTPConnection, ask: Ask, seconds: float) -> str:
    """The figures of one row, after a first reply that is not counted."""
    ask(line)
    times: list[float] = []
    used, began = cpu_seconds(server), time.perf_counter()
    while time.perf_counter() - began < seconds:
        start = time.perf_counter()
        status = ask(line)
        times.append(time.perf_counter() - start)
        if status not in {200, 304}:
            raise SystemExit(f"A reply of {status}.")
    elapsed, used = time.perf_counter() - began, cpu_seconds(server) - used
    median = statistics.median(times) * MILLISECONDS
    return f"{median:7.2f} ms {len(times) / elapsed:7.0f} /s {used / len(times) * MILLISECONDS:7.2f} ms CPU"


def main() -> None:
    """Print the table."""
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 3.0
    document = service_graph(NODES, nested=True)
    document["scene"]["id"] = "measured"
    free = {"ENGINE_SECONDS": "0", "PUBLIC_ENGINE_SECONDS": "0", "PUBLIC_RATE_LIMIT_RPM": "0", "PAGES_PER_MINUTE": "0"}
    for room in ("0", "64"):
        print(f"PICTURE_CACHE_MB={room}, {NODES} nodes in frames")
        with (
            tempfile.TemporaryDirectory() as folder,
            running_services(
                1, Path(folder), DATABASE_URL=f"sqlite:///{folder}/scenes.db", PICTURE_CACHE_MB=room, **free
            ) as (server,),
        ):
            with Caller(server.url) as caller:
                caller.call("POST", "/v1/scenes", document)
                caller.call("POST", "/v1/scenes/measured/publish", {})
            line = HTTPConnection(urlsplit(server.url).netloc)
            for name, ask in asks(document, tag_of(line)).items():
                print(f"  {name:20}{measured(server, line, ask, seconds)}", flush=True)
            line.close()


if __name__ == "__main__":
    main()
