"""How large a document is, in words."""

from __future__ import annotations

from typing import Any

import pytest

from scenograph.scene.limits import MANY, size_told


def spokes(number: int, hub: str = "hub") -> dict[str, Any]:
    ends = [f"n{index}" for index in range(number)]
    nodes = [{"id": name, "kind": "node"} for name in (hub, *ends)]
    edges = [
        {"id": f"e-{name}", "kind": "edge", "from": {"elementId": hub}, "to": {"elementId": name}} for name in ends
    ]
    return {"elements": [*nodes, *edges]}


@pytest.mark.parametrize(
    ("document", "told"),
    [
        ({}, "0 elements and 0 lines"),
        (spokes(MANY - 1), "50 elements and 49 lines"),
        (spokes(MANY), "51 elements and 50 lines, 50 of which meet at 'hub'"),
        (spokes(MANY, "h" * 200), f"51 elements and 50 lines, 50 of which meet at '{'h' * 80}'"),
    ],
)
def test_the_element_at_which_many_lines_meet_is_named(document: dict[str, Any], told: str) -> None:
    assert size_told(document) == told


def test_a_line_from_an_element_to_itself_counts_once() -> None:
    loops = [
        {"id": f"e{number}", "kind": "edge", "from": {"elementId": "a"}, "to": {"elementId": "a"}}
        for number in range(MANY)
    ]
    assert size_told({"elements": loops}).endswith(f"{MANY} lines, {MANY} of which meet at 'a'")
