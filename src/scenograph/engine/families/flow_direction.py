"""Which way a flow reads when its author says nothing: sideways, as users expect of it, unless it is so long that a
page would show it too small.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from scenograph.scene.model import Edge, Node, Scene

SIDEWAYS, DOWNWARDS = "LR", "TB"
MOST_STEPS = 7
"""A flow whose shortest ways take more steps runs down the page."""

_DECISION = "workflow.decision"


def process_direction(scene: Scene) -> str:
    """Processes run sideways as in BPMN; flowcharts, which have decisions with their question inside, run downwards."""
    if any(isinstance(row, Node) and row.node_type == _DECISION for row in scene.elements):
        return DOWNWARDS
    return flow_direction(scene)


def flow_direction(scene: Scene) -> str:
    """Sideways for short flows; a layout strategy without a direction means downwards (R-PLACE-4)."""
    return SIDEWAYS if scene.layout_strategy is None and steps(scene) <= MOST_STEPS else DOWNWARDS


def steps(scene: Scene) -> int:
    """How many steps it takes at most to reach an element from where the flow begins."""
    return max(depths(scene, [row for row in scene.elements if isinstance(row, Edge)]).values(), default=0)


def depths(scene: Scene, edges: Sequence[Edge]) -> Mapping[str, int]:
    """How many of these edges it takes at least to each element from where they begin."""
    ahead: dict[str, list[str]] = {row.id: [] for row in scene.elements if not isinstance(row, Edge)}
    entered: set[str] = set()
    for edge in edges:
        if edge.source.element_id != edge.target.element_id:
            ahead.setdefault(edge.source.element_id, []).append(edge.target.element_id)
            entered.add(edge.target.element_id)
    starts = [element_id for element_id in ahead if element_id not in entered] or list(ahead)[:1]
    return _distances(starts, ahead)


def _distances(starts: list[str], ahead: Mapping[str, list[str]]) -> dict[str, int]:
    found = dict.fromkeys(starts, 0)
    waiting = list(starts)
    for element_id in waiting:
        for other in ahead.get(element_id, ()):
            if other not in found:
                found[other] = found[element_id] + 1
                waiting.append(other)
    return found
