"""Paths as `d` attributes."""

from __future__ import annotations

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from scenograph.engine.geometry.boxes import Box, Point
from scenograph.engine.geometry.paths import Close, Cubic, Line, Move, Quadratic, polyline, rectangle
from scenograph.engine.write.svg import path_data

coordinates = st.floats(-1e4, 1e4)
points = st.builds(Point, coordinates, coordinates)
curves = st.one_of(
    st.builds(Move, points),
    st.builds(Line, points),
    st.builds(Quadratic, points, points),
    st.builds(Cubic, points, points, points),
    st.just(Close()),
)


def test_a_rectangle_takes_the_short_forms() -> None:
    assert path_data(rectangle(Box(10, 20, 30.5, 40))) == "M10 20h30.5v40h-30.5z"


def test_a_minus_sign_separates_numbers() -> None:
    assert path_data(polyline((Point(0, 0), Point(-5, -3), Point(-4, -1.5)))) == "M0 0l-5-3l1 1.5"


def test_after_closing_the_pen_is_back_at_the_start() -> None:
    path = (Move(Point(10, 10)), Line(Point(20, 15)), Close(), Line(Point(12, 13)))
    assert path_data(path) == "M10 10l10 5zl2 3"


@settings(deadline=None)
@given(st.lists(curves, max_size=30))
def test_rounding_does_not_add_up_along_a_path(segments: list) -> None:
    path = (Move(Point(0.3, 0.3)), *segments)
    ends = [segment.to for segment in path if not isinstance(segment, Close)]
    for read, true in zip(ends_of(path_data(path)), ends, strict=True):
        assert abs(read[0] - true.x) <= 0.006
        assert abs(read[1] - true.y) <= 0.006


def ends_of(data: str) -> list[tuple[float, float]]:
    """Where each command but `z` ends: a reader of the few commands that are written."""
    x = y = start_x = start_y = 0.0
    ends: list[tuple[float, float]] = []
    for letter, text in re.findall(r"([Mhvlqcz])([^Mhvlqcz]*)", data):
        numbers = [float(number) for number in re.findall(r"-?\d+(?:\.\d+)?", text)]
        if letter == "z":
            x, y = start_x, start_y
            continue
        if letter == "M":
            x, y = start_x, start_y = numbers
        elif letter == "h":
            x += numbers[0]
        elif letter == "v":
            y += numbers[0]
        else:
            x, y = x + numbers[-2], y + numbers[-1]
        ends.append((x, y))
    return ends
