"""Requests a second over HTTP, and how long they take: read, create, applyOps, on SQLite and on PostgreSQL.

    uv run python benchmarks/throughput.py [seconds for each figure, 5 by default] [callers, 8]

One server process without rate limits, and callers on the same machine, which take their share of its processors: the
figures compare databases and versions in one run, and are no measure of a server alone. Every commit is synced.
"""

from __future__ import annotations

import itertools
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from graphs import service_graph

sys.path.insert(0, str(Path(__file__).parents[1] / "scripts"))

from local_servers.calling import Caller
from local_servers.postgres import running_postgres
from local_servers.service import running_services

NODES = 20
Act = Callable[[Caller, int], int]


def scene(scene_id: str) -> dict[str, Any]:
    document = service_graph(NODES, nested=False)
    document["scene"]["id"] = scene_id
    return document


def read(server: Caller, caller: int) -> int:
    return server.call("GET", f"/v1/scenes/own{caller}")[0]


fresh = itertools.count()


def create(server: Caller, _caller: int) -> int:
    return server.call("POST", "/v1/scenes", scene(f"fresh{next(fresh)}"))[0]


class Edits:
    """Each caller edits a scene of its own, one revision after another."""

    def __init__(self) -> None:
        self._at: dict[int, int] = {}

    def __call__(self, server: Caller, caller: int) -> int:
        base = self._at.get(caller, 1)
        op = {"op": "updateNode", "id": "n1", "label": f"after {base}"}
        body = {"schemaVersion": "0.1", "sceneId": f"own{caller}", "baseRevision": base, "ops": [op]}
        status, _ = server.call("POST", f"/v1/scenes/own{caller}/applyOps", body)
        self._at[caller] = base + 1
        return status


def measure(name: str, act: Act, url: str, seconds: float, callers: int) -> None:
    """Print the rate and the median and the 99th percentile, ms."""

    def work(caller: int) -> list[float]:
        taken: list[float] = []
        with Caller(url) as server:
            act(server, caller)
            end = time.perf_counter() + seconds
            while (start := time.perf_counter()) < end:
                status = act(server, caller)
                if status not in {200, 201}:
                    raise SystemExit(f"{name} was answered {status}")
                taken.append((time.perf_counter() - start) * 1000)
        return taken

    with ThreadPoolExecutor(callers) as pool:
        taken = [one for each in pool.map(work, range(callers)) for one in each]
    cuts = statistics.quantiles(taken, n=100)
    print(
        f"  {name:<10} {len(taken) / seconds:7.0f} a second   p50 {cuts[49]:7.1f} ms   p99 {cuts[98]:7.1f} ms",
        flush=True,
    )


def main() -> None:
    """All three on both databases, one caller and many."""
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 5.0
    many = int(sys.argv[2]) if len(sys.argv) > 2 else 8
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        addresses = {
            "SQLite": f"sqlite:///{folder}/scenes.db",
            "PostgreSQL": stack.enter_context(running_postgres()).database(),
        }
        for name, address in addresses.items():
            with running_services(1, folder, DATABASE_URL=address, RENDER_WORKERS="1") as (service,):
                with Caller(service.url) as server:
                    for caller in range(many):
                        server.call("POST", "/v1/scenes", scene(f"own{caller}"))
                edit = Edits()
                for callers in (1, many):
                    print(f"{name}, {callers} at once, scenes of {NODES} nodes", flush=True)
                    for what, act in (("read", read), ("create", create), ("applyOps", edit)):
                        measure(what, act, service.url, seconds, callers)


if __name__ == "__main__":
    main()
