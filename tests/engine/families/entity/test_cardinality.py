"""Cardinalities that follow from the flags of the column an end resolves to."""

from collections.abc import Callable
from itertools import product
from typing import Any

import pytest

from scenograph.diagnostics import Report
from scenograph.engine.families.entity import inferred_cardinality
from scenograph.engine.resolve import resolve
from scenograph.scene.model import Column, Edge
from scenograph.scene.reading import read_scene

FLAGS = ("pk", "unique", "fk", "nullable")

TRUTH = {
    (): None,
    ("nullable",): None,
    ("fk",): "many",
    ("fk", "nullable"): "zero-or-many",
    ("unique",): "one",
    ("unique", "nullable"): "zero-or-one",
    ("unique", "fk"): "one",
    ("unique", "fk", "nullable"): "zero-or-one",
} | {
    ("pk", *(flag for flag, holds in zip(FLAGS[1:], rest, strict=True) if holds)): "zero-or-one" if rest[2] else "one"
    for rest in product((False, True), repeat=3)
}

Tables = Callable[..., dict[str, Any]]


def ends(document: dict[str, Any]) -> list[tuple[str | None, str | None]]:
    scene = resolve(read_scene(document, Report()), Report())
    edges = [element for element in scene.elements if isinstance(element, Edge)]
    return [(edge.source.cardinality, edge.target.cardinality) for edge in edges]


def to(entity: str, **members: str) -> dict[str, str]:
    return {"elementId": entity, **members}


@pytest.mark.parametrize("flags", TRUTH, ids=lambda flags: "+".join(flags) or "none")
def test_the_flags_of_a_column_tell_the_cardinality(flags: tuple[str, ...]) -> None:
    column = Column(
        name="c", pk="pk" in flags, fk="fk" in flags, unique="unique" in flags, nullable="nullable" in flags
    )
    assert inferred_cardinality(column, [column]) == TRUTH[flags]


@pytest.mark.parametrize(
    ("flags", "told"),
    [
        ({"pk"}, "many"),
        ({"pk", "fk"}, "many"),
        ({"pk", "fk", "nullable"}, "zero-or-many"),
        ({"pk", "unique"}, "one"),
        ({"pk", "unique", "nullable"}, "zero-or-one"),
    ],
    ids=lambda value: value if isinstance(value, str) else "+".join(sorted(value)),
)
def test_a_part_of_a_composite_key_is_not_unique_by_itself(flags: set[str], told: str) -> None:
    part = Column(name="a", pk=True, fk="fk" in flags, unique="unique" in flags, nullable="nullable" in flags)
    assert inferred_cardinality(part, [part, Column(name="b", pk=True)]) == told


def test_a_join_table_has_many_at_both_of_its_ends(tables: Tables) -> None:
    columns = {
        "student": [{"name": "id", "pk": True}],
        "enrolment": [{"name": "student", "pk": True, "fk": True}, {"name": "course", "pk": True, "fk": True}],
        "course": [{"name": "id", "pk": True}],
    }
    edges = [{"from": to("enrolment", column=name), "to": to(name, column="id")} for name in ("student", "course")]
    assert ends(tables(columns, edges)) == [("many", "one")] * 2


def test_a_named_column_counts_and_what_its_author_set_is_kept(tables: Tables) -> None:
    columns = {"a": [{"name": "b_id", "fk": True, "nullable": True}], "b": [{"name": "id", "pk": True}]}
    known = {"from": to("a", column="b_id"), "to": to("b", column="id")}
    kept = {"from": to("a", column="b_id", cardinality="one-or-many"), "to": to("b", column="id", cardinality="many")}
    assert ends(tables(columns, [known, kept])) == [("zero-or-many", "zero-or-one"), ("one-or-many", "many")]


@pytest.mark.parametrize(
    ("nullable", "told"), [(True, "zero-or-one"), (False, "one")], ids=["may be null", "is never null"]
)
def test_the_end_that_a_nullable_foreign_key_refers_to_may_be_none(tables: Tables, nullable: bool, told: str) -> None:
    columns = {
        "a": [{"name": "b_id", "fk": True, "nullable": nullable}],
        "b": [{"name": "id", "pk": True}, {"name": "a_id", "fk": True}],
        "c": [{"name": "b_id", "pk": True, "fk": True}],
    }
    key, referred = to("a", column="b_id"), {"b": to("b", column="id"), "only key": to("b"), "c": to("c")}
    for end in referred.values():
        assert ends(tables(columns, [{"from": key, "to": end}]))[0][1] == told
    assert ends(tables(columns, [{"from": referred["b"], "to": key}]))[0][0] == told
    assert ends(tables(columns, [{"from": key, "to": to("b", column="a_id")}]))[0][1] == "many"


def test_a_nullable_foreign_key_of_a_composite_key_refers_to_one_row_or_none(tables: Tables) -> None:
    columns = {
        "a": [{"name": "x", "fk": True, "nullable": True}],
        "b": [{"name": "x", "pk": True}, {"name": "y", "pk": True}],
    }
    for end in (to("b", column="x"), to("b")):
        assert ends(tables(columns, [{"from": to("a", column="x"), "to": end}])) == [("zero-or-many", "zero-or-one")]


def test_without_a_column_a_single_primary_key_stands_for_the_entity(tables: Tables) -> None:
    columns = {
        "single": [{"name": "id", "key": "PK"}, "name"],
        "composite": [{"name": "a", "pk": True}, {"name": "b", "pk": True}],
        "keyless": ["name"],
        "bare": [],
    }
    edges = [{"from": to("single"), "to": to(other)} for other in ("composite", "keyless", "bare")]
    assert ends(tables(columns, edges)) == [("one", None)] * 3


def test_a_name_that_no_column_has_does_not_mean_the_primary_key(tables: Tables) -> None:
    columns = {"a": [{"name": "id", "pk": True}], "b": [{"name": "id", "pk": True}]}
    assert ends(tables(columns, [{"from": to("a", column="ghost"), "to": to("b")}])) == [(None, "one")]


def test_an_edge_from_an_entity_to_itself_gets_no_glyphs(tables: Tables) -> None:
    columns = {"a": [{"name": "id", "pk": True}, {"name": "boss", "fk": True}]}
    document = tables(columns, [{"from": to("a", column="boss"), "to": to("a", column="id", cardinality="one")}])
    scene = resolve(read_scene(document, Report()), Report())
    (edge,) = (element for element in scene.elements if isinstance(element, Edge))
    assert (edge.source.cardinality, edge.start_arrow, edge.end_arrow) == (None, "none", "none")
