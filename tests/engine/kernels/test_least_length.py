"""Places on an axis with the least length of edges."""

from __future__ import annotations

from itertools import pairwise, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenograph.engine.kernels.rank_places import PIECE, LeastLength, LinePieces

COUNT = 4
arcs = st.lists(st.tuples(st.integers(0, COUNT - 2), st.integers(1, COUNT - 1)).filter(lambda arc: arc[0] < arc[1]))


def length(places: list[float], edges: list[tuple[int, int]]) -> float:
    return sum(abs(places[second] - places[first]) for first, second in edges)


def shortened(separated: list[tuple[int, int]], edges: list[tuple[int, int]]) -> list[float]:
    """From places three apart, with separations of one."""
    lengths = LeastLength([3.0 * number for number in range(COUNT)])
    for low, high in separated:
        lengths.separate(low, high, 1.0)
    for first, second in edges:
        lengths.join(first, second, 0.0, 1.0)
    lengths.shorten(20, 10_000)
    return lengths.places


@given(arcs, arcs)
def test_edges_of_a_few_variables_have_the_least_length(
    separated: list[tuple[int, int]], edges: list[tuple[int, int]]
) -> None:
    """As long as the best of all whole places, among which is one of the best of all."""
    found = shortened(separated, edges)
    assert all(found[high] - found[low] >= 1 - 1e-6 for low, high in separated)
    best = min(
        length(list(places), edges)
        for places in product([float(place) for place in range(COUNT)], repeat=COUNT)
        if all(places[high] - places[low] >= 1 for low, high in separated)
    )
    assert length(found, edges) == pytest.approx(best, abs=1e-4)


def test_what_nothing_pulls_stays_where_it_began() -> None:
    lengths = LeastLength([0.0, 7.0, 20.0])
    lengths.join(0, 1, 0.0, 1.0)
    lengths.join(1, 2, 0.0, 1.0)
    lengths.separate(0, 2, 20.0)
    lengths.shorten(5, 1_000)
    assert lengths.places == [0.0, 7.0, 20.0]


def test_nothing_moves_once_the_steps_are_spent() -> None:
    lengths = LeastLength([0.0, 7.0])
    lengths.join(0, 1, 0.0, 1.0)
    lengths.shorten(5, 0)
    assert lengths.places == [0.0, 7.0]


def test_dummy_nodes_of_a_line_stand_below_each_other_as_far_as_a_piece_reaches() -> None:
    """One column of slots, each wished farther right than the one above."""
    rows = [[number] for number in range(PIECE + 1)]
    pieces = LinePieces(rows, [[0.0]] * len(rows), [], [], [True] * len(rows))
    assert len(set(pieces.fit([float(number) for number in range(len(rows))], [], []))) == len(rows)
    uppers, lowers = [*range(PIECE)], [*range(1, PIECE + 1)]
    pieces = LinePieces(rows, [[0.0]] * len(rows), uppers, lowers, [True] * len(rows))
    places = pieces.fit([float(number) for number in range(len(rows))], [0.0] * PIECE, [0.0] * PIECE)
    assert len(set(places[:PIECE])) == 1 < len(set(places))


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=10), st.sampled_from([1, 8]))
def test_lines_that_are_short_keep_the_order_and_gaps_of_rows(lines: list[tuple[int, int]], dummies: int) -> None:
    """Without dummy nodes, then with nothing else: of those each has one edge at the most."""
    rows, steps = [[0, 1, 2, 3], [4, 5, 6, 7]], [[0.0, 50.0, 100.0, 150.0]] * 2
    edges = lines if dummies == 1 else [*{lower: upper for upper, lower in dict(lines).items()}.items()]
    uppers, lowers = [upper for upper, _ in edges], [4 + lower for _, lower in edges]
    pieces = LinePieces(rows, steps, uppers, lowers, [dummies > 1] * 8)
    places = pieces.fit([float(number) for number in range(8)], [0.0] * len(uppers), [1.0] * len(uppers))
    for row in rows:
        assert all(places[right] - places[left] >= 50 - 1e-6 for left, right in pairwise(row))
