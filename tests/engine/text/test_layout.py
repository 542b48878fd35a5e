"""Line breaking and measuring of labels."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenograph.engine.text.blocks import Font, TextBlock
from scenograph.engine.text.layout import lay_text, text_width

SANS = Font("sans", 13.0, 500)


def lines_of(block: TextBlock) -> list[str]:
    return ["".join(run.text for run in line.runs) for line in block.lines]


def test_a_label_that_fits_stays_on_one_line() -> None:
    block = lay_text("Order service", SANS, 200)
    assert lines_of(block) == ["Order service"]
    assert block.width == block.lines[0].width
    assert block.height == block.line_height


def test_a_text_laid_out_in_exactly_its_own_width_does_not_wrap() -> None:
    for text in ("Order service", "Überweisung prüfen", "a/b-c d"):
        assert len(lay_text(text, SANS, text_width(text, SANS)).lines) == 1


def test_without_a_width_only_newlines_break() -> None:
    assert lines_of(lay_text("one two\r\nthree\u2028four", SANS)) == ["one two", "three", "four"]


def test_an_empty_line_between_two_others_keeps_its_place() -> None:
    block = lay_text("a\n\nb", SANS)
    assert lines_of(block) == ["a", "", "b"]
    assert block.height == pytest.approx(3 * block.line_height)


@pytest.mark.parametrize("blank", ["", "  ", "\n", "\t\n "])
def test_a_blank_text_has_no_lines(blank: str) -> None:
    block = lay_text(blank, SANS, 100)
    assert (block.lines, block.width, block.height) == ((), 0.0, 0.0)


def test_lines_break_after_spaces_hyphens_and_slashes() -> None:
    assert lines_of(lay_text("cloud-controller manager/agent", SANS, 75)) == [
        "cloud-",
        "controller",
        "manager/",
        "agent",
    ]


def test_a_minus_sign_does_not_break_from_its_number() -> None:
    assert "-5" in lines_of(lay_text("offset -5", SANS, 40))


def test_an_overlong_word_breaks_at_its_parts_first() -> None:
    assert lines_of(lay_text("OrderProcessingService", SANS, 80)) == ["Order", "Processing", "Service"]
    assert lines_of(lay_text("order_item_count", SANS, 80)) == ["order_item_", "count"]


def test_an_address_breaks_where_its_query_goes_on_rather_than_inside_a_name() -> None:
    lines = lines_of(lay_text("302 /authorize?response_type=code&scope=openid", SANS, 180))
    assert lines == ["302 /authorize?", "response_type=code&", "scope=openid"]


def test_a_word_without_parts_breaks_anywhere_rather_than_overflow() -> None:
    block = lay_text("x" * 40, SANS, 60)
    assert block.width <= 60
    assert "".join(lines_of(block)) == "x" * 40


def test_japanese_breaks_without_spaces_but_not_before_a_full_stop() -> None:
    lines = lines_of(lay_text("注文を処理する。", SANS, 13 * 7 + 1))
    assert len(lines) == 2
    assert not lines[1].startswith("。")


def test_balancing_evens_lines_out_and_adds_none() -> None:
    greedy = lay_text("Review and document the result", SANS, 160)
    balanced = lay_text("Review and document the result", SANS, 160, balanced=True)
    assert len(balanced.lines) == len(greedy.lines)
    assert balanced.width < greedy.width


def test_indentation_and_repeated_spaces_survive_as_no_break_spaces() -> None:
    assert lines_of(lay_text("  a   b  ", SANS)) == ["\u00a0\u00a0a\u00a0\u00a0 b"]


def test_control_characters_and_direction_overrides_are_dropped() -> None:
    assert lines_of(lay_text("a\x00b\u202ec\x1b", SANS)) == ["abc"]


def test_capitals_stand_in_the_middle_of_a_line() -> None:
    block = lay_text("H", Font("sans", 100.0))
    above, below = block.ascent - 72.75, block.line_height - block.ascent
    assert above == pytest.approx(below, abs=0.01)


texts = st.text(st.characters(codec="utf-8"), max_size=60)
fonts = st.builds(Font, st.sampled_from(["sans", "mono", "hand", "other"]), st.floats(6, 40), st.integers(1, 1000))


@given(texts, fonts, st.floats(20, 300), st.booleans())
@settings(deadline=None, max_examples=150)
def test_lines_fit_unless_a_single_cluster_is_wider(text: str, font: Font, width: float, balanced: bool) -> None:
    block = lay_text(text, font, width, balanced=balanced)
    for line in block.lines:
        drawn = "".join(run.text for run in line.runs)
        # Kerning at a line's end may differ from the same letters inside the paragraph.
        assert line.width <= width + 0.1 * font.size or len(drawn.strip()) <= 12
        assert line.width == pytest.approx(sum(run.width for run in line.runs))


@given(st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=1, max_size=60), st.floats(10, 200))
@settings(deadline=None, max_examples=100)
def test_no_letter_is_lost_by_wrapping(word: str, width: float) -> None:
    assert "".join(lines_of(lay_text(word, SANS, width))) == word
