"""The service itself, as an operator starts it: a process that is configured by its environment."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import NamedTuple

from local_servers import patience

KEY = "dsp_sk_" + "0123456789abcdef" * 2
HEADERS = {"Authorization": f"Bearer {KEY}"}
CPU_CLOCK = 2  # of all threads of a process, among those of `clock_getcpuclockid`
STANDARD = {
    "PORT": "0",
    "BOOTSTRAP_API_KEY": KEY,
    "RENDER_WORKERS": "1",
    "RATE_LIMIT_RPM": "0",
    "LOG_FORMAT": "json",
    "LOG_LEVEL": "warning",
}


class Service(NamedTuple):
    """A running server, and the file that its log goes to."""

    process: subprocess.Popen[str]
    url: str
    log: Path

    def whole_log(self) -> list[str]:
        """The lines of its log once the server has stopped: a request's line is written after its reply is sent."""
        self.process.terminate()
        with patience(self.process):
            self.process.wait()
        return self.log.read_text().splitlines()


@contextmanager
def running_services(
    count: int, log_folder: Path, *, by: Sequence[str] = (), python: str = sys.executable, **environment: str
) -> Iterator[list[Service]]:
    """So many servers of one configuration, started at once by the words of a command that is given theirs; `python`
    is the interpreter that has the service. RuntimeError with its log when one does not start."""
    with ExitStack() as stack:
        started = [
            stack.enter_context(_process(log_folder / f"server{number}.log", [*by, python], environment))
            for number in range(count)
        ]
        yield [Service(process, _address(process, log), log) for process, log in started]


@contextmanager
def _process(
    log: Path, python: Sequence[str], environment: dict[str, str]
) -> Iterator[tuple[subprocess.Popen[str], Path]]:
    command = [*python, "-m", "scenograph", "serve"]
    with (
        log.open("w") as errors,
        subprocess.Popen(
            command, env=os.environ | STANDARD | environment, stdout=subprocess.PIPE, stderr=errors, text=True
        ) as process,
    ):
        try:
            yield process, log
        finally:
            process.kill()


def _address(process: subprocess.Popen[str], log: Path) -> str:
    assert process.stdout is not None
    with patience(process):
        line = process.stdout.readline()
    if not line.startswith("Scenograph listens on "):
        raise RuntimeError(f"the service does not start: {log.read_text()}")
    return line.split()[-1]


class Tools(NamedTuple):
    """A tool server that speaks HTTP."""

    pid: int
    url: str


@contextmanager
def running_tools(service: str) -> Iterator[Tools]:
    """The tool server of the service at that address, at a port of its own."""
    environment = os.environ | {"SERVICE_API_URL": service, "SERVICE_API_KEY": KEY}
    command = [sys.executable, "-m", "scenograph", "mcp", "--http", "--port", "0"]
    with subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stderr is not None
            with patience(process):
                line = process.stderr.readline()
            yield Tools(process.pid, line.split()[-1])
        finally:
            process.kill()


class Processes:
    """The processor time that a server and the processes it started have used."""

    def __init__(self, server: int) -> None:
        self._server = server

    def seconds(self) -> tuple[float, float]:
        """Of the server's own process, and of all below it."""
        parents = {int(path.name): _parent(path) for path in Path("/proc").iterdir() if path.name.isdecimal()}
        below, waiting = set[int](), [self._server]
        while waiting:
            here = waiting.pop()
            children = [child for child, parent in parents.items() if parent == here]
            below.update(children)
            waiting.extend(children)
        return processor_seconds(self._server), sum(map(processor_seconds, below))


def _parent(process: Path) -> int:
    try:
        return int((process / "stat").read_text().rpartition(")")[2].split()[1])
    except OSError:
        return 0


def processor_seconds(process: int) -> float:
    """Seconds that its threads have run, those that have ended too (as `clock_getcpuclockid` gives them)."""
    try:
        return time.clock_gettime(~process << 3 | CPU_CLOCK)
    except OSError:
        return 0.0
