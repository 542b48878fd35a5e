"""Containers with places by their author, and containers that lose their content, after an edit (R-KEEP-6)."""

from __future__ import annotations

from typing import Any

import pytest

from scenograph.engine.pipeline import lay_out, places_of

Json = dict[str, Any]
Row = dict[str, float]


def scene(*elements: Json, family: str = "architecture") -> Json:
    head = {"id": "s", "units": "px", "canvas": {}}
    return {"schemaVersion": "0.1", "diagramFamily": family, "scene": head, "elements": [*elements]}


def node(id_: str, **layout: Any) -> Json:
    return {"id": id_, "kind": "node", "label": id_, **({"layout": layout} if layout else {})}


def at(id_: str, x: float, y: float) -> Json:
    return node(id_, mode="absolute", x=x, y=y)


def frame(id_: str, *children: str, **more: Any) -> Json:
    return {"id": id_, "kind": "frame", "title": id_, "children": [*children], **more}


def edited(before: Json, after: Json) -> tuple[dict[str, Row], dict[str, Row]]:
    places = places_of(lay_out(before))
    return places["bounds"], places_of(lay_out(after, sketch=places))["bounds"]


def changed(old: dict[str, Row], new: dict[str, Row]) -> set[str]:
    return {one for one in new if new[one] != old.get(one)}


@pytest.mark.parametrize("direction", ["horizontal", "vertical"])
def test_a_pool_given_too_small_holds_no_more_by_an_edit_inside(direction: str) -> None:
    given = {"mode": "absolute", "x": 0, "y": 0, "width": 200, "height": 110}
    lane = {"containerType": "lane"}
    pool = frame("pool", "one", "two", containerType="pool", laneDirection=direction, layout=given)

    def with_n_at(x: float) -> Json:
        rows = (at("n", x, 300), node("m"), node("k"), frame("one", "n", "m", **lane), frame("two", "k", **lane))
        return scene(*rows, pool, family="workflow")

    old, new = edited(with_n_at(400), with_n_at(392))
    assert changed(old, new) == {"n"}


def test_a_frame_that_grows_round_a_moved_node_pushes_its_neighbour_by_what_lacks() -> None:
    def with_n_at(x: float, y: float) -> Json:
        return scene(at("n", x, y), frame("f", "n"), node("m"), at("far", 900, 900))

    before = with_n_at(0, 0)
    places = places_of(lay_out(before))
    places["bounds"]["m"] |= {"x": 200, "y": 140}
    new = places_of(lay_out(with_n_at(150, 100), sketch=places))["bounds"]
    assert new["f"]["x"] == places["bounds"]["f"]["x"]
    assert new["m"]["x"] == 200
    assert new["m"]["y"] == new["f"]["y"] + new["f"]["height"] + 48


@pytest.mark.parametrize("kind", ["frame", "group"])
def test_a_container_that_loses_its_last_element_keeps_its_size_and_moves_nothing(kind: str) -> None:
    box = {**frame("f", "n"), "kind": kind}
    before = scene(node("n"), node("m"), box, node("k"))
    old, new = edited(before, scene(node("m"), {**box, "children": []}, node("k")))
    assert changed(old, new) == set()
