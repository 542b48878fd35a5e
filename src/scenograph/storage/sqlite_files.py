"""The files of a SQLite database, looked at before each statement.

SQLite maps the file `-shm` into memory and notes there, for every read as well, where each connection reads. Where that
memory is missing, because the file system has become read-only or the file was cut short, the kernel ends a process
that touches it (SIGBUS). Looked at before, it is a store that does not answer.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from sqlalchemy import Engine, event

from scenograph.storage.interface import StorageUnavailable


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
