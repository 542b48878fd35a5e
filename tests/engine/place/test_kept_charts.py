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


def service(id_: str) -> Json:
    return {"id": id_, "kind": "node", "nodeType": "service", "label": id_}


def box(id_: str, *children: str) -> Json:
    return {"id": id_, "kind": "frame", "title": id_, "children": [*children]}


def steps(old: dict[str, Row], new: dict[str, Row], ids: str) -> list[tuple[float, float]]:
    return [(new[one]["x"] - old[one]["x"], new[one]["y"] - old[one]["y"]) for one in ids]


@pytest.mark.parametrize(
    "more",
    [
        (service("x"), box("k", "b", "x")),  # a member of the box that is no participant
        (service("x"), service("y"), box("k", "x"), box("l", "k", "y")),
        (service("x"), box("pool", "a", "lane"), {**box("lane", "x"), "containerType": "lane"}),
    ],
)
def test_a_chart_and_what_stands_beside_it_are_drawn_from_their_own_places_unchanged(more: tuple[Json, ...]) -> None:
    old, new = before_and_after(chart(*more), chart(*more))
    assert new == old


def test_an_element_beside_the_chart_gives_way_to_the_side_where_it_stood() -> None:
    bare = {"scene": {"id": "s", "units": "px", "canvas": {}}}
    places = places_of(lay_out({**chart(service("x"), service("y")), **bare}))
    head = places["bounds"]["d"]
    for one, dx, dy in (("x", 40, 0), ("y", 40, 60)):
        places["bounds"][one] |= {"x": head["x"] + head["width"] + dx, "y": head["y"] + dy}
    after = {**chart(service("x"), service("y"), participants="abecd"), **bare}
    new = places_of(lay_out(after, sketch=places))["bounds"]
    push = new["d"]["x"] - places["bounds"]["d"]["x"]
    assert push > 0
    assert {(0 < dx <= push + 48, dy) for dx, dy in steps(places["bounds"], new, "xy")} == {(True, 0)}


def test_a_node_that_becomes_a_participant_moves_nobody_on_its_left() -> None:
    old, new = before_and_after(chart(service("x")), chart(service("x"), message("d", "x")))
    assert steps(old, new, "abcd") == [(0, 0)] * 4
    assert new["x"]["x"] > new["d"]["x"] + new["d"]["width"]
    assert new["x"]["y"] == new["d"]["y"]


def test_a_participant_without_messages_any_more_leaves_the_chart_and_pushes_nobody() -> None:
    before = scene("sequence", lifeline("a"), service("x"), lifeline("b"), service("y"), message("a", "x"))
    after = {**before, "elements": before["elements"][:-1]}
    old, new = before_and_after(before, after)
    assert steps(old, new, "aby") == [(0, 0)] * 3


def test_a_participant_that_changes_its_box_leaves_the_order_of_the_others() -> None:
    def boxed(one: str, other: str) -> Json:
        return chart(box("left", *one), box("right", *other))

    old, new = before_and_after(boxed("ab", "cd"), boxed("abd", "c"))
    assert steps(old, new, "ab") == [(0, 0)] * 2
    assert sorted("abcd", key=lambda one: new[one]["x"]) == ["a", "b", "d", "c"]
    assert 0 <= steps(old, new, "c")[0][0] <= old["d"]["width"] + 2 * 48


def test_a_box_stays_as_wide_as_it_was_when_its_last_participant_is_gone() -> None:
    old, new = before_and_after(chart(box("k", "c", "d")), chart(box("k", "c"), participants="abc"))
    assert {side: new["k"][side] for side in ("x", "width")} == {side: old["k"][side] for side in ("x", "width")}
    outside = chart(box("k", "c"))
    old, new = before_and_after(chart(box("k", "c", "d")), outside)
    assert new["k"]["x"] + new["k"]["width"] < new["d"]["x"]


def test_a_participant_added_to_a_chart_with_moved_heads_pushes_what_is_right_of_it_alike() -> None:
    places = places_of(lay_out(chart()))
    given = {"mode": "absolute", "x": places["bounds"]["a"]["x"] - 12, "y": places["bounds"]["a"]["y"]}

    def moved(participants: str) -> Json:
        rows = chart(participants=participants)["elements"]
        return {**chart(), "elements": [{**one, "layout": given} if one["id"] == "a" else one for one in rows]}

    old = places_of(lay_out(moved("abcd"), sketch=places))
    new = places_of(lay_out(moved("abxcd"), sketch=old))["bounds"]
    assert steps(old["bounds"], new, "ab") == [(0, 0)] * 2
    assert steps(old["bounds"], new, "c") == steps(old["bounds"], new, "d")
    assert new["b"]["x"] + new["b"]["width"] + 16 <= new["x"]["x"]
    assert new["x"]["x"] + new["x"]["width"] + 16 <= new["c"]["x"]


def test_a_report_to_two_managers_widens_no_other_report_when_the_chart_is_drawn_again() -> None:
    names = {"m": "M", "o": "O", "two": "T", "wide": "Somebody with a very long name", "thin": "X"}
    cards = [{"id": one, "kind": "node", "nodeType": "service", "label": name} for one, name in names.items()]
    pairs = (("m", "two"), ("m", "wide"), ("o", "two"), ("o", "thin"))
    ties = [{"id": a + b, "kind": "edge", "from": {"elementId": a}, "to": {"elementId": b}} for a, b in pairs]
    old, new = before_and_after(scene("orgchart", *cards, *ties), scene("orgchart", *cards, *ties))
    assert old["two"]["width"] == old["wide"]["width"] > old["thin"]["width"]
    assert new == old


@pytest.mark.parametrize("gone", [["boss-desk"], ["boss-office"], ["boss-desk", "boss-office"]])
def test_a_card_that_loses_its_manager_keeps_its_width_and_place(gone: list[str]) -> None:
    labels = {"boss": "Dean", "desk": "IT", "office": "Office of the Vice-Chancellor"}
    cards = [
        {"id": key, "kind": "node", "nodeType": "service", "shape": "rect", "label": labels[key]} for key in labels
    ]
    lines = [message("boss", key) | {"id": f"boss-{key}", "edgeType": "org.reportsTo"} for key in ("desk", "office")]
    before = scene("orgchart", *cards, *lines)
    after = scene("orgchart", *cards, *(line for line in lines if line["id"] not in gone))
    was, now = before_and_after(before, after)
    assert now == was
    assert was["desk"]["width"] == was["office"]["width"]
