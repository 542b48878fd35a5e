"""Drawing again whenever a file is saved."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from scenograph.cli.leaving import plain

PAUSE_SECONDS = 0.2


class Stamp(NamedTuple):
    """What tells one state of a file from the next; None while there is no file, as in the middle of a save."""

    changed: int
    size: int
    number: int


def redraw_on_save(files: Sequence[str], draw: Callable[[], None]) -> None:
    """Draw now, and again after each save, until the program is interrupted. A scene that cannot be drawn is told and
    waited for.

    Files are looked at five times a second: that is heard of everywhere, on network drives and in containers too.
    """
    print(plain(f"Watching {', '.join(files)}; stop with Ctrl-C."), file=sys.stderr)
    try:
        for _ in saves([Path(name) for name in files], lambda: time.sleep(PAUSE_SECONDS)):
            try:
                draw()
            except SystemExit:  # the reason has been told
                continue
            finally:
                sys.stderr.flush()
    except KeyboardInterrupt:
        print("", file=sys.stderr)


def saves(files: Sequence[Path], pause: Callable[[], None]) -> Iterator[None]:
    """Once at the start, then once for each time that a file is another than at the time before."""
    seen = [_stamp(file) for file in files]
    yield
    while True:
        pause()
        found = [_stamp(file) for file in files]
        if found != seen and None not in found:
            seen = found
            yield


def _stamp(file: Path) -> Stamp | None:
    try:
        known = file.stat()
    except OSError:
        return None
    return Stamp(known.st_mtime_ns, known.st_size, known.st_ino)
