"""A statement as words, and a way through them.

A statement comes without its comments (`statements.py`). Placeholders that a template leaves before a name
(`@cdm.person`, `${schema}.t`, `#__t`, `{0}.t`, `:schema.t`, `&owner..t`) are left out of it; one that is all of a name
stays as the name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from scenograph.reading.sql.dialects import Dialect, quoted_forms
from scenograph.reading.sql.model import Quoted, TableName

_OPENING, _CLOSING = "([{", ")]}"
_NESTING = {**dict.fromkeys(_OPENING, 1), **dict.fromkeys(_CLOSING, -1)}
_TYPES_IN_ANGLES = frozenset({"ARRAY", "MAP", "STRUCT", "UNIONTYPE", "ROW"})
_ANGLES = {"<": 1, ">": -1, ">>": -2}
_UNAMBIGUOUS = (
    r"\$\{[^{}\n]{1,80}\}|\$\([^()\n]{1,80}\)|[@#]\{[^{}\n]{1,80}\}|\{\{[^{}\n]{1,80}\}\}|\{\$?[\w.:-]{1,80}\}"
    r"|<%[^%\n]{1,80}%>|%\(\w{1,80}\)s|%(?:\d{1,2}\$)?s|%\w{1,80}%|#__(?=\w)"
)
_PLACEHOLDER = (
    r"(?<!\w)<\w{1,80}\s?,[^<>,\n]{0,80},[^<>\n]{0,80}>|"
    rf"{_UNAMBIGUOUS}|@\w{{1,80}}@|@\w{{1,80}}(?=\s*\.)|\$\w{{1,80}}(?=\.)|<[\w ,]{{1,80}}>(?=\.)|&&?\w{{1,80}}\.?"
    r"""|(?<![\w:\])'"]):(?:\w{1,80}|"\w{1,80}"|'\w{1,80}')"""
)
_IN_A_NAME = re.compile(_UNAMBIGUOUS)
_QUOTES = {'"': '"', "`": "`", "[": "]"}


class NotUnderstood(Exception):  # noqa: N818 - it ends one statement, not the reading
    """A statement, or a part of one, that is not of the grammar."""


class Word(NamedTuple):
    """A word or a mark. `upper` is "" for what is quoted; `start` and `end` are positions in the statement."""

    text: str
    upper: str
    is_string: bool
    start: int
    end: int

    @property
    def is_name(self) -> bool:
        """Whether it can name a table or a column."""
        first = self.text[:1]
        return bool(first) and not self.is_string and (not self.upper or first.isalnum() or first in "_#@$")

    @property
    def is_text(self) -> bool:
        """Whether it can be a text: a string, or what is in double quotes."""
        return self.is_string or not self.upper


def words_of(text: str, dialect: Dialect) -> list[Word]:
    """The words of a statement. NotUnderstood when a quote has no end."""
    words: list[Word] = []
    at = 0
    while (found := _pattern(dialect).search(text, at)) is not None:
        at, kind, piece = found.end(), found.lastgroup, found[0]
        if kind == "string":
            words.append(Word(_unquoted_string(found, text), "", is_string=True, start=found.start(), end=at))
            continue
        upper = piece.upper()
        if kind == "name":
            closing, piece, upper = _QUOTES[piece[0]], piece[1:-1].replace(2 * piece[-1], piece[-1]), ""
            if text[at - 1] != closing or at - found.start() < len('""'):
                raise NotUnderstood("a quote has no end")
            piece, whole = _IN_A_NAME.sub("", piece), piece
            if whole and not piece:
                kind, piece = "placeholder", whole
        if kind == "placeholder":
            upper = ""
            if (after := _after_placeholder(text, at, words, found.start())) is not None:
                at = after
                continue
        words.append(Word(piece, upper, is_string=False, start=found.start(), end=at))
    return words


def _unquoted_string(found: re.Match[str], text: str) -> str:
    piece = found[0]
    if found["body"] is not None:
        tag = f"${found['tag']}$"
        if len(piece) < 2 * len(tag) or not piece.endswith(tag):
            raise NotUnderstood("a quote has no end")
        return piece[len(tag) : -len(tag)]
    quote = piece.index("'")
    if len(piece) < quote + len("''") or text[found.end() - 1] != "'":
        raise NotUnderstood("a quote has no end")
    inner = piece[quote + 1 : -1]
    if piece[:quote].lower().endswith("q"):
        return inner[1:-1]
    return inner.replace("''", "'").replace("\\'", "'")


def _after_placeholder(text: str, at: int, words: list[Word], start: int) -> int | None:
    """Where the name goes on behind a placeholder that is a part of it; None where the placeholder is all of the
    name."""
    qualified = _DOTS.match(text, at)
    if qualified:
        return qualified.end()
    if text[at : at + 1].isalnum() or text[at : at + 1] in {"_", '"', "`", "[", "{", "$", "@", "%", "#"}:
        return at
    return at if words and words[-1].end == start and words[-1].is_name else None


_DOTS = re.compile(r"\s*(?:\.\s*)+")


@cache
def _pattern(dialect: Dialect) -> re.Pattern[str]:
    """What a statement is made of. Quantifiers are possessive: nothing is looked at twice."""
    forms = quoted_forms(dialect)
    return re.compile(
        rf"(?P<placeholder>{_PLACEHOLDER})"
        rf"|(?P<string>{forms.strings}|(?P<body>{forms.bodies}))"
        rf"|(?P<name>{forms.names})"
        r"|(?P<word>[\w#@$][\w#@$]*+)"
        r"|(?P<mark>::|:=|>>|[^\s])",
        re.DOTALL,
    )


class Words:
    """A position among words."""

    def __init__(self, words: list[Word], text: str) -> None:
        self.words = words
        self.text = text
        self.at = 0

    @property
    def done(self) -> bool:
        """Whether everything has been passed."""
        return self.at >= len(self.words)

    @property
    def upper(self) -> str:
        """The next word in capitals; "" at the end and for what is quoted."""
        return self.words[self.at].upper if self.at < len(self.words) else ""

    def peek(self, ahead: int = 0) -> Word:
        """The word that many places ahead; an empty mark at the end."""
        at = self.at + ahead
        return self.words[at] if at < len(self.words) else _NOTHING

    def follows(self, *wanted: str) -> bool:
        """Whether these words come next."""
        found = self.words[self.at : self.at + len(wanted)]
        return len(found) == len(wanted) and all(word.upper == want for word, want in zip(found, wanted, strict=True))

    def take(self, *wanted: str) -> bool:
        """Pass these words if they come next."""
        if not self.follows(*wanted):
            return False
        self.at += len(wanted)
        return True

    def take_any(self, *alternatives: str) -> str:
        """Pass one of these words; "" when none comes next."""
        found = self.upper
        if not found or found not in alternatives:
            return ""
        self.at += 1
        return found

    def take_exists(self) -> bool:
        """Pass `IF EXISTS` or `IF NOT EXISTS`."""
        return self.take("IF", "NOT", "EXISTS") or self.take("IF", "EXISTS")

    def mentions(self, *alternatives: str) -> bool:
        """Whether one of these words comes later, outside of brackets."""
        depth = 0
        for word in self.words[self.at :]:
            depth += _NESTING.get(word.upper, 0)
            if depth == 0 and word.upper in alternatives:
                return True
        return False

    def name(self, what: str) -> str:
        """Pass a name. NotUnderstood when there is none."""
        if self.done or not self.words[self.at].is_name:
            raise NotUnderstood(f"the name of {what} was expected")
        self.at += 1
        word = self.words[self.at - 1]
        return word.text if word.upper else Quoted(word.text)

    def name_parts(self, what: str = "a table") -> list[str]:
        """Pass a name with what qualifies it."""
        parts = [self.name(what)]
        while self.take("."):
            while self.take("."):
                pass
            parts.append(self.name(what))
        return parts

    def table_name(self) -> TableName:
        """Pass a table's name with what qualifies it."""
        return TableName.of(self.name_parts())

    def string(self) -> str | None:
        """Pass a string; None, and nothing passed, when none comes next."""
        if self.done or not self.words[self.at].is_text:
            return None
        self.at += 1
        return self.words[self.at - 1].text

    def group(self) -> Words | None:
        """Pass a pair of brackets and what is in it; None when none comes next. NotUnderstood when it is not closed."""
        return self._nested() if self.upper == "(" else None

    def pass_group(self) -> bool:
        """Pass a pair of brackets of any form, if one comes next. NotUnderstood when it is not closed."""
        is_there = self.upper in {"(", "[", "{"}
        if is_there:
            self._nested()
        return is_there

    def _nested(self) -> Words:
        start, depth = self.at + 1, 0
        while not self.done:
            depth += _NESTING.get(self.upper, 0)
            self.at += 1
            if depth == 0:
                return Words(self.words[start : self.at - 1], self.text)
        raise NotUnderstood("a bracket is not closed")

    def skip_to_group(self) -> None:
        """Pass what stands before the next bracket."""
        while not self.done and self.upper != "(":
            self.at += 1

    def parts(self) -> Iterator[Words]:
        """What is left, divided by the commas outside of brackets; all of it is passed."""
        start, depth, angles = self.at, 0, 0
        for at in range(self.at, len(self.words)):
            upper = self.words[at].upper
            depth += _NESTING.get(upper, 0)
            if upper in _ANGLES and (angles or (upper == "<" and self.words[at - 1].upper in _TYPES_IN_ANGLES)):
                angles = max(0, angles + _ANGLES[upper])
            if depth == 0 and angles == 0 and upper == ",":
                yield Words(self.words[start:at], self.text)
                start = at + 1
        if start < len(self.words):
            yield Words(self.words[start:], self.text)
        self.at = len(self.words)

    def names(self) -> tuple[str, ...] | None:
        """Pass a list of columns in brackets; None when one of them is an expression. NotUnderstood without a list."""
        group = self.group()
        if group is None:
            raise NotUnderstood("a list of columns in brackets was expected")
        names: list[str] = []
        for part in group.parts():
            if part.upper == "PERIOD" and part.peek(1).is_name:
                part.at += 1
            if not part.peek().is_name:
                return None
            name = part.name("a column")
            length = part.group()
            is_call = length is not None and not all(word.text.isdecimal() for word in length.words)
            if is_call or any(not (word.is_name or word.upper == ".") for word in part.words[part.at :]):
                return None
            names.append(name)
        return tuple(names)

    def rest(self) -> str:
        """The text of what is left."""
        return self.text[self.words[self.at].start : self.words[-1].end] if not self.done else ""


_NOTHING = Word("", "", is_string=False, start=0, end=0)
