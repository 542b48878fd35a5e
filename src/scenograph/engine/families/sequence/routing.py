"""Routes of messages: they were drawn up with the chart. (R-SEQ-7, R-SEQ-8)"""

from __future__ import annotations

from collections.abc import Mapping

from scenograph.engine.families.family import RouteRest
from scenograph.engine.families.sequence.message_lines import COVERED, END, LABEL, LOOP, START
from scenograph.engine.geometry.boxes import Box, Point
from scenograph.engine.tables import NO_PARTS, Placement, Route, Routes
from scenograph.late_dataclasses import replace
from scenograph.scene.model import Edge, Scene

NO_ROUTES: Routes = {}
STRAIGHT, ORTHOGONAL = "straight", "orthogonal"


def route_sequence(scene: Scene, placement: Placement, route_rest: RouteRest) -> Routes:
    """Messages level across, or round a loop; edges to what their other end covers not at all; all others as in any
    scene. A level line is straight if its author asked for that, else orthogonal, as by default."""
    drawn = {
        element.id: _route(element, parts)
        for element in scene.elements
        if isinstance(element, Edge) and START in (parts := placement.parts.get(element.id, NO_PARTS))
    }
    covered = {key for key, parts in placement.parts.items() if COVERED in parts}
    rest = tuple(one for one in scene.elements if one.id not in drawn and one.id not in covered)
    has_edges = any(isinstance(one, Edge) for one in rest)
    routes = {**drawn, **(route_rest(replace(scene, elements=rest)) if has_edges else NO_ROUTES)}
    return {element.id: routes[element.id] for element in scene.elements if element.id in routes}


def _route(edge: Edge, parts: Mapping[str, Box]) -> Route:
    start, end, loop = parts[START], parts[END], parts.get(LOOP)
    points = [Point(start.x, start.y), Point(end.x, end.y)]
    if loop is not None:
        points[1:1] = [Point(loop.right, start.y), Point(loop.right, end.y)]
    router = STRAIGHT if edge.router == STRAIGHT and loop is None else ORTHOGONAL
    return Route(points=tuple(points), router=router, label=parts.get(LABEL))
