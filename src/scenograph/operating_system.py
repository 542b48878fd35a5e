"""Services of the operating system that some systems lack. Linux has all of them; `missing` tells the rest.

No module of a single system is imported at the top: this module loads everywhere.
"""

from __future__ import annotations

import faulthandler
import importlib
import mmap
import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

_STATM = Path("/proc/self/statm")

# Children by fork inherit sockets and start from a fork server.
FORKS = hasattr(os, "fork")
# Files are opened relative to an open folder, and never through a link.
OPENS_WITHIN_FOLDERS = hasattr(os, "O_NOFOLLOW") and os.open in os.supports_dir_fd


def missing() -> Iterator[str]:
    """A sentence on each missing service of this system, with the consequence."""
    if not (_limits() and mapped_bytes()):
        yield "memory of a render is not limited: an extreme picture may take much of the machine's."
    if not _limits():
        yield "the number of open files is not known: MAX_CONNECTIONS alone limits connections."
    if not FORKS:
        yield "renderers start slower, and the service of --local is not started again after it was killed."
    if not OPENS_WITHIN_FOLDERS:
        yield "EXPORT_DIR has no effect: files cannot be kept from being written through links."


def raise_file_limit(most: int) -> int:
    """Raise the process's limit of open files up to `most`; gives the limit, `most` where the system has none."""
    if not (limits := _limits()):
        return most
    soft, hard = limits.getrlimit(limits.RLIMIT_NOFILE)
    if soft < hard:
        soft = min(hard, most)
        with suppress(OSError, ValueError):
            limits.setrlimit(limits.RLIMIT_NOFILE, (soft, hard))
    return min(soft, most)


def limit_memory(more_bytes: int) -> None:
    """Cap the address space at the present size plus `more_bytes`, if the system can."""
    limits, mapped = _limits(), mapped_bytes()
    if not (limits and mapped):
        return
    hard = limits.getrlimit(limits.RLIMIT_AS)[1]
    wanted = mapped + more_bytes
    limits.setrlimit(limits.RLIMIT_AS, (wanted if hard == limits.RLIM_INFINITY else min(wanted, hard), hard))


def mapped_bytes() -> int:
    """The size of the address space; 0 if not reported by the system."""
    return int(_STATM.read_text("ascii").split()[0]) * mmap.PAGESIZE if _STATM.exists() else 0


class Watchdog:
    """Ends this process unless disarmed in time, even while its code runs outside of Python."""

    def __init__(self) -> None:
        self._nowhere = os.open(os.devnull, os.O_WRONLY)

    def arm(self, seconds: float) -> None:
        """End the process after `seconds`; an earlier time is forgotten."""
        faulthandler.dump_traceback_later(seconds, file=self._nowhere, exit=True)

    def disarm(self) -> None:
        """Forget the time."""
        faulthandler.cancel_dump_traceback_later()


def _limits() -> Any:
    """The standard library's `resource`; None on Windows."""
    try:
        return importlib.import_module("resource")
    except ImportError:
        return None
