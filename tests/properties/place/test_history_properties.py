"""Histories of edits, each revision drawn from the places of the one before: nothing lies on anything else, no line
runs through a node, and a revision drawn again from its own places stays as it is (R-KEEP-6, R-KEEP-9).

`scripts/edit_by_chance.py` looks at thousands. Of what people do by operations, in scenes with pools and lanes, every
revision is placed from the one before (R-KEEP-13).
"""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
from chance.histories import faults, history
from chance.operations import done
from chance.scenes import Recipe, document
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scenograph.engine.families.catalog import FAMILIES
from scenograph.engine.pipeline import lay_out, places_of
from scenograph.scene.edits.operations import apply_operations

EDITS = 3
POOLS = Recipe(most_nodes=6, families=("workflow", "architecture"), nests=True, positions=6)


class Drawn:
    """Chance that Hypothesis settles, and shrinks."""

    def __init__(self, data: st.DataObject) -> None:
        self._data = data

    def number(self, low: int, high: int) -> int:
        """A whole number from `low` to `high`."""
        return self._data.draw(st.integers(low, high))


def graph(data: st.DataObject) -> dict[str, Any]:
    """A tree with some ties more, flat or in two frames."""
    count = data.draw(st.integers(5, 10))
    nodes = [{"id": f"n{i}", "kind": "node", "label": f"Node {i}"} for i in range(count)]
    pairs = {(data.draw(st.integers(0, i - 1)), i) for i in range(1, count)}
    pairs |= {(i, j) for i, j in data.draw(st.lists(st.tuples(*[st.integers(0, count - 1)] * 2), max_size=3)) if i < j}
    edges = [
        {"id": f"e{i}-{j}", "kind": "edge", "from": {"elementId": f"n{i}"}, "to": {"elementId": f"n{j}"}}
        for i, j in sorted(pairs)
    ]
    half = count // 2
    frames = [
        {"id": name, "kind": "frame", "title": name, "children": [f"n{i}" for i in rows]}
        for name, rows in (("first", range(half)), ("second", range(half, count)))
    ]
    elements = [*nodes, *(frames if data.draw(st.booleans()) else []), *edges]
    head = {"id": "s", "units": "px", "canvas": {}}
    return {"schemaVersion": "0.1", "diagramFamily": "architecture", "scene": head, "elements": elements}


@settings(derandomize=True, deadline=None, max_examples=10, suppress_health_check=[HealthCheck.too_slow])
@pytest.mark.parametrize("family", sorted(FAMILIES))
@given(data=st.data())
def test_a_picture_drawn_from_its_own_places_is_the_same(family: str, data: st.DataObject) -> None:
    scene = document(Drawn(data), Recipe(most_nodes=8, families=(family,), algorithms=("hierarchical", "flow", "grid")))
    places = places_of(lay_out(scene))
    assert places_of(lay_out(scene, sketch=places)) == places


@settings(derandomize=True, deadline=None, max_examples=25, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_every_revision_of_a_history_is_sound_and_stays(data: st.DataObject) -> None:
    for kind, revision, places in history(graph(data), Drawn(data), EDITS):
        assert not faults(revision, places), kind


def _bounds(document: dict[str, Any], sketch: dict[str, Any]) -> dict[str, Any]:
    return places_of(lay_out(document, sketch=sketch))["bounds"]


@settings(derandomize=True, deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_what_people_do_to_pools_and_lanes_never_makes_the_engine_forget_places(data: st.DataObject) -> None:
    chance = Drawn(data)
    scene = document(chance, POOLS)
    places = places_of(lay_out(scene))
    for _ in range(EDITS):
        kind, ops = done(scene, chance)
        batch = apply_operations(scene, ops, computed_bounds=partial(_bounds, sketch=places))
        assert batch.succeeded, (kind, batch.diagnostics)
        scene = batch.document
        rest = {key: box for key, box in places["bounds"].items() if key not in batch.relayout.ids}
        laid_out = lay_out(scene, sketch={**places, "bounds": rest})
        assert not [row.fault for row in laid_out.diagnostics if row.fault], kind
        places = places_of(laid_out)
