"""The cells of an mxGraph model: styles taken apart, labels as plain text, places on the page. px."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from html import unescape

from scenograph.late_dataclasses import dataclass, field
from scenograph.reading.losses import Losses, Place
from scenograph.reading.markup import Tag
from scenograph.reading.source import shown
from scenograph.scene.colors import parse_color

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
    style = read_style(tag.get("style"))
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


def read_style(text: str) -> dict[str, str]:
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
