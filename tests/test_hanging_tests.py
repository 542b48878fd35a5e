"""A test that hangs fails with its name, and the run goes on and ends."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[1] / "pyproject.toml"
MINUTES = 60

WAITS_FOR_A_PROCESS = """
import subprocess, sys

def test_that_hangs() -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as process:
        try:
            process.wait()
        finally:
            process.kill()

def test_after() -> None:
    pass
"""
# A lock that is waited for where exceptions of signals are not heard: the wait begins again.
WAITS_DEAF = """
import signal, threading

def test_that_hangs() -> None:
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGALRM])
    threading.Event().wait()

def test_after() -> None:
    pass
"""


@pytest.mark.parametrize("hanging", [WAITS_FOR_A_PROCESS, WAITS_DEAF], ids=["a process", "deaf"])
def test_a_test_that_hangs_fails_with_its_name_and_the_others_run(hanging: str, tmp_path: Path) -> None:
    (tmp_path / "test_hanging.py").write_text(hanging)
    without = [word for plugin in ("hypothesispytest", "schemathesis", "anyio") for word in ("-p", f"no:{plugin}")]
    soon = ["-o", "timeout=1", "-o", "faulthandler_timeout=2", "-o", "cache_dir=" + str(tmp_path / "cache")]
    command = [sys.executable, "-m", "pytest", "-c", PROJECT, "-n", "1", *without, *soon]
    done = subprocess.run([*command, tmp_path], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 1, done.stdout + done.stderr
    assert re.search(r"^FAILED \S*test_hanging\.py::test_that_hangs", done.stdout, re.M)
    assert "1 failed, 1 passed" in done.stdout


def test_the_bounds_of_this_suite_are_minutes() -> None:
    options = tomllib.loads(PROJECT.read_text("utf-8"))["tool"]["pytest"]["ini_options"]
    assert options["timeout"] < options["faulthandler_timeout"] <= 5 * MINUTES
    assert options["faulthandler_exit_on_timeout"]
