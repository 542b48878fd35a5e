"""Schemas in SQL as documents."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from scenograph.reading.losses import Unreadable
from scenograph.reading.readers import Import, recognized
from scenograph.scene.validation import validate

Read = Callable[..., Import]

POSTGRES = """
-- people
CREATE TABLE IF NOT EXISTS public.users (
  id bigserial PRIMARY KEY,
  email character varying(200) NOT NULL UNIQUE,
  boss_id bigint REFERENCES users (id) ON DELETE SET NULL
);
CREATE TABLE shop.orders (
  id uuid DEFAULT gen_random_uuid(),
  user_id bigint NOT NULL,
  placed timestamp with time zone DEFAULT now(),
  CHECK (placed > '2020-01-01'),
  PRIMARY KEY (id)
);
ALTER TABLE ONLY shop.orders ADD CONSTRAINT fk FOREIGN KEY (user_id) REFERENCES public.users (id);
COMMENT ON TABLE users IS 'Who may sign in';
COMMENT ON COLUMN users.email IS 'lower case';
INSERT INTO users VALUES (1, 'a;b', NULL);
"""


def by_id(found: Import) -> dict[str, dict[str, Any]]:
    return {element["id"]: element for element in found.document["elements"]}


def columns(found: Import, table: str) -> dict[str, dict[str, Any]]:
    return {row["name"]: row for row in by_id(found)[table]["extensions"]["columns"]}


def told(found: Import) -> list[tuple[int, str]]:
    return [(row.data["line"], row.data["what"]) for row in found.diagnostics if row.data]


def test_tables_are_entities_and_foreign_keys_edges_between_rows(sql: Read) -> None:
    found = sql(POSTGRES)
    assert columns(found, "users") == {
        "id": {"name": "id", "type": "bigserial", "pk": True},
        "email": {"name": "email", "type": "character varying(200)", "unique": True},
        "boss_id": {"name": "boss_id", "type": "bigint", "fk": True, "nullable": True},
    }
    assert columns(found, "shop.orders")["placed"]["type"] == "timestamp with time zone"
    edge = by_id(found)["shop.orders--users"]
    assert edge["from"] == {"elementId": "shop.orders", "column": "user_id", "cardinality": "zero-or-many"}
    assert edge["to"] == {"elementId": "users", "column": "id", "cardinality": "one"}
    assert edge["metadata"]["source"]["id"] == "shop.orders(user_id) -> users(id)"
    assert by_id(found)["users"]["tooltip"] == "Who may sign in\nemail: lower case"
    assert found.whole
    assert told(found) == [(18, "statements that define no table were passed over (1 INSERT)")]
    assert [row for row in validate(found.document) if row.severity == "error"] == []


@pytest.mark.parametrize(
    ("dialect", "text", "types"),
    [
        (
            "mysql",
            (
                "CREATE TABLE `t` (`id` int(11) unsigned NOT NULL AUTO_INCREMENT COMMENT 'it''s', `k` enum('a','b'),"
                " PRIMARY KEY (`id`), UNIQUE KEY `u` (`k`), KEY `i` (`k`)) ENGINE=InnoDB COMMENT='rows';"
            ),
            {"id": "int(11) unsigned", "k": "enum('a','b')"},
        ),
        (
            "mssql",
            (
                "CREATE TABLE [dbo].[t] ([id] INT IDENTITY(1,1) NOT NULL, [k] NVARCHAR(MAX) NULL,"
                " CONSTRAINT [pk] PRIMARY KEY CLUSTERED ([id] ASC) WITH (PAD_INDEX = OFF), UNIQUE ([k]))\nGO\n"
            ),
            {"id": "INT", "k": "NVARCHAR(MAX)"},
        ),
        (
            "oracle",
            "CREATE TABLE t (id NUMBER(10) CONSTRAINT pk PRIMARY KEY ENABLE, k VARCHAR2(3 CHAR) UNIQUE);",
            {"id": "NUMBER(10)", "k": "VARCHAR2(3 CHAR)"},
        ),
        (
            "snowflake",
            (
                "CREATE OR REPLACE TRANSIENT TABLE t (id NUMBER(38,0) AUTOINCREMENT START 1, k VARIANT UNIQUE,"
                " PRIMARY KEY (id)) CLUSTER BY (id);"
            ),
            {"id": "NUMBER(38,0)", "k": "VARIANT"},
        ),
        (
            "sqlite",
            "CREATE TABLE t (id INTEGER PRIMARY KEY AUTOINCREMENT, k UNIQUE) WITHOUT ROWID;",
            {"id": "INTEGER", "k": None},
        ),
    ],
)
def test_every_dialect_is_read_as_itself_and_guessed(sql: Read, dialect: str, text: str, types: dict[str, str]) -> None:
    asked, guessed = sql(text, dialect), sql(text)
    assert guessed.document["elements"] == asked.document["elements"]
    rows = columns(asked, "t")
    assert {name: row.get("type") for name, row in rows.items()} == types
    assert rows["id"].get("pk")
    assert rows["k"].get("unique")
    assert asked.whole


def test_later_statements_change_earlier_tables(sql: Read) -> None:
    found = sql(
        "CREATE TABLE a (id int PRIMARY KEY, old text, gone text);\nCREATE TABLE b (id int PRIMARY KEY);\n"
        "ALTER TABLE a ADD COLUMN b_id int NOT NULL REFERENCES b, DROP COLUMN gone;\n"
        "ALTER TABLE a RENAME COLUMN old TO fresh;\nALTER TABLE a ALTER COLUMN fresh SET NOT NULL;\n"
        "CREATE UNIQUE INDEX u ON a (b_id);\nALTER TABLE b RENAME TO c;\nCREATE TABLE d (id int);\nDROP TABLE d;"
    )
    assert list(columns(found, "a")) == ["id", "fresh", "b_id"]
    assert "nullable" not in columns(found, "a")["fresh"]
    assert columns(found, "a")["b_id"] == {"name": "b_id", "type": "int", "fk": True, "unique": True}
    assert set(by_id(found)) >= {"a", "c"}
    assert "d" not in by_id(found)


def test_references_follow_tables_and_columns_that_are_renamed(sql: Read) -> None:
    found = sql(
        "CREATE TABLE users (id int PRIMARY KEY);\nCREATE TABLE orders (user_id int REFERENCES users (id));\n"
        "ALTER TABLE users RENAME TO customers;\nALTER TABLE customers RENAME COLUMN id TO code;\n"
        "ALTER TABLE customers RENAME code TO number;\nCREATE TABLE users (id int PRIMARY KEY);"
    )
    edge = next(element for element in found.document["elements"] if element["kind"] == "edge")
    assert (edge["id"], edge["to"]["column"]) == ("orders--customers", "number")
    assert found.diagnostics == ()


def test_a_bad_statement_costs_only_itself(sql: Read) -> None:
    found = sql("CREATE TABLE a (id int);\nCREATE TABLE (;\nCREATE VIEW v AS SELECT 1;\nCREATE TABLE b (id int);")
    assert set(by_id(found)) == {"a", "b"}
    assert not found.whole
    assert [line for line, _ in told(found)] == [2, 3]


def test_what_is_quoted_in_bodies_and_strings_divides_nothing(sql: Read) -> None:
    found = sql(
        "CREATE FUNCTION f() RETURNS int AS $$ BEGIN; CREATE TABLE no (x int); END $$ LANGUAGE plpgsql;\n"
        "CREATE TABLE a (note text DEFAULT 'CREATE TABLE no (x int);', \"odd;name\" int); /* ; */"
    )
    assert list(by_id(found)) == ["a"]
    assert list(columns(found, "a")) == ["note", "odd;name"]


def test_a_text_is_recognized_by_itself() -> None:
    assert recognized(POSTGRES) == "sql"
    assert recognized("%% hi\nsequenceDiagram\n A->>B: x") == "mermaid"
    with pytest.raises(Unreadable):
        recognized("Dear all,")


def test_arrays_and_enumerations_of_postgres_are_no_marks_of_others(sql: Read) -> None:
    found = sql(
        "CREATE TYPE mood AS ENUM ('a');\nCREATE TABLE public.t (id uuid PRIMARY KEY, m mood, xs int[1][2], y text[3]);"
    )
    assert set(by_id(found)) == {"t"}
    assert columns(found, "t")["xs"]["type"] == "int[1][2]"


@pytest.mark.parametrize(
    ("text", "losses"),
    [
        (
            "CREATE TABLE a (id int);\nCREATE TABLE A (x int);",
            [(2, "a second CREATE TABLE of 'A'; the first one stays")],
        ),
        ("CREATE TABLE a (id int,\n ID text);", [(1, "a second column 'ID' of 'a', which stays as it was")]),
        (
            "CREATE TABLE a (PRIMARY KEY (no), id int,\n PRIMARY KEY (id), PRIMARY KEY (id));",
            [
                (1, "PRIMARY KEY of 'a' names 'no', which the table does not have"),
                (1, "a second PRIMARY KEY of 'a'; the first one stays"),
            ],
        ),
        (
            "CREATE TABLE a (id int);\nALTER TABLE a ADD FOREIGN KEY (no) REFERENCES a (id);",
            [(2, "FOREIGN KEY of 'a' names 'no', which the table does not have")],
        ),
        (
            "CREATE TABLE a (id int, b int REFERENCES a (no));",
            [(1, "'a' refers to 'no', which 'a' does not have")],
        ),
        (
            "SET x = 1;\nCREATE TABLE a (id int);\nINSERT INTO a VALUES (1);\nINSERT INTO a VALUES (2);",
            [(1, "statements that define no table were passed over (1 SET, 2 INSERT)")],
        ),
    ],
)
def test_what_cannot_hold_in_a_schema_is_told_once(sql: Read, text: str, losses: list[tuple[int, str]]) -> None:
    found = sql(text)
    assert next(iter(columns(found, "a"))) == "id"
    assert told(found) == losses
    assert found.whole


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("CREATE TABLE b (id int,", "'CREATE TABLE b (id int,': a bracket is not closed"),
        ("CREATE TABLE b", "'CREATE TABLE b': a list of columns in brackets was expected"),
        ("/* CREATE TABLE b (id int);", "'/* CREATE TABLE b (id int);' is a comment without an end"),
        (
            "CREATE TABLE b (x text DEFAULT 'y);",
            "'CREATE TABLE b (x text DEFAULT 'y);' has a quote or a comment without an end",
        ),
        ("CREAT TABLE b (id int);", "'CREAT TABLE b (id int)': a statement about tables was expected"),
        ("ALTER TABLE a RENAME id TO x, RENAME x TO id2", None),
        ("ALTER TABLE a RENAME x TO id", "'ALTER TABLE a RENAME x TO id': there is a column 'id' already"),
    ],
)
def test_the_last_statement_is_told_when_it_is_unfinished_or_unknown(sql: Read, text: str, what: str | None) -> None:
    found = sql(f"CREATE TABLE a (id int, x int);\n{text}")
    assert "a" in by_id(found)
    if what:
        assert told(found) == [(2, what)]
        assert not found.whole


def test_statements_without_semicolons_are_parted_where_lines_open_the_next(sql: Read) -> None:
    found = sql(
        "CREATE TABLE [a] ([id] INT PRIMARY KEY)\nCREATE TABLE [b] ([a_id] INT)\n"
        "ALTER TABLE [b] ADD FOREIGN KEY ([a_id]) REFERENCES [a] ([id])\nGO\n"
        "CREATE PROCEDURE p AS\nCREATE TABLE [no] ([id] INT)\nGO\nCREATE TABLE [c] ([id] INT)\nGO",
        "mssql",
    )
    assert set(by_id(found)) == {"a", "b", "c", "b--a"}


@pytest.mark.parametrize(
    ("dialect", "routine"),
    [
        ("postgres", "CREATE TRIGGER t BEFORE UPDATE ON a WHEN (old.id IS DISTINCT FROM new.id) EXECUTE FUNCTION f();"),
        ("snowflake", "create function f() returns int as '1';"),
        ("mysql", "DELIMITER $$\nCREATE PROCEDURE p() BEGIN IF 1 THEN SELECT 1; END IF; SELECT 2; END$$\nDELIMITER ;"),
        ("oracle", "CREATE OR REPLACE PROCEDURE p IS x int;\nBEGIN\n NULL;\nEND p;\n/"),
        ("sqlite", "CREATE TRIGGER t AFTER INSERT ON a BEGIN UPDATE a SET id = 1; END;"),
    ],
)
def test_what_stands_behind_a_routine_is_read(sql: Read, dialect: str, routine: str) -> None:
    found = sql(f"CREATE TABLE a (id int);\n{routine}\nCREATE TABLE b (id int);", dialect)
    assert set(by_id(found)) == {"a", "b"}
    assert found.whole


def test_data_of_a_dump_divides_and_quotes_nothing(sql: Read) -> None:
    found = sql(
        "CREATE TABLE a (id int);\nCOPY public.a (id, name) FROM stdin;\n1\tO'Brien; CREATE\n\\.\n\n"
        "CREATE TABLE b (id int,);\nCREATE TABLE c (id int);\nCREATE TABLE (x);",
        "postgres",
    )
    assert set(by_id(found)) == {"a", "b", "c"}
    assert [line for line, _ in told(found)] == [2, 8]


def test_a_table_may_be_made_once_only_replaced_and_like_another_with_more(sql: Read) -> None:
    found = sql(
        "CREATE TABLE a (id int PRIMARY KEY);\nCREATE TABLE IF NOT EXISTS a (x int);\nCREATE TABLE b (id int);\n"
        "CREATE OR REPLACE TABLE b (y int);\nCREATE TABLE c (LIKE a INCLUDING ALL, z int);\n"
        "ALTER TABLE c ADD COLUMN IF NOT EXISTS z text;\nRENAME TABLE c TO d;",
        "postgres",
    )
    assert {name: list(columns(found, name)) for name in by_id(found)} == {"a": ["id"], "b": ["y"], "d": ["id", "z"]}
    assert columns(found, "d")["id"]["pk"]
    assert found.diagnostics == ()


def test_names_that_differ_in_case_are_two_tables_in_mysql_only(sql: Read) -> None:
    text = "CREATE TABLE t (id int);\nCREATE TABLE T (x int);\nALTER TABLE T ADD y int;"
    assert list(columns(sql(text, "mysql"), "T")) == ["x", "y"]
    assert list(columns(sql(text, "postgres"), "t")) == ["id", "y"]


def test_columns_that_a_table_inherits_are_told(sql: Read) -> None:
    found = sql("CREATE TABLE a (id int);\nCREATE TABLE b (x int) INHERITS (a);", "postgres")
    assert list(columns(found, "b")) == ["x"]
    assert [(row.data or {}).get("line") for row in found.diagnostics] == [2]
    assert "the columns that 'b' inherits" in found.diagnostics[0].message
