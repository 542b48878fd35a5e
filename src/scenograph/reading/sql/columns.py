"""Definitions inside a table: columns with what is said of each, and keys of the table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from scenograph.reading.losses import Place
from scenograph.reading.source import shown
from scenograph.reading.sql.model import Column, ForeignKey, Schema, Table
from scenograph.reading.sql.words import NotUnderstood, Word, Words

# What ends a type. WITH may go on with a time zone.
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
_NO_COLUMN = ("CHECK", "EXCLUDE", "FULLTEXT", "SPATIAL", "PERIOD", "LIKE", "PARTITION", "SUPPLEMENTAL")
_INDEX = ("KEY", "INDEX")
_TYPES = frozenset(
    [
        "INT",
        "INTEGER",
        "BIGINT",
        "SMALLINT",
        "TINYINT",
        "VARCHAR",
        "NVARCHAR",
        "CHAR",
        "NCHAR",
        "TEXT",
        "DATE",
        "DATETIME",
        "TIMESTAMP",
        "DECIMAL",
        "NUMERIC",
        "NUMBER",
        "BOOLEAN",
        "BOOL",
        "BIT",
        "FLOAT",
        "REAL",
        "DOUBLE",
        "JSON",
        "JSONB",
        "UUID",
        "BLOB",
        "CLOB",
        "VARCHAR2",
        "STRING",
        "VARIANT",
        "BINARY",
        "VARBINARY",
        "SERIAL",
    ]
)


class Definitions:
    """What definitions do to one table of a schema."""

    def __init__(self, table: Table, schema: Schema, place: Place) -> None:
        self._table = table
        self._schema = schema
        self._place = place

    def define(self, words: Words) -> None:
        """A column or a constraint. One that is not understood costs only itself, and is told."""
        try:
            self._define(words)
        except NotUnderstood as why:
            words.at = 0
            self._schema.losses.unread(self._place, f"in {shown(self._table.name.name)} {shown(words.rest())}: {why}")

    def _define(self, words: Words) -> None:
        if words.upper == "CONSTRAINT":
            words.at += 1
            if not {words.upper} & {*_KEYS, *_NO_COLUMN}:
                words.name("a constraint")
        key = _KEYS.get(words.upper)
        if key is not None and not _is_column(words):
            words.at += 1
            key(self, words)
        elif words.upper not in _NO_COLUMN and not (words.upper in _INDEX and not _is_column(words)):
            self._column(words)

    def _column(self, words: Words) -> None:
        name = words.name("a column")
        column = Column(name, _type(words))
        self._table.columns[name] = column
        self.constrain(column, words)

    def constrain(self, column: Column, words: Words) -> None:
        """What is said of a column after its type."""
        while not words.done:
            option = _OPTIONS.get(words.upper)
            words.at += 1
            if option is not None:
                option(self, column, words)
            elif words.words[words.at - 1].upper == "(":
                words.at -= 1
                words.group()

    def not_null(self, column: Column, words: Words) -> None:
        """`NOT NULL`; `NOT` may begin other options."""
        if words.take("NULL"):
            column.not_null = True

    def may_be_null(self, column: Column, _words: Words) -> None:
        """`NULL`."""
        column.not_null = False

    def primary(self, column: Column, words: Words) -> None:
        """`PRIMARY KEY` on the column."""
        words.take("KEY")
        if column.name not in self._table.key:
            self._table.key = (*self._table.key, column.name)

    def key_of_column(self, column: Column, words: Words) -> None:
        """`KEY` alone, which is a primary key in MySQL."""
        if self._schema.dialect.name == "mysql":
            self.primary(column, words)

    def unique(self, column: Column, words: Words) -> None:
        """`UNIQUE` on the column."""
        words.take("KEY")
        self._table.unique.append((column.name,))

    def identity(self, column: Column, words: Words) -> None:
        """A column that numbers itself is never null."""
        words.group()
        column.not_null = True

    def default(self, _column: Column, words: Words) -> None:
        """Pass a default value, whose words would say something else of the column."""
        words.take("ON", "NULL")
        if not words.done:
            words.at += 1
        words.group()

    def generated(self, column: Column, words: Words) -> None:
        """`GENERATED … AS IDENTITY`, or `AS (expression)`."""
        while not words.done and words.upper not in {"AS", "("}:
            words.at += 1
        words.take("AS")
        if words.take("IDENTITY"):
            self.identity(column, words)
        words.group()

    def passed(self, _column: Column, words: Words) -> None:
        """An expression in brackets after the word."""
        words.group()

    def one_word(self, _column: Column, words: Words) -> None:
        """A word after the word."""
        words.at += 1

    def comment(self, column: Column, words: Words) -> None:
        """`COMMENT 'text'`."""
        words.take("=")
        self._table.comments[column.name] = words.string() or ""

    def refer(self, column: Column, words: Words) -> None:
        """`REFERENCES table (column)`."""
        self._refer((column.name,), words)

    def primary_key(self, words: Words) -> None:
        """`PRIMARY KEY (…)` of the table."""
        words.skip_to_group()
        self._table.key = self._table.own(words.names() or ())

    def unique_key(self, words: Words) -> None:
        """`UNIQUE (…)` of the table."""
        words.skip_to_group()
        names = words.names()
        if names:
            self._table.unique.append(self._table.own(names))

    def foreign_key(self, words: Words) -> None:
        """`FOREIGN KEY (…) REFERENCES table (…)`."""
        words.skip_to_group()
        columns = words.names()
        if columns is None or not words.take("REFERENCES"):
            raise NotUnderstood("REFERENCES was expected")
        self._refer(self._table.own(columns), words)

    def _refer(self, columns: tuple[str, ...], words: Words) -> None:
        target = words.table_name()
        targets = (words.names() or ()) if words.upper == "(" else ()
        self._schema.refer(self._table, ForeignKey(columns, target, targets, self._place))


def _is_column(words: Words) -> bool:
    """Whether a word that begins a constraint is here a column's name: quoted, or with a type after it."""
    following: Word | None = words.words[words.at + 1] if words.at + 1 < len(words.words) else None
    return following is not None and following.upper in _TYPES


def _type(words: Words) -> str:
    """Pass the type of a column and answer it in the source's own words."""
    start = words.at
    while not words.done:
        upper = words.upper
        if words.follows("CHARACTER", "SET") or (upper == "SERIAL" and words.at > start):
            break
        if upper in _AFTER_TYPE and not (upper == "WITH" and _time_zone(words)):
            break
        if words.group() is None:
            words.at += 1
    passed = words.words[start : words.at]
    return " ".join(words.text[passed[0].start : passed[-1].end + 1].split()) if passed else ""


def _time_zone(words: Words) -> bool:
    return words.follows("WITH", "TIME") or words.follows("WITH", "LOCAL")


_KEYS: Mapping[str, Callable[[Definitions, Words], None]] = MappingProxyType(
    {
        "PRIMARY": Definitions.primary_key,
        "UNIQUE": Definitions.unique_key,
        "FOREIGN": Definitions.foreign_key,
    }
)
_OPTIONS: Mapping[str, Callable[[Definitions, Column, Words], None]] = MappingProxyType(
    {
        "NOT": Definitions.not_null,
        "NULL": Definitions.may_be_null,
        "PRIMARY": Definitions.primary,
        "KEY": Definitions.key_of_column,
        "UNIQUE": Definitions.unique,
        "IDENTITY": Definitions.identity,
        "AUTO_INCREMENT": Definitions.identity,
        "AUTOINCREMENT": Definitions.identity,
        "DEFAULT": Definitions.default,
        "GENERATED": Definitions.generated,
        "AS": Definitions.passed,
        "CHECK": Definitions.passed,
        "CONSTRAINT": Definitions.one_word,
        "COMMENT": Definitions.comment,
        "REFERENCES": Definitions.refer,
    }
)
