"""Text to lines: `lay_text` wraps a label and measures it exactly as drawn. px.

White space is settled first, because XML would collapse it: control characters are dropped, indentation and repeated
spaces become no-break spaces. Results are cached: a repeated label costs nothing.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import accumulate, pairwise
from typing import NamedTuple

from scenograph.diagnostics import TEXT_OVERFLOW, Report
from scenograph.engine.text.blocks import Font, TextBlock, TextLine
from scenograph.engine.text.shaping import (
    advances,
    joint_breaks,
    letter_breaks,
    part_breaks,
    runs_right_to_left,
    shape_line,
    stretches,
    type_family,
    word_breaks,
)

_CACHED_BLOCKS = 8192
_TOLERANCE = 0.01  # px; a text laid out in its own width must not wrap
_BALANCING_STEPS = 7
_FEW = 8  # pieces tried individually; longer lines are broken by bisection
_NO_BREAK_SPACE = "\u00a0"
_SPACES = " " + _NO_BREAK_SPACE
_NEW_LINE = re.compile(r"\r\n|[\n\r\v\f\u0085\u2028\u2029]")
_REPEATED_SPACES = re.compile(r"^ +| {2,}")
_DIRECTION_MARKS = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_TAB = "    "

_TextPiece = tuple[int, int]


class _PieceRow(NamedTuple):
    """The begin of each unbreakable piece of a text, and its end without trailing spaces; px."""

    starts: list[float]
    ends: list[float]

    @classmethod
    def of(cls, text: str, offsets: list[float], pieces: list[_TextPiece]) -> _PieceRow:
        """The pieces of a text, given the x offset of every character."""
        seen, ends = 0, list[float]()
        for start, end in pieces:
            seen = start + len(text[start:end].rstrip(_SPACES)) if text[start:end].strip(_SPACES) else seen
            ends.append(offsets[seen])
        return cls([offsets[start] for start, _ in pieces], list(accumulate(ends, max)))


@lru_cache(maxsize=_CACHED_BLOCKS)
def lay_text(text: str, font: Font, max_width: float | None = None, *, balanced: bool = False) -> TextBlock:
    """Wrap `text` into lines of at most `max_width` px (None: only at newlines) and measure the lines.

    `balanced` evens out the lines of each paragraph without adding any. A blank text has no lines and no height.
    """
    paragraphs = [_clean(part) for part in _NEW_LINE.split(text)]
    if not any(paragraphs):
        return _block((), font)
    wrapped = [tuple(_lines(part, font, max_width, balanced=balanced)) for part in paragraphs]
    *earlier, last = wrapped
    return _block((*(line for lines in earlier for line in (*lines[:-1], spaced(lines[-1]))), *last), font)


def text_width(text: str, font: Font) -> float:
    """The width of an unwrapped line."""
    return shape_line(_clean(text), font)[1]


@lru_cache(maxsize=_CACHED_BLOCKS)
def longest_word(text: str, font: Font) -> float:
    """The width of the widest word."""
    return _widest(text, font, in_parts=False)


@lru_cache(maxsize=_CACHED_BLOCKS)
def longest_part(text: str, font: Font) -> float:
    """The width of the widest part of a word: on a narrower line the part is broken between letters."""
    return _widest(text, font, in_parts=True)


@lru_cache(maxsize=_CACHED_BLOCKS)
def words_wider(text: str, font: Font, width: float) -> int:
    """The number of words broken by lines of the given width."""
    return sum(one > width + _TOLERANCE for one in _widths(text, font, in_parts=False))


def _widest(text: str, font: Font, *, in_parts: bool) -> float:
    return max(_widths(text, font, in_parts=in_parts), default=0.0)


def _widths(text: str, font: Font, *, in_parts: bool) -> Iterator[float]:
    for paragraph in map(_clean, _NEW_LINE.split(text)):
        offsets = _offsets(paragraph, font)
        pieces = _cut(paragraph, (0, len(paragraph)), word_breaks)
        if in_parts:
            pieces = [part for piece in pieces for part in _cut(paragraph, piece, part_breaks)]
        yield from (_visible_width(paragraph, offsets, piece) for piece in pieces)


def spaced(line: TextLine) -> TextLine:
    """The line, followed by white space before the next line."""
    return line._replace(runs=(*line.runs[:-1], line.runs[-1]._replace(spaced=True))) if line.runs else line


def line_metrics(font: Font) -> tuple[float, float]:
    """Line height, and the first baseline's depth below the block's top: capitals stand in the middle of the line."""
    family = type_family(font.family)
    height = font.size * family.line_height
    return height, (height + font.size * family.cap_height) / 2


def _block(lines: tuple[TextLine, ...], font: Font) -> TextBlock:
    height, ascent = line_metrics(font)
    return TextBlock(lines, max((line.width for line in lines), default=0.0), height * len(lines), height, ascent)


def _lines(paragraph: str, font: Font, max_width: float | None, *, balanced: bool) -> Iterator[TextLine]:
    """The lines of a paragraph, all in the direction of its first strong letter."""
    direction = runs_right_to_left(paragraph)
    # Ask with the direction, to shape the line once for both width and runs.
    runs, width = shape_line(paragraph, font, right_to_left=direction)
    if max_width is None or width <= max_width + _TOLERANCE:
        yield TextLine(runs, width)
        return
    for piece in _wrap(paragraph, font, max_width, balanced=balanced):
        line = TextLine(*shape_line(piece.rstrip(_SPACES), font, right_to_left=direction))
        yield spaced(line) if piece.endswith(tuple(_SPACES)) else line


def _clean(line: str) -> str:
    """A line without control characters, composed (NFC: fonts have more letters with marks than marks), with repeated
    and leading spaces made unbreakable and the end trimmed."""
    if not (line.isascii() and line.isprintable()):
        kept = (_TAB if letter == "\t" else letter for letter in line if letter == "\t" or _is_drawable(letter))
        line = unicodedata.normalize("NFC", "".join(kept))
    line = line.rstrip(_SPACES)
    return _REPEATED_SPACES.sub(_hardened, line) if "  " in line or line.startswith(" ") else line


def _hardened(match: re.Match[str]) -> str:
    spaces = match.end() - match.start()
    return _NO_BREAK_SPACE * spaces if match.start() == 0 else _NO_BREAK_SPACE * (spaces - 1) + " "


def _is_drawable(letter: str) -> bool:
    return unicodedata.category(letter) not in ("Cc", "Cs") and letter not in _DIRECTION_MARKS


def _wrap(text: str, font: Font, max_width: float, *, balanced: bool) -> list[str]:
    """A text wider than a line, cut into lines with the spaces at their ends."""
    offsets = _offsets(text, font)
    pieces = _pieces(text, offsets, max_width)
    row = _PieceRow.of(text, offsets, pieces)
    least = max(_visible_width(text, offsets, piece) for piece in pieces)
    width = _balanced_width(row, least, max_width) if balanced else max_width
    firsts = _fill(row, width)
    return [text[pieces[first][0] : pieces[last - 1][1]] for first, last in pairwise([*firsts, len(pieces)])]


def _offsets(text: str, font: Font) -> list[float]:
    """The x before each character, and after the last."""
    rows = (advance for stretch in stretches(text, font) for advance in advances(stretch))
    return list(accumulate(rows, initial=0.0))


def _visible_width(text: str, offsets: list[float], piece: _TextPiece) -> float:
    """The width of a piece without trailing spaces."""
    start, end = piece
    while end > start and text[end - 1] in _SPACES:
        end -= 1
    return offsets[end] - offsets[start]


def _pieces(text: str, offsets: list[float], width: float) -> list[_TextPiece]:
    """Unbreakable pieces, none wider than `width` except a single cluster."""
    pieces = _cut(text, (0, len(text)), word_breaks)
    for breaks in (joint_breaks, part_breaks, letter_breaks):
        pieces = [
            part
            for piece in pieces
            for part in ([piece] if _visible_width(text, offsets, piece) <= width else _cut(text, piece, breaks))
        ]
    return pieces


def _cut(text: str, piece: _TextPiece, breaks: Callable[[str], tuple[int, ...]]) -> list[_TextPiece]:
    start, end = piece
    return list(pairwise([start, *(start + at for at in breaks(text[start:end])), end]))


def _fill(row: _PieceRow, width: float) -> list[int]:
    """The first piece of each line, each line filled with as many pieces as fit, at least one."""
    starts, ends = row
    firsts, count, limit, first = [0], len(ends), width + _TOLERANCE, 0
    while True:
        start, following = starts[first], first + 1
        few = min(count, following + _FEW)
        while following < few and ends[following] - start <= limit:
            following += 1
        if following == few:
            following = bisect_right(ends, start + limit, few)
            # The sum may be rounded otherwise than the difference that counts.
            while following > few and ends[following - 1] - start > limit:
                following -= 1
            while following < count and ends[following] - start <= limit:
                following += 1
        if following >= count:
            return firsts
        first = following
        firsts.append(first)


def _balanced_width(row: _PieceRow, least: float, width: float) -> float:
    """The narrowest width (to about 1 %) with no more lines than at `width`."""
    lines = len(_fill(row, width))
    low, high = least, width
    for _ in range(_BALANCING_STEPS):
        middle = (low + high) / 2
        if len(_fill(row, middle)) > lines:
            low = middle
        else:
            high = middle
    return high


# The remark that a text is higher than the room it has (TEXT_OVERFLOW), the same for every kind of element. px.


_SLACK = 0.5  # an overflow smaller than this is not seen


def report_overflow(report: Report, element_id: str, required: float, available: float) -> None:
    """Report a text higher than its room, both in px, unless the excess is invisible."""
    if required <= available + _SLACK:
        return
    required, available = round(required, 2), round(max(available, 0.0), 2)
    report.add(
        TEXT_OVERFLOW,
        element_id=element_id,
        data={"requiredHeight": required, "availableHeight": available},
        id=element_id,
        required=required,
        available=available,
    )
