"""The seam to the layered library, and our own layering that stands in for it."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import Any

import graphlay
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenograph.engine.effort import LAYERING
from scenograph.engine.geometry.boxes import Box
from scenograph.engine.place.inventory import take_inventory
from scenograph.engine.place.layered import layered_library, level_order
from scenograph.engine.place.layered import layered_library as layered_fallback
from scenograph.engine.place.layered.layered_library import (
    LayeredEdge,
    LayeredGraph,
    LayeredNode,
    LayeredOptions,
    Placed,
    fallback_layered,
    isotonic,
    layered,
)
from scenograph.engine.place.layered.ranking import least_ranks, longest_path_ranks, reaches, without_cycles
from scenograph.engine.place.layout_cost import layout_cost

OPTIONS = LayeredOptions(48.0, 72.0)
Layout = Callable[[LayeredGraph, LayeredOptions], tuple[Placed, ...]]


def graph(count: int, *pairs: tuple[int, int]) -> LayeredGraph:
    nodes = tuple(LayeredNode(80.0 + 10 * (i % 4), 40.0 + 20 * (i % 3)) for i in range(count))
    return LayeredGraph(nodes, tuple(LayeredEdge(*pair) for pair in pairs))


def boxes(one: LayeredGraph, placed: tuple[Placed, ...]) -> list[Box]:
    return [
        Box(center.x - node.width / 2, center.y - node.height / 2, node.width, node.height)
        for node, (center, _) in zip(one.nodes, placed, strict=True)
    ]


graphs = st.integers(2, 14).flatmap(
    lambda count: st.lists(
        st.tuples(st.integers(0, count - 1), st.integers(0, count - 1)).filter(lambda pair: pair[0] != pair[1]),
        max_size=30,
    ).map(lambda pairs: graph(count, *pairs))
)


@pytest.mark.parametrize("layout", [layered, fallback_layered])
@given(one=graphs)
@settings(deadline=None, max_examples=60)
def test_no_two_nodes_overlap_and_ranks_lie_one_below_the_other(layout: Layout, one: LayeredGraph) -> None:
    placed = layout(one, OPTIONS)
    assert not [pair for pair in combinations(boxes(one, placed), 2) if pair[0].grown(-0.6).overlaps(pair[1])]
    lines = sorted({(rank, round(center.y, 3)) for center, rank in placed if layout is fallback_layered})
    assert [y for _, y in lines] == sorted(y for _, y in lines)


@pytest.mark.parametrize("layout", [layered, fallback_layered])
def test_edges_of_an_acyclic_graph_lead_down(layout: Layout) -> None:
    one = graph(6, (0, 1), (0, 2), (1, 3), (2, 3), (3, 4), (0, 5), (5, 4))
    placed = layout(one, OPTIONS)
    assert all(placed[edge.source].center.y < placed[edge.target].center.y for edge in one.edges)


@pytest.mark.parametrize("layout", [layered, fallback_layered])
def test_a_label_pushes_the_next_rank_away(layout: Layout) -> None:
    one = graph(2, (0, 1))
    labelled = one._replace(edges=(LayeredEdge(0, 1, 1, 60.0, 90.0),))
    first, second = boxes(labelled, layout(labelled, OPTIONS))
    assert second.y - first.bottom >= 90


class Panic(BaseException):
    """What a panic of the library looks like from here."""


Panic.__module__ = "pyo3_runtime"


@pytest.mark.parametrize("failure", [graphlay.GraphlayError("no"), Panic("worse")])
def test_when_the_library_fails_our_own_layering_answers(
    monkeypatch: pytest.MonkeyPatch, failure: BaseException
) -> None:
    def fail(*_args: object, **_options: object) -> None:
        raise failure

    one = graph(5, (0, 1), (1, 2), (2, 0), (3, 4))
    monkeypatch.setattr(graphlay, "layout", fail)
    assert layered(one, OPTIONS) == fallback_layered(one, OPTIONS)


def test_a_wish_to_stop_is_not_taken_for_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*_args: object, **_options: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(graphlay, "layout", stop)
    with pytest.raises(KeyboardInterrupt):
        layered(graph(2, (0, 1)), OPTIONS)


def test_when_the_library_lays_nodes_on_each_other_our_own_layering_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    class Heap:
        nodes = ({"center": {"x": 0.0, "y": 0.0}, "rank": 0},) * 5

    one = graph(5, (0, 1), (1, 2))
    monkeypatch.setattr(graphlay, "layout", lambda *_args, **_options: Heap())
    assert layered(one, OPTIONS) == fallback_layered(one, OPTIONS)


def test_a_graph_beyond_the_library_is_still_laid_out() -> None:
    dense = graph(60, *((a, b) for a in range(60) for b in range(a + 1, 60)))
    placed = layered(dense, OPTIONS)
    assert [rank for _, rank in placed] == sorted(rank for _, rank in placed)


def test_our_layering_of_nothing_is_nothing() -> None:
    assert fallback_layered(graph(0), OPTIONS) == ()


@given(one=graphs)
@settings(deadline=None, max_examples=60)
def test_turning_arcs_breaks_every_cycle(one: LayeredGraph) -> None:
    count = len(one.nodes)
    arcs = without_cycles(count, [(edge.source, edge.target) for edge in one.edges])
    ranks = longest_path_ranks(count, arcs)
    assert all(ranks[source] < ranks[target] for source, target in arcs)
    assert not any(reaches(count, arcs, target, source) for source, target in arcs)


def test_an_arc_whose_step_is_nothing_may_stay_in_its_rank() -> None:
    assert longest_path_ranks(3, [(0, 1), (1, 2)], [1, 0]) == [0, 1, 1]


@given(values=st.lists(st.floats(-1e3, 1e3), min_size=1, max_size=20))
@settings(deadline=None)
def test_the_nearest_rising_sequence_rises_and_keeps_the_mean(values: list[float]) -> None:
    fitted = isotonic(values, [1.0] * len(values))
    assert fitted == sorted(fitted)
    assert sum(fitted) == pytest.approx(sum(values), abs=1e-6)
    assert isotonic(fitted, [1.0] * len(values)) == pytest.approx(fitted)


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


def test_a_graph_too_large_to_be_ordered_and_too_dense_for_the_library_is_laid_out_simply_and_says_so(
    placed: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    names = [f"n{number}" for number in range(8)]
    edges = [
        {"id": f"{a}-{b}", "kind": "edge", "from": {"elementId": a}, "to": {"elementId": b}}
        for a, b in combinations(names, 2)
    ]
    elements = [*({"id": name, "kind": "node"} for name in names), *edges]
    assert "EFFORT_LIMITED" not in placed(*elements).codes
    monkeypatch.setattr(level_order, "MOST_SLOTS", len(names))
    monkeypatch.setattr(layered_library, "MAX_DENSE_EDGES", len(edges) - 1)
    monkeypatch.setattr(layered_library, "DENSITY", 1)
    after = placed(*elements)
    assert after.said("EFFORT_LIMITED").data == {"stage": LAYERING, "elementIds": names}
    assert not [pair for pair in combinations(map(after.whole, names), 2) if pair[0].overlaps(pair[1])]


def test_thousands_of_passing_edges_get_few_sweeps(monkeypatch: pytest.MonkeyPatch) -> None:
    sweeps: list[int] = []
    order = layered_fallback._order

    def counted(proper: Any, most: int) -> None:
        sweeps.append(most)
        order(proper, most)

    monkeypatch.setattr(layered_fallback, "_order", counted)
    for count in (12, 70):
        fallback_layered(graph(count, *combinations(range(count), 2)), OPTIONS)
    assert sweeps[0] == layered_fallback.ORDER_SWEEPS > sweeps[1] >= layered_fallback.LEAST_SWEEPS
