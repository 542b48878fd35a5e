"""Small scenes of any family, and what became of them: boxes, routes and paint."""

from __future__ import annotations

from typing import Any

from tests.builders import document_of

from scenograph.engine.draw.painting import draw
from scenograph.engine.drawing import DrawnGroup, PathItem, TextItem, TextRun
from scenograph.engine.geometry.boxes import Box
from scenograph.engine.geometry.paths import Path, flatten
from scenograph.engine.pipeline import lay_out
from scenograph.engine.tables import DrawnRoute, FinishedStyle, LaidOutScene
from scenograph.late_dataclasses import dataclass

Json = dict[str, Any]


@dataclass
class Plan:
    """One scene, laid out and painted, asked by ids."""

    laid_out: LaidOutScene
    codes: list[str]

    def box(self, id_: str) -> Box:
        return self.laid_out.placement.boxes[id_]

    def part(self, id_: str, name: str) -> Box:
        found = self.laid_out.placement.part(id_, name)
        assert found is not None, f"{id_} has no part {name}"
        return found

    def route(self, id_: str) -> DrawnRoute:
        return self.laid_out.routes[id_]

    def style(self, id_: str) -> FinishedStyle:
        return self.laid_out.styles.of[id_]

    def group(self, id_: str, role: str = "element") -> DrawnGroup:
        (found,) = [one for one in draw(self.laid_out).groups if one.id == id_ and one.role == role]
        return found

    def paths(self, id_: str) -> list[PathItem]:
        return [item for item in self.group(id_).items if isinstance(item, PathItem)]

    def runs(self, id_: str) -> list[TextRun]:
        return [run for item in self.group(id_).items if isinstance(item, TextItem) for run in item.runs]

    def outline(self, id_: str) -> PathItem:
        return next(item for item in self.paths(id_) if item.is_outline)

    def marks(self, id_: str) -> list[PathItem]:
        """What is drawn in a node beside its outline."""
        return [item for item in self.paths(id_) if not item.is_outline]


def extent(*paths: Path) -> Box:
    """The bounds of some paths."""
    points = [point for path in paths for chain in flatten(path) for point in chain]
    left, top = min(p.x for p in points), min(p.y for p in points)
    return Box(left, top, max(p.x for p in points) - left, max(p.y for p in points) - top)


def node(id_: str, node_type: str, label: str | None = None, **members: Any) -> Json:
    return {"id": id_, "kind": "node", "nodeType": node_type, **({"label": label} if label else {}), **members}


def edge(ends: str, edge_type: str | None = None, **members: Any) -> Json:
    """`a>b`; its id is its ends."""
    source, target = ends.split(">")
    row = {"id": ends, "kind": "edge", "from": {"elementId": source}, "to": {"elementId": target}}
    return row | ({"edgeType": edge_type} if edge_type else {}) | members


def plan(family: str, *elements: Json, theme: str | None = None, **outer: Any) -> Plan:
    """A scene of that family, with its members beside the elements."""
    found = lay_out(document_of(*elements, family=family, **outer), theme=theme)
    return Plan(found.scene, [row.code for row in found.diagnostics])
