"""Callers who send the worst they may, again and again, while one owner renders something small.

Each caller comes from a network of its own of the loopback range, and keeps one connection. The owner asks for a
picture of a document that differs each time, then for a kept one; `/health` is asked beside.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from http.client import HTTPConnection
from random import Random
from typing import Any, Literal
from urllib.parse import urlsplit

from local_servers.calling import Caller
from local_servers.service import KEY, Processes, Service
from worst.bodies import written
from worst.requests import Asked, about, batch, batches, of_a_reader, of_an_account, of_anyone, stored

from chaos.lines import Line, request_of
from chaos.scenes import document, require, spread

# The service's own limits of requests hold for strangers and accounts as by default; the owner has so many keys that
# they do not hold here for the owner, whose account has no limit of its own.
SETTINGS = {"RATE_LIMIT_RPM": "60", "ACCOUNT_RATE_LIMIT_RPM": "0", "SIGNUP_ENABLED": "true", "LOG_LEVEL": "error"}
PAUSE = 0.05  # seconds between two pictures of the owner, and between two looks at the health
LEAST_PICTURES = 2  # of each kind for the owner, and an answer to a stranger, also on a slow machine
REFUSED_PAUSE = 1.0  # seconds that a client waits that was refused
PATIENCE = 120.0  # seconds for what is still on its way at the end
RENDER, PUBLISHED, KEPT = "/v1/scenes/render", "published", "everyday"
NODES, ROWS, ROW = 10, 100, 5
OWNERS_KEYS, MOST_KEYS = 40, 10
DIFFERING = b'"Trouble"'  # the title of documents that are to differ
JSON = {"Content-Type": "application/json"}
Sending = Literal["renders", "worst", "pages"]


@dataclass
class Seen:
    """What the owner and the callers were answered, and how long that took, in seconds; the processor time of the
    server's own process, of its engine and of the callers, in seconds a second."""

    owner: list[float] = field(default_factory=list[float])
    kept: list[float] = field(default_factory=list[float])
    owner_refused: list[str] = field(default_factory=list[str])
    health: list[float] = field(default_factory=list[float])
    strangers: Counter[int] = field(default_factory=Counter[int])
    refusals: list[float] = field(default_factory=list[float])
    processors: tuple[float, float, float] = (0.0, 0.0, 0.0)

    def told(self) -> str:
        """The figures in one line."""
        answers = ", ".join(f"{number} x {status}" for status, number in sorted(self.strangers.items()))
        own, engine, callers = self.processors
        return (
            f"owner {len(self.owner)} renders {spread(self.owner)}, {len(self.kept)} kept {spread(self.kept)}, refused "
            f"{len(self.owner_refused)} times; health {spread(self.health)}; the server's own process {own:.0%} of a "
            f"processor, its engine {engine:.0%}, the callers {callers:.0%}; callers {answers}; their refusals "
            f"{spread(self.refusals)}; load {os.getloadavg()[0]:.1f}"
        )


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


def attack(
    server: Service,
    callers: int,
    seconds: float,
    sending: Sending = "renders",
    size: int = 0,
    *,
    accounts: bool = False,
) -> Seen:
    """Let so many call for so long; `size`: bytes of the largest bodies among the worst; `accounts`: each has a fresh
    account, and as many keys of it as the service gives."""
    with Caller(server.url) as owner:
        _expect(owner, 201, "POST", "/v1/scenes", document(KEPT))
        if sending != "renders":
            _expect(owner, 201, "POST", "/v1/scenes", stored(PUBLISHED, size))
            _expect(owner, 200, "POST", f"/v1/scenes/{PUBLISHED}/publish")
    everyone = [*_of_everyone(server.url, sending, size)]
    crowd = [_Stranger(number, everyone) for number in range(callers)]
    if accounts:
        crowd = [_with_account(server, stranger, size) for stranger in crowd]
    return asyncio.run(_Attack(server, seconds, _keys(server.url, KEY, OWNERS_KEYS)).run(crowd))


def _of_everyone(url: str, sending: Sending, size: int) -> Iterator[Asked]:
    if sending == "renders":
        yield Asked("render", "POST", RENDER, written({"scene": dear_document()}))
        return
    yield from of_a_reader(url, PUBLISHED, size)
    if sending == "worst":
        yield from of_anyone(size)


@dataclass(frozen=True, slots=True)
class _Stranger:
    """Who calls from a network of its own: what is sent, and with which keys in turn."""

    number: int
    requests: Sequence[Asked]
    keys: Sequence[str | None] = (None,)

    @property
    def source(self) -> tuple[str, int]:
        return f"127.{1 + self.number // 200}.{self.number % 200}.1", 0

    def sent(self, place: tuple[str, int]) -> Iterator[bytes]:
        """All requests again and again, in an order of its own, no document twice."""
        order = [*self.requests]
        Random(self.number).shuffle(order)  # noqa: S311 (no secret)
        keys = itertools.cycle(self.keys)
        for turn in itertools.count():
            for asked in order:
                body = asked.body.replace(DIFFERING, b'"%03d%04d"' % (self.number, turn % 10_000))
                yield request_of(place, asked.method, asked.path, body, key=next(keys))


def _with_account(server: Service, stranger: _Stranger, size: int) -> _Stranger:
    """The same with an account that it has just made, and a scene in it."""
    place = urlsplit(server.url)
    connection = HTTPConnection(str(place.hostname), place.port, source_address=stranger.source)
    connection.request("POST", "/v1/accounts", json.dumps({"email": f"a{stranger.number}@example.org"}), JSON)
    told = json.loads(connection.getresponse().read())
    connection.close()
    keys = _keys(server.url, str(told["apiKey"]["key"]), MOST_KEYS)
    scene = stored(f"own{stranger.number}", size)
    with Caller(server.url, _bearing(keys[-1])) as caller:
        _expect(caller, 201, "POST", "/v1/scenes", scene)
    failing = {
        name: ops for name, ops in batches([row["id"] for row in scene["elements"]]).items() if "unknown" in name
    }
    own = [batch(scene["scene"]["id"], 1, name, ops, size) for name, ops in failing.items()]
    own += [*of_an_account(size), *about(scene["scene"]["id"], size, size, 1)]
    return _Stranger(stranger.number, [*stranger.requests, *own], keys)


def _keys(url: str, first: str, most: int) -> list[str]:
    """That key and others of its account, as many as it gets, each made with the one before."""
    made = [first]
    while len(made) < most:
        with Caller(url, _bearing(made[-1])) as caller:
            status, told = caller.call("POST", "/v1/auth/keys", {"name": f"key {len(made)}"})
        if status != 201:
            break
        made.append(str(told["key"]))
    return made


def _bearing(key: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {key}"}


def _expect(caller: Caller, wanted: int, method: str, path: str, body: object = None) -> None:
    status, told = caller.call(method, path, body)
    require(status == wanted, f"{method} {path} was answered {status}, not {wanted}: {told}")


class _Attack:
    def __init__(self, server: Service, seconds: float, owners_keys: Sequence[str]) -> None:
        place = urlsplit(server.url)
        self._place = str(place.hostname), place.port or 0
        self._processes = Processes(server.process.pid)
        self._seconds = seconds
        self._keys = itertools.cycle(owners_keys)
        self._seen = Seen()

    async def run(self, crowd: Sequence[_Stranger]) -> Seen:
        """All of them, and the owner."""
        await self._warm()
        began, before, own = time.monotonic(), self._processes.seconds(), time.process_time()
        self._end = began + self._seconds
        callers = [asyncio.create_task(self._stranger(stranger)) for stranger in crowd]
        await asyncio.wait_for(asyncio.gather(self._owner(), self._watch_health()), self._seconds + PATIENCE)
        took, after = time.monotonic() - began, self._processes.seconds()
        callers_part = (time.process_time() - own) / took
        self._seen.processors = ((after[0] - before[0]) / took, (after[1] - before[1]) / took, callers_part)
        for caller in callers:
            caller.cancel()
        await asyncio.gather(*callers, return_exceptions=True)
        return self._seen

    async def _warm(self) -> None:
        """Each thing of the owner once: what is done at first is no caller's fault."""
        line = await self._connected(None)
        for request in (*self._pictures(0), self._asking()):
            await line.ask(request)
        line.close()

    async def _stranger(self, stranger: _Stranger) -> None:
        line = await self._connected(stranger.source)
        try:
            for request in stranger.sent(self._place):
                if not line.is_open:
                    line = await self._connected(stranger.source)
                began = time.monotonic()
                with suppress(OSError):
                    status = await line.ask(request)
                    self._seen.strangers[status] += 1
                    if status == 503:
                        self._seen.refusals.append(time.monotonic() - began)
                    if status in {429, 503}:
                        await asyncio.sleep(REFUSED_PAUSE)
        finally:
            line.close()

    async def _owner(self) -> None:
        line = await self._connected(None)
        for number in itertools.count(1):
            for request, seconds in zip(self._pictures(number), (self._seen.owner, self._seen.kept), strict=True):
                began = time.monotonic()
                if began >= self._end and self._seen.strangers and len(self._seen.kept) >= LEAST_PICTURES:
                    line.close()
                    return
                status = await line.ask(request)
                seconds.append(time.monotonic() - began)
                if status != 200:
                    told = f"{status} {json.loads(line.body).get('code')} after {seconds[-1]:.1f} s"
                    self._seen.owner_refused.append(told)
            await asyncio.sleep(PAUSE)

    def _pictures(self, number: int) -> tuple[bytes, bytes]:
        """A request for a picture of a document of its own, and one for a picture that is kept."""
        new = written({"scene": document("new")}).replace(DIFFERING, b'"%07d"' % number)
        kept = f"/v1/scenes/{KEPT}/render"
        key = next(self._keys)
        return request_of(self._place, "POST", RENDER, new, key=key), request_of(self._place, "POST", kept, {}, key=key)

    def _asking(self) -> bytes:
        return request_of(self._place, "GET", "/health", None)

    async def _watch_health(self) -> None:
        line = await self._connected(None)
        while (began := time.monotonic()) < self._end:
            await line.ask(self._asking())
            self._seen.health.append(time.monotonic() - began)
            await asyncio.sleep(PAUSE)
        line.close()

    async def _connected(self, source: tuple[str, int] | None) -> Line:
        _, line = await asyncio.get_running_loop().create_connection(Line, *self._place, local_addr=source)
        return line
