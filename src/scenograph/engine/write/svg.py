"""A drawing as a self-contained SVG document.

In: a `Drawing`. Out: text that needs no network, holds no script, no event handler and no reference but to itself,
and can stand several times on one page. Every element of the scene is one `<g data-element-id data-kind>`; an edge's
label is a `<g data-label-for>`, because it is painted above all lines (R-SVG-1, R-SVG-2, R-SVG-3).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import NamedTuple, TypeVar

from scenograph.engine.drawing import (
    Drawing,
    Gradient,
    PathItem,
    PictureItem,
    TextItem,
    TextRun,
)
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
from scenograph.engine.write.markup import Markup, serialized, tags
from scenograph.engine.write.paints import content_id, gradient_definition, painted
from scenograph.engine.write.typefaces import Typefaces, embedded
from scenograph.scene.model import Color

NAMESPACE = "http://www.w3.org/2000/svg"
_DEFAULT_FONT = Font("sans", 14.0)
_UNTREATED = frozenset({"", "unchanged"})
_DEFAULT_COLOR = Color(0, 0, 0)

Value = TypeVar("Value", bound=Hashable)


class SvgParts(NamedTuple):
    """An SVG document in parts: what comes before the groups of the drawing, each of these, and what comes after."""

    head: str
    groups: tuple[str, ...]
    tail: str

    def text(self) -> str:
        """The whole document."""
        return "".join((self.head, *self.groups, self.tail))


def write_svg(drawing: Drawing, *, outlined: bool = False) -> str:
    """The SVG text. `outlined` draws letters as paths instead of embedding fonts: for a rasterizer, not for people, who
    want to search and select text."""
    return svg_parts(drawing, outlined=outlined).text()


def svg_parts(drawing: Drawing, *, outlined: bool = False) -> SvgParts:
    """The same in parts: with some of the groups left out it is the picture without them."""
    runs = list(_runs(drawing))
    typefaces = Typefaces() if outlined else embedded([(run.text, run.font) for run in runs])
    page = _page_defaults(drawing, runs, typefaces)._replace(outlined=outlined)
    paint = painted("fill", drawing.background)
    box = zip(("x", "y", "width", "height"), map(decimal, drawing.page), strict=True)
    background = (Markup("rect", (*box, *paint)),) if paint else ()
    groups = tuple(group_texts(drawing.groups, page))
    before, after = _around_groups(drawing, page)
    before = serialized(*_definitions(drawing, page), *background) + before
    rules = f"<style>{typefaces.rules}</style>" if typefaces.rules else ""
    salt = content_id("".join((before, *groups, after, drawing.title, drawing.description)))
    return SvgParts(f"{_opening(drawing, salt)}{_names(drawing, salt)}{rules}{before}", groups, f"{after}</svg>\n")


def _opening(drawing: Drawing, salt: str) -> str:
    x, y, width, height = map(decimal, drawing.page)
    return (
        f'<svg xmlns="{NAMESPACE}" width="{width}" height="{height}" viewBox="{x} {y} {width} {height}"'
        f' role="img" aria-labelledby="{salt}t {salt}d">'
    )


def _names(drawing: Drawing, salt: str) -> str:
    title = Markup("title", (("id", f"{salt}t"),), (drawing.title,))
    return serialized(title, Markup("desc", (("id", f"{salt}d"),), (drawing.description,)))


def _around_groups(drawing: Drawing, page: PageDefaults) -> tuple[str, str]:
    """The tags round all groups, which say what most of them share."""
    shared = (
        *font_attributes(page.font, page.typefaces),
        *painted("fill", page.text_color),
        ("stroke-width", decimal(page.stroke_width)),
        ("stroke-linejoin", "round"),
        ("text-rendering", "geometricPrecision"),
    )
    return tags(Markup("g", shared), is_empty=not drawing.groups)


def _definitions(drawing: Drawing, page: PageDefaults) -> tuple[Markup, ...]:
    gradients = dict.fromkeys(_gradients(drawing))
    pictures = {picture_id(item): item for item in _pictures(drawing)}
    rows = [gradient_definition(gradient) for gradient in gradients]
    rows += [picture_definition(item) for key, item in pictures.items() if key in page.shared_pictures]
    rows += [glyph_definition(glyph) for glyph in _glyphs(drawing)] if page.outlined else []
    return (Markup("defs", (), tuple(rows)),) if rows else ()


def _page_defaults(drawing: Drawing, runs: Sequence[TextRun], typefaces: Typefaces) -> PageDefaults:
    # The borders of a visual diff say their width themselves: whoever reads one group alone finds all of it.
    plain = (group for group in drawing.groups if group.role != "legend" and group.change in _UNTREATED)
    paths = (item for group in plain for item in group.items if isinstance(item, PathItem))
    font = _commonest([run.font for run in runs]) or _DEFAULT_FONT
    color = _commonest([run.color for run in runs if run.color.alpha >= 1]) or _DEFAULT_COLOR
    width = _commonest(item.stroke_width for item in paths if item.stroke is not None and item.stroke_width > 0)
    counts = Counter(picture_id(item) for item in _pictures(drawing))
    shared = frozenset(key for key, count in counts.items() if count > 1)
    return PageDefaults(font, color, width or 1.0, typefaces, shared)


def _commonest(values: Iterable[Value]) -> Value | None:
    rows = Counter(values).most_common(1)
    return rows[0][0] if rows else None


def _runs(drawing: Drawing) -> Iterator[TextRun]:
    for group in drawing.groups:
        for item in group.items:
            if isinstance(item, TextItem):
                yield from item.runs


def _glyphs(drawing: Drawing) -> Iterable[Glyph]:
    rows = (
        glyph
        for run in _runs(drawing)
        for glyph, _ in glyph_run(run.text, run.font, right_to_left=run.right_to_left).glyphs
    )
    return dict.fromkeys(rows)


def _pictures(drawing: Drawing) -> Iterator[PictureItem]:
    return (item for group in drawing.groups for item in group.items if isinstance(item, PictureItem))


def _gradients(drawing: Drawing) -> Iterator[Gradient]:
    for group in drawing.groups:
        for item in group.items:
            if isinstance(item, PathItem):
                for paint in (item.fill, item.stroke):
                    if paint is not None and not isinstance(paint, Color):
                        yield paint
