"""The way into this room: a schema read statement by statement, and drawn as tables with their foreign keys."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence, Set
from typing import NamedTuple

from scenograph.reading.assembly import Assembly
from scenograph.reading.source import Formless, Losses, Place, Source, TooLarge, Unreadable, shown
from scenograph.reading.sql.changes import effect_of
from scenograph.reading.sql.dialects import DIALECTS, Dialect, guessed
from scenograph.reading.sql.model import (
    INDEX,
    UNIQUE,
    Context,
    ForeignKey,
    Schema,
    Table,
    TableColumn,
    TableConstraint,
    TableName,
)
from scenograph.reading.sql.statements import (
    LONGEST_OPENING,
    VERBS,
    SqlNotUnderstood,
    Statement,
    Word,
    Words,
    statements,
    words_of,
)
from scenograph.scene.json_values import JsonObject

# A schema as a scene document: tables are entities with columns, foreign keys edges between their rows.

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


# A schema read statement by statement.

DEEPEST = 40  # nested brackets of a parsed statement
LONGEST = 200_000  # characters of a parsed statement
MOST_FILES = 2_000  # files of a series with dialects of their own; later files share the last one
STATEMENTS_AN_ELEMENT = 2  # statements for an element, on average

_FILE = "\ufeff"  # byte order mark: begins a file
_OTHER_OBJECTS = re.compile(
    r"CREATE\s+(?:OR\s+REPLACE\s+)?(?:\w+\s+){0,3}?"
    r"(VIEW|TYPE|DOMAIN|TRIGGER|FUNCTION|PROCEDURE|PACKAGE|SEQUENCE|SYNONYM|EXTENSION|POLICY|RULE|INDEX|SCHEMA|DATABASE|ROLE|USER)\b",
    re.IGNORECASE,
)
_VIEW = re.compile(
    r"CREATE\s+(?:OR\s+REPLACE\s+)?(?:\w+\s+){0,3}?VIEW\s+(?:IF\s+NOT\s+EXISTS\s+)?(?:[^\s.(]+\s*\.\s*)*([^\s.(]+)",
    re.IGNORECASE,
)
_FIRST_WORD = re.compile(r"[A-Za-z_]+")
_NO_STATEMENT = ".@!\\:"  # the first characters of a client's commands
# Conditions and loops around statements, whose execution depends on the content of a database.
_STEERS = frozenset(
    [
        "IF",
        "BEGIN",
        "DECLARE",
        "ELSE",
        "ELSIF",
        "ELSEIF",
        "EXCEPTION",
        "WHEN",
        "THEN",
        "LOOP",
        "FOR",
        "WHILE",
        "END",
        "DO",
        "EXEC",
        "EXECUTE",
    ]
)
_OPENS = frozenset({"CREATE", "ALTER", "DROP", "COMMENT", "EXEC", "EXECUTE", "SP_RENAME"})
_INSIDE = re.compile(
    r"\b(?:(?:CREATE|ALTER|DROP|COMMENT)\s+(?:\w+\s+){0,4}?(?:TABLE|INDEX|COLUMN|SCHEMA)\b|RENAME\s+TABLE\b|sp_rename|sp_\w+extended)",
    re.IGNORECASE,
)


def read(source: Source, losses: Losses) -> JsonObject:
    """The document of a schema. Raises Unreadable for a source without tables, TooLarge."""
    text = source.text.lstrip(_FILE).replace("\r\n", "\n").replace("\r", "\n")
    dialect = DIALECTS[source.dialect] if source.dialect else guessed(text)
    schema = Schema(dialect, losses, source.most_elements)
    files = [(dialect, text)] if source.dialect else _files(text, dialect)
    _Reading(schema, source.most_elements).read(files)
    if not schema.tables:
        refused = Formless if losses.whole else Unreadable
        raise refused(losses.first or Place(1, 1), "a statement CREATE TABLE")
    return document_of(schema, source)


def _files(text: str, whole: Dialect) -> list[tuple[Dialect, str]]:
    """The files of a series with their dialects. Byte order marks separate files. A file has the dialect of the `whole`
    unless another dialect has more marks in the file. Neighbours of one dialect form one file."""
    parts = text.split(_FILE, MOST_FILES)
    found: list[tuple[Dialect, str]] = []
    for part in parts:
        dialect = guessed(part, whole)
        if found and found[-1][0] is dialect:
            found[-1] = dialect, f"{found[-1][1]}{_FILE}{part}"
        else:
            found.append((dialect, part))
    return found


class _Reading:
    """The statements of a source in order."""

    def __init__(self, schema: Schema, most: int) -> None:
        self._schema = schema
        self._most = most
        self._left = STATEMENTS_AN_ELEMENT * most
        self._others: dict[str, list[int]] = {}

    def read(self, files: Sequence[tuple[Dialect, str]]) -> None:
        """Carry out all statements of all files, and report statements without a table."""
        lines = 0
        for dialect, text in files:
            self._schema.dialect = dialect
            for statement in statements(text, dialect):
                if self._schema.losses.too_many(Place(lines + statement.line)):
                    break
                self._read(statement._replace(line=lines + statement.line))
                if not statement.continues:
                    self._schema.inside = ""
            lines += text.count("\n")
        _tell_others(self._others, self._schema.losses)

    def _read(self, statement: Statement, *, is_inner: bool = False) -> None:
        effect = effect_of(statement.text)
        if effect is None:
            if not is_inner and not self._read_block(statement):
                self._pass(statement)
            return
        self._left -= 1
        if self._left < 0:
            raise TooLarge(self._most)
        place = Place(statement.line)
        if not self._is_bounded(statement):
            return
        try:
            words = Words(words_of(statement.text, self._schema.dialect), statement.text)
            effect(words, Context(self._schema, place, statement.guarded))
        except SqlNotUnderstood as why:
            self._schema.losses.unread(place, f"{shown(statement.text)}: {why}")

    def _is_bounded(self, statement: Statement) -> bool:
        if statement.depth <= DEEPEST and len(statement.text) <= LONGEST:
            return True
        what = f"{shown(statement.text)} is nested too deeply or too long"
        self._schema.losses.unread(Place(statement.line), what)
        return False

    def _read_block(self, statement: Statement) -> bool:
        """The effects of a conditional block: the block's statements, and statements in strings."""
        first = _FIRST_WORD.match(statement.text)
        if first is None or first[0].upper() not in _STEERS or not _INSIDE.search(statement.text):
            return False
        if not self._is_bounded(statement):
            return True
        try:
            words = words_of(statement.text, self._schema.dialect)
        except SqlNotUnderstood:
            return False
        texts = [word for word in words if word.is_string and _INSIDE.search(word.text)]
        opening = _opening(words, statement.text)
        if opening is not None:
            self._read(statement._replace(text=statement.text[opening:], guarded=True), is_inner=True)
        elif len(texts) == 1 and first[0].upper() == "DO":
            self._read_body(texts[0].text, statement)
        elif len(texts) == 1 and _is_carried_out(words, texts[0]):
            for inner in statements(texts[0].text, self._schema.dialect):
                self._read(inner._replace(line=statement.line, guarded=True), is_inner=True)
        else:
            return False
        return True

    def _read_body(self, body: str, statement: Statement) -> None:
        for inner in statements(body, self._schema.dialect):
            moved = inner._replace(line=inner.line + statement.line - 1, guarded=True)
            if effect_of(inner.text) is None:
                self._read_block(moved)
            else:
                self._read(moved, is_inner=True)

    def _of_a_block(self, statement: Statement) -> str:
        """Text that is neither SQL nor a loss: assignments and calls in a block, and calls without EXEC in a batch."""
        is_call = self._schema.dialect.batches and statement.text[0] == "["
        return "parts of blocks" if statement.guarded or is_call else ""

    def _pass(self, statement: Statement) -> None:
        """Record a statement without effect on tables, or report an unknown statement."""
        place = Place(statement.line)
        if statement.text.startswith("/*"):
            self._schema.losses.unread(place, f"{shown(statement.text)} is a comment without an end")
        elif other := _other(statement.text) or self._of_a_block(statement):
            if found := _VIEW.match(statement.text):
                self._schema.views.add(found[1].strip('"`[]').casefold())
            self._others.setdefault(other, []).append(statement.line)
        else:
            self._schema.losses.unread(place, f"{shown(statement.text)}: a statement about tables was expected")


def _opening(words: Sequence[Word], text: str) -> int | None:
    """The start of the first statement on tables after a condition, outside brackets."""
    depth = 0
    for word in words:
        depth += {"(": 1, ")": -1}.get(word.upper, 0)
        if depth == 0 and word.upper in _OPENS and effect_of(text[word.start : word.start + LONGEST_OPENING]):
            return word.start
    return None


def _is_carried_out(words: Sequence[Word], text: Word) -> bool:
    """Whether a string is the whole argument of `EXEC` or `EXECUTE`."""
    at = words.index(text)
    before = [word.upper for word in words[max(0, at - 3) : at]]
    after = words[at + 1].upper if at + 1 < len(words) else ""
    return any(word in {"EXEC", "EXECUTE", "IMMEDIATE", "SP_EXECUTESQL"} for word in before) and after not in {"+", "|"}


def _other(text: str) -> str:
    """The kind of a statement that defines no table; "" if unknown."""
    if found := _OTHER_OBJECTS.match(text):
        return f"CREATE {found[1].upper()}"
    if text[0] in _NO_STATEMENT:
        return "commands of a client"
    found = _FIRST_WORD.match(text)
    return found[0].upper() if found and found[0].upper() in VERBS else ""


def _tell_others(others: Mapping[str, Sequence[int]], losses: Losses) -> None:
    """Report statements without effect on tables as a single loss."""
    if others:
        first = min(lines[0] for lines in others.values())
        counted = ", ".join(f"{len(lines)} {kind}" for kind, lines in others.items())
        losses.formless(Place(first), f"statements that define no table were passed over ({counted})")
