"""The losses of an import, each once, with its place in the source (R-IN-6)."""

from __future__ import annotations

from typing import NamedTuple

from scenograph.diagnostics import IMPORT_LOSS, Diagnostic, Report

MOST_TOLD = 200  # losses in an answer; the last row counts the rest
MOST_UNREAD = 200  # parts not understood before the rest is left unread


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
        if self._unread < MOST_UNREAD:
            return False
        self._rows[place, f"all from here on was left unread, after {MOST_UNREAD} parts that were not understood"] = (
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
