"""The cells of an mxGraph model: styles taken apart, their looks, and what holds what."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Mapping, Sequence
from html import unescape
from typing import NamedTuple

from scenograph.late_dataclasses import dataclass, field
from scenograph.reading.markup import Tag
from scenograph.reading.source import Losses, Place, shown
from scenograph.scene.colors import parse_color
from scenograph.scene.json_values import JsonObject

# The cells of an mxGraph model: styles taken apart, labels as plain text, places on the page. px.

FARTHEST = 1e5
_SQUARE = 1.0  # tolerance of a right angle, degrees
_DEEPEST = 100
WHITE = frozenset({"#fff", "#ffffff"})
_COLORS = frozenset({"fillColor", "strokeColor", "fontColor", "swimlaneFillColor", "labelBackgroundColor"})
_REFERENCES = frozenset({"inherit", "swimlane"})
_DIGITS = re.compile(r"#(?:[0-9A-Fa-f]{3}){1,2}")
_SCHEMES = re.compile(r"light-dark\(((?:[^(),]|\([^()]*\))*),.*\)", re.DOTALL)
_LAID: Mapping[str, str] = {'class="soft"': " ", 'class="cut"': ""}  # line breaks marked by an export
_BLOCKS = frozenset({"div", "p", "li", "tr", "h1", "h2", "h3", "h4", "hr"})
_TABLE_CELLS = frozenset({"td", "th"})
_SILENT = frozenset({"style", "script"})
# Comments, tags and declarations. Each attempt ends at the next "<", or consumes its text.
_MARKUP = re.compile(
    r"""<!--.*?(?:-->|\Z)|<(/?)([A-Za-z][^\s/<>]*+)(?:(?:[^<>"']|"[^"<]*"|'[^'<]*')*+|[^<>]*+)>|<[!?/][^<>]*>""",
    re.DOTALL,
)
_PLACEHOLDER = re.compile(r"""%(date\{[^%{}]*\}|[^%{} "'=;]+)%""")
_NAME = re.compile(r"[A-Za-z_][\w.-]*(?:\{.*\})?")  # a placeholder reported as a loss without a value
_SELF = frozenset({"label", "tooltip"})  # placeholders that would contain themselves, left unchanged
_BUDGET = 1 << 20  # characters added by values to the labels of a page, and ancestors searched for values
Point = tuple[float, float]


@dataclass(slots=True)
class Cell:
    """A cell, in the file's coordinates.

    `at` is relative to the parent's corner; if `is_relative`, in shares of the parent's size, plus `offset`. The
    `points` of a connector lead from its `start` to its `finish`, which count only without a cell at that end.
    """

    id: str
    label: str
    style: dict[str, str]
    parent: str
    place: Place
    is_vertex: bool = False
    is_edge: bool = False
    is_hidden: bool = False
    source: str = ""
    target: str = ""
    at: Point = (0.0, 0.0)
    size: Point = (0.0, 0.0)
    is_relative: bool = False
    offset: Point = (0.0, 0.0)
    points: list[Point] = field(default_factory=list[Point])
    start: Point | None = None
    finish: Point | None = None
    link: str = ""
    tooltip: str = ""


class Placeholders:
    """The values of placeholders in labels and tooltips.

    `%name%` of a cell with placeholders is its attribute of that name, else the attribute of the nearest ancestor, else
    a variable of the file. `rows` are the tags of its cells by id, each with its parent's id; `said` are the variables.
    """

    def __init__(self, rows: Mapping[str, tuple[Tag, str]], said: Mapping[str, str]) -> None:
        self._rows = rows
        self._said = said
        self._left = _BUDGET
        self._unmet: list[tuple[Place, str]] = []

    def filled(self, key: str, text: str, place: Place) -> str:
        """A text of a cell with its placeholders filled in; a placeholder without a value stays."""
        if "%" not in text or self._rows[key][0].get("placeholders") != "1":
            return text
        parts: list[str] = []
        at = 0
        for found in _PLACEHOLDER.finditer(text):
            name, is_escaped = found[1], text[max(found.start() - 1, at) : found.start()] == "%"
            value = f"{name}%" if is_escaped else self._value(key, name)
            if value is None or len(value) > self._left:
                if _NAME.fullmatch(name) and name not in _SELF:
                    self._unmet.append((place, found[0]))
                continue
            self._left -= len(value)
            parts += text[at : found.start()], value
            at = found.end()
        return "".join((*parts, text[at:]))

    def _value(self, key: str, name: str) -> str | None:
        if name == "id":
            return key
        at = key
        for _ in range(_DEEPEST if name not in _SELF else 0):
            row = self._rows.get(at)
            self._left -= 1
            if row is None or self._left < 0:
                break
            if row[0].name != "mxCell" and name in row[0].attributes:
                return row[0].attributes[name]
            at = row[1]
        return self._said.get(name)

    def tell(self, losses: Losses) -> None:
        """Report unfilled placeholders, once."""
        if self._unmet:
            place, first = self._unmet[0]
            what = f"{len(self._unmet)} placeholders, such as {shown(first)}, stand as they are: they have no value"
            losses.formless(place, what)


def background_of(model: Tag) -> str | None:
    """The colour of the page; None for the usual white."""
    color = hexadecimal(model.get("background"))
    return None if not color or color == "none" or color.lower() in WHITE else color


def read_cells(model: Tag, at: Place | None, said: Mapping[str, str], losses: Losses) -> dict[str, Cell]:
    """All cells by id; of two equal ids the first. `at` is the place of a compressed page; `said` holds variables for
    placeholders besides attributes."""
    root = model.first("root")
    tags: dict[str, tuple[Tag, Tag]] = {}
    for row in root.children if root is not None else ():
        tag = row if row.name == "mxCell" else row.first("mxCell")
        if tag is not None:
            place = at or row.place
            tags.setdefault(row.get("id") or tag.get("id") or f"cell {place.line}:{place.column}", (row, tag))
    placeholders = Placeholders({key: (row, tag.get("parent")) for key, (row, tag) in tags.items()}, said)
    cells = {key: _cell(key, row, tag, at or row.place, placeholders) for key, (row, tag) in tags.items()}
    placeholders.tell(losses)
    _settle_colors(cells)
    return cells


def _cell(key: str, row: Tag, tag: Tag, place: Place, placeholders: Placeholders) -> Cell:
    style = _read_style(tag.get("style"))
    value = placeholders.filled(key, row.get("label") or row.get("value") or row.get("title"), place)
    cell = Cell(
        id=key,
        label=plain(value) if style.get("html") == "1" or "<" in value else _trimmed(value),
        style=style,
        parent=tag.get("parent"),
        place=place,
        is_vertex=tag.get("vertex") == "1",
        is_edge=tag.get("edge") == "1",
        is_hidden=tag.get("visible") == "0",
        source=tag.get("source"),
        target=tag.get("target"),
        link=row.get("link"),
        tooltip=plain(placeholders.filled(key, row.get("tooltip"), place)),
    )
    geometry = tag.first("mxGeometry")
    if geometry is not None:
        cell.at, cell.size = _pair(geometry, "x", "y"), _pair(geometry, "width", "height")
        cell.is_relative = geometry.get("relative") == "1"
        named = {one.get("as"): _pair(one, "x", "y") for one in geometry.all("mxPoint")}
        cell.offset = named.get("offset", (0.0, 0.0))
        cell.start, cell.finish = named.get("sourcePoint"), named.get("targetPoint")
        if not cell.label and not cell.is_relative and is_on_its_side(style):
            (x, y), (width, height) = cell.at, cell.size
            cell.at, cell.size = (x + (width - height) / 2, y + (height - width) / 2), (height, width)
        points = geometry.first("Array")
        cell.points = [_pair(point, "x", "y") for point in points.all("mxPoint")] if points is not None else []
    return cell


def _trimmed(text: str) -> str:
    return "\n".join(line.strip() for line in text.split("\n")).strip("\n")


def _read_style(text: str) -> dict[str, str]:
    """`a=1;b;` as a table; a word without a value is a name of a shape or a style."""
    rows = (part.partition("=") for part in text.split(";") if part.strip())
    return {name.strip(): value.strip() for name, _, value in rows}


def _settle_colors(cells: Mapping[str, Cell]) -> None:
    """Resolve the colours of all styles to hexadecimal digits: names, functions, and references to ancestors."""
    for cell in cells.values():
        for name in _COLORS & cell.style.keys():
            found = _settled(cell, name, cells)
            if found:
                cell.style[name] = found
            else:
                del cell.style[name]


def _settled(cell: Cell, name: str, cells: Mapping[str, Cell]) -> str:
    """A colour of a cell: `inherit` refers to its parent, `swimlane` to the header of the nearest swimlane."""
    at: Cell | None = cell
    for _ in range(_DEEPEST):
        said = at.style.get(name, "") if at is not None else ""
        if at is None or said not in _REFERENCES:
            return hexadecimal(said)
        at, name = (cells.get(at.parent), name) if said == "inherit" else (_lane_of(at, cells), "fillColor")
    return ""


def _lane_of(cell: Cell, cells: Mapping[str, Cell]) -> Cell | None:
    at: Cell | None = cell
    for _ in range(_DEEPEST):
        if at is None or (_is_lane(at.style) and at.style.get("fillColor") not in _REFERENCES):
            break
        at = cells.get(at.parent)
    return at


def _is_lane(style: Mapping[str, str]) -> bool:
    return "swimlane" in style or style.get("shape") == "swimlane"


def hexadecimal(said: str) -> str:
    """A colour in hexadecimal digits, or "none"; empty for draw.io's default. Of colours for a light and a dark scheme
    the light."""
    if _DIGITS.fullmatch(said):
        return said
    light = _SCHEMES.fullmatch(said)
    color = parse_color(light[1] if light is not None else said)
    if color is None:
        return ""
    if color.alpha == 0:
        return "none"
    return "#" + "".join(f"{round(part):02x}" for part in (color.red, color.green, color.blue))


def is_on_its_side(style: Mapping[str, str]) -> bool:
    """Whether a shape is turned by a right angle."""
    return abs(number(style.get("rotation", "")) % 180 - 90) < _SQUARE


def plain(html: str) -> str:
    """HTML as plain text: a line break ends a line, a block element has lines of its own, a break marked by an export's
    layout is dropped. A "<" without a tag is text."""
    parts: list[str] = []
    at, silent = 0, ""
    for found in _MARKUP.finditer(html):
        if not silent and found.start() > at:
            parts.append(unescape(html[at : found.start()]))
        at = found.end()
        name = (found[2] or "").lower()
        if silent:
            silent = "" if found[1] and name == silent else silent
        elif name == "br":
            parts.append(next((mark for word, mark in _LAID.items() if word in found[0]), "\n"))
        elif name in _TABLE_CELLS:
            parts.append(" ")
        elif name in _BLOCKS and parts and not parts[-1].endswith("\n"):
            parts.append("\n")
        elif name in _SILENT and not found[1] and not found[0].endswith("/>"):
            silent = name
    if not silent:
        parts.append(unescape(html[at:]))
    lines = (" ".join(line.split()) for line in "".join(parts).split("\n"))
    return "\n".join(lines).strip("\n")


def _pair(tag: Tag, first: str, second: str) -> Point:
    return number(tag.get(first)), number(tag.get(second))


def number(text: str, default: float = 0.0) -> float:
    """A finite number near the page."""
    try:
        value = float(text)
    except ValueError:
        return default
    return value if math.isfinite(value) and abs(value) <= FARTHEST else default


# How cells look, in the members of a style.

FONT_SIZE = 12.0  # px, draw.io's default
_COLOR = re.compile(r"#(?:[0-9A-Fa-f]{3}){1,2}")
_AS_WHITE = "#fefefe"  # of a frame on a coloured frame: white itself would count as no fill
_INKS = ("fill", "stroke")
_BORDERS = ("top", "right", "bottom", "left")
_OPEN = 3  # open sides from which on a box has no outline
_HEAD, _LEAST_HEAD = 23.0, 14.0  # px: default height of a swimlane's band; a lower band has no title
_WHITE_INK, _BLACK_INK = "#ffffff", "#000000"
_BOLD = 1  # the bit of draw.io's fontStyle


def painted(said: Mapping[str, str], *, line: bool = False, ruled: bool = False) -> JsonObject:
    """The style of a box or a connector; empty without any values. `ruled`: the borders are a table's rules."""
    style: JsonObject = {}
    for name, member in (("fillColor", "fill"), ("strokeColor", "stroke")):
        color = said.get(name, "")
        if (is_color(color) or color == "none") and not (line and member == "fill"):
            style[member] = color
    if not ruled and sum(said.get(side) == "0" for side in _BORDERS) >= _OPEN:
        style["stroke"] = "none"
    if "strokeWidth" in said:
        style["strokeWidth"] = min(max(number(said["strokeWidth"], 1.0), 0.0), 20.0)
    if said.get("dashed") == "1":
        lengths = [number(part) for part in said.get("dashPattern", "3 3").split()]
        style["dash"] = [max(length, 0.5) for length in lengths[:8]] or [3, 3]
    for name in _INKS:  # opacity of the shape, not of its label
        share = _share(said, "opacity") * _share(said, f"{name}Opacity")
        if share < 1 and is_color(style.get(name, "")):
            style[name] = f"{_long(style[name])}{round(share * 255):02x}"
    return style | lettered(said)


def _share(said: Mapping[str, str], name: str) -> float:
    """A percentage of a style as a share; 1 if absent or invalid."""
    share = number(said.get(name, ""), 100.0) / 100
    return share if 0 <= share <= 1 else 1.0


def lettered(said: Mapping[str, str]) -> JsonObject:
    """The style of a text."""
    style: JsonObject = {}
    if is_color(said.get("fontColor", "")):
        style["textColor"] = said["fontColor"]
    if "fontSize" in said:
        style["fontSize"] = font_size(said)
    if int(number(said.get("fontStyle", ""))) & _BOLD:
        style["fontWeight"] = "bold"
    return style


def framed(said: Mapping[str, str], *, on_color: bool) -> JsonObject:
    """The style of a frame: draw.io's have square corners and a solid line, and on another frame's colour they are
    white."""
    style = painted(said)
    if said.get("shape") == "umlFrame":  # only the corner with the title is filled in draw.io
        style["fill"] = "none"
    style.setdefault("dash", [])
    if style.get("fill", "#fff" if on_color else "").lower() in WHITE:
        style["fill"] = _AS_WHITE
    if said.get("rounded") != "1":
        style["cornerRadius"] = 0
    return style


def headed(said: Mapping[str, str]) -> JsonObject:
    """The style members of a swimlane: its fill colours only the title band, and its title's colour contrasts with the
    band."""
    color, body = said.get("fillColor", ""), said.get("swimlaneFillColor", "")
    if not is_color(color):
        return {}
    ink = {} if is_color(said.get("fontColor", "")) else {"textColor": _WHITE_INK if is_dark(color) else _BLACK_INK}
    return {"accentColor": color, "fill": body if is_color(body) else "none", **ink}


def head_height(said: Mapping[str, str]) -> float | None:
    """The height of a swimlane's band; None without a band at the top."""
    if "swimlane" not in said and said.get("shape") != "swimlane":
        return None
    height = number(said.get("startSize", ""), _HEAD)
    return height if said.get("horizontal") != "0" and height >= _LEAST_HEAD else None


def in_ink(said: Mapping[str, str], *, on_dark: bool) -> JsonObject:
    """The style of a pictogram without a box: its strokes take the stencil's fill colour, if visible."""
    inks = (said.get("fillColor", ""), said.get("strokeColor", ""))
    ink = next((color for color in inks if is_color(color) and (on_dark or not is_pale(color))), None)
    return {"fill": "none", "stroke": "none", **({"textColor": ink} if ink else {})}


def tinted(said: Mapping[str, str], *, on_dark: bool) -> JsonObject:
    """The style of a device: the stencil's fill colour and its text style."""
    fill = said.get("fillColor", "")
    seen = is_color(fill) and (on_dark or not is_pale(fill))
    return ({"fill": fill} if seen else {}) | lettered_beside(said, on_dark=on_dark)


def lettered_beside(said: Mapping[str, str], *, on_dark: bool) -> JsonObject:
    """The style of a label outside its shape: on a light ground the letters for a dark shape would be unreadable."""
    style = lettered(said)
    if not on_dark and is_pale(style.get("textColor", "#000000")):
        del style["textColor"]
    return style


def is_pale(color: str) -> bool:
    """Whether a colour can hardly be seen on a white page."""
    return sum(bytes.fromhex(_long(color)[1:])) > _PALE


def is_dark(color: str) -> bool:
    """Whether a pale colour is seen on another."""
    return sum(bytes.fromhex(_long(color)[1:])) < _DARK


def _long(color: str) -> str:
    """A colour in six digits."""
    return color if len(color) > _SHORT else f"#{''.join(digit * 2 for digit in color[1:])}"


_SHORT = 4  # characters of a colour of three digits
_PALE, _DARK = 3 * 0.75 * 255, 3 * 0.55 * 255  # red, green and blue together


def font_size(said: Mapping[str, str]) -> float:
    """px, within bounds."""
    return min(max(number(said.get("fontSize", ""), FONT_SIZE), 6.0), 72.0)


def is_color(text: str) -> bool:
    """Whether the text is a colour in hexadecimal digits."""
    return _COLOR.fullmatch(text) is not None


def is_seen(said: Mapping[str, str], default: str = "") -> bool:
    """Whether a box has an outline or a fill; `default` stands for absent colours."""
    return said.get("fillColor", default) != "none" or said.get("strokeColor", default) != "none"


# Containment of cells: a cell's own children, and cells on a box that is plainly a background. Also the paint order of
# overlaps, since draw.io paints by the order of cells. px.

MOST_HOLDERS = 200  # possible backgrounds, the largest first
_MOST_PAIRS = 500_000  # of boxes compared for overlaps
DEEPEST = 24  # boxes on boxes
_SLACK = 1.0  # px: tolerated protrusion of a box from its background


class CellArea(NamedTuple):
    """The area of a cell on the page."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def size(self) -> float:
        """px²"""
        return (self.right - self.left) * (self.bottom - self.top)

    @property
    def middle(self) -> tuple[float, float]:
        """px"""
        return (self.left + self.right) / 2, (self.top + self.bottom) / 2

    def has(self, x: float, y: float) -> bool:
        """Whether the area contains a point."""
        return self.left <= x <= self.right and self.top <= y <= self.bottom

    def holds(self, other: CellArea) -> bool:
        """Whether the area contains a smaller area."""
        return (
            self.left - _SLACK <= other.left
            and self.top - _SLACK <= other.top
            and other.right <= self.right + _SLACK
            and other.bottom <= self.bottom + _SLACK
            and other.size < self.size
        )

    def meets(self, other: CellArea) -> bool:
        """Whether two areas overlap."""
        return (
            self.left < other.right - _SLACK
            and other.left < self.right - _SLACK
            and self.top < other.bottom - _SLACK
            and other.top < self.bottom - _SLACK
        )


def standing_on(
    order: Sequence[str], areas: Mapping[str, CellArea], parents: Mapping[str, str], grounds: Mapping[str, int]
) -> dict[str, str]:
    """Cells on backgrounds: each cell by the uppermost background below it.

    `grounds` are possible backgrounds, each with its minimum number of cells; `order` is the paint order. A cell and
    its background have the same parent: no child is taken from its parent.
    """
    rank = {name: number for number, name in enumerate(order)}
    allowed = sorted(grounds, key=lambda name: (-areas[name].size, rank[name]))[:MOST_HOLDERS]
    on: dict[str, list[str]] = {}
    for ground in allowed:
        area, parent = areas[ground], parents.get(ground)
        above = order[rank[ground] + 1 :]
        found = [name for name in above if parents.get(name) == parent and area.holds(areas[name])]
        if len(found) >= grounds[ground]:
            on[ground] = found
    holders: dict[str, str] = {}
    depth: dict[str, int] = {}
    for ground in sorted(on, key=rank.__getitem__):  # later grounds lie above earlier ones
        depth[ground] = depth.get(holders.get(ground, ""), 0) + 1
        if depth[ground] <= DEEPEST:
            holders |= dict.fromkeys(on[ground], ground)
    return holders


def top_of(name: str, tops: dict[str, str]) -> str:
    """The outermost container of a name. `tops` maps names towards it, with path compression."""
    while name in tops:
        above = tops[name]
        tops[name] = name = tops.get(above, above)
    return name


def flattened(holders: Mapping[str, str], nests: Collection[str], deepest: int) -> tuple[dict[str, str], list[str]]:
    """The containers with at most `deepest` nested `nests`, and the deeper ones, each moved beside its container."""
    found: dict[str, str] = {}
    depth: dict[str, int] = {}
    too_deep: list[str] = []
    for key in holders:
        path = [key]
        while path[-1] in holders and path[-1] not in depth:
            path.append(holders[path[-1]])
        depth.setdefault(path[-1], 1)
        for name in reversed(path[:-1]):
            holder = holders[name]
            depth[name] = depth[holder] + 1
            if depth[name] > deepest and name in nests:
                holder, depth[name] = found[holder], deepest
                too_deep.append(name)
            found[name] = holder
    return found, too_deep


def heights(
    order: Sequence[str],
    areas: Mapping[str, CellArea],
    frames: Collection[str],
    texts: Collection[str],
    holders: Mapping[str, str],
) -> dict[str, int]:
    """The `zIndex` of raised cells, needed because frames are painted below all nodes of equal height: frames over
    nodes outside them, and cells over these in turn. `texts` raise no frame."""
    if len(frames) * len(order) > _MOST_PAIRS:
        return {}
    found: dict[str, int] = {}
    lower: list[str] = []  # nodes painted so far
    frames_so_far: list[str] = []
    for name in order:
        area = areas[name]
        height = found.get(holders.get(name, ""), 0)
        if name in frames:
            height = max([height, *(found.get(one, 0) + 1 for one in lower if areas[one].meets(area))])
            frames_so_far.append(name)
        else:
            height = max([height, *(found.get(one, 0) for one in frames_so_far if areas[one].meets(area))])
            if name not in texts:
                lower.append(name)
        if height:
            found[name] = height
    return found


def covered(labels: Mapping[str, CellArea], order: Sequence[str], areas: Mapping[str, CellArea]) -> set[str]:
    """The cells whose label overlaps a later painted cell."""
    if len(labels) * len(order) > _MOST_PAIRS:
        return set()
    rank = {name: number for number, name in enumerate(order)}
    return {key for key, label in labels.items() if any(areas[one].meets(label) for one in order[rank[key] + 1 :])}


def on_dark(
    pale: Collection[str],
    order: Sequence[str],
    areas: Mapping[str, CellArea],
    fills: Mapping[str, str],
    page: str | None,
) -> set[str]:
    """The cells of `pale` with their middle on a dark fill: of the uppermost cell below, or of the page."""
    if len(pale) * len(order) > _MOST_PAIRS:
        return set()
    found: set[str] = set()
    below: list[str] = []
    for name in order:
        if name in pale:
            x, y = areas[name].middle
            ground = next((fills[one] for one in reversed(below) if areas[one].has(x, y)), page)
            if ground and is_dark(ground):
                found.add(name)
        if name in fills:
            below.append(name)
    return found


def area_of(cell: Cell, corner: tuple[float, float]) -> CellArea:
    """The area of a cell from its corner on the page."""
    x, y = corner
    return CellArea(x, y, x + max(cell.size[0], 1.0), y + max(cell.size[1], 1.0))
