"""Cardinalities that follow from the flags of the column an end resolves to."""

from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from scenograph.diagnostics import Report
from scenograph.engine.families.entity.cardinality import inferred_cardinality
from scenograph.engine.resolve import resolve
from scenograph.scene.model import Column, Edge
from scenograph.scene.reading import read_scene

FLAGS = ("pk", "unique", "fk", "nullable")
DOCS = Path(__file__).parents[4] / "docs" / "entity-relationship.md"

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
    ("pk", *(flag for flag, holds in zip(FLAGS[1:], rest, strict=True) if holds)): "one"
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
    assert inferred_cardinality(column) == TRUTH[flags]


def test_the_truth_table_of_the_docs_is_the_one_that_holds() -> None:
    told = [line.strip("| \n").split("|") for line in DOCS.read_text("utf-8").splitlines() if line.startswith("| `")]
    rows = {tuple(cell.strip() for cell in row) for row in told if len(row) == 2}
    shown = {
        (" ".join(f"`{flag}`" for flag in flags), f"`{TRUTH[flags]}`" if TRUTH[flags] else "none")
        for flags in TRUTH
        if flags and flags[0] != "pk"
    }
    assert shown <= rows
    assert ("`pk`, whatever else", "`one`") in rows


def test_a_named_column_counts_and_what_its_author_set_is_kept(tables: Tables) -> None:
    columns = {"a": [{"name": "b_id", "fk": True, "nullable": True}], "b": [{"name": "id", "pk": True}]}
    known = {"from": to("a", column="b_id"), "to": to("b", column="id")}
    kept = {"from": to("a", column="b_id", cardinality="one-or-many"), "to": to("b", column="id", cardinality="many")}
    assert ends(tables(columns, [known, kept])) == [("zero-or-many", "one"), ("one-or-many", "many")]


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
