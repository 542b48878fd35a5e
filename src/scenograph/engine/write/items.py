"""Items of a drawing as SVG elements, leaving out what the page already says (`PageDefaults`)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import zip_longest
from typing import Any, NamedTuple

from scenograph.engine.drawing import Item, Paint, PathItem, PictureItem, TextItem, TextRun
from scenograph.engine.text.blocks import Font
from scenograph.engine.write.decimals import decimal
from scenograph.engine.write.glyphs import Glyph, glyph_path, glyph_run
from scenograph.engine.write.markup import Markup, attributes_text, element, escaped, serialized
from scenograph.engine.write.paints import Attributes, content_id, painted
from scenograph.engine.write.path_data import path_data
from scenograph.engine.write.typefaces import Typefaces
from scenograph.scene.model import Color

_CACHED_IDS = 16
_CACHED_LETTERS = 8192
_CACHED_PAINTS = 1024
_SHAREABLE = frozenset({"fill", "fill-opacity", "stroke", "stroke-opacity", "stroke-width"})
_TO_THE_LEFT = "\u200f"
_ASPECT_RATIO = {"contain": "xMidYMid", "cover": "xMidYMid slice", "stretch": "none"}


PathPaint = tuple[Paint | None, Paint | None, float, tuple[float, ...], bool, str, str]
"""The members of a path from its fill to its fill rule."""


class PageDefaults(NamedTuple):
    """What the outermost group sets for everything inside: the commonest font, opaque text colour and stroke width; the
    pictures that are defined once because they are used several times; and whether letters are drawn as outlines."""

    font: Font
    text_color: Color
    stroke_width: float
    typefaces: Typefaces
    shared_pictures: frozenset[str] = frozenset()
    outlined: bool = False


def item_text(item: Item, page: PageDefaults) -> str:
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


def path_paints(paths: Sequence[PathItem], page: PageDefaults) -> tuple[str, ...]:
    """What all of these paths share of their paint, as it stands in a tag round them, and the rest of each."""
    return _paints(tuple([path[1:8] for path in paths]), page.stroke_width)


def path_element(item: PathItem, paint: str) -> str:
    """A path with the attributes of its paint, as they stand in a tag."""
    return f'<path{paint} d="{path_data(item.path)}"/>'


def _path(item: PathItem, page: PageDefaults) -> str:
    return path_element(item, _paint(item[1:8], page.stroke_width))


@lru_cache(maxsize=_CACHED_PAINTS)
def _paints(paints: tuple[PathPaint, ...], page_width: float) -> tuple[str, ...]:
    rows = [_attributes(paint, page_width) for paint in paints]
    first, *others = rows
    same = [row for row in first if row[0] in _SHAREABLE and all(row in other for other in others)] if others else []
    return attributes_text(same), *[attributes_text(row for row in paint if row not in same) for paint in rows]


@lru_cache(maxsize=_CACHED_PAINTS)
def _paint(paint: PathPaint, page_width: float) -> str:
    return attributes_text(_attributes(paint, page_width))


def _attributes(paint: PathPaint, page_width: float) -> Attributes:
    """The attributes of a path but for its form."""
    fill, stroke, width, dash, round_joins, cap, fill_rule = paint
    filled = painted("fill", fill) or (("fill", "none"),)
    rule = (("fill-rule", "evenodd"),) if fill_rule == "evenodd" and fill is not None else ()
    stroked = painted("stroke", stroke) if width > 0 else ()
    form = _stroke_form(width, dash, cap, page_width, round_joins=round_joins) if stroked else ()
    return (*filled, *rule, *stroked, *form)


def _stroke_form(
    width: float, dash: tuple[float, ...], cap: str, page_width: float, *, round_joins: bool
) -> Attributes:
    said = (
        ("stroke-width", decimal(width) if decimal(width) != decimal(page_width) else ""),
        ("stroke-dasharray", " ".join(map(decimal, dash))),
        ("stroke-linejoin", "" if round_joins else "miter"),
        ("stroke-linecap", "" if cap == "butt" else cap),
    )
    return tuple((name, value) for name, value in said if value)


@lru_cache(maxsize=_CACHED_LETTERS)
def glyph_definition(glyph: Glyph) -> str:
    """A letter's outline, in font units, to be used wherever it stands."""
    return f'<path id="{escaped(glyph.id)}" d="{path_data(glyph_path(glyph))}"/>'


def _text(item: TextItem, page: PageDefaults) -> str:
    if not item.runs:
        return "<g/>"
    first, turned = item.runs[0], _turned(item) if item.turn else ""
    if page.outlined:
        fill = "" if first.color == page.text_color else _text_fill(first.color)
        return f"<g{turned}{fill}>{''.join([_outlined(run, first) for run in item.runs])}</g>"
    paint = ""
    if first.color != page.text_color or first.font != page.font:
        paint = _letters_paint(first.color, first.font, page.text_color, page.font, page.typefaces)
    spaces = ' xml:space="preserve"' if any(run.text.startswith(" ") for run in item.runs) else ""
    if len(item.runs) == 1:
        return f"<text{_place(first)}{spaces}{turned}{paint}>{_letters_of(first)}</text>"
    return f"<text{spaces}{turned}{paint}>{''.join(_spans(item.runs, page.typefaces))}</text>"


def _spans(runs: tuple[TextRun, ...], typefaces: Typefaces) -> Iterator[str]:
    """The runs, with a space between those whose words are apart, so that they are read and copied so."""
    first = runs[0]
    for run, following in zip_longest(runs, runs[1:]):
        paint = _letters_paint(run.color, run.font, first.color, first.font, typefaces)
        yield f"<tspan{_place(run)}{paint}>{_letters_of(run)}</tspan>"
        if run.spaced and following is not None:
            yield " "


@lru_cache(maxsize=_CACHED_PAINTS)
def _letters_paint(color: Color, font: Font, outer_color: Color, outer: Font, typefaces: Typefaces) -> str:
    """What is said of letters that is not said around them."""
    fill = "" if color == outer_color else _text_fill(color)
    return fill + attributes_text(font_attributes(font, typefaces, outer))


def _outlined(run: TextRun, first: TextRun) -> str:
    """A run as uses of its letters' outlines."""
    fill = "" if run.color == first.color else _text_fill(run.color)
    scale, letters = _letters(run.text, run.font, right_to_left=run.right_to_left)
    place = f"translate({decimal(run.at.x)} {decimal(run.at.y)})"
    return element("g", f' transform="{place} {scale}"{fill}', letters)


@lru_cache(maxsize=_CACHED_LETTERS)
def _letters(text: str, font: Font, *, right_to_left: bool) -> tuple[str, str]:
    """How the letters of a run are scaled, and their outlines."""
    scale, glyphs, missing = glyph_run(text, font, right_to_left=right_to_left)
    places = ((glyph, decimal(at.x), decimal(at.y)) for glyph, at in glyphs)
    uses = (
        element("use", attributes_text((("href", f"#{glyph.id}"), ("x", x), *((("y", y),) if y != "0" else ()))), "")
        for glyph, x, y in places
    )
    boxes = (f'<path d="{path_data(box)}"/>' for box in missing)
    return f"scale({scale:.7g} {-scale:.7g})", "".join((*uses, *boxes))


def _turned(item: TextItem) -> str:
    return f' transform="rotate({decimal(item.turn)} {decimal(item.pivot.x)} {decimal(item.pivot.y)})"'


def _letters_of(run: TextRun) -> str:
    """A run's text, held together from right to left by marks (U+200F) where that is its direction: every run has its
    own place, so a viewer decides the direction of its neutral letters alone."""
    text = escaped(run.text)
    return f"{_TO_THE_LEFT}{text}{_TO_THE_LEFT}" if run.right_to_left else text


def _text_fill(color: Color) -> str:
    return attributes_text(painted("fill", color) or (("fill", "none"),))


def _place(run: TextRun) -> str:
    return f' x="{decimal(run.at.x)}" y="{decimal(run.at.y)}"'


def _picture(item: PictureItem, page: PageDefaults) -> str:
    box = zip(("x", "y", "width", "height"), map(decimal, item.box), strict=True)
    place = (*box, ("preserveAspectRatio", _ASPECT_RATIO[item.fit]))
    name = (Markup("title", (), (item.alt,)),) if item.alt else ()
    if picture_id(item) not in page.shared_pictures:
        return serialized(Markup("image", (*place, ("href", _data_uri(item))), name))
    width, height = map(decimal, item.pixels)
    use = Markup("use", (("href", f"#{picture_id(item)}"),))
    return serialized(Markup("svg", (*place, ("viewBox", f"0 0 {width} {height}")), (*name, use)))


def _data_uri(item: PictureItem) -> str:
    return f"data:{item.mime_type};base64,{item.data}"


_WRITERS: Mapping[type[Item], Callable[[Any, PageDefaults], str]] = {
    PathItem: _path,
    TextItem: _text,
    PictureItem: _picture,
}
