"""A schema of DBML: tables with columns and keys, references, enumerations, groups and notes."""

from __future__ import annotations

from collections.abc import Sized
from typing import NamedTuple

from scenograph.late_dataclasses import dataclass, field
from scenograph.reading.losses import Losses, Place, TooLarge

PUBLIC = "public"
SAME = ""  # the table of a column, where a reference names none
COLUMNS_A_TABLE = 8  # at most, on average
OPERATORS = ("<>", "<", ">", "-")


class DbmlName(NamedTuple):
    """The name of a table or an enumeration, with its schema."""

    schema: str
    own: str

    @property
    def shown(self) -> str:
        """The name as displayed: without the schema `public`."""
        return self.own if self.schema == PUBLIC else f"{self.schema}.{self.own}"


class ReferenceEnd(NamedTuple):
    """An end of a reference: a table, or the alias of a table, and its columns."""

    table: DbmlName
    columns: tuple[str, ...]


class Reference(NamedTuple):
    """A reference. `operator` is one of OPERATORS; `is_inline`: the left end is the column of the definition."""

    left: ReferenceEnd
    operator: str
    right: ReferenceEnd
    place: Place
    is_inline: bool = False


@dataclass(slots=True)
class DbmlColumn:
    """A column. `is_null` is True where the source says so."""

    name: str
    type: str = ""
    is_key: bool = False
    is_unique: bool = False
    is_required: bool = False
    note: str = ""
    references: list[tuple[str, ReferenceEnd, Place]] = field(default_factory=list[tuple[str, ReferenceEnd, Place]])


class Index(NamedTuple):
    """A primary key or a unique index, by the names of its columns."""

    columns: tuple[str, ...]
    is_key: bool


@dataclass(slots=True)
class DbmlTable:
    """A table, or a partial table. `parts` are its columns, and the names of the partial tables injected, in order."""

    name: DbmlName
    place: Place
    alias: str = ""
    note: str = ""
    parts: list[DbmlColumn | tuple[str, Place]] = field(default_factory=list["DbmlColumn | tuple[str, Place]"])
    indexes: list[Index] = field(default_factory=list[Index])
    columns: dict[str, DbmlColumn] = field(default_factory=dict[str, DbmlColumn])
    key: frozenset[str] = frozenset()
    """The columns of the primary key, settled with the columns."""
    unique: dict[str, set[frozenset[str]]] = field(default_factory=dict[str, set[frozenset[str]]])
    """Columns whose values together appear once, by the first of them; settled likewise."""

    def settle_keys(self) -> None:
        """Collect `key` and `unique` from columns and indexes."""
        named = {name for index in self.indexes if index.is_key for name in index.columns}
        self.key = frozenset(named | {column.name for column in self.columns.values() if column.is_key})
        for index in self.indexes:
            if not index.is_key and index.columns:
                self.unique.setdefault(index.columns[0], set()).add(frozenset(index.columns))
        for column in self.columns.values():
            if column.is_unique:
                self.unique.setdefault(column.name, set()).add(frozenset({column.name}))


class Enumeration(NamedTuple):
    """An enumeration with its values."""

    name: DbmlName
    values: tuple[str, ...]
    place: Place


class TableGroup(NamedTuple):
    """A group of tables."""

    name: str
    tables: tuple[tuple[DbmlName, Place], ...]
    note: str
    place: Place


class Sticky(NamedTuple):
    """A note beside the tables."""

    name: str
    text: str


@dataclass(slots=True)
class DbmlSchema:
    """The content of a source, in its order. Raises TooLarge beyond `most` parts of a kind."""

    losses: Losses
    most: int
    title: str = ""
    tables: dict[DbmlName, DbmlTable] = field(default_factory=dict[DbmlName, DbmlTable])
    partials: dict[str, DbmlTable] = field(default_factory=dict[str, DbmlTable])
    references: list[Reference] = field(default_factory=list[Reference])
    enumerations: dict[DbmlName, Enumeration] = field(default_factory=dict[DbmlName, Enumeration])
    groups: list[TableGroup] = field(default_factory=list[TableGroup])
    notes: list[Sticky] = field(default_factory=list[Sticky])
    untold: dict[str, Place] = field(default_factory=dict[str, Place])
    _aliases: dict[str, DbmlTable] = field(default_factory=dict[str, DbmlTable])
    _columns: int = 0

    def add_table(self, table: DbmlTable) -> None:
        """Add a table; a second table of a name is told."""
        if table.name in self.tables:
            self.losses.formless(table.place, f"table {table.name.shown} is defined again; the first counts")
            return
        self.count(self.tables)
        self.tables[table.name] = table
        if table.alias:
            self._aliases.setdefault(table.alias, table)

    def count(self, held: Sized) -> None:
        """Refuse one more part of a kind beyond the limit."""
        if len(held) >= self.most:
            raise TooLarge(self.most)

    def find(self, name: DbmlName) -> DbmlTable | None:
        """The table of a name or an alias."""
        return self.tables.get(name) or (self._aliases.get(name.own) if name.schema == PUBLIC else None)

    def settle(self) -> None:
        """Give each table its columns, with those of its partial tables, and collect the references of columns."""
        for table in self.tables.values():
            self._settle_columns(table)
            table.settle_keys()
            for column in table.columns.values():
                for operator, end, place in column.references:
                    own = ReferenceEnd(table.name, (column.name,))
                    if end.table.own == SAME:
                        end = ReferenceEnd(table.name, end.columns)  # noqa: PLW2901 - completed
                    self.count(self.references)
                    self.references.append(Reference(own, operator, end, place, is_inline=True))

    def _settle_columns(self, table: DbmlTable) -> None:
        own = {part.name for part in table.parts if isinstance(part, DbmlColumn)}
        for part in table.parts:
            if isinstance(part, DbmlColumn):
                self._add_column(table, part)
                continue
            name, place = part
            partial = self.partials.get(name)
            if partial is None:
                self.losses.formless(
                    place, f"table {table.name.shown} injects a partial table that is not defined here"
                )
                continue
            for column in partial.parts:
                if isinstance(column, DbmlColumn) and column.name not in own:
                    table.columns.pop(column.name, None)
                    self._add_column(table, column)
            table.indexes += partial.indexes
            table.note = table.note or partial.note

    def _add_column(self, table: DbmlTable, column: DbmlColumn) -> None:
        if column.name in table.columns:
            what = f"table {table.name.shown} has a column twice; the first counts"
            self.losses.formless(table.place, what)
            return
        self._columns += 1
        if self._columns > COLUMNS_A_TABLE * self.most:
            raise TooLarge(self.most)
        table.columns[column.name] = column
