"""The table of source formats, the readers behind it, and the places that speak of each format."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from scenograph.reading.readers import READERS, read_source
from scenograph.reading.source import Source, Unreadable
from scenograph.reading.sql.dialects import DIALECTS
from scenograph.wire.source_formats import SOURCE_FORMATS

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("place", "row"),
    [
        ("docs/formats.md", r"^\| `{}` \|"),
        ("src/scenograph/http/pages/assets/language.js", r'format: "{}"'),
        ("docs/rules/imports.md", r"(?i)^- \*\*R-IN-\d+\*\* [^\n]{{0,12}}{}"),
    ],
    ids=["formats", "languages", "rules"],
)
def test_every_format_is_spoken_of(place: str, row: str) -> None:
    text = (ROOT / place).read_text("utf-8")
    words = {"drawio": r"draw\.io", "graphviz": "(?:DOT of )?Graphviz"} if place.endswith("imports.md") else {}
    lacking = [name for name in SOURCE_FORMATS if not re.search(row.format(words.get(name, name)), text, re.MULTILINE)]
    assert lacking == [], f"{place} lacks a row"


def test_every_format_that_is_told_of_has_a_reader() -> None:
    assert SOURCE_FORMATS.keys() == READERS.keys()
    assert SOURCE_FORMATS["sql"].dialects == tuple(DIALECTS)


@pytest.mark.parametrize(
    "kind", ["gantt", "gitGraph", "sankey-beta", "pie title Pets", "journey", "timeline", "kanban"]
)
def test_diagrams_of_mermaid_that_are_not_read_are_told_which_are(kind: str) -> None:
    with pytest.raises(Unreadable, match=r"flowchart.*sequenceDiagram"):
        read_source(Source(text=f"{kind}\n    section A\n"))
