"""The build hook: compiles the engine's kernels with mypyc, where that can be done.

`SCENOGRAPH_COMPILE` in the environment of the build says whether: `auto` (the default) compiles where a C compiler is
at hand and leaves the kernels as they are where anything fails; `1` ends the build when it fails; `0` compiles nothing.
What is compiled lies in `kernels/compiled`, with the fingerprint of its sources beside it.

An editable install also gets the bytecode of all its modules: where Python is told to write none
(`PYTHONDONTWRITEBYTECODE`, as in many containers), each command would otherwise compile them anew.
"""

from __future__ import annotations

import compileall
import os
import runpy
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

WISHES = ("auto", "1", "0")
PACKAGE = "scenograph.engine.kernels"
# Without contraction a product and a sum are rounded one after the other, as the interpreter rounds them.
FLAGS = "-O2 -g0 -ffp-contract=off"
BUILD = """
import sys
from mypyc.build import mypycify
from setuptools import setup
options = ["--strict", "--no-incremental", *sys.argv[2:]]
modules = mypycify(options, opt_level="2", debug_level="0", group_name="{package}.kernels")
setup(name="kernels", ext_modules=modules, script_args=["-q", "build_ext", "--build-lib", sys.argv[1]])
"""


class CompiledKernels(BuildHookInterface[Any]):
    """Called by hatchling for every wheel, editable ones too."""

    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:
        """What the build needs besides hatchling."""
        return [] if _wish() == "0" else ["mypy>=2.4", "setuptools>=80"]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile the kernels into their folder; the wheel is then one of this platform."""
        if version == "editable":
            compileall.compile_dir(Path(self.root, "src", "scenograph"), quiet=2)
        wish, kernels = _wish(), Path(self.root, "src", *PACKAGE.split("."))
        compiled = kernels / "compiled"
        shutil.rmtree(compiled, ignore_errors=True)
        if wish == "0":
            return
        try:
            _compile(kernels, compiled)
        except (OSError, subprocess.CalledProcessError) as failed:
            shutil.rmtree(compiled, ignore_errors=True)
            if wish == "1":
                raise RuntimeError(getattr(failed, "stderr", "") or str(failed)) from failed
            return
        build_data["pure_python"] = False
        build_data["infer_tag"] = True
        build_data["artifacts"].append(f"/{compiled.relative_to(self.root).as_posix()}/*")


def _wish() -> str:
    wish = os.environ.get("SCENOGRAPH_COMPILE", "auto")
    if wish not in WISHES:
        raise ValueError(f"SCENOGRAPH_COMPILE is {wish!r}; it may be {', '.join(WISHES)}.")
    return wish


def _compile(kernels: Path, compiled: Path) -> None:
    """Compile copies of the sources, so that nothing but `compiled` is written where they stand."""
    fingerprint = runpy.run_path(str(kernels / "__init__.py"))["fingerprint"]
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        package = folder.joinpath(*PACKAGE.split("."))
        package.mkdir(parents=True)
        for parent in (package, package.parent, package.parent.parent):
            (parent / "__init__.py").touch()
        sources = sorted(path for path in kernels.glob("*.py") if path.name != "__init__.py")
        copies = [shutil.copy(path, package) for path in sources]
        names = [Path(copy).relative_to(folder).as_posix() for copy in copies]
        script = BUILD.format(package=PACKAGE)
        environment = {**os.environ, "CFLAGS": f"{os.environ.get('CFLAGS', '')} {FLAGS}".strip()}
        command = [sys.executable, "-c", script, str(folder / "built"), *names]
        subprocess.run(command, cwd=folder, env=environment, check=True, capture_output=True, text=True)
        compiled.mkdir()
        for library in folder.joinpath("built", *PACKAGE.split(".")).iterdir():
            shutil.copy(library, compiled)
    (compiled / "fingerprint").write_text(fingerprint(), encoding="ascii")
