"""Small placed scenes, routed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest

from scenograph.diagnostics import Report
from scenograph.engine.geometry.boxes import Box
from scenograph.engine.route.routing import route
from scenograph.engine.tables import DrawnRoute, Placement, Routes, Size, Styles
from scenograph.late_dataclasses import dataclass, field
from scenograph.scene.model import Color, Edge, Element, Endpoint, Frame, LayoutStrategy, Node, Scene

STYLES = Styles(theme="clean", background=Color(255, 255, 255), of={})
FLOWING = LayoutStrategy(algorithm="hierarchical")


@dataclass
class Plan:
    """Boxes by id; edges by id as (source, target, members of Edge or `label_size`); frames by id with children."""

    boxes: Mapping[str, tuple[float, float, float, float]]
    edges: Mapping[str, tuple[Any, ...]]
    frames: Mapping[str, Sequence[str]] = field(default_factory=dict)
    frame_types: Mapping[str, str] = field(default_factory=dict)
    shapes: Mapping[str, str] = field(default_factory=dict)
    nodes: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    parts: Mapping[str, Mapping[str, Box]] = field(default_factory=dict)
    strategy: LayoutStrategy | None = None
    family: str | None = None

    def elements(self) -> list[Element]:
        found: list[Element] = [
            Frame(id=name, kind="frame", children=tuple(children), container_type=self.frame_types.get(name))
            for name, children in self.frames.items()
        ]
        found += [
            Node(id=name, kind="node", **{"shape": self.shapes.get(name, "rect"), **self.nodes.get(name, {})})
            for name in self.boxes
            if name not in self.frames
        ]
        return found + [self._edge(name, *spec) for name, spec in self.edges.items()]

    def _edge(self, name: str, source: str, target: str, more: Mapping[str, Any] | None = None) -> Edge:
        members = dict(more or {})
        label = members.pop("label", "text" if members.pop("label_size", None) else None)
        ends = {
            "source": Endpoint(element_id=source, **members.pop("source", {})),
            "target": Endpoint(element_id=target, **members.pop("target", {})),
        }
        return Edge(id=name, kind="edge", label=label, **ends, **members)

    def sizes(self) -> dict[str, Size]:
        labels = {name: spec[2].get("label_size") for name, spec in self.edges.items() if len(spec) > 2}
        return {name: Size(width=size[0], height=size[1]) for name, size in labels.items() if size}


@dataclass
class Routed:
    routes: Routes
    report: Report
    boxes: dict[str, Box]

    def __getitem__(self, edge: str) -> DrawnRoute:
        return self.routes[edge]

    def points(self, edge: str) -> list[tuple[float, float]]:
        return [(point.x, point.y) for point in self.routes[edge].points]

    def label(self, edge: str) -> Box:
        label = self.routes[edge].label
        assert label is not None
        return label

    def grazed(self) -> list[str]:
        return self.said("EDGE_OBSTACLE_GRAZED").get("grazedEdgeIds", [])

    def said(self, code: str) -> Mapping[str, Any]:
        """The data of the only remark of that code; nothing when there is none."""
        rows = [row.data or {} for row in self.report.rows if row.code == code]
        assert len(rows) <= 1
        return rows[0] if rows else {}


@pytest.fixture
def routed() -> Callable[..., Routed]:
    def run(boxes: Mapping[str, Any], edges: Mapping[str, Any], **more: Any) -> Routed:
        plan = Plan(boxes, edges, **more)
        scene = Scene(elements=tuple(plan.elements()), layout_strategy=plan.strategy, diagram_family=plan.family)
        report = Report()
        placed = {name: Box(*map(float, box)) for name, box in boxes.items()}
        placement = Placement(boxes=placed, parts=plan.parts)
        return Routed(route(scene, STYLES, plan.sizes(), placement, report), report, placed)

    return run
