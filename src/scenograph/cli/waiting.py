"""A line on a terminal while a command takes its time."""

from __future__ import annotations

import sys
import threading
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from typing import Any

from scenograph.scene.size_told import size_told

PATIENCE_SECONDS = 1.0
ERASE = "\r\x1b[K"


@contextmanager
def waiting(what: str, document: Mapping[str, Any]) -> Generator[None]:
    """Say on standard error what is done with a document, how large that is and how long it takes, from
    PATIENCE_SECONDS on; only where it is a terminal, and only until the end."""
    if not sys.stderr.isatty():
        yield
        return
    done = threading.Event()
    teller = threading.Thread(target=_tell, args=(what, document, done), daemon=True)
    teller.start()
    try:
        yield
    finally:
        done.set()
        teller.join()


def _tell(what: str, document: Mapping[str, Any], done: threading.Event) -> None:
    seconds = 0
    while not done.wait(PATIENCE_SECONDS):
        seconds += 1
        print(f"{ERASE}{what} {size_told(document)} … {seconds} s", end="", file=sys.stderr, flush=True)
    if seconds:
        print(ERASE, end="", file=sys.stderr, flush=True)
