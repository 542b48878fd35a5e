"""Layered service graphs for the benchmarks: clients, gateways, domains of services and stores, shared systems.

`service_graph(count, nested=…)` gives a scene document with `count` nodes and about 1.3 edges a node, six in ten of
them labelled; `family_graph(name, count)` a like one of each of FAMILY_GRAPHS. The same arguments give the same
document.
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


FAMILY_GRAPHS = ("flat", "nested", "pools", "lanes", "network", "entities", "org chart", "sequence", "states")
LANES, PEOPLE, LIFELINES = 4, 4, 5  # lanes of a pool, people who report to one, elements for each lifeline
COLUMNS = ("id", "name", "parent_id", "created_at")
_TYPES = {
    "pools": ("workflow", "workflow.task", "workflow.sequenceFlow"),
    "lanes": ("workflow", "workflow.task", "workflow.sequenceFlow"),
    "network": ("network", "network.server", "network.link"),
    "entities": ("entityRelationship", "er.entity", "er.nonIdentifying"),
    "org chart": ("orgchart", "org.person", "org.reportsTo"),
    "states": ("architecture", "state.state", "state.transition"),
}
"""The family of a graph, and the type of its nodes and edges."""


def family_graph(name: str, count: int, *, seed: int = 0) -> dict[str, Any]:
    """A scene document of `count` nodes (of a sequence: lifelines and messages) in one of FAMILY_GRAPHS."""
    if name == "sequence":
        return _sequence(count, Noise(seed + count))
    scene = service_graph(count, nested=name in ("nested", "network"), seed=seed)
    if name not in _TYPES:
        return scene
    family, node_type, edge_type = _TYPES[name]
    nodes = [one for one in scene["elements"] if one["kind"] == "node"]
    frames = [one for one in scene["elements"] if one["kind"] == "frame"]
    edges = [one for one in scene["elements"] if one["kind"] == "edge"]
    for node in nodes:
        node |= {"nodeType": node_type}
        node.pop("shape")
        if name == "entities":
            node["columns"] = [{"name": column, "type": "bigint"} for column in COLUMNS]
    if name == "org chart":
        ends = [(at, (at - 1) // PEOPLE) for at in range(1, count)]
        edges = [_edge(at, f"n{source}", f"n{target}") for at, (source, target) in enumerate(ends)]
    for edge in edges:
        edge["edgeType"] = edge_type
    if name in ("pools", "lanes"):
        frames = _pools(count, with_lanes=name == "lanes")
    return scene | {"diagramFamily": family, "elements": [*nodes, *frames, *edges]}


def _edge(number: int, source: str, target: str, **members: str) -> dict[str, Any]:
    ends = {"from": {"elementId": source}, "to": {"elementId": target}}
    return {"id": f"e{number}", "kind": "edge", **ends, **members}


def _pools(count: int, *, with_lanes: bool) -> list[dict[str, Any]]:
    """Pools of as many domains as there are lanes in one, each domain in a lane of its own or all in the pool."""
    ids = [f"n{index}" for index in range(count)]
    domains = [ids[at : at + NODES_PER_DOMAIN] for at in range(0, count, NODES_PER_DOMAIN)]
    frames: list[dict[str, Any]] = []
    for number, start in enumerate(range(0, len(domains), LANES)):
        parts = domains[start : start + LANES]
        lanes = [
            {
                "id": f"lane{start + at}",
                "kind": "frame",
                "containerType": "lane",
                "title": f"Lane {at}",
                "children": part,
            }
            for at, part in enumerate(parts)
        ]
        children = [lane["id"] for lane in lanes] if with_lanes else [one for part in parts for one in part]
        pool = {"id": f"pool{number}", "kind": "frame", "containerType": "pool", "title": WORDS[number % len(WORDS)]}
        frames += [*(lanes if with_lanes else ()), pool | {"children": children}]
    return frames


def _sequence(count: int, noise: Noise) -> dict[str, Any]:
    """A chart of `count` lifelines and messages."""
    lifelines = max(3, count // LIFELINES)
    elements: list[dict[str, Any]] = [
        {"id": f"n{at}", "kind": "node", "nodeType": "sequence.lifeline", "label": f"{WORDS[at % len(WORDS)]} {at}"}
        for at in range(lifelines)
    ]
    for number in range(count - lifelines):
        source = noise.below(lifelines)
        ends = f"n{source}", f"n{(source + 1 + noise.below(lifelines - 1)) % lifelines}"
        label = f"{VERBS[noise.below(len(VERBS))]} {number}"
        elements.append(_edge(number, *ends, edgeType="sequence.message", label=label))
    scene = {"id": f"chart-{count}", "title": f"{count} elements", "units": "px", "canvas": {}}
    return {"schemaVersion": "0.1", "diagramFamily": "sequence", "scene": scene, "elements": elements}


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
