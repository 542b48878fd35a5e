"""Programs of ours that start at once, for tests of what they do once they run (Linux alone).

`python -m scenograph serve` takes more than a second of processor time until it is ready, nearly all of it for imports.
Here a process with everything imported (`warm_process.py`) forks instead. The program is a process of its own all the
same: a child of the tests, with the given arguments, environment, folder and descriptors. Whoever starts a program by
`subprocess` notices nothing. Tests marked `cold` start their programs anew.
"""

from __future__ import annotations

import ctypes
import json
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple

PROGRAM = (sys.executable, "-m", "scenograph")
COMMANDS = ("serve", "mcp", "doctor")  # the others import little
READ_AT_THE_START = (b"PYTHON", b"LD_", b"MALLOC_", b"GLIBC_")  # by the interpreter and the system's loader
PR_SET_CHILD_SUBREAPER = 36
NUMBER_BYTES = 32


class Asked(NamedTuple):
    """The order in which `subprocess` gives what a process is to be, up to Python 3.14."""

    words: tuple[str | bytes, ...]
    files: object
    closes: bool
    kept: tuple[int, ...]
    folder: str | bytes | None
    environment: list[bytes] | None
    reads: int
    reads_end: int
    writes_end: int
    writes: int
    errors_end: int
    errors: int
    told_end: int
    told: int
    restores: bool
    own_session: bool
    own_group: int

    @property
    def command(self) -> tuple[str, ...]:
        return tuple(map(os.fsdecode, self.words))

    @property
    def variables(self) -> list[bytes]:
        return [b"%b=%b" % row for row in os.environb.items()] if self.environment is None else self.environment

    @property
    def descriptors(self) -> dict[int, int]:
        """The number of each in the program, and ours."""
        standard = {0: self.reads, 1: self.writes, 2: self.errors}
        kept = {number: number for number in self.kept if number != self.told}
        return {number: number if ours == -1 else ours for number, ours in standard.items()} | kept


class WarmStarts:
    """Starts of programs by a fork, as long as they `are_on`. Safe to share between threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._forker: subprocess.Popen[bytes] | None = None
        self._channel, self._its_channel = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._prctl = ctypes.CDLL(None).prctl
        self._start_anew: Callable[..., int] = vars(subprocess)["_fork_exec"]
        self.are_on = True

    def install(self) -> None:
        """Let `subprocess` start programs of ours so from now on."""
        vars(subprocess)["_fork_exec"] = self._start

    def _start(self, *given: Any) -> int:
        count = len(Asked._fields)
        asked, others = Asked(*given[:count]), given[count:]
        # The others are rights, and a function to call before the program runs
        is_plain = asked.own_group == -1 and all(one in (None, -1, True) for one in others)
        if self.are_on and is_plain and _is_known(asked):
            return self._forked(asked)
        return self._start_anew(*given)

    def _forked(self, asked: Asked) -> int:
        request = {
            "arguments": asked.command[len(PROGRAM) :],
            "environment": [os.fsdecode(row) for row in asked.variables],
            "folder": os.fsdecode(asked.folder or Path.cwd()),
            "descriptors": list(asked.descriptors),
            "own_session": bool(asked.own_session),
        }
        with self._lock:
            if self._forker is None:
                self._begin()
            # An orphan becomes the child of the nearest process above which asks for orphans.
            self._prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
            try:
                socket.send_fds(self._channel, [json.dumps(request).encode()], list(asked.descriptors.values()))
                return int(self._channel.recv(NUMBER_BYTES))
            finally:
                self._prctl(PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0)

    def _begin(self) -> None:
        number = self._its_channel.fileno()
        command = [sys.executable, Path(__file__).with_name("warm_process.py"), str(number)]
        self._forker = subprocess.Popen(command, stdin=subprocess.DEVNULL, pass_fds=[number])
        self._its_channel.close()

    def close(self) -> None:
        """End the process that forks; the programs go on."""
        self._channel.close()
        self._its_channel.close()
        if self._forker is not None:
            self._forker.wait()


def _is_known(asked: Asked) -> bool:
    command, count = asked.command, len(PROGRAM)
    is_ours = command[:count] == PROGRAM and command[count : count + 1] and command[count] in COMMANDS
    return bool(is_ours) and _for_the_start(asked.variables) == _for_the_start(map(b"=".join, os.environb.items()))


def _for_the_start(rows: Iterable[bytes]) -> set[bytes]:
    return {row for row in rows if row.startswith(READ_AT_THE_START)}
