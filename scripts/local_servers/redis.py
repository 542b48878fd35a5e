"""A Redis of its own that keeps nothing on disk (Debian's package `redis-server`)."""

from __future__ import annotations

import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

from local_servers import patience

READY = "Ready to accept connections"


@contextmanager
def running_redis() -> Iterator[str]:
    """The address of a fresh server. FileNotFoundError where none is installed."""
    program = shutil.which("redis-server")
    if program is None:
        raise FileNotFoundError("redis-server is not installed; on Debian: apt-get install redis-server")
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = str(probe.getsockname()[1])
    command = [program, "--port", port, "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            with patience(process), process.stdout as log:  # closed once ready: an unread pipe fills and blocks
                if not any(READY in line for line in log):
                    raise RuntimeError("Redis does not start")
            yield f"redis://127.0.0.1:{port}/0"
        finally:
            process.kill()
