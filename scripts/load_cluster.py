# ruff: noqa: T201, S603, INP001 (it runs nginx, and reports to whoever runs it)
"""Load on three servers with one PostgreSQL and one Redis behind nginx, one server killed in the middle.

    uv run python scripts/load_cluster.py --seconds 30 --callers 12

Callers read, edit, draw, and look at published pictures. Prints calls a second, p50, p95 and errors of each; ends with
1 when an acknowledged edit is lost, or a call fails that the kill does not explain. The callers take their share of the
machine: the figures compare versions on one machine, and are no measure of the servers alone.
"""

from __future__ import annotations

import itertools
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import NamedTuple

from chaos.scenes import Broken, document, percentile, require, signature_of, signed
from cyclopts import App
from local_servers.calling import Caller
from local_servers.postgres import running_postgres
from local_servers.redis import running_redis
from local_servers.service import HEADERS, running_services

SERVERS = 3
PATIENCE = 20.0  # seconds of a call, and for nginx to start
CUT_OFF = frozenset({0, 502, 504})  # a call that the killed server had; 0 is a connection that broke
NO_ROOM, DRAWN = 503, frozenset({"draw", "look"})  # a picture that the engine has no time for is refused
SETTINGS = {
    "TRUSTED_PROXIES": "127.0.0.1",
    "PUBLIC_RATE_LIMIT_RPM": "0",
    "PAGES_PER_MINUTE": "0",
    "ENGINE_SECONDS": "0",
}
NGINX = """
daemon off;
worker_processes 1;
pid {folder}/nginx.pid;
error_log {folder}/nginx.log;
events {{ worker_connections 512; }}
http {{
    access_log off;
    client_body_temp_path {folder}/bodies;
    proxy_temp_path {folder}/replies;
    upstream scenograph {{ {servers} keepalive 16; }}
    server {{
        listen 127.0.0.1:{port};
        location / {{
            proxy_pass http://scenograph;
            proxy_http_version 1.1;
            proxy_set_header Connection "";
            proxy_set_header Host $http_host;
            proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
            proxy_connect_timeout 2s;
            client_max_body_size 2m;
        }}
    }}
}}
"""

app = App(name="load_cluster", help="Load on three servers behind nginx, one killed in the middle.")


class Call(NamedTuple):
    """What was called, when it began and how long it took (s), and its status."""

    kind: str
    began: float
    seconds: float
    status: int


class Loaded(NamedTuple):
    """All calls, the moment of the kill, and the acknowledged edits, all of them found again."""

    calls: Sequence[Call]
    killed_at: float
    edits: int


@app.default
def main(seconds: float = 30.0, callers: int = 12) -> None:
    """Print the table of a run."""
    loaded = load(seconds, callers)
    for title, calls in (
        ("before the kill", [call for call in loaded.calls if call.began < loaded.killed_at]),
        ("after it", [call for call in loaded.calls if call.began >= loaded.killed_at]),
    ):
        print(title)
        for kind in KINDS:
            of_kind = [call for call in calls if call.kind == kind]
            taken = [call.seconds * 1000 for call in of_kind]
            failed = Counter(call.status for call in of_kind if call.status not in {200, 409})
            told = ", ".join(f"{number} x {status or 'cut'}" for status, number in failed.items()) or "none"
            rate = len(of_kind) / (seconds / 2)
            p50, p95 = percentile(taken, 50), percentile(taken, 95)
            print(f"  {kind:<10}{rate:7.1f} a second   p50 {p50:7.1f} ms   p95 {p95:7.1f} ms   errors: {told}")
    print(f"{loaded.edits} acknowledged edits, none lost")


def load(seconds: float, callers: int) -> Loaded:
    """Run so many callers, a quarter of each kind; kill a server after half of the time. Broken when an acknowledged
    edit is lost, or a call fails otherwise than by the kill."""
    with (
        tempfile.TemporaryDirectory() as name,
        running_postgres() as postgres,
        running_redis() as redis,
        running_services(
            SERVERS, Path(name), DATABASE_URL=postgres.database(), RATE_LIMIT_URL=redis, **SETTINGS
        ) as servers,
        running_nginx([server.url for server in servers], Path(name)) as url,
    ):
        load = _Load(url)
        load.prepare(callers)
        end = time.monotonic() + seconds
        with ThreadPoolExecutor(callers) as pool:
            running = [pool.submit(load.work, number, end) for number in range(callers)]
            threading.Event().wait(seconds / 2)
            killed_at = time.monotonic()
            servers[0].process.kill()
            for one in running:
                one.result()
        wrong = Counter(
            (call.kind, call.status)
            for call in load.calls
            if call.status not in {200, 409}
            and not (call.status == NO_ROOM and call.kind in DRAWN)
            and (call.status not in CUT_OFF or call.began + call.seconds < killed_at)
        )
        require(not wrong, f"calls failed that the kill does not explain: {dict(wrong)}")
        return Loaded(load.calls, killed_at, load.check())


@contextmanager
def running_nginx(servers: Sequence[str], folder: Path) -> Iterator[str]:
    """The address of an nginx before the servers. FileNotFoundError where none is installed."""
    program = shutil.which("nginx", path="/usr/sbin:/usr/bin:/usr/local/bin")
    if program is None:
        raise FileNotFoundError("nginx is not installed; on Debian: apt-get install nginx-light")
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    behind = " ".join(f"server {url.removeprefix('http://')};" for url in servers)
    configuration = folder / "nginx.conf"
    configuration.write_text(NGINX.format(folder=folder, servers=behind, port=port))
    with subprocess.Popen([program, "-c", configuration], stderr=subprocess.DEVNULL) as process:
        try:
            until = time.monotonic() + PATIENCE
            while True:
                with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
                    break
                require(time.monotonic() < until and process.poll() is None, "nginx does not start")
                time.sleep(0.02)
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()


class _Load:
    """The callers' scenes, what they called, and the edits that were acknowledged."""

    def __init__(self, url: str) -> None:
        self.calls: list[Call] = []
        self._url = url
        self._edits: dict[tuple[str, int], str] = {}  # by scene and revision: who wrote it

    def prepare(self, callers: int) -> None:
        """A scene for each caller; the first is published."""
        with Caller(self._url) as caller:
            for number in range(callers):
                require(
                    caller.call("POST", "/v1/scenes", document(f"own{number}"))[0] == 201, "a scene was not created"
                )
            require(caller.call("POST", "/v1/scenes/own0/publish")[0] == 200, "a scene was not published")

    def work(self, number: int, end: float) -> None:
        """Call one kind of thing until the end."""
        kind, act = list(KINDS.items())[number % len(KINDS)]
        connection = Caller(self._url)
        for turn in itertools.count():
            began = time.monotonic()
            if began > end:
                break
            try:
                status = act(self, connection, f"own{number}", turn)
            except (OSError, HTTPException):
                status = 0
                connection.close()
            self.calls.append(Call(kind, began, time.monotonic() - began, status))
        connection.close()

    def read(self, server: Caller, scene: str, _turn: int) -> int:
        """A stored scene."""
        return server.call("GET", f"/v1/scenes/{scene}")[0]

    def edit(self, server: Caller, scene: str, turn: int) -> int:
        """An edit of the revision that the scene has; what is not answered is looked for before the next."""
        signature = f"turn {turn}"
        base = max((revision for name, revision in self._edits if name == scene), default=1)
        status, said = server.call("POST", f"/v1/scenes/{scene}/applyOps", signed(scene, base, signature))
        if status == 409:  # an edit that was not answered is stored
            self._edits[scene, said["currentRevision"]] = f"turn {turn - 1}"
        elif status == 200:
            self._edits[scene, said["revision"]] = signature
        return status

    def draw(self, server: Caller, scene: str, turn: int) -> int:
        """A picture that nobody has drawn."""
        shown = document(scene)
        shown["elements"][0]["label"] = f"turn {turn} of {scene}"
        return server.call("POST", "/v1/scenes/render", {"scene": shown})[0]

    def look(self, _server: Caller, _scene: str, _turn: int) -> int:
        """A published picture, over a connection of its own, as of a browser."""
        host = self._url.removeprefix("http://")
        connection = HTTPConnection(host, timeout=PATIENCE)
        try:
            connection.request("GET", "/s/own0.svg")
            reply = connection.getresponse()
            reply.read()
            return reply.status
        finally:
            connection.close()

    def check(self) -> int:
        """How many edits were acknowledged; Broken when one is lost or is another's."""
        with Caller(self._url, HEADERS) as caller:
            for (scene, revision), signature in self._edits.items():
                _, read = caller.call("GET", f"/v1/scenes/{scene}?revision={revision}")
                found = signature_of(read["scene"]) if "scene" in read else "nothing"
                require(
                    found == signature, f"revision {revision} of {scene} holds {found}; {signature} was acknowledged"
                )
        return len(self._edits)


KINDS: dict[str, Callable[[_Load, Caller, str, int], int]] = {
    "read": _Load.read,
    "edit": _Load.edit,
    "draw": _Load.draw,
    "look": _Load.look,
}


if __name__ == "__main__":
    try:
        app()
    except Broken as broken:
        sys.exit(f"BROKEN: {broken}")
