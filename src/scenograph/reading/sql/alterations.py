"""`ALTER TABLE`: ACTIONS, a row for each action on a table. Actions also apply to inheriting tables and partitions, as
in the databases."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from scenograph.reading.source import shown
from scenograph.reading.sql.columns import Definitions, column_type, constraint_of
from scenograph.reading.sql.constraint_names import FOREIGN, INDEXES, PRIMARY, UNIQUE
from scenograph.reading.sql.model import Context, ForeignKey, Schema, Table, TableColumn, TableConstraint, TableName
from scenograph.reading.sql.verbs import OTHER_ACTIONS
from scenograph.reading.sql.words import SqlNotUnderstood, Words

_PARTS = ("COLUMN", "CONSTRAINT", "INDEX", "KEY", "CHECK", "FOREIGN", "PARTITION", "PERIOD")
_NO_NAME = frozenset({"CASCADE", "RESTRICT", "TO"})
_OF_A_COLUMN = frozenset({"SET", "DROP", "UNSET", "ADD", "RESTART", "RESET", "TYPE"})
_KNOWN_ENDINGS = ("_check", "_excl", "_not_null")


def alter_table(words: Words, at: Context) -> None:
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
                    copy_constraint(constraint, part, self.schema)

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
            rename_table(words.table_name(), self.table, self.at)
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
    """Whether a word that may precede a name is itself a column, with a type other than a bracket after it."""
    return words.peek(1).is_name and words.peek(2).upper not in {"VALUES", "START", "("}


def rename_table(name: TableName, table: Table, at: Context) -> None:
    """Rename a table. Raises NotUnderstood for a taken name."""
    wanted = TableName(name.catalog, name.schema or table.name.schema, name.name)
    if at.schema.same(wanted) not in (None, table):
        if at.guarded:
            return
        raise SqlNotUnderstood(f"there is a table {shown(name.name)} already")
    at.schema.rename(table, wanted)


def copy_constraint(constraint: TableConstraint, part: Table, schema: Schema, name: str = "") -> None:
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
