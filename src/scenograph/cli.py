"""The command line: serve, settings, mcp, doctor, render, validate, normalize.

Exit codes: 0 done, 1 refused (an invalid scene, a wrong value), 2 wrong usage, or the service cannot start. Results go
to standard output, remarks to standard error. What a command does not need is not imported: most answer at once.
"""

# ruff: noqa: PLC0415, PLR0913 - a command has as many parameters as options

from __future__ import annotations

import json
import os
import signal
import socket
import sys
import threading
from collections.abc import Iterable, Mapping
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

from cyclopts import App, Parameter

from scenograph import operating
from scenograph.diagnostics import Diagnostic, Severity
from scenograph.scene.authored import authored
from scenograph.scene.json_values import is_object, kind_of
from scenograph.scene.strict_json import StrictJsonError, parse
from scenograph.wire.formats import BY_SUFFIX, FORMATS, SVG, Format, not_available
from scenograph.wire.themes import THEME_NAMES

if TYPE_CHECKING:
    from scenograph.http.server import ServerRules
    from scenograph.settings import Settings

STANDARD_STREAM = "-"
REFUSED, CANNOT_START = 1, 2

Local = Annotated[
    bool, Parameter(name="--local", negative="", help="Start the service itself, for as long as this runs.")
]
File = Annotated[str, Parameter(help="A scene document, or - for standard input.", allow_leading_hyphen=True)]

Sketch = Annotated[
    str | None,
    Parameter(
        name="--sketch",
        help="Where the elements stood before: a normalized document, or its `computed`. What an edit does not touch "
        "stays there. Left out, the document's own `computed` counts.",
        allow_leading_hyphen=True,
    ),
]

_Ids = list[str] | None
Collapse = Annotated[_Ids, Parameter(name="--collapse", negative="", help="Draw this frame as one box; repeatable.")]
Focus = Annotated[
    _Ids, Parameter(name="--focus", negative="", help="Draw only this element and what is near it; repeatable.")
]
Depth = Annotated[int, Parameter(name="--depth", help="With --focus: how many lines away.")]
Crop = Annotated[
    _Ids, Parameter(name="--crop", negative="", help="Show only this element of the whole picture; repeatable.")
]
AspectRatio = Annotated[
    float | None, Parameter(name="--aspect-ratio", help="Wished width / height of the page, 0.2 to 5.")
]

app = App(
    name="scenograph",
    help="Diagram scenes: kept with revisions, laid out, routed and rendered to SVG and PNG.",
    version=lambda: version("scenograph"),
)


@app.command
def serve(
    *,
    until_stdin_closes: Annotated[
        bool, Parameter(negative="", help="Stop as well when standard input closes: for a program that starts it.")
    ] = False,
    listener: Annotated[
        int | None, Parameter(help="The descriptor of a socket that listens already, instead of HOST and PORT.")
    ] = None,
) -> None:
    """Run the HTTP service until SIGTERM or Ctrl-C.

    Environment variables configure it; `scenograph settings` lists them.
    """
    from scenograph.http import logs, server
    from scenograph.http.app import create_app
    from scenograph.storage.interface import StorageUnavailable
    from scenograph.wiring import MissingExtra, build

    chosen = _settings()
    logs.configure(chosen.log_level, chosen.log_format)
    opened = _listening(chosen.host, chosen.port, listener)
    if until_stdin_closes:
        _stop_with_stdin()
    try:
        services = build(chosen)
    except MissingExtra as missing:
        opened.close()
        _leave(str(missing), CANNOT_START)
    except (StorageUnavailable, ValueError) as refused:
        opened.close()
        _leave(f"DATABASE_URL: {refused}", CANNOT_START)
    try:
        address = server.address_of(opened)
        server.serve(
            create_app(services), opened, _rules(chosen), lambda: print(f"Scenograph listens on {address}", flush=True)
        )
    finally:
        services.close()


@app.command
def settings() -> None:
    """List the environment variables that configure the service."""
    from scenograph.settings import table

    for name, default, description in table():
        print(f"{name:24} {description}" + (f" Default: {default}." if default else ""))


@app.command
def mcp(
    *,
    local: Local = False,
    http: Annotated[
        bool, Parameter(name="--http", negative="", help="Speak streamable HTTP at /mcp, not stdio.")
    ] = False,
    host: Annotated[str, Parameter(help="With --http: address to listen on.")] = "127.0.0.1",
    port: Annotated[int, Parameter(help="With --http: port to listen on.")] = 3001,
) -> None:
    """Run the tool server (MCP) for an agent's host, over standard input and output.

    It calls the service at SERVICE_API_URL with SERVICE_API_KEY; without a key three tools are offered.
    """
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


@app.command
def doctor(*, local: Local = False) -> None:
    """Check what the tool server needs: address, version, key, a render. Exit code 1 when something fails."""
    from scenograph.mcp.doctor import examine

    if not examine(_settings(), local=local, say=print):
        sys.exit(REFUSED)


@app.command
def render(
    file: File,
    *,
    out: Annotated[
        str,
        Parameter(
            name=["--out", "-o"],
            help=f"A file named {', '.join(BY_SUFFIX)}, or - for standard output.",
            allow_leading_hyphen=True,
        ),
    ],
    theme: Annotated[str | None, Parameter(help="A theme's name; left out, the canvas background chooses.")] = None,
    picture_format: Annotated[
        str | None,
        Parameter(name="--format", help=f"{', '.join(FORMATS)}; left out, the file's name decides."),
    ] = None,
    scale: Annotated[float, Parameter(help="For png: 2 doubles the resolution; 0.1 to 8.")] = 1.0,
    outlines: Annotated[
        bool, Parameter(negative="", help="For svg: letters as outlines, for programs without embedded fonts.")
    ] = False,
    diff: Annotated[
        str | None, Parameter(help="An earlier document of the scene: show what changed.", allow_leading_hyphen=True)
    ] = None,
    sketch: Sketch = None,
    collapse: Collapse = None,
    focus: Focus = None,
    depth: Depth = 1,
    crop: Crop = None,
    aspect_ratio: AspectRatio = None,
) -> None:
    """Render a scene document to a picture."""
    from scenograph.engine.pipeline import Extras, TooLarge, WriteOptions
    from scenograph.engine.pipeline import render as rendered
    from scenograph.scene.reading import diagram_family, read_view
    from scenograph.service.picture_size import MAX_PIXELS, MAX_SCALE, MIN_SCALE, too_large

    form = _format(out, picture_format)
    _check_choice("theme", theme, THEME_NAMES)
    if not MIN_SCALE <= scale <= MAX_SCALE:
        _leave(f"--scale must be from {MIN_SCALE:g} to {MAX_SCALE:g}.", REFUSED)
    document, remarks = _valid_document(file)
    if not form.holds(family := diagram_family(document)):
        _leave(not_available(form, family), REFUSED)
    view = read_view(_view(collapse, focus, depth, crop, aspect_ratio))
    extras = Extras(before=None if diff is None else _valid_document(diff)[0], view=view)
    options = WriteOptions(scale=scale, outlines=outlines, max_pixels=MAX_PIXELS)
    try:
        picture = rendered(document, form.name, theme=theme, sketch=_sketch(sketch), extras=extras, options=options)
    except TooLarge as refused:
        _leave(too_large(refused.width, refused.height, refused.pixels), REFUSED)
    _show(picture.diagnostics, said=remarks)
    _write(out, picture.content if isinstance(picture.content, bytes) else picture.content.encode())


@app.command
def validate(file: File) -> None:
    """Check a scene document: one line a diagnostic (severity, code, path, message); exit code 1 when it is invalid."""
    rows = _diagnostics_of(authored(_document(file)))
    for row in rows:
        print(_line(row))
    if _has_errors(rows):
        sys.exit(REFUSED)


@app.command
def normalize(
    file: File,
    *,
    sketch: Sketch = None,
    collapse: Collapse = None,
    focus: Focus = None,
    depth: Depth = 1,
    crop: Crop = None,
    aspect_ratio: AspectRatio = None,
) -> None:
    """Print the document with every default written in, every position resolved, and `computed`."""
    from scenograph.engine.pipeline import normalize as normalized

    authored_document, remarks = _valid_document(file)
    view = _view(collapse, focus, depth, crop, aspect_ratio)
    shown = authored_document if view is None else {**authored_document, "view": view}
    document, diagnostics = normalized(shown, sketch=_sketch(sketch))
    _show(diagnostics, said=remarks)
    print(json.dumps(document, indent=2, ensure_ascii=False))


app.command(operating.keys)
app.command(operating.accounts)
app.command(operating.purge)


def _listening(host: str, port: int, descriptor: int | None = None) -> socket.socket:
    """A socket that listens there, or the one that this process was handed; the program ends when there is none."""
    from scenograph.http import server

    try:
        return server.listen(host, port) if descriptor is None else server.adopt(descriptor)
    except (OSError, OverflowError) as refused:
        place = f"{host}:{port}" if descriptor is None else f"descriptor {descriptor}"
        number, told = (refused.errno, refused.strerror) if isinstance(refused, OSError) else (None, None)
        reason = os.strerror(number) if number and number > 0 else (told or str(refused)).partition(" (while")[0]
        _leave(f"Cannot listen on {place}: {reason}.", CANNOT_START)


def _rules(chosen: Settings) -> ServerRules:
    """What the settings say of connections."""
    from scenograph.http.server import ServerRules

    return ServerRules(
        head_timeout_seconds=chosen.head_timeout_seconds,
        keep_alive_seconds=chosen.keep_alive_seconds,
        max_connections=chosen.max_connections,
        connections_per_network=chosen.connections_per_network,
        trusted_proxies=chosen.trusted_proxies,
        allowed_hosts=tuple(filter(None, chosen.allowed_hosts.split(","))),
        public_site=chosen.public_site,
    )


def _stop_with_stdin() -> None:
    """Ask this process to stop, as a terminal would, once whoever holds the other end of standard input is gone."""

    def wait() -> None:
        while os.read(0, 1 << 16):  # not sys.stdin: its lock, held by a daemon thread, breaks the interpreter's end
            pass
        signal.raise_signal(signal.SIGTERM)

    signal.signal(signal.SIGTERM, lambda _number, _frame: sys.exit(0))  # until the server has its own way to stop
    threading.Thread(target=wait, daemon=True).start()


def _settings() -> Settings:
    """The settings; a wrong one ends the program, an open door is announced."""
    from scenograph.settings import Settings, SettingsError

    try:
        chosen = Settings.load()
    except SettingsError as wrong:
        _leave(str(wrong), CANNOT_START)
    if chosen.auth_is_disabled:
        print(
            "!!! AUTH_DISABLED=true: whoever reaches this address owns every scene. Development only. !!!",
            file=sys.stderr,
        )
    elif chosen.auth_value_is_odd:
        print("AUTH_DISABLED is set, but not to exactly true: keys are still asked for.", file=sys.stderr)
    return chosen


def _format(out: str, asked: str | None) -> Format:
    _check_choice("format", asked, tuple(FORMATS))
    if asked is not None:
        return FORMATS[asked]
    if out == STANDARD_STREAM:
        return SVG
    found = BY_SUFFIX.get(Path(out).suffix.lower())
    return found or _leave(f"{out} ends in none of {', '.join(BY_SUFFIX)}; say which with --format.", REFUSED)


def _check_choice(name: str, value: str | None, allowed: tuple[str, ...]) -> None:
    if value is not None and value not in allowed:
        _leave(f"--{name} must be one of: {', '.join(allowed)}.", REFUSED)


def _document(file: str) -> Mapping[str, Any]:
    try:
        raw = sys.stdin.buffer.read() if file == STANDARD_STREAM else Path(file).read_bytes()
        value = parse(raw)
    except OSError as refused:
        _leave(f"{file}: {refused.strerror}.", REFUSED)
    except StrictJsonError as wrong:
        _leave(f"{file}: {wrong}", REFUSED)
    if not is_object(value):
        _leave(f"{file}: a scene document is a JSON object, not {kind_of(value)}.", REFUSED)
    return value


def _sketch(file: str | None) -> Mapping[str, Any] | None:
    return None if file is None else _document(file)


def _view(collapse: _Ids, focus: _Ids, depth: int, crop: _Ids, aspect_ratio: float | None) -> dict[str, Any] | None:
    """The view that the options ask for, None without any; a wrong value ends the program."""
    from scenograph.scene.document_fields import VIEW
    from scenograph.scene.limits import LIMITS
    from scenograph.scene.validation import diagnostics_of

    asked = {"collapse": collapse, "focus": focus, "crop": crop, "aspectRatio": aspect_ratio}
    view: dict[str, Any] = {name: value for name, value in asked.items() if value is not None}
    if focus:
        view["depth"] = depth
    for row in diagnostics_of(VIEW.check(view, LIMITS), lambda _: None, LIMITS):
        _leave(row.message, REFUSED)
    return view or None


def _valid_document(file: str) -> tuple[Mapping[str, Any], tuple[Diagnostic, ...]]:
    """The document, its `computed` with it, and what was remarked; its errors end the program, its lesser remarks are
    shown."""
    document = _document(file)
    rows = _diagnostics_of(authored(document))
    _show(rows)
    if _has_errors(rows):
        _leave(f"{file}: the scene is not valid.", REFUSED)
    return document, rows


def _diagnostics_of(document: Mapping[str, Any]) -> tuple[Diagnostic, ...]:
    from scenograph.engine.icons import DOCUMENT_LIMITS
    from scenograph.scene.validation import validate as diagnostics_of

    return diagnostics_of(document, DOCUMENT_LIMITS)


def _has_errors(rows: Iterable[Diagnostic]) -> bool:
    return any(row.severity is Severity.ERROR for row in rows)


def _show(rows: Iterable[Diagnostic], said: Iterable[Diagnostic] = ()) -> None:
    """Print what was not said before: the engine repeats some of what validation remarks."""
    before = {(row.code, row.path, row.element_id) for row in said}
    for row in rows:
        if (row.code, row.path, row.element_id) not in before:
            print(_line(row), file=sys.stderr)


def _line(row: Diagnostic) -> str:
    return f"{row.severity.value} {row.code} {row.path or row.element_id or '/'} {row.message}"


def _write(out: str, content: bytes) -> None:
    try:
        if out == STANDARD_STREAM:
            sys.stdout.buffer.write(content)
            sys.stdout.buffer.flush()
        else:
            Path(out).write_bytes(content)
    except OSError as refused:
        _leave(f"{out}: {refused.strerror}.", REFUSED)


def _leave(sentence: str, code: int) -> NoReturn:
    print(sentence, file=sys.stderr)
    sys.exit(code)
