"""A drawing as an SVG document."""

from __future__ import annotations

import re
from base64 import b64encode
from xml.etree import ElementTree as ET

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scenograph.engine.drawing import (
    Drawing,
    DrawnGroup,
    GradientStop,
    LinearGradient,
    PathItem,
    PictureItem,
    RadialGradient,
    TextItem,
    TextRun,
)
from scenograph.engine.geometry.boxes import Box, Point
from scenograph.engine.geometry.paths import Line, Move, rectangle, segment
from scenograph.engine.measure import lay_transition
from scenograph.engine.text.blocks import Font
from scenograph.engine.text.layout import lay_text
from scenograph.engine.write.svg import write_svg
from scenograph.scene.model import Color

SVG = "{http://www.w3.org/2000/svg}"
RED, BLUE, INK = Color(255, 0, 0), Color(0, 0, 255, 0.5), Color(18, 52, 86)
SQUARE = rectangle(Box(10, 10, 20, 20))


def parsed(svg: str) -> ET.Element:
    return ET.fromstring(svg)  # noqa: S314 - our own output


def test_a_group_becomes_one_element_with_its_owner_and_its_paint(make_drawing) -> None:
    item = PathItem(path=SQUARE, fill=RED, stroke=INK, stroke_width=2.0, dash=(6, 4))
    group = DrawnGroup(id="a<b", kind="node", items=(item,), opacity=0.4)
    svg = write_svg(make_drawing(groups=(group,)))
    assert (
        '<g data-element-id="a&lt;b" data-kind="node" opacity="0.4">'
        '<path fill="#f00" stroke="#123456" stroke-dasharray="6 4" d="M10 10h20v20h-20z"/></g>'
    ) in svg


def test_an_edge_label_names_the_edge_it_belongs_to(make_drawing, make_words) -> None:
    line = DrawnGroup(id="e", kind="edge", items=(PathItem(path=SQUARE, stroke=RED, stroke_width=1),))
    label = DrawnGroup(id="e", kind="edge", items=(make_words("yes"),), role="label")
    root = parsed(write_svg(make_drawing(groups=(line, label))))
    assert len(root.findall(f".//{SVG}g[@data-element-id='e']")) == 1
    assert root.find(f".//{SVG}g[@data-label-for='e']/{SVG}text").text == "yes"


def test_translucent_and_absent_colours(make_drawing) -> None:
    svg = write_svg(make_drawing(PathItem(path=SQUARE, fill=BLUE, stroke=Color(0, 0, 0, 0), stroke_width=3)))
    assert '<path fill="#00f" fill-opacity="0.5" d="' in svg


def test_paths_of_one_group_share_their_paint(make_drawing) -> None:
    lines = [PathItem(path=segment(Point(0, y), Point(9, y)), stroke=RED, stroke_width=1) for y in (1, 2, 3)]
    svg = write_svg(make_drawing(*lines))
    assert '<g data-element-id="n" data-kind="node" fill="none" stroke="#f00"><path d="M0 1h9"/>' in svg


def test_paths_with_the_same_points_are_told_apart_by_their_commands(make_drawing) -> None:
    corners = [Point(0, 0), Point(9, 0), Point(9, 9)]
    drawn, lifted = (Move(corners[0]), *map(Line, corners[1:])), (Move(corners[0]), Move(corners[1]), Line(corners[2]))
    texts = [write_svg(make_drawing(PathItem(path=path, fill=RED))) for path in (drawn, lifted)]
    assert ["M0 0h9v9" in texts[0], "M0 0M9 0v9" in texts[1]] == [True, True]


def test_text_does_not_inherit_the_stroke_of_a_shape(make_drawing, make_words) -> None:
    root = parsed(write_svg(make_drawing(PathItem(path=SQUARE, stroke=RED, stroke_width=1), make_words("a"))))
    texts = {text: parents for parents in root.iter() for text in parents if text.tag == f"{SVG}text"}
    assert len(texts) == 1
    assert all(parent.get("stroke") is None for parent in texts.values())


def test_the_page_is_the_view_box_and_the_background_fills_it(make_drawing) -> None:
    root = parsed(write_svg(make_drawing(page=Box(-40, -12.5, 300, 200))))
    assert (root.get("width"), root.get("height"), root.get("viewBox")) == ("300", "200", "-40 -12.5 300 200")
    rect = root.find(f"{SVG}rect")
    assert [rect.get(name) for name in ("x", "y", "width", "height", "fill")] == ["-40", "-12.5", "300", "200", "#fff"]


def test_a_page_without_colour_has_no_background(make_drawing) -> None:
    assert "<rect" not in write_svg(make_drawing(background=Color(0, 0, 0, 0)))


def test_the_picture_has_a_role_a_name_and_a_description(make_drawing) -> None:
    root = parsed(write_svg(make_drawing(title="Orders & <more>", description="Two nodes.")))
    named, described = root.get("aria-labelledby").split()
    assert root.get("role") == "img"
    assert root.find(f"{SVG}title[@id='{named}']").text == "Orders & <more>"
    assert root.find(f"{SVG}desc[@id='{described}']").text == "Two nodes."


def test_ids_and_font_names_differ_between_two_pictures(make_drawing, make_words) -> None:
    one, two = (write_svg(make_drawing(make_words(text))) for text in ("Abc", "Xyz"))
    assert not set(re.findall(r' id="([^"]+)"', one)) & set(re.findall(r' id="([^"]+)"', two))
    assert not set(re.findall(r"font-family:([^;]+)", one)) & set(re.findall(r"font-family:([^;]+)", two))


def test_the_same_drawing_gives_the_same_bytes(make_drawing, make_words) -> None:
    assert write_svg(make_drawing(make_words("Abc"))) == write_svg(make_drawing(make_words("Abc")))


def test_fonts_are_embedded_for_the_families_and_weights_in_use(make_drawing, make_words) -> None:
    texts = [
        make_words("Plain"),
        make_words("Bold", font=Font("sans", 14, 600)),
        make_words("x=1", font=Font("mono", 12)),
    ]
    svg = write_svg(make_drawing(*texts))
    rules = re.findall(r"@font-face{font-family:(sg\w+);font-weight:([\d ]+);src:url\(data:font/ttf;base64,", svg)
    assert [weight for _, weight in rules] == ["400", "400 600"]
    for name, _ in rules:
        assert f'font-family="{name},' in svg


def test_outlined_letters_need_no_font_and_are_one_path_a_run(make_drawing, make_words) -> None:
    root = parsed(write_svg(make_drawing(make_words("noon"), make_words("no")), outlined=True))
    assert not [one for name in ("text", "style", "use") for one in root.iter(f"{SVG}{name}")]
    four, two = (path.get("d") for path in root.iter(f"{SVG}path"))
    assert four.startswith(two)
    assert four.count("M") == 2 * two.count("M")


def test_the_commonest_font_is_said_once(make_drawing, make_words) -> None:
    svg = write_svg(make_drawing(make_words("a"), make_words("b"), make_words("c", font=Font("sans", 20, 700))))
    assert svg.count('font-size="14"') == 1
    assert '<text x="10" y="30" font-size="20" font-weight="700">c</text>' in svg


def test_lines_are_spans_at_their_own_places(make_drawing, make_words) -> None:
    svg = write_svg(make_drawing(make_words("one\ntwo")))
    assert '<text><tspan x="10" y="30">one</tspan> <tspan x="10" y="48">two</tspan></text>' in svg


WORDS = st.sampled_from(
    ["order", "of", "Zahlungsdiensteanbieterschnittstelle", "API", "שלום", "x/y", "订单管理系统订单管理系统"]
)


@given(words=st.lists(WORDS, min_size=1), between=st.sampled_from([" ", "\n", "  "]))
@settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_words_on_neighbouring_lines_are_apart_and_the_parts_of_a_broken_one_are_not(
    make_drawing, make_laid_words, words: list[str], between: str
) -> None:
    block = lay_text(between.join(words), Font("sans", 13.0), 90.0)
    (text,) = parsed(write_svg(make_drawing(make_laid_words(block)))).iter(f"{SVG}text")
    assert "".join(text.itertext()).replace("\u200f", "").split() == words


@pytest.mark.parametrize("width", [400.0, 60.0])
def test_the_parts_of_a_transition_are_apart_in_one_line_and_in_several(make_drawing, make_laid_words, width) -> None:
    label = "paid [total > 0] / ship the order"
    block = lay_transition(label, Font("sans", 13.0), width)
    (text,) = parsed(write_svg(make_drawing(make_laid_words(block)))).iter(f"{SVG}text")
    assert "".join(text.itertext()) == label


def test_turned_text_turns_about_its_pivot(make_drawing, make_words) -> None:
    item = make_words("up")._replace(turn=-90.0, pivot=Point(12, 40))
    assert '<text x="10" y="30" transform="rotate(-90 12 40)">up</text>' in write_svg(make_drawing(item))


def test_gradients_are_defined_once_and_used_by_reference(make_drawing) -> None:
    stops = (GradientStop(0, RED), GradientStop(1, BLUE))
    line = LinearGradient(Point(0, 0), Point(20, 0), stops)
    disc = RadialGradient(Point(5, 5), Point(4, 0), Point(0, 4), stops)
    root = parsed(write_svg(make_drawing(*(PathItem(path=SQUARE, fill=paint) for paint in (line, line, disc)))))
    [linear], [radial] = (root.findall(f"{SVG}defs/{SVG}{name}Gradient") for name in ("linear", "radial"))
    fills = [path.get("fill") for path in root.iter(f"{SVG}path")]
    assert fills == [f"url(#{linear.get('id')})"] * 2 + [f"url(#{radial.get('id')})"]
    assert radial.get("gradientTransform") == "matrix(4 0 0 4 5 5)"
    assert [stop.get("stop-opacity") for stop in linear] == [None, "0.5"]


def picture(box: Box, data: bytes = b"one", fit: str = "contain") -> PictureItem:
    text = b64encode(data).decode()
    return PictureItem(box=box, mime_type="image/png", data=text, pixels=(30, 20), fit=fit, alt="A cat")


@pytest.mark.parametrize(("fit", "ratio"), [("contain", "xMidYMid"), ("cover", "xMidYMid slice"), ("stretch", "none")])
def test_a_picture_fits_its_box_as_asked(make_drawing, fit: str, ratio: str) -> None:
    root = parsed(write_svg(make_drawing(picture(Box(1, 2, 30, 40), fit=fit))))
    [image] = root.iter(f"{SVG}image")
    assert image.get("preserveAspectRatio") == ratio
    assert image.get("href") == "data:image/png;base64,b25l"
    assert image.find(f"{SVG}title").text == "A cat"


def test_a_picture_shown_many_times_is_written_once(make_drawing) -> None:
    items = [picture(Box(i * 10, 0, 10 + i, 10), b"same" * 3000) for i in range(50)]
    svg = write_svg(make_drawing(*items))
    root = parsed(svg)
    [image] = root.iter(f"{SVG}image")
    assert {use.get("href") for use in root.iter(f"{SVG}use")} == {f"#{image.get('id')}"}
    assert len(svg) < 2 * 16000 + 50 * 300


BAD_ATTRIBUTES = re.compile(r"^on|^style$", re.IGNORECASE)
ALLOWED = {"svg", "title", "desc", "style", "defs", "rect", "g", "path", "text", "tspan"} | {
    "linearGradient",
    "radialGradient",
    "stop",
    "image",
    "use",
}
texts = st.text(st.characters(codec=None, exclude_categories=()), max_size=12) | st.sampled_from(
    ["<script>alert(1)</script>", '" onload="x', "]]>", "javascript:x", "&#0;", "url(http://x)", "\ud800", "\x00"]
)


@settings(deadline=None, max_examples=60)
@given(texts, texts, texts, texts)
def test_nothing_that_an_author_wrote_can_run_or_load(id_: str, kind: str, label: str, title: str) -> None:
    run = TextRun(text=label, at=Point(0, 0), width=1, font=Font("sans", 12), color=INK)
    group = DrawnGroup(id=id_, kind=kind, items=(TextItem(runs=(run,)), PathItem(path=SQUARE, fill=RED)))
    drawing = Drawing(page=Box(0, 0, 9, 9), background=RED, groups=(group,), title=title, description=label)
    svg = write_svg(drawing)
    svg.encode("utf-8")
    root = parsed(svg)
    assert {element.tag.removeprefix(SVG) for element in root.iter()} <= ALLOWED
    for element in root.iter():
        assert not [name for name in element.attrib if BAD_ATTRIBUTES.search(name)]
        assert element.get("href", "#").startswith(("#", "data:image/"))
        if element.tag == f"{SVG}style":
            assert re.fullmatch(r"(@font-face{[\w\-:; (),/+='.]+})+", element.text)


def test_an_element_of_a_large_picture_takes_few_bytes(make_drawing, make_words) -> None:
    groups = tuple(
        DrawnGroup(
            id=f"n{i}",
            kind="node",
            items=(PathItem(path=SQUARE, fill=RED, stroke=INK, stroke_width=1), make_words("Some label")),
        )
        for i in range(500)
    )
    svg = write_svg(make_drawing(groups=groups))
    assert len(svg) / 500 < 200
