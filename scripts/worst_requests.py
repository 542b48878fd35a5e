#!/usr/bin/env python3
# ruff: noqa: T201 (it reports to whoever runs it)
"""What the worst requests of every endpoint cost: processor time of the server's own process, and of the engine's.

    uv run python scripts/worst_requests.py [--sizes 65536 2000000] [--only TEXT ...]

Ends with 1 where a request costs the server's process more than 50 ms for a body of 64 KiB, or 250 ms for a larger one
or for one about a large stored scene. Time of processors is counted, so other jobs of the machine hardly matter; the
clocks of processes are Linux's.
"""

from __future__ import annotations

import http.client
import json
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit

import httpx2
from cyclopts import App, Parameter
from local_servers.calling import Caller
from local_servers.service import (
    HEADERS,
    Processes,
    Service,
    Tools,
    processor_seconds,
    running_services,
    running_tools,
)
from worst.bodies import BODIES, document, written
from worst.requests import Asked, about, batch, batches, of_a_reader, of_an_account, of_anyone, stored

SMALL, SMALL_SECONDS, LARGE_SECONDS = 64 * 1024, 0.05, 0.25
WRAPPED = 1024  # bytes around the body proper
SETTINGS = {"RENDER_WORKERS": "1", "ENGINE_SECONDS": "0", "MAX_STORED_BYTES": "0", "RENDER_TIMEOUT_SECONDS": "30"}
MCP_VERSION = "2025-06-18"
LITTLE_SECONDS = 0.01
REST_SECONDS = 0.1  # until what comes after a reply is over
JSON = {"Content-Type": "application/json", "Accept-Encoding": "gzip"}

app = App(name="worst_requests", help="What the worst requests of every endpoint cost.")


@app.default
def table(
    *,
    sizes: Annotated[tuple[int, ...], Parameter(consume_multiple=True)] = (SMALL, 2_000_000),
    only: Annotated[list[str] | None, Parameter(consume_multiple=True)] = None,
) -> int:
    """Print what each request costs, the dearest of each endpoint first."""
    with (
        tempfile.TemporaryDirectory() as folder,
        running_services(1, Path(folder), DATABASE_URL=f"sqlite:///{folder}/scenes.db", **SETTINGS) as (server,),
    ):
        rows = [row for size in sizes for row in _measured(server, size, only)]
        with running_tools(server.url) as tools:
            rows += [row for size in sizes for row in _of_each(tools.pid, tools.url, _calls(tools, size), only)]
    dear = 0
    print(f"{'request':58}{'KiB':>7}{'server ms':>11}{'engine ms':>11}  reply")
    for row in sorted(rows, key=lambda row: (row[0].name.partition(":")[0], -row[1])):
        asked, own, engine, status, size = row
        too_dear = own > (SMALL_SECONDS if max(asked.counts_as, len(asked.body)) <= SMALL + WRAPPED else LARGE_SECONDS)
        dear += too_dear
        mark = "!" if too_dear else " "
        kib, answered = max(asked.counts_as, len(asked.body)) / 1024, f"{status}, {size / 1024:.0f} KiB"
        print(f"{asked.name:58}{kib:7.0f}{own * 1000:10.1f}{mark}{engine * 1000:11.1f}  {answered}")
    print(f"{dear} of {len(rows)} cost the server's process more than they may")
    return int(dear > 0)


Row = tuple[Asked, float, float, int, int]


def _measured(server: Service, size: int, only: list[str] | None) -> Iterator[Row]:
    for body in (written(document([])), written({"scene": document([])})):  # whatever is loaded late
        _send(server.url, Asked("", "POST", "/v1/scenes/validate", body))
    _rest(server.process.pid)
    yield from _of_each(server.process.pid, server.url, _requests(server, size), only)


def _rest(process: int) -> None:
    """Wait until a server does nothing: what it prepares after its start is no request's."""
    before = -1.0
    while (now := processor_seconds(process)) - before > LITTLE_SECONDS:
        before = now
        time.sleep(2 * REST_SECONDS)


def _of_each(process: int, url: str, requests: Iterable[Asked], only: list[str] | None) -> Iterator[Row]:
    processes = Processes(process)
    for asked in requests:
        if only and not any(text in asked.name for text in only):
            if asked.others_need_it:
                _send(url, asked)
            continue
        before = processes.seconds()
        status, length = _send(url, asked)
        time.sleep(REST_SECONDS)
        after = processes.seconds()
        yield asked, after[0] - before[0], after[1] - before[1], status, length


def _send(url: str, asked: Asked) -> tuple[int, int]:
    place = urlsplit(url)
    connection = http.client.HTTPConnection(str(place.hostname), place.port, timeout=120)
    connection.request(asked.method, asked.path, asked.body or None, HEADERS | JSON | dict(asked.headers))
    reply = connection.getresponse()
    streamed = "event-stream" in reply.headers.get("Content-Type", "") and not asked.body
    length = len(reply.readline() if streamed else reply.read())  # a stream does not end by itself
    connection.close()
    return reply.status, length


def _calls(tools: Tools, size: int) -> Iterator[Asked]:
    """Calls of a tool over streamable HTTP, in a session of their own."""
    accepted = {"Accept": "application/json, text/event-stream", "MCP-Protocol-Version": MCP_VERSION}
    hello = {"protocolVersion": MCP_VERSION, "capabilities": {}, "clientInfo": {"name": "worst", "version": "1"}}
    body = written({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": hello})
    with httpx2.Client(timeout=30) as client:
        reply = client.post(tools.url, content=body, headers=accepted | JSON)
    accepted["Mcp-Session-Id"] = reply.headers["mcp-session-id"]
    for name, body in BODIES.items():
        try:
            said: object = json.loads(body(size))
        except (ValueError, RecursionError):
            said = body(size).decode("utf-8", "replace")
        call = {"name": "dsp_validate_scene", "arguments": {"scene": said}}
        asked = written({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call})
        yield Asked(f"tools: {name}", "POST", "/mcp", asked, headers=accepted)


def _requests(server: Service, size: int) -> Iterator[Asked]:
    yield from of_anyone(size)
    yield from of_an_account(size)
    name = f"stored{size}"
    scene = stored(name, size)
    made = written(scene)
    yield Asked(f"create: a valid scene of {len(made) // 1024} KiB", "POST", "/v1/scenes", made, others_need_it=True)
    for title, ops in batches([row["id"] for row in scene["elements"]]).items():
        yield batch(name, _revision(server, name), title, ops, len(made))
    yield from about(name, size, len(made), _revision(server, name))
    path = f"/v1/scenes/{name}"
    yield Asked("events: a stream", "GET", f"{path}/events", counts_as=len(made))
    yield Asked("events: from the first", "GET", f"{path}/events", b"", len(made), headers={"Last-Event-ID": "1"})
    yield Asked("make-private", "POST", f"{path}/make-private")
    yield Asked("publish", "POST", f"{path}/publish", others_need_it=True)
    for times in ("first", "again"):
        for asked in of_a_reader(server.url, name, len(made)):
            yield asked._replace(name=f"{asked.name}, {times}")
        yield Asked(f"render: stored, {times}", "POST", f"{path}/render", b"{}", len(made))


def _revision(server: Service, name: str) -> int:
    with Caller(server.url) as caller:
        return int(caller.call("GET", f"/v1/scenes/{name}")[1]["revision"])


if __name__ == "__main__":
    sys.exit(app())
