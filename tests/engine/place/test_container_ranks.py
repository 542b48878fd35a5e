"""Small scenes whose frames may be ranked in several ways."""

from __future__ import annotations

import json
from pathlib import Path

from scenograph.engine.pipeline import lay_out

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
    document = {
        "schemaVersion": "0.1",
        "scene": {"id": "stages", "units": "px", "canvas": {}},
        "elements": [*nodes, *frames, *edges],
    }
    boxes = lay_out(document).scene.placement.boxes
    assert boxes["a"].bottom < boxes["b"].y
