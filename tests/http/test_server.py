"""A real server process on a real socket: what an operator's signals do to it, and to what it has acknowledged."""

from __future__ import annotations

import json
import os
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.client import HTTPConnection
from pathlib import Path
from typing import Any, NamedTuple

import httpx2
import pytest
from local_servers import PATIENCE
from tests.servers import ended

from scenograph.http.server import address_of, listen

KEY = "dsp_sk_" + "5" * 32
HEADERS = {"Authorization": f"Bearer {KEY}"}


class Server(NamedTuple):
    """A running service."""

    process: subprocess.Popen[str]
    url: str
    log: Path

    @property
    def address(self) -> tuple[str, int]:
        host, port = self.url.removeprefix("http://").split(":")
        return host, int(port)


@contextmanager
def serving(folder: Path, **environment: str) -> Iterator[Server]:
    log = folder / "log"
    chosen = {
        "PORT": "0",
        "DATABASE_URL": f"sqlite:///{folder / 'scenes.db'}",
        "BOOTSTRAP_API_KEY": KEY,
        "RENDER_WORKERS": "1",
        "RATE_LIMIT_RPM": "0",
        "LOG_FORMAT": "json",
    }
    command = [sys.executable, "-m", "scenograph", "serve"]
    with (
        log.open("w") as errors,
        subprocess.Popen(
            command, env=os.environ | chosen | environment, stdout=subprocess.PIPE, stderr=errors, text=True
        ) as process,
    ):
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            assert line.startswith("Scenograph listens on http://127.0.0.1:"), log.read_text()
            yield Server(process, line.split()[-1], log)
        finally:
            process.kill()


def document(scene_id: str) -> dict[str, Any]:
    return {
        "schemaVersion": "0.1",
        "diagramFamily": "architecture",
        "scene": {"id": scene_id, "units": "px", "canvas": {}},
        "elements": [{"id": "a", "kind": "node", "label": "A"}],
    }


def batch(scene_id: str, base: int) -> dict[str, Any]:
    op = {"op": "updateNode", "id": "a", "label": f"after {base}"}
    return {"schemaVersion": "0.1", "sceneId": scene_id, "baseRevision": base, "ops": [op]}


def refuses_connections(address: tuple[str, int], seconds: float = PATIENCE) -> bool:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        with suppress(ConnectionResetError):
            try:
                socket.create_connection(address, timeout=1).close()
            except ConnectionRefusedError:
                return True
        select.select([], [], [], 0.01)
    return False


def test_what_was_acknowledged_survives_a_sigkill(tmp_path: Path) -> None:
    with serving(tmp_path) as server, httpx2.Client(base_url=server.url, headers=HEADERS, timeout=30) as client:
        assert client.post("/v1/scenes", json=document("kept")).status_code == 201
        for base in range(1, 6):
            assert client.post("/v1/scenes/kept/applyOps", json=batch("kept", base)).status_code == 200
        server.process.kill()
        server.process.wait(PATIENCE)
    with serving(tmp_path) as server, httpx2.Client(base_url=server.url, headers=HEADERS, timeout=30) as client:
        read = client.get("/v1/scenes/kept").json()
        assert (read["revision"], read["scene"]["elements"][0]["label"]) == (6, "after 5")
        assert client.post("/v1/scenes/kept/applyOps", json=batch("kept", 6)).status_code == 200


@pytest.mark.cold
def test_sigterm_lets_a_running_request_finish_and_takes_no_new_one(tmp_path: Path) -> None:
    body = json.dumps(document("drained")).encode()
    head = (
        f"POST /v1/scenes HTTP/1.1\r\nHost: [::1]\r\nAuthorization: Bearer {KEY}\r\nContent-Type: application/json\r\n"
        f"Content-Length: {len(body)}\r\n\r\n"
    ).encode()
    with serving(tmp_path) as server, socket.create_connection(server.address, timeout=20) as slow:
        slow.sendall(head + body[:20])
        assert httpx2.get(f"{server.url}/health", timeout=30).status_code == 200  # so the other request has begun
        server.process.terminate()
        assert refuses_connections(server.address)
        assert server.process.poll() is None
        slow.sendall(body[20:])
        reply = slow.makefile("rb").readline()
        assert reply == b"HTTP/1.1 201 Created\r\n"
        assert server.process.wait(PATIENCE) == 0


STOPPED_WHILE_PREPARING = """
import os, signal, threading
from scenograph.http.app import create_app
from scenograph.http.server import ServerRules, listen, serve
from scenograph.settings import Settings
from scenograph.wiring import build

stopped = threading.Event()

def prepare():
    os.kill(os.getpid(), signal.SIGTERM)
    stopped.wait()
    print(sum(range(10_000_000)))

if __name__ == "__main__":
    services = build(Settings())
    serve(create_app(services), listen("127.0.0.1", 0), ServerRules(), prepare=prepare)
    services.close()
    stopped.set()
"""


def test_a_preparation_that_a_stop_meets_is_ended_and_not_broken_off(tmp_path: Path) -> None:
    script = tmp_path / "stopped.py"
    script.write_text(STOPPED_WHILE_PREPARING)
    environment = os.environ | {"DATABASE_URL": f"sqlite:///{tmp_path / 'scenes.db'}", "RENDER_WORKERS": "1"}
    done = subprocess.run(
        [sys.executable, str(script)], env=environment, capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout == f"{sum(range(10_000_000))}\n"


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that outlives what is sent to it."""
    with serving(tmp_path_factory.mktemp("running")) as server:
        yield server


def test_a_client_that_sends_all_before_it_reads_learns_that_its_body_is_too_large(running: Server) -> None:
    headers = {"Content-Type": "application/json", "Connection": "close"}
    connection = HTTPConnection(*running.address, timeout=20)
    connection.request("POST", "/v1/scenes/validate", b" " * (5 << 20), headers)
    reply = connection.getresponse()
    assert (reply.status, json.load(reply)["code"]) == (413, "body_too_large")
    connection.close()


def test_a_body_without_end_is_not_read_for_ever(running: Server) -> None:
    head = b"POST /v1/scenes/validate HTTP/1.1\r\nHost: [::1]\r\nContent-Length: 99999999\r\n\r\n"
    with socket.create_connection(running.address, timeout=20) as endless:
        endless.sendall(head + b" " * 100)
        with endless.makefile("rb") as reply:
            assert reply.readline() == b"HTTP/1.1 413 Request Entity Too Large\r\n"
            assert reply.read(), "the connection must be closed after the reply"


def test_a_body_that_does_not_arrive_is_not_waited_for_and_the_connection_is_closed(tmp_path: Path) -> None:
    head = (
        b"POST /v1/scenes/validate HTTP/1.1\r\nHost: [::1]\r\nContent-Length: 100\r\nX-Request-Id: stalled-one\r\n\r\n"
    )
    with (
        serving(tmp_path, BODY_TIMEOUT_SECONDS="0.2") as server,
        socket.create_connection(server.address, timeout=20) as stalled,
    ):
        stalled.sendall(head + b"{")
        with stalled.makefile("rb") as reply:
            assert reply.readline() == b"HTTP/1.1 408 Request Timeout\r\n"
            body = reply.read().partition(b"\r\n\r\n")[2]
        said = {"code": "request_timeout", "error": "The body did not arrive within 0.2 s.", "requestId": "stalled-one"}
        assert json.loads(body) == said


def test_what_is_no_http_gets_our_refusal_and_the_connection_is_closed(running: Server) -> None:
    for malformed in (b"hello\r\n\r\n", b"GET /health HTTP/1.1\r\nHost: [::1]\r\nContent-Length: many\r\n\r\n"):
        with socket.create_connection(running.address, timeout=20) as connection:
            connection.sendall(malformed)
            with connection.makefile("rb") as reply:
                head, _, body = reply.read().partition(b"\r\n\r\n")
        said = json.loads(body)
        assert head.startswith(b"HTTP/1.1 400 Bad Request\r\n")
        assert f"x-request-id: {said['requestId']}".encode() in head.lower().split(b"\r\n")
        assert said["code"] == "invalid_request"
    assert httpx2.get(f"{running.url}/health", timeout=30).status_code == 200


def descendants(pid: int) -> list[int]:
    children = [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    return children + [one for child in children for one in descendants(child)]


@pytest.mark.cold
def test_an_idle_server_stops_on_ctrl_c_leaves_no_process_behind_and_has_logged_json(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        reply = httpx2.post(
            f"{server.url}/v1/scenes/render", json={"scene": document("x")}, headers=HEADERS, timeout=30
        )
        assert reply.status_code == 200
        workers = descendants(server.process.pid)
        assert workers
        server.process.send_signal(signal.SIGINT)
        assert server.process.wait(PATIENCE) == 0
        assert all(ended(pid) for pid in workers)
    lines = [json.loads(line) for line in server.log.read_text().splitlines()]
    [line] = [line for line in lines if line["event"] == "request"]
    assert (line["status"], line["path"]) == (200, "/v1/scenes/render")
    assert line["request_id"] == reply.headers["x-request-id"]
    assert KEY not in server.log.read_text()


def test_disabled_authentication_is_announced_loudly(tmp_path: Path) -> None:
    with serving(tmp_path, AUTH_DISABLED="true") as server:
        assert httpx2.post(f"{server.url}/v1/scenes", json=document("x"), timeout=30).status_code == 201
    assert "!!! AUTH_DISABLED=true" in server.log.read_text()


def test_connections_send_small_replies_without_delay() -> None:
    with listen("127.0.0.1", 0) as listener:
        assert address_of(listener) == f"http://127.0.0.1:{listener.getsockname()[1]}"
        with socket.create_connection(listener.getsockname()), listener.accept()[0] as accepted:
            assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


def test_a_taken_port_is_one_line_and_exit_code_2(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        command = [sys.executable, "-m", "scenograph", "serve"]
        done = subprocess.run(
            command, env=os.environ | {"PORT": port}, capture_output=True, text=True, timeout=120, check=False
        )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"Cannot listen on 127.0.0.1:{port}: Address already in use.\n"


BEGUN = """
import sys
import scenograph.workers
from scenograph.cli import app

scenograph.workers.begin_engine_workers = lambda: sys.exit("fastapi" in sys.modules)
app(["serve"])
"""


def test_the_engine_is_imported_beside_the_rest_and_not_after_it() -> None:
    assert subprocess.run([sys.executable, "-c", BEGUN], timeout=60, check=False).returncode == 0
