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
MOST_COMPARED = 12  # letters: a longer word is known by its first ones
TRIES = 12
MOST_REDRAWS = 50_000  # in one document; one that holds nearly every short word is not drawn for minutes
# Letters whose widths in the proportional font are near each other.
WIDTHS = ("ijl", "tfr", "sxkzavyc", "enhuobdpqg", "wm", "IJL", "EFPRSTZB", "AKVXYDCHUGNOQ", "MW", "0123456789")
DIGITS = WIDTHS[-1]
NEIGHBOURS = 64  # code points among which a letter of another script finds its like
_LETTERS = re.compile(r"[^\W\d_]+")
_CAMEL_PARTS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_OTHERS_OF = {letter: letters for letters in WIDTHS for letter in letters}


class TextMask:
    """The masked words of one document. `texts` are all it holds; `reserved` words are made for no text; `public` are
    names that tell nothing of the author, for whoever treats a member that may hold one."""

    def __init__(
        self, texts: Iterable[str], draw: Draw, reserved: Iterable[str] = (), public: frozenset[str] = frozenset()
    ) -> None:
        self._draw = draw
        self.public = public
        words = (word for text in (*texts, *reserved) for word in _words(text))
        self._real = {word[:MOST_COMPARED] for word in words}
        self._lengths = sorted({len(word) for word in self._real})
        self._redraws = MOST_REDRAWS
        self._made: dict[str, str] = {}
        self._taken: set[str] = set()

    def of(self, text: str) -> str:
        """The mask of a text: the same one whenever it is asked for."""
        made = self._made.get(text)
        if made is None:
            made = self._made[text] = self._fresh(text)
            self._taken.add(made)
        return made

    def keeping(self, text: str, kept: frozenset[str]) -> str:
        """The text with every word masked but those in `kept` (lower case)."""
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
        """Letter by letter: one that would end a real word is drawn again, and is a digit when every draw does."""
        made, folded = "", ""
        for char in word:
            letter = self._safe_after(folded, char)
            made += letter
            folded += letter.casefold()
        return made

    def _safe_after(self, folded: str, char: str) -> str:
        before = folded[-MOST_COMPARED:]
        for _ in range(TRIES if self._redraws > 0 else 1):
            letter = self._like(char)
            if not self._ends_a_word(before, letter.casefold()):
                return letter
            self._redraws -= 1
        return self._like(DIGITS[0])

    def _ends_a_word(self, before: str, piece: str) -> bool:
        """A letter may fold to several; a real word may end at each of them."""
        for folded in piece:
            before += folded
            for length in self._lengths:
                if before[-length:] in self._real:
                    return True
        return False

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
