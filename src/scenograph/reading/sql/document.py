"""A schema as a scene document: tables are entities with columns, foreign keys edges between their rows."""

from __future__ import annotations

from scenograph.reading.assembly import Assembly
from scenograph.reading.source import Source, shown
from scenograph.reading.sql.model import Column, ForeignKey, Schema, Table
from scenograph.scene.json_values import JsonObject

_FAMILY = "entityRelationship"
_LONGEST = 500
_ALWAYS_SET = ("serial", "bigserial", "smallserial")


def document_of(schema: Schema, source: Source) -> JsonObject:
    """The document."""
    assembly = Assembly("sql", source)
    for table in schema.tables:
        assembly.node(
            schema.shown(table.name),
            nodeType="er.entity",
            label=schema.shown(table.name),
            tooltip=_comment(table),
            extensions={"columns": [_column(column, table) for column in table.columns.values()]},
        )
    for table in schema.tables:
        for reference in table.foreign_keys:
            _add_edge(table, reference, schema, assembly)
    return assembly.document(_FAMILY)


def _comment(table: Table) -> str:
    """What the source says about the table and its columns."""
    rows = [
        f"{name}: {text}" if name else text
        for name, text in sorted(table.comments.items(), key=lambda row: bool(row[0]))
    ]
    return "\n".join(rows)


def _column(column: Column, table: Table) -> JsonObject:
    flags = {
        "pk": column.name in table.key,
        "fk": any(column.name in reference.columns for reference in table.foreign_keys),
        "unique": (column.name,) in table.unique and (column.name,) != table.key,
        "nullable": _nullable(column, table),
    }
    typed = {"type": column.type[:_LONGEST]} if column.type else {}
    return {"name": column.name[:_LONGEST], **typed, **{flag: True for flag, on in flags.items() if on}}


def _nullable(column: Column, table: Table) -> bool:
    return not column.not_null and column.name not in table.key and column.type.lower() not in _ALWAYS_SET


def _add_edge(table: Table, reference: ForeignKey, schema: Schema, assembly: Assembly) -> None:
    target = schema.target(reference)
    if target is None:
        referring, missing = shown(schema.shown(table.name)), shown(schema.shown(reference.table))
        schema.losses.formless(reference.place, f"{referring} refers to {missing}, which is not defined here")
        return
    targets = target.own(reference.targets or target.key)
    if missing := [name for name in targets if target.column(name) is None]:
        referring, columns = shown(schema.shown(table.name)), ", ".join(shown(name) for name in missing)
        what = f"{referring} refers to {columns}, which {shown(schema.shown(target.name))} does not have"
        schema.losses.formless(reference.place, what)
    source, other = schema.shown(table.name), schema.shown(target.name)
    assembly.edge(
        {
            "elementId": assembly.name(source),
            **_at(reference.columns, table),
            "cardinality": _many_or_one(table, reference),
        },
        {"elementId": assembly.name(other), **_at(targets, target), "cardinality": _one(table, reference)},
        f"{source}({','.join(reference.columns)}) -> {other}({','.join(targets)})",
        edgeType="er.identifying" if set(reference.columns) <= set(table.key) else "er.nonIdentifying",
    )


def _at(columns: tuple[str, ...], table: Table) -> JsonObject:
    """The first of the columns that the table has."""
    found = next((column.name for name in columns if (column := table.column(name))), None)
    return {"column": found[:_LONGEST]} if found is not None else {}


def _many_or_one(table: Table, reference: ForeignKey) -> str:
    """How many rows may refer to one: one where the columns are unique, else any number."""
    alone = set(reference.columns)
    return (
        "zero-or-one" if any(set(names) <= alone for names in (*table.unique, table.key) if names) else "zero-or-many"
    )


def _one(table: Table, reference: ForeignKey) -> str:
    """How many rows are referred to: none where a column may be null."""
    columns = [table.column(name) for name in reference.columns]
    return "zero-or-one" if any(column and _nullable(column, table) for column in columns) else "one"
