"""The kernels as they are and compiled: the same pictures, and never a compiled module of other sources."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from scenograph.engine import kernels

SOURCES = Path(str(kernels.__file__)).parent
SCENES = sorted(Path(__file__).parents[2].joinpath("scenes").glob("*.json"))
DRAW = """
import sys
from hashlib import sha256
from json import loads
from pathlib import Path
from scenograph.engine import kernels
if sys.argv[1] == "interpreted":
    kernels.__path__[:] = [kernels.__path__[-1]]
from scenograph.engine.pipeline import render_svg
assert kernels.are_compiled() == (sys.argv[1] == "compiled")
for path in sys.argv[2:]:
    print(path, sha256(render_svg(loads(Path(path).read_text("utf-8"))).content.encode()).hexdigest())
"""


def drawn(way: str) -> list[str]:
    command = [sys.executable, "-c", DRAW, way, *map(str, SCENES)]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()


def loaded(folder: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("copy", folder / "__init__.py", submodule_search_locations=[])
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    """A copy of the kernels with something that counts as compiled from them."""
    for path in SOURCES.glob("*.py"):
        shutil.copy(path, tmp_path)
    compiled = tmp_path / "compiled"
    compiled.mkdir()
    (compiled / "fingerprint").write_text(loaded(tmp_path).fingerprint(), encoding="ascii")
    return tmp_path


def test_compiled_and_interpreted_kernels_draw_the_same_bytes() -> None:
    if not kernels.are_compiled():
        assert "SCENOGRAPH_REQUIRE_SERVERS" not in os.environ, "nothing was compiled where it must be"
        pytest.skip("no compiled kernels of these sources")
    assert drawn("compiled") == drawn("interpreted")


def test_compiled_kernels_are_found_first(copied: Path) -> None:
    assert list(loaded(copied).__path__) == [str(copied / "compiled"), str(copied)]


@pytest.mark.parametrize("change", ["a kernel changed", "a kernel was added", "nothing says what was compiled"])
def test_compiled_kernels_of_other_sources_are_not_used(copied: Path, change: str) -> None:
    match change:
        case "a kernel changed":
            with (copied / "visibility.py").open("a") as source:
                source.write("# another\n")
        case "a kernel was added":
            (copied / "another.py").touch()
        case _:
            (copied / "compiled" / "fingerprint").unlink()
    assert list(loaded(copied).__path__) == [str(copied)]
