"""The model of a schema, between its statements and the document.

Constraints hold columns, not names, and foreign keys their target table: renaming either changes nothing else.
Constraints are identified by their names, written or given by the database (below).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from scenograph.late_dataclasses import dataclass, field
from scenograph.reading.source import Losses, Place, TooLarge, require_room
from scenograph.reading.sql.dialects import Dialect

# Names given by databases to unnamed constraints, which a later statement may drop or rename.
#
# RULES has a row for each dialect with predictable names. SQL Server ends its names in a random number: the known part
# ends in `__` here. Oracle and Snowflake use numbers alone.

_LONGEST_OF_POSTGRES = 63
PRIMARY, UNIQUE, INDEX, FOREIGN, CHECK = "primary", "unique", "index", "foreign", "check"
INDEXES = (PRIMARY, UNIQUE, INDEX)
_ENDING = {PRIMARY: "pkey", UNIQUE: "key", INDEX: "idx", FOREIGN: "fkey", CHECK: "check"}
_BEGINNING = {PRIMARY: "PK", UNIQUE: "UQ", INDEX: "UQ", FOREIGN: "FK", CHECK: "CK"}


def _default_name(dialect: str, kind: str, table: str, columns: Sequence[str], taken: Collection[str]) -> str:
    """The name given by a database; "" if unpredictable. `taken` are the table's names, casefolded."""
    rule = RULES.get(dialect)
    return rule(kind, table, columns, taken) if rule else ""


def _of_postgres(kind: str, table: str, columns: Sequence[str], taken: Collection[str]) -> str:
    middle = "" if kind == PRIMARY else "_".join(columns)
    names = (_shortened(table, middle, f"{_ENDING[kind]}{number or ''}") for number in range(len(taken) + 1))
    return next((name for name in names if name.casefold() not in taken), "")


def _shortened(table: str, middle: str, ending: str) -> str:
    """The longer part gives way until the whole has room, in bytes."""
    parts = [table.encode(), middle.encode()]
    over = len(parts[0]) + len(parts[1]) + len(ending) + 1 + bool(middle) - _LONGEST_OF_POSTGRES
    if over > 0:
        room = sum(map(len, parts)) - over
        shorter = min(map(len, parts))
        longest = max(room - shorter, (room + 1) // 2)
        first = min(len(parts[0]), longest)
        second = room - first if len(parts[1]) > room - first else len(parts[1])
        parts = [parts[0][: room - second if len(parts[0]) > room - second else len(parts[0])], parts[1][:second]]
    texts = [part.decode(errors="ignore") for part in parts]
    return "_".join(text for text in (*texts, ending) if text)


def _of_mysql(kind: str, table: str, columns: Sequence[str], taken: Collection[str]) -> str:
    if kind == PRIMARY:
        return "PRIMARY"
    if kind in {FOREIGN, CHECK}:
        stem = f"{table}_{'ibfk' if kind == FOREIGN else 'chk'}_".casefold()
        numbers = [name[len(stem) :] for name in taken if name.startswith(stem)]
        last = max((int(number) for number in numbers if number.isdecimal() and len(number) < 10), default=0)
        return f"{table}_{'ibfk' if kind == FOREIGN else 'chk'}_{last + 1}"
    first = columns[0] if columns else ""
    names = (first if number == 1 else f"{first}_{number}" for number in range(1, len(taken) + 2))
    return next((name for name in names if name.casefold() not in taken), "")


def _of_sql_server(kind: str, table: str, columns: Sequence[str], _taken: Collection[str]) -> str:
    column = f"__{columns[0][:5]}" if columns and kind in {FOREIGN, CHECK} else ""
    return f"{_BEGINNING[kind]}__{table[: 9 if column else 8]}{column}__"


RULES: Mapping[str, Callable[[str, str, Sequence[str], Collection[str]], str]] = MappingProxyType(
    {"postgres": _of_postgres, "mysql": _of_mysql, "mssql": _of_sql_server}
)

COLUMNS_A_TABLE = 8  # at most, on average
_STEPS_AN_ELEMENT = 100  # work caused by a statement elsewhere, on average
_KINDS = (FOREIGN, PRIMARY, UNIQUE, INDEX, CHECK)


class Quoted(str):
    """A name in quotes."""

    __slots__ = ()


class TableName(NamedTuple):
    """A table's name, schema and database, "" if unstated."""

    catalog: str
    schema: str
    name: str

    @classmethod
    def of(cls, parts: Sequence[str]) -> TableName:
        """The name from parts, the table's own name last."""
        return cls(*(["", "", *parts])[-3:])


@dataclass(slots=True, eq=False)
class TableColumn:
    """A column of a table."""

    name: str
    type: str = ""
    not_null: bool = False
    comment: str = ""


@dataclass(slots=True, eq=False)
class TableConstraint:
    """A constraint, or a unique index. `kind` is one of the kinds below; `loss` is the reason for not showing it.
    `given`: the name is from the database; `copies`: dependent constraints of partitions."""

    kind: str
    columns: tuple[TableColumn, ...]
    place: Place
    name: str = ""
    loss: str = ""
    given: bool = False
    copies: list[tuple[Table, TableConstraint]] = field(default_factory=list["tuple[Table, TableConstraint]"])


@dataclass(slots=True, eq=False)
class ForeignKey(TableConstraint):
    """A foreign key. `target` is its table, None while no table has the name `referred`; without `words` it refers to
    the primary key; `targets` are the columns of these words."""

    owner: Table | None = None
    referred: TableName = TableName("", "", "")
    words: tuple[str, ...] = ()
    target: Table | None = None
    targets: tuple[TableColumn, ...] = ()


@dataclass(slots=True, eq=False)
class Table:
    """A table. `parts` follow its changes: inheriting tables, and partitions (True). `is_open`: further columns are
    known only to the database. `names` counts constraints by casefolded name."""

    name: TableName
    place: Place
    comment: str = ""
    is_temporary: bool = False
    is_open: bool = False
    parts: dict[Table, bool] = field(default_factory=dict["Table", bool])
    referrers: dict[ForeignKey, None] = field(default_factory=dict["ForeignKey", None])
    _columns: dict[str, TableColumn] = field(default_factory=dict[str, TableColumn])
    _order: dict[TableColumn, None] = field(default_factory=dict["TableColumn", None])
    names: dict[str, int] = field(default_factory=dict[str, int])
    _constraints: dict[tuple[str, str], TableConstraint] = field(
        default_factory=dict[tuple[str, str], "TableConstraint"]
    )

    @property
    def columns(self) -> list[TableColumn]:
        """The columns in their order."""
        return list(self._order)

    @property
    def constraints(self) -> list[TableConstraint]:
        """The constraints in their order."""
        return list(self._constraints.values())

    @property
    def key(self) -> tuple[TableColumn, ...]:
        """The columns of the primary key."""
        found = self.primary
        return found.columns if found else ()

    @property
    def primary(self) -> TableConstraint | None:
        """The primary key."""
        return self._constraints.get((PRIMARY, ""))

    def column(self, word: str) -> TableColumn | None:
        """The column of a name, ignoring case."""
        return self._columns.get(word.casefold())

    def own(self, words: Sequence[str]) -> tuple[TableColumn, ...]:
        """The existing columns of these names."""
        return tuple(column for word in words if (column := self.column(word)) is not None)

    def constraint(self, name: str, kinds: Sequence[str] = _KINDS) -> TableConstraint | None:
        """The constraint of a name, among these kinds."""
        folded = name.casefold()
        for kind in kinds:
            if kind == PRIMARY:
                found = self.primary
                if found is not None and _is_called(found, folded):
                    return found
            elif (found := self._constraints.get((kind, folded))) is not None:
                return found
        return (
            next((one for one in self.constraints if one.kind in kinds and _is_called(one, folded)), None)
            if ("__" in name)
            else None
        )

    def hold(self, constraint: TableConstraint) -> None:
        """Add a constraint; a taken name counts as none."""
        name = "" if constraint.kind == PRIMARY else constraint.name.casefold()
        if constraint.kind != PRIMARY and (not name or (constraint.kind, name) in self._constraints):
            name = f"\0{id(constraint)}"
        self._constraints[constraint.kind, name] = constraint
        folded = constraint.name.casefold()
        self.names[folded] = self.names.get(folded, 0) + 1

    def free(self, constraint: TableConstraint) -> None:
        """Take a constraint away."""
        key = next(key for key in self._keys_of(constraint) if self._constraints.get(key) is constraint)
        del self._constraints[key]
        folded = constraint.name.casefold()
        self.names[folded] -= 1
        if not self.names[folded]:
            del self.names[folded]
        if isinstance(constraint, ForeignKey) and constraint.target is not None:
            constraint.target.referrers.pop(constraint, None)

    def has(self, constraint: TableConstraint) -> bool:
        """Whether the constraint belongs to the table."""
        return any(self._constraints.get(key) is constraint for key in self._keys_of(constraint))

    def _keys_of(self, constraint: TableConstraint) -> Iterator[tuple[str, str]]:
        names = ("",) if constraint.kind == PRIMARY else (constraint.name.casefold(), f"\0{id(constraint)}")
        return ((constraint.kind, name) for name in names)

    def add_column(self, column: TableColumn, *, behind: TableColumn | None = None, first: bool = False) -> None:
        """Add a column at the end, first, or after another column."""
        self._columns[column.name.casefold()] = column
        self._order[column] = None
        self.place_column(column, behind=behind, first=first)

    def place_column(self, column: TableColumn, *, behind: TableColumn | None = None, first: bool = False) -> None:
        """Move a column to another position."""
        if not first and behind is None:
            return
        others = [one for one in self._order if one is not column]
        at = 0 if first or behind not in self._order else others.index(behind) + 1 if behind is not column else 0
        self._order = dict.fromkeys([*others[:at], column, *others[at:]])

    def drop_column(self, column: TableColumn) -> None:
        """Take a column away."""
        del self._columns[column.name.casefold()]
        del self._order[column]

    def rename_column(self, column: TableColumn, name: str) -> None:
        """Give a column another name."""
        del self._columns[column.name.casefold()]
        column.name = name
        self._columns[name.casefold()] = column


def _is_called(constraint: TableConstraint, folded: str) -> bool:
    name = constraint.name.casefold()
    return name == folded or (constraint.given and name.endswith("__") and folded.startswith(name))


class Schema:
    """The tables under construction. Names are looked up through the schema path, ignoring case. Raises TooLarge beyond
    `most` parts, or when changes cost too much. `dialect` is the dialect of the current file; one dialect compares the
    names of a whole series."""

    def __init__(self, dialect: Dialect, losses: Losses, most: int) -> None:
        self.dialect = self._named = dialect
        self.losses = losses
        self.catalog = ""
        self.inside = ""  # the schema whose statements are read
        self.views: set[str] = set()
        self._path: tuple[str, ...] = (dialect.default_schema,)
        self._tables: dict[Table, None] = {}
        self._most = most
        self._by_name: dict[TableName, Table] = {}
        self._in_any_case: dict[tuple[str, str], dict[Table, None]] = {}
        self._waiting: dict[tuple[str, str], list[ForeignKey]] = {}
        self._homes: dict[str, list[Table]] = {}
        self._chosen: set[str] = set()
        self._references = self._columns = self._steps = 0

    @property
    def path(self) -> tuple[str, ...]:
        """The schemas searched for unqualified names; new tables go to the first."""
        return (self.inside, *self._path) if self.inside else self._path

    @property
    def tables(self) -> list[Table]:
        """The tables in order of creation."""
        return list(self._tables)

    def spend(self, steps: int) -> None:
        """Count work out of proportion to the source. Raises TooLarge beyond the limit."""
        self._steps += steps
        if self._steps > _STEPS_AN_ELEMENT * self._most:
            raise TooLarge(self._most)

    def use(self, schema: str, *, is_chosen: bool, others: Sequence[str] = ()) -> None:
        """Search a schema first. `is_chosen`: the schema is chosen for all statements until the next choice."""
        schemas = (*map(self._home, (schema, *others)), self._named.default_schema)
        self._path = tuple(dict.fromkeys(schemas))
        if is_chosen:
            self._chosen.add(schema.casefold())

    def full(self, name: TableName) -> TableName:
        """The name, qualified by the current database and schema."""
        return TableName(name.catalog or self.catalog, self._home(name.schema) or self.path[0], name.name)

    def _home(self, schema: str) -> str:
        """A schema of the current file; a default schema becomes the default schema of the series."""
        is_default = schema.casefold() == self.dialect.default_schema
        return self._named.default_schema if is_default else schema

    def add(self, table: Table) -> None:
        """Add a table; it replaces a table of the same name."""
        if (known := self.same(table.name)) is not None:
            self.remove(known)
        require_room(self._most, self._tables)
        table.name = self.full(table.name)
        self._tables[table] = None
        self._know(table)

    def remove(self, table: Table, *, cascade: bool = False) -> None:
        """Remove a table. References to it wait for another table of the name, or are removed too."""
        for part in [*self.parts_of(table, partitions_alone=True), table]:
            self._remove(part, cascade=cascade)

    def _remove(self, table: Table, *, cascade: bool) -> None:
        del self._tables[table]
        self._forget(table)
        for reference in list(table.referrers):
            if cascade and reference.owner is not None:
                reference.owner.free(reference)
            else:
                reference.target, reference.targets = None, ()
                self._wait(reference)
        table.referrers.clear()
        for constraint in table.constraints:
            if isinstance(constraint, ForeignKey) and constraint.target is not None:
                constraint.target.referrers.pop(constraint, None)

    def rename(self, table: Table, name: TableName) -> None:
        """Rename a table, and move it to another schema if stated."""
        self.spend(4)
        self._forget(table)
        before, table.name = (
            table.name,
            TableName(name.catalog or table.name.catalog, self._home(name.schema) or table.name.schema, name.name),
        )
        if self.dialect.name == "mysql":
            self._rename_given(table, before.name)
        self._know(table)
        self.settle(table)

    def _rename_given(self, table: Table, before: str) -> None:
        """Rename the constraints named by MySQL after the table."""
        for constraint in table.constraints:
            if constraint.given and constraint.kind in {FOREIGN, CHECK} and constraint.name.startswith(f"{before}_"):
                table.free(constraint)
                constraint.name = table.name.name + constraint.name[len(before) :]
                table.hold(constraint)
                self._refer(constraint)

    def constrain(self, table: Table, constraint: TableConstraint) -> None:
        """Add a constraint; without a name, under the database's default name."""
        if not constraint.name:
            columns = [column.name for column in constraint.columns]
            if constraint.kind != PRIMARY:
                self.spend(len(table.names))
            constraint.name = _default_name(self.dialect.name, constraint.kind, table.name.name, columns, table.names)
            constraint.given = True
        if constraint.kind == PRIMARY:
            for column in constraint.columns:
                column.not_null = True
        table.hold(constraint)
        if constraint.name:
            self._homes.setdefault(constraint.name.casefold(), []).append(table)
        if isinstance(constraint, ForeignKey):
            self._references += 1
            if self._references > self._most:
                raise TooLarge(self._most)
            constraint.owner = table
            self._refer(constraint)

    def _refer(self, constraint: TableConstraint) -> None:
        if not isinstance(constraint, ForeignKey):
            return
        target = constraint.target or self.find(constraint.referred)
        if target is None:
            self._wait(constraint)
        else:
            self._lead(constraint, target)

    def _lead(self, reference: ForeignKey, target: Table) -> None:
        reference.target, reference.targets = target, target.own(reference.words)
        target.referrers[reference] = None

    def _wait(self, reference: ForeignKey) -> None:
        self._waiting.setdefault(self._folded(self.full(reference.referred)), []).append(reference)

    def settle(self, table: Table) -> None:
        """Resolve references that wait for a table of this name."""
        for reference in self._waiting.pop(self._folded(table.name), ()):
            if reference.target is None:
                self._lead(reference, table)

    def drop(self, table: Table, constraint: TableConstraint, *, cascade: bool = False) -> None:
        """Remove a constraint with all copies; with `cascade` also references to the constraint's columns."""
        waiting = [(table, constraint)]
        while waiting:
            self.spend(1)
            holder, held = waiting.pop()
            if holder.has(held):
                holder.free(held)
                waiting += held.copies
        if cascade and constraint.kind in {PRIMARY, UNIQUE}:
            columns = set(constraint.columns)
            self.drop_references(
                table, lambda one: set(one.targets) == columns or (not one.words and constraint.kind == PRIMARY)
            )

    def drop_references(self, table: Table, is_meant: Callable[[ForeignKey], bool]) -> None:
        """Remove selected references to a table."""
        self.spend(len(table.referrers))
        for reference in [one for one in table.referrers if is_meant(one)]:
            if reference.owner is not None:
                reference.owner.free(reference)

    def rename_constraint(self, table: Table, constraint: TableConstraint, name: str) -> None:
        """Give a constraint another name."""
        table.free(constraint)
        constraint.name, constraint.given = name, False
        table.hold(constraint)
        self._refer(constraint)
        self._homes.setdefault(name.casefold(), []).append(table)

    def home_of(self, name: str, kinds: Sequence[str] = _KINDS) -> tuple[Table, TableConstraint] | None:
        """The table and the constraint of a name, among these kinds."""
        homes = self._homes.get(name.casefold(), [])
        while homes:
            found = homes[-1].constraint(name, kinds)
            if found is not None and homes[-1] in self._tables:
                return homes[-1], found
            homes.pop()
        return None

    def add_column(
        self, table: Table, column: TableColumn, *, behind: TableColumn | None = None, first: bool = False
    ) -> None:
        """Add a column to a table."""
        self._columns += 1
        if self._columns > COLUMNS_A_TABLE * self._most:
            raise TooLarge(self._most)
        if first or behind is not None:
            self.spend(len(table.columns))
        table.add_column(column, behind=behind, first=first)

    def drop_column(self, table: Table, column: TableColumn, *, cascade: bool = False) -> None:
        """Remove a column with all constraints on the column. MySQL's keys keep the remaining columns."""
        constraints = table.constraints
        self.spend(len(constraints))
        for constraint in constraints:
            if column not in constraint.columns:
                continue
            left = tuple(one for one in constraint.columns if one is not column)
            if left and self.dialect.name == "mysql" and constraint.kind != FOREIGN:
                constraint.columns = left
            else:
                table.free(constraint)
        if cascade:
            self.drop_references(table, lambda one: column in one.targets)
        table.drop_column(column)

    def attach(self, parent: Table, part: Table, *, is_partition: bool) -> None:
        """Let a table follow the changes of another table from now on."""
        if part is not parent and parent not in self.parts_of(part, partitions_alone=False):
            parent.parts.setdefault(part, is_partition)

    def parts_of(self, table: Table, *, partitions_alone: bool) -> Iterator[Table]:
        """The tables that follow the changes of a table, at any depth."""
        waiting, seen = [table], {table}
        while waiting:
            for part, is_partition in waiting.pop().parts.items():
                self.spend(1)
                if part in self._tables and part not in seen and (is_partition or not partitions_alone):
                    seen.add(part)
                    waiting.append(part)
                    yield part

    def find(self, name: TableName) -> Table | None:
        """The table of a name, ignoring case and a missing database."""
        catalog = name.catalog or self.catalog
        for schema in (self._home(name.schema),) if name.schema else self.path:
            full = TableName(catalog, schema, name.name)
            found = self._by_name.get(self._key(full))
            if found is None:
                alike = self._in_any_case.get(self._folded(full), {})
                found = next((one for one in alike if one.name.catalog.casefold() == catalog.casefold()), None)
                found = found or next(iter(alike), None)
            if found is not None:
                return found
        return None

    def same(self, name: TableName) -> Table | None:
        """The table that a second definition of the name would collide with."""
        return self._by_name.get(self._key(self.full(name)))

    def has(self, table: Table) -> bool:
        """Whether the schema has a table."""
        return table in self._tables

    def in_schema(self, schema: str) -> list[Table]:
        """The tables of a schema."""
        self.spend(len(self._tables))
        return [table for table in self._tables if table.name.schema.casefold() == self._home(schema).casefold()]

    def shown_names(self) -> Callable[[TableName], str]:
        """The display of table names: with the schema, unless default or the only one and chosen for all; with the
        database if several exist."""
        schemas = {table.name.schema.casefold() for table in self._tables}
        hidden = {self._named.default_schema, "", *(self._chosen if len(schemas) == 1 else ())}
        has_databases = len({table.name.catalog.casefold() for table in self._tables}) > 1

        def shown(name: TableName) -> str:
            parts = (name.catalog if has_databases else "", "" if name.schema.casefold() in hidden else name.schema)
            return ".".join(part for part in (*parts, name.name) if part)

        return shown

    def _know(self, table: Table) -> None:
        self._by_name[self._key(table.name)] = table
        self._in_any_case.setdefault(self._folded(table.name), {})[table] = None

    def _forget(self, table: Table) -> None:
        if self._by_name.get(self._key(table.name)) is table:
            del self._by_name[self._key(table.name)]
        del self._in_any_case[self._folded(table.name)][table]

    def _key(self, name: TableName) -> TableName:
        """A key equal for all spellings of a table's name."""
        is_exact = isinstance(name.name, Quoted) and not self._named.quotes_fold
        own = str(name.name) if is_exact else self._named.same_name(name.name)
        return TableName(name.catalog.casefold(), name.schema.casefold(), own)

    def _folded(self, name: TableName) -> tuple[str, str]:
        return (name.schema or self.path[0]).casefold(), name.name.casefold()


class Context(NamedTuple):
    """The context of a statement. `guarded`: its execution depends on the content of a database, and existing or
    missing objects are not reported."""

    schema: Schema
    place: Place
    guarded: bool = False
