"""Edges as draw.io connectors: bound to both ends where the line meets them, with the waypoints of the route. px."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from scenograph.engine.drawing import DrawnGroup, PathItem, TextItem
from scenograph.engine.geometry.boxes import Box, Point
from scenograph.engine.tables import FinishedStyle, Route
from scenograph.engine.write.drawio.cells import PART, Cell, CellText, Style, color_text, paint_style, words_of
from scenograph.scene.model import Color, Edge

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


class Drawn(NamedTuple):
    """What is seen of an edge: its route, its paint, its style."""

    route: Route
    group: DrawnGroup
    style: FinishedStyle


_SIZE = "8"
_CURVE = 3
_PORTS = {"exit": "exitPort", "entry": "entryPort"}
"""Marks an end whose place its author chose; all others are chosen by the layout, which a reader leaves to it again."""


def connector(edge: Edge, drawn: Drawn, boxes: Mapping[str, Box], layer: tuple[str, Point]) -> Cell:
    """The connector of an edge without its texts; `layer` is the cell it is in, and where that has its corner."""
    (route, group, look), (parent, corner) = drawn, layer
    line = PathItem((), None, look.stroke, look.stroke_width, look.dash)
    style: Style = {"edgeStyle": "none", "html": "1", "rounded": "1", "arcSize": "12", "orthogonalLoop": "0"}
    if route.router == "curved" and len(route.points) == _CURVE:
        style |= {"curved": "1", "rounded": "0"}
    style |= {name: value for name, value in paint_style(line, group.opacity).items() if not name.startswith("fill")}
    for side, name, at in (("start", edge.start_arrow, "exit"), ("end", edge.end_arrow, "entry")):
        head, filled = ARROWHEADS.get(name or "none", ARROWHEADS["none"])
        style |= {f"{side}Arrow": head, f"{side}Fill": str(int(filled)), f"{side}Size": _SIZE}
        end = edge.source if side == "start" else edge.target
        style |= _anchor(route.points[0 if side == "start" else -1], boxes.get(end.element_id), at)
        style |= {_PORTS[at]: "1"} if end.port is not None else {}
    ends = tuple(end.element_id if end.element_id in boxes else "" for end in (edge.source, edge.target))
    points = [Point(point.x - corner.x, point.y - corner.y) for point in route.points[1:-1]]
    bound = Cell(edge.id, parent, style, "", None, (ends[0], ends[1]), points)
    return bound._replace(link=group.link, tooltip=group.tooltip, title=edge.label or "")


def texts_on(edge: Edge, route: Route, items: Sequence[TextItem], number: int) -> Iterator[Cell]:
    """The texts of an edge as labels that travel with it."""
    for item in items:
        words = words_of(item)
        style: Style = {"edgeLabel": "", "html": "1", "align": "center", "verticalAlign": "middle", "resizable": "0"}
        style |= {"spacing": "0", **words.style, **PART}
        yield Cell(f"{edge.id} text {number}", edge.id, style, words.html, at=along(route.points, words.box.center))
        number += 1


def with_label(cell: Cell, edge: Edge, route: Route, item: TextItem, ground: Color) -> Cell:
    """The connector with its label."""
    words: CellText = words_of(item, edge.label or "")
    style = cell.style | words.style | {"labelBackgroundColor": color_text(ground), "align": "center"}
    style |= {"verticalAlign": "middle", "spacing": "0"}
    return cell._replace(value=words.html, title="", style=style, at=along(route.points, words.box.center))


def along(points: Sequence[Point], at: Point) -> tuple[float, Point]:
    """The place on a way nearest to a point as draw.io counts it, -1 at the start and 1 at the end, and how far the
    point lies from it."""
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
