"""Flattened paths stay near the curves they stand for."""

import math
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenograph.engine.geometry.boxes import Box, Point
from scenograph.engine.geometry.paths import (
    Cubic,
    Move,
    Quadratic,
    circle,
    elliptic_arc,
    flatten,
    rounded_rectangle,
    segment,
)


@given(st.floats(1, 500), st.floats(0.01, 0.5))
@settings(deadline=None, max_examples=50)
def test_a_flattened_circle_stays_within_the_tolerance(radius: float, tolerance: float) -> None:
    (chain,) = flatten(circle(Point(0, 0), radius), tolerance)
    assert chain[0] == pytest.approx(chain[-1], abs=1e-9)
    for a, b in pairwise(chain):
        middle = math.hypot((a.x + b.x) / 2, (a.y + b.y) / 2)
        assert radius - tolerance * 1.01 - radius * 3e-4 <= middle <= radius * (1 + 3e-4)


def test_straight_lines_stay_as_they_are() -> None:
    assert flatten(segment(Point(0, 0), Point(9, 4))) == ((Point(0, 0), Point(9, 4)),)


def test_a_quadratic_agrees_with_the_cubic_of_the_same_curve() -> None:
    a, c, b = Point(0, 0), Point(30, 60), Point(80, 0)
    as_cubic = Cubic(Point(20, 40), Point(140 / 3, 40), b)
    (quadratic,) = flatten((Move(a), Quadratic(c, b)))
    (cubic,) = flatten((Move(a), as_cubic))
    assert max(p.y for p in quadratic) == pytest.approx(max(p.y for p in cubic), abs=0.05)


def test_subpaths_are_kept_apart() -> None:
    path = (*segment(Point(0, 0), Point(1, 0)), *segment(Point(5, 5), Point(6, 5)))
    assert len(flatten(path)) == 2


def test_a_rounded_rectangle_is_clockwise_and_within_its_box() -> None:
    (chain,) = flatten(rounded_rectangle(Box(10, 20, 100, 40), 99))
    area = sum(a.x * b.y - b.x * a.y for a, b in pairwise(chain)) / 2
    assert area > 0  # clockwise where y grows downwards
    assert min(p.x for p in chain) == pytest.approx(10)
    assert max(p.y for p in chain) == pytest.approx(60)


def test_an_arc_ends_where_it_should() -> None:
    arcs = elliptic_arc(Box(0, 0, 20, 10), 0, math.pi * 1.25)
    assert len(arcs) == 3
    assert arcs[-1].to == pytest.approx((10 + 10 * math.cos(math.pi * 1.25), 5 + 5 * math.sin(math.pi * 1.25)))
