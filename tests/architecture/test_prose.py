"""Docstrings name their subjects: the share of words that point instead of naming stays low."""

from __future__ import annotations

import ast
import functools
import re
import statistics
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

SOURCE = Path(__file__).parents[2] / "src" / "scenograph"
POINTING = {
    *("what", "that", "which", "those", "whose", "its", "it", "one", "ones", "other", "others"),
    *("where", "there", "so", "such", "these", "them", "they"),
}
LEAST_WORDS = 8  # shorter docstrings have no share worth measuring
MOST_ON_AVERAGE = 0.036
SENTENCE = 12  # words from which on a single docstring is judged
MOST_IN_ONE = 0.2


class Told(NamedTuple):
    """The first paragraph of a docstring: place, number of words, share of pointing words."""

    place: str
    words: int
    share: float


@functools.cache
def told() -> list[Told]:
    return [*judged()]


def judged() -> Iterator[Told]:
    for path in sorted(SOURCE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                continue
            words = re.findall(r"[a-z']+", (ast.get_docstring(node) or "").split("\n\n")[0].lower())
            if len(words) >= LEAST_WORDS:
                share = sum(word in POINTING for word in words) / len(words)
                yield Told(f"{path.relative_to(SOURCE)}:{node.lineno} {node.name}", len(words), share)


def test_docstrings_point_seldom_on_average() -> None:
    assert statistics.mean(row.share for row in told()) <= MOST_ON_AVERAGE


def test_no_docstring_points_in_more_than_every_fifth_word() -> None:
    assert [row for row in told() if row.words >= SENTENCE and row.share > MOST_IN_ONE] == []


CONSTANT = re.compile(r"(?<![\w.])[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+(?!\w)")


def test_no_docstring_or_comment_names_a_constant_without_the_underscore_that_it_has() -> None:
    stale: list[str] = []
    for path in sorted(SOURCE.rglob("*.py")):
        text = path.read_text("utf-8")
        bound = {node.id for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)}
        for number, line in enumerate(text.splitlines(), 1):
            code, mark, comment = line.partition("#")
            said = comment if mark else "" if "=" in code or "(" in code else line
            names = [name for name in CONSTANT.findall(said) if f"_{name}" in bound and name not in bound]
            stale += [f"{path.relative_to(SOURCE)}:{number} {name}" for name in names]
    assert stale == []
