"""The library, the commands and the server on a system without fork, process limits, timers and folder descriptors, as
Windows is. Each runs in a process of its own, in which these are missing."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from scenograph.operating_system import missing

# Modules and attributes that Windows lacks, taken away before the first import of ours. Children come by here too, as
# `sitecustomize`. What Linux's standard library needs itself (SIGKILL, AF_UNIX) stays.
AWAY = """
import builtins, multiprocessing, os, signal, subprocess, sys

ABSENT = {"fcntl", "pwd", "grp", "termios", "tty", "pty"}
sys.modules["resource"] = None
for name in ("SIGALRM", "SIGHUP", "SIGUSR1", "SIGPIPE", "setitimer", "alarm", "ITIMER_REAL"):
    delattr(signal, name)
for name in ("fork", "chown", "fchmod", "O_NOFOLLOW", "O_DIRECTORY", "sched_getaffinity"):
    delattr(os, name)
os.supports_dir_fd.clear()

imported = builtins.__import__

def import_for(name, globals=None, *rest, **options):
    # Packages of others choose by the system's name; ours alone is asked.
    if name in ABSENT and (globals or {}).get("__name__", "").startswith("scenograph"):
        raise ModuleNotFoundError(f"No module named {name!r}", name=name)
    return imported(name, globals, *rest, **options)

builtins.__import__ = import_for
context_of, popen = multiprocessing.get_context, subprocess.Popen.__init__

def get_context(method=None):
    if method not in (None, "spawn"):
        raise ValueError(f"cannot find context for {method!r}")
    return context_of("spawn")

def start(self, *arguments, pass_fds=(), **options):
    if pass_fds:
        raise ValueError("pass_fds not supported on Windows.")
    popen(self, *arguments, **options)

multiprocessing.get_context = get_context
subprocess.Popen.__init__ = start
"""
LIBRARY = """
import scenograph
scene = scenograph.read("flowchart LR\\n a --> b")
for form in ("svg", "png", "pdf", "drawio", "excalidraw", "mermaid", "text"):
    assert scenograph.render(scene, format=form).content
scene.save("flow.svg")
scene.save("flow.json")
"""


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    folder = tmp_path_factory.mktemp("other")
    (folder / "sitecustomize.py").write_text(AWAY)
    return os.environ | {
        "PYTHONPATH": str(folder),
        "PYTHONIOENCODING": "cp1252",
        "DATABASE_URL": f"sqlite:///{folder / 'scenes.db'}",
        "XDG_DATA_HOME": str(folder),
        "AUTH_DISABLED": "true",
        "RENDER_WORKERS": "1",
    }


def run(environment: dict[str, str], folder: Path, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, *arguments], cwd=folder, env=environment, capture_output=True, timeout=60, check=False
    )


def command(environment: dict[str, str], folder: Path, *arguments: str) -> str:
    """What the command says; it has to succeed."""
    done = run(environment, folder, "-m", "scenograph", *arguments)
    said = (done.stdout + done.stderr).decode("cp1252")
    assert done.returncode == 0, said
    return said


def test_the_library_draws_and_saves(environment: dict[str, str], tmp_path: Path) -> None:
    done = run(environment, tmp_path, "-c", LIBRARY)
    assert done.returncode == 0, done.stderr.decode()
    assert (tmp_path / "flow.svg").read_bytes().startswith(b"<svg")


def test_the_commands_import_and_render(environment: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "flow.mmd").write_text("flowchart LR\n a[ключ] --> b\n", "utf-8")
    command(environment, tmp_path, "render", "flow.mmd", "-o", "flow.png")
    command(environment, tmp_path, "import", "flow.mmd", "-o", "flow.json")
    command(environment, tmp_path, "import", "flow.mmd", "-o", "flow.json", "--force")
    assert json.loads((tmp_path / "flow.json").read_text("utf-8"))["elements"][0]["label"] == "ключ"


def test_letters_that_a_code_page_lacks_are_escaped(environment: dict[str, str], tmp_path: Path) -> None:
    command(environment, tmp_path, "keys", "create", "--name", "ключ")
    assert "\\u043a\\u043b\\u044e\\u0447" in command(environment, tmp_path, "keys", "list")


def test_the_server_renders(environment: dict[str, str], tmp_path: Path) -> None:
    server = subprocess.Popen(
        [sys.executable, "-m", "scenograph", "serve", "--port", "0", "--until-stdin-closes"],
        cwd=tmp_path,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert server.stdin
    assert server.stdout
    with server:
        try:
            address = server.stdout.readline().decode().split()[-1]
            scene: dict[str, object] = {
                "schemaVersion": "0.1",
                "diagramFamily": "architecture",
                "scene": {"id": "small", "units": "px", "canvas": {}},
                "elements": [{"id": "a", "kind": "node", "label": "A"}],
            }
            asked = urllib.request.Request(  # noqa: S310 - our own address
                f"{address}/v1/scenes/render",
                json.dumps({"scene": scene, "format": "svg"}).encode(),
                {"Content-Type": "application/json"},
            )
            with urllib.request.urlopen(asked, timeout=60) as reply:  # noqa: S310
                assert b"<svg" in reply.read()
        finally:
            server.stdin.close()
        assert server.wait(30) == 0


def test_doctor_tells_what_the_system_lacks_and_finds_the_local_service(
    environment: dict[str, str], tmp_path: Path
) -> None:
    said = command(environment, tmp_path, "doctor", "--local").splitlines()
    lacks = [line for line in said if line.startswith("warn  system: ")]
    assert [any(word in line for line in lacks) for word in ("memory", "open files", "slower", "EXPORT_DIR")] == [
        True
    ] * 4
    assert any(line.startswith("ok    render") for line in said)


@pytest.mark.skipif(sys.platform != "linux", reason="of Linux")
def test_linux_lacks_nothing() -> None:
    assert list(missing()) == []
