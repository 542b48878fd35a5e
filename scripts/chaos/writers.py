"""Many writers on one scene, who read, edit and try again; and a storm of writers on one base.

Checked afterwards against the history that the servers tell: every acknowledged revision is there with the content
that its writer sent, revisions run from 1 to n without gap or duplicate, and exactly one writer won each base.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import threading
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import httpx2
from local_servers.calling import PATIENCE, Caller
from local_servers.service import HEADERS

from chaos.scenes import document, require, signature_of, signed

PAGE = 100


@dataclass
class Ledger:
    """What the writers were told."""

    acknowledged: list[tuple[int, int, str]] = field(default_factory=list[tuple[int, int, str]])  # base, revision, who
    statuses: Counter[int] = field(default_factory=Counter[int])


def write_for(seconds: float, urls: Sequence[str], scene_id: str, writers: int = 64) -> Ledger:
    """Let them write. Each goes through a server of its own choosing and signs what it writes with a number it never
    uses twice."""
    _created(urls[0], scene_id)
    ledger, lock = Ledger(), threading.Lock()
    end = time.monotonic() + seconds

    def write(writer: int) -> None:
        base = 1
        with Caller(urls[writer % len(urls)]) as server:
            for turn in itertools.count():
                if time.monotonic() > end:
                    return
                signature = f"writer {writer} turn {turn}"
                batch = signed(scene_id, base, signature)
                status, said = server.call("POST", f"/v1/scenes/{scene_id}/applyOps", batch)
                with lock:
                    ledger.statuses[status] += 1
                    if status == 200:
                        ledger.acknowledged.append((base, said["revision"], signature))
                base = said.get("revision") or said.get("currentRevision") or base

    with ThreadPoolExecutor(writers) as pool:
        list(pool.map(write, range(writers)))
    return ledger


def check_history(ledger: Ledger, urls: Sequence[str], scene_id: str) -> int:
    """How many revisions there are; Broken when the history is not what was acknowledged. Every server is asked."""
    require(set(ledger.statuses) <= {200, 409}, f"replies other than 200 and 409: {dict(ledger.statuses)}")
    won = Counter(base for base, _, _ in ledger.acknowledged)
    require(max(won.values(), default=0) <= 1, "a base was won twice")
    require(all(number == base + 1 for base, number, _ in ledger.acknowledged), "a revision does not follow its base")
    told = {number: signature for _, number, signature in ledger.acknowledged}
    last = max(told, default=1)
    require(sorted(told) == list(range(2, last + 1)), "acknowledged revisions have gaps or duplicates")
    for url in urls:
        _check_server(url, scene_id, told, last)
    return last


def storm(urls: Sequence[str], scene_id: str, callers: int = 1000) -> Counter[int]:
    """So many edits of one base at once; how often each status came."""
    _created(urls[0], scene_id)

    async def one(client: httpx2.AsyncClient, caller: int) -> int:
        url = f"{urls[caller % len(urls)]}/v1/scenes/{scene_id}/applyOps"
        return (await client.post(url, json=signed(scene_id, 1, f"caller {caller}"))).status_code

    async def all_at_once() -> list[int]:
        limits = httpx2.Limits(max_connections=callers, max_keepalive_connections=callers)
        headers = HEADERS | {"Content-Type": "application/json"}
        async with httpx2.AsyncClient(headers=headers, timeout=PATIENCE, limits=limits) as client:
            return await asyncio.gather(*(one(client, caller) for caller in range(callers)))

    return Counter(asyncio.run(all_at_once()))


def check_storm(statuses: Counter[int], urls: Sequence[str], scene_id: str) -> None:
    """One edit won, and every other was told that it did not."""
    callers = statuses.total()
    require(statuses == {200: 1, 409: callers - 1}, f"a storm of {callers} ended in {dict(statuses)}")
    for url in urls:
        with Caller(url) as server:
            require(_history(server, scene_id) == [1, 2], "a storm on one base made other than one revision")


def _check_server(url: str, scene_id: str, told: dict[int, str], last: int) -> None:
    with Caller(url) as server:
        require(_history(server, scene_id) == list(range(1, last + 1)), f"the history is not 1 to {last}")
        for number, signature in told.items():
            _, read = server.call("GET", f"/v1/scenes/{scene_id}?revision={number}")
            found = signature_of(read["scene"])
            require(found == signature, f"revision {number} holds {found!r}; {signature!r} was acknowledged")


def _history(server: Caller, scene_id: str) -> list[int]:
    """Every revision there is, lowest first, in pages."""
    numbers: list[int] = []
    before = ""
    while 1 not in numbers:
        status, page = server.call("GET", f"/v1/scenes/{scene_id}/revisions?limit={PAGE}{before}")
        require(status == 200 and page["revisions"], f"the history cannot be read: {status} {json.dumps(page)}")
        numbers += [entry["revision"] for entry in page["revisions"]]
        before = f"&before={numbers[-1]}"
    return sorted(numbers)


def _created(url: str, scene_id: str) -> None:
    with Caller(url) as server:
        status, said = server.call("POST", "/v1/scenes", document(scene_id))
    require(status == 201, f"the scene was not created: {json.dumps(said)}")
