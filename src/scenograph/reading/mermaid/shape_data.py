"""The properties in `@{ … }`: the small part of YAML that diagrams use. Names and plain or quoted values."""

from __future__ import annotations

import re

from scenograph.reading.mermaid.diagram import NotUnderstood
from scenograph.reading.source import Cursor

LONGEST = 4_000
_PAIR = re.compile(
    r"""\s*,?[ \t]*(?P<key>"[^"]{1,80}"|'[^']{1,80}'|[\w-]{1,80})[ \t]*:[ \t]*"""
    r"""(?P<value>"[^"]*"|'[^']*'|[|>][-+]?[ \t]*(?=\n)|[^,\n]*)"""
)


def take_properties(cursor: Cursor) -> dict[str, str]:
    """Pass `{ … }`, whose opening brace comes next, and answer what it says. NotUnderstood when it does not end."""
    start = cursor.at
    text, end = cursor.text, min(len(cursor.text), cursor.at + LONGEST)
    quote, at = "", start + 1
    while at < end and (quote or text[at] != "}"):
        mark = text[at]
        quote = ("" if mark == quote else quote) if quote else (mark if mark == '"' else "")
        at += 1
    if at >= end:
        raise NotUnderstood(start, "the properties are not closed by }")
    cursor.at = at + 1
    return _pairs(text[start + 1 : at])


def _pairs(text: str) -> dict[str, str]:
    pairs: dict[str, str] = {}
    at = 0
    while (found := _PAIR.search(text, at)) is not None and found.end() > at:
        at = found.end()
        value = found["value"].strip()
        if value[:1] in {"|", ">"}:
            line_start = text.rfind("\n", 0, found.start("key")) + 1
            value, at = _block(text, at, found.start("key") - line_start)
        pairs[found["key"].strip("\"'")] = _unquoted(value)
    return pairs


def _block(text: str, at: int, indent: int) -> tuple[str, int]:
    """The lines that are indented more than their key, and where they end."""
    lines: list[str] = []
    while at < len(text):
        end = text.find("\n", at + 1)
        end = len(text) if end < 0 else end
        line = text[at + 1 : end]
        if line.strip() and len(line) - len(line.lstrip()) <= indent:
            break
        lines.append(line.strip())
        at = end
    return "\n".join(lines).strip(), at


def _unquoted(value: str) -> str:
    if len(value) >= 2 and value[0] == value[-1] and value[0] in "\"'":
        value = value[1:-1]
    return "\n".join(line.strip() for line in value.split("\n"))
