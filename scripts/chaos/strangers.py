"""Strangers who render the worst they may, again and again, while one owner renders something small.

Each stranger calls from a network of its own of the loopback range, and keeps one connection.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from chaos.lines import Line, request_of
from chaos.scenes import document

NOTHING_KEPT = {"PICTURE_CACHE_MB": "0"}  # every call is one for the engine, as when all documents differ
OWNERS_PAUSE = 0.05  # seconds between an owner's renders
RENDER = "/v1/scenes/render"
NODES, ROWS, ROW = 10, 100, 5


@dataclass
class Seen:
    """What the owner and the strangers were answered, and how long that took, in seconds."""

    owner: list[float] = field(default_factory=list[float])
    owner_refused: Counter[int] = field(default_factory=Counter[int])
    health: list[float] = field(default_factory=list[float])
    strangers: Counter[int] = field(default_factory=Counter[int])
    refusals: list[float] = field(default_factory=list[float])


def dear_document() -> dict[str, Any]:
    """Nine kilobytes that keep the constraint solver busy: many orders that contradict each other."""
    nodes = [{"id": f"n{n}", "kind": "node", "label": f"N{n}"} for n in range(NODES)]
    orders = [
        {
            "id": f"o{row}",
            "type": "order",
            "axis": "xy"[row % 2],
            "elements": [f"n{(row * 7 + n * (1 + row % 3)) % NODES}" for n in range(ROW)],
        }
        for row in range(ROWS)
    ]
    found = document("dear")
    return {**found, "elements": nodes, "constraints": orders}


def attack(url: str, strangers: int, seconds: float) -> Seen:
    """Let them call for so long."""
    return asyncio.run(_Attack(url, seconds).run(strangers))


class _Attack:
    def __init__(self, url: str, seconds: float) -> None:
        place = urlsplit(url)
        self._place = str(place.hostname), place.port or 0
        self._end = time.monotonic() + seconds
        self._seen = Seen()
        # Made once: who makes it for each caller measures that too, for all callers share one thread.
        self._dear = request_of(self._place, "POST", RENDER, {"scene": dear_document()}, keyed=False)

    async def run(self, strangers: int) -> Seen:
        """All of them, and the owner."""
        await asyncio.gather(self._owner(), *(self._stranger(number) for number in range(strangers)))
        return self._seen

    async def _stranger(self, number: int) -> None:
        source = (f"127.{1 + number // 200}.{number % 200}.1", 0)
        line = await self._connected(source)
        while time.monotonic() < self._end:
            began = time.monotonic()
            try:
                status = await line.ask(self._dear)
            except OSError:
                line = await self._connected(source)
                continue
            self._seen.strangers[status] += 1
            if status == 503:
                self._seen.refusals.append(time.monotonic() - began)
            if status in {429, 503}:
                await asyncio.sleep(1.0)  # what a client that is refused does
        line.close()

    async def _owner(self) -> None:
        line = await self._connected(None)
        rendering = request_of(self._place, "POST", RENDER, {"scene": document("everyday")})
        asking = request_of(self._place, "GET", "/health", None)
        while time.monotonic() < self._end:
            began = time.monotonic()
            status = await line.ask(rendering)
            self._seen.owner.append(time.monotonic() - began)
            if status != 200:
                self._seen.owner_refused[status] += 1
            began = time.monotonic()
            await line.ask(asking)
            self._seen.health.append(time.monotonic() - began)
            await asyncio.sleep(OWNERS_PAUSE)
        line.close()

    async def _connected(self, source: tuple[str, int] | None) -> Line:
        _, line = await asyncio.get_running_loop().create_connection(Line, *self._place, local_addr=source)
        return line
