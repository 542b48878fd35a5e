#!/usr/bin/env python3
# ruff: noqa: T201 (it reports to whoever runs it)
"""Edits scenes by chance, each revision drawn from the places of the one before, and counts what goes wrong.

    uv run scripts/edit_by_chance.py [--seeds FIRST COUNT] [--edits 8]

Ends with 1 when there is any overlap, line through a node, or revision that moves when it is drawn again.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parent.parent / "benchmarks")]

from chance.histories import faults, history  # noqa: E402
from chance.scenes import Recipe, Seeded, document  # noqa: E402

from graphs import service_graph  # noqa: E402

SIZES = (8, 12, 18, 26)
FAMILIES = ("architecture", "workflow", "network", "uiflow")
POOLS = Recipe(families=FAMILIES, algorithms=("hierarchical", "flow"))
SHOWN = 12


def main(arguments: Sequence[str]) -> int:
    """Run the histories."""
    reader = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    reader.add_argument("--seeds", nargs=2, type=int, default=(0, 60))
    reader.add_argument("--edits", type=int, default=8)
    asked = reader.parse_args(arguments)
    revisions, wrong = 0, 0
    for seed in range(asked.seeds[0], asked.seeds[0] + asked.seeds[1]):
        graph = service_graph(SIZES[seed % 4], nested=bool(seed // 4 % 2), seed=seed)
        start = graph if seed % 3 else document(Seeded(seed), POOLS)
        for kind, revision, places in history(start, Seeded(seed), asked.edits):
            revisions += 1
            found = faults(revision, places)
            wrong += bool(found)
            if found and wrong <= SHOWN:
                print(f"  seed {seed}, revision {revisions}, {kind}: {found[:3]}")
    print(f"{revisions} revisions, {wrong} with faults")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
