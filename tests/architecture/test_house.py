"""The import contracts, and house rules that no linter knows (`make check` runs the linters)."""

from __future__ import annotations

import ast
import functools
import itertools
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from scenograph.scene.vocabulary import CONTAINER_TYPES

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "scenograph"
FUNCTION_LIMIT = 60
BANNED_NAMES = {"utils", "helpers", "manager", "base", "common"}
FAMILY_NAMES = {"architecture", "workflow", "entityRelationship", "sequence", "network", "orgchart", "uiflow"}
PREFIXES = {"workflow", "er", "sequence", "network", "org", "uiflow", "uml", "state"}
ROOMS_OF_FAMILIES = (
    "engine/families/",
    "engine/write/",  # what a target calls its diagrams and shapes
    "scene/vocabulary.py",
    "scene/sequence_rules.py",
    "scene/examples.py",
    "scene/near_names.py",
)


def python_files() -> list[Path]:
    return sorted(SOURCE.rglob("*.py"))


@functools.cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


def functions(path: Path) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def test_the_import_contracts_hold() -> None:
    tool = Path(sys.executable).with_name("lint-imports")
    done = subprocess.run([tool, "--no-cache"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_functions_stay_small() -> None:
    long = [
        f"{path.relative_to(ROOT)}:{f.lineno} {f.name}: {f.end_lineno - f.lineno + 1} lines"
        for path in python_files()
        for f in functions(path)
        if f.end_lineno is not None and f.end_lineno - f.lineno + 1 > FUNCTION_LIMIT
    ]
    assert long == []


def sections(path: Path) -> list[tuple[int, int]]:
    """The comments that head a section of a module: at its margin, with an empty line behind. First and last line."""
    lines = path.read_text("utf-8").splitlines()
    comments = [number for number, line in enumerate(lines) if line.startswith("#")]
    starts = [number for number in comments if number - 1 not in comments]
    ends = [number for number in comments if number + 1 not in comments]
    return [(a, b) for a, b in zip(starts, ends, strict=True) if b + 1 < len(lines) and not lines[b + 1]]


def test_no_section_begins_with_the_heading_of_another() -> None:
    """A heading stands above its own code, not above the helpers that come before."""
    misplaced: list[str] = []
    for path in python_files():
        found = sections(path)
        for (_, end), (start, _) in itertools.pairwise(found):
            if not any(path.read_text("utf-8").splitlines()[end + 1 : start]):
                misplaced.append(f"{path.relative_to(ROOT)}:{end + 1}")
    assert misplaced == []


REQUESTS = {"get", "head", "post", "put", "patch", "delete", "request", "stream", "Client", "AsyncClient"}


def test_every_request_to_a_server_of_the_tests_names_its_patience() -> None:
    """The client's own five seconds are too few for a busy machine. A request without a network has no patience."""
    hasty = [
        f"{path.relative_to(ROOT)}:{call.lineno}"
        for folder in ("tests", "scripts")
        for path in sorted((ROOT / folder).rglob("*.py"))
        if "httpx2." in path.read_text("utf-8")
        for call in ast.walk(parsed(path))
        if isinstance(call, ast.Call)
        if isinstance(call.func, ast.Attribute)
        if isinstance(call.func.value, ast.Name) and call.func.value.id == "httpx2"
        if call.func.attr in REQUESTS and not {"timeout", "transport"} & {named.arg for named in call.keywords}
    ]
    assert hasty == []


def test_no_room_is_called_by_a_name_that_says_nothing() -> None:
    assert [p for p in python_files() if p.stem in BANNED_NAMES or p.parent.name in BANNED_NAMES] == []


def test_no_two_classes_have_one_name() -> None:
    """The library's own faces of a scene excepted, and private classes: these are seen by their module alone."""
    homes: dict[str, list[str]] = {}
    for path in sorted(SOURCE.rglob("*.py")):
        for node in parsed(path).body:
            is_public = isinstance(node, ast.ClassDef) and not node.name.startswith("_")
            if is_public and path.parent.name != "library":
                homes.setdefault(node.name, []).append(f"{path.relative_to(SOURCE)}:{node.lineno}")
    assert {name: found for name, found in homes.items() if len(found) > 1} == {}


def test_no_two_types_of_the_engine_have_one_name() -> None:
    """Classes and type aliases alike. The writers excepted: each speaks the language of its target."""
    homes: dict[str, set[str]] = {}
    for path in sorted((SOURCE / "engine").rglob("*.py")):
        if path.is_relative_to(SOURCE / "engine" / "write"):
            continue
        for node in parsed(path).body:
            for name in _types_of(node):
                homes.setdefault(name, set()).add(path.relative_to(SOURCE).as_posix())
    assert {name: found for name, found in homes.items() if len(found) > 1} == {}


def _types_of(node: ast.stmt) -> Iterator[str]:
    """The public class or type alias that a statement defines."""
    if isinstance(node, ast.ClassDef):
        names = [node.name]
    elif isinstance(node, ast.Assign) and "TypeVar" not in ast.unparse(node.value):
        names = [target.id for target in node.targets if isinstance(target, ast.Name)]
    else:
        names = []
    yield from (name for name in names if re.fullmatch(r"[A-Z]\w*[a-z]\w*", name))


WORDS: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("unit", "an element with its content, placed as a whole", ("engine/place/",)),
    ("port", "a named point of an element in the document", ("engine/place/", "engine/route/connecting.py")),
    ("rank", "a row of a layered layout", ("engine/place/",)),
    ("twin", "a sibling frame of one form; edges between the same two elements are parallels", ("engine/place/",)),
)
"""Words of the glossary with several meanings before: the word, its meaning, and where an identifier may hold it."""
ROOMS_OF_WORDS = (
    "engine/place/",
    "engine/route/",
    "engine/kernels/simple_paths.py",
    "engine/kernels/orthogonal_search.py",
)


@pytest.mark.parametrize(("word", "homes"), [(word, homes) for word, _, homes in WORDS])
def test_a_word_of_the_glossary_keeps_its_meaning(word: str, homes: tuple[str, ...]) -> None:
    strays: list[str] = []
    for path in sorted((SOURCE / "engine").rglob("*.py")):
        room = path.relative_to(SOURCE).as_posix()
        if room.startswith(homes) or not room.startswith(ROOMS_OF_WORDS):
            continue
        for node in ast.walk(parsed(path)):
            name = node.id if isinstance(node, ast.Name) else node.name if isinstance(node, ast.FunctionDef) else ""
            if {word, f"{word}s"} & set(name.lower().split("_")):
                strays.append(f"{room}:{node.lineno} {name}")
    assert strays == []


def test_families_and_container_types_are_named_in_their_own_rooms_only() -> None:
    names = FAMILY_NAMES | set(CONTAINER_TYPES) - {"generic"}
    found: list[str] = []
    for path in sorted([*(SOURCE / "engine").rglob("*.py"), *(SOURCE / "scene").rglob("*.py")]):
        room = path.relative_to(SOURCE).as_posix()
        if room.startswith(ROOMS_OF_FAMILIES):
            continue
        for node in ast.walk(parsed(path)):
            value = node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""
            if value in names or (value.partition(".")[0] in PREFIXES and "." in value and " " not in value):
                found.append(f"{room}:{node.lineno} {value}")
    assert found == []


@pytest.mark.parametrize("page", ["ARCHITECTURE.md", "docs/stages.md", "docs/extending.md"])
def test_files_and_names_that_the_pages_tell_are_there(page: str) -> None:
    text = (ROOT / page).read_text("utf-8")
    roots = (SOURCE, SOURCE / "engine", ROOT)
    paths = {
        name: next((root / name for root in roots if (root / name).is_file()), None)
        for name in re.findall(r"`([a-z_/]+\.py)`", text)
    }
    assert paths
    assert sorted(name for name, path in paths.items() if path is None) == []
    said = re.findall(r"`(\w+)`(?: in| of|, for example `\w+` in)\s`([a-z_/]+\.py)`", text)
    for name, file in said:
        path = paths[file]
        assert path
        assert re.search(rf"^(class |def )?{name}\b", path.read_text("utf-8"), re.MULTILINE), (name, file)


def test_each_decision_on_the_picture_is_told_with_one_file_and_one_name() -> None:
    text = (ROOT / "docs" / "extending.md").read_text("utf-8")
    table = text.split("## Change how pictures look\n")[1].split("\n## ")[0]
    rows = [line.split(" | ")[1] for line in table.splitlines() if line.startswith("| ")][1:]
    assert len(rows) >= 20
    assert [row for row in rows if not re.fullmatch(r"`\w+` in `engine/[a-z_/]+\.py` \|", row)] == []
    assert len(set(rows)) == len(rows)


def test_the_layers_of_the_architecture_are_those_that_are_checked() -> None:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]["contracts"]
    text = (ROOT / "ARCHITECTURE.md").read_text("utf-8")
    for contract in contracts:
        if contract["type"] != "layers":
            continue
        (container,) = contract["containers"]
        table = text.split(f"| layers of `{container}` | |\n")[1].split("\n\n")[0]
        told = [re.findall(r"`(\w+)`", row.split(" | ")[0]) for row in table.splitlines()[1:]]
        assert told == [re.findall(r"\w+", layer) for layer in contract["layers"]]


def test_the_engine_is_imported_from_outside_as_the_architecture_says() -> None:
    found: set[tuple[str, str]] = set()
    for path in python_files():
        inside = path.relative_to(SOURCE).parts if path.is_relative_to(SOURCE) else ("engine",)
        if inside[0] == "engine":
            continue
        for node in ast.walk(parsed(path)):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("scenograph.engine"):
                names = (
                    [node.module]
                    if node.module != "scenograph.engine"
                    else [f"{node.module}.{a.name}" for a in node.names]
                )
                found |= {(Path(inside[0]).stem, str(name).split(".")[2]) for name in names}
    in_the_process = {("wiring", "icons"), ("wiring", "identity")}
    drawing = {("cli", "pipeline"), ("workers", "pipeline"), ("cli", "icons"), ("workers", "icons")}
    drawing |= {("library", "pipeline"), ("library", "icons")}
    assert found == {*drawing, *in_the_process}
