#!/usr/bin/env python3
# ruff: noqa: T201, S603 (it runs uv, and reports)
"""Checks every package of `uv.lock` against known advisories, with pip-audit.

`uv run python scripts/audit_lock.py [--service pypi|osv]`. Exit codes: 0 every package was looked up and none has an
advisory, 1 some have (each is printed), 2 some could not be looked up. The advisories are asked of pypi.org or osv.dev:
where only a package index is reachable, no package can be looked up, and this says so instead of passing.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

AUDIT = "pip-audit>=2.10,<3"
CLEAN, FOUND, UNKNOWN = 0, 1, 2


def judged(report: dict[str, Any]) -> tuple[int, list[str]]:
    """The exit code and the lines to print for pip-audit's report."""
    rows = report["dependencies"]
    skipped = [row["name"] for row in rows if "skip_reason" in row]
    found = [
        f"{row['name']} {row['version']}: {one['id']}, mended in {', '.join(one['fix_versions']) or 'no version yet'}"
        for row in rows
        for one in row.get("vulns", ())
    ]
    lines = [*found, f"{len(rows) - len(skipped)} of {len(rows)} packages looked up, {len(found)} advisories."]
    if skipped:
        lines.append(f"Not looked up: {', '.join(skipped)}.")
    return (FOUND if found else UNKNOWN if skipped or not rows else CLEAN), lines


def main() -> int:
    """Export the lock, ask, tell."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--service", choices=("pypi", "osv"), default="pypi", help="who is asked")
    service = parser.parse_args().service
    export = ["uv", "export", "--locked", "--all-extras", "--all-groups", "--no-emit-project", "--no-hashes", "--quiet"]
    with tempfile.TemporaryDirectory() as folder:
        locked = Path(folder) / "locked.txt"
        subprocess.run([*export, "--output-file", str(locked)], check=True, stdout=subprocess.DEVNULL)
        asked = [
            "--requirement",
            str(locked),
            "--no-deps",
            "--disable-pip",
            "--format",
            "json",
            "--vulnerability-service",
        ]
        command = ["uvx", AUDIT, *asked, service, "--progress-spinner", "off"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    try:
        code, lines = judged(json.loads(done.stdout))
    except ValueError:
        code, lines = (
            UNKNOWN,
            [f"No advisories could be asked for: {(done.stderr.strip() or 'no answer').splitlines()[-1]}"],
        )
    print("\n".join(lines))
    return code


if __name__ == "__main__":
    sys.exit(main())
