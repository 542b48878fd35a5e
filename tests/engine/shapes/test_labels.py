"""Labels inside shapes of a given size."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenograph.engine.geometry.boxes import Box
from scenograph.engine.shapes import SHAPES
from scenograph.engine.text.blocks import Font, TextBlock
from scenograph.engine.text.layout import text_width
from scenograph.engine.text_in_shapes import clear_height, clear_width, lay_label

FONT = Font("sans", 13.0, 500)
shape_names = st.sampled_from(list(SHAPES))


def texts(block: TextBlock) -> list[str]:
    return ["".join(run.text for run in line.runs) for line in block.lines]


def test_a_single_line_fits_a_flat_ellipse_beyond_its_inner_rectangle() -> None:
    ellipse = SHAPES["ellipse"]
    label = lay_label("Edmonton", FONT, ellipse, 84, 32)
    assert label.required == 0
    assert texts(label.block) == ["Edmonton"]
    assert label.block.width > ellipse.text_area(Box(0, 0, 84, 32)).width


@pytest.mark.parametrize("city", ["Kansas City", "Los Angeles", "Indianapolis"])
def test_a_name_stands_in_one_line_where_its_letters_have_room(city: str) -> None:
    label = lay_label(city, FONT, SHAPES["ellipse"], 84, 32)
    assert (texts(label.block), label.required) == ([city], 0)


def test_a_name_is_rather_cut_between_its_parts_than_touching_the_border() -> None:
    label = lay_label("https://example.org/a/very/long/path", FONT, SHAPES["rect"], 131, 60)
    assert label.block.width <= 131 - 4


def test_what_fits_nowhere_rather_sticks_out_at_the_sides_than_above_and_below() -> None:
    label = lay_label("Washington DC", FONT, SHAPES["ellipse"], 84, 32)
    assert texts(label.block) == ["Washington DC"]
    assert label.required > label.available


def test_a_diamond_gives_two_lines_less_width_than_one() -> None:
    diamond, box = SHAPES["diamond"], Box(0, 0, 200, 100)
    assert clear_width(diamond, box, 13) == pytest.approx(174, abs=0.5)
    assert clear_width(diamond, box, 30) == pytest.approx(140, abs=0.5)
    assert clear_width(diamond, box, 100) == pytest.approx(0, abs=0.5)


def test_a_cylinders_lid_is_not_written_over() -> None:
    cylinder, box = SHAPES["cylinder"], Box(0, 0, 100, 100)
    assert clear_height(cylinder, box) == cylinder.text_area(box).height
    assert clear_height(SHAPES["ellipse"], box) == 100


def test_a_line_is_added_where_there_is_height_and_else_the_room_beside_it_shrinks() -> None:
    width = text_width("Order intake", FONT)
    assert len(lay_label("Order intake", FONT, SHAPES["rect"], width + 17, 30).block.lines) == 1
    assert len(lay_label("Order intake", FONT, SHAPES["rect"], width + 5, 60).block.lines) == 2
    assert len(lay_label("Order intake", FONT, SHAPES["rect"], width + 5, 30).block.lines) == 1


def test_a_word_is_broken_only_when_that_makes_the_label_fit_or_it_is_far_too_long() -> None:
    rect = SHAPES["rect"]
    fits = lay_label("Charlottetown", FONT, rect, 60, 60)
    assert (fits.required, len(fits.block.lines)) == (0, 2)
    spills = lay_label("Charlottetown", FONT, rect, 84, 20)
    assert texts(spills.block) == ["Charlottetown"]
    assert spills.required > spills.available == 20
    broken = lay_label("Charlottetown" * 3, FONT, rect, 84, 20)
    assert len(broken.block.lines) > 1


def test_a_label_without_letters_fits_everywhere() -> None:
    assert lay_label(" \n ", FONT, SHAPES["cloud"], 0, 0).required == 0


@given(shape_names, st.text("abc defg-hij", min_size=1, max_size=40), st.floats(40, 300), st.floats(1, 200))
@settings(deadline=None, max_examples=150)
def test_a_label_that_fits_stays_within_the_outline(name: str, text: str, width: float, height: float) -> None:
    shape, box = SHAPES[name], Box(0, 0, width, height)
    label = lay_label(text, FONT, shape, width, height)
    if label.required or not label.block.lines:
        return
    letters = label.block.height - (label.block.line_height - 0.8 * FONT.size)
    inner = shape.text_area(box)
    assert label.block.height <= max(clear_height(shape, box), inner.height) + 0.5
    assert label.block.width <= max(clear_width(shape, box, letters), inner.width) + 1.5


@given(shape_names, st.text(max_size=40), st.floats(0, 300), st.floats(0, 200))
@settings(deadline=None, max_examples=150)
def test_a_label_that_does_not_fit_needs_more_than_there_is(name: str, text: str, width: float, height: float) -> None:
    label = lay_label(text, FONT, SHAPES[name], width, height)
    assert label.required == 0 or label.required > label.available
