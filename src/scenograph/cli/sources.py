# ruff: noqa: PLC0415, PLR0913 - a command has as many parameters as options
"""Commands about other tools' sources and about two documents: import, sync, diff."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, NotRequired, TypedDict, Unpack

import click

from scenograph.cli.documents import (
    Chosen,
    as_text,
    diagnostics_of,
    has_errors,
    read_any,
    read_document,
    show,
    sourced,
    text_of,
    valid_document,
    write,
)
from scenograph.cli.pictures import PictureDocuments, PictureOrder, draw, format_of, waiting
from scenograph.cli.terminal import FILE, REFUSED, completes, leave, plain
from scenograph.library.files import STANDARD_STREAM, is_one_of, write_whole
from scenograph.scene.document_index import authored
from scenograph.scene.vocabulary import DIAGRAM_FAMILIES
from scenograph.wire.formats import BY_SUFFIX, FORMATS
from scenograph.wire.source_formats import BY_NAME, DIALECTS, SCENE, SOURCE_FORMATS

if TYPE_CHECKING:
    from scenograph.reading.source import Import
    from scenograph.scene.difference import Difference


# The command that writes a first scene: init.


@click.command(
    help=f"""Write a small scene of FAMILY to start from.

    FAMILY is one of {", ".join(DIAGRAM_FAMILIES)}; left out, {DIAGRAM_FAMILIES[0]}.
    """
)
@click.argument("family", default=DIAGRAM_FAMILIES[0], shell_complete=completes(*DIAGRAM_FAMILIES))
@click.option(
    "-o", "--out", type=FILE, default="scene.json", show_default=True, help="The file to write; it must be new."
)
def init(family: str, *, out: str) -> None:
    from scenograph.scene.examples import EXAMPLES
    from scenograph.scene.near_names import NameBudget, nearest

    if family not in EXAMPLES:
        near = nearest(family, DIAGRAM_FAMILIES, NameBudget())
        hint = f" Did you mean {near}?" if near else ""
        named = f" To name the file, say -o {family}." if family.endswith(".json") else hint
        leave(f"{family} is not a family.{named} The families are: {', '.join(DIAGRAM_FAMILIES)}.", REFUSED)
    try:
        write_whole(out, f"{json.dumps(EXAMPLES[family], indent=2, ensure_ascii=False)}\n".encode(), new=True)
    except FileExistsError:
        leave(f"{out} exists already and was left as it is; name another file with -o.", REFUSED)
    except OSError as refused:
        leave(f"{out}: {refused.strerror}.", REFUSED)
    print(plain(f"Wrote {out}. Next: scenograph render {out}"), file=sys.stderr)


WORDS, DIFFERENCE_FORMAT = "words", "json"
_NEXT_FILE = "\n\ufeff"  # a byte order mark begins a file
_NO_SCENE_FILES = (".yaml", ".yml", ".svg", ".png", ".md")

_formatted = click.option(
    "--format",
    "source_format",
    shell_complete=completes(SCENE, *BY_NAME),
    help="The same as --from.",
)
_dialect = click.option(
    "--dialect", shell_complete=completes(*DIALECTS), help=f"For sql: {', '.join(DIALECTS)}; left out, it is guessed."
)
_paged = click.option("--page", type=click.IntRange(min=1), help="For drawio: its number; left out, the first.")
_viewed = click.option(
    "--view",
    metavar="KEY",
    help="For structurizr: the key of a view; for d2: the path of a board, such as layers.x. Left out, the first of "
    "containers or the root; in a sync, the view of the import.",
)
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
    view: str | None
    kept_view: NotRequired[str | None]
    document: str
    scene_id: NotRequired[str | None]
    title: NotRequired[str | None]


@click.command("import")
@click.argument("files", metavar="FILE...", nargs=-1, required=True, type=FILE)
@click.option("-o", "--out", type=FILE, default=STANDARD_STREAM, help="The scene file; left out, standard output.")
@click.option("--force", is_flag=True, help="Write over a file that is there already.")
@sourced
@_formatted
@_dialect
@_paged
@_viewed
@click.option("--scene-id", help="The scene's id.")
@click.option("--title", help="The scene's title.")
@_named
@_placed
def import_source(
    files: tuple[str, ...],
    *,
    out: str,
    force: bool,
    form: str | None,
    block: str | None,
    source_format: str | None,
    places: bool,
    **asked: Unpack[AskedSource],
) -> None:
    """Read any source into a scene document.

    A scene file that is named with -o keeps where everything stands.

    FILE is the source, such as Mermaid, SQL, a scene in YAML or a picture that carries one, or - for standard input.
    Several files of SQL are migrations in this order, each in a dialect of its own.
    """
    read = _read(files, form or source_format, block, **asked)
    rows = diagnostics_of(authored(read.document))
    show((*read.diagnostics, *rows))
    if has_errors(rows):
        leave(f"{files[0]}: the scene that was read is not valid.", REFUSED)
    document = _with_places(read.document) if places and out != STANDARD_STREAM else read.document
    write(out, _as_file(document), files, new=not force)


@click.command
@click.argument("scene", type=FILE)
@click.argument("files", metavar="FILE...", nargs=-1, required=True, type=FILE)
@click.option(
    "--check",
    "--dry-run",
    "check",
    is_flag=True,
    help="Change nothing; exit code 1 when the scene file is not in step.",
)
@click.option("--prune", is_flag=True, help="Remove what is gone even where a part of the source was not understood.")
@sourced
@_formatted
@_dialect
@_paged
@_viewed
@_named
@_placed
def sync(
    scene: str,
    files: tuple[str, ...],
    *,
    check: bool,
    prune: bool,
    form: str | None,
    block: str | None,
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
    from scenograph.scene.edits.operations import apply_operations
    from scenograph.scene.json_values import object_at
    from scenograph.scene.synchronizing import SourceIdentity, kept_page, kept_view, synchronize

    if is_one_of(scene, files):
        leave(f"{scene} is both the scene and its source; name two files.", REFUSED)
    if scene == STANDARD_STREAM or Path(scene).suffix.lower() in _NO_SCENE_FILES:
        leave(f"{scene} is no scene file that can be rewritten; `import -o scene.json` makes one.", REFUSED)
    whole = valid_document(scene, Chosen(SCENE))[0]
    stored = dict(authored(whole))
    asked["kept_view"] = kept_view(stored, asked["document"])
    asked["page"] = asked["page"] or kept_page(stored, asked["document"])
    read = _read(files, form or source_format, block, **asked)
    source = SourceIdentity(read.format, asked["document"])
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
@click.argument("old", type=FILE)
@click.argument("new", type=FILE)
@click.option(
    "-o",
    "--out",
    type=FILE,
    help=f"A file named .json or {', '.join(BY_SUFFIX)}; left out, the changes are told in words.",
)
@sourced
@click.option(
    "--format",
    "difference_format",
    shell_complete=completes(WORDS, DIFFERENCE_FORMAT, *FORMATS),
    help=f"{WORDS}, {DIFFERENCE_FORMAT}, or a picture's format; left out, the file's name decides.",
)
@click.option("--exit-code", is_flag=True, help="End with 1 where the documents differ.")
def diff(
    old: str,
    new: str,
    *,
    out: str | None,
    form: str | None,
    block: str | None,
    difference_format: str | None,
    exit_code: bool,
) -> None:
    """Show what changed between two documents.

    In words; with -o or --format as a picture or as JSON.

    OLD is the earlier document or source, NEW the later one; - stands for standard input.
    """
    chosen = Chosen(form, block)
    asked = difference_format or (DIFFERENCE_FORMAT if Path(out or "").suffix == ".json" else None)
    if asked not in (WORDS, DIFFERENCE_FORMAT) and (asked is not None or out is not None):
        draw(
            PictureDocuments(new, old, chosen=chosen, both=True),
            PictureOrder(out or STANDARD_STREAM, format_of(out, asked)),
        )
        if exit_code and _difference(_quietly(old, chosen), _quietly(new, chosen)).is_any:
            sys.exit(REFUSED)
        return
    before, after = (authored(read_document(file, chosen)) for file in (old, new))
    found = _difference(before, after)
    told = _as_file(found.as_json()) if asked == DIFFERENCE_FORMAT else found.in_words(before, after).encode()
    write(out or STANDARD_STREAM, told, [old, new])
    if exit_code and found.is_any:
        sys.exit(REFUSED)


class _Found(NamedTuple):
    """How one document differs from another: the difference, the fields of each modified element, and of the scene."""

    change: Difference
    fields: Mapping[str, Sequence[str]]
    scene: Sequence[str]

    @property
    def is_any(self) -> bool:
        """Whether the documents differ."""
        return any((self.change.changed_ids, self.change.changed_constraint_ids, self.scene))

    def as_json(self) -> dict[str, Any]:
        """What the service answers of two revisions."""
        lists = {"added": self.change.added, "removed": self.change.removed, "modified": self.change.modified}
        return {
            "summary": {name: len(ids) for name, ids in lists.items()},
            **lists,
            "changedConstraintIds": self.change.changed_constraint_ids,
            "fields": dict(self.fields),
            "scene": self.scene,
        }

    def in_words(self, before: Mapping[str, Any], after: Mapping[str, Any]) -> str:
        """A line each: + added, - removed, ~ modified with its fields."""
        old, new = ({row.get("id"): row for row in one.get("elements", ())} for one in (before, after))
        change = self.change
        rows = [
            *(f"+ {_in_words(new[name])}" for name in change.added),
            *(f"- {_in_words(old[name])}" for name in change.removed),
            *(f"~ {_in_words(new[name])}: {', '.join(self.fields.get(name, ()))}" for name in change.modified),
            *(f"~ {_in_words(new[name])}: its children" for name in change.regrouped),
            *(f"~ constraint {name}" for name in change.changed_constraint_ids),
            *([f"~ scene: {', '.join(self.scene)}"] if self.scene else ()),
        ]
        if not rows:
            return "No differences.\n"
        counts = f"{len(change.added)} added, {len(change.removed)} removed, {len(change.modified)} modified"
        return "".join(f"{plain(row)}\n" for row in (counts, *rows))


def _in_words(row: Mapping[str, Any]) -> str:
    """An element in words: kind, id and visible text."""
    from scenograph.scene.json_values import text_at

    words = next((row[name] for name in ("label", "title", "content") if isinstance(row.get(name), str)), None)
    ends = [text_at(row, end, "elementId") for end in ("from", "to")] if row.get("kind") == "edge" else []
    way = f" ({ends[0]} → {ends[1]})" if ends else ""
    return f"{row.get('kind')} {row.get('id')}{way}" + (f' "{words}"' if words else "")


def _difference(before: Mapping[str, Any], after: Mapping[str, Any]) -> _Found:
    from scenograph.scene.difference import changed_element_fields, changed_scene_fields, difference

    found = difference(before, after)
    return _Found(found, dict(changed_element_fields(before, after, found)), changed_scene_fields(before, after))


def _quietly(file: str, chosen: Chosen) -> Mapping[str, Any]:
    """The document alone: the drawing has printed the diagnostics."""
    return authored(read_any(file, chosen).document)


def _read(files: Sequence[str], form: str | None, block: str | None, **asked: Unpack[AskedSource]) -> Import:
    """The document of a source; the program ends for an unreadable source. Files of SQL form a series."""
    if asked["dialect"] is not None and asked["dialect"] not in DIALECTS:
        leave(f"--dialect must be one of: {', '.join(DIALECTS)}.", REFUSED)
    chosen = Chosen(form, block, {**asked})
    if len(files) == 1:
        return read_any(files[0], chosen)
    suffix = Path(files[0]).suffix.lower()
    known = form or next((row.name for row in SOURCE_FORMATS.values() if suffix in row.suffixes), "")
    if known not in BY_NAME or not BY_NAME[known].is_series:
        series = ", ".join(row.name for row in SOURCE_FORMATS.values() if row.is_series)
        leave(f"Several files are one source only for --format {series}.", REFUSED)
    return read_any(f"{len(files)} files", chosen._replace(form=known), _NEXT_FILE.join(map(text_of, files)))


def _with_places(document: Mapping[str, Any], former: Mapping[str, Any] | None = None) -> Mapping[str, Any]:
    """The document with its places as `computed`; `former` is the sketch."""
    from scenograph.engine.pipeline import lay_out, places_of

    with waiting("Laying out", document):
        return {**document, "computed": places_of(lay_out(document, sketch=former))}


def _as_file(value: Mapping[str, Any]) -> bytes:
    return f"{as_text(value)}\n".encode()
