#!/usr/bin/env python3
# ruff: noqa: T201, S603, S607 (it runs git and the command line, and prints for the action)
"""Draws the diagrams that differ between two commits: before, after, and what changed.

    uv run python scripts/review_scenes.py --base main --head HEAD --out review [--files '*.scene.json']

Run it in the repository that holds the diagrams: scenes, sources of other tools, Markdown pages with diagrams. `--out`
gets a folder of PNG pictures for each file, and `comment.md`, which the action posts. Prints `changed=N` and
`invalid=N`. Texts of a diagram are foreign: they stand in code spans only.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scenograph.reading.files import PAGES, headings_of_blocks
from scenograph.reading.source import Unreadable

MARKER = "<!-- scenograph-review -->"
MOST_FILES = 30
MOST_NAMES = 15  # of a kind, in one file
MOST_LETTERS = 80
PLATFORM_LIMIT = 60_000  # characters; a comment has 65,536 at most
COMMAND_SECONDS = 120


@dataclass(frozen=True, slots=True)
class Change:
    """A file that differs; None where it does not exist at that end."""

    before: str | None
    after: str | None

    @property
    def name(self) -> str:
        """The path to speak of."""
        return self.after or self.before or ""


@dataclass(frozen=True, slots=True)
class Review:
    """The text on one diagram, and whether the diagram is valid."""

    text: str
    valid: bool


@dataclass(frozen=True, slots=True)
class Diagram:
    """A diagram as it stands in a commit: its scene, or the lines on why there is none."""

    scene: Path
    refused: tuple[str, ...] = ()


def git(*arguments: str) -> bytes:
    """What git prints; CalledProcessError with its message when it refuses."""
    return subprocess.run(["git", *arguments], check=True, capture_output=True).stdout


def changes(base: str, head: str, pathspecs: Sequence[str]) -> Iterator[Change]:
    """The files that `head` changed since it left `base`, in the order of their paths."""
    told = git(
        "diff", "--name-status", "-z", "--find-renames", "--ignore-submodules", base, head, "--", *pathspecs
    ).decode("utf-8", "replace")
    words = iter(told.split("\0")[:-1])
    for status in words:
        first = next(words)
        if status.startswith("R"):
            yield Change(first, next(words))
        else:
            yield Change(None if status == "A" else first, None if status == "D" else first)


def code(text: object) -> str:
    """A text as a Markdown code span: nothing in it is read as Markdown, HTML, a mention or a link."""
    plain = "".join(" " if letter.isspace() else letter for letter in str(text))
    shown = "".join(letter for letter in plain if unicodedata.category(letter)[0] != "C").strip()
    cut = shown if len(shown) <= MOST_LETTERS else f"{shown[:MOST_LETTERS]}…"
    fence = "`" * (1 + max((len(run) for run in re.findall("`+", cut)), default=0))
    return f"{fence} {cut} {fence}" if cut else "(empty)"


def scenograph(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Run a command of Scenograph."""
    command = [sys.executable, "-m", "scenograph", *map(str, arguments)]
    try:
        return subprocess.run(command, check=False, capture_output=True, text=True, timeout=COMMAND_SECONDS)
    except subprocess.TimeoutExpired:
        late = f"error: scenograph {arguments[0]} took longer than {COMMAND_SECONDS} seconds."
        return subprocess.CompletedProcess(command, 1, "", late)


def diagrams(commit: str, path: str | None, folder: Path, name: str) -> dict[str, Diagram]:
    """The diagrams of a file in a commit by their headings; of anything but a page the only one, under no heading.
    Diagrams without a form in a scene are left out."""
    if path is None:
        return {}
    suffix = Path(path).suffix.lower()
    file = folder / f"{name}{suffix}"
    file.write_bytes(git("cat-file", "blob", f"{commit}:{path}"))
    if suffix == ".json":
        return {"": Diagram(file)}
    found: dict[str, Diagram] = {}
    for key, block in _blocks(file, suffix).items():
        scene = folder / f"{name}{'-' if block else ''}{block}.json"
        options = ("--block", block) if block else ()
        done = scenograph("import", file, "--no-places", "-o", scene, *options)
        if done.returncode and scenograph("validate", file, "--all-blocks", *options).returncode == 0:
            continue
        found[key] = Diagram(scene, tuple(done.stderr.splitlines()) if done.returncode else ())
    return found


def _blocks(file: Path, suffix: str) -> dict[str, str]:
    """The number of each diagram of a page by its heading, a repeated heading with its turn."""
    if suffix not in PAGES:
        return {"": ""}
    found: dict[str, str] = {}
    try:
        headings = headings_of_blocks(file.read_bytes())
    except Unreadable:
        return {"": ""}
    for number, heading in enumerate(headings, start=1):
        name = key = heading or "diagram"
        turn = 1
        while key in found:
            turn += 1
            key = f"{name} ({turn})"
        found[key] = str(number)
    return found


def reviews_of(change: Change, base: str, head: str, folder: Path) -> list[Review]:
    """Draw the diagrams of one file that differ into `folder`, and tell the changes of each."""
    folder.mkdir(parents=True)
    before, after = diagrams(base, change.before, folder, "before"), diagrams(head, change.after, folder, "after")
    found: list[Review] = []
    for number, key in enumerate(dict.fromkeys((*before, *after)), start=1):
        name = f"### {code(f'{change.name}: {key}' if key else change.name)}\n\n"
        review = review_of(before.get(key), after.get(key), folder, f"{number}-" if key else "")
        found += [Review(name + review.text, review.valid)] if review is not None else []
    return found


def review_of(before: Diagram | None, after: Diagram | None, folder: Path, prefix: str) -> Review | None:
    """Draw one diagram and tell its changes; None without a change."""
    earlier = None if before is None or before.refused else before.scene
    if after is None:
        return Review("Removed.\n", valid=True)
    if earlier is not None and not after.refused and earlier.read_bytes() == after.scene.read_bytes():
        return None
    drawn = earlier is not None and scenograph("render", earlier, "-o", folder / f"{prefix}before.png").returncode == 0
    refused = after.refused
    if not refused:
        done = scenograph("render", after.scene, "-o", folder / f"{prefix}after.png")
        rows = done.stderr.splitlines() if done.returncode else []
        refused = tuple([row for row in rows if row.startswith("error ")] or rows)
    if refused:
        told = "".join(f"- {code(row)}\n" for row in refused[:MOST_NAMES])
        return Review(f"**Not a valid {'diagram' if after.refused else 'scene'}.**\n\n{told}", valid=False)
    if earlier is None or not drawn:
        return Review("New.\n" if before is None else "The earlier version is not a valid scene.\n", valid=True)
    scenograph("diff", earlier, after.scene, "-o", folder / f"{prefix}diff.png")
    found = json.loads(scenograph("diff", earlier, after.scene, "--format", "json").stdout)
    return Review(difference(found, labels(earlier) | labels(after.scene)), valid=True)


def labels(file: Path) -> dict[str, str]:
    """The text that each element of a valid scene shows, by id."""
    elements = json.loads(file.read_text("utf-8")).get("elements", ())
    return {one["id"]: text for one in elements if (text := one.get("label") or one.get("title") or one.get("text"))}


def difference(found: Mapping[str, Any], shown: Mapping[str, str]) -> str:
    """The lists of a difference, each element with its label and its changed fields."""
    text = ""
    for kind in ("added", "removed", "modified"):
        ids = found[kind]
        text += f"**{kind.capitalize()}: {len(ids)}**\n\n" if ids else ""
        for one in ids[:MOST_NAMES]:
            label = f" {code(shown[one])}" if one in shown else ""
            fields = ", ".join(code(field) for field in found["fields"].get(one, ()))
            text += f"- {code(one)}{label}{': ' if fields else ''}{fields}\n"
        text += f"- and {len(ids) - MOST_NAMES} more\n" if len(ids) > MOST_NAMES else ""
        text += "\n" if ids else ""
    scene = ", ".join(code(field) for field in found["scene"])
    return text + (f"**Of the scene itself:** {scene}\n" if scene else "") or "No element changed.\n"


def comment(reviews: Sequence[Review], left_out: int) -> str:
    """The whole comment, within the platform's limit."""
    text = f"{MARKER}\n## Diagrams in this pull request\n\n"
    for number, one in enumerate(reviews):
        if len(text) + len(one.text) > PLATFORM_LIMIT:
            left_out += len(reviews) - number
            break
        text += f"{one.text}\n"
    text += f"{left_out} more files are not shown.\n" if left_out else ""
    return text if reviews else f"{text}No diagram differs.\n"


def main(arguments: Sequence[str]) -> int:
    """Review the changed files; 2 when git does not know a commit."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--base", required=True)
    parser.add_argument("--head", required=True)
    parser.add_argument("--out", required=True, type=Path)
    parser.add_argument("--files", default="*.scene.json", help="Git pathspecs, one a line.")
    asked = parser.parse_args(arguments)
    try:
        base = git("merge-base", asked.base, asked.head).decode().strip()
        every = list(changes(base, asked.head, asked.files.split("\n")))
    except subprocess.CalledProcessError as refused:
        print(
            refused.stderr.decode("utf-8", "replace").strip() or "The commits have nothing in common.", file=sys.stderr
        )
        return 2
    asked.out.mkdir(parents=True, exist_ok=True)
    shown = every[:MOST_FILES]
    reviews: list[Review] = []
    changed = len(every) - len(shown)
    for number, change in enumerate(shown, start=1):
        folder = f"{number:02}-{re.sub(r'[^A-Za-z0-9.-]', '_', Path(change.name).name)}"
        found = reviews_of(change, base, asked.head, asked.out / folder)
        reviews += found
        changed += bool(found)
    (asked.out / "comment.md").write_text(comment(reviews, len(every) - len(shown)), "utf-8")
    print(f"changed={changed}\ninvalid={sum(not one.valid for one in reviews)}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
