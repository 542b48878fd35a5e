"""Levels in ranks: their order, their places, a straight main path, and levels too large for dummy nodes."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenograph.engine.effort import LAYERING
from scenograph.engine.place.inventory import layout_cost, take_inventory
from scenograph.engine.place.layered import hierarchical
from scenograph.engine.place.layered.hierarchical import arranged_by_order
from scenograph.engine.place.layered.ranking import (
    begun_links,
    least_ranks,
    longest_path_ranks,
    reaches,
    without_cycles,
)
from scenograph.engine.place.subgraph import Item, ItemLink, LayoutRecord, Subgraph, whole_box

Pairs = list[tuple[int, int]]


def level(count: int, pairs: Pairs) -> Subgraph:
    """Boxes of several sizes, all of them joined to the first."""
    items = tuple(Item(f"n{at}", 80.0 + 10 * (at % 4), 40.0 + 20 * (at % 3)) for at in range(count))
    joined = [*pairs, *((0, at) for at in range(1, count) if not any(at in pair for pair in pairs))]
    return Subgraph(items, tuple(ItemLink(f"n{a}", f"n{b}") for a, b in dict.fromkeys(joined)))


levels = st.integers(2, 14).flatmap(
    lambda count: st.lists(
        st.tuples(st.integers(0, count - 1), st.integers(0, count - 1)).filter(lambda pair: pair[0] != pair[1]),
        max_size=30,
    ).map(lambda pairs: level(count, pairs))
)


@pytest.mark.parametrize("straight", [False, True])
@given(one=levels)
@settings(deadline=None, max_examples=60)
def test_no_two_boxes_of_a_level_overlap(one: Subgraph, straight: bool) -> None:
    corners = arranged_by_order(one, begun_links(one), LayoutRecord(), straight=straight)
    boxes = [whole_box(item, corners[item.id]).grown(-0.1) for item in one.items]
    assert not [pair for pair in combinations(boxes, 2) if pair[0].overlaps(pair[1])]


@pytest.mark.parametrize("straight", [False, True])
def test_edges_of_an_acyclic_graph_lead_down(straight: bool) -> None:
    one = level(6, [(0, 1), (0, 2), (1, 3), (2, 3), (3, 4), (0, 5), (5, 4)])
    corners = arranged_by_order(one, one.links, LayoutRecord(), straight=straight)
    assert all(corners[link.source].y < corners[link.target].y for link in one.links)


@pytest.mark.parametrize("straight", [False, True])
def test_a_label_pushes_the_next_rank_away(straight: bool) -> None:
    one = Subgraph((Item("a", 80.0, 40.0), Item("b", 80.0, 40.0)), (ItemLink("a", "b", 1, 60.0, 90.0),))
    corners = arranged_by_order(one, one.links, LayoutRecord(), straight=straight)
    assert corners["b"].y - corners["a"].y - 40.0 >= 90


def test_of_two_longest_paths_the_one_with_more_edges_runs_straight_then_the_first() -> None:
    """A step that one comes back from belongs to the way, a way out beside it does not."""
    items = tuple(Item(name, 80.0, 40.0) for name in ("begin", "test", "out", "back"))
    ways = (ItemLink("begin", "test"), ItemLink("test", "out"), ItemLink("test", "back", weight=2))
    for links, straight in ((ways, "back"), ((*ways[:2], ways[2]._replace(weight=1)), "out")):
        corners = arranged_by_order(Subgraph(items, links), links, LayoutRecord(), straight=True)
        assert {name for name in ("out", "back") if corners[name].x == corners["begin"].x} == {straight}


@given(one=levels)
@settings(deadline=None, max_examples=60)
def test_turning_arcs_breaks_every_cycle(one: Subgraph) -> None:
    number = {item.id: at for at, item in enumerate(one.items)}
    count = len(number)
    arcs = without_cycles(count, [(number[link.source], number[link.target]) for link in one.links])
    ranks = longest_path_ranks(count, arcs)
    assert all(ranks[source] < ranks[target] for source, target in arcs)
    assert not any(reaches(count, arcs, target, source) for source, target in arcs)


def test_an_arc_whose_step_is_nothing_may_stay_in_its_rank() -> None:
    assert longest_path_ranks(3, [(0, 1), (1, 2)], [1, 0]) == [0, 1, 1]


def test_ranks_are_as_near_as_arcs_let_them_be() -> None:
    """A source above the longest path is drawn down to what it leads to, and what only leads on from it comes along."""
    arcs = [(0, 1), (1, 2), (2, 3), (4, 5), (5, 3)]
    assert least_ranks(6, arcs, [1] * 5) == [0, 1, 2, 3, 1, 2]
    assert least_ranks(3, [(0, 1), (1, 2), (2, 0)], [1] * 3) == [0, 1, 2]


def test_lines_of_a_level_cross_no_more_than_they_have_to(placed: Callable[..., Any]) -> None:
    """Two ways that the document names crosswise."""
    pairs = [
        ("a", "d"),
        ("a", "f"),
        ("b", "c"),
        ("b", "e"),
        ("c", "g"),
        ("d", "h"),
        ("e", "g"),
        ("f", "h"),
        ("g", "i"),
        ("h", "i"),
    ]
    edges = [{"id": a + b, "kind": "edge", "from": {"elementId": a}, "to": {"elementId": b}} for a, b in pairs]
    page = placed(*({"id": name, "kind": "node"} for name in "abcdefghi"), *edges)
    inventory = take_inventory(page.scene, page.sizes)
    assert layout_cost(inventory, page.placement.boxes, "TB").crossings == 0


def test_in_a_level_with_too_many_dummy_nodes_the_longest_links_get_none_and_are_named(
    placed: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    names = [f"n{number}" for number in range(8)]
    edges = [
        {"id": f"{a}-{b}", "kind": "edge", "from": {"elementId": a}, "to": {"elementId": b}}
        for a, b in combinations(names, 2)
    ]
    elements = [*({"id": name, "kind": "node"} for name in names), *edges]
    assert "EFFORT_LIMITED" not in placed(*elements).codes
    spans = [int(edge["to"]["elementId"][1:]) - int(edge["from"]["elementId"][1:]) for edge in edges]
    all_but_the_longest = sum(span - 1 for span in spans) - max(spans) + 1
    monkeypatch.setattr(hierarchical, "MOST_SLOTS", len(names) + all_but_the_longest)
    after = placed(*elements)
    assert after.said("EFFORT_LIMITED").data == {"stage": LAYERING, "elementIds": ["n0", "n7"]}
    assert not [pair for pair in combinations(map(after.whole, names), 2) if pair[0].overlaps(pair[1])]
    monkeypatch.setattr(hierarchical, "MOST_SLOTS", len(names))
    assert placed(*elements).said("EFFORT_LIMITED").data == {"stage": LAYERING, "elementIds": names}
