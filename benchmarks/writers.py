"""What the writers cost: the time of a PNG and of an Excalidraw file against that of the SVG, and the bytes an element.

    uv run python benchmarks/writers.py [a scene document ...]

Without documents a made one of 100 elements is drawn. Each format runs `ROUNDS` times in turn, so that a busy machine
slows all alike; the median is shown, and its ratio to that of the SVG.
"""

from __future__ import annotations

import json
import re
import statistics
import sys
import time
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from scenograph.engine.pipeline import RenderedPicture, render, render_png, render_svg

ROUNDS = 15
WRITERS: Mapping[str, Callable[..., RenderedPicture]] = {
    "svg": render_svg,
    "png": render_png,
    "excalidraw": partial(render, output="excalidraw"),
}
_FONTS = re.compile(r"<style>.*?</style>", re.DOTALL)


def made(nodes: int = 50, edges: int = 50) -> dict[str, Any]:
    """A scene of nodes in a row of ranks, each led to by an earlier one."""
    boxes = [{"id": f"n{i}", "kind": "node", "nodeType": "service", "label": f"Service {i}"} for i in range(nodes)]
    lines = [
        {
            "id": f"e{i}",
            "kind": "edge",
            "from": {"elementId": f"n{i // 3}"},
            "to": {"elementId": f"n{(i + 1) % nodes}"},
            "label": f"call {i}" if i % 4 == 0 else "",
        }
        for i in range(edges)
    ]
    scene = {"id": "made", "units": "px", "canvas": {}}
    return {"schemaVersion": "0.1", "diagramFamily": "architecture", "scene": scene, "elements": [*boxes, *lines]}


def medians(document: Mapping[str, Any]) -> dict[str, float]:
    """Seconds a picture, by format."""
    times: dict[str, list[float]] = {name: [] for name in WRITERS}
    for write in WRITERS.values():
        write(document)
    for _ in range(ROUNDS):
        for name, write in WRITERS.items():
            start = time.perf_counter()
            write(document)
            times[name].append(time.perf_counter() - start)
    return {name: statistics.median(rows) for name, rows in times.items()}


def show(name: str, document: Mapping[str, Any]) -> None:
    """One line a scene."""
    count = len(document["elements"])
    took = medians(document)
    svg, file = str(render_svg(document).content), str(render(document, "excalidraw").content)
    bare = len(_FONTS.sub("", svg).encode()) / count
    times = "  ".join(f"{key} {1000 * value:.0f} ms ({value / took['svg']:.2f}x)" for key, value in took.items())
    print(f"{name}: {count} elements  {times}")
    print(f"  svg {bare:.0f} bytes an element without fonts, {len(svg) / count:.0f} with them")
    print(f"  excalidraw {len(file) / count:.0f} bytes an element")


def main() -> None:
    """The documents named on the command line, or the made one."""
    for path in sys.argv[1:]:
        show(Path(path).stem, json.loads(Path(path).read_text("utf-8")))
    if len(sys.argv) == 1:
        show("made", made())


if __name__ == "__main__":
    main()
