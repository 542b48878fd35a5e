"""A schema read statement by statement."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from sqlglot.errors import SqlglotError

from scenograph.reading.losses import Losses, Place, TooLarge, Unreadable
from scenograph.reading.source import Source, shown
from scenograph.reading.sql.changes import carry_out
from scenograph.reading.sql.dialects import DIALECTS, guessed
from scenograph.reading.sql.document import document_of
from scenograph.reading.sql.model import Schema
from scenograph.reading.sql.statements import Statement, statements
from scenograph.reading.sql.verbs import VERBS
from scenograph.reading.sql.words import NotUnderstood, Words, words_of
from scenograph.scene.json_values import JsonObject

DEEPEST = 40  # nested brackets of a statement that is parsed
LONGEST = 200_000  # characters of a statement that is parsed
STATEMENTS_AN_ELEMENT = 2  # how many statements may define one, on average

_DEFINES = re.compile(
    r"(?:CREATE\s+(?:OR\s+REPLACE\s+)?(?:(?:GLOBAL|LOCAL|TEMP|TEMPORARY|TRANSIENT|UNLOGGED|PRIVATE|COLUMN|ROW)\s+)*TABLE"
    r"|CREATE\s+UNIQUE\s+(?:(?:CLUSTERED|NONCLUSTERED)\s+)?INDEX|ALTER\s+TABLE|DROP\s+TABLE|RENAME"
    r"|COMMENT\s+ON\s+(?:TABLE|COLUMN))\b",
    re.IGNORECASE,
)
_OTHER_OBJECTS = re.compile(
    r"CREATE\s+(?:OR\s+REPLACE\s+)?(?:\w+\s+){0,3}?"
    r"(VIEW|TYPE|DOMAIN|TRIGGER|FUNCTION|PROCEDURE|PACKAGE|SEQUENCE|SYNONYM|EXTENSION|POLICY|RULE|INDEX|SCHEMA|DATABASE|ROLE|USER)\b",
    re.IGNORECASE,
)
_FIRST_WORD = re.compile(r"[A-Za-z]+")
_NO_STATEMENT = ".@!\\:"  # what begins a line for a client program


def read(source: Source, losses: Losses) -> JsonObject:
    """The document of a schema. Unreadable when it defines no table, TooLarge."""
    text = source.text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    dialect = DIALECTS[source.dialect] if source.dialect else guessed(text)
    schema = Schema(dialect, losses, source.most_elements)
    others: dict[str, list[int]] = {}
    left = STATEMENTS_AN_ELEMENT * source.most_elements
    for statement in statements(text, dialect):
        if other := _other(statement):
            others.setdefault(other, []).append(statement.line)
            continue
        if losses.too_many(Place(statement.line)):
            break
        left -= 1
        if left < 0:
            raise TooLarge(source.most_elements)
        _read_statement(statement, schema)
    _tell_others(others, losses)
    if not schema.tables:
        raise Unreadable(losses.first or Place(1, 1), "a statement CREATE TABLE")
    return document_of(schema, source)


def _other(statement: Statement) -> str:
    """What a statement does that defines no table; "" where it defines one or is not known."""
    if _DEFINES.match(statement.text):
        return ""
    if found := _OTHER_OBJECTS.match(statement.text):
        return f"CREATE {found[1].upper()}"
    if statement.text[0] in _NO_STATEMENT:
        return "commands of a client"
    found = _FIRST_WORD.match(statement.text)
    return found[0].upper() if found and found[0].upper() in VERBS else ""


def _tell_others(others: Mapping[str, Sequence[int]], losses: Losses) -> None:
    """One remark for all statements that define no table."""
    if others:
        first = min(lines[0] for lines in others.values())
        counted = ", ".join(f"{len(lines)} {kind}" for kind, lines in others.items())
        losses.formless(Place(first), f"statements that define no table were passed over ({counted})")


def _read_statement(statement: Statement, schema: Schema) -> None:
    """Note what one statement says; one that is not understood is told."""
    place = Place(statement.line)
    if statement.depth > DEEPEST or len(statement.text) > LONGEST:
        schema.losses.unread(place, f"{shown(statement.text)} is nested too deeply or too long")
        return
    if statement.text.startswith("/*"):
        schema.losses.unread(place, f"{shown(statement.text)} is a comment without an end")
        return
    try:
        words = Words(words_of(statement.text, schema.dialect.parser), statement.text)
        carry_out(words, place, schema)
    except NotUnderstood as why:
        schema.losses.unread(place, f"{shown(statement.text)}: {why}")
    except SqlglotError:
        schema.losses.unread(place, f"{shown(statement.text)} has a quote or a comment without an end")
