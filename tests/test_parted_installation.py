"""What works with the base installation alone, and what a command says whose extra is missing."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
NAMED = re.compile(r"[\w-]+")
# A finder before all others: what only an extra brings is not there.
WITHOUT = """
import sys
class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {absent!r}:
            raise ModuleNotFoundError("No module named " + repr(name), name=name)
sys.meta_path.insert(0, Missing())
sys.argv = ["scenograph", *sys.argv[1:]]
"""
COMMAND = "from scenograph.__main__ import main; main()"
LIBRARY = """
import scenograph
scene = scenograph.read("flowchart LR\\n a --> b")
for form in ("svg", "png", "pdf", "drawio", "excalidraw", "mermaid", "text"):
    assert scenograph.render(scene, format=form).content
scenograph.diff(scene, scene.apply({"op": "setText", "id": "a", "text": "A"}))
"""


def names(requirements: list[str]) -> set[str]:
    """Names of distributions."""
    found = (NAMED.match(row) for row in requirements)
    return {match[0].lower().replace("_", "-") for match in found if match}


@cache
def locked() -> dict[str, dict[str, Any]]:
    """The rows of the lock file by distribution."""
    return {row["name"]: row for row in tomllib.loads((ROOT / "uv.lock").read_text("utf-8"))["package"]}


def needed(distribution: str) -> set[str]:
    """The distributions that one needs, and those need, without extras; as the lock file has them."""
    packages = locked()
    found: set[str] = set()
    waiting = [distribution]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += [row["name"] for row in packages.get(name, {}).get("dependencies", ())]
    return found


@cache
def modules_of_the_extras() -> set[str]:
    """Top-level modules that no base installation has, ours and those of the developers left out."""
    base = {one for row in names(PROJECT["project"]["dependencies"]) for one in needed(row)} | {"scenograph"}
    extras = PROJECT["project"]["optional-dependencies"]
    wanted = {one for rows in extras.values() for row in names(rows) - {"scenograph"} for one in needed(row)} - base
    found = packages_distributions()
    return {module for module, owners in found.items() if {o.lower().replace("_", "-") for o in owners} <= wanted}


def run(folder: Path, program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"DATABASE_URL": "sqlite:///parted.db"}
    command = [sys.executable, "-c", WITHOUT.format(absent=modules_of_the_extras()) + program, *arguments]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=60, check=False)


def test_the_extras_bring_what_the_service_is_made_of() -> None:
    absent = modules_of_the_extras()
    assert {"fastapi", "sqlalchemy", "alembic", "pydantic", "structlog", "mcp", "uvicorn", "psycopg", "redis"} <= absent
    assert not {"click", "yaml", "uharfbuzz", "svg2png_py"} & absent


def test_the_library_needs_the_base_alone(tmp_path: Path) -> None:
    done = run(tmp_path, LIBRARY)
    assert (done.returncode, done.stderr) == (0, "")


def test_the_commands_of_files_need_the_base_alone(tmp_path: Path) -> None:
    (tmp_path / "flow.mmd").write_text("flowchart LR\n a --> b\n")
    for arguments in (
        ["init", "-o", "first.json"],
        ["render", "flow.mmd"],
        ["render", "first.json", "-o", "first.png", "--embed"],
        ["validate", "first.png"],
        ["normalize", "flow.mmd"],
        ["import", "flow.mmd", "-o", "flow.json"],
        ["sync", "flow.json", "flow.mmd"],
        ["diff", "flow.json", "flow.mmd"],
        ["completion", "zsh"],
    ):
        done = run(tmp_path, COMMAND, *arguments)
        assert (arguments, done.returncode) == (arguments, 0), done.stderr


@pytest.mark.parametrize(
    "arguments", [["serve"], ["mcp"], ["doctor"], ["settings"], ["keys", "list"], ["accounts"], ["purge"]]
)
def test_a_command_of_the_service_says_how_to_install_it(tmp_path: Path, arguments: list[str]) -> None:
    done = run(tmp_path, COMMAND, *arguments)
    assert (done.returncode, done.stdout) == (1, "")
    assert "pip install 'scenograph[service]'" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_the_commands_of_the_readme_bring_the_service_from_a_checkout() -> None:
    assert "uv run --locked --no-dev scenograph serve" in (ROOT / "README.md").read_text("utf-8")
    assert "service" in PROJECT["tool"]["uv"]["default-groups"]
    assert PROJECT["dependency-groups"]["service"] == ["scenograph[service]"]
