"""A PostgreSQL of its own in a temporary folder, reached over a Unix socket (Debian's package `postgresql`)."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

import psycopg
from psycopg import sql

from local_servers import patience

USER = "scenograph"
UNPRIVILEGED = "nobody"  # the server refuses to run as root
READY = "database system is ready to accept connections"
DEBIAN = Path("/usr/lib/postgresql")
# An odd time zone, because every time must come back right wherever the server stands. Of errors that a caller is told
# nothing is logged: what is read of the log is the word that it is ready.
SETTINGS = {
    "listen_addresses": "",
    "max_connections": "300",
    "timezone": "Pacific/Chatham",
    "deadlock_timeout": "300ms",
    "log_min_messages": "log",
    "log_checkpoints": "off",
}
FAST = {"fsync": "off", "full_page_writes": "off", "shared_buffers": "32MB"}


class Postgres:
    """A running server. `kill`, `stop` and `start` let a test take it away and bring it back."""

    def __init__(self, folder: Path, settings: dict[str, str]) -> None:
        self._folder = folder
        self._settings = settings
        self._process: subprocess.Popen[str] | None = None
        self._fresh = count()

    def url(self, database: str) -> str:
        """The address of a database."""
        return f"postgresql://{USER}@/{database}?host={self._folder}"

    def database(self, template: str = "template0", name: str | None = None) -> str:
        """The address of a new database, empty or a copy of `template`."""
        name = name or f"fresh{next(self._fresh)}"
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute(
                sql.SQL("CREATE DATABASE {} TEMPLATE {}").format(sql.Identifier(name), sql.Identifier(template))
            )
        return self.url(name)

    def start(self) -> None:
        """Start, and wait until it answers."""
        options = [word for name, value in self._settings.items() for word in ("-c", f"{name}={value}")]
        command = [binary("postgres"), "-D", self._folder / "data", "-k", self._folder, *options]
        self._process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, **_rights())
        assert self._process.stderr is not None
        said: list[str] = []
        with patience(self._process), self._process.stderr as log:  # closed once ready: an unread pipe fills and blocks
            for line in log:
                said.append(line)
                if READY in line:
                    return
        raise RuntimeError("PostgreSQL does not start: " + "".join(said))

    def stop(self) -> None:
        """End every session, and the server with them, as for an upgrade."""
        self._end(signal.SIGINT)

    def kill(self) -> None:
        """Let it die without a word, as in a power cut."""
        self._end(signal.SIGQUIT)

    def _end(self, how: signal.Signals) -> None:
        if self._process is not None:
            with patience(self._process):
                self._process.send_signal(how)
                self._process.wait()
            self._process = None


@contextmanager
def running_postgres(**settings: str) -> Iterator[Postgres]:
    """A fresh server. Without settings every commit is synced, as it is where it matters."""
    with tempfile.TemporaryDirectory(prefix="scenograph-pg-") as name:
        folder = Path(name)
        if os.geteuid() == 0:
            shutil.chown(folder, UNPRIVILEGED)
        initdb = [binary("initdb"), "-D", folder / "data", "-U", USER, "-E", "UTF8", "--locale=C.UTF-8", "-A", "trust"]
        subprocess.run([*initdb, "--no-sync"], check=True, stdout=subprocess.DEVNULL, **_rights())
        server = Postgres(folder, SETTINGS | settings)
        server.start()
        try:
            yield server
        finally:
            server.kill()


def binary(name: str) -> Path:
    """One of the server's programs; FileNotFoundError where none is installed."""
    found = sorted(DEBIAN.glob(f"*/bin/{name}"), key=lambda path: float(path.parts[-3]))
    in_path = shutil.which(name)
    if found or in_path:
        return found[-1] if found else Path(str(in_path))
    raise FileNotFoundError(f"{name} is not installed; on Debian: apt-get install postgresql")


def _rights() -> dict[str, Any]:
    if os.geteuid() != 0:
        return {}
    return {"user": UNPRIVILEGED, "group": pwd.getpwnam(UNPRIVILEGED).pw_gid, "extra_groups": [], "cwd": "/"}
