"""A source for readers with a cursor over its text, and the losses of its import, each once, with its place."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sized
from typing import NamedTuple

from scenograph.diagnostics import IMPORT_LOSS, Diagnostic, Report
from scenograph.late_dataclasses import dataclass
from scenograph.scene.json_values import JsonObject
from scenograph.scene.limits import IconRegistry

# The losses of an import, each once, with its place in the source (R-IN-6).

MOST_TOLD = 200  # losses in an answer; the last row counts the rest
_MOST_UNREAD = 200  # parts not understood before the rest is left unread


class Place(NamedTuple):
    """A place in a source: line and column, both from 1."""

    line: int
    column: int | None = None


class Unreadable(Exception):  # noqa: N818 - a state, named as the replies say it
    """No part of the source could be read. `expected` names the valid input at the place, `hint` describes the source's
    apparent form and the next step. `meant` is the name of another format that reads the source."""

    def __init__(self, place: Place, expected: str, hint: str = "", meant: str = "") -> None:
        super().__init__(f"Line {place.line}: expected {expected}. {hint}".rstrip())
        self.place = place
        self.expected = expected
        self.hint = hint
        self.meant = meant


class Formless(Unreadable):
    """A source that was understood, of a kind without a form in scenes: a pie chart, or SQL without tables."""


class TooLarge(Exception):  # noqa: N818 - a state, named as the replies say it
    """The source holds more elements than a document may."""

    def __init__(self, most: int) -> None:
        super().__init__(f"The source holds more than {most} elements.")
        self.most = most


def require_room(most: int, *held: Sized) -> None:
    """Raises TooLarge if the collections together hold `most` parts already."""
    if sum(map(len, held)) >= most:
        raise TooLarge(most)


class Losses:
    """An append-only list of losses. `whole` is False as soon as any part was not understood."""

    def __init__(self) -> None:
        self._rows: dict[tuple[Place, str], None] = {}
        self._untold = 0
        self._unread = 0
        self.whole = True

    def unread(self, place: Place, what: str) -> None:
        """Record a part that was not understood."""
        self.whole = False
        self._unread += 1
        self._note(place, what)

    def too_many(self, place: Place) -> bool:
        """Whether too many parts were not understood; if so, report that the rest from this place is unread."""
        if self._unread < _MOST_UNREAD:
            return False
        self._rows[place, f"all from here on was left unread, after {_MOST_UNREAD} parts that were not understood"] = (
            None
        )
        return True

    @property
    def unread_parts(self) -> int:
        """The number of parts that were not understood."""
        return self._unread

    def formless(self, place: Place, what: str) -> None:
        """Record a part that was understood but has no form in a scene."""
        self._note(place, what)

    def _note(self, place: Place, what: str) -> None:
        if len(self._rows) < MOST_TOLD:
            self._rows[place, what] = None
        else:
            self._untold += 1

    @property
    def first(self) -> Place | None:
        """The place of the first loss."""
        return min((place for place, _ in self._rows), key=lambda place: place.line, default=None)

    @property
    def reason(self) -> str:
        """The first loss as a clause, "" without losses."""
        return min(self._rows, key=lambda row: row[0].line, default=(Place(1), ""))[1]

    def rows(self) -> tuple[Diagnostic, ...]:
        """An IMPORT_LOSS for each loss, in the order of the source's lines."""
        report = Report()
        for place, what in sorted(self._rows, key=lambda row: (row[0].line, row[0].column or 0)):
            column = {} if place.column is None else {"column": place.column}
            data = {"line": place.line, **column, "what": what}
            report.add(IMPORT_LOSS, path="", data=data, line=place.line, what=what)
        if self._untold:
            what = f"{self._untold} further parts"
            report.add(IMPORT_LOSS, path="", data={"line": 1, "what": what}, line=1, what=what)
        return report.rows


# A source for readers, and a cursor over its text: positions, lines, and bounded searches.

_LONGEST_SEARCH = 4_000  # the longest search for a closing mark, in characters


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A source to read.

    `document` names it for later syncs; `scene_id` and `title` are the caller's wishes. `dialect` is the SQL dialect,
    None to guess. `page` is the number of a page from 1, None for the first. `view` is the key of a view; without one
    `kept_view` holds, the view of an earlier import, and without both the reader chooses. `most_elements` bounds the
    result. `icons` is the icon registry, without which no foreign shape becomes an icon.
    """

    text: str
    document: str = ""
    scene_id: str | None = None
    title: str | None = None
    dialect: str | None = None
    page: int | None = None
    view: str | None = None
    kept_view: str | None = None
    most_elements: int = 5_000
    icons: IconRegistry | None = None


class Import(NamedTuple):
    """A document, the format of its source, what was lost on the way, and whether every part was understood."""

    document: JsonObject
    format: str
    diagnostics: tuple[Diagnostic, ...]
    whole: bool


class Cursor:
    """A position in a text."""

    def __init__(self, text: str, first_line: int = 1) -> None:
        self.text = text
        self.at = 0
        self._first_line = first_line
        self._starts = [0, *(index + 1 for index, mark in enumerate(text) if mark == "\n")]

    @property
    def done(self) -> bool:
        """Whether everything has been passed."""
        return self.at >= len(self.text)

    def place(self, at: int | None = None) -> Place:
        """Line and column of the position."""
        position = self.at if at is None else at
        line = bisect_right(self._starts, position) - 1
        return Place(line + self._first_line, position - self._starts[line] + 1)

    def peek(self, length: int = 1) -> str:
        """The next characters, fewer at the end."""
        return self.text[self.at : self.at + length]

    def at_mark(self, mark: str) -> bool:
        """Whether `mark` comes next."""
        return self.text.startswith(mark, self.at)

    def take(self, mark: str) -> bool:
        """Pass `mark` if next."""
        if not self.text.startswith(mark, self.at):
            return False
        self.at += len(mark)
        return True

    def skip(self, marks: str = " \t\r") -> None:
        """Pass all characters of `marks`."""
        text, at, end = self.text, self.at, len(self.text)
        while at < end and text[at] in marks:
            at += 1
        self.at = at

    def word(self) -> str:
        """The next letters, digits and `_`; the position stays."""
        text, at, end = self.text, self.at, len(self.text)
        while at < end and (text[at].isalnum() or text[at] in "_-"):
            at += 1
        return text[self.at : at]

    def line_end(self) -> int:
        """The end of the current line."""
        found = self.text.find("\n", self.at)
        return len(self.text) if found < 0 else found

    def rest_of_line(self) -> str:
        """Pass and return the rest of the current line."""
        end = self.line_end()
        rest = self.text[self.at : end]
        self.at = end
        return rest

    def until(self, mark: str, reach: int = _LONGEST_SEARCH) -> str | None:
        """The text before the next `mark`, both passed; None, with nothing passed, beyond `reach`."""
        found = self.text.find(mark, self.at, self.at + reach)
        if found < 0:
            return None
        passed = self.text[self.at : found]
        self.at = found + len(mark)
        return passed


def shown(text: str, most: int = 60) -> str:
    """A piece of a source as quoted in sentences."""
    flat = " ".join(text[: most * 4].split())
    return f"'{flat}'" if len(flat) <= most else f"'{flat[:most].rstrip()}…'"
