"""Edits in a pool one lane of which a person has moved or resized (R-POOL-4, R-KEEP-6)."""

from __future__ import annotations

from typing import Any

import pytest
from tests.builders import container, document_of, edge, task

from scenograph.engine.pipeline import lay_out, places_of
from scenograph.scene.edits.operations import apply_operations

Json = dict[str, Any]
WAYS = pytest.mark.parametrize("way", ["horizontal", "vertical"])
LANES = {"one": ["a", "d"], "two": ["round"], "three": ["c"]}


def _pool(way: str) -> Json:
    """Three lanes; the second holds a frame with two steps."""
    frames = [container(key, "lane", *children) for key, children in LANES.items()]
    frames += [container("round", "generic", "b", "e"), container("pool", "pool", *LANES, laneDirection=way)]
    edges = [edge(*pair, id=pair) for pair in ("ab", "bc", "ad", "de")]
    return document_of(*map(task, "abcde"), *frames, *edges, family="workflow")


def _drawn(document: Json, sketch: Json | None = None) -> Json:
    laid_out = lay_out(document, sketch=sketch)
    assert "PLACES_NOT_KEPT" not in {row.code for row in laid_out.diagnostics}
    return places_of(laid_out)


def _edited(document: Json, *ops: Json) -> Json:
    done = apply_operations(document, ops)
    assert done.succeeded, done.diagnostics
    return done.document


def _with_given(way: str, lane: str, side: str = "height") -> tuple[Json, Json]:
    """The pool and its picture after a person has made a lane larger on one side."""
    document = _pool(way)
    places = _drawn(document)
    box = places["bounds"][lane]
    given = {"mode": "absolute", **box, side: box[side] + 30}
    document = _edited(document, {"op": "updateElement", "id": lane, "layout": given})
    return document, _drawn(document, places)


def _changed(before: Json, after: Json) -> dict[str, tuple[float, float]]:
    """How far boxes known before have moved."""
    old, new = before["bounds"], after["bounds"]
    return {
        key: (new[key]["x"] - old[key]["x"], new[key]["y"] - old[key]["y"])
        for key in old
        if key in new and new[key] != old[key]
    }


@WAYS
@pytest.mark.parametrize("lane", [*LANES])
@pytest.mark.parametrize("gone", ["d", "e", "c", "ad"])
def test_removing_a_step_or_a_flow_changes_no_box(way: str, lane: str, gone: str) -> None:
    document, places = _with_given(way, lane)
    assert places["bounds"][lane]["height"] == _drawn(_pool(way))["bounds"][lane]["height"] + 30
    left = _edited(document, {"op": "deleteElement", "id": gone})
    after = _drawn(left, places)
    assert not _changed(places, after)
    assert not _changed(after, _drawn(left, after))


@WAYS
@pytest.mark.parametrize("lane", [*LANES])
@pytest.mark.parametrize("home", ["one", "round", "three"])
def test_a_step_that_joins_a_lane_leaves_the_order_of_lanes_and_steps(way: str, lane: str, home: str) -> None:
    document, places = _with_given(way, lane)
    new = {"op": "createNode", "id": "new", "nodeType": "workflow.task", "label": "new", "parentId": home}
    joined = _edited(document, new)
    after = _drawn(joined, places)
    old, now = places["bounds"], after["bounds"]
    for at in "xy":
        for keys in ([*LANES], ["a", "d"], ["b", "e"], ["a", "b", "c"]):
            order = sorted(keys, key=lambda key, at=at: (old[key][at], key))
            assert [now[key][at] for key in order] == sorted(now[key][at] for key in order)
    assert not {key: step for key, step in _changed(places, after).items() if key in "abcde" and 0.0 not in step}
    assert (now[lane]["x"], now[lane]["y"]) == (old[lane]["x"], old[lane]["y"])


@WAYS
@pytest.mark.parametrize("lane", ["one", "three"])
def test_a_new_lane_moves_the_given_one_by_nothing_and_its_content_neither(way: str, lane: str) -> None:
    document, places = _with_given(way, lane)
    new = {"op": "createFrame", "id": "new", "title": "new", "containerType": "lane", "parentId": "pool"}
    after = _drawn(_edited(document, new), places)
    assert not _changed(places, after).keys() & {lane, *LANES[lane]}


def test_what_grows_in_a_given_frame_grows_to_the_right_and_downwards() -> None:
    """The frame's corner is given, so its content keeps clear of its left and its upper side."""
    document = _pool("horizontal")
    frame = {"mode": "absolute", "x": 400, "y": 900, "width": 260, "height": 160}
    document = _edited(
        document,
        {"op": "createFrame", "id": "given", "title": "given", "layout": frame},
        {"op": "createNode", "id": "inside", "nodeType": "workflow.task", "label": "inside", "parentId": "given"},
    )
    places = _drawn(document)
    wide = {"mode": "auto", "width": 380, "height": 240}
    after = _drawn(_edited(document, {"op": "updateElement", "id": "inside", "layout": wide}), places)["bounds"]
    assert (after["given"]["x"], after["given"]["y"]) == (400, 900)
    assert after["inside"]["x"] == 400 + 24  # the inset of a frame
    assert after["given"]["width"] == 380 + 2 * 24


@WAYS
@pytest.mark.parametrize(
    ("first", "third"), [((100, 560), (80, 860)), ((80, 560), (100, 860)), ((100, 860), (80, 560))]
)
def test_given_lanes_that_begin_at_different_places_stay_where_they_stand(
    way: str, first: tuple[int, int], third: tuple[int, int]
) -> None:
    document = _pool(way)
    for key, corner in (("one", first), ("three", third)):
        [lane] = [element for element in document["elements"] if element["id"] == key]
        numbers = [*corner, 400, 240] if way == "horizontal" else [*corner[::-1], 240, 400]
        lane["layout"] = {"mode": "absolute", **dict(zip(("x", "y", "width", "height"), numbers, strict=True))}
    places = _drawn(document)
    longer = _edited(document, {"op": "updateElement", "id": "a", "label": "a longer name that makes the step grow"})
    changed = _changed(places, _drawn(longer, places))
    assert changed
    assert not changed.keys() & {"one", "three", "two", "c", "b", "e"}
