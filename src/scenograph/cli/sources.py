# ruff: noqa: PLC0415
"""Commands on other tools' sources and on two documents: import, sync, diff."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NotRequired, TypedDict, Unpack

import click

from scenograph.cli.documents import as_text, diagnostics_of, has_errors, read_document, show, valid_document, write
from scenograph.cli.leaving import REFUSED, leave, plain
from scenograph.cli.pictures import Drawing, Files, draw, format_of, waiting
from scenograph.library.files import STANDARD_STREAM, is_one_of, write_whole
from scenograph.scene.vocabulary import DIAGRAM_FAMILIES
from scenograph.wire.formats import BY_SUFFIX
from scenograph.wire.limits import SOURCE_BYTES
from scenograph.wire.source_formats import DIALECTS, SOURCE_FORMATS

if TYPE_CHECKING:
    from scenograph.reading.readers import Import


# The command that writes a first scene: init.


@click.command(
    help=f"""Write a small scene of FAMILY to start from.

    FAMILY is one of {", ".join(DIAGRAM_FAMILIES)}; left out, {DIAGRAM_FAMILIES[0]}.
    """
)
@click.argument("family", default=DIAGRAM_FAMILIES[0])
@click.option("-o", "--out", default="scene.json", show_default=True, help="The file to write; it must be new.")
def init(family: str, *, out: str) -> None:
    from scenograph.scene.examples import EXAMPLES
    from scenograph.scene.near_names import Budget, nearest

    if family not in EXAMPLES:
        near = nearest(family, DIAGRAM_FAMILIES, Budget())
        hint = f" Did you mean {near}?" if near else ""
        leave(f"{family} is not a family.{hint} The families are: {', '.join(DIAGRAM_FAMILIES)}.", REFUSED)
    try:
        write_whole(out, f"{json.dumps(EXAMPLES[family], indent=2, ensure_ascii=False)}\n".encode(), new=True)
    except FileExistsError:
        leave(f"{out} exists already and was left as it is; name another file with -o.", REFUSED)
    except OSError as refused:
        leave(f"{out}: {refused.strerror}.", REFUSED)
    print(plain(f"Wrote {out}. Next: scenograph render {out}"), file=sys.stderr)


DIFFERENCE_FORMAT = "json"
_NEXT_FILE = "\n\ufeff"  # a byte order mark begins a file

_formatted = click.option(
    "--format", "source_format", help=f"{', '.join(SOURCE_FORMATS)}; left out, the name or the content decides."
)
_dialect = click.option("--dialect", help=f"For sql: {', '.join(DIALECTS)}; left out, it is guessed.")
_paged = click.option("--page", type=click.IntRange(min=1), help="For drawio: its number; left out, the first.")
_named = click.option(
    "--document", default="", help="A name of the source, where a scene follows several; the same in each."
)
_placed = click.option(
    "--places/--no-places",
    default=True,
    help="Whether the scene file keeps, as `computed`, where everything stands, so that the next picture keeps it.",
)


class AskedSource(TypedDict):
    """The options of a source, as given, without its format."""

    dialect: str | None
    page: int | None
    document: str
    scene_id: NotRequired[str | None]
    title: NotRequired[str | None]


@click.command("import")
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@click.option("-o", "--out", default=STANDARD_STREAM, help="The scene file; left out, standard output.")
@_formatted
@_dialect
@_paged
@click.option("--scene-id", help="The scene's id.")
@click.option("--title", help="The scene's title.")
@_named
@_placed
def import_source(
    files: tuple[str, ...], *, out: str, source_format: str | None, places: bool, **asked: Unpack[AskedSource]
) -> None:
    """Read another tool's source into a scene document.

    A scene file that is named with -o keeps where everything stands.

    FILE is the source, such as Mermaid or SQL, or - for standard input. Several files of SQL are migrations in this
    order, each in a dialect of its own.
    """
    read = _read(files, source_format, **asked)
    rows = diagnostics_of(read.document)
    show((*read.diagnostics, *rows))
    if has_errors(rows):
        leave(f"{files[0]}: the scene that was read is not valid.", REFUSED)
    document = _with_places(read.document) if places and out != STANDARD_STREAM else read.document
    write(out, _as_file(document), files)


@click.command
@click.argument("scene")
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@click.option("--check", is_flag=True, help="Change nothing; exit code 1 when the scene file is not in step.")
@click.option("--prune", is_flag=True, help="Remove what is gone even where a part of the source was not understood.")
@_formatted
@_dialect
@_paged
@_named
@_placed
def sync(
    scene: str,
    files: tuple[str, ...],
    *,
    check: bool,
    prune: bool,
    source_format: str | None,
    places: bool,
    **asked: Unpack[AskedSource],
) -> None:
    """Update a scene file from its source.

    Places, styles and what people added stay; of a file that keeps no places, those of its picture.

    SCENE is the scene file, which is rewritten; FILE is the source, or - for standard input. Several files of SQL are
    migrations in this order, each in a dialect of its own.
    """
    from scenograph.engine.icons import DOCUMENT_LIMITS
    from scenograph.scene.document_index import authored
    from scenograph.scene.edits.operations import apply_operations
    from scenograph.scene.json_values import object_at
    from scenograph.scene.synchronizing import Source, synchronize

    if is_one_of(scene, files):
        leave(f"{scene} is both the scene and its source; name two files.", REFUSED)
    whole = valid_document(scene)[0]
    stored = dict(authored(whole))
    read = _read(files, source_format, **asked)
    source = Source(read.format, asked["document"])
    todo = synchronize(stored, read.document, source, whole=read.whole, prune=prune)
    show((*read.diagnostics, *todo.diagnostics))
    for op in todo.ops:
        print(plain(f"{op['op']} {op.get('id') or op.get('styleId')}"))
    if not todo.ops or check:
        sys.exit(REFUSED if todo.ops else 0)
    done = apply_operations(stored, todo.ops, limits=DOCUMENT_LIMITS)
    if not done.succeeded:
        show(done.diagnostics)
        leave(f"{scene}: the scene cannot follow its source.", REFUSED)
    if not places:
        write(scene, _as_file(done.document))
        return
    former = whole if object_at(whole, "computed", "bounds") else _with_places(stored)
    write(scene, _as_file(_with_places(done.document, object_at(former, "computed"))))


@click.command
@click.argument("old")
@click.argument("new")
@click.option(
    "-o",
    "--out",
    default=STANDARD_STREAM,
    help=f"A file named .json or {', '.join(BY_SUFFIX)}; left out, standard output.",
)
@click.option("--format", "difference_format", help="json, or a picture's format; left out, the file's name decides.")
def diff(old: str, new: str, *, out: str, difference_format: str | None) -> None:
    """Show what changed between two documents.

    As a picture, or as JSON.

    OLD is the earlier document, NEW the later one; - stands for standard input.
    """
    if DIFFERENCE_FORMAT not in (difference_format, Path(out).suffix[1:]):
        draw(Files(new, before=old), Drawing(out, format_of(out, difference_format)))
        return
    from scenograph.scene.difference import changed_element_fields, changed_scene_fields, difference
    from scenograph.scene.document_index import authored

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
    write(out, _as_file(told), [old, new])


def _read(files: Sequence[str], form: str | None, **asked: Unpack[AskedSource]) -> Import:
    """The document of a source; the program ends for an unreadable source. Files of SQL form a series."""
    from scenograph.engine.icons import KnownIcons
    from scenograph.reading.losses import TooLarge, Unreadable
    from scenograph.reading.readers import read_source
    from scenograph.reading.source import Source

    for name, value, allowed in (("format", form, tuple(SOURCE_FORMATS)), ("dialect", asked["dialect"], DIALECTS)):
        if value is not None and value not in allowed:
            leave(f"--{name} must be one of: {', '.join(allowed)}.", REFUSED)
    texts = [_text(file) for file in files]
    suffix = Path(files[0]).suffix.lower()
    known = form or next((row.name for row in SOURCE_FORMATS.values() if suffix in row.suffixes), None)
    if len(files) > 1 and not (known and SOURCE_FORMATS[known].is_series):
        series = ", ".join(row.name for row in SOURCE_FORMATS.values() if row.is_series)
        leave(f"Several files are one source only for --format {series}.", REFUSED)
    if sum(map(len, texts)) > SOURCE_BYTES:
        leave(f"The files are larger than {SOURCE_BYTES} bytes together.", REFUSED)
    source = Source(text=_NEXT_FILE.join(texts), icons=KnownIcons(), **asked)
    file = files[0] if len(files) == 1 else f"{len(files)} files"
    try:
        return read_source(source, known)
    except Unreadable as refused:
        column = f":{refused.place.column}" if refused.place.column else ""
        leave(f"{file}:{refused.place.line}{column}: expected {refused.expected}. {refused.hint}".rstrip(), REFUSED)
    except TooLarge as refused:
        leave(f"{file}: {refused}", REFUSED)


def _with_places(document: Mapping[str, Any], former: Mapping[str, Any] | None = None) -> Mapping[str, Any]:
    """The document with its places as `computed`; `former` is the sketch."""
    from scenograph.engine.pipeline import lay_out, places_of

    with waiting("Laying out", document):
        return {**document, "computed": places_of(lay_out(document, sketch=former))}


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
    return f"{as_text(value)}\n".encode()
