"""Which way a diagram flows: routes prefer to leave and enter along that axis.

In: scene and placement. Out: "y" (top to bottom or back), "x", or None when the picture has no direction.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

from scenograph.engine.families.catalog import unspoken_direction
from scenograph.engine.geometry.boxes import Box
from scenograph.engine.route.ports.axes import HORIZONTAL, VERTICAL
from scenograph.engine.tables import Placement
from scenograph.scene.model import Edge, Node, Scene

CLEAR_MAJORITY = 0.75  # of the edges; so many must run along the flow
CLEAR_LEAD = 0.1  # shares; by so much one axis must outweigh the other
SAME_LINE = 1.0  # px; nodes whose centres are nearer stand in line
LAYERED: Mapping[str, str | None] = {"hierarchical": None, "flow": "LR"}
"""The algorithms that make layers; None leaves the direction to the diagram family."""


def flow_axis(scene: Scene, placement: Placement) -> str | None:
    """The declared direction of a layered layout, or the one that the positions show."""
    strategy = scene.layout_strategy
    if strategy is not None and strategy.algorithm in LAYERED:
        direction = strategy.direction or LAYERED[strategy.algorithm] or unspoken_direction(scene)
        return HORIZONTAL if direction in {"LR", "RL"} else VERTICAL
    if strategy is not None:
        return None
    return _shown_axis(scene, placement.boxes)


def _shown_axis(scene: Scene, boxes: Mapping[str, Box]) -> str | None:
    """Layers show in two ways: edges cross gaps on the flow's axis, and nodes stand in rows across it."""
    stacked = beside = edges = 0
    for edge in scene.elements:
        if not isinstance(edge, Edge):
            continue
        a, b = boxes.get(edge.source.element_id), boxes.get(edge.target.element_id)
        if a is None or b is None or edge.source.element_id == edge.target.element_id:
            continue
        edges += 1
        stacked += a.bottom < b.y or b.bottom < a.y
        beside += a.right < b.x or b.right < a.x
    if not edges:
        return None
    nodes = [boxes[node.id] for node in scene.elements if isinstance(node, Node) and node.id in boxes]
    vertical = stacked / edges + _in_line([box.center.y for box in nodes])
    horizontal = beside / edges + _in_line([box.center.x for box in nodes])
    if stacked >= CLEAR_MAJORITY * edges and vertical > horizontal + CLEAR_LEAD:
        return VERTICAL
    if beside >= CLEAR_MAJORITY * edges and horizontal > vertical + CLEAR_LEAD:
        return HORIZONTAL
    return None


def _in_line(centers: list[float]) -> float:
    """The share of nodes whose centre lies level with another's."""
    ordered = sorted(centers)
    level = [b - a <= SAME_LINE for a, b in pairwise(ordered)]
    alone = sum(not before and not after for before, after in zip([False, *level], [*level, False], strict=True))
    return 1.0 - alone / max(1, len(ordered))
