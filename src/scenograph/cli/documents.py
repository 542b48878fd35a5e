"""Scene documents of the command line: reading from a file or standard input, validation, and writing of results."""

# ruff: noqa: PLC0415

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from scenograph.cli.leaving import REFUSED, leave, plain
from scenograph.diagnostics import Diagnostic, Severity
from scenograph.library.files import STANDARD_STREAM, is_one_of, write_whole
from scenograph.scene.document_index import authored
from scenograph.scene.json_values import is_object, kind_of
from scenograph.scene.strict_json import StrictJsonError, parse


def read_document(file: str) -> Mapping[str, Any]:
    try:
        raw = sys.stdin.buffer.read() if file == STANDARD_STREAM else Path(file).read_bytes()
        value = parse(raw)
    except OSError as refused:
        leave(f"{file}: {refused.strerror}.", REFUSED)
    except StrictJsonError as wrong:
        leave(f"{file}: {wrong}", REFUSED)
    if not is_object(value):
        leave(f"{file}: a scene document is a JSON object, not {kind_of(value)}.", REFUSED)
    return value


def valid_document(file: str) -> tuple[Mapping[str, Any], tuple[Diagnostic, ...]]:
    """The document with its `computed`, and validation's remarks. Errors end the program, lesser remarks are shown."""
    document = read_document(file)
    rows = diagnostics_of(authored(document))
    show(rows)
    if has_errors(rows):
        leave(f"{file}: the scene is not valid.", REFUSED)
    return document, rows


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


def write(out: str, content: bytes, sources: Iterable[str] = ()) -> None:
    """Write a result whole or not at all, and never over a file of `sources`."""
    try:
        if out == STANDARD_STREAM:
            sys.stdout.buffer.write(content)
            sys.stdout.buffer.flush()
            return
        if is_one_of(out, sources):
            leave(f"{out} is what was read, and was left as it is; name another file with -o.", REFUSED)
        write_whole(out, content)
    except BrokenPipeError:
        raise
    except OSError as refused:
        leave(f"{out}: {refused.strerror}.", REFUSED)
