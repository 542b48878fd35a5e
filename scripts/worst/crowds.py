"""Documents with crowds of nodes and lines: cliques, hubs, loops, layers, thousands of elements."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import combinations, product
from random import Random

from worst.parts import Json, document, edges, frame, ids, nodes

MOST = 5_000


def labelled(count: int = 531) -> Json:
    """Nodes with twice as many labelled edges between any of them."""
    return document([*nodes(count), *edges(_pairs(count, 2 * count), labelled=True)])


def clique(count: int, *, labels: bool = False) -> Json:
    """An edge between every two nodes."""
    return document([*nodes(count), *edges(combinations(range(count), 2), labelled=labels)])


def bipartite(side: int = 69) -> Json:
    """An edge between every node of one half and every node of the other."""
    return document([*nodes(2 * side), *edges(product(range(side), range(side, 2 * side)))])


def spokes(count: int = 2499, *, labels: bool = False, algorithm: str | None = None) -> Json:
    """One node with an edge to every other."""
    lines = edges(((0, one + 1) for one in range(count)), labelled=labels)
    return document([*nodes(count + 1), *lines], algorithm=algorithm)


def loops(count: int = 4000) -> Json:
    """One node with so many edges to itself."""
    return document([*nodes(1), *edges(((0, 0) for _ in range(count)), labelled=True)])


def parallels(count: int = 4000) -> Json:
    """So many labelled edges between the same two nodes."""
    return document([*nodes(2), *edges(((0, 1) for _ in range(count)), labelled=True)])


def layers(width: int = 15, count: int = 20) -> Json:
    """Layers of nodes, each fully joined with the next."""
    pairs = [
        (rank * width + source, (rank + 1) * width + target)
        for rank in range(count - 1)
        for source, target in product(range(width), repeat=2)
    ]
    return document([*nodes(width * count), *edges(pairs)])


def scattered(count: int, edges_: int, algorithm: str = "hierarchical", *, labels: bool = False) -> Json:
    """Nodes with edges by chance, laid out by an algorithm."""
    return document([*nodes(count), *edges(_pairs(count, edges_), labelled=labels)], algorithm=algorithm)


def placed(count: int, edges_: int, pitch: tuple[int, int], **members: str) -> Json:
    """Nodes in a grid of `pitch` px (below a node's size: on each other), with labelled edges by chance."""
    made = nodes(count)
    for index, node in enumerate(made):
        row, column = divmod(index, 50)
        node["layout"] = {"mode": "absolute", "x": 40 + column * pitch[0], "y": 40 + row * pitch[1]}
    return document([*made, *edges(_pairs(count, edges_), labelled=True, **members)])


def chain(count: int = 2500) -> Json:
    """One long chain."""
    return document([*nodes(count), *edges((one, one + 1) for one in range(count - 1))])


def alone(count: int = MOST) -> Json:
    """Nodes without any edge."""
    return document(nodes(count))


def nested(depth: int = 63) -> Json:
    """Frames in frames, as deep as may be, with nodes and edges on every level."""
    made, inner = list[Json](), list[str]()
    for level in range(depth):
        own = ids(30 * depth)[30 * level : 30 * level + 30]
        made.append(frame(f"f{level}", [*own, *inner]))
        inner = [f"f{level}"]
    return document([*nodes(30 * depth), *made, *edges(_pairs(30 * depth, 1200))])


def pools(depth: int = 20) -> Json:
    """Pools in lanes of pools, with tasks in every lane and edges between them."""
    made, inner, names = list[Json](), list[str](), ids(depth * 12)
    for level in range(depth):
        own = names[12 * level : 12 * level + 12]
        lanes = [f"p{level}l{lane}" for lane in range(4)]
        for lane, lane_id in enumerate(lanes):
            made.append(frame(lane_id, [*own[lane * 3 : lane * 3 + 3], *(inner if lane == 0 else [])], "lane"))
        upright = {"laneDirection": "vertical"} if level % 2 else {}
        made.append(frame(f"p{level}", lanes, "pool", **upright))
        inner = [f"p{level}"]
    drawn = edges(_pairs(len(names), 2 * len(names)), labelled=True)
    return document([*nodes(len(names), "workflow.task"), *made, *drawn], family="workflow")


def framed(frames: int = 300, each: int = 4) -> Json:
    """Many frames beside each other, edges across all of them."""
    names = ids(frames * each)
    made = [frame(f"f{index}", names[index * each : (index + 1) * each]) for index in range(frames)]
    return document([*nodes(len(names)), *made, *edges(_pairs(len(names), 2 * len(names)), labelled=True)])


def related(count: int = 2000) -> Json:
    """Every node placed relative to the one before, with edges by chance."""
    made = nodes(count)
    for index, node in enumerate(made[1:]):
        relation = ("rightOf", "below")[index % 2]
        node["layout"] = {"mode": "relative", "target": f"n{index}", "relation": relation}
    return document([*made, *edges(_pairs(count, count))])


def _pairs(count: int, many: int) -> list[tuple[int, int]]:
    chance = Random(11)  # noqa: S311 (no secret)
    return [(chance.randrange(count), chance.randrange(count)) for _ in range(many)]


CROWDS: Mapping[str, Callable[[], Json]] = {
    "labelled edges 1062": labelled,
    "labelled edges 3300": lambda: labelled(1660),
    "clique 40, labels": lambda: clique(40, labels=True),
    "clique 70": lambda: clique(70),
    "clique 70, labels": lambda: clique(70, labels=True),
    "clique 99": lambda: clique(99),
    "bipartite 30": lambda: bipartite(30),
    "bipartite 69": bipartite,
    "spokes 2499": spokes,
    "spokes 2499, labels": lambda: spokes(labels=True),
    "spokes 499, flow": lambda: spokes(499, algorithm="flow"),
    "spokes 2499, flow": lambda: spokes(algorithm="flow"),
    "loops 1000": lambda: loops(1000),
    "loops 4000": loops,
    "parallels 1000": lambda: parallels(1000),
    "parallels 4000": parallels,
    "layers 15 x 5": lambda: layers(15, 5),
    "layers 15 x 20": layers,
    "layers 40 x 4": lambda: layers(40, 4),
    "scattered 60, 600": lambda: scattered(60, 600),
    "scattered 200, 4800": lambda: scattered(200, 4800),
    "scattered 2500, 2500": lambda: scattered(2500, 2500, labels=True),
    "scattered 1000, 4000": lambda: scattered(1000, 4000),
    "force 500, 1500": lambda: scattered(500, 1500, "forceDirected"),
    "force 2500, 2500": lambda: scattered(2500, 2500, "forceDirected"),
    "force 5000": lambda: scattered(MOST, 0, "forceDirected"),
    "grid 2500, 2500": lambda: scattered(2500, 2500, "grid"),
    "flow 2500, 2500": lambda: scattered(2500, 2500, "flow"),
    "placed 2500, 2500": lambda: placed(2500, 2500, (220, 140)),
    "placed on each other": lambda: placed(1500, 3500, (7, 5)),
    "curved 500, 4500": lambda: placed(500, 4500, (220, 140), router="curved"),
    "polylines 500, 4500": lambda: placed(500, 4500, (220, 140), router="polyline"),
    "straight 500, 4500": lambda: placed(500, 4500, (220, 140), router="straight"),
    "chain 2500": chain,
    "alone 5000": alone,
    "nested 63": nested,
    "nested pools": pools,
    "frames 300": framed,
    "related 2000": related,
}
