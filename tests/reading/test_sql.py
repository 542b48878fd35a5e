"""Schemas in SQL as documents."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from scenograph.reading.readers import Import, recognized
from scenograph.reading.source import Unreadable
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
            "'CREATE TABLE b (x text DEFAULT 'y);': a quote has no end",
        ),
        ("CREAT TABLE b (id int);", "'CREAT TABLE b (id int)': a statement about tables was expected"),
        ("ALTER TABLE a RENAME id TO x, RENAME x TO id2", None),
        ("ALTER TABLE a RENAME x TO id", "in 'a' 'RENAME x TO id': there is a column 'id' already"),
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


def edges(found: Import) -> list[str]:
    """The foreign keys, as the source has them."""
    rows = (element for element in found.document["elements"] if element["kind"] == "edge")
    return [row["metadata"]["source"]["id"] for row in rows]


def flags(found: Import, table: str, flag: str) -> list[str]:
    return [name for name, row in columns(found, table).items() if row.get(flag)]


TWO_KEYS = """
CREATE TABLE team (id int PRIMARY KEY);
CREATE TABLE org (id int PRIMARY KEY, code int UNIQUE);
CREATE TABLE member (id int PRIMARY KEY, owner_id int NOT NULL REFERENCES team (id), mail text UNIQUE);
"""


@pytest.mark.parametrize(
    ("dialect", "statements", "kept"),
    [
        ("postgres", "ALTER TABLE member DROP CONSTRAINT member_owner_id_fkey;", ([], ["id"], ["mail"])),
        ("postgres", "ALTER TABLE member DROP CONSTRAINT member_mail_key;", (["team"], ["id"], [])),
        (
            "postgres",
            "ALTER TABLE member DROP CONSTRAINT member_pkey, ADD PRIMARY KEY (id, owner_id);",
            (["team"], ["id", "owner_id"], ["mail"]),
        ),
        (
            "postgres",
            (
                "ALTER TABLE member RENAME TO people; ALTER TABLE people RENAME owner_id TO boss;"
                "ALTER TABLE people DROP CONSTRAINT member_owner_id_fkey; ALTER TABLE people RENAME TO member;"
            ),
            ([], ["id"], ["mail"]),
        ),
        (
            "postgres",
            (
                "ALTER TABLE member RENAME CONSTRAINT member_owner_id_fkey TO k; ALTER TABLE member DROP CONSTRAINT k,"
                " ADD CONSTRAINT k FOREIGN KEY (owner_id) REFERENCES org;"
            ),
            (["org"], ["id"], ["mail"]),
        ),
        (
            "postgres",
            (
                "ALTER TABLE member ADD FOREIGN KEY (owner_id) REFERENCES org (id);"
                "ALTER TABLE member DROP CONSTRAINT member_owner_id_fkey1;"
            ),
            (["team"], ["id"], ["mail"]),
        ),
        (
            "postgres",
            "CREATE UNIQUE INDEX u ON member (owner_id); ALTER INDEX u RENAME TO v; DROP INDEX IF EXISTS public.v, w;",
            (["team"], ["id"], ["mail"]),
        ),
        ("postgres", "ALTER TABLE team DROP CONSTRAINT team_pkey CASCADE;", ([], ["id"], ["mail"])),
        ("postgres", "DROP TABLE team CASCADE;", ([], ["id"], ["mail"])),
        ("postgres", "ALTER TABLE team DROP COLUMN id CASCADE;", ([], ["id"], ["mail"])),
        ("mysql", "ALTER TABLE member DROP FOREIGN KEY member_ibfk_1;", ([], ["id"], ["mail"])),
        ("mysql", "ALTER TABLE member DROP INDEX mail, DROP PRIMARY KEY;", (["team"], [], [])),
        ("mysql", "DROP INDEX mail ON member;", (["team"], ["id"], [])),
        (
            "mysql",
            "RENAME TABLE member TO m; ALTER TABLE m DROP FOREIGN KEY m_ibfk_1; RENAME TABLE m TO member;",
            ([], ["id"], ["mail"]),
        ),
        (
            "mysql",
            (
                "ALTER TABLE member ADD UNIQUE KEY (owner_id, mail), ADD CONSTRAINT k FOREIGN KEY (owner_id)"
                " REFERENCES org (id); ALTER TABLE member DROP KEY owner_id, DROP FOREIGN KEY k,"
                " RENAME INDEX mail TO m; ALTER TABLE member DROP KEY m;"
            ),
            (["team"], ["id"], []),
        ),
        (
            "mssql",
            "ALTER TABLE member DROP CONSTRAINT FK__member__owner__5FB337D6, UQ__member__AB12CD34;",
            ([], ["id"], []),
        ),
        ("mssql", "EXEC sp_rename 'dbo.member.owner_id', 'boss';\nGO", (["team"], ["id"], ["mail"])),
        ("oracle", "ALTER TABLE member DROP UNIQUE (mail);", (["team"], ["id"], [])),
        ("oracle", "ALTER TABLE team DROP PRIMARY KEY CASCADE;", ([], ["id"], ["mail"])),
    ],
)
def test_constraints_are_known_by_the_names_that_a_database_gives(
    sql: Read, dialect: str, statements: str, kept: tuple[list[str], list[str], list[str]]
) -> None:
    found = sql(TWO_KEYS + statements, dialect)
    ends = [element["to"]["elementId"] for element in found.document["elements"] if element["kind"] == "edge"]
    assert (ends, flags(found, "member", "pk"), flags(found, "member", "unique")) == kept
    assert found.diagnostics == ()


def test_a_constraint_that_nobody_knows_is_told_and_one_that_may_be_missing_is_not(sql: Read) -> None:
    found = sql(
        "ALTER TABLE IF EXISTS ONLY public.a DROP CONSTRAINT IF EXISTS k;\nALTER TABLE a DROP CONSTRAINT k;\n"
        "DROP INDEX i;\nCREATE TABLE a (id int);\nALTER TABLE a DROP CONSTRAINT IF EXISTS k;\n"
        "ALTER TABLE a DROP CONSTRAINT k;\nALTER TABLE b ADD x int;\nALTER TABLE IF EXISTS b ADD x int;",
        "postgres",
    )
    assert told(found) == [
        (6, "the constraint 'k' of 'a' is not known"),
        (7, "'b' is changed, and is not defined here"),
    ]
    assert found.whole


@pytest.mark.parametrize(
    ("dialect", "definition", "type_"),
    [
        *[("postgres", word, "citext") for word in ("key", "index", "period", "partition", "exclude", "family")],
        ("postgres", "key", "character varying(20)"),
        ("postgres", "key", "public.kind"),
        ("postgres", "index", "numeric(10,2)"),
        ("postgres", "fulltext", "geometry(Point,4326)"),
        ("sqlite", "key", "varchar(255)"),
        ("sqlite", "like", "text"),
        ("mysql", "family", "varchar(50)"),
        ("mysql", "comment", "text"),
        ("mssql", "period", "uniqueidentifier"),
        ("oracle", "key", "RAW(16)"),
        ("snowflake", "index", "VARIANT"),
    ],
)
def test_a_word_is_a_column_unless_the_grammar_says_otherwise(
    sql: Read, dialect: str, definition: str, type_: str
) -> None:
    found = sql(f"CREATE TABLE t (id int PRIMARY KEY, {definition} {type_} NOT NULL UNIQUE);", dialect)
    row = {"name": definition, "type": type_, "unique": True}
    assert columns(found, "t")[definition] == row
    added = sql(f"CREATE TABLE t (id int);\nALTER TABLE t ADD {definition} {type_} NOT NULL UNIQUE;", dialect)
    assert columns(added, "t")[definition] == row
    assert added.diagnostics == ()


@pytest.mark.parametrize(
    ("dialect", "line"),
    [
        ("mysql", "KEY k (a)"),
        ("mysql", "KEY (a)"),
        ("mysql", "INDEX k USING BTREE (a)"),
        ("mysql", "FULLTEXT KEY k (a)"),
        ("mysql", "SPATIAL INDEX (a)"),
        ("sqlite", "KEY k (a)"),
        ("mssql", "INDEX k NONCLUSTERED (a)"),
        ("postgres", "EXCLUDE USING gist (a WITH =)"),
        ("postgres", "CHECK (a > 0) NOT VALID"),
        ("mssql", "PERIOD FOR SYSTEM_TIME (a, b)"),
        ("oracle", "SUPPLEMENTAL LOG DATA (ALL) COLUMNS"),
    ],
)
def test_indexes_and_periods_are_no_columns(sql: Read, dialect: str, line: str) -> None:
    found = sql(f"CREATE TABLE t (a int, {line}, b int);", dialect)
    assert list(columns(found, "t")) == ["a", "b"]


PLACEHOLDERS = [
    *("@cdm.", "${schema}.", "$(Schema).", "@{schema}.", "#__", "{{ schema }}.", ":schema.", "%PREFIX%", "{$prefix}"),
    *("{0}.", "&owner..", "<%= schema %>.", "#{schema}.", "%s.", "%(schema)s.", "<schema, sysname, dbo>.", "@prefix@"),
    *('"${schema}".', '"{{ schema }}".', '"{0}".', '"$(Schema)".', '"#{schema}".', "[$(Schema)].", "`${schema}`."),
]


@pytest.mark.parametrize("before", PLACEHOLDERS)
def test_placeholders_before_names_are_left_out(sql: Read, before: str) -> None:
    found = sql(
        f"CREATE TABLE {before}person (id integer, site_id integer);\nCREATE TABLE {before}site (id integer);\n"
        f"ALTER TABLE {before}site ADD PRIMARY KEY (id);\n"
        f"ALTER TABLE {before}person ADD CONSTRAINT k FOREIGN KEY (site_id) REFERENCES {before}site (id);",
        "mssql" if before.startswith("[") else "postgres",
    )
    assert edges(found) == ["person(site_id) -> site(id)"]
    assert found.diagnostics == ()


def test_placeholders_in_quotes_are_a_part_of_a_name_or_all_of_it(sql: Read) -> None:
    found = sql(
        "CREATE TABLE `#__users` (id int);\nCREATE TABLE `{$p}posts` (id int);\nCREATE TABLE `${x}` (id int);", "mysql"
    )
    assert set(by_id(found)) == {"users", "posts", "x"}
    assert [element["label"] for element in found.document["elements"]] == ["users", "posts", "${x}"]


def test_files_that_were_joined_are_parted_at_their_byte_order_marks(sql: Read) -> None:
    found = sql(
        "\ufeffCREATE PROCEDURE p AS SELECT 1\n\ufeffCREATE TABLE [dbo].[A] ([Id] INT PRIMARY KEY);\nGO\ufeff"
        "CREATE TABLE [dbo].[B] ([Id] INT PRIMARY KEY, [AId] INT NOT NULL REFERENCES [dbo].[A] ([Id]))"
    )
    assert edges(found) == ["B(AId) -> A(Id)"]
    assert found.whole


@pytest.mark.parametrize(
    ("dialect", "text", "names"),
    [
        ("postgres", "SET search_path = app, pg_catalog;{0}SET search_path TO b, app;{1}", ["app.t", "b.u"]),
        ("postgres", "SET SCHEMA 'app';{0}SET LOCAL search_path TO \"$user\", public;{1}", ["app.t", "u"]),
        ("postgres", "SELECT pg_catalog.set_config('search_path', 'app', false);{0}RESET x;{1}", ["app.t", "app.u"]),
        ("postgres", "{0}ALTER TABLE t SET SCHEMA app;ALTER SCHEMA app RENAME TO b;{1}", ["b.t", "u"]),
        ("mysql", "CREATE DATABASE shop;USE shop;{0}{1}", ["t", "u"]),
        ("mysql", "USE shop;{0}USE `bill`;{1}", ["shop.t", "bill.u"]),
        ("mssql", "USE [master]\nGO\nUSE [shop]\nGO\n{0}\nGO\n{1}", ["t", "u"]),
        ("mssql", "USE [shop]\nGO\n{0}\nGO\nUSE [bill]\nGO\n{1}", ["shop.t", "bill.u"]),
        ("mssql", "{0}\nGO\nALTER SCHEMA app TRANSFER dbo.t\nGO\n{1}", ["app.t", "u"]),
        ("oracle", "ALTER SESSION SET CURRENT_SCHEMA = hr;{0}{1}", ["t", "u"]),
        ("snowflake", "USE SCHEMA app;{0}USE SCHEMA public;{1}", ["app.t", "u"]),
    ],
)
def test_names_without_a_schema_are_looked_up_where_the_source_says(
    sql: Read, dialect: str, text: str, names: list[str]
) -> None:
    one, two = "CREATE TABLE t (id int PRIMARY KEY);", "CREATE TABLE u (id int PRIMARY KEY, t int REFERENCES u);"
    found = sql(text.format(one, two), dialect)
    assert [name for name, element in by_id(found).items() if element["kind"] == "node"][:2] == names
    assert edges(found) == [f"{names[1]}(t) -> {names[1]}(id)"]


def test_what_a_schema_is_created_with_is_in_it(sql: Read) -> None:
    found = sql(
        "CREATE SCHEMA app CREATE TABLE t (id int)\nCREATE TABLE u (id int);\nCREATE TABLE v (id int);", "postgres"
    )
    assert set(by_id(found)) == {"app.t", "app.u", "v"}


def test_a_dialect_is_guessed_from_what_is_code(sql: Read) -> None:
    found = sql(
        "-- `a` `b` AUTO_INCREMENT ENGINE=\n/* [dbo].[x] IDENTITY(1) /* nested ` */ NVARCHAR */\n"
        "CREATE FUNCTION f() RETURNS text LANGUAGE plpgsql AS $$ BEGIN EXECUTE '`x` ENGINE=InnoDB unsigned'; END $$;\n"
        "CREATE TABLE t (id serial PRIMARY KEY, note text DEFAULT '`tinyint(1)` DELIMITER');"
    )
    assert columns(found, "t")["id"] == {"name": "id", "type": "serial", "pk": True}
    assert found.whole


@pytest.mark.parametrize(
    ("default", "type_"),
    [
        ("DEFAULT ARRAY['a'::text, 'b'::text]", "text[]"),
        ("DEFAULT ARRAY[ARRAY[1, 2], ARRAY[3, NULL]]", "int[][]"),
        ("DEFAULT '{a,b}'::text[]", "text[]"),
        ("DEFAULT NULL::character varying", "character varying(9)"),
        ("DEFAULT (now() AT TIME ZONE 'utc')", "timestamp without time zone"),
        ("DEFAULT -1", "int"),
        ("REFERENCES t ON DELETE SET NULL ON UPDATE SET DEFAULT", "int"),
        ("GENERATED ALWAYS AS (coalesce(a, NULL)) VIRTUAL", "text"),
        ("CHECK (x IS NULL OR y)", "text"),
        ('COLLATE pg_catalog."default"', "text"),
    ],
)
def test_a_default_says_nothing_else_of_its_column(sql: Read, default: str, type_: str) -> None:
    found = sql(f"CREATE TABLE t (id int PRIMARY KEY, c {type_} {default} NOT NULL, n int);", "postgres")
    assert list(columns(found, "t")) == ["id", "c", "n"]
    assert (columns(found, "t")["c"]["type"], flags(found, "t", "nullable")) == (type_, ["n"])
    assert found.whole


def test_postgres_18_is_read(sql: Read) -> None:
    found = sql(
        "CREATE TABLE room (id int, valid_at tstzrange, CONSTRAINT k PRIMARY KEY (id, valid_at WITHOUT OVERLAPS));\n"
        "CREATE TABLE stay (id int, room_id int, valid_at tstzrange CONSTRAINT v NOT NULL NO INHERIT, n text GENERATED"
        " ALWAYS AS (id::text) VIRTUAL, CONSTRAINT nn NOT NULL room_id, UNIQUE (id, valid_at WITHOUT OVERLAPS),"
        " CONSTRAINT f FOREIGN KEY (room_id, PERIOD valid_at) REFERENCES room (id, PERIOD valid_at) NOT ENFORCED);\n"
        "ALTER TABLE stay ALTER CONSTRAINT f ENFORCED, ADD CONSTRAINT w NOT NULL id NOT VALID;"
    )
    assert flags(found, "room", "pk") == ["id", "valid_at"]
    assert flags(found, "stay", "nullable") == ["n"]
    assert edges(found) == ["stay(room_id,valid_at) -> room(id,valid_at)"]
    assert found.diagnostics == ()


def test_what_is_done_where_a_database_holds_this_or_that_is_read(sql: Read) -> None:
    found = sql(
        "IF OBJECT_ID('dbo.a') IS NULL\nBEGIN\n  CREATE TABLE dbo.a (id INT PRIMARY KEY, b_id INT)\nEND\n"
        "ELSE PRINT 'x'\n"
        "GO\nIF NOT EXISTS (SELECT 1 FROM sys.tables\n WHERE name = 'b') CREATE TABLE [b] ([id] INT PRIMARY KEY)\nGO\n"
        "IF COL_LENGTH('a', 'c') IS NULL ALTER TABLE a ADD c INT NOT NULL\n"
        "IF EXISTS (SELECT 1) EXEC('ALTER TABLE a ADD CONSTRAINT k FOREIGN KEY (b_id) REFERENCES b (id)')\nGO\n"
        "IF OBJECT_ID('dbo.a') IS NULL CREATE TABLE dbo.a (other INT)\nGO",
        "mssql",
    )
    assert list(columns(found, "a")) == ["id", "b_id", "c"]
    assert edges(found) == ["a(b_id) -> b(id)"]
    assert found.whole


def test_blocks_of_postgres_and_oracle_are_read(sql: Read) -> None:
    block = (
        "DO $$ BEGIN\n ALTER TABLE a ADD CONSTRAINT k FOREIGN KEY (b_id) REFERENCES b (id);\n"
        "EXCEPTION WHEN duplicate_object THEN null;\nEND $$;\n"
    )
    tables = "CREATE TABLE a (id int, b_id int);\nCREATE TABLE b (id int PRIMARY KEY);\n"
    found = sql(tables + block + block, "postgres")
    assert edges(found) == ["a(b_id) -> b(id)"]
    assert found.diagnostics == ()
    dropped = sql(
        f"{tables}DECLARE n int;\nBEGIN\n n := 1;\n EXECUTE IMMEDIATE 'DROP TABLE a';\n"
        "EXCEPTION WHEN OTHERS THEN\n NULL;\nEND;\n/\nCREATE TABLE c (id int);",
        "oracle",
    )
    assert set(by_id(dropped)) == {"b", "c"}
    assert dropped.whole


def test_procedures_of_sql_server_rename_and_describe(sql: Read) -> None:
    found = sql(
        "CREATE TABLE dbo.Old (Id int CONSTRAINT PK_Old PRIMARY KEY, B int)\nGO\n"
        "EXEC sp_rename N'[dbo].[Old]', N'New'\nGO\n"
        "EXEC sp_rename @objname = N'dbo.New.B', @newname = N'C', @objtype = N'COLUMN'\nGO\n"
        "EXEC sp_rename 'dbo.PK_Old', 'PK_New', 'OBJECT'\nGO\nALTER TABLE New DROP CONSTRAINT PK_New\nGO\n"
        "EXEC sys.sp_addextendedproperty @name=N'MS_Description', @value=N'Rows', @level0type=N'SCHEMA',"
        "@level0name=N'dbo', @level1type=N'TABLE', @level1name=N'New'\nGO\n"
        "EXEC sp_addextendedproperty N'MS_Description', 'A name', 'SCHEMA', 'dbo', 'TABLE', 'New', 'COLUMN', 'C'\nGO"
    )
    assert list(columns(found, "New")) == ["Id", "C"]
    assert flags(found, "New", "pk") == []
    assert by_id(found)["New"]["tooltip"] == "Rows\nC: A name"
    assert found.diagnostics == ()


def test_a_table_takes_over_what_its_parents_have_and_get(sql: Read) -> None:
    found = sql(
        "CREATE TABLE u (id int PRIMARY KEY);\nCREATE TABLE a (id int NOT NULL, old int);\n"
        "CREATE TABLE b (x int) INHERITS (a);\nALTER TABLE a ADD COLUMN n text, DROP COLUMN old;\n"
        "CREATE TABLE p (id int, at date, u_id int REFERENCES u, PRIMARY KEY (id, at)) PARTITION BY RANGE (at);\n"
        "CREATE TABLE p1 PARTITION OF p FOR VALUES FROM ('2020-01-01') TO ('2021-01-01');\n"
        "CREATE TABLE p2 (id int NOT NULL, at date NOT NULL, u_id int);\n"
        "ALTER TABLE ONLY p ATTACH PARTITION p2 FOR VALUES FROM ('2021-01-01') TO ('2022-01-01');\n"
        "ALTER TABLE p ADD n int;\nALTER TABLE p DROP CONSTRAINT p_u_id_fkey;",
        "postgres",
    )
    assert (list(columns(found, "b")), flags(found, "b", "nullable")) == (["id", "x", "n"], ["x", "n"])
    assert list(columns(found, "p1")) == list(columns(found, "p2")) == ["id", "at", "u_id", "n"]
    assert flags(found, "p1", "pk") == ["id", "at"]
    assert edges(found) == []
    assert found.diagnostics == ()


def test_columns_of_mysql_stand_where_they_are_put_and_are_defined_anew(sql: Read) -> None:
    found = sql(
        "CREATE TABLE t (a int NOT NULL, b int);\nALTER TABLE t ADD c int AFTER a, ADD d int FIRST, MODIFY a bigint,"
        " CHANGE b e text NOT NULL AFTER d;",
        "mysql",
    )
    assert list(columns(found, "t")) == ["d", "e", "a", "c"]
    assert flags(found, "t", "nullable") == ["d", "a", "c"]


def test_a_table_that_is_made_anew_under_its_name_keeps_what_refers_to_it(sql: Read) -> None:
    found = sql(
        'CREATE TABLE "a" ("id" INTEGER PRIMARY KEY);\nCREATE TABLE "b" ("a_id" INTEGER REFERENCES "a" ("id"));\n'
        'CREATE TABLE "new_a" ("id" INTEGER PRIMARY KEY, "up" INTEGER REFERENCES "a" ("id"));\nDROP TABLE "a";\n'
        'ALTER TABLE "new_a" RENAME TO "a";',
        "sqlite",
    )
    assert edges(found) == ["b(a_id) -> a(id)", "a(up) -> a(id)"]
    assert found.diagnostics == ()


def test_a_table_from_a_query_has_the_columns_that_statements_name(sql: Read) -> None:
    found = sql(
        "CREATE TABLE a (id int, n text);\nCREATE TABLE b AS SELECT x.*, 1 AS k FROM a x;\n"
        "ALTER TABLE b ADD PRIMARY KEY (k);\nCREATE TABLE c (b int REFERENCES b (k));",
        "postgres",
    )
    assert (list(columns(found, "b")), flags(found, "b", "pk")) == (["id", "n", "k"], ["k"])
    assert edges(found) == ["c(b) -> b(k)"]
    assert [what for _, what in told(found)] == ["'b', whose columns are not listed"]


def test_statements_of_another_delimiter_are_routines_or_tables(sql: Read) -> None:
    found = sql(
        "delimiter d//\n-- one\nCREATE PROCEDURE p() BEGIN IF 1 THEN SELECT 1; END IF; END;\nd//\n"
        "CREATE TABLE a (id int);\nd//\ndelimiter ;\nCREATE TABLE b (id int);\n/*!50001 CREATE TABLE c (id int) */;\n"
        "CREATE TABL d (x int);",
        "mysql",
    )
    assert set(by_id(found)) == {"a", "b", "c"}
    assert [line for line, _ in told(found)] == [3]


def test_tables_of_one_session_are_left_out_and_told(sql: Read) -> None:
    found = sql("CREATE TABLE a (id int);\nCREATE TEMP TABLE b (id int);\nALTER TABLE b ADD x int;", "postgres")
    assert set(by_id(found)) == {"a"}
    assert told(found) == [(2, "1 temporary tables, which are no part of the schema")]


def test_names_in_quotes_that_differ_in_case_are_two_tables_in_postgres(sql: Read) -> None:
    text = 'CREATE TABLE "Team" (a int);\nCREATE TABLE team (b int);\nALTER TABLE TEAM ADD c int;'
    assert {name: list(columns(sql(text, "postgres"), name)) for name in ("Team", "team")} == {
        "Team": ["a"],
        "team": ["b", "c"],
    }


def test_tables_that_are_shown_alike_have_ids_of_their_own(sql: Read) -> None:
    found = sql('CREATE TABLE team (a int);\nCREATE TABLE "team" (b int);\nCREATE TABLE "TEAM" (c int);', "oracle")
    ids = [element["metadata"]["source"]["id"] for element in found.document["elements"]]
    assert ids == ["team", "team#2"]
    assert [element["label"] for element in found.document["elements"]] == ["team", "team"]


def test_a_unique_index_over_some_rows_is_told_until_it_is_dropped(sql: Read) -> None:
    text = (
        "CREATE TABLE a (id int);\nCREATE UNIQUE INDEX i ON a (id) WHERE id > 0;\n"
        "CREATE UNIQUE INDEX j ON a ((id + 1));"
    )
    what = "a unique index over a part or an expression of 'a'"
    assert told(sql(text, "postgres")) == [(2, what), (3, what)]
    assert told(sql(f"{text}\nDROP INDEX i;", "postgres")) == [(3, what)]


def test_parents_that_are_not_defined_are_told(sql: Read) -> None:
    found = sql("CREATE TABLE b (x int) INHERITS (a);", "postgres")
    assert list(columns(found, "b")) == ["x"]
    assert told(found) == [(1, "the columns that 'b' inherits")]


@pytest.mark.parametrize("end", [" END", " END ELSE BEGIN PRINT 'END' END", "\nEND", " END\nGO"])
def test_the_end_of_a_block_of_sql_server_is_no_part_of_a_statement(sql: Read, end: str) -> None:
    found = sql(
        "CREATE TABLE [dbo].[a] (id int NOT NULL, [end] AS CASE WHEN id > 0 THEN 1 ELSE 0 END)\nGO\n"
        f"IF COL_LENGTH('a', 'b') IS NULL BEGIN ALTER TABLE dbo.a ADD b int NULL, c int{end}\n"
    )
    assert columns(found, "a")["c"] == {"name": "c", "type": "int", "nullable": True}
    assert list(columns(found, "a")) == ["id", "end", "b", "c"]


def test_types_lose_the_brackets_that_only_quote_them(sql: Read) -> None:
    source = """CREATE TABLE [t] ([a] [nvarchar](max) NOT NULL, [b] [decimal](18, 2), [c] [dbo].[Money Type],
        [d] [xml](CONTENT [dbo].[Kinds]), [e] [bigint] IDENTITY(1,1));
        ALTER TABLE [t] ALTER COLUMN [a] [ntext];"""
    types = [column["type"] for column in columns(sql(source, dialect="mssql"), "t").values()]
    assert types == ["ntext", "decimal(18, 2)", "dbo.[Money Type]", "xml(CONTENT dbo.Kinds)", "bigint"]
    rows = columns(sql('CREATE TABLE t (a "char", b integer[])', dialect="postgres"), "t")
    assert [row["type"] for row in rows.values()] == ['"char"', "integer[]"]


MIXED = (
    "CREATE TABLE `users` (`id` int unsigned AUTO_INCREMENT, `mail` varchar(9), KEY `by_mail` (`mail`)) ENGINE=x;",
    "# one of MySQL\nALTER TABLE users ADD KEY `again` (`mail`), ADD `age` tinyint(1);",
    (
        "CREATE TABLE [dbo].[Orders] ([id] [uniqueidentifier], [user] int)\nGO\n"
        "ALTER TABLE [Orders] ADD [note] [nvarchar](max), [x] int\nGO"
    ),
    (
        "CREATE TABLE public.items (id bigserial, tags text[] DEFAULT '{}'::text[], key text);\n"
        "ALTER TABLE users ADD key text;"
    ),
)


def test_each_file_of_a_series_is_read_in_its_own_dialect(sql: Read) -> None:
    found = sql("\n\ufeff".join(MIXED))
    tables = {one["label"]: one["extensions"]["columns"] for one in found.document["elements"]}
    names = {label: [column["name"] for column in columns] for label, columns in tables.items()}
    assert names == {
        "users": ["id", "mail", "age", "key"],
        "Orders": ["id", "user", "note", "x"],
        "items": ["id", "tags", "key"],
    }
    assert tables["Orders"][2]["type"] == "nvarchar(max)"
    assert not found.diagnostics


def test_places_of_a_series_are_counted_through_its_files(sql: Read) -> None:
    found = sql("\n\ufeff".join([*MIXED, "\nALTER TABLE public.nobody ADD x int;"]))
    (row,) = found.diagnostics
    assert row.data is not None
    assert row.data["line"] == "\n".join(MIXED).count("\n") + 3
