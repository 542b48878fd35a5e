"""How long it takes to parse, validate and read documents of 100, 1,000 and 5,000 elements, sound and broken.

uv run python benchmarks/validation.py
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from functools import partial
from typing import Any

from scenograph.diagnostics import Report
from scenograph.scene.difference import difference
from scenograph.scene.reading import read_scene
from scenograph.scene.strict_json import parse
from scenograph.scene.validation import validate

Json = dict[str, Any]
SIZES, RUNS = (100, 1_000, 5_000), 5


def document(count: int) -> Json:
    """Half nodes with layout and style, half edges with labels."""
    nodes = count // 2
    elements: list[Json] = []
    for n in range(nodes):
        layout = {"mode": "absolute", "x": n * 1.5, "y": n, "width": 120, "height": 40}
        node = {"id": f"n{n}", "kind": "node", "nodeType": "service", "shape": "rect", "label": f"Node number {n}"}
        elements.append(node | {"layout": layout, "style": {"fill": "#ffffff"}})
        ends = {"from": {"elementId": f"n{n}"}, "to": {"elementId": f"n{(n * 7 + 1) % nodes}"}}
        elements.append({"id": f"e{n}", "kind": "edge", **ends, "label": f"edge {n}", "router": "orthogonal"})
    scene = {"id": "measured", "units": "px", "canvas": {"width": 1600, "height": 1000}}
    return {"schemaVersion": "0.1", "diagramFamily": "architecture", "scene": scene, "elements": elements}


def broken(scene: Json) -> Json:
    """The same with a misspelt member, a wrong shape and a dangling end in every element."""
    elements = [
        element | {"lable": "x", "shape": "rectt", "to": {"elementId": "nowhere"}} for element in scene["elements"]
    ]
    return scene | {"elements": elements}


def best(work: Callable[[], object]) -> float:
    """Milliseconds of the best of a few runs."""
    times: list[float] = []
    for _ in range(RUNS):
        started = time.perf_counter()
        work()
        times.append(time.perf_counter() - started)
    return min(times) * 1e3


def main() -> None:
    print("elements     KB    parse validate   broken     read difference   (milliseconds)")
    for size in SIZES:
        scene = document(size)
        raw, bad = json.dumps(scene).encode(), broken(scene)
        other = parse(raw)
        steps = (
            partial(parse, raw),
            partial(validate, scene),
            partial(validate, bad),
            partial(read_scene, scene, Report()),
            partial(difference, scene, other),
        )
        print(f"{size:>8} {len(raw) / 1e3:>6.0f} " + " ".join(f"{best(step):>8.1f}" for step in steps))


if __name__ == "__main__":
    main()
