"""The order of mixed text, against another implementation of the Unicode bidirectional algorithm."""

from itertools import groupby

import pytest
from bidi import get_display
from hypothesis import given
from hypothesis import strategies as st

from scenograph.engine.text.shaping import levels, runs_right_to_left, seen_order

LETTERS = st.text("aZ אב ةم 12 ١٢ +-$%,.:/ ()[]{}<> \u0301\u05b0 \u00a0_!", max_size=24)
MIRRORED = str.maketrans(")]}>", "([{<")


def seen(text: str, *, right_to_left: bool) -> str:
    """The letters of a line from left to right; of the two halves of a pair of brackets, always the first."""
    order = seen_order(levels(text, right_to_left=right_to_left))
    return "".join(text[at] for at in order).translate(MIRRORED)


@given(LETTERS, st.booleans())
def test_letters_are_seen_in_the_order_that_the_standard_says(text: str, right_to_left: bool) -> None:
    theirs = get_display(text, base_dir="R" if right_to_left else "L")
    assert seen(text, right_to_left=right_to_left) == str(theirs).translate(MIRRORED)


@pytest.mark.parametrize(
    ("text", "expected"),
    [("API של", False), ("של API", True), ("12 (של)", True), ("...", False), ("", False), ("مرحبا", True)],
)
def test_the_first_strong_letter_gives_a_paragraph_its_direction(text: str, expected: bool) -> None:
    assert runs_right_to_left(text) is expected


def test_characters_that_are_not_seen_change_nothing() -> None:
    text = "של\u200d12\u200c"
    row = levels(text, right_to_left=True)
    assert [level for level, _ in groupby(row)] == [1, 2, 1]


@given(LETTERS, st.booleans())
def test_every_character_is_seen_once(text: str, right_to_left: bool) -> None:
    assert sorted(seen_order(levels(text, right_to_left=right_to_left))) == list(range(len(text)))
