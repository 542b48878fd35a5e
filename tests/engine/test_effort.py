"""How much work a stage may do, and what is said where that was not enough."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from scenograph.diagnostics import Report
from scenograph.engine import pipeline
from scenograph.engine.effort import BOUNDS, NUDGING, SHOWN, UNTANGLING, effort_for, report_limited


def crowd(side: int) -> dict[str, Any]:
    """Two ranks of nodes, each of the one joined with each of the other."""
    ranks = [[f"a{number}" for number in range(side)], [f"b{number}" for number in range(side)]]
    nodes = [{"id": one, "kind": "node", "nodeType": "service", "label": one} for rank in ranks for one in rank]
    edges = [
        {"id": f"{a}{b}", "kind": "edge", "from": {"elementId": a}, "to": {"elementId": b}} for a, b in product(*ranks)
    ]
    head = {"id": "crowd", "title": "Crowd", "units": "px", "canvas": {}}
    return {"schemaVersion": "0.1", "diagramFamily": "architecture", "scene": head, "elements": nodes + edges}


@pytest.mark.parametrize("stage", BOUNDS)
def test_a_bound_grows_with_the_elements_up_to_a_most_and_ends_when_its_steps_are_spent(stage: str) -> None:
    small, large = effort_for(stage, 10), effort_for(stage, 1_000)
    assert large.left > small.left > 0
    small.spend(small.left - 1)
    assert not small.is_spent
    small.spend(1)
    assert small.is_spent
    assert effort_for(stage, 1_000_000).left == BOUNDS[stage].most


def test_the_remark_names_the_stage_and_each_element_once_up_to_a_number() -> None:
    report = Report()
    report_limited("nudging", [f"e{number:02}" for number in range(50)] * 2, report)
    (row,) = report.rows
    assert (row.code, row.severity, row.path) == ("EFFORT_LIMITED", "info", "/elements")
    assert row.data == {"stage": "nudging", "elementIds": [f"e{number:02}" for number in range(SHOWN)]}


def test_a_crowd_of_lines_ends_at_a_bound_and_says_so_and_a_small_scene_does_not() -> None:
    stages = [
        [row.data["stage"] for row in pipeline.lay_out(crowd(side)).diagnostics if row.code == "EFFORT_LIMITED"]
        for side in (4, 24)
    ]
    assert stages == [[], [UNTANGLING, NUDGING]]
