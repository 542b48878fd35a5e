"""Large and bad documents: the work grows with the document and no faster, and answers stay short."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from tests.steps import work

from scenograph.engine.icons import KnownIcons
from scenograph.scene.description.fields import MOST_CHOICES
from scenograph.scene.limits import Limits
from scenograph.scene.validation import ICON_CHARACTERS, MOST_NAMES, validate

Json = dict[str, Any]
Make = Callable[..., Json]


def table(columns: int) -> Json:
    return {
        "id": "t",
        "kind": "node",
        "nodeType": "er.entity",
        "extensions": {"columns": [{"name": f"c{n}"} for n in range(columns)]},
        "ports": [{"id": f"p{n}"} for n in range(min(columns, 200))],
    }


def joins(count: int, **end: str) -> list[Json]:
    return [
        {"id": f"e{n}", "kind": "edge", "from": {"elementId": "t"} | end, "to": {"elementId": "u"}}
        for n in range(count)
    ]


USED: Json = {"id": "u", "kind": "node"}


@pytest.mark.parametrize("end", [{"column": "c899"}, {"column": "none"}, {"port": "p199"}, {"port": "none"}])
def test_what_an_element_offers_is_gathered_once_however_many_edges_end_there(
    document: Make, end: dict[str, str]
) -> None:
    few, many = (document(table(900), USED, *joins(count, **end)) for count in (300, 600))
    bare, bare_many = (document(table(900), USED, *joins(count)) for count in (300, 600))
    extra = work(lambda: validate(few)) - work(lambda: validate(bare))
    extra_many = work(lambda: validate(many)) - work(lambda: validate(bare_many))
    assert extra_many - extra < 300 * 80


def test_long_lists_of_known_names_are_cut_and_counted(document: Make) -> None:
    rows = validate(document(table(900), USED, *joins(200, column="none")))
    assert {row.code for row in rows} == {"EDGE_COLUMN_NOT_FOUND"}
    data = rows[0].data or {}
    assert (len(data["allowed"]), data["allowedCount"]) == (MOST_CHOICES, 900)
    assert len(json.dumps([row.as_json() for row in rows])) < 300_000
    (short,) = validate(document(table(3), USED, *joins(1, column="none")))
    assert short.data == {"allowed": ["c0", "c1", "c2"]}


@pytest.mark.parametrize(
    ("members", "path"),
    [
        ({"extensions": {"columns": [{"name": f"c{n}"} for n in range(1001)]}}, "/elements/0/extensions/columns"),
        ({"ports": [{"id": f"p{n}"} for n in range(201)]}, "/elements/0/ports"),
        ({"kind": "frame", "children": ["u"] * 5001}, "/elements/0/children"),
    ],
)
def test_columns_ports_and_children_have_a_limit(document: Make, members: Json, path: str) -> None:
    rows = validate(document({"id": "t", "kind": "node"} | members, USED))
    assert ("LIMIT_EXCEEDED", path) in [(row.code, row.path) for row in rows]


def test_a_thousand_columns_and_two_hundred_ports_are_fine(document: Make) -> None:
    assert validate(document(table(1000))) == ()


def test_no_more_listings_are_looked_at_than_can_be_sound(document: Make) -> None:
    scene = document(*[{"id": f"f{n}", "kind": "frame", "children": [f"x{n}"] * 20} for n in range(50)])
    rows = validate(scene, Limits(elements=50))
    assert [row.code for row in rows] == ["CHILD_NOT_FOUND"] * 51


def test_unknown_members_beyond_what_can_be_shown_cost_next_to_nothing(document: Make) -> None:
    few, many = (document({"id": "t", "kind": "node"} | {f"u{n}": 1 for n in range(count)}) for count in (300, 6000))
    assert work(lambda: validate(many)) < work(lambda: validate(few)) + 4 * 5700
    assert len(validate(many)) == 201


def test_a_document_of_nothing_but_missing_children_is_judged_by_its_first_ones(document: Make) -> None:
    names = [f"{n:05d}xxxxxxxxxxxx" for n in range(5000)]
    scene = document(*[{"id": name, "kind": "frame", "children": [f"{name}y"] * 20} for name in names])
    assert len(validate(scene)) == 201
    assert work(lambda: validate(scene)) < 10_000_000


@pytest.mark.parametrize("counted", ["columns", "ports"])
def test_what_a_remark_lists_of_long_names_is_cut_by_its_characters(document: Make, counted: str) -> None:
    long = [f"{'n' * 200}{number}" for number in range(100)]
    holder = table(0) if counted == "columns" else {"id": "t", "kind": "node"}
    members = {"extensions": {"columns": [{"name": name} for name in long]}}
    members = members if counted == "columns" else {"ports": [{"id": name, "side": "left"} for name in long]}
    rows = validate(document(holder | members, USED, *joins(200, **{counted.removesuffix("s"): "none"})))
    assert len(json.dumps([row.as_json() for row in rows])) < 200 * 6_000


def test_circles_of_layouts_are_told_until_they_have_enough_names(document: Make) -> None:
    def beside(target: str) -> Json:
        return {"mode": "relative", "target": target, "relation": "rightOf"}

    def frames(count: int) -> list[Json]:
        return [
            part
            for n in range(count)
            for part in (
                {"id": f"f{n}", "kind": "frame", "children": [f"a{n}", f"b{n}"]},
                {"id": f"a{n}", "kind": "node", "layout": beside(f"f{(n + 1) % count}")},
                {"id": f"b{n}", "kind": "node", "layout": beside("f0")},
            )
        ]

    rows = validate(document(*frames(600)))
    names = sum(len((row.data or {}).get("cycle", ())) for row in rows)
    assert MOST_NAMES < names < MOST_NAMES + 2_000


def test_of_unknown_icons_the_first_characters_are_looked_for(document: Make) -> None:
    asked: list[str] = []

    class Registry(KnownIcons):
        def nearest(self, key: str) -> tuple[str, ...]:
            asked.append(key)
            return ()

    nodes = [{"id": f"n{n}", "kind": "node", "icon": f"nothing-like-this-{n}"} for n in range(100)]
    validate(document(*nodes), Limits(icons=Registry()))
    assert sum(map(len, asked)) <= ICON_CHARACTERS
    assert len(asked) > 1
