"""Suggestions for misspelt names."""

from __future__ import annotations

import pytest

from scenograph.scene.near_names import Budget, nearest, nearest_few
from scenograph.scene.vocabulary import SHAPES


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("roundedrect", "roundedRect"),
        ("rounded-rect", "roundedRect"),
        ("elipse", "ellipse"),
        ("diamnod", "diamond"),
        ("cyllinder", "cylinder"),
        ("rectangle", "rect"),
        ("circle", "ellipse"),
        ("box", "rect"),
        ("", None),
        ("x" * 200, None),
    ],
)
def test_the_nearest_name_is_found_when_one_is_near(name: str, near: str | None) -> None:
    assert nearest(name, SHAPES, Budget()) == near


def test_several_come_nearest_first_and_ties_in_the_order_given() -> None:
    assert nearest_few("cat", ["dog", "cats", "bat", "Cat", "rat"], 3, Budget()) == ("Cat", "cats", "bat")


def test_the_same_name_is_no_suggestion() -> None:
    assert nearest("rect", ["rect"], Budget()) is None


def test_when_the_budget_is_spent_nothing_is_suggested() -> None:
    budget = Budget(3)
    names = [f"name{n}" for n in range(9)]
    assert nearest("nam1", names, budget) == "name1"
    assert nearest("nam1", names, budget) is None


@pytest.mark.parametrize(
    ("name", "names", "near"),
    [
        ("spacing", ("algorithm", "nodeSpacing"), "nodeSpacing"),
        ("force", ("grid", "forceDirected"), "forceDirected"),
        ("alignLeft", ("distribute", "align"), "align"),
        ("er", ("sequence", "entityRelationship"), "entityRelationship"),
        ("x", ("id", "layout.x"), "layout.x"),
        ("bpmn.task", ("er.entity", "workflow.task"), "workflow.task"),
        ("0..n", ("one", "zero-or-many"), "zero-or-many"),
        ("left", ("TB", "RL"), "RL"),
        ("q", ("b", "c"), None),
        ("m9", ("m",), None),
    ],
)
def test_words_of_other_tools_parts_and_initials_say_what_was_meant(
    name: str, names: tuple[str, ...], near: str | None
) -> None:
    assert nearest(name, names, Budget()) == near


def test_a_name_that_resembles_comes_before_one_of_which_it_is_a_part() -> None:
    assert nearest("spacin", ("nodeSpacing", "spacing"), Budget()) == "spacing"
