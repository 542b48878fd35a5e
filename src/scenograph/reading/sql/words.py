"""A statement as words, by sqlglot's tokenizer of its dialect, and a way through them.

Only the tokenizer: sqlglot's parser gives up a whole table for one column option that it does not know.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from sqlglot import tokenize
from sqlglot.tokenizer_core import Token, TokenType

from scenograph.reading.sql.model import TableName

_STRINGS = frozenset(
    {TokenType.STRING, TokenType.NATIONAL_STRING, TokenType.RAW_STRING, TokenType.HEREDOC_STRING, TokenType.BYTE_STRING}
)


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


def words_of(text: str, dialect: str) -> list[Word]:
    """The words of a statement. Raises what the tokenizer raises."""
    words: list[Word] = []
    for token in tokenize(text, read=dialect):
        words.extend(_words(token, text))
    return words


def _words(token: Token, text: str) -> Iterator[Word]:
    """A token's words: keywords of several words are taken apart."""
    if token.token_type is TokenType.IDENTIFIER:
        yield Word(token.text, "", is_string=False, start=token.start, end=token.end)
    elif token.token_type in _STRINGS:
        quoted_name = text[token.start : token.start + 1] == '"'
        yield Word(token.text, "", is_string=not quoted_name, start=token.start, end=token.end)
    else:
        at = token.start
        for part in text[token.start : token.end + 1].split():
            at = text.index(part, at)
            yield Word(part, part.upper(), is_string=False, start=at, end=at + len(part) - 1)
            at += len(part)


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
        if found not in alternatives:
            return ""
        self.at += 1
        return found

    def name(self, what: str) -> str:
        """Pass a name. NotUnderstood when there is none."""
        if self.done or not self.words[self.at].is_name:
            raise NotUnderstood(f"the name of {what} was expected")
        self.at += 1
        return self.words[self.at - 1].text

    def table_name(self) -> TableName:
        """Pass a table's name with what qualifies it."""
        parts = [self.name("a table")]
        while self.take("."):
            while self.take("."):
                pass
            parts.append(self.name("a table"))
        return TableName(parts[-2] if len(parts) > 1 else "", parts[-1])

    def string(self) -> str | None:
        """Pass a string; None, and nothing passed, when none comes next."""
        if self.done or not (self.words[self.at].is_string or self.words[self.at].upper == ""):
            return None
        self.at += 1
        return self.words[self.at - 1].text

    def group(self) -> Words | None:
        """Pass a pair of brackets and what is in it; None when none comes next. NotUnderstood when it is not closed."""
        if self.upper != "(":
            return None
        start, depth = self.at + 1, 0
        while not self.done:
            depth += {"(": 1, ")": -1}.get(self.upper, 0)
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
        start, depth = self.at, 0
        for at in range(self.at, len(self.words)):
            depth += {"(": 1, ")": -1}.get(self.words[at].upper, 0)
            if depth == 0 and self.words[at].upper == ",":
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
            name = part.name("a column")
            length = part.group()
            is_call = length is not None and not all(word.text.isdecimal() for word in length.words)
            if is_call or (not part.done and part.upper not in _AFTER_A_KEY_COLUMN):
                return None
            names.append(name)
        return tuple(names)

    def rest(self) -> str:
        """The text of what is left."""
        return self.text[self.words[self.at].start : self.words[-1].end + 1] if not self.done else ""


_AFTER_A_KEY_COLUMN = frozenset({"ASC", "DESC", "NULLS", "COLLATE", "VARCHAR_PATTERN_OPS", "TEXT_PATTERN_OPS"})
