"""How long the store takes: create, append, read, stale append, authenticate; alone and by many at once.

    uv run python benchmarks/storage.py [folder for the SQLite file]
    uv run python benchmarks/storage.py postgresql

The documents are the service graphs of `graphs.py`. Every write is synced before it counts, so that the figures are
those of the disk under the folder. PostgreSQL is started for it, in a temporary folder.
"""

from __future__ import annotations

import json
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path

from graphs import service_graph

sys.path.insert(0, str(Path(__file__).parents[1] / "scripts"))

from local_servers.postgres import running_postgres

from scenograph.storage.interface import Account, KeyRecord, NewRevision, Store, pack, unpack
from scenograph.storage.postgres import open_postgres
from scenograph.storage.sqlite import open_sqlite

AT = datetime(2026, 1, 1, tzinfo=UTC)
ROUNDS = 300
WRITERS = 16
SIZES = (10, 100, 1000)
LONG_HISTORY = 5000


def timed(name: str, call: Callable[[int], object], rounds: int = ROUNDS) -> None:
    """Print the median and the 99th percentile of `rounds` calls, in ms."""
    taken: list[float] = []
    for number in range(rounds):
        start = time.perf_counter()
        call(number)
        taken.append((time.perf_counter() - start) * 1000)
    cuts = statistics.quantiles(taken, n=100)
    print(f"  {name:<34} p50 {cuts[49]:7.3f} ms   p99 {cuts[98]:7.3f} ms")


def revision(document: str) -> NewRevision:
    return NewRevision(document=document, title="Orders", diagram_family="architecture", changed_ids=("n1", "n2"))


def one_caller(store: Store, size: int) -> None:
    document = json.dumps(service_graph(size, nested=False), ensure_ascii=False, separators=(",", ":"))
    encoding, kept = pack(document)
    print(f"{size} nodes: {len(document)} characters, kept as {len(kept)} bytes ({encoding})")
    timed("compress", lambda _: pack(document))
    timed("decompress", lambda _: unpack(encoding, kept))
    timed("create", lambda n: store.create_scene("ann", f"g{size}-{n}", revision(document), AT))
    timed("append", lambda n: store.append_revision("ann", f"g{size}-0", n + 1, revision(document), AT))
    timed("append to a stale base", lambda _: store.append_revision("ann", f"g{size}-0", 1, revision(document), AT))
    timed("read the latest", lambda _: store.read_scene("ann", f"g{size}-0"))
    timed("read an old revision", lambda n: store.read_scene("ann", f"g{size}-0", n + 1))


def a_long_history(store: Store) -> None:
    store.create_scene("ann", "long", revision("{}"), AT)
    for base in range(1, LONG_HISTORY):
        store.append_revision("ann", "long", base, revision("{}"), AT)
    print(f"a scene of {LONG_HISTORY} revisions")
    timed("what changed since the first", lambda _: store.changed_since("ann", "long", 1), 30)


def many_callers(store: Store) -> None:
    """Every writer has a scene of its own: what they share is the disk and the one write lock."""
    document = json.dumps(service_graph(100, nested=False))

    def write(writer: int) -> None:
        store.create_scene("ann", f"w{writer}", revision(document), AT)
        for base in range(1, ROUNDS // 3):
            store.append_revision("ann", f"w{writer}", base, revision(document), AT)

    start = time.perf_counter()
    with ThreadPoolExecutor(WRITERS) as pool:
        list(pool.map(write, range(WRITERS)))
    print(
        f"{WRITERS} writers at once: {WRITERS * (ROUNDS // 3) / (time.perf_counter() - start):.0f} revisions a second"
    )


def main() -> None:
    """Run everything on a fresh database."""
    asked = sys.argv[1] if len(sys.argv) > 1 else None
    with ExitStack() as stack:
        if asked == "postgresql":
            store: Store = open_postgres(stack.enter_context(running_postgres()).database())
        else:
            folder = stack.enter_context(tempfile.TemporaryDirectory(dir=asked))
            store = open_sqlite(f"sqlite:///{Path(folder).absolute()}/bench.db")
        store.add_account(Account(id="ann", email=None, email_verified_at=None, role="member"), AT)
        store.add_key(KeyRecord(id="k", account_id="ann", name="n", created_at=AT), "0" * 64)
        for size in SIZES:
            one_caller(store, size)
        timed("find a key", lambda _: store.key_by_hash("0" * 64))
        a_long_history(store)
        many_callers(store)
        store.close()


if __name__ == "__main__":
    main()
