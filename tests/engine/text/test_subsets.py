"""Subsets draw what the whole files draw."""

from pathlib import Path

import pytest
import uharfbuzz as hb
from svg2png_py import FontDatabase, svg_to_rgba

from scenograph.engine.text.blocks import Font
from scenograph.engine.text.shaping import FONT_FILES, Stretch, face_of, shaped
from scenograph.engine.write.svg import FaceUse, faces_used, subset_font


def picture(files: list[Path], font: Font, text: str) -> bytes:
    database = FontDatabase()
    for path in files:
        database.load_font_file(str(path))
    svg = (
        '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="40" font-optical-sizing="none">'
        f'<text x="4" y="28" font-family="{face_of(font).css_name}" font-size="{font.size}"'
        f' font-weight="{font.weight}" font-style="{"italic" if font.italic else "normal"}">{text}</text></svg>'
    )
    return bytes(svg_to_rgba(svg, database)[0])


def assert_alike(ours: bytes, theirs: bytes) -> None:
    """Pinned outlines are rounded to font units, which may change an edge pixel by a shade."""
    shades = [abs(a - b) for a, b in zip(ours[3::4], theirs[3::4], strict=True)]
    ink = sum(theirs[3::4])
    assert ink > 10_000
    assert sum(shades) < 0.01 * ink


@pytest.mark.parametrize(
    "fonts",
    [
        [Font("sans", 24, 400)],
        [Font("sans", 24, 400), Font("sans", 24, 600)],
        [Font("sans", 14, 500, italic=True)],
        [Font("mono", 18, 400), Font("mono", 18, 700)],
        [Font("hand", 18, 700)],
    ],
)
def test_a_subset_draws_what_the_file_draws(fonts: list[Font], tmp_path: Path) -> None:
    text = "Fix - waffle 12"
    for use in faces_used([(text, font) for font in fonts]):
        file = tmp_path / f"{use.face.name}.ttf"
        file.write_bytes(subset_font(use))
        for font in fonts:
            assert_alike(picture([file], font, text), picture(list(FONT_FILES), font, text))


def numbers(font: hb.Font, text: str) -> list[int]:
    """The glyphs of a text as a program shapes it that knows the file alone."""
    buffer = hb.Buffer()
    buffer.add_str(text)
    buffer.guess_segment_properties()
    hb.shape(font, buffer)
    return [info.codepoint for info in buffer.glyph_infos]


@pytest.mark.parametrize("font", [Font("mono", 14, 500), Font("sans", 14, 500), Font("sans", 14, 400, italic=True)])
@pytest.mark.parametrize("text", ["->", "<->", ">=", "!=", "=>", "===", "<!--", "3x4", "10:30", "www"])
def test_text_is_drawn_sign_by_sign(text: str, font: Font) -> None:
    ours = [shaped(Stretch(part, font, known=True)).infos for part in (text, *text)]
    assert [info.codepoint for info in ours[0]] == [info.codepoint for rows in ours[1:] for info in rows]
    (use,) = faces_used([(text, font)])
    file = hb.Font(hb.Face(hb.Blob(subset_font(use))))
    assert numbers(file, text) == [number for sign in text for number in numbers(file, sign)]


def test_uses_are_gathered_by_file_with_letters_and_weights() -> None:
    uses = faces_used([("ba", Font("sans", 12, 600)), ("ac注", Font("sans", 14, 400)), ("x", Font("mono", 12))])
    assert [(use.face.name, use.letters, use.weights) for use in uses] == [
        ("inter", "abc", (400, 600)),
        ("jetbrains-mono", "x", (400, 400)),
    ]


def test_a_subset_is_small_and_repeatable() -> None:
    use = FaceUse(face_of(Font("sans", 12)), "Odersvic ", (500, 500))
    first = subset_font(use)
    subset_font.cache_clear()
    assert subset_font(use) == first
    assert len(first) < 8_000
