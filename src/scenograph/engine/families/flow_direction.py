"""The default reading direction of a flow: sideways, as users expect, unless too long to be legible on a page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from scenograph.engine.geometry.directions import DOWNWARDS, RIGHTWARDS
from scenograph.scene.model import Edge, Node, Scene

MOST_STEPS = 7
"""A flow whose shortest ways take more steps runs down the page."""

_DECISION = "workflow.decision"


def process_direction(scene: Scene) -> str:
    """The direction of a process: sideways as in BPMN; flowcharts, recognized by decisions with inner questions, run
    downwards."""
    if any(isinstance(row, Node) and row.node_type == _DECISION for row in scene.elements):
        return DOWNWARDS
    return flow_direction(scene)


def flow_direction(scene: Scene) -> str:
    """Sideways for short flows; a layout strategy without a direction means downwards (R-PLACE-4)."""
    return RIGHTWARDS if scene.layout_strategy is None and steps(scene) <= MOST_STEPS else DOWNWARDS


def steps(scene: Scene) -> int:
    """The greatest number of steps to an element from a start of the flow."""
    return max(depths(scene, [row for row in scene.elements if isinstance(row, Edge)]).values(), default=0)


def depths(scene: Scene, edges: Sequence[Edge]) -> Mapping[str, int]:
    """The least number of edges from a start to each element."""
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
