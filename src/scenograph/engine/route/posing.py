"""Posing: the conversion of a placed scene into a routing problem.

In: scene, styles, sizes, placement, sketch. Out: the problem, the edge ids by number, and the edges that share a label.
Families give the prescribed courses and the shared trunks, shapes give the outlines.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from typing import TypeVar

from scenograph.engine.families.catalog import family_named
from scenograph.engine.geometry.boxes import Box, Point
from scenograph.engine.geometry.paths import Chain
from scenograph.engine.route.connecting import Surroundings
from scenograph.engine.route.fan_in import FanIn, find_fan_in, plain_trunks, row_fans
from scenograph.engine.route.former_courses import former_courses
from scenograph.engine.route.landscape import landscape
from scenograph.engine.route.problem import (
    Connection,
    RoutingProblem,
)
from scenograph.engine.route.sides import Sides, flow_axis, has_one_line_a_side
from scenograph.engine.shapes.catalog import chain_of, shape_named
from scenograph.engine.sketch import NO_SKETCH, Sketch
from scenograph.engine.tables import FinishedStyle, Placement, Sizes, Styles
from scenograph.late_dataclasses import dataclass
from scenograph.scene.model import Edge, Element, Node, Scene

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Posed:
    """A problem, the edges by number, and the edges with shared labels."""

    problem: RoutingProblem
    edges: tuple[Edge, ...]
    fan_in: FanIn


def pose(scene: Scene, styles: Styles, sizes: Sizes, placement: Placement, sketch: Sketch = NO_SKETCH) -> Posed:
    """The routing problem of a placed scene, with the courses of the sketch that still hold."""
    family, land = family_named(scene.diagram_family), landscape(scene, placement)
    elements = {element.id: element for element in scene.elements}
    placed = [elements[name] for name in land.number_of]
    sides = Sides(elements, placement.boxes, flow_axis(scene, placement), _outgoing(scene))
    fan_in = find_fan_in(scene, styles.of) if family.merges_fan_in else FanIn()
    around = Surroundings(
        elements=elements,
        placement=placement,
        land=land,
        sides=sides,
        sizes=sizes,
        styles=styles.of,
        fan_in=fan_in,
        joins_fans=family.joins_fans,
        row_fans=row_fans(scene, styles.of),
        plain_trunks=plain_trunks(scene, styles.of),
    )
    edges = tuple(edge for edge in scene.elements if isinstance(edge, Edge) and edge.visible and around.connects(edge))
    prescribed: Mapping[str, tuple[Point, ...]] = family.lines(scene, placement) if family.lines is not None else {}
    former = former_courses(scene, edges, around, sketch)
    free = {edge.id for edge in edges if not edge.waypoints and edge.id not in prescribed}
    problem = RoutingProblem(
        boxes=tuple(placement.boxes[element.id] for element in placed),
        outlines=tuple(_outline(element, placement.boxes[element.id], styles.of.get(element.id)) for element in placed),
        pointed=frozenset(
            number for number, element in enumerate(placed) if has_one_line_a_side(element, placement.boxes[element.id])
        ),
        obstacles=tuple(land.obstacles),
        borders=tuple(land.borders),
        lines=tuple(_lines(scene, edges, around, former.keys() & free)),
        prescribed=_by_number(prescribed, edges),
        former=_by_number(former, edges),
    )
    return Posed(problem, edges, fan_in)


def _lines(scene: Scene, edges: Sequence[Edge], around: Surroundings, former: Container[str]) -> Iterator[Connection]:
    """The connections of the routable edges."""
    parallels: dict[tuple[str, ...], list[str]] = {}
    places: dict[str, tuple[int, list[str]]] = {}
    for edge in scene.elements:
        if isinstance(edge, Edge) and edge.visible:
            alike = parallels.setdefault(_pair(edge), [])
            places[edge.id] = len(alike), alike
            alike.append(edge.id)
    for number, edge in enumerate(edges):
        place, alike = places[edge.id]
        yield around.connect(edge, number, (place, len(alike)), is_kept=edge.id in former)


def _outgoing(scene: Scene) -> dict[str, list[Edge]]:
    """The visible edges by their source."""
    found: dict[str, list[Edge]] = {}
    for edge in scene.elements:
        if isinstance(edge, Edge) and edge.visible:
            found.setdefault(edge.source.element_id, []).append(edge)
    return found


def _pair(edge: Edge) -> tuple[str, ...]:
    """The two elements of an edge, independent of its direction."""
    source, target = edge.ends
    return (source, target) if source <= target else (target, source)


def _outline(element: Element, box: Box, style: FinishedStyle | None) -> Chain | None:
    """The outline of a node or of a container with rounded corners; None for a plain box."""
    radius = style.corner_radius if style is not None else 0.0
    if not isinstance(element, Node) and not radius:
        return None
    shape = shape_named(element.shape if isinstance(element, Node) else None)
    return chain_of(shape, box.width, box.height, radius)


def _by_number(found: Mapping[str, T], edges: Sequence[Edge]) -> dict[int, T]:
    return {number: found[edge.id] for number, edge in enumerate(edges) if edge.id in found}
