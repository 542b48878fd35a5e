"""The number format."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenograph.engine.kernels.path_text import PER_PX, hundredths
from scenograph.engine.write.writer import decimal


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"),
        (-0.0, "0"),
        (-0.004, "0"),
        (12.0, "12"),
        (12.5, "12.5"),
        (12.345678, "12.35"),
        (-3.1, "-3.1"),
        (0.05, "0.05"),
        (-0.25, "-0.25"),
        (1e6, "1000000"),
        (math.inf, "0"),
        (math.nan, "0"),
    ],
)
def test_numbers_have_at_most_two_decimals_and_no_trailing_zeros(value: float, text: str) -> None:
    assert decimal(value) == text


@given(st.floats(-1e6, 1e6))
def test_a_printed_number_is_within_half_a_hundredth(value: float) -> None:
    assert abs(float(decimal(value)) - value) <= 0.005 + 1e-9
    assert decimal(value) != "-0"


@given(st.integers(-(10**9), 10**9), st.sampled_from([0.0, 0.125, 0.25, 0.5, 0.75]))
def test_halves_go_to_the_even_hundredth_as_elsewhere(whole: int, rest: float) -> None:
    value = (whole + rest) / 64
    assert hundredths(value) == round(value * PER_PX)
