"""A source taken apart into statements, without parsing them: quotes, comments, data and bodies are passed over.

One pass over the text; unclosed quotes and comments reach to its end. A statement ends at a semicolon, at a line that
sends a batch, and where a line opens the definition of the next one: T-SQL needs no semicolons.
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
_ROUTINE_END = re.compile(r"END\b(?!\s+(?:IF|LOOP|CASE|WHILE|REPEAT|FOR)\b)", re.IGNORECASE)
_QUOTED = re.compile(r"'[^']*'")
_BODY = re.compile(r"\bBEGIN\b", re.IGNORECASE)
_BODY_WITHOUT_BEGIN = re.compile(r"\b(?:BEGIN|IS|AS)\b", re.IGNORECASE)  # declarations first, or no block at all
_COPIES_DATA = re.compile(r"COPY\b.*\bFROM\s+STDIN\b", re.IGNORECASE | re.DOTALL)
_DATA_END = re.compile(r"^\\\.[ \t]*$|\Z", re.MULTILINE)


class Statement(NamedTuple):
    """A statement without its comments before it. `line` is where it begins, `depth` how deep its brackets nest;
    `sent`: a line that sends a batch follows."""

    text: str
    line: int
    depth: int
    sent: bool


def statements(text: str, dialect: Dialect) -> Iterator[Statement]:
    """The statements of a text, in order; bodies of routines are left out."""
    body = _BODY_WITHOUT_BEGIN if dialect.bodies_without_begin else _BODY
    in_routine = False
    for statement in _split(text, dialect):
        if in_routine:
            in_routine = not (statement.sent or _ROUTINE_END.match(statement.text))
            continue
        if _ROUTINE.match(statement.text):
            opens = body.search(_QUOTED.sub("''", statement.text)) is not None
            in_routine = opens and "$" not in statement.text and not statement.sent
        yield statement


def _split(text: str, dialect: Dialect) -> Iterator[Statement]:
    """The parts between ends. A comment leaves its line breaks, so that lines are counted on."""
    marks = _marks(dialect)
    parts: list[str] = []
    line, depth, deepest, at = 1, 0, 0, 0
    while (found := marks.search(text, at)) is not None:
        parts.append(text[at : found.start()])
        at = found.end()
        if found.lastgroup == "comment" and _is_closed(found[0]):
            parts.append("\n" * found[0].count("\n") or " ")
        elif found.lastgroup in {"end", "sent", "opening"}:
            whole = list(_whole(parts, line, deepest, sent=found.lastgroup == "sent"))
            yield from whole
            line += sum(part.count("\n") for part in parts) + found[0].count("\n")
            if whole and _COPIES_DATA.match(whole[0].text):
                data = _DATA_END.search(text, at)
                line += text.count("\n", at, at := data.end() if data else len(text))
            parts, depth, deepest = [found[0]] if found.lastgroup == "opening" else [], 0, 0
        else:
            depth += found[0].count("(") - found[0].count(")") if found.lastgroup == "bracket" else 0
            deepest = max(deepest, depth)
            parts.append(found[0])
    parts.append(text[at:])
    yield from _whole(parts, line, deepest, sent=True)


def _is_closed(comment: str) -> bool:
    return not comment.startswith("/*") or (comment.endswith("*/") and len(comment) > len("/*/"))


def _whole(parts: list[str], begun: int, deepest: int, *, sent: bool) -> Iterator[Statement]:
    text = "".join(parts)
    bare = text.strip()
    if bare:
        yield Statement(bare, begun + text[: len(text) - len(text.lstrip())].count("\n"), deepest, sent)


def _marks(dialect: Dialect) -> re.Pattern[str]:
    """What a splitter has to see. Quantifiers are possessive: nothing is looked at twice."""
    string = r"'(?:[^'\\]|\\.|'')*+(?:'|\Z)" if dialect.escapes else r"'(?:[^']|'')*+(?:'|\Z)"
    quoted = [string, r'"[^"]*+(?:"|\Z)', r"`[^`]*+(?:`|\Z)", *([r"\[[^\]\n]*+\]"] if dialect.brackets else [])]
    comments = [r"--[^\n]*+", r"/\*(?:[^*]|\*(?!/))*+(?:\*/|\Z)", *([r"#[^\n]*+"] if dialect.hash_comments else [])]
    body = r"|(?P<body>\$(?P<tag>\w*)\$(?:[^$]|\$(?!(?P=tag)\$))*+(?:\$(?P=tag)\$|\Z))" if dialect.dollars else ""
    return re.compile(
        rf"(?P<comment>{'|'.join(comments)})"
        rf"{body}"
        rf"|(?P<quoted>{'|'.join(quoted)})"
        r"|(?P<end>;)"
        r"|(?P<sent>^[ \t]*+(?:GO(?:[ \t]+\d+)?|/|DELIMITER[^\n]*+|\\[^\n]*+)[ \t]*$)"
        r"|(?P<opening>^[ \t]*+(?:CREATE(?=[ \t]+\w)|(?:ALTER|DROP)(?=[ \t]+TABLE\b)|COMMENT(?=[ \t]+ON\b)))"
        r"|(?P<bracket>\(++|\)++)",
        re.IGNORECASE | re.MULTILINE | re.DOTALL,
    )
