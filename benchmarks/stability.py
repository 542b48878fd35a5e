"""How much a scene moves when it is edited, by kind of edit, beside other tools.

    uv run python benchmarks/stability.py                       # 12 to 300 nodes, nested and flat
    uv run python benchmarks/stability.py --sizes 12 30 --seeds 10
    uv run python benchmarks/stability.py --others              # also dot, and elkjs (NODE_MODULES), dagre, D2 (D2=…)

Figures are shares of the nodes that the edit does not touch and that stand more than 10 px from where they stood: the
mean and the largest; `lines` is the share of lines between nodes that stayed whose course is the same; `fresh` is the
share that moves without the places of the revision before. Of other tools, which know no former picture, the page's
common shift is taken away.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from math import hypot
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parent.parent / "scripts"))

from chance.edits import EDITS, edited
from chance.scenes import Seeded

from graphs import service_graph
from other_layouts import OTHER_LAYOUTS
from scenograph.engine.pipeline import lay_out, normalize, places_of

Json = dict[str, Any]
Spots = Mapping[str, tuple[float, float]]
FAR = 10.0
SIZES = (12, 30, 60, 100, 300)
DAGRE_RUN = """
const dagre = require(process.env.NODE_MODULES + '/@dagrejs/dagre');
const data = JSON.parse(require('fs').readFileSync(0, 'utf8'));
const g = new dagre.graphlib.Graph({compound: true, multigraph: true});
g.setGraph({}); g.setDefaultEdgeLabel(() => ({}));
data.nodes.forEach(([id, size]) => g.setNode(id, size));
data.parents.forEach(([child, parent]) => g.setParent(child, parent));
data.edges.forEach(([from, to, id]) => g.setEdge(from, to, {}, id));
dagre.layout(g);
console.log(JSON.stringify(Object.fromEntries(g.nodes().map((id) => [id, [g.node(id).x, g.node(id).y]]))));
"""


def ours(document: Json, sketch: Json | None = None) -> tuple[Spots, Mapping[str, object], Json]:
    """Middles of nodes, courses of lines, and the places."""
    laid_out = lay_out(document, sketch=sketch)
    boxes, routes = laid_out.scene.placement.boxes, laid_out.scene.routes
    spots = {one["id"]: boxes[one["id"]].center for one in document["elements"] if one["kind"] == "node"}
    return spots, {key: route.points for key, route in routes.items()}, places_of(laid_out)


def moved(before: Spots, after: Spots, touched: set[str], *, aligned: bool) -> set[str]:
    """The untouched nodes that went far."""
    rows = [one for one in before if one in after and one not in touched]
    steps = [(after[one][0] - before[one][0], after[one][1] - before[one][1]) for one in rows]
    dx, dy = (statistics.median(side) for side in zip(*steps, strict=True)) if aligned and steps else (0.0, 0.0)
    return {one for one, (x, y) in zip(rows, steps, strict=True) if hypot(x - dx, y - dy) > FAR}


def kept_lines(before: Mapping[str, object], after: Mapping[str, object], document: Json, gone: set[str]) -> float:
    """The share of lines between nodes that stayed whose course is the same."""
    ends = {
        one["id"]: {one["from"]["elementId"], one["to"]["elementId"]}
        for one in document["elements"]
        if one["kind"] == "edge"
    }
    rows = [key for key in before if key in after and key not in gone and not ends[key] & gone]
    return sum(before[key] == after[key] for key in rows) / len(rows) if rows else 1.0


def dagre(scene: Json) -> Spots | None:
    """dagre's middles of nodes."""
    if "NODE_MODULES" not in os.environ:
        return None
    bounds = scene["computed"]["bounds"]
    kinds = {one["id"]: one["kind"] for one in scene["elements"]}
    boxed = [one for one in bounds if kinds[one] in ("node", "frame")]
    data = {
        "nodes": [[one, {side: bounds[one][side] for side in ("width", "height")}] for one in boxed],
        "parents": [[child, one["id"]] for one in scene["elements"] for child in one.get("children", ())],
        "edges": [
            [one["from"]["elementId"], one["to"]["elementId"], one["id"]]
            for one in scene["elements"]
            if one["kind"] == "edge"
        ],
    }
    done = subprocess.run(["node", "-e", DAGRE_RUN], input=json.dumps(data), capture_output=True, text=True, check=True)
    found = json.loads(done.stdout)
    return {one: (x, y) for one, (x, y) in found.items() if kinds[one] == "node"}


def _by(name: str) -> Callable[[Json], Spots | None]:
    def spots(scene: Json) -> Spots | None:
        picture = OTHER_LAYOUTS[name](scene)
        if picture is None:
            return None
        return {key: ((a + c) / 2, (b + d) / 2) for key, (a, b, c, d) in picture.nodes.items()}

    return spots


OTHERS: Mapping[str, Callable[[Json], Spots | None]] = {**{name: _by(name) for name in OTHER_LAYOUTS}, "dagre": dagre}


def row(size: int, kind: str, seeds: int, others: Sequence[str], *, nested: bool) -> None:
    """One row of the table."""
    shares: dict[str, list[float]] = {name: [] for name in ("ours", "lines", "fresh", *others)}
    for seed in range(seeds):
        document = service_graph(size, nested=nested, seed=seed)
        step = edited(document, kind, Seeded(1000 * size + seed))
        if step is None:
            continue
        after, touched = step
        spots, lines, places = ours(document)
        then, ways, _ = ours(after, places)
        gone = moved(spots, then, touched, aligned=False)
        count = max(1, len([one for one in spots if one in then and one not in touched]))
        shares["ours"].append(len(gone) / count)
        shares["lines"].append(kept_lines(lines, ways, after, gone | touched))
        shares["fresh"].append(len(moved(spots, ours(after)[0], touched, aligned=True)) / count)
        for name in others:
            first, second = (OTHERS[name](normalize(one)[0]) for one in (document, after))
            if first is not None and second is not None:
                shares[name].append(len(moved(first, second, touched, aligned=True)) / count)
    said = [f"{statistics.mean(shares['ours']):8.3f}{max(shares['ours']):8.3f}"]
    said += [f"{statistics.mean(shares[name]):8.2f}" if shares[name] else "       -" for name in list(shares)[1:]]
    print(f"{'nested' if nested else 'flat':7}{size:5}  {kind:19}{''.join(said)}", flush=True)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--sizes", nargs="+", type=int, default=SIZES)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--others", action="store_true")
    asked = parser.parse_args()
    others = tuple(OTHERS) if asked.others else ()
    heads = "".join(f"{name:>8}" for name in ("mean", "most", "lines", "fresh", *others))
    print(f"{'share moved':33}{heads}")
    for nested in (True, False):
        for size in asked.sizes:
            for kind in EDITS:
                row(size, kind, asked.seeds, others, nested=nested)


if __name__ == "__main__":
    main()
