"""Layouts that go round in a circle are refused; those that end somewhere are not."""

from __future__ import annotations

from typing import Any

import pytest
from tests.scene.invalid_documents import Json, Make

from scenograph.scene.validation import validate


def beside(target: str, relation: str = "rightOf") -> Json:
    return {"layout": {"mode": "relative", "target": target, "relation": relation}}


def box(name: str, *children: str, **more: Any) -> Json:
    return {"id": name, "kind": "frame", "children": list(children)} | more


def dot(name: str, **more: Any) -> Json:
    return {"id": name, "kind": "node"} | more


@pytest.mark.parametrize(
    ("elements", "cycle"),
    [
        ([box("f", "a", **beside("a")), dot("a")], {"f", "a"}),
        ([box("f", "a", **beside("b")), dot("a"), dot("b", **beside("a"))], {"f", "a", "b"}),
        ([box("f", "x", **beside("y")), dot("x"), box("g", "y", **beside("x")), dot("y")], {"f", "g", "x", "y"}),
        ([box("f", "a"), dot("a", **beside("f"))], {"f", "a"}),
        ([box("f", "a"), dot("a", **beside("x")), dot("x", **beside("f"))], {"f", "a", "x"}),
        ([dot("a", **beside("b")), dot("b", **beside("c")), dot("c", **beside("a"))], {"a", "b", "c"}),
    ],
)
def test_layouts_may_not_go_round_by_way_of_containers(document: Make, elements: list[Json], cycle: set[str]) -> None:
    (row,) = validate(document(*elements))
    assert row.code == "LAYOUT_TARGET_CYCLE"
    assert set((row.data or {})["cycle"]) == cycle


FIXED: Json = {"layout": {"mode": "absolute", "x": 0, "y": 0, "width": 9, "height": 9}}


@pytest.mark.parametrize(
    "elements",
    [
        [box("f", "a", "b"), dot("a"), dot("b", **beside("a"))],
        [box("f", "a"), dot("a", **beside("f", "inside"))],
        [box("f", "g"), box("g", "a"), dot("a", **beside("f", "inside"))],
        [box("f", "a"), dot("a"), box("g", "b", **beside("a")), dot("b", **beside("a"))],
        [box("f", "a", **FIXED), dot("a", **beside("x")), dot("x", **beside("f"))],
        [box("f", "a", **FIXED), dot("a", **beside("f"))],
    ],
)
def test_layouts_that_end_somewhere_are_fine(document: Make, elements: list[Json]) -> None:
    assert validate(document(*elements)) == ()


@pytest.mark.parametrize(
    ("elements", "constraints", "suggestion"),
    [
        ([dot("box1", **beside("box2")), dot("else")], [], None),
        ([dot("box1", **beside("box2")), dot("box3")], [], "box3"),
        ([box("box1", "box2"), dot("else")], [], None),
        ([dot("box1"), dot("else")], ["box1", "box2"], None),
        ([dot("box1"), dot("box4")], ["box1", "box2"], "box4"),
    ],
)
def test_no_suggestion_would_be_wrong_again(
    document: Make, elements: list[Json], constraints: list[str], suggestion: str | None
) -> None:
    rows: list[Json] = [{"id": "c", "type": "align", "axis": "x", "elements": constraints}] if constraints else []
    (row,) = validate(document(*elements, constraints=rows))
    assert (row.data or {}).get("suggestion") == suggestion
