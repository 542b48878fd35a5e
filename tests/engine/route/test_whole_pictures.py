"""What holds in every laid-out picture, over scenes nobody wrote: from document to routes.
(R-ROUTE-3, R-LABEL-1)"""

from __future__ import annotations

import math
from itertools import combinations, pairwise
from typing import Any

import pytest
from chance.scenes import DIRECTIONS, PLACED, Recipe
from chance.scenes import document as by_chance
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scenograph.engine.geometry.boxes import Box, Point
from scenograph.engine.geometry.paths import crosses, flatten, quadratic
from scenograph.engine.geometry.spatial_index import Bounds
from scenograph.engine.pipeline import LaidOut, lay_out
from scenograph.engine.shapes import shape_named
from scenograph.engine.tables import DrawnRoute, LaidOutScene
from scenograph.scene.model import Edge, Element, Endpoint, Frame, Node

FAMILIES = ("architecture", "workflow", "network", "uiflow", "orgchart", "entityRelationship")
SHAPES = (None, None, None, "rect", "diamond", "cylinder", "ellipse", "hexagon", "pill", "cloud")
TYPES = (None, "workflow.start", "workflow.end", "workflow.gateway", "workflow.timer", "workflow.task")
LABELS = (None, None, "yes", "reads", "writes", "authorizes requests", "two\nlines")
STRATEGIES = (None, "hierarchical", "hierarchical", "flow", "grid", "forceDirected")
COLUMNS = ("id", "owner", "kind")
ROUTERS = (None, None, "orthogonal", "straight", "curved", "polyline")
NEAR = 0.25  # the contacts promise 0.06; curved outlines are flattened here
SHARP = 0.75  # both the outline and the line are drawn on sharp lines, at most half a pixel away


@st.composite
def documents(draw: st.DrawFn, routers: tuple[str | None, ...] = (None,)) -> dict[str, Any]:
    """A scene whose places the engine chooses: up to 14 nodes, some of them in frames, and edges of all kinds."""
    names = [f"n{number}" for number in range(draw(st.integers(2, 14)))]
    family = draw(st.sampled_from(FAMILIES))
    nodes = [draw(_node(name, family)) for name in names]
    shuffled = draw(st.permutations(names))
    cuts = draw(st.lists(st.integers(1, 4), max_size=3))
    frames = [
        {"id": f"f{number}", "kind": "frame", "title": f"Frame {number}", "children": children}
        for number, cut in enumerate(cuts)
        if (children := shuffled[sum(cuts[:number]) : sum(cuts[:number]) + cut])
    ]
    edges = draw(st.lists(_edge(names, family, routers), min_size=1, max_size=20))
    strategy = draw(st.sampled_from(STRATEGIES))
    return {
        "schemaVersion": "0.1",
        "diagramFamily": family,
        **({"layoutStrategy": {"algorithm": strategy}} if strategy else {}),
        "scene": {"id": "any", "units": "px", "canvas": {}},
        "elements": [*nodes, *frames, *({"id": f"e{number}"} | edge for number, edge in enumerate(edges))],
    }


@st.composite
def _node(draw: st.DrawFn, name: str, family: str) -> dict[str, Any]:
    word = draw(st.sampled_from(("API", "Order service", "Billing\nworker", "Store")))
    node: dict[str, Any] = {"id": name, "kind": "node", "label": f"{word} {name}"}
    if family == "entityRelationship":
        return node | {"nodeType": "er.entity", "extensions": {"columns": [{"name": column} for column in COLUMNS]}}
    shape, kind = draw(st.sampled_from(SHAPES)), draw(st.sampled_from(TYPES)) if family == "workflow" else None
    return node | ({"shape": shape} if shape else {}) | ({"nodeType": kind} if kind else {})


@st.composite
def _edge(draw: st.DrawFn, names: list[str], family: str, routers: tuple[str | None, ...]) -> dict[str, Any]:
    ends = [{"elementId": draw(st.sampled_from(names))} for _ in range(2)]
    if family == "entityRelationship":
        ends = [end | draw(st.sampled_from(({}, {"column": "id"}, {"column": "owner"}))) for end in ends]
    edge: dict[str, Any] = {"kind": "edge", "from": ends[0], "to": ends[1]}
    if label := draw(st.sampled_from(LABELS)):
        edge["label"] = label
    if router := draw(st.sampled_from(routers)):
        edge["router"] = router
    if draw(st.booleans()):
        edge["endpoints"] = {"endArrow": "triangle"}
    return edge


class Picture:
    """A laid-out scene, with the questions that the tests ask."""

    def __init__(self, laid_out: LaidOut) -> None:
        self.scene: LaidOutScene = laid_out.scene
        self.elements: dict[str, Element] = {element.id: element for element in self.scene.scene.elements}
        self.nodes = {name: self.box(name) for name, one in self.elements.items() if isinstance(one, Node)}
        self.edges = [edge for edge in self.elements.values() if isinstance(edge, Edge)]
        self.labels = {name: route.label for name, route in self.scene.routes.items() if route.label is not None}
        rows = [row.data or {} for row in laid_out.diagnostics if row.code == "EDGE_OBSTACLE_GRAZED"]
        self.grazed: set[str] = {name for row in rows for name in row["grazedEdgeIds"]}

    def box(self, name: str) -> Box:
        return self.scene.placement.boxes[name]

    def line(self, edge: Edge) -> tuple[Point, ...]:
        return drawn(self.scene.routes[edge.id])

    def writings(self) -> list[Box]:
        """Titles, and labels that stand outside their node."""
        titles = [
            self.scene.placement.part(one.id, "title") for one in self.elements.values() if isinstance(one, Frame)
        ]
        below = [self.scene.placement.part(name, "label") for name in self.nodes]
        return [
            *filter(None, titles),
            *(box for box in below if box and not any(map(box.overlaps, self.nodes.values()))),
        ]

    def rim(self, end: Endpoint) -> float:
        """How far from the outline the rim of what is drawn may lie."""
        return NEAR + SHARP + self.scene.styles.seen_width(end.element_id) / 2

    def distance(self, end: Endpoint, point: Point) -> float:
        """From a point to the outline of an element, or to the end of the row that the edge names."""
        row = self.scene.placement.part(end.element_id, f"column:{end.column}") if end.column else None
        box, element = self.box(end.element_id), self.elements[end.element_id]
        if row is not None:
            beside = min(abs(point.x - box.x), abs(point.x - box.right))
            return math.hypot(beside, max(row.y - point.y, 0.0, point.y - row.bottom))
        shape = shape_named(element.shape if isinstance(element, Node) else None)
        chain = flatten(shape.outline(box, self.scene.styles.of[element.id].corner_radius))[0]
        return min(_to_segment(point, a, b) for a, b in pairwise(chain))


def drawn(route: DrawnRoute) -> tuple[Point, ...]:
    return quadratic(*route.points) if route.router == "curved" else route.points


def _to_segment(point: Point, a: Point, b: Point) -> float:
    ex, ey = b.x - a.x, b.y - a.y
    square = ex * ex + ey * ey
    share = min(max(((point.x - a.x) * ex + (point.y - a.y) * ey) / square, 0.0), 1.0) if square else 0.0
    return math.hypot(a.x + share * ex - point.x, a.y + share * ey - point.y)


def inside(box: Box) -> Bounds:
    """A little less than the box: lines may touch it."""
    return Bounds(box.x + 0.5, box.y + 0.5, box.right - 0.5, box.bottom - 0.5)


def crossed_strangers(picture: Picture) -> dict[str, list[str]]:
    """The nodes that lines run through without ending there, by edge."""
    found: dict[str, list[str]] = {}
    for edge in picture.edges:
        own = {edge.source.element_id, edge.target.element_id}
        line = picture.line(edge)
        through = [
            name
            for name, box in picture.nodes.items()
            if name not in own and any(crosses(a, b, inside(box)) for a, b in pairwise(line))
        ]
        if through:
            found[edge.id] = through
    return found


def covered_labels(picture: Picture) -> set[str]:
    """The edges whose label lies on a node, on a writing or on another label."""
    boxes = [*picture.nodes.values(), *picture.writings()]
    found = {name for name, label in picture.labels.items() if any(map(label.overlaps, boxes))}
    pairs = combinations(picture.labels.items(), 2)
    return found | {name for (a, one), (b, other) in pairs if one.overlaps(other) for name in (a, b)}


def lines_end_on_outlines(picture: Picture) -> None:
    for edge in picture.edges:
        points = picture.line(edge)
        assert picture.distance(edge.source, points[0]) <= picture.rim(edge.source), edge.id
        assert picture.distance(edge.target, points[-1]) <= picture.rim(edge.target), edge.id


def test_among_nodes_that_the_engine_places_lines_cross_none_and_labels_hardly_cover_any() -> None:
    """Lines end on outlines as well. The few covered labels of the fixed sample are counted, one in five hundred, since
    no rule says when a place is free at all: of several labels that crowd one gap each has room alone and not all have
    it together. That a lone label finds a free place is told in `test_label_places`."""
    counts = {"labels": 0, "covered": 0}

    @settings(derandomize=True, deadline=None, max_examples=200, suppress_health_check=[HealthCheck.too_slow])
    @given(documents())
    def look(document: dict[str, Any]) -> None:
        picture = Picture(lay_out(document))
        assert crossed_strangers(picture) == {}
        lines_end_on_outlines(picture)
        counts["labels"] += len(picture.labels)
        counts["covered"] += len(covered_labels(picture))

    look()
    assert counts["labels"] > 500
    assert counts["covered"] <= counts["labels"] / 500


@settings(derandomize=True, deadline=None, max_examples=100, suppress_health_check=[HealthCheck.too_slow])
@given(documents((None, "orthogonal", "straight", "curved", "polyline")))
def test_whatever_router_is_pinned_lines_end_on_outlines_and_crossed_nodes_are_remarked(
    document: dict[str, Any],
) -> None:
    picture = Picture(lay_out(document))
    assert crossed_strangers(picture).keys() <= picture.grazed
    lines_end_on_outlines(picture)


@settings(derandomize=True, deadline=None, max_examples=40, suppress_health_check=[HealthCheck.too_slow])
@given(documents((None, "straight", "curved")))
def test_the_same_document_gives_the_same_routes_and_remarks(document: dict[str, Any]) -> None:
    first, second = lay_out(document), lay_out(document)
    assert first.scene.routes == second.scene.routes
    assert first.diagnostics == second.diagnostics


class _Drawn:
    """Chance that Hypothesis settles, and shrinks."""

    def __init__(self, draw: st.DrawFn) -> None:
        self._draw = draw

    def number(self, low: int, high: int) -> int:
        return self._draw(st.integers(low, high))


@st.composite
def _chance_scenes(draw: st.DrawFn, family: str, direction: str) -> dict[str, Any]:
    """Frames, groups, pools and lanes, some of it at given places; edges between anything, by any router."""
    positions = draw(st.sampled_from((0, 3)))
    made = by_chance(_Drawn(draw), Recipe(families=(family,), positions=positions, relations=positions))
    if "layoutStrategy" in made:
        made["layoutStrategy"]["direction"] = direction
    for element in made["elements"]:
        if element["kind"] == "edge" and (router := draw(st.sampled_from(ROUTERS))):
            element["router"] = router
    return made


def _held(picture: Picture, edge: Edge) -> set[str]:
    """What the ends of an edge hold, as far as it stands in them: an edge may touch it."""
    ends = {edge.source.element_id, edge.target.element_id}
    queue = list(ends)
    for one in queue:
        queue += getattr(picture.elements[one], "children", ())
    return {one for one in queue if any(picture.box(one).overlaps(picture.box(end)) for end in ends)}


@pytest.mark.parametrize("family", PLACED)
@pytest.mark.parametrize("direction", DIRECTIONS)
@settings(derandomize=True, deadline=None, max_examples=12, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_in_every_family_and_direction_lines_end_on_outlines_and_crossed_strangers_are_remarked(
    family: str, direction: str, data: st.DataObject
) -> None:
    picture = Picture(lay_out(data.draw(_chance_scenes(family, direction))))
    for edge in picture.edges:
        points = picture.line(edge)
        assert picture.distance(edge.source, points[0]) <= picture.rim(edge.source), edge.id
        assert picture.distance(edge.target, points[-1]) <= picture.rim(edge.target), edge.id
        if edge.id not in picture.grazed:
            assert set(crossed_strangers(picture).get(edge.id, ())) <= _held(picture, edge), edge.id
