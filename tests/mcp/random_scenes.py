"""Scenes of all families and sizes from a seed, for the limits of results."""

from __future__ import annotations

import random
from typing import Any

TYPES = {
    "architecture": (("service", "database", "queue", "client"), None),
    "workflow": (("workflow.task", "workflow.gateway", "workflow.start", "workflow.end"), "workflow.sequenceFlow"),
    "entityRelationship": (("er.entity",), "er.nonIdentifying"),
    "sequence": (("sequence.lifeline",), "sequence.message"),
    "network": (("network.router", "network.server", "network.client"), "network.link"),
    "orgchart": (("org.person",), "org.reportsTo"),
    "uiflow": (("uiflow.screen", "uiflow.modal"), "uiflow.navigate"),
}
WORDS = ("order", "payment", "ledger", "Zahlung", "входящий", "注文", "audit trail", "🚀", "x" * 60, "a\nb")


def random_scene(seed: int) -> dict[str, Any]:
    """The same scene for the same seed; every tenth is large."""
    draw = random.Random(seed)  # noqa: S311 - no secret
    family = draw.choice(sorted(TYPES))
    node_types, edge_type = TYPES[family]
    count = draw.randint(0, 30) if seed % 10 else draw.randint(150, 400)
    ids = [f"n{number}" for number in range(count)]
    nodes = [_node(draw, each, draw.choice(node_types)) for each in ids]
    edges = [_edge(draw, number, ids, edge_type) for number in range(draw.randint(0, count) if count else 0)]
    return {
        "schemaVersion": "0.1",
        "diagramFamily": family,
        "scene": {"id": f"r{seed}", "title": draw.choice(WORDS), "units": "px", "canvas": {}},
        "layoutStrategy": {"algorithm": draw.choice(("hierarchical", "flow", "grid", "forceDirected"))},
        "elements": [*nodes, *edges],
    }


def _node(draw: random.Random, element_id: str, node_type: str) -> dict[str, Any]:
    columns = [{"name": f"column_{number}", "type": "int", "pk": number == 0} for number in range(draw.randint(0, 8))]
    rows = {"extensions": {"columns": columns}} if node_type == "er.entity" else {}
    label = " ".join(draw.choices(WORDS, k=draw.randint(1, 4)))
    return {"id": element_id, "kind": "node", "nodeType": node_type, "label": label, **rows}


def _edge(draw: random.Random, number: int, ids: list[str], edge_type: str | None) -> dict[str, Any]:
    ends = {name: {"elementId": draw.choice(ids)} for name in ("from", "to")}
    typed = {"edgeType": edge_type} if edge_type else {}
    return {"id": f"e{number}", "kind": "edge", **ends, **typed, "label": draw.choice(WORDS)}
