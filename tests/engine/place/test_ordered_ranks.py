"""Where the items of settled ranks stand across the flow."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenograph.engine.kernels.rank_places import RowFit
from scenograph.engine.place.layered.ordered_ranks import arranged_in_order
from scenograph.engine.place.subgraph import Item, ItemLink, RankOrder, RankSegment, Subgraph


def middles(widths: tuple[float, ...], offset: float) -> tuple[float, list[float]]:
    """Across the flow: where one item is met beside its middle by lines from a rank of such widths, and these."""
    upper = [Item(f"u{number}", width, 40.0) for number, width in enumerate(widths)]
    items = (*upper, Item("low", 120.0, 40.0))
    links = tuple(ItemLink(item.id, "low") for item in upper)
    chains = tuple(RankSegment(item.id, "low", 0.0, offset) for item in upper)
    order = RankOrder(((), tuple(item.id for item in upper), ("low",), ()), chains)
    corners = arranged_in_order(Subgraph(items, links), order)
    return corners["low"].x + 60.0 + offset, [corners[item.id].x + item.width / 2 for item in upper]


@pytest.mark.parametrize("offset", [-25.0, 25.0])
@pytest.mark.parametrize("widths", [(100.0, 100.0, 400.0), (300.0, 40.0, 80.0)])
def test_one_line_runs_straight_to_what_lines_meet_beside_its_middle(widths: tuple[float, ...], offset: float) -> None:
    met, begins = middles(widths, offset)
    assert met in [pytest.approx(begin, abs=0.1) for begin in begins]


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5), st.floats(-50, 50)), min_size=1, max_size=12))
def test_rows_that_are_fitted_keep_their_order_and_gaps(lines: list[tuple[int, int, float]]) -> None:
    rows, steps = [[*range(6)], [*range(6, 12)]], [[100.0 * turn for turn in range(6)]] * 2
    fit = RowFit(rows, steps)
    fit.join([a for a, _, _ in lines], [6 + b for _, b, _ in lines], [aside for *_, aside in lines], [1.0] * len(lines))
    places = fit.fit(6, 2)
    assert all(places[right] - places[left] >= 100 - 1e-6 for row in rows for left, right in pairwise(row))


def test_a_line_that_meets_two_boxes_beside_their_middles_runs_straight() -> None:
    fit = RowFit([[0], [1]], [[0.0], [0.0]])
    fit.join([0], [1], [30.0], [1.0])
    upper, lower = fit.fit(6, 2)
    assert lower - upper == pytest.approx(30)
