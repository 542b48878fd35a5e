"""A process beside the server. For each line that it reads it deletes the operator's scene of that id (`deleted`) or,
for the word `purge`, removes for good what was deleted until then, as a day later (how many, or `unavailable`).
"""

from __future__ import annotations

import sys
from datetime import UTC, datetime, timedelta

from scenograph.service.accounts import MEMBER, SEEDED_IDS
from scenograph.service.lifecycle import purge
from scenograph.storage.interface import StorageUnavailable, Store
from scenograph.storage.sqlite import open_sqlite

LATER = timedelta(hours=25)
PURGE = "purge"


def carry_out(store: Store, word: str) -> str:
    """Purge, or delete the scene of that id."""
    now = datetime.now(UTC)
    if word != PURGE:
        return "deleted" if store.delete_scene(SEEDED_IDS[MEMBER], word, None, now) else "unknown"
    try:
        return str(purge(store, now + LATER, now + LATER))
    except StorageUnavailable:
        return "unavailable"


if __name__ == "__main__":
    opened = open_sqlite(sys.argv[1])
    print("open", flush=True)
    for line in sys.stdin:
        print(carry_out(opened, line.strip()), flush=True)
