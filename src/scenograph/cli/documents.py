"""Scene documents of the command line: reading from a file or standard input, validation, and writing of results."""

# ruff: noqa: PLC0415

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from scenograph.cli.terminal import REFUSED, completes, leave, plain
from scenograph.diagnostics import Diagnostic, Severity
from scenograph.library.files import STANDARD_STREAM, is_one_of, write_whole
from scenograph.scene.document_index import authored
from scenograph.scene.strict_json import StrictJsonError
from scenograph.wire.source_formats import BY_NAME, SCENE, SOURCE_FORMATS

if TYPE_CHECKING:
    from scenograph.reading.source import Import, Unreadable


class Chosen(NamedTuple):
    """What the options of a command say of a source: the name of its format, a diagram of a Markdown page by number or
    heading, and the members of `Source` besides its text."""

    form: str | None = None
    block: str | None = None
    further: Mapping[str, Any] = MappingProxyType({})


ANYTHING = Chosen()
_SOURCED = (
    click.option(
        "--from",
        "form",
        metavar="FORMAT",
        shell_complete=completes(SCENE, *BY_NAME),
        help=f"What FILE is: {', '.join((SCENE, *SOURCE_FORMATS))}; left out, its content or its name decides.",
    ),
    click.option(
        "--block",
        metavar="BLOCK",
        help="Of a Markdown page: the number of a diagram, or the heading above it; of a YAML file: the number of a "
        "document. Left out, the only one.",
    ),
)


def sourced(command: Callable[..., None]) -> Callable[..., None]:
    """The command with the options for the kind of a source."""
    for option in reversed(_SOURCED):
        command = option(command)
    return command


class NotRead(Exception):  # noqa: N818 - a state
    """An unreadable source: the sentence for people, and whether the source was understood but has no form in
    scenes."""

    def __init__(self, sentence: str, *, is_formless: bool = False) -> None:
        super().__init__(sentence)
        self.is_formless = is_formless


def read_any(file: str, chosen: Chosen = ANYTHING, text: str | None = None) -> Import:
    """What a file or standard input says, in whatever format; the program ends when it cannot be read."""
    try:
        return tried(file, chosen, text)
    except NotRead as refused:
        leave(str(refused), REFUSED)


def tried(file: str, chosen: Chosen = ANYTHING, text: str | None = None) -> Import:
    """The content of a file or standard input, in any format. Raises NotRead for unreadable content."""
    from scenograph.engine.icons import KnownIcons
    from scenograph.reading.files import Wishes, open_source
    from scenograph.reading.source import Formless, Source, TooLarge, Unreadable

    if chosen.form not in (None, SCENE, *BY_NAME):
        leave(f"--from must be one of: {', '.join((SCENE, *BY_NAME))}.", REFUSED)
    known = BY_NAME.get(chosen.form or "")
    form = chosen.form if known is None else known.name
    wishes = Wishes(form=form, block=chosen.block, source=Source(text="", icons=KnownIcons(), **chosen.further))
    try:
        return open_source(raw_of(file) if text is None else text, Path(file).name, wishes)
    except Unreadable as refused:
        raise NotRead(_told(file, refused), is_formless=isinstance(refused, Formless)) from refused
    except (TooLarge, StrictJsonError) as refused:
        raise NotRead(f"{file}: {refused}") from refused


def text_of(file: str) -> str:
    """The text of a file or of standard input, in UTF-8 or UTF-16; the program ends without it."""
    from scenograph.reading.files import decoded
    from scenograph.reading.source import Unreadable

    try:
        return decoded(raw_of(file))
    except Unreadable as refused:
        leave(_told(file, refused), REFUSED)
    except NotRead as refused:
        leave(str(refused), REFUSED)


def _told(file: str, refused: Unreadable) -> str:
    column = f":{refused.place.column}" if refused.place.column else ""
    meant = f"It looks like {refused.meant}. Read it with --from {refused.meant}." if refused.meant else refused.hint
    return f"{file}:{refused.place.line}{column}: expected {refused.expected}. {meant}".rstrip()


def raw_of(file: str) -> bytes:
    """The bytes of a file or of standard input. NotRead without them."""
    try:
        return sys.stdin.buffer.read() if file == STANDARD_STREAM else Path(file).read_bytes()
    except OSError as refused:
        raise NotRead(f"{file}: {refused.strerror}.") from refused


def read_document(file: str, chosen: Chosen = ANYTHING) -> Mapping[str, Any]:
    """The document of a source; losses are printed."""
    read = read_any(file, chosen)
    show(read.diagnostics)
    return read.document


def valid_document(file: str, chosen: Chosen = ANYTHING) -> tuple[Mapping[str, Any], tuple[Diagnostic, ...]]:
    """The valid document of a file with its `computed`, and its diagnostics: errors end the program, warnings are
    printed."""
    read = read_any(file, chosen)
    rows = (*read.diagnostics, *diagnostics_of(authored(read.document)))
    show(rows)
    if has_errors(rows):
        leave(f"{file}: the scene is not valid.", REFUSED)
    return read.document, rows


def diagnostics_of(document: Mapping[str, Any]) -> tuple[Diagnostic, ...]:
    from scenograph.engine.icons import DOCUMENT_LIMITS
    from scenograph.scene.validation import validate as diagnostics_of

    return diagnostics_of(document, DOCUMENT_LIMITS)


def has_errors(rows: Iterable[Diagnostic]) -> bool:
    return any(row.severity is Severity.ERROR for row in rows)


def show(rows: Iterable[Diagnostic], said: Iterable[Diagnostic] = ()) -> None:
    """Print new diagnostics: the engine repeats some remarks of validation."""
    before = {(row.code, row.path, row.element_id) for row in said}
    for row in rows:
        if (row.code, row.path, row.element_id) not in before:
            print(line(row), file=sys.stderr)


def line(row: Diagnostic) -> str:
    return plain(f"{row.severity.value} {row.code} {row.path or row.element_id or '/'} {row.message}")


def as_text(value: Mapping[str, Any]) -> str:
    """A JSON value for people and files, with terminal control characters escaped."""
    return plain(json.dumps(value, indent=2, ensure_ascii=False), kept="\n", form="\\u{:04x}")


def write(out: str, content: bytes, sources: Iterable[str] = (), *, new: bool = False, shown: bool = True) -> None:
    """Write a result whole or not at all, and never over one of the `sources` that it was made from; with `new` over no
    file at all. What is not to be `shown` goes to no terminal."""
    try:
        if out == STANDARD_STREAM:
            if not shown and sys.stdout.isatty():
                leave("A picture is not shown on a terminal; name a file with -o, or send it through a pipe.", REFUSED)
            sys.stdout.buffer.write(_harmless(content) if sys.stdout.isatty() else content)
            sys.stdout.buffer.flush()
            return
        if is_one_of(out, sources):
            leave(f"{out} is what was read, and was left as it is; name another file with -o.", REFUSED)
        write_whole(out, content, new=new)
    except BrokenPipeError:
        raise
    except FileExistsError:
        leave(f"{out} exists already and was left as it is; --force writes over it.", REFUSED)
    except OSError as refused:
        leave(f"{out}: {refused.strerror}.", REFUSED)


def _harmless(content: bytes) -> bytes:
    """A text for a terminal, which obeys some characters."""
    return plain(content.decode("utf-8", "replace"), kept="\n").encode("utf-8", "backslashreplace")
