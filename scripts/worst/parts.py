"""The parts that the worst documents are made of: nodes, edges, frames, a whole document."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

Json = dict[str, Any]


def ids(count: int) -> list[str]:
    """`n0` to `n<count - 1>`."""
    return [f"n{index}" for index in range(count)]


def nodes(count: int, node_type: str = "service", **members: Any) -> list[Json]:
    """So many nodes of a type, the label of each its number."""
    return [{"id": one, "kind": "node", "nodeType": node_type, "label": one[1:], **members} for one in ids(count)]


def edges(pairs: Iterable[tuple[int, int]], *, labelled: bool = False, **members: Any) -> list[Json]:
    """An edge between the nodes of each pair of numbers."""
    return [
        {
            "id": f"e{number}",
            "kind": "edge",
            "from": {"elementId": f"n{source}"},
            "to": {"elementId": f"n{target}"},
            **({"label": f"call {number}"} if labelled else {}),
            **members,
        }
        for number, (source, target) in enumerate(pairs)
    ]


def frame(element_id: str, children: Sequence[str], container_type: str = "generic", **members: Any) -> Json:
    """A frame round its children."""
    return {"id": element_id, "kind": "frame", "containerType": container_type, "children": [*children], **members}


def document(
    elements: Sequence[Json], *, family: str = "architecture", algorithm: str | None = None, **root: Any
) -> Json:
    """A whole document of these elements."""
    strategy = {} if algorithm is None else {"layoutStrategy": {"algorithm": algorithm}}
    head = {"id": "worst", "title": "Worst", "units": "px", "canvas": {"width": 1200, "height": 800}}
    return {"schemaVersion": "0.1", "diagramFamily": family, "scene": head, "elements": [*elements], **strategy, **root}
