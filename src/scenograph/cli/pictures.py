# ruff: noqa: PLC0415, PLR0913 - a command has as many parameters as options
"""Commands on a scene document: render, validate, normalize."""

from __future__ import annotations

import gc
import sys
import threading
import time
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypedDict, Unpack
from urllib.parse import quote

import click

from scenograph.cli.documents import (
    ANYTHING,
    Chosen,
    NotRead,
    as_text,
    diagnostics_of,
    has_errors,
    line,
    raw_of,
    read_document,
    show,
    sourced,
    tried,
    valid_document,
    write,
)
from scenograph.cli.terminal import FILE, REFUSED, completes, leave, plain
from scenograph.library.files import STANDARD_STREAM
from scenograph.scene.document_index import authored
from scenograph.scene.limits import size_told
from scenograph.wire.formats import BY_SUFFIX, FORMATS, MERMAID, SVG, TEXT, Format, not_available
from scenograph.wire.names import THEME_NAMES

if TYPE_CHECKING:
    pass

# A line on a terminal while a command takes its time.


PATIENCE_SECONDS = 1.0
ERASE = "\r\x1b[K"


@contextmanager
def waiting(what: str, document: Mapping[str, Any]) -> Generator[None]:
    """Show the work on a document on standard error, with its size and the elapsed time, from PATIENCE_SECONDS until
    the end; on terminals only."""
    if not sys.stderr.isatty():
        yield
        return
    done = threading.Event()
    teller = threading.Thread(target=_tell, args=(what, document, done), daemon=True)
    teller.start()
    try:
        yield
    finally:
        done.set()
        teller.join()


def _tell(what: str, document: Mapping[str, Any], done: threading.Event) -> None:
    seconds = 0
    while not done.wait(PATIENCE_SECONDS):
        seconds += 1
        print(f"{ERASE}{what} {size_told(document)} … {seconds} s", end="", file=sys.stderr, flush=True)
    if seconds:
        print(ERASE, end="", file=sys.stderr, flush=True)


# Drawing again whenever a file is saved.


PAUSE_SECONDS = 0.2
ADJACENT = 1  # lines: the depth of a view that names none


class Stamp(NamedTuple):
    """The identity of a file's state; None while the file is missing, as in the middle of a save."""

    changed: int
    size: int
    number: int


def redraw_on_save(files: Sequence[str], draw: Callable[[], None]) -> None:
    """Draw now, and again after each save, until the program is interrupted. A scene that cannot be drawn is told and
    waited for.

    Files are looked at five times a second: that is heard of everywhere, on network drives and in containers too.
    """
    print(plain(f"Watching {', '.join(files)}; stop with Ctrl-C."), file=sys.stderr)
    try:
        for _ in saves([Path(name) for name in files], lambda: time.sleep(PAUSE_SECONDS)):
            try:
                draw()
            except SystemExit:  # the reason has been told
                continue
            finally:
                sys.stderr.flush()
    except KeyboardInterrupt:
        print("", file=sys.stderr)


def saves(files: Sequence[Path], pause: Callable[[], None]) -> Iterator[None]:
    """Yield once at the start, then after each change of a file."""
    seen = [_stamp(file) for file in files]
    yield
    while True:
        pause()
        found = [_stamp(file) for file in files]
        if found != seen and None not in found:
            seen = found
            yield


def _stamp(file: Path) -> Stamp | None:
    try:
        known = file.stat()
    except OSError:
        return None
    return Stamp(known.st_mtime_ns, known.st_size, known.st_ino)


_VIEW_OPTIONS = (
    click.option("--collapse", multiple=True, help="Draw this frame as one box; repeatable."),
    click.option("--focus", multiple=True, help="Draw only this element and what is near it; repeatable."),
    click.option("--depth", type=int, default=ADJACENT, show_default=True, help="With --focus: how many lines away."),
    click.option("--crop", multiple=True, help="Show only this element of the whole picture; repeatable."),
    click.option("--aspect-ratio", type=float, help="Wished width / height of the page, 0.2 to 5."),
    click.option(
        "--page",
        help="Exact size of the picture: 16:9, 4:3, 1:1, a4, a4-landscape, or WIDTHxHEIGHT in px, as 1200x800.",
    ),
)

_sketched = click.option(
    "--sketch",
    type=FILE,
    help="Where the elements stood before: a normalized document, or its `computed`. What an edit does not touch "
    "stays there. Left out, the document's own `computed` counts.",
)


class AskedView(TypedDict):
    """The options of a view, as given."""

    collapse: tuple[str, ...]
    focus: tuple[str, ...]
    depth: int
    crop: tuple[str, ...]
    aspect_ratio: float | None
    page: str | None


class PictureDocuments(NamedTuple):
    """The documents that a picture is drawn from: the scene, an earlier one whose changes are shown, a sketch; `chosen`
    says what the scene is, and with `both` the earlier one too."""

    scene: str
    before: str | None = None
    sketch: str | None = None
    chosen: Chosen = ANYTHING
    both: bool = False

    @property
    def names(self) -> list[str]:
        """The given files."""
        return [name for name in (self.scene, self.before, self.sketch) if name is not None]


class PictureOrder(NamedTuple):
    """The options and the target of a picture."""

    out: str | None
    form: Format
    theme: str | None = None
    scale: float = 1.0
    outlines: bool = False
    embed: bool = False
    view: dict[str, Any] | None = None
    pair: bool = False

    @property
    def themes(self) -> Mapping[str, str | None]:
        """The theme of each file, by the ending of its name."""
        return {"": self.theme or _LIGHT, _DARK_ENDING: _DARK} if self.pair else {"": self.theme}


_LIGHT, _DARK, _DARK_ENDING = "clean", "dark", "-dark"


def _viewed(command: Callable[..., None]) -> Callable[..., None]:
    """The command with the options of a view, in the order of their table."""
    for option in reversed(_VIEW_OPTIONS):
        command = option(command)
    return command


@click.command
@click.argument("file", type=FILE)
@click.option(
    "-o",
    "--out",
    type=FILE,
    help=f"A file named {', '.join(BY_SUFFIX)}, or - for standard output; left out, named after its source.",
)
@sourced
@click.option(
    "--theme",
    shell_complete=completes(*THEME_NAMES),
    help=f"{', '.join(THEME_NAMES)}; left out, the canvas background chooses.",
)
@click.option(
    "--format",
    "picture_format",
    shell_complete=completes(*FORMATS),
    help=f"{', '.join(FORMATS)}; left out, the file's name decides.",
)
@click.option(
    "--scale", type=float, default=1.0, show_default=True, help="For png: 2 doubles the resolution; 0.1 to 8."
)
@click.option("--outlines", is_flag=True, help="For svg: letters as outlines, for programs without embedded fonts.")
@click.option("--embed", is_flag=True, help="For svg and png: the picture carries its scene, and is read again.")
@click.option(
    "--pair", is_flag=True, help="Write NAME.svg and NAME-dark.svg, and print the <picture> element for both."
)
@click.option("--diff", type=FILE, help="An earlier document of the scene: show what changed.")
@_sketched
@_viewed
@click.option("--watch", is_flag=True, help="Draw again whenever the scene is saved, until Ctrl-C is pressed.")
def render(
    file: str,
    *,
    out: str | None,
    theme: str | None,
    picture_format: str | None,
    scale: float,
    outlines: bool,
    embed: bool,
    pair: bool,
    diff: str | None,
    sketch: str | None,
    watch: bool,
    form: str | None,
    block: str | None,
    **view: Unpack[AskedView],
) -> None:
    """Render a scene, or any source that can be read, to a picture.

    FILE is a scene (JSON, YAML, a picture that carries one), a source of another tool, a Markdown page with a diagram,
    or - for standard input.
    """
    from scenograph.wire.names import MAX_SCALE, MIN_SCALE

    picture = format_of(out, picture_format)
    _check_choice("theme", theme, THEME_NAMES)
    if embed and not picture.embeds:
        leave(f"--embed is for svg and png; {picture.name} carries no scene.", REFUSED)
    if not MIN_SCALE <= scale <= MAX_SCALE:
        leave(f"--scale must be from {MIN_SCALE:g} to {MAX_SCALE:g}.", REFUSED)
    if pair and (picture is not SVG or out == STANDARD_STREAM):
        leave("--pair writes two files named .svg; give -o NAME.svg, or leave it out.", REFUSED)
    drawing = PictureOrder(out, picture, theme, scale, outlines, embed, _view(view), pair)
    files = PictureDocuments(file, diff, sketch, Chosen(form, block))
    given = files.names
    if not watch:
        # A picture makes many objects and hardly a cycle, and the command ends after it.
        gc.disable()
        try:
            draw(files, drawing)
        finally:
            gc.enable()
    elif STANDARD_STREAM in (*given, out):
        leave("--watch needs files; it works neither with standard input nor with standard output.", REFUSED)
    else:
        redraw_on_save(given, lambda: draw(files, drawing, told=True))


def draw(files: PictureDocuments, wanted: PictureOrder, *, told: bool = False) -> None:
    """Draw a picture, or a pair of pictures for light and dark pages; a file name is reported if chosen by default, or
    if `told`."""
    from scenograph.engine.pipeline import Extras, RasterTooLarge, WriteOptions
    from scenograph.engine.pipeline import render as rendered
    from scenograph.scene.reading import diagram_family, read_view
    from scenograph.wire.names import MAX_PIXELS, too_large

    document, remarks = valid_document(files.scene, files.chosen)
    if not wanted.form.holds(family := diagram_family(document)):
        leave(not_available(wanted.form, family), REFUSED)
    view = read_view(wanted.view)
    earlier = files.chosen if files.both else ANYTHING
    extras = Extras(before=None if files.before is None else valid_document(files.before, earlier)[0], view=view)
    options = WriteOptions(scale=wanted.scale, outlines=wanted.outlines, max_pixels=MAX_PIXELS, embed=wanted.embed)
    known = _sketch(files.sketch)
    try:
        with waiting("Rendering", document):
            pictures = {
                ending: rendered(document, wanted.form.name, theme=theme, sketch=known, extras=extras, options=options)
                for ending, theme in wanted.themes.items()
            }
    except RasterTooLarge as refused:
        leave(too_large(refused.width, refused.height, refused.pixels), REFUSED)
    show(pictures[""].diagnostics, said=remarks)
    name = _picture_name(files.scene, document, wanted.form) if wanted.out is None else wanted.out
    for ending, picture in pictures.items():
        file = _with_ending(name, ending)
        content = picture.content if isinstance(picture.content, bytes) else picture.content.encode()
        write(file, content, files.names, shown=wanted.form in (TEXT, MERMAID))
        if told or wanted.out is None:
            print(plain(f"Wrote {file}"), file=sys.stderr)
    if wanted.pair:
        print(_picture_element(name, document))


def _with_ending(name: str, ending: str) -> str:
    """The name of a file with an ending before its suffix."""
    return str(Path(name).with_name(f"{Path(name).stem}{ending}{Path(name).suffix}")) if ending else name


def _picture_element(name: str, document: Mapping[str, Any]) -> str:
    """HTML with the light picture, and the dark picture for readers who prefer dark pages."""
    light, dark = (quote(Path(_with_ending(name, ending)).as_posix()) for ending in ("", _DARK_ENDING))
    words = escape(plain(str(document["scene"].get("title") or document["scene"]["id"])))
    return (
        f'<picture>\n  <source media="(prefers-color-scheme: dark)" srcset="{dark}">\n'
        f'  <img src="{light}" alt="{words}">\n</picture>'
    )


def _picture_name(file: str, document: Mapping[str, Any], form: Format) -> str:
    """A picture of a scene is named after the scene, that of another source after its file."""
    is_other = file != STANDARD_STREAM and Path(file).suffix.lower() not in (".json", ".yaml", ".yml")
    return f"{Path(file).stem if is_other else document['scene']['id']}{form.suffix}"


@click.command
@click.argument("files", nargs=-1, required=True, type=FILE)
@sourced
@click.option(
    "--all-blocks",
    is_flag=True,
    help="Of a Markdown page: check every diagram; a page may have none. Pass over what has no form in a scene.",
)
def validate(files: tuple[str, ...], *, form: str | None, block: str | None, all_blocks: bool) -> None:
    """Check scenes, and sources of other tools.

    One line a diagnostic: severity, code, path, message. Exit code 1 when one is invalid or cannot be read; all are
    checked.

    FILES are scenes or any sources that can be read, or - for standard input. With several each line begins with the
    name of its file.
    """
    is_sound = True
    for name in files:
        try:
            numbers = _blocks_of(name) if all_blocks and block is None else None
        except NotRead as refused:
            print(plain(str(refused)), file=sys.stderr)
            is_sound = False
            continue
        for number in [block] if numbers is None else numbers:
            shown = name if numbers is None else f"{name} block {number}"
            told = f"{shown}: " if files[1:] or all_blocks else ""
            is_sound &= _is_sound(name, Chosen(form, number), told, passes_over=all_blocks)
    if not is_sound:
        sys.exit(REFUSED)


def _is_sound(file: str, chosen: Chosen, told: str, *, passes_over: bool) -> bool:
    """Whether a source can be read and is valid; prints the diagnostics, each after the name in `told`."""
    try:
        read = tried(file, chosen)
    except NotRead as refused:
        is_passed = passes_over and refused.is_formless
        print(plain(f"Passed over: {refused}" if is_passed else str(refused)), file=sys.stderr)
        return is_passed
    rows = (*read.diagnostics, *diagnostics_of(authored(read.document)))
    for row in rows:
        print(f"{plain(told)}{line(row)}")
    return not has_errors(rows)


def _blocks_of(file: str) -> list[str] | None:
    """The numbers of all diagrams of a Markdown page; None for what is none. NotRead without text."""
    from scenograph.reading.files import PAGES, headings_of_blocks
    from scenograph.reading.source import Unreadable

    if Path(file).suffix.lower() not in PAGES:
        return None
    try:
        return [str(number) for number, _ in enumerate(headings_of_blocks(raw_of(file)), start=1)]
    except Unreadable as refused:
        raise NotRead(f"{file}: {refused}") from refused


@click.command
@click.argument("file", type=FILE)
@click.option("-o", "--out", type=FILE, default=STANDARD_STREAM, help="The file to write; left out, standard output.")
@sourced
@_sketched
@_viewed
def normalize(
    file: str, *, out: str, form: str | None, block: str | None, sketch: str | None, **view: Unpack[AskedView]
) -> None:
    """Write a document with its defaults, places and `computed`.

    Every default is written in, every position resolved.

    FILE is a scene or any source that can be read, or - for standard input.
    """
    from scenograph.engine.pipeline import normalize as normalized

    authored_document, remarks = valid_document(file, Chosen(form, block))
    asked = _view(view)
    shown = authored_document if asked is None else {**authored_document, "view": asked}
    known = _sketch(sketch)
    with waiting("Laying out", shown):
        document, diagnostics = normalized(shown, sketch=known)
    show(diagnostics, said=remarks)
    write(out, f"{as_text(document)}\n".encode(), [name for name in (file, sketch) if name is not None])


def format_of(out: str | None, asked: str | None) -> Format:
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


def _view(asked: AskedView) -> dict[str, Any] | None:
    """The view of the options, None without any; a wrong value ends the program."""
    from scenograph.scene.description.document import VIEW, spoken_page
    from scenograph.scene.limits import LIMITS
    from scenograph.scene.validation import diagnostics_of

    view: dict[str, Any] = {name: list(ids) for name in ("collapse", "focus", "crop") if (ids := asked[name])}
    if asked["aspect_ratio"] is not None:
        view["aspectRatio"] = asked["aspect_ratio"]
    if asked["page"] is not None:
        view["page"] = spoken_page(asked["page"])
    whole = {**view, "depth": asked["depth"]}
    for row in diagnostics_of(VIEW.check(whole, LIMITS), lambda _: None, LIMITS):
        leave(row.message, REFUSED)
    return whole if view or asked["depth"] != ADJACENT else None
