"""Where the items of settled ranks stand across the flow."""

from __future__ import annotations

import pytest

from scenograph.engine.place.ordered_ranks import arranged_in_order
from scenograph.engine.place.subgraph import Chain, Item, Link, RankOrder, Subgraph


def middles(widths: tuple[float, ...], offset: float) -> tuple[float, list[float]]:
    """Across the flow: where one item is met beside its middle by lines from a rank of such widths, and these."""
    upper = [Item(f"u{number}", width, 40.0) for number, width in enumerate(widths)]
    items = (*upper, Item("low", 120.0, 40.0))
    links = tuple(Link(item.id, "low") for item in upper)
    chains = tuple(Chain(item.id, "low", 0.0, offset) for item in upper)
    order = RankOrder(((), tuple(item.id for item in upper), ("low",), ()), chains)
    corners = arranged_in_order(Subgraph(items, links), order)
    return corners["low"].x + 60.0 + offset, [corners[item.id].x + item.width / 2 for item in upper]


@pytest.mark.parametrize("offset", [-25.0, 25.0])
@pytest.mark.parametrize("widths", [(100.0, 100.0, 400.0), (300.0, 40.0, 80.0)])
def test_one_line_runs_straight_to_what_lines_meet_beside_its_middle(widths: tuple[float, ...], offset: float) -> None:
    met, begins = middles(widths, offset)
    assert met in [pytest.approx(begin, abs=0.1) for begin in begins]
