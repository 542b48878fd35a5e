"""DBML: tables, references, enumerations, groups and notes."""

from __future__ import annotations

from typing import Any

import pytest

from scenograph.reading.readers import Import, read_source, recognized
from scenograph.reading.source import Source as Text
from scenograph.reading.source import Unreadable
from scenograph.scene.edits.operations import apply_operations
from scenograph.scene.synchronizing import SourceIdentity, synchronize

SHOP = """\
// The shop
Project shop { database_type: 'PostgreSQL' }
Table core.users as U [note: 'Who may sign in'] {
  id integer [pk]
  email varchar(255) [unique, not null, note: 'lower case']
  state job_state
  "full name" "character varying"
}
Table posts {
  id int [primary key]
  author_id int [not null, ref: > core.users.id]
  editor_id int
  price decimal(10, 2)
  tags text[]
  indexes {
    (author_id, editor_id) [unique]
  }
}
Enum job_state { new
  "in work" [note: 'x'] }
Ref: U.id < posts.editor_id
TableGroup social { posts }
Note hello { 'Read me' }
"""


def dbml(text: str) -> Import:
    return read_source(Text(text=text), "dbml")


def elements(found: Import | dict[str, Any]) -> dict[str, dict[str, Any]]:
    document = found.document if isinstance(found, Import) else found
    return {one["id"]: one for one in document["elements"]}


def columns(found: Import, name: str) -> list[dict[str, Any]]:
    return elements(found)[name]["extensions"]["columns"]


def lines(text: str) -> list[tuple[str, ...]]:
    rows = [one for one in dbml(text).document["elements"] if one["kind"] == "edge"]
    return [
        tuple(
            f"{row[end]['elementId']}.{row[end].get('column', '')} {row[end]['cardinality']}" for end in ("from", "to")
        )
        for row in rows
    ]


def told(found: Import) -> list[tuple[int, str]]:
    return [(row.data["line"], row.data["what"]) for row in found.diagnostics if row.data]


def test_tables_are_entities_with_their_columns() -> None:
    found = dbml(SHOP)
    assert found.document["scene"]["title"] == "shop"
    assert columns(found, "core.users") == [
        {"name": "id", "type": "integer", "pk": True},
        {"name": "email", "type": "varchar(255)", "unique": True},
        {"name": "state", "type": "job_state", "nullable": True},
        {"name": "full name", "type": "character varying", "nullable": True},
    ]
    assert [one["type"] for one in columns(found, "posts")] == ["int", "int", "int", "decimal(10, 2)", "text[]"]
    assert [one["name"] for one in columns(found, "posts") if one.get("fk")] == ["author_id", "editor_id"]


def test_notes_and_values_of_enumerations_are_the_tooltip() -> None:
    assert elements(dbml(SHOP))["core.users"]["tooltip"] == (
        "Who may sign in\nemail: lower case\nstate: one of new, in work"
    )
    text = "Table a {\n  b int\n  Note: '''\n    one\n      two \\'''\n  '''\n}\n"
    assert elements(dbml(text))["a"]["tooltip"] == "one\n  two '''"


def test_groups_are_frames_and_notes_stand_beside_the_tables() -> None:
    here = elements(dbml(SHOP))
    assert (here["group-social"]["title"], here["group-social"]["children"]) == ("social", ["posts"])
    assert (here["note-hello"]["nodeType"], here["note-hello"]["label"]) == ("note", "Read me")


def test_lines_run_from_the_column_that_refers() -> None:
    assert lines(SHOP) == [
        ("posts.editor_id zero-or-many", "core.users.id zero-or-one"),
        ("posts.author_id zero-or-many", "core.users.id one"),
    ]


@pytest.mark.parametrize(
    ("reference", "line"),
    [
        ("Ref: a.x > b.y", ("a.x zero-or-many", "b.y zero-or-one")),
        ("Ref: a.x < b.y", ("b.y zero-or-many", "a.x zero-or-one")),
        ("Ref: a.x - b.y", ("b.y zero-or-one", "a.x zero-or-one")),
        ("Ref: a.x <> b.y", ("a.x zero-or-many", "b.y zero-or-many")),
        ("Ref n { a.(x, k) > public.b.(y, k) [delete: set null] }", ("a.x zero-or-one", "b.y zero-or-one")),
        ("ref n [color: #fff]: a.k > b.y", ("a.k zero-or-one", "b.y one")),
        ("Table c { d int [ref: - a.x] }", ("c.d zero-or-one", "a.x zero-or-one")),
        ("Table c { id int [pk]\n d int [ref: > id] }", ("c.d zero-or-many", "c.id zero-or-one")),
        ("Table c { d int [ref: < a.x, not null] }", ("a.x zero-or-many", "c.d zero-or-one")),
    ],
)
def test_a_reference_has_the_ends_that_its_operator_says(reference: str, line: tuple[str, str]) -> None:
    assert lines(f"Table a {{ x int\n k int [pk] }}\nTable b {{ y int\n k int [pk] }}\n{reference}\n") == [line]


def test_a_partial_table_gives_its_columns_where_it_is_injected() -> None:
    text = (
        "TablePartial base [note: 'n'] { id int [pk]\n made int\n indexes { made [unique] } }\n"
        "Table t { ~base\n made text [not null]\n ~gone\n}\n"
    )
    found = dbml(text)
    assert columns(found, "t") == [
        {"name": "id", "type": "int", "pk": True},
        {"name": "made", "type": "text", "unique": True},
    ]
    assert told(found) == [(6, "table t injects a partial table that is not defined here")]


def test_what_is_not_drawn_is_told_once_with_its_line() -> None:
    found = dbml(
        "Table a [headercolor: #fff] {\n  b int [default: 's3cr3t', increment]\n  c int [default: `now()`]\n}\n"
        "records a(b, c) {\n  's3cr3t', { 1 }\n}\nRef: a.b > x.y\nRef: a.z > a.b\nEnum e { one }\n"
        "TableGroup g { a\n gone }\nTable a { d int }\nDiagramView v { Tables { a } }\n"
    )
    assert told(found) == [
        (1, "headercolor: not drawn"),
        (2, "default: not drawn"),
        (2, "increment: not drawn"),
        (5, "records: not drawn"),
        (8, "a reference leads to 'x', which is not defined here"),
        (9, "a reference leads to 'z', which 'a' does not have"),
        (10, "enum e is the type of no column"),
        (12, "group 'g' holds 'gone', which is not defined here"),
        (13, "table a is defined again; the first counts"),
        (14, "views: not drawn"),
    ]
    assert found.whole
    assert "s3cr3t" not in str(found)


@pytest.mark.parametrize(
    ("broken", "line"),
    [
        ("  b int [pk\n", 4),
        ("  b\n", 2),
        ("  b int )\n", 2),
        ("  b int [ref: > ]\n", 2),
        ("  'b' int\n", 2),
        ("  b int [= 1]\n", 2),
    ],
)
def test_a_broken_line_costs_itself(broken: str, line: int) -> None:
    found = dbml(f"Table t {{\n{broken}  c int\n}}\nTable last {{ d int }}\n")
    assert not found.whole
    assert line in [row for row, _ in told(found)]
    assert [one["name"] for one in columns(found, "last")] == ["d"]


@pytest.mark.parametrize("broken", ["Table {", "Ref: a.b", "Enum e [", "nonsense here", "Ref: a >", "use * from './x'"])
def test_a_broken_element_costs_itself(broken: str) -> None:
    found = dbml(f"Table t {{ c int }}\n{broken}\nTable last {{ d int }}\n")
    assert not found.whole
    assert [*elements(found)] == ["t", "last"]


@pytest.mark.parametrize(
    "text",
    [
        SHOP,
        "/* a */\n\nTable t {\n}\n",
        'table "a b" {\n  c int\n}\n',
        "Ref: a.b > c.d\nTable a\n{\n b int\n}\n",
    ],
)
def test_it_is_recognized_by_its_elements(text: str) -> None:
    assert recognized(text) == "dbml"


@pytest.mark.parametrize(
    "text",
    [
        "Table 1 shows a list of {things}\n",
        "enum Color {\n  RED\n}\n",
        "model User {\n  id Int @id\n}\n",
        "# Page\n\nTable users {\n}\n",
        "type Table {\n  a: Int\n}\n",
    ],
)
def test_other_texts_are_not_taken_for_it(text: str) -> None:
    with pytest.raises(Unreadable):
        recognized(text)


@pytest.mark.parametrize(
    ("old", "new", "ops"),
    [
        ("decimal(10, 2)", "money", [("updateNode", "posts")]),
        ("Ref: U.id < posts.editor_id\n", "", [("deleteElement", "posts--core.users"), ("updateNode", "posts")]),
        ("posts.editor_id\n", "posts.editor_id [delete: cascade]\n", []),
        ("{ posts }", "{ core.users }", [("reparentElement", "core.users"), ("reparentElement", "posts")]),
        ("'Read me'", "'Read on'", [("updateNode", "note-hello")]),
    ],
)
def test_an_unchanged_source_syncs_to_nothing_and_one_change_is_that_change(
    old: str, new: str, ops: list[tuple[str, str]]
) -> None:
    stored = dbml(SHOP).document
    source = SourceIdentity("dbml", "")
    assert synchronize(stored, dbml(SHOP).document, source, whole=True).ops == ()
    elements(stored)["core.users"]["style"] = {"fill": "#ffeeaa"}
    done = synchronize(stored, dbml(SHOP.replace(old, new)).document, source, whole=True)
    assert sorted((op["op"], op["id"]) for op in done.ops) == sorted(ops)
    batch = apply_operations(stored, done.ops)
    assert batch.succeeded
    assert elements(batch.document)["core.users"]["style"] == {"fill": "#ffeeaa"}
