"""Our own layered layout: longest-path ranks, barycentre order, straightened coordinates (Sugiyama, Tagawa and Toda,
1981). Simple and never at a loss; it stands in where the library gives no answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import fsum
from typing import NamedTuple

from scenograph.engine.effort import LAYERING, effort_for
from scenograph.engine.geometry.boxes import Point
from scenograph.engine.place.ranked_graph import LayeredGraph, LayeredOptions, Placed
from scenograph.engine.place.ranking import longest_path_ranks, without_cycles

ORDER_SWEEPS = 8  # down and up; the order changes little later
STRAIGHTENING_SWEEPS = 6  # down and up; positions change little later
LEAST_SWEEPS = 2  # of each, where the effort is small
MAX_DUMMY_NODES = 40_000  # bounds memory; longer edges get none
DUMMY_WIDTH = 8.0  # px; room that a line takes in a rank
DUMMY_WEIGHT = 4.0  # times that of a node; long lines run straight


class _Proper(NamedTuple):
    """The graph with long edges cut by dummy nodes: the first `nodes` slots are the nodes, the others dummies."""

    nodes: int
    ranks: list[int]
    widths: list[float]
    above: list[list[int]]
    below: list[list[int]]
    layers: list[list[int]]


def fallback_layered(graph: LayeredGraph, options: LayeredOptions) -> tuple[Placed, ...]:
    """A layered layout from top to bottom: the centre and rank of every node."""
    if not graph.nodes:
        return ()
    proper = _proper(graph)
    sweeps = max(LEAST_SWEEPS, effort_for(LAYERING, len(graph.edges)).left // len(proper.ranks))
    _order(proper, min(ORDER_SWEEPS, sweeps))
    xs = _across(proper, options.node_gap, min(STRAIGHTENING_SWEEPS, sweeps))
    ys = _along(graph, proper, options.rank_gap)
    return tuple(
        Placed(Point(xs[node], ys[proper.ranks[node]]), proper.ranks[node]) for node in range(len(graph.nodes))
    )


def _proper(graph: LayeredGraph) -> _Proper:
    count = len(graph.nodes)
    arcs = without_cycles(count, [(edge.source, edge.target) for edge in graph.edges])
    ranks = longest_path_ranks(count, arcs)
    lowest = min(ranks)
    ranks = [rank - lowest for rank in ranks]
    widths = [node.width for node in graph.nodes]
    above: list[list[int]] = [[] for _ in range(count)]
    below: list[list[int]] = [[] for _ in range(count)]
    for source, target in arcs:
        last = source
        steps = range(ranks[source] + 1, ranks[target])
        for rank in steps if len(ranks) + len(steps) <= MAX_DUMMY_NODES else ():
            ranks.append(rank)
            widths.append(DUMMY_WIDTH)
            above.append([last])
            below.append([])
            below[last].append(len(ranks) - 1)
            last = len(ranks) - 1
        below[last].append(target)
        above[target].append(last)
    layers: list[list[int]] = [[] for _ in range(max(ranks) + 1)]
    for slot, rank in enumerate(ranks):
        layers[rank].append(slot)
    return _Proper(count, ranks, widths, above, below, layers)


def _order(proper: _Proper, sweeps: int) -> None:
    """Barycentre sweeps down and up; slots without neighbours keep their place."""
    for sweep in range(sweeps):
        downwards = sweep % 2 == 0
        neighbours = proper.above if downwards else proper.below
        place = [0.0] * len(proper.ranks)
        for layer in proper.layers if downwards else proper.layers[::-1]:
            wish = {slot: _mean([place[one] for one in neighbours[slot]], float(i)) for i, slot in enumerate(layer)}
            layer.sort(key=lambda slot: wish[slot])
            for i, slot in enumerate(layer):
                place[slot] = float(i)


def _mean(values: Sequence[float], otherwise: float) -> float:
    return fsum(values) / len(values) if values else otherwise


def _across(proper: _Proper, gap: float, sweeps: int) -> list[float]:
    xs = [0.0] * len(proper.ranks)
    for layer in proper.layers:
        _settle(layer, [0.0] * len(layer), proper, gap, xs)
    for sweep in range(sweeps):
        downwards = sweep % 2 == 0
        neighbours = proper.above if downwards else proper.below
        for layer in proper.layers if downwards else proper.layers[::-1]:
            _settle(layer, [_mean([xs[one] for one in neighbours[slot]], xs[slot]) for slot in layer], proper, gap, xs)
    return xs


def _settle(layer: list[int], wishes: list[float], proper: _Proper, gap: float, xs: list[float]) -> None:
    """The places of a layer nearest to the wishes (least squares) that keep its order and gaps."""
    steps = [0.0]
    for left, right in pairwise(layer):
        steps.append(steps[-1] + (proper.widths[left] + proper.widths[right]) / 2 + gap)
    weights = [1.0 if slot < proper.nodes else DUMMY_WEIGHT for slot in layer]
    fitted = isotonic([wish - step for wish, step in zip(wishes, steps, strict=True)], weights)
    for slot, place, step in zip(layer, fitted, steps, strict=True):
        xs[slot] = place + step


def isotonic(values: Sequence[float], weights: Sequence[float]) -> list[float]:
    """The non-decreasing sequence nearest to `values` in weighted least squares (pool adjacent violators)."""
    blocks: list[tuple[float, float, int]] = []
    for value, weight in zip(values, weights, strict=True):
        mean, mass, count = value, weight, 1
        while blocks and blocks[-1][0] > mean:
            other, other_mass, other_count = blocks.pop()
            mean = (mean * mass + other * other_mass) / (mass + other_mass)
            mass, count = mass + other_mass, count + other_count
        blocks.append((mean, mass, count))
    return [mean for mean, _, count in blocks for _ in range(count)]


def _along(graph: LayeredGraph, proper: _Proper, gap: float) -> list[float]:
    """The middle line of every rank: tall boxes and labels push the next rank away."""
    ranks = len(proper.layers)
    before, after, label = [0.0] * ranks, [0.0] * ranks, [0.0] * ranks
    for node, rank in zip(graph.nodes, proper.ranks, strict=False):
        before[rank] = max(before[rank], node.height / 2 + node.before)
        after[rank] = max(after[rank], node.height / 2 + node.after)
    for edge in graph.edges:
        rank = min(proper.ranks[edge.source], proper.ranks[edge.target])
        label[rank] = max(label[rank], edge.label_height)
    lines = [before[0]]
    for rank in range(1, ranks):
        room = max(gap, label[rank - 1] + gap / 2)
        lines.append(lines[-1] + after[rank - 1] + room + before[rank])
    return lines
