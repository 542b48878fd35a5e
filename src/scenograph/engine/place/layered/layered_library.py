"""The seam to the layered (Sugiyama) layout library, unknown elsewhere in the engine.

In: a flat graph with flow from top to bottom. Out: the centre and the rank of every node. Promise: a result for every
graph, free of overlaps, the same in every process. Graphs on which the library fails go to our own layering.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise
from math import fsum, isfinite
from typing import Any, NamedTuple

import graphlay

from scenograph.engine.effort import LAYERING, effort_for
from scenograph.engine.geometry.boxes import Point
from scenograph.engine.geometry.spatial_index import Bounds, SpatialIndex
from scenograph.engine.place.layered.ranking import longest_path_ranks, rank_load, without_cycles

# The graph a layered layout takes, and its answer: our own types on our side of the library's seam. px.


class LayeredNode(NamedTuple):
    """A box with room kept `before` and `after` along the flow."""

    width: float
    height: float
    before: float = 0.0
    after: float = 0.0


class LayeredEdge(NamedTuple):
    """A directed edge between two different nodes by index, with room for its label."""

    source: int
    target: int
    weight: int = 1
    label_width: float = 0.0
    label_height: float = 0.0


class LayeredGraph(NamedTuple):
    """Nodes, listed in the order kept on ties, and edges. The flow runs from top to bottom."""

    nodes: tuple[LayeredNode, ...]
    edges: tuple[LayeredEdge, ...]


class LayeredOptions(NamedTuple):
    """Gaps between the nodes of a rank and between ranks. `straight`: the longest path is kept on one straight line."""

    node_gap: float
    rank_gap: float
    straight: bool = False


class Placed(NamedTuple):
    """The place of a node."""

    center: Point
    rank: int


# Our own layered layout: longest-path ranks, barycentre order, straightened coordinates (Sugiyama, Tagawa and Toda,
# 1981). Simple and never at a loss; it stands in where the library gives no answer.


ORDER_SWEEPS = 8  # down and up; the order changes little later
STRAIGHTENING_SWEEPS = 6  # down and up; positions change little later
LEAST_SWEEPS = 2  # of each kind, at small effort
MAX_FALLBACK_DUMMY_NODES = 40_000  # bounds memory; longer edges get none
DUMMY_WIDTH = 8.0  # px; room that a line takes in a rank
DUMMY_WEIGHT = 4.0  # times that of a node; long lines run straight


class _Proper(NamedTuple):
    """The graph with long edges cut by dummy nodes: the first `nodes` slots are the nodes, the rest dummies."""

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
        for rank in steps if len(ranks) + len(steps) <= MAX_FALLBACK_DUMMY_NODES else ():
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
    """Fit a layer to the wishes (least squares), with order and gaps kept."""
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


LABEL_MARGIN = 32.0  # px; between ranks beside a label's height
DUMMY_GAP = 30.0  # px at most; between lines in a rank
OVERLAP = 0.5  # px; a smaller one is rounding
MAX_DUMMY_NODES = 60_000  # bounds memory; beyond it the library gives up and our own layering is used
DENSITY, MAX_DENSE_EDGES = 4, 1_100  # measured: 0.7 s at the most
LEAST_SIDE = 1.0  # px; the library wants no empty nodes
PLAIN_COORDINATES: Mapping[str, int] = {
    "flatten_room": 0, "snap_rounds": 0, "branch_rounds": 0, "simplex_face_rounds": 0, "main_path_room": 0
}  # fmt: skip


QUICK = 250_000  # the cubes of what the ranks hold: 60 leaves of a hub; with 150 it takes 0.4 s, with 500 44 s

BIG_SIMPLEX = {"simplex_max_nodes": 100_000, "simplex_max_pivots": 500_000}


class LibraryEffort(NamedTuple):
    """The library's effort for graphs up to a load (see `rank_load`)."""

    max_load: int
    options: Mapping[str, Any]


def _tuned(effort: str, coords: Mapping[str, int], **order: int) -> Mapping[str, Any]:
    return {"effort": effort, "tuning": {"coords": {**PLAIN_COORDINATES, **coords}, "order": order}}


EFFORTS: tuple[LibraryEffort, ...] = (  # measured: 0.1, 0.2, 0.2, 1.3 and 0.5 s at the most
    LibraryEffort(16_000, {"effort": "balanced"}),
    LibraryEffort(40_000, _tuned("balanced", BIG_SIMPLEX, kick_rounds=2000)),
    LibraryEffort(120_000, _tuned("balanced", BIG_SIMPLEX, kick_rounds=300)),
    LibraryEffort(300_000, _tuned("fast", BIG_SIMPLEX)),
    LibraryEffort(2_500_000, _tuned("fast", {"simplex_max_nodes": 0}, kick_rounds=0, sifting_rounds=0)),
)


def layered(graph: LayeredGraph, options: LayeredOptions) -> tuple[Placed, ...]:
    """The layered layout of a graph."""
    effort = _effort(graph)
    if effort is not None:
        answer = _answer(_request(graph), _library_options(effort.options, options))
        placed = () if answer is None else tuple(_placed(node) for node in answer.nodes)
        if _is_sound(graph.nodes, placed):
            return placed
    return fallback_layered(graph, options)


def is_quick(count: int, arcs: Sequence[tuple[int, int]]) -> bool:
    """Whether the library is quick with `count` nodes and these arcs: with many nodes in a rank, as for the leaves of a
    hub, its time grows with the cube."""
    held = Counter(longest_path_ranks(count, without_cycles(count, arcs))).values()
    return sum(nodes**3 for nodes in held) <= QUICK


def is_beyond(graph: LayeredGraph) -> bool:
    """Whether a graph is too large or too dense for the library, so that our own layering is used."""
    return _effort(graph) is None


def _effort(graph: LayeredGraph) -> LibraryEffort | None:
    """The library's effort for a graph; None for graphs that would take seconds at any effort. In dense graphs its time
    grows with the square of the edges."""
    edges = len(graph.edges)
    if edges > MAX_DENSE_EDGES and edges > DENSITY * len(graph.nodes):
        return None
    load = _load(graph)
    return next((row for row in EFFORTS if load <= row.max_load), None)


def _load(graph: LayeredGraph) -> int:
    return rank_load(len(graph.nodes), [(edge.source, edge.target) for edge in graph.edges])


def _request(graph: LayeredGraph) -> dict[str, Any]:
    """The graph as the library's input. The library starts from the order of the keys, and keeps this order unless
    crossings fall."""
    nodes = [
        {
            "key": f"{number:06d}",
            "shape": "box",
            "size": {"width": max(node.width, LEAST_SIDE), "height": max(node.height, LEAST_SIDE)},
            "margin": {"along_neg": node.before, "along_pos": node.after, "cross_neg": 0.0, "cross_pos": 0.0},
        }
        for number, node in enumerate(graph.nodes)
    ]
    edges: list[dict[str, Any]] = []
    for edge in graph.edges:
        row: dict[str, Any] = {"source": edge.source, "target": edge.target, "weight": float(edge.weight)}
        if edge.label_width > 0 and edge.label_height > 0:
            row["label_size"] = {"width": edge.label_width, "height": edge.label_height}
        edges.append(row)
    return {"nodes": nodes, "edges": edges}


def _library_options(effort: Mapping[str, Any], options: LayeredOptions) -> dict[str, Any]:
    return {
        "direction": "topbottom",
        "spacing": {
            "layer_gap": options.rank_gap,
            "node_gap": options.node_gap,
            "dummy_gap": min(DUMMY_GAP, options.node_gap),
            "edge_label_margin": LABEL_MARGIN,
        },
        "coords": {"branch_style": "straight_main" if options.straight else "symmetric"},
        "labels": {"reservation": "always"},
        "limits": {"max_dummies": MAX_DUMMY_NODES},
        **effort,
    }


def _answer(request: dict[str, Any], options: dict[str, Any]) -> graphlay.Layout | None:
    try:
        return graphlay.layout(request, preset="layered", options=options)
    except graphlay.GraphlayError:
        return None
    except BaseException as panic:
        if type(panic).__module__ != "pyo3_runtime":
            raise
        return None


def _placed(node: Mapping[str, Any]) -> Placed:
    return Placed(Point(float(node["center"]["x"]), float(node["center"]["y"])), int(node["rank"] or 0))


def _is_sound(nodes: Sequence[LayeredNode], placed: Sequence[Placed]) -> bool:
    """Whether every node has a finite place and no two overlap."""
    if len(nodes) != len(placed):
        return False
    index = SpatialIndex()
    for node, (center, _) in zip(nodes, placed, strict=True):
        if not (isfinite(center.x) and isfinite(center.y)):
            return False
        half_width, half_height = node.width / 2 - OVERLAP, node.height / 2 - OVERLAP
        room = Bounds(center.x - half_width, center.y - half_height, center.x + half_width, center.y + half_height)
        if half_width > 0 and half_height > 0:
            if index.near(*room):
                return False
            index.add(room)
    return True
