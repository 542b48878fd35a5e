"""Small scenes whose frames may be ranked in several ways."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from scenograph.engine.pipeline import lay_out
from scenograph.engine.place import choosing
from scenograph.engine.route.routing import line_cost

SCENES = Path(__file__).parents[2] / "golden" / "rules" / "scenes"


def test_frames_joined_by_a_line_stand_beside_each_other_where_lines_cost_less_so() -> None:
    scene = json.loads((SCENES / "R-PLACE-15-frames-of-one-rank-stand-side-by-side.json").read_text("utf-8"))
    boxes = lay_out(scene).scene.placement.boxes
    frames = [boxes[f"{name}-frame"] for name in ("cart", "orders", "payments", "catalog")]
    assert max(frame.y for frame in frames) < min(frame.bottom for frame in frames)


def test_a_frame_all_of_whose_lines_lead_to_another_stands_above_it_where_lines_cost_less_so() -> None:
    ends = [("client", "a1"), ("a1", "a2"), ("a1", "a3"), ("a2", "b1"), ("a3", "b2"), ("b1", "b3"), ("b2", "b3")]
    edges = [
        {"id": f"{one}-{other}", "kind": "edge", "from": {"elementId": one}, "to": {"elementId": other}}
        for one, other in ends
    ]
    nodes = [{"id": name, "kind": "node", "label": name} for name in dict.fromkeys(end for row in ends for end in row)]
    frames = [
        {"id": name, "kind": "frame", "title": name, "children": [f"{name}1", f"{name}2", f"{name}3"]} for name in "ab"
    ]
    document: dict[str, Any] = {
        "schemaVersion": "0.1",
        "scene": {"id": "stages", "units": "px", "canvas": {}},
        "elements": [*nodes, *frames, *edges],
    }
    boxes = lay_out(document).scene.placement.boxes
    assert boxes["a"].bottom < boxes["b"].y


def test_where_lines_cross_another_order_of_all_ranks_is_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    pairs = ["ab", "ac", "bd", "be", "cf", "cg", "dh", "di", "aj", "eh", "dj", "ej", "dg"]
    nodes: list[dict[str, Any]] = [{"id": one, "kind": "node", "label": f"Service {one}"} for one in "abcdefghij"]
    edges: list[dict[str, Any]] = [
        {"id": pair, "kind": "edge", "from": {"elementId": pair[0]}, "to": {"elementId": pair[1]}} for pair in pairs
    ]
    frames: list[dict[str, Any]] = [
        {"id": f"frame-{row}", "kind": "frame", "title": row, "children": [*row]} for row in ("abcdefghi", "j")
    ]
    document: dict[str, Any] = {
        "schemaVersion": "0.1",
        "scene": {"id": "orders", "units": "px", "canvas": {}},
        "elements": [*nodes, *frames, *edges],
    }

    def crossings() -> int:
        return line_cost(lay_out(document).scene.routes, {one: (one[0], one[1]) for one in pairs}).crossings

    found = crossings()
    monkeypatch.setattr(choosing, "OTHER_STARTS", ())
    assert found < crossings()
