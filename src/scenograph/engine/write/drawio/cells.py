"""Cells of an mxGraph model, their styles and labels. px.

A label is HTML for draw.io: it is escaped as HTML first, and as XML when it is written.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import NamedTuple

from scenograph.engine.drawing import LinearGradient, Paint, PathItem, RadialGradient, TextItem
from scenograph.engine.geometry.boxes import Box, Point
from scenograph.engine.write.markup import Markup, hex_color
from scenograph.engine.write.texts import box_of_lines, gaps, joined, lines_of
from scenograph.engine.write.writer import decimal
from scenograph.scene.model import Link

Style = dict[str, str]
PART = {"part": "1", "decoration": "1"}
"""Marks a cell that only completes the picture of its parent: draw.io moves both together; the reader skips the
cell."""

FONTS: Mapping[str, str] = {"sans": "Inter", "mono": "JetBrains Mono", "hand": "Kalam"}
SOFT_BREAK, CUT = '<br class="soft">', '<br class="cut">'
"""Breaks of the layout, in place of white space and in a word."""
_BOLD = 600
_LINE = 1.2  # em: draw.io's own line height
_FULL = 100


class WrittenCell(NamedTuple):
    """One cell. `box` is relative to the parent's corner; `points` are a connector's waypoints, `at` the place of a
    label along its line and its offset. `title`: the label of an element with texts in separate cells. `is_hidden`: the
    cell is in the file, not in the picture."""

    id: str
    parent: str
    style: Style
    value: str = ""
    box: Box | None = None
    ends: tuple[str, str] | None = None
    points: Sequence[Point] = ()
    at: tuple[float, Point] | None = None
    link: Link | None = None
    tooltip: str = ""
    title: str = ""
    is_hidden: bool = False


class CellText(NamedTuple):
    """A text: HTML, box and style."""

    html: str
    box: Box
    style: Style


def markup_of(cell: WrittenCell) -> Markup:
    """The cell as XML, wrapped in a `UserObject` when it has a link, a tooltip or a title."""
    own = (("style", "".join(f"{name}={value};" if value else f"{name};" for name, value in cell.style.items())),)
    kind = (("edge", "1"),) if cell.ends is not None else (("vertex", "1"),)
    ends = () if cell.ends is None else (("source", cell.ends[0]), ("target", cell.ends[1]))
    seen = (("visible", "0"),) if cell.is_hidden else ()
    known = tuple(row for row in (*own, ("parent", cell.parent), *kind, *ends, *seen) if row[1])
    geometry = _geometry(cell)
    if cell.link is None and not cell.tooltip and not cell.title:
        return Markup("mxCell", (("id", cell.id), ("value", cell.value), *known), (geometry,))
    link = () if cell.link is None else (("link", cell.link.href),)
    said = (("label", cell.value), *link, ("tooltip", cell.tooltip), ("title", cell.title), ("id", cell.id))
    return Markup(
        "UserObject", tuple(row for row in said if row[1] or row[0] == "label"), (Markup("mxCell", known, (geometry,)),)
    )


def _geometry(cell: WrittenCell) -> Markup:
    if cell.ends is None and cell.at is None:
        box = cell.box or Box(0.0, 0.0, 0.0, 0.0)
        numbers = tuple((name, decimal(value)) for name, value in zip(("x", "y", "width", "height"), box, strict=True))
        return Markup("mxGeometry", (*numbers, ("as", "geometry")))
    children: list[Markup | str] = []
    if cell.points:
        children.append(Markup("Array", (("as", "points"),), tuple(_point(point) for point in cell.points)))
    place: tuple[tuple[str, str], ...] = ()
    if cell.at is not None:
        place = (("x", f"{cell.at[0]:.4f}"),)
        children.append(_point(cell.at[1], "offset"))
    return Markup("mxGeometry", (*place, ("relative", "1"), ("as", "geometry")), tuple(children))


def _point(point: Point, role: str = "") -> Markup:
    named = (("as", role),) if role else ()
    return Markup("mxPoint", (("x", decimal(point.x)), ("y", decimal(point.y)), *named))


def paint_style(item: PathItem, opacity: float) -> Style:
    """Fill, line and opacity of a path."""
    stroke = item.stroke if item.stroke_width > 0 else None
    style = {"fillColor": color_text(item.fill), "strokeColor": color_text(stroke)}
    style["strokeWidth"] = decimal(item.stroke_width or 1.0)
    if item.dash:
        style |= {"dashed": "1", "fixDash": "1", "dashPattern": " ".join(decimal(length) for length in item.dash)}
    for name, paint in (("fillOpacity", item.fill), ("strokeOpacity", stroke)):
        alpha = _alpha(paint)
        if 0 < alpha < 1:
            style[name] = str(round(_FULL * alpha))
    return style | opacity_style(opacity)


def opacity_style(opacity: float) -> Style:
    """The opacity of a whole cell, empty when opaque."""
    return {} if opacity >= 1 else {"opacity": str(round(_FULL * opacity))}


def color_text(paint: Paint | None) -> str:
    """A colour in draw.io's syntax; the first colour of a gradient."""
    if isinstance(paint, LinearGradient | RadialGradient):
        return hex_color(paint.stops[0].color)
    return "none" if paint is None or paint.alpha <= 0 else hex_color(paint)


def _alpha(paint: Paint | None) -> float:
    if isinstance(paint, LinearGradient | RadialGradient):
        return 1.0
    return 0.0 if paint is None else paint.alpha


def words_of(item: TextItem, said: str = "") -> CellText:
    """A drawn text as HTML. Turned text keeps its upright box, to be turned about the middle. Breaks of the layout are
    marked, unlike the breaks of the authored text `said`."""
    lines = lines_of(item.runs)
    first = item.runs[0]
    size = first.font.size
    html = _broken([joined(line) for line in lines], said)
    box, _ = box_of_lines(lines, 1 + html.count("<br"), _LINE)
    style = {
        "fontFamily": FONTS.get(first.font.family, FONTS["sans"]),
        "fontSize": decimal(size),
        "fontColor": color_text(first.color),
        "fontStyle": str((1 if first.font.weight >= _BOLD else 0) + (2 if first.font.italic else 0)),
    }
    return CellText(html, box, style)


def _broken(lines: Sequence[str], said: str) -> str:
    """The lines as HTML. Authored breaks stay plain; layout breaks are marked, for the reader to remove them again."""
    html = escape(lines[0])
    for gap, line in zip(gaps(lines, said), lines[1:], strict=True):
        html += _break(gap) + escape(line)
    return html


def _break(gap: str) -> str:
    """The break in place of the authored white space between two lines."""
    if "\n" in gap:
        return "<br>" * gap.count("\n")
    return SOFT_BREAK if gap else CUT
