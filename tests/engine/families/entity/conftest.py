"""Documents of tables and the edges between them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

Document = dict[str, Any]


@pytest.fixture
def tables() -> Callable[..., Document]:
    """Tables by id with their columns (names, or members), edges as members without id and kind; more is the root's."""

    def build(entities: dict[str, list[Any]], edges: list[dict[str, Any]] | None = None, **more: Any) -> Document:
        nodes = [
            {
                "id": name,
                "kind": "node",
                "nodeType": "er.entity",
                "label": name,
                "extensions": {"columns": [{"name": one} if isinstance(one, str) else one for one in columns]},
            }
            for name, columns in entities.items()
        ]
        lines = [{"id": f"e{number}", "kind": "edge", **members} for number, members in enumerate(edges or [])]
        scene = {"id": "tables", "title": "Tables", "units": "px", "canvas": {}}
        document = {"schemaVersion": "0.1", "diagramFamily": "entityRelationship", "scene": scene}
        return document | {"elements": nodes + lines} | more

    return build
