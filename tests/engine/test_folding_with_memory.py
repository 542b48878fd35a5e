"""Folding a frame of a picture that is known: what stays visible stays where it was."""

from __future__ import annotations

from typing import Any

import pytest

from scenograph.engine.pipeline import lay_out, places_of
from scenograph.scene.model import View

LINES = ((0, 1), (0, 2), (1, 3), (2, 4), (3, 5), (4, 6), (5, 7), (6, 8), (7, 9), (8, 10), (9, 11), (10, 12), (2, 7))
FAMILIES = {
    "architecture": "service",
    "network": "network.server",
    "workflow": "flow.task",
    "uiflow": "ui.screen",
    "er": "er.entity",
    "orgchart": "org.person",
}
STRATEGIES = (
    {},
    {"algorithm": "forceDirected"},
    {"algorithm": "forceDirected", "aspectRatio": 0.6},
    {"algorithm": "forceDirected", "aspectRatio": 2},
    {"algorithm": "hierarchical", "aspectRatio": 2, "direction": "RIGHT"},
)
MOST_MOVED = 0.1


def document(family: str, strategy: dict[str, Any]) -> dict[str, Any]:
    """Thirteen nodes, eight of them in frames, one frame within another."""
    nodes = [{"id": f"n{n}", "kind": "node", "nodeType": FAMILIES[family], "label": f"Part {n}"} for n in range(13)]
    edges = [
        {"id": f"e{a}-{b}", "kind": "edge", "from": {"elementId": f"n{a}"}, "to": {"elementId": f"n{b}"}}
        for a, b in LINES
    ]
    frames = [
        {"id": "one", "kind": "frame", "title": "One", "children": ["n3", "n5", "n7"]},
        {"id": "two", "kind": "frame", "title": "Two", "children": ["n8", "n10", "inner"]},
        {"id": "inner", "kind": "frame", "title": "Inner", "children": ["n12", "n6"]},
    ]
    head = {"schemaVersion": "0.1", "diagramFamily": family, "scene": {"id": "folded", "units": "px", "canvas": {}}}
    return {**head, "layoutStrategy": strategy, "elements": [*nodes, *edges, *frames]}


@pytest.mark.parametrize("strategy", STRATEGIES, ids=str)
@pytest.mark.parametrize("family", FAMILIES)
def test_folding_a_frame_moves_at_most_a_tenth_of_what_stays_visible(family: str, strategy: dict[str, Any]) -> None:
    made = document(family, strategy)
    before = lay_out(made)
    boxes = before.scene.placement.boxes
    for frame in ("one", "two", "inner"):
        after = lay_out(made, sketch=places_of(before), view=View(collapse=(frame,))).scene.placement.boxes
        nodes = [name for name in after if name.startswith("n")]
        moved = [name for name in nodes if after[name][:2] != pytest.approx(boxes[name][:2], abs=1)]
        assert len(moved) <= MOST_MOVED * len(nodes), frame
