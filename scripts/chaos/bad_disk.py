"""A disk that is full, a lock that somebody else holds, and an index that was cut short, under a server that runs.

Each time reads go on, what cannot be stored is a 503, `/ready` says so, and all is well again by itself in seconds.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from local_servers.calling import Caller
from local_servers.service import Service, running_services

from chaos.scenes import document, require, signed, spread

RECOVERS_WITHIN = 5.0  # seconds
BLOCK = bytes(4096)
LEFT_FREE = 256 * 1024  # bytes of the small disk, for a few scenes
SMALL_DISK = 'mount -t tmpfs -o size=2m tmpfs "$1" && shift && exec "$@"'
OWN_MOUNTS = ("unshare", "--user", "--map-root-user", "--mount", "sh", "-c")
LOCK_PAUSE = 0.02
WRITERS_TOLD_WITHIN = 15.0  # seconds: a wait of 5 for a thread, one of 5 for the lock, half as much on a busy machine
LOCK_TOLD_AFTER = 1.5  # seconds until what `/ready` found before counts no more


class Reads(NamedTuple):
    """Of reads while nobody could write: how long each took, and what the writers were told."""

    seconds: list[float]
    writers: Counter[int]
    slowest_writer: float

    def told(self) -> str:
        """The figures in words."""
        spent = ", ".join(f"{number} x {status}" for status, number in sorted(self.writers.items()))
        reads = f"{len(self.seconds)} reads {spread(self.seconds)}"
        return f"{reads}; writers {spent}, the slowest after {self.slowest_writer:.1f} s"


def small_disks_are_possible() -> bool:
    """Whether this system lets a process have a small disk of its own."""
    if shutil.which("unshare") is None:
        return False
    trial = subprocess.run([*OWN_MOUNTS, "mount -t tmpfs tmpfs /mnt"], capture_output=True, check=False)
    return trial.returncode == 0


def fill_disk(folder: Path) -> int:
    """Fill the disk under a server, and empty it again; how many scenes were acknowledged until it was full. Broken
    when a promise does not hold."""
    disk = folder / "disk"
    disk.mkdir()
    by = [*OWN_MOUNTS, SMALL_DISK, "sh", str(disk)]
    settings = {"DATABASE_URL": f"sqlite:///{disk}/scenes.db", "PICTURE_CACHE_MB": "0"}
    with running_services(1, folder, by=by, **settings) as (server,):
        seen_from_here = Path(f"/proc/{server.process.pid}/root{disk}")
        with Caller(server.url) as caller:
            _created(caller, "before")
            _require_drawn(caller)
            _fill(seen_from_here / "filler")
            os.truncate(seen_from_here / "filler", (seen_from_here / "filler").stat().st_size - LEFT_FREE)
            count = 0
            while (status := caller.call("POST", "/v1/scenes", document(f"full{count}"))[0]) == 201:
                count += 1
            require(count > 1, "the disk was full before anything was kept")
            require(status == 503, f"on a full disk a creation was answered {status}")
            _require_unready(caller)
            _require_drawn(caller)
            for scene_id in ("before", *(f"full{number}" for number in range(count))):
                require(caller.call("GET", f"/v1/scenes/{scene_id}")[0] == 200, f"{scene_id} is lost on a full disk")
            (seen_from_here / "filler").unlink()
            _require_ready(server)
            _created(caller, "after")
    return count


def hold_lock(folder: Path, writers: int, seconds: float) -> Reads:
    """Hold the lock of a database while so many write; how long a read takes meanwhile. Broken when one is refused, or
    a writer is not told in time."""
    database = folder / "scenes.db"
    with running_services(1, folder, DATABASE_URL=f"sqlite:///{database}") as (server,), Caller(server.url) as caller:
        _created(caller, "kept")
        with _locked(database), ThreadPoolExecutor(writers) as pool:
            writing = [pool.submit(_write, server.url, f"late{number}") for number in range(writers)]
            time.sleep(LOCK_TOLD_AFTER)
            _require_unready(caller)
            taken = list(_reads(caller, seconds))
            told = [written.result() for written in writing]
        answers, slowest = Counter(status for status, _ in told), max(took for _, took in told)
        require(slowest < WRITERS_TOLD_WITHIN, f"a writer behind a lock was told after {slowest:.1f} s")
        require(set(answers) <= {201, 503}, f"writers behind a lock were answered {dict(answers)}")
        _require_ready(server)
        for number in range(writers):
            _created(caller, f"late{number}", again=True)
    return Reads(taken, answers, slowest)


def cut_index(folder: Path, times: int) -> float:
    """Cut the mapped index of a running server short, again and again; the slowest recovery in seconds. Broken when the
    server dies of it."""
    database = folder / "scenes.db"
    slowest = 0.0
    with running_services(1, folder, DATABASE_URL=f"sqlite:///{database}") as (server,), Caller(server.url) as caller:
        _created(caller, "kept")
        for base in range(1, times + 1):
            os.truncate(f"{database}-shm", base % 3 * 100)
            began = time.monotonic()
            batch = signed("kept", base, str(base))
            while (status := caller.call("POST", "/v1/scenes/kept/applyOps", batch)[0]) != 200:
                require(status == 503, f"an edit was answered {status}")
                require(time.monotonic() - began < RECOVERS_WITHIN, "the index does not come back")
            slowest = max(slowest, time.monotonic() - began)
        require(server.process.poll() is None, "the server is gone")
        _require_ready(server)
    with closing(sqlite3.connect(database)) as raw:
        require(raw.execute("PRAGMA integrity_check").fetchall() == [("ok",)], "the file is damaged")
    return slowest


def _write(url: str, scene_id: str) -> tuple[int, float]:
    began = time.monotonic()
    with Caller(url) as caller:
        status, _ = caller.call("POST", "/v1/scenes", document(scene_id))
    return status, time.monotonic() - began


def _reads(caller: Caller, seconds: float) -> Iterator[float]:
    end = time.monotonic() + seconds
    while (began := time.monotonic()) < end:
        require(caller.call("GET", "/v1/scenes/kept")[0] == 200, "a read was refused")
        yield time.monotonic() - began
        time.sleep(LOCK_PAUSE)


def _created(caller: Caller, scene_id: str, *, again: bool = False) -> None:
    status, _ = caller.call("POST", "/v1/scenes", document(scene_id))
    require(status == 201 or (again and status == 409), f"the creation of {scene_id} was answered {status}")


def _require_drawn(caller: Caller) -> None:
    status, _ = caller.call("POST", "/v1/scenes/before/render", {})
    require(status == 200, f"a render was answered {status}")


def _require_unready(caller: Caller) -> None:
    began = time.monotonic()
    while (status := caller.call("GET", "/ready")[0]) != 503:
        require(time.monotonic() - began < RECOVERS_WITHIN, f"/ready is {status} while nothing can be stored")
        time.sleep(LOCK_PAUSE)


def _require_ready(server: Service) -> None:
    began = time.monotonic()
    with Caller(server.url) as caller:
        while caller.call("GET", "/ready")[0] != 200:
            require(time.monotonic() - began < RECOVERS_WITHIN, "the server is not ready again")
            time.sleep(LOCK_PAUSE)


def _fill(file: Path) -> None:
    with suppress(OSError), file.open("wb", buffering=0) as filler:
        while True:
            filler.write(BLOCK)


@contextmanager
def _locked(database: Path) -> Iterator[None]:
    with closing(sqlite3.connect(database, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield
        other.execute("ROLLBACK")
