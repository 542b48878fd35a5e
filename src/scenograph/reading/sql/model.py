"""What the statements of a schema say, before it becomes a document."""

from __future__ import annotations

from scenograph.late_dataclasses import dataclass, field
from scenograph.reading.losses import Losses, Place, TooLarge
from scenograph.reading.sql.dialects import Dialect

COLUMNS_A_TABLE = 8  # at most, on average


@dataclass(slots=True)
class Column:
    """A column of a table."""

    name: str
    type: str = ""
    not_null: bool = False


@dataclass(slots=True)
class ForeignKey:
    """A reference; no `targets` means the primary key of the other table. `target` is that table where it was defined
    before, so that it may be called otherwise later."""

    columns: tuple[str, ...]
    table: TableName
    targets: tuple[str, ...]
    place: Place
    target: Table | None = None


@dataclass(frozen=True, slots=True)
class TableName:
    """A table's name and its schema, "" where none is said."""

    schema: str
    name: str


@dataclass(slots=True)
class Table:
    """A table. `key` is its primary key; `unique` are sets of columns that are unique together."""

    name: TableName
    place: Place
    columns: dict[str, Column] = field(default_factory=dict[str, Column])
    key: tuple[str, ...] = ()
    unique: list[tuple[str, ...]] = field(default_factory=list[tuple[str, ...]])
    foreign_keys: list[ForeignKey] = field(default_factory=list[ForeignKey])
    comments: dict[str, str] = field(default_factory=dict[str, str])
    _in_any_case: dict[str, str] = field(default_factory=dict[str, str])
    _former: dict[str, str] = field(default_factory=dict[str, str])

    def add(self, column: Column) -> None:
        """Add a column behind the others."""
        self.columns[column.name] = column
        self._in_any_case[column.name.casefold()] = column.name

    def column(self, word: str) -> Column | None:
        """The column of that name, also where only the case differs."""
        return self.columns.get(word) or self.columns.get(self._in_any_case.get(word.casefold(), ""))

    def own(self, words: tuple[str, ...]) -> tuple[str, ...]:
        """The names as the table spells them now; a column may be named as it was before."""
        return tuple(self._now(word) for word in words)

    def _now(self, word: str) -> str:
        for _ in range(len(self._former) + 1):
            found = self.column(word)
            if found is not None or word.casefold() not in self._former:
                return found.name if found is not None else word
            word = self._former[word.casefold()]
        return word

    def drop(self, name: str) -> None:
        """Take a column away, and the keys that it is part of."""
        del self.columns[name]
        del self._in_any_case[name.casefold()]
        self.foreign_keys = [row for row in self.foreign_keys if name not in row.columns]
        self.unique = [names for names in self.unique if name not in names]
        self.key = tuple(other for other in self.key if other != name)

    def rename_column(self, old: str, new: str) -> None:
        """Give a column another name, also in the keys that it is part of."""

        def renamed(names: tuple[str, ...]) -> tuple[str, ...]:
            return tuple(new if name == old else name for name in names)

        self.columns[old].name = new
        self._former[old.casefold()] = new
        self.columns = {column.name: column for column in self.columns.values()}
        self._in_any_case = {name.casefold(): name for name in self.columns}
        self.key = renamed(self.key)
        self.unique = [renamed(names) for names in self.unique]
        for reference in self.foreign_keys:
            reference.columns = renamed(reference.columns)


class Schema:
    """The tables as they grow. Names are found with or without the default schema, and in any case. TooLarge when there
    are more parts than `most`."""

    def __init__(self, dialect: Dialect, losses: Losses, most: int) -> None:
        self.dialect = dialect
        self.losses = losses
        self.tables: list[Table] = []
        self._most = most
        self._by_name: dict[tuple[str, str], Table] = {}
        self._in_any_case: dict[tuple[str, str], list[Table]] = {}
        self._references = self._columns = 0

    def add(self, table: Table) -> None:
        """Add a table; one of a name that was used before replaces it."""
        if (known := self.same(table.name)) is not None:
            self.remove(known)
        if len(self.tables) >= self._most:
            raise TooLarge(self._most)
        self.tables.append(table)
        self._know(table)

    def refer(self, table: Table, reference: ForeignKey) -> None:
        """Add a foreign key."""
        self._references += 1
        if self._references > self._most:
            raise TooLarge(self._most)
        reference.target = self.find(reference.table)
        table.foreign_keys.append(reference)

    def target(self, reference: ForeignKey) -> Table | None:
        """The table that a reference leads to, by whatever name; None where there is none."""
        known = reference.target
        is_there = known is not None and self._by_name.get(self._key(known.name)) is known
        return known if is_there else self.find(reference.table)

    def add_column(self, table: Table, column: Column) -> None:
        """Add a column to a table."""
        self._columns += 1
        if self._columns > COLUMNS_A_TABLE * self._most:
            raise TooLarge(self._most)
        table.add(column)

    def remove(self, table: Table) -> None:
        """Take a table away."""
        self.tables.remove(table)
        self._forget(table)

    def rename(self, table: Table, name: str) -> None:
        """Give a table another name in its schema."""
        self._forget(table)
        table.name = TableName(table.name.schema, name)
        self._know(table)

    def find(self, name: TableName) -> Table | None:
        """The table of that name, also where only the case differs."""
        return self._by_name.get(self._key(name)) or next(iter(self._in_any_case.get(self._folded(name), ())), None)

    def same(self, name: TableName) -> Table | None:
        """The table that a second one of that name would be."""
        return self._by_name.get(self._key(name)) if self.dialect.case_sensitive else self.find(name)

    def named(self, parts: list[str]) -> TableName:
        """The name of a table from its parts, the last of which is its own."""
        return TableName(parts[-2] if len(parts) > 1 else "", parts[-1])

    def shown(self, name: TableName) -> str:
        """The name with its schema, unless that is the default."""
        schema = name.schema if name.schema.casefold() != self.dialect.default_schema else ""
        return f"{schema}.{name.name}" if schema else name.name

    def _know(self, table: Table) -> None:
        self._by_name[self._key(table.name)] = table
        self._in_any_case.setdefault(self._folded(table.name), []).append(table)

    def _forget(self, table: Table) -> None:
        del self._by_name[self._key(table.name)]
        self._in_any_case[self._folded(table.name)].remove(table)

    def _key(self, name: TableName) -> tuple[str, str]:
        return (name.schema or self.dialect.default_schema).casefold(), name.name

    def _folded(self, name: TableName) -> tuple[str, str]:
        schema, own = self._key(name)
        return schema, own.casefold()
