# ruff: noqa: T201, INP001 (it reports to whoever runs it)
"""Try what the service promises, under load, on servers that are started for it.

    uv run python scripts/make_trouble.py writers --database postgresql --seconds 60
    uv run python scripts/make_trouble.py storm --database sqlite --count 1000
    uv run python scripts/make_trouble.py kills --count 2000
    uv run python scripts/make_trouble.py strangers --count 10 --seconds 10
    uv run python scripts/make_trouble.py heads --count 1200
    uv run python scripts/make_trouble.py races --database postgresql --count 10000
    uv run python scripts/make_trouble.py grants --database postgresql --count 10000

and `overload`, `storage`, `documents`, `clock`, `faces`, `limits`, `listeners`, `sandbox`, `processes`,
`exports`, `upgrades`, `determinism`.
Ends with 0 and the figures, or with 1 and the promise that did not hold.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Literal

import repeat_renders
import worst_documents
from chaos import bad_disk, bad_files, clocks
from chaos import exports as filing
from chaos import faces as faces_of
from chaos import faults as failing
from chaos import grants as lending
from chaos import heads as halving
from chaos import kills as killing
from chaos import limits as bounds
from chaos import listeners as hearing
from chaos import overload as flooding
from chaos import power_cuts as cutting
from chaos import processes as exporting
from chaos import races as racing
from chaos import sandbox as watching
from chaos import strangers as attacking
from chaos import upgrades as earlier
from chaos import writers as writing
from chaos.scenes import Broken, require
from cyclopts import App
from local_servers.postgres import running_postgres
from local_servers.service import running_services

from scenograph.storage.interface import Store
from scenograph.storage.postgres import open_postgres
from scenograph.storage.sqlite import open_sqlite

SERVERS = 2
Database = Literal["sqlite", "postgresql"]

app = App(name="make_trouble", help="Tries what the service promises, under load.")


@app.command
def writers(database: Database = "sqlite", seconds: float = 60, count: int = 64) -> None:
    """Many writers on one scene over two servers, who try again."""
    with _servers(database) as urls:
        ledger = writing.write_for(seconds, urls, "crowded", count)
        revisions = writing.check_history(ledger, urls, "crowded")
    spread = ", ".join(f"{number} x {status}" for status, number in sorted(ledger.statuses.items()))
    print(
        f"{database}: {count} writers, {seconds:g} s, {SERVERS} servers: {spread}; {revisions} revisions, all as told"
    )


@app.command
def storm(database: Database = "sqlite", count: int = 1000) -> None:
    """So many edits of one base at once over two servers."""
    with _servers(database) as urls:
        began = time.perf_counter()
        statuses = writing.storm(urls, "stormy", count)
        took = time.perf_counter() - began
        writing.check_storm(statuses, urls, "stormy")
    print(f"{database}: {count} edits of one base at once: 1 x 200, {count - 1} x 409, in {took:.1f} s")


@app.command
def kills(count: int = 200, writers: int = 8) -> None:
    """Kill the server under writers, again and again, on SQLite."""
    with tempfile.TemporaryDirectory() as folder:
        found = killing.kill_for(count, Path(folder) / "scenes.db", writers)
    print(
        f"sqlite: {found.kills} SIGKILLs under {writers} writers: {found.acknowledged} acknowledged writes, none lost; "
        f"{found.unacknowledged} more had been written; the slowest opening took {found.slowest_opening * 1000:.0f} ms"
    )


@app.command
def strangers(
    count: int = 10,
    seconds: float = 10,
    *,
    sending: attacking.Sending = "renders",
    size: int = 65_536,
    accounts: bool = False,
    python: str = sys.executable,
) -> None:
    """So many callers send the worst they may while an owner renders something small: renders that keep the engine
    busy, the worst requests of every endpoint with bodies of `size` bytes, or pages of a scene of that size. With
    --accounts each has a fresh account; `python` is an interpreter that has another version of the service."""
    with tempfile.TemporaryDirectory() as folder:
        settings = {"DATABASE_URL": f"sqlite:///{folder}/scenes.db", "RENDER_WORKERS": "2"}
        with running_services(1, Path(folder), python=python, **settings, **attacking.SETTINGS) as (server,):
            seen = attacking.attack(server, count, seconds, sending, size, accounts=accounts)
    who = "fresh accounts" if accounts else "strangers"
    print(f"{count} {who} send {sending}, {seconds:g} s: {seen.told()}")
    require(not seen.owner_refused, f"an owner was refused: {', '.join(seen.owner_refused)}")


@app.command
def overload(seconds: float = 30, workers: int = 2) -> None:
    """Five times as many renders as the engine can do: what is still done, and how soon the rest is refused."""
    with tempfile.TemporaryDirectory() as folder:
        settings = {"DATABASE_URL": f"sqlite:///{folder}/scenes.db", "RENDER_WORKERS": str(workers)}
        with running_services(1, Path(folder), **settings, **flooding.UNLIMITED) as (server,):
            seen = flooding.overload(server.url, seconds)
    print(f"{workers} workers, {seconds:g} s: {seen.told()}")
    require(set(seen.statuses) <= {200, 503}, f"replies other than 200 and 503: {dict(seen.statuses)}")


@app.command
def heads(count: int = 1200, seconds: float = 5) -> None:
    """So many half heads at once; everybody else is answered meanwhile."""
    with tempfile.TemporaryDirectory() as folder:
        settings = {"DATABASE_URL": f"sqlite:///{folder}/scenes.db", "LOG_LEVEL": "info"}
        with running_services(1, Path(folder), **settings) as (server,):
            slowest, answered = halving.hold(server.url, count, seconds)
            size = server.log.stat().st_size
    print(
        f"{count} half heads, {seconds:g} s: {answered} calls answered meanwhile, the slowest in "
        f"{slowest * 1000:.0f} ms; {size / 1000:.0f} kB of log"
    )


@app.command
def storage(cuts: int = 100, writers: int = 60, seconds: float = 4) -> None:
    """Calls on the database's files that fail, power cuts, a full disk, a foreign lock, an index cut short."""
    with ExitStack() as stack:
        faults, power, disk, lock, index = (Path(stack.enter_context(tempfile.TemporaryDirectory())) for _ in range(5))
        if bad_files.is_possible():
            failed = failing.fail_each(faults)
            told = ", ".join(f"{name} {calls.lower()} {number}" for (name, calls), number in failed.failed.items())
            print(f"calls that failed, one at a time: {told}; the slowest recovery took {failed.slowest:.2f} s")
            print(f"power cuts: {cutting.cut_power(power, cuts, 300).told()}")
        else:
            print("left out without a C compiler: calls that fail, power cuts")
        if bad_disk.small_disks_are_possible():
            print(f"full disk: {bad_disk.fill_disk(disk)} scenes kept until it was full, none lost")
        else:
            print("left out, for no small disk can be mounted: a full disk")
        print(f"behind a foreign lock: {bad_disk.hold_lock(lock, writers, seconds).told()}")
        print(f"an index cut short 20 times: the slowest recovery took {bad_disk.cut_index(index, 20):.2f} s")


@app.command
def documents(seconds: int = 30) -> None:
    """What the documents cost that cost the engine the most."""
    require(worst_documents.table(seconds=seconds) == 0, "a document takes longer than its size allows")


@app.command
def races(database: Database = "sqlite", count: int = 10_000) -> None:
    """Two callers at one moment on one scene's life, so often in all."""
    each = count // len(racing.RACES)
    with ExitStack() as stack:
        opening = _opening(stack, database)
        for name in racing.RACES:
            told = ", ".join(f"{number} x {outcome}" for outcome, number in racing.run(name, opening(), each).items())
            print(f"{database}: {each} x {name}: {told}")


@app.command
def grants(database: Database = "sqlite", count: int = 10_000) -> None:
    """So many grants of scenes and their ends, while those who had them edit and read through two servers."""
    began = time.monotonic()
    with _servers(database, **lending.OPEN) as urls:
        seen = lending.race(urls, count)
    told = ", ".join(f"{number} x {status}" for status, number in sorted(seen.items()))
    print(f"{database}: {count} grants and their ends in {time.monotonic() - began:.0f} s: {told}; none was outlived")


@app.command
def clock(rounds: int = 5) -> None:
    """Set the clock of a running server 25 hours forward and back."""
    with tempfile.TemporaryDirectory() as folder:
        found = clocks.jump(Path(folder), rounds)
    print(
        f"{found.jumps} jumps of 25 hours: {found.edits} edits in order, no scene removed early, "
        f"{found.deletions} deleted scenes restored"
    )


@app.command
def faces(times: int = 20) -> None:
    """Withdraw a published scene while readers ask all its faces on two servers."""
    with tempfile.TemporaryDirectory() as folder:
        settings = {"DATABASE_URL": f"sqlite:///{folder}/scenes.db", **faces_of.BUSY}
        with running_services(SERVERS, Path(folder), **settings) as servers:
            seen = faces_of.withdraw([server.url for server in servers], times)
    told = ", ".join(f"{number} x {status}" for status, number in sorted(seen.items()))
    print(f"{times} withdrawals, {len(faces_of.FACES)} faces on {SERVERS} servers: {told}; none shown afterwards")


@app.command
def limits() -> None:
    """Every published limit, one below, at and one above it."""
    with tempfile.TemporaryDirectory() as folder:
        settings = {"DATABASE_URL": f"sqlite:///{folder}/scenes.db"}
        with running_services(1, Path(folder), **settings) as (server,):
            found = bounds.try_limits(server.url)
    print(f"{found.limits} limits: {found.taken} times taken up to them, {found.refused} times refused beyond")


@app.command
def listeners(count: int = 500) -> None:
    """Idle event streams on one server: memory, and what other calls feel of them."""
    with tempfile.TemporaryDirectory() as folder:
        settings = {"DATABASE_URL": f"sqlite:///{folder}/scenes.db", **hearing.ROOM}
        with running_services(1, Path(folder), **settings) as (server,):
            found = hearing.listen(server, count)
    print(hearing.told(found, count))
    require(found.megabytes < hearing.MOST_MEGABYTES, "the streams take more memory than they may")


@app.command
def sandbox() -> None:
    """Draw every scene of the tests, and a hostile one, and see that no file and no socket is opened."""
    found = watching.watch()
    print(f"{found.pictures} pictures of {found.scenes} scenes; nothing was opened ({', '.join(found.watched_by)})")


@app.command
def exports(times: int = 2000) -> None:
    """Two exports of the tool server to one name, so often, while links take the place of folders and names."""
    with tempfile.TemporaryDirectory() as folder:
        found = filing.race(Path(folder), times)
    told = ", ".join(f"{number} x {outcome}" for outcome, number in sorted(found.items()))
    print(f"{times} pairs of exports: {told}; nothing outside, nothing overwritten, each file whole")


@app.command
def upgrades(database: Database = "sqlite", keep: Path | None = None) -> None:
    """Databases that the first versions filled, from this repository's history, opened by today's. --keep writes small
    ones to a folder, those of the tests of upgrades."""
    tried = 0
    for version, revision in earlier.EARLIER[database].items():
        with ExitStack() as stack:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
            source = earlier.sources(revision, folder)
            if source is None:
                print(f"left out without the revision {revision}: {version}")
                continue
            url = f"sqlite:///{folder}/scenes.db"
            if database == "postgresql":
                url = stack.enter_context(running_postgres()).database()
            tried += 1
            if keep:
                earlier.keep(version, source, url, folder, keep / f"{version}-{database}")
                continue
            found = earlier.carry_over(source, url, folder)
        print(
            f"{database}, from {version}: {found.scenes} scenes, {found.revisions} revisions, {found.published} "
            f"published and {found.deleted} deleted scenes are as they were; {found.places} stand where they stood"
        )
    if not tried:
        raise Broken("No earlier version was tried: the history of the repository is not at hand.")


@app.command
def processes(count: int = 1000, seed: int = 1) -> None:
    """Export so many workflows as BPMN whose every word is hostile."""
    found = exporting.export(count, seed)
    print(
        f"{found.documents} workflows: {found.elements} elements of BPMN that the writer knows, {found.words} names as "
        f"they were given, each file well-formed and read back"
    )


@app.command
def determinism(runs: int = 100, processes: int = 4) -> None:
    """Draw every scene of the tests so often, in processes of different hash seeds; the bytes are the same."""
    require(repeat_renders.main([str(runs), str(processes)]) == 0, "two pictures of one scene differ")


def _opening(stack: ExitStack, database: Database) -> Callable[[], Callable[[], Store]]:
    """Makes a fresh database each time, and gives what opens it."""
    if database == "postgresql":
        server = stack.enter_context(running_postgres())

        def fresh() -> Callable[[], Store]:
            url = server.database()
            return lambda: open_postgres(url)

        return fresh

    def fresh_file() -> Callable[[], Store]:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        return lambda: open_sqlite(f"sqlite:///{folder}/scenes.db")

    return fresh_file


@contextmanager
def _servers(database: Database, **settings: str) -> Iterator[list[str]]:
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        url = f"sqlite:///{folder}/scenes.db"
        if database == "postgresql":
            url = stack.enter_context(running_postgres()).database()
        yield [
            server.url
            for server in stack.enter_context(running_services(SERVERS, folder, DATABASE_URL=url, **settings))
        ]


if __name__ == "__main__":
    try:
        app()
    except Broken as broken:
        sys.exit(f"BROKEN: {broken}")
