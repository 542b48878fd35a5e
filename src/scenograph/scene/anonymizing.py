"""Anonymous documents: the structure of a scene without its content (R-SUP-4, R-SUP-5).

In: a valid document and a source of randomness. Out: a valid document of the same structure, positions and styles.
Every label, title, content, name, column and id is masked, and every picture is replaced by a plain
picture of the same size. The traversal follows the field descriptions, and undescribed members are left out: nothing
passes unseen. Vocabulary (kinds, types, shapes, colours) stays.
"""

from __future__ import annotations

import binascii
import re
import struct
import unicodedata
import zlib
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import Any, NamedTuple

from scenograph.scene.defaults import DEFAULTS
from scenograph.scene.description.document import DOCUMENT
from scenograph.scene.description.elements import STYLE, StyleOrName
from scenograph.scene.description.fields import (
    UNREAD,
    AnyValue,
    FieldType,
    Identifier,
    ListOf,
    MapOf,
    Record,
    TextType,
    Variants,
)
from scenograph.scene.image_data import AssetRecord, ImageHref, pixel_size, split_href
from scenograph.scene.json_values import JsonObject, is_array, is_object
from scenograph.scene.limits import LIMITS, IconRegistry
from scenograph.scene.links import LinkHref
from scenograph.scene.vocabulary import EDGE_TYPES, GENERIC_NODE_TYPES, NODE_TYPES, SIDES
from scenograph.wire.names import RESERVED

# The widths of letters in the proportional fonts, 1/1000 em, known here without the engine: Inter at weight 500, the
# text font, and Kalam, the handwriting font; a test compares the tables with the font files. Letters missing in Kalam
# are drawn in Inter.


_RANGES: Mapping[int, str] = MappingProxyType(
    {
        ord("0"): "646 415 616 627 656 603 630 571 629 630",  # digits
        ord("A"): (
            "709 657 733 722 603 589 748 745 272 575 688 565 913 756 767 642 769 648 646 653 740 709 1003 701 696 641"
        ),  # Latin
        ord("a"): (
            "568 618 577 618 587 379 620 602 252 252 559 252 888 602 604 618 618 387 539 340 602 575 829 557 575 559"
        ),  # Latin
        0x00C6: "1003",  # Æ
        0x00D0: "743",  # Ð
        0x00D8: "767",  # Ø
        0x00DE: "647 630",  # Þß
        0x00E6: "915",  # æ
        0x00F0: "588",  # ð
        0x00F8: "604",  # ø
        0x00FE: "618",  # þ
        0x0391: (
            "709 657 580 702 603 641 745 767 272 688 709 913 756 667 767 745 642 1000 690 653 696 885 701 885 "
            "774 272 696 674 544 602 287 602 674 600 575 591 544 518 602 623 287 546 655 600 596 559 604 616 "
            "618 575 633 480 602 747 580 795 814"
        ),  # Greek
        0x0410: (
            "709 646 657 580 835 603 996 627 756 756 688 749 913 745 767 745 642 733 653 650 831 701 736 703 "
            "968 987 821 895 654 733 1024 648 568 599 569 441 629 587 828 502 602 602 556 585 784 599 604 596 "
            "618 577 480 575 717 557 617 585 835 854 655 760 569 577 851 562"
        ),  # Cyrillic
    }
)
ADVANCES: Mapping[str, int] = MappingProxyType(
    {chr(first + number): int(width) for first, row in _RANGES.items() for number, width in enumerate(row.split())}
)
_HAND_RANGES: Mapping[int, str] = MappingProxyType(
    {
        ord("0"): "500 314 581 571 551 537 556 461 602 488",
        ord("A"): (
            "608 637 599 645 585 523 611 670 310 468 591 546 789 677 613 543 641 584 531 535 598 532 782 624 575 620"
        ),
        ord("a"): (
            "469 525 445 499 450 376 475 536 238 254 469 245 796 533 453 478 474 331 426 387 481 422 673 427 469 440"
        ),
    }
)
HAND_ADVANCES: Mapping[str, int] = MappingProxyType(
    {chr(first + number): int(width) for first, row in _HAND_RANGES.items() for number, width in enumerate(row.split())}
)

# The kerning of two letters, to 20/1000 em: first letters, then second letters by value.
_KERNING: Mapping[str, str] = MappingProxyType(
    {
        "_": "-100:1 -80:vyV -60:T4 -40:CGOQU035689 20:i 40:bhklmnprBDEFHIKLMNPR 100:j",
        ".,": "-80:1 -40:CGOQTY -20:035678",
        "-+": "-80:TY -40:AJVWX -20:x27",
        "=": "-100:Y -60:AVWX -40:vxyT",
        "A": "-80:TVY -60:Wvwy -40:CGOQ1 -20:Ut 20:A",
        "Bgq": "-60:T",
        "CJU": "-20:A",
        "DOQ": "-40:ATVXY",
        "F": "-100:A -60:J -40:cdegoquvyz -20:amnpr",
        "G": "-40:T -20:AVY",
        "HIMNdl1": "20:t",
        "K": "-60:w -40:CGOQcdegoquvy -20:S 20:i",
        "L": "-100:T -80:V -60:Yvy -40:1 -20:CGOQWt",
        "P": "-100:J -80:A",
        "R": "-20:VYcdegoq",
        "S38": "-20:X",
        "T": "-100:Jt -80:Aacdegoqsu7 -60:mnprvwxy4 -40:CGOQz06 20:Y",
        "V": "-100:J -80:A -60:acdegoq -40:CGOQs4 -20:06 20:V",
        "W": "-60:AJacdgoq -40:emnprs4 20:W",
        "X": "-60:a -40:CGOQT046 -20:Scdegoq38",
        "Y": "-80:Aacdegoq -60:s4 -40:CGJOQmnpru -20:i 20:T",
        "Z": "-40:CGOQ",
        "ahmn": "-80:Y -60:TVW -40:1 -20:vy",
        "bcop": "-100:Y -80:T -60:VW -40:A1 -20:Xvwxyz",
        "e": "-100:Y -80:T -60:V -40:AW1 -20:Xvwxyz 20:a",
        "f": "-60:J4 -40:Aft -20:acdegoqs 20:w",
        "k": "-60:T -40:4 -20:cdegoq",
        "r": "-60:JT -40:AZ -20:cdegoq 20:BDEFHIKLMNPRbfhjklmnprtvxy",
        "s": "-80:TY -40:VW",
        "t": "-40:T -20:Yf4 20:vwy",
        "u": "-60:TY",
        "vy": "-60:AJ -40:TY -20:cdegoq 20:ft",
        "w": "-60:AJT -40:Z -20:cdegoq",
        "x": "-60:T -20:cdegoq 20:ft",
        "z": "-40:T -20:cdegoq",
        "09": "-40:XY -20:V7 20:t",
        "2": "-20:4",
        "4": "-20:1",
        "7": "-100:AJ -60:cdegmnopqr4 -40:as -20:0368 20:7",
    }
)
# The same before marks, by mark: the letters in front of it.
_BEFORE_MARKS: Mapping[str, str] = MappingProxyType(
    {
        "_": "-160:7 -80:vyV -60:JTU -40:uCDFOQ069 -20:f",
        ".,": "-120:7 -100:VW -80:w -60:fr -40:vyDFJOPQTUY46 -20:03589",
        "-+": "-100:K -80:LY -60:TV -40:kruvyAPWXZ -20:ftx",
        "=": "-100:Y -60:AVWX -40:vxyKT",
        "/": "-60:vyJTU -40:ruDOQV -20:fW 20:A",
    }
)


def _pairs(rows: Mapping[str, str]) -> Iterator[tuple[str, str, int]]:
    for named, row in rows.items():
        for value, letters in (entry.split(":") for entry in row.split()):
            yield from ((one, letter, int(value)) for one in named for letter in letters)


KERNING: Mapping[tuple[str, str], int] = MappingProxyType(
    {(first, second): value for first, second, value in _pairs(_KERNING)}
    | {(letter, mark): value for mark, letter, value in _pairs(_BEFORE_MARKS)}
)


@lru_cache(maxsize=4096)
def advance(char: str) -> int:
    """The width of a letter or a digit, without its accent if accented; 0 if unknown."""
    return ADVANCES.get(char) or ADVANCES.get(plain(char), 0)


@lru_cache(maxsize=4096)
def _hand_advance(char: str) -> int:
    """The width in the handwriting font."""
    return HAND_ADVANCES.get(char) or HAND_ADVANCES.get(plain(char)) or advance(char)


def _kerning(first: str, second: str) -> int:
    """The kerning of two letters, negative for closer; 0 if either is empty."""
    return KERNING.get((plain(first), plain(second)), 0) if first and second else 0


@lru_cache(maxsize=4096)
def plain(char: str) -> str:
    """A letter without its accents."""
    return unicodedata.normalize("NFD", char)[0]


# Random words in place of real words, of equal width and with nothing else in common. A word becomes random letters
# of the same case, changed one by one until the total width equals the word's in both proportional fonts; the
# number of letters follows from the width alone. A mask therefore reveals a word's width, but neither its number of
# letters nor any single width. The error of a word is corrected in the next. No letter stays in its place. Other
# characters stay, which preserves line breaks, guards and the form of ids. Equal texts get equal masks and
# different texts different masks, which preserves references. No word of two letters or more from the document
# remains, whole or inside another word.


Draw = Callable[[int], int]  # a random number from 0 up to, not including, the given one

_LEAST_WORD = 2  # letters
MOST_COMPARED = 12  # letters: a longer word is compared by its first letters
DIGITS, LOWER, UPPER = "0123456789", "abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_ALPHABETS = (DIGITS, LOWER, UPPER)
NEIGHBOURS = 64  # code points searched for the replacement of a letter in another script
_PER_MILLE = 1000
_JITTER = 6  # per mille of a word's width: random change of its mask's width
# The tolerance of a mask's width: per mille of a word's width and 1/1000 em, try after try. The last but one is 2 px
# of the smallest label.
_ROOMS = ((10, 5), (10, 5), (10, 5), (12, 6), (15, 20), (15, 60), (15, 100), (15, 150))
_WIDEST_OFF = (30, 130)  # of a text without letters, in the same units; beyond, letters replace its digits
TRIES = 14
LONG = 100  # letters of a text; beyond, no word gains letters: masks stay within the limits of lengths
PIECE = 24  # letters of a long word generated together
NUMBERS = 6  # numbers of letters tried for a word, one after another
STEPS = 10  # letters changed for a word, in addition to twice their number
_MOST_REDRAWN = 20_000  # letters drawn again in a document; bounds the time for one with nearly every short word, or
# with texts that look all alike
_RUNS = re.compile(r"\d+|[^\W\d_]+")
_LETTERS = re.compile(r"[^\W\d_]+")
_CAMEL_PARTS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
# Parts of a word of plain letters, by case; any other run of letters is a single part.
_PARTS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")

_Width = tuple[int, int]  # in the text font and in the handwriting font, 1/1000 em


class _Form(NamedTuple):
    """A part of a word: the real letters, and the alphabet of each letter of its mask. `is_free`: the mask may have
    another number of letters, out of the last alphabet."""

    real: str
    alphabets: tuple[str, ...]
    is_free: bool


class TextMask:
    """The masked words of a document.

    `texts` are all of its texts. `reserved` words are never generated. `public` names reveal nothing about the author
    and may stay. `monospaced`: the document uses a font in which a word's width is its number of letters, which then
    stays.
    """

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
        self._redrawn = 0
        self._made: dict[str, str] = {}
        self._taken: set[str] = set()
        self._is_long = False
        self._off: _Width = (0, 0)  # the excess width of the mask so far over the real text

    def of(self, text: str) -> str:
        """The mask of a text, equal at every call."""
        made = self._made.get(text)
        if made is None:
            made = self._made[text] = self._fresh(text)
            self._taken.add(made)
        return made

    def keeping(self, text: str, kept: frozenset[str]) -> str:
        """The text with every word masked except `kept` (lower case)."""
        self._off = (0, 0)
        return _LETTERS.sub(lambda match: match[0] if match[0].lower() in kept else self._run(match, 0), text)

    def _fresh(self, text: str) -> str:
        if not any(map(str.isalnum, text)):
            return text
        made = ""
        for attempt in range(TRIES):
            if attempt and not self._may_redraw(text):
                break
            made = self._once(text, attempt)
            if made not in self._taken:
                return made
        while made in self._taken:  # every similar mask is taken: a further digit joins no letters
            made += DIGITS[self._draw(len(DIGITS))]
        return made

    def _once(self, text: str, attempt: int) -> str:
        """Digits first, since few choices exist: letters correct their errors of width."""
        self._off, self._is_long = (0, 0), len(text) > LONG
        runs = list(_RUNS.finditer(text))
        numbers = [self._run(run, attempt) for run in runs if run[0].isdecimal()]
        if len(numbers) == len(runs) and self._is_off(_width(text)):
            self._off = (0, 0)
            return _RUNS.sub(lambda match: self._part(_Form(match[0], (LOWER,), is_free=True), "", attempt), text)
        drawn = iter(numbers)
        return _RUNS.sub(lambda match: next(drawn) if match[0].isdecimal() else self._run(match, attempt), text)

    def _is_off(self, width: _Width) -> bool:
        share, least = _WIDEST_OFF
        return any(
            abs(off) > max(least, share * real // _PER_MILLE) for off, real in zip(self._off, width, strict=True)
        )

    def _run(self, match: re.Match[str], attempt: int) -> str:
        """The mask of a run of letters or digits, without a real word at its end."""
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
            is_mixed = len(run) >= _LEAST_WORD and sorted(made) == sorted(run)
            if run.isdecimal() or not (is_mixed or self._holds_a_word(made.casefold())):
                return made
            if not self._may_redraw(run):
                break
        mended = self._mended(made)
        real, now = _width(run), _width(mended)
        self._off = (before[0] + now[0] - real[0], before[1] + now[1] - real[1])
        return mended

    def _may_redraw(self, text: str) -> bool:
        self._redrawn += len(text)
        return self._redrawn <= _MOST_REDRAWN

    def _part(self, form: _Form, real_letters: str, attempt: int, ends: tuple[str, str] = ("", "")) -> str:
        """The mask of a part between two `ends`; `real_letters` are the letters at its positions."""
        real = _width(form.real, ends)
        jitter = [(self._draw(2 * _JITTER + 1) - _JITTER) * width // _PER_MILLE for width in real]
        wanted = tuple(max(1, width - off + more) for width, off, more in zip(real, self._off, jitter, strict=True))
        share, least = _ROOMS[min(attempt, len(_ROOMS) - 1)]
        room = tuple(least + share * width // _PER_MILLE for width in real)
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
        chance = self._draw(_PER_MILLE) * middle * 2 // _PER_MILLE - middle
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
        """Random letters, none equal to the real letter of the same place, changed in turn towards the `aim`: widths
        and tolerances."""
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
        """A letter other than the real one, by a single draw: a loop of draws may never end."""
        others = alphabet.replace(real, "") if real else alphabet
        return (others or alphabet)[self._draw(len(others or alphabet))]

    def _holds_a_word(self, folded: str) -> bool:
        return any(self._ends_a_word(folded, end) for end in range(_LEAST_WORD, len(folded) + 1))

    def _ends_a_word(self, folded: str, end: int) -> bool:
        return any(length <= end and folded[end - length : end] in self._real for length in self._lengths)

    def _mended(self, made: str) -> str:
        """The mask without real words, for a word with a real word in every draw: another letter at the end of a real
        word, or a digit if every letter ends one."""
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
        """Whether a real word ends within the folded letter, which may be several characters."""
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
    """The character beside a run if it stays; letters beside digits are masked themselves."""
    return "" if char.isalnum() else char


@lru_cache(maxsize=8192)
def _between(alphabet: str, before: str, after: str) -> tuple[tuple[str, int, int], ...]:
    """Each letter with its added width between two letters, in both fonts."""
    return tuple(
        (letter, advance(letter) + _kerning(before, letter) + _kerning(letter, after), _hand_advance(letter))
        for letter in alphabet
    )


def _misfit(width: Sequence[int], wanted: Sequence[int], room: Sequence[int]) -> float:
    """The error of a width in tolerances, in the worse font."""
    return max(abs(width[0] - wanted[0]) / room[0], abs(width[1] - wanted[1]) / room[1])


def _width(letters: Sequence[str], ends: tuple[str, str] = ("", "")) -> _Width:
    """The width of letters, with the kerning at both ends."""
    sans, before = 0, ends[0]
    for letter in letters:
        sans += advance(letter) + _kerning(before, letter)
        before = letter
    return sans + _kerning(before, ends[1]), sum(map(_hand_advance, letters))


@lru_cache(maxsize=256)
def _middle(alphabet: str) -> int:
    """The width of a letter on average."""
    return max(1, sum(map(advance, alphabet)) // len(alphabet))


def _words(text: str) -> Iterable[str]:
    """The words of a text and the parts of camel-case words, folded, of at least _LEAST_WORD letters."""
    for run in _LETTERS.findall(text):
        for word in (run, *_CAMEL_PARTS.findall(run)):
            if len(word) >= _LEAST_WORD:
                yield word.casefold()


@lru_cache(maxsize=4096)
def _kin(char: str) -> str:
    """Replacements for `char`: the letters of equal case in the alphabet, else nearby characters of equal category and
    cell width, `char` included."""
    alphabet = next((letters for letters in _ALPHABETS if char in letters), None)
    if alphabet is not None:
        return alphabet
    first = ord(char) // NEIGHBOURS * NEIGHBOURS
    kind = _kind(char)
    return "".join(near for near in map(chr, range(first, first + NEIGHBOURS)) if _kind(near) == kind)


def _kind(char: str) -> tuple[str, str, bool]:
    """Category, cell width, and whether the character is an accented letter of known width."""
    return unicodedata.category(char), unicodedata.east_asian_width(char), advance(char) > 0


# A plain grey PNG of a given size, in place of a hidden picture (PNG, third edition: 5.3, 11.2).


_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_BITS = 2  # a pixel: black, two greys, white
_LIGHT_GREY = b"\xaa"  # four pixels of the lighter grey
_NO_FILTER = b"\0"
_FASTEST = 1


def _blank_png(width: int, height: int) -> str:
    """A grey PNG of this size, base64."""
    row = _NO_FILTER + _LIGHT_GREY * (-(-width * _BITS // 8))
    packer = zlib.compressobj(_FASTEST)
    pixels = b"".join([*(packer.compress(row) for _ in range(height)), packer.flush()])
    header = struct.pack(">IIBBBBB", width, height, _BITS, 0, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"IDAT", pixels), (b"IEND", b""))
    return b64encode(_SIGNATURE + b"".join(_chunk(name, content) for name, content in chunks)).decode("ascii")


def _chunk(name: bytes, content: bytes) -> bytes:
    checksum = zlib.crc32(name + content)
    return struct.pack(">I", len(content)) + name + content + struct.pack(">I", checksum)


_PICTURE_MEMBERS = ("data", "href")
_KNOWN_NODE_TYPES = frozenset(GENERIC_NODE_TYPES).union(*NODE_TYPES.values())
_KNOWN_EDGE_TYPES = frozenset({"default"}).union(*EDGE_TYPES.values())
_ICON_SETS = frozenset({"aws", "gcp", "azure", "lucide"})
_PLAIN_KEY = re.compile(r"[A-Za-z0-9-]{1,16}:[A-Za-z0-9-]{1,80}")
_KEY_WORDS = frozenset({"pk", "fk", "uk", "uq", "primary", "foreign", "unique", "key"})
# fmt: off
_FONT_WORDS = frozenset({
    "sans", "serif", "mono", "monospace", "courier", "consolas", "menlo", "monaco", "code", "typewriter",
    "kalam", "hand", "handwriting", "comic", "cursive", "script", "marker", "chalk", "sketch", "inter",
    "jetbrains", "arial", "helvetica", "georgia", "times", "roman", "system",
})
# fmt: on
_MONOSPACED = re.compile(r"mono|courier|consolas|menlo|monaco|code|typewriter", re.IGNORECASE)

Treatment = Callable[[TextMask, Any], object]


def anonymized(document: Mapping[str, Any], draw: Draw, icons: IconRegistry | None = None) -> JsonObject:
    """The anonymous form of a valid document, random at every call. `draw(n)` gives a random number below n. Icon keys
    known to `icons` stay; without `icons` none do."""
    texts = tuple(_texts(document))
    monospaced = any(_MONOSPACED.search(family) for family in _families(document))
    mask = TextMask(texts, draw, RESERVED, _public_icons(document, icons), monospaced=monospaced)
    return _record(mask, DOCUMENT, dict(document))


def _public_icons(document: Mapping[str, Any], icons: IconRegistry | None) -> frozenset[str]:
    """The document's keys of registered icons in plain spelling: a registry ignores further characters, which could
    carry content."""
    elements: object = document.get("elements")
    keys = (element.get("icon") for element in (elements if is_array(elements) else ()) if is_object(element))
    written = {key for key in keys if isinstance(key, str) and _PLAIN_KEY.fullmatch(key)}
    return frozenset(key for key in written if icons is not None and icons.knows(key))


def _families(value: object) -> Iterator[str]:
    """The font families of the document."""
    waiting: list[object] = [value]
    while waiting:
        here = waiting.pop()
        if is_object(here):
            family = here.get("fontFamily")
            if isinstance(family, str):
                yield family
            waiting.extend(here.values())
        elif is_array(here):
            waiting.extend(here)


def _texts(value: object) -> Iterator[str]:
    """Every text and every member name, except the bytes of pictures, which hold no words."""
    waiting: list[object] = [value]
    while waiting:
        here = waiting.pop()
        if isinstance(here, str):
            yield here
        elif is_object(here):
            yield from here
            waiting.extend(inner for name, inner in here.items() if name not in _PICTURE_MEMBERS)
        elif is_array(here):
            waiting.extend(here)


def _treated(mask: TextMask, kind: FieldType, value: object) -> object:
    """The anonymous form of a value, or UNREAD for a value to leave out."""
    treatment = _BY_TYPE.get(type(kind))
    if treatment is not None:
        return treatment(mask, kind, value)
    return UNREAD if kind.check(value, LIMITS) else value


def _record(mask: TextMask, kind: Record, value: object) -> Any:
    if not is_object(value):
        return UNREAD
    found: JsonObject = {}
    for name, inner in value.items():
        row = kind.members.get(name)
        if row is None:
            continue
        special = _SPECIAL.get((kind.name.removesuffix(DEFAULTS.name), row.name))
        if special is None:
            made = _treated(mask, row.type, inner)
        else:
            made = special(mask, inner) if isinstance(inner, str) else UNREAD
        if made is not UNREAD:
            found[name] = made
    return found


def _variants(mask: TextMask, kind: Variants, value: object) -> object:
    tag = value.get(kind.tag) if is_object(value) else None
    record = kind.records.get(tag) if isinstance(tag, str) else None
    return UNREAD if record is None else _record(mask, record, value)


def _list(mask: TextMask, kind: ListOf, value: object) -> object:
    items = (_treated(mask, kind.item, item) for item in (value if is_array(value) else ()))
    return [item for item in items if item is not UNREAD]


def _map(mask: TextMask, kind: MapOf, value: object) -> object:
    members = value if is_object(value) else {}
    made = ((mask.of(name), _treated(mask, kind.value, inner)) for name, inner in members.items())
    return {name: inner for name, inner in made if inner is not UNREAD}


def _text(mask: TextMask, _kind: FieldType, value: object) -> object:
    return mask.of(value) if isinstance(value, str) else UNREAD


def _style(mask: TextMask, kind: FieldType, value: object) -> object:
    return _text(mask, kind, value) if isinstance(value, str) else _record(mask, STYLE, value)


def _nothing(_disguise: TextMask, _kind: FieldType, _value: object) -> object:
    return UNREAD


def _asset(_disguise: TextMask, _kind: FieldType, value: object) -> object:
    blank = _blank(value.get("mimeType"), value.get("data")) if is_object(value) else None
    return UNREAD if blank is None else {"mimeType": "image/png", "data": blank}


def _href(_disguise: TextMask, _kind: FieldType, value: object) -> object:
    parts = split_href(value) if isinstance(value, str) else None
    blank = _blank(*parts) if parts else None
    return UNREAD if blank is None else f"data:image/png;base64,{blank}"


def _link(_disguise: TextMask, _kind: FieldType, _value: object) -> object:
    """A link's presence is shown, its address hidden (RFC 6761 reserves the name)."""
    return "https://link.invalid/"


def _blank(mime_type: object, encoded: object) -> str | None:
    if not isinstance(mime_type, str) or not isinstance(encoded, str):
        return None
    try:
        size = pixel_size(mime_type, b64decode(encoded, validate=True))
    except (binascii.Error, ValueError):
        return None
    return _blank_png(*size) if size else None


# By type of member. Unlisted types (numbers, flags, choices, colours) hold no content of the author.
_BY_TYPE: Mapping[type, Callable[[TextMask, Any, object], object]] = MappingProxyType(
    {
        Record: _record,
        Variants: _variants,
        ListOf: _list,
        MapOf: _map,
        TextType: _text,
        Identifier: _text,
        StyleOrName: _style,
        AnyValue: _nothing,
        AssetRecord: _asset,
        ImageHref: _href,
        LinkHref: _link,
    }
)


def _unless(known: Callable[[str], bool]) -> Treatment:
    """Masks values outside the vocabulary."""
    return lambda mask, value: value if known(value) else mask.of(value)


def _icon(mask: TextMask, value: Any) -> Any:
    return value if value in mask.public else mask.keeping(value, _ICON_SETS)


# Texts with a meaning for the engine: (record, member).
_SPECIAL: Mapping[tuple[str, str], Treatment] = MappingProxyType(
    {
        ("Node", "nodeType"): _unless(_KNOWN_NODE_TYPES.__contains__),
        ("Edge", "edgeType"): _unless(_KNOWN_EDGE_TYPES.__contains__),
        ("Document", "brief"): lambda _mask, _value: UNREAD,
        ("Node", "icon"): _icon,
        ("Frame", "icon"): _icon,
        ("Endpoint", "port"): _unless(SIDES.__contains__),
        ("Port", "id"): _unless(SIDES.__contains__),
        ("Column", "key"): lambda mask, value: mask.keeping(value, _KEY_WORDS),
        ("Style", "fontFamily"): lambda mask, value: mask.keeping(value, _FONT_WORDS),
    }
)
