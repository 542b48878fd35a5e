"""Boxes that have grown push the others no farther than they must."""

from __future__ import annotations

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from scenograph.engine.geometry.boxes import Box, Outset
from scenograph.engine.place.making_room import Gaps, moves

GAPS = Gaps(48.0, 72.0)
lengths = st.integers(20, 200).map(float)
growth = st.sampled_from([0.0, 0.0, 0.0, 30.0, 150.0])


@st.composite
def rows(draw: st.DrawFn) -> tuple[list[Box], list[Box]]:
    """Rows of boxes, and the same after some have grown."""
    before: list[Box] = []
    y = 0.0
    for _ in range(draw(st.integers(1, 4))):
        x = draw(st.integers(0, 100)) * 1.0
        for _ in range(draw(st.integers(1, 4))):
            before.append(Box(x, y, draw(lengths), draw(lengths)))
            x = before[-1].right + draw(st.integers(48, 120))
        y = max(box.bottom for box in before) + draw(st.integers(40, 90))
    return before, [box.with_outset(Outset(*(draw(growth) for _ in range(4)))) for box in before]


@given(rows())
def test_nothing_overlaps_afterwards(case: tuple[list[Box], list[Box]]) -> None:
    before, grown = case
    after = [box.moved(*by) for box, by in zip(grown, moves(before, grown, GAPS), strict=True)]
    assert not [pair for pair in combinations(after, 2) if pair[0].grown(-0.01).overlaps(pair[1])]


@given(rows())
def test_boxes_on_one_line_stay_on_it(case: tuple[list[Box], list[Box]]) -> None:
    before, grown = case
    found: dict[float, float] = {}
    for box, by in zip(before, moves(before, grown, GAPS), strict=True):
        assert found.setdefault(box.y, by.y) == by.y


@given(rows())
def test_where_nothing_has_grown_nothing_moves(case: tuple[list[Box], list[Box]]) -> None:
    before, _ = case
    assert set(moves(before, before, GAPS)) == {(0.0, 0.0)}


def test_only_what_stands_in_the_way_is_pushed() -> None:
    before = [Box(0, 0, 100, 50), Box(148, 0, 100, 50), Box(500, 0, 100, 50), Box(148, 200, 100, 50)]
    grown = [Box(0, 0, 200, 50), *before[1:]]
    assert moves(before, grown, GAPS) == [(0, 0), (88, 0), (0, 0), (0, 0)]


def test_growth_to_the_left_pushes_to_the_left() -> None:
    before = [Box(0, 0, 100, 50), Box(148, 0, 100, 50)]
    grown = [before[0], Box(100, 0, 148, 50)]
    assert moves(before, grown, GAPS) == [(-36, 0), (0, 0)]
