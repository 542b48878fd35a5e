"""Labels that keep out of tails and bars, wherever lifelines stand, and notes that use their width."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.builders import at
from tests.engine.families.sequence.conftest import (
    Chart,
    Json,
    chart,
    charted,
    document,
    frame,
    lifeline,
    message,
    note,
)

from scenograph.engine.pipeline import normalize

LONG = "look up the policy of the tenant in the central directory"


def close(*names: str, apart: float = 130) -> list[Json]:
    """Lifelines whose author set them that far apart."""
    return [lifeline(name, layout=at(40 + apart * number, 40)) for number, name in enumerate(names)]


def lines(found: Chart, id_: str) -> int:
    label = found.laid_out.sizes[id_].label
    assert label is not None
    return len(label.lines)


def assert_clear(found: Chart, id_: str) -> None:
    """No tail and no bar that is there at the height of the label runs through it."""
    label = found.label(id_)
    for name, parts in found.laid_out.placement.parts.items():
        for part, box in parts.items():
            if part == "tail" or part.startswith("activation"):
                assert not box.grown(0.5).overlaps(label), (name, part, box, label)


def test_a_label_between_given_lifelines_wraps_in_their_gap() -> None:
    found = chart(*close("a", "b"), message("m", "a>b", LONG), message("r", "b>a", LONG, "reply"))
    assert lines(found, "m") >= 3
    assert found.part("b", "activation:0").height > 0
    for id_ in ("m", "r"):
        assert_clear(found, id_)


def test_a_label_on_the_way_past_others_stands_in_one_of_the_gaps() -> None:
    rows = message("m", "b>c", "x"), message("r", "c>b", "y", "reply"), message("n", "a>d", LONG)
    found = chart(*close("a", "b", "c", "d"), *rows)
    assert_clear(found, "n")


def test_a_loop_turns_before_the_next_given_lifeline() -> None:
    found = chart(*close("a", "b"), message("m", "a>a", LONG))
    assert found.part("m", "loop").right <= found.x("b") - 16
    assert_clear(found, "m")


def test_names_break_at_their_parts_rather_than_between_letters() -> None:
    found = chart(*close("a", "b"), message("m", "a>b", "getAuthorizationDecision(subject_id)"))
    block = found.laid_out.sizes["m"].label
    assert block is not None
    written = ["".join(run.text for run in line.runs) for line in block.lines]
    assert written == ["getAuthorization", "Decision", "(subject_id)"] or all(len(row) >= 8 for row in written)
    assert_clear(found, "m")


def test_event_guard_and_action_stand_one_below_the_other_in_a_narrow_gap() -> None:
    found = chart(*close("a", "b"), message("m", "a>b", "decide about it [permitted] / tell the subject"))
    assert lines(found, "m") >= 3
    assert_clear(found, "m")


def test_where_there_is_hardly_any_room_a_label_keeps_its_lines() -> None:
    found = chart(*close("a", "b", "c", apart=60), message("m", "a>c", LONG))
    assert lines(found, "m") == lines(chart(lifeline("a"), lifeline("b"), message("m", "a>b", LONG)), "m")


def test_a_label_past_others_does_not_push_the_lifelines_apart_when_shorter_lines_do() -> None:
    rows = [*map(lifeline, "abc"), message("m", "a>c", LONG)]
    found, bare = chart(*rows), chart(*rows[:3])
    assert [found.x(id_) for id_ in "bc"] == [found.x("a") + bare.x(id_) - bare.x("a") for id_ in "bc"]
    assert_clear(found, "m")


def test_narrow_gaps_are_widened_until_one_holds_a_wrapped_label() -> None:
    rows = [*map(lifeline, "abc"), message("m", "a>c", LONG)]
    found = chart(*rows, canvas={"width": 300, "height": 300})
    gaps = found.x("b") - found.x("a"), found.x("c") - found.x("b")
    assert min(gaps) == 116
    assert 116 < max(gaps) <= 140
    assert_clear(found, "m")


def test_a_label_that_fits_is_not_touched() -> None:
    free = chart(lifeline("a"), lifeline("b"), message("m", "a>b", LONG))
    assert lines(free, "m") == 2
    assert_clear(free, "m")


def test_a_note_over_several_lifelines_uses_their_width() -> None:
    rows = [*map(lifeline, "abcd"), message("m", "a>b", "hi")]
    found = chart(*rows, note("n", "Here begins what only the four of them know about", over=["a", "d"]))
    assert lines(found, "n") == 1
    box, label = found.box("n"), found.part("n", "label")
    assert box.contains(label)
    assert box.height == chart(*rows, note("n", "short", over=["a", "d"])).box("n").height


def test_a_label_in_a_wide_gap_has_fewer_and_longer_lines() -> None:
    long = f"{LONG}, and tell what it says about the subject"
    wide = chart(*close("a", "b", apart=500), message("m", "a>b", long), message("r", "b>a", long, "reply"))
    narrow = chart(*close("a", "b", apart=250), message("m", "a>b", long), message("r", "b>a", long, "reply"))
    assert lines(wide, "m") == 2 < lines(narrow, "m")
    assert wide.label("m").width <= 360
    assert_clear(wide, "m")


gaps = st.integers(60, 260)
texts = st.sampled_from(["ok", LONG, "event [guard of some length] / action", "getAuthorizationDecision(subject_id)"])


@st.composite
def crowds(draw: st.DrawFn) -> dict[str, Any]:
    """Lifelines of which some, or all, stand where their author put them; long labels; perhaps a box."""
    ids = [f"l{number}" for number in range(draw(st.integers(2, 5)))]
    x, rows = 40, list[Json]()
    for id_ in ids:
        rows.append(lifeline(id_, layout=at(x, 40)) if draw(st.integers(0, 3)) else lifeline(id_))
        x += draw(gaps)
    end = st.sampled_from(ids)
    kinds = st.sampled_from(["message", "message", "reply"])
    events = [
        message(f"m{number}", f"{draw(end)}>{draw(end)}", draw(texts), draw(kinds))
        for number in range(draw(st.integers(1, 6)))
    ]
    notes = [note("n", LONG, over=[draw(end), draw(end)])] if draw(st.booleans()) else []
    boxes = [frame("box", "A box", *ids[: draw(st.integers(1, len(ids)))])] if draw(st.booleans()) else []
    return document(*boxes, *rows, *events, *notes)


def test_a_note_that_lifelines_far_apart_make_wide_does_not_push_them_further_apart() -> None:
    rows = [
        lifeline(name, layout=at(x, 40)) if x else lifeline(name)
        for name, x in zip("abcde", (40, 0, 0, 0, 452), strict=True)
    ]
    scene = document(
        *rows, message("m", "e>c", "getAuthorizationDecision(subject_id)"), note("n", LONG, over=["a", "d"])
    )
    once, _ = normalize(scene)
    twice, _ = normalize(once)
    assert twice["computed"] == once["computed"]


@settings(deadline=None, max_examples=80, suppress_health_check=[HealthCheck.too_slow])
@given(crowds())
def test_normalizing_a_crowd_again_moves_nothing(scene: dict[str, Any]) -> None:
    once, _ = normalize(scene)
    twice, _ = normalize(once)
    assert twice["computed"] == once["computed"]
    assert twice["elements"] == once["elements"]


@pytest.mark.parametrize("apart", [120, 150, 200])
def test_no_label_of_a_given_chart_is_run_through(apart: float) -> None:
    ends = ["a>b", "b>c", "c>c", "c>b", "b>a", "a>d", "d>b", "b>d", "d>a"]
    kinds = ["message", "message", "message", "reply", "reply", "message", "message", "reply", "reply"]
    rows = [message(f"m{turn}", way, LONG, kind) for turn, (way, kind) in enumerate(zip(ends, kinds, strict=True))]
    found = charted(document(*close("a", "b", "c", "d", apart=apart), *rows))
    for row in rows:
        assert_clear(found, row["id"])
