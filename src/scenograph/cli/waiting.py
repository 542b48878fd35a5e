"""A line on a terminal while a command takes its time."""

from __future__ import annotations

import sys
import threading
from collections.abc import Generator
from contextlib import contextmanager

PATIENCE_SECONDS = 1.0
ERASE = "\r\x1b[K"


@contextmanager
def waiting(what: str) -> Generator[None]:
    """Say on standard error what takes more than PATIENCE_SECONDS, and for how long; only where it is a terminal, and
    only until the end."""
    if not sys.stderr.isatty():
        yield
        return
    done = threading.Event()
    teller = threading.Thread(target=_tell, args=(what, done), daemon=True)
    teller.start()
    try:
        yield
    finally:
        done.set()
        teller.join()


def _tell(what: str, done: threading.Event) -> None:
    seconds = 0
    while not done.wait(PATIENCE_SECONDS):
        seconds += 1
        print(f"{ERASE}{what} … {seconds} s", end="", file=sys.stderr, flush=True)
    if seconds:
        print(ERASE, end="", file=sys.stderr, flush=True)
