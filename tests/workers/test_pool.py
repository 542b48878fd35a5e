from __future__ import annotations

import multiprocessing
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.servers import ended

from scenograph.workers import Budget, TaskFailed, WorkerCrashed, WorkerOverloaded, WorkerPool, WorkerTimedOut

HERE = Path(__file__).parent
TASKS = "hostile_tasks:TASKS"
MEMORY = 256 << 20
BUDGET = Budget(timeout_seconds=1.0, queue_seconds=20.0, memory_bytes=MEMORY)
PATIENT = Budget(timeout_seconds=60.0, queue_seconds=60.0, memory_bytes=MEMORY)  # whatever else the machine does


@contextmanager
def running_pool(budget: Budget) -> Iterator[WorkerPool]:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(HERE))
        pool = WorkerPool(TASKS, count=2, budget=budget)
        yield pool
        pool.close()


@pytest.fixture(scope="module")
def pool() -> Iterator[WorkerPool]:
    with running_pool(BUDGET) as pool:
        yield pool


@pytest.fixture(scope="module")
def patient() -> Iterator[WorkerPool]:
    with running_pool(PATIENT) as pool:
        yield pool


@pytest.fixture
def threads() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(12) as executor:
        yield executor


def pid_of(pool: WorkerPool) -> int:
    return int(pool.call("pid", {}).facts["pid"])


def awaited(path: Path, seconds: float = 30.0) -> str:
    """The text of a file that another process is about to make."""
    deadline = time.monotonic() + seconds
    while not path.exists():
        assert time.monotonic() < deadline, f"{path.name} was not written"
        select.select([], [], [], 0.005)
    return path.read_text("ascii")


@pytest.mark.parametrize("size", [0, 1, 70_000, 3_000_000])
def test_bytes_of_any_size_come_back_as_they_went(pool: WorkerPool, size: int) -> None:
    body = bytes(range(256)) * (size // 256) + b"x" * (size % 256)
    facts, content = pool.call("echo", {"size": size, "text": "ä\ud800"}, body)
    assert facts == {"size": size, "text": "ä\ud800"}
    assert content == body


@pytest.mark.parametrize("ending", ["leave", "kill_itself"])
def test_a_crash_costs_its_own_caller_an_error_and_its_neighbour_nothing(
    patient: WorkerPool, threads: ThreadPoolExecutor, ending: str, tmp_path: Path
) -> None:
    note, enough = tmp_path / "neighbour", tmp_path / "enough"
    neighbour = threads.submit(patient.call, "work_until", {"note": str(note), "enough": str(enough)})
    running = int(awaited(note))
    for _ in range(3):
        with pytest.raises(WorkerCrashed, match="exit code"):
            patient.call(ending, {})
    assert not neighbour.done(), "the crashes must have happened beside the neighbour's task"
    enough.touch()
    assert neighbour.result().facts["pid"] == running
    assert patient.call("echo", {}, b"still here").body == b"still here"


def test_a_worker_killed_from_outside_on_a_task_costs_that_task_only(
    pool: WorkerPool, threads: ThreadPoolExecutor, tmp_path: Path
) -> None:
    notes = [tmp_path / "first", tmp_path / "second"]
    running = [threads.submit(pool.call, "hang", {"seconds": 0.6, "note": str(note)}) for note in notes]
    victim = int(awaited(notes[0]))
    awaited(notes[1])
    os.kill(victim, signal.SIGKILL)
    with pytest.raises(WorkerCrashed):
        running[0].result()
    assert running[1].result().facts["pid"] == int(notes[1].read_text("ascii"))


def test_a_worker_killed_while_idle_is_replaced_and_nobody_hears_of_it(pool: WorkerPool) -> None:
    victim = pid_of(pool)
    os.kill(victim, signal.SIGKILL)
    assert ended(victim)
    assert pid_of(pool) != victim


def test_a_worker_that_dies_before_it_takes_a_task_is_replaced_and_nobody_hears_of_it(pool: WorkerPool) -> None:
    dying = pool.call("die_after_the_answer", {}).facts["pid"]
    assert pid_of(pool) != dying


def test_a_worker_killed_while_it_starts_is_replaced_and_nobody_hears_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(HERE))
    others = {process.pid for process in multiprocessing.active_children()}
    pool = WorkerPool(TASKS, count=1, budget=BUDGET)
    [starting] = [process for process in multiprocessing.active_children() if process.pid not in others]
    starting.kill()
    assert pool.call("echo", {}, b"in another").body == b"in another"
    pool.close()


def test_an_overrun_is_killed_at_its_time_and_its_neighbour_is_served(
    pool: WorkerPool, threads: ThreadPoolExecutor, tmp_path: Path
) -> None:
    note = tmp_path / "overrun"
    overrun = threads.submit(pool.call, "hang", {"seconds": 60, "note": str(note)})
    pid = int(awaited(note))
    assert pool.call("echo", {}, b"beside it").body == b"beside it"
    with pytest.raises(WorkerTimedOut, match="1 s"):
        overrun.result()
    assert ended(pid, 30.0), "its sixty seconds are not waited for"


def test_a_storm_of_crashes_and_kills_loses_no_innocent_call(patient: WorkerPool, threads: ThreadPoolExecutor) -> None:
    def innocent(number: int) -> bool:
        body = str(number).encode() * 20_000
        return patient.call("echo", {"number": number}, body) == ({"number": number}, body)

    def guilty(number: int) -> bool:
        with pytest.raises(WorkerCrashed):
            patient.call(("leave", "kill_itself")[number % 2], {})
        return True

    outcomes: list[Future[bool]] = [
        threads.submit(guilty if number % 3 == 0 else innocent, number) for number in range(60)
    ]
    assert all(outcome.result(timeout=120) for outcome in outcomes)


def test_a_task_beyond_its_memory_costs_its_own_caller_an_error(pool: WorkerPool) -> None:
    with pytest.raises(WorkerCrashed, match="out of memory"):
        pool.call("devour", {"bytes": 2 * MEMORY})
    assert pool.call("devour", {"bytes": MEMORY // 4}).facts["size"] == MEMORY // 4


def test_a_worker_that_keeps_half_its_memory_retires_before_it_fails_an_innocent(patient: WorkerPool) -> None:
    pids = [patient.call("keep", {"bytes": MEMORY // 5}).facts["pid"] for _ in range(20)]
    assert all(pids.count(pid) <= 3 for pid in pids)
    assert len(set(pids)) >= 20 // 3


def test_what_a_worker_keeps_is_looked_through_for_cycles_once(patient: WorkerPool) -> None:
    many = 20_000
    rows = [patient.call("keep_many", {"objects": many}).facts for _ in range(6)]
    assert len({row["pid"] for row in rows}) < len(rows)  # some worker was asked again
    assert max(row["looked_at"] for row in rows) < many


def test_a_raised_exception_names_the_place_but_not_its_words_and_spares_the_worker(pool: WorkerPool) -> None:
    before = pid_of(pool)
    with pytest.raises(TaskFailed) as failed:
        pool.call("fail", {}, b"a secret of the scene")
    assert "ValueError at hostile_tasks.py" in str(failed.value)
    assert "secret" not in str(failed.value)
    assert pid_of(pool) == before


def test_a_caller_who_finds_no_worker_free_is_turned_away_after_the_queue_time(
    threads: ThreadPoolExecutor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(HERE))
    pool = WorkerPool(TASKS, count=1, budget=Budget(timeout_seconds=5.0, queue_seconds=0.2, memory_bytes=MEMORY))
    busy = threads.submit(pool.call, "hang", {"seconds": 1.5, "note": str(tmp_path / "busy")})
    awaited(tmp_path / "busy")
    began = time.monotonic()
    with pytest.raises(WorkerOverloaded, match=r"0\.2 s"):
        pool.call("echo", {})
    assert time.monotonic() - began >= 0.2
    assert pool.alive(), "all workers at work is no sign of death"
    assert busy.result().facts["pid"]
    pool.close()


def test_closing_ends_the_processes_and_refuses_further_calls(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(HERE))
    pool = WorkerPool(TASKS, count=2, budget=BUDGET)
    pid = pid_of(pool)
    assert pool.alive()
    pool.close()
    pool.close()
    assert ended(pid)
    assert not pool.alive()
    with pytest.raises(WorkerCrashed, match="closed"):
        pool.call("echo", {})


def test_a_pool_whose_workers_cannot_start_says_so_instead_of_hanging(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(HERE))
    pool = WorkerPool("hostile_tasks:NO_SUCH_TABLE", count=1, budget=BUDGET)
    with pytest.raises(WorkerCrashed, match=r"cannot start: AttributeError: .*NO_SUCH_TABLE"):
        pool.call("echo", {})
    assert not pool.alive()
    pool.close()


SERVICE = """
import sys, threading
from scenograph.workers import Budget, WorkerPool

if __name__ == "__main__":
    sys.path.insert(0, sys.argv[1])
    pool = WorkerPool("hostile_tasks:TASKS", count=2, budget=Budget(timeout_seconds=0.5))
    idle = pool.call("pid", {}).facts["pid"]
    hang = {"seconds": 60, "note": sys.argv[2]}
    threading.Thread(target=pool.call, args=("hang", hang), daemon=True).start()
    print(idle, flush=True)
    sys.stdin.read()
"""


def test_no_worker_outlives_a_service_that_is_killed(tmp_path: Path) -> None:
    script = tmp_path / "service.py"
    script.write_text(SERVICE, "ascii")
    note = tmp_path / "busy"
    command = [sys.executable, str(script), str(HERE), str(note)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as service:
        assert service.stdout is not None
        idle = int(service.stdout.readline())
        busy = int(awaited(note))
        service.kill()
    assert ended(idle)
    assert ended(busy)
