"""The worker's side of the pipe: one process, one task at a time. Nothing here runs in the service's own process.

In: two frames, a JSON head `{"task": name, "arguments": {…}}` and a body of bytes. Out: TAKEN as soon as both are here,
then two frames, a JSON head `{"facts": {…}, "retires": bool}` or `{"failed": exception and place, …}`, and a body.
Only JSON and plain bytes cross: a worker that a picture has taken over cannot make the service unpickle anything.

A worker ends by itself when the service is gone: the pipe closes while it waits, and a timer that the kernel holds
ends it while it works.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import resource
import signal
from collections.abc import Callable, Mapping
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, NamedTuple, cast

from scenograph.diagnostics import whereabouts

READY, TAKEN = b"ready", b"taken"
WARM_UP = "warm_up"
OUT_OF_MEMORY_EXIT = 71
GRACE_SECONDS = 1.0
_STATM = Path("/proc/self/statm")


class Reply(NamedTuple):
    """What a task gives back: JSON facts, and bytes that are too large to sit in JSON."""

    facts: Mapping[str, Any]
    body: bytes = b""


Task = Callable[[Mapping[str, Any], bytes], Reply]


class Limits(NamedTuple):
    """What one worker may use: seconds of wall time a task, bytes beyond what it holds once it is warm."""

    timeout_seconds: float
    memory_bytes: int


def serve(connection: Connection, tasks_reference: str, limits: Limits) -> None:
    """Answer tasks until the pipe closes. `tasks_reference` is `module:TABLE`, a mapping of names to tasks.

    The first frame is READY, or a sentence on why this worker is none.
    """
    for ignored in (signal.SIGINT, signal.SIGTERM):
        # The service drains on these and then closes the pipe; a signal to the whole group must not cut renders short.
        signal.signal(ignored, signal.SIG_IGN)
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    with suppress(EOFError, OSError):
        try:
            tasks = _load(tasks_reference)
            _limit_memory(limits.memory_bytes)
        except Exception as fault:  # the service logs it; this process is of no use
            connection.send_bytes(f"{type(fault).__name__}: {fault}".encode())
            return
        connection.send_bytes(READY)
        _collect_between_tasks()
        worn_at = _mapped_bytes() + limits.memory_bytes // 2
        while _answer_one(connection, tasks, limits.timeout_seconds, worn_at):
            pass


def _collect_between_tasks() -> None:
    """A picture makes many objects and hardly a cycle: looking for some while it is drawn can double its time."""
    _collect_what_is_new()
    gc.disable()


def _collect_what_is_new() -> None:
    """Look for cycles among what was made since the last time only: what is kept of earlier pictures grows to a million
    objects, and looking through these again costs more than a picture. It goes when nobody refers to it."""
    gc.collect()
    gc.freeze()


def _answer_one(connection: Connection, tasks: Mapping[str, Task], timeout_seconds: float, worn_at: int) -> bool:
    """Take one task and answer it; whether this worker goes on after it.

    One that holds half its memory for good says so and ends, before the other half is too little for somebody's task.
    """
    head, body = connection.recv_bytes(), connection.recv_bytes()
    connection.send_bytes(TAKEN)
    # The service kills an overrun first; the timer is for a service that was killed itself.
    signal.setitimer(signal.ITIMER_REAL, timeout_seconds + GRACE_SECONDS)
    answer, content = _perform(tasks, head, body)
    answer["retires"] = _mapped_bytes() > worn_at
    connection.send_bytes(json.dumps(answer).encode("ascii"))
    connection.send_bytes(content)
    signal.setitimer(signal.ITIMER_REAL, 0)
    _collect_what_is_new()  # the caller has its answer
    return not answer["retires"]


def _perform(tasks: Mapping[str, Task], head: bytes, body: bytes) -> tuple[dict[str, Any], bytes]:
    try:
        request = json.loads(head)
        reply = tasks[request["task"]](request["arguments"], body)
    except MemoryError:
        # What is left of the heap is nothing to go on with.
        os._exit(OUT_OF_MEMORY_EXIT)
    except Exception as fault:  # the border of the process: whatever the task raised is answered
        return {"failed": whereabouts(fault)}, b""
    return {"facts": reply.facts}, reply.body


def _load(reference: str) -> Mapping[str, Task]:
    """The table of tasks; a row named WARM_UP is run once, so that no caller pays for cold caches."""
    module, name = reference.split(":")
    tasks = cast("Mapping[str, Task]", getattr(importlib.import_module(module), name))
    if WARM_UP in tasks:
        tasks[WARM_UP]({}, b"")
    return tasks


def _limit_memory(more_bytes: int) -> None:
    """Cap the address space at what is mapped now and `more_bytes` (Linux; elsewhere the cap is left out)."""
    if not (mapped := _mapped_bytes()):
        return
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    wanted = mapped + more_bytes
    limit = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    resource.setrlimit(resource.RLIMIT_AS, (limit, hard))


def _mapped_bytes() -> int:
    """The size of the address space; 0 where the system does not tell."""
    return int(_STATM.read_text("ascii").split()[0]) * resource.getpagesize() if _STATM.exists() else 0
