"""A statement as words, and a cursor over them. Statements come without comments (`statements.py`).

Template placeholders before a name (`@cdm.person`, `${schema}.t`, `#__t`, `{0}.t`, `:schema.t`, `&owner..t`) are
removed; a placeholder that is a whole name stays as the name.
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


class SqlNotUnderstood(Exception):  # noqa: N818 - it ends one statement, not the reading
    """An ungrammatical statement, or a part of a statement."""


class Word(NamedTuple):
    """A word or a mark. `upper` is "" for quoted words; `start` and `end` are positions in the statement."""

    text: str
    upper: str
    is_string: bool
    start: int
    end: int

    @property
    def is_name(self) -> bool:
        """Whether the word can name a table or a column."""
        first = self.text[:1]
        return bool(first) and not self.is_string and (not self.upper or first.isalnum() or first in "_#@$")

    @property
    def is_text(self) -> bool:
        """Whether the word can be a text: a string, or a word in double quotes."""
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
                raise SqlNotUnderstood("a quote has no end")
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
            raise SqlNotUnderstood("a quote has no end")
        return piece[len(tag) : -len(tag)]
    quote = piece.index("'")
    if len(piece) < quote + len("''") or text[found.end() - 1] != "'":
        raise SqlNotUnderstood("a quote has no end")
    inner = piece[quote + 1 : -1]
    if piece[:quote].lower().endswith("q"):
        return inner[1:-1]
    return inner.replace("''", "'").replace("\\'", "'")


def _after_placeholder(text: str, at: int, words: list[Word], start: int) -> int | None:
    """The continuation of a name after a placeholder within it; None for a placeholder that is the whole name."""
    qualified = _DOTS.match(text, at)
    if qualified:
        return qualified.end()
    if text[at : at + 1].isalnum() or text[at : at + 1] in {"_", '"', "`", "[", "{", "$", "@", "%", "#"}:
        return at
    return at if words and words[-1].end == start and words[-1].is_name else None


_DOTS = re.compile(r"\s*(?:\.\s*)+")


@cache
def _pattern(dialect: Dialect) -> re.Pattern[str]:
    """The tokens of a statement. Possessive quantifiers prevent backtracking."""
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
        """The next word in capitals; "" at the end and for quoted words."""
        return self.words[self.at].upper if self.at < len(self.words) else ""

    def peek(self, ahead: int = 0) -> Word:
        """The word `ahead` positions on; an empty mark at the end."""
        at = self.at + ahead
        return self.words[at] if at < len(self.words) else _NOTHING

    def follows(self, *wanted: str) -> bool:
        """Whether the next words are `words`."""
        found = self.words[self.at : self.at + len(wanted)]
        return len(found) == len(wanted) and all(word.upper == want for word, want in zip(found, wanted, strict=True))

    def take(self, *wanted: str) -> bool:
        """Pass these words if next."""
        if not self.follows(*wanted):
            return False
        self.at += len(wanted)
        return True

    def take_any(self, *alternatives: str) -> str:
        """Pass the next word if among these; "" otherwise."""
        found = self.upper
        if not found or found not in alternatives:
            return ""
        self.at += 1
        return found

    def take_exists(self) -> bool:
        """Pass `IF EXISTS` or `IF NOT EXISTS`."""
        return self.take("IF", "NOT", "EXISTS") or self.take("IF", "EXISTS")

    def mentions(self, *alternatives: str) -> bool:
        """Whether any of these words comes later, outside brackets."""
        depth = 0
        for word in self.words[self.at :]:
            depth += _NESTING.get(word.upper, 0)
            if depth == 0 and word.upper in alternatives:
                return True
        return False

    def name(self, what: str) -> str:
        """Pass a name. Raises NotUnderstood if none comes next."""
        if self.done or not self.words[self.at].is_name:
            raise SqlNotUnderstood(f"the name of {what} was expected")
        self.at += 1
        word = self.words[self.at - 1]
        return word.text if word.upper else Quoted(word.text)

    def name_parts(self, what: str = "a table") -> list[str]:
        """Pass a qualified name; its parts."""
        parts = [self.name(what)]
        while self.take("."):
            while self.take("."):
                pass
            parts.append(self.name(what))
        return parts

    def table_name(self) -> TableName:
        """Pass a qualified table name."""
        return TableName.of(self.name_parts())

    def string(self) -> str | None:
        """Pass a string; None, and nothing passed, when none comes next."""
        if self.done or not self.words[self.at].is_text:
            return None
        self.at += 1
        return self.words[self.at - 1].text

    def group(self) -> Words | None:
        """Pass a pair of brackets; its content, or None if no bracket comes next. Raises NotUnderstood for an unclosed
        bracket."""
        return self._nested() if self.upper == "(" else None

    def pass_group(self) -> bool:
        """Pass a pair of brackets of any form, if next. Raises NotUnderstood for an unclosed bracket."""
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
        raise SqlNotUnderstood("a bracket is not closed")

    def skip_to_group(self) -> None:
        """Pass the words before the next bracket."""
        while not self.done and self.upper != "(":
            self.at += 1

    def parts(self) -> Iterator[Words]:
        """The remaining words, split at commas outside brackets; all are passed."""
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
        """Pass a list of columns in brackets; None if an item is an expression. Raises NotUnderstood without a list."""
        group = self.group()
        if group is None:
            raise SqlNotUnderstood("a list of columns in brackets was expected")
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
        """The text of the remaining words."""
        return self.text[self.words[self.at].start : self.words[-1].end] if not self.done else ""


_NOTHING = Word("", "", is_string=False, start=0, end=0)
