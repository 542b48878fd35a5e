"""Sequence and organisation charts after an edit: participants and cards keep their places and widths (R-KEEP-6)."""

from __future__ import annotations

from typing import Any

import pytest

from scenograph.engine.pipeline import lay_out, places_of

Json = dict[str, Any]
Row = dict[str, float]


def scene(family: str, *elements: Json) -> Json:
    head = {"id": "s", "units": "px", "canvas": {"width": 1200, "height": 800}}
    return {"schemaVersion": "0.1", "diagramFamily": family, "scene": head, "elements": [*elements]}


def lifeline(id_: str, **more: Any) -> Json:
    return {"id": id_, "kind": "node", "nodeType": "sequence.lifeline", "label": id_.upper(), **more}


def message(source: str, target: str, label: str = "calls") -> Json:
    ends = {"from": {"elementId": source}, "to": {"elementId": target}}
    return {"id": f"{source}-{target}-{label}", "kind": "edge", "edgeType": "sequence.sync", "label": label, **ends}


def chart(*more: Json, participants: str = "abcd") -> Json:
    between = [message(*pair) for pair in zip("abc", "bcd", strict=True) if {*pair} <= {*participants}]
    return scene("sequence", *map(lifeline, participants), *between, *more)


def before_and_after(before: Json, after: Json) -> tuple[dict[str, Row], dict[str, Row]]:
    places = places_of(lay_out(before))
    return places["bounds"], places_of(lay_out(after, sketch=places))["bounds"]


@pytest.mark.parametrize(
    "after", [chart(message("d", "a")), chart(message("b", "b", "checks")), chart(participants="abd")]
)
def test_no_head_moves_by_a_message_or_for_a_participant_that_is_gone(after: Json) -> None:
    old, new = before_and_after(chart(), after)
    assert {one: new[one] for one in new} == {one: old[one] for one in new}


@pytest.mark.parametrize("order", ["xabcd", "axbcd", "abcxd", "abcdx"])
def test_what_stands_left_of_a_new_participant_stays_and_the_rest_keeps_its_distances(order: str) -> None:
    old, new = before_and_after(chart(), chart(participants=order))
    steps = {one: new[one]["x"] - old[one]["x"] for one in "abcd"}
    left, right = order.split("x")
    assert all(steps[one] == 0 for one in (left or right))
    assert len({steps[one] for one in right}) <= 1
    assert all(new[one]["y"] == old[one]["y"] for one in "abcd")


def test_a_head_that_a_person_moves_leaves_all_others_where_they_are() -> None:
    places = places_of(lay_out(chart()))
    for dx, dy in ((12, 0), (-20, 0), (0, -60)):
        box = places["bounds"]["b"]
        given = {"mode": "absolute", "x": box["x"] + dx, "y": box["y"] + dy}
        rows = [{**one, "layout": given} if one["id"] == "b" else one for one in chart()["elements"]]
        new = places_of(lay_out({**chart(), "elements": rows}, sketch=places))["bounds"]
        assert {one: new[one] for one in "acd"} == {one: places["bounds"][one] for one in "acd"}


def test_a_long_message_moves_what_stands_right_of_it_only() -> None:
    longer = message("b", "c", "asks for a thing that nobody has ever asked for before")
    bare = {"id": "s", "units": "px", "canvas": {}}
    old, new = before_and_after({**chart(), "scene": bare}, {**chart(longer), "scene": bare})
    assert (new["a"], new["b"]) == (old["a"], old["b"])
    assert new["c"]["x"] - old["c"]["x"] == new["d"]["x"] - old["d"]["x"] > 0


def test_reports_keep_the_width_of_the_widest_when_that_is_gone() -> None:
    names = {"m": "Manager", "a": "Ann", "b": "Bob", "w": "Somebody with a very long name"}
    cards = [{"id": one, "kind": "node", "nodeType": "org.person", "label": name} for one, name in names.items()]
    lines = [
        {
            "id": f"m{one}",
            "kind": "edge",
            "from": {"elementId": one},
            "to": {"elementId": "m"},
            "edgeType": "org.reportsTo",
        }
        for one in "abw"
    ]
    old, new = before_and_after(scene("orgchart", *cards, *lines), scene("orgchart", *cards[:3], *lines[:2]))
    assert old["a"]["width"] == old["w"]["width"]
    assert {one: new[one] for one in "mab"} == {one: old[one] for one in "mab"}
