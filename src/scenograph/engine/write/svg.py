"""A drawing as a self-contained SVG document.

In: a `Drawing`. Out: text that needs no network, holds no script, no event handler and no reference but to itself,
and can stand several times on one page. Every element of the scene is one `<g data-element-id data-kind>`; an edge's
label is a `<g data-label-for>`, because it is painted above all lines (R-SVG-1, R-SVG-2, R-SVG-3).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple, TypeVar

from scenograph.engine.drawing import (
    Drawing,
    DrawnGroup,
    Gradient,
    PathItem,
    PictureItem,
    TextItem,
    TextRun,
)
from scenograph.engine.geometry.boxes import Box
from scenograph.engine.text.blocks import Font
from scenograph.engine.write.decimals import decimal
from scenograph.engine.write.glyphs import Glyph, glyph_run
from scenograph.engine.write.groups import group_texts
from scenograph.engine.write.items import (
    PageDefaults,
    font_attributes,
    glyph_definition,
    picture_definition,
    picture_id,
)
from scenograph.engine.write.markup import Markup, element, serialized, tags
from scenograph.engine.write.paints import content_id, gradient_definition, painted
from scenograph.engine.write.typefaces import Typefaces, embedded
from scenograph.scene.model import Color

NAMESPACE = "http://www.w3.org/2000/svg"
_DEFAULT_FONT = Font("sans", 14.0)
_CACHED_RUNS = 8192
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
    """A drawing for a rasterizer: parts of its page as documents of their own, in which letters are paths."""

    def __init__(self, drawing: Drawing) -> None:
        self._drawing = drawing
        self._page = _page_defaults(_contents(drawing.groups), Typefaces())._replace(outlined=True)

    def part(self, view: Box, groups: Sequence[DrawnGroup], columns: int, rows: int) -> str:
        """What these groups paint in a box of the page, stretched to so many pixels."""
        left, top, width, height = view
        return (
            f'<svg xmlns="{NAMESPACE}" width="{columns}" height="{rows}" preserveAspectRatio="none"'
            f' viewBox="{left} {top} {width} {height}">'
            f"{_body(self._drawing, groups, _contents(groups), self._page)}</svg>"
        )


def _body(drawing: Drawing, groups: Sequence[DrawnGroup], contents: _Contents, page: PageDefaults) -> str:
    """The background and some groups of a drawing, with what they refer to."""
    paint = painted("fill", drawing.background)
    box = zip(("x", "y", "width", "height"), map(decimal, drawing.page), strict=True)
    background = serialized(Markup("rect", (*box, *paint))) if paint else ""
    before, after = _around_groups(page, is_empty=not groups)
    return "".join((_definitions(contents, page), background, before, *group_texts(groups, page), after))


class _Contents(NamedTuple):
    """What some groups hold: its runs of text, its pictures, its different gradients; how often each width of a stroke
    occurs."""

    runs: list[TextRun]
    pictures: list[PictureItem]
    gradients: dict[Gradient, None]
    widths: Counter[float]


def _contents(groups: Iterable[DrawnGroup]) -> _Contents:
    found, widths = _Contents([], [], {}, Counter()), list[float]()
    for group in groups:
        # The borders of a visual diff say their width themselves: whoever reads one group alone finds all of it.
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
    return (
        f'<svg xmlns="{NAMESPACE}" width="{width}" height="{height}" viewBox="{x} {y} {width} {height}"'
        f' role="img" aria-labelledby="{salt}t {salt}d">'
    )


def _names(drawing: Drawing, salt: str) -> str:
    title = Markup("title", (("id", f"{salt}t"),), (drawing.title,))
    return serialized(title, Markup("desc", (("id", f"{salt}d"),), (drawing.description,)))


def _around_groups(page: PageDefaults, *, is_empty: bool) -> tuple[str, str]:
    """The tags round all groups, which say what most of them share."""
    shared = (
        *font_attributes(page.font, page.typefaces),
        *painted("fill", page.text_color),
        ("stroke-width", decimal(page.stroke_width)),
        ("stroke-linejoin", "round"),
        ("text-rendering", "geometricPrecision"),
    )
    return tags(Markup("g", shared), is_empty=is_empty)


def _definitions(contents: _Contents, page: PageDefaults) -> str:
    pictures = {picture_id(item): item for item in contents.pictures}
    rows = [gradient_definition(gradient) for gradient in contents.gradients]
    rows += [picture_definition(item) for key, item in pictures.items() if key in page.shared_pictures]
    glyphs = "".join(map(glyph_definition, _glyphs(contents.runs))) if page.outlined else ""
    return element("defs", "", serialized(*rows) + glyphs) if rows or glyphs else ""


def _page_defaults(contents: _Contents, typefaces: Typefaces) -> PageDefaults:
    font = _commonest(Counter([run.font for run in contents.runs])) or _DEFAULT_FONT
    color = _commonest(Counter([run.color for run in contents.runs if run.color.alpha >= 1])) or _DEFAULT_COLOR
    counts = Counter(map(picture_id, contents.pictures))
    shared = frozenset(key for key, count in counts.items() if count > 1)
    return PageDefaults(font, color, _commonest(contents.widths) or 1.0, typefaces, shared)


def _commonest(counts: Counter[Value]) -> Value | None:
    rows = counts.most_common(1)
    return rows[0][0] if rows else None


def _glyphs(runs: Iterable[TextRun]) -> Iterable[Glyph]:
    rows = (glyph for run in runs for glyph in _glyphs_of(run.text, run.font, right_to_left=run.right_to_left))
    return dict.fromkeys(rows)


@lru_cache(maxsize=_CACHED_RUNS)
def _glyphs_of(text: str, font: Font, *, right_to_left: bool) -> tuple[Glyph, ...]:
    """The different letters of a run."""
    return tuple(dict.fromkeys(glyph for glyph, _ in glyph_run(text, font, right_to_left=right_to_left).glyphs))
