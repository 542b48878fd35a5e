"""More renders than the engine can do: what is still done of what it could do, and how soon the rest is refused.

Capacity is what a few callers get who wait for each reply. Then as many calls a second are sent as make five times
that, whether or not replies come. Both take turns, so that whatever else the machine does troubles both alike; both
count pictures that come within their time, and `/health` is asked beside both. The callers run on the processors that
the server needs: what they take of them is told, and taken off what the server could have used.
"""

from __future__ import annotations

import asyncio
import itertools
import os
import statistics
import time
from collections import Counter
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from chaos.lines import Line, request_of
from chaos.scenes import document, spread

TIMES = 5
ROUNDS = 8
CALLERS = 4  # that measure the capacity
HEALTH_PAUSE = 0.02
PATIENCE = 30.0  # seconds for what is still on its way at the end
UNLIMITED = {"ENGINE_SECONDS": "0", "CONNECTIONS_PER_NETWORK": "5000", "PICTURE_CACHE_MB": "0"}
LAYERS, NODES_A_LAYER = 5, 6


@dataclass
class Seen:
    """Of all rounds: renders a second within and beyond the capacity, for all of the processors that the callers left;
    the callers' part of them beyond the capacity; how many of each status; seconds of refusals and of health."""

    capacity: list[float] = field(default_factory=list[float])
    goodput: list[float] = field(default_factory=list[float])
    callers: list[float] = field(default_factory=list[float])
    statuses: Counter[int] = field(default_factory=Counter[int])
    refusals: list[float] = field(default_factory=list[float])
    health: list[float] = field(default_factory=list[float])

    @property
    def kept(self) -> float:
        """Which part of the capacity is still done: the median of the rounds."""
        return statistics.median(done / could for done, could in zip(self.goodput, self.capacity, strict=True))

    def told(self) -> str:
        """The figures in one line."""
        told = ", ".join(f"{number} x {status}" for status, number in sorted(self.statuses.items()))
        return (
            f"capacity {statistics.median(self.capacity):.0f} renders a second, of which {self.kept:.0%} are done at "
            f"{TIMES} times as many calls (the callers take {statistics.median(self.callers):.1%} of the processors): "
            f"{told}; refusals {spread(self.refusals)}; health {spread(self.health)}"
        )


def everyday(scene_id: str) -> dict[str, object]:
    """Some thirty services in layers, each calling two of the next."""
    ids = [[f"s{layer}-{number}" for number in range(NODES_A_LAYER)] for layer in range(LAYERS)]
    nodes = [
        {"id": name, "kind": "node", "nodeType": "service", "label": f"Service {name}"} for row in ids for name in row
    ]
    edges = [
        {"id": f"{one}-{step}", "kind": "edge", "from": {"elementId": one}, "to": {"elementId": below[(n + step) % 6]}}
        for row, below in itertools.pairwise(ids)
        for n, one in enumerate(row)
        for step in (0, 1)
    ]
    return {**document(scene_id), "elements": [*nodes, *edges]}


def overload(url: str, seconds: float, rounds: int = ROUNDS) -> Seen:
    """Let so many rounds of so many seconds each pass, half of it within and half of it beyond the capacity."""
    return asyncio.run(_Overload(url, seconds / 2).run(rounds))


class _Overload:
    def __init__(self, url: str, seconds: float) -> None:
        place = urlsplit(url)
        self._place = str(place.hostname), place.port or 0
        self._seconds = seconds
        self._render = request_of(self._place, "POST", "/v1/scenes/render", {"scene": everyday("everyday")})
        self._idle: list[Line] = []
        self._seen = Seen()

    async def run(self, rounds: int) -> Seen:
        for _ in range(CALLERS):
            await self._call()  # everything is warm
        for _ in range(rounds):
            could, _ = await self._timed(self._closed)
            done, callers = await self._timed(lambda end, could=could: self._open(end, could * TIMES))
            self._seen.capacity.append(could)
            self._seen.goodput.append(done)
            self._seen.callers.append(callers)
        for line in self._idle:
            line.close()
        return self._seen

    async def _timed(self, calls: Callable[[float], Coroutine[Any, Any, list[float]]]) -> tuple[float, float]:
        """Let `calls` be made until a moment: the pictures that came until then, a second that the callers left to the
        server, and the callers' part of the processors."""
        began, worked = time.monotonic(), time.process_time()
        end = began + self._seconds
        health = asyncio.create_task(self._watch_health(end))
        done = sum(at < end for at in await calls(end))
        await health
        callers = (time.process_time() - worked) / ((time.monotonic() - began) * (os.cpu_count() or 1))
        return done / self._seconds / (1 - callers), callers

    async def _closed(self, end: float) -> list[float]:
        """A few callers who wait; when their pictures came."""
        came: list[float] = []

        async def caller() -> None:
            while time.monotonic() < end:
                if await self._call() == 200:
                    came.append(time.monotonic())

        await asyncio.gather(*(caller() for _ in range(CALLERS)))
        return came

    async def _open(self, end: float, a_second: float) -> list[float]:
        """Calls at that rate; when their pictures came."""
        began = time.monotonic()
        calls: list[asyncio.Task[float | None]] = []
        while (now := time.monotonic()) < end:
            due = int((now - began) * a_second) - len(calls)
            calls += [asyncio.create_task(self._counted()) for _ in range(due)]
            await asyncio.sleep(0.005)
        done = await asyncio.wait_for(asyncio.gather(*calls), PATIENCE)
        return [at for at in done if at is not None]

    async def _counted(self) -> float | None:
        """When the picture was here; None of a refusal."""
        began = time.monotonic()
        status = await self._call()
        now = time.monotonic()
        self._seen.statuses[status] += 1
        if status != 200:
            self._seen.refusals.append(now - began)
        return now if status == 200 else None

    async def _watch_health(self, end: float) -> None:
        asking = request_of(self._place, "GET", "/health", None)
        while time.monotonic() < end:
            began = time.monotonic()
            await self._ask(asking)
            self._seen.health.append(time.monotonic() - began)
            await asyncio.sleep(HEALTH_PAUSE)

    async def _call(self) -> int:
        return await self._ask(self._render)

    async def _ask(self, request: bytes) -> int:
        while self._idle and not self._idle[-1].is_open:
            self._idle.pop()
        line = self._idle.pop() if self._idle else await self._connected()
        status = await line.ask(request)
        self._idle.append(line)
        return status

    async def _connected(self) -> Line:
        _, line = await asyncio.get_running_loop().create_connection(Line, *self._place)
        return line
