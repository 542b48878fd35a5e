"""A pool of worker processes, each with its own pipe (the child's side: `child.py`).

A caller takes an idle worker, uses the worker's pipe and puts it back. A lost worker (crashed, killed from outside,
overrun) is replaced, and only its running call hears of the loss.
"""

from __future__ import annotations

import atexit
import json
import multiprocessing
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any, cast

import structlog

from scenograph.late_dataclasses import dataclass
from scenograph.operating_system import FORKS
from scenograph.workers.child import OUT_OF_MEMORY_EXIT, READY, TAKEN, Reply, TaskLimits, serve
from scenograph.workers.turns import CallTurn, TaskFailed, WorkerCrashed, WorkerOverloaded, WorkerTimedOut

TIMEOUT_SECONDS = 10.0
QUEUE_SECONDS = 2.0
MEMORY_BYTES = 1 << 30
START_SECONDS = 30.0
DRAIN_SECONDS = 2.0
_DELIVERY_ATTEMPTS = 2

# A fork server imports the tasks once: a replacement starts in milliseconds, and its children hold none of the
# service's sockets, locks or threads. A system without fork starts each anew.
_PROCESSES = multiprocessing.get_context("forkserver") if FORKS else multiprocessing.get_context("spawn")
_log = structlog.get_logger(__name__)


def begin_to_import(tasks_reference: str) -> None:
    """Start the fork server and let this process go on meanwhile. Harmless when the server runs."""
    if FORKS:
        from multiprocessing import forkserver  # noqa: PLC0415 - of systems that fork

        _PROCESSES.set_forkserver_preload(["__main__", serve.__module__, tasks_reference.partition(":")[0]])
        forkserver.ensure_running()


class _LostIdle(WorkerCrashed):
    """The worker died while idle."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """The limits of a call. `memory_bytes` is the memory of a task beyond a warm worker's size."""

    timeout_seconds: float = TIMEOUT_SECONDS
    queue_seconds: float = QUEUE_SECONDS
    memory_bytes: int = MEMORY_BYTES


class Worker:
    """A slot of the pool: a process started on demand. Used by a single thread at a time, except for `abort`."""

    def __init__(self, tasks_reference: str, budget: Budget) -> None:
        self._tasks_reference = tasks_reference
        self._budget = budget
        self._process: BaseProcess | None = None
        self._connection: Connection | None = None
        self._ready = False
        self.starts = 0

    def start(self) -> Connection:
        """Start the process if missing, without waiting until ready. Raises OSError when the system refuses."""
        if self._connection is not None:
            return self._connection
        ours, theirs = cast("tuple[Connection, Connection]", _PROCESSES.Pipe())
        limits = TaskLimits(self._budget.timeout_seconds, self._budget.memory_bytes)
        process = _PROCESSES.Process(
            target=serve, args=(theirs, self._tasks_reference, limits), name="scenograph-worker", daemon=True
        )
        try:
            process.start()
        except BaseException:
            ours.close()
            raise
        finally:
            theirs.close()
        self._process, self._connection, self._ready = process, ours, False
        self.starts += 1
        return ours

    def run(self, head: bytes, body: bytes, timeout_seconds: float) -> Reply:
        """Run a task. Raises WorkerTimedOut, WorkerCrashed, TaskFailed; a lost process is gone afterwards."""
        connection = self._deliver(head, body)
        self._wait(connection, timeout_seconds)
        try:
            answer, content = json.loads(connection.recv_bytes()), connection.recv_bytes()
        except (EOFError, OSError) as lost:
            raise WorkerCrashed(self.discard()) from lost
        if answer["retires"]:
            self.discard()
        if "failed" in answer:
            raise TaskFailed(answer["failed"])
        return Reply(answer["facts"], content)

    def is_ready(self) -> bool:
        """Whether the process has reported ready; starts a missing process."""
        with suppress(OSError, WorkerCrashed):
            self._drop_if_dead()
            self.start()
            return self._ready or self._hear_ready(0.0)
        return False

    def discard(self) -> str:
        """Kill and forget the process; a sentence on how it ended."""
        process, connection = self._process, self._connection
        self._process, self._connection, self._ready = None, None, False
        if connection is not None:
            connection.close()
        if process is None:
            return "The worker was not running."
        process.kill()
        process.join()
        ending = "out of memory" if process.exitcode == OUT_OF_MEMORY_EXIT else f"exit code {process.exitcode}"
        process.close()
        return f"The worker died on the task ({ending})."

    def abort(self) -> None:
        """Kill the process under another thread's task; the waiting thread sees a crash."""
        if (process := self._process) is not None:
            with suppress(ValueError):
                process.kill()

    def _deliver(self, head: bytes, body: bytes) -> Connection:
        """Send the task and await TAKEN. A worker dead before TAKEN was lost idle, by no fault of the task, and is
        replaced silently."""
        for _ in range(_DELIVERY_ATTEMPTS):
            self._drop_if_dead()
            try:
                connection = self.start()
            except OSError as refused:
                raise WorkerCrashed("A worker could not be started.") from refused
            with suppress(EOFError, OSError, _LostIdle):
                if not self._ready and not self._hear_ready(START_SECONDS):
                    self.discard()
                    raise WorkerCrashed("A worker did not become ready.")
                connection.send_bytes(head)
                connection.send_bytes(body)
                self._wait(connection, self._budget.timeout_seconds)
                if connection.recv_bytes() == TAKEN:
                    return connection
            self.discard()
        raise WorkerCrashed("Workers die before they take the task.")

    def _wait(self, connection: Connection, seconds: float) -> None:
        """Wait until the worker writes or dies. Raises WorkerTimedOut after the task's time."""
        if not connection.poll(seconds):
            self.discard()
            raise WorkerTimedOut(f"The task took more than {seconds:g} s.")

    def _hear_ready(self, seconds: float) -> bool:
        connection = self.start()
        if not connection.poll(seconds):
            return False
        try:
            greeting = connection.recv_bytes()
        except (EOFError, OSError) as lost:
            raise _LostIdle(self.discard()) from lost
        if greeting != READY:
            self.discard()
            raise WorkerCrashed(f"A worker cannot start: {greeting.decode(errors='replace')}")
        self._ready = True
        return True

    def _drop_if_dead(self) -> None:
        # An idle worker writes nothing: readable data means the end of its pipe.
        if self._ready and self._connection is not None and self._connection.poll(0):
            self.discard()


class WorkerPool:
    """`count` workers over the tasks of `tasks_reference` (`module:TABLE`). Safe to call from many threads."""

    def __init__(self, tasks_reference: str, *, count: int, budget: Budget | None = None) -> None:
        self._budget = budget or Budget()
        self._closed = False
        self._workers = [Worker(tasks_reference, self._budget) for _ in range(count)]
        self._idle = _IdleWorkers()
        begin_to_import(tasks_reference)
        for worker in self._workers:
            worker.start()
            self._idle.put(worker)
        # Runs before multiprocessing's own exit handler, which would wait for children that ignore SIGTERM.
        atexit.register(self.close)

    def call(self, task: str, arguments: Mapping[str, Any], body: bytes = b"", turn: CallTurn | None = None) -> Reply:
        """Run a task, in `turn` if given. Raises only WorkerOverloaded, WorkerTimedOut, WorkerCrashed or TaskFailed."""
        head = json.dumps({"task": task, "arguments": arguments}).encode("ascii")
        worker = self._take(is_owner=turn is None or turn.share.is_owner)
        try:
            return self._run(worker, (head, body), turn)
        except (WorkerTimedOut, WorkerCrashed) as lost:
            _log.warning("worker_lost_a_task", task=task, kind=type(lost).__name__, reason=str(lost))
            raise
        finally:
            if not self._closed:
                with suppress(OSError):  # retried with the next task
                    worker.start()
            self._idle.put(worker)

    def _run(self, worker: Worker, frames: tuple[bytes, bytes], turn: CallTurn | None) -> Reply:
        if turn is None:
            return worker.run(*frames, self._budget.timeout_seconds)
        turn.begin(worker.abort)
        try:
            return worker.run(*frames, min(turn.share.timeout_seconds, self._budget.timeout_seconds))
        except WorkerCrashed as ended:
            if turn.gives_way:
                raise WorkerOverloaded("The call made room for an owner's.") from ended
            raise
        finally:
            turn.finish()

    def alive(self) -> bool:
        """Whether the next call would find a worker ready, or all at work. Never waits."""
        return not self._closed and self._idle.any_ready()

    def replaced(self) -> int:
        """How many processes were started as replacements."""
        return sum(max(0, worker.starts - 1) for worker in tuple(self._workers))

    def close(self) -> None:
        """End all workers; tasks still running after a short while are killed. Harmless when called twice."""
        if self._closed:
            return
        self._closed = True
        atexit.unregister(self.close)
        if not self._discard_all():
            for worker in self._workers:
                worker.abort()
            self._discard_all()

    def _take(self, *, is_owner: bool) -> Worker:
        """The warmest ready worker. Strangers get a worker still starting, if any: a stranger's call often caused the
        restart."""
        seconds = 0 if self._closed else self._budget.queue_seconds
        worker = self._idle.take(seconds, lambda idle: idle.is_ready() == is_owner)
        if worker is None:
            if self._closed:
                raise WorkerCrashed("The workers are closed.")
            raise WorkerOverloaded(f"No worker became free within {self._budget.queue_seconds:g} s.")
        if self._closed:
            self._idle.put(worker)
            raise WorkerCrashed("The workers are closed.")
        return worker

    def _discard_all(self) -> bool:
        """Discard each worker on return; whether all returned in time."""
        deadline = time.monotonic() + DRAIN_SECONDS
        while self._workers:
            worker = self._idle.take(max(0.0, deadline - time.monotonic()), lambda _: True)
            if worker is None:
                return False
            worker.discard()
            self._workers.remove(worker)
        return True


class _IdleWorkers:
    """Idle workers, in order of use: the warmest caches last."""

    def __init__(self) -> None:
        self._workers: list[Worker] = []
        self._changed = threading.Condition()

    def put(self, worker: Worker) -> None:
        """Return a worker to the idle list."""
        with self._changed:
            self._workers.append(worker)
            self._changed.notify()

    def take(self, seconds: float, fits: Callable[[Worker], bool]) -> Worker | None:
        """The warmest fitting worker, else the warmest of all; None after `seconds` without any."""
        with self._changed:
            if not self._changed.wait_for(lambda: self._workers, seconds):
                return None
            worker = next((idle for idle in reversed(self._workers) if fits(idle)), self._workers[-1])
            self._workers.remove(worker)
            return worker

    def any_ready(self) -> bool:
        """Whether an idle worker is ready, or none is idle."""
        with self._changed:
            return not self._workers or any(worker.is_ready() for worker in self._workers)
