"""Files of a database that fail at the wished moment, by a small library that is preloaded (`bad_files.c`; Linux, and a
C compiler as `cc`).
"""

from __future__ import annotations

import errno
import mmap
import shutil
import struct
import subprocess
from enum import IntFlag
from pathlib import Path

SOURCE = Path(__file__).with_suffix(".c")
COMPILER = "cc"
FOR_EVER = 2**31 - 1
_FORM = struct.Struct("=6i")


class Calls(IntFlag):
    """What a process asks of a file."""

    READ = 1
    WRITE = 2
    SYNC = 4


def is_possible() -> bool:
    """Whether there is a compiler."""
    return shutil.which(COMPILER) is not None


def compiled(folder: Path, source: Path) -> Path:
    """The library of a source, made in the folder unless it is there."""
    library = folder / f"{source.stem}.so"
    if not library.exists():
        subprocess.run([COMPILER, "-shared", "-fPIC", "-O1", "-o", library, source, "-ldl"], check=True)
    return library


class BadFiles:
    """The files of one `database`, as processes see them that are started with `environment`."""

    def __init__(self, folder: Path, database: Path, name: str = "control") -> None:
        self.database = database
        control = folder / name
        control.write_bytes(bytes(_FORM.size))
        with control.open("r+b") as file:
            self._control = mmap.mmap(file.fileno(), _FORM.size)
        self.environment = {
            "LD_PRELOAD": str(compiled(folder, SOURCE)),
            "BAD_FILES": str(database),
            "BAD_FILES_CONTROL": str(control),
        }

    def fail(self, calls: Calls, first: int, last: int | None = None, error: int = errno.EIO) -> None:
        """From now on the calls of these kinds are counted, and those from `first` to `last` fail."""
        self._control[:] = _FORM.pack(calls, first, first if last is None else last, error, 0, 0)

    def heal(self) -> int:
        """No call fails any more; how many did."""
        failed = _FORM.unpack(self._control[:])[5]
        self._control[:] = bytes(_FORM.size)
        return failed
