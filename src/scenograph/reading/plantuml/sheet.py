"""Statements of every kind of PlantUML diagram: titles, legends, directions, and settings of looks."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TypeVar

from scenograph.late_dataclasses import dataclass, field
from scenograph.reading.losses import Losses
from scenograph.reading.plantuml.script import PumlLine, PumlScript
from scenograph.reading.plantuml.texts import PumlWords
from scenograph.reading.source import shown

DEEPEST = 100
"""Containers within each other."""
_TITLE = re.compile(r"title(?:[ \t]+(?P<text>\S.*))?", re.IGNORECASE)
_ASIDE = re.compile(
    r"(?:(?:left|right|center)[ \t]+)?(?P<word>header|footer|caption|legend|mainframe)\b[ \t:]*(?P<text>.*)",
    re.IGNORECASE,
)
_SIDES = frozenset(
    {"", "left", "right", "center", "top", "bottom", "top left", "top right", "bottom left", "bottom right"}
)
_DIRECTION = re.compile(
    r"(?P<word>left to right|top to bottom|right to left|bottom to top)[ \t]+direction", re.IGNORECASE
)
_DIRECTIONS = {"left to right": "LR", "top to bottom": "TB", "right to left": "RL", "bottom to top": "BT"}
_SILENT = re.compile(
    r"(?:!include|skin(?:param(?:locked)?)?|scale|allow_?mixing|rotate|sprite|page|dpi|minwidth|maxwidth"
    r"|set[ \t]+separator|set[ \t]+namespaceseparator|autolayout|listsprites?|ignore|footbox|legend[ \t]*off)\b.*",
    re.IGNORECASE,
)
_HIDING = re.compile(r"(?:hide|show|remove|restore)\b(?P<what>.*)", re.IGNORECASE)
_PRESENTATION = re.compile(
    r"(?:empty|members?|methods?|fields?|attributes?|circle|footbox|stereotypes?|unlinked|time|description|"
    r"private|public|protected|package|@unlinked|\s)+",
    re.IGNORECASE,
)


class LineNotUnderstood(Exception):  # noqa: N818 - it ends one statement, not the reading
    """A line outside of the grammar of a kind of diagram."""


@dataclass(slots=True)
class PumlSheet:
    """The common parts of a diagram under construction. `direction` is "" unless said."""

    script: PumlScript
    losses: Losses
    most: int
    words: PumlWords = field(init=False)
    title: str = ""
    direction: str = ""

    def __post_init__(self) -> None:
        self.words = PumlWords(self.losses)


@dataclass(slots=True)
class LineReader:
    """The part of a reader that every kind of diagram has."""

    sheet: PumlSheet

    def plain(self, text: str | None, line: PumlLine) -> str:
        """A text as displayed."""
        return self.sheet.words.plain(text or "", line.place)


R = TypeVar("R")
Statements = Sequence[tuple[re.Pattern[str], Callable[[R, re.Match[str], PumlLine], None]]]
"""The statements of a kind of diagram in order of precedence: the pattern of a line, and its reading."""


def first_of(statements: Statements[R], reader: R) -> Callable[[PumlLine], None]:
    """The reading of a line by the first statement whose pattern takes all of it. LineNotUnderstood for other lines."""

    def take(line: PumlLine) -> None:
        for pattern, read in statements:
            found = pattern.fullmatch(line.text)
            if found is not None:
                read(reader, found, line)
                return
        raise LineNotUnderstood

    return take


def read_lines(sheet: PumlSheet, statement: Callable[[PumlLine], None], name: str) -> None:
    """Read all lines. A line without a meaning is reported, the rest is read; `name` is the kind of diagram."""
    while (line := sheet.script.next()) is not None:
        if sheet.losses.too_many(line.place):
            return
        at = sheet.script.at
        try:
            statement(line)
        except LineNotUnderstood as wrong:
            sheet.script.at = at
            if not take_common(line, sheet):
                what = str(wrong) or f"{shown(line.text)} is not a statement of {name}"
                sheet.losses.unread(line.place, what)


def take_common(line: PumlLine, sheet: PumlSheet) -> bool:
    """Take a statement of every kind of diagram; False for another line."""
    text = line.text
    if (found := _TITLE.fullmatch(text)) is not None:
        said = [PumlLine(line.number, found["text"])] if found["text"] else _block("title", sheet.script)
        if said is None:
            return False
        sheet.title = sheet.words.plain("\n".join(one.text for one in said), line.place).replace("\n", " ")
        return True
    if (found := _ASIDE.fullmatch(text)) is not None:
        return _aside(found, line, sheet)
    if (found := _DIRECTION.fullmatch(text)) is not None:
        sheet.direction = _DIRECTIONS[found["word"].lower()]
        return True
    if (found := _HIDING.fullmatch(text)) is not None:
        if not _PRESENTATION.fullmatch(found["what"]):
            sheet.words.tell("hide", line.place, f"{shown(text)}: everything is shown")
        return True
    return _SILENT.fullmatch(text) is not None


def _aside(found: re.Match[str], line: PumlLine, sheet: PumlSheet) -> bool:
    """Pass a text beside the diagram, and report it."""
    word = found["word"].lower()
    if found["text"].strip().lower() in _SIDES and word != "mainframe":
        if word == "caption" or _block(word, sheet.script) is None:
            return False
    elif word == "legend":
        return False
    sheet.words.tell(word, line.place, f"the {word}")
    return True


def _block(word: str, script: PumlScript) -> list[PumlLine] | None:
    return script.block(re.compile(rf"end[ \t]*{word}", re.IGNORECASE))
