"""Lifelines that come and go, and the bars on them. (R-SEQ-9, R-SEQ-10)"""

from __future__ import annotations

from typing import Any

import pytest
from tests.builders import at
from tests.engine.families.sequence.conftest import chart, drawn, lifeline, message

RIM = 1.0  # a line ends on the rim that is drawn: so near to the middle of an outline, px

Json = dict[str, Any]


def bars(found: Any, id_: str) -> list[Any]:
    return [box for name, box in found.parts(id_).items() if name.startswith("activation:")]


def test_a_created_lifeline_begins_at_its_message() -> None:
    found = chart(
        lifeline("a"), lifeline("b"), message("m", "a>a", "x"), message("c", "a>b", "new", "create"), canvas={}
    )
    head = found.box("b")
    assert head.center.y == pytest.approx(found.y("c"), abs=RIM)
    assert found.points("c")[-1] == pytest.approx((head.x, found.y("c")), abs=RIM)
    assert head.y > found.part("m", "loop").bottom
    assert found.label("c").right < head.x
    assert found.part("b", "tail").y == head.bottom


def test_a_lifeline_created_from_the_right_is_met_at_its_right_side() -> None:
    found = chart(lifeline("b"), lifeline("a"), message("c", "a>b", "new", "create"))
    assert found.points("c")[-1][0] == pytest.approx(found.box("b").right, abs=RIM)


def test_what_has_been_there_before_is_not_created() -> None:
    found = chart(lifeline("a"), lifeline("b"), message("m", "a>b", "hi"), message("c", "a>b", "new", "create"))
    assert found.box("b").y == found.box("a").y
    assert found.points("c")[-1][0] == pytest.approx(found.x("b"), abs=RIM)


def test_the_tail_of_a_destroyed_lifeline_ends_in_the_cross_of_the_message_and_has_no_foot() -> None:
    rows = lifeline("a"), lifeline("b"), message("m", "a>b", "hi"), message("d", "a>b", "bye", "destroy")
    found = chart(*rows)
    assert found.part("b", "tail").bottom == pytest.approx(found.y("d"), abs=RIM)
    assert "foot" not in found.parts("b")
    assert "foot" in found.parts("a")
    crosses = [path.get("d") or "" for path in drawn(*rows).paths("d")[1:]]
    assert len(crosses) == 2


def test_a_lifeline_that_speaks_after_its_destruction_goes_on() -> None:
    found = chart(lifeline("a"), lifeline("b"), message("d", "a>b", "x", "destroy"), message("m", "b>a", "still here"))
    assert "foot" in found.parts("b")


def test_a_call_and_its_reply_make_a_bar() -> None:
    found = chart(lifeline("a"), lifeline("b"), message("m", "a>b", "ask"), message("r", "b>a", "answer", "reply"))
    (bar,) = bars(found, "b")
    assert (bar.y, bar.bottom) == pytest.approx((found.y("m"), found.y("r")), abs=RIM)
    assert bar.center.x == found.x("b")
    assert bars(found, "a") == []


def test_messages_end_at_the_edges_of_bars() -> None:
    found = chart(lifeline("a"), lifeline("b"), message("m", "a>b", "ask"), message("r", "b>a", "answer", "reply"))
    (bar,) = bars(found, "b")
    for name, ends in (("m", (found.x("a"), bar.x)), ("r", (bar.x, found.x("a")))):
        start, end = found.points(name)
        assert (start[0], end[0]) == pytest.approx(ends, abs=RIM)
        assert start[1] == end[1] == found.y(name)


def test_what_is_never_answered_has_no_bar() -> None:
    found = chart(lifeline("a"), lifeline("b"), message("m", "a>b", "ask"), message("n", "b>a", "ask back"))
    assert bars(found, "a") == bars(found, "b") == []


def test_a_bar_within_a_bar_stands_further_right() -> None:
    found = chart(
        lifeline("a"),
        lifeline("b"),
        message("m1", "a>b", "outer"),
        message("m2", "b>b", "inner"),
        message("r2", "b>b", "done", "reply"),
        message("r1", "b>a", "done", "reply"),
    )
    outer, inner = bars(found, "b")
    assert inner.x == outer.x + 5
    assert outer.y < inner.y < inner.bottom < outer.bottom
    assert found.points("m2")[0][0] == pytest.approx(outer.right, abs=RIM)
    assert found.points("m2")[-1][0] == pytest.approx(inner.right, abs=RIM)


def test_an_answer_in_each_operand_stretches_one_bar() -> None:
    found = chart(
        lifeline("a"),
        lifeline("b"),
        message("m", "a>b", "ask"),
        message("yes", "b>a", "yes", "reply"),
        message("no", "b>a", "no", "reply"),
    )
    (bar,) = bars(found, "b")
    assert bar.bottom == pytest.approx(found.y("no"), abs=RIM)
    assert found.points("no")[0][0] == bar.x


def test_bars_cover_tails_and_lie_beneath_messages() -> None:
    rows = lifeline("a"), lifeline("b"), message("m", "a>b", "x"), message("r", "b>a", "y", "reply")
    picture = drawn(*rows)
    order = picture.groups()
    assert order.index("b") < order.index("m")
    dashes = [bool(path.get("stroke-dasharray")) for path in picture.paths("b")]
    assert dashes[0]
    assert not any(dashes[1:])


def test_a_head_that_grows_with_its_label_does_not_overflow() -> None:
    low = at(20, 20, width=90, height=20)
    found = chart(lifeline("a", "Two words\nand lines\nthree", layout=low), lifeline("b"), message("m", "a>b"))
    assert "TEXT_OVERFLOW" not in found.codes
    assert found.box("a").contains(found.part("a", "label"))


def test_messages_may_say_themselves_where_bars_begin_and_end() -> None:
    rows = (
        message("m", "a>a", "think", extensions={"activates": ["target"]}),
        message("n", "a>b", "ask"),
        message("r", "b>a", "answer", "reply", extensions={"deactivates": ["target"]}),
    )
    found = chart(lifeline("a"), lifeline("b"), *rows)
    (bar,) = bars(found, "a")
    assert (bar.y, bar.bottom) == pytest.approx((found.points("m")[-1][1], found.y("r")), abs=RIM)
    assert bars(found, "b") == []


def test_a_bar_that_no_message_ends_lasts_to_the_last_message() -> None:
    begun = message("m", "a>b", "x", extensions={"activates": ["target"]})
    found = chart(lifeline("a"), lifeline("b"), begun, message("n", "a>b", "y"), message("o", "b>a", "z"))
    (bar,) = bars(found, "b")
    assert (bar.y, bar.bottom) == pytest.approx((found.y("m"), found.y("o")), abs=RIM)


def test_a_bar_that_begins_with_the_last_message_is_not_drawn() -> None:
    found = chart(lifeline("a"), lifeline("b"), message("m", "a>b", "x", extensions={"activates": ["target"]}))
    assert bars(found, "b") == []
