"""The one place where a placed scene becomes a routing problem.

In: scene, styles, sizes, placement. Out: the problem, the ids of its lines by number, and the edges that share a label.
Families say which lines run in prescribed ways and which share a stretch, shapes say their outlines.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from scenograph.engine.families.catalog import family_named
from scenograph.engine.geometry.boxes import Box, Point
from scenograph.engine.geometry.chains import Chain
from scenograph.engine.route.bundles.fan_in import FanIn, find_fan_in, plain_trunks
from scenograph.engine.route.bundles.row_fans import row_fans
from scenograph.engine.route.ports.anchors import facing
from scenograph.engine.route.ports.connecting import Surroundings
from scenograph.engine.route.ports.flow import flow_axis
from scenograph.engine.route.ports.landscape import landscape
from scenograph.engine.route.ports.sides import has_one_line_a_side
from scenograph.engine.route.problem import Connection, RoutingProblem
from scenograph.engine.shapes.catalog import shape_named
from scenograph.engine.shapes.contact import chain_of
from scenograph.engine.tables import FinishedStyle, Placement, Sizes, Styles
from scenograph.scene.model import Edge, Element, Node, Scene

Corners = Mapping[str, tuple[Point, ...]]
"""The corners of lines by the ids of their edges."""


@dataclass(frozen=True, slots=True)
class Posed:
    """A problem, the edge of each of its lines, and the edges whose labels are shared."""

    problem: RoutingProblem
    edges: tuple[Edge, ...]
    fan_in: FanIn


def pose(scene: Scene, styles: Styles, sizes: Sizes, placement: Placement) -> Posed:
    """The routing problem of a placed scene."""
    family, land = family_named(scene.diagram_family), landscape(scene, placement)
    elements = {element.id: element for element in scene.elements}
    placed = [elements[name] for name in land.number_of]
    axis = flow_axis(scene, placement)
    fan_in = find_fan_in(scene, styles.of) if family.merges_fan_in else FanIn()
    around = Surroundings(
        elements=elements,
        placement=placement,
        land=land,
        axis=axis,
        sizes=sizes,
        styles=styles.of,
        fan_in=fan_in,
        joins_fans=family.joins_fans,
        row_fans=row_fans(scene, styles.of),
        plain_trunks=plain_trunks(scene, styles.of),
        leaving=_leaving(scene, placement, axis),
    )
    rows = _connected(scene, around)
    edges = tuple(edge for edge, _ in rows)
    prescribed: Corners = family.lines(scene, placement) if family.lines is not None else {}
    problem = RoutingProblem(
        boxes=tuple(placement.boxes[element.id] for element in placed),
        outlines=tuple(_outline(element, placement.boxes[element.id], styles.of.get(element.id)) for element in placed),
        pointed=frozenset(
            number for number, element in enumerate(placed) if has_one_line_a_side(element, placement.boxes[element.id])
        ),
        obstacles=tuple(land.obstacles),
        borders=tuple(land.borders),
        lines=tuple(connection for _, connection in rows),
        prescribed=_by_number(prescribed, edges),
    )
    return Posed(problem, edges, fan_in)


def _connected(scene: Scene, around: Surroundings) -> list[tuple[Edge, Connection]]:
    """Every edge with both ends placed, and its line."""
    edges = [edge for edge in scene.elements if isinstance(edge, Edge) and edge.visible]
    twins: dict[tuple[str, ...], int] = {}
    for edge in edges:
        twins[_pair(edge)] = twins.get(_pair(edge), 0) + 1
    ranks: dict[tuple[str, ...], int] = {}
    found: list[tuple[Edge, Connection]] = []
    for edge in edges:
        rank = ranks.get(_pair(edge), 0)
        ranks[_pair(edge)] = rank + 1
        connection = around.connect(edge, len(found), rank, twins[_pair(edge)])
        if connection is not None:
            found.append((edge, connection))
    return found


def _leaving(scene: Scene, placement: Placement, axis: str | None) -> dict[tuple[str, str], int]:
    """How many edges could leave each element by the side that faces their target across the main way."""
    found: dict[tuple[str, str], int] = {}
    for edge in scene.elements:
        if not isinstance(edge, Edge) or not edge.visible:
            continue
        ends = placement.boxes.get(edge.source.element_id), placement.boxes.get(edge.target.element_id)
        side = facing(ends[0], ends[1], axis)[1] if ends[0] is not None and ends[1] is not None else None
        if side is not None:
            key = edge.source.element_id, side
            found[key] = found.get(key, 0) + 1
    return found


def _pair(edge: Edge) -> tuple[str, ...]:
    """The two elements of an edge, whichever way it runs."""
    return tuple(sorted(edge.ends))


def _outline(element: Element, box: Box, style: FinishedStyle | None) -> Chain | None:
    """The outline of a node or of a container with rounded corners; None for what is a plain box."""
    radius = style.corner_radius if style is not None else 0.0
    if not isinstance(element, Node) and not radius:
        return None
    shape = shape_named(element.shape if isinstance(element, Node) else None)
    return chain_of(shape, box.width, box.height, radius)


def _by_number(corners: Corners, edges: tuple[Edge, ...]) -> dict[int, tuple[Point, ...]]:
    return {number: corners[edge.id] for number, edge in enumerate(edges) if edge.id in corners}
