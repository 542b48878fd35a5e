"""Commands about other tools' sources and about two documents: import, sync, diff."""

# ruff: noqa: PLC0415, PLR0913 - a command has as many parameters as options

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from scenograph.cli.documents import (
    STANDARD_STREAM,
    diagnostics_of,
    has_errors,
    read_document,
    show,
    valid_document,
    write,
)
from scenograph.cli.leaving import REFUSED, leave
from scenograph.cli.pictures import render
from scenograph.wire.formats import BY_SUFFIX
from scenograph.wire.limits import SOURCE_BYTES
from scenograph.wire.source_formats import DIALECTS, SOURCE_FORMATS

if TYPE_CHECKING:
    from scenograph.reading.readers import Import

DIFFERENCE_FORMAT = "json"

SourceFile = Annotated[str, Parameter(help="The source, or - for standard input.", allow_leading_hyphen=True)]
SourceFormat = Annotated[
    str | None,
    Parameter(name="--format", help=f"{', '.join(SOURCE_FORMATS)}; left out, the name or the content decides."),
]
Dialect = Annotated[str | None, Parameter(help=f"For sql: {', '.join(DIALECTS)}; left out, it is guessed.")]
Named = Annotated[
    str, Parameter(name="--document", help="A name of the source, where a scene follows several; the same in each.")
]


def import_source(
    file: SourceFile,
    *,
    out: Annotated[
        str,
        Parameter(name=["--out", "-o"], help="The scene file; left out, standard output.", allow_leading_hyphen=True),
    ] = STANDARD_STREAM,
    source_format: SourceFormat = None,
    dialect: Dialect = None,
    scene_id: Annotated[str | None, Parameter(help="The scene's id.")] = None,
    title: Annotated[str | None, Parameter(help="The scene's title.")] = None,
    document: Named = "",
) -> None:
    """Read another tool's source, such as Mermaid or SQL, into a scene document."""
    read = _read(file, source_format, dialect=dialect, document=document, scene_id=scene_id, title=title)
    rows = diagnostics_of(read.document)
    show((*read.diagnostics, *rows))
    if has_errors(rows):
        leave(f"{file}: the scene that was read is not valid.", REFUSED)
    write(out, _as_file(read.document))


def sync(
    scene: Annotated[str, Parameter(help="The scene file, which is rewritten.")],
    file: SourceFile,
    *,
    check: Annotated[
        bool, Parameter(negative="", help="Change nothing; exit code 1 when the scene file is not in step.")
    ] = False,
    prune: Annotated[
        bool, Parameter(negative="", help="Remove what is gone even where a part of the source was not understood.")
    ] = False,
    source_format: SourceFormat = None,
    dialect: Dialect = None,
    document: Named = "",
) -> None:
    """Update a scene file from its source. Places, styles and what people added stay."""
    from scenograph.engine.icons import DOCUMENT_LIMITS
    from scenograph.scene.operations import apply_operations
    from scenograph.scene.synchronizing import Source, synchronize

    stored = dict(valid_document(scene)[0])
    read = _read(file, source_format, dialect=dialect, document=document)
    source = Source(read.format, document)
    todo = synchronize(stored, read.document, source, whole=read.whole, prune=prune)
    show((*read.diagnostics, *todo.diagnostics))
    for op in todo.ops:
        print(f"{op['op']} {op.get('id') or op.get('styleId')}")
    if not todo.ops or check:
        sys.exit(REFUSED if todo.ops else 0)
    done = apply_operations(stored, todo.ops, limits=DOCUMENT_LIMITS)
    if not done.succeeded:
        show(done.diagnostics)
        leave(f"{scene}: the scene cannot follow its source.", REFUSED)
    write(scene, _as_file(done.document))


def diff(
    old: Annotated[str, Parameter(help="The earlier scene document.", allow_leading_hyphen=True)],
    new: Annotated[str, Parameter(help="The later scene document.", allow_leading_hyphen=True)],
    *,
    out: Annotated[
        str,
        Parameter(
            name=["--out", "-o"],
            help=f"A file named .json or {', '.join(BY_SUFFIX)}; left out, standard output.",
            allow_leading_hyphen=True,
        ),
    ] = STANDARD_STREAM,
    difference_format: Annotated[
        str | None, Parameter(name="--format", help="json, or a picture's format; left out, the file's name decides.")
    ] = None,
) -> None:
    """Show what changed between two scene documents: as a picture, or as JSON."""
    if DIFFERENCE_FORMAT not in (difference_format, Path(out).suffix[1:]):
        render(new, out=out, diff=old, picture_format=difference_format)
        return
    from scenograph.scene.authored import authored
    from scenograph.scene.changed_fields import changed_element_fields, changed_scene_fields
    from scenograph.scene.difference import difference

    before, after = authored(read_document(old)), authored(read_document(new))
    found = difference(before, after)
    lists = {"added": found.added, "removed": found.removed, "modified": found.modified}
    summary = {name: len(ids) for name, ids in lists.items()}
    told = {
        "summary": summary,
        **lists,
        "changedConstraintIds": found.changed_constraint_ids,
        "fields": dict(changed_element_fields(before, after, found)),
        "scene": changed_scene_fields(before, after),
    }
    write(out, _as_file(told))


def _read(file: str, form: str | None, *, dialect: str | None, **asked: Any) -> Import:
    """A source as a document; the program ends when it cannot be read. `asked` are further members of `Source`."""
    from scenograph.reading.losses import TooLarge, Unreadable
    from scenograph.reading.readers import read_source
    from scenograph.reading.source import Source

    for name, value, allowed in (("format", form, tuple(SOURCE_FORMATS)), ("dialect", dialect, DIALECTS)):
        if value is not None and value not in allowed:
            leave(f"--{name} must be one of: {', '.join(allowed)}.", REFUSED)
    text = _text(file)
    source = Source(text=text, dialect=dialect, **asked)
    suffix = Path(file).suffix.lower()
    by_name = next((row.name for row in SOURCE_FORMATS.values() if suffix in row.suffixes), None)
    try:
        return read_source(source, form or by_name)
    except Unreadable as refused:
        column = f":{refused.place.column}" if refused.place.column else ""
        leave(f"{file}:{refused.place.line}{column}: expected {refused.expected}.", REFUSED)
    except TooLarge as refused:
        leave(f"{file}: {refused}", REFUSED)


def _text(file: str) -> str:
    try:
        raw = sys.stdin.buffer.read() if file == STANDARD_STREAM else Path(file).read_bytes()
        text = raw.decode("utf-8")
    except OSError as refused:
        leave(f"{file}: {refused.strerror}.", REFUSED)
    except UnicodeDecodeError as wrong:
        leave(f"{file}: byte {wrong.start} is not UTF-8.", REFUSED)
    if len(raw) > SOURCE_BYTES:
        leave(f"{file} is larger than {SOURCE_BYTES} bytes.", REFUSED)
    return text


def _as_file(value: Mapping[str, Any]) -> bytes:
    return f"{json.dumps(value, indent=2, ensure_ascii=False)}\n".encode()
