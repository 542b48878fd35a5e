"""A process that is there to be killed. Run as a script with a database file; it reads one command a line:

`open`       fork a child that opens (and so migrates) the database and waits
`write`      fork a child that appends to ann's scene `orders` for ever, printing each acknowledged number

For each command it prints the child's process id first. Forking spares every child the imports.
"""

from __future__ import annotations

import os
import sys
from datetime import UTC, datetime

from scenograph.storage.interface import NewRevision
from scenograph.storage.sqlite import open_sqlite

AT = datetime(2026, 1, 1, tzinfo=UTC)
LINES = 400


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


def main() -> None:
    """Fork one child a line until the input ends."""
    _say("ready")
    for line in sys.stdin:
        command, address = line.split()
        child = os.fork()
        if child == 0:
            _say(f"pid {os.getpid()}")
            {"open": _open, "write": _write}[command](address)
            os._exit(0)
        os.waitpid(child, 0)
        _say("gone")


if __name__ == "__main__":
    main()
