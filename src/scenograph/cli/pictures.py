"""Commands that look at a scene document: render, validate, normalize."""

# ruff: noqa: PLC0415, PLR0913 - a command has as many parameters as options

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, NamedTuple

from cyclopts import Parameter

from scenograph.cli.documents import (
    STANDARD_STREAM,
    diagnostics_of,
    has_errors,
    line,
    read_document,
    show,
    valid_document,
    write,
)
from scenograph.cli.leaving import REFUSED, leave
from scenograph.cli.waiting import waiting
from scenograph.cli.watching import redraw_on_save
from scenograph.scene.authored import authored
from scenograph.wire.formats import BY_SUFFIX, FORMATS, SVG, Format, not_available
from scenograph.wire.themes import THEME_NAMES

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


def render(
    file: File,
    *,
    out: Annotated[
        str | None,
        Parameter(
            name=["--out", "-o"],
            help=f"A file named {', '.join(BY_SUFFIX)}, or - for standard output; left out, named after the scene.",
            allow_leading_hyphen=True,
        ),
    ] = None,
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
    watch: Annotated[
        bool, Parameter(negative="", help="Draw again whenever the scene is saved, until Ctrl-C is pressed.")
    ] = False,
) -> None:
    """Render a scene document to a picture."""
    from scenograph.wire.limits import MAX_SCALE, MIN_SCALE

    form = _format(out, picture_format)
    _check_choice("theme", theme, THEME_NAMES)
    if not MIN_SCALE <= scale <= MAX_SCALE:
        leave(f"--scale must be from {MIN_SCALE:g} to {MAX_SCALE:g}.", REFUSED)
    view = _view(collapse, focus, depth, crop, aspect_ratio)
    drawing = _Drawing(out, form, theme, scale, outlines, view)
    files = [name for name in (file, diff, sketch) if name is not None]
    if not watch:
        _draw(file, diff, sketch, drawing)
    elif STANDARD_STREAM in (*files, out):
        leave("--watch needs files; it works neither with standard input nor with standard output.", REFUSED)
    else:
        redraw_on_save(files, lambda: _draw(file, diff, sketch, drawing, told=True))


class _Drawing(NamedTuple):
    """How a scene is to be drawn, and where to."""

    out: str | None
    form: Format
    theme: str | None
    scale: float
    outlines: bool
    view: dict[str, Any] | None


def _draw(file: str, diff: str | None, sketch: str | None, wanted: _Drawing, *, told: bool = False) -> None:
    """Draw one picture; the file is told where its name was not asked for, or where it is `told`."""
    from scenograph.engine.pipeline import Extras, TooLarge, WriteOptions
    from scenograph.engine.pipeline import render as rendered
    from scenograph.scene.reading import diagram_family, read_view
    from scenograph.service.picture_size import MAX_PIXELS, too_large

    document, remarks = valid_document(file)
    if not wanted.form.holds(family := diagram_family(document)):
        leave(not_available(wanted.form, family), REFUSED)
    view = read_view(wanted.view)
    extras = Extras(before=None if diff is None else valid_document(diff)[0], view=view)
    options = WriteOptions(scale=wanted.scale, outlines=wanted.outlines, max_pixels=MAX_PIXELS)
    known = _sketch(sketch)
    try:
        with waiting("Rendering"):
            picture = rendered(
                document, wanted.form.name, theme=wanted.theme, sketch=known, extras=extras, options=options
            )
    except TooLarge as refused:
        leave(too_large(refused.width, refused.height, refused.pixels), REFUSED)
    show(picture.diagnostics, said=remarks)
    name = f"{document['scene']['id']}{wanted.form.suffix}" if wanted.out is None else wanted.out
    write(name, picture.content if isinstance(picture.content, bytes) else picture.content.encode())
    if told or wanted.out is None:
        print(f"Wrote {name}", file=sys.stderr)


def validate(file: File, *more: File) -> None:
    """Check scene documents: one line a diagnostic (severity, code, path, message); exit code 1 when one is invalid.

    With several files each line begins with the name of its file.
    """
    found = {name: diagnostics_of(authored(read_document(name))) for name in (file, *more)}
    for name, rows in found.items():
        for row in rows:
            print(f"{name}: {line(row)}" if more else line(row))
    if any(has_errors(rows) for rows in found.values()):
        sys.exit(REFUSED)


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

    authored_document, remarks = valid_document(file)
    view = _view(collapse, focus, depth, crop, aspect_ratio)
    shown = authored_document if view is None else {**authored_document, "view": view}
    known = _sketch(sketch)
    with waiting("Laying out"):
        document, diagnostics = normalized(shown, sketch=known)
    show(diagnostics, said=remarks)
    print(json.dumps(document, indent=2, ensure_ascii=False))


def _format(out: str | None, asked: str | None) -> Format:
    _check_choice("format", asked, tuple(FORMATS))
    if asked is not None:
        return FORMATS[asked]
    if out is None or out == STANDARD_STREAM:
        return SVG
    found = BY_SUFFIX.get(Path(out).suffix.lower())
    return found or leave(f"{out} ends in none of {', '.join(BY_SUFFIX)}; say which with --format.", REFUSED)


def _check_choice(name: str, value: str | None, allowed: tuple[str, ...]) -> None:
    if value is not None and value not in allowed:
        leave(f"--{name} must be one of: {', '.join(allowed)}.", REFUSED)


def _sketch(file: str | None) -> Mapping[str, Any] | None:
    return None if file is None else read_document(file)


def _view(collapse: _Ids, focus: _Ids, depth: int, crop: _Ids, aspect_ratio: float | None) -> dict[str, Any] | None:
    """The view that the options ask for, None without any; a wrong value ends the program."""
    from scenograph.scene.document_fields import VIEW
    from scenograph.scene.limits import LIMITS
    from scenograph.scene.validation import diagnostics_of

    asked = {"collapse": collapse, "focus": focus, "crop": crop, "aspectRatio": aspect_ratio}
    view: dict[str, Any] = {name: value for name, value in asked.items() if value is not None}
    for row in diagnostics_of(VIEW.check({**view, "depth": depth}, LIMITS), lambda _: None, LIMITS):
        leave(row.message, REFUSED)
    return {**view, "depth": depth} if view else None
