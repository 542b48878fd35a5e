"""More renders than the engine can do: what is still done of what it could do, and how soon the rest is refused.

Capacity is what a few callers get who wait for each reply. Then as many calls a second are sent as make five times
that, whether or not replies come. Both take turns, so that whatever else the machine does troubles both alike; both
count pictures that come within their time, and `/health` is asked beside both. The callers run on the processors that
the server needs: what they take of them is told, and taken off what the server could have used.

Calls beyond the capacity first fill the server's line, which holds two seconds of work: each of these calls is read and
checked when it comes, for a picture that comes later. That moment is told by itself; counted is what comes after it,
when as many calls join the line as leave it.
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
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from chaos.lines import Line, request_of
from chaos.scenes import document, spread

TIMES = 5
ROUNDS = 8
CALLERS = 4  # that measure the capacity
LEAST = 10  # pictures that a part of a round is long enough for, however slow the machine is
HEALTH_PAUSE = 0.02
FILLING = 2.5  # seconds; the line holds two, by the service's own guess
PATIENCE = 30.0  # seconds for what is still on its way at the end
UNLIMITED = {"ENGINE_SECONDS": "0", "CONNECTIONS_PER_NETWORK": "5000", "PICTURE_CACHE_MB": "0"}
LAYERS, NODES_A_LAYER = 5, 6


@dataclass
class Seen:
    """Of all rounds: renders a second within the capacity, beyond it, and while the line fills, for all of the
    processors that the callers left; the callers' part of them beyond the capacity; how many of each status; seconds
    of pictures and refusals beyond the capacity, and of health."""

    capacity: list[float] = field(default_factory=list[float])
    goodput: list[float] = field(default_factory=list[float])
    at_first: list[float] = field(default_factory=list[float])
    callers: list[float] = field(default_factory=list[float])
    statuses: Counter[int] = field(default_factory=Counter[int])
    pictures: list[float] = field(default_factory=list[float])
    refusals: list[float] = field(default_factory=list[float])
    health: list[float] = field(default_factory=list[float])

    def told(self) -> str:
        """The figures in one line."""
        told = ", ".join(f"{number} x {status}" for status, number in sorted(self.statuses.items()))
        return (
            f"capacity {statistics.median(self.capacity):.0f} renders a second; at {TIMES} times as many calls "
            f"{self.kept(self.goodput):.0%} of them are done, {self.kept(self.at_first):.0%} while the line fills "
            f"(the callers take {statistics.median(self.callers):.1%} of the processors): {told}; refusals "
            f"{spread(self.refusals)}; health {spread(self.health)}"
        )

    def kept(self, done: list[float]) -> float:
        """The part of the capacity that was done: the median of the rounds."""
        return statistics.median(each / could for each, could in zip(done, self.capacity, strict=True))


class _Part(NamedTuple):
    """Of one part of a round: pictures a second that the callers left to the server, those of the time in which the
    line filled, and the callers' part of the processors."""

    done: float
    at_first: float
    callers: float


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


def overload(url: str, seconds: float, rounds: int = ROUNDS, filling: float = FILLING) -> Seen:
    """Let so many rounds of so many seconds each pass, half of it within and half of it beyond the capacity, and
    `filling` seconds between both."""
    return asyncio.run(_Overload(url, seconds / 2).run(rounds, filling))


class _Overload:
    def __init__(self, url: str, seconds: float) -> None:
        place = urlsplit(url)
        self._place = str(place.hostname), place.port or 0
        self._seconds = seconds
        self._render = request_of(self._place, "POST", "/v1/scenes/render", {"scene": everyday("everyday")})
        self._idle: list[Line] = []
        self._seen = Seen()

    async def run(self, rounds: int, filling: float) -> Seen:
        for _ in range(CALLERS):
            await self._call()  # everything is warm
        for _ in range(rounds):
            seconds = max(self._seconds, await self._time_of_the_least())
            within = await self._timed(self._closed, 0.0, seconds)
            rate = within.done * TIMES
            beyond = await self._timed(lambda end, rate=rate: self._open(end, rate), filling, seconds)
            self._seen.capacity.append(within.done)
            self._seen.goodput.append(beyond.done)
            self._seen.at_first.append(beyond.at_first)
            self._seen.callers.append(beyond.callers)
        for line in self._idle:
            line.close()
        return self._seen

    async def _time_of_the_least(self) -> float:
        """Seconds that the callers take for the least pictures."""
        began = time.monotonic()
        for _ in range(0, LEAST, CALLERS):
            await asyncio.gather(*(self._call() for _ in range(CALLERS)))
        return time.monotonic() - began

    async def _timed(
        self, calls: Callable[[float], Coroutine[Any, Any, list[float]]], filling: float, seconds: float
    ) -> _Part:
        """Let `calls` be made until a moment, and count the `seconds` before it."""
        began = time.monotonic()
        since = began + filling
        end = since + seconds
        health = asyncio.create_task(self._watch_health(end))
        used = asyncio.create_task(_callers_part(since, end))
        came = await calls(end)
        await health
        callers = await used
        left = 1 - callers
        done = sum(since <= at < end for at in came) / seconds
        at_first = sum(at < since for at in came) / filling if filling else done
        return _Part(done / left, at_first / left, callers)

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
        (self._seen.pictures if status == 200 else self._seen.refusals).append(now - began)
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


async def _callers_part(since: float, end: float) -> float:
    """Which part of all processors this process takes between these moments."""
    await asyncio.sleep(since - time.monotonic())
    worked = time.process_time()
    await asyncio.sleep(end - time.monotonic())
    return (time.process_time() - worked) / ((time.monotonic() - since) * (os.cpu_count() or 1))
