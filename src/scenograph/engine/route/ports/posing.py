"""The one place where a placed scene becomes a routing problem.

In: scene, styles, sizes, placement, sketch. Out: the problem, the ids of its lines by number, and the edges that share
a label. Families say which lines run in prescribed ways and which share a stretch, shapes say their outlines.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import TypeVar

from scenograph.engine.families.catalog import family_named, unspoken_direction
from scenograph.engine.geometry.boxes import Box, Point
from scenograph.engine.geometry.paths import Chain
from scenograph.engine.route.bundles.fan_in import FanIn, find_fan_in, plain_trunks, row_fans
from scenograph.engine.route.former import former_courses
from scenograph.engine.route.ports.anchors import HORIZONTAL, VERTICAL
from scenograph.engine.route.ports.connecting import Surroundings, has_one_line_a_side
from scenograph.engine.route.ports.landscape import landscape
from scenograph.engine.route.problem import Connection, RoutingProblem
from scenograph.engine.shapes.catalog import shape_named
from scenograph.engine.shapes.shape import chain_of
from scenograph.engine.sketch import NO_SKETCH, Sketch
from scenograph.engine.tables import FinishedStyle, Placement, Sizes, Styles
from scenograph.late_dataclasses import dataclass
from scenograph.scene.model import Edge, Element, Node, Scene

# Which way a diagram flows: routes prefer to leave and enter along that axis. In: scene and placement. Out: "y"
# (top to bottom or back), "x", or None when the picture has no direction.


CLEAR_MAJORITY = 0.75  # of the edges; so many must run along the flow
CLEAR_LEAD = 0.1  # shares; by so much one axis must outweigh the other
SAME_LINE = 1.0  # px; nodes whose centres are nearer stand in line
LAYERED: Mapping[str, str | None] = {"hierarchical": None, "flow": "LR"}
"""The algorithms that make layers; None leaves the direction to the diagram family."""


def flow_axis(scene: Scene, placement: Placement) -> str | None:
    """The declared direction of a layered layout, or the one that the positions show."""
    strategy = scene.layout_strategy
    if strategy is not None and strategy.algorithm in LAYERED:
        direction = strategy.direction or LAYERED[strategy.algorithm] or unspoken_direction(scene)
        return HORIZONTAL if direction in {"LR", "RL"} else VERTICAL
    if strategy is not None:
        return None
    return _shown_axis(scene, placement.boxes)


def _shown_axis(scene: Scene, boxes: Mapping[str, Box]) -> str | None:
    """Layers show in two ways: edges cross gaps on the flow's axis, and nodes stand in rows across it."""
    stacked = beside = edges = 0
    for edge in scene.elements:
        if not isinstance(edge, Edge):
            continue
        a, b = boxes.get(edge.source.element_id), boxes.get(edge.target.element_id)
        if a is None or b is None or edge.source.element_id == edge.target.element_id:
            continue
        edges += 1
        stacked += a.bottom < b.y or b.bottom < a.y
        beside += a.right < b.x or b.right < a.x
    if not edges:
        return None
    nodes = [boxes[node.id] for node in scene.elements if isinstance(node, Node) and node.id in boxes]
    vertical = stacked / edges + _in_line([box.center.y for box in nodes])
    horizontal = beside / edges + _in_line([box.center.x for box in nodes])
    if stacked >= CLEAR_MAJORITY * edges and vertical > horizontal + CLEAR_LEAD:
        return VERTICAL
    if beside >= CLEAR_MAJORITY * edges and horizontal > vertical + CLEAR_LEAD:
        return HORIZONTAL
    return None


def _in_line(centers: list[float]) -> float:
    """The share of nodes whose centre lies level with another's."""
    ordered = sorted(centers)
    level = [b - a <= SAME_LINE for a, b in pairwise(ordered)]
    alone = sum(not before and not after for before, after in zip([False, *level], [*level, False], strict=True))
    return 1.0 - alone / max(1, len(ordered))


T = TypeVar("T")
Corners = Mapping[str, tuple[Point, ...]]
"""The corners of lines by the ids of their edges."""


@dataclass(frozen=True, slots=True)
class Posed:
    """A problem, the edge of each of its lines, and the edges whose labels are shared."""

    problem: RoutingProblem
    edges: tuple[Edge, ...]
    fan_in: FanIn


def pose(scene: Scene, styles: Styles, sizes: Sizes, placement: Placement, sketch: Sketch = NO_SKETCH) -> Posed:
    """The routing problem of a placed scene, with the courses that hold of those that lines had in a sketch."""
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
        outgoing=_outgoing(scene),
    )
    edges = tuple(edge for edge in scene.elements if isinstance(edge, Edge) and edge.visible and around.connects(edge))
    prescribed: Corners = family.lines(scene, placement) if family.lines is not None else {}
    former = former_courses(scene, edges, around, sketch, prescribed)
    problem = RoutingProblem(
        boxes=tuple(placement.boxes[element.id] for element in placed),
        outlines=tuple(_outline(element, placement.boxes[element.id], styles.of.get(element.id)) for element in placed),
        pointed=frozenset(
            number for number, element in enumerate(placed) if has_one_line_a_side(element, placement.boxes[element.id])
        ),
        obstacles=tuple(land.obstacles),
        borders=tuple(land.borders),
        lines=tuple(_lines(scene, edges, around, former)),
        prescribed=_by_number(prescribed, edges),
        former=_by_number(former, edges),
    )
    return Posed(problem, edges, fan_in)


def _lines(scene: Scene, edges: Sequence[Edge], around: Surroundings, former: Container[str]) -> Iterator[Connection]:
    """The lines of the edges that connect."""
    twins: Counter[tuple[str, ...]] = Counter()
    ranks: dict[str, int] = {}
    for edge in scene.elements:
        if isinstance(edge, Edge) and edge.visible:
            ranks[edge.id] = twins[_pair(edge)]
            twins[_pair(edge)] += 1
    for number, edge in enumerate(edges):
        place = ranks[edge.id], twins[_pair(edge)]
        yield around.connect(edge, number, place, is_kept=edge.id in former)


def _outgoing(scene: Scene) -> dict[str, list[Edge]]:
    """The visible edges by their source."""
    found: dict[str, list[Edge]] = {}
    for edge in scene.elements:
        if isinstance(edge, Edge) and edge.visible:
            found.setdefault(edge.source.element_id, []).append(edge)
    return found


def _pair(edge: Edge) -> tuple[str, ...]:
    """The two elements of an edge, whichever way it runs."""
    source, target = edge.ends
    return (source, target) if source <= target else (target, source)


def _outline(element: Element, box: Box, style: FinishedStyle | None) -> Chain | None:
    """The outline of a node or of a container with rounded corners; None for what is a plain box."""
    radius = style.corner_radius if style is not None else 0.0
    if not isinstance(element, Node) and not radius:
        return None
    shape = shape_named(element.shape if isinstance(element, Node) else None)
    return chain_of(shape, box.width, box.height, radius)


def _by_number(found: Mapping[str, T], edges: Sequence[Edge]) -> dict[int, T]:
    return {number: found[edge.id] for number, edge in enumerate(edges) if edge.id in found}
