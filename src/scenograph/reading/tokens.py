"""Tokens of a small grammar, for readers with a parser of their own. Tokens are made as they are asked for: a large
source costs no memory beyond its text."""

from __future__ import annotations

import re
from collections.abc import Container
from itertools import islice
from typing import NamedTuple

from scenograph.reading.source import Cursor, Place, Unreadable

MOST_TOKENS = 150_000  # of a source
END = "end"
_ODD = "odd"
_BLANK = "blank"


class Token(NamedTuple):
    """A token: the name of the pattern's group (ODD for a character outside of all groups, END at the end), the text
    and the position."""

    kind: str
    text: str
    at: int


class Unexpected(Exception):  # noqa: N818 - a state, as Unreadable is
    """A token that the grammar does not allow at its place. `expected` names the valid tokens."""

    def __init__(self, token: Token, expected: str) -> None:
        super().__init__(expected)
        self.token = token
        self.expected = expected


class Tokens:
    """A position in the tokens of a text. The group `blank` of the pattern is passed over. `depth` is the number of
    opening brackets that were passed and not yet closed, of those in `brackets`."""

    def __init__(self, text: str, pattern: re.Pattern[str], brackets: str = "{}") -> None:
        self._text = text
        self._lines = Cursor(text)
        self._rows = (
            Token(found.lastgroup or _ODD, found[0], found.start())
            for found in pattern.finditer(text)
            if found.lastgroup != _BLANK
        )
        self._ahead: list[Token] = []
        self._brackets = brackets
        self._count = 0
        self.depth = 0
        self.passed = 0
        """The end of the last token."""

    def peek(self, ahead: int = 0) -> Token:
        """A next token; the position stays."""
        if len(self._ahead) <= ahead:
            self._ahead += islice(self._rows, ahead + 1 - len(self._ahead))
        return self._ahead[ahead] if ahead < len(self._ahead) else Token(END, "", len(self._text))

    def next(self) -> Token:
        """Pass and return the next token. Unreadable beyond MOST_TOKENS."""
        token = self.peek()
        if token.kind != END:
            self._count += 1
            if self._count > MOST_TOKENS:
                raise Unreadable(self.place(token.at), f"at most {MOST_TOKENS} words and marks")
            del self._ahead[0]
            self.passed = token.at + len(token.text)
            if token.text == self._brackets[0]:
                self.depth += 1
            elif token.text == self._brackets[1]:
                self.depth -= 1
        return token

    def is_at(self, *texts: str) -> bool:
        """Whether any of the marks or words is next; quoted texts do not count."""
        return self.peek().text in texts

    def take(self, *texts: str) -> bool:
        """Pass the next mark or word, if among the given."""
        if not self.is_at(*texts):
            return False
        self.next()
        return True

    def expect(self, text: str) -> Token:
        """Pass a mark or word; Unexpected for another token."""
        if not self.is_at(text):
            raise Unexpected(self.peek(), f"'{text}'")
        return self.next()

    def expect_kind(self, kinds: Container[str], expected: str) -> Token:
        """Pass a token of these kinds; Unexpected for another token."""
        if self.peek().kind not in kinds:
            raise Unexpected(self.peek(), expected)
        return self.next()

    def place(self, at: int) -> Place:
        """Line and column of a position."""
        return self._lines.place(at)

    def between(self, start: int, end: int) -> str:
        """The text between two positions."""
        return self._text[start:end]
