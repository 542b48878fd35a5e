"""A schema read statement by statement."""

from __future__ import annotations

import re
from collections.abc import Iterator

import sqlglot
from sqlglot import expressions as exp
from sqlglot.errors import SqlglotError
from sqlglot.parser import logger as _parser_log

from scenograph.reading.losses import Losses, Place, Unreadable
from scenograph.reading.source import Source, shown
from scenograph.reading.sql.definitions import Unsupported, carry_out
from scenograph.reading.sql.dialects import DIALECTS, guessed
from scenograph.reading.sql.document import document_of
from scenograph.reading.sql.model import Schema
from scenograph.reading.sql.statements import Statement, statements
from scenograph.scene.json_values import JsonObject

_parser_log.disabled = True  # it would write a caller's statements to the log

DEEPEST = 40  # nested brackets of a statement that is parsed
LONGEST = 200_000  # characters of a statement that is parsed
MOST_FAILURES = 100  # statements that may fail before the rest is left unread
GENERIC = ""  # sqlglot's own mixture of dialects

_DEFINES = re.compile(
    r"(?:CREATE\s+(?:OR\s+REPLACE\s+)?(?:(?:GLOBAL|LOCAL|TEMP|TEMPORARY|TRANSIENT|UNLOGGED|PRIVATE|COLUMN|ROW)\s+)*TABLE"
    r"|CREATE\s+UNIQUE\s+(?:(?:CLUSTERED|NONCLUSTERED)\s+)?INDEX|ALTER\s+TABLE|DROP\s+TABLE"
    r"|COMMENT\s+ON\s+(?:TABLE|COLUMN))\b",
    re.IGNORECASE,
)
_COPY = re.compile(r"CREATE\b[^(]{0,300}\bTABLE\b[^(]{0,300}\b(?:AS|LIKE|CLONE)\b", re.IGNORECASE)
_OTHER_OBJECTS = re.compile(
    r"CREATE\s+(?:OR\s+REPLACE\s+)?(?:\w+\s+){0,3}?"
    r"(VIEW|TYPE|DOMAIN|TRIGGER|FUNCTION|PROCEDURE|PACKAGE|SEQUENCE|SYNONYM|EXTENSION|POLICY|RULE)\b",
    re.IGNORECASE,
)
_SIMPLIFIED = (
    (re.compile(r"\bWITH\s+(?:NO)?CHECK\s+(?=ADD\b)", re.IGNORECASE), ""),
    (re.compile(r"\s+(?:ENABLE|DISABLE|NOVALIDATE|VALIDATE)\s*(?=,|\)|$)", re.IGNORECASE), ""),
    (re.compile(r"\bUSING\s+INDEX\b[^,)]*", re.IGNORECASE), ""),
)


def read(source: Source, losses: Losses) -> JsonObject:
    """The document of a schema. Unreadable when it defines no table, TooLarge."""
    text = source.text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    dialect = DIALECTS[source.dialect] if source.dialect else guessed(text)
    schema = Schema(dialect, losses, source.most_elements)
    others: dict[str, tuple[int, int]] = {}
    failures = 0
    for statement in statements(text, dialect):
        if _DEFINES.match(statement.text) and not _COPY.match(statement.text):
            if failures >= MOST_FAILURES:
                losses.unread(Place(statement.line), f"the statements after {MOST_FAILURES} that were not understood")
                break
            failures += not _read_statement(statement, schema)
        elif other := _OTHER_OBJECTS.match(statement.text):
            kind = other[1].upper()
            first, count = others.get(kind, (statement.line, 0))
            others[kind] = first, count + 1
    for kind, (line, count) in others.items():
        losses.formless(Place(line), f"{count} CREATE {kind}, which is no table")
    if not schema.tables:
        raise Unreadable(losses.first or Place(1, 1), "a statement CREATE TABLE")
    return document_of(schema, source)


def _read_statement(statement: Statement, schema: Schema) -> bool:
    """Note what one statement says; False, and told, when it is not understood."""
    place = Place(statement.line)
    if statement.depth > DEEPEST or len(statement.text) > LONGEST:
        schema.losses.unread(place, f"{shown(statement.text)} is nested too deeply or too long")
        return False
    for text, parser in _attempts(statement, schema):
        try:
            parsed = sqlglot.parse_one(text, dialect=parser)
            if isinstance(parsed, exp.Command):
                continue
            carry_out(parsed, text, place, schema)
        except Unsupported as why:
            schema.losses.unread(place, f"{shown(statement.text)}: {why}")
            return False
        except (SqlglotError, RecursionError, ValueError, IndexError, AttributeError, TypeError):
            continue  # whatever a foreign parser raises on a foreign text, the next attempt may do
        return True
    schema.losses.unread(place, f"{shown(statement.text)} was not understood")
    return False


def _attempts(statement: Statement, schema: Schema) -> Iterator[tuple[str, str]]:
    """The statement in its dialect, without what says nothing to a diagram, and in the parser's own mixture."""
    simple = statement.text
    for pattern, replacement in _SIMPLIFIED:
        simple = pattern.sub(replacement, simple)
    yield statement.text, schema.dialect.parser
    if simple != statement.text:
        yield simple, schema.dialect.parser
    yield simple, GENERIC
