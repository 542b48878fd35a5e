"""A source taken apart into statements, without parsing them: quotes, comments and bodies are passed over.

One pass over the text; unclosed quotes and comments reach to its end.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from scenograph.reading.sql.dialects import Dialect

_ROUTINE = re.compile(
    r"CREATE\s+(?:OR\s+(?:REPLACE|ALTER)\s+)?(?:DEFINER\s*=\s*\S+\s+)?(?:EDITIONABLE\s+|NONEDITIONABLE\s+)?"
    r"(?:TRIGGER|PROCEDURE|PROC|FUNCTION|PACKAGE|EVENT)\b",
    re.IGNORECASE,
)
_ROUTINE_END = re.compile(r"END\b", re.IGNORECASE)
_BODY = re.compile(r"\b(?:BEGIN|IS|AS)\b", re.IGNORECASE)


class Statement(NamedTuple):
    """A statement without its comments before it. `line` is where it begins, `depth` how deep its brackets nest."""

    text: str
    line: int
    depth: int


def statements(text: str, dialect: Dialect) -> Iterator[Statement]:
    """The statements of a text, in order; bodies of routines are left out."""
    in_routine = False
    for statement in _split(text, dialect):
        if in_routine:
            in_routine = not _ROUTINE_END.match(statement.text)
            continue
        if _ROUTINE.match(statement.text):
            in_routine = _BODY.search(statement.text) is not None and "$" not in statement.text
        yield statement


def _split(text: str, dialect: Dialect) -> Iterator[Statement]:
    """The parts between ends. A comment leaves its line breaks, so that lines are counted on."""
    parts: list[str] = []
    line, depth, deepest, at = 1, 0, 0, 0
    for found in _marks(dialect).finditer(text):
        parts.append(text[at : found.start()])
        at = found.end()
        if found.lastgroup == "comment":
            parts.append("\n" * found[0].count("\n") or " ")
        elif found.lastgroup == "end":
            yield from _whole(parts, line, deepest)
            line += sum(part.count("\n") for part in parts) + found[0].count("\n")
            parts, depth, deepest = [], 0, 0
        else:
            depth += {"(": 1, ")": -1}.get(found[0], 0)
            deepest = max(deepest, depth)
            parts.append(found[0])
    parts.append(text[at:])
    yield from _whole(parts, line, deepest)


def _whole(parts: list[str], begun: int, deepest: int) -> Iterator[Statement]:
    text = "".join(parts)
    bare = text.strip()
    if bare:
        yield Statement(bare, begun + text[: len(text) - len(text.lstrip())].count("\n"), deepest)


def _marks(dialect: Dialect) -> re.Pattern[str]:
    """What a splitter has to see. Quantifiers are possessive: nothing is looked at twice."""
    string = r"'(?:[^'\\]|\\.|'')*+(?:'|\Z)" if dialect.escapes else r"'(?:[^']|'')*+(?:'|\Z)"
    quoted = [string, r'"[^"]*+(?:"|\Z)', r"`[^`]*+(?:`|\Z)", *([r"\[[^\]\n]*+\]"] if dialect.brackets else [])]
    comments = [r"--[^\n]*+", r"/\*(?:[^*]|\*(?!/))*+(?:\*/|\Z)", *([r"#[^\n]*+"] if dialect.hash_comments else [])]
    return re.compile(
        rf"(?P<comment>{'|'.join(comments)})"
        r"|(?P<body>\$(?P<tag>\w*)\$(?:[^$]|\$(?!(?P=tag)\$))*+(?:\$(?P=tag)\$|\Z))"
        rf"|(?P<quoted>{'|'.join(quoted)})"
        r"|(?P<end>;|^[ \t]*(?:GO|/|DELIMITER[^\n]*+|\\[^\n]*+)[ \t]*$)"
        r"|(?P<bracket>[()])",
        re.IGNORECASE | re.MULTILINE | re.DOTALL,
    )
