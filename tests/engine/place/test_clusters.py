"""Clusters of joined elements."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from scenograph.engine.place.layered.hierarchical import clusters

Links = list[tuple[int, int, float]]


def clique(first: int, size: int) -> Links:
    return [(a, b, 1.0) for a, b in combinations(range(first, first + size), 2)]


def test_parts_with_one_link_between_them_are_clusters() -> None:
    links = [*clique(0, 5), *clique(5, 4), *clique(9, 6), (4, 5, 1.0), (8, 9, 1.0)]
    assert sorted(clusters(15, links)) == [[0, 1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12, 13, 14]]


def test_each_cluster_follows_those_that_it_is_joined_to() -> None:
    """Four cliques in a chain."""
    links = [*clique(0, 4), *clique(4, 4), *clique(8, 4), *clique(12, 4), (0, 8, 1.0), (8, 4, 1.0), (4, 12, 1.0)]
    order = [members[0] // 4 for members in clusters(16, links)]
    joined = {frozenset(pair) for pair in ((0, 2), (2, 1), (1, 3))}
    assert all(any(frozenset((one, former)) in joined for former in order[:at]) for at, one in enumerate(order) if at)


@given(st.lists(st.tuples(st.integers(0, 19), st.integers(0, 19), st.floats(0.5, 4.0)), max_size=60))
def test_every_node_is_in_one_cluster_whatever_the_links(links: Links) -> None:
    found = clusters(20, links)
    assert Counter(node for members in found for node in members) == Counter(range(20))
    assert found == clusters(20, links)
