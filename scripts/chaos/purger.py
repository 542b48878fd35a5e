"""A process beside the server, on the same file. For each line that it reads it deletes the operator's scene of that id
(`deleted`), or removes for good what was deleted a day ago: by its clock for the word `purge`, as a day later for
`purge later`. It prints how many scenes are gone, or `unavailable`.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

from chaos.scenes import require
from scenograph.service.accounts import MEMBER, SEEDED_IDS
from scenograph.service.lifecycle import purge
from scenograph.storage.interface import StorageUnavailable, Store
from scenograph.storage.sqlite import open_sqlite

LATER = timedelta(hours=25)
PURGE, PURGE_LATER = "purge", "purge later"
UNAVAILABLE = "unavailable"


@contextmanager
def purger(address: str, environment: Mapping[str, str]) -> Generator[Callable[[str], str]]:
    """Starts it, and says a word to it."""
    path = os.pathsep.join([str(Path(__file__).parents[1]), os.environ.get("PYTHONPATH", "")])
    command = [sys.executable, "-m", "chaos.purger", address]
    pipe = subprocess.PIPE
    own = os.environ | environment | {"PYTHONPATH": path}
    with subprocess.Popen(command, env=own, stdin=pipe, stdout=pipe, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        given, told = process.stdin, process.stdout

        def say(word: str) -> str:
            given.write(f"{word}\n")
            given.flush()
            return told.readline().strip()

        require(told.readline() == "open\n", "the database cannot be opened")
        yield say


def carry_out(store: Store, word: str) -> str:
    """Purge, or delete the scene of that id."""
    now = datetime.now(UTC)
    try:
        if word == PURGE:
            return str(purge(store, now, store.advance_time()))
        if word == PURGE_LATER:
            return str(purge(store, now + LATER, now + LATER))
    except StorageUnavailable:
        return UNAVAILABLE
    return "deleted" if store.delete_scene(SEEDED_IDS[MEMBER], word, None, now) else "unknown"


if __name__ == "__main__":
    opened = open_sqlite(sys.argv[1])
    print("open", flush=True)
    for line in sys.stdin:
        print(carry_out(opened, line.strip()), flush=True)
