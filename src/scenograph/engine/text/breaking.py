"""Where a line may be broken.

Four tiers: between words (spaces, hyphens, slashes; for other scripts the Unicode line breaking algorithm, UAX #14),
between the parts of an address or a list (`path?query&more`) when a word is too long for a line, inside compound words
(`snake_case`, `camelCase`, `dotted.names`) when such a part is, and between any two grapheme clusters when even that
is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from itertools import accumulate

from unicode_segmentation_rs import graphemes, line_break_units

_WORD_END = re.compile(r" +|(?<=\w)-(?=[A-Za-z])|(?<=\w)/(?=\w)")
_PART_END = re.compile(r"(?<=\w)[_.:,;@=&?#|\\/-]+(?=\w)|(?<=[a-z0-9])(?=[A-Z])")
_JOINT_END = re.compile(r"(?<=\w)[,;&?#|\\/]+(?=\w)")
_CACHED_TEXTS = 4096


@lru_cache(maxsize=_CACHED_TEXTS)
def word_breaks(text: str) -> tuple[int, ...]:
    """Positions before which a new line may start, ascending, without 0 and the end."""
    ends = (match.end() for match in _WORD_END.finditer(text)) if text.isascii() else _ends(line_break_units(text))
    return tuple(end for end in ends if 0 < end < len(text))


def joint_breaks(word: str) -> tuple[int, ...]:
    """Positions after which an address, a query or a list goes on."""
    return tuple(match.end() for match in _JOINT_END.finditer(word) if match.end() < len(word))


def part_breaks(word: str) -> tuple[int, ...]:
    """Positions inside an overlong word where a break hurts least."""
    return tuple(match.end() for match in _PART_END.finditer(word) if match.end() < len(word))


def letter_breaks(part: str) -> tuple[int, ...]:
    """Every position between two grapheme clusters."""
    if part.isascii():
        return tuple(range(1, len(part)))
    return tuple(end for end in _ends(clusters(part)) if end < len(part))


def clusters(text: str) -> list[str]:
    """The grapheme clusters (UAX #29): what a reader takes for one letter."""
    return graphemes(text, is_extended=True)


def _ends(parts: Iterable[str]) -> Iterable[int]:
    """Where each part ends that follows the one before."""
    return accumulate(map(len, parts))
