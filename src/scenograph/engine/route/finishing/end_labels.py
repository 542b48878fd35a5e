"""Labels at the ends of edges: roles and multiplicities beside the line, near the outline that it ends at. px.

In: the scene, its sizes and placement, and finished routes. Out: the same routes with a box for every end label. Such a
label stands on the side of its line, and as near to the end, as what is there already leaves room. (UML 2.5.1, 11.5.4)
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from math import hypot
from typing import NamedTuple

from scenograph.engine.geometry.boxes import Box, Point
from scenograph.engine.geometry.segments import crosses, quadratic
from scenograph.engine.geometry.spatial_index import Bounds, SpatialIndex, bounds_of
from scenograph.engine.markers import MARKERS, REFERENCE_STROKE
from scenograph.engine.tables import FROM, TO, Placement, Route, Routes, Size, Sizes
from scenograph.scene.model import Edge, Frame, Group, Scene

_BESIDE = 5.0  # between the line and the text
_CLEAR_OF_MARKER = 7.0  # half of the widest marker
_ALONG = (5.0, 12.0, 22.0, 36.0, 54.0)  # from the outline to the text
_COVERS, _COVERS_LINE, _COVERS_BORDER = 1000.0, 60.0, 25.0  # price of each box or label covered, of a line, of a border
_SECOND_SIDE = 1.0  # price of the side that is not the usual one
_CURVED = "curved"


class _End(NamedTuple):
    """Where a line arrives: the point on the outline, the unit vector away from it along the line, the size of its
    label, and the length of its marker."""

    at: Point
    away: Point
    size: Size
    marker: float


def with_end_labels(scene: Scene, sizes: Sizes, placement: Placement, routes: Routes) -> Routes:
    """The routes with the places of their end labels, in the order of the document."""
    edges = [
        element
        for element in scene.elements
        if isinstance(element, Edge) and element.id in routes and _texts(sizes, element)
    ]
    if not edges:
        return routes
    desk, found = _Desk(scene, placement, routes), dict(routes)
    for edge in edges:
        route, size = routes[edge.id], sizes[edge.id]
        boxes = tuple(desk.place(end) if end is not None else None for end in _ends(edge, route, size))
        found[edge.id] = route._replace(end_labels=(boxes[0], boxes[1]))
    return found


def _texts(sizes: Sizes, edge: Edge) -> bool:
    return edge.id in sizes and bool(sizes[edge.id].texts)


def _ends(edge: Edge, route: Route, size: Size) -> Iterator[_End | None]:
    points = _drawn(route)
    rows = ((FROM, points, edge.start_arrow), (TO, points[::-1], edge.end_arrow))
    for name, chain, arrow in rows:
        block = size.texts.get(name)
        ahead = next((point for point in chain if point != chain[0]), None) if chain else None
        if block is None or ahead is None:
            yield None
            continue
        span = hypot(ahead.x - chain[0].x, ahead.y - chain[0].y)
        away = Point((ahead.x - chain[0].x) / span, (ahead.y - chain[0].y) / span)
        marker = MARKERS[arrow or "none"].length_at(REFERENCE_STROKE) if (arrow or "none") in MARKERS else 0.0
        yield _End(chain[0], away, Size(width=block.width, height=block.height), marker)


def _drawn(route: Route) -> tuple[Point, ...]:
    points = route.points
    return tuple(quadratic(points[0], points[1], points[2])) if route.router == _CURVED and len(points) == 3 else points


class _Desk:
    """What stands on the page already."""

    def __init__(self, scene: Scene, placement: Placement, routes: Routes) -> None:
        containers = {element.id for element in scene.elements if isinstance(element, Frame | Group)}
        self.taken = SpatialIndex(_solid(placement, routes, containers))
        self.borders = SpatialIndex(bounds_of(box) for name, box in placement.boxes.items() if name in containers)
        self.chords = [chord for route in routes.values() for chord in pairwise(_drawn(route))]
        self.lines = SpatialIndex(_around(*chord) for chord in self.chords)

    def place(self, end: _End) -> Box:
        """The cheapest place for a label, kept free from now on."""
        best = min(_spots(end), key=lambda spot: spot[1] + self._price(spot[0]))[0]
        self.taken.add(bounds_of(best))
        return best

    def _price(self, box: Box) -> float:
        mine = bounds_of(box.grown(1.0))
        price = _COVERS * len(self.taken.near(*mine))
        for number in self.lines.near(*mine):
            price += _COVERS_LINE * crosses(*self.chords[number], mine)
        for number in self.borders.near(*mine):
            around = self.borders.bounds[number]
            inside = around.left <= mine.left and around.top <= mine.top
            price += 0.0 if inside and around.right >= mine.right and around.bottom >= mine.bottom else _COVERS_BORDER
        return price


def _solid(placement: Placement, routes: Routes, containers: set[str]) -> Iterator[Bounds]:
    for name, box in placement.boxes.items():
        if name not in containers:
            yield bounds_of(box)
        for part, inner in placement.parts.get(name, {}).items():
            if name in containers or part == "label":
                yield bounds_of(inner)
    for route in routes.values():
        if route.label is not None:
            yield bounds_of(route.label)


def _around(a: Point, b: Point) -> Bounds:
    return Bounds(min(a.x, b.x), min(a.y, b.y), max(a.x, b.x), max(a.y, b.y))


def _spots(end: _End) -> Iterator[tuple[Box, float]]:
    """Places and what each costs by itself: along the line beside it, first right or above."""
    width, height = end.size.width, end.size.height
    across = Point(-end.away.y, end.away.x)
    if across.x < 0 or (across.x == 0 and across.y > 0):
        across = Point(-across.x, -across.y)
    reach = (abs(across.x) * width + abs(across.y) * height) / 2
    depth = (abs(end.away.x) * width + abs(end.away.y) * height) / 2
    for along in _ALONG:
        beside = reach + (_CLEAR_OF_MARKER if along < end.marker else _BESIDE)
        for price, side in ((0.0, beside), (_SECOND_SIDE, -beside)):
            x = end.at.x + end.away.x * (along + depth) + across.x * side
            y = end.at.y + end.away.y * (along + depth) + across.y * side
            yield Box(x - width / 2, y - height / 2, width, height), price + along / 2
