"""Which boxes lie nearer to each other than they should."""

from __future__ import annotations

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from scenograph.engine.kernels.near_boxes import pairs_nearer

Rectangle = tuple[float, float, float, float]
ALL = 1000


@st.composite
def _boxes(draw: st.DrawFn) -> Rectangle:
    x, y, width, height = (draw(st.integers(0, 40)) for _ in range(4))
    return float(x), float(y), float(width), float(height)


def _room(one: Rectangle, other: Rectangle, axis: int) -> float:
    """The room between two boxes on an axis, on the side on which there is more."""
    return max(other[axis] - one[axis] - one[axis + 2], one[axis] - other[axis] - other[axis + 2])


@given(st.lists(st.tuples(_boxes(), st.booleans()), max_size=12), st.integers(-3, 12), st.integers(-3, 12))
def test_the_pairs_are_those_with_too_little_room_both_ways_of_which_one_moves(
    rows: list[tuple[Rectangle, bool]], across: int, along: int
) -> None:
    boxes, moving = [box for box, _ in rows], [moves for _, moves in rows]
    expected = [
        (one, other)
        for one, other in combinations(range(len(rows)), 2)
        if _room(boxes[one], boxes[other], 0) < across
        and _room(boxes[one], boxes[other], 1) < along
        and (moving[one] or moving[other])
    ]
    assert pairs_nearer(boxes, moving, float(across), float(along), ALL) == expected


def test_no_more_pairs_are_looked_for_than_were_asked_for() -> None:
    crowd = [(0.0, 0.0, 10.0, 10.0)] * 50
    assert len(pairs_nearer(crowd, [True] * 50, 0.0, 0.0, 7)) == 7
