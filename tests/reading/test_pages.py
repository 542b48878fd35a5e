"""Mermaid in pages of Markdown. (R-IN-2)"""

from __future__ import annotations

import pytest

from scenograph.reading.readers import read_source
from scenograph.reading.source import Source

DIAGRAM = ("flowchart LR", "  a --> b", "  b -->")


def fenced(opens: str, closes: str, before: str = "") -> str:
    rows = (opens, *DIAGRAM, closes)
    return "# Title\n\nWords `code`.\n\n" + "\n".join(f"{before}{row}" for row in rows) + "\n\nMore words.\n"


@pytest.mark.parametrize(
    "page",
    [
        fenced("```mermaid", "```"),
        fenced("``` mermaid", "```"),
        fenced("````mermaid title=x", "````"),
        fenced("~~~mermaid", "~~~"),
        fenced("```{mermaid}", "```"),
        fenced("``` {.mermaid}", "```"),
        fenced("::: mermaid", ":::"),
        fenced(":::mermaid", ":::"),
        fenced("```mermaid", "```", before="    "),
        fenced("```mermaid", "```", before="> "),
        fenced("```mermaid", "```", before="\t").replace("\t```mermaid", "1. ```mermaid"),
        "::: note\n\n" + fenced("```mermaid", "```") + ":::\n",
        "```python\nx = 1\n```\n" + fenced("```mermaid", "```"),
    ],
)
def test_a_fence_is_found_wherever_it_stands_and_lines_keep_their_numbers(page: str) -> None:
    found = read_source(Source(text=page))
    assert found.format == "mermaid"
    assert [one["id"] for one in found.document["elements"]] == ["a", "b", "a--b"]
    (loss,) = found.diagnostics
    assert page.split("\n")[(loss.data or {})["line"] - 1].endswith("  b -->")


def test_options_and_front_matter_of_a_fence_are_passed_over() -> None:
    page = "Text.\n\n```{mermaid}\n:caption: X\n:name: y\n---\ntitle: Talk\n---\nflowchart LR\n a --> b\n```\n"
    assert read_source(Source(text=page)).document["scene"]["title"] == "Talk"


def test_the_first_diagram_that_can_be_read_is_read_and_the_others_are_told() -> None:
    page = "```mermaid\npie\n```\n\n```mermaid\nflowchart LR\n a --> b\n```\n\n```mermaid\ngraph TB\n c\n```\n"
    found = read_source(Source(text=page))
    assert [one["id"] for one in found.document["elements"]] == ["a", "b", "a--b"]
    assert [((row.data or {})["line"], (row.data or {})["what"]) for row in found.diagnostics] == [
        (2, "another diagram of the same page"),
        (11, "another diagram of the same page"),
    ]
    assert found.whole


def test_a_fence_that_is_not_closed_ends_with_the_page() -> None:
    assert len(read_source(Source(text="# T\n\n```mermaid\nflowchart LR\n a --> b")).document["elements"]) == 3
