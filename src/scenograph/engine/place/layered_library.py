"""The seam to the layered (Sugiyama) layout library; nothing else in the engine knows it.

In: a flat graph that flows from top to bottom. Out: the centre and the rank of every node. Promise: an answer for every
graph, free of overlaps, the same in every process. Where the library fails, our own layering answers instead.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from math import isfinite
from typing import Any, NamedTuple

import graphlay

from scenograph.engine.geometry.boxes import Point
from scenograph.engine.geometry.spatial_index import Bounds, SpatialIndex
from scenograph.engine.place.layered_fallback import fallback_layered
from scenograph.engine.place.ranked_graph import LayeredGraph, LayeredNode, LayeredOptions, Placed
from scenograph.engine.place.ranking import longest_path_ranks, rank_load, without_cycles

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


class Effort(NamedTuple):
    """How hard the library tries with graphs up to that load (see `rank_load`)."""

    max_load: int
    options: Mapping[str, Any]


def _tuned(effort: str, coords: Mapping[str, int], **order: int) -> Mapping[str, Any]:
    return {"effort": effort, "tuning": {"coords": {**PLAIN_COORDINATES, **coords}, "order": order}}


EFFORTS: tuple[Effort, ...] = (  # measured: 0.1, 0.2, 0.2, 1.3 and 0.5 s at the most
    Effort(16_000, {"effort": "balanced"}),
    Effort(40_000, _tuned("balanced", BIG_SIMPLEX, kick_rounds=2000)),
    Effort(120_000, _tuned("balanced", BIG_SIMPLEX, kick_rounds=300)),
    Effort(300_000, _tuned("fast", BIG_SIMPLEX)),
    Effort(2_500_000, _tuned("fast", {"simplex_max_nodes": 0}, kick_rounds=0, sifting_rounds=0)),
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
    """Whether the library is quick with so many nodes and these arcs: where many stand in one rank, as the leaves of a
    hub do, its time grows with their cube."""
    held = Counter(longest_path_ranks(count, without_cycles(count, arcs))).values()
    return sum(nodes**3 for nodes in held) <= QUICK


def is_beyond(graph: LayeredGraph) -> bool:
    """Whether a graph is too large or too dense for the library, so that our own layering answers."""
    return _effort(graph) is None


def _effort(graph: LayeredGraph) -> Effort | None:
    """How hard the library tries; None where it would take seconds whatever is asked of it. In dense graphs its time
    grows with the square of the edges."""
    edges = len(graph.edges)
    if edges > MAX_DENSE_EDGES and edges > DENSITY * len(graph.nodes):
        return None
    load = _load(graph)
    return next((row for row in EFFORTS if load <= row.max_load), None)


def _load(graph: LayeredGraph) -> int:
    return rank_load(len(graph.nodes), [(edge.source, edge.target) for edge in graph.edges])


def _request(graph: LayeredGraph) -> dict[str, Any]:
    """The library's form. It starts from the order of the keys and keeps it where crossings do not care."""
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
