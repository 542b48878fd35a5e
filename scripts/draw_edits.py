#!/usr/bin/env python3
# ruff: noqa: T201 (it reports to whoever runs it)
"""Draws what edits do to a picture: one page, a row an edit, the picture before it and after it side by side.

    uv run scripts/draw_edits.py scene.json operations.json --out edits.html
    uv run scripts/draw_edits.py scene.json --seed 3 --edits 10 --out edits.html

The operations are a JSON list; each is one edit. Without them edits are made up by chance. Each revision is drawn from
the places of the one before. Nodes that moved more than 10 px are named over each row. The page needs no other file.
"""

from __future__ import annotations

import argparse
import html
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from math import hypot
from pathlib import Path
from typing import Any

sys.path[:0] = [str(Path(__file__).parent)]

from chance.edits import EDITS, edited  # noqa: E402
from chance.scenes import Seeded  # noqa: E402
from review_pictures import shown  # noqa: E402

from scenograph.engine.pipeline import lay_out, places_of, render_svg  # noqa: E402
from scenograph.scene.edits.operations import apply_operations  # noqa: E402

Json = dict[str, Any]
FAR = 10.0
HEAD = """<!doctype html><meta charset="utf-8"><title>Edits</title>
<style>body{font:14px sans-serif;background:#e5e7eb}h2{font-size:14px;margin:24px 0 4px}
section{display:grid;grid-template-columns:1fr 1fr;gap:8px;align-items:start}img{max-width:100%;background:#fff}</style>
"""


def given(document: Json, operations: Sequence[Json]) -> Iterator[tuple[str, Json]]:
    """The revisions that the operations make, each with what was asked for; ValueError for one that is refused."""
    for operation in operations:
        sketch = places_of(lay_out(document))["bounds"]
        batch = apply_operations(document, [operation], computed_bounds=lambda _, sketch=sketch: sketch)
        if not batch.succeeded:
            raise ValueError([row.message for row in batch.diagnostics])
        document = dict(batch.document)
        yield json.dumps(operation), document


def by_chance(document: Json, seed: int, edits: int) -> Iterator[tuple[str, Json]]:
    """The revisions that chance makes, each with the kind of its edit."""
    chance, kinds = Seeded(seed), tuple(EDITS)
    for _ in range(edits):
        kind = kinds[chance.number(0, len(kinds) - 1)]
        step = edited(document, kind, chance)
        if step is not None:
            document = step[0]
            yield f"{kind}: {', '.join(sorted(step[1]))}", document


def moved(document: Json, before: Mapping[str, Json], after: Mapping[str, Json]) -> list[str]:
    """The nodes whose middle went far."""
    nodes = [one["id"] for one in document["elements"] if one["kind"] == "node"]
    return [one for one in nodes if one in before and one in after and _way(before[one], after[one]) > FAR]


def _way(before: Json, after: Json) -> float:
    sides = (("x", "width"), ("y", "height"))
    return hypot(*(after[side] - before[side] + (after[size] - before[size]) / 2 for side, size in sides))


def page(document: Json, revisions: Iterator[tuple[str, Json]]) -> Iterator[str]:
    """The page, row by row."""
    yield HEAD
    places = places_of(lay_out(document))
    picture = str(render_svg(document).content)
    for number, (what, revision) in enumerate(revisions, 1):
        now = places_of(lay_out(revision, sketch=places))
        drawn = str(render_svg(revision, sketch=places).content)
        far = moved(revision, places["bounds"], now["bounds"])
        told = f"{number}. {html.escape(what)} &mdash; moved: {html.escape(', '.join(far) or 'nothing')}"
        print(f"{number}. {what}: {len(far)} moved", flush=True)
        yield f"<h2>{told}</h2><section>{shown(picture.encode())}{shown(drawn.encode())}</section>"
        places, picture = now, drawn


def main() -> None:
    """Write the page."""
    reader = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    reader.add_argument("scene", type=Path)
    reader.add_argument("operations", type=Path, nargs="?")
    reader.add_argument("--seed", type=int, default=0)
    reader.add_argument("--edits", type=int, default=10)
    reader.add_argument("--out", type=Path, default=Path("edits.html"))
    asked = reader.parse_args()
    document = json.loads(asked.scene.read_text("utf-8"))
    if asked.operations is None:
        revisions = by_chance(document, asked.seed, asked.edits)
    else:
        revisions = given(document, json.loads(asked.operations.read_text("utf-8")))
    asked.out.write_text("".join(page(document, revisions)), "utf-8")


if __name__ == "__main__":
    main()
