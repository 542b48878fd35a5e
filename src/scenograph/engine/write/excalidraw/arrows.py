"""Edges as arrows, bound to what they connect: whoever moves a box there takes its arrows along. px."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise

from scenograph.engine.drawing import DrawnGroup, PathItem
from scenograph.engine.geometry.boxes import Box, Point, between, union
from scenograph.engine.geometry.paths import Close, Cubic, Line, Move, Quadratic, flatten
from scenograph.engine.tables import Route
from scenograph.engine.write.excalidraw.primitives import ExcalidrawLook, Json, arrow, bound_to, element, line, part_id
from scenograph.scene.model import Color, Edge

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

CIRCLED = frozenset({"zeroOrOne", "zeroOrMany"})
"""Markers whose circle Excalidraw's lack: it is an element of its own, in one group with the arrow."""

GAP_JUMP = "gap"
COVER = 2.0
"""How much wider than the line what covers it is. px."""

GAP = 1
REACH = 24.0
"""An arrow that ends farther from an element than that is not bound to it. px."""
_ROUND = {"type": 2}
_AXIS = 0.01  # a segment that leaves its axis by less is horizontal or vertical
_NEAR = 4.0  # px
_EDGE = 0.05  # share of a segment
_MIDDLE, _BESIDE_MIDDLE = 0.5, 0.5001  # Excalidraw's own way to keep an arrow from jumping between two sides


def edge_arrow(
    edge: Edge, route: Route, group: DrawnGroup, ends: Mapping[str, Json], groups: Sequence[str]
) -> Json | None:
    """The arrow of an edge; `ends` are the elements that it may be bound to, by the scene's ids."""
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
                bound_to(end, edge.id, "arrow")
    found["startArrowhead"] = ARROWHEADS.get(edge.start_arrow or "none")
    found["endArrowhead"] = ARROWHEADS.get(edge.end_arrow or "none")
    if route.router == "curved":
        found["roundness"] = dict(_ROUND)
    if is_elbow:
        found |= {"elbowed": True, "fixedSegments": None, "startIsSpecial": None, "endIsSpecial": None}
    return found


def circles(edge: Edge, found: Json, group: DrawnGroup, ground: Color) -> tuple[Json, ...]:
    """The circles of crow's feet that Excalidraw draws without one, filled with the page so that no line is seen in
    them; the arrow joins their group."""
    ends = {"start": (edge.start_arrow, found["points"][0]), "end": (edge.end_arrow, found["points"][-1])}
    circled = {side: at for side, (marker, at) in ends.items() if marker in CIRCLED}
    rings = [item for item in group.items if isinstance(item, PathItem) and _is_ring(item)]
    if not circled or not rings:
        return ()
    found["groupIds"] = [part_id(edge.id, "ends"), *found["groupIds"]]
    boxes = [box for item in rings if (box := union(_dot(point) for point in flatten(item.path)[0])) is not None]
    rows: list[Json] = []
    for side, (x, y) in circled.items():
        tip = Point(found["x"] + x, found["y"] + y)
        box = min(boxes, key=lambda one: math.dist(one.center, tip))
        look = _look(group)._replace(fill=ground, dash=())
        rows.append(element("ellipse", part_id(edge.id, f"{side} circle"), box, look, found["groupIds"]))
    return tuple(rows)


def _is_ring(item: PathItem) -> bool:
    curves = [segment for segment in item.path if not isinstance(segment, Move | Close)]
    return item.fill is None and len(curves) > 1 and all(isinstance(segment, Cubic) for segment in curves)


def _points(route: Route) -> Sequence[Point]:
    """The way; of a quadratic curve its ends and the middle of the curve, through which Excalidraw bends. The place of
    a label is the middle one of the points, for there Excalidraw puts it."""
    if route.router != "curved" or len(route.points) != 3:
        ways = _with_hops(route)
        return ways if route.label is None or len(ways) < 2 else _with_middle(ways, route.label.center)
    start, control, end = route.points
    middle = Point((start.x + 2 * control.x + end.x) / 4, (start.y + 2 * control.y + end.y) / 4)
    return (start, middle, end)


def _with_hops(route: Route) -> list[Point]:
    """The corners of a way, with those of its hops over other lines."""
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


def interruptions(edge: Edge, route: Route, group: DrawnGroup, ground: Color) -> tuple[Json, ...]:
    """What covers a line where another one runs over it: Excalidraw's arrows have no gaps."""
    look = _look(group)
    patch = look._replace(stroke=ground, width=look.width + COVER, dash=(), opacity=1.0)
    found: list[Json] = []
    for number, (kind, at, way, half) in enumerate(route.jumps):
        if kind == GAP_JUMP:
            ends = [Point(at.x + side * half * way.x, at.y + side * half * way.y) for side in (-1, 1)]
            found.append(line(part_id(edge.id, f"gap {number}"), ends, patch, ()))
    return tuple(found)


def _with_middle(points: Sequence[Point], at: Point) -> Sequence[Point]:
    """The same way with as many points before the place nearest to `at` as after it."""
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
    """The point of a segment nearest to a place, not quite at its ends."""
    share = ((at.x - a.x) * (b.x - a.x) + (at.y - a.y) * (b.y - a.y)) / math.dist(a, b) ** 2
    return between(a, b, min(max(share, _EDGE), 1 - _EDGE))


def _split_longest(points: Sequence[Point]) -> list[Point]:
    """One point more, in the middle of the longest segment."""
    lengths = [math.dist(a, b) for a, b in pairwise(points)]
    longest = lengths.index(max(lengths))
    half = between(points[longest], points[longest + 1], 0.5)
    return [*points[: longest + 1], half, *points[longest + 1 :]]


def _is_elbow(edge: Edge, route: Route, points: Sequence[Point]) -> bool:
    """Excalidraw's elbow arrows run along the axes, from one element to another."""
    along = not route.jumps and all(abs(a.x - b.x) < _AXIS or abs(a.y - b.y) < _AXIS for a, b in pairwise(points))
    return along and route.router == "orthogonal" and edge.source.element_id != edge.target.element_id


def _within_reach(end: Json | None, at: Point) -> Json | None:
    """An element that an arrow ends at; not the head of a lifeline whose tail it meets."""
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
    """The line's paint; a group without a line (one hidden by its label) is painted as its first item."""
    items = [item for item in group.items if isinstance(item, PathItem)]
    stroked = next((item for item in items if item.stroke is not None and item.stroke_width > 0), None)
    if stroked is not None:
        return ExcalidrawLook.of(stroked, group.opacity)._replace(fill=None)
    filled = next((item.fill for item in items if item.fill is not None), Color(0.0, 0.0, 0.0))
    return ExcalidrawLook(stroke=filled, opacity=group.opacity)
