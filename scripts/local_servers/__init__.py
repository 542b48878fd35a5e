"""Servers on this machine alone, for tests, chaos scripts and benchmarks: PostgreSQL, Redis, a pooler, the service.

Each is started by a context manager, listens on a Unix socket or on 127.0.0.1 at a port of its own, and is gone when
the manager ends.
"""

from __future__ import annotations

import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager

PATIENCE = 60.0  # seconds for a start or an end


@contextmanager
def patience(process: subprocess.Popen[str], seconds: float = PATIENCE) -> Iterator[None]:
    """Kill a process that a block waits for too long: reads meet the end of its output, waits its end."""
    killer = threading.Timer(seconds, process.kill)
    killer.daemon = True
    killer.start()
    try:
        yield
    finally:
        killer.cancel()
