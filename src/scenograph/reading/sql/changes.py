"""Statements about tables and their effect on a schema: _STATEMENTS, a row a kind, and ACTIONS, a row an action of
ALTER TABLE."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from scenograph.reading.source import shown
from scenograph.reading.sql.columns import Definitions, column_type, constraint_of
from scenograph.reading.sql.model import (
    FOREIGN,
    INDEX,
    INDEXES,
    PRIMARY,
    UNIQUE,
    Context,
    ForeignKey,
    Schema,
    Table,
    TableColumn,
    TableConstraint,
    TableName,
)
from scenograph.reading.sql.statements import OTHER_ACTIONS, SqlNotUnderstood, Words, words_of

# `ALTER TABLE`: ACTIONS, a row for each action on a table. Actions also apply to inheriting tables and partitions, as
# in the databases.

_PARTS = ("COLUMN", "CONSTRAINT", "INDEX", "KEY", "CHECK", "FOREIGN", "PARTITION", "PERIOD")
_NO_NAME = frozenset({"CASCADE", "RESTRICT", "TO"})
_OF_A_COLUMN = frozenset({"SET", "DROP", "UNSET", "ADD", "RESTART", "RESET", "TYPE"})
_KNOWN_ENDINGS = ("_check", "_excl", "_not_null")


def _alter_table(words: Words, at: Context) -> None:
    """`ALTER TABLE name action, action, …`."""
    words.take("ALTER")
    words.take("FOREIGN")
    words.take("TABLE")
    exists = words.take_exists()
    only = words.take("ONLY")
    name = words.table_name()
    only = not words.take("*") and only
    table = at.schema.find(name)
    if table is None:
        if not exists and not at.guarded and _is_told(words):
            what = f"{shown(name.name)} is changed, and is not defined here"
            at.schema.losses.formless(at.place, what)
        return
    _Alteration(table, at, only=only).carry_out(words)


def _is_told(words: Words) -> bool:
    """Whether an alteration of a missing table is worth reporting: only additions are."""
    while words.upper == "WITH" and words.peek(1).upper in {"CHECK", "NOCHECK"}:
        words.at += 2
    return words.upper in ACTIONS and words.upper != "DROP"


class _Alteration:
    """The actions of a statement on a table. `only` excludes its parts."""

    def __init__(self, table: Table, at: Context, *, only: bool) -> None:
        self.table = table
        self.at = at
        self.schema = at.schema
        self.only = only
        self.verb = self.part = ""

    def carry_out(self, words: Words) -> None:
        """Carry out each action; a fault costs only its action."""
        for number, part in enumerate(words.parts()):
            begun = part.at
            try:
                self._act(part, is_first=number == 0)
            except SqlNotUnderstood as why:
                part.at = begun
                what = f"in {shown(self.table.name.name)} {shown(part.rest())}: {why}"
                self.schema.losses.unread(self.at.place, what)

    def _act(self, words: Words, *, is_first: bool) -> None:
        while words.upper == "WITH" and words.peek(1).upper in {"CHECK", "NOCHECK"}:
            words.at += 2
        may_go_on = (
            not is_first
            and self.verb
            and (self.schema.dialect.goes_on or words.upper not in {*ACTIONS, *OTHER_ACTIONS})
        )
        if may_go_on:
            if self.schema.dialect.name == "snowflake":
                words.take(self.verb)
        else:
            self.verb, self.part = words.upper, ""
            words.at += 1
        action = ACTIONS.get(self.verb)
        if action is not None:
            action(self, words)
        elif self.verb not in OTHER_ACTIONS and words.upper != "=":
            raise SqlNotUnderstood("a change of a table was expected")

    def _parts(self, *, partitions_alone: bool = False) -> list[Table]:
        if self.only or not self.table.parts:
            return []
        return list(self.schema.parts_of(self.table, partitions_alone=partitions_alone))

    def add(self, words: Words) -> None:
        """`ADD` of columns and constraints."""
        is_column = words.take("COLUMN")
        once = words.take_exists() or self.at.guarded
        body = words.group() if words.upper == "(" else None
        parts = list(body.parts()) if body else [Words(words.words[words.at :], words.text)]
        for part in parts:
            is_column = part.take("COLUMN") or is_column
            if part.upper == "CONSTRAINT" and part.peek(1).upper == "IF":
                part.words[1:4], once = [], True
            self._add_one(part, is_column=is_column, once=once or part.take_exists())

    def _add_one(self, words: Words, *, is_column: bool, once: bool) -> None:
        start = words.at
        if not is_column and words.upper in {"PARTITION", "VALUE", "GENERATED"} and not _is_column(words):
            return
        definitions = Definitions(self.table, self.schema, self.at.place, once=once)
        is_column = is_column or constraint_of(words, self.schema.dialect)[1] is None
        words.at = start
        before = self.table.constraints
        if is_column:
            definitions.column(words)
        else:
            definitions.define_all([words])
        fresh = self.table.constraints[len(before) :]
        for part in self._parts(partitions_alone=not is_column):
            words.at = start
            if is_column:
                Definitions(part, self.schema, self.at.place, once=True).column(words)
            else:
                for constraint in fresh:
                    _copy_constraint(constraint, part, self.schema)

    def modify(self, words: Words) -> None:
        """`MODIFY` of MySQL, Oracle and Snowflake: a column's new type and options."""
        if words.upper in {"CONSTRAINT", "PARTITION", "LOB", "NESTED"} and words.peek(1).is_name:
            return
        words.take("COLUMN")
        body = words.group()
        for part in body.parts() if body else (words,):
            part.take("COLUMN")
            self._redefine(part)

    def _redefine(self, words: Words) -> None:
        once = words.take_exists()
        name = words.name("a column")
        column = self.table.column(name)
        if column is None:
            if not once and not self.at.guarded and not self.table.is_open:
                what = f"a column {shown(name)} of {shown(self.table.name.name)} is changed, and is not defined here"
                self.schema.losses.formless(self.at.place, what)
            return
        if words.upper in _OF_A_COLUMN and words.peek(1).text:
            self._set(column, words)
            return
        definitions = Definitions(self.table, self.schema, self.at.place, once=True)
        column.type = column_type(words) or column.type
        if self.schema.dialect.redefines:
            primary = self.table.primary
            column.not_null = primary is not None and column in primary.columns
        first, behind = definitions.place_of(words)
        if first or behind:
            self.schema.spend(len(self.table.columns))
        self.table.place_column(column, first=first, behind=behind)
        definitions.constrain(column, words)

    def change(self, words: Words) -> None:
        """`CHANGE old new type …` of MySQL."""
        words.take("COLUMN")
        words.take_exists()
        old = words.name("a column")
        if words.peek().is_name:
            self._rename_column(self.table, old, words.peek().text)
            self._redefine(words)

    def alter(self, words: Words) -> None:
        """`ALTER COLUMN`; alterations of constraints and indexes change nothing visible."""
        is_column = words.take("COLUMN")
        is_other = words.upper in {"CONSTRAINT", "INDEX", "CHECK"} and words.peek(1).is_name
        if is_other and not is_column and words.peek(1).upper not in {"SET", "DROP", "TYPE"}:
            return
        start = words.at
        self._redefine(words)
        name = words.words[start].text
        for part in self._parts():
            column = part.column(name)
            if column is not None:
                words.at = start + 1
                self._set(column, words)

    def _set(self, column: TableColumn, words: Words) -> None:
        if words.take("SET", "NOT", "NULL"):
            column.not_null = True
        elif words.take("DROP", "NOT", "NULL"):
            column.not_null = False
        elif words.take("SET", "DATA", "TYPE") or words.take("TYPE"):
            column.type = column_type(words)

    def drop(self, words: Words) -> None:
        """`DROP` of columns, constraints and indexes."""
        if words.take("PRIMARY", "KEY"):
            if (primary := self.table.primary) is not None:
                self.schema.drop(self.table, primary, cascade=words.mentions("CASCADE"))
            return
        if words.follows("UNIQUE", "("):
            words.take("UNIQUE")
            self._drop_unique(words)
            return
        if words.upper in _PARTS and words.peek(1).text and words.peek(1).upper not in _NO_NAME:
            self.part = words.upper
            words.at += 1
            if self.part == "FOREIGN":
                words.take("KEY")
        exists = words.take_exists() or self.at.guarded
        body = words.group()
        for part in body.parts() if body else (words,):
            self._drop_one(part, exists=exists)

    def _drop_one(self, words: Words, *, exists: bool) -> None:
        is_column = self.part in {"", "COLUMN"} and not (self.schema.dialect.batches and self.part == "")
        name = words.name("a column" if is_column else "a constraint")
        cascade = words.mentions("CASCADE")
        if self.part in {"PARTITION", "PERIOD"}:
            return
        if not is_column:
            self._drop_constraint(name, exists=exists, cascade=cascade)
            return
        for table in (self.table, *self._parts()):
            if (column := table.column(name)) is not None:
                self.schema.drop_column(table, column, cascade=cascade)

    def _drop_constraint(self, name: str, *, exists: bool, cascade: bool) -> None:
        kinds = {"FOREIGN": (FOREIGN,), "INDEX": INDEXES, "KEY": INDEXES}.get(self.part)
        found = self.table.constraint(name, kinds) if kinds else self.table.constraint(name)
        if found is not None:
            self.schema.drop(self.table, found, cascade=cascade)
        elif self.part not in {"INDEX", "KEY", "CHECK"} and not exists and not name.endswith(_KNOWN_ENDINGS):
            table = shown(self.table.name.name)
            self.schema.losses.formless(self.at.place, f"the constraint {shown(name)} of {table} is not known")

    def _drop_unique(self, words: Words) -> None:
        columns = set(self.table.own(words.names() or ()))
        for constraint in self.table.constraints:
            if constraint.kind == UNIQUE and set(constraint.columns) == columns:
                self.schema.drop(self.table, constraint)

    def rename(self, words: Words) -> None:
        """`RENAME` of the table, a column, a constraint or an index."""
        if words.take("TO") or words.take("AS") or (len(words.words) - words.at == 1):
            _rename_table(words.table_name(), self.table, self.at)
            return
        part = words.take_any("COLUMN", "CONSTRAINT", "INDEX", "KEY") if words.peek(1).upper != "TO" else "COLUMN"
        words.take_exists()
        old = words.name("a column")
        if not words.take("TO"):
            raise SqlNotUnderstood("TO and another name were expected")
        new = words.name("a column")
        if part in {"", "COLUMN"}:
            for table in (self.table, *self._parts()):
                self._rename_column(table, old, new)
        elif (found := self.table.constraint(old)) is not None:
            self.schema.rename_constraint(self.table, found, new)

    def _rename_column(self, table: Table, old: str, new: str) -> None:
        column = table.column(old)
        if column is None:
            if not (self.at.guarded or table is not self.table or table.is_open):
                what = f"a column {shown(old)} of {shown(table.name.name)} is renamed, and is not defined here"
                self.schema.losses.formless(self.at.place, what)
            return
        if table.column(new) not in (None, column):
            raise SqlNotUnderstood(f"there is a column {shown(new)} already")
        table.rename_column(column, new)

    def set(self, words: Words) -> None:
        """`SET SCHEMA`; other settings change nothing visible."""
        if words.take("SCHEMA"):
            name = self.table.name
            self.schema.rename(self.table, TableName(name.catalog, words.name("a schema"), name.name))

    def attach(self, words: Words) -> None:
        """`ATTACH PARTITION table`: the table follows additions to this table from now on."""
        part = self.schema.find(words.table_name()) if words.take("PARTITION") else None
        if part is not None:
            self.schema.attach(self.table, part, is_partition=True)

    def detach(self, words: Words) -> None:
        """`DETACH PARTITION table`."""
        if words.take("PARTITION") and (part := self.schema.find(words.table_name())) is not None:
            self.table.parts.pop(part, None)

    def inherit(self, words: Words) -> None:
        """`INHERIT parent`."""
        parent = self.schema.find(words.table_name())
        if parent is not None:
            self.schema.attach(parent, self.table, is_partition=False)

    def disinherit(self, words: Words) -> None:
        """`NO INHERIT parent`."""
        if words.take("INHERIT") and (parent := self.schema.find(words.table_name())) is not None:
            parent.parts.pop(self.table, None)

    def comment(self, words: Words) -> None:
        """`COMMENT = 'text'` of MySQL."""
        words.take("=")
        self.table.comment = words.string() or ""


def _is_column(words: Words) -> bool:
    """Whether a word with the look of a prefix is a column's name: a type follows, and no bracket."""
    return words.peek(1).is_name and words.peek(2).upper not in {"VALUES", "START", "("}


def _rename_table(name: TableName, table: Table, at: Context) -> None:
    """Rename a table. Raises NotUnderstood for a taken name."""
    wanted = TableName(name.catalog, name.schema or table.name.schema, name.name)
    if at.schema.same(wanted) not in (None, table):
        if at.guarded:
            return
        raise SqlNotUnderstood(f"there is a table {shown(name.name)} already")
    at.schema.rename(table, wanted)


def _copy_constraint(constraint: TableConstraint, part: Table, schema: Schema, name: str = "") -> None:
    """Copy a constraint to another table, under a name of its own."""
    columns = part.own([column.name for column in constraint.columns])
    if len(columns) < len(constraint.columns) or (constraint.kind == PRIMARY and part.primary is not None):
        return
    copy = (
        ForeignKey(
            FOREIGN,
            columns,
            part.place,
            name,
            referred=constraint.referred,
            words=constraint.words,
            target=constraint.target,
        )
        if isinstance(constraint, ForeignKey)
        else TableConstraint(constraint.kind, columns, part.place, name, constraint.loss)
    )
    schema.constrain(part, copy)
    constraint.copies.append((part, copy))


ACTIONS: Mapping[str, Callable[[_Alteration, Words], None]] = MappingProxyType(
    {
        "ADD": _Alteration.add,
        "MODIFY": _Alteration.modify,
        "CHANGE": _Alteration.change,
        "ALTER": _Alteration.alter,
        "DROP": _Alteration.drop,
        "RENAME": _Alteration.rename,
        "SET": _Alteration.set,
        "ATTACH": _Alteration.attach,
        "DETACH": _Alteration.detach,
        "INHERIT": _Alteration.inherit,
        "NO": _Alteration.disinherit,
        "COMMENT": _Alteration.comment,
    }
)

# _STATEMENTS: a row for each kind of statement about tables, with its effect on the schema.

_PASSED_PATH = frozenset({"$user", "pg_catalog", "pg_temp", ""})


def create_table(words: Words, at: Context) -> None:
    """`CREATE TABLE`: with columns, like another table, or as a partition."""
    replaces = is_temporary = is_global = False
    while not words.take("TABLE"):
        replaces = replaces or words.follows("OR", "REPLACE")
        is_temporary = is_temporary or words.upper in {"TEMP", "TEMPORARY"}
        is_global = is_global or words.upper == "GLOBAL"
        words.at += 1
    once = words.take_exists() or at.guarded
    name = words.table_name()
    once = words.take_exists() or once
    known = at.schema.same(name)
    if known is not None and not replaces:
        if not once:
            at.schema.losses.formless(at.place, f"a second CREATE TABLE of {shown(name.name)}; the first one stays")
        return
    table = Table(name, at.place)
    table.is_temporary = (is_temporary and not (is_global and at.schema.dialect.name == "oracle")) or (
        at.schema.dialect.batches and name.name.startswith("#")
    )
    _fill(words, table, at.schema)
    at.schema.settle(table)


def _fill(words: Words, table: Table, schema: Schema) -> None:
    if words.take("PARTITION", "OF"):
        _take_part(words, table, schema)
        return
    if words.upper in {"LIKE", "CLONE"}:
        words.at += 1
        _copy(words, table, schema, keys=True)
        return
    if words.take("CLUSTER", "BY"):
        words.take("LINEAR")
        words.group()
    while words.upper not in {"AS", "OF", "SELECT", "USING", "("} and not words.done:
        words.at += 1
    body = words.group()
    if body is None or body.upper in {"SELECT", "WITH"}:
        if body is None and words.done:
            raise SqlNotUnderstood("a list of columns in brackets was expected")
        _open(table, schema)
        _name_columns(body or words, table, schema)
        return
    parts = list(body.parts())
    schema.add(table)
    parents = _parents(words)
    for parent in parents:
        _inherit(parent, table, schema)
    for part in [one for one in parts if one.upper == "LIKE" and one.peek(1).is_name]:
        part.at += 1
        _copy(part, table, schema, keys=schema.dialect.name != "postgres" or _includes(part, "INDEXES"))
        part.at = 0
    Definitions(table, schema, table.place, once=bool(parents)).define_all(parts)
    _read_options(words, table)


def _open(table: Table, schema: Schema) -> None:
    """A table with columns known only to the database; columns named by statements are added."""
    table.is_open = True
    schema.losses.formless(table.place, f"{shown(table.name.name)}, whose columns are not listed")
    if schema.same(table.name) is not table:
        schema.add(table)


def _name_columns(words: Words, table: Table, schema: Schema) -> None:
    """The columns named by a query, and all columns of another table for `*`."""
    while words.upper == "(" or (not words.done and words.upper != "SELECT"):
        words.at += 1
    words.take("SELECT")
    words.take_any("DISTINCT", "ALL")
    rest = words.words[words.at :]
    end = next((n for n, word in enumerate(rest) if word.upper == "FROM"), len(rest))
    source = Words(rest[end + 1 :], words.text)
    other = schema.find(source.table_name()) if source.peek().is_name else None
    for part in Words(rest[:end], words.text).parts():
        last = part.words[-1]
        if last.upper == "*" and other is not None:
            _copy_columns(other, table, schema)
        elif last.is_name and table.column(last.text) is None:
            schema.add_column(table, TableColumn(last.text))


def _read_options(words: Words, table: Table) -> None:
    while not words.done:
        if words.take("COMMENT"):
            words.take("=")
            table.comment = words.string() or ""
        elif not words.pass_group():
            words.at += 1


def _parents(words: Words) -> list[TableName]:
    at = next((n for n in range(words.at, len(words.words)) if words.words[n].upper == "INHERITS"), None)
    if at is None or (group := Words(words.words[at + 1 :], words.text).group()) is None:
        return []
    return [part.table_name() for part in group.parts()]


def _inherit(name: TableName, table: Table, schema: Schema) -> None:
    parent = schema.find(name)
    if parent is None:
        schema.losses.formless(table.place, f"the columns that {shown(table.name.name)} inherits")
        return
    schema.attach(parent, table, is_partition=False)
    _copy_columns(parent, table, schema)


def _includes(words: Words, what: str) -> bool:
    """Whether `LIKE table INCLUDING …` includes `what`; the position stays."""
    included = False
    for first, second in zip(words.words, words.words[1:], strict=False):
        if second.upper in {what, "ALL"}:
            included = first.upper == "INCLUDING" or (included and first.upper != "EXCLUDING")
    return included


def _copy(words: Words, table: Table, schema: Schema, *, keys: bool) -> None:
    """A copy of another table, without its foreign keys."""
    other = schema.find(words.table_name()) if words.peek().is_name else None
    if other is None:
        _open(table, schema)
        return
    if schema.same(table.name) is not table:
        schema.add(table)
    _copy_columns(other, table, schema)
    if keys:
        for constraint in other.constraints:
            if constraint.kind in INDEXES:
                kept = constraint.name if schema.dialect.name == "mysql" else ""
                _copy_constraint(constraint, table, schema, kept)
                constraint.copies.pop()


def _copy_columns(other: Table, table: Table, schema: Schema) -> None:
    for column in other.columns:
        if table.column(column.name) is None:
            schema.add_column(table, TableColumn(column.name, column.type, column.not_null, column.comment))


def _take_part(words: Words, table: Table, schema: Schema) -> None:
    """`PARTITION OF parent`, with constraints of its own."""
    parent = schema.find(words.table_name())
    if parent is None:
        _open(table, schema)
        return
    schema.add(table)
    schema.attach(parent, table, is_partition=True)
    _copy_columns(parent, table, schema)
    for constraint in parent.constraints:
        _copy_constraint(constraint, table, schema)
    body = words.group() if words.upper == "(" else None
    for part in body.parts() if body else ():
        column = table.column(part.peek().text) if part.peek().is_name else None
        definitions = Definitions(table, schema, table.place, once=True)
        if column is None:
            definitions.define_all([part])
        else:
            part.at += 1
            part.take("WITH", "OPTIONS")
            definitions.constrain(column, part)


def create_index(words: Words, at: Context) -> None:
    """`CREATE UNIQUE INDEX`: the columns are unique, except for a partial index or an expression."""
    while not words.take("INDEX"):
        words.at += 1
    words.take("CONCURRENTLY")
    words.take_exists()
    named = words.name_parts("an index") if words.upper != "ON" else [""]
    while not words.done and words.upper != "ON":
        words.at += 1
    words.take("ON")
    words.take("ONLY")
    name = words.table_name()
    table = at.schema.find(name)
    if table is None and (at.guarded or name.name.casefold() in at.schema.views):
        return
    if table is None:
        at.schema.losses.formless(at.place, f"{shown(name.name)} has a unique index, and is not defined here")
        return
    words.skip_to_group()
    names = words.names()
    if named[-1] and table.constraint(named[-1], (INDEX, UNIQUE)) is not None:
        return
    loss = ""
    if names is None or any(word.upper == "WHERE" for word in words.words[words.at :]):
        loss = f"a unique index over a part or an expression of {shown(table.name.name)}"
    columns = table.own(names or ())
    if columns and len(columns) == len(names or ()):
        at.schema.constrain(table, TableConstraint(INDEX, columns, at.place, named[-1], loss))
    elif loss:
        at.schema.constrain(table, TableConstraint(INDEX, (), at.place, named[-1], loss))


def drop_index(words: Words, at: Context) -> None:
    """`DROP INDEX name`, or `… name ON table`, or `table.name` of SQL Server."""
    words.take("DROP", "INDEX")
    words.take("CONCURRENTLY")
    words.take_exists()
    for part in words.parts():
        parts = part.name_parts("an index")
        table = at.schema.find(part.table_name()) if part.take("ON") and part.peek().is_name else None
        if table is None and at.schema.dialect.batches and len(parts) > 1:
            table = at.schema.find(TableName.of(parts[:-1]))
        if table is not None:
            found = table.constraint(parts[-1], INDEXES)
            if found is not None:
                at.schema.drop(table, found)
        elif (home := at.schema.home_of(parts[-1], INDEXES)) is not None:
            at.schema.drop(*home)


def _alter_index(words: Words, at: Context) -> None:
    """`ALTER INDEX name RENAME TO name`."""
    words.take("ALTER", "INDEX")
    words.take_exists()
    home = at.schema.home_of(words.name_parts("an index")[-1], INDEXES)
    if words.take("RENAME", "TO") and home is not None:
        at.schema.rename_constraint(*home, words.name_parts("an index")[-1])


def drop_table(words: Words, at: Context) -> None:
    """`DROP TABLE a, b CASCADE`."""
    words.take("DROP")
    words.take("FOREIGN")
    words.take("TABLE")
    words.take_exists()
    cascade = words.mentions("CASCADE") and at.schema.dialect.name != "mysql"
    for part in words.parts():
        if (table := at.schema.find(part.table_name())) is not None:
            at.schema.remove(table, cascade=cascade)


def comment(words: Words, at: Context) -> None:
    """`COMMENT ON TABLE` and `COMMENT ON COLUMN`."""
    words.take("COMMENT", "ON")
    words.take("FOREIGN")
    is_column = words.take_any("TABLE", "COLUMN") == "COLUMN"
    parts = words.name_parts()
    words.take("IS")
    text = words.string() or ""
    if is_column and len(parts) < 2:
        raise SqlNotUnderstood("a column with its table was expected")
    _comment(at.schema, parts[:-1] if is_column else parts, parts[-1] if is_column else None, text)


def _comment(schema: Schema, owner: Sequence[str], column: str | None, text: str) -> None:
    table = schema.find(TableName.of(owner))
    if table is None:
        return
    if column is None:
        table.comment = text
    elif (found := table.column(column)) is not None:
        found.comment = text


def rename(words: Words, at: Context) -> None:
    """`RENAME TABLE a TO b, c TO d` of MySQL, `RENAME a TO b` of Oracle."""
    words.take("RENAME")
    words.take_any("TABLE", "TABLES")
    for part in words.parts():
        name = part.table_name()
        table = at.schema.find(name)
        if not part.take("TO"):
            raise SqlNotUnderstood("TO and another name were expected")
        if table is not None:
            _rename_table(part.table_name(), table, at)
        elif not at.guarded:
            at.schema.losses.formless(at.place, f"{shown(name.name)} is renamed, and is not defined here")


def _set_search_path(words: Words, at: Context) -> None:
    """`SET search_path`, `SET SCHEMA`, `set_config('search_path', …)`: the schemas searched for unqualified names."""
    found = next((n for n, word in enumerate(words.words) if word.text.lower() in {"search_path", "schema"}), 0)
    words.at = found + 1
    listed = [word.text for word in words.words[words.at :] if word.is_name or word.is_string]
    path: list[str] = []
    for text in listed:
        if text.upper() in {"TO", "DEFAULT", "FALSE", "TRUE"}:
            continue
        path += [one.strip().strip('"') for one in text.split(",")]
    path = [one for one in path if one not in _PASSED_PATH]
    at.schema.use(path[0] if path else at.schema.dialect.default_schema, is_chosen=False, others=path[1:])


def use(words: Words, at: Context) -> None:
    """`USE database` of MySQL, SQL Server and Snowflake, `USE SCHEMA`, `ALTER SESSION SET CURRENT_SCHEMA`."""
    if words.take("ALTER", "SESSION", "SET", "CURRENT_SCHEMA"):
        words.take("=")
        at.schema.use(words.name("a schema"), is_chosen=True)
        return
    words.take("USE")
    kind = words.take_any("SCHEMA", "DATABASE", "ROLE", "WAREHOUSE", "SECONDARY")
    if kind in {"ROLE", "WAREHOUSE", "SECONDARY"}:
        return
    parts = words.name_parts("a database")
    has_schemas = bool(at.schema.dialect.default_schema) and at.schema.dialect.name != "sqlite"
    if has_schemas and kind != "SCHEMA":
        at.schema.catalog, parts = parts[0], parts[1:]
    if parts:
        at.schema.use(parts[-1], is_chosen=not has_schemas)


def _create_schema(words: Words, at: Context) -> None:
    """`CREATE SCHEMA name` with nested statements, whose names belong to the schema."""
    words.take("CREATE")
    if not words.take("SCHEMA"):
        return
    words.take_exists()
    if words.take("AUTHORIZATION") or words.peek().is_name:
        at.schema.inside = words.name_parts("a schema")[-1]


def _drop_schema(words: Words, at: Context) -> None:
    """`DROP SCHEMA`, `DROP DATABASE`: its tables are dropped too."""
    words.at += 2
    words.take_exists()
    for part in words.parts():
        for table in at.schema.in_schema(part.name_parts("a schema")[-1]):
            if at.schema.has(table):
                at.schema.remove(table, cascade=True)


def _alter_schema(words: Words, at: Context) -> None:
    """`ALTER SCHEMA a RENAME TO b`, `ALTER SCHEMA a TRANSFER b.t` of SQL Server."""
    words.at += 2
    schema = words.name_parts("a schema")[-1]
    if words.take("RENAME", "TO"):
        name = words.name("a schema")
        for table in at.schema.in_schema(schema):
            at.schema.rename(table, TableName(table.name.catalog, name, table.name.name))
    elif words.take("TRANSFER"):
        if words.peek(1).upper in {":", "::"}:
            words.at += 2
            words.take(":")
        if (table := at.schema.find(words.table_name())) is not None:
            at.schema.rename(table, TableName(table.name.catalog, schema, table.name.name))


def procedure(words: Words, at: Context) -> None:
    """The SQL Server procedures for names and descriptions; no further call concerns tables."""
    words.take_any("EXEC", "EXECUTE")
    if words.upper == "(" or not words.peek().is_name:
        return
    name = words.name_parts("a procedure")[-1].lower()
    effect = _PROCEDURES.get(name)
    if effect is not None:
        effect(name, _arguments(words), at)


def _arguments(words: Words) -> Callable[[str, int], str]:
    """The text of an argument by name or position; "" if absent."""
    by_name: dict[str, str] = {}
    for number, part in enumerate(words.parts()):
        named = part.peek().text[1:].lower() if part.peek(1).upper == "=" else str(number)
        part.at += 2 if part.peek(1).upper == "=" else 0
        by_name[named] = part.peek().text
    return lambda name, position: by_name.get(name, by_name.get(str(position), ""))


def _sp_rename(_name: str, argument: Callable[[str, int], str], at: Context) -> None:
    old, new = argument("objname", 0), argument("newname", 1)
    parts = Words(words_of(old, at.schema.dialect), old).name_parts()
    kind = argument("objtype", 2).upper()
    table = at.schema.find(TableName.of(parts[:-1])) if len(parts) > 1 else None
    if not kind and table is not None and table.column(parts[-1]) is not None:
        kind = "COLUMN"
    if kind in {"COLUMN", "INDEX"}:
        if table is None:
            return
        column = table.column(parts[-1])
        if kind == "INDEX" and (found := table.constraint(parts[-1])) is not None:
            at.schema.rename_constraint(table, found, new)
        elif kind == "COLUMN" and column is not None and table.column(new) in (None, column):
            table.rename_column(column, new)
        return
    table = at.schema.find(TableName.of(parts))
    if table is not None:
        _rename_table(TableName("", "", new), table, at)
    elif (home := at.schema.home_of(parts[-1])) is not None:
        at.schema.rename_constraint(*home, new)


def _describe(name: str, argument: Callable[[str, int], str], at: Context) -> None:
    """`sp_addextendedproperty` and similar: MS_Description is the comment of a table or a column."""
    if argument("name", 0).lower() != "ms_description":
        return
    dropped = name.startswith("sp_drop")
    text = "" if dropped else argument("value", 1)
    levels = [
        argument(f"level{level}{what}", 2 * level + n + (1 if dropped else 2))
        for level in range(3)
        for n, what in enumerate(("type", "name"))
    ]
    if levels[2].upper() == "TABLE":
        _comment(at.schema, [levels[1], levels[3]], levels[5] if levels[4].upper() == "COLUMN" else None, text)


_PROCEDURES: Mapping[str, Callable[[str, Callable[[str, int], str], Context], None]] = MappingProxyType(
    {
        "sp_rename": _sp_rename,
        "sp_addextendedproperty": _describe,
        "sp_updateextendedproperty": _describe,
        "sp_dropextendedproperty": _describe,
    }
)


class _StatementKind(NamedTuple):
    """A kind of statement: opening and effect."""

    opening: str
    effect: Callable[[Words, Context], None]


_KINDS_OF_TABLE = (
    r"(?:(?:OR\s+REPLACE|GLOBAL|LOCAL|TEMP|TEMPORARY|TRANSIENT|UNLOGGED|PRIVATE|COLUMN|ROW|FOREIGN|EXTERNAL|VOLATILE|HYBRID"
    r"|DYNAMIC|ICEBERG|MULTISET|SHARDED|DUPLICATED|IMMUTABLE|BLOCKCHAIN|CACHED|MEMORY|SET)\s+)*"
)
_STATEMENTS: tuple[_StatementKind, ...] = (
    _StatementKind(rf"CREATE\s+{_KINDS_OF_TABLE}TABLE", create_table),
    _StatementKind(r"CREATE\s+UNIQUE\s+(?:(?:CLUSTERED|NONCLUSTERED)\s+)?INDEX", create_index),
    _StatementKind(r"CREATE\s+SCHEMA", _create_schema),
    _StatementKind(r"ALTER\s+(?:FOREIGN\s+)?TABLE", _alter_table),
    _StatementKind(r"ALTER\s+INDEX", _alter_index),
    _StatementKind(r"ALTER\s+(?:SCHEMA|DATABASE)\s+\S+\s+(?:RENAME|TRANSFER)", _alter_schema),
    _StatementKind(r"ALTER\s+SESSION\s+SET\s+CURRENT_SCHEMA", use),
    _StatementKind(r"DROP\s+(?:FOREIGN\s+)?TABLE", drop_table),
    _StatementKind(r"DROP\s+INDEX", drop_index),
    _StatementKind(r"DROP\s+(?:SCHEMA|DATABASE)", _drop_schema),
    _StatementKind(r"RENAME", rename),
    _StatementKind(r"COMMENT\s+ON\s+(?:(?:FOREIGN\s+)?TABLE|COLUMN)", comment),
    _StatementKind(r"SET\s+(?:(?:SESSION|LOCAL|CURRENT)\s+)?(?:search_path|SCHEMA)", _set_search_path),
    _StatementKind(r"SELECT\s+(?:pg_catalog\s*\.\s*)?set_config\s*\(\s*'search_path'", _set_search_path),
    _StatementKind(r"USE", use),
    _StatementKind(r"(?:EXEC|EXECUTE)\s+(?:[\w\[\]]+\s*\.+\s*)*\[?sp_(?:rename|\w+extendedproperty)", procedure),
    _StatementKind(r"sp_(?:rename|\w+extendedproperty)", procedure),
)
_OPENINGS = re.compile("|".join(f"(?P<r{n}>{row.opening})" for n, row in enumerate(_STATEMENTS)), re.IGNORECASE)


def effect_of(text: str) -> Callable[[Words, Context], None] | None:
    """The effect of a statement; None for a statement without effect on tables."""
    found = _OPENINGS.match(text)
    if found is None or text[found.end() : found.end() + 1].isalnum() or text[found.end() : found.end() + 1] == "_":
        return None
    return _STATEMENTS[int((found.lastgroup or "r0")[1:])].effect
