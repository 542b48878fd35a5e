"""What is said of scenes is what the rows of the codes announce: severity, path and members of the data."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from tests.builders import edge

from scenograph.diagnostics import CODES, Code, Diagnostic, Severity
from scenograph.diagnostics.rows import DOCUMENT, ELEMENT, MEMBER, NOWHERE
from scenograph.engine.pipeline import normalize
from scenograph.scene.description.elements import KINDS
from scenograph.scene.validation import validate

TESTS = Path(__file__).parents[1]
ROWS = {code.name: code for codes in CODES.values() for code in codes}
BASE = {"schemaVersion": "0.1", "scene": {"id": "x", "units": "px", "canvas": {"width": 400, "height": 900}}}


def scene(*elements: dict[str, Any], **root: Any) -> dict[str, Any]:
    return {**BASE, "elements": list(elements), **root}


def node_at(name: str, x: float, y: float, **more: Any) -> dict[str, Any]:
    return {"id": name, "kind": "node", "layout": {"mode": "absolute", "x": x, "y": y}, **more}


TROUBLE = {
    "sound scenes": [json.loads(path.read_text("utf-8")) for path in sorted((TESTS / "scenes").glob("*.json"))[:6]],
    "one element that is wrong in every member": [
        scene(dict.fromkeys(("id", "label", "shape", "style", "layout", "zIndex", "icon"), 7) | {"kind": kind})
        for kind in KINDS
    ],
    "references to nothing": [
        scene(
            node_at("a", 0, 0, style="none", icon="aws:s33"),
            node_at("b", 0, 0, nodeType="workflow.tusk", lable="x", layout={"mode": "relative", "target": "q"}),
            {"id": "f", "kind": "frame", "children": ["f", "zz", "e"], "title": "t", "label": "u"},
            edge("a", "nobody", id="e", edgeType="workflow.nothing", router="bent"),
            edge("b", "b", id="e"),
            {"id": "i", "kind": "image", "href": "https://example.org/x.png"},
            layoutStrategy={"algorithm": "grid", "columns": -1},
            constraints=[{"id": "c", "type": "align", "elements": ["a", "nobody"], "axis": "x"}],
            palette={"nodeFill": "reddish"},
        )
    ],
    "pictures worth a remark": [
        scene(node_at("a", 0, 0), node_at("b", 0, 0, label="l " * 200, style={"fontFamily": "Nothing"})),
        scene(node_at("a", 3000, 10), edge("a", "a", id="e", label="x"), edge("a", "a", id="f", label="x")),
        scene(node_at("a", 20, 20), node_at("b", 900, 20), layoutStrategy={"algorithm": "grid"}),
        scene(
            node_at("a", 0, 0, layout={"mode": "absolute", "x": 9, "y": 9, "width": 20, "height": 8}, label="too long")
        ),
        scene(
            node_at("a", 20, 20, locked=True),
            node_at("b", 300, 300, locked=True),
            constraints=[{"id": "c", "type": "align", "elements": ["a", "b"], "axis": "x"}],
            view={"focus": ["aa"]},
        ),
    ],
}


@cache
def names_in_tests() -> set[str]:
    texts = (path.read_text("utf-8") for path in TESTS.rglob("*.py") if path != Path(__file__))
    return {name for text in texts for name in re.findall(r"\b[A-Z]+(?:_[A-Z]+)+\b", text)}


def said() -> Iterator[tuple[str, Diagnostic]]:
    for name, documents in TROUBLE.items():
        for document in documents:
            yield from ((name, row) for row in validate(document))
            yield from ((name, row) for row in normalize(document)[1])


@pytest.mark.parametrize("code", ROWS.values(), ids=ROWS)
def test_every_code_is_told_whole_and_looked_for_by_a_test(code: Code) -> None:
    assert code.when.endswith(".")
    assert code.wording
    assert code.name in names_in_tests()


def test_what_is_said_is_what_the_rows_announce() -> None:
    found = list(said())
    assert len({row.code for _, row in found}) > 25
    for name, row in found:
        code = ROWS[row.code]
        assert set(row.data or {}) <= set(code.data), (name, row)
        assert leads_as_announced(code, row), (name, row)
        assert row.severity == code.severity, (name, row)


def leads_as_announced(code: Code, row: Diagnostic) -> bool:
    if code.path in {ELEMENT, NOWHERE}:
        return row.path is None and (row.element_id is not None) == (code.path == ELEMENT)
    if code.path in {MEMBER, DOCUMENT}:
        return row.path is not None and (row.path == "" or row.path.startswith("/"))
    pattern = re.sub(r"<[^>]*>", "[^/]+", code.path)
    return row.path is not None and re.fullmatch(pattern, row.path) is not None


def test_no_remark_of_rendering_is_an_error() -> None:
    assert {code.severity for code in CODES["Rendering and normalizing"]} == {Severity.INFO, Severity.WARNING}
