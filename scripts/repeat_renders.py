#!/usr/bin/env python3
# ruff: noqa: T201 (it reports to whoever runs it)
"""Renders the same scenes again and again, in processes with different hash seeds, and compares the bytes.

    uv run scripts/repeat_renders.py [runs] [processes] [scene.json ...]

Without scenes it takes those of tests/scenes. Each run renders every scene in every theme as SVG, one as PNG and as
Excalidraw, with caches emptied by a new process only. Ends with 1 when any two runs differ.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

from scenograph.engine.pipeline import render, render_png, render_svg
from scenograph.engine.themes import THEMES

SCENES = Path(__file__).parents[1] / "tests" / "scenes"
_ONE_PROCESS = "--one-process"


def digests(files: Sequence[Path], runs: int) -> list[str]:
    """A digest of all pictures, for each run; every run takes the scenes in another order."""
    documents = [json.loads(file.read_text("utf-8")) for file in files]
    rows: list[str] = []
    for run in range(runs):
        order = range(len(documents)) if run % 2 else reversed(range(len(documents)))
        pictures = {at: picture_bytes(documents[at]) for at in order}
        rows.append(sha256(b"".join(pictures[at] for at in range(len(documents)))).hexdigest())
    return rows


def picture_bytes(document: dict[str, object]) -> bytes:
    """Everything a scene is drawn as."""
    svgs = "".join(str(render_svg(document, theme=theme).content) for theme in THEMES)
    return svgs.encode() + str(render(document, "excalidraw").content).encode() + bytes(render_png(document).content)


def main(arguments: Sequence[str]) -> int:
    """Start the processes and compare what they print."""
    if arguments[:1] == [_ONE_PROCESS]:
        print(*digests([Path(name) for name in arguments[2:]], int(arguments[1])), sep="\n")
        return 0
    runs, processes = (int(arguments[at]) if len(arguments) > at else (100, 4)[at] for at in (0, 1))
    files = arguments[2:] or [str(file) for file in sorted(SCENES.glob("*.json"))]
    share = str(-(-runs // processes))
    command = [sys.executable, __file__, _ONE_PROCESS, share, *files]
    started = [
        subprocess.Popen(command, stdout=subprocess.PIPE, env=os.environ | {"PYTHONHASHSEED": str(seed)})  # noqa: S603
        for seed in range(1, processes + 1)
    ]
    found = [line for process in started for line in process.communicate()[0].split()]
    print(f"{len(found)} runs of {len(files)} scenes in {processes} processes: {len(set(found))} different digest(s)")
    failed = any(process.returncode for process in started)
    return 0 if len(set(found)) == 1 and len(found) >= runs and not failed else 1


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
