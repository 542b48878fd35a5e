"""The generated page and its examples."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from scenograph.diagnostics import Report
from scenograph.scene.description.reference import (
    OPERATION_CODES,
    REMARK_CODES,
    RULE_CODES,
    SHAPE_CODES,
    render_reference,
    written,
)
from scenograph.scene.examples import EXAMPLES
from scenograph.scene.reading import read_scene
from scenograph.scene.strict_json import parse
from scenograph.scene.validation import validate
from scenograph.scene.vocabulary import DIAGRAM_FAMILIES

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "scene-format.md"


def test_the_page_is_up_to_date() -> None:
    command = "uv run python -m scenograph.scene.description.reference > docs/scene-format.md"
    assert PAGE.read_text("utf-8") == render_reference(), f"run: {command}"


def test_every_link_of_the_page_leads_to_a_heading() -> None:
    page = render_reference()
    headings = {heading.lower() for heading in re.findall(r"^#+ (.+)$", page, re.MULTILINE)}
    assert set(re.findall(r"\(#([^)]+)\)", page)) <= headings


def test_every_code_that_the_scene_room_reports_is_on_the_page() -> None:
    told = {code.name for code in (*SHAPE_CODES, *RULE_CODES, *REMARK_CODES, *OPERATION_CODES)}
    used: set[str] = set()
    for path in (ROOT / "src" / "scenograph" / "scene").rglob("*.py"):
        if path.name != "reference_codes.py":
            for names in re.findall(r"from scenograph\.diagnostics import (\([^)]*\)|[^\n]*)", path.read_text("utf-8")):
                used.update(re.findall(r"\b[A-Z][A-Z]+(?:_[A-Z]+)+\b", names))
    assert used == told


def test_there_is_an_example_for_every_family() -> None:
    assert tuple(EXAMPLES) == DIAGRAM_FAMILIES
    assert all(document["diagramFamily"] == family for family, document in EXAMPLES.items())


@pytest.mark.parametrize("family", EXAMPLES)
def test_an_example_is_sound_without_a_remark_and_written_as_strict_json(family: str) -> None:
    document: dict[str, Any] = EXAMPLES[family]
    assert validate(document) == ()
    assert parse(written(document).encode()) == document
    assert len(read_scene(document, Report()).elements) == len(document["elements"])
