"""A drawing as a draw.io file: one native shape per node, real containers, connectors bound at both ends."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence, Set
from html import escape
from itertools import pairwise
from typing import NamedTuple

from scenograph.engine.drawing import (
    BESIDE,
    Drawing,
    DrawnGroup,
    DrawnItem,
    LinearGradient,
    Paint,
    PathItem,
    PictureItem,
    RadialGradient,
    TextItem,
)
from scenograph.engine.families.catalog import authored_type, frame_kind, kind_of
from scenograph.engine.families.family import is_headed, is_region, is_tiled
from scenograph.engine.geometry.boxes import Box, Point
from scenograph.engine.tables import DrawnRoute, FinishedStyle, LaidOutScene, Placement
from scenograph.engine.write.foreign import (
    before_turning,
    box_of_lines,
    gaps,
    joined,
    lines_of,
    path_bounds,
    raster,
    vector_url,
)
from scenograph.engine.write.markup import Markup, hex_color, serialized
from scenograph.engine.write.writer import (
    WEIGHTS,
    ExportLosses,
    Finished,
    decimal,
    groups_with,
    has_gradient,
    has_rows,
    is_typed,
    is_weighted,
)
from scenograph.late_dataclasses import replace
from scenograph.scene.document_index import ancestors
from scenograph.scene.model import Color, Edge, Element, Frame, Group, Guide, Image, Link, Node, Scene, Text

# Cells of an mxGraph model, their styles and labels. px.
#
# A label is HTML for draw.io: it is escaped as HTML first, and as XML when it is written.

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


def _markup_of(cell: WrittenCell) -> Markup:
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


def _paint_style(item: PathItem, opacity: float) -> Style:
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
    return style | _opacity_style(opacity)


def _opacity_style(opacity: float) -> Style:
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


# Edges as draw.io connectors: bound to both ends where the line meets them, with the waypoints of the route. px.


ARROWHEADS: Mapping[str, tuple[str, bool]] = {
    "none": ("none", False),
    "triangle": ("block", True),
    "openTriangle": ("block", False),
    "arrow": ("open", False),
    "diamond": ("diamond", True),
    "openDiamond": ("diamond", False),
    "circle": ("oval", True),
    "openCircle": ("oval", False),
    "bar": ("ERone", False),
    "cross": ("cross", False),
    "slash": ("dash", False),
    "one": ("ERmandOne", False),
    "many": ("ERmany", False),
    "oneOrMany": ("ERoneToMany", False),
    "zeroOrOne": ("ERzeroToOne", False),
    "zeroOrMany": ("ERzeroToMany", False),
}
"""Our markers by the name of the nearest of draw.io's, and whether it is filled."""


class DrawnEdge(NamedTuple):
    """The drawing of an edge: route, paint and style."""

    route: DrawnRoute
    group: DrawnGroup
    style: FinishedStyle


_SIZE = "8"
_CURVE = 3
_PORTS = {"exit": "exitPort", "entry": "entryPort"}
"""Marks an end placed by the author; all remaining ends are the layout's choice, and a reader leaves these to the
layout again."""


def connector(edge: Edge, drawn: DrawnEdge, boxes: Mapping[str, Box], layer: tuple[str, Point]) -> WrittenCell:
    """The connector of an edge without its texts; `layer` is the parent cell with its corner on the page."""
    (route, group, look), (parent, corner) = drawn, layer
    line = PathItem((), None, look.stroke, look.stroke_width, look.dash)
    locked: Style = {"locked": "1", "movable": "0"} if edge.locked else {}
    style: Style = locked | {"edgeStyle": "none", "html": "1", "rounded": "1", "arcSize": "12", "orthogonalLoop": "0"}
    if route.router == "curved" and len(route.points) == _CURVE:
        style |= {"curved": "1", "rounded": "0"}
    style |= {name: value for name, value in _paint_style(line, group.opacity).items() if not name.startswith("fill")}
    for side, name, at in (("start", edge.start_arrow, "exit"), ("end", edge.end_arrow, "entry")):
        head, filled = ARROWHEADS.get(name or "none", ARROWHEADS["none"])
        style |= {f"{side}Arrow": head, f"{side}Fill": str(int(filled)), f"{side}Size": _SIZE}
        end = edge.source if side == "start" else edge.target
        style |= _anchor(route.points[0 if side == "start" else -1], boxes.get(end.element_id), at)
        style |= {_PORTS[at]: "1"} if end.port is not None else {}
    ends = tuple(end.element_id if end.element_id in boxes else "" for end in (edge.source, edge.target))
    points = [Point(point.x - corner.x, point.y - corner.y) for point in route.points[1:-1]]
    bound = WrittenCell(edge.id, parent, style, "", None, (ends[0], ends[1]), points)
    return bound._replace(link=group.link, tooltip=group.tooltip, title=edge.label or "")


def _texts_on(edge: Edge, route: DrawnRoute, items: Sequence[TextItem], number: int) -> Iterator[WrittenCell]:
    """The texts of an edge as labels of the connector."""
    for item in items:
        words = words_of(item)
        style: Style = {"edgeLabel": "", "html": "1", "align": "center", "verticalAlign": "middle", "resizable": "0"}
        style |= {"spacing": "0", **words.style, **PART}
        yield WrittenCell(
            f"{edge.id} text {number}", edge.id, style, words.html, at=along(route.points, words.box.center)
        )
        number += 1


def _with_label(cell: WrittenCell, edge: Edge, route: DrawnRoute, item: TextItem, ground: Color) -> WrittenCell:
    """The connector with its main label."""
    words: CellText = words_of(item, edge.label or "")
    style = cell.style | words.style | {"labelBackgroundColor": color_text(ground), "align": "center"}
    style |= {"verticalAlign": "middle", "spacing": "0"}
    return cell._replace(value=words.html, title="", style=style, at=along(route.points, words.box.center))


def along(points: Sequence[Point], at: Point) -> tuple[float, Point]:
    """The nearest position on a polyline in draw.io's measure, -1 at the start and 1 at the end, and the offset of the
    point from there, px."""
    whole = math.fsum(math.dist(a, b) for a, b in pairwise(points)) or 1.0
    best, passed = (math.inf, 0.0, points[0]), 0.0
    for a, b in pairwise(points):
        length = math.dist(a, b)
        share = ((at.x - a.x) * (b.x - a.x) + (at.y - a.y) * (b.y - a.y)) / length**2 if length else 0.0
        share = min(max(share, 0.0), 1.0)
        near = Point(a.x + (b.x - a.x) * share, a.y + (b.y - a.y) * share)
        best = min(best, (math.dist(near, at), passed + share * length, near), key=lambda row: row[0])
        passed += length
    return 2 * best[1] / whole - 1, Point(at.x - best[2].x, at.y - best[2].y)


def _anchor(at: Point, box: Box | None, name: str) -> Style:
    if box is None or not (box.width and box.height):
        return {}
    shares = {"X": (at.x - box.x) / box.width, "Y": (at.y - box.y) / box.height}
    return {f"{name}{axis}": f"{share:.4f}" for axis, share in shares.items()} | {f"{name}Perimeter": "0"}


# The losses of a draw.io file: properties shown but not kept, and properties not shown.


_OF_ROWS = frozenset({"sequence", "er", "uml"})


def tell_losses(scene: Scene, drawing: Drawing, losses: ExportLosses) -> None:
    """Report each loss with the ids of its elements."""
    rows = (
        (
            "types of elements (they are drawn, not kept)",
            (one.id for one in scene.elements if is_typed(one, _keeps_type)),
        ),
        ("rows of elements (they are drawn as texts)", (one.id for one in scene.elements if has_rows(one))),
        (WEIGHTS, (one.id for one in scene.elements if is_weighted(one))),
        ("guides", (one.id for one in scene.elements if isinstance(one, Guide))),
        ("gradients (their first colour stays)", groups_with(drawing, has_gradient)),
        ("cropped pictures (all of them is seen)", groups_with(drawing, _has_crop)),
    )
    losses.add_rows(rows)
    if scene.constraints:
        losses.add("constraints")


def _keeps_type(node: Node) -> bool:
    """Whether the file keeps the type of a node: types drawn as more than a single shape are lost."""
    name = authored_type(node)
    return bool(name) and (name or "").partition(".")[0] not in _OF_ROWS


def _has_crop(group: DrawnGroup) -> bool:
    return any(isinstance(item, PictureItem) and raster(item)[2] is not None for item in group.items)


# All elements except edges as draw.io cells: a native shape, moved and edited as a whole, its symbols as a picture and
# its further texts as inner cells. px.


SHAPES: Mapping[str, Style] = {
    "rect": {"rounded": "0"},
    "textBox": {"rounded": "0"},
    "iconBox": {"rounded": "0"},
    "roundedRect": {"rounded": "1", "absoluteArcSize": "1"},
    "pill": {"rounded": "1", "arcSize": "50"},
    "ellipse": {"ellipse": "", "perimeter": "ellipsePerimeter"},
    "diamond": {"rhombus": "", "perimeter": "rhombusPerimeter"},
    "cylinder": {"shape": "cylinder3", "boundedLbl": "1", "backgroundOutline": "1", "size": "8"},
    "hexagon": {"shape": "hexagon", "perimeter": "hexagonPerimeter2", "fixedSize": "1", "size": "16"},
    "parallelogram": {"shape": "parallelogram", "perimeter": "parallelogramPerimeter", "fixedSize": "1", "size": "16"},
    "cloud": {"ellipse": "", "shape": "cloud"},
    "box3d": {"shape": "cube", "size": "10"},
    "tube": {"shape": "cylinder3", "direction": "south", "boundedLbl": "1", "backgroundOutline": "1", "size": "8"},
}
"""Our shapes by draw.io's own."""

MARK = "scenograph"
"""The prefix of style members read only by this service: the kind of a cell, besides its look."""
_OWN_SHAPES = frozenset({"textBox", "iconBox"})
_UNSAFE = frozenset(";=\n")
_ALIGNED: Mapping[str, str] = {"start": "left", "center": "center", "end": "right"}
_UNSEEN: Style = {"fillColor": "none", "strokeColor": "none"}
_REACH = 4.0  # px; the protrusion of a wide line
_TEXT: Style = {"text": "", "html": "1", "align": "left", "verticalAlign": "top", "spacing": "0", **_UNSEEN}


class Home(NamedTuple):
    """A parent cell, with its corner on the page."""

    id: str
    corner: Point


class CellPlace(NamedTuple):
    """The box of an element, its corner radius, the title band of a pool, and the head band of a frame."""

    box: Box
    radius: float
    header: Box | None
    head: Box | None


def figure(of: Element, group: DrawnGroup, place: CellPlace, home: Home) -> Iterator[WrittenCell]:
    """The cell of an element and its part cells."""
    box, header = place.box, place.header
    outline = next((item for item in group.items if isinstance(item, PathItem) and item.is_outline), None)
    by_kind = isinstance(of, Node) and kind_of(of).paint is not None
    framed = frame_kind(of.container_type) if isinstance(of, Frame) else None
    by_kind = by_kind or (framed is not None and framed.paint is not None)
    native = outline is not None and not by_kind
    texts = [item for item in group.items if isinstance(item, TextItem) and item.runs]
    picture = next((item for item in group.items if isinstance(item, PictureItem)), None)
    if isinstance(of, Image) and picture is not None:
        yield _image(of, picture, place.box, home, group.opacity)
        return
    style: Style = {**_shape(of, place.radius), **_kept(of), "html": "1"}
    style |= (
        _paint_style(outline, group.opacity)
        if native and outline is not None
        else _UNSEEN | _inks(of) | _opacity_style(group.opacity)
    )
    drawn = [item for item in group.items if not (native and _is_native(item, box))]
    label = texts[0] if texts and (len(texts) == 1 or not by_kind) and not _is_covered(texts[0], drawn) else None
    value = ""
    if label is not None:
        words = words_of(label, _said(of))
        is_title = isinstance(of, Frame | Group) and header is None and not label.turn
        placed = _from_the_corner(words.box, box) if is_title else _placed(words, label, box, header)
        placed = _within_text(of, words.box, box) if isinstance(of, Text) else placed
        value, style = words.html, style | words.style | placed
    if is_headed(of):
        style["swimlaneFillColor"] = style.get("fillColor", "none")
    if isinstance(of, Frame) and place.head is not None:
        style |= _banded(of, style, place.head)
    if isinstance(of, Frame | Group):
        style |= ({"container": "1"} if isinstance(of, Frame) else {}) | {"collapsible": "0"} | _head(of, header)
    if of.locked:
        style |= {"locked": "1", "movable": "0", "resizable": "0"}
    title = "" if value else _said(of)
    yield WrittenCell(
        of.id, home.id, style, value, _within(box, home), link=group.link, tooltip=group.tooltip, title=title
    )
    inner = Home(of.id, Point(box.x, box.y))
    yield from parts(of.id, [item for item in drawn if item is not label], inner, group.opacity)


def _is_covered(text: TextItem, drawn: Sequence[DrawnItem]) -> bool:
    """Whether a filled part would hide the label of the cell: draw.io paints child cells above the label."""
    center = words_of(text).box.center
    point = Box(center.x, center.y, 0.0, 0.0)
    filled = (item for item in drawn if isinstance(item, PathItem) and item.fill is not None)
    return any((bounds := path_bounds(item)) is not None and bounds.contains(point) for item in filled)


def _said(of: Element) -> str:
    if isinstance(of, Text):
        return of.content
    found = of.title if isinstance(of, Frame) else of.label if isinstance(of, Node | Group) else None
    return found or ""


def _is_native(item: DrawnItem, box: Box) -> bool:
    """Whether draw.io's native shape draws the item: an outline path within the box, not a repeat outside."""
    if not (isinstance(item, PathItem) and item.is_outline):
        return False
    bounds = path_bounds(item)
    return bounds is None or box.grown(_REACH).contains(bounds)


def parts(owner: str, items: Sequence[DrawnItem], home: Home, opacity: float) -> Iterator[WrittenCell]:
    """The part cells of an element: all paths as one picture, rasters, texts."""
    paths = [item for item in items if isinstance(item, PathItem)]
    found = vector_url(paths) if paths else None
    if found is not None:
        yield _picture(f"{owner} picture", *found, home, opacity)
    for number, item in enumerate(items, 1):
        if isinstance(item, PictureItem):
            url, box, _ = raster(item)
            yield _picture(f"{owner} raster {number}", url, box, home, opacity)
        elif isinstance(item, TextItem) and item.runs:
            words = words_of(item)
            style = _TEXT | words.style | PART | _opacity_style(opacity)
            box = words.box
            if item.turn:
                style["rotation"] = decimal(item.turn)
                box = before_turning(box, item)
            yield WrittenCell(f"{owner} text {number}", home.id, style, words.html, _within(box, home))


def _picture(key: str, url: str, box: Box, home: Home, opacity: float) -> WrittenCell:
    style: Style = {"shape": "image", "html": "1", "imageAspect": "0", "image": url.replace(";base64", "", 1)}
    return WrittenCell(
        key, home.id, style | PART | _opacity_style(opacity) | {"connectable": "0"}, "", _within(box, home)
    )


def _image(of: Image, picture: PictureItem, box: Box, home: Home, opacity: float) -> WrittenCell:
    """The cell of an image: stretched if cropped or stretched, else fitted into the box."""
    url, shown, _ = raster(picture)
    fitted = of.fit == "contain"
    style: Style = {"shape": "image", "html": "1", "imageAspect": "1" if fitted else "0"}
    style |= {"image": url.replace(";base64", "", 1)} | _opacity_style(opacity)
    return WrittenCell(of.id, home.id, style, "", _within(box if fitted else shown, home), title=of.alt or "")


def _kept(of: Element) -> Style:
    """Private style members for the reader: node type, icon, and an outline unknown to draw.io."""
    if isinstance(of, Frame):
        return _marks({"titleInset": None if of.title_inset is None else "1", "icon": of.icon})
    if not isinstance(of, Node):
        return {}
    node_type = authored_type(of) if _keeps_type(of) else None
    is_other = of.shape in _OWN_SHAPES or (node_type is not None and of.shape != kind_of(of).shape)
    return _marks({"nodeType": node_type, "icon": of.icon, "shape": of.shape if is_other else None})


def _inks(of: Element) -> Style:
    """The authored colours of a node drawn as a picture inside its cell."""
    said = of.style if isinstance(of, Node) else None
    inks = () if said is None else (("fill", said.fill), ("stroke", said.stroke))
    return _marks({name: color_text(ink) for name, ink in inks if ink is not None})


def _marks(said: Mapping[str, str | None]) -> Style:
    return {f"{MARK}.{name}": value for name, value in said.items() if value and not set(value) & _UNSAFE}


def _shape(of: Element, radius: float) -> Style:
    if isinstance(of, Text):
        return {"text": ""}
    if isinstance(of, Group):
        return {"group": ""}
    if isinstance(of, Node):
        style = SHAPES.get(of.shape or "rect", SHAPES["rect"])
        return style | {"arcSize": decimal(2 * radius)} if "absoluteArcSize" in style else dict(style)
    rounded = (
        {"rounded": "1", "absoluteArcSize": "1", "arcSize": decimal(2 * radius)} if radius > 0 else {"rounded": "0"}
    )
    if is_headed(of):
        return {"swimlane": "", **rounded}
    return {"swimlane": "", "rounded": "0"} if is_tiled(of) else rounded


def _banded(of: Frame, style: Style, head: Box) -> Style:
    """The band of a frame with a head: the cell takes the accent colour, the content below the fill."""
    accent = of.style.accent_color if of.style is not None else None
    return {
        "swimlane": "",
        "startSize": decimal(head.height),
        "fillColor": color_text(accent),
        "swimlaneFillColor": style.get("fillColor", "none"),
    }


def _head(of: Frame | Group, header: Box | None) -> Style:
    """The title band of a pool or a state."""
    if header is None or not (is_tiled(of) or is_headed(of)):
        return {}
    upright = header.height > header.width
    size = {"startSize": decimal(header.width if upright else header.height)}
    return size | ({"horizontal": "0"} if upright else {"horizontal": "1"})


def _from_the_corner(label: Box, box: Box) -> Style:
    """The position of a title that begins at the left, fixed at its left edge: a wider font must not push the text over
    its neighbours."""
    style: Style = {"align": "left", "verticalAlign": "top", "spacing": "0"}
    return style | {"spacingLeft": decimal(label.x - box.x), "spacingTop": decimal(label.y - box.y)}


def _within_text(of: Text, words: Box, box: Box) -> Style:
    """The position of the letters in the box of a text, by its alignment."""
    style: Style = {"align": _ALIGNED.get(of.align, "left"), "verticalAlign": "top", "spacing": "0"}
    style["spacingTop"] = decimal(max(words.y - box.y, 0.0))
    aside = {"left": words.x - box.x, "right": box.right - words.right}.get(style["align"], 0.0)
    return style | ({f"spacing{style['align'].title()}": decimal(aside)} if aside > 1 else {})


def _placed(words: CellText, label: TextItem, box: Box, header: Box | None) -> Style:
    """The position of a label relative to the middle of its cell. draw.io places the title of a pool in the band."""
    if label.turn or header is not None:
        aside = 0.0 if label.turn or header is None else words.box.center.x - header.center.x  # beside an icon
        return {"align": "center", "verticalAlign": "middle"} | (
            {"spacingLeft": decimal(2 * aside)} if aside > 1 else {}
        )
    center, middle = words.box.center, box.center
    style: Style = {"align": "center", "verticalAlign": "middle", "spacing": "0"}
    dx, dy = center.x - middle.x, center.y - middle.y
    if words.box.y >= box.bottom - 1:
        style |= {
            "verticalLabelPosition": "bottom",
            "verticalAlign": "top",
            "spacingTop": decimal(words.box.y - box.bottom),
        }
    elif abs(dy) > 1:
        style["spacingTop" if dy > 0 else "spacingBottom"] = decimal(2 * abs(dy))
    if abs(dx) > 1:
        style["spacingLeft" if dx > 0 else "spacingRight"] = decimal(2 * abs(dx))
    return style


def _within(box: Box, home: Home) -> Box:
    return box.moved(-home.corner.x, -home.corner.y)


# The file: a page with nodes, containers and everything else, the edges last.


_PAGE = {
    "grid": "0",
    "guides": "1",
    "tooltips": "1",
    "connect": "1",
    "arrows": "1",
    "fold": "1",
    "page": "1",
    "math": "0",
}


def write_drawio(finished: Finished, losses: ExportLosses) -> str:
    """The file."""
    (laid_out, drawing), hidden = _whole(finished), finished.laid_out.scene.hidden
    tell_losses(laid_out.scene, drawing, losses)
    if finished.has_legend:
        losses.add("the legend (it is drawn, not kept)")
    page = _DrawioPage(laid_out, drawing)
    unseen = {one.id for one in hidden if not one.visible or (isinstance(one, Node) and one.attached_to is not None)}
    written = [cell._replace(is_hidden=cell.id in unseen) for cell in page.cells()]
    losses.add_hidden(finished.laid_out.scene, kept={cell.id for cell in written})
    cells = tuple(map(_markup_of, written))
    root = Markup("mxCell", (("id", page.root),))
    layer = Markup("mxCell", (("id", page.layer), ("parent", page.root)))
    width, height = (decimal(side * drawing.scale) for side in drawing.page[2:])
    numbers = (("pageScale", decimal(1 / drawing.scale)), ("pageWidth", width), ("pageHeight", height))
    look = (*_PAGE.items(), *numbers, ("background", color_text(drawing.background)))
    model = Markup("mxGraphModel", look, (Markup("root", (), (root, layer, *cells)),))
    named = (("id", "scene"), ("name", drawing.title or "Scene"))
    return serialized(Markup("mxfile", (("host", "scenograph"),), (Markup("diagram", named, (model,)),))) + "\n"


def _whole(finished: Finished) -> tuple[LaidOutScene, Drawing]:
    """The scene including hidden elements; visible elements stay unchanged."""
    own, drawing = finished.laid_out, finished.drawing
    revealed = finished.revealed
    if revealed is None or own.changes is not None:
        return own, drawing
    other, painted = revealed
    whole = replace(
        own,
        scene=replace(other.scene, hidden=own.scene.hidden),
        styles=replace(own.styles, of={**other.styles.of, **own.styles.of}),
        placement=Placement(
            boxes={**other.placement.boxes, **own.placement.boxes},
            parts={**other.placement.parts, **own.placement.parts},
        ),
        routes={**other.routes, **own.routes},
    )
    hidden = {one.id for one in own.scene.hidden}
    rank = {(group.id, group.role): number for number, group in enumerate(painted.groups)}
    groups = (*drawing.groups, *(group for group in painted.groups if group.id in hidden))
    ordered = sorted(groups, key=lambda group: rank.get((group.id, group.role), len(rank)))
    return whole, replace(drawing, groups=tuple(ordered))


class _DrawioPage:
    """The cells of a page: containers before their content, connectors last."""

    def __init__(self, laid_out: LaidOutScene, drawing: Drawing) -> None:
        self._laid_out, self._drawing = laid_out, drawing
        self._elements: Mapping[str, Element] = {element.id: element for element in laid_out.scene.elements}
        self._boxes = laid_out.placement.boxes
        self.root, self.layer = (self._unused(name) for name in ("0", "1"))
        drawn = {group.id for group in drawing.groups if group.role == "element" and group.id in self._boxes}
        self._unseen = [one for one in self._elements.values() if _is_unseen(one, drawn) and one.id in self._boxes]
        drawn |= {one.id for one in self._unseen}
        self._drawn = {key: self._boxes[key] for key in drawn if not _is_beside_boxes(self._elements.get(key))}
        self._parents = _parents(self._elements, self._drawn)

    def cells(self) -> Iterator[WrittenCell]:
        """All cells."""
        groups = [group for group in self._drawing.groups if group.role not in BESIDE]
        figures = [group for group in groups if not isinstance(self._elements.get(group.id), Edge)]
        figures += [DrawnGroup(one.id, one.kind, ()) for one in self._unseen]
        for group in sorted(figures, key=lambda group: self._depth(group.id)):
            yield from self._figure(group)
        yield from self._connectors([group for group in groups if isinstance(self._elements.get(group.id), Edge)])
        top = Home(self.layer, self._corner)
        for group in self._drawing.groups:
            if group.role in BESIDE:
                yield from parts(self._unused(f"{group.role} {group.kind}"), group.items, top, group.opacity)

    @property
    def _corner(self) -> Point:
        return Point(self._drawing.page.x, self._drawing.page.y)

    def _figure(self, group: DrawnGroup) -> Iterator[WrittenCell]:
        element = self._elements[group.id]
        home = self._home(element.id)
        box = self._boxes.get(element.id)
        if box is None or is_region(element):
            yield from parts(element.id, group.items, home, group.opacity)
            return
        header, head = (self._laid_out.placement.part(element.id, name) for name in ("header", "head"))
        radius = self._laid_out.styles.of[element.id].corner_radius
        yield from figure(element, group, CellPlace(box, radius, header, head), home)

    def _connectors(self, groups: list[DrawnGroup]) -> Iterator[WrittenCell]:
        labels: dict[str, list[TextItem]] = {}
        for group in groups:
            labels.setdefault(group.id, []).extend(
                item for item in group.items if isinstance(item, TextItem) and item.runs
            )
        for group in groups:
            edge, route = self._elements[group.id], self._laid_out.routes.get(group.id)
            if group.role == "label" or not isinstance(edge, Edge) or route is None or len(route.points) < 2:
                continue
            look = self._laid_out.styles.of[edge.id]
            cell = connector(edge, DrawnEdge(route, group, look), self._drawn, (self.layer, self._corner))
            texts = labels[edge.id]
            main = texts.pop(0) if texts and route.label is not None else None
            yield cell if main is None else _with_label(cell, edge, route, main, look.label_background)
            yield from _texts_on(edge, route, texts, 1)

    def _home(self, element_id: str) -> Home:
        parent = self._parents.get(element_id)
        if parent is None:
            return Home(self.layer, self._corner)
        box: Box = self._drawn[parent]
        return Home(parent, Point(box.x, box.y))

    def _depth(self, element_id: str) -> int:
        return sum(1 for _ in ancestors(element_id, self._parents.get))

    def _unused(self, name: str) -> str:
        while name in self._elements:
            name += "_"
        return name


def _is_unseen(element: Element, drawn: Set[str]) -> bool:
    """Whether an element is a group without paint."""
    return isinstance(element, Group) and element.id not in drawn


def _is_beside_boxes(element: Element | None) -> bool:
    """Whether an element has no cell: an edge, or a region drawn as part of a state."""
    return isinstance(element, Edge) or (element is not None and is_region(element))


def _parents(elements: Mapping[str, Element], drawn: Mapping[str, Box]) -> dict[str, str]:
    """The nearest drawn container of each element; an undrawn container passes its children to the parent."""
    direct: dict[str, str] = {}
    for element in elements.values():
        for child in element.children if isinstance(element, Frame | Group) else ():
            direct.setdefault(child, element.id)
    found: dict[str, str] = {}
    for name in elements:
        at = next((one for one in ancestors(name, direct.get) if one in drawn), None)
        if at is not None:
            found[name] = at
    return found
