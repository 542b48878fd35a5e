"""A Mermaid diagram as passed to its reader, and the common parts of all kinds of diagrams."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from scenograph.reading.losses import Losses, Place, TooLarge
from scenograph.reading.mermaid.styles import declared
from scenograph.reading.source import Cursor, Source, shown
from scenograph.scene.json_values import JsonObject
from scenograph.scene.links import is_link

DIRECTIONS = {"TB": "TB", "TD": "TB", "BT": "BT", "LR": "LR", "RL": "RL", "BR": "LR", ">": "LR", "<": "RL", "^": "BT"}
STATEMENTS_AN_ELEMENT = 8  # statements for an element, on average


class Diagram(NamedTuple):
    """A diagram after the keyword: a cursor at the first statement, the title, and the source."""

    cursor: Cursor
    title: str
    source: Source


class NotUnderstood(Exception):  # noqa: N818 - it ends one statement, not the reading
    """An ungrammatical statement; `at` is the position of the fault."""

    def __init__(self, at: int, what: str) -> None:
        super().__init__(what)
        self.at = at
        self.what = what


def statement_starts(cursor: Cursor, losses: Losses, most: int) -> Iterator[Place]:
    """The start of each statement, up to the end of the text or too many faults. Raises TooLarge for more statements
    than `most` elements can need."""
    left = STATEMENTS_AN_ELEMENT * most
    while True:
        cursor.skip(" \t\r\n;")
        if cursor.done or losses.too_many(cursor.place()):
            return
        if left == 0:
            raise TooLarge(most)
        left -= 1
        yield cursor.place()


class Rows:
    """Counts the rows inside elements, such as columns and members. Raises TooLarge beyond the total for `most`
    elements."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._left = STATEMENTS_AN_ELEMENT * most

    def count(self) -> None:
        """Count a row."""
        if self._left == 0:
            raise TooLarge(self._most)
        self._left -= 1


def read_all(diagram: Diagram, losses: Losses, read_statement: Callable[[Place], None]) -> None:
    """Read statements to the end of the text. An ungrammatical statement costs only its line, and is reported."""
    cursor = diagram.cursor
    for place in statement_starts(cursor, losses, diagram.source.most_elements):
        start = cursor.at
        try:
            read_statement(place)
        except NotUnderstood as wrong:
            losses.unread(place, wrong.what)
            cursor.at = max(start, wrong.at)
            cursor.rest_of_line()


def skip_description(cursor: Cursor) -> str | None:
    """Pass `accTitle: …`, `accDescr: …` or `accDescr { … }`; the title, an empty string for a description, None when
    neither is here."""
    word = cursor.word()
    if word not in {"accTitle", "accDescr"}:
        return None
    start = cursor.at
    cursor.at += len(word)
    cursor.skip()
    if cursor.take("{") and cursor.until("}") is not None:
        return ""
    if cursor.take(":"):
        text = cursor.rest_of_line().strip()
        return text if word == "accTitle" else ""
    cursor.at = start
    return None


def style_of(text: str, place: Place, losses: Losses) -> JsonObject:
    """The style of declarations; those without a form are reported."""
    style, formless = declared(text)
    if formless:
        losses.formless(place, f"the style {shown('; '.join(formless))} has no form in a scene")
    return style


def link_of(address: str, title: str, place: Place, losses: Losses) -> JsonObject | None:
    """A link permitted in scenes; any other is None, and reported."""
    if is_link(address.strip()):
        return {"href": address.strip(), **({"title": title} if title else {})}
    losses.formless(place, f"the link {shown(address)} is no http, https or mailto address")
    return None


# The properties in `@{ … }`: the subset of YAML used by diagrams, names with plain or quoted values.


LONGEST = 4_000
_PAIR = re.compile(
    r"""\s*,?[ \t]*(?P<key>"[^"]{1,80}"|'[^']{1,80}'|[\w-]{1,80})[ \t]*:[ \t]*"""
    r"""(?P<value>"[^"]*"|'[^']*'|[|>][-+]?[ \t]*(?=\n)|[^,\n]*)"""
)


def take_properties(cursor: Cursor) -> dict[str, str]:
    """Pass `{ … }` from its opening brace; the properties. Raises NotUnderstood for an unclosed brace."""
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
    """The lines indented more than their key, and their end."""
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
