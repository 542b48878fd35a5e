"""The texts of a drawing as words, which are broken into lines of letters anew.

In: the runs that `draw` placed. Out: their words, and where the picture has them, px. A word that the picture broke is
whole again, as far as its script parts words by spaces.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from scenograph.engine.drawing import TextItem, TextRun
from scenograph.engine.geometry.boxes import Box, Point
from scenograph.engine.write.text_art.grid import letters_of, width_of
from scenograph.engine.write.text_lines import joined, lines_of

ASCENT, DESCENT = 0.8, 0.25  # of a font's size: how far letters reach over and under their baseline
_UNSPACED = ((0x0E00, 0x0EFF), (0x1000, 0x109F), (0x1780, 0x17FF), (0x2E80, 0xDFFF), (0xF900, 0xFAFF), (0xFF00, 0xFFEF))
"""The scripts that part words by no spaces: any break of theirs may stay."""

Word = tuple[str, ...]


class Words(NamedTuple):
    """One text: its words line by line as the picture has them, each in the pieces that it was broken into, and its
    box."""

    lines: tuple[tuple[Word, ...], ...]
    box: Box
    is_turned: bool = False

    @property
    def whole(self) -> list[str]:
        """The words one after the other."""
        return ["".join(word) for line in self.lines for word in line]

    def wrapped(self, most: int, *, whole_words: bool) -> tuple[str, ...]:
        """The lines of the picture, broken further where they are wider than `most` cells; no word is broken where
        all are to stay whole."""
        if whole_words:
            most = max([most, *map(width_of, self.whole)])
        return tuple(line for words in self.lines for line in _wrapped(words, max(most, 1)))


def words_of(item: TextItem) -> Words | None:
    """The words of a text; None where nothing is to be read."""
    groups: list[list[Word]] = []
    lines, is_open = lines_of(item.runs), False
    for line in lines:
        words: list[Word] = [(word,) for word in letters_of(joined(line)).split()]
        if is_open and words and groups:
            first, *words = words
            groups[-1][-1] = (*groups[-1][-1], *first)
            groups[-1].extend(words)
        elif words:
            groups.append(words)
        is_open = bool(words or is_open) and _goes_on(line, lines)
    if not groups:
        return None
    return Words(tuple(map(tuple, groups)), _box(item), is_turned=item.turn != 0)


def _goes_on(line: Sequence[TextRun], lines: Sequence[Sequence[TextRun]]) -> bool:
    """Whether a line breaks off within a word."""
    last = line[-1]
    return line is not lines[-1] and not last.spaced and bool(last.text) and not _is_unspaced(last.text[-1])


def _is_unspaced(letter: str) -> bool:
    return any(first <= ord(letter) <= last for first, last in _UNSPACED)


def _wrapped(words: Sequence[Word], most: int) -> Iterator[str]:
    line = ""
    for word in words:
        for number, piece in enumerate(_fitting(word, most)):
            longer = f"{line} {piece}" if line else piece
            if not number and width_of(longer) <= most:
                line = longer
                continue
            if line:
                yield line
            line = piece
    yield line


def _fitting(word: Word, most: int) -> Iterator[str]:
    """A word, or as many of its pieces in a row as fit."""
    if width_of("".join(word)) <= most:
        yield "".join(word)
        return
    kept = ""
    for piece in word:
        if kept and width_of(kept + piece) > most:
            yield kept
            kept = ""
        kept += piece
    yield kept


def _box(item: TextItem) -> Box:
    """What the letters cover, once they are turned."""
    runs = item.runs
    left, right = min(run.at.x for run in runs), max(run.at.x + run.width for run in runs)
    top = min(run.at.y - ASCENT * run.font.size for run in runs)
    bottom = max(run.at.y + DESCENT * run.font.size for run in runs)
    if not item.turn:
        return Box(left, top, right - left, bottom - top)
    cosine, sine, pivot = math.cos(math.radians(item.turn)), math.sin(math.radians(item.turn)), item.pivot
    corners = [
        Point(
            pivot.x + (x - pivot.x) * cosine - (y - pivot.y) * sine,
            pivot.y + (x - pivot.x) * sine + (y - pivot.y) * cosine,
        )
        for x in (left, right)
        for y in (top, bottom)
    ]
    xs, ys = [corner.x for corner in corners], [corner.y for corner in corners]
    return Box(min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))
