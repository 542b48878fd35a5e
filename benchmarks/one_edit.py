"""What a picture costs after one edit, drawn from the places of the revision before, beside the same drawn afresh.

    uv run python benchmarks/one_edit.py                               # 100 nodes, nested and flat, five seeds
    uv run python benchmarks/one_edit.py --sizes 30 300 --seeds 3 --kinds "longer label" --stages

Figures are CPU time in ms, means over the seeds of the medians of the rounds: of the revision afresh, from the places,
and the share of the second in the first. Each round makes another edit and draws it once, after the revision before it:
what is kept of that may help, what is kept of the edit itself may not. `--stages` prints both by stage.
"""

from __future__ import annotations

import argparse
import gc
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
    steps = [edited(document, kind, Seeded(1000 * size + seed + 100_000 * number)) for number in range(rounds)]
    places, found = places_of(lay_out(document)), list[tuple[Figures, Figures]]()
    for new in (step[0] for step in steps if step is not None):
        gc.collect()
        kept = measure_scene(new, 1, sketch=places, warm_with=document)
        found.append((measure_scene(new, 1, warm_with=document), kept))
    return (_middle([row[0] for row in found]), _middle([row[1] for row in found])) if found else None


def _middle(rows: Sequence[Figures]) -> Figures:
    return {stage: statistics.median(row[stage] for row in rows) for stage in rows[0]}


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
    gc.disable()  # as in the processes that draw for the service
    print(f"{'CPU ms':44}{'fresh':>10}{'kept':>10}{'share':>10}")
    for nested in (True, False):
        for size in asked.sizes:
            for kind in asked.kinds:
                rows = [measured(size, kind, seed, asked.rounds, nested=nested) for seed in range(asked.seeds)]
                found = [one for one in rows if one is not None]
                row(f"{'nested' if nested else 'flat':7}{size:5}  {kind:18}", found, stages=asked.stages)


if __name__ == "__main__":
    main()
