"""How long batches of 10, 100 and 1,000 operations take on a document of 5,000 elements.

    uv run python benchmarks/scene_operations.py

Prints milliseconds (best of a few runs) a batch and microseconds an operation, for several mixtures.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

from scenograph.scene.edits.operations import apply_operations
from scenograph.scene.limits import Limits

Json = dict[str, Any]
NODES, FRAMES, RUNS = 3_000, 20, 3
SIZES = (10, 100, 1_000)
ROOMY = Limits(elements=10_000)  # so that elements can be added


def document() -> Json:
    """3,000 nodes in 20 frames, 1,960 edges, 20 constraints."""
    edges = 5_000 - NODES - FRAMES
    elements: list[Json] = [{"id": f"n{n}", "kind": "node", "label": f"Node {n}"} for n in range(NODES)]
    elements += [
        {"id": f"f{n}", "kind": "frame", "children": [f"n{k}" for k in range(n, NODES, FRAMES)]} for n in range(FRAMES)
    ]
    elements += [
        {"id": f"e{n}", "kind": "edge", "from": {"elementId": f"n{n}"}, "to": {"elementId": f"n{(n * 7 + 1) % NODES}"}}
        for n in range(edges)
    ]
    scene = {"id": "large", "units": "px", "canvas": {}}
    constraints = [{"id": f"c{n}", "type": "align", "axis": "x", "elements": [f"n{n}", f"n{n + 1}"]} for n in range(20)]
    return {"schemaVersion": "0.1", "scene": scene, "elements": elements, "constraints": constraints}


def updates(count: int) -> list[Json]:
    return [{"op": "updateNode", "id": f"n{n}", "label": "New", "style": {"fill": "#fff"}} for n in range(count)]


def creates_in_one_frame(count: int) -> list[Json]:
    return [{"op": "createNode", "id": f"x{n}", "label": "New", "parentId": "f0"} for n in range(count)]


def deletes(count: int) -> list[Json]:
    return [{"op": "deleteElement", "id": f"n{n}"} for n in range(count)]


def moves(count: int) -> list[Json]:
    return [{"op": "moveElement", "id": f"n{n}", "delta": {"dx": 5, "dy": 5}} for n in range(count)]


def moves_of_one_frame(count: int) -> list[Json]:
    return [{"op": "moveElement", "id": "f0", "delta": {"dx": 1}} for _ in range(count)]


def reparents(count: int) -> list[Json]:
    return [{"op": "reparentElement", "id": f"n{n}", "parentId": "f19", "index": 0} for n in range(count)]


def half_of_them_bad(count: int) -> list[Json]:
    bad = [{"op": "updateEdge", "id": f"e{n}", "to": {"elementId": "nowhere"}} for n in range(count // 2)]
    return [*bad, *updates(count - count // 2)]


MIXTURES: Mapping[str, tuple[Callable[[int], list[Json]], str]] = {
    "update": (updates, "allOrNothing"),
    "create in one frame": (creates_in_one_frame, "allOrNothing"),
    "delete with cascade": (deletes, "allOrNothing"),
    "move": (moves, "allOrNothing"),
    "move one frame of 150": (moves_of_one_frame, "allOrNothing"),
    "reparent": (reparents, "allOrNothing"),
    "best effort, half bad": (half_of_them_bad, "bestEffort"),
}


def boxes(scene: Json) -> dict[str, dict[str, float]]:
    """Some computed place for everything: the engine is not what is measured here."""
    box = {"x": 1.0, "y": 2.0, "width": 3.0, "height": 4.0}
    return {element["id"]: box for element in scene["elements"]}


def main() -> None:
    scene = document()
    print(f"{len(scene['elements'])} elements; milliseconds a batch (microseconds an operation)")
    for name, (make, mode) in MIXTURES.items():
        cells: list[str] = []
        for size in SIZES:
            ops = make(size)
            best = min(_seconds(scene, ops, mode) for _ in range(RUNS))
            cells.append(f"{size:>5}: {best * 1e3:7.1f} ({best / size * 1e6:6.0f})")
        print(f"{name:<22}", "  ".join(cells))


def _seconds(scene: Json, ops: list[Json], mode: str) -> float:
    started = time.perf_counter()
    batch = apply_operations(scene, ops, mode, boxes, limits=ROOMY)
    seconds = time.perf_counter() - started
    if not batch.succeeded:
        raise SystemExit(f"the batch failed: {batch.diagnostics[0].message}")
    return seconds


if __name__ == "__main__":
    main()
