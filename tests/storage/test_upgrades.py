"""Databases of earlier versions: brought up whole, and also while a server of the version before goes on.

`earlier/` holds small databases as those versions wrote them, and the statements of their servers, made by
`scripts/make_trouble.py upgrades --keep`.
"""

from __future__ import annotations

import base64
import json
import re
import sqlite3
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import UTC, datetime
from importlib import import_module
from itertools import count
from pathlib import Path
from typing import Any

import psycopg
import pytest
from alembic import command
from alembic.config import Config
from local_servers.postgres import Postgres
from sqlalchemy import Connection, create_engine, event

from scenograph.storage.interface import Account, KeyRecord, NewRevision, PublicIdTaken, Store
from scenograph.storage.migrations import running
from scenograph.storage.postgres import open_postgres
from scenograph.storage.sqlite import open_sqlite

EARLIER = Path(__file__).parent / "earlier"
OWNER = "operator"
LONG_AGO = datetime(2026, 1, 1, tzinfo=UTC)
BESIDE = "written beside a newer version"
DATABASES = sorted(path.stem for path in EARLIER.glob("*.sql"))
BEFORE = sorted(name.removesuffix(".statements") for name in (path.stem for path in EARLIER.glob("*.jsonl")))


@pytest.fixture
def filled(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[str], str]:
    """Makes one of the databases of `earlier/`; its address."""

    fresh = count()

    def fill(name: str) -> str:
        dump = (EARLIER / f"{name}.sql").read_text()
        if name.endswith("sqlite"):
            path = tmp_path / f"scenes{next(fresh)}.db"
            with closing(sqlite3.connect(path)) as file:
                file.executescript(dump)
            return f"sqlite:///{path}"
        server: Postgres = request.getfixturevalue("postgres_server")
        url = server.database()
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute(dump.encode())
        return url

    return fill


def opened(url: str) -> Store:
    return open_sqlite(url) if url.startswith("sqlite") else open_postgres(url)


def told(name: str) -> dict[str, Any]:
    return json.loads((EARLIER / f"{name}.json").read_text())


def read(store: Store, scene_id: str, revision: int | None = None) -> dict[str, Any]:
    found = store.read_scene(OWNER, scene_id, revision)
    assert found is not None, f"{scene_id} is lost"
    return json.loads(found.document.text)


@pytest.mark.parametrize("name", DATABASES)
class TestWhole:
    def test_every_revision_is_read_as_it_was_written(self, name: str, filled: Callable[[str], str]) -> None:
        said = told(name)
        with closing(opened(filled(name))) as store:
            assert store.undelete_scene(OWNER, said["deleted"], LONG_AGO) == 3
            for scene_id, documents in said["documents"].items():
                assert [read(store, scene_id, number) for number in (1, 2, 3)] == documents
                history = store.history(OWNER, scene_id, None, 9)
                assert history is not None
                assert [entry.message for entry in history.entries][-1] is None
                assert [entry.revision for entry in history.entries] == [3, 2, 1]
                assert {entry.author for entry in history.entries} == {None}

    def test_publications_deletions_and_keys_are_as_they_were(self, name: str, filled: Callable[[str], str]) -> None:
        said = told(name)
        with closing(opened(filled(name))) as store:
            shown = store.public_scene(said["public"])
            assert shown is not None
            assert json.loads(shown.document.text) == said["documents"][said["public"]][-1]
            assert [scene.scene_id for scene in store.deleted_scenes(OWNER, LONG_AGO)] == [said["deleted"]]
            assert store.key_by_hash(said["opening_hash"]) is not None
            assert store.key_by_hash(said["shut_hash"]) is None

    def test_its_holdings_are_counted_and_it_is_written_to(self, name: str, filled: Callable[[str], str]) -> None:
        with closing(opened(filled(name))) as store:
            counted = store.holdings(OWNER)
            assert counted == store.recount(OWNER)
            assert counted is not None
            assert (counted.keys, counted.scenes) == (2, 2)
            later = KeyRecord(id="k", account_id=OWNER, name="later", created_at=LONG_AGO)
            assert store.add_key(later, "hash") is True


class Recorded:
    """Statements of a server of the version before, run on a database as that server ran them."""

    def __init__(self, name: str, url: str) -> None:
        self.name = name
        lines = (EARLIER / f"{name}.statements.jsonl").read_text().splitlines()
        self.statements = [json.loads(line, object_hook=_value) for line in lines]
        self._engine = create_engine(url.replace("postgresql://", "postgresql+psycopg://", 1))

    def close(self) -> None:
        self._engine.dispose()

    def connect(self) -> Any:
        return self._engine.execution_options(isolation_level="AUTOCOMMIT").connect()


def _value(told: dict[str, Any]) -> Any:
    if set(told) == {"bytes"}:
        return base64.b64decode(told["bytes"])
    return datetime.fromisoformat(told["time"]) if set(told) == {"time"} else told


def run(connection: Connection, one: dict[str, Any]) -> int:
    """The number of rows that it read or changed."""
    parameters = one["parameters"]
    done = connection.exec_driver_sql(
        one["statement"], parameters if isinstance(parameters, dict) else tuple(parameters)
    )
    return len(done.all()) if done.returns_rows else done.rowcount


@pytest.fixture(params=BEFORE)
def before(request: pytest.FixtureRequest, filled: Callable[[str], str]) -> Iterator[tuple[Recorded, str]]:
    url = filled(request.param)
    with closing(Recorded(request.param, url)) as recorded:
        yield recorded, url


class TestServersOfTheVersionBefore:
    def test_every_statement_does_after_the_upgrade_what_it_did_before(
        self, before: tuple[Recorded, str], filled: Callable[[str], str]
    ) -> None:
        recorded, url = before
        with closing(Recorded(recorded.name, filled(recorded.name))) as untouched, untouched.connect() as connection:
            wanted = [run(connection, one) for one in untouched.statements]
        with closing(opened(url)), recorded.connect() as connection:
            assert [run(connection, one) for one in recorded.statements] == wanted

    def test_their_reads_go_on_while_a_newer_one_upgrades(self, before: tuple[Recorded, str]) -> None:
        recorded, url = before
        reads = [one for one in recorded.statements if re.match(r"SELECT(?!.* FOR )", one["statement"], re.DOTALL)]
        begun, over = threading.Event(), threading.Event()

        def read_on() -> int:
            rounds = 0
            with recorded.connect() as connection:
                while not over.is_set():
                    for one in reads:
                        run(connection, one)
                    rounds += 1
                    begun.set()
            return rounds

        with ThreadPoolExecutor(1) as pool:
            reading = pool.submit(read_on)
            try:
                assert begun.wait(20)
                opened(url).close()
                begun.clear()
                assert begun.wait(20), "no round of reads ended after the upgrade"
            finally:
                over.set()
            assert reading.result(20) >= 2

    def test_a_newer_one_reads_and_counts_what_they_write(self, before: tuple[Recorded, str]) -> None:
        recorded, url = before
        with closing(opened(url)) as store:
            with recorded.connect() as connection:
                for one in recorded.statements:
                    run(connection, one)
            for scene_id, revision in (("later", 2), ("held", 4)):
                assert store.current_revision(OWNER, scene_id) == revision
                assert read(store, scene_id)["elements"][0]["label"] == BESIDE
            assert [scene.scene_id for scene in store.deleted_scenes(OWNER, LONG_AGO)] == ["shown"]
            assert store.current_revision(OWNER, "gone") == 3, "it was undeleted"
            stale, counted = store.holdings(OWNER), store.recount(OWNER)
            assert stale is not None
            assert counted is not None
            assert (counted.keys, counted.scenes) == (3, 3)
            assert counted.stored_bytes > stale.stored_bytes
            store.add_account(Account(id="eve", email=None, email_verified_at=None, role="member"), LONG_AGO)
            store.make_private(OWNER, "later", ("public",))
            store.create_scene("eve", "later", NewRevision(document="{}", title=None, diagram_family=None), LONG_AGO)
            assert store.publish("eve", "later", ("private",), LONG_AGO) == PublicIdTaken(), "the address was claimed"


# Statements of an upgrade that a server of the version before would not survive, and the reason.
BREAKING: tuple[tuple[str, str], ...] = (
    (r"DROP (TABLE|COLUMN|INDEX|CONSTRAINT)", "something is gone"),
    (r"ALTER TABLE \S+ DROP ", "something is gone"),
    (r"ALTER TABLE \S+ RENAME ", "a name is another"),
    (r"ALTER TABLE \S+ ALTER (COLUMN )?\S+ (SET NOT NULL|TYPE)", "a column refuses what it took"),
    (r"ALTER TABLE \S+ ADD COLUMN (?!.*DEFAULT).*NOT NULL", "a column wants a value that is not given"),
    (r"ALTER TABLE \S+ ADD (CONSTRAINT|CHECK|UNIQUE|FOREIGN)", "a table refuses what it took"),
    (r"(DELETE FROM|TRUNCATE)", "rows are gone"),
)


def breaking(statement: str, new_columns: set[str]) -> str | None:
    """The reason why a server of the version before may fail after the statement; None without one. `new_columns` are
    those that the same upgrade has added: nobody else writes them."""
    plain = " ".join(statement.split())
    for pattern, reason in BREAKING:
        if re.match(pattern, plain, re.IGNORECASE):
            return reason
    unique = re.match(r"CREATE UNIQUE INDEX \S+ ON (\S+) \((.*)\)", plain, re.IGNORECASE)
    if unique and not {f"{unique[1]}.{column.strip()}" for column in unique[2].split(",")} <= new_columns:
        return "a table refuses what it took"
    return None


def added(statement: str) -> set[str]:
    """The columns that a statement adds, as table.column."""
    column = re.match(r"ALTER TABLE (\S+) ADD COLUMN (\S+)", statement)
    table = re.match(r"\s*CREATE TABLE (\S+) \((.*)\)", statement, re.DOTALL)
    if table:
        return {f"{table[1]}.{line.split()[0]}" for line in table[2].strip().splitlines() if line.strip()}
    return {f"{column[1]}.{column[2]}"} if column else set()


class TestRulesOfMigrations:
    def test_no_migration_takes_from_the_version_before_what_it_uses(self, postgres_server: Postgres) -> None:
        """A migration that must has `contracts`: the reason, and the version from which on nobody uses it."""
        engine = create_engine(postgres_server.database().replace("postgresql://", "postgresql+psycopg://", 1))
        config = Config()
        config.set_main_option("script_location", str(running.HERE))
        seen: list[str] = []
        event.listen(engine, "before_cursor_execute", lambda *told: seen.append(told[2]))
        versions = {path.stem[1:5]: path.stem for path in (running.HERE / "versions").glob("r*.py")}
        for revision in running.KNOWN:
            seen.clear()
            with engine.begin() as connection:
                config.attributes["connection"] = connection
                command.upgrade(config, revision)
            module = import_module(f"scenograph.storage.migrations.versions.{versions[revision]}")
            new = set[str]().union(*map(added, seen))
            wrong = {statement: reason for statement in seen if (reason := breaking(statement, new))}
            assert not wrong or getattr(module, "contracts", None), f"{versions[revision]}: {wrong}"
            assert any(map(added, seen)), f"{versions[revision]} was not looked at"
        engine.dispose()

    @pytest.mark.parametrize(
        "statement",
        ["DROP TABLE scenes", "ALTER TABLE scenes DROP COLUMN title", "ALTER TABLE scenes RENAME title TO name",
         "ALTER TABLE scenes ALTER COLUMN title SET NOT NULL", "ALTER TABLE scenes ALTER COLUMN id TYPE BIGINT",
         "ALTER TABLE scenes ADD COLUMN kind TEXT NOT NULL", "CREATE UNIQUE INDEX u ON scenes (title, new)",
         "ALTER TABLE scenes ADD CONSTRAINT c CHECK (revision > 0)", "DELETE FROM scenes WHERE title IS NULL",
         "DROP INDEX ix_scenes_listing"],
    )  # fmt: skip
    def test_a_statement_that_breaks_the_version_before_is_found(self, statement: str) -> None:
        assert breaking(statement, {"scenes.new"})

    @pytest.mark.parametrize(
        "statement",
        ["CREATE TABLE grants (scene INTEGER NOT NULL)", "ALTER TABLE scenes ADD COLUMN made TEXT",
         "ALTER TABLE scenes ADD COLUMN n INTEGER DEFAULT '0' NOT NULL", "CREATE INDEX i ON scenes (title)",
         "CREATE UNIQUE INDEX u ON scenes (new)", "UPDATE scenes SET new = 1"],
    )  # fmt: skip
    def test_a_statement_that_only_adds_is_allowed(self, statement: str) -> None:
        assert breaking(statement, {"scenes.new"}) is None
