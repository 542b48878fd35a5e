"""Which boxes see each other along an axis."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from scenograph.engine.kernels.near_boxes import in_sight

Span = tuple[float, float, float, float]


def test_a_box_hides_what_stands_behind_it() -> None:
    first, between, behind = (0.0, 10.0, 0.0, 10.0), (20.0, 30.0, 0.0, 10.0), (40.0, 50.0, 0.0, 10.0)
    assert in_sight([first, between, behind]) == [(0, 1), (1, 2)]


def test_what_looks_out_beside_it_is_seen() -> None:
    first, between, behind = (0.0, 10.0, 0.0, 10.0), (20.0, 30.0, 0.0, 9.0), (40.0, 50.0, 0.0, 10.0)
    assert in_sight([first, between, behind]) == [(0, 1), (0, 2), (1, 2)]


def test_boxes_beside_each_other_do_not_see_each_other() -> None:
    assert in_sight([(0.0, 10.0, 0.0, 10.0), (20.0, 30.0, 10.0, 20.0), (5.0, 15.0, 0.0, 10.0)]) == []


@st.composite
def _spans(draw: st.DrawFn) -> Span:
    start, across = draw(st.integers(0, 40)), draw(st.integers(0, 40))
    return (
        float(start),
        float(start + draw(st.integers(1, 20))),
        float(across),
        float(across + draw(st.integers(1, 20))),
    )


@given(st.lists(_spans(), max_size=12))
def test_every_pair_in_sight_stands_apart_and_shares_a_part_across(spans: list[Span]) -> None:
    pairs = in_sight(spans)
    assert len(set(pairs)) == len(pairs)
    for low, high in pairs:
        assert spans[low][1] <= spans[high][0]
        assert spans[low][2] < spans[high][3]
        assert spans[high][2] < spans[low][3]
