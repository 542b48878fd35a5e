"""Rows, free places, and boxes pushed apart."""

from __future__ import annotations

from itertools import combinations

from hypothesis import given, settings
from hypothesis import strategies as st

from scenograph.engine.geometry.boxes import Box
from scenograph.engine.geometry.packing import Occupied, lined_up, pushed_apart, shelves

GAP = 20.0
sizes = st.lists(st.tuples(st.floats(10, 300), st.floats(10, 200)), min_size=1, max_size=25)
heaps = st.lists(st.builds(Box, st.floats(-200, 200), st.floats(-200, 200), st.floats(10, 150), st.floats(10, 90)),
                 min_size=1, max_size=25)  # fmt: skip


def too_near(boxes: tuple[Box, ...], gap: float) -> list[tuple[Box, Box]]:
    return [pair for pair in combinations(boxes, 2) if pair[0].grown(gap - 0.01).overlaps(pair[1])]


@given(rows=sizes, aspect=st.floats(0.3, 4))
@settings(deadline=None)
def test_shelves_keep_the_order_and_the_gap(rows: list[tuple[float, float]], aspect: float) -> None:
    corners = shelves(rows, GAP, aspect)
    boxes = tuple(Box(*corner, *size) for corner, size in zip(corners, rows, strict=True))
    assert not too_near(boxes, GAP)
    assert all(second.x >= first.right or second.y >= first.bottom for first, second in combinations(boxes, 2))


def test_shelves_come_near_the_wanted_shape() -> None:
    wide = shelves([(100, 50)] * 24, GAP, 4.0)
    tall = shelves([(100, 50)] * 24, GAP, 0.5)
    assert len({corner.y for corner in wide}) < len({corner.y for corner in tall})


def test_low_boxes_stand_below_each_other_beside_a_high_one() -> None:
    corners = shelves([(100, 50), (100, 190), *[(100, 50)] * 3], GAP, 1.5)
    assert [(corner.x, corner.y) for corner in corners] == [(0, 0), (120, 0), (240, 0), (240, 70), (240, 140)]
    row = shelves([(100, 50), (100, 190), *[(100, 50)] * 3], GAP, 8.0, stacked=False)
    assert {corner.y for corner in row} == {0}


def test_no_box_is_left_alone_in_a_last_row_by_a_wide_one() -> None:
    corners = shelves([*[(100, 50)] * 7, (140, 50), *[(100, 50)] * 6], GAP, 7.0)
    assert [sum(corner.y == y for corner in corners) for y in (0, 70)] == [7, 7]


@given(boxes=heaps)
@settings(deadline=None)
def test_pushed_apart_leaves_the_gap_everywhere(boxes: list[Box]) -> None:
    assert not too_near(pushed_apart(boxes, GAP), GAP)


def test_boxes_that_are_apart_are_not_moved() -> None:
    boxes = (Box(0, 0, 50, 50), Box(100, 0, 50, 50), Box(0, 100, 50, 50))
    assert pushed_apart(boxes, GAP) == boxes


@given(boxes=heaps)
@settings(deadline=None)
def test_lining_up_brings_no_two_boxes_too_near(boxes: list[Box]) -> None:
    apart = pushed_apart(boxes, GAP)
    assert not too_near(lined_up(apart, 30.0, GAP), GAP)


def test_boxes_nearly_in_a_row_are_set_in_a_row() -> None:
    first, second = lined_up((Box(0, 0, 50, 50), Box(100, 10, 50, 50)), 30.0, GAP)
    assert first.y == second.y == 5


@given(boxes=heaps, wish=st.builds(Box, st.floats(-300, 300), st.floats(-300, 300), st.just(80.0), st.just(40.0)))
@settings(deadline=None)
def test_a_free_spot_is_free(boxes: list[Box], wish: Box) -> None:
    spot = Occupied(boxes).free_spot(wish, GAP)
    assert spot is not None
    assert not [box for box in boxes if box.grown(GAP - 0.01).overlaps(spot)]


def test_a_wish_that_is_free_is_granted() -> None:
    wish = Box(200, 0, 80, 40)
    assert Occupied([Box(0, 0, 50, 50)]).free_spot(wish, GAP) == wish


def test_a_free_spot_within_an_area_lies_there_or_nowhere() -> None:
    area = Box(0, 0, 200, 100)
    occupied = Occupied([Box(0, 0, 80, 100)])
    spot = occupied.free_spot(Box(10, 10, 60, 40), GAP, area)
    assert spot is not None
    assert area.contains(spot)
    assert occupied.free_spot(Box(10, 10, 160, 40), GAP, area) is None
