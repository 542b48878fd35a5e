"""A process that is there to be killed. Run as a script with a database file; it reads one command a line:

`open`       fork a child that opens (and so migrates) the database
`write`      fork a child that appends to ann's scene `orders` for ever, printing each acknowledged number
`crowd`      fork a child that forks many which all open the database at once, and prints how many could

For each command it prints the child's process id first and `gone` when it has been killed: a child never ends by
itself, so that its id stays its own. Forking spares the imports.
"""

from __future__ import annotations

import os
import signal
import sys
from datetime import UTC, datetime

from scenograph.storage.interface import NewRevision
from scenograph.storage.sqlite import open_sqlite

AT = datetime(2026, 1, 1, tzinfo=UTC)
LINES = 400
CROWD = 8


def content(revision: int) -> str:
    """What revision `revision` must hold; long enough to span many pages and no two alike."""
    return "\n".join(f"revision {revision} line {line} {line * revision % 997}" for line in range(LINES))


def _say(word: object) -> None:
    os.write(1, f"{word}\n".encode())


def _write(address: str) -> None:
    store = open_sqlite(address)
    while True:
        base = store.current_revision("ann", "orders")
        assert base is not None
        new = NewRevision(document=content(base + 1), title=None, diagram_family=None)
        answer = store.append_revision("ann", "orders", base, new, AT)
        if isinstance(answer, int):
            _say(answer)


def _open(address: str) -> None:
    open_sqlite(address)
    _say("open")


def _crowd(address: str) -> None:
    start, sign = os.pipe()
    children: list[int] = []
    for _ in range(CROWD):
        child = os.fork()
        if child == 0:
            os.read(start, 1)
            store = open_sqlite(address)
            store.ping()
            store.close()
            os._exit(0)
        children.append(child)
    os.write(sign, b"." * CROWD)
    _say(sum(os.waitpid(child, 0)[1] == 0 for child in children))


COMMANDS = {"open": _open, "write": _write, "crowd": _crowd}


def main() -> None:
    """Fork one child a line until the input ends."""
    _say("ready")
    for line in sys.stdin:
        command, address = line.split()
        child = os.fork()
        if child == 0:
            _say(f"pid {os.getpid()}")
            COMMANDS[command](address)
            signal.pause()
        os.waitpid(child, 0)
        _say("gone")


if __name__ == "__main__":
    main()
