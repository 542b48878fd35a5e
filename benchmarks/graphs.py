"""Layered service graphs for the benchmarks: clients, gateways, domains of services and stores, shared systems.

`service_graph(count, nested=…)` gives a scene document with `count` nodes and about 1.3 edges a node, six in ten of
them labelled. The same arguments give the same document.
"""

from __future__ import annotations

from typing import Any, cast

from scenograph.engine.place.layered.nesting import ORDERS

SIZES = (10, 30, 100, 300, 1000)
EDGES_PER_NODE = 1.3
NODES_PER_DOMAIN = 9
VERBS = ("reads", "writes", "calls", "publishes", "consumes", "queries", "syncs", "streams", "caches", "notifies")
WORDS = (
    "Orders",
    "Payments",
    "Catalog",
    "Inventory",
    "Shipping",
    "Identity",
    "Billing",
    "Search",
    "Pricing",
    "Returns",
)
ROLES = ("API", "Core", "Worker", "Scheduler", "Projector", "Store", "Importer", "Router", "Indexer")


class Noise:
    """A small linear congruential generator: the same numbers on every machine."""

    def __init__(self, seed: int) -> None:
        self._state = seed * 2654435761 % 2**32

    def below(self, limit: int) -> int:
        """A number from 0 to `limit` - 1."""
        self._state = (self._state * 1664525 + 1013904223) % 2**32
        return (self._state >> 8) % limit


def _node(index: int, label: str, role: str) -> dict[str, Any]:
    store = role == "Store"
    return {
        "id": f"n{index}",
        "kind": "node",
        "nodeType": "database" if store else "service",
        "shape": "cylinder" if store else "roundedRect",
        "label": label,
    }


def _links(count: int, noise: Noise) -> list[tuple[int, int]]:
    domain = NODES_PER_DOMAIN
    links: dict[tuple[int, int], None] = {}
    for index in range(1, count):
        start = index // domain * domain
        parent = start + (index - start - 1) // 2 if index > start else noise.below(index)
        links[(parent, index)] = None
    wanted = round(count * EDGES_PER_NODE)
    for _ in range(wanted * 20):
        if len(links) >= wanted:
            break
        source = noise.below(count)
        near = source // domain * domain + noise.below(domain)
        far = min(count - 1, (source // domain + 1 + noise.below(3)) * domain)
        target = near if noise.below(3) else far
        if target < count and target > source:
            links[(source, target)] = None
    return list(links)


def service_graph(count: int, *, nested: bool, seed: int = 0) -> dict[str, Any]:
    """A scene document of `count` nodes; `nested` puts each domain into a frame and four domains into an area."""
    noise = Noise(seed + 7919 * count)
    elements: list[dict[str, Any]] = []
    for index in range(count):
        domain, role = index // NODES_PER_DOMAIN, ROLES[index % NODES_PER_DOMAIN]
        word = WORDS[domain % len(WORDS)] + (f" {domain // len(WORDS) + 1}" if domain >= len(WORDS) else "")
        elements.append(_node(index, f"{word} {role}", role))
    if nested:
        elements += _frames(count)
    for number, (source, target) in enumerate(_links(count, noise)):
        edge: dict[str, Any] = {
            "id": f"e{number}",
            "kind": "edge",
            "from": {"elementId": f"n{source}"},
            "to": {"elementId": f"n{target}"},
        }
        if noise.below(10) < 6:
            edge["label"] = f"{VERBS[noise.below(len(VERBS))]} {number}"
        elements.append(edge)
    return {
        "schemaVersion": "0.1",
        "diagramFamily": "architecture",
        "layoutStrategy": {"algorithm": "hierarchical"},
        "scene": {
            "id": f"graph-{count}",
            "title": f"{count} nodes",
            "units": "px",
            "canvas": {"width": 1200, "height": 800},
        },
        "elements": elements,
    }


def _frames(count: int) -> list[dict[str, Any]]:
    domains = range((count + NODES_PER_DOMAIN - 1) // NODES_PER_DOMAIN)
    frames: list[dict[str, Any]] = [
        {
            "id": f"domain{d}",
            "kind": "frame",
            "title": WORDS[d % len(WORDS)],
            "children": [f"n{i}" for i in range(d * NODES_PER_DOMAIN, min(count, (d + 1) * NODES_PER_DOMAIN))],
        }
        for d in domains
    ]
    frames += [
        {
            "id": f"area{a}",
            "kind": "frame",
            "title": f"Area {a + 1}",
            "children": [f"domain{d}" for d in domains if d // 4 == a],
        }
        for a in range((len(domains) + 3) // 4)
        if len(domains) > 4
    ]
    return frames


def renamed(document: dict[str, Any], ending: str) -> dict[str, Any]:
    """The document with an ending on every element's id, wherever it is named: for the engine a scene it never saw."""
    ids = {element["id"] for element in document["elements"]}
    ORDERS.clear()

    def anew(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: anew(one) for key, one in cast("dict[str, Any]", value).items()}
        if isinstance(value, list):
            return [anew(one) for one in cast("list[Any]", value)]
        return f"{value}{ending}" if isinstance(value, str) and value in ids else value

    return {**document, "elements": anew(document["elements"])}
