"""What stands beside lifelines: boxes round them, other nodes, texts; and positions that authors give."""

from __future__ import annotations

from typing import Any

from tests.builders import at
from tests.engine.families.sequence.conftest import chart, charted, document, frame, lifeline, message, note

from scenograph.engine.pipeline import normalize

WIDE = {"width": 1200, "height": 800}


def plain(id_: str, node_type: str | None = None, **members: Any) -> dict[str, Any]:
    return {"id": id_, "kind": "node", "label": id_, **({"nodeType": node_type} if node_type else {}), **members}


def test_any_node_that_messages_join_is_a_lifeline() -> None:
    found = chart(plain("a"), plain("b", "database"), lifeline("c"), message("m", "a>b", "x"), message("n", "b>c"))
    assert all("tail" in found.parts(id_) for id_ in "abc")
    assert len({found.box(id_).bottom for id_ in "abc"}) == 1
    assert found.box("a").height == found.box("c").height


def test_an_edge_of_any_type_between_lifelines_is_a_message() -> None:
    found = chart(lifeline("a"), lifeline("b"), message("m", "a>b", "x") | {"edgeType": "default"})
    assert found.points("m") == [(found.x("a"), found.y("m")), (found.x("b"), found.y("m"))]


def test_the_router_that_was_used_is_recorded() -> None:
    rows = [message(f"m{i}", "a>b", router=name) for i, name in enumerate(("curved", "straight", "polyline"))]
    found = chart(lifeline("a"), lifeline("b"), *rows, message("m3", "a>a", router="straight"))
    assert [found.laid_out.routes[f"m{i}"].router for i in range(4)] == [
        "orthogonal",
        "straight",
        "orthogonal",
        "orthogonal",
    ]


def test_a_frame_round_lifelines_reaches_from_its_title_to_their_feet() -> None:
    found = chart(frame("f", "Back end", "b", "c"), *map(lifeline, "abc"), message("m", "a>c", "x"))
    box = found.box("f")
    for id_ in "bc":
        assert box.contains(found.box(id_))
        assert box.contains(found.part(id_, "foot"))
    assert found.part("f", "title").bottom < found.box("b").y
    assert not box.overlaps(found.box("a"))


def test_the_lifelines_of_a_frame_stand_together() -> None:
    found = chart(frame("f", "F", "a", "c"), *map(lifeline, "abcd"))
    assert found.x("a") < found.x("c") < found.x("b") < found.x("d")


def test_frames_in_frames_do_not_touch() -> None:
    found = chart(frame("f", "Outer", "a", "g"), frame("g", "Inner", "b"), *map(lifeline, "abc"))
    assert found.box("f").contains(found.box("g"))
    assert found.part("f", "title").bottom < found.box("g").y
    assert found.box("f").right < found.box("c").x


def test_what_is_no_part_of_the_chart_stands_beside_it() -> None:
    text = {"id": "t", "kind": "text", "content": "Figure 1"}
    found = chart(lifeline("a"), lifeline("b"), message("m", "a>b"), text, plain("x"), canvas=WIDE)
    whole = [found.box("a"), found.part("a", "tail"), found.part("a", "foot"), found.box("b")]
    for id_ in ("t", "x"):
        assert not any(found.box(id_).overlaps(part) for part in whole)


def test_what_has_a_place_keeps_it_and_the_heads_stand_below() -> None:
    text = {"id": "t", "kind": "text", "content": "A title", "layout": at(40, 30)}
    found = chart(text, lifeline("a"), lifeline("b"), canvas=WIDE)
    assert found.box("t")[:2] == (40, 30)
    assert found.box("a").y >= 40


def test_lifelines_with_places_keep_them() -> None:
    found = chart(
        lifeline("a", layout=at(500, 60)), lifeline("b", layout=at(90.5, 80)), message("m", "a>b", "x"), canvas=WIDE
    )
    assert found.box("a")[:2] == (500, 60)
    assert found.box("b")[:2] == (90.5, 80)
    assert found.label("m").y > found.box("b").bottom
    assert "CANVAS_CONTENT_OFFSET" in found.codes


def test_a_lifeline_without_a_place_stands_beside_those_that_have_one() -> None:
    found = chart(lifeline("a", layout=at(100, 60)), lifeline("b"), lifeline("c", layout=at(300, 60)))
    boxes = [found.box(id_) for id_ in "abc"]
    assert not any(one.overlaps(other) for one in boxes for other in boxes if one is not other)
    assert len({box.y for box in boxes}) == 1


def test_lifelines_that_are_all_at_the_origin_have_no_place() -> None:
    found = chart(*(lifeline(id_, layout=at(0, 0)) for id_ in "ab"), canvas=WIDE)
    assert "LAYOUT_ABSOLUTE_AT_ORIGIN" in found.codes
    assert [found.x(id_) for id_ in "ab"] == [300, 900]


def test_bounds_are_those_of_the_heads() -> None:
    scene = document(lifeline("a"), lifeline("b"), message("m", "a>b"), note("n", "x", over=["a"]), canvas=WIDE)
    computed = normalize(scene)[0]["computed"]
    assert computed["bounds"]["a"]["height"] == 40
    assert computed["edgePaths"]["m"]["router"] == "orthogonal"
    assert len(computed["edgePaths"]["m"]["points"]) == 2


def test_labels_of_one_text_are_all_kept() -> None:
    found = chart(*map(lifeline, "abc"), *(message(f"m{i}", "a>b", "same") for i in range(3)))
    assert found.codes == ["LABEL_DUPLICATION_DETECTED"]
    assert all(found.label(f"m{i}") for i in range(3))


def test_a_scene_without_lifelines_is_laid_out_like_any_other() -> None:
    found = charted(document(plain("x"), note("n", "alone")))
    assert set(found.laid_out.placement.boxes) == {"x", "n"}


def test_a_flat_chart_on_a_high_page_stands_at_the_margin_of_the_tightened_page() -> None:
    found = chart(
        *(lifeline(name) for name in "abc"),
        message("m", "a>b", "one"),
        message("n", "b>c", "two"),
        canvas={"width": 1000, "height": 800},
    )
    top, bottom = found.box("a").y, found.part("a", "foot").bottom
    page = found.laid_out.canvas.height
    assert page < 400
    assert abs(top - (page - bottom)) <= 2
    assert "CANVAS_AUTO_TIGHTENED" in found.codes


def test_the_label_of_a_head_given_too_narrow_is_wrapped_for_the_floor_of_heads() -> None:
    heads = [
        chart(lifeline("a", "Authentication and payment service", layout={"width": width}), lifeline("b")).box("a")
        for width in (20, 60, 100)
    ]
    assert len({(head.width, head.height) for head in heads}) == 1
    assert heads[0].width == 100
