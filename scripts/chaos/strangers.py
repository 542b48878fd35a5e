"""Strangers who render the worst they may, again and again, while one owner renders something small.

Each stranger calls from a network of its own of the loopback range, and keeps one connection.
"""

from __future__ import annotations

import json
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException
from typing import Any
from urllib.parse import urlsplit

from local_servers.calling import PATIENCE, Caller

from chaos.scenes import document

NOTHING_KEPT = {"PICTURE_CACHE_MB": "0"}  # every call is one for the engine, as when all documents differ
OWNERS_PAUSE = 0.05  # seconds between an owner's renders
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
    seen, lock = Seen(), threading.Lock()
    end = time.monotonic() + seconds
    body = json.dumps({"scene": dear_document()}).encode()
    place = urlsplit(url)

    def stranger(number: int) -> None:
        source = (f"127.{1 + number // 200}.{number % 200}.1", 0)
        connection = HTTPConnection(str(place.hostname), place.port, timeout=PATIENCE, source_address=source)
        while time.monotonic() < end:
            began = time.monotonic()
            try:
                connection.request("POST", "/v1/scenes/render", body, {"Content-Type": "application/json"})
                reply = connection.getresponse()
                reply.read()
            except (OSError, HTTPException):
                connection.close()
                continue
            said = reply.status
            with lock:
                seen.strangers[said] += 1
                if said == 503:
                    seen.refusals.append(time.monotonic() - began)
            threading.Event().wait(1.0 if said in {429, 503} else 0.0)  # what a client that is refused does
        connection.close()

    def owner() -> None:
        with Caller(url) as server:
            while time.monotonic() < end:
                began = time.monotonic()
                status, _ = server.call("POST", "/v1/scenes/render", {"scene": document("everyday")})
                seen.owner.append(time.monotonic() - began)
                if status != 200:
                    seen.owner_refused[status] += 1
                began = time.monotonic()
                server.call("GET", "/health")
                seen.health.append(time.monotonic() - began)
                threading.Event().wait(OWNERS_PAUSE)

    with ThreadPoolExecutor(strangers + 1) as pool:
        calling = [pool.submit(owner), *(pool.submit(stranger, number) for number in range(strangers))]
        for call in calling:
            call.result()
    return seen
