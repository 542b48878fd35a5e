"""The worker's side of the pipe: a process that works on a single task at a time. Nothing here runs in the service's
own process.

In: two frames, a JSON head `{"task": name, "arguments": {…}}` and a body of bytes. Out: TAKEN on receipt of both, then
two frames, a JSON head `{"facts": {…}, "retires": bool}` or `{"failed": exception and place, …}`, and a body. Only JSON
and plain bytes cross: a compromised worker cannot make the service unpickle anything. An orphaned worker ends by
itself: the pipe closes while it waits, and a watchdog ends it while it works.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import signal
from collections.abc import Callable, Mapping
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any, NamedTuple, cast

from scenograph.diagnostics import whereabouts
from scenograph.operating_system import Watchdog, limit_memory, mapped_bytes

READY, TAKEN = b"ready", b"taken"
WARM_UP = "warm_up"
OUT_OF_MEMORY_EXIT = 71
GRACE_SECONDS = 1.0


class Reply(NamedTuple):
    """A task's reply: JSON facts, and bytes too large for JSON."""

    facts: Mapping[str, Any]
    body: bytes = b""


Task = Callable[[Mapping[str, Any], bytes], Reply]


class TaskLimits(NamedTuple):
    """The limits of a worker: seconds of wall time a task, and bytes beyond its size when warm."""

    timeout_seconds: float
    memory_bytes: int


def serve(connection: Connection, tasks_reference: str, limits: TaskLimits) -> None:
    """Answer tasks until the pipe closes. `tasks_reference` is `module:TABLE`, a mapping of names to tasks.

    The first frame is READY, or a sentence on why this worker is none.
    """
    for ignored in (signal.SIGINT, signal.SIGTERM):
        # The service drains on these signals and then closes the pipe; a signal to the whole group must not cut
        # renders short.
        signal.signal(ignored, signal.SIG_IGN)
    watchdog = Watchdog()
    with suppress(EOFError, OSError):
        try:
            tasks = _load(tasks_reference)
            limit_memory(limits.memory_bytes)
        except Exception as fault:  # the service logs it; this process is of no use
            connection.send_bytes(f"{type(fault).__name__}: {fault}".encode())
            return
        connection.send_bytes(READY)
        _collect_between_tasks()
        worn_at = mapped_bytes() + limits.memory_bytes // 2
        while _answer_one(connection, tasks, watchdog, limits.timeout_seconds, worn_at):
            pass


def _collect_between_tasks() -> None:
    """Disable collection during tasks: a picture makes many objects and hardly a cycle, and a collection while drawing
    can double its time."""
    _collect_what_is_new()
    gc.disable()


def _collect_what_is_new() -> None:
    """Collect cycles among objects made since the last collection only.

    Caches of earlier pictures grow to a million objects, and scanning these again costs more than a picture. Frozen
    objects are still freed by reference counting.
    """
    gc.collect()
    gc.freeze()


def _answer_one(
    connection: Connection, tasks: Mapping[str, Task], watchdog: Watchdog, timeout_seconds: float, worn_at: int
) -> bool:
    """Take a task and answer it; False when this worker retires. A worker with half of its memory in use for good
    retires before the rest is too little for a task."""
    head, body = connection.recv_bytes(), connection.recv_bytes()
    connection.send_bytes(TAKEN)
    # The service kills an overrun first; the watchdog is for a worker whose service was killed.
    watchdog.arm(timeout_seconds + GRACE_SECONDS)
    answer, content = _perform(tasks, head, body)
    answer["retires"] = mapped_bytes() > worn_at
    connection.send_bytes(json.dumps(answer).encode("ascii"))
    connection.send_bytes(content)
    watchdog.disarm()
    _collect_what_is_new()  # the caller has its answer
    return not answer["retires"]


def _perform(tasks: Mapping[str, Task], head: bytes, body: bytes) -> tuple[dict[str, Any], bytes]:
    try:
        request = json.loads(head)
        reply = tasks[request["task"]](request["arguments"], body)
    except MemoryError:
        # The exhausted heap is no basis to go on.
        os._exit(OUT_OF_MEMORY_EXIT)
    except Exception as fault:  # the border of the process: whatever the task raised is answered
        return {"failed": whereabouts(fault)}, b""
    return {"facts": reply.facts}, reply.body


def _load(reference: str) -> Mapping[str, Task]:
    """The table of tasks. The row WARM_UP is run once, which spares callers the cold caches."""
    module, name = reference.split(":")
    tasks = cast("Mapping[str, Task]", getattr(importlib.import_module(module), name))
    if WARM_UP in tasks:
        tasks[WARM_UP]({}, b"")
    return tasks
