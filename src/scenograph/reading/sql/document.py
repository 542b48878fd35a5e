"""A schema as a scene document: tables are entities with columns, foreign keys edges between their rows."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence, Set
from typing import NamedTuple

from scenograph.reading.assembly import Assembly
from scenograph.reading.losses import Losses
from scenograph.reading.source import Source, shown
from scenograph.reading.sql.constraint_names import INDEX, UNIQUE
from scenograph.reading.sql.model import ForeignKey, Schema, Table, TableColumn, TableConstraint, TableName
from scenograph.scene.json_values import JsonObject

_FAMILY = "entityRelationship"
_LONGEST = 500


def document_of(schema: Schema, source: Source) -> JsonObject:
    """The document."""
    assembly = Assembly("sql", source)
    named = schema.shown_names()
    tables = [table for table in schema.tables if not table.is_temporary]
    ids = {table: assembly.numbered(named(table.name)) for table in tables}
    for table in tables:
        assembly.node(
            ids[table],
            nodeType="er.entity",
            label=named(table.name),
            tooltip=_comment(table),
            extensions={"columns": _columns(table)},
        )
    for table in tables:
        names = _OfATable(
            ids, named, [set(columns) for columns in (table.key, *(one.columns for one in _unique(table)))]
        )
        for constraint in table.constraints:
            if isinstance(constraint, ForeignKey):
                _add_edge(constraint, table, names, assembly, schema.losses)
            elif constraint.loss:
                schema.losses.formless(constraint.place, constraint.loss)
    if len(tables) < len(schema.tables):
        first = next(table for table in schema.tables if table.is_temporary)
        what = f"{len(schema.tables) - len(tables)} temporary tables, which are no part of the schema"
        schema.losses.formless(first.place, what)
    return assembly.document(_FAMILY)


def _comment(table: Table) -> str:
    """The comments on a table and its columns."""
    rows = [table.comment, *(f"{column.name}: {column.comment}" for column in table.columns if column.comment)]
    return "\n".join(row for row in rows if row)


def _columns(table: Table) -> list[JsonObject]:
    key = table.key
    constraints = table.constraints
    referring = {column for one in constraints if isinstance(one, ForeignKey) for column in one.columns}
    unique = {one.columns for one in _unique(table)} - {key}
    return [
        _column(
            column,
            {
                "pk": column in key,
                "fk": column in referring,
                "unique": (column,) in unique,
                "nullable": not column.not_null,
            },
        )
        for column in table.columns
    ]


def _column(column: TableColumn, flags: dict[str, bool]) -> JsonObject:
    typed = {"type": column.type[:_LONGEST]} if column.type else {}
    return {"name": column.name[:_LONGEST], **typed, **{flag: True for flag, on in flags.items() if on}}


def _unique(table: Table) -> list[TableConstraint]:
    return [one for one in table.constraints if one.kind in {UNIQUE, INDEX} and one.columns and not one.loss]


class _OfATable(NamedTuple):
    """The names of tables, by unique ids and as displayed, and the keys of a table."""

    ids: Mapping[Table, str]
    shown: Callable[[TableName], str]
    keys: Sequence[Set[TableColumn]]


def _add_edge(reference: ForeignKey, table: Table, names: _OfATable, assembly: Assembly, losses: Losses) -> None:
    source, target = names.ids[table], reference.target
    if target is None or target.is_temporary:
        what = f"{shown(source)} refers to {shown(names.shown(reference.referred))}, which is not defined here"
        losses.formless(reference.place, what)
        return
    targets = _targets(reference, target)
    known = [column for column in targets if target.column(column.name) is column]
    if not target.is_open and (missing := _missing(reference, targets, known)):
        columns_missing = ", ".join(map(shown, missing))
        what = f"{shown(source)} refers to {columns_missing}, which {shown(names.ids[target])} does not have"
        losses.formless(reference.place, what)
    other = names.ids[target]
    columns = reference.columns
    assembly.edge(
        {
            "elementId": assembly.name(source),
            **_at(columns),
            "cardinality": "zero-or-one" if _is_unique(columns, names.keys) else "zero-or-many",
        },
        {
            "elementId": assembly.name(other),
            **_at(known),
            "cardinality": "one" if all(column.not_null for column in columns) else "zero-or-one",
        },
        f"{source}({_listed(columns)}) -> {other}({_listed(targets) or ','.join(reference.words)})",
        edgeType="er.identifying" if set(columns) <= set(table.key) else "er.nonIdentifying",
    )


def _targets(reference: ForeignKey, target: Table) -> tuple[TableColumn, ...]:
    """The referenced columns; by default the primary key."""
    if not reference.words:
        return target.key
    return reference.targets if len(reference.targets) == len(reference.words) else target.own(reference.words)


def _missing(reference: ForeignKey, targets: Collection[TableColumn], known: Collection[TableColumn]) -> list[str]:
    """The names of referenced columns missing from the target table."""
    if len(targets) < len(reference.words):
        names = {column.name.casefold() for column in targets}
        return [word for word in reference.words if word.casefold() not in names]
    return [column.name for column in targets if column not in known]


def _listed(columns: Iterable[TableColumn]) -> str:
    return ",".join(column.name for column in columns)


def _at(columns: Sequence[TableColumn]) -> JsonObject:
    """The first of the columns."""
    return {"column": columns[0].name[:_LONGEST]} if columns else {}


def _is_unique(columns: Iterable[TableColumn], keys: Iterable[Set[TableColumn]]) -> bool:
    """Whether at most one row may refer to a row, by unique columns."""
    alone = set(columns)
    return any(key <= alone for key in keys if key)
