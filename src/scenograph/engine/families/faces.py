"""Faces of nodes: outline, icon, label, glyphs, sheets with a folded corner, the rows of tables. px."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from scenograph.diagnostics import Report
from scenograph.engine.colors import (
    BLACK,
    READABLE_CONTRAST,
    WHITE,
    contrast,
    hex_color,
    is_default_equivalent,
    mix,
    over,
    readable,
)
from scenograph.engine.drawing import DrawnItem, PathItem
from scenograph.engine.families.family import GlyphStroke, NodeFace
from scenograph.engine.geometry.boxes import Box, Point
from scenograph.engine.geometry.paths import (
    QUARTER_ARC,
    Close,
    Cubic,
    Line,
    Move,
    Path,
    Quadratic,
    circle,
    ellipse,
    elliptic_arc,
    polygon,
    polyline,
    rectangle,
    segment,
)
from scenograph.engine.icons import Icon, find
from scenograph.engine.tables import FinishedStyle
from scenograph.engine.text_in_shapes import text_item
from scenograph.late_dataclasses import replace
from scenograph.scene.model import Color, Element, Frame, Node, Scene, Style

# Nodes with icons, and nodes reduced to icon and label.
#
# (R-ICON-2, R-ICON-3, R-ICON-4, R-ICON-5)

_CLOUD_PREFIXES = frozenset({"aws", "gcp", "azure"})
"""Icons of these sets stand without a box; all remaining icons keep theirs."""

ICON_SHAPE = "iconBox"

_AWS_ORANGE, _AWS_TEAL, _AWS_GREY = hex_color("#ed7100"), hex_color("#00a4a6"), hex_color("#7d8998")
_AZURE_BLUE, _GOOGLE_BLUE = hex_color("#0078d4"), hex_color("#1a73e8")
GROUP_COLORS: Mapping[str, Color] = MappingProxyType(
    {
        "aws:group-aws-cloud": hex_color("#242f3e"),
        "aws:group-aws-cloud-logo": hex_color("#242f3e"),
        "aws:group-aws-account": hex_color("#e7157b"),
        "aws:group-region": _AWS_TEAL,
        "aws:group-virtual-private-cloud-vpc": hex_color("#8c4fff"),
        "aws:amazon-virtual-private-cloud": hex_color("#8c4fff"),
        "aws:group-private-subnet": _AWS_TEAL,
        "aws:group-public-subnet": hex_color("#7aa116"),
        "aws:group-auto-scaling-group": _AWS_ORANGE,
        "aws:group-spot-fleet": _AWS_ORANGE,
        "aws:group-ec2-instance-contents": _AWS_ORANGE,
        "aws:group-server-contents": _AWS_GREY,
        "aws:group-corporate-data-center": _AWS_GREY,
        "aws:group-aws-iot-greengrass-deployment": hex_color("#7aa116"),
        "azure:management-groups": _AZURE_BLUE,
        "azure:subscriptions": hex_color("#c19c00"),
        "azure:resource-groups": hex_color("#737373"),
        "azure:virtual-networks": _AZURE_BLUE,
        "azure:subnet": _AZURE_BLUE,
        "azure:availability-sets": _AZURE_BLUE,
        "azure:network-security-groups": _AZURE_BLUE,
        "gcp:project": _GOOGLE_BLUE,
        "gcp:virtual-private-cloud": _GOOGLE_BLUE,
    }
)
"""The colours in which vendors draw the groups of their clouds, by the icon of a frame."""


def group_color(frame: Frame) -> Color | None:
    """The vendor's colour of a frame with the icon of a cloud group."""
    icon = shown_icon(frame)
    return None if icon is None else GROUP_COLORS.get(icon.key)


def shown_icon(element: Node | Frame) -> Icon | None:
    """The registered icon of an element; None without an icon or for an unknown name, which draws nothing."""
    return find(element.icon) if element.icon else None


def is_cloud_icon(node: Node) -> bool:
    """Whether a node shows a cloud provider's icon."""
    icon = shown_icon(node)
    return icon is not None and icon.key.partition(":")[0] in _CLOUD_PREFIXES


def take_the_icons_outline(scene: Scene, _report: Report) -> Scene:
    """Of a cloud provider's icon without a box the outline is not seen: size and lines go by the icon, whatever shape
    its author named."""
    if not any(node.icon and node.shape not in {None, ICON_SHAPE} for node in scene.nodes):
        return scene
    return replace(scene, elements=tuple(_outlined(element, scene) for element in scene.elements))


def _outlined(element: Element, scene: Scene) -> Element:
    if not isinstance(element, Node) or element.shape in {None, ICON_SHAPE} or not is_cloud_icon(element):
        return element
    style = element.style or scene.styles.get(element.style_id or "", Style())
    return element if without_default_box(style).fill is not None else replace(element, shape=ICON_SHAPE)


def without_default_box(style: Style) -> Style:
    """The effective style of a node with a cloud icon: a fill equal to the default counts as none and drops the stroke;
    a transparent fill makes a box only together with a stroke."""
    fill = style.fill
    if fill is not None and is_default_equivalent(fill):
        return replace(style, fill=None, stroke=None, stroke_width=None)
    if fill is not None and fill.alpha == 0 and style.stroke is None:
        return replace(style, fill=None)
    return style


# The heights of a table's header and rows. px. In: the least and the natural height of each, and the height by the
# author. Out: whole px that fill this height: rows grow a little in a tall box, lose their padding in a low box, and in
# a still lower box the last rows give way to a row with the number of missing rows.


_MOST_GROWTH = 0.5  # of a row's natural height

Range = tuple[float, float]
"""The least and the natural height."""


class Heights(NamedTuple):
    """The stacked heights. `least` is the need of the whole table; `hidden` counts the rows left out, `more` is the
    height of the row in their place (0 if even this row does not fit)."""

    total: float
    least: float
    header: float
    rows: tuple[float, ...]
    more: float = 0.0
    hidden: int = 0


def stacked(header: Range, rows: Sequence[Range], given: float | None, borders: float) -> Heights:
    """Header and rows in a box of the given height (None: the natural height), less the height of the `borders`."""
    ranges = (header, *rows)
    least, natural = (math.fsum(each[side] for each in ranges) for side in (0, 1))
    if given is None:
        return Heights(natural + borders, least + borders, header[1], tuple(row[1] for row in rows))
    inner = given - borders
    if inner >= natural:
        grown = _grown(rows, inner - natural)
        return Heights(given, least + borders, header[1], grown)
    if inner >= least:
        share = (inner - least) / (natural - least)
        squeezed = [math.floor(low + share * (high - low)) for low, high in ranges]
        return Heights(given, least + borders, squeezed[0], tuple(squeezed[1:]))
    return _cut(header[0], [row[0] for row in rows], inner)._replace(total=given, least=least + borders)


def _grown(rows: Sequence[Range], spare: float) -> tuple[float, ...]:
    """All rows by the same number of px, at most by `_MOST_GROWTH` of the lowest."""
    lowest = min((row[1] for row in rows), default=0.0)
    by = math.floor(min(spare / max(len(rows), 1), _MOST_GROWTH * lowest))
    return tuple(row[1] + by for row in rows)


def _cut(header: float, rows: Sequence[float], inner: float) -> Heights:
    """As many rows as leave room for the note on the rest."""
    note = min(rows, default=0.0)
    y, shown = min(header, max(inner, 0.0)), 0
    room = inner - y
    while shown < len(rows) and rows[shown] + note <= room:
        room -= rows[shown]
        shown += 1
    more = note if note <= room else 0.0
    return Heights(inner, inner, y, tuple(rows[:shown]), more, len(rows) - shown)


# A drawing grid for glyphs: 100 x 100 units over the square in the middle of a box.


UNITS = 100.0


class Grid(NamedTuple):
    """The top left corner of the square, and the px per unit."""

    left: float
    top: float
    unit: float

    def at(self, x: float, y: float) -> Point:
        """The px of a point given in units."""
        return Point(self.left + x * self.unit, self.top + y * self.unit)

    def box(self, x: float, y: float, width: float, height: float) -> Box:
        """The px of a box given in units."""
        return Box(*self.at(x, y), width * self.unit, height * self.unit)

    def line(self, *points: tuple[float, float], width: float) -> GlyphStroke:
        """An open chain, `width` units wide."""
        return self.stroke(polyline(self.at(*point) for point in points), width)

    def outline(self, *points: tuple[float, float], width: float) -> GlyphStroke:
        """A closed polygon, stroked."""
        return self.stroke(polygon(self.at(*point) for point in points), width)

    def solid(self, *points: tuple[float, float]) -> GlyphStroke:
        """A closed polygon, filled."""
        return GlyphStroke(path=polygon(self.at(*point) for point in points), filled=True)

    def ring(self, x: float, y: float, radius: float, width: float) -> GlyphStroke:
        """A circle, stroked."""
        return self.stroke(circle(self.at(x, y), radius * self.unit), width)

    def disc(self, x: float, y: float, radius: float) -> GlyphStroke:
        """A circle, filled."""
        return GlyphStroke(path=circle(self.at(x, y), radius * self.unit), filled=True)

    def stroke(self, path: Path, width: float) -> GlyphStroke:
        """A path, stroked `width` units wide."""
        return GlyphStroke(path=path, width=width * self.unit)


def grid_over(box: Box) -> Grid:
    """The grid over the largest square in the middle of `box`."""
    side = min(box.width, box.height)
    return Grid(box.center.x - side / 2, box.center.y - side / 2, side / UNITS)


def corner_grid(box: Box, side: float, inset: float) -> Grid:
    """A grid of `side` px at the top left corner of `box`."""
    return Grid(box.x + inset, box.y + inset, side / UNITS)


# Glyphs that several families share: people, folded corners, double borders. (Glyph: see `family.py`.)


_FOLD = 12.0  # side of a folded corner, px
DOUBLE_BORDER_INSET = 4.0  # R-ER-2
_LINE, _FINE = 1.5, 1.25
_PLUG = (12.0, 7.0)  # px; of a component


def person(box: Box) -> tuple[GlyphStroke, ...]:
    """Head and shoulders."""
    grid = grid_over(box)
    shoulders = grid.box(16, 52, 68, 80)
    bust = (
        Move(grid.at(16, 92)),
        *elliptic_arc(shoulders, math.pi, 2 * math.pi),
        Line(grid.at(16, 92)),
    )
    return (grid.ring(50, 26, 18, width=4.5), grid.stroke(bust, 4.5))


def stick_figure(box: Box) -> tuple[GlyphStroke, ...]:
    """A person as drawn in use cases and sequences."""
    grid = grid_over(box)
    return (
        grid.ring(50, 16, 13, width=4.5),
        grid.line((50, 29), (50, 64), width=4.5),
        grid.line((24, 42), (76, 42), width=4.5),
        grid.line((28, 97), (50, 64), (72, 97), width=4.5),
    )


def _folded_corner(box: Box) -> tuple[GlyphStroke, ...]:
    """The flap of a sheet's top right corner."""
    fold = min(_FOLD, box.width / 3, box.height / 3)
    flap = (
        Point(box.right - fold, box.y),
        Point(box.right - fold, box.y + fold),
        Point(box.right, box.y + fold),
    )
    return (GlyphStroke(path=polyline(flap), width=_LINE),)


def globe(box: Box) -> tuple[GlyphStroke, ...]:
    """Meridians and the equator."""
    narrow = Box(box.center.x - box.width * 0.22, box.y, box.width * 0.44, box.height)
    equator = segment(Point(box.x, box.center.y), Point(box.right, box.center.y))
    return tuple(GlyphStroke(path=path, width=_FINE) for path in (ellipse(box), ellipse(narrow), equator))


def double_border(box: Box) -> tuple[GlyphStroke, ...]:
    """A second rectangle inside the first."""
    inset = min(DOUBLE_BORDER_INSET, box.width / 4, box.height / 4)
    return (GlyphStroke(path=rectangle(box.grown(-inset)), width=_LINE),)


def component_tabs(box: Box) -> tuple[GlyphStroke, ...]:
    """The two plugs at the left side of a component (UML)."""
    width, height = min(_PLUG[0], box.width / 6), min(_PLUG[1], box.height / 6)
    levels = (box.y + box.height * 0.3 - height / 2, box.y + box.height * 0.7 - height / 2)
    return tuple(
        GlyphStroke(path=rectangle(Box(box.x - width / 2, level, width, height)), width=_LINE) for level in levels
    )


def component_edge(box: Box) -> Box:
    """The strip of a component taken by the plugs."""
    return box._replace(width=min(_PLUG[0], box.width / 6) / 2)


def left_bracket(box: Box) -> tuple[GlyphStroke, ...]:
    """The bracket of a text annotation."""
    reach = min(10.0, box.width / 4)
    bracket = (
        Point(box.x + reach, box.y),
        Point(box.x, box.y),
        Point(box.x, box.bottom),
        Point(box.x + reach, box.bottom),
    )
    return (GlyphStroke(path=polyline(bracket), width=_LINE),)


# The inks of a lined card beside its style's: bands, rules, plates. All are mixed from the element's own fill and line,
# to fit every theme and every colour by an author.


_BAND_SHARES = (0.18, 0.12, 0.07)  # of the line's colour in a band's ground, while its text can be read there
_RULE_SHARE = 0.22  # of the line's colour in the lines between rows
_FRAME_SHARE = 0.6  # in the frame of a badge
SEEN_CONTRAST = 2.0
"""A glyph with less contrast to the fill is lost on it."""
_OPAQUE = 0.999


class Inks(NamedTuple):
    """The derived paints of a card, beside its own fill and stroke. `band` is None for a header without a ground."""

    line: Color
    band: Color | None
    rule: Color
    frame: Color
    on_line: Color


def inks_of(style: FinishedStyle) -> Inks:
    """Paints mixed from the element's fill and stroke; on a translucent fill nothing is mixed."""
    drawn = style.stroke.alpha > 0 and style.stroke_width > 0
    line = style.stroke if drawn else style.text_color
    if style.fill.alpha < _OPAQUE:
        rule = line._replace(alpha=line.alpha * _RULE_SHARE)
        return Inks(line, None, rule, line, readable((WHITE, BLACK), over(line, WHITE)))
    line = over(line, style.fill)
    return Inks(
        line,
        _band(style, line),
        mix(style.fill, line, _RULE_SHARE),
        mix(style.fill, line, _FRAME_SHARE),
        readable((style.fill, WHITE, BLACK), line),
    )


def _band(style: FinishedStyle, line: Color) -> Color | None:
    """The strongest ground with sufficient text contrast, or no less contrast than on the fill itself."""
    text = over(style.text_color, style.fill)
    needed = min(READABLE_CONTRAST, contrast(text, style.fill))
    grounds = (mix(style.fill, line, share) for share in _BAND_SHARES)
    return next((ground for ground in grounds if contrast(text, ground) >= needed), None)


def _glyph_ink(style: FinishedStyle) -> Color:
    """The stroke colour, unless a glyph would be invisible on the fill."""
    if style.fill.alpha < _OPAQUE or contrast(over(style.stroke, style.fill), style.fill) >= SEEN_CONTRAST:
        return style.stroke
    return readable((style.text_color, WHITE, BLACK), style.fill)


def glyph_items(strokes: Iterable[GlyphStroke], style: FinishedStyle) -> Iterator[DrawnItem]:
    """The paint of a glyph on a node."""
    ink = _glyph_ink(style)
    for stroke in strokes:
        if stroke.filled:
            yield PathItem(path=stroke.path, fill=ink)
        else:
            yield PathItem(path=stroke.path, stroke=ink, stroke_width=stroke.width, dash=stroke.dash, cap="round")


# The paint of a node of any type: an outline, an icon, a label. px.


def outline_item(path: Path, style: FinishedStyle) -> PathItem:
    """A path filled and stroked by the element's style."""
    return PathItem(
        path=path,
        fill=style.fill,
        stroke=style.stroke,
        stroke_width=style.stroke_width,
        dash=style.dash,
        is_outline=True,
    )


def border_item(path: Path, style: FinishedStyle) -> PathItem:
    """A stroked path without fill, for an outline painted over the content."""
    return PathItem(path=path, stroke=style.stroke, stroke_width=style.stroke_width, dash=style.dash, is_outline=True)


def icon_items(face: NodeFace) -> Iterator[DrawnItem]:
    """The registered icon of a node, in the part `icon` if an earlier stage reserved one."""
    icon, part = shown_icon(face.node), face.parts.get("icon")
    if icon is not None and part is not None:
        yield from icon.items(part, face.style.text_color)


def label_items(face: NodeFace) -> tuple[DrawnItem, ...]:
    """The label of a node in its part box."""
    label, part = face.size.label, face.parts.get("label")
    return (text_item(label, part, face.style),) if label is not None and label.lines and part is not None else ()


# Bands inside a box that may have round corners: header bands, stripes. px.


_TOLERANCE = 0.01


def sharp(coordinate: float) -> float:
    """The nearest coordinate at which a line of 1 px is sharp."""
    return math.floor(coordinate + _TOLERANCE) + 0.5


def flat_bottomed(box: Box, radius: float) -> Path:
    """A box with round upper corners."""
    r = min(radius, box.width / 2, box.height)
    if r <= 0:
        return rectangle(box)
    return (
        Move(Point(box.x, box.bottom)),
        Line(Point(box.x, box.y + r)),
        Quadratic(Point(box.x, box.y), Point(box.x + r, box.y)),
        Line(Point(box.right - r, box.y)),
        Quadratic(Point(box.right, box.y), Point(box.right, box.y + r)),
        Line(Point(box.right, box.bottom)),
        Close(),
    )


def left_stripe(box: Box, radius: float, width: float) -> Path:
    """The leftmost `width` px of a rounded rectangle."""
    r, w = min(radius, box.width / 2, box.height / 2), min(width, box.width)
    if r <= 0:
        return rectangle(Box(box.x, box.y, w, box.height))
    # The quarter circle ends at the edge of the stripe.
    turn = math.acos(max(r - w, 0.0) / r)
    upper, lower = Box(box.x, box.y, 2 * r, 2 * r), Box(box.x, box.bottom - 2 * r, 2 * r, 2 * r)
    inset = r - math.sin(turn) * r
    reach = box.x + min(w, r)
    path = (
        Move(Point(reach, box.y + inset)),
        *elliptic_arc(upper, math.pi + turn, math.pi),
        Line(Point(box.x, box.bottom - r)),
        *elliptic_arc(lower, math.pi, math.pi - turn),
    )
    if w > r:
        path = (*path, Line(Point(box.x + w, box.bottom)), Line(Point(box.x + w, box.y)))
    return (*path, Close())


# Paper: sheets with a folded corner (notes, data objects), and text annotations with their bracket. px.


_ANNOTATION_INDENT = 12.0
"""The distance of an annotation's text from the bracket, px."""


def paint_sheet(face: NodeFace) -> Iterator[DrawnItem]:
    """A sheet with the top right corner folded, icon and label."""
    return sheet_items(face, face.style.corner_radius)


def sheet_items(face: NodeFace, radius: float) -> Iterator[DrawnItem]:
    """A sheet with corners of the given radius, px."""
    style, fold = face.style, min(_FOLD, face.box.width / 3, face.box.height / 3)
    yield outline_item(_sheet(face.box, fold, radius), style)
    for stroke in _folded_corner(face.box):
        yield PathItem(path=stroke.path, stroke=style.stroke, stroke_width=style.stroke_width)
    yield from icon_items(face)
    yield from label_items(face)


def paint_annotation(face: NodeFace) -> Iterator[DrawnItem]:
    """An open bracket at the left, with left-aligned text beside (BPMN 2.0, 7.3)."""
    style = face.style
    if style.fill.alpha > 0 or style.stroke_width > 0:
        yield PathItem(path=rectangle(face.box), fill=style.fill, is_outline=True)
    yield from glyph_items(left_bracket(face.box), style)
    label, part = face.size.label, face.parts.get("label")
    if label is not None and label.lines and part is not None:
        left = min(part.x, face.box.x + _ANNOTATION_INDENT)
        yield text_item(label, part._replace(x=left), style, "start")


def _sheet(box: Box, fold: float, radius: float) -> Path:
    """The outline of a sheet with round corners, the top right corner cut off."""
    left, top, right, bottom = box.x, box.y, box.right, box.bottom
    r = min(radius, box.width / 4, box.height / 4)
    cut = Point(right - fold, top), Point(right, top + fold)
    if r <= 0:
        return polygon((Point(left, top), *cut, Point(right, bottom), Point(left, bottom)))
    k = r * (1 - QUARTER_ARC)
    return (
        Move(Point(left + r, top)),
        Line(cut[0]),
        Line(cut[1]),
        Line(Point(right, bottom - r)),
        Cubic(Point(right, bottom - k), Point(right - k, bottom), Point(right - r, bottom)),
        Line(Point(left + r, bottom)),
        Cubic(Point(left + k, bottom), Point(left, bottom - k), Point(left, bottom - r)),
        Line(Point(left, top + r)),
        Cubic(Point(left, top + k), Point(left + k, top), Point(left + r, top)),
        Close(),
    )
