#!/usr/bin/env python3
# ruff: noqa: T201 (it prints what was asked for)
"""Prints the section of CHANGELOG.md for a version, and refuses a version that is not the one of pyproject.toml.

    python3 scripts/release_notes.py 0.2.0

The release workflow runs it with the tag's version.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).parents[1]


def section(changelog: str, version: str) -> str:
    """What stands under the dated heading `## version - YYYY-MM-DD`, without the heading.

    Raises LookupError where there is no such heading.
    """
    heading = re.compile(rf"^## {re.escape(version)} - \d{{4}}-\d\d-\d\d\n", re.MULTILINE)
    found = heading.search(changelog)
    if found is None:
        raise LookupError(f"CHANGELOG.md has no section '## {version} - YYYY-MM-DD'.")
    return re.split(r"^## ", changelog[found.end() :], maxsplit=1, flags=re.MULTILINE)[0].strip()


def main(arguments: Sequence[str]) -> int:
    """Print the notes of the version that is asked for."""
    asked = arguments[0] if arguments else ""
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    if asked != declared:
        print(f"{asked or 'No version'} was asked for, but pyproject.toml declares {declared}.", file=sys.stderr)
        return 1
    try:
        print(section((ROOT / "CHANGELOG.md").read_text("utf-8"), asked))
    except LookupError as missing:
        print(missing.args[0], file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
