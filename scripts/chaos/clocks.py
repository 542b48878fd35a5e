"""The clock of the day jumps by 25 hours, forward and back, under a server that runs, by a small library that is
preloaded (`bad_clock.c`; Linux, and a C compiler as `cc`).

Nothing is removed early: time counts that has really passed. Scenes are edited whatever the clock says, no revision is
lost, and once the clock is right again a deleted scene comes back.
"""

from __future__ import annotations

import mmap
import struct
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

from local_servers.calling import Caller
from local_servers.service import running_services

from chaos.bad_files import compiled
from chaos.purger import PURGE, purger
from chaos.scenes import document, require, signed

SOURCE = Path(__file__).with_name("bad_clock.c")
HOURS = 25
JUMPS = (HOURS, 0, -HOURS, 0)
_FORM = struct.Struct("=q")


class Clock:
    """The clock of processes that are started with `environment`."""

    def __init__(self, folder: Path) -> None:
        shift = folder / "shift"
        shift.write_bytes(bytes(_FORM.size))
        with shift.open("r+b") as file:
            self._shift = mmap.mmap(file.fileno(), _FORM.size)
        self.environment = {"LD_PRELOAD": str(compiled(folder, SOURCE)), "BAD_CLOCK": str(shift)}

    def set(self, hours: int) -> None:
        """So many hours ahead."""
        self._shift[:] = _FORM.pack(hours * 3600)


class Found(NamedTuple):
    """How often the clock was set, how many edits were made, and how many scenes were deleted and came back."""

    jumps: int
    edits: int
    deletions: int


def jump(folder: Path, rounds: int) -> Found:
    """Set the clock forward and back so often. Broken when a promise does not hold."""
    clock = Clock(folder)
    address = f"sqlite:///{folder}/scenes.db"
    edits = deletions = 0
    with (
        running_services(1, folder, DATABASE_URL=address, **clock.environment) as (server,),
        Caller(server.url) as caller,
        purger(address, clock.environment) as beside,
    ):
        _call(caller, 201, "POST", "/v1/scenes", document("edited"))
        base = 1
        for _ in range(rounds):
            _call(caller, 201, "POST", "/v1/scenes", document(f"deleted{deletions}"))
            _call(caller, 200, "DELETE", f"/v1/scenes/deleted{deletions}")
            for hours in JUMPS:
                clock.set(hours)
                batch = signed("edited", base, f"{hours} hours")
                base = _call(caller, 200, "POST", "/v1/scenes/edited/applyOps", batch)["revision"]
                edits += 1
                require(beside(PURGE) == "0", "the purge took something early")
            restored = _call(caller, 200, "POST", f"/v1/scenes/deleted{deletions}/undelete")
            require(restored["revision"] == 1, "the scene came back otherwise")
            read = _call(caller, 200, "GET", f"/v1/scenes/deleted{deletions}")
            require(read["scene"] == document(f"deleted{deletions}"), "the scene came back otherwise")
            deletions += 1
        _check_history(caller, base)
    return Found(rounds * len(JUMPS), edits, deletions)


def _check_history(caller: Caller, last: int) -> None:
    page = _call(caller, 200, "GET", "/v1/scenes/edited/revisions?limit=100")
    numbers = [row["revision"] for row in page["revisions"]]
    require(numbers == list(range(last, 0, -1)), f"the history is {numbers}")
    times = [datetime.fromisoformat(str(row["createdAt"])) for row in page["revisions"]]
    require(max(times) - min(times) > timedelta(hours=HOURS), "the clock was never set")


def _call(caller: Caller, wanted: int, method: str, path: str, body: object = None) -> dict[str, Any]:
    status, said = caller.call(method, path, body)
    require(status == wanted, f"{method} {path} was answered {status}: {said}")
    return said
