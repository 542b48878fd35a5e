"""The graph a layered layout takes, and its answer: our own types on our side of the library's seam. px."""

from __future__ import annotations

from typing import NamedTuple

from scenograph.engine.geometry.boxes import Point


class LayeredNode(NamedTuple):
    """A box with room kept `before` and `after` it along the flow."""

    width: float
    height: float
    before: float = 0.0
    after: float = 0.0


class LayeredEdge(NamedTuple):
    """A directed edge between two different nodes by their index, with room for its label."""

    source: int
    target: int
    weight: int = 1
    label_width: float = 0.0
    label_height: float = 0.0


class LayeredGraph(NamedTuple):
    """Nodes in the order that ties should keep, and edges. The flow runs from top to bottom."""

    nodes: tuple[LayeredNode, ...]
    edges: tuple[LayeredEdge, ...]


class LayeredOptions(NamedTuple):
    """Gaps between the nodes of a rank and between ranks; whether the longest path is kept on one straight line."""

    node_gap: float
    rank_gap: float
    straight: bool = False


class Placed(NamedTuple):
    """Where a node went."""

    center: Point
    rank: int
