"""A drawing as pixels."""

from __future__ import annotations

import pytest

from scenograph.engine.drawing import Drawing, PathItem, PictureItem, TextItem, TextRun
from scenograph.engine.geometry.boxes import Box, Point
from scenograph.engine.geometry.paths import polyline, rectangle
from scenograph.engine.text.blocks import Font
from scenograph.engine.text.layout import text_width
from scenograph.engine.write.png import png_pixels, png_size, write_opaque_png, write_png
from scenograph.engine.write.svg import write_svg
from scenograph.scene.model import Color

DARK = Color(10, 20, 30)
DOT = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="


@pytest.mark.parametrize(("scale", "size"), [(1, (101, 51)), (2, (203, 101)), (0.1, (10, 5)), (8, (811, 405))])
def test_the_page_has_rounded_size_and_reaches_every_border(make_drawing, read_png, scale, size) -> None:
    drawing = make_drawing(page=Box(-7, 3, 101.4, 50.6), background=DARK)
    png = write_png(write_svg(drawing), 101.4, 50.6, scale)
    pixels = read_png(png.data)
    assert (png.width, png.height) == (pixels.width, pixels.height) == size == png_size(101.4, 50.6, scale)
    corners = [(x, y) for x in (0, size[0] - 1) for y in (0, size[1] - 1)]
    assert [pixels.at(x, y) for x, y in corners] == [(10, 20, 30, 255)] * 4


def test_pixels_are_counted_before_anything_is_drawn() -> None:
    assert png_pixels(1000, 800, 2) == 3_200_000
    assert png_pixels(1e6, 1e6, 8) == 64 * 10**12
    assert png_size(0.1, 0.1, 0.1) == (1, 1)


def test_a_thin_line_on_half_a_pixel_is_sharp(make_drawing, read_png) -> None:
    frame = PathItem(path=rectangle(Box(10.5, 10.5, 30, 20)), stroke=DARK, stroke_width=1)
    pixels = read_png(write_png(write_svg(make_drawing(frame)), 200, 100, 1).data)
    assert [pixels.at(20, y)[0] for y in (9, 10, 11)] == [255, 10, 255]


FONTS = [Font(family, 24.0, weight) for family in ("sans", "mono", "hand") for weight in (400, 600, 700)]


@pytest.mark.parametrize("outlined", [True, False])
@pytest.mark.parametrize("font", FONTS, ids=lambda font: f"{font.family}-{font.weight}")
def test_text_is_as_wide_as_it_was_measured(make_drawing, make_words, read_png, font, outlined) -> None:
    short, long = "H" + "|", "H" + "Wagon 42 fix" + "|"
    ends = []
    for text in (short, long):
        drawing = make_drawing(make_words(text, 10, 30, font), page=Box(0, 16, 240, 18))
        pixels = read_png(write_png(write_svg(drawing, outlined=outlined), 240, 18, 4).data)
        dark = [x for x in range(pixels.width) if any(row[4 * x] < 128 for row in pixels.rows)]
        ends.append(dark[-1] / 4)
    # Both end in the same letter, so side bearings cancel out.
    assert ends[1] - ends[0] == pytest.approx(text_width(long, font) - text_width(short, font), abs=0.3)


def test_a_bolder_weight_is_drawn_bolder(make_drawing, make_words, read_png) -> None:
    def ink(weight: int) -> int:
        drawing = make_drawing(make_words("Hamburg", font=Font("sans", 24.0, weight)))
        return sum(
            255 - value
            for row in read_png(write_png(write_svg(drawing, outlined=True), 200, 100, 1).data).rows
            for value in row[::4]
        )

    assert ink(400) < ink(600) < ink(700)


def test_the_same_drawing_gives_the_same_bytes(make_drawing, make_words) -> None:
    drawing = make_drawing(make_words("Abc"))
    svg = write_svg(drawing)
    assert write_png(svg, 200, 100, 1.5) == write_png(svg, 200, 100, 1.5)
    assert write_opaque_png(drawing, 1.5) == write_opaque_png(drawing, 1.5)


def pixels_by_resvg(drawing: Drawing, scale: float) -> bytes:
    """The PNG that resvg packs by itself."""
    page = drawing.page
    return write_png(write_svg(drawing, outlined=True), page.width, page.height, scale).data


@pytest.mark.parametrize("scale", [0.1, 1, 2.5])
def test_an_opaque_page_has_the_same_pixels_whoever_packs_them(make_drawing, make_words, read_png, scale) -> None:
    drawing = make_drawing(make_words("Office", 10, 30), page=Box(0, 0, 200.4, 100.6), background=DARK)
    ours, theirs = read_png(write_opaque_png(drawing, scale).data), read_png(pixels_by_resvg(drawing, scale))
    assert (ours.width, ours.height) == (theirs.width, theirs.height) == png_size(200.4, 100.6, scale)
    assert ours.rows == theirs.rows


def word(text: str, at: Point, width: float, size: float) -> TextItem:
    run = TextRun(text=text, at=at, width=width, font=Font("sans", size), color=DARK)
    return TextItem(runs=(run,))


ACUTE = polyline([Point(100, 90), Point(110, 40), Point(120, 90)])
PAINTED = {
    "letters": word("Office", Point(10, 70), 120, 60.0),
    "marks": word("A\u0301\u0302\u0303\u0308", Point(10, 70), 40, 40.0),
    "turned": word("Turned", Point(90, 50), 60, 24.0)._replace(turn=-90, pivot=Point(100, 50)),
    "no glyph": word("\U00020000", Point(10, 50), 40, 40.0),
    "sharp": PathItem(path=ACUTE, stroke=DARK, stroke_width=6, round_joins=False),
    "picture": PictureItem(box=Box(20, 13.5, 60, 40.3), mime_type="image/png", data=DOT, pixels=(1, 1), fit="stretch"),
}


@pytest.mark.parametrize("strip", [1, 1999, 4000])
@pytest.mark.parametrize("item", PAINTED.values(), ids=PAINTED)
def test_the_strips_of_a_page_meet_without_a_seam(make_drawing, read_png, monkeypatch, strip, item) -> None:
    """What two strips share may differ by rounding, nowhere by more than a quarter of full ink."""
    drawing = make_drawing(item, page=Box(0, 0, 200.4, 100.6))
    whole = read_png(pixels_by_resvg(drawing, 1)).rows
    monkeypatch.setattr("scenograph.engine.write.png.STRIP", strip)
    strips = read_png(write_opaque_png(drawing, 1).data).rows
    apart = [abs(a - b) for one, two in zip(whole, strips, strict=True) for a, b in zip(one, two, strict=True)]
    assert max(apart) < 64
    assert sum(apart) < 0.02 * sum(255 - value for row in whole for value in row)


@pytest.mark.parametrize("scale", [1, 2])
def test_outlined_letters_look_like_the_text(make_drawing, make_words, read_png, scale) -> None:
    texts = [
        make_words("Office & Café → AVATAR", 10, 30),
        make_words("static int x = 0;", 10, 55, Font("mono", 12.0, 600)),
        make_words("by hand, slanted", 10, 80, Font("sans", 13.0, 500, italic=True)),
    ]
    drawing = make_drawing(*texts)
    plain, outlined = (
        read_png(write_png(write_svg(drawing, outlined=flag), 200, 100, scale).data) for flag in (False, True)
    )
    ink = sum(255 - value for row in plain.rows for value in row[::4])
    apart = sum(
        abs(a - b) for one, two in zip(plain.rows, outlined.rows, strict=True) for a, b in zip(one, two, strict=True)
    )
    assert apart / 3 < 0.06 * ink


def test_a_letter_that_no_font_has_is_a_box_as_wide_as_measured(make_drawing, make_words, read_png) -> None:
    drawing = make_drawing(make_words("\U00020000", 10, 50, Font("sans", 40.0)), page=Box(0, 0, 60, 60))
    pixels = read_png(write_png(write_svg(drawing, outlined=True), 60, 60, 1).data)
    dark = [x for x in range(60) if any(row[4 * x] < 128 for row in pixels.rows)]
    assert 10 < dark[0] < 15
    assert 45 < dark[-1] < 50
    assert pixels.at(30, 36)[0] == 255
