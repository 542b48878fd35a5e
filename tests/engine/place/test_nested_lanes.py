"""Lanes in lanes, and lanes of subprocesses, tile what holds them. (R-POOL-6)"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.builders import container, document_of, flow, task

from scenograph.engine.geometry.boxes import Box
from scenograph.engine.pipeline import lay_out, normalize, places_of

Json = dict[str, Any]
HEADER = 24


def workflow(*elements: Json) -> Json:
    return document_of(*elements, family="workflow")


BANK = (
    *(task(one) for one in "abcd"),
    *(container("desk", "lane", "a"), container("score", "lane", "b"), container("look", "lane", "c", "d")),
    *(container("risk", "lane", "score", "look"), flow("a", "b"), flow("b", "c"), flow("c", "d")),
)
POOL = container("bank", "pool", "desk", "risk")


def tiles(boxes: dict[str, Box], rows: list[Json], *, upright: bool = False) -> None:
    """Assert that lanes fill what they divide, after its header, one after the other without a gap."""
    kinds = {row["id"]: row.get("containerType") for row in rows}
    turned = {one: box.transposed if upright else box for one, box in boxes.items()}
    for row in rows:
        children = row.get("children", ())
        lanes = sorted((turned[one] for one in children if kinds[one] == "lane"), key=lambda box: box.y)
        whole = turned[row["id"]] if lanes else None
        if whole is None:
            continue
        assert {lane.x for lane in lanes} == {whole.x + HEADER}
        assert {lane.right for lane in lanes} == {whole.right}
        assert lanes[-1].bottom == whole.bottom
        assert all(one.bottom == other.y for one, other in pairwise(lanes))
        if len(lanes) == len(children):
            assert lanes[0].y == whole.y
    for row in rows:
        for child in row.get("children", ()):
            assert boxes[row["id"]].contains(boxes[child]), (row["id"], child)


@pytest.mark.parametrize("direction", ["horizontal", "vertical"])
def test_lanes_of_a_lane_tile_it_as_lanes_tile_a_pool(direction: str) -> None:
    rows = [*BANK, {**POOL, "laneDirection": direction}]
    tiles(dict(lay_out(workflow(*rows)).scene.placement.boxes), rows, upright=direction == "vertical")


def test_the_title_of_a_divided_lane_stands_in_a_header_beside_its_lanes() -> None:
    placement = lay_out(workflow(*BANK, POOL)).scene.placement
    header = placement.part("risk", "header")
    assert header == Box(placement.boxes["risk"].x, placement.boxes["risk"].y, HEADER, placement.boxes["risk"].height)


def test_lanes_of_a_subprocess_tile_it_and_it_stands_among_the_other_steps() -> None:
    sub = container("sub", "subprocess", "desk", "risk")
    rows = [*BANK, sub, task("x"), task("y"), flow("x", "sub"), flow("sub", "y")]
    boxes = dict(lay_out(workflow(*rows)).scene.placement.boxes)
    tiles(boxes, rows)
    assert boxes["x"].right < boxes["sub"].x < boxes["sub"].right < boxes["y"].x


def test_an_event_on_the_border_of_a_divided_subprocess_has_room() -> None:
    event = task("t", nodeType="workflow.timerCatch", attachedTo={"elementId": "sub"})
    around = container("sub", "subprocess", "desk", "risk"), container("l", "lane", "sub"), container("p", "pool", "l")
    rows = [*BANK, *around, event]
    boxes = dict(lay_out(workflow(*rows)).scene.placement.boxes)
    tiles(boxes, rows)
    assert boxes["t"].center.y == boxes["sub"].bottom
    assert boxes["l"].contains(boxes["t"])


def test_what_stands_in_a_lane_beside_its_lanes_has_a_band_of_its_own() -> None:
    rows = [*BANK, task("e"), POOL]
    rows = [{**row, "children": [*row["children"], "e"]} if row["id"] == "risk" else row for row in rows]
    boxes = dict(lay_out(workflow(*rows)).scene.placement.boxes)
    tiles(boxes, rows)
    assert boxes["e"].bottom <= boxes["score"].y


def test_an_edit_keeps_them_tiling_and_moves_nothing_else() -> None:
    rows = [*BANK, POOL]
    first = lay_out(workflow(*rows))
    assert lay_out(workflow(*rows), sketch=places_of(first)).scene.placement.boxes == first.scene.placement.boxes
    grown = [{**row, "children": [*row["children"], "more"]} if row["id"] == "risk" else row for row in rows]
    edited = [*grown, container("more", "lane", "e"), task("e")]
    boxes = dict(lay_out(workflow(*edited), sketch=places_of(first)).scene.placement.boxes)
    tiles(boxes, edited)
    assert all(boxes[one] == first.scene.placement.boxes[one] for one in "abcd")


def test_one_step_that_a_person_moved_keeps_its_place_and_lanes_still_tile() -> None:
    first = lay_out(workflow(*BANK, POOL))
    box = first.scene.placement.boxes["c"]
    placed = {"mode": "absolute", "x": box.x + 40, "y": box.y + 90}
    rows = [{**row, "layout": placed} if row["id"] == "c" else row for row in (*BANK, POOL)]
    for boxes in (
        dict(lay_out(workflow(*rows)).scene.placement.boxes),
        dict(lay_out(workflow(*rows), sketch=places_of(first)).scene.placement.boxes),
    ):
        tiles(boxes, rows)
        assert (boxes["c"].x, boxes["c"].y) == (placed["x"], placed["y"])


def test_normalizing_again_moves_nothing() -> None:
    first = normalize(workflow(*BANK, POOL))[0]
    assert normalize(first)[0]["computed"]["bounds"] == first["computed"]["bounds"]


nests = st.recursive(st.integers(0, 2), lambda inner: st.lists(inner, min_size=1, max_size=3), max_leaves=7)


@given(st.lists(nests, min_size=1, max_size=3), st.booleans())
def test_whatever_lanes_hold_they_tile(nest: list[Any], upright: bool) -> None:
    rows: list[Json] = []

    def lane(shape: Any) -> str:
        key = f"l{len(rows)}"
        rows.append({})
        at = len(rows) - 1
        if isinstance(shape, list):
            rows[at] = container(key, "lane", *(lane(one) for one in shape))
        else:
            inside = [f"{key}t{number}" for number in range(shape)]
            rows[at] = container(key, "lane", *inside)
            rows.extend(task(one) for one in inside)
        return key

    pool = container("p", "pool", *(lane(one) for one in nest), laneDirection="vertical" if upright else "horizontal")
    rows = [*rows, pool]
    first = lay_out(workflow(*rows))
    tiles(dict(first.scene.placement.boxes), rows, upright=upright)
    again = lay_out(workflow(*rows, task("new")), sketch=places_of(first)).scene.placement.boxes
    tiles(dict(again), rows, upright=upright)
