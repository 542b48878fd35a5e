"""Pools of a picture that was drawn before: those beside each other stay so; a low one shows its title level."""

from __future__ import annotations

from typing import Any

import pytest
from tests.builders import container, document_of, task

from scenograph.engine.pipeline import lay_out, places_of

Json = dict[str, Any]


def office(id_: str, *children: str, **members: Any) -> Json:
    return container(id_, "pool", *children, title=f"The office of {id_}") | members


def placement(places: dict[str, tuple[float, ...]], *elements: Json) -> Any:
    bounds = {key: dict(zip(("x", "y", "width", "height"), box, strict=True)) for key, box in places.items()}
    return lay_out(document_of(*elements, family="workflow"), sketch={"bounds": bounds}).scene.placement


BESIDE = {"p": (0, 0, 300, 200), "a": (100, 60, 100, 60), "q": (400, 20, 300, 200), "b": (520, 80, 100, 60)}


@pytest.mark.parametrize("upright", [False, True])
def test_pools_that_stood_beside_each_other_stay_there(upright: bool) -> None:
    direction = {"laneDirection": "vertical"} if upright else {}
    places = {key: (y, x, *size) for key, (x, y, *size) in BESIDE.items()} if upright else BESIDE
    found = placement(places, office("p", "a", **direction), office("q", "b", **direction), task("a"), task("b"))
    for key, (x, y, *_) in places.items():
        assert (found.boxes[key].x, found.boxes[key].y) == (x, y)


def test_pools_above_each_other_keep_the_lengths_that_they_had() -> None:
    places = {"p": (0, 0, 300, 200), "a": (100, 60, 100, 60), "q": (0, 240, 500, 200), "b": (120, 300, 100, 60)}
    boxes = placement(places, office("p", "a"), office("q", "b"), task("a"), task("b")).boxes
    assert (boxes["p"].width, boxes["q"].width) == (300, 500)


def test_a_pool_of_a_stack_that_grows_pushes_the_one_below_it_and_no_more() -> None:
    places = {"p": (0, 0, 300, 200), "a": (100, 60, 100, 60), "q": (0, 240, 300, 200), "b": (120, 300, 100, 60)}
    boxes = placement(
        places, office("p", "a"), office("q", "b"), {**task("a"), "layout": {"height": 160}}, task("b")
    ).boxes
    assert boxes["q"].y == 240 + boxes["p"].bottom - 200
    assert boxes["b"].y - boxes["q"].y == 60


def test_a_low_pool_without_content_shows_its_title_level_where_it_would_not_fit_turned() -> None:
    places = {"p": (0, 0, 600, 60), "q": (0, 100, 600, 200), "b": (120, 140, 100, 60)}
    found = placement(places, office("p"), office("q", "b"), task("b"))
    title, box = found.part("p", "title"), found.boxes["p"]
    assert found.part("p", "header") is None
    assert box.contains(title)
    assert title.width > title.height
    assert found.part("q", "header") is not None


def test_a_pool_without_content_that_is_high_enough_keeps_its_header() -> None:
    found = placement({"p": (0, 0, 600, 200), "b": (120, 340, 100, 60)}, office("p"), task("b"))
    assert found.part("p", "header").width == 24


@pytest.mark.parametrize("upright", [False, True])
def test_lanes_in_the_order_of_given_places_stay_in_this_order(upright: bool) -> None:
    direction = {"laneDirection": "vertical" if upright else "horizontal"}
    along = "x" if upright else "y"
    given = {"mode": "absolute", "x": 400, "y": 400}
    low, high = (task(key) | {"layout": given | {along: at}} for key, at in (("a", 700), ("b", 300)))
    lanes = [office("one", "a", containerType="lane"), office("two", "b", containerType="lane")]
    scene = {"id": "s", "units": "px", "canvas": {}}
    rows = [low, high, *lanes, office("p", "one", "two", **direction), office("q", **direction)]
    document = {"schemaVersion": "0.1", "diagramFamily": "workflow", "scene": scene, "elements": rows}
    places = places_of(lay_out(document))
    assert places["bounds"]["two"][along] < places["bounds"]["one"][along]
    assert places_of(lay_out(document, sketch=places)) == places


def test_lanes_that_stood_stay_in_their_order_when_a_person_moves_what_is_in_one() -> None:
    scene = {"id": "s", "units": "px", "canvas": {}}
    lanes = [office("one", "a", "c", containerType="lane"), office("two", "b", containerType="lane")]
    given = {"mode": "absolute", "x": 0, "y": 0}
    beyond = task("b") | {"layout": given | {"x": 300, "y": -400}}
    pool = office("p", "one", "two", layout=given | {"width": 600, "height": 400})
    rows = [task("a"), beyond, task("c"), *lanes, pool]
    document = {"schemaVersion": "0.1", "diagramFamily": "workflow", "scene": scene, "elements": rows}
    before = places_of(lay_out(document))
    corner = before["bounds"]["a"]
    rows[0] = task("a") | {"layout": given | {"x": corner["x"] + 10, "y": corner["y"]}}
    after = places_of(lay_out(document, sketch=before))
    assert before["bounds"]["one"]["y"] < before["bounds"]["two"]["y"]
    assert {key: after["bounds"][key] for key in ("b", "one", "two")} == {
        key: before["bounds"][key] for key in ("b", "one", "two")
    }
    assert places_of(lay_out(document, sketch=after)) == after


def test_a_lane_of_given_place_stays_as_narrow_as_its_content_made_it() -> None:
    given = {"mode": "absolute", "x": -82, "y": 24}
    lane = office("l", "a", containerType="lane", layout=given, title="")
    wall = {"id": "a", "kind": "node", "nodeType": "network.firewall"}
    scene = {"id": "s", "units": "px", "canvas": {}}
    document = {"schemaVersion": "0.1", "diagramFamily": "network", "scene": scene, "elements": [wall, lane]}
    places = places_of(lay_out(document))
    assert places["bounds"]["l"]["width"] < 120
    assert places_of(lay_out(document, sketch=places)) == places


LONG = "Department of planning and customer care"
STOOD = {
    "p": (0, 0, 300, 120),
    "l": (24, 0, 276, 120),
    "a": (60, 40, 100, 60),
    "q": (0, 160, 300, 120),
    "m": (24, 160, 276, 120),
    "b": (60, 200, 100, 60),
}


def test_a_pool_without_content_shows_a_title_of_two_lines_level() -> None:
    found = placement({"p": (0, 0, 600, 120)}, office("p", title="Team\nof two lines"))
    title, box = found.part("p", "title"), found.boxes["p"]
    assert title.width > title.height
    assert box.contains(title)


def renamed(**titles: str) -> Any:
    lanes = [office(key, child, containerType="lane") for key, child in (("l", "a"), ("m", "b"))]
    elements = [office("p", "l"), office("q", "m"), *lanes, task("a"), task("b")]
    named = [one | {"title": titles.get(one["id"], "Shop")} if "title" in one else one for one in elements]
    return placement(STOOD, *named)


@pytest.mark.parametrize("one", ["p", "m"])
def test_pools_and_lanes_that_stood_keep_their_boxes_whatever_their_titles(one: str) -> None:
    assert renamed(**{one: LONG}).boxes == renamed().boxes


def test_a_new_pool_has_room_for_its_title_and_a_pool_that_is_emptied_asks_for_none() -> None:
    stood = {key: box for key, box in STOOD.items() if key in "pla"}
    lanes = [office(key, child, containerType="lane", title="Shop") for key, child in (("l", "a"), ("m", "b"))]
    found = placement(stood, office("p", "l", title="Shop"), office("q", "m", title=LONG), *lanes, task("a"), task("b"))
    assert found.boxes["q"].contains(found.part("q", "title"))
    boxes = {"p": (0, 0, 240, 327), "q": (300, 0, 300, 200), "b": (400, 80, 100, 60)}
    emptied = placement(boxes, office("p", title=LONG), office("q", "b", title="Shop"), task("b"))
    assert (emptied.boxes["p"].width, emptied.boxes["q"].x) == (240, 300)
