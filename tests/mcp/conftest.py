"""The tool server before a real service: a process of its own on a loopback socket, over a SQLite file."""

from __future__ import annotations

import http.server
import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import anyio
import pytest
from local_servers import patience
from mcp.client import Client
from mcp.shared.exceptions import MCPError
from mcp_types import CallToolResult

from scenograph.late_dataclasses import dataclass, field
from scenograph.mcp.running import opened
from scenograph.mcp.server import build
from scenograph.service.accounts import Keys
from scenograph.storage.interface import Account
from scenograph.storage.sqlite import open_sqlite

KEY = "dsp_sk_" + "7" * 32
Document = dict[str, Any]


def run(talk: Callable[[Client], Any], address: str, key: str | None = KEY, mode: str = "auto") -> Any:
    """What `talk` gives for a client of a tool server in this process."""

    async def session() -> Any:
        async with opened(address, key) as api, Client(build(api), mode=mode) as client:
            try:
                return await talk(client)
            except MCPError as refused:  # raised outside, where no task group wraps it
                return refused

    outcome = anyio.run(session)
    if isinstance(outcome, MCPError):
        raise outcome
    return outcome


@dataclass(frozen=True)
class Desk:
    """A tool server before the service at `address`, for the caller with `key`."""

    address: str
    key: str | None = KEY
    mode: str = "auto"

    def ask(self, talk: Callable[[Client], Any]) -> Any:
        return run(talk, self.address, self.key, self.mode)

    def call(self, tool: str, /, **arguments: Any) -> CallToolResult:
        result = self.ask(lambda client: client.call_tool(tool, arguments))
        assert isinstance(result, CallToolResult)
        return result

    def done(self, tool: str, /, **arguments: Any) -> dict[str, Any]:
        """The structured content of a call that succeeds."""
        result = self.call(tool, **arguments)
        assert not result.is_error, text_of(result)
        content: dict[str, Any] = result.structured_content
        return content

    def refused(self, tool: str, /, **arguments: Any) -> str:
        """The text of a call that is refused; it has no structured content, which hosts would check."""
        result = self.call(tool, **arguments)
        assert result.is_error
        assert result.structured_content is None
        return text_of(result)


def text_of(result: CallToolResult) -> str:
    return "\n".join(block.text for block in result.content if block.type == "text")


@dataclass(frozen=True)
class Service:
    """A running service and the file that it keeps scenes in."""

    address: str
    database_url: str


def serving(folder: Path, **environment: str) -> Iterator[Service]:
    """`scenograph serve` as an operator starts it, until the block ends."""
    database_url = f"sqlite:///{folder / 'scenes.db'}"
    chosen = {"PORT": "0", "DATABASE_URL": database_url, "BOOTSTRAP_API_KEY": KEY, "LOG_LEVEL": "error"}
    unlimited = {"RENDER_WORKERS": "1", "RATE_LIMIT_RPM": "0"}
    with subprocess.Popen(
        [sys.executable, "-m", "scenograph", "serve"],
        env=os.environ | chosen | unlimited | environment,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        try:
            with patience(process):
                listens = process.stdout.readline()
            assert listens, f"the service ended with {process.wait(10)}: its reason is on the standard error above"
            yield Service(listens.split()[-1], database_url)
        finally:
            process.terminate()
            with patience(process):
                process.wait()


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    yield from serving(tmp_path_factory.mktemp("service"))


@pytest.fixture(scope="session")
def desk(service: Service) -> Desk:
    return Desk(service.address)


@pytest.fixture(scope="session")
def keyless(service: Service) -> Desk:
    return Desk(service.address, key=None)


@pytest.fixture(scope="session")
def desk_of_another(service: Service) -> Callable[[str, bool], Desk]:
    """Makes an account that is verified or not, and gives its desk."""

    def make(account_id: str, verified: bool) -> Desk:
        now = datetime.now(UTC)
        store = open_sqlite(service.database_url)
        verified_at = now if verified else None
        store.add_account(Account(id=account_id, email=None, email_verified_at=verified_at, role="member"), now)
        secret = Keys(store, lambda: now).create(account_id, "test").key
        store.close()
        return Desk(service.address, key=secret)

    return make


@dataclass
class Recorder:
    """An HTTP server that answers everything alike and remembers who called."""

    address: str = ""
    calls: list[str] = field(default_factory=list)
    status: int = 200
    body: bytes = b"{}"


@pytest.fixture
def recorder() -> Iterator[Recorder]:
    record = Recorder()

    class Handler(http.server.BaseHTTPRequestHandler):
        def answer(self) -> None:
            self.rfile.read(int(self.headers.get("Content-Length") or 0))
            record.calls.append(f"{self.command} {self.path}")
            self.send_response(record.status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(record.body)))
            self.end_headers()
            self.wfile.write(record.body)

        do_GET = do_POST = do_DELETE = answer  # noqa: N815 - the names that http.server calls

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        record.address = f"http://127.0.0.1:{server.server_port}"
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield record
        server.shutdown()
        thread.join()


@pytest.fixture
def document(request: pytest.FixtureRequest) -> Document:
    """A small valid document; its id is the test's own."""
    name = "".join(letter if letter.isalnum() else "-" for letter in request.node.name)[:100]
    return small_document(f"s{name}")


def small_document(scene_id: str) -> Document:
    return {
        "schemaVersion": "0.1",
        "diagramFamily": "architecture",
        "scene": {"id": scene_id, "title": "Checkout", "units": "px", "canvas": {}},
        "elements": [
            {"id": "web", "kind": "node", "nodeType": "client", "label": "Web shop"},
            {"id": "orders", "kind": "node", "nodeType": "service", "label": "Orders"},
            {"id": "e1", "kind": "edge", "from": {"elementId": "web"}, "to": {"elementId": "orders"}},
        ],
    }


@pytest.fixture
def stored(desk: Desk, document: Document) -> str:
    """The id of `document`, stored."""
    return str(desk.done("dsp_create_scene", scene=document)["sceneId"])


def problem(code: str, sentence: str = "A sentence.", **more: Any) -> bytes:
    """The body of a refusal as the service writes it."""
    return json.dumps({"error": sentence, "code": code, "requestId": "r1", **more}).encode()
