"""A drawing as a self-contained SVG document.

In: a `Drawing`. Out: text that needs no network, holds no script, no event handler and no reference but to itself,
and can stand several times on one page. Every element of the scene is one `<g data-element-id data-kind>`; an edge's
label is a `<g data-label-for>`, because it is painted above all lines (R-SVG-1, R-SVG-2, R-SVG-3).
"""

from __future__ import annotations

import re
import zlib
from base64 import b64encode
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from hashlib import sha256
from itertools import groupby, zip_longest
from types import MappingProxyType
from typing import Any, NamedTuple, TypeVar

import uharfbuzz as hb

from scenograph.engine.drawing import (
    Drawing,
    DrawnGroup,
    DrawnItem,
    Gradient,
    Paint,
    PathItem,
    PictureItem,
    TextItem,
    TextRun,
)
from scenograph.engine.geometry.boxes import Box, Point
from scenograph.engine.geometry.paths import Move, Path
from scenograph.engine.kernels.path_text import path_text
from scenograph.engine.text.blocks import Font
from scenograph.engine.text.shaping import (
    ALL_FAMILIES,
    PINNED_AXES,
    FontFace,
    drawn_font,
    face_of,
    glyphs_of,
    harfbuzz_face,
    type_family,
)
from scenograph.engine.write.glyphs import Glyph, glyph_path, glyph_run
from scenograph.engine.write.markup import (
    Attributes,
    Markup,
    attributes_text,
    content_id,
    element,
    escaped,
    gradient_definition,
    painted,
    serialized,
    tags,
)
from scenograph.engine.write.writer import decimal
from scenograph.scene.memo import Latest, Remembered
from scenograph.scene.model import Color
from scenograph.wire.formats import PNG, SVG

# Font subsets: the few letters a picture uses, as small font files to embed. In: runs of text. Out: for each font
# file the letters and weights it is used for, and the bytes of a TrueType subset that draws just these, its optical
# size pinned and its weight axis pinned or narrowed.


_CACHED_SUBSETS = 64
_KEPT_FEATURES = (
    *("ccmp", "locl", "rlig", "rclt", "calt", "clig", "liga", "kern", "mark", "mkmk"),
    *("isol", "fina", "fin2", "fin3", "medi", "med2", "init", "curs", "stch"),  # joining scripts
    *("nukt", "akhn", "rphf", "rkrf", "pref", "blwf", "abvf", "half", "pstf", "vatu", "cjct", "cfar"),  # Indic and
    *("pres", "abvs", "blws", "psts", "haln", "dist", "abvm", "blwm"),  # Khmer
    *("ljmo", "vjmo", "tjmo"),  # Hangul jamo
)
_DROPPED_TABLES = ("STAT", "MVAR", "meta", "DSIG", "gasp", "prep")
_KEPT_NAMES = (1, 2, 4, 6)  # family, style, full and PostScript name: without the last, rasterizers refuse the file


class FaceUse(NamedTuple):
    """The use of one font file in a picture: letters (sorted), and the lightest and heaviest weight."""

    face: FontFace
    letters: str
    weights: tuple[int, int]


def faces_used(runs: Iterable[tuple[str, Font]]) -> tuple[FaceUse, ...]:
    """The font files used by `runs` (text and font, as held by `TextBlock` and `TextRun`), in a fixed order; letters
    missing from a file are left out."""
    by_font: dict[Font, set[str]] = {}
    for text, font in runs:
        by_font.setdefault(font, set()).update(text)
    letters: dict[FontFace, set[str]] = {}
    weights: dict[FontFace, set[int]] = {}
    for font, found in by_font.items():
        face = face_of(font)
        letters.setdefault(face, set()).update(found)
        weights.setdefault(face, set()).add(drawn_font(font).weight)
    return tuple(
        FaceUse(face, _drawable(face, letters[face]), (min(weights[face]), max(weights[face])))
        for face in sorted(letters, key=lambda face: face.name)
    )


@lru_cache(maxsize=_CACHED_SUBSETS)
def subset_font(use: FaceUse) -> bytes:
    """A TrueType file with the glyphs of `use.letters`; for two weights the file keeps the weight axis in between. Same
    input, same bytes."""
    face = harfbuzz_face(use.face)
    wish = hb.SubsetInput()
    wish.flags = hb.SubsetFlags.NO_HINTING
    wish.unicode_set.update(ord(letter) for letter in use.letters)
    _replace(wish.layout_feature_tag_set, (_tag(name) for name in _KEPT_FEATURES if name not in use.face.without))
    _replace(wish.name_id_set, _KEPT_NAMES)
    wish.drop_table_tag_set.update(map(_tag, _DROPPED_TABLES))
    _set_axes(wish, face, use)
    return bytes(hb.subset(face, wish).blob.data)


def _drawable(face: FontFace, letters: set[str]) -> str:
    return "".join(sorted(letter for letter in letters if ord(letter) in glyphs_of(face)))


def _replace(tags: hb.Set, values: Iterable[int]) -> None:
    tags.clear()
    tags.update(values)


def _tag(name: str) -> int:
    return int.from_bytes(name.encode("ascii"), "big")


def _set_axes(wish: hb.SubsetInput, face: hb.Face, use: FaceUse) -> None:
    for axis in use.face.axes:
        if axis in PINNED_AXES:
            wish.pin_axis_location(face, axis, PINNED_AXES[axis])
    if "wght" not in use.face.axes:
        return
    lightest, heaviest = use.weights
    if lightest == heaviest:
        wish.pin_axis_location(face, "wght", float(lightest))
    else:
        wish.set_axis_range(face, "wght", float(lightest), float(heaviest), float(lightest))


# A path as the text of an SVG `d` attribute (SVG 2, section 9.3): relative commands, the short forms h and v.


def path_data(path: Path) -> str:
    """The commands of `path`; every coordinate is within 0.005 px of the true value."""
    return path_text(path, Move)


# The fonts of a picture: embedded as subsets under names of their own, for the same look on every machine. A family's
# name in the SVG derives from a hash of its subsets: two pictures on one page with different embedded letters never
# share a name.


_SALT_LENGTH = 10
_CACHED_RULES = 64
_FAMILY_OF_FACE = {face.name: family.name for family in ALL_FAMILIES.values() for face in family.faces}


class Typefaces(NamedTuple):
    """The `@font-face` rules, and the salted name of each embedded family."""

    rules: str = ""
    names: tuple[tuple[str, str], ...] = ()

    def family_list(self, family: str) -> str:
        """The `font-family` value: the embedded subset first, then the same design by its public name, then a generic
        family for missing letters."""
        known = type_family(family)
        names = (dict(self.names).get(known.name), f"'{known.css_name}'", known.css_fallback)
        return ",".join(name for name in names if name)


def embedded(runs: Iterable[tuple[str, Font]]) -> Typefaces:
    """Subsets with the letters of `runs`, as rules."""
    uses = sorted(faces_used(runs), key=_family_of)
    families = {name: tuple(group) for name, group in groupby(uses, key=_family_of)}
    drawn = {name: tuple(use for use in group if use.letters) for name, group in families.items()}
    rules = {name: _family_rules(group) for name, group in drawn.items() if group}
    names = tuple((name, salted) for name, (salted, _) in rules.items())
    return Typefaces("".join(text for _, text in rules.values()), names)


def _family_of(use: FaceUse) -> str:
    return _FAMILY_OF_FACE[use.face.name]


@lru_cache(maxsize=_CACHED_RULES)
def _family_rules(uses: tuple[FaceUse, ...]) -> tuple[str, str]:
    """The salted name of a font family, and a rule for each font file."""
    files = [subset_font(use) for use in uses]
    salted = f"sg{sha256(b''.join(files)).hexdigest()[:_SALT_LENGTH]}"
    return salted, "".join(_rule(salted, use, file) for use, file in zip(uses, files, strict=True))


def _rule(name: str, use: FaceUse, file: bytes) -> str:
    lightest, heaviest = use.weights
    weight = f"{lightest}" if lightest == heaviest else f"{lightest} {heaviest}"
    slant = "font-style:italic;" if use.face.italic else ""
    source = f"url(data:font/ttf;base64,{b64encode(file).decode('ascii')}) format('truetype')"
    return f"@font-face{{font-family:{name};font-weight:{weight};{slant}src:{source}}}"


# Items of a drawing as SVG elements, leaving out what the page already says (`PageDefaults`).


_CACHED_IDS = 16
_CACHED_LETTERS = 8192
_MOVED = re.compile(r"M[-.\d ]*")  # the first command of a contour
_CACHED_PAINTS = 1024
_SHAREABLE = frozenset({"fill", "fill-opacity", "stroke", "stroke-opacity", "stroke-width"})
_TO_THE_LEFT = "\u200f"
_ASPECT_RATIO = {"contain": "xMidYMid", "cover": "xMidYMid slice", "stretch": "none"}


_PathPaint = tuple[Paint | None, Paint | None, float, tuple[float, ...], bool, str, str]
"""The members of a path from fill to fill rule."""


class PageDefaults(NamedTuple):
    """The attributes of the outermost group: the most common font, opaque text colour and stroke width; also the
    pictures defined once for repeated use, and the choice of outlined letters."""

    font: Font
    text_color: Color
    stroke_width: float
    typefaces: Typefaces
    shared_pictures: frozenset[str] = frozenset()
    outlined: bool = False


def _item_text(item: DrawnItem, page: PageDefaults) -> str:
    """An item as an SVG element."""
    return _WRITERS[type(item)](item, page)


def _font_attributes(font: Font, typefaces: Typefaces, outer: Font | None = None) -> Attributes:
    """The attributes of `font` that differ from `outer` (None: no outer font)."""
    said = {
        "font-family": (font.family, typefaces.family_list(font.family)),
        "font-size": (font.size, decimal(font.size)),
        "font-weight": (font.weight, str(font.weight)),
        "font-style": (font.italic, "italic" if font.italic else "normal"),
    }
    inherited = outer or Font("", 0.0, 400, italic=False)
    known = (inherited.family, inherited.size, inherited.weight, inherited.italic)
    return tuple((name, text) for (name, (value, text)), old in zip(said.items(), known, strict=True) if value != old)


def _picture_id(picture: PictureItem) -> str:
    """The definition id of a shared picture."""
    return _raster_id(picture.mime_type, picture.data)


@lru_cache(maxsize=_CACHED_IDS)
def _raster_id(mime_type: str, data: str) -> str:
    return content_id(mime_type + data)


def _picture_definition(picture: PictureItem) -> Markup:
    """A picture in its own pixels, for repeated use."""
    width, height = map(decimal, picture.pixels)
    size = (("id", _picture_id(picture)), ("width", width), ("height", height))
    return Markup("image", (*size, ("href", _data_uri(picture))))


def _path_paints(paths: Sequence[PathItem], page: PageDefaults) -> tuple[str, ...]:
    """The paint attributes shared by all paths, as text of a surrounding tag, followed by the rest of each path."""
    return _paints(tuple([path[1:8] for path in paths]), page.stroke_width)


def _path_element(item: PathItem, paint: str) -> str:
    """A path with serialized paint attributes."""
    return f'<path{paint} d="{path_data(item.path)}"/>'


def _path(item: PathItem, page: PageDefaults) -> str:
    return _path_element(item, _paint(item[1:8], page.stroke_width))


@lru_cache(maxsize=_CACHED_PAINTS)
def _paints(paints: tuple[_PathPaint, ...], page_width: float) -> tuple[str, ...]:
    rows = [_attributes(paint, page_width) for paint in paints]
    first, *others = rows
    same = [row for row in first if row[0] in _SHAREABLE and all(row in other for other in others)] if others else []
    return attributes_text(same), *[attributes_text(row for row in paint if row not in same) for paint in rows]


@lru_cache(maxsize=_CACHED_PAINTS)
def _paint(paint: _PathPaint, page_width: float) -> str:
    return attributes_text(_attributes(paint, page_width))


def _attributes(paint: _PathPaint, page_width: float) -> Attributes:
    """The attributes of a path without its form."""
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
    """The runs, with a space between separated words for reading and copying."""
    first = runs[0]
    for run, following in zip_longest(runs, runs[1:]):
        paint = _letters_paint(run.color, run.font, first.color, first.font, typefaces)
        yield f"<tspan{_place(run)}{paint}>{_letters_of(run)}</tspan>"
        if run.spaced and following is not None:
            yield " "


@lru_cache(maxsize=_CACHED_PAINTS)
def _letters_paint(color: Color, font: Font, outer_color: Color, outer: Font, typefaces: Typefaces) -> str:
    """The attributes of letters that differ from the surrounding text."""
    fill = "" if color == outer_color else _text_fill(color)
    return fill + attributes_text(_font_attributes(font, typefaces, outer))


def _outlined(run: TextRun, first: TextRun) -> str:
    """A run as a single outline of all letters: a rasterizer fills a single path sooner than a path for each letter."""
    fill = "" if run.color == first.color else _text_fill(run.color)
    scale, letters = _letters(run.text, run.font, right_to_left=run.right_to_left)
    place = f"translate({decimal(run.at.x)} {decimal(run.at.y)})"
    return element("g", f' transform="{place} {scale}"{fill}', letters)


@lru_cache(maxsize=_CACHED_LETTERS)
def _letters(text: str, font: Font, *, right_to_left: bool) -> tuple[str, str]:
    """How the letters of a run are scaled, and their outline."""
    scale, glyphs, missing = glyph_run(text, font, right_to_left=right_to_left)
    contours = [
        f"M{decimal(at.x + start.x)} {decimal(at.y + start.y)}{further}"
        for glyph, at in glyphs
        for start, further in _contours(glyph)
    ]
    outline = "".join((*contours, *map(path_data, missing)))
    return f"scale({scale:.7g} {-scale:.7g})", f'<path d="{outline}"/>' if outline else ""


@lru_cache(maxsize=_CACHED_LETTERS)
def _contours(glyph: Glyph) -> tuple[tuple[Point, str], ...]:
    """The contours of a glyph, in font units: the begin of each contour, then relative commands."""
    path = glyph_path(glyph)
    begun = [(segment.to, at) for at, segment in enumerate(path) if isinstance(segment, Move)]
    ends = (at for _, at in (*begun[1:], (None, len(path))))
    return tuple(
        (start, _MOVED.sub("", path_data(path[first:end]), count=1))
        for (start, first), end in zip(begun, ends, strict=True)
    )


def _turned(item: TextItem) -> str:
    return f' transform="rotate({decimal(item.turn)} {decimal(item.pivot.x)} {decimal(item.pivot.y)})"'


def _letters_of(run: TextRun) -> str:
    """The text of a run, enclosed in marks (U+200F) if right to left. Every run has its own position, hence a viewer
    would decide the direction of neutral letters run by run."""
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
    if _picture_id(item) not in page.shared_pictures:
        return serialized(Markup("image", (*place, ("href", _data_uri(item))), name))
    width, height = map(decimal, item.pixels)
    use = Markup("use", (("href", f"#{_picture_id(item)}"),))
    return serialized(Markup("svg", (*place, ("viewBox", f"0 0 {width} {height}")), (*name, use)))


def _data_uri(item: PictureItem) -> str:
    return f"data:{item.mime_type};base64,{item.data}"


_WRITERS: Mapping[type[DrawnItem], Callable[[Any, PageDefaults], str]] = {
    PathItem: _path,
    TextItem: _text,
    PictureItem: _picture,
}


# Groups of a drawing as SVG text: an element's paint with its id, link and tooltip. The text depends only on the group
# and the page's definitions, so the texts of the latest groups are kept: for a scene drawn before, only changed groups
# are painted and written anew.


_CACHED_PAGES = 16
_LINK_RULES = (("target", "_blank"), ("rel", "noopener noreferrer"))

OWNERS: Mapping[str, Callable[[DrawnGroup], Attributes]] = {
    "element": lambda group: (("data-element-id", group.id), ("data-kind", group.kind)),
    "label": lambda group: (("data-label-for", group.id),),
    "legend": lambda group: (("data-legend", group.kind),),
    "title": lambda _: (("data-title", ""),),
    "watermark": lambda _: (("data-watermark", ""),),
}
"""The attribute for the owner of a group, by its role."""


def _group_texts(groups: Iterable[DrawnGroup], page: PageDefaults) -> Iterator[str]:
    """The texts of the groups, in order."""
    bare, named = page._replace(typefaces=Typefaces()), page._replace(typefaces=page.typefaces._replace(rules=""))
    bare, named = (_PAGES.get(one) or _PAGES.put(one, one) for one in (bare, named))
    known, naming = _TEXTS[page.outlined], (named,)
    return (
        known.get(group, bare) or known.get(group, naming) or _group_text(group, bare, naming, known)
        for group in groups
    )


def _group_text(group: DrawnGroup, bare: PageDefaults, naming: tuple[PageDefaults], known: Remembered[str]) -> str:
    """The text of one group, cached. Only a group with letters of a second family depends on the family names, which
    change with every new letter; its text is cached under the names. Groups with pictures may be large, and are not
    cached."""
    given, is_large = bare, False
    for item in group.items:
        if type(item) is TextItem:
            for run in item.runs:
                if run.font.family != bare.font.family:
                    given = naming
        elif type(item) is PictureItem:
            is_large = True
    text = _written(group, bare if given is bare else naming[0])
    return text if is_large else known.put(group, given, text)


def _written(group: DrawnGroup, page: PageDefaults) -> str:
    owner = OWNERS[group.role](group)
    if group.change:
        owner = (*owner, ("data-change", group.change))
    if group.opacity < 1:
        owner = (*owner, ("opacity", decimal(max(group.opacity, 0.0))))
    paint, content = _items(group.items, page)
    if group.link is not None:
        content = element("a", attributes_text((("href", group.link.href), *_LINK_RULES)), content)
    words = f"<title>{escaped(group.tooltip)}</title>" if group.tooltip else ""
    return element("g", attributes_text(owner) + paint, words + content)


def _items(items: tuple[DrawnItem, ...], page: PageDefaults) -> tuple[str, str]:
    """The paint shared by all paths of a group, and the items without it. A group with text keeps its paint inside:
    text would inherit the stroke."""
    paths = [item for item in items if type(item) is PathItem]
    if not paths or len(paths) < len(items):
        return "", "".join([_item_text(item, page) for item in items])
    shared, *own = _path_paints(paths, page)
    return shared, "".join(map(_path_element, paths, own))


_PAGES: Latest[PageDefaults, PageDefaults] = Latest(_CACHED_PAGES)
_TEXTS = {outlined: Remembered[str]() for outlined in (False, True)}
"""By whether letters are drawn as outlines: a picture may be wanted in both forms."""


NAMESPACE = "http://www.w3.org/2000/svg"
_DEFAULT_FONT = Font("sans", 14.0)
_UNTREATED = frozenset({"", "unchanged"})
_DEFAULT_COLOR = Color(0, 0, 0)

Value = TypeVar("Value", bound=Hashable)


def write_svg(drawing: Drawing, *, outlined: bool = False) -> str:
    """The SVG text. `outlined` draws letters as paths instead of embedding fonts: for a rasterizer, not for people, who
    want to search and select text."""
    contents = _contents(drawing.groups)
    typefaces = Typefaces() if outlined else embedded([(run.text, run.font) for run in contents.runs])
    page = _page_defaults(contents, typefaces)._replace(outlined=outlined)
    rules = f"<style>{typefaces.rules}</style>" if typefaces.rules else ""
    body = _body(drawing, drawing.groups, contents, page)
    salt = content_id(f"{body}{drawing.title}{drawing.description}")
    return f"{_opening(drawing, salt)}{_names(drawing, salt)}{rules}{body}</svg>\n"


class OutlinedPage:
    """A drawing for a rasterizer: parts of its page as separate documents with outlined letters."""

    def __init__(self, drawing: Drawing) -> None:
        self._drawing = drawing
        self._page = _page_defaults(_contents(drawing.groups), Typefaces())._replace(outlined=True)

    def part(self, view: Box, groups: Sequence[DrawnGroup], columns: int, rows: int) -> str:
        """The paint of these groups in a box of the page, stretched to `columns` x `rows` pixels."""
        left, top, width, height = view
        return (
            f'<svg xmlns="{NAMESPACE}" width="{columns}" height="{rows}" preserveAspectRatio="none"'
            f' viewBox="{left} {top} {width} {height}">'
            f"{_body(self._drawing, groups, _contents(groups), self._page)}</svg>"
        )


def _body(drawing: Drawing, groups: Sequence[DrawnGroup], contents: _Contents, page: PageDefaults) -> str:
    """The background and some groups of a drawing, with their definitions."""
    paint = painted("fill", drawing.background)
    box = zip(("x", "y", "width", "height"), map(decimal, drawing.page), strict=True)
    background = serialized(Markup("rect", (*box, *paint))) if paint else ""
    before, after = _around_groups(page, is_empty=not groups)
    return "".join((_definitions(contents, page), background, before, *_group_texts(groups, page), after))


class _Contents(NamedTuple):
    """The contents of some groups: runs of text, pictures, distinct gradients, and the frequency of each stroke
    width."""

    runs: list[TextRun]
    pictures: list[PictureItem]
    gradients: dict[Gradient, None]
    widths: Counter[float]


def _contents(groups: Iterable[DrawnGroup]) -> _Contents:
    found, widths = _Contents([], [], {}, Counter()), list[float]()
    for group in groups:
        # The borders of a visual diff carry their own width: a reader of a single group finds everything.
        is_plain = group.role != "legend" and group.change in _UNTREATED
        for item in group.items:
            if type(item) is PathItem:
                fill, stroke = item.fill, item.stroke
                if fill is not None and not isinstance(fill, Color):
                    found.gradients[fill] = None
                if stroke is not None:
                    if not isinstance(stroke, Color):
                        found.gradients[stroke] = None
                    if is_plain and item.stroke_width > 0:
                        widths.append(item.stroke_width)
            elif type(item) is TextItem:
                found.runs.extend(item.runs)
            elif type(item) is PictureItem:
                found.pictures.append(item)
    found.widths.update(widths)
    return found


def _opening(drawing: Drawing, salt: str) -> str:
    x, y, width, height = map(decimal, drawing.page)
    across, down = (decimal(side * drawing.scale) for side in drawing.page[2:])
    return (
        f'<svg xmlns="{NAMESPACE}" width="{across}" height="{down}" viewBox="{x} {y} {width} {height}"'
        f' role="img" aria-labelledby="{salt}t {salt}d">'
    )


def _names(drawing: Drawing, salt: str) -> str:
    title = Markup("title", (("id", f"{salt}t"),), (drawing.title,))
    return serialized(title, Markup("desc", (("id", f"{salt}d"),), (drawing.description,)))


def _around_groups(page: PageDefaults, *, is_empty: bool) -> tuple[str, str]:
    """The tags around all groups, with the attributes most groups share."""
    shared = (
        *_font_attributes(page.font, page.typefaces),
        *painted("fill", page.text_color),
        ("stroke-width", decimal(page.stroke_width)),
        ("stroke-linejoin", "round"),
        ("text-rendering", "geometricPrecision"),
    )
    return tags(Markup("g", shared), is_empty=is_empty)


def _definitions(contents: _Contents, page: PageDefaults) -> str:
    pictures = {_picture_id(item): item for item in contents.pictures}
    rows = [gradient_definition(gradient) for gradient in contents.gradients]
    rows += [_picture_definition(item) for key, item in pictures.items() if key in page.shared_pictures]
    return element("defs", "", serialized(*rows)) if rows else ""


def _page_defaults(contents: _Contents, typefaces: Typefaces) -> PageDefaults:
    font = _commonest(Counter([run.font for run in contents.runs])) or _DEFAULT_FONT
    color = _commonest(Counter([run.color for run in contents.runs if run.color.alpha >= 1])) or _DEFAULT_COLOR
    counts = Counter(map(_picture_id, contents.pictures))
    shared = frozenset(key for key, count in counts.items() if count > 1)
    return PageDefaults(font, color, _commonest(contents.widths) or 1.0, typefaces, shared)


def _commonest(counts: Counter[Value]) -> Value | None:
    rows = counts.most_common(1)
    return rows[0][0] if rows else None


# A document inside its picture, from which it can be read again: the metadata of an SVG, an iTXt chunk of a PNG.
#
# In: a finished file and the document as JSON text. Out: the same file with it.

_PNG_KEYWORD = b"scenograph"
_HEAD = 8 + 25  # bytes of the signature and of the chunk IHDR, which comes first
_COMPRESSED = b"\0\x01\0\0\0"  # ends the keyword; compressed, by deflate; no language, no translated keyword


def _in_svg(svg: str | bytes, document: str) -> str | bytes:
    head, mark, rest = str(svg).partition(">")
    return f"{head}{mark}<metadata>{escaped(document)}</metadata>{rest}"


def _in_png(png: str | bytes, document: str) -> str | bytes:
    content = b"iTXt" + _PNG_KEYWORD + _COMPRESSED + zlib.compress(document.encode(), 9)
    chunk = (len(content) - 4).to_bytes(4, "big") + content + zlib.crc32(content).to_bytes(4, "big")
    raw = bytes(png) if isinstance(png, bytes) else png.encode()
    return raw[:_HEAD] + chunk + raw[_HEAD:]


EMBEDDERS: Mapping[str, Callable[[str | bytes, str], str | bytes]] = MappingProxyType(
    {SVG.name: _in_svg, PNG.name: _in_png}
)
"""How each format that can carries its document."""
