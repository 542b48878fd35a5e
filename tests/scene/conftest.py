"""Small documents written by hand, and raster headers."""

from __future__ import annotations

import struct
from base64 import b64encode
from collections.abc import Callable
from typing import Any

import pytest

Json = dict[str, Any]


def make_document(*elements: Json, **root: Any) -> Json:
    scene: Json = {"id": "a-scene", "units": "px", "canvas": {"width": 800, "height": 600}}
    document: Json = {"schemaVersion": "0.1", "diagramFamily": "architecture", "scene": scene}
    return document | {"elements": list(elements)} | root


def make_png(width: int = 4, height: int = 3, size: int = 33) -> str:
    """The base64 of a PNG's header, filled up to `size` bytes."""
    head = b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + b"IHDR" + struct.pack(">II", width, height)
    return b64encode(head.ljust(size, b"\0")).decode()


@pytest.fixture(scope="session")
def document() -> Callable[..., Json]:
    """A valid document of these elements; keywords replace members of its root."""
    return make_document


@pytest.fixture(scope="session")
def png() -> Callable[..., str]:
    return make_png


@pytest.fixture
def shop(document: Callable[..., Json]) -> Json:
    """Three nodes, two of them in a frame, two edges, a named style, a constraint: valid without a remark."""
    return document(
        {"id": "web", "kind": "node", "label": "Web"},
        {"id": "api", "kind": "node", "nodeType": "service", "label": "API", "style": "loud"},
        {"id": "db", "kind": "node", "nodeType": "database", "ports": [{"id": "in", "side": "left"}]},
        {"id": "back", "kind": "frame", "title": "Backend", "children": ["api", "db"]},
        {"id": "calls", "kind": "edge", "from": {"elementId": "web"}, "to": {"elementId": "api"}, "label": "calls"},
        {"id": "reads", "kind": "edge", "from": {"elementId": "api"}, "to": {"elementId": "db", "port": "in"}},
        styles={"loud": {"fill": "#fde047", "strokeWidth": 2}},
        constraints=[{"id": "row", "type": "align", "elements": ["web", "api"], "axis": "y"}],
    )
