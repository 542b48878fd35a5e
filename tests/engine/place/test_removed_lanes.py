"""A pool from which a lane was removed: the rest stays, and the room of the lane waits for others (R-POOL-8)."""

from __future__ import annotations

from typing import Any

import pytest
from tests.builders import container, document_of, edge, task

from scenograph.engine.pipeline import lay_out, places_of
from scenograph.scene.edits.operations import apply_operations

Json = dict[str, Any]
LANES = {"one": "a", "two": "b", "three": "c"}
WAYS = pytest.mark.parametrize("way", ["horizontal", "vertical"])


def _pool(way: str) -> Json:
    """A pool of three lanes with a step in each."""
    lanes = [container(lane, "lane", step) for lane, step in LANES.items()]
    pool = container("pool", "pool", *LANES, laneDirection=way)
    edges = [edge(*pair, id=pair) for pair in ("ab", "bc")]
    return document_of(*map(task, LANES.values()), *lanes, pool, *edges, family="workflow")


def _divided_pool(way: str) -> Json:
    """The same, with two parts in the second lane: an empty one and one with its step."""
    document = _pool(way)
    [two] = [one for one in document["elements"] if one["id"] == "two"]
    two["children"] = ["upper", "lower"]
    document["elements"] += [container("upper", "lane"), container("lower", "lane", "b")]
    return document


def _drawn(document: Json, sketch: Json | None = None) -> Json:
    laid_out = lay_out(document, sketch=sketch)
    assert "PLACES_NOT_KEPT" not in {row.code for row in laid_out.diagnostics}
    return places_of(laid_out)


def _edited(document: Json, *ops: Json, bounds: Json | None = None) -> Json:
    done = apply_operations(document, ops, computed_bounds=lambda _document: bounds or {})
    assert done.succeeded, done.diagnostics
    return done.document


def _without(document: Json, *names: str) -> Json:
    return _edited(document, *({"op": "deleteElement", "id": name} for name in names))


def _changed(before: Json, after: Json) -> set[str]:
    return {key for key, box in after["bounds"].items() if key in before["bounds"] and box != before["bounds"][key]}


@WAYS
@pytest.mark.parametrize("with_content", [False, True])
@pytest.mark.parametrize("lane", [*LANES])
def test_removing_a_lane_moves_nothing_and_changes_no_frame(way: str, lane: str, *, with_content: bool) -> None:
    document = _pool(way)
    places = _drawn(document)
    left = _without(document, lane, *([LANES[lane]] if with_content else []))
    after = _drawn(left, places)
    assert _changed(places, after) == set()
    assert _changed(after, _drawn(left, after)) == set()


@WAYS
def test_removing_two_lanes_leaves_the_content_of_each_where_it_stood(way: str) -> None:
    document = _pool(way)
    places = _drawn(document)
    assert _changed(places, _drawn(_without(document, "one", "three"), places)) == set()


@WAYS
@pytest.mark.parametrize("lane", [*LANES])
def test_a_new_lane_at_its_place_takes_the_room_of_a_removed_one(way: str, lane: str) -> None:
    document = _pool(way)
    places = _drawn(document)
    left = _without(document, lane, LANES[lane])
    places = _drawn(left, places)
    new = {"op": "createFrame", "id": "new", "title": "new", "containerType": "lane", "parentId": "pool"}
    at = {"op": "reparentElement", "id": "new", "parentId": "pool", "index": [*LANES].index(lane)}
    after = _drawn(_edited(left, new, at), places)
    assert _changed(places, after) == set()


@WAYS
def test_a_lane_grows_into_the_room_of_a_removed_one_and_pushes_none(way: str) -> None:
    document = _pool(way)
    places = _drawn(document)
    left = _without(document, "two", "b")
    places = _drawn(left, places)
    box = places["bounds"]["a"]
    extent, anchor = ("height", "top") if way == "horizontal" else ("width", "left")
    size = {"width": box["width"], "height": box["height"]} | {extent: box[extent] + 90}
    grow = {"op": "resizeElement", "id": "a", "size": size, "anchor": anchor}
    after = _drawn(_edited(left, grow, bounds=places["bounds"]), places)
    assert _changed(places, after) == {"a", "one"}


@WAYS
def test_removing_a_part_of_a_divided_lane_changes_no_frame(way: str) -> None:
    document = _divided_pool(way)
    places = _drawn(document)
    for part in ("upper", "lower"):
        assert _changed(places, _drawn(_without(document, part), places)) == set()


@WAYS
def test_a_fresh_drawing_lets_the_lanes_fill_the_pool(way: str) -> None:
    places = _drawn(_without(_pool(way), "two", "b"))["bounds"]
    start, extent = ("y", "height") if way == "horizontal" else ("x", "width")
    assert places["one"][start] + places["one"][extent] == places["three"][start]


@WAYS
@pytest.mark.parametrize(("part", "beside"), [("upper", "a"), ("lower", "c"), ("upper", "c"), ("lower", "a")])
def test_a_lane_beside_takes_no_room_of_a_divided_one(way: str, part: str, beside: str) -> None:
    document = _divided_pool(way)
    places = _drawn(document)
    left = _without(document, part)
    places = _drawn(left, places)
    grow = {"op": "updateNode", "id": beside, "label": "many words\n" * 12}
    after = _drawn(_edited(left, grow), places)
    extent = "height" if way == "horizontal" else "width"
    assert after["bounds"]["two"][extent] == places["bounds"]["two"][extent]
    assert _changed(after, _drawn(_edited(left, grow), after)) == set()


@WAYS
def test_content_that_leaves_for_another_pool_leaves_its_pool_as_large_as_it_was(way: str) -> None:
    document = _pool(way)
    document["elements"] += [
        {"id": "d", "kind": "node", "nodeType": "workflow.task", "label": "d"},
        {"id": "dc", "kind": "edge", "from": {"elementId": "d"}, "to": {"elementId": "three"}},
        container("other", "pool", "only", laneDirection=way),
        container("only", "lane"),
    ]
    [pool] = [one for one in document["elements"] if one["id"] == "pool"]
    pool["children"].append("d")
    places = _drawn(document)
    moved = _edited(document, {"op": "reparentElement", "id": "d", "parentId": "other"})
    after = _drawn(moved, places)
    across = "height" if way == "horizontal" else "width"  # pools are equally long in the other direction
    assert after["bounds"]["pool"][across] == places["bounds"]["pool"][across]
    assert _changed(after, _drawn(moved, after)) == set()
