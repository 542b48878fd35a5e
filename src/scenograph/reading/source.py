"""A source for readers, and a cursor over its text: positions, lines, and bounded searches."""

from __future__ import annotations

from bisect import bisect_right
from typing import NamedTuple

from scenograph.diagnostics import Diagnostic
from scenograph.late_dataclasses import dataclass
from scenograph.reading.losses import Place
from scenograph.scene.json_values import JsonObject
from scenograph.scene.limits import IconRegistry

LONGEST_SEARCH = 4_000  # the longest search for a closing mark, in characters


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

    def until(self, mark: str, reach: int = LONGEST_SEARCH) -> str | None:
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
