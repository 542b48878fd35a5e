"""What the lines of our pictures are like, and of the same graphs by other tools, in one table.

    uv run python benchmarks/routing.py                                   # ours, 10 to 300 nodes, three seeds
    uv run python benchmarks/routing.py --seeds 10 --others dot,elkjs,D2,TALA  # beside other tools (other_layouts.py)
    uv run python benchmarks/routing.py scene.json …                      # your own scenes

One row a size and tool: sums over the seeds; `turns` is an average of right angles an edge, `ms` the CPU time of our
routing alone (best of three, this run); `close` and `closer` are pairs of strangers within 6 and 4.5 px, `foreign` are
lines through frames that hold neither of their ends, `length` px, `area` thousands of square px.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from graphs import renamed, service_graph
from line_figures import Picture, figures
from other_layouts import OTHER_LAYOUTS, of_scene
from scenograph.diagnostics import Report
from scenograph.engine import pipeline
from scenograph.engine.route.routing import route

SIZES = (10, 30, 100, 300)
FIRST_SEED = 41
COLUMNS = (
    "crossings",
    "turns",
    "close",
    "closer",
    "foreign",
    "through",
    "grazed",
    "far_labels",
    "jogs",
    "length",
    "area",
    "ms",
)
ROUNDS = 3

Row = dict[str, float]


def main() -> None:
    """Print the table."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("scenes", nargs="*", type=Path)
    options.add_argument("--seeds", type=int, default=3)
    options.add_argument("--sizes", default=",".join(map(str, SIZES)))
    options.add_argument("--others", default="")
    asked = options.parse_args()
    groups = (
        _given(asked.scenes) if asked.scenes else _made(asked.seeds, [int(size) for size in asked.sizes.split(",")])
    )
    print("| graph | tool | " + " | ".join(COLUMNS) + " |")
    print("|---|---|" + "---:|" * len(COLUMNS))
    for name, documents in groups.items():
        for tool, rows in _rows(documents, [one for one in asked.others.split(",") if one]).items():
            print(f"| {name} | {tool} | " + " | ".join(_cells(rows)) + " |", flush=True)


def _made(seeds: int, sizes: list[int]) -> dict[str, list[dict[str, Any]]]:
    return {
        f"{'nested' if nested else 'flat'} {size}": [
            service_graph(size, nested=nested, seed=seed) for seed in range(FIRST_SEED, FIRST_SEED + seeds)
        ]
        for nested in (False, True)
        for size in sizes
    }


def _given(paths: list[Path]) -> dict[str, list[dict[str, Any]]]:
    return {path.stem: [json.loads(path.read_text(encoding="utf-8"))] for path in paths}


def _rows(documents: list[dict[str, Any]], others: list[str]) -> Mapping[str, list[Row]]:
    """By tool the figures of every document that it could draw."""
    found: dict[str, list[Row]] = {"scenograph": []}
    for document in documents:
        normalized, _ = pipeline.normalize(document)
        found["scenograph"].append({**figures(of_scene(normalized)), "ms": _routing_time(document)})
        for tool in others:
            picture: Picture | None = OTHER_LAYOUTS[tool](normalized)
            if picture is not None:
                found.setdefault(tool, []).append(figures(picture))
    return found


def _routing_time(document: dict[str, Any]) -> float:
    """The least CPU time of the routing stage, ms."""
    times = list[float]()
    for number in range(ROUNDS):
        scene = pipeline.lay_out(renamed(document, f"-{number:03}")).scene
        begin = time.process_time()
        route(scene.scene, scene.styles, scene.sizes, scene.placement, Report())
        times.append((time.process_time() - begin) * 1000)
    return min(times)


def _cells(rows: list[Row]) -> list[str]:
    edges = sum(row["edges"] for row in rows) or 1
    cells: list[str] = []
    for column in COLUMNS:
        total = sum(row.get(column, 0.0) for row in rows)
        is_known = all(column in row for row in rows)
        cells.append(f"{total / edges:.2f}" if column == "turns" else f"{total:.0f}" if is_known else "")
    return cells


if __name__ == "__main__":
    main()
