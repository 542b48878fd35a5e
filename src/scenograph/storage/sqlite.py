"""SQLite as a backend: the only module that knows its options.

One file, many readers, one writer. Write-ahead logging lets readers go on while a revision is written; `synchronous =
FULL` syncs every commit before it is acknowledged. Writers of this process queue for one connection, which hands
over at once and in order; writers of other processes are waited for by `busy_timeout`. Both waits have one limit: who
waited for the connection waits for other processes as much less.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError
from sqlalchemy.pool import ConnectionPoolEntry, PoolProxiedConnection, QueuePool

from scenograph.storage.interface import StorageUnavailable
from scenograph.storage.migrations.running import migrate
from scenograph.storage.sql import SqlStore

# The files of a SQLite database, looked at before each statement. SQLite maps the file `-shm` into memory and notes
# there, for every read as well, where each connection reads. Where that memory is missing, because the file system
# has become read-only or the file was cut short, the kernel ends a process that touches it (SIGBUS). Looked at
# before, it is a store that does not answer.


def watch(file: Path, *, reading: Engine, writing: Engine) -> None:
    """Refuse every connection and statement of the two engines, with StorageUnavailable, while the files in `file`'s
    folder are not what it needs."""
    log, shared = (file.with_name(f"{file.name}{suffix}") for suffix in ("-wal", "-shm"))
    index = _SharedIndex(shared)
    for engine, files in ((reading, (shared,)), (writing, (file, log, shared))):
        for moment in ("do_connect", "before_cursor_execute"):
            event.listen(engine, moment, _before(index, files))
        event.listen(engine, "after_cursor_execute", index.note)
        event.listen(engine, "connect", index.opened)
        event.listen(engine, "close", index.closed)


def _before(index: _SharedIndex, files: Sequence[Path]) -> Callable[..., None]:
    def check(*_: object) -> None:
        for needed in files:
            # Not when somebody makes it while it is looked at: it is asked again once it is there
            is_read_only = not os.access(needed, os.W_OK) and needed.exists() and not os.access(needed, os.W_OK)
            if is_read_only:
                raise StorageUnavailable(f"{needed.name} has become read-only")
        index.require_whole()

    return check


class _SharedIndex:
    """The mapped file. It only ever grows while a connection holds it; what is in it can be made anew from the log.

    The last connection of all processes deletes it when it closes, and the next file may get the number of the deleted
    one. So its size is noted only after a statement of this process, whose connection holds the file, and forgotten
    when this process has no connection left.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._connections = 0
        self._is_of = 0  # the file's number: another file is another index
        self._size = 0

    def opened(self, *_: object) -> None:
        with self._lock:
            self._connections += 1

    def closed(self, *_: object) -> None:
        with self._lock:
            self._connections -= 1
            if self._connections == 0:
                self._is_of = self._size = 0

    def note(self, *_: object) -> None:
        """Remember how long it is."""
        found = self._found()
        if found is None or (found.st_ino, found.st_size) == (self._is_of, self._size):
            return
        with self._lock:
            if found.st_ino != self._is_of or found.st_size > self._size:
                self._is_of, self._size = found.st_ino, found.st_size

    def require_whole(self) -> None:
        """StorageUnavailable when somebody has cut it short. It is made as long as it was, all zeros: SQLite takes that
        for no index and makes it anew from the log."""
        found = self._found()
        if found is None or found.st_ino != self._is_of or found.st_size >= self._size:
            return
        with self._lock:
            if found.st_ino == self._is_of and found.st_size < self._size:
                self._restore()
                raise StorageUnavailable(f"{self._path.name} was cut short")

    def _found(self) -> os.stat_result | None:
        try:
            return self._path.stat()
        except (FileNotFoundError, NotADirectoryError):  # SQLite makes it, or says itself what is wrong with the path
            return None

    def _restore(self) -> None:
        with suppress(OSError), self._path.open("r+b") as file:  # tried again before the next statement
            file.write(bytes(self._size))  # all of it: what is left of an index is no index


DRIVER = "sqlite"
BUSY_SECONDS = 5.0
READERS = 8  # connections kept open; a read takes far less than a millisecond
MORE_READERS = 32  # opened when all are in use, so that a slow disk holds up one request and not the next
WAL_RETRY_SECONDS = 0.02
_PATIENT_UNTIL = "patient_until"  # in what the pool keeps beside a connection


class _Line(QueuePool):
    """Connections that know until when, on the monotonic clock, their user was ready to wait."""

    # SQLAlchemy logs under the name of the class: what it says is no line of ours.
    _sqla_logger_namespace = "sqlalchemy.pool.QueuePool"

    def connect(self) -> PoolProxiedConnection:
        """A connection, once one is free."""
        until = time.monotonic() + self.timeout()
        connection = super().connect()
        connection.info[_PATIENT_UNTIL] = until
        return connection


def open_sqlite(url: str, *, busy_seconds: float = BUSY_SECONDS) -> SqlStore:
    """The store in the file of `sqlite:///relative/path` or `sqlite:////absolute/path`, brought to the current schema.

    ValueError when the address names no file; StorageUnavailable when the file cannot be opened or upgraded.
    """
    address = _file_address(url)
    _make_for_its_user(str(address.database))
    writing = _engine(address, busy_seconds, pool_size=1, max_overflow=0)
    reading = _engine(address, busy_seconds, pool_size=READERS, max_overflow=MORE_READERS)
    event.listen(reading, "connect", _only_read)
    watch(Path(str(address.database)), reading=reading, writing=writing)
    store = SqlStore(reading, writing)
    try:
        _switch_to_wal(writing, busy_seconds)
        event.listen(writing, "begin", _begin_immediate)
        migrate(writing)
    except StorageUnavailable:
        store.close()
        raise
    except DBAPIError as error:
        store.close()
        raise StorageUnavailable(f"cannot open {address.database}: {error.orig}") from error
    return store


def _file_address(url: str) -> URL:
    try:
        address = make_url(url)
    except (ArgumentError, ValueError):
        raise ValueError("not a database address") from None
    plain = address.drivername == DRIVER and not address.host and not address.query
    if not plain or not address.database or address.database.startswith((":", "file:")):
        raise ValueError("a SQLite address is sqlite:///relative/path or sqlite:////absolute/path")
    return address.set(database=str(Path(address.database).absolute()))


def _make_for_its_user(file: str) -> None:
    """A new file that its user alone reads; SQLite gives the files beside it the same permissions. What is there
    already stays as its operator wants it."""
    with suppress(OSError):  # SQLite says itself what is wrong with the path
        os.close(os.open(file, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))


def _engine(address: URL, busy_seconds: float, *, pool_size: int, max_overflow: int) -> Engine:
    engine = create_engine(
        address,
        poolclass=_Line,
        pool_size=pool_size,
        max_overflow=max_overflow,
        pool_timeout=busy_seconds,
        connect_args={"timeout": busy_seconds, "check_same_thread": False},
    )
    event.listen(engine, "connect", _prepare)
    return engine


def _prepare(connection: Any, _entry: ConnectionPoolEntry) -> None:
    connection.isolation_level = None  # the driver must not begin transactions of its own
    for pragma in ("synchronous = FULL", "foreign_keys = ON", "trusted_schema = OFF"):
        connection.execute(f"PRAGMA {pragma}")


def _only_read(connection: Any, _entry: ConnectionPoolEntry) -> None:
    connection.execute("PRAGMA query_only = ON")


def _begin_immediate(connection: Connection) -> None:
    """Take the write lock first: a transaction that reads and then wants to write can only fail."""
    rest = max(0.0, connection.connection.info[_PATIENT_UNTIL] - time.monotonic())
    connection.exec_driver_sql(f"PRAGMA busy_timeout = {round(rest * 1000)}")
    connection.exec_driver_sql("BEGIN IMMEDIATE")


def _switch_to_wal(engine: Engine, busy_seconds: float) -> None:
    """The mode stays in the file. Another process that opens it now makes this fail without a wait: try again."""
    give_up = time.monotonic() + busy_seconds
    while True:
        try:
            with engine.execution_options(isolation_level="AUTOCOMMIT").connect() as connection:
                mode = connection.exec_driver_sql("PRAGMA journal_mode = WAL").scalar_one()
        except DBAPIError as error:
            if "locked" not in str(error.orig) or time.monotonic() > give_up:
                raise
            time.sleep(WAL_RETRY_SECONDS)
        else:
            break
    if mode != "wal":
        raise StorageUnavailable(f"the file system of the database cannot keep a write-ahead log (mode {mode})")
