"""A database that cannot be written for a while: reading goes on, writers are told to come again, `/ready` says so, and
all is well again by itself."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx2
import pytest
from local_servers.service import HEADERS, Service, running_services

from scenograph.storage.sqlite import BUSY_SECONDS

WRITERS = 30
READ_WITHIN = BUSY_SECONDS / 2  # a reader behind a writer would wait for the whole of it
NOBODY = 65534


def document(scene_id: str) -> dict[str, object]:
    return {"schemaVersion": "0.1", "scene": {"id": scene_id, "units": "px", "canvas": {}}, "elements": []}


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    with running_services(1, tmp_path, DATABASE_URL=f"sqlite:///{tmp_path / 'scenes.db'}") as (started,):
        httpx2.post(f"{started.url}/v1/scenes", json=document("kept"), headers=HEADERS, timeout=30).raise_for_status()
        yield started


def test_behind_a_foreign_lock_readers_do_not_wait_for_writers(service: Service, tmp_path: Path) -> None:
    other = sqlite3.connect(tmp_path / "scenes.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")

    def write(number: int) -> int:
        body = document(f"late{number}")
        return httpx2.post(f"{service.url}/v1/scenes", json=body, headers=HEADERS, timeout=60).status_code

    with ThreadPoolExecutor(WRITERS) as pool:
        writing = [pool.submit(write, number) for number in range(WRITERS)]
        taken = []
        with httpx2.Client(base_url=service.url, headers=HEADERS, timeout=30) as client:
            for _ in range(10):
                began = time.monotonic()
                assert client.get("/v1/scenes/kept").status_code == 200
                taken.append(time.monotonic() - began)
            ready = client.get("/ready")
        other.execute("ROLLBACK")
        other.close()
        answers = {done.result() for done in writing}
    assert max(taken) < READ_WITHIN
    assert (ready.status_code, ready.json()["code"]) == (503, "storage_unavailable")
    assert answers <= {201, 503}
    assert becomes_ready(service)


def becomes_ready(service: Service) -> bool:
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        if httpx2.get(f"{service.url}/ready", timeout=30).status_code == 200:
            return True
    return False


READ_ONLY = """
import os, sys
from datetime import UTC, datetime
from scenograph.storage.interface import Account, NewRevision, StorageUnavailable
from scenograph.storage.sqlite import open_sqlite

file = sys.argv[1]
at = datetime(2026, 5, 6, tzinfo=UTC)
store = open_sqlite("sqlite:///" + file)
store.add_account(Account(id="ann", email=None, email_verified_at=None, role="member"), at)
first = NewRevision(document="{}", title=None, diagram_family=None)
store.create_scene("ann", "kept", first, at)

if os.getuid() == 0:  # nothing is read-only to root
    store.append_revision("ann", "kept", 1, first, at)
    store.read_scene("ann", "kept")
    for name in ("", "-wal", "-shm"):
        os.chown(file + name, 65534, 65534)
    os.setgid(65534); os.setuid(65534)

def outcome(call):
    try:
        call()
    except StorageUnavailable:
        return "unavailable"
    return "done"

def write(): store.append_revision("ann", "kept", store.current_revision("ann", "kept"), first, at)
def read(): assert store.read_scene("ann", "kept") is not None

told = []
for names in ((), ("",), ("-shm",), ("", "-wal", "-shm"), ()):
    for name in ("", "-wal", "-shm"):
        os.chmod(file + name, 0o444 if name in names else 0o644)
    told.append(f"{outcome(read)} {outcome(write)}")
print("|".join(told))
"""


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that nobody in particular may use, above which none is closed to others."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if os.getuid() == 0:
            folder.chmod(0o755)
            os.chown(folder, NOBODY, NOBODY)
        yield folder


def test_files_that_become_read_only_are_a_refusal_until_they_can_be_written_again(open_folder: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", READ_ONLY, str(open_folder / "scenes.db")],
        capture_output=True,
        text=True,
        check=False,
        cwd="/",
    )
    assert done.returncode == 0, done.stderr
    both, reads, none = "done done", "done unavailable", "unavailable unavailable"
    assert done.stdout.strip().split("|") == [both, reads, none, none, both]
