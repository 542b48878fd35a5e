#!/usr/bin/env python3
"""The rule book: what `docs/rules` promises, which tests hold each rule, and the pages made of both.

`uv run python scripts/rule_book.py` writes `docs/rules/coverage.md` and `docs/rules/diagnostics.md` anew. A rule is an
item `- **R-THEME-N** text` of a page; its tests stand in `tests/rules/held/<page>.toml`, by their pytest ids.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from scenograph.diagnostics import CODES, Code

ROOT = Path(__file__).parents[1]
PAGES = ROOT / "docs" / "rules"
HELD = ROOT / "tests" / "rules" / "held"
COVERAGE, DIAGNOSTICS = PAGES / "coverage.md", PAGES / "diagnostics.md"
WRITTEN_BY = (
    "<!-- Written by `uv run python scripts/rule_book.py`; change the rules and their tables, not this page. -->"
)

_ITEM = re.compile(r"^- \*\*(?P<number>R-[A-Z]+-\d+)\*\* (?P<text>.+(?:\n  .+)*)", re.MULTILINE)
_NUMBER = re.compile(r"\bR-[A-Z]+-\d+\b")
_CITING = {".py", ".md", ".toml", ".js", ".html", ".yml", ".yaml"}


@dataclass(frozen=True, slots=True)
class Rule:
    """One promise: its number, its text in one line, and the page (file stem) that it stands on."""

    number: str
    text: str
    page: str


def pages() -> list[Path]:
    """The pages of rules, in the order of their names; written pages and the index hold none."""
    return sorted(page for page in PAGES.glob("*.md") if page not in {COVERAGE, DIAGNOSTICS, PAGES / "README.md"})


def rules() -> list[Rule]:
    """Every rule, page by page, in the order in which it stands there."""
    return [
        Rule(item["number"], " ".join(item["text"].split()), page.stem)
        for page in pages()
        for item in _ITEM.finditer(page.read_text("utf-8"))
    ]


def held() -> dict[str, tuple[str, ...]]:
    """The number of each rule with the pytest ids of the tests that hold it."""
    return {number: tests for table in sorted(HELD.glob("*.toml")) for number, tests in held_in(table).items()}


def held_in(table: Path) -> dict[str, tuple[str, ...]]:
    """The same of one page's table."""
    return {number: tuple(tests) for number, tests in tomllib.loads(table.read_text("utf-8")).items()}


def test_ids() -> Iterator[str]:
    """The pytest id of every test function, without parameters."""
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        file = path.relative_to(ROOT).as_posix()
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.ClassDef):
                yield from (f"{file}::{node.name}::{name}" for name in _tests_of(node))
        yield from (f"{file}::{name}" for name in _tests_of(ast.parse(path.read_text("utf-8"))))


def _tests_of(owner: ast.Module | ast.ClassDef) -> Iterator[str]:
    functions = (node for node in owner.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))
    return (node.name for node in functions if node.name.startswith("test_"))


def citations() -> Iterator[tuple[str, str]]:
    """Where a rule is cited outside the rule book, and its number."""
    for folder in ("src", "tests", "docs", "scripts"):
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in _CITING and path != COVERAGE and HELD not in path.parents:
                for number in _NUMBER.findall(path.read_text("utf-8")):
                    yield path.relative_to(ROOT).as_posix(), number
    for path in sorted(ROOT.glob("*.md")):
        yield from ((path.name, number) for number in _NUMBER.findall(path.read_text("utf-8")))


def coverage_page() -> str:
    """Which tests hold which rule, page by page, and how many there are."""
    tests: Mapping[str, tuple[str, ...]] = held()
    lines = ["# Which test holds which rule", "", WRITTEN_BY]
    for page in pages():
        here = [rule.number for rule in rules() if rule.page == page.stem]
        count = len({one for number in here for one in tests.get(number, ())})
        lines += ["", f"## {page.stem}", "", f"[{len(here)} rules]({page.name}), held by {count} tests.", ""]
        for number in here:
            lines.append(f"- **{number}**")
            lines += [f"  - `{one}`" for one in tests.get(number, ())]
    return "\n".join(lines) + "\n"


def diagnostics_page() -> str:
    """Every code with its severity, when it is said, where its path leads and what its data may hold."""
    lines = ["# Diagnostics", "", WRITTEN_BY.replace("rules and their tables", "rows in `scenograph.diagnostics`"), ""]
    lines += [
        "*The member* in a path is the JSON pointer of the member that is wrong. `data` has at most the members that",
        "are named; one that is not known is left out. The rules for all of them are in [validation](validation.md).",
        "",
    ]
    for title, codes in CODES.items():
        lines += [f"## {title}", "", "| code | severity | when | path | data |", "|---|---|---|---|---|"]
        lines += [_row(code) for code in codes]
        lines.append("")
    return "\n".join(lines)


def _row(code: Code) -> str:
    data = ", ".join(f"`{name}`" for name in code.data)
    path = f"`{code.path}`" if code.path.startswith("/") else code.path
    return f"| `{code.name}` | {code.severity} | {code.when} | {path} | {data} |"


def main() -> None:
    """Write the pages that follow from the rules, their tables and the rows of the codes."""
    DIAGNOSTICS.write_text(diagnostics_page(), "utf-8")
    COVERAGE.write_text(coverage_page(), "utf-8")


if __name__ == "__main__":
    main()
