"""The SQLite backend, for a file with many readers and a single writer: the only module with its options.

Write-ahead logging lets readers continue while a revision is written; `synchronous = FULL` syncs every commit before
its acknowledgement. Writers of this process queue for a connection, which passes on at once and in order. Writers of
other processes are awaited by looks for the lock, a few milliseconds apart. Both waits share a limit: time spent in the
queue shortens the second wait.
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

from scenograph.storage.connections import AUTOCOMMIT
from scenograph.storage.interface import StorageUnavailable
from scenograph.storage.migrations.running import migrate
from scenograph.storage.sql import SqlStore

# The files of a SQLite database, checked before each statement. SQLite maps the file `-shm` into memory and writes
# the read marks of connections there, even for reads. If that memory is missing, because the file system has become
# read-only or the file was truncated, the kernel kills the process on access (SIGBUS). Checked before, the fault
# becomes an unavailable store.


def watch(file: Path, *, reading: Engine, writing: Engine) -> None:
    """Make every connection and statement of both engines raise StorageUnavailable while the database's files in
    `file`'s folder are damaged or missing."""
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
            # Not while another process creates the file: the check repeats once it exists
            is_read_only = not os.access(needed, os.W_OK) and needed.exists() and not os.access(needed, os.W_OK)
            if is_read_only:
                raise StorageUnavailable(f"{needed.name} has become read-only")
        index.require_whole()

    return check


class _SharedIndex:
    """The memory-mapped index file `-shm`.

    The file only grows while a connection holds it, and its content can be rebuilt from the log. The last connection of
    all processes deletes the file, and the next file may reuse the inode number. Its size is therefore recorded only
    after a statement of this process, whose connection holds the file, and forgotten with this process's last
    connection.
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
        """Record the file's size."""
        found = self._found()
        if found is None or (found.st_ino, found.st_size) == (self._is_of, self._size):
            return
        with self._lock:
            if found.st_ino != self._is_of or found.st_size > self._size:
                self._is_of, self._size = found.st_ino, found.st_size

    def require_whole(self) -> None:
        """Raises StorageUnavailable when the file was truncated, after restoring its length with zeros: SQLite treats
        zeros as a missing index and rebuilds it from the log."""
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
        except (FileNotFoundError, NotADirectoryError):  # SQLite creates the file, or reports a faulty path itself
            return None

    def _restore(self) -> None:
        with suppress(OSError), self._path.open("r+b") as file:  # tried again before the next statement
            file.write(bytes(self._size))  # as a whole: a partial index is no index


_DRIVER = "sqlite"
BUSY_SECONDS = 5.0
READERS = 8  # connections kept open; a read takes far less than a millisecond
_MORE_READERS = 32  # opened when all are in use: a slow disk delays a single request
_STARTS_PATIENCE = 6  # times BUSY_SECONDS: beside other starts, of which one upgrades the file
_WAL_RETRY_SECONDS = 0.02
_LOOKS_MS = 8  # SQLite looks for a free lock after 1, 3 and 8 ms
_PATIENT_UNTIL = "patient_until"  # a key of the pool's record of a connection


class _Line(QueuePool):
    """Connections with the deadline of their user's patience, on the monotonic clock."""

    # SQLAlchemy logs under the class name: its messages belong to its own logger.
    _sqla_logger_namespace = "sqlalchemy.pool.QueuePool"

    def connect(self) -> PoolProxiedConnection:
        """The next free connection."""
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
    reading = _engine(address, busy_seconds, pool_size=READERS, max_overflow=_MORE_READERS, isolation_level=AUTOCOMMIT)
    event.listen(reading, "connect", _only_read)
    watch(Path(str(address.database)), reading=reading, writing=writing)
    store = SqlStore(reading, writing)
    try:
        patience = _STARTS_PATIENCE * busy_seconds
        _once_free(lambda: _switch_to_wal(writing), patience)
        event.listen(writing, "begin", _begin_immediate)
        _once_free(lambda: migrate(writing), patience)
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
    plain = address.drivername == _DRIVER and not address.host and not address.query
    if not plain or not address.database or address.database.startswith((":", "file:")):
        raise ValueError("a SQLite address is sqlite:///relative/path or sqlite:////absolute/path")
    return address.set(database=str(Path(address.database).absolute()))


def _make_for_its_user(file: str) -> None:
    """Create a file readable by its user alone; SQLite copies the permissions to the files beside it. An existing file
    keeps the operator's permissions."""
    with suppress(OSError):  # SQLite reports a faulty path itself
        os.close(os.open(file, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))


def _engine(address: URL, busy_seconds: float, *, pool_size: int, max_overflow: int, **options: Any) -> Engine:
    engine = create_engine(
        address,
        poolclass=_Line,
        pool_size=pool_size,
        max_overflow=max_overflow,
        pool_timeout=busy_seconds,
        connect_args={"timeout": busy_seconds, "check_same_thread": False},
        **options,
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
    """Take the write lock first: an upgrade from reading to writing can only fail. SQLite itself waits longer from look
    to look, up to 0.1 s, and misses the short pauses of busy processes for seconds."""
    until = connection.connection.info[_PATIENT_UNTIL]
    connection.exec_driver_sql(f"PRAGMA busy_timeout = {_LOOKS_MS}")
    while True:
        try:
            connection.exec_driver_sql("BEGIN IMMEDIATE")
        except DBAPIError as error:
            if not _is_locked(error) or time.monotonic() >= until:
                raise
        else:
            return


def _is_locked(error: DBAPIError) -> bool:
    return "locked" in str(error.orig)


def _once_free(work: Callable[[], None], seconds: float) -> None:
    """Repeat work on the file while a starting process, possibly upgrading the file, holds the lock."""
    give_up = time.monotonic() + seconds
    while True:
        try:
            work()
        except DBAPIError as error:
            if not _is_locked(error) or time.monotonic() > give_up:
                raise
            time.sleep(_WAL_RETRY_SECONDS)
        else:
            return


def _switch_to_wal(engine: Engine) -> None:
    """The mode stays in the file. Another process that opens it now makes this fail without a wait."""
    with engine.execution_options(isolation_level="AUTOCOMMIT").connect() as connection:
        mode = connection.exec_driver_sql("PRAGMA journal_mode = WAL").scalar_one()
    if mode != "wal":
        raise StorageUnavailable(f"the file system of the database cannot keep a write-ahead log (mode {mode})")
