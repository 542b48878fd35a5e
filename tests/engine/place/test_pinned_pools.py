"""Pools some of whose content has a place of its own (R-POOL-4)."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

STEPS = ("order", "check", "pay", "pack", "ship")
LANES = {"customer": ("order", "pay"), "sales": ("check",), "store": ("pack", "ship")}
GIVEN = {"order": (200, 90), "check": (360, 220), "pay": (640, 90), "pack": (760, 360), "ship": (900, 360)}


def _scene(way: str, places: dict[str, tuple[int, int]], **pool: Any) -> list[dict[str, Any]]:
    nodes = [{"id": key, "kind": "node", "nodeType": "workflow.task", "label": key} for key in STEPS]
    for node in nodes:
        if node["id"] in places:
            x, y = places[node["id"]]
            node["layout"] = {"mode": "absolute", "x": x, "y": y}  # type: ignore[assignment]
    lanes = [
        {"id": key, "kind": "frame", "containerType": "lane", "title": key, "children": list(row)}
        for key, row in LANES.items()
    ]
    flows = [
        {"id": f"{a}-{b}", "kind": "edge", "from": {"elementId": a}, "to": {"elementId": b}} for a, b in pairwise(STEPS)
    ]
    frame = {"id": "pool", "kind": "frame", "containerType": "pool", "children": list(LANES), "laneDirection": way}
    return [*nodes, *lanes, frame | pool, *flows]


def _assert_tiled(page: Any, way: str, order: tuple[str, ...] = tuple(LANES)) -> None:
    """The lanes follow each other in this order and fill the pool but for its header; all content lies in its lane."""
    side = 1 if way == "horizontal" else 0
    pool, rows = page.box("pool"), [page.box(lane) for lane in order]
    assert rows[0][side] == pool[side]
    assert all(first[side] + first[side + 2] == second[side] for first, second in pairwise(rows))
    assert rows[-1][side] + rows[-1][side + 2] == pool[side] + pool[side + 2]
    assert {(row[1 - side], row[3 - side]) for row in rows} == {(pool[1 - side] + 24, pool[3 - side] - 24)}
    assert all(page.box(lane).contains(page.whole(key)) for lane, row in LANES.items() for key in row)


@pytest.mark.parametrize("way", ["horizontal", "vertical"])
def test_a_node_moved_by_hand_leaves_its_lanes_in_one_pool_and_the_rest_of_its_lane_where_it_was(
    placed: Any, way: str
) -> None:
    free = placed(*_scene(way, {}))
    box = free.box("check")
    step = (0, 60) if way == "horizontal" else (60, 0)
    page = placed(*_scene(way, {"check": (box.x + step[0], box.y + step[1])}))
    _assert_tiled(page, way)
    assert page.box("check")[:2] == (box.x + step[0], box.y + step[1])
    assert [page.box(key) for key in ("order", "pay")] == [free.box(key) for key in ("order", "pay")]


def test_lanes_without_places_tile_their_pool_round_nodes_that_all_have_one(placed: Any) -> None:
    page = placed(*_scene("horizontal", GIVEN))
    _assert_tiled(page, "horizontal")
    assert {key: page.box(key)[:2] for key in STEPS} == GIVEN


def test_lanes_stand_in_the_order_of_the_nodes_that_their_author_placed(placed: Any) -> None:
    page = placed(*_scene("horizontal", {**GIVEN, "check": (360, 520)}))
    _assert_tiled(page, "horizontal", ("customer", "store", "sales"))


def test_half_of_the_nodes_with_places_leave_the_others_in_their_lanes(placed: Any) -> None:
    page = placed(*_scene("horizontal", {key: GIVEN[key] for key in ("order", "check", "pack")}))
    _assert_tiled(page, "horizontal")
    assert page.box("ship").x > page.box("pack").right


def test_a_pool_of_given_box_keeps_it_round_placed_nodes(placed: Any) -> None:
    layout = {"mode": "absolute", "x": 100, "y": 40, "width": 1000, "height": 450}
    page = placed(*_scene("horizontal", GIVEN, layout=layout))
    assert page.box("pool") == (100, 40, 1000, 450)
    _assert_tiled(page, "horizontal")


def test_nodes_placed_across_each_others_lanes_stay_there_and_lanes_still_tile(placed: Any) -> None:
    page = placed(*_scene("horizontal", {**GIVEN, "pay": (640, 360)}))
    rows = sorted((page.box(lane) for lane in LANES), key=lambda box: box.y)
    assert page.box("pay")[:2] == (640, 360)
    assert all(first.bottom == second.y for first, second in pairwise(rows))


def test_what_floats_in_a_lane_keeps_off_a_given_node_that_is_not_of_the_pool(placed: Any) -> None:
    free = placed(*_scene("horizontal", {"order": (200, 90)}))
    x, y = free.box("pay")[:2]
    stranger = {
        "id": "stranger",
        "kind": "node",
        "label": "s",
        "layout": {"mode": "absolute", "x": x - 30, "y": y + 10},
    }
    page = placed(*_scene("horizontal", {"order": (200, 90)}), stranger)
    assert page.box("stranger")[:2] == (x - 30, y + 10)
    assert not [key for key in STEPS if page.whole(key).overlaps(page.whole("stranger"))]
    _assert_tiled(page, "horizontal")


def test_a_given_pool_too_small_for_its_content_keeps_others_off_that_too(placed: Any) -> None:
    given = {"mode": "absolute", "x": 352, "y": 776, "width": 300, "height": 120}
    beside = {"id": "beside", "kind": "node", "label": "b", "layout": {"width": 200, "height": 300}}
    page = placed(*_scene("horizontal", {}, layout=given), beside)
    assert page.box("pool") == (352, 776, 300, 120)
    assert not [key for key in STEPS if page.whole(key).overlaps(page.whole("beside"))]


@pytest.mark.parametrize("way", ["horizontal", "vertical"])
@pytest.mark.parametrize(("first", "second"), [("order", "check"), ("check", "order")])
def test_a_pool_with_a_place_and_no_size_reaches_as_far_as_its_placed_content(
    placed: Any, way: str, first: str, second: str
) -> None:
    upper, lower = ((200, 150), (200, 450)) if way == "horizontal" else ((150, 200), (450, 200))
    rows = _scene(way, {first: upper, second: lower}, layout={"mode": "absolute", "x": 100, "y": 100})
    kept = {"order", "check", "customer", "sales", "pool"}
    rows = [row | {"children": [one for one in row.get("children", ()) if one in kept]} for row in rows]
    page = placed(*(row for row in rows if row["id"] in kept))
    lanes = {"order": "customer", "check": "sales"}
    pool, side = page.box("pool"), 1 if way == "horizontal" else 0
    assert pool[:2] == (100, 100)
    assert (page.box(first)[:2], page.box(second)[:2]) == (upper, lower)
    assert page.box(lanes[first])[side] == 100
    assert page.box(lanes[first])[side] + page.box(lanes[first])[side + 2] == page.box(lanes[second])[side]
    for key, lane in lanes.items():
        assert page.box(lane).contains(page.whole(key))
        assert pool.contains(page.box(lane))


def test_no_lane_of_a_pool_with_a_place_is_empty_where_all_its_content_lies_elsewhere(placed: Any) -> None:
    layout = {"mode": "absolute", "x": 100, "y": 700}
    page = placed(*_scene("horizontal", GIVEN, layout=layout))
    assert all(page.box(lane).height >= 24 for lane in LANES)
    assert page.box("pool").contains(page.box("store"))
