"""Pools and lanes without a former place in a scene in which somebody has moved a node (R-POOL-4, R-KEEP-6)."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from functools import partial
from itertools import pairwise
from typing import Any

import pytest
from tests.builders import container, document_of, edge, task

from scenograph.engine.geometry.boxes import Box
from scenograph.engine.pipeline import lay_out, places_of
from scenograph.scene.edits.operations import apply_operations

Json = dict[str, Any]


def _pools(way: str) -> Json:
    """Two pools; the first has two lanes."""
    steps = {"order": "desk", "check": "desk", "pack": "store", "pay": "bank"}
    frames = [
        container("shop", "pool", "desk", "store", laneDirection=way),
        container("bank", "pool", "pay", laneDirection=way),
        *(container(lane, "lane", *(key for key in steps if steps[key] == lane)) for lane in ("desk", "store")),
    ]
    edges = [edge("order", "check"), edge("check", "pack")]
    return document_of(*frames, *map(task, steps), *edges, family="workflow")


def _places(document: Json, sketch: Json | None) -> Json:
    laid_out = lay_out(document, sketch=sketch)
    assert "PLACES_NOT_KEPT" not in {row.code for row in laid_out.diagnostics}
    return places_of(laid_out)


def _bounds(document: Json, sketch: Json) -> Json:
    return _places(document, sketch)["bounds"]


def _after(document: Json, *batches: Sequence[Json]) -> tuple[Json, Json]:
    """The boxes before and after the last batch, each revision drawn from the places of the one before."""
    places = _places(document, None)
    former = places
    for ops in batches:
        former = places
        done = apply_operations(document, ops, computed_bounds=partial(_bounds, sketch=places))
        assert done.succeeded, done.diagnostics
        document, sketch = done.document, copy.deepcopy(places)
        for one in done.relayout.ids:
            del sketch["bounds"][one]
        places = _places(document, sketch)
    return former["bounds"], places["bounds"]


def _box(boxes: Json, key: str) -> Box:
    return Box(**boxes[key])


LANE = {"op": "createFrame", "id": "new", "title": "new", "containerType": "lane", "children": [], "parentId": "shop"}
FIRST = {"op": "reparentElement", "id": "new", "parentId": "shop", "index": 0}
POOL = {"op": "createFrame", "id": "new", "title": "new", "containerType": "pool", "children": []}
ROOM = {"op": "createFrame", "id": "room", "title": "room", "containerType": "lane", "children": [], "parentId": "new"}


def _moved(key: str) -> Json:
    return {"op": "moveElement", "id": key, "delta": {"dx": 40, "dy": 0}}


@pytest.mark.parametrize("way", ["horizontal", "vertical"])
def test_a_lane_that_comes_last_stands_after_the_others_and_moves_none_of_their_content(way: str) -> None:
    former, boxes = _after(_pools(way), [_moved("order")], [LANE])
    _assert_last(boxes, way)
    assert all(boxes[one] == former[one] for one in ("order", "check", "pack", "desk", "store"))


@pytest.mark.parametrize("way", ["horizontal", "vertical"])
def test_a_lane_that_comes_beside_a_pool_with_a_moved_node_leaves_that_where_it_is(way: str) -> None:
    former, boxes = _after(_pools(way), [_moved("pay")], [LANE])
    _assert_last(boxes, way)
    side = 1 if way == "horizontal" else 0
    assert boxes["pay"] == former["pay"]
    assert _box(boxes, "bank").contains(_box(boxes, "pay"))
    assert _box(boxes, "new")[side] + _box(boxes, "new")[side + 2] < _box(boxes, "bank")[side]


def _assert_last(boxes: Json, way: str) -> None:
    """The new lane begins where the one before it ends, and fills the rest of its pool."""
    new, before, pool = _box(boxes, "new"), _box(boxes, "store"), _box(boxes, "shop")
    side = 1 if way == "horizontal" else 0
    assert new[side] == before[side] + before[side + 2]
    assert new[side] + new[side + 2] == pool[side] + pool[side + 2]
    assert (new[1 - side], new[3 - side]) == (pool[1 - side] + 24, pool[3 - side] - 24)


def test_a_lane_that_comes_first_stands_above_what_stood() -> None:
    former, boxes = _after(_pools("horizontal"), [_moved("order")], [LANE, FIRST])
    assert _box(boxes, "new").bottom == _box(boxes, "desk").y == _box(former, "desk").y
    assert _box(boxes, "new").y == _box(boxes, "shop").y
    assert all(boxes[one] == former[one] for one in ("order", "check", "pack", "pay", "store", "bank"))


def test_a_lane_that_comes_in_the_batch_that_moves_a_node_stands_in_its_pool() -> None:
    _, boxes = _after(_pools("horizontal"), [_moved("order"), LANE])
    assert _box(boxes, "new").y == _box(boxes, "store").bottom
    assert _box(boxes, "new").bottom == _box(boxes, "shop").bottom < _box(boxes, "bank").y


def test_a_lane_that_is_placed_anew_stays_in_its_pool() -> None:
    former, boxes = _after(_pools("horizontal"), [_moved("order")], [{"op": "relayout", "ids": ["store"]}])
    assert _box(boxes, "store").y == _box(boxes, "desk").bottom
    assert boxes["order"] == former["order"]


def test_a_pool_that_comes_stands_after_the_others_and_holds_its_lane() -> None:
    former, boxes = _after(_pools("horizontal"), [_moved("pay")], [POOL, ROOM])
    assert _box(boxes, "new").y > _box(boxes, "bank").bottom
    assert _box(boxes, "new").contains(_box(boxes, "room"))
    assert all(boxes[one] == former[one] for one in ("order", "check", "pack", "pay", "shop", "bank"))


@pytest.mark.parametrize("earlier", [0, 1, 2])
def test_a_step_set_on_another_pushes_it_by_what_is_lacking_however_many_were_set_before(earlier: int) -> None:
    """Places given before are bodies of their own, and take no part in the distance of the last one."""
    keys = "abcdef"
    head = {"id": "s", "units": "px", "canvas": {}}
    flows = [
        {"id": f"{a}{b}", "kind": "edge", "from": {"elementId": a}, "to": {"elementId": b}} for a, b in pairwise(keys)
    ]
    nodes = [{"id": key, "kind": "node", "nodeType": "workflow.task", "label": key} for key in keys]
    document = {"schemaVersion": "0.1", "diagramFamily": "workflow", "scene": head, "elements": [*nodes, *flows]}
    settled = [[{"op": "moveElement", "id": key, "delta": {"dx": 0, "dy": 4}}] for key in keys[:earlier]]
    stood = _after(document, *settled, [{"op": "deleteElement", "id": "ab"}])[1]
    onto = stood["e"]
    last = [{"op": "moveElement", "id": "c", "x": onto["x"] - 60, "y": onto["y"] + 10}]
    before, after = _after(document, *settled, last)
    moved = {key: (box["x"], box["y"]) for key, box in after.items() if box != before[key] and key != "c"}
    pushed = onto["x"] - 60 + onto["width"] + 8
    assert moved == {"e": (pushed, onto["y"]), "f": (pushed + onto["width"] + 48, stood["f"]["y"])}
