"""A Mermaid diagram as its reader gets it, and what the kinds of diagrams have in common."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from scenograph.reading.losses import Losses, Place, TooLarge
from scenograph.reading.mermaid.styles import declared
from scenograph.reading.source import Cursor, Source, shown
from scenograph.scene.json_values import JsonObject
from scenograph.scene.links import is_link

DIRECTIONS = {"TB": "TB", "TD": "TB", "BT": "BT", "LR": "LR", "RL": "RL", "BR": "LR", ">": "LR", "<": "RL", "^": "BT"}
STATEMENTS_AN_ELEMENT = 8  # how many statements may speak of one, on average


class Diagram(NamedTuple):
    """A diagram after its keyword: where its statements begin, its title, and the source that it came from."""

    cursor: Cursor
    title: str
    source: Source


class NotUnderstood(Exception):  # noqa: N818 - it ends one statement, not the reading
    """A statement that is not of the grammar; `at` is the position of what is wrong."""

    def __init__(self, at: int, what: str) -> None:
        super().__init__(what)
        self.at = at
        self.what = what


def statement_starts(cursor: Cursor, losses: Losses, most: int) -> Iterator[Place]:
    """Where each statement begins, to the end of the text or until too much was not understood. TooLarge when there are
    more statements than so many elements can be said with."""
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
    """Counts the rows inside elements, such as columns and members. TooLarge when there are too many for so many
    elements."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._left = STATEMENTS_AN_ELEMENT * most

    def count(self) -> None:
        """One row more."""
        if self._left == 0:
            raise TooLarge(self._most)
        self._left -= 1


def read_all(diagram: Diagram, losses: Losses, read_statement: Callable[[Place], None]) -> None:
    """Read statements to the end of the text. One that is not understood costs its line, and is told."""
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
    """The style of some declarations; those without a form are told."""
    style, formless = declared(text)
    if formless:
        losses.formless(place, f"the style {shown('; '.join(formless))} has no form in a scene")
    return style


def link_of(address: str, title: str, place: Place, losses: Losses) -> JsonObject | None:
    """A link that a scene may hold; None, and told, for any other."""
    if is_link(address.strip()):
        return {"href": address.strip(), **({"title": title} if title else {})}
    losses.formless(place, f"the link {shown(address)} is no http, https or mailto address")
    return None
