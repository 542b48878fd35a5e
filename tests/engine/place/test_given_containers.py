"""Containers with places by their author, and containers that lose their content, after an edit (R-KEEP-6)."""

from __future__ import annotations

from typing import Any

import pytest
from tests.builders import at, document_of, frame, node

from scenograph.engine.pipeline import lay_out, places_of

Json = dict[str, Any]
Row = dict[str, float]


def node_at(id_: str, x: float, y: float) -> Json:
    return node(id_, layout=at(x, y))


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
        rows = (node_at("n", x, 300), node("m"), node("k"), frame("one", "n", "m", **lane), frame("two", "k", **lane))
        return document_of(*rows, pool, family="workflow")

    old, new = edited(with_n_at(400), with_n_at(392))
    assert changed(old, new) == {"n"}


def test_a_frame_that_grows_round_a_moved_node_pushes_its_neighbour_by_what_lacks() -> None:
    def with_n_at(x: float, y: float) -> Json:
        return document_of(node_at("n", x, y), frame("f", "n"), node("m"), node_at("far", 900, 900))

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
    before = document_of(node("n"), node("m"), box, node("k"))
    old, new = edited(before, document_of(node("m"), {**box, "children": []}, node("k")))
    assert changed(old, new) == set()


def person(id_: str, label: str) -> Json:
    return {"id": id_, "kind": "node", "nodeType": "user", "label": label}


LONGER = "a name with very many more words than it had before, in several lines"


def test_a_longer_label_outside_of_its_element_pushes_a_frame_below_off_it() -> None:
    def named(label: str) -> Json:
        line = {"id": "e", "kind": "edge", "from": {"elementId": "p"}, "to": {"elementId": "n"}}
        return document_of(person("p", label), node("n"), frame("f", "n"), line)

    old, new = edited(named("p"), named(LONGER))
    label = lay_out(named(LONGER)).scene.sizes["p"].outset.bottom
    assert new["p"] == old["p"]
    assert new["f"]["x"] == old["f"]["x"]
    assert new["f"]["y"] >= old["p"]["y"] + old["p"]["height"] + label
    again = places_of(lay_out(named(LONGER), sketch=places_of(lay_out(named("p")))))
    assert places_of(lay_out(named(LONGER), sketch=again))["bounds"] == again["bounds"]


def test_a_longer_label_outside_of_its_element_makes_room_in_its_frame() -> None:
    old, new = edited(document_of(person("p", "p"), frame("f", "p")), document_of(person("p", LONGER), frame("f", "p")))
    label = lay_out(document_of(person("p", LONGER))).scene.sizes["p"].outset.bottom
    assert new["f"]["y"] + new["f"]["height"] >= new["p"]["y"] + new["p"]["height"] + label
    assert new["f"]["width"] > old["f"]["width"]


def test_labels_in_a_picture_of_other_tools_push_nothing() -> None:
    before = document_of(person("p", LONGER), node("n"), {**node("k"), "label": "k"})
    bounds = {"p": (0, 0, 44, 48), "n": (0, 70, 96, 48), "k": (300, 0, 96, 48)}
    places = {
        "bounds": {one: dict(zip(("x", "y", "width", "height"), box, strict=True)) for one, box in bounds.items()}
    }
    first = places_of(lay_out(before, sketch=places))
    assert {one: first["bounds"][one] for one in "pn"} == {
        one: first["bounds"][one] | places["bounds"][one] for one in "pn"
    }
    moved = {**node("k"), "label": "longer than it was"}
    after = places_of(lay_out(document_of(person("p", LONGER), node("n"), moved), sketch=first))["bounds"]
    assert {one: after[one] for one in "pn"} == {one: first["bounds"][one] for one in "pn"}


def test_labels_of_events_on_a_border_are_no_growth_of_their_task() -> None:
    task = {"id": "t", "kind": "node", "nodeType": "workflow.task", "label": "t"}
    event = {"id": "b", "kind": "node", "nodeType": "workflow.timer", "label": "after a day"}
    on = {**event, "attachedTo": {"elementId": "t", "side": "bottom", "offset": 0.5}}
    ends = {"id": "e", "kind": "edge", "from": {"elementId": "b"}, "to": {"elementId": "u"}}
    before = document_of(task, on, {**task, "id": "u"}, ends, family="workflow")
    places = places_of(lay_out(before))
    bounds = {"t": (0, 0, 120, 60), "b": (42, 42, 36, 36), "u": (30, 90, 120, 60)}  # as other tools draw
    places["bounds"] = {one: dict(zip(("x", "y", "width", "height"), box, strict=True)) for one, box in bounds.items()}
    first = places_of(lay_out(before, sketch=places))
    assert places_of(lay_out(before, sketch=first))["bounds"] == first["bounds"]
