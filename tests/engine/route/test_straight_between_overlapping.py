"""Direct lines between elements that cover each other."""

from __future__ import annotations

from typing import Any

import pytest

from scenograph.engine import pipeline
from scenograph.engine.tables import DrawnRoute


def routed(target_x: float, target_y: float, **edge: Any) -> DrawnRoute:
    def node(name: str, x: float, y: float) -> dict[str, Any]:
        layout = {"mode": "absolute", "x": x, "y": y, "width": 80, "height": 32}
        return {"id": name, "kind": "node", "shape": "ellipse", "label": "", "layout": layout}

    document = {
        "schemaVersion": "0.1",
        "diagramFamily": "network",
        "scene": {"id": "s", "units": "px", "canvas": {"width": 400, "height": 300}},
        "elements": [
            node("a", 100, 100),
            node("b", target_x, target_y),
            {"id": "e", "kind": "edge", "from": {"elementId": "a"}, "to": {"elementId": "b"}, "router": "straight"}
            | edge,
        ],
    }
    return pipeline.lay_out(document).scene.routes["e"]


def test_ellipses_whose_boxes_overlap_at_a_corner_are_joined_directly() -> None:
    route = routed(172, 126)
    assert route.router == "straight"
    assert len(route.points) == 2
    assert route.points[0].x < route.points[1].x


def test_a_plain_line_between_overlapping_ellipses_is_a_short_tick() -> None:
    route = routed(130, 116)
    assert route.router == "straight"
    assert len(route.points) == 2


@pytest.mark.parametrize("edge", [{"label": "leased"}, {"endpoints": {"endArrow": "triangle"}}])
def test_a_label_or_an_arrowhead_needs_a_way_round(edge: dict[str, Any]) -> None:
    assert len(routed(130, 116, **edge).points) > 2
