"""The tool server over its two transports, until the host is done. Standard output belongs to the protocol alone."""

from __future__ import annotations

import json
import os
import re
import secrets
import signal
import socket
import subprocess
import sys
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager, suppress
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Any, cast

import anyio
import uvicorn
from anyio.abc import Process
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.server import Server
from mcp.server.stdio import stdio_server
from mcp.server.transport_security import TransportSecuritySettings
from mcp.shared.message import SessionMessage
from mcp_types import INVALID_REQUEST, PARSE_ERROR, ErrorData, JSONRPCError, JSONRPCRequest, JSONRPCResponse
from pydantic import Field, TypeAdapter, ValidationError
from starlette.applications import Starlette

from scenograph.late_dataclasses import dataclass, replace
from scenograph.mcp.api_client import FALLEN, RESTARTED, Api, Refusal, is_loopback, open_client, without_user
from scenograph.mcp.server import build
from scenograph.operating_system import FORKS
from scenograph.settings import SQLITE_PREFIX, Settings, data_folder, environment_with

# Adapters between the SDK's stdio transport and the protocol server. The SDK passes an unreadable line on as an
# exception without an answer, and a host would wait for ever; here every malformed line gets an answer. The SDK also
# drops running calls at the end of the input, which would leave slow calls of `scenograph mcp < messages` unanswered;
# here the end of the input ends no running call.


DRAIN_SECONDS = 10.0  # the time limit of a render
MOST_DIGITS, MOST_ID = 18, 200
_OUTERMOST = 2  # the attempted form, and the member
_CANCELLED = "notifications/cancelled"
_NOT_JSON = "This line cannot be read as JSON. Send one message a line: valid UTF-8, no deep nesting, no huge numbers."
_NOT_A_MESSAGE = (
    "This line is not a JSON-RPC 2.0 message. Send one object a line: jsonrpc, method and, in a request, id."
)

Incoming = SessionMessage | Exception
Id = int | str


class _Pending:
    """The requests awaiting answers."""

    def __init__(self) -> None:
        self._ids = set[Id]()
        self._none = anyio.Event()

    def begun(self, message: Any) -> None:
        """A message came in."""
        if isinstance(message, JSONRPCRequest):
            self._ids.add(message.id)
        elif getattr(message, "method", "") == _CANCELLED:  # nobody waits for that answer any more
            params = cast("dict[str, Any]", getattr(message, "params", None) or {})
            self._over(params.get("requestId"))

    def answered(self, message: Any) -> None:
        """A message goes out."""
        if isinstance(message, JSONRPCResponse | JSONRPCError):
            self._over(message.id)

    async def drained(self) -> None:
        """Return when nothing waits, after DRAIN_SECONDS at the latest."""
        with anyio.move_on_after(DRAIN_SECONDS):
            while self._ids:
                self._none = anyio.Event()
                await self._none.wait()

    def _over(self, request_id: Any) -> None:
        if isinstance(request_id, int | str):
            self._ids.discard(request_id)
        if not self._ids:
            self._none.set()


@asynccontextmanager
async def standard_streams() -> AsyncGenerator[
    tuple[MemoryObjectReceiveStream[Incoming], MemoryObjectSendStream[SessionMessage]]
]:
    """The streams for a server over standard input and output."""
    async with stdio_server() as (given, taken), anyio.create_task_group() as tasks:
        to_server, incoming = anyio.create_memory_object_stream[Incoming]()
        outgoing, from_server = anyio.create_memory_object_stream[SessionMessage]()
        pending = _Pending()

        async def read() -> None:
            async with to_server:
                async for item in given:
                    if isinstance(item, Exception):
                        await outgoing.send(SessionMessage(answer_to(item)))
                        continue
                    pending.begun(item.message)
                    await to_server.send(item)
                await pending.drained()

        async def write() -> None:
            async with taken, from_server:
                async for item in from_server:
                    await taken.send(item)
                    pending.answered(item.message)

        tasks.start_soon(read)
        tasks.start_soon(write)
        yield incoming, outgoing
        await outgoing.aclose()


def answer_to(fault: Exception) -> JSONRPCError:
    """The answer to a malformed line, with the id of its request if recognizable."""
    is_refused = isinstance(fault, ValidationError)
    rows: list[Any] = list(fault.errors(include_url=False, include_context=False)) if is_refused else []
    unreadable = not rows or rows[0]["type"] == "json_invalid"
    found = _leniently(rows[0]["input"]) if rows and unreadable else _whole(rows)
    error = ErrorData(
        code=PARSE_ERROR if unreadable else INVALID_REQUEST, message=_NOT_JSON if unreadable else _NOT_A_MESSAGE
    )
    return JSONRPCError(jsonrpc="2.0", id=_id_of(found), error=error)


def _whole(rows: list[Any]) -> Any:
    """The refused message: an error about a missing member reports the whole message."""
    return next((row["input"] for row in rows if row["type"] == "missing" and len(row["loc"]) == _OUTERMOST), None)


def _leniently(line: Any) -> Any:
    """The JSON of a line refused by the strict reader; None if not JSON at all."""
    try:
        return json.loads(line, parse_int=lambda digits: int(digits) if len(digits) <= MOST_DIGITS else None)
    except (ValueError, TypeError, RecursionError):
        return None


def _id_of(found: Any) -> Id | None:
    given = cast("dict[str, Any]", found).get("id") if isinstance(found, dict) else None
    if isinstance(given, str):
        return given if len(given) <= MOST_ID and given.encode("utf-8", "replace").decode() == given else None
    return given if isinstance(given, int) and not isinstance(given, bool) else None


# `--local`: the service itself as a child process, on a loopback port, for a user of this machine. A database keeps
# its port between starts if free: addresses shown before stay valid. The child ends with its parent, however the
# parent ends, when its standard input closes. Scenes are stored in the file of DATABASE_URL, by default scenograph.db
# in the current folder, or in the user's data folder if the current folder is not writable (hosts start their servers
# anywhere). The key is the operator's, made once for each user. A killed child (out of memory, by a user) is
# restarted, a limited number of times. A child that ends by itself is not, since the next would end too.


LOOPBACK = "127.0.0.1"
_STOP_SECONDS = 25
_MOST_RESTARTS = 5
_KEY_FILE = "local.key"
_PORTS_FILE = "local-ports.json"
_MOST_PORTS = 100  # databases with a remembered port, the latest ones
_DATABASE_FILE = "scenograph.db"
KEY_FORM = re.compile(r"dsp_sk_[0-9a-f]{32}")
UNLIMITED = {
    "rate_limit_rpm": "RATE_LIMIT_RPM",
    "public_rate_limit_rpm": "PUBLIC_RATE_LIMIT_RPM",
    "max_scenes": "MAX_SCENES",
    "max_stored_bytes": "MAX_STORED_BYTES",
}
COMMAND = (sys.executable, "-P", "-m", "scenograph", "serve", "--until-stdin-closes")
START_SECONDS = 30.0
_ASKED_EVERY = 0.05  # seconds


@dataclass(slots=True)
class LocalService:
    """A running service: address, key and state. `restarts` counts its restarts; `end` is its exit status
    after the end."""

    address: str
    key: str
    restarts: int = 0
    end: int | None = None

    def why_lost(self) -> Refusal:
        """The refusal of an unanswered call."""
        if self.end is None:
            return Refusal(code=RESTARTED, sentence="The local service ended while it was asked; it is started again.")
        return Refusal(code=FALLEN, sentence=f"The local service ended by itself (exit status {self.end}).")


@asynccontextmanager
async def local_service(settings: Settings) -> AsyncGenerator[LocalService]:
    """A service for the duration of the context. It inherits a listening socket: calls during its start wait there for
    their answers, and the host need not wait. Where children inherit no socket, the service listens itself, and is
    waited for."""
    key = _local_key(settings)
    with _listener(database_url(settings)) as listener:
        kept = LocalService(f"http://{LOOPBACK}:{listener.getsockname()[1]}", key)
        environment = _environment(settings, key)
        first = await _started(listener, environment)
        async with anyio.create_task_group() as group:
            group.start_soon(_keep, kept, first, listener, environment)
            try:
                yield kept
            finally:
                group.cancel_scope.cancel()


def _listener(database: str) -> socket.socket:
    """A socket on the last port of this database, or on a free port, remembered from now on. A port taken for now stays
    remembered."""
    name, ports = _full_name(database), _known_ports()
    if name in ports:
        with suppress(OSError):
            return socket.create_server((LOOPBACK, ports[name]))
    listener = socket.create_server((LOOPBACK, 0))
    if name not in ports:
        latest = [*ports.items(), (name, listener.getsockname()[1])][-_MOST_PORTS:]
        with suppress(OSError):  # without a home the port lives as long as this process
            file = data_folder() / _PORTS_FILE
            file.parent.mkdir(parents=True, exist_ok=True)
            beside = file.with_suffix(f".{os.getpid()}")
            beside.write_text(json.dumps(dict(latest)), "ascii")
            beside.replace(file)
    return listener


def _full_name(database: str) -> str:
    """A mark of a database, equal from every folder, without information about its address."""
    file = database.removeprefix(SQLITE_PREFIX)
    return sha256((str(Path(file).absolute()) if file != database else database).encode()).hexdigest()


def _known_ports() -> dict[str, int]:
    """The remembered ports by database; empty for a file of foreign form."""
    with suppress(OSError, ValueError):
        return TypeAdapter(dict[str, Annotated[int, Field(ge=1024, le=65535)]]).validate_json(
            (data_folder() / _PORTS_FILE).read_bytes()
        )
    return {}


async def _keep(kept: LocalService, process: Process, listener: socket.socket, environment: Mapping[str, str]) -> None:
    """Keep a child running until cancelled. Calls between two children wait at the listener."""
    try:
        while True:
            end = await process.wait()
            if end >= 0 or kept.restarts == _MOST_RESTARTS:  # killed children end below 0, on systems with signals
                kept.end = end
                listener.close()  # no caller waits for an answer that never comes
                return
            kept.restarts += 1
            process = await _started(listener, environment)
    finally:
        await _stopped(process)


async def _started(listener: socket.socket, environment: Mapping[str, str]) -> Process:
    if FORKS:
        return await _child(environment, "--listener", str(listener.fileno()), inherited=(listener.fileno(),))
    port = listener.getsockname()[1]
    listener.close()
    process = await _child(environment, "--host", LOOPBACK, "--port", str(port))
    with anyio.move_on_after(START_SECONDS):
        while process.returncode is None and not await _is_open(port):
            await anyio.sleep(_ASKED_EVERY)
    return process


async def _child(environment: Mapping[str, str], *options: str, inherited: tuple[int, ...] = ()) -> Process:
    return await anyio.open_process(
        (*COMMAND, *options),
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=None,  # its words stand among this server's own
        env=environment,
        pass_fds=inherited,
    )


async def _is_open(port: int) -> bool:
    """Whether the port takes a connection."""
    with suppress(OSError):
        async with await anyio.connect_tcp(LOOPBACK, port):
            return True
    return False


def database_url(settings: Settings) -> str:
    """The database of the local service."""
    if "database_url" in settings.model_fields_set or _is_writable(Path.cwd()):
        return settings.database_url
    folder = data_folder()
    folder.mkdir(parents=True, exist_ok=True)
    return f"{SQLITE_PREFIX}{folder / _DATABASE_FILE}"


def _local_key(settings: Settings) -> str:
    """The operator's key: named by the settings, else the user's own, made when missing."""
    named = settings.bootstrap_api_key or settings.service_api_key
    if named:
        return named.get_secret_value()
    file = data_folder() / _KEY_FILE
    with suppress(OSError):
        kept = file.read_text("ascii", errors="replace").strip()
        if KEY_FORM.fullmatch(kept):
            return kept
    key = f"dsp_sk_{secrets.token_hex(16)}"
    with suppress(OSError):  # without a home the key lives as long as this process
        file.parent.mkdir(parents=True, exist_ok=True)
        _write_privately(file, key)
    return key


def _write_privately(file: Path, key: str) -> None:
    """For this user's eyes only, from the first moment."""
    descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with open(descriptor, "w", encoding="ascii") as opened:  # noqa: PTH123 - a descriptor
        opened.write(key)


def _environment(settings: Settings, key: str) -> dict[str, str]:
    """The child's: as this process's, without limits unless some were set."""
    changes = {
        "BOOTSTRAP_API_KEY": key,
        "DATABASE_URL": database_url(settings),
        "AUTH_DISABLED": "",
        **{variable: "0" for name, variable in UNLIMITED.items() if name not in settings.model_fields_set},
    }
    if "log_level" not in settings.model_fields_set:
        changes["LOG_LEVEL"] = "warning"
    return environment_with(**changes)


async def _stopped(process: Process) -> None:
    """Let the process finish running calls, then make sure of its end."""
    with anyio.CancelScope(shield=True):
        if process.stdin:
            await process.stdin.aclose()
        with anyio.move_on_after(_STOP_SECONDS):
            await process.wait()
        if process.returncode is None:
            process.kill()
            await process.wait()
        await process.aclose()


def _is_writable(folder: Path) -> bool:
    return os.access(folder, os.W_OK | os.X_OK)


HTTP_PATH = "/mcp"


def serve_stdio(settings: Settings, *, local: bool) -> None:
    """Answer on standard input and output until the host closes them."""
    if hasattr(signal, "SIGINT"):
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # a reading thread would otherwise block the exit
    anyio.run(_stdio, settings, local)


def serve_http(settings: Settings, host: str, listener: socket.socket, *, local: bool) -> None:
    """Answer streamable HTTP at HTTP_PATH of a socket listening on `host`, until SIGTERM or SIGINT."""
    anyio.run(_http, settings, local, host, listener)


@asynccontextmanager
async def service(settings: Settings, *, local: bool) -> AsyncGenerator[Api]:
    """The service named by the settings, or a local service for the duration of the context."""
    if local:
        async with local_service(settings) as started, opened(started.address, started.key) as api:
            yield replace(api, why_lost=started.why_lost)
        return
    key = settings.service_api_key
    async with opened(settings.service_api_url, key.get_secret_value() if key else None) as api:
        yield api


@asynccontextmanager
async def opened(address: str, key: str | None) -> AsyncGenerator[Api]:
    """A connection to a running service."""
    async with open_client(address) as http:
        yield Api(http, without_user(address), key)


async def _stdio(settings: Settings, local: bool) -> None:  # noqa: FBT001 - anyio hands on positions only
    async with service(settings, local=local) as api:
        server = build(replace(api, export_dir=_export_dir(settings)))
        async with standard_streams() as (incoming, outgoing):
            await server.run(incoming, outgoing, server.create_initialization_options())


def _export_dir(settings: Settings) -> Path | None:
    """The writable folder of the agent, with links resolved once at the start."""
    return None if settings.export_dir is None else settings.export_dir.expanduser().resolve()


async def _http(settings: Settings, local: bool, host: str, listener: socket.socket) -> None:  # noqa: FBT001
    async with service(settings, local=local) as api:
        server = build(api, lend_key=is_loopback(host))
        config = uvicorn.Config(
            http_app(server, host, listener.getsockname()[1]),
            log_config=None,
            access_log=False,
            server_header=False,
            ws="none",
            lifespan="on",
        )
        await uvicorn.Server(config).serve(sockets=[listener])


def http_app(server: Server[object], host: str, port: int) -> Starlette:
    """The application for streamable HTTP. On a loopback address it refuses foreign Host and Origin headers: no web
    page reaches it by DNS rebinding."""
    return server.streamable_http_app(
        streamable_http_path=HTTP_PATH, host=host, transport_security=_guard(host, port) if is_loopback(host) else None
    )


def _guard(host: str, port: int) -> TransportSecuritySettings:
    own = f"[{host}]" if ":" in host else host
    hosts = [f"{name}:{port}" for name in dict.fromkeys(("127.0.0.1", "localhost", "[::1]", own))]
    return TransportSecuritySettings(allowed_hosts=hosts, allowed_origins=[f"http://{name}" for name in hosts])
