"""Pools that stood before are drawn where they stood (R-POOL-4)."""

from __future__ import annotations

from typing import Any

import pytest

from scenograph.engine.pipeline import lay_out, places_of

Json = dict[str, Any]


def _scene(direction: str, *labels: str) -> Json:
    """A step in a lane of a pool, with labelled lines to itself: their room is no whole number of px."""
    loops = [
        {"id": f"e{at}", "kind": "edge", "label": label, "from": {"elementId": "a"}, "to": {"elementId": "a"}}
        for at, label in enumerate(labels)
    ]
    lane = {"id": "l", "kind": "frame", "containerType": "lane", "title": "Lane", "children": ["a"]}
    pool = {"id": "p", "kind": "frame", "containerType": "pool", "laneDirection": direction, "children": ["l"]}
    step = {"id": "a", "kind": "node", "nodeType": "task", "label": "Step with a name"}
    scene: Json = {"id": "s", "units": "px", "canvas": {}}
    return {
        "schemaVersion": "0.1",
        "diagramFamily": "workflow",
        "scene": scene,
        "elements": [step, lane, {**pool, "title": "Pool"}, *loops],
    }


@pytest.mark.parametrize("direction", ["horizontal", "vertical"])
@pytest.mark.parametrize("labels", [("yes",), ("a label",), ("yes", "a label"), ("one", "two", "three")])
def test_a_pool_with_room_of_broken_pixels_stays_as_it_is_when_it_is_drawn_again(
    direction: str, labels: tuple[str, ...]
) -> None:
    scene = _scene(direction, *labels)
    places = places_of(lay_out(scene))
    assert places_of(lay_out(scene, sketch=places)) == places
