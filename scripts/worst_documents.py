#!/usr/bin/env python3
# ruff: noqa: T201 (it reports to whoever runs it)
"""The documents that cost the engine the most, and what they cost.

    uv run python scripts/worst_documents.py table [--only NAME ...] [--seconds 30] [--png]
    uv run python scripts/worst_documents.py search [--count 200] [--keep FOLDER]
    uv run python scripts/worst_documents.py write FOLDER

`table` makes each document, renders it in a process of its own and prints bytes, seconds of processor time and
remarks; it ends with 1 when one takes longer than its size allows. `search` looks for more of them by chance.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

from cyclopts import App, Parameter
from worst.crowds import CROWDS
from worst.measuring import Cost, cost_here, cost_of, size_of
from worst.parts import Json, document, nodes
from worst.searching import search as worst_of
from worst.texts import TEXTS
from worst.wishes import WISHES

SHOWN = 5
WORST: Mapping[str, Callable[[], Json]] = {**WISHES, **CROWDS, **TEXTS}

app = App(name="worst_documents", help="The documents that cost the engine the most, and what they cost.")


@app.command
def table(
    *, only: Annotated[list[str] | None, Parameter(consume_multiple=True)] = None, seconds: int = 30, png: bool = False
) -> int:
    """Print what each document costs; `--seconds` of processor time end one."""
    print(f"{'document':24}{'KiB':>7}{'SVG s':>8}{'PNG s':>8}{'allowed':>9}  remarks")
    unfair = 0
    for name in only or WORST:
        cost = cost_of(name, WORST[name](), seconds=seconds, png=png)
        unfair += not cost.is_fair
        print(_row(name, cost), flush=True)
    print(f"{unfair} of {len(only or WORST)} take longer than their size allows")
    return int(unfair > 0)


@app.command
def search(*, count: int = 200, keep: Path | None = None) -> None:
    """Look by chance for documents that take the most steps for their size; `--keep` writes the worst ones."""
    print(f"{'steps/byte':>10}{'KiB':>7}{'SVG s':>8}  elements, constraints, algorithm")
    for number, (rate, made) in enumerate(worst_of(count)[:SHOWN]):
        cost = cost_here(made, png=False)
        shape = f"{len(made['elements'])}, {len(made.get('constraints', ()))}, {made['layoutStrategy']['algorithm']}"
        print(f"{rate:10.1f}{cost.size / 1024:7.1f}{cost.svg:8.2f}  {shape}")
        if keep is not None:
            (keep / f"found-{number}.json").write_text(json.dumps(made), "utf-8")


@app.command
def one(name: str, *, png: bool = False) -> None:
    """Print what one document costs in this process, as JSON."""
    cost_here(document(nodes(3)), png=png)
    print(json.dumps(asdict(cost_here(WORST[name](), png=png))))


@app.command
def write(folder: Path) -> None:
    """Write the documents as files."""
    for name, made in WORST.items():
        path = folder / f"{name.replace(',', '').replace(' ', '-')}.json"
        path.write_text(json.dumps(made(), ensure_ascii=False), "utf-8")
        print(f"{path} {size_of(made())}")


def _row(name: str, cost: Cost) -> str:
    mark = " " if cost.is_fair else "!"
    return (
        f"{name:24}{cost.size / 1024:7.0f}{cost.svg:8.2f}{cost.png:8.2f}{cost.allowed:8.0f}{mark}"
        f"  {cost.ended or cost.remarks}"
    )


if __name__ == "__main__":
    sys.exit(app())
