"""Contrast and luminance."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenograph.engine.colors import (
    BLACK,
    WHITE,
    contrast,
    hex_color,
    is_dark,
    is_default_equivalent,
    over,
    perceived_luminance,
    readable,
)
from scenograph.scene.model import Color

channels = st.floats(0, 255)
colors = st.builds(Color, channels, channels, channels)


def test_black_on_white_has_the_highest_contrast() -> None:
    assert contrast(BLACK, WHITE) == pytest.approx(21)
    assert contrast(hex_color("#767676"), WHITE) == pytest.approx(4.54, abs=0.01)


@given(colors, colors)
@settings(deadline=None, max_examples=100)
def test_on_every_ground_some_text_can_be_read(preferred: Color, ground: Color) -> None:
    assert contrast(readable((preferred,), ground), ground) >= 4.5


def test_the_preferred_colour_stays_when_it_can_be_read() -> None:
    assert readable((hex_color("#1e293b"), WHITE), WHITE) == hex_color("#1e293b")
    assert readable((hex_color("#1e293b"), WHITE), hex_color("#1d4ed8")) == WHITE


@pytest.mark.parametrize(("value", "dark"), [(101, True), (102, False), (103, False)])
def test_the_threshold_of_darkness_is_102(value: float, dark: bool) -> None:
    grey = Color(value, value, value)
    assert perceived_luminance(grey) == pytest.approx(value)
    assert is_dark(grey) is dark


def test_what_is_transparent_is_not_dark() -> None:
    assert not is_dark(Color(0, 0, 0, 0))
    assert not is_dark(Color(0, 0, 0, 0.3))
    assert is_dark(Color(0, 0, 0, 0.9))


def test_layers_mix_by_alpha() -> None:
    assert over(Color(0, 0, 0, 0.5), WHITE) == Color(127.5, 127.5, 127.5)
    assert over(Color(9, 9, 9, 0), WHITE) == WHITE


def test_white_opaque_or_wholly_transparent_is_default_equivalent() -> None:
    assert is_default_equivalent(WHITE)
    assert is_default_equivalent(Color(255, 255, 255, 0))
    assert not is_default_equivalent(Color(255, 255, 255, 0.5))
    assert not is_default_equivalent(Color(254, 255, 255))
    assert not is_default_equivalent(Color(0, 0, 0, 0))
