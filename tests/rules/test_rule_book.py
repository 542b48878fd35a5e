"""The rule book is whole: every rule has tests that exist, every citation a rule, and the written pages are fresh."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import rule_book
from rule_book import COVERAGE, DIAGNOSTICS, HELD, PAGES, ROOT

RUN = "run: uv run python scripts/rule_book.py"
RULES = rule_book.rules()


def test_numbers_rise_within_a_theme_and_a_theme_stands_on_one_page() -> None:
    page_of: dict[str, str] = {}
    for rule in RULES:
        assert page_of.setdefault(theme(rule.number), rule.page) == rule.page
    for page in rule_book.pages():
        here = [rule.number for rule in RULES if rule.page == page.stem]
        assert here, page.name
        for one, next_one in pairwise(here):
            assert theme(one) != theme(next_one) or counted(one) < counted(next_one), next_one


def test_every_rule_has_a_test_and_every_table_only_rules_of_its_page() -> None:
    for page in rule_book.pages():
        here = {rule.number for rule in RULES if rule.page == page.stem}
        table = rule_book.held_in(HELD / f"{page.stem}.toml")
        assert set(table) == here
        assert sorted(number for number, tests in table.items() if not tests) == []
    assert {table.stem for table in HELD.glob("*.toml")} == {page.stem for page in rule_book.pages()}


def test_every_test_that_holds_a_rule_exists() -> None:
    known = set(rule_book.test_ids())
    named = {(number, one) for number, tests in rule_book.held().items() for one in tests}
    assert sorted(row for row in named if row[1] not in known) == []


def test_every_rule_that_is_cited_exists() -> None:
    known = {rule.number for rule in RULES}
    assert sorted({(where, number) for where, number in rule_book.citations() if number not in known}) == []


def test_every_page_of_rules_is_in_the_index() -> None:
    linked = set(re.findall(r"\(([\w-]+\.md)\)", (PAGES / "README.md").read_text("utf-8")))
    assert linked == {page.name for page in PAGES.glob("*.md")} - {"README.md"}


def test_the_written_pages_are_fresh() -> None:
    assert COVERAGE.read_text("utf-8") == rule_book.coverage_page(), RUN
    assert DIAGNOSTICS.read_text("utf-8") == rule_book.diagnostics_page(), RUN


def test_nothing_is_cited_that_is_not_in_the_repository() -> None:
    absent = re.compile(r"\b(the|our) specification\b|\b(specification|decisions)(:|,? sections? \d)", re.IGNORECASE)
    files = [path for folder in ("src", "tests", "scripts", "docs") for path in (ROOT / folder).rglob("*.*")]
    texts = {path: path.read_text("utf-8") for path in files if path.suffix in {".py", ".md", ".js", ".html"}}
    found = {path.relative_to(ROOT).as_posix() for path, text in texts.items() if absent.search(text)}
    assert found <= {Path(__file__).relative_to(ROOT).as_posix()}


def theme(number: str) -> str:
    return number.rpartition("-")[0]


def counted(number: str) -> int:
    return int(number.rpartition("-")[2])
