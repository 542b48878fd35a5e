"""What a picture costs after one edit, drawn from the places of the revision before, beside the same drawn afresh.

    uv run python benchmarks/one_edit.py                               # 100 nodes, nested and flat, five seeds
    uv run python benchmarks/one_edit.py --sizes 30 300 --seeds 3 --kinds "longer label" --stages

Figures are CPU time in ms, means over the seeds of the least of the rounds: of the revision afresh, from the places,
and the share of the second in the first. `--stages` prints both by stage.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parent.parent / "scripts"))

from chance.edits import EDITS, edited
from chance.scenes import Seeded

from graphs import service_graph
from scenograph.engine.pipeline import lay_out, places_of
from stages import measure_scene

Figures = Mapping[str, float]


def measured(size: int, kind: str, seed: int, rounds: int, *, nested: bool) -> tuple[Figures, Figures] | None:
    """The figures of a revision afresh and from the places of the one before; None where the edit cannot be made."""
    document = service_graph(size, nested=nested, seed=seed)
    step = edited(document, kind, Seeded(1000 * size + seed))
    if step is None:
        return None
    places = places_of(lay_out(document))
    return measure_scene(step[0], rounds, of=min), measure_scene(step[0], rounds, sketch=places, of=min)


def row(name: str, found: Sequence[tuple[Figures, Figures]], *, stages: bool) -> None:
    """One row of the table, or as many as there are stages."""
    for stage in found[0][0] if stages else ("whole",):
        fresh, kept = (statistics.mean(pair[side][stage] for pair in found) for side in (0, 1))
        told = f"{name}{stage if stages else '':12}{fresh:10.1f}{kept:10.1f}"
        print(f"{told}{kept / fresh:10.2f}" if fresh else told, flush=True)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--sizes", nargs="+", type=int, default=(100,))
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--kinds", nargs="+", choices=EDITS, default=tuple(EDITS))
    parser.add_argument("--stages", action="store_true")
    asked = parser.parse_args()
    print(f"{'CPU ms':44}{'fresh':>10}{'kept':>10}{'share':>10}")
    for nested in (True, False):
        for size in asked.sizes:
            for kind in asked.kinds:
                rows = [measured(size, kind, seed, asked.rounds, nested=nested) for seed in range(asked.seeds)]
                found = [one for one in rows if one is not None]
                row(f"{'nested' if nested else 'flat':7}{size:5}  {kind:18}", found, stages=asked.stages)


if __name__ == "__main__":
    main()
