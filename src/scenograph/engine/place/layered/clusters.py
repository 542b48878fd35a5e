"""Clusters of a graph: parts with many links inside and few to each other.

Modularity is raised by moving nodes between clusters, then whole clusters (Blondel, Guillaume, Lambiotte and Lefebvre,
"Fast unfolding of communities in large networks", 2008). Nodes are visited in order and never by chance: the same graph
gives the same clusters.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import count

ROUNDS = 20  # through all nodes of a level, at most
LEAST_GAIN = 1e-9  # of modularity, in links; less is rounding

Adjacency = list[dict[int, float]]
"""The neighbours of each node, with the weight of their links; of a node itself, twice the weight inside."""


def clusters(size: int, links: Iterable[tuple[int, int, float]]) -> list[list[int]]:
    """The nodes 0 to `size` - 1 in clusters, each next to the former ones that it has most links with; the cluster with
    most links comes first. `links`: pairs of nodes and their weight."""
    near: Adjacency = [{} for _ in range(size)]
    for first, second, weight in links:
        if first != second:
            near[first][second] = near[first].get(second, 0.0) + weight
            near[second][first] = near[second].get(first, 0.0) + weight
    members = [[node] for node in range(size)]
    while True:
        label = _moved(near)
        number = dict(zip(dict.fromkeys(label), count()))
        if len(number) == len(near):
            return [sorted(members[one]) for one in _in_order(near)]
        merged: Adjacency = [{} for _ in number]
        joined: list[list[int]] = [[] for _ in number]
        for node, row in enumerate(near):
            own = number[label[node]]
            joined[own] += members[node]
            for other, weight in row.items():
                far = number[label[other]]
                merged[own][far] = merged[own].get(far, 0.0) + weight
        near, members = merged, joined


def _moved(near: Adjacency) -> list[int]:
    """A cluster for each node, none of which gains by going to the cluster of a neighbour."""
    degree = [sum(row.values()) for row in near]
    whole, total, label = sum(degree) or 1.0, degree.copy(), list(range(len(near)))
    for _ in range(ROUNDS):
        is_moved = False
        for node, row in enumerate(near):
            inside = {label[node]: 0.0}
            for other, weight in row.items():
                if other != node:
                    inside[label[other]] = inside.get(label[other], 0.0) + weight
            total[label[node]] -= degree[node]
            gain = {one: weight - degree[node] * total[one] / whole for one, weight in inside.items()}
            best = max(gain, key=lambda one: (gain[one], one == label[node], -one))
            if gain[best] > gain[label[node]] + LEAST_GAIN:
                label[node], is_moved = best, True
            total[label[node]] += degree[node]
        if not is_moved:
            break
    return label


def _in_order(near: Sequence[dict[int, float]]) -> list[int]:
    """The nodes in a row, each near the neighbours before."""
    left, order = list(range(len(near))), list[int]()
    pull = [0.0] * len(near)
    while left:
        heaviest = max(left, key=lambda one: (pull[one], sum(near[one].values()), -one))
        left.remove(heaviest)
        order.append(heaviest)
        for one in left:  # what lies far back in the row pulls less
            pull[one] = pull[one] * (1 - 1 / len(order)) + near[one].get(heaviest, 0.0)
    return order
