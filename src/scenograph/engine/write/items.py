"""Items of a drawing as SVG elements, leaving out what the page already says (`PageDefaults`)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from itertools import zip_longest
from typing import Any, NamedTuple

from scenograph.engine.drawing import Item, PathItem, PictureItem, TextItem, TextRun
from scenograph.engine.text.blocks import Font
from scenograph.engine.write.decimals import decimal
from scenograph.engine.write.glyphs import Glyph, glyph_path, glyph_run
from scenograph.engine.write.markup import Markup
from scenograph.engine.write.paints import Attributes, content_id, painted
from scenograph.engine.write.path_data import path_data
from scenograph.engine.write.typefaces import Typefaces
from scenograph.scene.model import Color

_CACHED_IDS = 16
_CACHED_LETTERS = 8192
_TO_THE_LEFT = "\u200f"
_ASPECT_RATIO = {"contain": "xMidYMid", "cover": "xMidYMid slice", "stretch": "none"}


class PageDefaults(NamedTuple):
    """What the outermost group sets for everything inside: the commonest font, opaque text colour and stroke width; the
    pictures that are defined once because they are used several times; and whether letters are drawn as outlines."""

    font: Font
    text_color: Color
    stroke_width: float
    typefaces: Typefaces
    shared_pictures: frozenset[str] = frozenset()
    outlined: bool = False


def item_markup(item: Item, page: PageDefaults) -> Markup:
    """One item as one SVG element."""
    return _WRITERS[type(item)](item, page)


def font_attributes(font: Font, typefaces: Typefaces, outer: Font | None = None) -> Attributes:
    """What `font` says that `outer` (None: nothing) does not."""
    said = {
        "font-family": (font.family, typefaces.family_list(font.family)),
        "font-size": (font.size, decimal(font.size)),
        "font-weight": (font.weight, str(font.weight)),
        "font-style": (font.italic, "italic" if font.italic else "normal"),
    }
    inherited = outer or Font("", 0.0, 400, italic=False)
    known = (inherited.family, inherited.size, inherited.weight, inherited.italic)
    return tuple((name, text) for (name, (value, text)), old in zip(said.items(), known, strict=True) if value != old)


def picture_id(picture: PictureItem) -> str:
    """The id under which a shared picture is defined."""
    return _raster_id(picture.mime_type, picture.data)


@lru_cache(maxsize=_CACHED_IDS)
def _raster_id(mime_type: str, data: str) -> str:
    return content_id(mime_type + data)


def picture_definition(picture: PictureItem) -> Markup:
    """A picture in its own pixels, to be used several times."""
    width, height = map(decimal, picture.pixels)
    size = (("id", picture_id(picture)), ("width", width), ("height", height))
    return Markup("image", (*size, ("href", _data_uri(picture))))


def _path(item: PathItem, page: PageDefaults) -> Markup:
    fill = painted("fill", item.fill) or (("fill", "none"),)
    rule = (("fill-rule", "evenodd"),) if item.fill_rule == "evenodd" and item.fill is not None else ()
    stroke = painted("stroke", item.stroke) if item.stroke_width > 0 else ()
    path_paint = (*fill, *rule, *stroke, *_stroke_form(item, page)) if stroke else (*fill, *rule)
    return Markup("path", (*path_paint, ("d", path_data(item.path))))


def _stroke_form(item: PathItem, page: PageDefaults) -> Attributes:
    width, dash = decimal(item.stroke_width), " ".join(map(decimal, item.dash))
    said = (
        ("stroke-width", width if width != decimal(page.stroke_width) else ""),
        ("stroke-dasharray", dash),
        ("stroke-linejoin", "" if item.round_joins else "miter"),
        ("stroke-linecap", "" if item.cap == "butt" else item.cap),
    )
    return tuple((name, value) for name, value in said if value)


@lru_cache(maxsize=_CACHED_LETTERS)
def glyph_definition(glyph: Glyph) -> Markup:
    """A letter's outline, in font units, to be used wherever it stands."""
    return Markup("path", (("id", glyph.id), ("d", path_data(glyph_path(glyph)))))


def _text(item: TextItem, page: PageDefaults) -> Markup:
    if not item.runs:
        return Markup("g")
    first = item.runs[0]
    fill = () if first.color == page.text_color else _text_fill(first.color)
    if page.outlined:
        return Markup("g", (*_turned(item), *fill), tuple(_outlined(run, first) for run in item.runs))
    paint = (*fill, *font_attributes(first.font, page.typefaces, page.font))
    spaces = (("xml:space", "preserve"),) if any(run.text[:1] == " " for run in item.runs) else ()
    turned = (*spaces, *_turned(item), *paint)
    if len(item.runs) == 1:
        return Markup("text", (*_place(first), *turned), (_letters_of(first),))
    return Markup("text", turned, tuple(_spans(item.runs, page.typefaces)))


def _spans(runs: tuple[TextRun, ...], typefaces: Typefaces) -> Iterator[Markup | str]:
    """The runs, with a space between those whose words are apart, so that they are read and copied so."""
    for run, following in zip_longest(runs, runs[1:]):
        first = runs[0]
        fill = () if run.color == first.color else _text_fill(run.color)
        span = Markup(
            "tspan", (*_place(run), *fill, *font_attributes(run.font, typefaces, first.font)), (_letters_of(run),)
        )
        yield span
        if run.spaced and following is not None:
            yield " "


def _outlined(run: TextRun, first: TextRun) -> Markup:
    """A run as uses of its letters' outlines."""
    fill = () if run.color == first.color else _text_fill(run.color)
    scale = glyph_run(run.text, run.font, right_to_left=run.right_to_left).scale
    transform = f"translate({decimal(run.at.x)} {decimal(run.at.y)}) scale({scale:.7g} {-scale:.7g})"
    return Markup("g", (("transform", transform), *fill), _letters(run.text, run.font, right_to_left=run.right_to_left))


@lru_cache(maxsize=_CACHED_LETTERS)
def _letters(text: str, font: Font, *, right_to_left: bool) -> tuple[Markup, ...]:
    _, glyphs, missing = glyph_run(text, font, right_to_left=right_to_left)
    places = ((glyph, decimal(at.x), decimal(at.y)) for glyph, at in glyphs)
    uses = (
        Markup("use", (("href", f"#{glyph.id}"), ("x", x), *((("y", y),) if y != "0" else ())))
        for glyph, x, y in places
    )
    return (*uses, *(Markup("path", (("d", path_data(box)),)) for box in missing))


def _turned(item: TextItem) -> Attributes:
    if not item.turn:
        return ()
    return (("transform", f"rotate({decimal(item.turn)} {decimal(item.pivot.x)} {decimal(item.pivot.y)})"),)


def _letters_of(run: TextRun) -> str:
    """A run's text, held together from right to left by marks (U+200F) where that is its direction: every run has its
    own place, so a viewer decides the direction of its neutral letters alone."""
    return f"{_TO_THE_LEFT}{run.text}{_TO_THE_LEFT}" if run.right_to_left else run.text


def _text_fill(color: Color) -> Attributes:
    return painted("fill", color) or (("fill", "none"),)


def _place(run: TextRun) -> Attributes:
    return (("x", decimal(run.at.x)), ("y", decimal(run.at.y)))


def _picture(item: PictureItem, page: PageDefaults) -> Markup:
    box = zip(("x", "y", "width", "height"), map(decimal, item.box), strict=True)
    place = (*box, ("preserveAspectRatio", _ASPECT_RATIO[item.fit]))
    name = (Markup("title", (), (item.alt,)),) if item.alt else ()
    if picture_id(item) not in page.shared_pictures:
        return Markup("image", (*place, ("href", _data_uri(item))), name)
    width, height = map(decimal, item.pixels)
    use = Markup("use", (("href", f"#{picture_id(item)}"),))
    return Markup("svg", (*place, ("viewBox", f"0 0 {width} {height}")), (*name, use))


def _data_uri(item: PictureItem) -> str:
    return f"data:{item.mime_type};base64,{item.data}"


_WRITERS: Mapping[type[Item], Callable[[Any, PageDefaults], Markup]] = {
    PathItem: _path,
    TextItem: _text,
    PictureItem: _picture,
}
