"""Members and values as users of Mermaid, D2, draw.io, Excalidraw and CSS write them: the remark names ours."""

from __future__ import annotations

from typing import Any

import pytest

from scenograph.engine.icons import DOCUMENT_LIMITS
from scenograph.scene.validation import validate

Json = dict[str, Any]

STYLE = {
    "colour": "textColor",
    "backgroundColor": "fill",
    "background-color": "fill",
    "fillColor": "fill",
    "strokeColor": "stroke",
    "borderColour": "stroke",
    "stroke-width": "strokeWidth",
    "lineWidth": "strokeWidth",
    "border-radius": "cornerRadius",
    "rx": "cornerRadius",
    "stroke-dasharray": "dash",
    "stroke-dash": "dash",
    "strokeStyle": "dash",
    "dashed": "dash",
    "bold": "fontWeight",
    "font-size": "fontSize",
}
NODE = {
    "text": "label",
    "title": "label",
    "type": "nodeType",
    "class": "style",
    "position": "layout",
    "x": "layout.x",
    "fill": "style.fill",
    "colour": "style.textColor",
    "backgroundColor": "style.fill",
    "columns": "extensions.columns",
}
EDGE = {
    "source": "from",
    "target": "to",
    "arrowhead": "endpoints.endArrow",
    "endArrow": "endpoints.endArrow",
    "routing": "router",
    "points": "waypoints",
    "dashed": "style.dash",
    "text": "label",
}
FRAME = {"elements": "children", "members": "children", "nodes": "children"}
PALETTE = {
    "nodeColour": "nodeFill",
    "primaryColor": "accentPrimary",
    "lineColor": "edgeStroke",
    "textColor": "foreground",
}
LAYOUT = {"left": "x", "top": "y", "w": "width", "relativeTo": "target", "position": "relation"}
ROOT = {
    "nodes": "elements",
    "direction": "layoutStrategy.direction",
    "title": "scene.title",
    "version": "schemaVersion",
}
VALUES = {
    ("shape", "rectangle"): "rect",
    ("shape", "circle"): "ellipse",
    ("shape", "rhombus"): "diamond",
    ("shape", "stadium"): "pill",
    ("shape", "queue"): "tube",
    ("shape", "cube"): "box3d",
    ("shape", "stored_data"): "tube",
    ("kind", "rectangle"): "node",
    ("kind", "arrow"): "edge",
    ("kind", "connector"): "edge",
    ("kind", "subgraph"): "frame",
    ("kind", "label"): "text",
    ("nodeType", "Database"): "database",
    ("nodeType", "postgresql"): "simple:postgresql",
    ("icon", "postgres"): "simple:postgresql",
}
EDGE_VALUES = {
    ("router", "elbow"): "orthogonal",
    ("router", "manhattan"): "orthogonal",
    ("router", "spline"): "curved",
    ("endpoints", "endArrow", "classic"): "triangle",
    ("endpoints", "endArrow", "filled-diamond"): "diamond",
    ("endpoints", "endArrow", "dot"): "circle",
    ("to", "cardinality", "0..*"): "zero-or-many",
}
ROOT_VALUES = {
    ("diagramFamily", "erDiagram"): "entityRelationship",
    ("diagramFamily", "organisationChart"): "orgchart",
    ("layoutStrategy", "algorithm", "dagre"): "hierarchical",
    ("layoutStrategy", "direction", "left-to-right"): "LR",
    ("palette", "nodeFill", "dark grey"): "darkgray",
}


def scene() -> Json:
    ends = {"from": {"elementId": "a"}, "to": {"elementId": "b"}}
    elements = [
        {"id": "a", "kind": "node"},
        {"id": "b", "kind": "node"},
        {"id": "e", "kind": "edge", **ends},
        {"id": "f", "kind": "frame", "children": ["a"]},
    ]
    head = {"schemaVersion": "0.1", "diagramFamily": "architecture", "palette": {}}
    return head | {"scene": {"id": "s", "units": "px", "canvas": {}}, "elements": elements}


def put(document: Json, way: tuple[str | int, ...], value: object) -> None:
    inner: Any = document
    for step in way[:-1]:
        inner = inner.setdefault(step, {}) if isinstance(inner, dict) else inner[step]
    inner[way[-1]] = value


def rows() -> list[tuple[tuple[str | int, ...], object, str]]:
    places: list[tuple[tuple[str | int, ...], dict[str, str]]] = [
        (("elements", 0, "style"), STYLE),
        (("elements", 0), NODE),
        (("elements", 2), EDGE),
        (("elements", 3), FRAME),
        (("elements", 0, "layout"), LAYOUT),
        (("palette",), PALETTE),
        ((), ROOT),
    ]
    members = [((*place, name), 1, near) for place, table in places for name, near in table.items()]
    tables = [(("elements", 0), VALUES), (("elements", 2), EDGE_VALUES), ((), ROOT_VALUES)]
    values = [((*place, *way[:-1]), way[-1], near) for place, table in tables for way, near in table.items()]
    return [*members, *values]


@pytest.mark.parametrize(("way", "value", "near"), rows(), ids=str)
def test_the_remark_names_the_member_or_value_that_was_meant(way, value, near) -> None:
    document = scene()
    put(document, way, value)
    place = "".join(f"/{step}" for step in way)
    (found,) = [row for row in validate(document, DOCUMENT_LIMITS) if row.path == place]
    assert found.data is not None
    assert found.data["suggestion"] == near
