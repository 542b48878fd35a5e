"""Suggestions for misspelt names."""

from __future__ import annotations

import pytest

from scenograph.engine.icons import DOCUMENT_LIMITS
from scenograph.scene.near_names import CHARACTERS, NameBudget, nearest, nearest_few
from scenograph.scene.validation import validate
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
    assert nearest(name, SHAPES, NameBudget()) == near


def test_several_come_nearest_first_and_ties_in_the_order_given() -> None:
    assert nearest_few("cat", ["dog", "cats", "bat", "Cat", "rat"], 3, NameBudget()) == ("Cat", "cats", "bat")


def test_the_same_name_is_no_suggestion() -> None:
    assert nearest("rect", ["rect"], NameBudget()) is None


def test_when_the_budget_is_spent_nothing_is_suggested() -> None:
    names = [f"name{n}" for n in range(9)]
    budget = NameBudget(spent_on(names, "nam1") + 1)
    assert nearest("nam1", names, budget) == "name1"
    assert nearest("nam1", names, budget) is None


def test_the_budget_counts_the_characters_of_the_names_that_are_compared() -> None:
    few, many = ([f"{'n' * length}{number:04d}" for number in range(100)] for length in (10, 40))
    asked_once, asked_twice = spent_on(many, "m" * 44), spent_on(many, "m" * 44, "k" * 44)
    assert asked_once > spent_on(few, "m" * 14) + 100 * 30
    assert asked_once + 100 * 44 <= asked_twice < 2 * asked_once  # the list is made ready once
    assert spent_on(many, "m" * 20) < asked_once - 100 * 40  # names of another length are not compared


def test_however_many_names_are_alike_a_document_spends_one_budget_on_them() -> None:
    names = [f"{'n' * 40}{number:04d}" for number in range(5000)]
    budget = NameBudget()
    found = [nearest(f"{'n' * 40}x{number:03d}", names, budget) for number in range(200)]
    assert found[0] is not None
    assert found[-1] is None
    assert budget.left == 0


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("paymentservic", "paymentservice"),
        ("paimentsarvize", "paymentservice"),
        ("paimentsarvizz", None),
        ("ordres", "orders"),
        ("odrrse", None),
        ("ordrexy", None),
        ("dbx", "db"),
    ],
)
def test_a_name_is_near_within_two_edits_and_three_from_nine_letters_on(name: str, near: str | None) -> None:
    assert nearest(name, ["paymentservice", "orders", "db"], NameBudget()) == near


def spent_on(names: list[str], *wanted: str) -> int:
    budget = NameBudget()
    for name in wanted:
        nearest(name, names, budget)
    return CHARACTERS - budget.left


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
    assert nearest(name, names, NameBudget()) == near


def test_a_name_that_resembles_comes_before_one_of_which_it_is_a_part() -> None:
    assert nearest("spacin", ("nodeSpacing", "spacing"), NameBudget()) == "spacing"


@pytest.mark.parametrize(
    ("element", "suggestion"),
    [
        ({"kind": "edge", "source": "a"}, "from"),
        ({"kind": "edge", "target": "a"}, "to"),
        ({"kind": "edge", "arrow": "end"}, "endpoints.endArrow"),
        ({"kind": "edge", "directed": True}, "endpoints.endArrow"),
        ({"kind": "edge", "text": "calls"}, "label"),
        ({"kind": "node", "text": "Web"}, "label"),
        ({"kind": "node", "fill": "#fff"}, "style.fill"),
        ({"kind": "frame", "elements": ["a"]}, "children"),
        ({"kind": "node", "shape": "stadium"}, "pill"),
        ({"kind": "node", "extensions": {"columns": [{"name": "id", "primaryKey": True}]}}, "pk"),
        ({"kind": "node", "extensions": {"columns": [{"name": "id", "dataType": "int"}]}}, "type"),
    ],
)
def test_words_of_other_tools_are_told_the_member_that_is_meant(element: dict[str, object], suggestion: str) -> None:
    scene = {"id": "s", "units": "px", "canvas": {}}
    document = {"schemaVersion": "0.1", "scene": scene, "elements": [{"id": "x", **element}]}
    suggestions = [(row.data or {}).get("suggestion") for row in validate(document, DOCUMENT_LIMITS)]
    assert suggestion in suggestions


@pytest.mark.parametrize(("word", "node_type"), [("class", "uml.class"), ("stateMachine", "state.state")])
def test_a_notation_given_as_a_family_is_told_which_family_draws_it_and_how(word: str, node_type: str) -> None:
    scene = {"id": "s", "units": "px", "canvas": {}}
    document = {"schemaVersion": "0.1", "diagramFamily": word, "scene": scene, "elements": []}
    [said] = [row.message for row in validate(document, DOCUMENT_LIMITS) if row.path == "/diagramFamily"]
    assert f"nodes of type {node_type}" in said
    typo = {**document, "diagramFamily": "architectur"}
    assert all("nodes of type" not in row.message for row in validate(typo, DOCUMENT_LIMITS))
