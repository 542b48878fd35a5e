"""Times crowded scenes, well inside the limits, from document to SVG: every one has to stay far below the time limit.

    uv run python benchmarks/crowded.py                 # all shapes
    uv run python benchmarks/crowded.py "hub 1500" …    # some of them

Figures are seconds of processor time of one warm run, with the share of routing; compare only figures of one run.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from graphs import Noise
from scenograph.engine import pipeline

GRID_COLUMNS, GRID_WIDTH, GRID_HEIGHT = 50, 220, 140
NEAR_TARGETS = 60


def _node(index: int) -> dict[str, Any]:
    return {"id": f"n{index}", "kind": "node", "nodeType": "service", "label": f"Service {index}"}


def _edge(number: int, source: int, target: int, *, labelled: bool = True) -> dict[str, Any]:
    ends = {"from": {"elementId": f"n{source}"}, "to": {"elementId": f"n{target}"}}
    return {"id": f"e{number}", "kind": "edge", **ends, **({"label": f"calls {number}"} if labelled else {})}


def _scene(elements: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "schemaVersion": "0.1",
        "diagramFamily": "architecture",
        "layoutStrategy": {"algorithm": "hierarchical"},
        "scene": {"id": "crowd", "title": "Crowd", "units": "px", "canvas": {"width": 1200, "height": 800}},
        "elements": elements,
    }


def parallel(count: int) -> dict[str, Any]:
    """Two nodes and `count` labelled edges between them."""
    return _scene([_node(0), _node(1), *(_edge(number, 0, 1) for number in range(count))])


def hub(count: int) -> dict[str, Any]:
    """One node with labelled edges to `count` others."""
    nodes = [_node(index) for index in range(count + 1)]
    return _scene([*nodes, *(_edge(number, 0, number + 1) for number in range(count))])


def clique(count: int) -> dict[str, Any]:
    """`count` nodes and a labelled edge between every two of them."""
    edges = [_edge(number, *ends) for number, ends in enumerate(combinations(range(count), 2))]
    return _scene([*(_node(index) for index in range(count)), *edges])


def large(count: int, *, absolute: bool = False) -> dict[str, Any]:
    """`count` nodes and as many edges, half of them labelled; `absolute` gives every node its place in a grid."""
    noise = Noise(3)
    nodes = [_node(index) for index in range(count)]
    for index, node in enumerate(nodes if absolute else ()):
        row, column = divmod(index, GRID_COLUMNS)
        node["layout"] = {"mode": "absolute", "x": column * GRID_WIDTH, "y": row * GRID_HEIGHT}
    edges: list[dict[str, Any]] = []
    for number in range(count):
        source = noise.below(count)
        target = noise.below(count) if absolute else (source + 1 + noise.below(NEAR_TARGETS)) % count
        labelled = noise.below(2) == 0
        edges.append(_edge(number, source, target if target != source else (source + 1) % count, labelled=labelled))
    return _scene([*nodes, *edges])


SHAPES: dict[str, Callable[[], dict[str, Any]]] = {
    "parallel 100": lambda: parallel(100),
    "parallel 400": lambda: parallel(400),
    "hub 200": lambda: hub(200),
    "hub 1500": lambda: hub(1500),
    "clique 40": lambda: clique(40),
    "clique 70": lambda: clique(70),
    "layered 2500": lambda: large(2500),
    "absolute 2500": lambda: large(2500, absolute=True),
}


def _seconds(document: dict[str, Any]) -> tuple[float, float]:
    """Processor time of a whole picture, and of its routes."""
    spent = [0.0]
    original = pipeline.route

    def timed(*args: Any, **members: Any) -> Any:
        start = time.process_time()
        routes = original(*args, **members)
        spent[0] = time.process_time() - start
        return routes

    pipeline.route = timed
    try:
        start = time.process_time()
        pipeline.render_svg(document)
        return time.process_time() - start, spent[0]
    finally:
        pipeline.route = original


def main() -> None:
    """Print one row a shape."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("shapes", nargs="*", help=", ".join(SHAPES))
    chosen: list[str] = parser.parse_args().shapes or list(SHAPES)
    unknown = [name for name in chosen if name not in SHAPES]
    if unknown:
        parser.error(f"no such shape: {', '.join(unknown)}")
    pipeline.render_svg(parallel(2))
    print(f"{'seconds':16}{'whole':>10}{'route':>10}")
    for name in chosen:
        whole, routes = _seconds(SHAPES[name]())
        print(f"{name:16}{whole:10.2f}{routes:10.2f}")


if __name__ == "__main__":
    main()
