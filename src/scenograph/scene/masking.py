"""Random words in place of real ones: letters for letters of the same case, digits for digits.

A letter is drawn from those that keep the text about as wide as it was (`advances.py`). What is no letter and no digit
stays, so that lines break, guards are found and ids keep their form. Equal texts become equal texts and different ones
different texts: what refers to something still does. No word of two letters or more that the document held anywhere is
left, whole or inside another word.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable
from functools import lru_cache

from scenograph.scene.advances import advance, advance_after

_Pair = tuple[str, str]
_NOTHING: _Pair = ("", "")
Draw = Callable[[int], int]  # a random number from 0 up to, not including, the given one

LEAST_WORD = 2  # letters
MOST_COMPARED = 12  # letters: a longer word is known by its first ones
TRIES = 12
LETTERS_LOOKED_AT = 26  # when what was drawn by chance always ends a real word
SLACK = 120  # 1/1000 em by which a text may be wider or narrower than the real one: 1.6 px of a label
MOST_REDRAWS = 50_000  # in one document; one that holds nearly every short word is not drawn for minutes
DIGITS = "0123456789"
ALPHABETS = (DIGITS, "abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
NEIGHBOURS = 64  # code points among which a letter of another script finds its like
_LETTERS = re.compile(r"[^\W\d_]+")
_CAMEL_PARTS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")


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
        self._wider = 0  # the text that is being made than the real one, 1/1000 em

    def of(self, text: str) -> str:
        """The mask of a text: the same one whenever it is asked for."""
        made = self._made.get(text)
        if made is None:
            made = self._made[text] = self._fresh(text)
            self._taken.add(made)
        return made

    def keeping(self, text: str, kept: frozenset[str]) -> str:
        """The text with every word masked but those in `kept` (lower case)."""
        self._wider = 0
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
            made += DIGITS[self._draw(len(DIGITS))]
        return made

    def _once(self, text: str) -> str:
        self._wider = 0
        with_words = _LETTERS.sub(lambda match: self._word(match[0]), text)
        return "".join(
            self._kept(char, self._drawn(_kin(char), char)) if char.isdecimal() else char for char in with_words
        )

    def _word(self, word: str) -> str:
        """Letter by letter: one that would end a real word is drawn again, and is a digit when every draw does."""
        made, folded, before = "", "", ("", "")
        for char in word:
            letter = self._safe_after(folded, char, before)
            made += letter
            folded += letter.casefold()
            before = char, letter
        return made

    def _safe_after(self, folded: str, char: str, before: _Pair) -> str:
        ending = folded[-MOST_COMPARED:]
        for _ in range(TRIES if self._redraws > 0 else 1):
            letter = self._drawn(_kin(char), char, before)
            if not self._ends_a_word(ending, letter.casefold()):
                return self._kept(char, letter, before)
            self._redraws -= 1
        return self._kept(char, self._nearest_safe(ending, char, before), before)

    def _nearest_safe(self, ending: str, char: str, before: _Pair) -> str:
        """The letter nearest in width that ends no real word; a digit when every letter does."""
        wrong = self._wrong(_kin(char), char, before)
        near = sorted(wrong, key=wrong.__getitem__)[:LETTERS_LOOKED_AT]
        safe = (letter for letter in near if not self._ends_a_word(ending, letter.casefold()))
        return next(safe, None) or self._drawn(DIGITS, char, before)

    def _ends_a_word(self, before: str, piece: str) -> bool:
        """A letter may fold to several; a real word may end at each of them."""
        for folded in piece:
            before += folded
            for length in self._lengths:
                if before[-length:] in self._real:
                    return True
        return False

    def _drawn(self, letters: str, char: str, before: _Pair = _NOTHING) -> str:
        """One of the letters with which the text is about as wide as the real one, or else the one that is nearest to
        that; `before` are the real letter before `char` and the one that stands for it."""
        wrong = self._wrong(letters, char, before)
        near = [letter for letter in letters if wrong[letter] <= SLACK]
        return near[self._draw(len(near))] if near else min(letters, key=wrong.__getitem__)

    def _wrong(self, letters: str, char: str, before: _Pair) -> dict[str, int]:
        """How far from its real width each letter would leave the text."""
        ideal = advance_after(before[0], char) - self._wider
        return {letter: abs(advance_after(before[1], letter) - ideal) for letter in letters}

    def _kept(self, real: str, made: str, before: _Pair = _NOTHING) -> str:
        self._wider += advance_after(before[1], made) - advance_after(before[0], real)
        return made


def _words(text: str) -> Iterable[str]:
    """The words of a text and the parts of those in camel case, folded, from three letters on."""
    for run in _LETTERS.findall(text):
        for word in (run, *_CAMEL_PARTS.findall(run)):
            if len(word) >= LEAST_WORD:
                yield word.casefold()


@lru_cache(maxsize=4096)
def _kin(char: str) -> str:
    """What may stand for `char`: the letters of its case in its alphabet, else the characters near it that are of its
    category and cell width, itself included."""
    alphabet = next((letters for letters in ALPHABETS if char in letters), None)
    if alphabet is not None:
        return alphabet
    first = ord(char) // NEIGHBOURS * NEIGHBOURS
    kind = _kind(char)
    return "".join(near for near in map(chr, range(first, first + NEIGHBOURS)) if _kind(near) == kind)


def _kind(char: str) -> tuple[str, str, bool]:
    """Category, cell width, and whether it is a letter of a known width with an accent."""
    return unicodedata.category(char), unicodedata.east_asian_width(char), advance(char) > 0
