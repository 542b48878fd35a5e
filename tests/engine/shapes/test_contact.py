"""Edges end on outlines."""

import math
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenograph.engine.geometry.boxes import Box, Point
from scenograph.engine.geometry.paths import flatten, line_contact
from scenograph.engine.shapes import SHAPES, Shape, chain_of, side_contact

RECT, ELLIPSE, ROUNDED = SHAPES["rect"], SHAPES["ellipse"], SHAPES["roundedRect"]
BOX = Box(100, 50, 120, 60)
shapes = st.sampled_from(list(SHAPES.values()))
boxes = st.builds(Box, st.floats(-500, 500), st.floats(-500, 500), st.floats(8, 400), st.floats(8, 400))


def outline_contact(shape: Shape, box: Box, radius: float, outside: Point, inside: Point) -> Point:
    return line_contact(chain_of(shape, box.width, box.height, radius), box, outside, inside)


def distance_to_outline(shape: Shape, box: Box, radius: float, point: Point) -> float:
    (chain,) = flatten(shape.outline(box, radius), 0.005)
    best = math.inf
    for a, b in pairwise(chain):
        ex, ey = b.x - a.x, b.y - a.y
        length = ex * ex + ey * ey
        share = min(max(((point.x - a.x) * ex + (point.y - a.y) * ey) / length, 0), 1) if length else 0
        best = min(best, math.hypot(a.x + share * ex - point.x, a.y + share * ey - point.y))
    return best


def test_a_rectangle_is_met_exactly() -> None:
    assert outline_contact(RECT, BOX, 0, Point(160, 0), BOX.center) == (160, 50)
    assert outline_contact(RECT, BOX, 0, Point(400, 80), BOX.center) == pytest.approx((220, 80), abs=1e-9)
    assert side_contact(RECT, BOX, 0, "left", 71) == (100, 71)


def test_the_first_crossing_counts() -> None:
    assert outline_contact(RECT, BOX, 0, Point(0, 80), Point(300, 80)) == pytest.approx((100, 80))


def test_a_line_that_falls_short_is_prolonged() -> None:
    assert outline_contact(RECT, BOX, 0, Point(0, 80), Point(50, 80)) == pytest.approx((100, 80))


def test_a_start_within_the_shape_looks_back() -> None:
    assert outline_contact(RECT, BOX, 0, Point(110, 80), BOX.center) == pytest.approx((100, 80))


def test_a_line_that_misses_ends_at_the_nearest_place() -> None:
    assert outline_contact(RECT, BOX, 0, Point(160, 0), Point(170, 0)) == pytest.approx((160, 50))


def test_a_point_without_direction_ends_at_the_nearest_place() -> None:
    assert outline_contact(RECT, BOX, 0, Point(105, 80), Point(105, 80)) == pytest.approx((100, 80))


def test_a_side_is_met_straight_until_the_corner_bends() -> None:
    assert side_contact(ROUNDED, BOX, 12, "top", 130) == (130, 50)
    corner = side_contact(ROUNDED, BOX, 12, "top", 100 + 12 - 12 * math.sqrt(0.5))
    assert corner.y == pytest.approx(50 + 12 * (1 - math.sqrt(0.5)), abs=0.05)


def test_an_ellipse_is_met_where_its_equation_says() -> None:
    point = side_contact(ELLIPSE, BOX, 0, "bottom", 190)
    assert point.y == pytest.approx(80 + 30 * math.sqrt(1 - (30 / 60) ** 2), abs=0.05)


def test_a_coordinate_beyond_the_box_is_held_within_it() -> None:
    assert side_contact(RECT, BOX, 0, "right", 999) == (220, 110)


@given(shapes, boxes, st.floats(0, 30), st.floats(0, 2 * math.pi))
@settings(deadline=None, max_examples=150)
def test_a_ray_to_the_center_ends_on_the_outline(shape: Shape, box: Box, radius: float, angle: float) -> None:
    outside = Point(box.center.x + 900 * math.cos(angle), box.center.y + 900 * math.sin(angle))
    contact = outline_contact(shape, box, radius, outside, box.center)
    assert distance_to_outline(shape, box, radius, contact) <= 0.05
    assert math.dist(outside, contact) <= math.dist(outside, box.center) + 0.05


@given(shapes, boxes, st.floats(0, 30), st.sampled_from(["top", "right", "bottom", "left"]), st.floats(0, 1))
@settings(deadline=None, max_examples=150)
def test_a_straight_approach_ends_on_the_outline(
    shape: Shape, box: Box, radius: float, side: str, share: float
) -> None:
    upright = side in ("top", "bottom")
    coordinate = box.x + share * box.width if upright else box.y + share * box.height
    contact = side_contact(shape, box, radius, side, coordinate)
    assert (contact.x if upright else contact.y) == pytest.approx(coordinate)
    assert distance_to_outline(shape, box, radius, contact) <= 0.05 + 0.001 * max(box.width, box.height)


@given(shapes, st.floats(0, 1e5), st.floats(0, 1e5), st.floats(-10, 10), st.floats(-10, 10))
@settings(deadline=None, max_examples=80)
def test_nothing_fails_whatever_the_box(shape: Shape, width: float, height: float, x: float, y: float) -> None:
    box = Box(0, 0, width, height)
    for point in (
        outline_contact(shape, box, 8, Point(x, y), Point(y, x)),
        *(side_contact(shape, box, 8, side, x) for side in ("top", "right", "bottom", "left")),
    ):
        assert math.isfinite(point.x)
        assert math.isfinite(point.y)
