"""The house rules, checked by the tools that know them and by a reading of the source."""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "scenograph"
FUNCTION_LIMIT = 60
FILE_LIMIT = 400
BANNED_NAMES = {"utils", "helpers", "manager", "base", "common"}
FAMILY_NAMES = {"architecture", "workflow", "entityRelationship", "sequence", "network", "orgchart", "uiflow"}


def python_files() -> list[Path]:
    return sorted(SOURCE.rglob("*.py"))


def functions(path: Path) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


@pytest.mark.parametrize(
    "command",
    [
        ["lint-imports", "--no-cache"],
        ["ruff", "check", "."],
        ["ruff", "format", "--check", "."],
        ["basedpyright", "--warnings"],
    ],
    ids=["imports", "lint", "format", "types"],
)
def test_the_tools_of_the_house_find_nothing(command: list[str]) -> None:
    tool = shutil.which(command[0], path=str(Path(sys.executable).parent))
    assert tool, f"{command[0]} is not installed beside this interpreter"
    done = subprocess.run([tool, *command[1:]], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_functions_and_files_stay_small() -> None:
    long = [
        f"{path.relative_to(ROOT)}:{f.lineno} {f.name}: {f.end_lineno - f.lineno + 1} lines"
        for path in python_files()
        for f in functions(path)
        if f.end_lineno is not None and f.end_lineno - f.lineno + 1 > FUNCTION_LIMIT
    ]
    long += [
        f"{path.relative_to(ROOT)}: {count} lines"
        for path in python_files()
        if (count := len(path.read_text("utf-8").splitlines())) > FILE_LIMIT
    ]
    assert long == []


def test_no_room_is_called_by_a_name_that_says_nothing() -> None:
    assert [p for p in python_files() if p.stem in BANNED_NAMES or p.parent.name in BANNED_NAMES] == []


def test_no_stage_asks_which_family_or_container_type_it_draws() -> None:
    found: list[str] = []
    for path in sorted((SOURCE / "engine").rglob("*.py")):
        if "families" in path.parts:
            continue
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not isinstance(node, ast.Compare):
                continue
            sides = [leaf for side in (node.left, *node.comparators) for leaf in ast.walk(side)]
            if any(isinstance(leaf, ast.Constant) and leaf.value in FAMILY_NAMES | {"pool", "lane"} for leaf in sides):
                found.append(f"{path.relative_to(ROOT)}:{node.lineno}")
    assert found == []


def test_the_files_that_the_architecture_names_are_there() -> None:
    named = set(re.findall(r"`([a-z_/]+\.py)`", (ROOT / "ARCHITECTURE.md").read_text("utf-8")))
    assert named
    roots = (SOURCE, SOURCE / "engine", ROOT)
    assert sorted(name for name in named if not any((root / name).is_file() for root in roots)) == []


def test_the_engine_is_imported_from_outside_as_the_architecture_says() -> None:
    found: set[tuple[str, str]] = set()
    for path in python_files():
        inside = path.relative_to(SOURCE).parts if path.is_relative_to(SOURCE) else ("engine",)
        if inside[0] == "engine":
            continue
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("scenograph.engine"):
                names = (
                    [node.module]
                    if node.module != "scenograph.engine"
                    else [f"{node.module}.{a.name}" for a in node.names]
                )
                found |= {(Path(inside[0]).stem, str(name).split(".")[2]) for name in names}
    assert found == {("cli", "pipeline"), ("workers", "pipeline"), ("cli", "icons"), ("wiring", "icons")}
