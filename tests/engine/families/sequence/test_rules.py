"""The rules R-SEQ-1 to R-SEQ-8, each measured in numbers or in the SVG."""

from __future__ import annotations

from itertools import pairwise

import pytest
from tests.builders import at
from tests.engine.families.sequence.conftest import chart, charted, document, drawn, lifeline, message

WIDE = {"width": 1200, "height": 800}
RIM = 1.0  # a message ends on the rim of the tail that is drawn: so near to its middle, px


# 1. Lifelines lie horizontally; messages are ordered vertically by their position in the elements array.
def test_lifelines_stand_side_by_side_in_document_order() -> None:
    found = chart(lifeline("c"), lifeline("a"), lifeline("b"), canvas=WIDE)
    assert found.x("c") < found.x("a") < found.x("b")
    assert len({found.box(id_).y for id_ in "abc"}) == 1


def test_messages_follow_each_other_in_document_order_wherever_they_stand_among_the_lifelines() -> None:
    found = chart(message("m2", "b>a", "one"), lifeline("a"), message("m1", "a>b", "two"), lifeline("b"))
    assert found.y("m2") < found.y("m1")


def test_a_message_is_level() -> None:
    found = chart(lifeline("a"), lifeline("b"), message("m", "b>a", "hello"))
    (start, end) = found.points("m")
    assert start[1] == end[1]
    assert (start[0], end[0]) == pytest.approx((found.x("b"), found.x("a")), abs=RIM)


# 2. Header, dashed tail, matching foot; stick figure and mirrored foot; note with a folded corner.
def test_a_lifeline_has_a_dashed_tail_from_its_head_to_a_foot_like_the_head() -> None:
    found = chart(lifeline("a", "Alice"), lifeline("b"), message("m", "a>b"))
    head, tail, foot = found.box("a"), found.part("a", "tail"), found.part("a", "foot")
    assert (tail.x, tail.width, tail.y) == (head.center.x, 0.0, head.bottom)
    assert (foot.x, foot.width, foot.height) == (head.x, head.width, head.height)
    group = drawn(lifeline("a", "Alice"))
    assert any(path.get("stroke-dasharray") for path in group.paths("a"))
    assert group.texts("a") == ["Alice", "Alice"]


def test_an_actor_is_a_figure_above_its_name_and_mirrored_at_the_foot() -> None:
    found = chart(lifeline("a", "Ann", "actor", shape="rect"), lifeline("b"))
    parts = found.parts("a")
    assert parts["figure"].bottom <= parts["label"].y
    assert parts["foot:label"].bottom <= parts["foot:figure"].y
    assert found.box("a").contains(parts["figure"])
    assert found.box("a").contains(parts["label"])
    strokes = [path for path in drawn(lifeline("a", "Ann", "actor", shape="rect")).paths("a") if path.get("stroke")]
    assert len(strokes) >= 9  # head, trunk, arms, legs, twice, and the tail


def test_a_note_is_a_soft_yellow_sheet_with_its_top_right_corner_folded() -> None:
    row = {"id": "n", "kind": "node", "nodeType": "sequence.note", "label": "mind", "extensions": {"over": ["a"]}}
    box = chart(lifeline("a"), row).box("n")
    sheet = drawn(lifeline("a"), row).paths("n")[0]
    assert sheet.get("fill") == "#fef8d4"
    corner = f"{box.right:g} {box.y:g}"
    assert corner not in (sheet.get("d") or "").replace(",", " ").replace("L", " ")


def test_an_actor_with_little_room_keeps_a_figure_that_is_seen() -> None:
    found = chart(lifeline("a", "Ann", "actor", layout=at(10, 20, width=30, height=20)), lifeline("b"))
    assert found.box("a").width == 100
    assert found.parts("a")["figure"].height >= 32


def test_an_actor_is_drawn_in_any_diagram() -> None:
    group = drawn(lifeline("a", "Ann", "actor"), diagramFamily="workflow")
    assert group.texts("a") == ["Ann"]
    assert len(group.paths("a")) >= 4


# 3. Feet by default; `showLifelineFeet` false removes them; the tail ends at the top of the foot.
def test_the_tail_ends_at_the_top_of_the_foot() -> None:
    found = chart(lifeline("a"), lifeline("b"), message("m", "a>b"))
    assert found.part("a", "tail").bottom == found.part("a", "foot").y
    assert found.part("a", "foot").y > found.y("m")


@pytest.mark.parametrize("where", ["scene", "root"])
def test_feet_are_left_out_when_the_document_says_so(where: str) -> None:
    scene = document(lifeline("a", "Alice"), lifeline("b", kind="actor"), message("m", "a>b"))
    (scene["scene"] if where == "scene" else scene)["extensions"] = {"showLifelineFeet": False}
    found = charted(scene)
    assert not any(name.startswith("foot") for id_ in "ab" for name in found.parts(id_))
    assert found.part("a", "tail").bottom > found.y("m")


# 4. Header sizes.
def test_a_head_is_at_least_100_wide_and_40_high() -> None:
    found = chart(lifeline("a", "A"), lifeline("b", ""))
    assert [found.box(id_)[2:] for id_ in "ab"] == [(100.0, 40.0), (100.0, 40.0)]


def test_a_head_is_as_wide_as_its_label_and_padding() -> None:
    found = chart(lifeline("a", "A participant with a long name"), lifeline("b"))
    label = found.laid_out.sizes["a"].label
    assert label is not None
    assert len(label.lines) == 1
    assert found.box("a").width >= label.width + 24


def test_all_heads_share_the_height_of_the_highest() -> None:
    found = chart(lifeline("a", "one\ntwo\nthree\nfour"), lifeline("b"), lifeline("c", kind="actor"))
    heights = {found.box(id_).height for id_ in "abc"}
    assert len(heights) == 1
    assert heights.pop() >= 4 * 16


def test_a_head_given_lower_than_its_label_is_as_high_as_that() -> None:
    found = chart(lifeline("a", "one\ntwo\nthree\nfour", layout={"height": 42}), lifeline("b"))
    label = found.laid_out.sizes["a"].label
    assert label is not None
    assert found.box("a").height >= label.height + 2 * 8


def test_the_width_of_a_head_is_even_unless_its_author_gives_another() -> None:
    found = chart(
        lifeline("a", layout={"width": 133}), *(lifeline(name, f"Participant {name}") for name in ("b", "cc"))
    )
    assert found.box("a").width == 133
    assert [found.box(name).width % 2 for name in ("b", "cc")] == [0, 0]


def test_lines_of_a_label_are_separate_texts() -> None:
    assert drawn(lifeline("a", "Auth\nserver")).texts("a") == ["Auth", "server"] * 2


def test_a_head_that_its_author_made_too_small_grows_to_the_floor() -> None:
    found = chart(lifeline("a", layout={"mode": "absolute", "x": 10, "y": 20, "width": 60, "height": 20}))
    assert found.box("a") == (10, 20, 100, 40)


# 5. Spacing.
def test_the_declared_width_is_shared_equally() -> None:
    found = chart(*map(lifeline, "abcd"), canvas=WIDE)
    assert [found.x(id_) for id_ in "abcd"] == [150, 450, 750, 1050]


def test_a_chart_that_begins_with_an_actor_stands_in_the_middle_of_what_is_seen() -> None:
    found = chart(lifeline("a", "Al", "actor"), lifeline("b"), message("m", "a>b"), canvas=WIDE)
    left = found.part("a", "figure").x
    assert abs(left - (1200 - found.box("b").right)) <= 1


def test_heads_keep_a_gutter_of_16() -> None:
    long = "A name that is rather long for a head"
    found = chart(lifeline("a", long), lifeline("b", long), lifeline("c"), canvas={"width": 300, "height": 300})
    assert found.box("b").x - found.box("a").right == 16
    assert found.box("c").x - found.box("b").right == 16


def test_a_message_to_itself_pushes_the_next_lifeline_away() -> None:
    found = chart(
        lifeline("a"),
        lifeline("b"),
        message("m", "a>a", "a long thought about nothing much"),
        canvas={"width": 240, "height": 300},
    )
    loop = found.part("m", "loop")
    assert found.x("b") - loop.right >= 16
    assert found.x("b") - loop.right < 17


def test_a_label_pushes_the_lifelines_apart_that_it_stands_between() -> None:
    found = chart(
        lifeline("a"),
        lifeline("b"),
        lifeline("c"),
        message("m", "a>b", "a label of some width here"),
        canvas={"width": 330, "height": 300},
    )
    label = found.label("m")
    assert found.x("a") < label.x
    assert label.right < found.x("b")
    assert found.x("c") - found.x("b") == 116


@pytest.mark.parametrize("ends", ["a>c", "c>a"])
def test_a_label_that_a_tail_would_run_through_stands_in_the_gap_beside_its_sender(ends: str) -> None:
    found = chart(
        *map(lifeline, "abc"), message("m", ends, "hello"), message("r", ends[::-1], "x", "reply"), canvas=WIDE
    )
    label, (low, high) = found.label("m"), sorted((found.x(ends[0]), found.x("b")))
    assert low < label.x < label.right < high


def test_the_canvas_grows_with_the_lifelines() -> None:
    found = chart(*(lifeline(f"l{i}") for i in range(12)), canvas={"width": 400, "height": 300})
    assert "CANVAS_AUTO_EXTENDED" in found.codes
    assert found.laid_out.canvas.width >= 12 * 100 + 11 * 16 + 80


# 6. The first message sits below the header band so its label does not enter it.
def test_the_first_label_stands_below_the_heads() -> None:
    found = chart(lifeline("a", "x\ny\nz"), lifeline("b"), message("m", "a>b", "one\ntwo\nthree"))
    assert found.label("m").y > found.box("a").bottom
    assert found.label("m").bottom < found.y("m")


# 7. Lines and arrowheads.
def test_a_line_between_lifelines_without_a_type_is_a_message() -> None:
    bare, whole = message("m", "a>b"), message("m", "a>b")
    del bare["edgeType"]
    kinds = (bare, whole, bare | {"edgeType": "default"})
    heads = [chart(lifeline("a"), lifeline("b"), one).laid_out.scene.edges[0].end_arrow for one in kinds]
    assert heads == ["triangle", "triangle", "none"]


@pytest.mark.parametrize(
    ("kind", "dashed", "filled"),
    [("message", False, True), ("reply", True, False), ("create", True, True), ("async", False, False)],
)
def test_every_kind_of_message_has_its_line_and_its_head(kind: str, *, dashed: bool, filled: bool) -> None:
    line, *head = drawn(lifeline("a"), lifeline("b"), message("m", "a>b", kind=kind)).paths("m")
    assert bool(line.get("stroke-dasharray")) is dashed
    assert [path.get("fill") not in (None, "none") for path in head] == [filled]


# 8. A message to itself.
def test_a_message_to_itself_is_a_u_with_round_corners() -> None:
    rows = lifeline("a"), message("m", "a>a", "think")
    found = chart(*rows)
    (start, turn, back, end) = found.points("m")
    assert (start[0], end[0]) == pytest.approx((found.x("a"), found.x("a")), abs=RIM)
    assert turn[0] == back[0] > start[0]
    assert (start[1], back[1]) == (turn[1], end[1])
    assert start[1] < end[1]
    assert (drawn(*rows).paths("m")[0].get("d") or "").upper().count("Q") == 2
    assert found.laid_out.routes["m"].router == "orthogonal"


def test_a_loop_is_as_wide_as_its_label() -> None:
    found = chart(
        lifeline("a"), message("m1", "a>a", "a"), message("m2", "a>a", "quite some words"), message("m3", "a>a")
    )
    widths = [found.part(id_, "loop").width for id_ in ("m1", "m2", "m3")]
    assert widths[0] == widths[2] < widths[1]
    label, loop = found.label("m2"), found.part("m2", "loop")
    assert loop.x < label.x
    assert label.right < loop.right
    assert label.bottom < loop.y


def test_rows_never_touch() -> None:
    rows = [message(f"m{i}", "a>b" if i % 3 else "a>a", "some words\nin lines") for i in range(6)]
    found = chart(lifeline("a"), lifeline("b"), *rows)
    for one, other in pairwise(rows):
        lowest = max(point[1] for point in found.points(one["id"]))
        assert lowest < found.label(other["id"]).y


def test_labels_that_leave_one_lifeline_twice_are_remarked_as_everywhere() -> None:
    found = chart(lifeline("a"), lifeline("b"), message("m", "a>b", "ping"), message("n", "a>b", "ping"))
    assert found.codes.count("LABEL_DUPLICATION_DETECTED") == 1
    assert "EDGE_LABEL_SUPPRESSED_FANIN" not in found.codes


def test_no_line_ties_a_note_to_a_lifeline_that_it_covers() -> None:
    tie = {"id": "t", "kind": "edge", "from": {"elementId": "n"}, "to": {"elementId": "a"}}
    note = lifeline("n", "over both", "note", extensions={"over": ["a", "b"]})
    found = chart(lifeline("a"), lifeline("b"), message("m", "a>b", "hi"), note, tie)
    assert "t" not in found.laid_out.routes


def test_an_empty_line_at_the_end_of_a_label_takes_no_room() -> None:
    found = chart(lifeline("a"), lifeline("b"), message("m", "a>b", "one"), message("n", "a>b", "two\n\n"))
    assert found.label("m").height == found.label("n").height
