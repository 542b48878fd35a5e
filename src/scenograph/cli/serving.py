"""Commands for servers: serve, settings, mcp, doctor."""

# ruff: noqa: PLC0415

from __future__ import annotations

import gc
import os
import signal
import socket
import sys
import threading
from typing import TYPE_CHECKING

import click

from scenograph.cli.terminal import CANNOT_START, REFUSED, leave

if TYPE_CHECKING:
    from scenograph.http.server import ServerRules
    from scenograph.settings import Settings

# Containers, and rounds, between two passes of Python's collector of garbage, instead of 700 and 10. A body of 2 MB may
# hold 700,000 containers, of which no circle is made: looking took nine tenths of the time of a tool call with them.
# Set before the imports: the models of the tool protocol alone cost a tenth of a second of looking.
COLLECTED = (100_000, 20, 100)

_local = click.option("--local", is_flag=True, help="Start the service itself, for as long as this runs.")


@click.command
@click.option(
    "--until-stdin-closes",
    is_flag=True,
    help="Stop as well when standard input closes: for a program that starts it.",
)
@click.option("--listener", type=int, help="The descriptor of a socket that listens already, instead of HOST and PORT.")
@click.option("--host", help="Address to listen on, instead of HOST.")
@click.option("--port", type=int, help="Port to listen on, instead of PORT.")
def serve(*, until_stdin_closes: bool, listener: int | None, host: str | None, port: int | None) -> None:
    """Run the HTTP service until SIGTERM or Ctrl-C.

    Environment variables configure it; `scenograph settings` lists them.
    """
    gc.set_threshold(*COLLECTED)
    chosen = _settings()
    from scenograph.workers import begin_engine_workers

    begin_engine_workers()  # two processes import at once: this takes half a second, and the engine a quarter
    from scenograph.http import logs, server
    from scenograph.http.app import create_app, prepare
    from scenograph.settings import SettingsError
    from scenograph.storage.interface import StorageUnavailable
    from scenograph.wiring import MissingExtra, build

    logs.configure(chosen.log_level, chosen.log_format)
    opened = _listening(host or chosen.host, chosen.port if port is None else port, listener)
    metrics = None if chosen.metrics_port is None else _listening(host or chosen.host, chosen.metrics_port, None)
    if until_stdin_closes:
        _stop_with_stdin()
    try:
        services = build(chosen)
    except (MissingExtra, SettingsError) as refused:
        opened.close()
        leave(str(refused), CANNOT_START)
    except (StorageUnavailable, ValueError) as refused:
        opened.close()
        leave(f"DATABASE_URL: {refused}", CANNOT_START)
    if services.local_caller is None and not services.keys.exist():
        print("There is no API key yet. Make one with: scenograph keys create", file=sys.stderr)
    try:
        address, app = server.address_of(opened), create_app(services)
        server.serve(
            app,
            opened,
            _rules(chosen),
            lambda: print(f"Scenograph listens on {address}", flush=True),
            metrics_listener=metrics,
            prepare=lambda: prepare(app),
        )
    finally:
        services.close()


@click.command
def settings() -> None:
    """List the environment variables of the service."""
    from scenograph.settings import table

    rows = table()
    width = max(len(name) for name, *_ in rows)
    for name, default, description in rows:
        print(f"{name:{width}} {description}" + (f" Default: {default}." if default else ""))


@click.command
@_local
@click.option("--http", is_flag=True, help="Speak streamable HTTP at /mcp, not stdio.")
@click.option("--host", default="127.0.0.1", show_default=True, help="With --http: address to listen on.")
@click.option("--port", type=int, default=3001, show_default=True, help="With --http: port to listen on.")
def mcp(*, local: bool, http: bool, host: str, port: int) -> None:
    """Run the tool server (MCP) over standard input and output.

    An agent's host starts it. It calls the service at SERVICE_API_URL with SERVICE_API_KEY; without a key three tools
    are offered.
    """
    gc.set_threshold(*COLLECTED)
    from scenograph.http import logs, server
    from scenograph.mcp import running

    chosen = _settings()
    logs.configure(chosen.log_level, chosen.log_format)
    if not http:
        running.serve_stdio(chosen, local=local)
        return
    with _listening(host, port) as opened:
        print(f"Scenograph's tools are at {server.address_of(opened)}{running.HTTP_PATH}", file=sys.stderr)
        running.serve_http(chosen, host, opened, local=local)


@click.command
@_local
def doctor(*, local: bool) -> None:
    """Check what the tool server needs.

    That is: the address, the version, the key, a render. Exit code 1 when something fails.
    """
    from scenograph.engine.pipeline import kernels_are_compiled
    from scenograph.mcp.doctor import examine
    from scenograph.operating_system import missing

    how = "compiled" if kernels_are_compiled() else "interpreted; built where a C compiler is at hand they are faster"
    print(f"ok    kernels: {how}.")
    for lack in missing():
        print(f"warn  system: {lack}")
    if not examine(_settings(), local=local, say=print):
        sys.exit(REFUSED)


def _listening(host: str, port: int, descriptor: int | None = None) -> socket.socket:
    """A socket that listens at the address, or the inherited socket; the program ends on failure."""
    from scenograph.http import server

    try:
        return server.listen(host, port) if descriptor is None else server.adopt(descriptor)
    except (OSError, OverflowError) as refused:
        place = f"{host}:{port}" if descriptor is None else f"descriptor {descriptor}"
        number, told = (refused.errno, refused.strerror) if isinstance(refused, OSError) else (None, None)
        reason = os.strerror(number) if number and number > 0 else (told or str(refused)).partition(" (while")[0]
        leave(f"Cannot listen on {place}: {reason}.", CANNOT_START)


def _rules(chosen: Settings) -> ServerRules:
    """The rules of connections from the settings."""
    from scenograph.http.server import ServerRules

    return ServerRules(
        head_timeout_seconds=chosen.head_timeout_seconds,
        max_header_bytes=chosen.max_header_bytes,
        keep_alive_seconds=chosen.keep_alive_seconds,
        max_connections=chosen.max_connections,
        connections_per_network=chosen.connections_per_network,
        trusted_proxies=chosen.trusted_proxies,
        allowed_hosts=tuple(filter(None, chosen.allowed_hosts.split(","))),
        public_site=chosen.public_site,
        asks_no_key=chosen.auth_is_disabled,
    )


def _stop_with_stdin() -> None:
    """Stop this process by SIGTERM once standard input closes."""

    def wait() -> None:
        while os.read(0, 1 << 16):  # not sys.stdin: its lock, held by a daemon thread, breaks the interpreter's end
            pass
        signal.raise_signal(signal.SIGTERM)

    signal.signal(signal.SIGTERM, lambda _number, _frame: sys.exit(0))  # until the server installs its own handler
    threading.Thread(target=wait, daemon=True).start()


def _settings() -> Settings:
    """The settings; a wrong value ends the program, a service without keys is announced."""
    from scenograph.settings import Settings, SettingsError

    try:
        chosen = Settings.load()
    except SettingsError as wrong:
        leave(str(wrong), CANNOT_START)
    if chosen.auth_is_disabled:
        print(
            "!!! AUTH_DISABLED=true: whoever reaches this address owns every scene. Development only. !!!",
            file=sys.stderr,
        )
    elif chosen.auth_value_is_odd:
        print("AUTH_DISABLED is set, but not to exactly true: keys are still asked for.", file=sys.stderr)
    return chosen
