"""A drawing as an Excalidraw document (file format version 2): arrows bound to shapes, labels bound to both."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import groupby, pairwise
from typing import Any, NamedTuple

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
from scenograph.engine.families.catalog import kind_of
from scenograph.engine.geometry.boxes import Box, Point, between, union
from scenograph.engine.geometry.paths import Close, Cubic, Line, Move, Quadratic, flatten
from scenograph.engine.tables import DrawnRoute, LaidOutScene
from scenograph.engine.write.foreign import before_turning, box_of_lines, joined, lines_of, raster, vector_url
from scenograph.engine.write.writer import ExportLosses, groups_with, has_gradient, has_rows, is_typed
from scenograph.late_dataclasses import dataclass, field
from scenograph.scene.model import Color, Edge, Element, Frame, Group, Linked, Node, Scene, Text

# The elements of an Excalidraw document, with every member set as Excalidraw's `restore` leaves them. px.
#
# Random members of Excalidraw (seeds, nonces) come from a hash of the element's id: equal scenes give equal files.

Json = dict[str, Any]

TRANSPARENT = "transparent"
_DOTTED_BELOW = 3.0
"""Dashes up to this long, px, are dots."""

_DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_SEED_BITS = 31
_DECIMALS = 2
_PART_LENGTH = 20


class ExcalidrawLook(NamedTuple):
    """How an element is painted; `opacity` is 0 to 1."""

    stroke: Paint | None = None
    fill: Paint | None = None
    width: float = 1.0
    dash: Sequence[float] = ()
    opacity: float = 1.0

    @staticmethod
    def of(item: PathItem, opacity: float) -> ExcalidrawLook:
        """The look of a path."""
        seen = item.stroke if item.stroke_width > 0 else None
        return ExcalidrawLook(seen, item.fill, item.stroke_width or 1.0, item.dash, opacity)


def element(kind: str, key: str, box: Box, look: ExcalidrawLook, groups: Sequence[str]) -> Json:
    """An element with the members common to all types; `groups` from the innermost outwards."""
    return {
        "id": key,
        "type": kind,
        "x": number(box.x),
        "y": number(box.y),
        "width": number(box.width),
        "height": number(box.height),
        "angle": 0,
        "strokeColor": color_text(look.stroke),
        "backgroundColor": color_text(look.fill),
        "fillStyle": "solid",
        "strokeWidth": number(look.width),
        "strokeStyle": _stroke_style(look.dash),
        "roughness": 0,
        "opacity": round(100 * min(max(look.opacity, 0.0), 1.0)),
        "groupIds": list(groups),
        "frameId": None,
        "index": None,
        "roundness": None,
        "seed": _number_of("seed", key),
        "version": 1,
        "versionNonce": _number_of("nonce", key),
        "isDeleted": False,
        "boundElements": [],
        "updated": 1,
        "link": None,
        "locked": False,
    }


def line(key: str, points: Sequence[Point], look: ExcalidrawLook, groups: Sequence[str]) -> Json:
    """A chain of straight segments; a chain with equal first and last point is closed and may be filled."""
    return element("line", key, _around(points), look, groups) | _linear(points)


def arrow(key: str, points: Sequence[Point], look: ExcalidrawLook, groups: Sequence[str]) -> Json:
    """An arrow without heads and bindings."""
    return element("arrow", key, _around(points), look, groups) | _linear(points) | {"elbowed": False}


def image(key: str, box: Box, file_id: str, opacity: float, groups: Sequence[str]) -> Json:
    """A picture by its id in `files`."""
    members: Json = {"fileId": file_id, "status": "saved", "scale": [1, 1], "crop": None}
    return element("image", key, box, ExcalidrawLook(opacity=opacity), groups) | members


def _part_id(owner: str, part: str) -> str:
    """The id of a part of a scene element."""
    return _digest("part", f"{len(owner)}:{owner}{part}")[:_PART_LENGTH]


def file_id(data_url: str) -> str:
    """The id of a picture: a hash of its data URL, to store equal pictures once."""
    return _digest("file", data_url)[:40]


def order_key(place: int) -> str:
    """The fractional index of an element by its place in the file: keys sort like the places (base 62, the first letter
    encodes the number of digits)."""
    digits, room = 1, len(_DIGITS)
    while place >= room:
        place -= room
        digits, room = digits + 1, room * len(_DIGITS)
    text = ""
    for _ in range(digits):
        place, rest = divmod(place, len(_DIGITS))
        text = _DIGITS[rest] + text
    return chr(ord("a") + digits - 1) + text


def color_text(paint: Paint | None) -> str:
    """A colour in Excalidraw's syntax; the first colour of a gradient."""
    if isinstance(paint, LinearGradient | RadialGradient):
        paint = paint.stops[0].color if paint.stops else None
    if not isinstance(paint, Color) or paint.alpha <= 0:
        return TRANSPARENT
    channels = [min(max(round(channel), 0), 255) for channel in paint[:3]]
    if paint.alpha < 1:
        channels.append(round(255 * paint.alpha))
    return "#" + "".join(f"{channel:02x}" for channel in channels)


def number(value: float) -> float | int:
    """A JSON number: two decimals, whole numbers without a point, no -0; 0 for a value that is not finite."""
    rounded = round(value, _DECIMALS) if math.isfinite(value) else 0.0
    return int(rounded) if rounded == int(rounded) else rounded


def _picture_file(key: str, url: str) -> Json:
    """The entry of `files`."""
    mime_type = url.removeprefix("data:").partition(";")[0]
    return {"mimeType": mime_type, "id": key, "dataURL": url, "created": 1, "lastRetrieved": 1}


def _bound_to(owner: Json, key: str, kind: str) -> None:
    """Record a bound element in its owner."""
    owner["boundElements"].append({"id": key, "type": kind})


def _with_order(elements: Sequence[Json], members: Mapping[str, Any]) -> list[Json]:
    """The elements with their order keys and the common `members`."""
    return [{**one, **members, "index": order_key(place)} for place, one in enumerate(elements)]


def _linear(points: Sequence[Point]) -> Json:
    start = points[0]
    return {
        "x": number(start.x),
        "y": number(start.y),
        "points": [[number(point.x - start.x), number(point.y - start.y)] for point in points],
        "lastCommittedPoint": None,
        "startBinding": None,
        "endBinding": None,
        "startArrowhead": None,
        "endArrowhead": None,
    }


def _around(points: Sequence[Point]) -> Box:
    xs, ys = [point.x for point in points], [point.y for point in points]
    return Box(min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))


def _stroke_style(dash: Sequence[float]) -> str:
    if not dash:
        return "solid"
    return "dotted" if dash[0] <= _DOTTED_BELOW else "dashed"


def _number_of(purpose: str, key: str) -> int:
    return int(_digest(purpose, key)[:16], 16) >> (64 - _SEED_BITS)


def _digest(purpose: str, text: str) -> str:
    return sha256(f"{purpose}\n{text}".encode("utf-8", "surrogatepass")).hexdigest()


# Labels as text elements: free, or bound to their shape or arrow. px. Excalidraw has fonts of its own; each of ours
# becomes the nearest. A bound text keeps our line breaks until edited there.


class Typeface(NamedTuple):
    """An Excalidraw font: number, line height in em, and the size factor that matches the width of our font."""

    number: int
    line_height: float
    size: float = 1.0


TYPEFACES: Mapping[str, Typeface] = {
    "sans": Typeface(6, 1.35),  # Nunito
    "mono": Typeface(3, 1.2),  # Cascadia
    "hand": Typeface(5, 1.25, 0.88),  # Excalifont
}

_OFF_CENTER = 4.0


def _text_element(key: str, item: TextItem, opacity: float, groups: Sequence[str], *, align: str = "left") -> Json:
    """A free text."""
    lines = lines_of(item.runs)
    first = item.runs[0]
    face = TYPEFACES.get(first.font.family, TYPEFACES["sans"])
    size = first.font.size * face.size
    box, pitch = box_of_lines(lines, len(lines), face.line_height * face.size)
    words = "\n".join(joined(line) for line in lines)
    look = ExcalidrawLook(stroke=first.color, opacity=opacity)
    members: Json = {
        "angle": round(math.radians(item.turn) % (2 * math.pi), 6),
        "fontSize": number(size),
        "fontFamily": face.number,
        "text": words,
        "originalText": words,
        "textAlign": align,
        "verticalAlign": "top",
        "containerId": None,
        "autoResize": True,
        "lineHeight": round(pitch / size, 4),
    }
    placed = before_turning(box, item) if item.turn else box
    return element("text", key, placed, look, groups) | members


def bound(text: Json, container: Json, label: str | None) -> Json:
    """The text bound as the label of a container: position unchanged, references on both sides."""
    container["boundElements"].append({"id": text["id"], "type": "text"})
    dx = text["x"] + text["width"] / 2 - container["x"] - container["width"] / 2
    dy = text["y"] + text["height"] / 2 - container["y"] - container["height"] / 2
    on_line = container["type"] == "arrow"
    return text | {
        "containerId": container["id"],
        "originalText": label or text["text"],
        "textAlign": "center" if on_line else _side(dx, ("left", "center", "right")),
        "verticalAlign": "middle" if on_line else _side(dy, ("top", "middle", "bottom")),
    }


def _side(offset: float, names: tuple[str, str, str]) -> str:
    before, middle, after = names
    if abs(offset) <= _OFF_CENTER:
        return middle
    return before if offset < 0 else after


# Edges as arrows, bound to the connected elements: moving a box in Excalidraw moves its arrows along. px.


Pen = Move | Line | Cubic | Quadratic

ARROWHEADS: Mapping[str, str | None] = {
    "none": None,
    "triangle": "triangle",
    "openTriangle": "triangle_outline",
    "arrow": "arrow",
    "diamond": "diamond",
    "openDiamond": "diamond_outline",
    "circle": "circle",
    "openCircle": "circle_outline",
    "bar": "bar",
    "cross": "bar",
    "slash": "bar",
    "one": "crowfoot_one",
    "many": "crowfoot_many",
    "oneOrMany": "crowfoot_one_or_many",
    "zeroOrOne": "crowfoot_one",
    "zeroOrMany": "crowfoot_many",
}
"""Our markers by the name of the nearest of Excalidraw's."""

_CIRCLED = frozenset({"zeroOrOne", "zeroOrMany"})
"""Markers with a circle that Excalidraw lacks: the circle is an element of its own, grouped with the arrow."""

_GAP_JUMP = "gap"
_COVER = 2.0
"""The extra width of a covering line over the covered line. px."""

GAP = 1
REACH = 24.0
"""The greatest distance of a bound arrow's end from its element. px."""
_ROUND = {"type": 2}
_AXIS = 0.01  # segments with a smaller deviation are horizontal or vertical
_NEAR = 4.0  # px
_EDGE = 0.05  # share of a segment
_MIDDLE, _BESIDE_MIDDLE = 0.5, 0.5001  # Excalidraw's own way to keep an arrow from jumping between two sides


def _edge_arrow(
    edge: Edge, route: DrawnRoute, group: DrawnGroup, ends: Mapping[str, Json], groups: Sequence[str]
) -> Json | None:
    """The arrow of an edge; `ends` are the bindable Excalidraw elements by scene id."""
    points = _points(route)
    if len(points) < 2:
        return None
    source = _within_reach(ends.get(edge.source.element_id), points[0])
    target = _within_reach(ends.get(edge.target.element_id), points[-1])
    is_elbow = _is_elbow(edge, route, points) and source is not None and target is not None
    found = arrow(edge.id, points, _look(group), groups)
    for side, at, end in (("start", points[0], source), ("end", points[-1], target)):
        if end is not None:
            found[f"{side}Binding"] = _binding(end, at, fixed=is_elbow)
            if not (side == "end" and end is source):
                _bound_to(end, edge.id, "arrow")
    found["startArrowhead"] = ARROWHEADS.get(edge.start_arrow or "none")
    found["endArrowhead"] = ARROWHEADS.get(edge.end_arrow or "none")
    if route.router == "curved":
        found["roundness"] = dict(_ROUND)
    if is_elbow:
        found |= {"elbowed": True, "fixedSegments": None, "startIsSpecial": None, "endIsSpecial": None}
    return found


def circles(edge: Edge, found: Json, group: DrawnGroup, ground: Color) -> tuple[Json, ...]:
    """The circles of crow's feet missing from Excalidraw's own markers, filled with the page colour to cover the line;
    the arrow joins their group."""
    ends = {"start": (edge.start_arrow, found["points"][0]), "end": (edge.end_arrow, found["points"][-1])}
    circled = {side: at for side, (marker, at) in ends.items() if marker in _CIRCLED}
    rings = [item for item in group.items if isinstance(item, PathItem) and _is_ring(item)]
    if not circled or not rings:
        return ()
    found["groupIds"] = [_part_id(edge.id, "ends"), *found["groupIds"]]
    boxes = [box for item in rings if (box := union(_dot(point) for point in flatten(item.path)[0])) is not None]
    rows: list[Json] = []
    for side, (x, y) in circled.items():
        tip = Point(found["x"] + x, found["y"] + y)
        box = min(boxes, key=lambda one: math.dist(one.center, tip))
        look = _look(group)._replace(fill=ground, dash=())
        rows.append(element("ellipse", _part_id(edge.id, f"{side} circle"), box, look, found["groupIds"]))
    return tuple(rows)


def _is_ring(item: PathItem) -> bool:
    curves = [segment for segment in item.path if not isinstance(segment, Move | Close)]
    return item.fill is None and len(curves) > 1 and all(isinstance(segment, Cubic) for segment in curves)


def _points(route: DrawnRoute) -> Sequence[Point]:
    """The points of an arrow: the route, or for a quadratic curve its ends and its middle, which Excalidraw bends
    through. With a label the middle point lies at the label: Excalidraw places labels at the middle point."""
    if route.router != "curved" or len(route.points) != 3:
        ways = _with_hops(route)
        return ways if route.label is None or len(ways) < 2 else _with_middle(ways, route.label.center)
    start, control, end = route.points
    middle = Point((start.x + 2 * control.x + end.x) / 4, (start.y + 2 * control.y + end.y) / 4)
    return (start, middle, end)


def _with_hops(route: DrawnRoute) -> list[Point]:
    """The corners of a route, with the points of hops over other routes."""
    found = [*route.points[:1]]
    pens = [segment for segment in route.line if not isinstance(segment, Close)]
    hops = [piece for piece in pairwise(pens) if isinstance(piece[1], Cubic)]
    for a, b in pairwise(route.points):
        on_way = [hop for hop in hops if _isbetween(a, b, hop[0].to) and _isbetween(a, b, hop[1].to)]
        for start, cubic in sorted(on_way, key=lambda hop: math.dist(a, hop[0].to)):
            arc = flatten((Move(start.to), cubic))[0]
            found += arc if math.dist(a, arc[0]) <= math.dist(a, arc[-1]) else arc[::-1]
        found.append(b)
    return [*found[:1], *(b for a, b in pairwise(found) if math.dist(a, b) > _AXIS)]


def _isbetween(a: Point, b: Point, at: Point) -> bool:
    return abs(math.dist(a, at) + math.dist(at, b) - math.dist(a, b)) < _AXIS


def _interruptions(edge: Edge, route: DrawnRoute, group: DrawnGroup, ground: Color) -> tuple[Json, ...]:
    """The covers over a route at its gap jumps: Excalidraw's arrows have no gaps."""
    look = _look(group)
    patch = look._replace(stroke=ground, width=look.width + _COVER, dash=(), opacity=1.0)
    found: list[Json] = []
    for number, (kind, at, way, half) in enumerate(route.jumps):
        if kind == _GAP_JUMP:
            ends = [Point(at.x + side * half * way.x, at.y + side * half * way.y) for side in (-1, 1)]
            found.append(line(_part_id(edge.id, f"gap {number}"), ends, patch, ()))
    return tuple(found)


def _with_middle(points: Sequence[Point], at: Point) -> Sequence[Point]:
    """The same route with equally many points before and after the place nearest to `at`."""
    places = [(i, _nearest(a, b, at)) for i, (a, b) in enumerate(pairwise(points))]
    number, middle = min(places, key=lambda place: math.dist(place[1], at))
    if len(points) == 2 and math.dist(middle, between(points[0], points[1], 0.5)) < _NEAR:
        return points
    before, after = [*points[: number + 1]], [*points[number + 1 :]]
    while len(before) < len(after):
        before = _split_longest([*before, middle])[:-1]
    while len(after) < len(before):
        after = _split_longest([middle, *after])[1:]
    return [*before, middle, *after]


def _nearest(a: Point, b: Point, at: Point) -> Point:
    """The point of a segment nearest to a place, kept off the ends."""
    share = ((at.x - a.x) * (b.x - a.x) + (at.y - a.y) * (b.y - a.y)) / math.dist(a, b) ** 2
    return between(a, b, min(max(share, _EDGE), 1 - _EDGE))


def _split_longest(points: Sequence[Point]) -> list[Point]:
    """The points with one more in the middle of the longest segment."""
    lengths = [math.dist(a, b) for a, b in pairwise(points)]
    longest = lengths.index(max(lengths))
    half = between(points[longest], points[longest + 1], 0.5)
    return [*points[: longest + 1], half, *points[longest + 1 :]]


def _is_elbow(edge: Edge, route: DrawnRoute, points: Sequence[Point]) -> bool:
    """Whether an edge becomes an elbow arrow: orthogonal, without jumps, between two elements."""
    along = not route.jumps and all(abs(a.x - b.x) < _AXIS or abs(a.y - b.y) < _AXIS for a, b in pairwise(points))
    return along and route.router == "orthogonal" and edge.source.element_id != edge.target.element_id


def _within_reach(end: Json | None, at: Point) -> Json | None:
    """The element if the arrow ends within reach; None at the tail of a lifeline, far from its head."""
    if end is None or not Box(end["x"], end["y"], end["width"], end["height"]).grown(REACH).contains(_dot(at)):
        return None
    return end


def _dot(at: Point) -> Box:
    return Box(at.x, at.y, 0.0, 0.0)


def _binding(end: Json, at: Point, *, fixed: bool) -> Json:
    binding: Json = {"elementId": end["id"], "focus": 0, "gap": GAP}
    if fixed:
        shares = (_share(at.x, end["x"], end["width"]), _share(at.y, end["y"], end["height"]))
        binding["fixedPoint"] = list(shares)
    return binding


def _share(at: float, start: float, length: float) -> float:
    share = round((at - start) / length, 4) if length else _MIDDLE
    return _BESIDE_MIDDLE if abs(share - _MIDDLE) < _BESIDE_MIDDLE - _MIDDLE else share


def _look(group: DrawnGroup) -> ExcalidrawLook:
    """The paint of a route; a group without a stroke (hidden by its label) takes the paint of its first item."""
    items = [item for item in group.items if isinstance(item, PathItem)]
    stroked = next((item for item in items if item.stroke is not None and item.stroke_width > 0), None)
    if stroked is not None:
        return ExcalidrawLook.of(stroked, group.opacity)._replace(fill=None)
    filled = next((item.fill for item in items if item.fill is not None), Color(0.0, 0.0, 0.0))
    return ExcalidrawLook(stroke=filled, opacity=group.opacity)


# All elements except edges as Excalidraw elements: a shape to which arrows and labels are bound, and the paint on the
# shape. px. A shape unknown to Excalidraw is a closed line with an invisible rectangle behind for label and arrows;
# both are one group. Icons and symbols are pictures.


SHAPES: Mapping[str, str] = {
    "rect": "rectangle",
    "roundedRect": "rectangle",
    "pill": "rectangle",
    "textBox": "rectangle",
    "iconBox": "rectangle",
    "ellipse": "ellipse",
    "diamond": "diamond",
}
"""Our shapes with a counterpart in Excalidraw; all remaining shapes are drawn as lines."""

ALIGNMENTS: Mapping[str, str] = {"start": "left", "center": "center", "end": "right"}
_ADAPTIVE_RADIUS = 3
_TOLERANCE = 0.5  # of chords for curves
_INVISIBLE = ExcalidrawLook()


@dataclass(frozen=True)
class Figure:
    """One scene element as Excalidraw elements, from back to front; labels and arrows bind to `main`."""

    main: Json | None
    elements: tuple[Json, ...]


@dataclass
class EmbeddedRasters:
    """The pictures of a document, each once."""

    of: dict[str, Json] = field(default_factory=dict[str, Json])

    def add(self, url: str) -> str:
        """Keep a picture, and return its id."""
        key = file_id(url)
        self.of.setdefault(key, _picture_file(key, url))
        return key


class FigurePlace(NamedTuple):
    """The box of an element, the corner radius, and the groups of all containers."""

    box: Box | None
    radius: float
    groups: Sequence[str]


def figure(of: Element, group: DrawnGroup, place: FigurePlace, files: EmbeddedRasters) -> Figure:
    """The elements of anything but an edge."""
    brush = _Brush(of, group, (_part_id(of.id, "parts"), *place.groups), files)
    main = _main(of, group, place, brush)
    rest = tuple(brush.painted(_items_on(main, of, group), main))
    everything = (main, *rest) if main is not None else rest
    if main is not None and _is_invisible(main):
        # Excalidraw draws a label right after its container: visible elements must come before.
        everything = tuple(sorted(everything, key=lambda one: one is main or one.get("containerId") is not None))
    free = [one for one in everything if one.get("containerId") is None]
    for one in everything:
        one["locked"] = of.locked
        if len(free) < 2:  # a shape with its bound label needs no group
            one["groupIds"] = list(place.groups)
    return Figure(main, everything)


def _is_invisible(main: Json) -> bool:
    return main["strokeColor"] == main["backgroundColor"] == TRANSPARENT


def loose(group: DrawnGroup, files: EmbeddedRasters) -> tuple[Json, ...]:
    """A legend or a watermark as Excalidraw elements."""
    name = f"{group.role}{group.kind}"
    owner = Element(id=name, kind=group.kind)
    return tuple(_Brush(owner, group, (_part_id(name, "parts"),), files).painted(group.items, None, as_lines=True))


def _main(of: Element, group: DrawnGroup, place: FigurePlace, brush: _Brush) -> Json | None:
    """The native shape, or the invisible rectangle behind a shape drawn as lines; None for an element that is only
    text, lines or a picture."""
    outline = next((item for item in group.items if isinstance(item, PathItem) and item.is_outline), None)
    if isinstance(of, Text | Frame | Group | Node) and outline is not None and not _is_painted_by_kind(of):
        kind = SHAPES.get(of.shape or "rect") if isinstance(of, Node) else "rectangle"
        look = ExcalidrawLook.of(outline, group.opacity) if kind else _INVISIBLE
        points = [point for chain in flatten(outline.path) for point in chain]
        box = union(Box(point.x, point.y, 0.0, 0.0) for point in points) or Box(0.0, 0.0, 0.0, 0.0)
        main = element(kind or "rectangle", of.id, box, look, brush.groups)
        if kind == "rectangle" and place.radius > 0:
            main["roundness"] = {"type": _ADAPTIVE_RADIUS, "value": place.radius}
        return main
    if isinstance(of, Node) and place.box is not None:
        return element("rectangle", of.id, place.box, _INVISIBLE, brush.groups)
    return None


def _items_on(main: Json | None, of: Element, group: DrawnGroup) -> tuple[DrawnItem, ...]:
    """The items painted besides the native shape."""
    if main is None or _is_painted_by_kind(of) or (isinstance(of, Node) and (of.shape or "rect") not in SHAPES):
        return group.items
    outline = next((item for item in group.items if isinstance(item, PathItem) and item.is_outline), None)
    return tuple(item for item in group.items if item is not outline)


def _is_painted_by_kind(of: Element) -> bool:
    return isinstance(of, Node) and kind_of(of).paint is not None


@dataclass(frozen=True)
class _Brush:
    """Converts the items of one group into Excalidraw elements."""

    of: Element
    group: DrawnGroup
    groups: tuple[str, ...]
    files: EmbeddedRasters

    def painted(self, items: Sequence[DrawnItem], main: Json | None, *, as_lines: bool = False) -> Iterator[Json]:
        """The elements, from back to front."""
        texts = [item for item in items if isinstance(item, TextItem)]
        as_lines = as_lines or not isinstance(self.of, Node) or _is_painted_by_kind(self.of)
        number = 0
        for is_symbol, run in groupby(items, lambda item: not as_lines and _is_symbol(item)):
            rows = list(run)
            if is_symbol:
                number += 1
                yield from self._symbol([item for item in rows if isinstance(item, PathItem)], f"symbol{number}")
                continue
            for item in rows:
                number += 1
                yield from self._item(item, f"item{number}", main if len(texts) == 1 else None)

    def _item(self, item: DrawnItem, part: str, main: Json | None) -> Iterator[Json]:
        key = _part_id(self.of.id, part)
        match item:
            case PathItem():
                yield from self._lines(item, key)
            case TextItem() if item.runs:
                text = _text_element(key, item, self.group.opacity, self.groups, align=self._align(item))
                yield bound(text, main, self._label()) if main is not None and _holds(main, text) else text
            case PictureItem():
                url, box, crop = raster(item)
                key = self.of.id if self.of.kind == "image" else key
                yield image(key, box, self.files.add(url), self.group.opacity, self.groups) | {"crop": crop}
            case _:
                return

    def _lines(self, item: PathItem, key: str) -> Iterator[Json]:
        look = ExcalidrawLook.of(item, self.group.opacity)
        for number, chain in enumerate(flatten(item.path, _TOLERANCE)):
            if len(chain) > 1:
                # A filled chain ends at its start.
                closed = chain if item.fill is None or chain[0] == chain[-1] else (*chain, chain[0])
                yield line(_part_id(key, str(number)), closed, look, self.groups)

    def _symbol(self, items: Sequence[PathItem], part: str) -> Iterator[Json]:
        found = vector_url(items)
        if found is not None:
            url, box = found
            yield image(_part_id(self.of.id, part), box, self.files.add(url), self.group.opacity, self.groups)

    def _align(self, item: TextItem) -> str:
        if isinstance(self.of, Text):
            return ALIGNMENTS.get(self.of.align, "left")
        return "center" if item.turn or (isinstance(self.of, Node) and not _is_painted_by_kind(self.of)) else "left"

    def _label(self) -> str | None:
        match self.of:
            case Node() | Group():
                return self.of.label
            case Frame():
                return self.of.title
            case Text():
                return self.of.content
            case _:
                return None


def _is_symbol(item: DrawnItem) -> bool:
    return isinstance(item, PathItem) and not item.is_outline


def _holds(main: Json, text: Json) -> bool:
    """Whether a text stands inside a shape, upright."""
    middle = text["x"] + text["width"] / 2, text["y"] + text["height"] / 2
    across = main["x"] <= middle[0] <= main["x"] + main["width"]
    return not text["angle"] and across and main["y"] <= middle[1] <= main["y"] + main["height"]


# A drawing as the text of an Excalidraw file: arrows bound to shapes, labels to both, containers as groups.
#
# In: the laid-out scene and its drawing before any pen. Out: JSON. Promises: every reference leads somewhere and is
# told from both ends; ids of the scene stay ids of the file; the same scene gives the same bytes.


VERSION = 2
SOURCE = "scenograph"
BY_HAND, BY_RULER = 1, 0
"""Excalidraw's `roughness`."""

_GRID = 20


def tell_losses(scene: Scene, drawing: Drawing, losses: ExportLosses) -> None:
    """Report the wishes that the file draws without keeping, or lacks, with the ids of their elements."""
    rows = scene.elements
    losses.add_hidden(scene)
    losses.add_rows(
        (
            ("containment (frames are grouped with their content)", (one.id for one in rows if _is_filled(one))),
            ("types of elements (they are drawn, not kept)", (one.id for one in rows if is_typed(one))),
            ("rows of elements (they are drawn as texts)", (one.id for one in rows if has_rows(one))),
            ("tooltips", (one.id for one in rows if isinstance(one, Linked) and one.tooltip)),
            ("gradients (their first colour stays)", groups_with(drawing, has_gradient)),
        )
    )
    if scene.constraints:
        losses.add("constraints")


def _is_filled(one: Element) -> bool:
    return isinstance(one, Frame) and bool(one.children)


def write_excalidraw(laid_out: LaidOutScene, drawing: Drawing, *, hand_drawn: bool) -> str:
    """The file's text. `hand_drawn`: Excalidraw draws wobbling strokes."""
    page = _ExcalidrawPage(laid_out, drawing.background)
    slots = [() if _is_of_edge(group, page) else page.figure(group) for group in drawing.groups]
    for number, group in enumerate(drawing.groups):
        if _is_of_edge(group, page):
            slots[number] = page.of_edge(group)
        if group.link is not None:
            for one in slots[number]:
                one["link"] = group.link.href
    elements = [one for slot in slots for one in slot]
    document = {
        "type": "excalidraw",
        "version": VERSION,
        "source": SOURCE,
        "elements": _with_order(elements, {"roughness": BY_HAND if hand_drawn else BY_RULER}),
        "appState": {
            "gridSize": _GRID,
            "gridModeEnabled": False,
            "viewBackgroundColor": color_text(drawing.background),
        },
        "files": page.files.of,
    }
    return json.dumps(document, ensure_ascii=True, allow_nan=False, separators=(",", ":")) + "\n"


class _ExcalidrawPage:
    """The state of the page: pictures, bindable elements and arrows."""

    def __init__(self, laid_out: LaidOutScene, background: Color) -> None:
        self._background = background
        self.files = EmbeddedRasters()
        self.elements: Mapping[str, Element] = {element.id: element for element in laid_out.scene.elements}
        self._laid_out = laid_out
        self._ends: dict[str, Json] = {}
        self._arrows: dict[str, Json] = {}
        self._parents = _parents(self.elements)
        self._containers = frozenset(self._parents.values())

    def figure(self, group: DrawnGroup) -> tuple[Json, ...]:
        """The elements of a group other than an edge."""
        if group.role in BESIDE:
            return loose(group, self.files)
        element = self.elements[group.id]
        radius, box = self._laid_out.styles.of[element.id].corner_radius, self._laid_out.placement.boxes.get(element.id)
        found = figure(element, group, FigurePlace(box, radius, self._groups(element.id)), self.files)
        if found.main is not None:
            self._ends[element.id] = found.main
        return found.elements

    def of_edge(self, group: DrawnGroup) -> tuple[Json, ...]:
        """The arrow of an edge, or the label of the edge."""
        edge, route = self.elements[group.id], self._laid_out.routes.get(group.id)
        if not isinstance(edge, Edge) or route is None:
            return ()
        if group.role == "label":
            return self._label(edge, group)
        ends = edge.ends
        inside = [name for name in self._groups(ends[0]) if name in self._groups(ends[1])]
        arrow = _edge_arrow(edge, route, group, self._ends, inside)
        if arrow is None:
            return ()
        arrow["locked"] = edge.locked
        self._arrows[edge.id] = arrow
        rings = circles(edge, arrow, group, self._background)
        covers = _interruptions(edge, route, group, self._background)
        return (arrow, *(part | {"locked": edge.locked} for part in (*rings, *covers)))

    def _label(self, edge: Edge, group: DrawnGroup) -> tuple[Json, ...]:
        item = next((item for item in group.items if isinstance(item, TextItem) and item.runs), None)
        arrow = self._arrows.get(edge.id)
        if item is None:
            return ()
        groups = arrow["groupIds"] if arrow is not None else ()
        text = _text_element(_part_id(edge.id, "label"), item, group.opacity, groups, align="center")
        return (text if arrow is None else bound(text, arrow, edge.label),)

    def _groups(self, element_id: str) -> list[str]:
        """The group ids of an element, from the innermost container outwards; a container belongs to its own group."""
        found: list[str] = []
        at = element_id if element_id in self._containers else self._parents.get(element_id)
        while at is not None and _part_id(at, "group") not in found:
            found.append(_part_id(at, "group"))
            at = self._parents.get(at)
        return found


def _is_of_edge(group: DrawnGroup, page: _ExcalidrawPage) -> bool:
    return group.role not in BESIDE and isinstance(page.elements.get(group.id), Edge)


def _parents(elements: Mapping[str, Element]) -> dict[str, str]:
    found: dict[str, str] = {}
    for parent in elements.values():
        for child in parent.children if isinstance(parent, Frame | Group) else ():
            if child in elements:
                found.setdefault(child, parent.id)
    return found
