"""Random words in place of real ones, as wide as these are and with nothing else in common.

A word becomes random letters of the same case, drawn and then changed one by one until their sum of widths is that of
the word, in both proportional fonts; how many there are follows from the width alone. So a mask tells how wide a word
is, and neither its letters' number nor any single width. What a word is off by, the next one makes good. No letter
stays in its place. What is no letter and no digit stays, so that lines break, guards are found and ids keep their form.
Equal texts become equal texts and different ones different texts: what refers to something still does. No word of two
letters or more that the document held anywhere is left, whole or inside another word.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from scenograph.scene.advances import advance, hand_advance, kerning, plain

Draw = Callable[[int], int]  # a random number from 0 up to, not including, the given one

LEAST_WORD = 2  # letters
MOST_COMPARED = 12  # letters: a longer word is known by its first ones
DIGITS, LOWER, UPPER = "0123456789", "abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
ALPHABETS = (DIGITS, LOWER, UPPER)
NEIGHBOURS = 64  # code points among which a letter of another script finds its like
PER_MILLE = 1000
JITTER = 6  # per mille of a word's width by which its mask is made wider or narrower at random
# By how much a mask may differ from what it should be: per mille of a word's width and 1/1000 em, try after try. The
# last but one is 2 px of the smallest label.
_ROOMS = ((10, 5), (10, 5), (10, 5), (12, 6), (15, 20), (15, 60), (15, 100), (15, 150))
WIDEST_OFF = (30, 130)  # of a text without letters, in the same figures, beyond which letters stand for its digits
TRIES = 14
LONG = 100  # letters of a text from which on no word gets more of them: masks stay within the limits of lengths
PIECE = 24  # letters of a long word that are made together
NUMBERS = 6  # of letters that are tried for a word, one after the other
STEPS = 10  # of a word's letters that are changed, beside twice their number
MOST_REDRAWS = 50_000  # in one document; one that holds nearly every short word is not drawn for minutes
_RUNS = re.compile(r"\d+|[^\W\d_]+")
_LETTERS = re.compile(r"[^\W\d_]+")
_CAMEL_PARTS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
# One word of plain letters, as case divides it; any other run of letters is one part.
_PARTS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")

_Width = tuple[int, int]  # in the font for text and in the one like handwriting, 1/1000 em


class _Form(NamedTuple):
    """A part of a word: the real letters, and the alphabet of each letter of its mask. `is_free`: the mask may have
    another number of letters, out of the last alphabet."""

    real: str
    alphabets: tuple[str, ...]
    is_free: bool


class TextMask:
    """The masked words of one document. `texts` are all it holds; `reserved` words are made for no text; `public` are
    names that tell nothing of the author, for whoever treats a member that may hold one. `monospaced`: the document
    asks for a font in which a word's width is its number of letters, which then stays."""

    def __init__(
        self,
        texts: Iterable[str],
        draw: Draw,
        reserved: Iterable[str] = (),
        public: frozenset[str] = frozenset(),
        *,
        monospaced: bool = False,
    ) -> None:
        self._draw = draw
        self.public = public
        self._monospaced = monospaced
        words = (word for text in (*texts, *reserved) for word in _words(text))
        self._real = {word[:MOST_COMPARED] for word in words}
        self._lengths = sorted({len(word) for word in self._real})
        self._redraws = MOST_REDRAWS
        self._made: dict[str, str] = {}
        self._taken: set[str] = set()
        self._is_long = False
        self._off: _Width = (0, 0)  # the text that is being made is wider than the real one

    def of(self, text: str) -> str:
        """The mask of a text: the same one whenever it is asked for."""
        made = self._made.get(text)
        if made is None:
            made = self._made[text] = self._fresh(text)
            self._taken.add(made)
        return made

    def keeping(self, text: str, kept: frozenset[str]) -> str:
        """The text with every word masked but those in `kept` (lower case)."""
        self._off = (0, 0)
        return _LETTERS.sub(lambda match: match[0] if match[0].lower() in kept else self._run(match, 0), text)

    def _fresh(self, text: str) -> str:
        if not any(map(str.isalnum, text)):
            return text
        made = ""
        for attempt in range(TRIES):
            made = self._once(text, attempt)
            if made not in self._taken:
                return made
        while made in self._taken:  # all that look like it are given out: a digit more joins no letters
            made += DIGITS[self._draw(len(DIGITS))]
        return made

    def _once(self, text: str, attempt: int) -> str:
        """Digits first, for there are few to choose from: letters make good what they are off by."""
        self._off, self._is_long = (0, 0), len(text) > LONG
        runs = list(_RUNS.finditer(text))
        numbers = [self._run(run, attempt) for run in runs if run[0].isdecimal()]
        if len(numbers) == len(runs) and self._is_off(_width(text)):
            self._off = (0, 0)
            return _RUNS.sub(lambda match: self._part(_Form(match[0], (LOWER,), is_free=True), "", attempt), text)
        drawn = iter(numbers)
        return _RUNS.sub(lambda match: next(drawn) if match[0].isdecimal() else self._run(match, attempt), text)

    def _is_off(self, width: _Width) -> bool:
        share, least = WIDEST_OFF
        return any(abs(off) > max(least, share * real // PER_MILLE) for off, real in zip(self._off, width, strict=True))

    def _run(self, match: re.Match[str], attempt: int) -> str:
        """The mask of letters or digits that stand together, one that ends no real word."""
        run, before = match[0], self._off
        beside = _mark(match.string[: match.start()][-1:]), _mark(match.string[match.end() :][:1])
        made = ""
        for again in range(attempt, attempt + TRIES):
            self._off = before
            made = ""
            forms = _forms(run, keeps_number=self._monospaced)
            for form in forms:
                ends = (made[-1:] or beside[0], beside[1] if form is forms[-1] else "")
                made += self._part(form, run[len(made) :], again, ends)
            is_mixed = len(run) >= LEAST_WORD and sorted(made) == sorted(run)
            if run.isdecimal() or not (is_mixed or self._holds_a_word(made.casefold())):
                return made
            self._redraws -= 1
            if self._redraws < 0:
                break
        mended = self._mended(made)
        real, now = _width(run), _width(mended)
        self._off = (before[0] + now[0] - real[0], before[1] + now[1] - real[1])
        return mended

    def _part(self, form: _Form, real_letters: str, attempt: int, ends: tuple[str, str] = ("", "")) -> str:
        """The mask of a part between two `ends`; `real_letters` stand where it will."""
        real = _width(form.real, ends)
        jitter = [(self._draw(2 * JITTER + 1) - JITTER) * width // PER_MILLE for width in real]
        wanted = tuple(max(1, width - off + more) for width, off, more in zip(real, self._off, jitter, strict=True))
        share, least = _ROOMS[min(attempt, len(_ROOMS) - 1)]
        room = tuple(least + share * width // PER_MILLE for width in real)
        found: list[tuple[float, str]] = []
        for _ in range(NUMBERS if form.is_free else 1):
            alphabets = self._as_many(form, wanted[0]) if form.is_free else form.alphabets
            letters = self._filled(alphabets, real_letters, (wanted, room), ends)
            found.append((_misfit(_width(letters, ends), wanted, room), letters))
            if found[-1][0] <= 1.0:
                break
        made = min(found)[1]
        width = _width(made, ends)
        self._off = (self._off[0] + width[0] - real[0], self._off[1] + width[1] - real[1])
        return made

    def _as_many(self, form: _Form, wanted: int) -> tuple[str, ...]:
        """The alphabets of as many letters as go into the width, more or less by chance."""
        first, rest = form.alphabets[0], form.alphabets[-1]
        middle = _middle(rest)
        chance = self._draw(PER_MILLE) * middle * 2 // PER_MILLE - middle
        more = max(0, round((wanted - _middle(first) + chance * 7 // 10) / middle))
        if self._is_long:
            more = min(more, len(form.real) - 1)
        return (first, *[rest] * more)

    def _filled(
        self,
        alphabets: Sequence[str],
        real: str,
        aim: tuple[Sequence[int], Sequence[int]],
        ends: tuple[str, str],
    ) -> str:
        """Random letters, none as the real one in its place, changed one by one until they are as wide as the `aim`:
        widths and rooms."""
        draw, ((wide, wide_by_hand), (room, room_by_hand)) = self._draw, aim
        letters = [self._other(alphabet, real[place : place + 1]) for place, alphabet in enumerate(alphabets)]
        sans, hand = _width(letters, ends)
        best, least = letters[:], max(abs(sans - wide) / room, abs(hand - wide_by_hand) / room_by_hand)
        for _ in range(STEPS + 2 * len(letters)):
            if least <= 1.0:
                break
            place = draw(len(letters))
            before = plain(letters[place - 1]) if place else ends[0]
            after = plain(letters[place + 1]) if place + 1 < len(letters) else ends[1]
            rows = _between(alphabets[place], before, after)
            own = next(row for row in rows if row[0] == letters[place])
            sans, hand = sans - own[1], hand - own[2]
            off, off_by_hand, banned = sans - wide, hand - wide_by_hand, real[place : place + 1]
            fits = [
                (max(abs(off + row[1]) / room, abs(off_by_hand + row[2]) / room_by_hand), row)
                for row in rows
                if row[0] != banned
            ] or [(least, own)]
            good = [row for misfit, row in fits if misfit <= 1.0]
            misfit, chosen = (0.0, good[draw(len(good))]) if good else min(fits)
            letters[place], sans, hand = chosen[0], sans + chosen[1], hand + chosen[2]
            if misfit < least:
                best, least = letters[:], misfit
        return "".join(best)

    def _other(self, alphabet: str, real: str) -> str:
        letter = alphabet[self._draw(len(alphabet))]
        while letter == real and len(alphabet) > 1:
            letter = alphabet[self._draw(len(alphabet))]
        return letter

    def _holds_a_word(self, folded: str) -> bool:
        return any(self._ends_a_word(folded, end) for end in range(LEAST_WORD, len(folded) + 1))

    def _ends_a_word(self, folded: str, end: int) -> bool:
        return any(length <= end and folded[end - length : end] in self._real for length in self._lengths)

    def _mended(self, made: str) -> str:
        """The mask without real words, where every draw had one: another letter where one ends, a digit where every
        letter ends one."""
        letters: list[str] = []
        for letter in made:
            kin = _kin(letter)
            first = self._draw(len(kin))
            folded = "".join(letters)[-MOST_COMPARED:].casefold()
            others = (letter, *kin[first:], *kin[:first])
            safe = (one for one in others if not self._grows_a_word(folded, one.casefold()))
            letters.append(next(safe, None) or DIGITS[self._draw(len(DIGITS))])
        return "".join(letters)

    def _grows_a_word(self, before: str, piece: str) -> bool:
        """A letter may fold to several; a real word may end at each of them."""
        whole = before + piece
        return any(self._ends_a_word(whole, end) for end in range(len(before) + 1, len(whole) + 1))


def _forms(run: str, *, keeps_number: bool) -> Sequence[_Form]:
    """The parts of a run, each with the alphabets of its letters."""
    parts = _PARTS.findall(run) if run.isascii() and run.isalpha() else [run]
    pieces = [part[start : start + PIECE] for part in parts for start in range(0, len(part), PIECE)]
    return [_form(piece, keeps_number=keeps_number) for piece in pieces]


@lru_cache(maxsize=4096)
def _form(piece: str, *, keeps_number: bool) -> _Form:
    alphabets = tuple(map(_kin, piece))
    is_plain = piece.isascii() or (len(set(alphabets)) == 1 and advance(piece[0]) > 0)
    return _Form(piece, alphabets, is_free=is_plain and not keeps_number and not piece.isdecimal())


def _mark(char: str) -> str:
    """What stands beside a run and stays; a letter beside digits is masked itself."""
    return "" if char.isalnum() else char


@lru_cache(maxsize=8192)
def _between(alphabet: str, before: str, after: str) -> tuple[tuple[str, int, int], ...]:
    """Each letter with by how much it makes a word wider between two others, in both fonts."""
    return tuple(
        (letter, advance(letter) + kerning(before, letter) + kerning(letter, after), hand_advance(letter))
        for letter in alphabet
    )


def _misfit(width: Sequence[int], wanted: Sequence[int], room: Sequence[int]) -> float:
    """By how many rooms a width is off, in the font where that is more."""
    return max(abs(width[0] - wanted[0]) / room[0], abs(width[1] - wanted[1]) / room[1])


def _width(letters: Sequence[str], ends: tuple[str, str] = ("", "")) -> _Width:
    """How wide they are, with what they stand nearer to what is at their ends."""
    sans, before = 0, ends[0]
    for letter in letters:
        sans += advance(letter) + kerning(before, letter)
        before = letter
    return sans + kerning(before, ends[1]), sum(map(hand_advance, letters))


@lru_cache(maxsize=256)
def _middle(alphabet: str) -> int:
    """The width of a letter on average."""
    return max(1, sum(map(advance, alphabet)) // len(alphabet))


def _words(text: str) -> Iterable[str]:
    """The words of a text and the parts of those in camel case, folded, from LEAST_WORD letters on."""
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
