"""Path data of any writer becomes the five commands."""

import math
from itertools import chain

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from icon_packing.bounds import bounds
from icon_packing.path_data import Arc, arc_segments, read_path_data

from scenograph.engine.geometry.boxes import Box, Point
from scenograph.engine.geometry.paths import Close, Cubic, Line, Move, Quadratic, flatten


@pytest.mark.parametrize(
    ("data", "path"),
    [
        ("M1 2L3 4", (Move(Point(1, 2)), Line(Point(3, 4)))),
        ("m1 2 3 4", (Move(Point(1, 2)), Line(Point(4, 6)))),
        ("M1 2 3 4", (Move(Point(1, 2)), Line(Point(3, 4)))),
        ("M.5.5-1-1", (Move(Point(0.5, 0.5)), Line(Point(-1, -1)))),
        ("M1e1,2e-1h-2v3", (Move(Point(10, 0.2)), Line(Point(8, 0.2)), Line(Point(8, 3.2)))),
        (
            "M0 0q1 1 2 0t2 0",
            (Move(Point(0, 0)), Quadratic(Point(1, 1), Point(2, 0)), Quadratic(Point(3, -1), Point(4, 0))),
        ),
        (
            "M0 0c0 1 1 1 1 0s1-1 1 0",
            (
                Move(Point(0, 0)),
                Cubic(Point(0, 1), Point(1, 1), Point(1, 0)),
                Cubic(Point(1, -1), Point(2, -1), Point(2, 0)),
            ),
        ),
        (" M 1 , 2 l 1 1 z ", (Move(Point(1, 2)), Line(Point(2, 3)), Close())),
        (
            "M1 1h2zl5 5",
            (Move(Point(1, 1)), Line(Point(3, 1)), Close(), Move(Point(1, 1)), Line(Point(6, 6))),
        ),
        ("", ()),
    ],
)
def test_commands_become_absolute(data: str, path: tuple[object, ...]) -> None:
    assert read_path_data(data) == path


def test_a_smooth_curve_after_an_arc_starts_without_a_handle() -> None:
    path = read_path_data("M0 0A5 5 0 0 1 5 5S9 9 10 5")
    assert path[-1] == Cubic(Point(5, 5), Point(9, 9), Point(10, 5))


def test_arc_flags_may_touch_what_follows() -> None:
    assert read_path_data("M0 0a1 1 0 01.5.5") == read_path_data("M0 0 a 1 1 0 0 1 .5 .5")


@pytest.mark.parametrize("data", ["1 2", "M1", "M1 2X3", "M0 0L1", "M0 0a1 1 0 2 1 3 3", "M0 0z1", "Mx"])
def test_broken_data_is_refused(data: str) -> None:
    with pytest.raises(ValueError, match="path data"):
        read_path_data(data)


coordinates = st.floats(-50, 50)
radii = st.floats(0.1, 60)


spots = st.builds(Point, coordinates, coordinates)
flags = st.booleans()


@settings(deadline=None)
@given(spots, spots, radii, flags, flags)
def test_an_arc_keeps_its_distance_to_one_centre(a: Point, b: Point, radius: float, large: bool, sweep: bool) -> None:
    radius = max(radius, math.dist(a, b) / 2 + 0.01)
    segments = arc_segments(a, Arc(radius, radius, 0.0, large, sweep, b))
    if math.dist(a, b) < 0.01:
        return
    half, middle = math.dist(a, b) / 2, Point((a.x + b.x) / 2, (a.y + b.y) / 2)
    off = math.sqrt(radius * radius - half * half) / (2 * half) * (-1 if large == sweep else 1)
    center = Point(middle.x - off * (b.y - a.y), middle.y + off * (b.x - a.x))
    (line,) = flatten((Move(a), *segments), 0.001)
    assert line[0] == a
    assert line[-1] == b
    for point in line:
        assert math.dist(point, center) == pytest.approx(radius, rel=1e-3)


def test_radii_too_short_for_the_way_grow_and_zero_ones_make_a_line() -> None:
    (first, *_), end = arc_segments(Point(0, 0), Arc(1, 1, 0, False, True, Point(10, 0))), Point(10, 0)
    assert isinstance(first, Cubic)
    assert first.to == pytest.approx((5, -5))
    assert arc_segments(Point(0, 0), Arc(0, 3, 0, False, True, end)) == [Line(end)]


@settings(deadline=None)
@given(st.lists(st.builds(Point, coordinates, coordinates), min_size=4, max_size=4))
def test_a_box_is_tight_round_a_curve(p: list[Point]) -> None:
    path = (Move(p[0]), Cubic(p[1], p[2], p[3]))
    box = bounds(path)
    points = list(chain.from_iterable(flatten(path, 0.0005)))
    assert box.grown(1e-6).contains(Box(*min_corner(points), *extent(points)))
    assert extent(points) == pytest.approx((box.width, box.height), abs=0.02)


def min_corner(points: list[Point]) -> tuple[float, float]:
    return min(p.x for p in points), min(p.y for p in points)


def extent(points: list[Point]) -> tuple[float, float]:
    left, top = min_corner(points)
    return max(p.x for p in points) - left, max(p.y for p in points) - top
