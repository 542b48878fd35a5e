"""Routes as lines: shortened, rounded, with tips that know their direction."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenograph.engine.geometry.boxes import Point
from scenograph.engine.geometry.paths import Line, Move, Quadratic, flatten
from scenograph.engine.route.finishing import Insets, curve_path, polyline_path, tidy, tips

NONE = Insets()


def points(*pairs) -> tuple[Point, ...]:
    return tuple(Point(*pair) for pair in pairs)


ELBOW = points((0, 0), (100, 0), (100, 50))


def test_a_corner_is_rounded_with_the_full_radius_where_there_is_room() -> None:
    assert polyline_path(ELBOW, NONE, 6) == (
        Move(Point(0, 0)),
        Line(Point(94, 0)),
        Quadratic(Point(100, 0), Point(100, 6)),
        Line(Point(100, 50)),
    )


def test_two_corners_share_a_short_segment() -> None:
    step = points((0, 0), (50, 0), (50, 4), (100, 4))
    _, _, first, second, _ = polyline_path(step, NONE, 6)
    assert (first.to, second.to) == (Point(50, 2), Point(52, 4))


def test_without_a_radius_corners_stay_sharp() -> None:
    assert polyline_path(ELBOW, NONE, 0) == (Move(ELBOW[0]), Line(ELBOW[1]), Line(ELBOW[2]))


def test_a_line_stops_where_its_markers_begin() -> None:
    path = polyline_path(ELBOW, Insets(4, 10), 6)
    assert (path[0].to, path[-1].to) == (Point(4, 0), Point(100, 40))


def test_an_inset_longer_than_the_last_segment_reaches_round_the_corner() -> None:
    path = polyline_path(points((0, 0), (100, 0), (100, 5)), Insets(0, 9), 6)
    assert path[-1].to == Point(96, 0)


def test_something_of_a_short_line_is_left_between_two_markers() -> None:
    path = polyline_path(points((0, 0), (10, 0)), Insets(9, 9), 6)
    assert path == (Move(Point(4, 0)), Line(Point(6, 0)))


def test_points_that_add_nothing_are_dropped() -> None:
    assert tidy(points((0, 0), (0, 0), (5, 0), (9, 0), (9, 0.001), (9, 7))) == points((0, 0), (9, 0), (9, 7))


def test_a_way_back_is_kept() -> None:
    there_and_back = points((0, 0), (9, 0), (4, 0))
    assert tidy(there_and_back) == there_and_back


def test_tips_point_outwards() -> None:
    start, end = tips(ELBOW)
    assert (start.direction, end.direction) == (Point(-1, 0), Point(0, 1))


def test_a_single_point_has_no_direction() -> None:
    start, end = tips(points((3, 4)))
    assert start.direction == end.direction == Point(0, 0)
    assert polyline_path(points((3, 4)), NONE, 6) == ()


def test_a_curve_is_shortened_without_leaving_its_way() -> None:
    curve = points((0, 0), (50, 80), (100, 0))
    path, start, end = curve_path(curve, Insets(10, 20))
    assert math.dist(path[0].to, curve[0]) == pytest.approx(10, abs=1e-6)
    assert math.dist(path[-1].to, curve[2]) == pytest.approx(20, abs=1e-6)
    for x, y in flatten(path)[0]:
        t = x / 100  # this curve moves evenly along x
        assert y == pytest.approx(160 * t * (1 - t), abs=0.1)
    assert start.at == curve[0]
    assert end.direction.x > 0 > end.direction.y
    assert math.hypot(*end.direction) == pytest.approx(1)


def test_a_curve_without_markers_keeps_its_points() -> None:
    curve = points((0, 0), (50, 80), (100, 0))
    path, _, end = curve_path(curve, NONE)
    assert path == (Move(curve[0]), Quadratic(curve[1], curve[2]))
    assert end.direction == Point(50 / math.hypot(50, 80), -80 / math.hypot(50, 80))


corners = st.builds(Point, st.integers(-200, 200).map(float), st.integers(-200, 200).map(float))


@settings(deadline=None)
@given(st.lists(corners, min_size=2, max_size=8), st.floats(0, 40), st.floats(0, 40), st.floats(0, 12))
def test_a_line_stays_near_its_route_and_never_grows(
    route: list[Point], start: float, end: float, radius: float
) -> None:
    kept = tidy(route)
    path = polyline_path(kept, Insets(start, end), radius)
    length = sum(math.dist(a, b) for a, b in pairwise(kept))
    drawn = [point for chain in flatten(path) for point in chain]
    assert all(math.isfinite(x) and math.isfinite(y) for x, y in drawn)
    assert sum(math.dist(a, b) for a, b in pairwise(drawn)) <= length + 0.1
    for point in drawn:
        assert min(gap(point, a, b) for a, b in pairwise(kept)) <= radius + 1e-6


def gap(point: Point, a: Point, b: Point) -> float:
    """From a point to a segment."""
    square = math.dist(a, b) ** 2
    share = ((point.x - a.x) * (b.x - a.x) + (point.y - a.y) * (b.y - a.y)) / square
    share = min(1.0, max(0.0, share))
    return math.dist(point, (a.x + share * (b.x - a.x), a.y + share * (b.y - a.y)))
