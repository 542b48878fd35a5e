"""A process that writes revisions of one scene, as many as it is told. What was acknowledged it writes into a file
beside the database, so that it stands in the same journal as the database's own writes.
"""

from __future__ import annotations

import os
import random
import sys
from datetime import UTC, datetime

from scenograph.storage.interface import Account, NewRevision
from scenograph.storage.sqlite import open_sqlite

AT = datetime(2026, 1, 1, tzinfo=UTC)
OWNER, SCENE = "ann", "orders"
LETTERS = 30_000  # that cannot be packed; a checkpoint comes every some hundred revisions
ACKNOWLEDGED = "-acks"


def content(number: int) -> str:
    """What revision `number` holds."""
    return f"{number}:" + random.Random(number).randbytes(LETTERS // 2).hex()  # noqa: S311 - the same on every run


def write(path: str, count: int) -> None:
    """Append so many revisions."""
    store = open_sqlite(f"sqlite:///{path}")
    acknowledged = os.open(path + ACKNOWLEDGED, os.O_WRONLY | os.O_CREAT, 0o600)
    store.add_account(Account(id=OWNER, email=None, email_verified_at=None, role="member"), AT)
    store.create_scene(OWNER, SCENE, NewRevision(document=content(1), title=None, diagram_family=None), AT)
    for number in range(1, count):
        new = NewRevision(document=content(number + 1), title=None, diagram_family=None)
        if store.append_revision(OWNER, SCENE, number, new, AT) != number + 1:
            raise SystemExit(f"revision {number + 1} was not acknowledged")
        os.pwrite(acknowledged, str(number + 1).encode(), 0)
    store.close()


if __name__ == "__main__":
    write(sys.argv[1], int(sys.argv[2]))
