"""One edit of any kind in a scene of any family: what it does not touch stays where it was, what it pushes moves along
one axis and keeps its order, and the picture stays when it is drawn again from its own places (R-KEEP-6).

`scripts/measure_edits.py` measures the same in thousands of edits, of files of other tools too.
"""

from __future__ import annotations

from typing import Any

import pytest
from chance.scenes import Recipe, document
from chance.section_edits import KINDS
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from measure_edits import Edit, Row, anew, judge

from scenograph.engine.families.catalog import FAMILIES
from scenograph.engine.pipeline import lay_out, places_of
from scenograph.scene.edits.operations import apply_operations

Json = dict[str, Any]
EDITS = 2
FOUND = frozenset({"moved", "both", "turned", "shrank", "on", "redraw", "fault"})
OF_CHARTS = frozenset({"moved", "redraw", "fault"})  # they follow their messages, also on both axes
PLACED = tuple(name for name, family in FAMILIES.items() if family.place is None)


class Drawn:
    """Chance that Hypothesis settles, and shrinks."""

    def __init__(self, data: st.DataObject) -> None:
        self._data = data

    def number(self, low: int, high: int) -> int:
        """A whole number from `low` to `high`."""
        return self._data.draw(st.integers(low, high))


def wrong_edits(scene: Json, data: st.DataObject, told: frozenset[str]) -> dict[str, Any]:
    """What is wrong with the first edit that keeps no promise."""
    chance, sketch = Drawn(data), None
    for _ in range(EDITS):
        first = lay_out(scene, sketch=sketch)
        places = places_of(first)
        kind = data.draw(st.sampled_from(sorted(KINDS)))
        ops = KINDS[kind].ops(scene, places["bounds"], chance)
        batch = apply_operations(scene, ops, computed_bounds=lambda _, places=places: places["bounds"])
        if not ops or not batch.succeeded:
            continue
        sketch = anew(places, batch)
        found = judge(Row(), Edit(kind, scene, batch, (first, lay_out(batch.document, sketch=sketch))))
        if wrong := {name: rows for name, rows in found.items() if name in told and rows}:
            return {"kind": kind, "ops": ops, **wrong}
        scene = batch.document
    return {}


@pytest.mark.parametrize("family", PLACED)
@settings(derandomize=True, deadline=None, max_examples=25, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_an_edit_moves_only_what_it_must(family: str, data: st.DataObject) -> None:
    recipe = Recipe(most_nodes=8, families=(family,), algorithms=("hierarchical", "flow"))
    assert wrong_edits(document(Drawn(data), recipe), data, FOUND) == {}


@st.composite
def charts(draw: st.DrawFn) -> Json:
    """Participants, some in a box, their messages and notes, and nodes beside the chart."""
    names = [f"n{number}" for number in range(draw(st.integers(2, 5)))]
    types = st.sampled_from(["sequence.lifeline", "sequence.actor", "database"])
    labels = st.sampled_from(["a", "a label of some length", "two\nlines"])
    nodes = [{"id": one, "kind": "node", "nodeType": draw(types), "label": draw(labels)} for one in names]
    beside = [
        {"id": f"x{number}", "kind": "node", "nodeType": "service", "label": "x"}
        for number in range(draw(st.integers(0, 2)))
    ]
    ends = st.sampled_from(names)
    events: list[Json] = [
        {"id": f"e{one}", "kind": "edge", "from": {"elementId": one}, "to": {"elementId": draw(ends)}} for one in names
    ]
    for number in range(draw(st.integers(0, 4))):
        if draw(st.booleans()):
            row = {"nodeType": "sequence.note", "extensions": {"over": [draw(ends)]}}
            events.append({"id": f"m{number}", "kind": "node", "label": draw(labels), **row})
        else:
            pair = {"from": {"elementId": draw(ends)}, "to": {"elementId": draw(ends)}}
            events.append({"id": f"m{number}", "kind": "edge", "label": draw(labels), **pair})
    first, last = draw(st.integers(0, len(names) - 1)), draw(st.integers(1, len(names)))
    held = names[first:last]
    boxes = [{"id": "box", "kind": "frame", "title": "box", "children": held}] if held else []
    head = {"id": "s", "units": "px", "canvas": {}}
    elements = [*nodes, *beside, *boxes, *events]
    return {"schemaVersion": "0.1", "diagramFamily": "sequence", "scene": head, "elements": elements}


@settings(derandomize=True, deadline=None, max_examples=40, suppress_health_check=[HealthCheck.too_slow])
@given(scene=charts(), data=st.data())
def test_a_chart_follows_its_messages_by_their_extent_and_no_more(scene: Json, data: st.DataObject) -> None:
    assert wrong_edits(scene, data, OF_CHARTS) == {}
