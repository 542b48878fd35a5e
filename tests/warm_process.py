"""The process that forks programs of ours (`warm_starts.py`): it has imported them, and served nobody.

A request is a packet: a JSON object, and descriptors. Its answer is the number of the process.
"""

from __future__ import annotations

import fcntl
import gc
import importlib
import json
import multiprocessing.util
import os
import runpy
import signal
import socket
import sys
import threading
from collections.abc import Collection, Sequence
from typing import Any

IMPORTED = (
    "alembic.command",
    "scenograph.cli",
    "scenograph.http.app",
    "scenograph.http.logs",
    "scenograph.http.server",
    "scenograph.mcp.doctor",
    "scenograph.mcp.running",
    "scenograph.mcp.server",
    "scenograph.service.redis",
    "scenograph.storage.postgres",
    "scenograph.workers.tasks",
)
REQUEST_BYTES = 1 << 20
MOST_DESCRIPTORS = 32
APART = 500  # a number above those that a program is given its descriptors at


def main() -> None:
    """Answer requests until the other end closes, and become the program in each fork."""
    channel = socket.socket(fileno=int(sys.argv[1]))
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    warm_up()
    while True:
        text, descriptors, _, _ = socket.recv_fds(channel, REQUEST_BYTES, MOST_DESCRIPTORS)
        if not text:
            return
        request: dict[str, Any] = json.loads(text)
        number = forked_twice()
        if number is None:
            channel.detach()
            become(request, descriptors)
            break
        for one in descriptors:
            os.close(one)
        channel.send(str(number).encode())
    runpy.run_module("scenograph", run_name="__main__", alter_sys=True)


def warm_up() -> None:
    """Import the programs, and do what each of them does first and alike."""
    for module in IMPORTED:
        importlib.import_module(module)
    sys.modules["scenograph.http.app"]._description()
    sys.modules["scenograph.engine.icons"].DOCUMENT_LIMITS.icons.nearest("none:none")
    tasks = sys.modules["scenograph.workers.tasks"].TASKS
    tasks["warm_up"]({}, b"")
    gc.collect()
    gc.freeze()


def forked_twice() -> int | None:
    """The number of a process whose parent has ended; None in that process."""
    reading, writing = os.pipe()
    between = os.fork()
    if not between:
        if number := os.fork():
            os.write(writing, str(number).encode())
            os._exit(0)
        os.close(reading)
        os.close(writing)
        return None
    os.close(writing)
    os.waitpid(between, 0)
    with open(reading, "rb") as pipe:  # noqa: PTH123 - a descriptor
        return int(pipe.read())


def become(request: dict[str, Any], descriptors: Sequence[int]) -> None:
    """Set this process up as the system and the interpreter do for a new one."""
    numbers: list[int] = request["descriptors"]
    apart = [fcntl.fcntl(one, fcntl.F_DUPFD, APART) for one in descriptors]
    for number, one in zip(numbers, apart, strict=True):
        os.dup2(one, number)
    close_all_but(numbers)
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", encoding="utf-8", errors="backslashreplace", buffering=1, closefd=False)  # noqa: SIM115
    if request["own_session"]:
        os.setsid()
    os.environ.clear()
    os.environ.update(row.split("=", 1) for row in request["environment"])
    os.chdir(request["folder"])
    sys.path[0] = os.getcwd()  # noqa: PTH109 - as the interpreter writes it
    sys.argv[1:] = request["arguments"]
    signal.signal(signal.SIGINT, signal.default_int_handler)
    multiprocessing.util.spawnv_passfds = helper_of_multiprocessing


def close_all_but(kept: Collection[int]) -> None:
    before = -1
    for number in sorted({*kept, os.sysconf("SC_OPEN_MAX")}):
        if number > before + 1:
            os.closerange(before + 1, number)
        before = number


def helper_of_multiprocessing(path: bytes, words: Sequence[str], kept: Sequence[int]) -> int:
    """The number of a process for the helpers of `multiprocessing`, of which one imports the engine: forked as well,
    where no other thread holds anything. The last word is its program."""
    if threading.active_count() > 1:
        return START_ANEW(path, words, kept)
    if number := os.fork():
        return number
    try:
        close_all_but({0, 1, 2, *kept})
        exec(words[-1], {"__name__": "__main__"})  # noqa: S102 - of the standard library
    finally:
        os._exit(0)


START_ANEW = multiprocessing.util.spawnv_passfds

if __name__ == "__main__":
    main()
