"""Definitions inside a table: columns with their options, and table constraints.

CONSTRAINTS lists the beginnings of constraints. A word begins a constraint only by the grammar: in any other position
it is a column name.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from types import MappingProxyType
from typing import NamedTuple

from scenograph.reading.source import Place, shown
from scenograph.reading.sql.dialects import Dialect
from scenograph.reading.sql.model import (
    CHECK,
    FOREIGN,
    INDEX,
    PRIMARY,
    UNIQUE,
    ForeignKey,
    Schema,
    Table,
    TableColumn,
    TableConstraint,
)
from scenograph.reading.sql.statements import SqlNotUnderstood, Word, Words

_NUMBERS_ITSELF = frozenset({"serial", "bigserial", "smallserial", "serial2", "serial4", "serial8"})
# The words that end a type. WITH may continue as a time zone.
_AFTER_TYPE = frozenset(
    [
        "NOT",
        "NULL",
        "PRIMARY",
        "UNIQUE",
        "REFERENCES",
        "DEFAULT",
        "CONSTRAINT",
        "CHECK",
        "COLLATE",
        "GENERATED",
        "AUTO_INCREMENT",
        "AUTOINCREMENT",
        "IDENTITY",
        "COMMENT",
        "ON",
        "ENCODE",
        "AS",
        "KEY",
        "SPARSE",
        "ROWGUIDCOL",
        "VISIBLE",
        "INVISIBLE",
        "STORAGE",
        "CHARSET",
        "MASKING",
        "MASKED",
        "TAG",
        "WITH",
        "ENABLE",
        "DISABLE",
        "VIRTUAL",
        "STORED",
        "FIRST",
        "AFTER",
        "INVERSE",
        "ORDER",
        "NOORDER",
        "FOREIGN",
        "COMPRESSION",
        "PERSISTED",
        "HIDDEN",
        "FILESTREAM",
        "SORT",
        "SET",
        "USING",
        "ALWAYS",
        "ENCRYPTED",
        "PROJECTION",
        "SERIAL_DEFAULT",
        "OPTIONS",
        "CODEC",
    ]
)


class Definitions:
    """The effect of definitions on a table. `once`: existing parts stay unchanged without a report."""

    def __init__(self, table: Table, schema: Schema, place: Place, *, once: bool = False) -> None:
        self._table = table
        self._schema = schema
        self._place = place
        self._once = once
        self._name = ""

    def define_all(self, parts: Iterable[Words]) -> None:
        """Define columns, then table constraints: a constraint may precede the named columns."""
        constraints: list[tuple[Words, str, _Reader]] = []
        for part in parts:
            name, read = constraint_of(part, self._schema.dialect)
            if read is None:
                self._try(part, self.column)
            else:
                constraints.append((part, name, read))
        for part, name, read in constraints:
            self._name = name
            self._try(part, partial(read, self))
            self._name = ""

    def _try(self, words: Words, read: Callable[[Words], None]) -> None:
        """Read a column or a constraint. A fault costs only this definition, and is reported."""
        try:
            read(words)
        except SqlNotUnderstood as why:
            words.at = 0
            self._schema.losses.unread(self._place, f"in {shown(self._table.name.name)} {shown(words.rest())}: {why}")

    def column(self, words: Words) -> None:
        """A column with its type and options."""
        name = words.name("a column")
        if self._table.column(name) is not None:
            if not self._once:
                self._tell(f"a second column {shown(name)} of {shown(self._table.name.name)}, which stays as it was")
            return
        column = TableColumn(name, column_type(words))
        column.not_null = column.type.lower() in _NUMBERS_ITSELF
        first, behind = self.place_of(words)
        self._schema.add_column(self._table, column, first=first, behind=behind)
        self.constrain(column, words)

    def place_of(self, words: Words) -> tuple[bool, TableColumn | None]:
        """`FIRST`, or `AFTER` another column, at the end of a definition of MySQL."""
        if self._schema.dialect.name != "mysql" or not words.words:
            return False, None
        if words.words[-1].upper == "FIRST" and len(words.words) > 1:
            return True, None
        is_behind = len(words.words) > 2 and words.words[-2].upper == "AFTER"
        return False, self._table.column(words.words[-1].text) if is_behind else None

    def constrain(self, column: TableColumn, words: Words) -> None:
        """The options of a column after its type."""
        while not words.done:
            if words.pass_group():
                continue
            option = _OPTIONS.get(words.upper)
            words.at += 1
            if option is not None:
                option(self, column, words)

    # Options of columns: each is called after its first word.

    def named(self, _column: TableColumn, words: Words) -> None:
        """`CONSTRAINT name` before a constraint."""
        self._name = words.name("a constraint")

    def not_null(self, column: TableColumn, words: Words) -> None:
        """`NOT NULL`; `NOT` may begin other options."""
        if words.take("NULL"):
            column.not_null = True
            self._name = ""
        elif words.take("FOR"):
            words.take("REPLICATION")
        elif not words.done:
            words.at += 1

    def may_be_null(self, column: TableColumn, _words: Words) -> None:
        """`NULL`."""
        column.not_null = False
        self._name = ""

    def primary(self, column: TableColumn, words: Words) -> None:
        """`PRIMARY KEY` on the column."""
        words.take("KEY")
        words.take_any("CLUSTERED", "NONCLUSTERED")
        known = self._table.primary
        if known is None:
            columns = self._table.own(words.names() or ()) if words.upper == "(" else ()
            self._add(PRIMARY, columns or (column,))
        elif column not in known.columns:
            known.columns = (*known.columns, column)
            column.not_null = True

    def key_of_column(self, column: TableColumn, words: Words) -> None:
        """`KEY` alone, a primary key in MySQL."""
        if self._schema.dialect.name == "mysql":
            self.primary(column, words)

    def unique(self, column: TableColumn, words: Words) -> None:
        """`UNIQUE` on the column."""
        words.take("KEY")
        words.take_any("CLUSTERED", "NONCLUSTERED")
        _pass_nulls(words)
        self._add(UNIQUE, (column,))

    def identity(self, column: TableColumn, words: Words) -> None:
        """An identity column, which is never null."""
        words.group()
        column.not_null = True

    def default(self, _column: TableColumn, words: Words) -> None:
        """Pass a default value, whose words could be taken for options."""
        words.take("ON", "NULL")
        words.take_any("-", "+")
        if not words.pass_group() and not words.done:
            words.at += 1
        words.pass_group()
        self._name = ""

    def on(self, _column: TableColumn, words: Words) -> None:
        """Pass `ON DELETE …`, `ON UPDATE …`, `ON CONFLICT …` and the storage of a table."""
        if not words.take_any("DELETE", "UPDATE"):
            words.take("CONFLICT")
        words.take("SET")
        words.take("NO")
        if not words.done:
            words.at += 1
        words.group()

    def generated(self, column: TableColumn, words: Words) -> None:
        """`GENERATED … AS IDENTITY`, or `AS (expression)`."""
        while not words.done and words.upper not in {"AS", "("}:
            words.at += 1
        words.take("AS")
        if words.take("IDENTITY"):
            self.identity(column, words)
        elif words.take("ROW") and not words.done:
            words.at += 1
        words.group()

    def computed(self, _column: TableColumn, words: Words) -> None:
        """`AS expression`, with or without brackets."""
        if not words.pass_group():
            while not words.done and words.upper not in {"PERSISTED", "STORED", "VIRTUAL"}:
                words.at += 1

    def passed(self, column: TableColumn, words: Words) -> None:
        """`CHECK` with an expression."""
        words.group()
        self._add(CHECK, (column,))

    def one_word(self, _column: TableColumn, words: Words) -> None:
        """A name after the word."""
        words.take("=")
        if not words.done:
            words.at += 1
        while words.take("."):
            words.at += 1

    def comment(self, column: TableColumn, words: Words) -> None:
        """`COMMENT 'text'`."""
        words.take("=")
        column.comment = words.string() or ""

    def refer(self, column: TableColumn, words: Words) -> None:
        """`REFERENCES table (column)`."""
        self._refer((column,), words)

    def foreign(self, column: TableColumn, words: Words) -> None:
        """`FOREIGN KEY REFERENCES …` of SQL Server, behind a column without a comma."""
        words.take("KEY")
        columns = self._table.own(words.names() or ()) if words.upper == "(" else (column,)
        if words.take("REFERENCES"):
            self._refer(columns, words)

    # Constraints of the table: each is called at its first word.

    def primary_key(self, words: Words) -> None:
        """`PRIMARY KEY (…)` of the table, or by an existing index."""
        if self._takes_index(words, PRIMARY):
            return
        words.skip_to_group()
        names = self._own(words.names() or (), "PRIMARY KEY")
        if self._table.primary is not None and names:
            if not self._once:
                self._tell(f"a second PRIMARY KEY of {shown(self._table.name.name)}; the first one stays")
        elif names:
            self._add(PRIMARY, names)

    def unique_key(self, words: Words) -> None:
        """`UNIQUE (…)` of the table, or by an existing index."""
        words.at += 1
        words.take_any("KEY", "INDEX")
        if self._takes_index(words, UNIQUE):
            return
        _pass_nulls(words)
        if words.upper != "(" and words.peek().is_name and words.upper not in {"USING", "CLUSTERED", "NONCLUSTERED"}:
            self._name = self._name or words.name("an index")
        words.skip_to_group()
        listed = words.names()
        if listed is None:
            self._add(INDEX, (), _partial(self._table))
        elif names := self._own(listed, "UNIQUE"):
            self._add(UNIQUE, names)

    def foreign_key(self, words: Words) -> None:
        """`FOREIGN KEY (…) REFERENCES table (…)`."""
        words.skip_to_group()
        columns = words.names()
        if columns is None or not words.take("REFERENCES"):
            raise SqlNotUnderstood("REFERENCES was expected")
        self._refer(self._own(columns, "FOREIGN KEY"), words)

    def check(self, _words: Words) -> None:
        """`CHECK (…)`, `EXCLUDE …`: nothing but the name."""
        self._add(CHECK, ())

    def no_null(self, words: Words) -> None:
        """`NOT NULL column` of PostgreSQL."""
        words.take("NOT", "NULL")
        for column in self._own((words.name("a column"),), "NOT NULL"):
            column.not_null = True

    def nothing(self, _words: Words) -> None:
        """Ignore an index, a period, and similar entries."""

    def _takes_index(self, words: Words, kind: str) -> bool:
        at = words.at
        words.take("PRIMARY", "KEY")
        if not words.take("USING", "INDEX") or words.upper == "TABLESPACE":
            words.at = at
            return False
        name = words.name("an index")
        index = self._table.constraint(name, (INDEX, UNIQUE))
        if index is not None:
            self._table.free(index)
            self._name = self._name or name
            self._add(kind, index.columns)
        return True

    def _add(self, kind: str, columns: tuple[TableColumn, ...], loss: str = "") -> None:
        name, self._name = self._name, ""
        if self._once and name and self._table.constraint(name) is not None:
            return
        self._schema.constrain(self._table, TableConstraint(kind, columns, self._place, name, loss))

    def _refer(self, columns: tuple[TableColumn, ...], words: Words) -> None:
        name, self._name = self._name, ""
        referred = words.table_name()
        targets = (words.names() or ()) if words.upper == "(" else ()
        if self._once and name and self._table.constraint(name, (FOREIGN,)) is not None:
            return
        key = ForeignKey(FOREIGN, columns, self._place, name, referred=referred, words=targets)
        self._schema.constrain(self._table, key)

    def _own(self, names: Iterable[str], key: str) -> tuple[TableColumn, ...]:
        """The columns of a key; unknown columns are reported and left out."""
        listed = tuple(names)
        if self._table.is_open:
            for name in listed:
                if self._table.column(name) is None:
                    self._schema.add_column(self._table, TableColumn(name))
        if missing := [name for name in listed if self._table.column(name) is None]:
            columns = ", ".join(shown(name) for name in missing)
            self._tell(f"{key} of {shown(self._table.name.name)} names {columns}, which the table does not have")
        return self._table.own(listed)

    def _tell(self, what: str) -> None:
        self._schema.losses.formless(self._place, what)


def _partial(table: Table) -> str:
    return f"a unique index over a part or an expression of {shown(table.name.name)}"


def _pass_nulls(words: Words) -> None:
    if words.take("NULLS"):
        words.take("NOT")
        words.take("DISTINCT")


def column_type(words: Words) -> str:
    """Pass the type of a column; its text in the source, without brackets round plain names."""
    start = words.at
    while not words.done:
        upper = words.upper
        if words.follows("CHARACTER", "SET") or (upper == "SERIAL" and words.at > start):
            break
        if upper in _AFTER_TYPE and not (words.follows("WITH", "TIME") or words.follows("WITH", "LOCAL")):
            break
        if not words.pass_group():
            words.at += 1
    passed = words.words[start : words.at]
    parts: list[str] = []
    at = passed[0].start if passed else 0
    for word in passed:
        is_quoted = words.text[word.start] == "[" and not word.upper and _PLAIN_NAME.fullmatch(word.text) is not None
        parts += words.text[at : word.start], word.text if is_quoted else words.text[word.start : word.end]
        at = word.end
    return " ".join("".join(parts).split())


_PLAIN_NAME = re.compile(r"[^\W\d]\w*")


_Reader = Callable[[Definitions, Words], None]


class _Beginning(NamedTuple):
    """The beginning of a constraint: first word, a check of the following words by dialect, and its reader."""

    word: str
    goes_on: Callable[[Words, Dialect], bool]
    read: _Reader


def constraint_of(words: Words, dialect: Dialect) -> tuple[str, _Reader | None]:
    """The name and the reader of the constraint in a definition; the reader is None for a column. Passes the name."""
    at, name = words.at, ""
    if words.take("CONSTRAINT"):
        if _reader(words, dialect) is None and words.peek().is_name:
            name = words.name("a constraint")
        if words.done:
            words.at = at
    found = _reader(words, dialect)
    if found is None:
        words.at = at
    return name if found else "", found


def _reader(words: Words, dialect: Dialect) -> _Reader | None:
    return next((row.read for row in _BEGINNINGS.get(words.upper, ()) if row.goes_on(words, dialect)), None)


def _then(*following: str) -> Callable[[Words, Dialect], bool]:
    return lambda words, _dialect: words.peek(1).upper in following


def _always(_words: Words, _dialect: Dialect) -> bool:
    return True


def _is_index(words: Words, dialect: Dialect) -> bool:
    return dialect.key_is_reserved or _names_columns(words, dialect)


def _names_columns(words: Words, _dialect: Dialect) -> bool:
    """Whether `KEY name (…)` is an index: its brackets list columns, unlike a type's numbers or texts followed by
    options."""
    ahead = Words(words.words, words.text)
    ahead.at = words.at + 1
    ahead.take_any("KEY", "INDEX")
    if ahead.upper not in {"(", "USING"} and ahead.peek().is_name:
        ahead.at += 1
    if ahead.upper == "USING" and ahead.peek(2).upper == "(":
        return True
    listed = ahead.group()
    is_list = listed is not None and all(_is_column(part.peek()) for part in listed.parts())
    return is_list and (ahead.done or ahead.upper in _AFTER_AN_INDEX)


def _is_column(word: Word) -> bool:
    return word.is_name and not word.text[:1].isdigit()


def _is_for_a_column(words: Words, _dialect: Dialect) -> bool:
    return words.mentions("FOR")


def _is_like(words: Words, dialect: Dialect) -> bool:
    return dialect.name != "sqlite" and words.peek(1).is_name


CONSTRAINTS: tuple[_Beginning, ...] = (
    _Beginning("PRIMARY", _then("KEY"), Definitions.primary_key),
    _Beginning("UNIQUE", _always, Definitions.unique_key),
    _Beginning("FOREIGN", _then("KEY"), Definitions.foreign_key),
    _Beginning("CHECK", _always, Definitions.check),
    _Beginning("NOT", _then("NULL"), Definitions.no_null),
    _Beginning("EXCLUDE", _then("USING", "("), Definitions.check),
    _Beginning("DEFAULT", _is_for_a_column, Definitions.check),
    _Beginning("KEY", _is_index, Definitions.nothing),
    _Beginning("INDEX", _is_index, Definitions.nothing),
    _Beginning("FAMILY", _names_columns, Definitions.nothing),
    _Beginning("FULLTEXT", _names_columns, Definitions.nothing),
    _Beginning("SPATIAL", _names_columns, Definitions.nothing),
    _Beginning("PERIOD", _then("FOR"), Definitions.nothing),
    _Beginning("PARTITION", _then("BY", "("), Definitions.nothing),
    _Beginning("SUPPLEMENTAL", _then("LOG"), Definitions.nothing),
    _Beginning("LIKE", _is_like, Definitions.nothing),
)
_AFTER_AN_INDEX = frozenset({"USING", "COMMENT", "WITH", "ON", "INCLUDE", "WHERE", "VISIBLE", "INVISIBLE", "STORING"})
_BEGINNINGS: Mapping[str, tuple[_Beginning, ...]] = MappingProxyType({row.word: (row,) for row in CONSTRAINTS})
_OPTIONS: Mapping[str, Callable[[Definitions, TableColumn, Words], None]] = MappingProxyType(
    {
        "CONSTRAINT": Definitions.named,
        "NOT": Definitions.not_null,
        "NULL": Definitions.may_be_null,
        "PRIMARY": Definitions.primary,
        "KEY": Definitions.key_of_column,
        "UNIQUE": Definitions.unique,
        "IDENTITY": Definitions.identity,
        "AUTO_INCREMENT": Definitions.identity,
        "AUTOINCREMENT": Definitions.identity,
        "DEFAULT": Definitions.default,
        "ON": Definitions.on,
        "GENERATED": Definitions.generated,
        "AS": Definitions.computed,
        "CHECK": Definitions.passed,
        "COLLATE": Definitions.one_word,
        "CHARSET": Definitions.one_word,
        "STORAGE": Definitions.one_word,
        "COMPRESSION": Definitions.one_word,
        "ENCODE": Definitions.one_word,
        "MATCH": Definitions.one_word,
        "COMMENT": Definitions.comment,
        "REFERENCES": Definitions.refer,
        "FOREIGN": Definitions.foreign,
    }
)
