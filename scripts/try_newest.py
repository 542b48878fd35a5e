#!/usr/bin/env python3
# ruff: noqa: T201, S603, S607 (it runs uv, and reports)
"""Tries the built wheel with the newest releases of its dependencies that `pyproject.toml` allows, not those locked.

    python3 scripts/try_newest.py [--python 3.13] [--oldest]

Builds the wheel, installs it with all extras into an empty environment in a temporary folder, and takes the README's
tour (`try_readme.py`). `--oldest` takes the lowest allowed release of each direct dependency instead. Prints what was
installed and exits with 1 where something fails. Needs uv, bash and curl.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).parents[1]
EXTRAS = "[all]"


def installed(folder: Path, python: str, resolution: str) -> Path:
    """The `bin` folder of a fresh environment that holds the wheel, resolved without the lock file."""
    environment = folder / "environment"
    interpreted = {**os.environ, "SCENOGRAPH_COMPILE": "0"}
    subprocess.run(["uv", "build", "--wheel", "--quiet", "--out-dir", folder, ROOT], check=True, env=interpreted)
    (wheel,) = folder.glob("*.whl")
    subprocess.run(["uv", "venv", "--quiet", "--python", python, environment], check=True)
    install = ["uv", "pip", "install", "--quiet", "--resolution", resolution, "--python", environment]
    subprocess.run([*install, f"{wheel}{EXTRAS}"], check=True, cwd=folder)
    subprocess.run(["uv", "pip", "list", "--python", environment], check=True, cwd=folder)
    return environment / "bin"


def main(arguments: Sequence[str]) -> int:
    """Build, install, take the tour."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--python", default="3.11", help="version of Python")
    parser.add_argument("--oldest", action="store_true", help="the lowest allowed releases instead of the newest")
    asked = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        try:
            programs = installed(Path(folder), asked.python, "lowest-direct" if asked.oldest else "highest")
            command = [programs / "python", ROOT / "scripts" / "try_readme.py", programs / "scenograph"]
            subprocess.run(command, check=True)
        except subprocess.CalledProcessError as failed:
            print(f"Failed: {failed}", file=sys.stderr)
            return 1
    print("The tour works with these packages.")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
