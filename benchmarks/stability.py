"""How much a scene moves when it grows: one node with two edges is added to a generated graph.

    uv run python benchmarks/stability.py                   # 10 to 1,000 nodes, nested and flat
    uv run python benchmarks/stability.py --edits 10

Figures are shares of the old nodes that stand more than 10 px from where they stood, the page's common shift taken
away: the mean of the edits and the largest.
"""

from __future__ import annotations

import argparse
import copy
import statistics
import sys
from math import hypot
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from graphs import SIZES, Noise, service_graph
from scenograph.engine.geometry.boxes import Box
from scenograph.engine.pipeline import lay_out

FAR = 10.0


def with_a_node(document: dict[str, Any], noise: Noise) -> dict[str, Any]:
    """The document with a node between two others, in the frame of the first, if that has one."""
    grown = copy.deepcopy(document)
    elements = grown["elements"]
    names = [one["id"] for one in elements if one["kind"] == "node"]
    source, target = names[noise.below(len(names))], names[noise.below(len(names))]
    elements.insert(len(names), {"id": "added", "kind": "node", "nodeType": "service", "label": "Added Service"})
    for frame in (one for one in elements if source in one.get("children", ())):
        frame["children"].append("added")
    for first, second in ((source, "added"), ("added", target)):
        edge = {"id": f"{first}-{second}", "kind": "edge", "from": {"elementId": first}, "to": {"elementId": second}}
        elements.append(edge)
    return grown


def moved_share(document: dict[str, Any], before: dict[str, Box], grown: dict[str, Any]) -> float:
    """The share of the document's nodes that an edit moved."""
    after = lay_out(grown).scene.placement.boxes
    names = [one["id"] for one in document["elements"] if one["kind"] == "node"]
    steps = [(after[one].x - before[one].x, after[one].y - before[one].y) for one in names]
    dx, dy = statistics.median(x for x, _ in steps), statistics.median(y for _, y in steps)
    return sum(hypot(x - dx, y - dy) > FAR for x, y in steps) / len(steps)


def main() -> None:
    """Print one row a graph."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--edits", type=int, default=5)
    edits = parser.parse_args().edits
    print(f"{'share moved':16}{'mean':>8}{'most':>8}")
    for nested in (True, False):
        for count in SIZES:
            document, noise = service_graph(count, nested=nested), Noise(count)
            before = dict(lay_out(document).scene.placement.boxes)
            shares = [moved_share(document, before, with_a_node(document, noise)) for _ in range(edits)]
            name = f"{'nested' if nested else 'flat'} {count}"
            print(f"{name:16}{statistics.mean(shares):8.2f}{max(shares):8.2f}", flush=True)


if __name__ == "__main__":
    main()
