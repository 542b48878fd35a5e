"""`--local`: the service itself as a child process, on a loopback port, for one user of this machine.

A database keeps its port between starts where that is free, so that addresses told before lead there again.

The child ends with its parent, however that ends: it stops when its standard input closes. Scenes are kept in the
file of DATABASE_URL, by default scenograph.db in the current folder, or in the user's data folder where the current
one cannot be written to (hosts start their servers anywhere). The key is the operator's, made once a user.

A child that was killed (a lack of memory, a user) is started again, some times; one that ends by itself is not: the
next one would, too.
"""

from __future__ import annotations

import json
import os
import re
import secrets
import socket
import subprocess
import sys
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager, suppress
from hashlib import sha256
from pathlib import Path
from typing import Annotated

import anyio
from anyio.abc import Process
from pydantic import Field, TypeAdapter

from scenograph.late_dataclasses import dataclass
from scenograph.mcp.api_client import FALLEN, RESTARTED, Refusal
from scenograph.settings import SQLITE_PREFIX, Settings, data_folder, environment_with

LOOPBACK = "127.0.0.1"
STOP_SECONDS = 25
MOST_RESTARTS = 5
KEY_FILE = "local.key"
PORTS_FILE = "local-ports.json"
MOST_PORTS = 100  # databases whose port is remembered, the latest ones
DATABASE_FILE = "scenograph.db"
KEY_FORM = re.compile(r"dsp_sk_[0-9a-f]{32}")
UNLIMITED = {
    "rate_limit_rpm": "RATE_LIMIT_RPM",
    "public_rate_limit_rpm": "PUBLIC_RATE_LIMIT_RPM",
    "max_scenes": "MAX_SCENES",
    "max_stored_bytes": "MAX_STORED_BYTES",
}
COMMAND = (sys.executable, "-P", "-m", "scenograph", "serve", "--until-stdin-closes", "--listener")


@dataclass(slots=True)
class LocalService:
    """A service that runs: where it answers, the key that it takes, and what became of it.

    `restarts` counts how often it was started again; `end` is its exit status when it is not any more.
    """

    address: str
    key: str
    restarts: int = 0
    end: int | None = None

    def why_lost(self) -> Refusal:
        """What a call is told that got no answer."""
        if self.end is None:
            return Refusal(code=RESTARTED, sentence="The local service ended while it was asked; it is started again.")
        return Refusal(code=FALLEN, sentence=f"The local service ended by itself (exit status {self.end}).")


@asynccontextmanager
async def local_service(settings: Settings) -> AsyncGenerator[LocalService]:
    """A service for as long as the context lasts.

    It is handed a socket that listens already: what is asked while it still starts waits there for its answer, so that
    the host need not wait.
    """
    key = local_key(settings)
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
    """A socket on the port that this database had last, or on a free one, which it has from now on. One that others
    hold for now stays its port."""
    name, ports = _full_name(database), _known_ports()
    if name in ports:
        with suppress(OSError):
            return socket.create_server((LOOPBACK, ports[name]))
    listener = socket.create_server((LOOPBACK, 0))
    if name not in ports:
        latest = [*ports.items(), (name, listener.getsockname()[1])][-MOST_PORTS:]
        with suppress(OSError):  # without a home the port lives as long as this process
            file = data_folder() / PORTS_FILE
            file.parent.mkdir(parents=True, exist_ok=True)
            beside = file.with_suffix(f".{os.getpid()}")
            beside.write_text(json.dumps(dict(latest)), "ascii")
            beside.replace(file)
    return listener


def _full_name(database: str) -> str:
    """A mark of a database that holds in every folder and tells nothing of its address."""
    file = database.removeprefix(SQLITE_PREFIX)
    return sha256((str(Path(file).absolute()) if file != database else database).encode()).hexdigest()


def _known_ports() -> dict[str, int]:
    """The ports by database; none of what another hand has written there."""
    with suppress(OSError, ValueError):
        return TypeAdapter(dict[str, Annotated[int, Field(ge=1024, le=65535)]]).validate_json(
            (data_folder() / PORTS_FILE).read_bytes()
        )
    return {}


async def _keep(kept: LocalService, process: Process, listener: socket.socket, environment: Mapping[str, str]) -> None:
    """See that a child runs until this is cancelled. Calls that come between two of them wait at the listener."""
    try:
        while True:
            end = await process.wait()
            if end >= 0 or kept.restarts == MOST_RESTARTS:
                kept.end = end
                listener.close()  # nobody waits for an answer that does not come
                return
            kept.restarts += 1
            process = await _started(listener, environment)
    finally:
        await _stopped(process)


async def _started(listener: socket.socket, environment: Mapping[str, str]) -> Process:
    return await anyio.open_process(
        (*COMMAND, str(listener.fileno())),
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=None,  # its words stand among this server's own
        env=environment,
        pass_fds=(listener.fileno(),),
    )


def database_url(settings: Settings) -> str:
    """Where the local service keeps its scenes."""
    if "database_url" in settings.model_fields_set or _is_writable(Path.cwd()):
        return settings.database_url
    folder = data_folder()
    folder.mkdir(parents=True, exist_ok=True)
    return f"{SQLITE_PREFIX}{folder / DATABASE_FILE}"


def local_key(settings: Settings) -> str:
    """The operator's key: the one that the settings name, else this user's own, made when missing."""
    named = settings.bootstrap_api_key or settings.service_api_key
    if named:
        return named.get_secret_value()
    file = data_folder() / KEY_FILE
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
    """Let it finish what runs, then see that it is gone."""
    with anyio.CancelScope(shield=True):
        if process.stdin:
            await process.stdin.aclose()
        with anyio.move_on_after(STOP_SECONDS):
            await process.wait()
        if process.returncode is None:
            process.kill()
            await process.wait()
        await process.aclose()


def _is_writable(folder: Path) -> bool:
    return os.access(folder, os.W_OK | os.X_OK)
