"""SIGKILLs at random instants under writers, on SQLite.

A nursery process has everything imported and forks one server a life, so that a life is short. Each writer edits a
scene of its own over HTTP, and notes what was acknowledged. After each kill the file is opened at once, and what was
acknowledged in that life is read; at the end all of it is.
"""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from http.client import HTTPException
from pathlib import Path

from local_servers.calling import Caller
from local_servers.service import KEY, STANDARD

from chaos.scenes import document, require, signature_of, signed
from scenograph.scene.strict_json import parse
from scenograph.service.accounts import MEMBER, SEEDED_IDS
from scenograph.storage.interface import Store
from scenograph.storage.sqlite import open_sqlite

NURSERY = Path(__file__).with_name("nursery.py")
LONGEST_LIFE = 0.3  # seconds after the first acknowledged write
OPENED_AT_ONCE = 5.0  # seconds; far more than a healthy file takes on a busy machine
SEED = 20260101
OWNER = SEEDED_IDS[MEMBER]


@dataclass
class Notes:
    """What the writers were told, for each scene: revision and signature."""

    told: dict[str, dict[int, str]] = field(default_factory=dict[str, dict[int, str]])
    first: threading.Event = field(default_factory=threading.Event)


@dataclass(frozen=True)
class Found:
    """What came of it. `unacknowledged` writes stood in the file although the kill kept them from being told."""

    kills: int
    acknowledged: int
    unacknowledged: int
    slowest_opening: float


def kill_for(count: int, file: Path, writers: int = 8) -> Found:
    """Let that many servers live and die. Broken when a write is lost, or when the file does not open."""
    chance = random.Random(SEED)  # noqa: S311 - the same instants on every run
    notes = Notes({f"scene{writer}": {} for writer in range(writers)})
    slowest = 0.0
    with _nursery(file) as nursery:
        for _ in range(count):
            _one_life(nursery, notes, chance.uniform(0, LONGEST_LIFE))
            began = time.perf_counter()
            with closing(open_sqlite(f"sqlite:///{file}")) as store:
                slowest = max(slowest, time.perf_counter() - began)
                for scene_id, told in notes.told.items():
                    _check_latest(store, scene_id, told)
    require(slowest < OPENED_AT_ONCE, f"the file took {slowest:.1f} s to open")
    with closing(open_sqlite(f"sqlite:///{file}")) as store:
        more = sum(_check_all(store, scene_id, told) for scene_id, told in notes.told.items())
    with closing(sqlite3.connect(file)) as raw:
        require(raw.execute("PRAGMA integrity_check").fetchall() == [("ok",)], "the file is damaged")
    return Found(count, sum(len(told) for told in notes.told.values()), more, slowest)


def _one_life(nursery: subprocess.Popen[str], notes: Notes, seconds: float) -> None:
    """One server, from its start to its death so long after the first write that it acknowledged."""
    assert nursery.stdin is not None
    assert nursery.stdout is not None
    nursery.stdin.write("live\n")
    nursery.stdin.flush()
    pid, url = nursery.stdout.readline().split()
    notes.first.clear()
    with ThreadPoolExecutor(len(notes.told)) as pool:
        writing = [pool.submit(_write_until_it_dies, url, scene_id, notes) for scene_id in notes.told]
        notes.first.wait(60)
        time.sleep(seconds)
        os.kill(int(pid), signal.SIGKILL)
        for writer in writing:
            writer.result()
    require(nursery.stdout.readline() == "gone\n", "the server ended by itself")


def _write_until_it_dies(url: str, scene_id: str, notes: Notes) -> None:
    told = notes.told[scene_id]
    with Caller(url) as server, suppress(OSError, HTTPException):
        if not told:
            status, _ = server.call("POST", "/v1/scenes", document(scene_id))
            require(status in {201, 409}, f"creating {scene_id} was answered {status}")
            told[1] = "nobody"
        base = max(told)
        while True:
            signature = f"{scene_id} after {base}, {time.monotonic_ns()}"
            status, said = server.call("POST", f"/v1/scenes/{scene_id}/applyOps", signed(scene_id, base, signature))
            require(status in {200, 409}, f"an edit was answered {status}")
            if status == 200:
                told[said["revision"]] = signature
                notes.first.set()
            base = said["revision"] if status == 200 else said["currentRevision"]


def _check_latest(store: Store, scene_id: str, told: dict[int, str]) -> None:
    current = store.current_revision(OWNER, scene_id) or 0
    require(current >= max(told, default=0), f"{scene_id} is at {current}, and {max(told, default=0)} was acknowledged")
    for number in sorted(told)[-3:]:
        _check_one(store, scene_id, number, told[number])


def _check_all(store: Store, scene_id: str, told: dict[int, str]) -> int:
    """How many revisions stand there beyond those that were told."""
    current = store.current_revision(OWNER, scene_id) or 0
    for number in range(1, current + 1):
        _check_one(store, scene_id, number, told.get(number))
    return current - len(told)


def _check_one(store: Store, scene_id: str, number: int, signature: str | None) -> None:
    kept = store.read_scene(OWNER, scene_id, number)
    require(kept is not None, f"revision {number} of {scene_id} is lost")
    if kept is not None and signature is not None:
        found = signature_of(parse(kept.document.text.encode()))  # type: ignore[arg-type]
        require(found == signature, f"revision {number} of {scene_id} holds {found!r}, not {signature!r}")


@contextmanager
def _nursery(file: Path) -> Iterator[subprocess.Popen[str]]:
    environment = STANDARD | {"DATABASE_URL": f"sqlite:///{file}", "BOOTSTRAP_API_KEY": KEY}
    with subprocess.Popen(
        [sys.executable, str(NURSERY)],
        env=os.environ | environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        try:
            yield process
        finally:
            os.killpg(process.pid, signal.SIGKILL)
