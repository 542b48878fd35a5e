"""What becomes of a picture after many edits, each drawn from the places of the revision before.

    uv run python benchmarks/drift.py                              # 12, 30 and 100 nodes, nested and flat, 20 edits
    uv run python benchmarks/drift.py --sizes 30 --seeds 10 --edits 40 --each

A row has, over all histories of its graphs, the crossings, the area and the length of the lines of the last revision,
by the same of that document laid out afresh; `worst` is the greatest share of the area of any. `--each` prints every
history as well.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parent.parent / "scripts"))

from chance.edits import EDITS, edited
from chance.scenes import Seeded

from graphs import service_graph
from line_figures import figures
from other_layouts import of_scene
from scenograph.engine.pipeline import normalize

Json = dict[str, Any]
SIZES = (12, 30, 100)
SHOWN = ("crossings", "area", "length")


def last_revision(document: Json, chance: Seeded, edits: int) -> tuple[Json, Json]:
    """A document after so many edits: laid out from the places of the revision before, and afresh."""
    kinds = tuple(EDITS)
    kept, _ = normalize(document)
    for _ in range(edits):
        step = edited(document, kinds[chance.number(0, len(kinds) - 1)], chance)
        if step is not None:
            document = step[0]
            kept, _ = normalize(document, sketch=kept["computed"])
    return kept, normalize(document)[0]


def histories(size: int, asked: argparse.Namespace, *, nested: bool) -> Iterator[tuple[int, dict[str, float], Json]]:
    """By seed the figures of both pictures."""
    for seed in range(asked.seeds):
        graph = service_graph(size, nested=nested, seed=seed)
        kept, fresh = last_revision(graph, Seeded(1000 * size + seed), asked.edits)
        yield seed, figures(of_scene(kept)), figures(of_scene(fresh))


def row(size: int, asked: argparse.Namespace, *, nested: bool) -> None:
    """One row of the table."""
    name, rows = f"{'nested' if nested else 'flat':7}{size:5}", list[tuple[dict[str, float], dict[str, float]]]()
    for seed, kept, fresh in histories(size, asked, nested=nested):
        rows.append((kept, fresh))
        if asked.each:
            told = "".join(f"{kept[one]:8.0f} /{fresh[one]:7.0f}" for one in SHOWN)
            print(f"{name}  seed {seed:3}{told}  through {kept['through']:.0f}", flush=True)
    shares = [sum(kept[one] for kept, _ in rows) / max(1.0, sum(fresh[one] for _, fresh in rows)) for one in SHOWN]
    worst = max(kept["area"] / fresh["area"] for kept, fresh in rows)
    print(f"{name}{''.join(f'{share:11.2f}' for share in (*shares, worst))}", flush=True)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--sizes", nargs="+", type=int, default=SIZES)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--edits", type=int, default=20)
    parser.add_argument("--each", action="store_true")
    asked = parser.parse_args()
    print(f"{'by fresh':12}{''.join(f'{one:>11}' for one in (*SHOWN, 'worst'))}")
    for nested in (True, False):
        for size in asked.sizes:
            row(size, asked, nested=nested)


if __name__ == "__main__":
    main()
