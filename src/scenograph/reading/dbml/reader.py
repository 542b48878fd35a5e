"""The way into this room: DBML to a document. Tables are entities, references edges between their rows, from the column
that refers."""

from __future__ import annotations

import re
from typing import NamedTuple

from scenograph.reading.assembly import Assembly
from scenograph.reading.dbml.grammar import parse
from scenograph.reading.dbml.model import DbmlColumn, DbmlName, DbmlSchema, DbmlTable, Reference, ReferenceEnd
from scenograph.reading.losses import Losses, Place, Unreadable
from scenograph.reading.source import Source, shown
from scenograph.scene.json_values import JsonObject

_FAMILY = "entityRelationship"
_LONGEST = 500
_VALUES_SHOWN = 40

_BEFORE = r"\A(?:\s|//[^\n]*+|/\*(?:(?!\*/)[\s\S])*+\*/|\ufeff)*+"
_FIRST = re.compile(
    _BEFORE + r"(?:project|table|tablepartial|tablegroup|ref|enum|note|records|use|reuse)\b", re.IGNORECASE
)
_NAME = r"(?:[\w.]|\"[^\"\n]{0,200}\"){1,200}+"
_DEFINITION = re.compile(
    rf"^[ \t]*(?:table|tablepartial|tablegroup)[ \t]+{_NAME}(?:[ \t]+as[ \t]+{_NAME})?"
    r"[ \t]*(?:\[[^\n]{0,500}\])?[ \t\r]*\n?[ \t]*\{"
    rf"|^[ \t]*ref(?:[ \t]+{_NAME})?[ \t]*(?:\[[^\n\]]{{0,200}}\])?[ \t]*[:{{]\s*"
    rf"(?=[^\n<>]{{0,300}}\.){_NAME}[^\n]{{0,300}}[<>-]",
    re.IGNORECASE | re.MULTILINE,
)


def recognizes(text: str) -> bool:
    """Whether a text begins with an element of DBML and defines tables or references."""
    return _FIRST.match(text) is not None and _DEFINITION.search(text) is not None


def read(source: Source, losses: Losses) -> JsonObject:
    """The document of a source. Unreadable without a table, TooLarge."""
    schema = DbmlSchema(losses, source.most_elements)
    parse(source.text, schema)
    schema.settle()
    if not schema.tables and not schema.notes:
        raise Unreadable(losses.first or Place(1, 1), "a table: Table NAME { COLUMN TYPE }")
    return _Drawing(schema, source, losses).document()


class _Side(NamedTuple):
    """An end of a reference with its table."""

    table: DbmlTable
    end: ReferenceEnd


class _Drawing:
    def __init__(self, schema: DbmlSchema, source: Source, losses: Losses) -> None:
        self._schema = schema
        self._losses = losses
        self._assembly = Assembly("dbml", source)
        self._used: set[DbmlName] = set()
        self._sides = [self._sides_of(one) for one in schema.references]

    def document(self) -> JsonObject:
        """The document of the schema."""
        drawn = zip(self._sides, self._schema.references, strict=True)
        starts = [pair[0] for pair, one in drawn if pair is not None and one.operator != "<>"]
        referring = {(side.table.name, column) for side in starts for column in side.end.columns}
        for table in self._schema.tables.values():
            self._assembly.node(
                table.name.shown,
                nodeType="er.entity",
                label=table.name.shown,
                tooltip=self._comment(table),
                extensions={"columns": [self._column(table, one, referring) for one in table.columns.values()]},
            )
        for note in self._schema.notes:
            self._assembly.node(self._assembly.numbered(f"note {note.name}"), nodeType="note", label=note.text)
        self._draw_groups()
        for pair, reference in zip(self._sides, self._schema.references, strict=True):
            if pair is not None:
                self._draw(pair, reference)
        for what, place in self._schema.untold.items():
            self._losses.formless(place, f"{what}: not drawn")
        for one in self._schema.enumerations.values():
            if one.name not in self._used:
                self._losses.formless(one.place, f"enum {one.name.shown} is the type of no column")
        return self._assembly.document(_FAMILY, title=self._schema.title)

    def _comment(self, table: DbmlTable) -> str:
        """The notes on a table and its columns, and the values of columns of enumerations."""
        rows = [table.note]
        for column in table.columns.values():
            parts = column.type.replace('"', "").split(".")
            enumeration = self._schema.enumerations.get(DbmlName(".".join(parts[:-1]) or "public", parts[-1]))
            values = ""
            if enumeration is not None:
                self._used.add(enumeration.name)
                values = f"one of {', '.join(enumeration.values[:_VALUES_SHOWN])}"
                values += ", …" if len(enumeration.values) > _VALUES_SHOWN else ""
            said = "; ".join(part for part in (column.note, values) if part)
            if said:
                rows.append(f"{column.name}: {said}")
        return "\n".join(row for row in rows if row)

    @staticmethod
    def _column(table: DbmlTable, column: DbmlColumn, referring: set[tuple[DbmlName, str]]) -> JsonObject:
        is_key = column.name in table.key
        unique = frozenset({column.name}) in table.unique.get(column.name, ())
        flags = {
            "pk": is_key,
            "fk": (table.name, column.name) in referring,
            "unique": unique and not is_key,
            "nullable": not _is_required(table, column),
        }
        typed = {"type": column.type[:_LONGEST]} if column.type else {}
        return {"name": column.name[:_LONGEST], **typed, **{flag: True for flag, on in flags.items() if on}}

    def _draw_groups(self) -> None:
        grouped: set[DbmlName] = set()
        for group in self._schema.groups:
            children: list[str] = []
            for name, place in group.tables:
                table = self._schema.find(name)
                if table is None or table.name in grouped:
                    why = "is not defined here" if table is None else "is in a group already"
                    self._losses.formless(place, f"group {shown(group.name)} holds {shown(name.shown)}, which {why}")
                else:
                    grouped.add(table.name)
                    children.append(self._assembly.name(table.name.shown))
            name = self._assembly.numbered(f"group {group.name}")
            self._assembly.frame(name, title=group.name, tooltip=group.note, children=children)

    def _sides_of(self, reference: Reference) -> tuple[_Side, _Side] | None:
        """The referring and the referred end; None, and told, if a table is missing."""
        found: list[_Side] = []
        for end in (reference.left, reference.right):
            table = self._schema.find(end.table)
            if table is None:
                what = f"a reference leads to {shown(end.table.shown)}, which is not defined here"
                self._losses.formless(reference.place, what)
                return None
            missing = [name for name in end.columns if name not in table.columns]
            if missing:
                what = (
                    f"a reference leads to {shown(', '.join(missing))}, which {shown(table.name.shown)} does not have"
                )
                self._losses.formless(reference.place, what)
            found.append(_Side(table, end))
        left, right = found
        is_turned = reference.operator == "<" or (reference.operator == "-" and not reference.is_inline)
        return (right, left) if is_turned else (left, right)

    def _draw(self, pair: tuple[_Side, _Side], reference: Reference) -> None:
        start, target = pair
        own = {name for name in start.end.columns if name in start.table.columns}
        is_optional = any(not _is_required(start.table, start.table.columns[name]) for name in own)
        is_single = reference.operator == "-" or _is_unique(start)
        many, one = ("zero-or-one" if is_single else "zero-or-many"), ("zero-or-one" if is_optional else "one")
        if reference.operator == "<>":
            many = one = "zero-or-many"
        is_identifying = bool(own) and own <= start.table.key and reference.operator != "<>"
        self._assembly.edge(
            self._at(start, many),
            self._at(target, one),
            f"{_listed(start)} -> {_listed(target)}",
            edgeType="er.identifying" if is_identifying else "er.nonIdentifying",
        )

    def _at(self, side: _Side, cardinality: str) -> JsonObject:
        known = [name for name in side.end.columns if name in side.table.columns]
        row = {"column": known[0][:_LONGEST]} if known else {}
        return {"elementId": self._assembly.name(side.table.name.shown), **row, "cardinality": cardinality}


def _listed(side: _Side) -> str:
    return f"{side.table.name.shown}({','.join(side.end.columns)})"


def _is_required(table: DbmlTable, column: DbmlColumn) -> bool:
    return column.is_required or column.name in table.key


def _is_unique(side: _Side) -> bool:
    """Whether at most one row may refer to a row, by unique columns."""
    alone = set(side.end.columns)
    key, unique = side.table.key, side.table.unique
    return bool(key and key <= alone) or any(one <= alone for name in alone for one in unique.get(name, ()))
