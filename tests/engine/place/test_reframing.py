"""A container that comes round elements which stand already is drawn where they stand (R-KEEP-6)."""

from __future__ import annotations

from typing import Any

import pytest
from tests.builders import document_of, edge, frame, node

from scenograph.engine.pipeline import lay_out, places_of

Json = dict[str, Any]
Row = dict[str, float]


TREE = [*map(node, "abcdefg"), *(edge(*pair) for pair in ("ab", "ac", "bd", "be", "cf", "cg"))]
BELOW = [node("z"), edge("g", "z")]


def bounds(document: Json, sketch: Json | None = None) -> dict[str, Row]:
    return places_of(lay_out(document, sketch=sketch))["bounds"]


def before_and_after(before: Json, after: Json) -> tuple[dict[str, Row], dict[str, Row]]:
    places = places_of(lay_out(before))
    return places["bounds"], bounds(after, places)


def contains(outer: Row, inner: Row) -> bool:
    return all(
        outer[side] <= inner[side] and outer[side] + outer[size] >= inner[side] + inner[size]
        for side, size in (("x", "width"), ("y", "height"))
    )


def moved(old: dict[str, Row], new: dict[str, Row]) -> set[str]:
    return {one for one in old if one in new and old[one] != new[one]}


def test_a_frame_round_a_branch_is_drawn_where_that_stands_and_moves_nothing_far() -> None:
    old, new = before_and_after(document_of(*TREE), document_of(*TREE, frame("new", "d", "e")))
    assert not moved(old, new) & set("acg")
    assert all(abs(old[one][side] - new[one][side]) <= 24 for one in "bdef" for side in ("x", "y"))
    assert contains(new["new"], new["d"])
    assert contains(new["new"], new["e"])


def test_what_stands_between_the_nodes_of_a_new_frame_leaves_it() -> None:
    old, new = before_and_after(document_of(*TREE), document_of(*TREE, frame("new", "d", "f")))
    for stranger in set("abceg"):
        box, outer = new[stranger], new["new"]
        assert (
            box["x"] + box["width"] <= outer["x"]
            or box["x"] >= outer["x"] + outer["width"]
            or (box["y"] + box["height"] <= outer["y"] or box["y"] >= outer["y"] + outer["height"])
        )
    assert len(moved(old, new)) < len(old)


@pytest.mark.parametrize("held", ["be", "ag", "adg", "cde"])
def test_a_frame_in_a_frame_stays_there_and_the_frame_beside_it_stays_whole(held: str) -> None:
    inner = [*TREE, *BELOW, frame("home", *"abcdefg"), frame("other", "z")]
    rest = [one for one in "abcdefg" if one not in held]
    outer = [*TREE, *BELOW, frame("home", *rest, "new"), frame("other", "z"), frame("new", *held)]
    old, new = before_and_after(document_of(*inner), document_of(*outer))
    assert contains(new["home"], new["new"])
    assert all(contains(new["new"], new[one]) for one in held)
    step = {side: new["z"][side] - old["z"][side] for side in ("x", "y")}
    assert {side: new["other"][side] - old["other"][side] for side in ("x", "y")} == step


def test_a_frame_keeps_its_box_when_content_moves_out_and_nothing_else_moves() -> None:
    inner = document_of(*TREE, *BELOW, frame("home", *"abcdefg"), frame("other", "z"))
    outer = document_of(*TREE, *BELOW, frame("home", *"abcefg"), frame("other", "z"))
    old, new = before_and_after(inner, outer)
    assert moved(old, new) <= {"d"}


def test_a_frame_keeps_its_box_when_content_is_deleted_and_nothing_moves() -> None:
    rest = [one for one in TREE if "g" not in one["id"]]
    whole = document_of(*TREE, node("z"), edge("a", "z"), frame("home", *"abcdefg"))
    less = document_of(*rest, node("z"), edge("a", "z"), frame("home", *"abcdef"))
    old, new = before_and_after(whole, less)
    assert not moved(old, new)


def test_what_holds_elements_that_are_placed_anew_is_fitted_again() -> None:
    rest = [one for one in TREE if "g" not in one["id"]]
    whole = document_of(*TREE, frame("home", *"abcdefg"))
    less = document_of(*rest, frame("home", *"abcdef"))
    places = places_of(lay_out(less, sketch=places_of(lay_out(whole))))
    bare = {**places, "bounds": {one: box for one, box in places["bounds"].items() if one != "f"}, "relaid": ["f"]}
    new = bounds(less, bare)
    assert new["home"]["width"] < places["bounds"]["home"]["width"]
    assert moved(places["bounds"], new) <= {"home", "f"}


def test_a_scene_with_a_new_frame_stays_as_it_is_when_it_is_drawn_again() -> None:
    places = places_of(lay_out(document_of(*TREE)))
    framed = document_of(*TREE, frame("new", "b", "d", "e"))
    then = places_of(lay_out(framed, sketch=places))
    assert places_of(lay_out(framed, sketch=then)) == then


def test_a_frame_that_grows_pushes_its_neighbour_as_one_piece_by_what_is_lacking() -> None:
    chain = [*map(node, "abcde"), *(edge(*pair) for pair in ("ab", "bc", "cd", "de")), frame("large", *"abcde")]
    small = frame("small", "p")
    longer = node("p") | {"label": "P with a name that goes on and on and on"}
    old, new = before_and_after(document_of(*chain, node("p"), small), document_of(*chain, longer, small))
    beside = old["small"]["x"] - old["large"]["x"] - old["large"]["width"]
    assert {one: new[one]["x"] - old[one]["x"] for one in "abcde"} == dict.fromkeys(
        "abcde", new["large"]["x"] - old["large"]["x"]
    )
    assert {one: new[one]["y"] - old[one]["y"] for one in "abcde"} == dict.fromkeys("abcde", 0)
    assert new["small"]["x"] - new["large"]["x"] - new["large"]["width"] == min(48, beside)
    assert new["p"]["x"] + new["p"]["width"] / 2 == old["p"]["x"] + old["p"]["width"] / 2


def test_a_lane_is_as_deep_as_the_new_frame_in_it_needs() -> None:
    lane, flow = {"containerType": "lane"}, {"diagramFamily": "workflow", "layoutStrategy": {"algorithm": "flow"}}
    tasks = [node(one) | {"nodeType": "workflow.task"} for one in "abcde"]
    content = [*tasks, *(edge(*pair) for pair in ("ea", "ce", "ba", "da", "ab", "bc"))]
    content += [frame("p", "u", "l") | {"containerType": "pool"}, frame("u", "a") | lane]
    before = document_of(*content, frame("l", *"bcde") | lane) | flow
    after = document_of(*content, frame("l", "b", "g") | lane, frame("g", *"ecd")) | flow
    found = bounds(after, places_of(lay_out(before)))
    assert found["l"]["y"] + found["l"]["height"] - found["g"]["y"] - found["g"]["height"] < 40
