"""Programs that are forked do as those that are started anew: both ways the same is asked of them."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = [sys.executable, "-m", "scenograph"]
FORKS = "warm_process.py"
pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="programs are forked on Linux alone"),
    pytest.mark.parametrize(
        "is_forked", [pytest.param(True, id="forked"), pytest.param(False, id="anew", marks=pytest.mark.cold)]
    ),
]


@pytest.mark.parametrize("own_session", [True, False])
def test_a_server_has_what_it_is_given_and_its_parent(tmp_path: Path, is_forked: bool, own_session: bool) -> None:
    environment = os.environ | {"DATABASE_URL": "sqlite:///own.db", "AUTH_DISABLED": "true", "RENDER_WORKERS": "1"}
    with (
        socket.create_server(("127.0.0.1", 0)) as listener,
        subprocess.Popen(
            [*PROGRAM, "serve", "--listener", str(listener.fileno())],
            cwd=tmp_path,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            pass_fds=[listener.fileno()],
            start_new_session=own_session,
            text=True,
        ) as process,
    ):
        assert process.stdout is not None
        listens = next(line for line in process.stdout if line.startswith("Scenograph"))
        assert listens.split()[-1].endswith(f":{listener.getsockname()[1]}")
        own = Path(f"/proc/{process.pid}")
        assert (FORKS in (own / "cmdline").read_text()) == is_forked
        assert (own / "cwd").readlink() == tmp_path
        assert f"PPid:\t{os.getpid()}\n" in (own / "status").read_text()
        assert (os.getsid(process.pid) == process.pid) == own_session
        assert (tmp_path / "own.db").exists()
        process.terminate()
        assert process.wait(30) == 0


@pytest.mark.usefixtures("is_forked")
def test_its_words_its_exit_code_and_what_it_says_are_its_own() -> None:
    done = subprocess.run([*PROGRAM, "serve", "--port", "high"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert "'high' is not a valid integer" in done.stderr


@pytest.mark.usefixtures("is_forked")
def test_it_reads_what_it_is_given() -> None:
    greeting = '{"jsonrpc": "2.0", "id": 1, "method": "ping"}\n'
    done = subprocess.run([*PROGRAM, "mcp"], input=greeting, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, '{"jsonrpc":"2.0","id":1,"result":{}}\n')
