"""The properties in `@{ … }`: the small part of YAML that diagrams use. Names and plain or quoted values."""

from __future__ import annotations

import re

from scenograph.reading.mermaid.diagram import NotUnderstood
from scenograph.reading.source import Cursor

LONGEST = 4_000
_PAIR = re.compile(
    r"""\s*,?\s*(?P<key>"[^"]{1,80}"|'[^']{1,80}'|[\w-]{1,80})\s*:\s*"""
    r"""(?P<value>"(?:[^"\\]|\\.)*"|'[^']*'|[|>]-?[ \t]*\n(?:[ \t]+[^\n]*(?:\n|$))+|[^,\n]*)"""
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
    return {found["key"].strip("\"'"): _value(found["value"]) for found in _PAIR.finditer(text)}


def _value(text: str) -> str:
    bare = text.strip()
    if bare[:1] in {"|", ">"} and "\n" in bare:
        return "\n".join(line.strip() for line in bare.split("\n")[1:])
    if len(bare) >= 2 and bare[0] == bare[-1] and bare[0] in "\"'":
        return "\n".join(line.strip() for line in bare[1:-1].split("\n"))
    return bare
