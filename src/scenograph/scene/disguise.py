"""Random words in place of real ones: letters for letters of the same case and about the same width, digits for digits.

What is no letter and no digit stays, so that lines break, guards are found and ids keep their form. Equal texts become
equal texts and different ones different texts: what refers to something still does. No word of three letters or more
that the document held anywhere is left, whole or inside another word.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable
from functools import lru_cache

Draw = Callable[[int], int]  # a random number from 0 up to, not including, the given one

LEAST_WORD = 3  # letters
TRIES = 40
# Letters whose widths in the proportional font are near each other.
WIDTHS = ("ijl", "tfr", "sxkzavyc", "enhuobdpqg", "wm", "IJL", "EFPRSTZB", "AKVXYDCHUGNOQ", "MW", "0123456789")
DIGITS = WIDTHS[-1]
NEIGHBOURS = 64  # code points among which a letter of another script finds its like
_LETTERS = re.compile(r"[^\W\d_]+")
_CAMEL_PARTS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_OTHERS_OF = {letter: letters for letters in WIDTHS for letter in letters}


class Disguise:
    """The disguises of one document. `texts` are all it holds; `reserved` words are made for no text."""

    def __init__(self, texts: Iterable[str], draw: Draw, reserved: Iterable[str] = ()) -> None:
        self._draw = draw
        self._real = {word for text in texts for word in _words(text)} | {word.casefold() for word in reserved}
        self._lengths = sorted({len(word) for word in self._real})
        self._made: dict[str, str] = {}
        self._taken: set[str] = set()

    def of(self, text: str) -> str:
        """The disguise of a text: the same one whenever it is asked for."""
        made = self._made.get(text)
        if made is None:
            made = self._made[text] = self._fresh(text)
            self._taken.add(made)
        return made

    def keeping(self, text: str, kept: frozenset[str]) -> str:
        """The text with every word disguised but those in `kept` (lower case)."""
        return _LETTERS.sub(lambda match: match[0] if match[0].lower() in kept else self._word(match[0]), text)

    def _fresh(self, text: str) -> str:
        if not any(map(str.isalnum, text)):
            return text
        made = self._once(text)
        for _ in range(TRIES):
            if made not in self._taken:
                return made
            made = self._once(text)
        while made in self._taken:  # all that look like it are given out: a digit more joins no letters
            made += self._like(DIGITS[0])
        return made

    def _once(self, text: str) -> str:
        with_words = _LETTERS.sub(lambda match: self._word(match[0]), text)
        return "".join(self._like(char) if char.isdecimal() else char for char in with_words)

    def _word(self, word: str) -> str:
        for _ in range(TRIES):
            made = "".join(map(self._like, word))
            if not self._gives_away(made):
                return made
        # Nearly every word of this form is a real one: digits keep the letters apart.
        return "".join(
            self._like(DIGITS[0]) if index % LEAST_WORD == LEAST_WORD - 1 else self._like(char)
            for index, char in enumerate(word)
        )

    def _gives_away(self, made: str) -> bool:
        folded = made.casefold()
        return any(
            folded[start : start + length] in self._real
            for length in self._lengths
            if length <= len(folded)
            for start in range(len(folded) - length + 1)
        )

    def _like(self, char: str) -> str:
        others = _OTHERS_OF.get(char) or _kin(char)
        return others[self._draw(len(others))]


def _words(text: str) -> Iterable[str]:
    """The words of a text and the parts of those in camel case, folded, from three letters on."""
    for run in _LETTERS.findall(text):
        for word in (run, *_CAMEL_PARTS.findall(run)):
            if len(word) >= LEAST_WORD:
                yield word.casefold()


@lru_cache(maxsize=4096)
def _kin(char: str) -> str:
    """The characters near `char` that are of its category and width, itself included."""
    first = ord(char) // NEIGHBOURS * NEIGHBOURS
    kind = _kind(char)
    return "".join(near for near in map(chr, range(first, first + NEIGHBOURS)) if _kind(near) == kind)


def _kind(char: str) -> tuple[str, str, str]:
    """Category, cell width, and for an accented Latin letter the widths to which its plain form belongs."""
    plain = unicodedata.normalize("NFD", char)[0]
    return unicodedata.category(char), unicodedata.east_asian_width(char), _OTHERS_OF.get(plain, "")
