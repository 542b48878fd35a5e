#!/usr/bin/env python3
# ruff: noqa: T201 (it reports to whoever runs it)
"""Changes every price, threshold and choice of the engine, one at a time, and lists the changes that no test notices.

    uv run scripts/mutate.py engine/route engine/canvas.py            # numbers by half and by double
    uv run scripts/mutate.py engine/costs.py --only AWAY --tests tests/engine/route
    uv run scripts/mutate.py engine/route/nudging.py --operators           # comparisons, choices and conditions as well
    uv run scripts/mutate.py engine --rules                           # numbers that cite a rule, before its tests alone

The tests that need no server and no search run once to learn which functions each of them calls. A mutant then meets
only tests that call a function that reads it, those that call the fewest functions first; the first failure kills it. A
mutant that no such test notices survives: the number wants a test that holds it, or has no effect and wants to go. What
is only the size of a memory or a bound on effort says so in its comment (`UNHELD`).

Each mutant lives in a process of its own, forked before the package is imported: nothing is written to the sources, and
the kernels run uncompiled. `--within 60` bounds the seconds of a mutant by what its tests take unchanged: a quick look,
whose survivors are tried again without it.
"""

from __future__ import annotations

import ast
import contextlib
import copy
import gc
import importlib.abc
import importlib.machinery
import io
import math
import os
import pickle
import re
import select
import signal
import sys
import time
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from pathlib import Path
from types import CodeType, FrameType, ModuleType
from typing import Any

import cyclopts
import psycopg  # noqa: F401 - like the others, imported once for all mutants
import pytest
import rule_book
import sqlalchemy  # noqa: F401

ROOT = Path(__file__).parents[1]
SOURCES = ROOT / "src"
PACKAGE = SOURCES / "scenograph"
PATIENCE = 120.0  # seconds beyond those of the tests of a mutant, after which they hang: a failure too
LOADED = 20  # as much longer than its processor time a test takes on a busy machine
FACTORS = (0.5, 2.0)
# In the comment of a constant: what changes no picture, only what it takes to make one.
UNHELD = re.compile(r"\b(kept|known|remembered|memory|cache|rounding|expansions|steps|looks|tried)\b", re.IGNORECASE)
SWAPPED: dict[type[ast.cmpop], type[ast.cmpop]] = {ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt}
CHOICES = {"min": "max", "max": "min"}
FAST = ("-m", "not slow")
_RULE = re.compile(r"\bR-[A-Z]+-\d+\b")

Edit = Callable[[ast.Module], None]
Function = tuple[str, int]  # its file and its first line


@dataclass(frozen=True)
class Mutant:
    """One change of one module. `names`: the constant, and all that is computed of it; none for a change of `lines`."""

    file: Path
    line: int
    text: str
    edit: Edit = field(repr=False)
    names: frozenset[str] = frozenset()
    lines: tuple[int, int] = (0, 0)
    remark: str = ""

    @property
    def module(self) -> str:
        """The name that the module is imported by."""
        parts = self.file.relative_to(SOURCES).with_suffix("").parts
        return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)

    @property
    def rules(self) -> list[str]:
        """The rules that the comment of a number cites."""
        return _RULE.findall(self.remark)

    def __str__(self) -> str:
        return f"{self.file.relative_to(ROOT)}:{self.line} {self.text}"


def numbers_in(file: Path) -> Iterator[Mutant]:
    """Each number that is assigned at the level of the module or of a class, by half and by double."""
    text = file.read_text("utf-8")
    tree, lines, uses = ast.parse(text), text.splitlines(), names_of_names()
    for statement in _assignments(tree.body):
        names = _targets(statement)
        for place in _numbers(statement.value):
            old = place.value
            for factor in FACTORS:
                new = _changed(old, factor)
                if new != old:
                    told = f"{', '.join(names)}: {old!r} -> {new!r}"
                    edit = _setting(place.lineno, place.col_offset, new)
                    reached = frozenset(name for one in names for name in _reached(one, uses))
                    yield Mutant(file, place.lineno, told, edit, reached, remark=_comment(lines, statement))


def _assignments(body: Sequence[ast.stmt]) -> Iterator[ast.Assign | ast.AnnAssign]:
    for statement in body:
        if isinstance(statement, ast.ClassDef):
            yield from _assignments(statement.body)
        elif isinstance(statement, ast.Assign | ast.AnnAssign) and statement.value is not None:
            yield statement


def _targets(statement: ast.Assign | ast.AnnAssign) -> tuple[str, ...]:
    targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
    return tuple(node.id for target in targets for node in ast.walk(target) if isinstance(node, ast.Name))


def _numbers(value: ast.expr | None) -> Iterator[ast.Constant]:
    for node in ast.walk(value) if value is not None else ():
        if isinstance(node, ast.Constant) and type(node.value) in {int, float}:
            yield node


def _changed(old: float, factor: float) -> float:
    if isinstance(old, int):
        return max(1, old // 2) if factor < 1 else old * 2
    return old * factor


def _comment(lines: Sequence[str], statement: ast.stmt) -> str:
    """The comment behind the statement, the one above it, and the sentence below it."""
    end = statement.end_lineno or statement.lineno
    above = lines[statement.lineno - 2].strip() if statement.lineno > 1 else ""
    below = "\n".join(lines[end:]).lstrip()
    sentence = below[3:].partition('"""')[0] if below.startswith('"""') else ""
    return lines[end - 1].partition("#")[2] + (above if above.startswith("#") else "") + sentence


def _setting(line: int, column: int, new: float) -> Edit:
    def edit(tree: ast.Module) -> None:
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and (node.lineno, node.col_offset) == (line, column):
                node.value = new

    return edit


def choices_in(file: Path) -> Iterator[Mutant]:
    """Each comparison with its limit moved in or out, and each `min` as `max`."""
    return _in_functions(file, _choices)


def removals_in(file: Path) -> Iterator[Mutant]:
    """Each `if` without what stands below it."""
    return _in_functions(file, _removals)


def _in_functions(file: Path, changes: Callable[[ast.AST], Iterator[tuple[str, Edit]]]) -> Iterator[Mutant]:
    """The changes of the parts of each function, told with the sentences of the function and the comments above."""
    text = file.read_text("utf-8")
    rows = text.splitlines()
    for function in ast.walk(ast.parse(text)):
        if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        lines = (min([function.lineno, *(one.lineno for one in function.decorator_list)]), function.end_lineno or 0)
        said = (ast.get_docstring(function) or "") + (rows[lines[0] - 2].strip() if lines[0] > 1 else "")
        inner = {
            id(part)
            for node in ast.walk(function)
            if node is not function and _is_function(node)
            for part in ast.walk(node)
        }
        for node in ast.walk(function):
            for told, edit in changes(node) if id(node) not in inner else ():
                beside = " ".join(row.partition("#")[2] for row in rows[node.lineno - 2 : node.lineno])
                yield Mutant(file, node.lineno, told, edit, lines=lines, remark=beside + said)


def _choices(node: ast.AST) -> Iterator[tuple[str, Edit]]:
    if isinstance(node, ast.Compare) and type(node.ops[0]) in SWAPPED:
        other = copy.deepcopy(node)
        other.ops[0] = SWAPPED[type(node.ops[0])]()
        yield f"{ast.unparse(node)} -> {ast.unparse(other)}", _replacing(node, other)
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in CHOICES:
        changed = copy.deepcopy(node)
        changed.func = ast.Name(CHOICES[node.func.id], ast.Load())
        yield f"{ast.unparse(node)}: {CHOICES[node.func.id]}", _replacing(node, changed)


def _removals(node: ast.AST) -> Iterator[tuple[str, Edit]]:
    if isinstance(node, ast.If | ast.IfExp):
        yield f"no `if {ast.unparse(node.test)}`", _replacing(node.test, ast.Constant(value=False))


def _is_function(node: ast.AST) -> bool:
    return isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)


def _replacing(old: ast.expr, new: ast.expr) -> Edit:
    place = (type(old), old.lineno, old.col_offset, old.end_col_offset)

    class Swap(ast.NodeTransformer):
        def generic_visit(self, node: ast.AST) -> ast.AST:
            found = (
                type(node),
                getattr(node, "lineno", 0),
                getattr(node, "col_offset", 0),
                getattr(node, "end_col_offset", 0),
            )
            return ast.copy_location(new, node) if found == place else super().generic_visit(node)

    return lambda tree: ast.fix_missing_locations(Swap().visit(tree))


def names_of_names() -> dict[str, set[str]]:
    """Every name of the package with the names that are computed of it while modules are imported."""
    if not _USES:
        for file in PACKAGE.rglob("*.py"):
            for statement in _assignments(ast.parse(file.read_text("utf-8")).body):
                for used in ast.walk(statement.value or statement):
                    if isinstance(used, ast.Name | ast.Attribute):
                        name = used.id if isinstance(used, ast.Name) else used.attr
                        _USES[name].update(_targets(statement))
    return _USES


_USES: dict[str, set[str]] = defaultdict(set)


def _reached(name: str, uses: dict[str, set[str]]) -> set[str]:
    found, waiting = set[str](), [name]
    while waiting:
        one = waiting.pop()
        if one not in found:
            found.add(one)
            waiting += uses.get(one, ())
    return found


class Import(importlib.abc.MetaPathFinder):
    """Finds a module changed, and all kernels uncompiled."""

    def __init__(self, mutant: Mutant | None) -> None:
        self._mutant = mutant

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if path is not None and fullname.startswith("scenograph.engine.kernels."):
            path = [folder for folder in path if not folder.endswith("compiled")]
        mutant = self._mutant
        if mutant is None or fullname != mutant.module:
            return importlib.machinery.PathFinder.find_spec(fullname, path, target) if path is not None else None
        spec = importlib.machinery.PathFinder.find_spec(fullname, path, target)
        if spec is not None:
            spec.loader = _Changed(fullname, str(mutant.file), mutant.edit)
        return spec


class _Changed(importlib.machinery.SourceFileLoader):
    def __init__(self, fullname: str, path: str, edit: Edit) -> None:
        super().__init__(fullname, path)
        self._edit = edit

    def get_code(self, fullname: str) -> CodeType:
        tree = ast.parse(self.get_data(self.path))
        self._edit(tree)
        return compile(tree, self.path, "exec", dont_inherit=True)


class Learning:
    """A plugin that notes which functions of the package each test calls, and which tests fail unchanged."""

    def __init__(self) -> None:
        self.called: dict[str, set[CodeType]] = {}
        self.seconds: dict[str, float] = {}
        self.failed: set[str] = set()

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        called: set[CodeType] = set()

        def note(frame: FrameType, event: str, _: object) -> None:
            if event == "call":
                called.add(frame.f_code)

        began = time.process_time()
        sys.setprofile(note)
        yield
        sys.setprofile(None)
        self.seconds[item.nodeid] = time.process_time() - began
        own = str(PACKAGE)
        self.called[item.nodeid] = {code for code in called if code.co_filename.startswith(own)}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.failed.add(report.nodeid)


@dataclass(frozen=True)
class Learnt:
    """Of each test that passes unchanged: the functions called, the names that these read, and the processor time."""

    functions: dict[str, set[Function]]
    names: dict[str, set[str]]
    seconds: dict[str, float]

    def tests_of(self, mutant: Mutant) -> list[str]:
        """The tests that may notice it, those of the smallest scenes first."""
        first, last = mutant.lines
        file = str(mutant.file)
        if mutant.names:
            found = [test for test, names in self.names.items() if names & mutant.names]
        else:
            found = [
                test
                for test, functions in self.functions.items()
                if any(path == file and first <= line <= last for path, line in functions)
            ]
        return sorted(found, key=lambda test: len(self.functions[test]))


def learn(tests: Sequence[str]) -> Learnt:
    """Run the tests unchanged, in a process of their own."""

    def run() -> Learnt:
        plugin = Learning()
        _pytest([*tests, *FAST], None, plugin)
        passing = {test: codes for test, codes in plugin.called.items() if test not in plugin.failed}
        functions = {
            test: {(code.co_filename, code.co_firstlineno) for code in codes} for test, codes in passing.items()
        }
        names = {test: {name for code in codes for name in _read_by(code)} for test, codes in passing.items()}
        return Learnt(functions, names, plugin.seconds)

    ended, learnt = forked(run, 3600.0)
    if not ended or not learnt.functions:
        raise SystemExit("the tests do not run unchanged")
    return learnt


def _read_by(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from _read_by(inner)


def is_killed(mutant: Mutant, tests: Sequence[str], seconds: float) -> bool:
    """Whether a test fails with the change, or does not end. `seconds`: of processor time of all tests unchanged."""
    ended, code = forked(lambda: _pytest([*tests, "-x"], mutant), PATIENCE + LOADED * seconds)
    return not ended or code not in {0, pytest.ExitCode.NO_TESTS_COLLECTED}


def _pytest(arguments: list[str], mutant: Mutant | None, *plugins: object) -> int:
    sys.meta_path.insert(0, Import(mutant))
    quiet = [
        "-n",
        "0",
        "-W",
        "ignore:Module already imported",
        "-q",
        "-p",
        "no:cacheprovider",
        "--no-header",
        "-o",
        "timeout=0",
        "-o",
        "faulthandler_timeout=0",
    ]
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        return int(pytest.main([*quiet, *arguments], plugins=[*plugins]))


def forked(task: Callable[[], Any], seconds: float) -> tuple[bool, Any]:
    """Whether a task ends in time in a process of its own, and what it gives."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read)
        with open(write, "wb") as answer, open(os.devnull, "w") as nowhere:  # noqa: PTH123
            os.dup2(nowhere.fileno(), 1)
            os.dup2(nowhere.fileno(), 2)
            try:
                pickle.dump(task(), answer)
            except BaseException:
                pickle.dump(-1, answer)
        os._exit(0)
    os.close(write)
    until = time.monotonic() + seconds
    received = b""
    with open(read, "rb", buffering=0) as answer:  # noqa: PTH123
        while select.select([answer], [], [], max(0.0, until - time.monotonic()))[0]:
            more = answer.read(1 << 20)
            if not more:
                break
            received += more
    with contextlib.suppress(ProcessLookupError):
        os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    try:
        return True, pickle.loads(received)  # noqa: S301 - of our own child
    except (EOFError, pickle.UnpicklingError):
        return False, None


app = cyclopts.App(help=__doc__)


@app.default
def main(
    *targets: str,
    tests: Sequence[str] = ("tests/engine/route",),
    only: str = "",
    operators: bool = False,
    rules: bool = False,
    every: int = 1,
    within: float = math.inf,
) -> int:
    """Run; the exit code is 1 where a mutant survives.

    Parameters
    ----------
    targets: files or folders below `src/scenograph`.
    tests: what is run, as pytest reads it.
    only: a regular expression that the text of a mutant holds.
    operators: change comparisons and choices, and leave out what stands below an `if`, too.
    rules: only what cites a rule, each before the tests that hold it in the rule book.
    every: try one in so many, by their order, as a sample.
    within: seconds of tests that a mutant meets.
    """
    os.chdir(ROOT)
    sys.path[:0] = [str(SOURCES), str(ROOT)]
    gc.disable()
    mutants = [one for one in _mutants(targets, operators=operators) if re.search(only, one.text)]
    mutants = [one for one in mutants if one.rules or not rules]
    mutants = [one for one in mutants if not (one.names and UNHELD.search(one.remark))][::every]
    learnt = Learnt({}, {}, {}) if rules else learn(tests)
    find = _of_its_rules if rules else learnt.tests_of
    print(f"{len(mutants)} mutants", flush=True)
    survivors = 0
    for mutant in mutants:
        found = find(mutant)
        ends = [*accumulate(learnt.seconds.get(test, 0.0) for test in found)]
        found = found[: bisect_right(ends, max(within, ends[0]))] if found else []
        if not found or not is_killed(mutant, found, ends[len(found) - 1]):
            survivors += 1
            print(f"survives {len(found)} tests: {mutant}", flush=True)
    print(f"killed {len(mutants) - survivors} of {len(mutants)}")
    return min(survivors, 1)


def _of_its_rules(mutant: Mutant) -> list[str]:
    held = rule_book.held()
    return [test for rule in mutant.rules for test in held[rule]]


def _mutants(targets: Sequence[str], *, operators: bool) -> Iterator[Mutant]:
    for target in targets:
        top = PACKAGE / target
        for file in sorted(top.rglob("*.py")) if top.is_dir() else [top]:
            yield from numbers_in(file)
            yield from (*choices_in(file), *removals_in(file)) if operators else ()


if __name__ == "__main__":
    sys.exit(app(sys.argv[1:]))
