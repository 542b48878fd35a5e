"""What the statements of a schema say, before it becomes a document.

Constraints hold columns, not names, and foreign keys the table that they lead to: another name for either changes
nothing else. They are known by their own names, written or given by the database (`constraint_names.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from scenograph.late_dataclasses import dataclass, field
from scenograph.reading.losses import Losses, Place, TooLarge
from scenograph.reading.sql.constraint_names import CHECK, FOREIGN, INDEX, PRIMARY, UNIQUE, default_name
from scenograph.reading.sql.dialects import Dialect

COLUMNS_A_TABLE = 8  # at most, on average
STEPS_AN_ELEMENT = 100  # of work that one statement causes elsewhere, on average
_KINDS = (FOREIGN, PRIMARY, UNIQUE, INDEX, CHECK)


class Quoted(str):
    """A name in quotes."""

    __slots__ = ()


class TableName(NamedTuple):
    """A table's name, its schema and its database, "" where none is said."""

    catalog: str
    schema: str
    name: str

    @classmethod
    def of(cls, parts: Sequence[str]) -> TableName:
        """The name from its parts, the last of which is its own."""
        return cls(*(["", "", *parts])[-3:])


@dataclass(slots=True, eq=False)
class Column:
    """A column of a table."""

    name: str
    type: str = ""
    not_null: bool = False
    comment: str = ""


@dataclass(slots=True, eq=False)
class Constraint:
    """A constraint, or a unique index. `kind` is one of `constraint_names.py`; `loss` says why it cannot be shown;
    `given`: the database made up the name; `copies`: those of partitions that follow it."""

    kind: str
    columns: tuple[Column, ...]
    place: Place
    name: str = ""
    loss: str = ""
    given: bool = False
    copies: list[tuple[Table, Constraint]] = field(default_factory=list["tuple[Table, Constraint]"])


@dataclass(slots=True, eq=False)
class ForeignKey(Constraint):
    """A reference. `target` is the table that it leads to, None while there is none of the name `referred`; no
    `words` means its primary key; `targets` are the columns that it has by these words."""

    owner: Table | None = None
    referred: TableName = TableName("", "", "")
    words: tuple[str, ...] = ()
    target: Table | None = None
    targets: tuple[Column, ...] = ()


@dataclass(slots=True, eq=False)
class Table:
    """A table. `parts` are tables that take over changes: those that inherit from it, and its partitions (True).
    `is_open`: it has columns that only a database knows; `names`: how many constraints have a name, casefolded."""

    name: TableName
    place: Place
    comment: str = ""
    is_temporary: bool = False
    is_open: bool = False
    parts: dict[Table, bool] = field(default_factory=dict["Table", bool])
    referrers: dict[ForeignKey, None] = field(default_factory=dict["ForeignKey", None])
    _columns: dict[str, Column] = field(default_factory=dict[str, Column])
    _order: dict[Column, None] = field(default_factory=dict["Column", None])
    names: dict[str, int] = field(default_factory=dict[str, int])
    _constraints: dict[tuple[str, str], Constraint] = field(default_factory=dict[tuple[str, str], "Constraint"])

    @property
    def columns(self) -> list[Column]:
        """The columns in their order."""
        return list(self._order)

    @property
    def constraints(self) -> list[Constraint]:
        """The constraints in their order."""
        return list(self._constraints.values())

    @property
    def key(self) -> tuple[Column, ...]:
        """The columns of the primary key."""
        found = self.primary
        return found.columns if found else ()

    @property
    def primary(self) -> Constraint | None:
        """The primary key."""
        return self._constraints.get((PRIMARY, ""))

    def column(self, word: str) -> Column | None:
        """The column of that name, also where only the case differs."""
        return self._columns.get(word.casefold())

    def own(self, words: Sequence[str]) -> tuple[Column, ...]:
        """The columns of these names that the table has."""
        return tuple(column for word in words if (column := self.column(word)) is not None)

    def constraint(self, name: str, kinds: Sequence[str] = _KINDS) -> Constraint | None:
        """The constraint of that name and one of these kinds."""
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

    def hold(self, constraint: Constraint) -> None:
        """Take a constraint up; a name that is there already counts as none."""
        name = "" if constraint.kind == PRIMARY else constraint.name.casefold()
        if constraint.kind != PRIMARY and (not name or (constraint.kind, name) in self._constraints):
            name = f"\0{id(constraint)}"
        self._constraints[constraint.kind, name] = constraint
        folded = constraint.name.casefold()
        self.names[folded] = self.names.get(folded, 0) + 1

    def free(self, constraint: Constraint) -> None:
        """Take a constraint away."""
        key = next(key for key in self._keys_of(constraint) if self._constraints.get(key) is constraint)
        del self._constraints[key]
        folded = constraint.name.casefold()
        self.names[folded] -= 1
        if not self.names[folded]:
            del self.names[folded]
        if isinstance(constraint, ForeignKey) and constraint.target is not None:
            constraint.target.referrers.pop(constraint, None)

    def has(self, constraint: Constraint) -> bool:
        """Whether a constraint is one of the table's."""
        return any(self._constraints.get(key) is constraint for key in self._keys_of(constraint))

    def _keys_of(self, constraint: Constraint) -> Iterator[tuple[str, str]]:
        names = ("",) if constraint.kind == PRIMARY else (constraint.name.casefold(), f"\0{id(constraint)}")
        return ((constraint.kind, name) for name in names)

    def add_column(self, column: Column, *, behind: Column | None = None, first: bool = False) -> None:
        """Add a column behind the others, first, or behind another one."""
        self._columns[column.name.casefold()] = column
        self._order[column] = None
        self.place_column(column, behind=behind, first=first)

    def place_column(self, column: Column, *, behind: Column | None = None, first: bool = False) -> None:
        """Give a column another place among the others."""
        if not first and behind is None:
            return
        others = [one for one in self._order if one is not column]
        at = 0 if first or behind not in self._order else others.index(behind) + 1 if behind is not column else 0
        self._order = dict.fromkeys([*others[:at], column, *others[at:]])

    def drop_column(self, column: Column) -> None:
        """Take a column away."""
        del self._columns[column.name.casefold()]
        del self._order[column]

    def rename_column(self, column: Column, name: str) -> None:
        """Give a column another name."""
        del self._columns[column.name.casefold()]
        column.name = name
        self._columns[name.casefold()] = column


def _is_called(constraint: Constraint, folded: str) -> bool:
    name = constraint.name.casefold()
    return name == folded or (constraint.given and name.endswith("__") and folded.startswith(name))


class Schema:
    """The tables as they grow. Names are found with or without the schemas that are looked through, and in any case.
    TooLarge when there are more parts than `most`, or their changes cost too much."""

    def __init__(self, dialect: Dialect, losses: Losses, most: int) -> None:
        self.dialect = dialect
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
        """The schemas in which a name without one is looked up; what is made is in the first."""
        return (self.inside, *self._path) if self.inside else self._path

    @property
    def tables(self) -> list[Table]:
        """The tables in the order in which they were made."""
        return list(self._tables)

    def spend(self, steps: int) -> None:
        """Count work that is not in proportion to the source. TooLarge when it is too much."""
        self._steps += steps
        if self._steps > STEPS_AN_ELEMENT * self._most:
            raise TooLarge(self._most)

    def use(self, schema: str, *, is_chosen: bool, others: Sequence[str] = ()) -> None:
        """Look names up in a schema first. `is_chosen`: the schema is the one that all is in, until another is."""
        self._path = tuple(dict.fromkeys((schema, *others, self.dialect.default_schema)))
        if is_chosen:
            self._chosen.add(schema.casefold())

    def full(self, name: TableName) -> TableName:
        """The name with the present database and schema where it says none."""
        return TableName(name.catalog or self.catalog, name.schema or self.path[0], name.name)

    def add(self, table: Table) -> None:
        """Add a table; one of a name that was used before replaces it."""
        if (known := self.same(table.name)) is not None:
            self.remove(known)
        if len(self._tables) >= self._most:
            raise TooLarge(self._most)
        table.name = self.full(table.name)
        self._tables[table] = None
        self._know(table)

    def remove(self, table: Table, *, cascade: bool = False) -> None:
        """Take a table away. What referred to it waits for another of its name, or goes as well."""
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
        """Give a table another name, and another schema where one is said."""
        self.spend(4)
        self._forget(table)
        before, table.name = (
            table.name,
            TableName(name.catalog or table.name.catalog, name.schema or table.name.schema, name.name),
        )
        if self.dialect.name == "mysql":
            self._rename_given(table, before.name)
        self._know(table)
        self.settle(table)

    def _rename_given(self, table: Table, before: str) -> None:
        """MySQL keeps the names that it gave in step with the table's."""
        for constraint in table.constraints:
            if constraint.given and constraint.kind in {FOREIGN, CHECK} and constraint.name.startswith(f"{before}_"):
                table.free(constraint)
                constraint.name = table.name.name + constraint.name[len(before) :]
                table.hold(constraint)
                self._refer(constraint)

    def constrain(self, table: Table, constraint: Constraint) -> None:
        """Take up a constraint, under the name that the database would give it where it has none."""
        if not constraint.name:
            columns = [column.name for column in constraint.columns]
            if constraint.kind != PRIMARY:
                self.spend(len(table.names))
            constraint.name = default_name(self.dialect.name, constraint.kind, table.name.name, columns, table.names)
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

    def _refer(self, constraint: Constraint) -> None:
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
        """Lead to a table what has waited for one of its name."""
        for reference in self._waiting.pop(self._folded(table.name), ()):
            if reference.target is None:
                self._lead(reference, table)

    def drop(self, table: Table, constraint: Constraint, *, cascade: bool = False) -> None:
        """Take a constraint away, with its copies; with `cascade` also what refers to its columns."""
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
        """Take away what refers to a table in a certain way."""
        self.spend(len(table.referrers))
        for reference in [one for one in table.referrers if is_meant(one)]:
            if reference.owner is not None:
                reference.owner.free(reference)

    def rename_constraint(self, table: Table, constraint: Constraint, name: str) -> None:
        """Give a constraint another name."""
        table.free(constraint)
        constraint.name, constraint.given = name, False
        table.hold(constraint)
        self._refer(constraint)
        self._homes.setdefault(name.casefold(), []).append(table)

    def home_of(self, name: str, kinds: Sequence[str] = _KINDS) -> tuple[Table, Constraint] | None:
        """The table and the constraint of that name and of one of these kinds."""
        homes = self._homes.get(name.casefold(), [])
        while homes:
            found = homes[-1].constraint(name, kinds)
            if found is not None and homes[-1] in self._tables:
                return homes[-1], found
            homes.pop()
        return None

    def add_column(self, table: Table, column: Column, *, behind: Column | None = None, first: bool = False) -> None:
        """Add a column to a table."""
        self._columns += 1
        if self._columns > COLUMNS_A_TABLE * self._most:
            raise TooLarge(self._most)
        if first or behind is not None:
            self.spend(len(table.columns))
        table.add_column(column, behind=behind, first=first)

    def drop_column(self, table: Table, column: Column, *, cascade: bool = False) -> None:
        """Take a column away, and the constraints that it is part of. MySQL's keys keep their other columns."""
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
        """Let a table take over the changes of another one from now on."""
        if part is not parent and parent not in self.parts_of(part, partitions_alone=False):
            parent.parts.setdefault(part, is_partition)

    def parts_of(self, table: Table, *, partitions_alone: bool) -> Iterator[Table]:
        """The tables that take over changes of a table, at any depth."""
        waiting, seen = [table], {table}
        while waiting:
            for part, is_partition in waiting.pop().parts.items():
                self.spend(1)
                if part in self._tables and part not in seen and (is_partition or not partitions_alone):
                    seen.add(part)
                    waiting.append(part)
                    yield part

    def find(self, name: TableName) -> Table | None:
        """The table of that name, also where only the case differs or its database is not said."""
        catalog = name.catalog or self.catalog
        for schema in (name.schema,) if name.schema else self.path:
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
        """The table that a second one of that name would be."""
        return self._by_name.get(self._key(self.full(name)))

    def has(self, table: Table) -> bool:
        """Whether a table is there."""
        return table in self._tables

    def in_schema(self, schema: str) -> list[Table]:
        """The tables of a schema."""
        self.spend(len(self._tables))
        return [table for table in self._tables if table.name.schema.casefold() == schema.casefold()]

    def shown_names(self) -> Callable[[TableName], str]:
        """How tables are named: with their schema unless that is the default, or the only one and chosen for all; with
        their database where there are several."""
        schemas = {table.name.schema.casefold() for table in self._tables}
        hidden = {self.dialect.default_schema, "", *(self._chosen if len(schemas) == 1 else ())}
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
        """What is the same for names of one table."""
        is_exact = isinstance(name.name, Quoted) and not self.dialect.quotes_fold
        own = str(name.name) if is_exact else self.dialect.same_name(name.name)
        return TableName(name.catalog.casefold(), name.schema.casefold(), own)

    def _folded(self, name: TableName) -> tuple[str, str]:
        return (name.schema or self.path[0]).casefold(), name.name.casefold()


class Context(NamedTuple):
    """Where a statement stands, and what it works on. `guarded`: whether it is carried out depends on what a database
    holds, so that nothing is told of what is there already, or is not there."""

    schema: Schema
    place: Place
    guarded: bool = False
