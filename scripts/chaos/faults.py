"""The k-th read, write or sync of a creation, an edit, a publication and a purge fails, for every k that there is.

Whatever fails is a 503, what was acknowledged before and after stays, and the same succeeds by itself, within seconds,
once the disk is well again.
"""

from __future__ import annotations

import itertools
import sqlite3
import time
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from local_servers.calling import Caller
from local_servers.service import running_services

from chaos.bad_files import BadFiles, Calls
from chaos.purger import PURGE_LATER, UNAVAILABLE, purger
from chaos.scenes import document, require, signature_of, signed

RECOVERS_WITHIN = 5.0  # seconds
MOST = 200  # calls of one kind in one action; far more than there are
REFUSED = 503


@dataclass
class Found:
    """How many calls of each kind failed in each action, and the slowest recovery in seconds."""

    failed: Counter[tuple[str, str]] = field(default_factory=Counter[tuple[str, str]])
    slowest: float = 0.0


def fail_each(folder: Path, every: int = 1) -> Found:
    """Let every call fail in turn, or one of so many. Broken when a promise does not hold."""
    database = folder / "scenes.db"
    files = BadFiles(folder, database)
    purging = BadFiles(folder, database, "purging")
    with (
        running_services(1, folder, DATABASE_URL=f"sqlite:///{database}", **files.environment) as (server,),
        Caller(server.url) as caller,
        purger(f"sqlite:///{database}", purging.environment) as beside,
    ):
        subject = _Subject(caller, beside)
        found = Found()
        for action, calls in itertools.product(subject.actions(), Calls):
            bad = purging if action.name == "purge" else files
            for number in range(1, MOST, every):
                if not _fail(found, action, bad, calls, number):
                    break
        subject.check()
        require(server.process.poll() is None, "the server is gone")
    return found


def _fail(found: Found, action: Action, files: BadFiles, calls: Calls, number: int) -> bool:
    """Whether there was such a call."""
    what = f"{action.name} when {calls.name} {number} fails"
    action.prepare()
    _forget_pages(files.database)
    files.fail(calls, number)
    status = action.act()
    failed = files.heal()
    require(status in {200, 201, REFUSED}, f"{what} is answered {status}")
    began = time.monotonic()
    while status == REFUSED:
        require(time.monotonic() - began < RECOVERS_WITHIN, f"{what} is not done afterwards")
        status = action.act()
    if failed:
        found.failed[action.name, str(calls.name)] += 1
        found.slowest = max(found.slowest, time.monotonic() - began)
    action.check()
    return failed > 0


class Action(NamedTuple):
    """What is done, what comes before it, and what must hold once it was acknowledged; both undisturbed."""

    name: str
    prepare: Callable[[], None]
    act: Callable[[], int]
    check: Callable[[], None] = lambda: None


class _Subject:
    """The scenes, and what was acknowledged of them."""

    def __init__(self, caller: Caller, beside: Callable[[str], str]) -> None:
        self._caller = caller
        self._beside = beside
        self._fresh = itertools.count()
        self._created: list[str] = []
        self._told: dict[int, str] = {}
        self._base = 1
        self._call("POST", "/v1/scenes", document("edited"))
        self._call("POST", "/v1/scenes", document("published"))

    def actions(self) -> list[Action]:
        """All of them."""
        return [
            Action("create", self._choose_id, self._create),
            Action("edit", lambda: None, self._edit),
            Action("publish", self._make_private, self._publish, self._check_public),
            Action("purge", self._delete, self._purge_now, self._check_purged),
        ]

    def check(self) -> None:
        """Everything that was acknowledged is there."""
        for scene_id in self._created:
            require(self._call("GET", f"/v1/scenes/{scene_id}")[0] == 200, f"{scene_id} is lost")
        for number, signature in self._told.items():
            _, read = self._call("GET", f"/v1/scenes/edited?revision={number}")
            require(signature_of(read["scene"]) == signature, f"revision {number} is not the one that was acknowledged")

    def _choose_id(self) -> None:
        self._id = f"fresh{next(self._fresh)}"

    def _create(self) -> int:
        """A creation that was refused may have happened: nobody can know whether a commit came through."""
        status, _ = self._call("POST", "/v1/scenes", document(self._id))
        if status in {201, 409}:
            self._created.append(self._id)
            return 201
        return status

    def _edit(self) -> int:
        signature = f"after {self._base}, {next(self._fresh)}"
        status, said = self._call("POST", "/v1/scenes/edited/applyOps", signed("edited", self._base, signature))
        if status == 200:
            self._base = said["revision"]
            self._told[self._base] = signature
        elif status == 409:
            self._base = said["currentRevision"]
            return self._edit()
        return status

    def _make_private(self) -> None:
        require(self._call("POST", "/v1/scenes/published/make-private")[0] == 200, "it cannot be made private")

    def _publish(self) -> int:
        return self._call("POST", "/v1/scenes/published/publish")[0]

    def _check_public(self) -> None:
        require(self._call("GET", "/v1/scenes/published")[1]["privacyStatus"] == "public", "it is not published")

    def _delete(self) -> None:
        self._choose_id()
        require(self._create() == 201, "a scene cannot be created")
        self._created.remove(self._id)
        require(self._beside(self._id) == "deleted", "a scene cannot be deleted")

    def _purge_now(self) -> int:
        return REFUSED if self._beside(PURGE_LATER) == UNAVAILABLE else 200

    def _check_purged(self) -> None:
        status, _ = self._call("POST", f"/v1/scenes/{self._id}/undelete")
        require(status == 404, f"a scene that was purged can be restored: {status}")

    def _call(self, method: str, path: str, body: object = None) -> tuple[int, dict[str, object]]:
        return self._caller.call(method, path, body)


def _forget_pages(database: Path) -> None:
    """After another process has written, every connection reads its pages anew."""
    with closing(sqlite3.connect(database, timeout=RECOVERS_WITHIN)) as other:
        other.execute(f"PRAGMA user_version = {time.monotonic_ns() % 1_000_000}")
