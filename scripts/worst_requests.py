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
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any, NamedTuple
from urllib.parse import urlsplit

import httpx2
from cyclopts import App, Parameter
from local_servers.service import HEADERS, Service, Tools, running_services, running_tools
from worst.bodies import BODIES, document, within, written

SMALL, SMALL_SECONDS, LARGE_SECONDS = 64 * 1024, 0.05, 0.25
WRAPPED = 1024  # bytes around the body proper
SETTINGS = {"RENDER_WORKERS": "1", "ENGINE_SECONDS": "0", "MAX_STORED_BYTES": "0", "RENDER_TIMEOUT_SECONDS": "30"}
CPU_CLOCK = 2
MCP_VERSION = "2025-06-18"
LITTLE_SECONDS = 0.01
REST_SECONDS = 0.1  # until what comes after a reply is over
JSON = {"Content-Type": "application/json", "Accept-Encoding": "gzip"}

app = App(name="worst_requests", help="What the worst requests of every endpoint cost.")


class Asked(NamedTuple):
    """One request, for how large it counts, and whether later ones are about what it makes."""

    name: str
    method: str
    path: str
    body: bytes = b""
    counts_as: int = 0
    others_need_it: bool = False
    headers: Mapping[str, str] = MappingProxyType({})


class Processes:
    """The processor time that a server and the processes it started have used."""

    def __init__(self, server: int) -> None:
        self._server = server

    def seconds(self) -> tuple[float, float]:
        """Of the server's own process, and of all below it."""
        parents = {int(path.name): _parent(path) for path in Path("/proc").iterdir() if path.name.isdecimal()}
        below, waiting = set[int](), [self._server]
        while waiting:
            here = waiting.pop()
            children = [child for child, parent in parents.items() if parent == here]
            below.update(children)
            waiting.extend(children)
        return _used(self._server), sum(map(_used, below))


def _parent(process: Path) -> int:
    try:
        return int((process / "stat").read_text().rpartition(")")[2].split()[1])
    except OSError:
        return 0


def _used(process: int) -> float:
    """Seconds that its threads have run, those that have ended too (the clock of `clock_getcpuclockid`)."""
    try:
        return time.clock_gettime(~process << 3 | CPU_CLOCK)
    except OSError:
        return 0.0


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
    while (now := _used(process)) - before > LITTLE_SECONDS:
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
    with httpx2.Client() as client:
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
    for name, body in BODIES.items():
        made = body(size)
        yield Asked(f"validate: {name}", "POST", "/v1/scenes/validate", made)
        yield Asked(f"create: {name}", "POST", "/v1/scenes", made)
    for name in ("ends that are unknown", "a key twice at the end", "empty arrays", "waypoints of many edges"):
        made = BODIES[name](size)
        inline = b'{"scene":' + made + b"}"
        yield Asked(f"render: {name}", "POST", "/v1/scenes/render", inline)
        yield Asked(f"normalize: {name}", "POST", "/v1/scenes/normalize", made)
        yield Asked(f"import: {name}", "POST", "/v1/scenes/import", made)
        yield Asked(f"accounts: {name}", "POST", "/v1/accounts", made)
        yield Asked(f"keys: {name}", "POST", "/v1/auth/keys", made)
    yield from _about_a_stored_scene(server, size)


def _about_a_stored_scene(server: Service, size: int) -> Iterator[Asked]:
    name = f"stored{size}"
    node = {"kind": "node", "metadata": {"a": [[], [], []] * 20}}
    filling = ({"id": f"{'n' * 12}{n:04d}", "label": f"Some words {n} " * 3, **node} for n in range(5_000))
    scene = document(within(size - 2_000, filling))
    scene["scene"]["id"] = name
    made = written(scene)
    yield Asked(f"create: a valid scene of {len(made) // 1024} KiB", "POST", "/v1/scenes", made, others_need_it=True)
    path = f"/v1/scenes/{name}"
    for title, ops in _batches([row["id"] for row in scene["elements"]]).items():
        batch = {"schemaVersion": "0.1", "sceneId": name, "baseRevision": _read(server, path)["revision"], "ops": ops}
        yield Asked(f"applyOps: {title}", "POST", f"{path}/applyOps", written(batch), len(made))
    current = _read(server, path)["revision"]
    flow = "flowchart LR\n" + "\n".join(f"  a{n}[Node {n}] --> b{n}" for n in range(min(2_000, size // 40)))
    sync = {"format": "mermaid", "source": flow, "baseRevision": current, "dryRun": True}
    yield Asked("import: mermaid", "POST", "/v1/scenes/import", written({"format": "mermaid", "source": flow}))
    yield Asked("sync: mermaid", "POST", f"{path}/sync", written(sync), len(made))
    yield Asked("diff: all revisions", "GET", f"{path}/diff?from=1", counts_as=len(made))
    restore = written({"revision": 1, "baseRevision": current})
    yield Asked("restore: the first", "POST", f"{path}/restore", restore, len(made))
    yield Asked("read: a scene", "GET", path, counts_as=len(made))
    yield Asked("events: a stream", "GET", f"{path}/events", counts_as=len(made))
    yield Asked("events: from the first", "GET", f"{path}/events", b"", len(made), headers={"Last-Event-ID": "1"})
    yield Asked("listings: scenes by words", "GET", "/v1/scenes?q=stor&limit=100")
    yield Asked("listings: revisions", "GET", f"{path}/revisions?limit=100")
    yield Asked("support: masked", "POST", f"{path}/support", written({"problem": "x", "anonymize": True}), len(made))
    yield Asked("make-private", "POST", f"{path}/make-private")
    yield Asked("publish", "POST", f"{path}/publish", others_need_it=True)
    for times in ("first", "again"):
        for part, address in (("page", ""), ("embed", "/embed"), ("svg", ".svg"), ("preview", "/preview.png")):
            yield Asked(f"pages: {part}, {times}", "GET", f"/s/{name}{address}", counts_as=len(made))
        yield Asked(f"pages: JSON, {times}", "GET", f"/v1/public/scenes/{name}", counts_as=len(made))
        yield Asked(f"render: stored, {times}", "POST", f"{path}/render", b"{}", len(made))
    yield Asked("oembed", "GET", f"/oembed?url={server.url}/s/{name}", counts_as=len(made))
    for title, address in {
        "icons: all": "/v1/icons",
        "icons: words": "/v1/icons?q=" + "a%20" * 60,
        "openapi": "/openapi.json",
        "schemas: scene": "/schemas/scene.schema.json",
        "docs": "/docs",
        "metrics": "/metrics",
        "studio": "/",
    }.items():
        yield Asked(title, "GET", address)


def _batches(ids: Sequence[str]) -> dict[str, list[dict[str, Any]]]:
    """Batches of operations on elements of these ids, by what they do; each is small beside the scene that it is
    about."""
    some = ids[: min(400, len(ids))]
    gone, left = some[: len(some) // 2], some[len(some) // 2 :]
    return {
        "a label": [{"op": "setText", "id": some[0], "text": "First"}],
        "styles that are unknown": [{"op": "setStyle", "id": one, "styleId": f"{'s' * 40}{one}"} for one in some],
        "elements that are unknown": [{"op": "setText", "id": f"{one}x", "text": "x"} for one in some],
        "operations that are unknown": [{"op": f"creatNode{one}", "id": one} for one in some],
        "moves": [{"op": "moveElement", "id": one, "delta": {"dx": 10, "dy": 0}} for one in some],
        "deletions": [{"op": "deleteElement", "id": one} for one in gone],
        "a group of many": [{"op": "groupElements", "id": "g", "children": left}],
    }


def _read(server: Service, path: str) -> dict[str, Any]:
    place = urlsplit(server.url)
    connection = http.client.HTTPConnection(str(place.hostname), place.port, timeout=120)
    connection.request("GET", path, None, HEADERS)
    found: dict[str, Any] = json.loads(connection.getresponse().read())
    connection.close()
    return found


if __name__ == "__main__":
    sys.exit(app())
