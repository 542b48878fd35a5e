"""Lanes without a place beside lanes that have one (R-POOL-4)."""

from __future__ import annotations

from typing import Any

import pytest

SMALL = {"width": 60, "height": 60}


def _turned(box: tuple[float, ...], upright: bool) -> tuple[float, ...]:
    x, y, width, height = box
    return (y, x, height, width) if upright else (x, y, width, height)


def _at(box: tuple[float, ...], upright: bool) -> dict[str, Any]:
    return {"mode": "absolute", **dict(zip(("x", "y", "width", "height"), _turned(box, upright), strict=True))}


def _scene(
    boxes: dict[str, tuple[float, ...]], lanes: str, *, upright: bool = False, **layouts: Any
) -> list[dict[str, Any]]:
    """A pool `p` with lanes of one letter, a task in each, named by the letter twice; `boxes` are given."""
    frames = [("p", "pool", list(lanes)), *((lane, "lane", [lane * 2]) for lane in lanes)]
    rows = [{"id": key, "kind": "frame", "containerType": kind, "children": children} for key, kind, children in frames]
    rows[0]["laneDirection"] = "vertical" if upright else "horizontal"
    rows += [
        {
            "id": lane * 2,
            "kind": "node",
            "nodeType": "workflow.task",
            "label": lane,
            "layout": SMALL | layouts.get(lane, {}),
        }
        for lane in lanes
    ]
    return [row | ({"layout": _at(boxes[row["id"]], upright)} if row["id"] in boxes else {}) for row in rows]


@pytest.mark.parametrize("upright", [False, True])
@pytest.mark.parametrize(
    ("lanes", "given", "expected"),
    [
        ("lm", {"l": (64, 40, 576, 200)}, {"m": (64, 240, 576, 100)}),
        ("ml", {"l": (64, 140, 576, 200)}, {"m": (64, 40, 576, 100)}),
        ("lm", {"l": (64, 40, 576, 60)}, {"m": (64, 100, 576, 240)}),
        (
            "lmno",
            {"l": (64, 40, 576, 100), "o": (64, 300, 576, 40)},
            {"m": (64, 140, 576, 80), "n": (64, 220, 576, 80)},
        ),
        ("mlo", {"l": (64, 140, 576, 100)}, {"m": (64, 40, 576, 100), "o": (64, 240, 576, 100)}),
    ],
)
def test_the_other_lanes_share_what_the_given_ones_leave_of_their_pool(
    placed: Any, upright: bool, lanes: str, given: dict[str, Any], expected: dict[str, Any]
) -> None:
    page = placed(*_scene({"p": (40, 40, 600, 300)} | given, lanes, upright=upright), diagramFamily="workflow")
    for lane, box in ({"p": (40, 40, 600, 300)} | given | expected).items():
        assert page.box(lane) == pytest.approx(_turned(box, upright))
    for lane in expected:
        assert page.box(lane).contains(page.box(lane * 2))


def test_a_lane_added_to_a_full_pool_stands_after_its_last_one(placed: Any) -> None:
    boxes = {"p": (40, 40, 600, 300), "l": (64, 40, 576, 150), "n": (64, 190, 576, 150)}
    page = placed(*_scene(boxes, "lmn"), diagramFamily="workflow")
    added = page.box("m")
    assert (added.x, added.y, added.width) == (64, 340, 576)
    assert added.contains(page.whole("mm"))


def test_a_pool_that_is_not_given_reaches_round_given_and_added_lanes(placed: Any) -> None:
    page = placed(*_scene({"l": (64, 40, 576, 200)}, "lm"), diagramFamily="workflow")
    assert page.box("l") == (64, 40, 576, 200)
    assert page.box("m")[:3] == (64, 240, 576)
    assert all(page.box("p").contains(page.box(lane)) for lane in "lm")
    assert page.box("m").contains(page.whole("mm"))


def test_an_added_lane_is_set_round_what_has_its_place_in_it(placed: Any) -> None:
    task = {"mode": "absolute", "x": 300, "y": 330}
    page = placed(*_scene({"l": (64, 40, 576, 200)}, "lm", m=task), diagramFamily="workflow")
    assert page.box("mm")[:2] == (300, 330)
    assert page.box("m").y == 240
    assert page.box("m").contains(page.whole("mm"))
    assert page.box("p").contains(page.box("m"))


def test_a_lane_is_not_squeezed_between_given_ones_of_a_pool_that_is_open(placed: Any) -> None:
    page = placed(*_scene({"l": (64, 40, 576, 100), "n": (64, 200, 576, 100)}, "lmn"), diagramFamily="workflow")
    assert page.box("m").y == 300
    assert page.box("m").contains(page.whole("mm"))
