"""Straight lines between boxes."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from scenograph.engine.kernels.straight_lines import (
    APART,
    StraightLine,
    crossings,
    crossings_of,
    is_crossed,
    overlap,
)


def test_segments_on_one_line_overlap_from_where_both_have_begun() -> None:
    assert overlap((0.0, 5.0), (90.0, 5.0), (30.0, 5.0), (120.0, 5.0)) == 30.0
    assert overlap((0.0, 5.0), (90.0, 5.0), (30.0, 9.0), (120.0, 9.0)) == APART
    assert overlap((0.0, 5.0), (90.0, 5.0), (90.0, 5.0), (120.0, 5.0)) == APART


def test_a_place_is_crossed_by_a_foreign_segment_unless_an_own_one_lies_beneath() -> None:
    place, through, beside = (10.0, 0.0, 50.0, 20.0), ((0.0, 10.0), (90.0, 10.0)), ((0.0, 30.0), (90.0, 30.0))
    assert is_crossed(place, [beside, through], [])
    assert not is_crossed(place, [beside], [])
    assert not is_crossed(place, [through], [((40.0, 10.0), (200.0, 10.0))])


PLACES = st.tuples(st.integers(-3, 3).map(float), st.integers(-3, 3).map(float))
POLYLINES = st.lists(st.lists(PLACES, max_size=5), max_size=6)


@given(POLYLINES)
def test_polylines_cross_as_often_as_their_pieces(corners: list[list[tuple[float, float]]]) -> None:
    lines: list[list[StraightLine]] = [[(*a, *b) for a, b in pairwise(points)] for points in corners]
    told = {(one, other): count for one, other, count in crossings_of(lines)}
    for other, pieces in enumerate(lines):
        for one in range(other):
            assert told.get((one, other), 0) == sum(crossings(piece, lines[one]) for piece in pieces)
