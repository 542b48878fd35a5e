"""Pools that stand in pools and in lanes: what they hold is placed as anywhere else."""

from __future__ import annotations

from itertools import combinations, pairwise
from typing import Any

import pytest
from tests.builders import container, edge, task

from scenograph.engine.pipeline import render_svg

NESTS = {
    "pool": [container("in", "pool", "a", "b"), container("out", "pool", "in")],
    "lanes": [container("l", "lane", "a"), container("m", "lane", "b"), container("in", "pool", "l", "m"),
              container("out", "pool", "in")],
    "upright": [container("in", "pool", "a", "b", laneDirection="vertical"), container("out", "pool", "in")],
    "lane": [container("in", "pool", "a", "b"), container("l", "lane", "in"), container("out", "pool", "l")],
    "two": [container("in", "pool", "a"), container("in2", "pool", "b"), container("l", "lane", "in", "in2"),
            container("m", "lane"), container("out", "pool", "l", "m")],
    "beside": [container("in", "pool", "a"), container("l", "lane", "b"), container("out", "pool", "in", "l")],
    "frame": [container("in", "pool", "a", "b"), container("g", "generic", "in"), container("out", "pool", "g")],
    "three": [container("in", "pool", "a"), container("mid", "pool", "in", "b"), container("out", "pool", "mid")],
}  # fmt: skip
PLACES = {
    "nowhere": {},
    "a": {"a": (300, 260)},
    "both": {"a": (300, 260), "b": (520, 420)},
    "in": {"in": (240, 200)},
    "out": {"out": (40, 60)},
    "stranger": {"s": (700, 90)},
}


def scene(nest: str, places: str) -> list[dict[str, Any]]:
    rows = [task("a"), task("b"), task("s"), *NESTS[nest], edge("s", "a"), edge("a", "b")]
    for row in rows:
        if row["id"] in PLACES[places]:
            x, y = PLACES[places][row["id"]]
            row = row.copy()  # noqa: PLW2901 (the table stays as it is)
            row["layout"] = {"mode": "absolute", "x": x, "y": y}
            rows = [row if one["id"] == row["id"] else one for one in rows]
    return rows


@pytest.mark.parametrize("places", PLACES)
@pytest.mark.parametrize("nest", NESTS)
def test_whatever_stands_in_a_nested_pool_is_placed(placed: Any, nest: str, places: str) -> None:
    rows = scene(nest, places)
    page = placed(*rows, diagramFamily="workflow")
    assert set(page.placement.boxes) == {row["id"] for row in rows if row["kind"] != "edge"}
    for key, corner in PLACES[places].items():
        assert page.box(key)[:2] == corner


@pytest.mark.parametrize("places", ["nowhere", "a", "both", "stranger"])
@pytest.mark.parametrize("nest", NESTS)
def test_nested_pools_hold_their_content_and_nodes_stand_apart(placed: Any, nest: str, places: str) -> None:
    page = placed(*scene(nest, places), diagramFamily="workflow")
    for row in NESTS[nest]:
        assert all(page.box(row["id"]).grown(0.02).contains(page.box(child)) for child in row["children"])
    assert not [pair for pair in combinations("abs", 2) if page.whole(pair[0]).overlaps(page.whole(pair[1]))]


def test_lanes_of_a_nested_pool_tile_it(placed: Any) -> None:
    page = placed(*scene("lanes", "nowhere"), diagramFamily="workflow")
    pool, lanes = page.box("in"), [page.box("l"), page.box("m")]
    assert lanes[0].y == pool.y
    assert all(first.bottom == second.y for first, second in pairwise(lanes))
    assert lanes[1].bottom == pool.bottom
    assert {(lane.x, lane.right) for lane in lanes} == {(pool.x + 24, pool.right)}


def test_a_nested_pool_is_drawn_with_all_it_holds() -> None:
    document = {
        "schemaVersion": "0.1",
        "diagramFamily": "workflow",
        "scene": {"id": "nest", "units": "px", "canvas": {}},
        "elements": scene("pool", "nowhere"),
    }
    drawn = render_svg(document).content
    assert all(f'data-element-id="{key}"' in drawn for key in ("a", "b", "in", "out", "s-a"))


def test_a_sequence_chart_places_a_pool_of_lifelines_that_also_has_lanes(placed: Any) -> None:
    lifelines = [{"id": key, "kind": "node", "nodeType": "sequence.lifeline", "label": key} for key in ("a", "b")]
    rows = [container("l", "lane"), container("m", "lane", "b"), container("p", "pool", "a", "l", "m")]
    page = placed(*lifelines, *rows, edge("a", "b"), diagramFamily="sequence")
    assert set(page.placement.boxes) == {"a", "b", "l", "m", "p"}
    assert page.placement.part("p", "header") is not None
