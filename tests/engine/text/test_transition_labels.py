"""`event [guard] / action`."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenograph.engine.measure import SEGMENT_GAP, is_transition, lay_transition
from scenograph.engine.text.blocks import Font, FontRun
from scenograph.engine.text.layout import text_width

FONT = Font("sans", 12.0, 400)


def runs_of(label: str, width: float = 160.0) -> list[FontRun]:
    return [run for line in lay_transition(label, FONT, width).lines for run in line.runs]


@pytest.mark.parametrize("label", ["submit [valid]", "read / write", "[ok]", "a [b [c]] / d", "[retry] / log"])
def test_brackets_or_a_slash_between_spaces_make_a_transition(label: str) -> None:
    assert is_transition(label)


@pytest.mark.parametrize("label", ["submit", "read/write", "a ] b [", "array[0", "submit\n[valid]", "read /write", ""])
def test_everything_else_is_plain(label: str) -> None:
    assert not is_transition(label)


def test_the_three_parts_differ_in_size_tone_and_slant() -> None:
    rows = [(run.text, run.font.size, run.tone, run.font.italic) for run in runs_of("submit [valid] / save draft")]
    assert rows == [
        ("submit", 12, "text", False),
        ("[valid]", 10, "muted", False),
        ("/ save draft", 10, "muted", True),
    ]


def test_parts_stand_six_px_apart_on_one_line() -> None:
    event, guard, action = runs_of("submit [valid] / save")
    assert event.x == 0
    assert guard.x == pytest.approx(event.width + SEGMENT_GAP)
    assert action.x == pytest.approx(guard.x + guard.width + SEGMENT_GAP)
    block = lay_transition("submit [valid] / save", FONT, 160)
    assert block.width == pytest.approx(action.x + action.width)
    assert event.width == text_width("submit", FONT)


@pytest.mark.parametrize(
    ("label", "texts"),
    [
        ("[valid]", ["[valid]"]),
        ("read / write", ["read", "/ write"]),
        ("[valid] / save", ["[valid]", "/ save"]),
        ("a [b] c / d", ["a", "[b]", "c", "/ d"]),
        ("GET /x [auth] list", ["GET /x", "[auth]", "list"]),
        ("[x] [y]", ["[x]", "[y]"]),
        ("call / set x[0]", ["call", "/ set x[0]"]),
        ("pick [a[0]]", ["pick", "[a[0]]"]),
    ],
)
def test_missing_parts_leave_no_gap(label: str, texts: list[str]) -> None:
    assert [run.text for run in runs_of(label)] == texts


def test_a_line_that_is_far_too_wide_is_stacked() -> None:
    block = lay_transition(
        "the operator submits the form [all fields are valid and signed] / store the draft", FONT, 100
    )
    assert len(block.lines) > 2
    assert block.width <= 100
    assert block.height == pytest.approx(len(block.lines) * block.line_height)


@given(st.text("ab []/ ", max_size=30))
@settings(deadline=None, max_examples=200)
def test_no_letter_is_lost_and_all_stand_as_they_were_written(label: str) -> None:
    if is_transition(label):
        drawn = "".join(run.text for run in runs_of(label))
        assert [c for c in drawn if c not in " \u00a0"] == [c for c in label if c != " "]
