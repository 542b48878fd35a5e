"""Definitions inside a table: columns with what is said of each, and keys of the table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType

from scenograph.reading.losses import Place
from scenograph.reading.source import shown
from scenograph.reading.sql.column_types import column_type, names_a_column
from scenograph.reading.sql.model import Column, ForeignKey, Schema, Table
from scenograph.reading.sql.words import NotUnderstood, Words

_NO_COLUMN = ("CHECK", "EXCLUDE", "FULLTEXT", "SPATIAL", "PERIOD", "LIKE", "PARTITION", "SUPPLEMENTAL")
_INDEX = ("KEY", "INDEX")


class Definitions:
    """What definitions do to one table of a schema."""

    def __init__(self, table: Table, schema: Schema, place: Place) -> None:
        self._table = table
        self._schema = schema
        self._place = place

    def define_all(self, parts: Iterable[Words]) -> None:
        """Columns, then the keys of the table, which may stand before the columns that they name."""
        keys: list[Words] = []
        for part in parts:
            if _is_key(part):
                keys.append(part)
            else:
                self._try(part)
        for part in keys:
            self._try(part)

    def _try(self, words: Words) -> None:
        """A column or a constraint. One that is not understood costs only itself, and is told."""
        try:
            self._define(words)
        except NotUnderstood as why:
            words.at = 0
            self._schema.losses.unread(self._place, f"in {shown(self._table.name.name)} {shown(words.rest())}: {why}")

    def _define(self, words: Words) -> None:
        _pass_name_of_constraint(words)
        key = _KEYS.get(words.upper)
        if key is not None and not names_a_column(words):
            words.at += 1
            key(self, words)
        elif words.upper not in _NO_COLUMN and not (words.upper in _INDEX and not names_a_column(words)):
            self._column(words)

    def _column(self, words: Words) -> None:
        name = words.name("a column")
        if self._table.column(name) is not None:
            self._tell(f"a second column {shown(name)} of {shown(self._table.name.name)}, which stays as it was")
            return
        column = Column(name, column_type(words))
        self._schema.add_column(self._table, column)
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
        names = self._own(words.names() or (), "PRIMARY KEY")
        if self._table.key and names:
            self._tell(f"a second PRIMARY KEY of {shown(self._table.name.name)}; the first one stays")
        else:
            self._table.key = names

    def unique_key(self, words: Words) -> None:
        """`UNIQUE (…)` of the table."""
        words.skip_to_group()
        if names := self._own(words.names() or (), "UNIQUE"):
            self._table.unique.append(names)

    def foreign_key(self, words: Words) -> None:
        """`FOREIGN KEY (…) REFERENCES table (…)`."""
        words.skip_to_group()
        columns = words.names()
        if columns is None or not words.take("REFERENCES"):
            raise NotUnderstood("REFERENCES was expected")
        self._own(columns, "FOREIGN KEY")
        self._refer(self._table.own(columns), words)

    def _refer(self, columns: tuple[str, ...], words: Words) -> None:
        target = words.table_name()
        targets = (words.names() or ()) if words.upper == "(" else ()
        self._schema.refer(self._table, ForeignKey(columns, target, targets, self._place))

    def _own(self, names: tuple[str, ...], key: str) -> tuple[str, ...]:
        """The columns of a key as the table spells them; those that it does not have are told and left out."""
        missing = [name for name in names if self._table.column(name) is None]
        if missing:
            columns = ", ".join(shown(name) for name in missing)
            self._tell(f"{key} of {shown(self._table.name.name)} names {columns}, which the table does not have")
        return self._table.own(tuple(name for name in names if name not in missing))

    def _tell(self, what: str) -> None:
        self._schema.losses.formless(self._place, what)


def _is_key(words: Words) -> bool:
    """Whether a definition is a key of the table; the position stays."""
    at = words.at
    _pass_name_of_constraint(words)
    found = words.upper in _KEYS and not names_a_column(words)
    words.at = at
    return found


def _pass_name_of_constraint(words: Words) -> None:
    if words.take("CONSTRAINT") and not words.done and words.upper not in {*_KEYS, *_NO_COLUMN}:
        words.at += 1


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
