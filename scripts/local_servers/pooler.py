"""A pooler before a PostgreSQL, which lends connections by the transaction (Debian's package `pgbouncer`)."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from local_servers import patience
from local_servers.postgres import UNPRIVILEGED, USER

READY = "process up"


@contextmanager
def running_pooler(url: str, connections: int = 2) -> Iterator[str]:
    """The address of the database at `url` through a pooler with so many connections. FileNotFoundError where none
    is installed."""
    program = shutil.which("pgbouncer") or shutil.which("pgbouncer", path="/usr/sbin")
    if program is None:
        raise FileNotFoundError("pgbouncer is not installed; on Debian: apt-get install pgbouncer")
    database, host = urlsplit(url).path.lstrip("/"), parse_qs(urlsplit(url).query)["host"][0]
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    with tempfile.TemporaryDirectory(prefix="scenograph-pooler-") as name:
        settings = Path(name) / "pooler.ini"
        settings.write_text(
            f"[databases]\n{database} = host={host} user={USER}\n"
            f"[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = {port}\nunix_socket_dir =\nauth_type = any\n"
            f"pool_mode = transaction\ndefault_pool_size = {connections}\nmax_client_conn = 200\n"
        )
        command = [program, settings]
        if os.geteuid() == 0:  # which it refuses to run as
            shutil.chown(name, UNPRIVILEGED)
            command[1:1] = ["-u", pwd.getpwnam(UNPRIVILEGED).pw_name]
        with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
            try:
                assert process.stderr is not None
                with patience(process), process.stderr as log:  # closed once ready: an unread pipe fills and blocks
                    if not any(READY in line for line in log):
                        raise RuntimeError("pgbouncer does not start")
                yield f"postgresql://{USER}@127.0.0.1:{port}/{database}"
            finally:
                process.kill()
