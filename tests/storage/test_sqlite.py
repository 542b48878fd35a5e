"""What only the SQLite backend promises: durability, several processes on one file, plain answers when it cannot."""

from __future__ import annotations

import itertools
import os
import runpy
import signal
import sqlite3
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace

import pytest
from alembic import command
from alembic.config import Config
from sqlalchemy import func, select
from sqlalchemy.exc import DBAPIError

from scenograph.storage.interface import (
    COMPRESS_ABOVE,
    Account,
    IdTaken,
    KeptPlaces,
    NewRevision,
    StorageUnavailable,
    pack,
    unpack,
)
from scenograph.storage.migrations import running
from scenograph.storage.schema import accounts, public_claims
from scenograph.storage.sql import SqlStore
from scenograph.storage.sqlite import open_sqlite

AT = datetime(2026, 5, 6, tzinfo=UTC)
ANN = Account(id="ann", email=None, email_verified_at=None, role="member")
WRITER = Path(__file__).with_name("writer_process.py")
_SCRIPT = runpy.run_path(str(WRITER))
content, CROWD = _SCRIPT["content"], _SCRIPT["CROWD"]
KILLS = 20
NO_PLACES = KeptPlaces(places=None)
LAST_WRITES = 0.01  # seconds, a few writes
GOLDEN = 0.618034  # its multiples spread over an interval without a rhythm


def revision(document: str = "{}") -> NewRevision:
    return NewRevision(document=document, title=None, diagram_family=None)


@pytest.fixture
def store(sqlite_store: SqlStore) -> SqlStore:
    return sqlite_store


@pytest.fixture
def hasty(store: SqlStore, file: Path) -> Iterator[SqlStore]:
    """The same file, opened by one who does not wait long for a lock."""
    opened = open_sqlite(f"sqlite:///{file}", busy_seconds=0.1)
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def nursery() -> Iterator[subprocess.Popen[str]]:
    """Starts children that can be killed; see writer_process.py."""
    with subprocess.Popen(
        [sys.executable, str(WRITER)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdin is not None
        assert process.stdout.readline() == "ready\n"
        yield process
        os.killpg(process.pid, signal.SIGKILL)  # with whatever a failed test has left


def life_of_a_child(nursery: subprocess.Popen[str], order: str, seconds: float, lines: int = 0) -> list[str]:
    """Start a child, SIGKILL it `seconds` after it has said `lines` lines, and give every whole line it said."""
    assert nursery.stdin is not None
    assert nursery.stdout is not None
    nursery.stdin.write(f"{order}\n")
    nursery.stdin.flush()
    child = int(nursery.stdout.readline().removeprefix("pid "))
    killer = threading.Timer(seconds, os.kill, (child, signal.SIGKILL))
    said: list[str] = []
    while len(said) < lines and (line := nursery.stdout.readline().strip()):
        assert line != "gone", "the child ended by itself"
        said.append(line)
    killer.start()
    while (line := nursery.stdout.readline().strip()) != "gone":
        assert line, "the nursery ended by itself"
        said.append(line)
    killer.join()
    return said


def spread(number: int, longest: float) -> float:
    """The instants of the kills, in seconds: different each time, the same on every run."""
    return (number * GOLDEN) % 1 * longest


class TestDurability:
    def test_a_killed_process_loses_nothing_that_it_acknowledged(
        self, store: SqlStore, file: Path, nursery: subprocess.Popen[str]
    ) -> None:
        acknowledged = 1
        for number in range(KILLS):
            said = life_of_a_child(nursery, f"write sqlite:///{file}", spread(number, LAST_WRITES), 1 + number % 5)
            numbers = [int(word) for word in said]
            reopened = open_sqlite(f"sqlite:///{file}")
            current = reopened.current_revision("ann", "orders")
            assert current is not None
            assert numbers == list(range(acknowledged + 1, acknowledged + 1 + len(numbers)))
            # A commit that the kill kept from being acknowledged may stand; never two.
            assert current - (acknowledged + len(numbers)) in (0, 1)
            for written_now in range(acknowledged + 1, current + 1):
                kept = reopened.read_scene("ann", "orders", written_now)
                assert kept is not None
                assert kept.document.text == content(written_now)
            reopened.close()
            acknowledged = current
        with sqlite3.connect(file) as raw:
            assert raw.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        raw.close()

    def test_a_process_killed_while_it_makes_the_tables_leaves_a_file_that_opens(
        self, tmp_path: Path, nursery: subprocess.Popen[str]
    ) -> None:
        for number in range(10):
            address = f"sqlite:///{tmp_path}/fresh{number}.db"
            life_of_a_child(nursery, f"open {address}", spread(number, 0.03))
            opened = open_sqlite(address)
            opened.add_account(ANN, AT)
            assert opened.account("ann") == ANN
            opened.close()

    def test_every_connection_syncs_each_commit_and_checks_references(self, store: SqlStore) -> None:
        for engine in (store._reading, store._writing):
            with engine.connect() as connection:
                modes = [connection.exec_driver_sql(f"PRAGMA {name}").scalar_one() for name in
                         ("journal_mode", "synchronous", "foreign_keys")]  # fmt: skip
            assert modes == ["wal", 2, 1]

    def test_connections_for_reading_cannot_write(self, store: SqlStore) -> None:
        with store._reading.connect() as connection, pytest.raises(Exception, match="readonly"):
            connection.exec_driver_sql("DELETE FROM scenes")


class TestSeveralProcesses:
    def test_many_that_start_at_once_on_a_fresh_file_all_come_up(
        self, tmp_path: Path, nursery: subprocess.Popen[str]
    ) -> None:
        for number in range(3):
            said = life_of_a_child(nursery, f"crowd sqlite:///{tmp_path}/fresh{number}.db", 0, lines=1)
            assert said == [str(CROWD)]

    def test_a_start_waits_for_another_one_that_takes_longer_than_a_writer_would_wait(self, file: Path) -> None:
        with sqlite3.connect(file, check_same_thread=False) as other:
            other.execute("BEGIN IMMEDIATE")
            ended = threading.Timer(0.4, other.rollback)
            ended.start()
            open_sqlite(f"sqlite:///{file}", busy_seconds=0.1).close()
            ended.join()
        other.close()

    def test_many_that_bring_up_one_file_of_the_version_before_count_it_once(
        self, store: SqlStore, file: Path, nursery: subprocess.Popen[str]
    ) -> None:
        for number in range(20):
            store.create_scene("ann", f"scene{number}", revision(content(1)), AT)
        store.publish("ann", "scene0", ("private",), AT)
        counted = select(accounts.c.id, accounts.c.key_count, accounts.c.scene_count, accounts.c.stored_bytes)
        before = store._rows(counted)
        config = Config()
        config.set_main_option("script_location", str(running.HERE))
        for _ in range(3):
            with store._writing.begin() as connection:
                config.attributes["connection"] = connection
                command.downgrade(config, "0006")
            assert life_of_a_child(nursery, f"crowd sqlite:///{file}", 0, lines=1) == [str(CROWD)]
            assert store._rows(counted) == before
            assert store._rows(select(func.count()).select_from(public_claims)) == [(1,)]

    def test_two_processes_share_one_line_of_revisions(
        self, store: SqlStore, file: Path, nursery: subprocess.Popen[str]
    ) -> None:
        ours: list[int] = []
        stop = threading.Event()

        def write() -> None:
            while not stop.is_set():
                base = store.current_revision("ann", "orders")
                assert base is not None
                answer = store.append_revision("ann", "orders", base, revision(content(base + 1)), AT)
                if isinstance(answer, int):
                    ours.append(answer)

        thread = threading.Thread(target=write)
        thread.start()
        theirs = [int(word) for word in life_of_a_child(nursery, f"write sqlite:///{file}", 0, lines=20)]
        stop.set()
        thread.join()
        last = store.current_revision("ann", "orders")
        assert last is not None
        assert ours
        assert theirs
        assert not set(ours) & set(theirs)
        assert len(set(range(2, last + 1)) - set(ours) - set(theirs)) <= 1, "at most the killed one's last"


class TestWhenItCannotAnswer:
    def test_a_file_locked_by_another_is_unavailable_and_then_answers_again(self, hasty: SqlStore, file: Path) -> None:
        other = sqlite3.connect(file, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StorageUnavailable):
            hasty.append_revision("ann", "orders", 1, revision(), AT)
        assert hasty.current_revision("ann", "orders") == 1, "reading goes on"
        other.execute("ROLLBACK")
        other.close()
        assert hasty.append_revision("ann", "orders", 1, revision(), AT) == 2

    def test_writers_that_wait_too_long_for_each_other_are_unavailable(self, hasty: SqlStore) -> None:
        with hasty._writing.connect(), pytest.raises(StorageUnavailable):
            hasty.append_revision("ann", "orders", 1, revision(), AT)

    def test_a_writer_waits_for_those_of_its_process_and_of_others_no_longer_than_once(
        self, store: SqlStore, file: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """By a clock that goes on by a second with every trial to take the lock."""
        opened = open_sqlite(f"sqlite:///{file}", busy_seconds=6.0)
        other = sqlite3.connect(file, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        trials: list[int] = []
        for waited in (0, 4, 9):
            clock = itertools.chain([0], itertools.count(waited + 1))
            monkeypatch.setattr("scenograph.storage.sqlite.time", SimpleNamespace(monotonic=clock.__next__))
            with opened._writing.connect() as connection, pytest.raises(DBAPIError, match="locked"):
                connection.begin()
            trials.append(next(clock) - waited - 1)
        other.execute("ROLLBACK")
        other.close()
        opened.close()
        assert trials == [6, 2, 1], "who waited for the connection waits as much less for other processes"
        assert store.append_revision("ann", "orders", 1, revision(), AT) == 2

    def test_a_writer_looks_for_the_lock_every_few_milliseconds(self, store: SqlStore) -> None:
        """Those of another process who write without a pause let go of it for less. SQLite looks after 1, 3 and 8 ms,
        and later after 0.1 s each: four who wrote all the time waited 2.5 s for each other, and now wait 0.2."""
        with store._writing.begin() as connection:
            assert 8 <= connection.exec_driver_sql("PRAGMA busy_timeout").scalar_one() <= 10

    def test_a_trial_of_writing_does_write_and_changes_nothing(self, store: SqlStore, file: Path) -> None:
        log = file.with_name(f"{file.name}-wal")
        stood = store.advance_time()
        before = log.read_bytes()
        store.ping_writing()
        assert log.read_bytes() != before
        assert store.advance_time() == stood

    def test_an_index_that_was_cut_short_is_unavailable_once_and_made_anew(self, store: SqlStore, file: Path) -> None:
        index = file.with_name(f"{file.name}-shm")
        for length in (0, 100):
            size = index.stat().st_size
            os.truncate(index, length)
            with pytest.raises(StorageUnavailable):
                store.current_revision("ann", "orders")
            assert index.stat().st_size == size
            assert store.current_revision("ann", "orders") == 1
        assert store.append_revision("ann", "orders", 1, revision(), AT) == 2
        other = sqlite3.connect(file)
        assert other.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        other.close()

    def test_a_full_disk_is_unavailable_and_leaves_the_scene_as_it_was(self, store: SqlStore) -> None:
        with store._writing.connect() as connection:
            pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
            connection.exec_driver_sql(f"PRAGMA max_page_count = {pages + 2}")
        noise = os.urandom(100_000).hex()
        with pytest.raises(StorageUnavailable):
            store.append_revision("ann", "orders", 1, revision(noise), AT)
        assert store.current_revision("ann", "orders") == 1
        with store._writing.connect() as connection:
            connection.exec_driver_sql("PRAGMA max_page_count = 1000000")
        assert store.append_revision("ann", "orders", 1, revision(noise), AT) == 2

    def test_a_failure_between_the_two_writes_undoes_the_first(self, store: SqlStore) -> None:
        with store._writing.begin() as connection:
            connection.exec_driver_sql(
                "CREATE TRIGGER fault BEFORE INSERT ON revisions BEGIN SELECT RAISE(ABORT, 'fault'); END"
            )
        with pytest.raises(StorageUnavailable):
            store.append_revision("ann", "orders", 1, revision("half"), AT)
        assert store.current_revision("ann", "orders") == 1
        with pytest.raises(StorageUnavailable):
            store.create_scene("ann", "invoices", revision("half"), AT)
        assert store.current_revision("ann", "invoices") is None

    @pytest.mark.parametrize(
        "garbage", [b"not a database, but long enough to look like a file", b"SQLite format 3\0bad"]
    )
    def test_a_file_that_is_no_database_is_unavailable(self, file: Path, garbage: bytes) -> None:
        file.write_bytes(garbage * 40)
        with pytest.raises(StorageUnavailable, match=r"scenes\.db"):
            open_sqlite(f"sqlite:///{file}")
        assert file.read_bytes() == garbage * 40, "and is left alone"

    def test_a_folder_that_is_missing_is_unavailable(self, tmp_path: Path) -> None:
        with pytest.raises(StorageUnavailable, match="missing"):
            open_sqlite(f"sqlite:///{tmp_path}/missing/scenes.db")

    def test_the_driver_never_shows(self, store: SqlStore) -> None:
        with store._writing.begin() as connection:
            connection.exec_driver_sql("DROP TABLE revisions")
        with pytest.raises(StorageUnavailable):
            store.read_scene("ann", "orders")
        with pytest.raises(StorageUnavailable):
            store.append_revision("ann", "orders", 1, revision(), AT)


class TestAddresses:
    @pytest.mark.parametrize(
        "url",
        ["sqlite://", "sqlite:///", "sqlite:///:memory:", "sqlite://host/file.db", "sqlite:///x.db?mode=ro",
         "postgresql://host/name", "scenes.db", "", "sqlite+pysqlcipher:///x.db", "sqlite:///file:x.db"],
    )  # fmt: skip
    def test_an_address_that_names_no_file_is_refused(self, url: str) -> None:
        with pytest.raises(ValueError, match="address"):
            open_sqlite(url)

    def test_a_relative_path_is_taken_from_the_working_directory(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(tmp_path)
        open_sqlite("sqlite:///here.db").close()
        assert (tmp_path / "here.db").exists()

    def test_an_odd_path_is_taken_as_it_is(self, tmp_path: Path) -> None:
        folder = tmp_path / "100% of ünïcode"
        folder.mkdir()
        open_sqlite(f"sqlite:///{folder}/a b.db").close()
        assert (folder / "a b.db").exists()


class TestDeletedScenes:
    def test_a_deleted_scene_is_hidden_and_keeps_its_id(self, store: SqlStore) -> None:
        with store._writing.begin() as connection:
            connection.exec_driver_sql("UPDATE scenes SET deleted_at = '2026-05-06 00:00:00.000000'")
        assert store.read_scene("ann", "orders") is None
        assert store.current_revision("ann", "orders") is None
        assert store.append_revision("ann", "orders", 1, revision(), AT) is None
        assert store.create_scene("ann", "orders", revision(), AT) == IdTaken(current_revision=1, deleted=True)

    def test_removing_a_scene_removes_its_revisions(self, store: SqlStore) -> None:
        with store._writing.begin() as connection:
            connection.exec_driver_sql("DELETE FROM scenes")
            assert connection.exec_driver_sql("SELECT count(*) FROM revisions").scalar_one() == 0


class TestDocuments:
    def test_a_short_document_is_kept_as_it_is(self) -> None:
        assert pack("{}") == ("plain", b"{}")

    def test_a_long_one_is_kept_smaller(self) -> None:
        text = '{"kind": "node"}' * COMPRESS_ABOVE
        encoding, kept = pack(text)
        assert encoding == "zlib"
        assert len(kept) < len(text) / 20
        assert unpack(encoding, kept) == text


def test_a_new_database_is_readable_by_its_user_alone(file: Path) -> None:
    before = os.umask(0o022)
    store = open_sqlite(f"sqlite:///{file}")
    store.add_account(Account(id="ann", email=None, email_verified_at=None, role="member"), AT)
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in file.parent.iterdir()}
    store.close()
    os.umask(before)
    assert modes == {"scenes.db": 0o600, "scenes.db-wal": 0o600, "scenes.db-shm": 0o600}


def test_a_database_that_is_there_keeps_the_permissions_that_its_operator_gave_it(file: Path) -> None:
    open_sqlite(f"sqlite:///{file}").close()
    file.chmod(0o640)
    open_sqlite(f"sqlite:///{file}").close()
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
