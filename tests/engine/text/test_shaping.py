"""Widths against the rasterizer that draws them, and the choice of a face for each letter."""

import pytest
from svg2png_py import FontDatabase, svg_to_rgba

from scenograph.engine.text.blocks import Font
from scenograph.engine.text.faces import FONT_FILES, TYPE_FAMILIES, drawn_font, face_of
from scenograph.engine.text.layout import text_width
from scenograph.engine.text.shaping import shape_line, stretches

SENTENCE = "Handling requests from many WAVE tokens -> 1.25 AVATAR"


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


def test_letters_the_family_lacks_are_drawn_by_another_one() -> None:
    families = [stretch.font.family for stretch in stretches("ok नमस्ते", Font("sans", 13))]
    assert families == ["sans", "hand"]


def test_letters_nobody_has_are_estimated() -> None:
    assert text_width("注文", Font("sans", 10)) == 20
    assert text_width("👨‍👩‍👧", Font("sans", 10)) == 10
    assert text_width("שלום", Font("sans", 10)) == pytest.approx(24)


def test_runs_follow_one_another_without_gaps() -> None:
    runs, width = shape_line("ab 注文 cd", Font("mono", 12))
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
