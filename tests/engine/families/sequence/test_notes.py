"""Notes over and beside lifelines, in their turn. (R-SEQ-12)"""

from __future__ import annotations

import pytest
from tests.builders import at
from tests.engine.families.sequence.conftest import chart, drawn, fragment, lifeline, message, note

RIM = 1.0  # a line ends on the rim that is drawn: so near to the middle of an outline, px

TWO = lifeline("a"), lifeline("b"), lifeline("c")


def test_a_note_takes_its_turn_among_the_messages() -> None:
    found = chart(*TWO, message("m1", "a>b", "one"), note("n", "mind", over=["b"]), message("m2", "a>b", "two"))
    assert found.y("m1") < found.box("n").y
    assert found.box("n").bottom < found.label("m2").y


def test_a_note_over_a_lifeline_stands_on_its_middle() -> None:
    found = chart(*TWO, note("n", "mind", over=["b"]))
    assert abs(found.box("n").center.x - found.x("b")) <= 1


def test_a_note_over_several_lifelines_spans_them() -> None:
    found = chart(*TWO, note("n", "mind", over=["c", "a"]))
    box = found.box("n")
    assert box.x < found.x("a")
    assert found.x("c") < box.right


@pytest.mark.parametrize(("side", "to_the_right"), [("left", False), ("right", True)])
def test_a_note_beside_a_lifeline_covers_no_tail(side: str, *, to_the_right: bool) -> None:
    text = "a note of some length"
    found = chart(*TWO, note("n", text, over=["b"], side=side), canvas={"width": 300, "height": 200})
    box = found.box("n")
    assert (box.x > found.x("b")) is to_the_right
    assert not any(box.x <= found.x(id_) <= box.right for id_ in "abc")


def test_a_note_that_only_names_a_side_belongs_to_the_message_before_it() -> None:
    found = chart(*TWO, message("m", "c>b", "x"), note("n", "mind", side="left"), message("o", "a>c", "y"))
    assert found.x("a") < found.box("n").x
    assert found.box("n").right < found.x("b")


def test_a_note_may_name_its_lifeline_by_a_relative_layout() -> None:
    layout = {"mode": "relative", "target": "b", "relation": "rightOf"}
    found = chart(*TWO, lifeline("n", "mind", "note", layout=layout))
    assert found.x("b") < found.box("n").x
    assert found.box("n").right < found.x("c")


def test_an_edge_ties_a_note_to_the_tail_of_its_lifeline() -> None:
    found = chart(*TWO, note("n", "mind"), message("t", "n>b", kind="message"))
    box = found.box("n")
    start, end = found.points("t")
    assert (start[0], end[0]) == pytest.approx((box.x, found.x("b")), abs=RIM)
    assert start[1] == end[1] == found.y("t")
    assert box.y < found.y("t") < box.bottom


def test_notes_lie_over_tails_wherever_they_stand_in_the_document() -> None:
    order = drawn(note("n", "mind", over=["a"]), *TWO).groups()
    assert order.index("n") > max(order.index(id_) for id_ in "abc")


def test_a_note_stays_where_its_author_put_it_and_messages_keep_out_of_it() -> None:
    placed = note("n", "here\nand\nhere", over=["a"]) | {"layout": at(430, 130)}
    rows = [message(f"m{i}", "a>c", "some words") for i in range(4)]
    found = chart(*TWO, placed, *rows, canvas={"width": 1200, "height": 800})
    assert found.box("n")[:2] == (430, 130)
    for row in rows:
        top, line = found.label(row["id"]).y, found.y(row["id"])
        assert line < found.box("n").y or found.box("n").bottom < top


def test_notes_that_a_fragment_lists_after_its_messages_keep_their_order_inside_it() -> None:
    lines = lifeline("a"), lifeline("b")
    notes = note("n1", "first", over=["a"]), note("n2", "second", over=["a"])
    found = chart(
        *lines,
        message("m", "a>b", "in"),
        message("k", "a>b", "out"),
        *notes,
        fragment("f", "opt", ("x", ["m", "n1", "n2"])),
    )
    assert found.y("m") < found.box("n1").y < found.box("n2").y < found.box("f").bottom < found.label("k").y
