"""What only the PostgreSQL backend promises: several servers on one database, lost connections, plain refusals."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

import psycopg
import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from local_servers.pooler import running_pooler
from local_servers.postgres import Postgres, running_postgres
from sqlalchemy import event, inspect, select
from tests.servers import not_installed

from scenograph.storage.connections import TransactionLost
from scenograph.storage.interface import (
    Account,
    Conflict,
    DeletionLimit,
    IdTaken,
    NewRevision,
    NewSubmission,
    StorageUnavailable,
)
from scenograph.storage.migrations import running
from scenograph.storage.postgres import open_postgres
from scenograph.storage.schema import accounts, metadata
from scenograph.storage.sql import SqlStore

AT = datetime(2026, 5, 6, tzinfo=UTC)
ANN = Account(id="ann", email=None, email_verified_at=None, role="member")
LIMIT = DeletionLimit(most=10, window=timedelta(minutes=1))
NO_LIMIT = DeletionLimit(most=1_000_000, window=timedelta(minutes=1))
CROWD = 6
DUE = 60
JOINS = ("enable_hashjoin", "enable_mergejoin", "enable_hashagg", "enable_sort", "enable_material")
SESSIONS = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> %s"
WAITING = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"


def revision(document: str = "{}") -> NewRevision:
    return NewRevision(document=document, title=None, diagram_family=None)


@pytest.fixture
def store(postgres_url: str) -> Iterator[SqlStore]:
    with opened(postgres_url) as store:
        yield store


@contextmanager
def opened(url: str, **options: Any) -> Iterator[SqlStore]:
    store = open_postgres(url, **options)
    try:
        store.add_account(ANN, AT)
        store.create_scene("ann", "orders", revision(), AT)
        yield store
    finally:
        store.close()


@pytest.fixture
def beside(postgres_url: str) -> Iterator[psycopg.Connection]:
    """Somebody else's connection to the same database."""
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        yield connection


def end_all_sessions(beside: psycopg.Connection) -> None:
    beside.execute(SESSIONS, [beside.info.backend_pid])


def until_somebody_waits(beside: psycopg.Connection, sessions: int = 1) -> None:
    while beside.execute(WAITING).fetchone() != (sessions,):
        pass


class TestLostConnections:
    def test_sessions_that_were_ended_cost_no_caller_anything(self, store: SqlStore, beside: Any) -> None:
        assert store.current_revision("ann", "orders") == 1
        end_all_sessions(beside)
        assert store.current_revision("ann", "orders") == 1
        end_all_sessions(beside)
        assert store.append_revision("ann", "orders", 1, revision(), AT) == 2

    def test_a_connection_lost_at_the_commit_is_told_and_nothing_is_done_twice(
        self, store: SqlStore, beside: Any
    ) -> None:
        tries: list[int] = []

        def lose(_connection: object) -> None:
            tries.append(1)
            end_all_sessions(beside)

        event.listen(store._writing, "commit", lose, once=True)
        with pytest.raises(StorageUnavailable) as told:
            store.append_revision("ann", "orders", 1, revision(), AT)
        assert not isinstance(told.value, TransactionLost)
        assert len(tries) == 1
        assert store.append_revision("ann", "orders", 1, revision(), AT) == 2

    def test_a_server_that_dies_is_unavailable_and_nothing_acknowledged_is_lost(self) -> None:
        with running_postgres(shared_buffers="32MB") as server, opened(server.url("postgres")) as store:
            for end in (server.kill, server.stop):
                current = store.current_revision("ann", "orders")
                assert current is not None
                assert store.append_revision("ann", "orders", current, revision("kept"), AT) == current + 1
                end()
                for call in (
                    store.ping,
                    lambda: store.read_scene("ann", "orders"),
                    lambda: store.append_revision("ann", "orders", 1, revision(), AT),
                ):
                    with pytest.raises(StorageUnavailable, match="does not answer"):
                        call()
                server.start()
                assert store.current_revision("ann", "orders") == current + 1

    def test_a_deadlock_that_the_database_ends_is_not_seen(self, store: SqlStore, postgres_url: str) -> None:
        """A deletion holds the scene and wants the account; `other` wants both, and has the account first. The database
        looks once for a circle, some time after a session began to wait. The deletion begins when `first` lets go: then
        the circle is there at once, however slow this machine is."""
        with (
            psycopg.connect(postgres_url) as first,
            psycopg.connect(postgres_url) as other,
            psycopg.connect(postgres_url, autocommit=True) as watch,
            ThreadPoolExecutor(2) as pool,
        ):
            first.execute("SELECT 1 FROM accounts FOR UPDATE")
            other.execute("SET LOCAL deadlock_timeout = '1min'")
            both = pool.submit(other.execute, "SELECT 1 FROM accounts FOR UPDATE; SELECT 1 FROM scenes FOR UPDATE")
            until_somebody_waits(watch)
            deletion = pool.submit(store.delete_scene, "ann", "orders", LIMIT, AT)
            until_somebody_waits(watch, 2)
            first.commit()
            both.result(20)
            other.commit()
            assert deletion.result(20) is True
        assert store.read_scene("ann", "orders") is None

    def test_a_row_that_is_held_too_long_is_unavailable_and_then_answers_again(self, postgres_url: str) -> None:
        with opened(postgres_url, wait_seconds=0.1) as hasty, psycopg.connect(postgres_url) as other:
            other.execute("SELECT 1 FROM scenes FOR UPDATE")
            with pytest.raises(StorageUnavailable):
                hasty.append_revision("ann", "orders", 1, revision(), AT)
            assert hasty.current_revision("ann", "orders") == 1, "reading goes on"
            other.rollback()
            assert hasty.append_revision("ann", "orders", 1, revision(), AT) == 2

    def test_when_all_connections_are_taken_a_caller_does_not_wait_for_ever(self, postgres_url: str) -> None:
        with opened(postgres_url, connections=2, wait_seconds=0.1) as store:
            with store._writing.connect(), store._writing.connect(), pytest.raises(StorageUnavailable):
                store.current_revision("ann", "orders")
            assert store.current_revision("ann", "orders") == 1

    def test_many_writers_share_few_connections(self, postgres_url: str) -> None:
        with opened(postgres_url, connections=2) as store, ThreadPoolExecutor(16) as pool:
            answers = list(pool.map(lambda _: store.append_revision("ann", "orders", 1, revision(), AT), range(64)))
        assert sorted(answers, key=str) == [2, *[Conflict(current_revision=2, changed_ids=())] * 63]


class TestStarting:
    def test_many_that_start_at_once_on_an_empty_database_all_come_up(self, postgres_server: Postgres) -> None:
        url = postgres_server.database()
        start = threading.Barrier(CROWD)

        def come_up(_: int) -> None:
            start.wait()
            store = open_postgres(url)
            store.ping()
            store.close()

        with ThreadPoolExecutor(CROWD) as pool:
            list(pool.map(come_up, range(CROWD)))

    def test_many_that_bring_up_one_database_of_the_version_before_count_it_once(
        self, store: SqlStore, postgres_url: str
    ) -> None:
        for number in range(20):
            store.create_scene("ann", f"scene{number}", revision("x" * 300), AT)
        counted = select(accounts.c.id, accounts.c.key_count, accounts.c.scene_count, accounts.c.stored_bytes)
        before = store._rows(counted)
        config = Config()
        config.set_main_option("script_location", str(running.HERE))
        start = threading.Barrier(CROWD)

        def come_up(_: int) -> None:
            start.wait()
            again = open_postgres(postgres_url)
            again.ping()
            again.close()

        for _ in range(3):
            with store._writing.begin() as connection:
                config.attributes["connection"] = connection
                command.downgrade(config, "0006")
            with ThreadPoolExecutor(CROWD) as pool:
                list(pool.map(come_up, range(CROWD)))
            assert store._rows(counted) == before

    def test_opening_again_changes_nothing(self, store: SqlStore, postgres_url: str) -> None:
        again = open_postgres(postgres_url)
        assert again.create_scene("ann", "orders", revision(), AT) == IdTaken(current_revision=1)
        again.close()
        assert store.current_revision("ann", "orders") == 1

    @pytest.mark.parametrize(
        "url",
        ["postgresql://u:hunter2@h:port/x", "postgresql://u:hunter2@h/x?no_such=1", "sqlite:///x.db",
         "postgresql://u:hunter2%zz@h/x", "mysql://u:hunter2@h/x", "", "host=h password=hunter2"],
    )  # fmt: skip
    def test_an_address_that_cannot_be_read_is_one_line_without_the_password(self, url: str) -> None:
        with pytest.raises(ValueError, match="postgresql://user:password@host:port/name") as wrong:
            open_postgres(url)
        assert "hunter2" not in str(wrong.value)
        assert "\n" not in str(wrong.value)

    def test_a_server_out_of_reach_is_one_line_without_the_password(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as probe:
            port = probe.getsockname()[1]
        with pytest.raises(StorageUnavailable, match="refused") as told:
            open_postgres(f"postgresql://scenograph:hunter2@127.0.0.1:{port}/scenes")
        assert "\n" not in str(told.value)
        assert "hunter2" not in str(told.value)

    @pytest.mark.parametrize(
        ("preparing", "said"),
        [
            ("ALTER DATABASE {name} SET default_transaction_read_only = on", "read-only"),
            ("UPDATE alembic_version SET version_num = '9999'", "is of a newer version of Scenograph"),
            ("DROP SCHEMA public CASCADE", "schema"),
        ],
    )
    def test_a_database_that_cannot_be_used_is_refused(self, own_postgres_url: str, preparing: str, said: str) -> None:
        with psycopg.connect(own_postgres_url, autocommit=True) as connection:
            connection.execute(preparing.format(name=connection.info.dbname).encode())
        with pytest.raises(StorageUnavailable, match=said) as told:
            open_postgres(own_postgres_url)
        assert "\n" not in str(told.value)

    def test_a_database_that_cannot_hold_every_letter_is_refused(self, postgres_server: Postgres) -> None:
        with psycopg.connect(postgres_server.url("postgres"), autocommit=True) as connection:
            connection.execute("CREATE DATABASE small ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0")
        with pytest.raises(StorageUnavailable, match="LATIN1"):
            open_postgres(postgres_server.url("small"))

    def test_what_the_database_presets_does_not_weaken_a_promise(self, own_postgres_url: str) -> None:
        with psycopg.connect(own_postgres_url, autocommit=True) as connection:
            for name, value in (("synchronous_commit", "off"), ("default_transaction_isolation", "serializable")):
                connection.execute(f"ALTER DATABASE {connection.info.dbname} SET {name} = '{value}'".encode())
        with opened(own_postgres_url) as store, store._writing.connect() as connection:
            seen = [
                connection.exec_driver_sql(f"SHOW {name}").scalar_one()
                for name in ("synchronous_commit", "transaction_isolation", "statement_timeout", "lock_timeout")
            ]
        assert seen == ["on", "read committed", "30s", "5s"]


@pytest.fixture
def pooled_url(own_postgres_url: str) -> Iterator[str]:
    """A database whose presets spoil every promise, through a pooler that lends two connections by the transaction."""
    with psycopg.connect(own_postgres_url, autocommit=True) as connection:
        for name, value in (("synchronous_commit", "off"), ("default_transaction_isolation", "serializable")):
            connection.execute(f"ALTER DATABASE {connection.info.dbname} SET {name} = '{value}'".encode())
    try:
        with running_pooler(own_postgres_url, connections=2) as url:
            yield url
    except FileNotFoundError:
        not_installed("pgbouncer")


class TestBehindAPooler:
    def test_many_writers_of_two_servers_share_the_sessions_that_it_lends(self, pooled_url: str) -> None:
        with opened(pooled_url) as store, closing(open_postgres(pooled_url)) as second, ThreadPoolExecutor(16) as pool:
            servers = (store, second)
            answers = list(
                pool.map(lambda n: servers[n % 2].append_revision("ann", "orders", 1, revision(), AT), range(64))
            )
            made = pool.map(lambda n: servers[n % 2].create_scene("ann", f"s{n}", revision(), AT), range(64))
            assert {*made} == {None}
            assert len(store.list_scenes("ann", 100)) == 65
        assert sorted(answers, key=str) == [2, *[Conflict(current_revision=2, changed_ids=())] * 63]

    def test_every_transaction_has_the_settings_of_the_promises(self, pooled_url: str) -> None:
        with opened(pooled_url) as store, store._writing.begin() as connection:
            seen = [
                connection.exec_driver_sql(f"SHOW {name}").scalar_one()
                for name in ("synchronous_commit", "transaction_isolation", "statement_timeout", "lock_timeout")
            ]
        assert seen == ["on", "read committed", "30s", "5s"]

    def test_nothing_is_left_behind_in_a_session_for_others(self, pooled_url: str) -> None:
        with opened(pooled_url) as store:
            for number in range(8):
                store.create_scene("ann", f"s{number}", revision(), AT)
                assert store.current_revision("ann", f"s{number}") == 1
            with psycopg.connect(pooled_url, autocommit=True, prepare_threshold=None) as other:
                shown = [
                    other.execute(f"SHOW {name}".encode()).fetchone() for name in ("lock_timeout", "statement_timeout")
                ]
                prepared = other.execute("SELECT count(*) FROM pg_prepared_statements").fetchone()
        assert (shown, prepared) == ([("0",), ("0",)], (0,))


class TestMigrations:
    def test_they_make_exactly_the_tables_that_the_statements_use(self, store: SqlStore) -> None:
        with store._writing.connect() as connection:
            assert compare_metadata(MigrationContext.configure(connection), metadata) == []

    def test_the_checks_and_cascades_are_those_of_the_tables_too(
        self, store: SqlStore, postgres_server: Postgres
    ) -> None:
        plain = open_postgres(postgres_server.database())
        config = Config()
        config.set_main_option("script_location", str(running.HERE))
        with plain._writing.begin() as connection:
            config.attributes["connection"] = connection
            command.downgrade(config, "base")
            assert inspect(connection).get_table_names() == ["alembic_version"]
            metadata.create_all(connection)
        seen = []
        for engine in (plain._writing, store._writing):
            looked = inspect(engine)
            seen.append(
                {
                    table: (
                        sorted((str(row["name"]), row["sqltext"]) for row in looked.get_check_constraints(table)),
                        sorted((str(row["name"]), str(row["options"])) for row in looked.get_foreign_keys(table)),
                        looked.get_pk_constraint(table)["constrained_columns"],
                    )
                    for table in metadata.tables
                }
            )
        plain.close()
        assert seen[0] == seen[1]


class TestTwoServers:
    @pytest.fixture
    def second(self, store: SqlStore, postgres_url: str) -> Iterator[SqlStore]:
        opened = open_postgres(postgres_url)
        yield opened
        opened.close()

    def test_purges_at_once_remove_every_scene_once(self, store: SqlStore, second: SqlStore) -> None:
        for number in range(DUE):
            store.create_scene("ann", f"s{number}", revision(), AT)
            store.delete_scene("ann", f"s{number}", NO_LIMIT, AT)
        start = threading.Barrier(2)

        def purge(server: SqlStore) -> int:
            start.wait()
            return sum(iter(lambda: server.purge(AT, 5), 0))

        with ThreadPoolExecutor(2) as pool:
            removed = list(pool.map(purge, (store, second)))
        assert sum(removed) == DUE
        assert store.deleted_scenes("ann", AT - timedelta(days=1)) == ()
        assert store.current_revision("ann", "orders") == 1

    def test_a_submission_withdrawn_while_it_is_looked_at_waits_for_the_look(
        self, store: SqlStore, second: SqlStore, beside: Any
    ) -> None:
        new = NewSubmission(id="sub", revision=1, problem="it is broken", anonymized=False, document="{}")
        assert store.submit_to_support("ann", "orders", new, ("private",), AT) is True
        looked = threading.Event()

        def withdraw(connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
            if statement.startswith("INSERT INTO support_views"):
                looked.set()
                until_somebody_waits(beside)

        event.listen(store._writing, "before_cursor_execute", withdraw)
        with ThreadPoolExecutor(2) as pool:
            look = pool.submit(store.submission, "sub", "ann", AT)
            assert looked.wait(20)
            hiding = pool.submit(second.make_private, "ann", "orders", ("support",))
            seen = look.result(20)
            assert hiding.result(20) is True
        assert seen is not None
        assert [view.viewer for view in store.support_views("ann", "orders") or ()] == ["ann"]
        assert store.submission("sub", "ann", AT) is None


def test_a_purge_takes_no_more_than_it_is_told_whatever_the_plan(own_postgres_url: str) -> None:
    """A nested loop reads its inner side once for every outer row, without the rows that the statement removed."""
    with psycopg.connect(own_postgres_url, autocommit=True) as connection:
        for name in JOINS:
            connection.execute(f"ALTER DATABASE {connection.info.dbname} SET {name} = off")
    with opened(own_postgres_url) as store:
        for number in range(5):
            store.create_scene("ann", f"s{number}", revision(), AT)
            store.delete_scene("ann", f"s{number}", LIMIT, AT)
        assert [store.purge(AT, 2, AT + timedelta(days=36_500)) for _ in range(4)] == [2, 2, 1, 0]
