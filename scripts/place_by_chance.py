#!/usr/bin/env python3
# ruff: noqa: T201 (it reports to whoever runs it)
"""Places scenes made up by chance and counts which promises of a placement they break.

    uv run scripts/place_by_chance.py [recipe ...] [--seeds FIRST COUNT] [--keep FOLDER]

Without recipes it takes all. `--keep` writes the documents that break a promise, to look at them. Ends with 1 when
there is any.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from chance.promises import broken
from chance.scenes import Recipe, Seeded, document

RECIPES: Mapping[str, Recipe] = {
    "automatic": Recipe(),
    "large": Recipe(most_nodes=40),
    "nested-pools": Recipe(nests=True),
    "nested-positions": Recipe(nests=True, positions=5),
    "positions": Recipe(positions=4),
    "few-positions": Recipe(positions=9),
    "relations": Recipe(relations=4),
    "mixed": Recipe(positions=6, relations=5),
    "constraints": Recipe(constraints=4),
    "mixed-constraints": Recipe(positions=6, relations=8, constraints=4),
}
SHOWN = 6


def run(name: str, seeds: Sequence[int], keep: Path | None) -> int:
    """Place a recipe's scenes; how many break a promise."""
    found, shown = Counter[str](), Counter[str]()
    for seed in seeds:
        made = document(Seeded(seed), RECIPES[name])
        findings = broken(made)
        for promise in {finding.partition(":")[0] for finding in findings}:
            found[promise] += 1
        for finding in findings:
            promise = finding.partition(":")[0]
            if shown[promise] < SHOWN:
                shown[promise] += 1
                print(f"  {name} {seed}: {finding}")
        if findings and keep is not None:
            (keep / f"{name}-{seed}.json").write_text(json.dumps(made, indent=1), "utf-8")
    print(f"{name}: {len(seeds)} scenes, broken: {dict(found) or 'none'}")
    return sum(found.values())


def main(arguments: Sequence[str]) -> int:
    """Run the recipes that were asked for."""
    reader = argparse.ArgumentParser()
    reader.add_argument("recipes", nargs="*", metavar="recipe", help=", ".join(RECIPES))
    reader.add_argument("--seeds", nargs=2, type=int, default=(0, 500))
    reader.add_argument("--keep", type=Path)
    asked = reader.parse_args(arguments)
    if asked.keep is not None:
        asked.keep.mkdir(parents=True, exist_ok=True)
    unknown = sorted({*asked.recipes} - {*RECIPES})
    if unknown:
        reader.error(f"no such recipe: {', '.join(unknown)}; there are {', '.join(RECIPES)}")
    seeds = range(asked.seeds[0], asked.seeds[0] + asked.seeds[1])
    return 1 if sum(run(name, seeds, asked.keep) for name in asked.recipes or RECIPES) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
