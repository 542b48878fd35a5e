#!/usr/bin/env python3
# ruff: noqa: T201 (it reports to whoever runs it)
"""Draws the README's two pictures: a scene, and what an edit changed in it.

    uv run scripts/make_readme_pictures.py [folder for PNG copies]

The same code gives the same bytes; a test compares them with docs/pictures.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from scenograph.engine.pipeline import Extras, normalize, render

PICTURES = Path(__file__).parents[1] / "docs" / "pictures"


def node(key: str, kind: str, label: str, icon: str | None = None) -> dict[str, Any]:
    """A node of the scene, with an icon where one is named."""
    return {"id": key, "kind": "node", "nodeType": kind, "label": label} | ({"icon": icon} if icon else {})


def edge(key: str, start: str, end: str, label: str | None = None) -> dict[str, Any]:
    """An edge of the scene between two elements."""
    ends = {"id": key, "kind": "edge", "from": {"elementId": start}, "to": {"elementId": end}}
    return ends | ({"label": label} if label else {})


def scene(title: str, elements: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """A scene document without coordinates; every edge has an arrowhead."""
    return {
        "schemaVersion": "0.1",
        "diagramFamily": "architecture",
        "scene": {"id": "shop", "title": title, "units": "px", "canvas": {}},
        "layoutStrategy": {"direction": "LR"},
        "defaults": {"edge": {"endpoints": {"endArrow": "triangle"}}},
        "elements": list(elements),
    }


SHARED = [
    node("web", "client", "Web shop"),
    node("orders", "service", "Order API"),
    node("stock", "service", "Stock API"),
    node("database", "database", "PostgreSQL", "simple:postgresql"),
    edge("e1", "web", "orders", "orders"),
    edge("e2", "web", "stock", "asks"),
    edge("e3", "orders", "database", "writes"),
    edge("e4", "stock", "database", "reads"),
]
BACKEND = ["orders", "stock"]
BEFORE = scene(
    "A small shop",
    [
        *SHARED,
        node("mailer", "service", "Mailer"),
        edge("e5", "orders", "mailer", "calls"),
        {"id": "backend", "kind": "frame", "title": "Backend", "children": BACKEND},
    ],
)
AFTER = scene(
    "A small shop",
    [
        *SHARED,
        node("events", "queue", "Events"),
        node("worker", "service", "Mail worker"),
        edge("e6", "orders", "events", "publishes"),
        edge("e7", "events", "worker", "delivers"),
        {"id": "backend", "kind": "frame", "title": "Backend", "children": BACKEND},
    ],
)


def pictures(form: str) -> dict[str, str | bytes]:
    """Both pictures in a format, by name. The edited scene keeps the places of the first one, as in the service."""
    places, _ = normalize(BEFORE)
    changed = Extras(before=BEFORE, before_places=places)
    return {
        "scene": render(BEFORE, form, theme="clean").content,
        "scene-diff": render(AFTER, form, theme="clean", sketch=places, extras=changed).content,
    }


def main(arguments: Sequence[str]) -> int:
    """Draw both pictures."""
    PICTURES.mkdir(exist_ok=True)
    for name, content in pictures("svg").items():
        (PICTURES / f"{name}.svg").write_text(str(content), "utf-8")
        print(f"{name}.svg: {len(str(content)):,} characters")
    for name, content in pictures("png").items() if arguments else ():
        (Path(arguments[0]) / f"{name}.png").write_bytes(bytes(content))
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
