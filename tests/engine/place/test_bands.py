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


def _given(x: float, y: float, **size: float) -> Json:
    return {"mode": "absolute", "x": x, "y": y, **size}


def _between_given(width: float) -> Json:
    """A pool and a node in its first and in its last lane with given places; the first node is this wide."""
    lanes = [
        {"id": lane, "kind": "frame", "containerType": "lane", "children": [child]}
        for lane, child in zip("abc", "mnk", strict=True)
    ]
    pool = {"id": "p", "kind": "frame", "containerType": "pool", "children": ["a", "b", "c"], "layout": _given(0, 0)}
    nodes = [
        {"id": "m", "kind": "node", "label": "m", "layout": _given(30, 60, width=width, height=40)},
        {"id": "n", "kind": "node", "label": "n"},
        {"id": "k", "kind": "node", "label": "k", "layout": _given(420, 60, width=80, height=40)},
    ]
    scene: Json = {"id": "s", "units": "px", "canvas": {}}
    elements = [{**pool, "laneDirection": "vertical"}, *lanes, *nodes]
    return {"schemaVersion": "0.1", "diagramFamily": "workflow", "scene": scene, "elements": elements}


@pytest.mark.parametrize("width", [120, 300, 500])
def test_a_lane_between_lanes_with_given_content_gives_way_and_does_not_shrink(width: float) -> None:
    before = places_of(lay_out(_between_given(80)))
    after = places_of(lay_out(_between_given(width), sketch=before))
    was, now = before["bounds"], after["bounds"]
    assert all(now[lane]["width"] >= was[lane]["width"] for lane in "pabc")
    assert now["a"]["x"] + now["a"]["width"] >= now["m"]["x"] + width
    assert now["b"]["x"] == now["a"]["x"] + now["a"]["width"]
    assert now["b"]["x"] <= now["n"]["x"] <= now["b"]["x"] + now["b"]["width"] - now["n"]["width"]
    assert (now["n"]["y"], now["k"]) == (was["n"]["y"], was["k"])
    assert places_of(lay_out(_between_given(width), sketch=after))["bounds"] == now
