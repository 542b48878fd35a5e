"""Colour syntax."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenograph.scene.colors import COLOR_NAMES, color_pattern, parse_color
from scenograph.scene.model import Color

RED = Color(255, 0, 0)


@pytest.mark.parametrize(
    ("text", "color"),
    [
        ("#f00", RED),
        ("#F00F", RED),
        ("#ff0000", RED),
        ("#ff000080", Color(255, 0, 0, 128 / 255)),
        ("red", RED),
        (" RED\n", RED),
        ("rebeccapurple", Color(102, 51, 153)),
        ("rgb(255, 0, 0)", RED),
        ("rgb(255 0 0)", RED),
        ("RGBA(255,0,0,.5)", Color(255, 0, 0, 0.5)),
        ("rgb(100% 0% 0% / 50%)", Color(255, 0, 0, 0.5)),
        ("rgb(300, -5, 0)", RED),
        ("rgba(255, 255, 255, 0)", Color(255, 255, 255, 0)),
        ("hsl(0, 100%, 50%)", RED),
        ("hsl(1turn 100% 50%)", RED),
        ("hsl(-360deg 100% 50% / 2)", RED),
        ("hsla(120, 100%, 25%, 50%)", Color(0, 127.5, 0, 0.5)),
        ("hsl(0.5turn 0% 100%)", Color(255, 255, 255)),
        ("hsl(200grad 100% 50%)", Color(0, 255, 255)),
        ("none", Color(0, 0, 0, 0)),
        ("transparent", Color(0, 0, 0, 0)),
    ],
)
def test_a_colour_is_read(text: str, color: Color) -> None:
    found = parse_color(text)
    assert found is not None
    assert found == pytest.approx(color, abs=1e-9)


@pytest.mark.parametrize(
    "text",
    [
        *(
            "",
            "#",
            "#12",
            "#12345",
            "#1234567",
            "#ggg",
            "#fff\0",
            "red;",
            "re d",
            "blac\N{KELVIN SIGN}",
            "currentColor",
        ),
        *("rgb()", "rgb(1,2)", "rgb(1,2,3,4,5)", "rgb(1 2,3)", "rgb(1 2 3 4)", "rgb(a,b,c)", "rgb(1,2,3"),
        *("hsl(1px,2%,3%)", "url(#x)", "var(--x)", "red" + " " * 100),
    ],
)
def test_what_is_no_colour_is_none(text: str) -> None:
    assert parse_color(text) is None


def test_there_are_all_named_colours_of_css() -> None:
    assert len(COLOR_NAMES) == 148


@settings(deadline=None)
@given(
    st.text("#0123456789abcdefABCDEF", max_size=9)
    | st.text("rgbahsl(), %./-+e0123456789degturn", max_size=24)
    | st.sampled_from(["rgb(1,2,3)", "hsla(1 2% 3% / .4)", "Red", "TRANSPARENT", "rgb( 1 , 2 , 3 )", "rgb(1 2 3/4)"])
)
def test_the_published_pattern_takes_just_what_is_read(text: str) -> None:
    assert (re.search(color_pattern(), text) is not None) == (parse_color(text) is not None)


@settings(deadline=None)
@given(st.tuples(*[st.integers(0, 255)] * 4))
def test_hex_and_rgb_say_the_same(channels: tuple[int, ...]) -> None:
    red, green, blue, alpha = channels
    spelt = parse_color(f"rgba({red}, {green}, {blue}, {alpha / 255!r})") if alpha not in {1, 2} else None
    if spelt is not None:
        assert parse_color("#" + bytes(channels).hex()) == pytest.approx(spelt)


@pytest.mark.parametrize("text", ["rgb(" + "1" * 2_000_000, "rgb(" + "1" * 90, "hsl(" + "1 " * 45, " " * 99 + "x"])
def test_a_hostile_text_is_no_colour(text: str) -> None:
    assert parse_color(text) is None
