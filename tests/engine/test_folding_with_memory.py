"""Folding a frame: what stays visible keeps its order and its gaps, and closes up on the hole (R-VIEW-7)."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from scenograph.engine.pipeline import lay_out, places_of
from scenograph.scene.model import View

LINES = ((0, 1), (0, 2), (1, 3), (2, 4), (3, 5), (4, 6), (5, 7), (6, 8), (7, 9), (8, 10), (9, 11), (10, 12), (2, 7))
FAMILIES = {
    "architecture": "service",
    "network": "network.server",
    "workflow": "flow.task",
    "uiflow": "ui.screen",
    "er": "er.entity",
    "orgchart": "org.person",
}
STRATEGIES = (
    {},
    {"algorithm": "forceDirected"},
    {"algorithm": "forceDirected", "aspectRatio": 0.6},
    {"algorithm": "forceDirected", "aspectRatio": 2},
    {"algorithm": "hierarchical", "aspectRatio": 2, "direction": "RIGHT"},
)
AXES = (("x", "width"), ("y", "height"))
Json = dict[str, Any]


def document(family: str, strategy: dict[str, Any]) -> dict[str, Any]:
    """Thirteen nodes, eight of them in frames, one frame within another."""
    nodes = [{"id": f"n{n}", "kind": "node", "nodeType": FAMILIES[family], "label": f"Part {n}"} for n in range(13)]
    edges = [
        {"id": f"e{a}-{b}", "kind": "edge", "from": {"elementId": f"n{a}"}, "to": {"elementId": f"n{b}"}}
        for a, b in LINES
    ]
    frames = [
        {"id": "one", "kind": "frame", "title": "One", "children": ["n3", "n5", "n7"]},
        {"id": "two", "kind": "frame", "title": "Two", "children": ["n8", "n10", "inner"]},
        {"id": "inner", "kind": "frame", "title": "Inner", "children": ["n12", "n6"]},
    ]
    head = {"schemaVersion": "0.1", "diagramFamily": family, "scene": {"id": "folded", "units": "px", "canvas": {}}}
    return {**head, "layoutStrategy": strategy, "elements": [*nodes, *edges, *frames]}


def bounds(made: Json, sketch: Json | None, *folded: str) -> dict[str, dict[str, float]]:
    return places_of(lay_out(made, sketch=sketch, view=View(collapse=folded)))["bounds"]


def between(first: dict[str, float], second: dict[str, float], at: str, side: str) -> float:
    """The gap from a box to a later one on an axis; negative where they overlap, or stand the other way round."""
    return second[at] - first[at] - first[side]


def siblings(made: Json, there: dict[str, Any]) -> list[tuple[str, str]]:
    homes = {child: one["id"] for one in made["elements"] for child in one.get("children", ())}
    return [(a, b) for a in there for b in there if a != b and homes.get(a) == homes.get(b)]


@pytest.mark.parametrize("strategy", STRATEGIES, ids=str)
@pytest.mark.parametrize("family", FAMILIES)
def test_what_stays_visible_keeps_its_order_and_its_gaps(family: str, strategy: Json) -> None:
    made = document(family, strategy)
    places = places_of(lay_out(made))
    for folded in (["one"], ["two"], ["inner"], ["one", "two"]):
        after = bounds(made, places, *folded)
        for a, b in siblings(made, after):
            for (at, side), (across, breadth) in (AXES, AXES[::-1]):
                was = between(places["bounds"][a], places["bounds"][b], at, side)
                beside = (
                    between(places["bounds"][one], places["bounds"][two], across, breadth)
                    for one, two in ((a, b), (b, a))
                )
                if was >= 0 and all(gap < 0 for gap in beside):
                    least = min(was, 48) - 1 if not {a, b} & {*folded} else 0
                    assert between(after[a], after[b], at, side) >= least, (folded, a, b, at)


def row(*ids: str, frame: str, **layout: Any) -> Json:
    """Boxes one after the other from left to right, and a frame round some of them."""
    nodes = [{"id": one, "kind": "node", "label": one} for one in ids]
    edges = [
        {"id": f"{a}{b}", "kind": "edge", "from": {"elementId": a}, "to": {"elementId": b}} for a, b in pairwise(ids)
    ]
    head = {
        "schemaVersion": "0.1",
        "diagramFamily": "architecture",
        "scene": {"id": "row", "units": "px", "canvas": {}},
    }
    frames = [{"id": "f", "kind": "frame", "title": "F", "children": [*frame]}]
    return {
        **head,
        "layoutStrategy": {"algorithm": "hierarchical", "direction": "LR"},
        "elements": [*nodes, *frames, *edges],
    }


def test_the_hole_of_what_is_folded_closes() -> None:
    made = row(*"abcdegh", frame="cde")
    places = places_of(lay_out(made))
    was, now = places["bounds"], bounds(made, places, "f")
    for first, second in ("ab", "bf", "fg", "gh"):
        gap = between(was[first], was[second], "x", "width")
        assert between(now[first], now[second], "x", "width") == pytest.approx(gap, abs=1)
    lost = was["f"]["width"] - now["f"]["width"]
    assert was["h"]["x"] - was["a"]["x"] - (now["h"]["x"] - now["a"]["x"]) == pytest.approx(lost, abs=1)


def test_a_container_of_a_folded_frame_becomes_smaller_with_it() -> None:
    made = row(*"abcdegh", frame="cde")
    made["elements"].append({"id": "around", "kind": "frame", "title": "Around", "children": ["b", "f"]})
    places = places_of(lay_out(made))
    was, now = places["bounds"], bounds(made, places, "f")
    assert was["around"]["width"] - now["around"]["width"] == pytest.approx(
        was["f"]["width"] - now["f"]["width"], abs=2
    )


def test_what_stands_in_the_strip_stays_in_line_with_the_folded_frame() -> None:
    made = row(*"abc", frame="b")
    made["elements"].append({"id": "over", "kind": "node", "label": "over"})
    places = places_of(lay_out(made))
    rows = {"over": (252, -200), "a": (0, 50), "b": (252, 50), "c": (648, 50)}
    boxes = {one: {"x": x, "y": y, "width": 96, "height": 48} for one, (x, y) in rows.items()}
    places["bounds"] = {**boxes, "f": {"x": 150, "y": 0, "width": 300, "height": 150}}
    now = bounds(made, places, "f")
    middles = {one: now[one]["x"] + now[one]["width"] / 2 for one in now}
    assert middles["over"] == pytest.approx(middles["f"], abs=1)
    assert now["c"]["x"] - now["a"]["x"] < 648


def test_what_a_third_box_holds_apart_stays() -> None:
    made = row(*"abc", frame="b")
    made["elements"].append({"id": "wide", "kind": "node", "label": "wide"})
    places = places_of(lay_out(made))
    boxes = {
        "a": (0, 0, 100, 400),
        "f": (148, 0, 300, 150),
        "b": (160, 40, 96, 48),
        "wide": (148, 198, 300, 60),
        "c": (496, 0, 100, 400),
    }
    places["bounds"] = {one: dict(zip(("x", "y", "width", "height"), box, strict=True)) for one, box in boxes.items()}
    for one in made["elements"]:
        if one["id"] in ("a", "c", "wide"):
            one["layout"] = {
                "width": places["bounds"][one["id"]]["width"],
                "height": places["bounds"][one["id"]]["height"],
            }
    now = bounds(made, places, "f")
    assert [now[one]["x"] for one in ("a", "wide", "c")] == [0, 148, 496]


def test_given_places_close_up_too_and_come_back_when_the_frame_unfolds() -> None:
    made = row(*"abc", frame="b")
    x = {"a": 0, "b": 300, "c": 700}
    for one in made["elements"]:
        if one["id"] in x:
            one["layout"] = {"mode": "absolute", "x": x[one["id"]], "y": 0}
        if one["kind"] == "frame":
            one["layout"] = {"mode": "absolute", "x": 200, "y": -100, "width": 400, "height": 300}
    places = places_of(lay_out(made))
    now = bounds(made, places, "f")
    assert now["a"]["x"] < now["f"]["x"] < now["c"]["x"]
    assert now["f"]["width"] < 200
    assert now["c"]["x"] - now["a"]["x"] < 600
    assert bounds(made, places) == places["bounds"]


def test_a_picture_without_former_places_is_folded_in_the_order_of_the_whole() -> None:
    made = document("architecture", {})
    assert bounds(made, None, "two") == bounds(made, places_of(lay_out(made)), "two")


def test_lanes_close_up_on_a_frame_folded_in_one_of_them() -> None:
    made = row(*"abcdegh", frame="cde")
    made["diagramFamily"] = "workflow"
    made["elements"] += [
        {"id": "pool", "kind": "frame", "containerType": "pool", "title": "Pool", "children": ["one", "two"]},
        {"id": "one", "kind": "frame", "containerType": "lane", "title": "One", "children": ["a", "b", "f"]},
        {"id": "two", "kind": "frame", "containerType": "lane", "title": "Two", "children": ["g", "h"]},
    ]
    places = places_of(lay_out(made))
    was, now = places["bounds"], bounds(made, places, "f")
    assert now["pool"]["width"] < was["pool"]["width"]
    assert now["one"]["y"] + now["one"]["height"] == now["two"]["y"]
    assert now["two"]["y"] + now["two"]["height"] == now["pool"]["y"] + now["pool"]["height"]
    assert now["b"]["x"] < now["f"]["x"] < now["g"]["x"]


@pytest.mark.parametrize(("direction", "at", "side"), [("horizontal", "y", "height"), ("vertical", "x", "width")])
def test_a_folded_lane_is_a_narrow_lane_between_the_others(direction: str, at: str, side: str) -> None:
    made = row(*"abcd", frame="")
    made["diagramFamily"], made["layoutStrategy"] = "workflow", {"algorithm": "flow"}
    lanes = {"one": "a", "two": "bc", "three": "d"}
    made["elements"] += [
        {"id": one, "kind": "frame", "containerType": "lane", "title": one.title(), "children": [*held]}
        for one, held in lanes.items()
    ]
    pool = {"id": "pool", "kind": "frame", "containerType": "pool", "children": [*lanes], "laneDirection": direction}
    made["elements"].append(pool)
    places = places_of(lay_out(made))
    was, now = places["bounds"], bounds(made, places, "two")
    assert now["two"][side] < was["two"][side]
    assert [now[one][side] for one in ("one", "three")] == [was[one][side] for one in ("one", "three")]
    for first, second in (("one", "two"), ("two", "three")):
        assert between(now[first], now[second], at, side) == 0
    shown = lay_out(made, sketch=places, view=View(collapse=("two",))).scene.scene
    assert next(getattr(one, "title", "") for one in shown.elements if one.id == "two") == "Two\n2 elements"


def test_lines_that_folding_makes_have_no_remarks() -> None:
    nodes = [{"id": one, "kind": "node", "label": one} for one in "abcxyz"]
    edges = [
        {"id": a + b, "kind": "edge", "from": {"elementId": a}, "to": {"elementId": b}, "label": "writes"}
        for a, b in zip("abc", "xyz", strict=True)
    ]
    head = {
        "schemaVersion": "0.1",
        "diagramFamily": "architecture",
        "scene": {"id": "fan", "units": "px", "canvas": {}},
    }
    made = {
        **head,
        "elements": [*nodes, {"id": "f", "kind": "frame", "title": "F", "children": ["x", "y", "z"]}, *edges],
    }
    assert [one.code for one in lay_out(made, view=View(collapse=("f",))).diagnostics] == []
