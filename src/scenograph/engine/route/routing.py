"""The stage: from a placed scene to the way of every edge.

In: scene, styles, sizes, placement. Out: `Routes`, one row an edge whose two ends have a place. Routes end on the
outlines of their elements, all coordinates are finite, the same input gives the same output, and nothing here raises.
Specification: "Edge routing"; decisions: sections 9 and 14.
"""

from __future__ import annotations

from scenograph.diagnostics import Report
from scenograph.engine.families.catalog import family_named
from scenograph.engine.geometry.boxes import Box, Point
from scenograph.engine.route.clearance import grazes, report_grazed
from scenograph.engine.route.connection import Connection, Surroundings
from scenograph.engine.route.contacts import Outlines
from scenograph.engine.route.draft import Draft
from scenograph.engine.route.duplicates import report_duplicate_labels
from scenograph.engine.route.fallback import soften
from scenograph.engine.route.fan_in import FanIn, find_fan_in, report_fan_in
from scenograph.engine.route.flow import flow_axis
from scenograph.engine.route.gathering import gathered_paths, trunk_places
from scenograph.engine.route.labelling import labelled
from scenograph.engine.route.labels import place_labels
from scenograph.engine.route.orthogonal import Pathfinder
from scenograph.engine.route.prescribed import prescribed_paths
from scenograph.engine.route.routers import DEFAULT_ROUTER, ROUTERS, Tools
from scenograph.engine.route.row_fans import row_fans
from scenograph.engine.route.spreading import spread
from scenograph.engine.route.terrain import survey
from scenograph.engine.route.untangling import untangle
from scenograph.engine.route.vertices import part_at_vertices
from scenograph.engine.tables import Placement, Route, Routes, Sizes, Styles
from scenograph.scene.model import Edge, Scene

CHORDS = 24


def route(scene: Scene, styles: Styles, sizes: Sizes, placement: Placement, report: Report) -> Routes:
    """Route every edge, spread what shares a side or a corridor, place the labels, remark what had no clear way."""
    family = family_named(scene.diagram_family)
    report_duplicate_labels(scene, report)
    if family.route is None:
        return _routed(scene, styles, sizes, placement, report)
    return family.route(scene, placement, lambda rest: _routed(rest, styles, sizes, placement, report))


def _routed(scene: Scene, styles: Styles, sizes: Sizes, placement: Placement, report: Report) -> Routes:
    family = family_named(scene.diagram_family)
    terrain = survey(scene, placement)
    tools = Tools(terrain, Outlines(placement.boxes, styles.of), Pathfinder(terrain))
    elements = {element.id: element for element in scene.elements}
    joins, axis = family.joins_fans, flow_axis(scene, placement)
    fan_in = find_fan_in(scene, styles.of) if family.merges_fan_in else FanIn()
    around = Surroundings(
        elements, placement, terrain, axis, sizes, styles.of, fan_in, joins, row_fans(scene, styles.of)
    )
    connections = _connections(scene, around)
    joined = gathered_paths(connections, terrain, tools.pathfinder)
    if family.lines is not None:
        joined |= prescribed_paths(connections, family.lines(scene, placement), terrain)
    drafts = [joined.get(number) or _draft(connection, tools) for number, connection in enumerate(connections)]
    untangle(drafts, tools.pathfinder)
    part_at_vertices(drafts, tools.pathfinder)
    spread(drafts, terrain)
    for number, draft in enumerate(drafts):
        if number not in joined:
            soften(draft, tools)
        _finish(draft, tools.outlines)
    boxes = place_labels(labelled(drafts), terrain)
    report_fan_in(fan_in, report, trunk_places(drafts).get)
    report_grazed((draft.connection.edge.id for draft in drafts if _grazes(draft, tools)), report)
    return {draft.connection.edge.id: _route(draft, boxes) for draft in drafts}


def _draft(connection: Connection, tools: Tools) -> Draft:
    router = ROUTERS.get(connection.edge.router or DEFAULT_ROUTER, ROUTERS[DEFAULT_ROUTER])
    return router(connection, tools)


def _connections(scene: Scene, around: Surroundings) -> list[Connection]:
    edges = [edge for edge in scene.elements if isinstance(edge, Edge) and edge.visible]
    twins: dict[tuple[str, ...], int] = {}
    for edge in edges:
        twins[_pair(edge)] = twins.get(_pair(edge), 0) + 1
    ranks: dict[tuple[str, ...], int] = {}
    found: list[Connection] = []
    for edge in edges:
        rank = ranks.get(_pair(edge), 0)
        ranks[_pair(edge)] = rank + 1
        connection = around.connect(edge, rank, twins[_pair(edge)])
        if connection is not None:
            found.append(connection)
    return found


def _pair(edge: Edge) -> tuple[str, ...]:
    """The two elements of an edge, whichever way it runs."""
    return tuple(sorted((edge.source.element_id, edge.target.element_id)))


def _finish(draft: Draft, outlines: Outlines) -> None:
    """Bring the ends of an orthogonal route from the sides of the boxes onto the outlines of the shapes."""
    if draft.start is None or draft.finish is None:
        return
    first = outlines.at_side(draft.connection.source, draft.start, draft.points[0])
    last = outlines.at_side(draft.connection.target, draft.finish, draft.points[-1])
    points = [first, *draft.points[1:-1], last]
    # The outline may hold an end back by a rounding error: its neighbour follows, so that the run stays straight.
    points[1] = Point(first.x, points[1].y) if draft.start.dx == 0 else Point(points[1].x, first.y)
    if len(points) > 2:
        points[-2] = Point(last.x, points[-2].y) if draft.finish.dx == 0 else Point(points[-2].x, last.y)
    draft.points = tuple(points)


def _grazes(draft: Draft, tools: Tools) -> bool:
    return grazes(draft.drawn(CHORDS), draft.connection.exempt, tools.terrain)


def _route(draft: Draft, labels: dict[str, Box]) -> Route:
    return Route(points=draft.points, router=draft.router, label=labels.get(draft.connection.edge.id))
