#!/usr/bin/env python3
# ruff: noqa: T201 (it reports to whoever runs it)
"""Puts the pictures of the goldens and of the gallery before and after a change side by side, on one page.

    uv run pytest tests/golden --update-golden
    uv run scripts/review_pictures.py [--base HEAD] [--head COMMIT] [--out pictures.html] [folder or file ...]

Before is the commit `--base`; after is the commit `--head` or, without it, the files as they stand, untracked ones
included. The page holds every SVG that differs and needs no other file. Says how many there are.
"""

from __future__ import annotations

import argparse
import base64
import html
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parent)]

from review_scenes import git  # noqa: E402

FOLDERS = ("tests/golden", "docs/gallery")
HEAD = """<!doctype html><meta charset="utf-8"><title>Pictures before and after</title>
<style>body{font:14px sans-serif;background:#e5e7eb}h2{font-size:14px;margin:24px 0 4px}
section{display:grid;grid-template-columns:1fr 1fr;gap:8px;align-items:start}img{max-width:100%}</style>
"""


def changed(base: str, head: str | None, folders: Sequence[str]) -> list[str]:
    """The SVG files that differ, by their paths from the top of the repository."""
    ends = [base, head] if head else [base]
    told = git("diff", "--name-only", "--no-renames", "-z", *ends, "--", *folders)
    if head is None:
        told += git("ls-files", "--others", "--exclude-standard", "--full-name", "-z", "--", *folders)
    return sorted({path for path in told.decode().split("\0") if path.endswith(".svg")})


def committed(commit: str, path: str) -> bytes | None:
    """A file of a commit; None where it has none of that path."""
    try:
        return git("cat-file", "blob", f"{commit}:{path}")
    except subprocess.CalledProcessError:
        return None


def standing(path: Path) -> bytes | None:
    """A file as it stands; None where there is none."""
    return path.read_bytes() if path.exists() else None


def shown(picture: bytes | None) -> str:
    """One side of a pair: an image of its own, so that ids and styles of two pictures do not meet."""
    if picture is None:
        return "<p>none</p>"
    return f'<img alt="" src="data:image/svg+xml;base64,{base64.b64encode(picture).decode()}">'


def page(pairs: Sequence[tuple[str, bytes | None, bytes | None]]) -> str:
    """The page of the pairs: path, picture before, picture after."""
    rows = (
        f"<h2>{html.escape(path)}</h2><section>{shown(before)}{shown(after)}</section>\n"
        for path, before, after in pairs
    )
    return HEAD + "".join(rows)


def main(arguments: Sequence[str]) -> int:
    """Write the page."""
    parser = argparse.ArgumentParser(description="Pictures before and after a change, on one page.")
    parser.add_argument("--base", default="HEAD", help="the commit before")
    parser.add_argument("--head", help="the commit after; without it the files as they stand")
    parser.add_argument("--out", type=Path, default=Path("pictures.html"), help="the page to write")
    parser.add_argument("folders", nargs="*", default=FOLDERS, help="where to look")
    given = parser.parse_args(arguments)
    top = Path(git("rev-parse", "--show-toplevel").decode().strip())
    pairs = [
        (path, committed(given.base, path), committed(given.head, path) if given.head else standing(top / path))
        for path in changed(given.base, given.head, given.folders)
    ]
    given.out.write_text(page(pairs), "utf-8")
    print(f"{len(pairs)} pictures differ: {given.out}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
