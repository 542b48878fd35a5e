"""Statements: a row of STATEMENTS for each kind, and what it does to the schema."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from scenograph.late_dataclasses import replace
from scenograph.reading.losses import Place
from scenograph.reading.source import shown
from scenograph.reading.sql.columns import Definitions
from scenograph.reading.sql.model import Schema, Table, TableName
from scenograph.reading.sql.verbs import OTHER_ACTIONS
from scenograph.reading.sql.words import NotUnderstood, Words, words_of

_COPIES = ("LIKE", "CLONE", "OF")
_ANY_EXISTS = (("IF", "NOT", "EXISTS"), ("IF", "EXISTS"))


def carry_out(words: Words, place: Place, schema: Schema) -> None:
    """Note what a statement says. NotUnderstood when it is not of the grammar."""
    for opening, effect in STATEMENTS:
        if words.take(*opening):
            effect(words, place, schema)
            return
    raise NotUnderstood("a statement about tables was expected")


def _create(words: Words, place: Place, schema: Schema) -> None:
    unique = replaces = False
    while not words.done and words.upper not in {"TABLE", "INDEX"}:
        unique = unique or words.upper == "UNIQUE"
        replaces = replaces or words.follows("OR", "REPLACE")
        words.at += 1
    if words.take("INDEX"):
        if unique:
            _unique_index(words, place, schema)
        return
    words.at += 1
    once = _take_exists(words)
    name = words.table_name()
    once = _take_exists(words) or once
    known = schema.same(name)
    if known is not None and not replaces:
        if not once:
            schema.losses.formless(place, f"a second CREATE TABLE of {shown(name.name)}; the first one stays")
        return
    _create_table(words, Table(name, place), schema)


def _create_table(words: Words, table: Table, schema: Schema) -> None:
    if words.upper in {"AS", "PARTITION"} or words.take_any(*_COPIES):
        _copy(words, table, schema)
        return
    if words.take("CLUSTER", "BY"):
        words.take("LINEAR")
        words.group()
    words.skip_to_group()
    body = words.group()
    if body is None or body.upper in {"SELECT", "WITH"}:
        raise NotUnderstood("a list of columns in brackets was expected")
    schema.add(table)
    parts = list(body.parts())
    for part in parts:
        if part.upper == "LIKE" and len(part.words) > 1:
            _copy(Words(part.words[1:], part.text), table, schema)
    Definitions(table, schema, table.place).define_all(parts)
    # `INHERITS (parent)` of PostgreSQL: the parent's columns are the parent's own here
    if any(word.upper == "INHERITS" for word in words.words[words.at :]):
        schema.losses.formless(table.place, f"the columns that {shown(table.name.name)} inherits")
    while not words.done:
        if words.take("COMMENT"):
            words.take("=")
            table.comments[""] = words.string() or ""
        else:
            words.at += 1


def _take_exists(words: Words) -> bool:
    return any(words.take(*phrase) for phrase in _ANY_EXISTS)


def _copy(words: Words, table: Table, schema: Schema) -> None:
    """A table like another one; one from a query or of a type has columns that only a database knows."""
    other = schema.find(words.table_name()) if not words.done and words.words[words.at].is_name else None
    if other is None:
        schema.losses.formless(table.place, f"{shown(table.name.name)}, whose columns are not listed")
        return
    for column in other.columns.values():
        schema.add_column(table, replace(column))
    table.key, table.unique = other.key, [*other.unique]
    if schema.same(table.name) is not table:
        schema.add(table)


def _unique_index(words: Words, place: Place, schema: Schema) -> None:
    while not words.done and words.upper != "ON":
        words.at += 1
    words.take("ON")
    words.take("ONLY")
    table = schema.find(words.table_name())
    if table is None:
        raise NotUnderstood("the table of a unique index is not defined")
    words.skip_to_group()
    names = words.names()
    partial = any(word.upper == "WHERE" for word in words.words[words.at :])
    if names is None or partial:
        schema.losses.formless(place, f"a unique index over a part or an expression of {shown(table.name.name)}")
    else:
        table.unique.append(table.own(names))


def _alter(words: Words, place: Place, schema: Schema) -> None:
    _take_exists(words)
    words.take("ONLY")
    name = words.table_name()
    table = schema.find(name)
    verb = ""
    for part in words.parts():
        for phrase in (("WITH", "CHECK"), ("WITH", "NOCHECK")):
            part.take(*phrase)
        verb = part.take_any(*_ACTIONS) or ("" if part.upper in OTHER_ACTIONS else verb)
        if not verb:
            continue
        if table is None:
            raise NotUnderstood(f"the table {shown(name.name)} is not defined")
        _ACTIONS[verb](part, table, schema, place)


def _add(words: Words, table: Table, schema: Schema, place: Place) -> None:
    if words.upper in {"INDEX", "PARTITION", "SUPPLEMENTAL", "DEFAULT"}:
        return
    words.take("COLUMN")
    once = _take_exists(words)
    body = words.group() if words.upper == "(" else None
    parts = list(body.parts()) if body else [Words(words.words[words.at :], words.text)]
    if once:
        parts = [part for part in parts if not _is_known(part, table)]
    Definitions(table, schema, place).define_all(parts)


def _is_known(words: Words, table: Table) -> bool:
    return not words.done and words.words[words.at].is_name and table.column(words.words[words.at].text) is not None


def _modify(words: Words, table: Table, schema: Schema, place: Place) -> None:
    words.take("COLUMN")
    body = words.group()
    for part in body.parts() if body else (words,):
        _redefine(part, table, schema, place)


def _redefine(words: Words, table: Table, schema: Schema, place: Place) -> None:
    """A column's new type and options; what is not said stays."""
    column = table.column(words.name("a column"))
    if column is None:
        raise NotUnderstood("a change of a column that is not defined")
    at, known = words.at, column.type
    fresh = Definitions(Table(table.name, place), schema, place)
    words.at = at - 1
    probe = Table(table.name, place)
    Definitions(probe, schema, place).define_all([Words(words.words[at - 1 :], words.text)])
    found = next(iter(probe.columns.values()), None)
    column.type = (found.type if found else "") or known
    words.at = at
    fresh.constrain(column, words)


def _change(words: Words, table: Table, schema: Schema, place: Place) -> None:
    """MySQL: `CHANGE old new type …`."""
    words.take("COLUMN")
    old = words.name("a column")
    if words.words[words.at : words.at + 1] and words.words[words.at].is_name:
        _rename_column(table, old, words.words[words.at].text)
        _redefine(words, table, schema, place)


def _alter_column(words: Words, table: Table, schema: Schema, place: Place) -> None:
    words.take("COLUMN")
    at = words.at
    column = table.column(words.name("a column"))
    if column is None:
        raise NotUnderstood("a change of a column that is not defined")
    if words.take("SET", "NOT", "NULL"):
        column.not_null = True
    elif words.take("DROP", "NOT", "NULL"):
        column.not_null = False
    elif words.take("SET", "DATA", "TYPE") or words.take("TYPE"):
        column.type = words.rest()
    elif words.upper not in {"SET", "DROP", "ADD", "RESTART"}:
        words.at = at
        _redefine(words, table, schema, place)


def _drop_part(words: Words, table: Table, _schema: Schema, _place: Place) -> None:
    if words.take("PRIMARY", "KEY"):
        table.key = ()
        return
    if not words.take("COLUMN") and words.upper in {"CONSTRAINT", "INDEX", "KEY", "FOREIGN", "PARTITION", "CHECK"}:
        return
    _take_exists(words)
    body = words.group()
    for name in [part.name("a column") for part in body.parts()] if body else [words.name("a column")]:
        if (column := table.column(name)) is not None:
            table.drop(column.name)


def _rename(words: Words, table: Table, schema: Schema, _place: Place) -> None:
    if words.take("TO") or words.take("AS"):
        _rename_table(words, table, schema)
    elif not words.take_any("CONSTRAINT", "INDEX", "KEY"):
        words.take("COLUMN")
        old = words.name("a column")
        if not words.take("TO"):
            raise NotUnderstood("TO and another name were expected")
        _rename_column(table, old, words.name("a column"))


def _rename_table(words: Words, table: Table, schema: Schema) -> None:
    name = words.table_name().name
    if schema.same(TableName(table.name.schema, name)) not in (None, table):
        raise NotUnderstood(f"there is a table {shown(name)} already")
    schema.rename(table, name)


def _rename_column(table: Table, old: str, new: str) -> None:
    column = table.column(old)
    if column is None:
        raise NotUnderstood("another name for a column that is not defined")
    if table.column(new) not in (None, column):
        raise NotUnderstood(f"there is a column {shown(new)} already")
    table.rename_column(column.name, new)


_ACTIONS: Mapping[str, Callable[[Words, Table, Schema, Place], None]] = MappingProxyType(
    {
        "ADD": _add,
        "MODIFY": _modify,
        "CHANGE": _change,
        "ALTER": _alter_column,
        "DROP": _drop_part,
        "RENAME": _rename,
    }
)


def _comment(words: Words, _place: Place, schema: Schema) -> None:
    kind = words.take_any("TABLE", "COLUMN")
    parts = [words.name("a table")]
    while words.take("."):
        parts.append(words.name("a table"))
    words.take("IS")
    text = words.string() or ""
    owner = parts if kind == "TABLE" else parts[:-1]
    if not owner:
        raise NotUnderstood("a column with its table was expected")
    table = schema.find(schema.named(owner))
    if table is None:
        return
    column = table.column(parts[-1]) if kind == "COLUMN" else None
    table.comments[column.name if column else ""] = text


def _rename_tables(words: Words, _place: Place, schema: Schema) -> None:
    """`RENAME TABLE a TO b, c TO d` of MySQL, `RENAME a TO b` of Oracle; the tokenizer leaves all of it as one word."""
    rest = words.string() or ""
    renamed = Words(words_of(rest, schema.dialect.parser), rest)
    renamed.take("TABLE")
    for part in renamed.parts():
        name = part.table_name()
        table = schema.find(name)
        if table is None or not part.take("TO"):
            raise NotUnderstood(f"the table {shown(name.name)} is not defined")
        _rename_table(part, table, schema)


def _drop(words: Words, _place: Place, schema: Schema) -> None:
    _take_exists(words)
    for part in words.parts():
        table = schema.find(part.table_name())
        if table is not None:
            schema.remove(table)


STATEMENTS: tuple[tuple[tuple[str, ...], Callable[[Words, Place, Schema], None]], ...] = (
    (("CREATE",), _create),
    (("ALTER", "TABLE"), _alter),
    (("COMMENT", "ON"), _comment),
    (("DROP", "TABLE"), _drop),
    (("RENAME",), _rename_tables),
)
