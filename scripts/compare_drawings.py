#!/usr/bin/env python3
# ruff: noqa: T201 (it reports to whoever runs it)
"""Draws the example of every diagram family with this project and, where they are installed, with Mermaid and D2.

    uv run scripts/compare_drawings.py FOLDER [name ...]

For each scene FOLDER holds `name.ours.png`, `name.mermaid.png` and `name.d2.svg`, and the texts that the others were
given. Mermaid is found as `mmdc` on the PATH (options for its browser in the file that MERMAID_BROWSER names), D2 as
`d2`; what is missing or fails is said. Ends with 1 when nothing but our own pictures was drawn.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parent)]

from peers.d2 import d2  # noqa: E402
from peers.mermaid import mermaid  # noqa: E402
from peers.outline import outline  # noqa: E402

from scenograph.engine.pipeline import WriteOptions, render_png  # noqa: E402
from scenograph.scene.examples import EXAMPLES  # noqa: E402

SECONDS = 120


def mermaid_command(text: Path, picture: Path) -> list[str]:
    """Mermaid's own command line."""
    browser = os.environ.get("MERMAID_BROWSER")
    return ["mmdc", "-i", str(text), "-o", str(picture), "-s", "2", *(["-p", browser] if browser else [])]


def d2_command(text: Path, picture: Path) -> list[str]:
    """D2's; an SVG, for which it needs no browser."""
    return ["d2", "--layout", "elk", str(text), str(picture.with_suffix(".svg"))]


PEERS = {"mermaid": (mermaid, mermaid_command, "mmd"), "d2": (d2, d2_command, "d2")}


def draw(name: str, document: Mapping[str, object], folder: Path) -> int:
    """One scene by every tool; how many of the others drew it."""
    (folder / f"{name}.ours.png").write_bytes(bytes(render_png(document, options=WriteOptions(scale=2)).content))
    scene, drawn = outline(document), 0
    for peer, (write, command, suffix) in PEERS.items():
        text = folder / f"{name}.{suffix}"
        text.write_text(write(scene), "utf-8")
        drawn += _run(command(text, folder / f"{name}.{peer}.png"))
    return drawn


def _run(command: Sequence[str]) -> bool:
    if shutil.which(command[0]) is None:
        print(f"{command[0]} is not installed: {command[-1]} is left out")
        return False
    done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)  # noqa: S603
    if done.returncode:
        print(f"{' '.join(command)}\n  {(done.stderr or done.stdout).strip()[-600:]}")
    return done.returncode == 0


def main(arguments: Sequence[str]) -> int:
    """Draw the scenes named, or all."""
    if not arguments:
        print(__doc__)
        return 2
    folder, names = Path(arguments[0]), arguments[1:]
    folder.mkdir(parents=True, exist_ok=True)
    wanted = {name: document for name, document in EXAMPLES.items() if not names or name in names}
    drawn = sum(draw(name, document, folder) for name, document in wanted.items())
    print(f"{len(wanted)} scenes, {drawn} pictures by others, in {folder}")
    return 0 if drawn else 1


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
