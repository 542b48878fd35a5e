"""A source as the library takes it, opened: text, bytes, a document, a Scene or a path."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict, Unpack

from scenograph.diagnostics import LIMIT_EXCEEDED, UNREADABLE_SOURCE, Diagnostic, Report
from scenograph.engine.icons import KnownIcons
from scenograph.library.scene import Scene, SourceError
from scenograph.reading.files import Wishes, open_source
from scenograph.reading.source import Import, Source, TooLarge, Unreadable
from scenograph.scene.json_values import object_at
from scenograph.scene.strict_json import StrictJsonError
from scenograph.wire.source_formats import SCENE, SOURCE_FORMATS

if TYPE_CHECKING:
    from scenograph.library.drawing import AnySource

_WHERE = re.compile(r"line (\d+), column (\d+)")


class SourceMembers(TypedDict, total=False):
    """Members of `Source` besides its text and the icons."""

    document: str
    scene_id: str | None
    title: str | None
    dialect: str | None
    page: int | None
    view: str | None


def opened(
    source: AnySource, *, form: str | None = None, block: str | None = None, **asked: Unpack[SourceMembers]
) -> Import:
    """The content of a source. Raises SourceError, and TypeError for values of other types. `form` and `block` as in
    `Wishes`."""
    wishes = Wishes(form=form, block=block, source=Source(text="", icons=KnownIcons(), **asked))
    if isinstance(source, Scene):
        return Import(source.document, SCENE, source.diagnostics, whole=True)
    if isinstance(source, Mapping):
        wished = {"title": wishes.source.title, "id": wishes.source.scene_id}
        named = {name: wish for name, wish in wished.items() if wish is not None}
        scene = {"scene": {**object_at(source, "scene"), **named}} if named else {}
        return Import({**source, **scene}, SCENE, (), whole=True)
    raw, name = (source.read_bytes(), source.name) if isinstance(source, Path) else (source, "")
    if not isinstance(raw, (str, bytes)):  # pyright: ignore[reportUnnecessaryIsInstance]
        kind = type(source).__name__
        raise TypeError(f"A source is text, bytes, a mapping, a Scene or a pathlib.Path, not {kind}.")
    try:
        return open_source(raw, name, wishes)
    except Unreadable as refused:
        hint = f"{refused.hint} {_path_meant(source)}".strip()
        place = refused.place
        rows = _unreadable(place.line, place.column, refused.expected, hint)
    except StrictJsonError as refused:
        found = _WHERE.search(refused.where)
        line, column = (int(found[1]), int(found[2])) if found else (1, 1)
        rows = _unreadable(line, column, "strict JSON", refused.sentence)
    except TooLarge as refused:
        report = Report()
        most = refused.most
        holes: dict[str, Any] = {"name": "the source", "count": f"more than {most}", "what": "elements", "limit": most}
        report.add(LIMIT_EXCEEDED, path="/source", data={"limit": most}, **holes)
        rows = report.rows
    raise SourceError(rows) from None


def _unreadable(line: int, column: int | None, expected: str, hint: str) -> tuple[Diagnostic, ...]:
    report = Report()
    data = {"line": line, "column": column or 1, "expected": expected}
    told = f" {hint}" if hint else ""
    report.add(UNREADABLE_SOURCE, path="/source", data=data, line=line, expected=expected, hint=told)
    return report.rows


_SUFFIXES = tuple(suffix for row in SOURCE_FORMATS.values() for suffix in row.suffixes)


def _path_meant(source: object) -> str:
    """A word to who wrote the name of a file as text."""
    is_name = isinstance(source, str) and "\n" not in source.strip()
    if is_name and str(source).strip().lower().endswith((*_SUFFIXES, ".json", ".yaml", ".yml", ".md")):
        return "A str is always text; pathlib.Path(…) reads a file."
    return ""
