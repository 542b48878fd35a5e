"""The tool server over its two transports, until the host is done. Standard output belongs to the protocol alone."""

from __future__ import annotations

import signal
import socket
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
import uvicorn
from mcp.server import Server
from mcp.server.transport_security import TransportSecuritySettings
from starlette.applications import Starlette

from scenograph.late_dataclasses import replace
from scenograph.mcp.api_client import Api, is_loopback, open_client, without_user
from scenograph.mcp.local_service import local_service
from scenograph.mcp.server import build
from scenograph.mcp.standard_streams import standard_streams
from scenograph.settings import Settings

HTTP_PATH = "/mcp"


def serve_stdio(settings: Settings, *, local: bool) -> None:
    """Answer on standard input and output until the host closes them."""
    if hasattr(signal, "SIGINT"):
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # a reading thread would otherwise hold the process
    anyio.run(_stdio, settings, local)


def serve_http(settings: Settings, host: str, listener: socket.socket, *, local: bool) -> None:
    """Answer streamable HTTP at HTTP_PATH of a socket that listens on `host`, until SIGTERM or SIGINT."""
    anyio.run(_http, settings, local, host, listener)


@asynccontextmanager
async def service(settings: Settings, *, local: bool) -> AsyncGenerator[Api]:
    """The service that the settings name, or one that is started for as long as the context lasts."""
    if local:
        async with local_service(settings) as started, opened(started.address, started.key) as api:
            yield replace(api, why_lost=started.why_lost)
        return
    key = settings.service_api_key
    async with opened(settings.service_api_url, key.get_secret_value() if key else None) as api:
        yield api


@asynccontextmanager
async def opened(address: str, key: str | None) -> AsyncGenerator[Api]:
    """A connection to a service that runs."""
    async with open_client(address) as http:
        yield Api(http, without_user(address), key)


async def _stdio(settings: Settings, local: bool) -> None:  # noqa: FBT001 - anyio hands on positions only
    async with service(settings, local=local) as api:
        server = build(replace(api, export_dir=_export_dir(settings)))
        async with standard_streams() as (incoming, outgoing):
            await server.run(incoming, outgoing, server.create_initialization_options())


def _export_dir(settings: Settings) -> Path | None:
    """Where the agent may write, its links resolved once at the start."""
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
    """The application that speaks streamable HTTP; on a loopback address it refuses foreign Host and Origin headers, so
    that no web page reaches it under a name of its own."""
    return server.streamable_http_app(
        streamable_http_path=HTTP_PATH, host=host, transport_security=_guard(host, port) if is_loopback(host) else None
    )


def _guard(host: str, port: int) -> TransportSecuritySettings:
    own = f"[{host}]" if ":" in host else host
    hosts = [f"{name}:{port}" for name in dict.fromkeys(("127.0.0.1", "localhost", "[::1]", own))]
    return TransportSecuritySettings(allowed_hosts=hosts, allowed_origins=[f"http://{name}" for name in hosts])
