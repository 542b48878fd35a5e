"""The page of the stages says what is so: its files and functions exist, and its steps run in their order."""

from __future__ import annotations

import ast
import re
from itertools import pairwise
from pathlib import Path

import pytest

from scenograph.engine.families.catalog import RESOLVING
from scenograph.engine.resolve import RESOLVE_STEPS

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "scenograph"
SECTIONS = dict(
    section.split("\n", 1) for section in (ROOT / "docs" / "stages.md").read_text("utf-8").split("\n## ")[1:]
)


def steps(text: str) -> list[str]:
    rows = re.findall(r"^\| (`[^|]+) \|", text, re.MULTILINE)
    return [name for row in rows for name in re.findall(r"`(\w+)`", row)]


def calls(file: str, function: str) -> list[str]:
    """The names of the functions and methods that a function calls, in the order of its lines."""
    tree = ast.parse((SOURCE / file).read_text("utf-8"))
    body = next(node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == function)
    found = [node.func for node in ast.walk(body) if isinstance(node, ast.Call)]
    named = [node for node in found if isinstance(node, ast.Name | ast.Attribute)]
    ordered = sorted(named, key=lambda node: (node.lineno, node.col_offset))
    return [node.id if isinstance(node, ast.Name) else node.attr for node in ordered]


@pytest.mark.parametrize("stage", SECTIONS)
def test_the_files_of_a_stage_have_the_steps_that_the_page_tells(stage: str) -> None:
    text = SECTIONS[stage]
    files = re.findall(r"`([\w/]+\.py)`", text.split("In:")[0])
    assert files
    code = "\n".join((SOURCE / file).read_text("utf-8") for file in files)
    assert steps(text)
    assert [step for step in steps(text) if not re.search(rf"\b{step}\b", code)] == []
    assert "awkward spot:" in text


def test_the_pipeline_runs_the_stages_in_the_order_of_the_page() -> None:
    assert list(SECTIONS) == [
        *("Read", "Resolve", "View", "Style", "Measure", "Place"),
        *("The loop between placing and routing", "Route", "Canvas", "Draw", "Write"),
    ]
    names = calls("engine/pipeline.py", "lay_out")
    head = [names.index(name) for name in ("resolve", "viewed", "finish_styles", "laid_out")]
    assert all(one < next_one for one, next_one in pairwise(head))
    inner = calls("engine/laying_out.py", "_through_stages")
    tail = [inner.index(name) for name in ("measure", "_placed", "routed", "fit_canvas")]
    assert all(one < next_one for one, next_one in pairwise(tail))


def test_resolving_has_the_steps_of_the_page() -> None:
    outer, inner = SECTIONS["Resolve"].split("The steps of `resolve_by_types`")
    assert [step.__name__ for step in RESOLVE_STEPS] == steps(outer)
    assert [step.__name__ for step in RESOLVING] == steps(inner)


def test_solving_runs_its_steps_in_the_order_of_the_page() -> None:
    told = steps(SECTIONS["Route"].split("The steps of both")[1])
    run = [call for part in ("begin", "_finished", "_courses") for call in calls("engine/route/solving.py", part)]
    assert calls("engine/route/solving.py", "solve") == ["give_way", "finish", "begin"]
    order = [run.index(step) for step in told if step not in {"former_paths", "gathered_paths", "prescribed_paths"}]
    assert all(one < next_one for one, next_one in pairwise(order))
