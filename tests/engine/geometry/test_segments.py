"""Segments against boxes and against each other."""

from __future__ import annotations

from math import hypot, pi

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenograph.engine.geometry.boxes import Point
from scenograph.engine.geometry.paths import clipped, crosses, distance, length, manhattan, quadratic
from scenograph.engine.geometry.spatial_index import Bounds

BOX = Bounds(0, 0, 10, 10)
number = st.integers(-30, 30).map(float)
points = st.builds(Point, number, number)
STEPS = 200


def sampled(a: Point, b: Point) -> list[Point]:
    return [Point(a.x + (b.x - a.x) * i / STEPS, a.y + (b.y - a.y) * i / STEPS) for i in range(STEPS + 1)]


def from_box(point: Point) -> float:
    return hypot(max(-point.x, 0, point.x - 10), max(-point.y, 0, point.y - 10))


@given(points, points)
def test_the_distance_is_that_of_the_nearest_point(a: Point, b: Point) -> None:
    step = hypot(b.x - a.x, b.y - a.y) / STEPS
    nearest = min(from_box(point) for point in sampled(a, b))
    assert nearest - step <= distance(a, b, BOX) <= nearest + 1e-9


@given(points, points)
def test_a_segment_crosses_when_a_point_of_it_lies_inside(a: Point, b: Point) -> None:
    inside = any(0 < point.x < 10 and 0 < point.y < 10 for point in sampled(a, b))
    assert crosses(a, b, BOX) or not inside
    if crosses(a, b, BOX):
        assert distance(a, b, BOX) == 0


@given(points, points)
def test_what_is_clipped_lies_in_the_box(a: Point, b: Point) -> None:
    part = clipped(a, b, BOX)
    if part is None:
        assert distance(a, b, BOX) > 0
        return
    for share in part:
        assert from_box(Point(a.x + (b.x - a.x) * share, a.y + (b.y - a.y) * share)) == pytest.approx(0, abs=1e-9)


def test_running_along_a_side_is_no_crossing() -> None:
    assert not crosses(Point(-5, 0), Point(15, 0), BOX)
    assert not crosses(Point(10, -5), Point(10, 15), BOX)


def test_lengths() -> None:
    assert length([Point(0, 0), Point(3, 4), Point(3, 10)]) == 11
    assert manhattan(Point(0, 0), Point(3, -4)) == 7
    bow = quadratic(Point(0, 0), Point(50, 100), Point(100, 0))
    assert (bow[0], bow[12], bow[-1]) == ((0, 0), (50, 50), (100, 0))
    assert 100 < length(bow) < 100 * pi / 2
