"""Widths against the rasterizer that draws them, and the choice of a face for each letter."""

import pytest
from svg2png_py import FontDatabase, svg_to_rgba

from scenograph.engine.text.blocks import Font
from scenograph.engine.text.layout import text_width
from scenograph.engine.text.shaping import FONT_FILES, TYPE_FAMILIES, drawn_font, face_of, shape_line, stretches

SENTENCE = "Handling requests from many WAVE tokens - 1.25 AVATAR"


@pytest.fixture(scope="module")
def fonts() -> FontDatabase:
    database = FontDatabase()
    for path in FONT_FILES:
        database.load_font_file(str(path))
    return database


def bar_position(svg_text: str, fonts: FontDatabase) -> float:
    """Where the ink of a lone bar begins, to 1/8 px, found in a picture 8 times as wide."""
    svg = (
        '<svg xmlns="http://www.w3.org/2000/svg" width="7200" height="40" font-optical-sizing="none">'
        f'<g transform="scale(8 1)">{svg_text}</g></svg>'
    )
    pixels, width, _ = svg_to_rgba(svg, fonts)
    middle = pixels[20 * width * 4 + 3 : 21 * width * 4 : 4]
    return next(x for x, alpha in enumerate(middle) if alpha > 127) / 8


@pytest.mark.parametrize("family", ["sans", "mono", "hand"])
@pytest.mark.parametrize("weight", [400, 600, 700])
@pytest.mark.parametrize("size", [12.0, 22.0])
def test_the_measured_width_is_where_the_rasterizer_puts_the_next_letter(
    family: str, weight: int, size: float, fonts: FontDatabase
) -> None:
    font = drawn_font(Font(family, size, weight))
    style = f'font-family="{face_of(font).css_name}" font-size="{size}" font-weight="{font.weight}" y="26"'
    bar = bar_position(f"<text {style}>|</text>", fonts)
    after = bar_position(f'<text {style}><tspan fill-opacity="0">{SENTENCE}</tspan><tspan>|</tspan></text>', fonts)
    assert after - bar == pytest.approx(text_width(SENTENCE, font), abs=0.13)


@pytest.mark.parametrize(
    ("text", "family"),
    [
        ("שלום", "hebrew"),
        ("مرحبا بالعالم", "arabic"),
        ("नमस्ते", "devanagari"),
        ("สวัสดี", "thai"),
        ("வணக்கம்", "tamil"),
        ("నమస్తే", "telugu"),
        ("សួស្តី", "khmer"),
        ("주문 처리", "korean"),
        ("订单處理", "chinese"),
        ("注文サービス", "japanese"),
        ("👨‍👩‍👧", "emoji"),
        ("❤️", "emoji"),
        ("1️⃣", "emoji"),
        ("ǆ→é́µ", "sans"),
    ],
)
def test_every_script_is_drawn_by_a_font_made_for_it(text: str, family: str) -> None:
    assert [(part.text, part.font.family, part.known) for part in stretches(text, Font("sans", 13))] == [
        (text, family, True)
    ]


def test_a_family_draws_the_scripts_it_has_itself() -> None:
    assert [part.font.family for part in stretches("ok नमस्ते", Font("hand", 13))] == ["hand"]


def test_one_sequence_of_emoji_is_one_picture() -> None:
    family, one = (text_width(text, Font("sans", 10)) for text in ("👨‍👩‍👧", "👩"))
    assert family == one


def test_signs_that_fonts_of_letters_have_stay_in_the_style_of_the_text() -> None:
    assert [part.font.family for part in stretches("✓ 1 # ©", Font("sans", 13))] == ["sans"]


def test_letters_nobody_has_are_estimated() -> None:
    assert text_width("𒀀", Font("sans", 10)) == 6
    assert text_width("\U00017000", Font("sans", 10)) > 0
    assert text_width("ᠮᠣᠩ", Font("sans", 10)) == pytest.approx(18)


def test_text_from_right_to_left_stands_in_the_order_it_is_read() -> None:
    runs, width = shape_line("שלום API (v2)", Font("sans", 12))
    assert [(run.text, run.right_to_left) for run in runs] == [
        ("שלום", True),
        (" ", True),
        ("API (v2)", False),
    ]
    hebrew, space, latin = runs
    assert latin.x == 0
    assert space.x == pytest.approx(latin.x + latin.width)
    assert hebrew.x == pytest.approx(space.x + space.width)
    assert hebrew.x + hebrew.width == pytest.approx(width)


def test_arabic_letters_are_joined() -> None:
    joined, alone = text_width("ببب", Font("sans", 20)), 3 * text_width("ب", Font("sans", 20))
    assert joined < 0.8 * alone


def test_runs_follow_one_another_without_gaps() -> None:
    runs, width = shape_line("ab 注文 𒀀 cd", Font("mono", 12))
    x = 0.0
    for run in runs:
        assert run.x == pytest.approx(x)
        x += run.width
    assert x == pytest.approx(width)


def test_a_weight_a_family_lacks_becomes_its_nearest() -> None:
    assert drawn_font(Font("hand", 12, 600)).weight == 700
    assert drawn_font(Font("hand", 12, 500)).weight == 400
    assert drawn_font(Font("hand", 12, 100)).weight == 300
    assert drawn_font(Font("mono", 12, 900)).weight == 800
    assert drawn_font(Font("sans", 12, 650)).weight == 650


def test_a_family_without_italics_stays_upright() -> None:
    assert drawn_font(Font("hand", 12, 400, italic=True)).italic is False
    assert drawn_font(Font("sans", 12, 400, italic=True)).italic is True


def test_the_named_cap_heights_are_those_of_the_files() -> None:
    expected = {"sans": 0.7275, "mono": 0.73, "hand": 0.74}
    assert {name: family.cap_height for name, family in TYPE_FAMILIES.items()} == expected
