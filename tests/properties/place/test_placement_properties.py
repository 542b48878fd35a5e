"""What a placement promises, over scenes of every family that chance makes up: every strategy and direction, frames,
groups, pools and lanes, positions, relations, constraints.

Hypothesis finds the smallest scene that breaks a promise; `scripts/place_by_chance.py` looks at thousands.
"""

from __future__ import annotations

from typing import Any

import pytest
from chance.promises import broken, is_finite, keeps_positions, placed, repeats
from chance.scenes import DIRECTIONS, PLACED, SELF_PLACED, Recipe, document
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scenograph.engine.place.algorithms import ALGORITHMS

few = settings(derandomize=True, deadline=None, max_examples=25, suppress_health_check=[HealthCheck.too_slow])
many = settings(few, max_examples=60)


class Drawn:
    """Chance that Hypothesis settles, and shrinks."""

    def __init__(self, draw: st.DrawFn) -> None:
        self._draw = draw

    def number(self, low: int, high: int) -> int:
        """A whole number from `low` to `high`."""
        return self._draw(st.integers(low, high))


@st.composite
def scenes(draw: st.DrawFn, recipe: Recipe) -> dict[str, Any]:
    return document(Drawn(draw), recipe)


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@few
@given(data=st.data())
def test_every_strategy_places_nested_content_apart_and_inside(algorithm: str, data: st.DataObject) -> None:
    made = data.draw(scenes(Recipe(algorithms=(algorithm,), most_nodes=8)))
    assert not broken(made)


@pytest.mark.parametrize("family", PLACED)
@pytest.mark.parametrize("direction", DIRECTIONS)
@settings(few, max_examples=4)
@given(data=st.data())
def test_every_family_is_placed_in_every_direction(family: str, direction: str, data: st.DataObject) -> None:
    made = data.draw(scenes(Recipe(families=(family,), most_nodes=6)))
    made["layoutStrategy"] = made.get("layoutStrategy", {}) | {"direction": direction}
    assert not broken(made)


@many
@given(made=scenes(Recipe(positions=4, most_nodes=7)))
def test_what_its_author_placed_stays_and_the_rest_finds_room(made: dict[str, Any]) -> None:
    assert not broken(made)


@many
@given(made=scenes(Recipe(relations=3, most_nodes=7)))
def test_relations_are_kept(made: dict[str, Any]) -> None:
    assert not broken(made)


@few
@given(made=scenes(Recipe(positions=5, relations=4, most_nodes=7)))
def test_positions_are_kept_whatever_is_placed_relative_to_them(made: dict[str, Any]) -> None:
    page = placed(made)
    assert not [*is_finite(page), *keeps_positions(page), *repeats(page)]


@many
@given(made=scenes(Recipe(constraints=3, most_nodes=7)))
def test_constraints_leave_no_child_outside_and_nothing_on_what_they_do_not_name(made: dict[str, Any]) -> None:
    assert not broken(made)


@few
@given(made=scenes(Recipe(constraints=3, positions=5, most_nodes=7)))
def test_constraints_move_nothing_that_has_a_place_and_is_not_named(made: dict[str, Any]) -> None:
    assert not broken(made)


@few
@given(made=scenes(Recipe(families=SELF_PLACED, positions=6, most_nodes=7)))
def test_families_that_place_themselves_answer_a_box_for_everything(made: dict[str, Any]) -> None:
    page = placed(made)
    assert not [*is_finite(page), *repeats(page)]


@few
@given(made=scenes(Recipe(most_nodes=6, pools=False)))
def test_positions_all_at_the_origin_are_forgotten_with_a_remark(made: dict[str, Any]) -> None:
    for one in made["elements"]:
        if one["kind"] == "node":
            one["layout"] = {"mode": "absolute", "x": 0, "y": 0}
    page = placed(made)
    assert [row.data for row in page.remarks if row.code == "LAYOUT_ABSOLUTE_AT_ORIGIN"] == [
        {
            "affectedElementIds": sorted(one["id"] for one in made["elements"] if one["kind"] == "node"),
            "allAtOrigin": True,
            "layoutStrategyPresent": "layoutStrategy" in made,
        }
    ]
    assert not [*keeps_positions(page), *broken(made)]


@few
@given(made=scenes(Recipe(most_nodes=6, nests=True)))
def test_pools_in_pools_lanes_and_frames_keep_every_promise(made: dict[str, Any]) -> None:
    assert not broken(made)


@many
@given(made=scenes(Recipe(most_nodes=6, nests=True, positions=4, relations=6, constraints=2)))
def test_nested_pools_have_a_box_for_everything_whatever_has_a_place_in_them(made: dict[str, Any]) -> None:
    page = placed(made)
    assert not [*is_finite(page), *repeats(page)]
