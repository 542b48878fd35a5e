"""Times `lay_out` and the SVG stage by stage, warm, for growing graphs or for given scene files.

    uv run python benchmarks/stages.py                      # 10 to 1,000 nodes, nested and flat
    uv run python benchmarks/stages.py scene.json …         # your own scenes
    uv run python benchmarks/stages.py --rounds 5 --png

Figures are the median CPU time of the rounds in milliseconds; compare only figures of one run.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from types import MappingProxyType
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from graphs import SIZES, renamed, service_graph
from scenograph.engine import laying_out, pipeline
from scenograph.engine.route.routing import Routing
from scenograph.engine.write import writers

STAGES = MappingProxyType(
    {
        "read_scene": pipeline,
        "resolve": pipeline,
        "finish_styles": pipeline,
        "measure": laying_out,
        "place": laying_out,
        "courses": Routing,
        "routes": Routing,
        "fit_canvas": laying_out,
        "draw": pipeline,
        "write_svg": writers,
        "write_opaque_png": writers,
    }
)
"""The stages, each with the module that calls it, or its class."""


def _timed(name: str, stage: Callable[..., Any], spent: dict[str, float]) -> Callable[..., Any]:
    def run(*args: Any, **kwargs: Any) -> Any:
        start = time.process_time()
        try:
            return stage(*args, **kwargs)
        finally:
            spent[name] += (time.process_time() - start) * 1000

    return run


def measure_scene(
    document: dict[str, Any],
    rounds: int,
    *,
    png: bool = False,
    sketch: dict[str, Any] | None = None,
    warm_with: dict[str, Any] | None = None,
    of: Callable[[list[float]], float] = statistics.median,
) -> dict[str, float]:
    """The median time (or another figure `of` the rounds) of each stage and of the whole, in ms; the first, cold run is
    left out: it draws the same document, or `warm_with`. Without a sketch each round draws a scene with other ids, of
    which nothing is kept."""
    originals = {name: getattr(module, name) for name, module in STAGES.items()}
    samples: dict[str, list[float]] = defaultdict(list)
    try:
        for number in range(rounds + 1):
            drawn = document if number or warm_with is None else warm_with
            if warm_with is None and sketch is None:
                drawn = renamed(document, f"-{number:03}")
            spent: dict[str, float] = dict.fromkeys(STAGES, 0.0)
            for name, stage in originals.items():
                setattr(STAGES[name], name, _timed(name, stage, spent))
            start = time.process_time()
            (pipeline.render_png if png else pipeline.render_svg)(drawn, sketch=sketch)
            spent["whole"] = (time.process_time() - start) * 1000
            for name, value in spent.items():
                samples[name].append(value)
    finally:
        for name, stage in originals.items():
            setattr(STAGES[name], name, stage)
    return {name: of(values[1:]) for name, values in samples.items()}


def _scenes(files: list[Path]) -> list[tuple[str, dict[str, Any]]]:
    if files:
        return [(path.stem, json.loads(path.read_text("utf-8"))) for path in files]
    return [
        (f"{'nested' if nested else 'flat'} {count}", service_graph(count, nested=nested))
        for nested in (True, False)
        for count in SIZES
    ]


def main() -> None:
    """Print one row a scene."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--png", action="store_true")
    options = parser.parse_args()
    columns = ("whole", *(name for name in STAGES if options.png or name != "write_opaque_png"))
    print(f"{'ms (median)':34}" + "".join(f"{name:>17}" for name in columns))
    for name, document in _scenes(options.files):
        figures = measure_scene(document, options.rounds, png=options.png)
        print(f"{name[:33]:34}" + "".join(f"{figures[column]:17.1f}" for column in columns))


if __name__ == "__main__":
    main()
